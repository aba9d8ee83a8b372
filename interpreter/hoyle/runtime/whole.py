"""A payment in words: `pay(2 coin, red 3)` names at once what is asked in steps.

The steps are tried on a copy of the table that keeps a log, since what is settled without being asked is told nowhere
else: a payment is the one that was named if just the named tokens and cards have gone when it is over.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from hoyle.runtime.faults import Fault
from hoyle.runtime.shape import Shape
from hoyle.runtime.state import BLOCK, EMPTY_LOG, LOG, SEAT, State

PAID = "paid"  # what the log notes when a payment is over; nobody is told
CARD, DONE = "card", "done"
AMOUNT = re.compile(r"([0-9]+) ([a-z][a-z0-9_]*)")


class Paid(NamedTuple):
    """What a payment holds: how many tokens of which kind, how many cards of which face in small letters."""

    tokens: Counter[str]
    cards: Counter[str]


def paid_items(items: Sequence[str], tokens: Sequence[str], faces: Sequence[str]) -> Paid:
    """Return what a list such as `2 coin`, `red 3` holds; what is the face of a card is meant as one."""
    found, known = Paid(Counter(), Counter()), {face.lower() for face in faces}
    for word in (" ".join(item.lower().split()) for item in items):
        amount = AMOUNT.fullmatch(word)
        if amount is not None and amount[2] in tokens and word not in known:
            found.tokens[amount[2]] += int(amount[1])
        elif word:
            found.cards[word] += 1
    return found


def called(words: str) -> tuple[str, list[str]] | None:
    """Return the name and the items of `NAME(A, B)`; None for other words."""
    found = re.fullmatch(r"([a-z][a-z0-9_]*) ?\((.*)\)", " ".join(words.replace('"', "").lower().split()))
    return None if found is None else (found[1], found[2].split(","))


def asks_for(shape: Shape, state: State, name: str) -> bool:
    """Return whether a step of a payment of that name is asked."""
    return state[SEAT] >= 0 and shape.choices[state[BLOCK]].payment == name


def payment_steps(table: Any, shape: Shape, name: str, items: Sequence[str]) -> list[int] | None:
    """Return the numbers of the moves by which the player to move pays just this; None if it can't be paid so."""
    left = paid_items(items, [t.name for t in shape.tokens], shape.faces)
    trial, numbers = table.copy(), list[int]()
    while asks_for(shape, trial.state, name):
        number, seat = _step(trial, left), trial.state[SEAT]
        if number is None:
            return None
        numbers.append(number)
        trial.state[LOG] = EMPTY_LOG
        try:
            trial.step(number)
        except Fault:  # it is met again when the moves are made in earnest
            return numbers
        over, gone = _gone(shape, trial.state[LOG], seat)
        left.tokens.subtract(gone)
        if over:
            return None if any(left.tokens.values()) or any(left.cards.values()) else numbers
    return None


def _step(table: Any, left: Paid) -> int | None:
    """Return the number of the move that pays what is left to pay of what is asked; its card is left no more."""
    enough = None
    for move in table.moves():
        if move.option == CARD:
            face = move.arguments[0].lower()
            if left.cards[face] > 0:
                left.cards[face] -= 1
                return int(move.number)
        elif move.option == DONE:
            enough = int(move.number)
        elif move.arguments == (str(left.tokens[move.option]),):
            return int(move.number)
    return enough


def _gone(shape: Shape, log: Any, seat: int) -> tuple[bool, Counter[str]]:
    """Return whether the payment is over by a log, and the tokens that a player has given for it."""
    events: list[tuple[Any, ...]] = []
    while log:
        log, event = log
        events.append(event)
    own = {v.place + seat: v.name for v in shape.variables if v.each_player}
    gone: Counter[str] = Counter()
    for event in reversed(events):
        if event == (PAID, seat):
            return True, gone
        if event[0] == "give" and own.get(event[2]) == shape.tokens[event[1]].name:
            gone[shape.tokens[event[1]].name] += event[4]
    return False, gone
