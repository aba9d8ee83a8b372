# fmt: off
# ruff: noqa: F841, FURB136, PIE808, PLR0124, PLR0133, PLW0127, RUF034, RUF059, RUF100, SIM102, SIM113, UP034
"""Kuhn poker, for 2 players.

Three cards and one bet: the smallest poker in which one can bluff. The aim is to win chips.

Made by hoyle 0.1.0 from kuhn_poker.hoyle, edition 1, hash 3eb040489cbbf2cc. Do not edit: change the spec
and compile it again. This module needs the standard library alone. `game` is the game; `python kuhn_poker.py`
plays it in the terminal. A number behind a line of code is the line of the spec that it comes from.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import re
import sys
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import (
    Callable,
    Collection,
    Generator,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from fractions import Fraction
from functools import lru_cache, partial
from hashlib import sha256
from itertools import chain, product
from math import comb, factorial
from operator import itemgetter
from typing import Any, NamedTuple, Protocol, SupportsIndex

# ---- chance: Chance: one integer is the whole random state of a table.

MASK63 = (1 << 63) - 1
MASK64 = (1 << 64) - 1
MULTIPLIER = 3512401965023503517
INCREMENT = 1442695040888963407
PICKS_A_STEP = 4


def scramble(value: int) -> int:
    """Return 64 well-mixed bits for a 64-bit `value` (the finaliser of splitmix64)."""
    value = (value + 0x9E3779B97F4A7C15) & MASK64
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK64
    return value ^ (value >> 31)


def mix(seed: int, *parts: int) -> int:
    """Return a 63-bit seed made of `seed` and `parts`, such as the number of a game; order matters."""
    value = scramble(seed & MASK64)
    for part in parts:
        value = scramble((value + part) & MASK64)
    return value & MASK63


def seeded(seed: int) -> int:
    """Return the first state of chance for any integer `seed`."""
    # `scramble` of the seed, written out: every game begins here.
    value = (((seed & MASK64) ^ 0x686F796C65) + 0x9E3779B97F4A7C15) & MASK64
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK64
    return (value ^ (value >> 31)) & MASK63


def pick(state: int, count: int) -> tuple[int, int]:
    """Return the next state and a number from 0 to `count` - 1."""
    state = (state * MULTIPLIER + INCREMENT) & MASK63
    return state, (state * count) >> 63


@lru_cache(maxsize=256)
def fours(count: int) -> tuple[tuple[int, int, int, int], ...]:
    """Return for so many pieces the steps of a shuffle, four picks each: how many orders, and the last three places."""
    tops = range(count, PICKS_A_STEP, -PICKS_A_STEP)
    return tuple((i * (i - 1) * (i - 2) * (i - 3), i - 1, i - 2, i - 3) for i in tops)


def _orders(count: int) -> tuple[Callable[[list[int]], tuple[int, ...]], ...]:
    """Return all orders of so many things, as what picks them, by the number whose digits are the picks from the end.

    The count of each pick is the base of its place: `count` for the last place, one less for the one before.
    """
    found = []
    for picks in product(*map(range, range(count, 1, -1))):
        order = list(range(count))
        for i, j in zip(range(count - 1, 0, -1), picks, strict=True):
            order[i], order[j] = order[j], order[i]
        found.append(itemgetter(*order))
    return tuple(found)


# For two to four pieces, which are shuffled in one step: how many orders, and what puts them so.
FEW = ((0, ()), (0, ()), *((len(x), x) for x in map(_orders, range(2, PICKS_A_STEP + 1))))


def shuffle(state: int, pieces: list[int]) -> int:
    """Shuffle `pieces` in place, each order equally likely, and return the next state."""
    i = len(pieces)
    for orders, a, b, c in fours(i) if i > PICKS_A_STEP else ():
        # Four picks at once: the digits of one number, the count of each pick being the base of its place.
        state = (state * MULTIPLIER + INCREMENT) & MASK63
        r = (state * orders) >> 63
        fourth = r % c
        r //= c
        third = r % b
        r //= b
        j = r // a
        pieces[a], pieces[j] = pieces[j], pieces[a]
        j = r % a
        pieces[b], pieces[j] = pieces[j], pieces[b]
        pieces[c], pieces[third] = pieces[third], pieces[c]
        i = c - 1
        pieces[i], pieces[fourth] = pieces[fourth], pieces[i]
    if i > 1:
        state = (state * MULTIPLIER + INCREMENT) & MASK63
        orders, ways = FEW[i]
        pieces[:i] = ways[(state * orders) >> 63](pieces)
    return state


# ---- sets: Sets as bit masks: what both back ends call by name.

def members(mask: int) -> list[int]:
    """Return the elements of a set, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def longest_run(mask: int) -> int:
    """Return the length of the longest run of consecutive elements of a set of numbers."""
    length = 0
    while mask:
        mask &= mask << 1
        length += 1
    return length


def mask_of(pieces: Iterable[int]) -> int:
    """Return the set of the pieces of a zone."""
    mask = 0
    for piece in pieces:
        mask |= 1 << piece
    return mask


def may_be_in_set(element: int, mask: int) -> int:
    """Return 1 if the element, which may be none, is in the set, else 0."""
    return mask >> element & 1 if element >= 0 else 0


def range_set(low: int, high: int) -> int:
    """Return the set of the numbers from `low` to `high`; empty if there are none."""
    return (1 << high + 1) - (1 << low) if low <= high else 0


# ---- faults: What can go wrong while a game runs: a move that is not allowed, and a fault of the spec.

NUMBERS = re.compile(r"(?<!line )(?<!\d)-?\d+")  # but for that of the line, which tells faults apart


class IllegalMove(ValueError):
    """A move that the rules do not allow now. The table is unchanged."""


class Fault(RuntimeError):
    """A game that can't go on because of its spec: an empty choice, a broken range, too many steps.

    `line` is the line of the spec, 0 if none; `table` is the table as it stood, in words.
    """

    def __init__(self, message: str, line: int = 0, table: str = "") -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.message = message
        self.line = line
        self.table = table


def sort_of_fault(words: str) -> str:
    """Return what the words of faults have in common that differ only in their numbers."""
    return NUMBERS.sub("#", words)


# ---- move: A move as drivers see it.

class Move(NamedTuple):
    """A legal move: `number` is fixed by game and player count, `call` is as a scenario has it, `text` reads well."""

    number: int
    option: str
    arguments: tuple[str, ...]
    call: str
    text: str
    rule: str

    def __str__(self) -> str:
        return self.text


class Playout(NamedTuple):
    """One game of random choices: `outcome` is finished, stalled or fault.

    `choices` is the sum over decisions of the number of legal moves, `forced` counts the decisions with one.
    """

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: int
    outcome: str
    fault: str
    choices: int
    forced: int


# ---- state: The state of a table: one flat list, the same in every back end.

State = list[Any]

BLOCK = 0  # the block of the flow graph where the game stands
CHANCE = 1  # the state of chance
LOG = 2  # the last event and those before it, as a chain of pairs; None when no log is kept
STEPS = 3  # passes of loops since the last decision
DECISIONS = 4  # decisions made so far
SEAT = 5  # who is to move; -1 when the game is over
WINNER = 6  # who has won whatever the result says; -1 for nobody
PLACE = 7  # the zone of each piece, as an index of the state
HEAD = 8

CHANCE_SEAT = -1  # whose turn it is where chance is explicit and is asked

NONE = -(1 << 62)  # none, in every type: below all that a range can hold
OUT_OF_PLAY = -1
UNKNOWN = NONE - 1  # a piece, in an event as told to one who does not see it
MOST_STEPS = 100_000
EMPTY_LOG: tuple[Any, ...] = ()


# ---- ranks: Unordered choices of several as numbers, in colexicographic order.

def rank_of(places: Sequence[int], with_repeats: bool) -> int:
    """Return the number of an unordered choice among all of its size; with repeats equal places may stand together."""
    number = 0
    for i, place in enumerate(sorted(places)):
        number += comb(place + i, i + 1) if with_repeats else comb(place, i + 1)
    return number


def nth_of_kind(kind_of: Sequence[int], pieces: Sequence[int], kind: int, skip: int) -> int:
    """Return the first piece of a kind after `skip` others of it, in the order given; -1 if there is none."""
    for piece in pieces:
        if kind_of[piece] == kind:
            if skip == 0:
                return piece
            skip -= 1
    return -1


def sets_there(
    kind_of: Sequence[int], pieces: Sequence[int], subsets: Sequence[Sequence[int]], low: int, high: int
) -> list[tuple[int, int]]:
    """Return those of some sets of kinds that pieces can make up: the place of each, and the pieces as a mask.

    A set has `low` to `high` pieces. Of pieces that look alike the first are taken.
    """
    there: dict[int, list[int]] = {}
    for piece in sorted(pieces):
        there.setdefault(kind_of[piece], []).append(piece)
    found = []
    for place, kinds in enumerate(subsets):
        if low <= len(kinds) <= high:
            mask, taken = 0, dict[int, int]()
            for kind in kinds:
                at = taken.get(kind, 0)
                if at >= len(there.get(kind, ())):
                    break
                mask |= 1 << there[kind][at]
                taken[kind] = at + 1
            else:
                found.append((place, mask))
    return found


# ---- asking: What compiled expressions call by name.

class Elements(dict[int, tuple[int, ...]]):
    """The elements of sets of small values, ascending, each worked out when it is first looked up."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        """Return, and keep, the elements of a set."""
        if len(self) >= MOST_SETS:
            self.clear()
        found = self[mask] = tuple(members(mask))
        return found


MOST_SETS = 1 << 14
ELEMENTS = Elements()


def alike(features: Sequence[Hashable]) -> tuple[int, ...]:
    """Return for each kind, as a set, the first kind that has the same features."""
    first: dict[Hashable, int] = {}
    return tuple(1 << first.setdefault(x, kind) for kind, x in enumerate(features))


def kinds_of(kind_of: Sequence[int], pieces: int) -> int:
    """Return the set of the kinds of a set of pieces."""
    mask = 0
    for piece in members(pieces):
        mask |= 1 << kind_of[piece]
    return mask


def kind_or_none(kind_of: Sequence[int], piece: int) -> int:
    """Return the kind of a piece, none for none."""
    return kind_of[piece] if piece >= 0 else NONE


def passes(table: Sequence[bool], kind: int) -> bool:
    """Return whether a kind, which may be none, passes a test of its type."""
    return kind >= 0 and table[kind]


def converted_set(table: Mapping[int, int], mask: int) -> int:
    """Return a set with each element converted; those that have no counterpart fall away."""
    made = 0
    for element in members(mask):
        place = table.get(element, -1)
        if place >= 0:
            made |= 1 << place
    return made


def divided(a: int, b: int, line: int, rest: bool) -> int:
    """Return `a` divided by `b`, rounded down, or what is left over."""
    if b == 0:
        raise Fault("a number is divided by 0", line)
    return a % b if rest else a // b


def fresh(lists: Sequence[Sequence[int]], first: int, many: int, name: str, line: int, low: int = 0) -> int:
    """Return the place, from `low` on, of the first list of a family that holds nothing; a fault if there is none."""
    for place in range(low, low + many):
        if not lists[first + place]:
            return place
    raise Fault(f"there can be no more than {many} of `{name}`", line)


def ends(pieces: Sequence[int], count: int, flags: int, line: int) -> list[int]:
    """Return so many pieces from one end of a list: from its end with flag 1, in the order of a pile with flag 2."""
    if count < 0:
        raise Fault(f"there are never {count} cards", line)
    found = list(pieces[len(pieces) - min(count, len(pieces)) :] if flags & 1 else pieces[:count])
    return found[::-1] if flags & 2 else found


def within(value: int, low: int, high: int, line: int) -> int:
    """Return a number that is in its range; one outside is a fault."""
    if not low <= value <= high:
        raise Fault(f"{value} is outside {low}..{high}", line)
    return value


def numbers_from(low: int, high: int, line: int) -> range:
    """Return the numbers of a range; one of more numbers than a game could look through is a fault."""
    if high - low >= MOST_STEPS:
        raise Fault(f"{low}..{high} is too long a range to go through", line)
    return range(low, high + 1)


def extreme(values: Sequence[int], word: str, line: int) -> int:
    """Return the highest or lowest of some values; none to choose from is a fault."""
    if not values:
        raise Fault(f"there is nothing to take the {word} of", line)
    return max(values) if word == "highest" else min(values)


def superlative(pairs: Sequence[tuple[int, int]], word: str, sole: bool, rivals: str, line: int) -> int:
    """Return the element with the greatest key of (key, element): the earliest, or with `sole` none of several.

    `rivals` are players or teams: a tie between them is a fault.
    """
    if not pairs:
        if sole:
            return NONE
        raise Fault(f"there is nothing to take the {word} of", line)
    top = max(pairs, key=lambda pair: pair[0])
    ties = sum(1 for key, _ in pairs if key == top[0])
    if ties > 1 and sole:
        return NONE
    if ties > 1 and rivals:
        raise Fault(f"{ties} {rivals} tie for the {word}; say `sole {word}` to get none then", line)
    return top[1]


# ---- seats: Players in the order of play, those who are out of the game left out. `out` is a set of seats.

def seats_in(players: int, out: int) -> Sequence[int]:
    """Return the seats of those who are still in, ascending."""
    return [seat for seat in range(players) if not out >> seat & 1] if out else range(players)


def seats_after(seat: int, first: int, players: int, out: int) -> list[int]:
    """Return those still in, in the order of play from a seat on, the seat itself too if `first` is 0."""
    return [x for i in range(first, players) if not out >> (x := (seat + i) % players) & 1]


def next_in(seat: int, step: int, players: int, out: int) -> int:
    """Return the first seat that is still in, going by `step` from one; that seat itself if there is no other."""
    for _ in range(players):
        seat = (seat + step) % players
        if not out >> seat & 1:
            return seat
    return seat


def members_in(team: int, teams: int, players: int, out: int) -> Sequence[int]:
    """Return the seats of a team that are still in, ascending."""
    seats = range(team, players, teams)
    return [seat for seat in seats if not out >> seat & 1] if out else seats


def still_in(seat: int, out: int, line: int) -> int:
    """Return a seat that is to choose; Fault if it is out of the game."""
    if out >> seat & 1:
        raise Fault(f"player {seat + 1} is out of the game and can't choose", line)
    return seat


# ---- shape: What a game consists of, as plain data for one player count: pieces, zones, variables, choices.

# How a value is read: ("number",), ("flag",), ("player",), ("piece",), ("kind",), ("enum", labels), ("set", of what)
# or ("place", how many zones of one name an owner has).
Reading = tuple[Any, ...]


class ZoneShape(NamedTuple):
    """A zone: `first` is the place of its first list in the state, one for each player or team if it has owners.

    With `keeps_top` the top of the zone that refills it stays there. With `many` it is so many lists, of each owner.
    """

    name: str
    first: int
    form: str
    seen: str
    each_player: bool
    refill: int
    keeps_top: bool = False
    each_team: bool = False
    many: int = 0


class VariableShape(NamedTuple):
    """A variable: `place` is its first place in the state, one for each player or team if each has one."""

    name: str
    place: int
    reading: Reading
    each_player: bool
    each_team: bool = False


class TokenShape(NamedTuple):
    """A kind of token: the place of its supply in the state, and the first places of the variables that hold it."""

    name: str
    supply: int
    places: tuple[int, ...]


class OptionShape(NamedTuple):
    """An option: its arguments, its own words and rule text, the line of the spec.

    Of an argument: its name, its reading, and its place among those that share one source. A `part` is one pick of
    several that make a move together.
    """

    name: str
    arguments: tuple[tuple[str, Reading, int], ...]
    label: str
    text: str
    line: int
    part: bool = False


class SecretShape(NamedTuple):
    """What several players choose at once, unseen by each other until all have chosen.

    The asking begins at block `begin` with 0 at place `asked`, which counts who has been asked of those that lie at
    place `choosers`. From place `answer` on lies, for each player, the place of the option counted from 1, or 0;
    `arguments` are the first places and the readings of what the options were chosen with, one for each player too.
    """

    begin: int
    choosers: int
    asked: int
    answer: int
    arguments: tuple[tuple[int, Reading], ...]


class ChoiceShape(NamedTuple):
    """A choice: its rule text, the line of the spec, its options, and the batch of secret choices it is of.

    With `more` it only goes on with a move begun before: the next pick of several. `payment` is what it is a step of.

    `held` are the locals that hold pieces and that what comes after the choice still needs: their first place in the
    state, how many places, and how what is there is read; ("rows", readings) for what a loop has still to go through.
    """

    text: str
    line: int
    options: tuple[OptionShape, ...]
    secret: SecretShape | None = None
    more: bool = False
    held: tuple[tuple[int, int, Reading], ...] = ()
    payment: str = ""


class Shape:
    """The tables over pieces and zones that all back ends share. `most` is the largest player count of the game.

    `wholes` are options as they are told once their moves, hidden until then, are carried out; `picks` is the place
    that counts the decisions that only went on with a move, or -1.
    `teams` is how many teams there are: seat s is in team s modulo that; 0 for none.
    """

    def __init__(
        self,
        name: str,
        players: int,
        most: int,
        faces: Sequence[str],
        deck: Sequence[tuple[int, int, int, int, int]],
        zones: Sequence[ZoneShape],
        variables: Sequence[VariableShape],
        choices: dict[int, ChoiceShape],
        size: int,
        wholes: Sequence[OptionShape] = (),
        picks: int = -1,
        teams: int = 0,
        word: str = "card",
        tokens: Sequence[TokenShape] = (),
    ) -> None:
        self.name = name
        self.piece_word = word
        self.teams = teams
        self.players = players
        self.faces = faces
        self.zones = zones
        self.variables = variables
        self.choices = choices
        self.size = size
        self.wholes = wholes
        self.picks = picks
        self.tokens = tokens
        pieces = [
            (kind, home)
            for kind, copies, home, low, high in deck
            if low <= players <= high
            for _ in range(copies)
        ]
        pieces.sort()
        self.kind_of = [kind for kind, _ in pieces]
        self.home = [home for _, home in pieces]
        self.first_of = [bisect_left(self.kind_of, kind) for kind in range(len(faces))]
        self._sources: dict[int, tuple[OptionShape, list[list[int]]]] = {}  # of the options met, by identity
        self.lists = range(size, size + sum(len(self.indexes(z, most)) for z in zones))
        # The lists as one looks for a piece: what players have is short, and pieces come from there.
        held = {i for z in zones if z.each_player for i in self.indexes(z, most)}
        piles = {i for z in zones if z.form == "pile" for i in self.indexes(z, most)}
        self.hands_first = sorted(self.lists, key=lambda i: (i not in held, i in piles))
        self.is_pool = {i: z.form == "pool" for z in zones for i in self.indexes(z, most)}
        self.is_pile = {i: z.form == "pile" for z in zones for i in self.indexes(z, most)}
        self.refill = {z.first: z.refill for z in zones if z.refill >= 0}
        self.keeps_top = {z.first for z in zones if z.keeps_top}
        self.top_seen = {i for z in zones if z.seen == "top" for i in self.indexes(z, most)}
        self.zone_name = {
            i: (z.name, (i - z.first) // max(1, z.many) if z.each_player else -1)
            for z in zones
            for i in self.indexes(z, most)
        }
        # Of each list of a family: the first list that its owner has.
        self.families = {
            i: i - (i - z.first) % z.many for z in zones if z.many for i in self.indexes(z, most)
        }
        self.of_team = {i for z in zones if z.each_team for i in self.indexes(z, most)}
        self.seen: dict[int, int] = {}
        everyone = (1 << players) - 1
        for zone in zones:
            for index in self.indexes(zone, most):
                owner = (index - zone.first) // max(1, zone.many)
                team = sum(1 << seat for seat in self.side(owner))
                own = team if zone.each_team else 1 << owner
                masks = {"open": everyone, "owner": own, "others": everyone & ~own, "team": team}
                self.seen[index] = masks.get(zone.seen, 0)

    def places(self, variable: VariableShape) -> range:
        """Return the places of a variable in the state, one for each player or team if each has one."""
        owners = self.players if variable.each_player else self.teams if variable.each_team else 1
        return range(variable.place, variable.place + owners)

    def indexes(self, zone: ZoneShape, most: int) -> range:
        """Return the places of a zone's lists in the state."""
        owners = most if zone.each_player else self.teams if zone.each_team else 1
        return range(zone.first, zone.first + owners * max(1, zone.many))

    def begun(self, S: State, zone: ZoneShape, owner: int = 0) -> range:
        """Return the places of the lists of a family that an owner has, to the last one that holds anything."""
        first = zone.first + owner * zone.many
        last = max((i for i in range(zone.many) if S[first + i]), default=-1)
        return range(first, first + last + 1)

    def side(self, seat: int) -> tuple[int, ...]:
        """Return the seats that win with a seat: those of its team, or it alone."""
        return tuple(range(seat % self.teams, self.players, self.teams)) if self.teams else (seat,)

    def copy(self, state: State) -> State:
        """Return a state with the same future, that shares nothing that changes."""
        new = state[: self.size]  # the lists come last
        new[PLACE] = state[PLACE].copy()
        new += map(copied, state[self.size :])
        return new

    def sources(self, option: OptionShape) -> list[list[int]]:
        """Return the places of the arguments of an option, those together that share one source."""
        known = self._sources.get(id(option))
        if known is not None and known[0] is option:
            return known[1]
        found: list[list[int]] = []
        self._sources[id(option)] = option, found
        for place, (_, _, rank) in enumerate(option.arguments):
            if rank == 0:
                found.append([])
            found[-1].append(place)
        return found

    def in_domain_order(self, option: OptionShape, values: Sequence[int]) -> list[int]:
        """Return the places of the arguments, those that share one source in the order of their faces or values.

        Which of them is which may depend on cards that others can't see, so that it must not show.
        """
        order: list[int] = []
        for source in self.sources(option):
            if len(source) == 1:
                order += source
                continue
            pieces = option.arguments[source[0]][1][0] == "piece"
            keyed = [(self.kind_of[v] if pieces and (v := values[i]) >= 0 else values[i], i) for i in source]
            order += [i for _, i in sorted(keyed)]
        return order

    def face(self, piece: int) -> str:
        """Return the face of a piece."""
        return self.faces[self.kind_of[piece]]

    def word(self, reading: Reading, value: int) -> str:
        """Return a value as people read it; pieces by their face."""
        if value == NONE:
            return "none"
        match reading[0]:
            case "flag":
                return "yes" if value else "no"
            case "enum":
                return str(reading[1][value])
            case "player":
                return f"player {value + 1}"
            case "piece":
                return self.face(value)
            case "kind":
                return self.faces[value]
            case "place":
                return str(value % reading[1] + 1)
            case "set" if reading[1][0] == "piece":
                return ", ".join(map(self.face, members(value))) or "nothing"
            case _:
                return str(value)

    def can_be(self, reading: Reading, value: Any) -> bool:
        """Return whether something is a value that is read so, or none."""
        if type(value) is not int:
            return False
        tops = {"flag": 2, "player": self.players, "piece": len(self.kind_of), "kind": len(self.faces)}
        match reading[0]:
            case "number" | "place":
                return True
            case "set":
                return value >= 0
            case "enum":
                return value == NONE or 0 <= value < len(reading[1])
            case form:
                return value == NONE or 0 <= value < tops[form]

    def zone_word(self, index: int) -> str:
        """Return a zone as people call it."""
        name, owner = self.zone_name[index]
        which = ""
        if index in self.families:
            which = f" {index - self.families[index] + 1}"
        if index in self.of_team:
            zone = next(z for z in self.zones if z.name == name)
            return f"team {(index - zone.first) // max(1, zone.many) + 1}'s {name}{which}"
        name += which
        return name if owner < 0 else f"player {owner + 1}'s {name}"

    def token_place(self, token: str, place: int) -> str:
        """Return where tokens lie as people call it: the supply, a player, a place on the table."""
        for variable in self.variables:
            if place in self.places(variable):
                owner = place - variable.place + 1
                where = variable.name.removeprefix(token).removeprefix(" in ")
                if not variable.each_player and not variable.each_team:
                    return where
                whose = f"player {owner}" if variable.each_player else f"team {owner}"
                return f"{whose}'s {where}" if where else whose
        raise AssertionError(place)

    def in_words(self, state: State) -> str:
        """Return the whole table in words, hidden cards too: for the designer, never for a seat."""
        lines = []
        for index in self.lists:
            if self.zone_name[index][1] < self.players:
                faces = ", ".join(self.face(x) for x in state[index])
                lines.append(f"{self.zone_word(index)}: {faces or 'empty'}")
        out = [self.face(x) for x, place in enumerate(state[PLACE]) if place == OUT_OF_PLAY]
        return "\n".join(lines + ([f"out of play: {', '.join(out)}"] if out else []))


copied = list[int].copy


class Beginning:
    """How all games of one setting begin, so that a new state is copied and not worked out."""

    def __init__(self, shape: Shape, start: int, values: Sequence[tuple[int, int]]) -> None:
        first: State = [0] * shape.size
        first[0] = start
        first[LOG] = None
        first[SEAT] = first[WINNER] = -1
        first[PLACE] = list(shape.home)
        for place, value in values:
            first[place] = value
        self.first = first
        self.lists: list[list[int]] = [[] for _ in shape.lists]
        for piece, home in enumerate(shape.home):
            self.lists[home - shape.size].append(piece)

    def state(self, chance: int, log: bool) -> State:
        """Return a state before the first statement, with a log if one is to be kept."""
        state = self.first.copy()
        state[CHANCE] = chance
        if log:
            state[LOG] = EMPTY_LOG
        state[PLACE] = state[PLACE].copy()
        state += map(copied, self.lists)
        return state


# ---- view: What a seat sees: the table now, and what has happened, JSON-ready. No card is shown that the seat can't know.

Event = dict[str, Any]
PLAYERS = (("player",), ("set", ("player",)))  # how variables that hold players are read


class Viewer:
    """Makes views and logs of the states of one shape."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape

    # ---- now ------------------------------------------------------------------------------

    def view(self, S: State, seat: int, outcome: str) -> dict[str, Any]:
        """Return the table as the seat sees it."""
        zones: dict[str, Any] = {}
        for zone in self.shape.zones:
            owners = self.shape.players if zone.each_player else self.shape.teams if zone.each_team else 0
            of_each = [self._owned(S, zone, owner, seat) for owner in range(owners or 1)]
            zones[zone.name] = of_each if owners else of_each[0]
        shown = {
            "game": self.shape.name,
            "players": self.shape.players,
            "seat": seat,
            "turn": S[SEAT] if S[SEAT] >= 0 else None,
            "outcome": outcome,
            "decisions": S[DECISIONS] - (S[self.shape.picks] if self.shape.picks >= 0 else 0),
            "zones": zones,
            "state": self._state(S, seat),
            "seats": [v.name for v in self.shape.variables if v.reading in PLAYERS],
        }
        families = [z.name for z in self.shape.zones if z.many]
        if families:
            shown["families"] = families
        if self.shape.teams:
            shown["teams"] = [list(self.shape.side(team)) for team in range(self.shape.teams)]
            owned = [z.name for z in self.shape.zones if z.each_team]
            shown["by_team"] = owned + [v.name for v in self.shape.variables if v.each_team]
        return shown

    def _owned(self, S: State, zone: ZoneShape, owner: int, seat: int) -> Any:
        """Return the zone of an owner, or those that have begun."""
        if zone.many:
            return [self._zone(S, index, seat) for index in self.shape.begun(S, zone, owner)]
        return self._zone(S, zone.first + owner, seat)

    def _zone(self, S: State, index: int, seat: int) -> dict[str, Any]:
        pieces, shape = S[index], self.shape
        faces: list[str | None] = [None] * len(pieces)
        if index not in shape.top_seen:
            if shape.seen[index] >> seat & 1:
                faces = [shape.faces[shape.kind_of[x]] for x in pieces]
        elif pieces:
            faces[0 if shape.is_pool[index] else -1] = shape.face(pieces[-1])
        if shape.is_pile[index]:
            faces.reverse()
        return {"size": len(pieces), "cards": faces}

    def sees(self, S: State, piece: int, seat: int) -> bool:
        """Return whether the seat sees the face of a piece where it lies."""
        index = S[PLACE][piece]
        if index < 0:
            return False
        if index in self.shape.top_seen:
            return bool(S[index][-1] == piece)
        return bool(self.shape.seen[index] >> seat & 1)

    def _state(self, S: State, seat: int) -> dict[str, Any]:
        shown: dict[str, Any] = {}
        for name, place, reading, each_player, each_team in self.shape.variables:
            if each_player or each_team:
                places = range(place, place + (self.shape.players if each_player else self.shape.teams))
                shown[name] = [self._value(S, reading, S[i], seat) for i in places]
            else:
                shown[name] = self._value(S, reading, S[place], seat)
        return shown

    def _value(self, S: State, reading: Reading, value: int, seat: int) -> Any:
        """Return a value JSON-ready; cards that the seat does not see are None."""
        if value == NONE:
            return "none"
        match reading[0]:
            case "number" | "player":
                return int(value)
            case "flag":
                return bool(value)
            case "piece":
                return self.shape.face(value) if self.sees(S, value, seat) else None
            case "set":
                found = [self._value(S, reading[1], x, seat) for x in members(value)]
                return [x for x in found if x is not None] + [None] * found.count(None)
            case _:
                return self.shape.word(reading, value)

    # ---- what has happened ------------------------------------------------------------------

    def log(self, S: State, seat: int | None) -> list[Event]:
        """Return what has happened as the seat knows it, oldest first; for None as one who sees every card."""
        chain, events = S[LOG], []
        while chain:
            chain, event = chain
            events.append(event)
        events.reverse()
        shown: list[Event] = []
        for place, event in enumerate(events):
            shown += self._event(event, events, place, seat)
        return shown

    def _event(self, event: tuple[Any, ...], events: list[Any], place: int, seat: int | None) -> list[Event]:
        match event:
            case ("choose", who, block, option, arguments, seen, _):
                chosen = self.shape.choices[block].options[option]
                return [self._choice(who, chosen, arguments, seen, events, place, seat)]
            case ("told", who, whole, arguments, seen, _):
                return [self._choice(who, self.shape.wholes[whole], arguments, seen, events, place, seat)]
            case ("answer", _, block, *_) if block < 0:  # as told to another seat
                return []
            case ("answer", who, block, option, arguments):
                return self._answer(who, self.shape.choices[block].options[option], arguments, seat)
            case ("answered", who):
                return [] if seat == who else [self._happened("answer", f"player {who + 1} has chosen", who)]
            case ("show", seats, shown):
                return self._shown(seats, shown, seat)
            case ("best", seats, label, total, pairs):
                return self._best(seats, label, total, pairs, seat)
            case ("move", target, moved):
                return self._moved(target, moved, seat)
            case ("shuffle", zone, _):
                return [self._happened("chance", f"{self.shape.zone_word(zone)} is shuffled")]
            case ("refill", zone, other):
                but = " but its top" if zone in self.shape.keeps_top else ""
                text = f"{self.shape.zone_word(other)}{but} becomes the new {self.shape.zone_word(zone)}"
                return [self._happened("chance", text)]
            case ("gather", zone, _, _):
                return [
                    self._happened(
                        "flow", f"the {self.shape.piece_word}s are gathered into {self.shape.zone_word(zone)}"
                    )
                ]
            case ("drawn", who, piece, _):
                return [self._happened("chance", f"player {who + 1} draws {self.shape.face(piece)}", who)]
            case ("pick", at, name, form, value):
                return self._picked(at, name, form, value)
            case ("give", token, source, target, count, taken):
                return self._given(token, source, target, count, taken)
            case ("trick", who):
                return [self._happened("flow", f"player {who + 1} wins the trick", who)]
            case ("out", who):
                again = any(other == event for other in events[:place])
                return [] if again else [self._happened("flow", f"player {who + 1} is out of the game", who)]
            case ("changes", at, old, new):
                return self._changed(at, old, new)
            case ("over",):
                return [self._happened("flow", "the game is over")]
            case ("top", zone, piece, at):
                return self._uncovered(zone, piece, at, events, place)
            case ("lie" | "back" | "swap" | "lacks" | "paid", *_):
                return []
            case _:
                raise AssertionError(event)

    def _happened(self, kind: str, text: str, seat: int | None = None, rule: str = "") -> Event:
        return {"kind": kind, "seat": seat, "text": text, "rule": rule}

    def _answer(
        self, who: int, chosen: OptionShape, arguments: tuple[int, ...], seat: int | None
    ) -> list[Event]:
        """A move that others are not told of yet: its maker is."""
        if seat is not None and seat != who:
            return []
        words = self.words(chosen, arguments)
        return [self._happened("answer", f"player {who + 1}, unseen: {move_text(chosen, words)}", who)]

    def words(self, option: OptionShape, arguments: Sequence[int]) -> list[str]:
        """Return the arguments of a move as people read them, those of one source in the order of their faces."""
        shape = self.shape
        order = shape.in_domain_order(option, arguments)
        return [shape.word(option.arguments[i][1], arguments[i]) for i in order]

    def _choice(
        self,
        who: int,
        chosen: OptionShape,
        arguments: tuple[Any, ...],
        seen: tuple[Any, ...],
        events: list[Any],
        place: int,
        seat: int | None,
    ) -> Event:
        """A move: arguments are shown to its maker, and to others if they see the card before or behind the move."""
        words: list[str] = []
        group: list[tuple[bool, str]] = []
        unseen = f"a {self.shape.piece_word}"

        def known(piece: int, mask: int) -> bool:
            return piece != UNKNOWN and (
                seat == who or sees(mask, seat) or self.seen_after(piece, events, place, seat)
            )

        for i in self.shape.in_domain_order(chosen, arguments):
            reading, value = chosen.arguments[i][1], arguments[i]
            if reading[0] == "set":
                group.append((False, self._faces(value, seen[i], known)))
            else:
                shown = known(value, seen[i])
                group.append((not shown, self.shape.word(reading, value) if shown else unseen))
        # A masked card stands behind those of its source that are shown: its place would tell how high it is.
        for source in self.shape.sources(chosen):
            if len(source) == 1:
                words.append(group[source[0]][1])
            else:
                words += [word for _, word in sorted([group[i] for i in source], key=lambda pair: pair[0])]
        text = move_text(chosen, words)
        return self._happened("move", f"player {who + 1}: {text}", who, chosen.text)

    def _faces(self, pieces: Sequence[int], seen: tuple[int, ...], known: Callable[[int, int], bool]) -> str:
        """Return the cards of a set in words, behind them how many more there are that are not known."""
        faces = [self.shape.face(x) for x, mask in zip(pieces, seen, strict=True) if known(x, mask)]
        hidden = len(pieces) - len(faces)
        if hidden:
            faces.append(
                f"a {self.shape.piece_word}" if hidden == 1 else f"{hidden} {self.shape.piece_word}s"
            )
        return ", ".join(faces) or "nothing"

    def _shown(
        self, seats: int, shown: tuple[tuple[int, int, int, int], ...], seat: int | None
    ) -> list[Event]:
        """Pieces that are shown where they lie, a line for each zone; who is shown none is told how many."""
        n = self.shape.players
        whom = [f"player {x + 1}" for x in range(n) if seats >> x & 1]
        names = "all" if len(whom) == n else ", ".join(whom) or "nobody"
        made = []
        for source in sorted({source for _, source, _, _ in shown}):
            here = [(x, mask) for x, zone, _, mask in shown if zone == source]
            kinds = [self.shape.kind_of[x] for x, mask in here if x != UNKNOWN and sees(mask, seat)]
            faces = [self.shape.faces[k] for k in sorted(kinds)]
            hidden = len(here) - len(faces)
            cards = [*faces, *self._unseen(hidden)]
            where = self.shape.zone_word(source) if source >= 0 else "out of play"
            made.append(self._happened("flow", f"{', '.join(cards)}: {where}, shown to {names}"))
        return made

    def _best(
        self, seats: int, label: str, total: int, pairs: tuple[tuple[Any, Any], ...], seat: int | None
    ) -> list[Event]:
        """What is best and how it comes about, for those who are shown it; the others are told whom it is shown."""
        if not sees(seats, seat):
            whom = [f"player {x + 1}" for x in range(self.shape.players) if seats >> x & 1]
            return [self._happened("flow", f"{label} is shown to {', '.join(whom) or 'nobody'}")]
        faces = self.shape.faces
        if pairs and isinstance(pairs[0][0], str):  # the melds of a split, and its rest
            ways = "; ".join(f"{name} {', '.join(map(self.shape.face, sorted(x)))}" for name, x in pairs if x)
        else:
            ways = ", ".join(f"{faces[w]} as {faces[f] if f >= 0 else 'nothing'}" for w, f in pairs)
        return [self._happened("flow", f"{label} is {total}{': ' if ways else ''}{ways}")]

    def seen_after(self, piece: int, events: Sequence[Any], place: int, seat: int | None) -> bool:
        """Return whether the piece was seen to move after the choice, before the next choice or mixing of cards."""
        for later in range(place + 1, len(events)):  # the next few alone: a slice would copy the whole log
            event = events[later]
            if event[0] in ("choose", "told", "answer", "gather", "shuffle", "refill"):
                return False
            if event[0] == "move":
                for moved, _, seen, _ in event[2]:
                    if moved == piece:
                        return piece != UNKNOWN and sees(seen, seat)
        return False

    def _moved(
        self, target: int, moved: tuple[tuple[int, int, int, int], ...], seat: int | None
    ) -> list[Event]:
        """Pieces that moved together, a line for each zone they came from."""
        made = []
        for source in sorted({source for _, source, _, _ in moved}):
            here = [(piece, seen) for piece, origin, seen, _ in moved if origin == source]
            if self.shape.is_pool[target]:
                here.sort()
            faces = [self.shape.face(piece) for piece, seen in here if piece != UNKNOWN and sees(seen, seat)]
            hidden = len(here) - len(faces)
            cards = [*faces, *self._unseen(hidden)]
            text = f"{', '.join(cards)}: {self.shape.zone_word(source)} -> {self.shape.zone_word(target)}"
            made.append(self._happened("flow", text))
        return made

    def _uncovered(self, zone: int, piece: int, at: int, events: Sequence[Any], place: int) -> list[Event]:
        """A piece that came to be the top that all see, since those above it went: no move tells which it is."""
        place -= 1
        while place >= 0 and events[place][0] == "top" and events[place][1] != zone:  # noted together with it
            place -= 1
        event = events[place]
        if place < 0 or event[0] != "move" or event[1] == zone:
            return []
        gone = [way for _, source, _, way in event[2] if source == zone]
        top, uncovered = at + len(gone), False
        for way in gone:
            # Where it lay when its turn came; or, for what was drawn from the top, ~ the how manieth it was.
            uncovered |= way in (top, ~0)
            top -= 1
        if not uncovered:
            return []
        return [
            self._happened("flow", f"{self.shape.face(piece)}: now on top of {self.shape.zone_word(zone)}")
        ]

    def _given(self, token: int, source: int, target: int, count: int, taken: int) -> list[Event]:
        """Tokens that went from one place to another; what the target could not take goes to the supply."""
        name, supply, _ = self.shape.tokens[token]
        made = [(taken, target)]
        if source != supply:
            made.append((count - taken, supply))
        return [
            self._happened(
                "flow",
                f"{n} {name}: {self.shape.token_place(name, source)} -> {self.shape.token_place(name, to)}",
            )
            for n, to in made
            if n > 0
        ]

    def _changed(self, at: int, old: int, new: int) -> list[Event]:
        """A variable of a player or team that the result ranks by."""
        for variable in self.shape.variables:
            owner = "player" if variable.each_player else "team" if variable.each_team else ""
            many = {"player": self.shape.players, "team": self.shape.teams}.get(owner, 0)
            if variable.place <= at < variable.place + many:
                words = [self.shape.word(variable.reading, x) if x != NONE else "none" for x in (old, new)]
                whose = f"{owner} {at - variable.place + 1}'s {variable.name}"
                seat = at - variable.place if variable.each_player else None
                return [self._happened("flow", f"{whose} goes from {words[0]} to {words[1]}", seat)]
        return []

    def _unseen(self, count: int) -> list[str]:
        """Return in words how many pieces are not seen; nothing for none."""
        return [f"{count} {self.shape.piece_word}" + ("s" if count > 1 else "")] if count else []

    def _picked(self, at: int, name: str, form: str, value: int) -> list[Event]:
        if form == "piece":
            return [self._happened("chance", f"{name} is picked at random")]
        for variable in self.shape.variables:
            owner = "player" if variable.each_player else "team" if variable.each_team else ""
            many = {"player": self.shape.players, "team": self.shape.teams}.get(owner, 1)
            if variable.place <= at < variable.place + many:
                whose = f"{owner} {at - variable.place + 1}'s {name}" if owner else name
                return [self._happened("chance", f"{whose} is {self.shape.word(variable.reading, value)}")]
        if form not in ("player", "number"):
            return []
        return [self._happened("chance", f"{name} is {self.shape.word((form,), value)}")]


def sees(mask: int, seat: int | None) -> bool:
    """Return whether a seat is among those of a mask; None sees everything."""
    return seat is None or bool(mask >> seat & 1)


def move_text(option: OptionShape, words: Sequence[str]) -> str:
    """Return a move as people read it: the option's own words, or its call form."""
    if option.label:
        text = option.label
        for (name, _, _), word in zip(option.arguments, words, strict=True):
            text = text.replace("{" + name + "}", word)
        return text
    return move_call(option, words)


def move_call(option: OptionShape, words: Sequence[str]) -> str:
    """Return a move as a scenario writes it, without the quotes."""
    return f"{option.name}({', '.join(words)})" if words else option.name


# ---- asked: What an option asks, part by part, and a state in which a seat's hidden cards can't be read.

# Where pieces are remembered: place in the state, how many places, whether each holds a set.
Holding = tuple[int, int, bool]


class SourceShape(NamedTuple):
    """What an argument is chosen from, as the spec has it; for pieces the kinds that fit.

    `veiled` says that it may rest on cards that were hidden when something was worked out from them. `of` are the kinds
    of which a set can be.
    """

    words: str
    kinds: Sequence[int]
    veiled: bool
    holds: tuple[Holding, ...]
    of: Sequence[int] = ()


class ConditionShape(NamedTuple):
    """A condition of an option as the spec has it, and the places of the arguments it speaks of.

    One that is not written as such `says` what it asks for, with rule text of its own.
    """

    words: str
    line: int
    needs: tuple[int, ...]
    veiled: bool
    holds: tuple[Holding, ...]
    says: str = ""
    text: str = ""


class GroupShape(NamedTuple):
    """Arguments that share a source: how many, over how many values, from which on, as how many moves."""

    many: int
    size: int
    low: int
    moves: int


class AskedShape(NamedTuple):
    """All that an option asks, and how its moves are numbered from `first` on."""

    first: int
    groups: tuple[GroupShape, ...]
    sources: tuple[SourceShape, ...]
    conditions: tuple[ConditionShape, ...]

    def values(self, number: int) -> list[int] | None:
        """Return the arguments that a number stands for, pieces by kind; None if it is no move of this option."""
        left = number - self.first
        values: list[int] = []
        place = len(self.sources)
        for group in reversed(self.groups):
            left, part = divmod(left, group.moves)
            place -= group.many
            kinds = self.sources[place].kinds
            places = unranked(part, group.many, bool(kinds))
            if any(x >= group.size for x in places):
                return None
            values = [kinds[x] if kinds else x + group.low for x in places] + values
        return values if left == 0 else None


def unranked(number: int, many: int, with_repeats: bool) -> list[int]:
    """Return the places, ascending, whose number among all unordered choices of so many this is; see `rank_of`."""
    places: list[int] = []
    for i in range(many, 0, -1):
        low, high = i - 1, i
        while comb(high, i) <= number:
            low, high = high, 2 * high
        while low + 1 < high:
            middle = (low + high) // 2
            low, high = (middle, high) if comb(middle, i) <= number else (low, middle)
        number -= comb(low, i)
        places.append(low - (i - 1) if with_repeats else low)
    return places[::-1]


class NotSeen(Exception):
    """Somebody asked about cards that the seat does not see."""


class Veiled:
    """A zone of which a seat knows the size alone, or the top card too."""

    def __init__(self, pieces: list[int], top: bool) -> None:
        self.pieces = pieces
        self.top = top

    def __len__(self) -> int:
        return len(self.pieces)

    def __getitem__(self, place: Any) -> int:
        if self.top and place == -1:
            return self.pieces[-1]
        raise NotSeen


class SeenState(list[Any]):
    """A copy of a state whose zones can be read only as far as a seat sees them."""

    def __init__(self, shape: Shape, S: State, seat: int) -> None:
        super().__init__(S)
        self.shape = shape
        self.seat = seat

    def __getitem__(self, place: SupportsIndex | slice) -> Any:
        value = super().__getitem__(place)
        if (
            isinstance(place, int)
            and place >= self.shape.size
            and not self.shape.seen[place] >> self.seat & 1
        ):
            return Veiled(value, place in self.shape.top_seen)
        return value

    def sees(self, piece: int) -> bool:
        """Return whether the seat sees a piece where it lies."""
        place = self[PLACE][piece]
        if place < 0:
            return False
        there = self[place]
        return not isinstance(there, Veiled) or (there.top and there[-1] == piece)

    def open(self, asked: SourceShape | ConditionShape) -> bool:
        """Return whether nothing that is remembered for it is hidden from the seat."""
        if asked.veiled:
            return False
        held: Iterable[int] = (
            piece
            for place, many, of_set in asked.holds
            for value in self[place : place + many]
            for piece in (members(value) if of_set else [value])
            if value >= 0
        )
        return all(self.sees(piece) for piece in held)


# ---- explicit: Chance made explicit: what would be drawn by lot is asked of whoever holds the table, one card or value at a time.

class ChanceShape(NamedTuple):
    """What explicit chance must know of a program.

    `lazy` are the places of the piles whose order nothing reads but drawing; `apart` says that cards which look alike
    may be told apart by what a back end keeps to itself; `tracked` are the places where pieces are remembered.
    """

    lazy: tuple[int, ...]
    apart: bool
    tracked: tuple[Holding, ...]


class Outcome(NamedTuple):
    """One outcome: its number (of the face, or the value itself), its probability, its words, and what it gives."""

    number: int
    probability: Fraction
    text: str
    value: int


class Undecided(Exception):
    """The rules need an outcome that is not laid down; `outcomes` are those possible, by ascending number."""

    def __init__(self, outcomes: tuple[Outcome, ...]) -> None:
        super().__init__("chance is undecided")
        self.outcomes = outcomes


class Chances:
    """Where chance stands in a state: the piles not settled yet, and outcomes laid down for the run that goes on.

    It changes while rules run. The one of a state that stands is never changed again: a run begins with `fresh`.
    """

    __slots__ = ("_given", "_loose", "_shape", "_used", "facts")

    def __init__(self, shape: Shape, facts: ChanceShape) -> None:
        self._shape = shape
        self.facts = facts
        self._loose: dict[int, frozenset[int]] = {}
        self._given: tuple[int, ...] = ()
        self._used = 0

    def fresh(self, given: Iterable[int]) -> Chances:
        """Return the same for another run, with outcomes laid down by their numbers."""
        new = Chances(self._shape, self.facts)
        new._loose = dict(self._loose)
        new._given = tuple(given)
        return new

    # ---- what the rules call ------------------------------------------------------------------

    def shuffle(self, S: State, zone: int) -> None:
        """Put a zone into random order: when it is drawn from, if nothing reads its order before."""
        self._loose[zone] = frozenset(S[zone])
        if zone not in self.facts.lazy:
            self.settle(S, zone, len(S[zone]))

    def settle(self, S: State, zone: int, count: int) -> None:
        """Settle which pieces lie on top of a shuffled zone, so many of them, from the top down."""
        pile = S[zone]
        for at in range(len(pile) - 1, max(len(pile) - count, 0) - 1, -1):
            loose = self._loose.get(zone, frozenset())
            if pile[at] not in loose:
                continue
            there = sorted(x for x in pile[: at + 1] if x in loose)
            piece = self._piece(S, [(x, ()) for x in there])
            place = pile.index(piece)
            pile[at], pile[place] = pile[place], pile[at]
            self._loose[zone] = loose - {piece}

    def added(self, zone: int, pieces: Iterable[int]) -> None:
        """Note that pieces come to lie on top of a zone: they are where they are."""
        if zone in self._loose:
            self._loose[zone] -= frozenset(pieces)

    def one_of(self, S: State, found: Sequence[int], reading: Reading) -> int:
        """Return one element of a collection."""
        if reading[0] == "piece":
            return self._piece(S, [(x, self._where(S, x)) for x in found])
        if len(found) == 1:  # what is certain is not asked
            return found[0]
        if self._used < len(self._given):
            return self._next()
        words = self._shape.word
        chance = Fraction(1, len(found))
        raise Undecided(tuple(Outcome(x, chance, words(reading, x), x) for x in sorted(found)))

    # ---- outcomes -----------------------------------------------------------------------------

    def _where(self, S: State, piece: int) -> tuple[int, ...]:
        """Return where a piece lies, as far as that matters for equal ones."""
        zone = S[PLACE][piece]
        if zone < 0 or self._shape.is_pool[zone]:
            return (zone,)
        return (zone, S[zone].index(piece))

    def _piece(self, S: State, found: Sequence[tuple[int, tuple[int, ...]]]) -> int:
        """Return one of some pieces, each as likely; those that nothing tells apart are one outcome."""
        classes: dict[tuple[object, ...], list[int]] = {}
        tracks = {} if self.facts.apart else self._tracks(S)
        for piece, where in found:
            mark = (piece,) if self.facts.apart else tuple(tracks.get(piece, ()))
            classes.setdefault((self._shape.kind_of[piece], where, mark), []).append(piece)
        numbers: dict[int, list[int]] = {}
        seen: dict[int, int] = {}
        for pieces in classes.values():
            kind = self._shape.kind_of[pieces[0]]
            numbers[kind + seen.get(kind, 0) * len(self._shape.faces)] = pieces
            seen[kind] = seen.get(kind, 0) + 1
        if len(numbers) == 1:
            return found[0][0]
        if self._used < len(self._given):
            return numbers[self._next()][0]
        raise Undecided(
            tuple(
                Outcome(number, Fraction(len(x), len(found)), self._shape.face(x[0]), x[0])
                for number, x in sorted(numbers.items())
            )
        )

    def _tracks(self, S: State) -> dict[int, list[object]]:
        """Return for each piece that is remembered in variables in which ones."""
        found: dict[int, list[object]] = {}
        for place, many, of_set in self.facts.tracked:
            for at in range(place, place + many):
                value = S[at]
                if isinstance(value, tuple):
                    for i, row in enumerate(value):
                        for piece in set(row):
                            found.setdefault(piece, []).append((at, i))
                elif value >= 0:
                    for piece in members(value) if of_set else (value,):
                        found.setdefault(piece, []).append(at)
        return found

    def _next(self) -> int:
        """Return the number of the next outcome laid down."""
        self._used += 1
        return self._given[self._used - 1]


# ---- why: Why a move is not possible now, in the words of the spec, and only as far as the player to move can know.

MOST_TRIED = 2_000
MOST_SHOWN = 6
# What another condition prevents where a move is looked for: faults, and looking up what is none, which lies nowhere.
PREVENTED = (Fault, RecursionError, LookupError, ValueError)

# What an argument may be, and of which zone or -1; behind the arguments, whether a condition holds.
Ask = Callable[[State, int, tuple[int, ...]], Any]


class Explained(Protocol):
    """What is needed of rules to say what they forbid."""

    shape: Shape

    def asked(self, block: int, option: int) -> AskedShape:
        """Return what an option asks."""

    def ask(self, S: State, block: int, option: int, part: int, values: tuple[int, ...]) -> Any:
        """Return what an argument may be, as zone or -1 and elements; from the number of arguments on, a condition."""


class Reason(NamedTuple):
    """One thing that stands against a move: the option it is about, with its rule text and a line of the spec."""

    option: str
    text: str
    rule: str = ""
    line: int = 0


class Why(NamedTuple):
    """Whether what was asked about is allowed, the legal moves that it means, and what forbids it."""

    move: str
    allowed: bool
    moves: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()

    def __str__(self) -> str:
        if self.allowed:
            more = f" and {len(self.moves) - MOST_SHOWN} more" if len(self.moves) > MOST_SHOWN else ""
            moves = ", ".join(self.moves[:MOST_SHOWN]) + more
            return f"{self.move} is allowed" + ("" if self.moves == (self.move,) else f": {moves}")
        lines, quoted = [f"{self.move} is not allowed:"], ""
        for reason in self.reasons:
            option = f"{reason.option}: " if reason.option else ""
            lines.append(f"  {option}{reason.text}" + (f" (line {reason.line})" if reason.line else ""))
            if reason.rule != quoted:
                lines += [f"    > {line}" for line in reason.rule.splitlines()]
                quoted = reason.rule
        return "\n".join(lines)


@lru_cache(4096)
def plain_words(words: str) -> str:
    """Return words as they are compared: without quotes, spaces at brackets and commas, or capitals."""
    text = " ".join(words.replace('"', "").lower().split())
    for sign in "(),":
        text = text.replace(f" {sign}", sign).replace(f"{sign} ", sign)
    return text.removesuffix("()")


class Named(NamedTuple):
    """What somebody asked about: an option, by block and place, and words for its first arguments."""

    block: int
    place: int
    words: tuple[str, ...]


class Tried(NamedTuple):
    """How near a way to complete a move has come: arguments found, conditions that fail, what to say."""

    found: int
    failing: int
    reasons: tuple[Reason, ...]


class Search:
    """The ways to complete one option with what was named; `given` has words for some of its arguments, by group."""

    def __init__(self, rules: Explained, S: SeenState, named: Named, given: dict[int, list[str]]) -> None:
        self.rules = rules
        self.shape = rules.shape
        self.S = S
        self.block, self.place = named.block, named.place
        self.option = self.shape.choices[self.block].options[self.place]
        self.asked = rules.asked(self.block, self.place)
        self.given = given
        self.heads = [
            place for source in self.shape.sources(self.option) for place in source[:1] * len(source)
        ]
        self.best: Tried | None = None
        self.tried = 0
        self.hidden: dict[str, Reason] = {}

    def reasons(self) -> list[Reason]:
        """Return what forbids the option with what was named; what can't be known comes last."""
        before = [r for c in range(len(self.asked.conditions)) for r in self._fails(c, (), False)]
        if self.option.arguments:
            self._complete(())
        near = list(self.best.reasons) if self.best is not None else []
        return [*before, *near] or list(self.hidden.values())

    def _reason(self, text: str, line: int = 0) -> Reason:
        return Reason(self.option.name, text, self.option.text, line or self.option.line)

    def _fails(self, number: int, values: tuple[int, ...], bound: bool) -> list[Reason]:
        """Return the reason, if any, why a condition fails that speaks of arguments, or of none."""
        condition = self.asked.conditions[number]
        if bool(condition.needs) != bound:
            return []
        try:
            if not self.S.open(condition):
                raise NotSeen
            part = len(self.option.arguments) + number
            if self.rules.ask(self.S, self.block, self.place, part, values):
                return []
        except NotSeen:
            words = f"`{condition.words}`" if condition.words else "what may be played"
            text = f"{words} asks about {self.shape.piece_word}s that you do not see"
            self.hidden[condition.words] = self._reason(text, condition.line)
            return []
        except PREVENTED:
            return []  # a condition before it was there to prevent that
        if condition.says:
            return [Reason(self.option.name, condition.says, condition.text, condition.line)]
        return [self._reason(self._words(condition, values), condition.line)]

    def _words(self, condition: ConditionShape, values: tuple[int, ...]) -> str:
        """Return in words that a condition does not hold, and for what."""
        made = ", ".join(
            f"{self.option.arguments[i][0]} is {self._word(i, values[i])}" for i in condition.needs
        )
        return f"`{condition.words}` does not hold" + (f" when {made}" if made else "")

    def _word(self, i: int, value: int) -> str:
        return self.shape.word(self.option.arguments[i][1], value)

    # ---- arguments --------------------------------------------------------------------------

    def _complete(self, values: tuple[int, ...]) -> None:
        """Try all ways to go on from the arguments found so far."""
        i = len(values)
        if self.tried >= MOST_TRIED or (self.best is not None and self.best[:2] == (len(self.heads), 0)):
            return
        self.tried += 1
        if i == len(self.heads):
            numbers = range(len(self.asked.conditions))
            failing = [r for number in numbers for r in self._fails(number, values, True)]
            self._keep(i, len(failing), failing)
            return
        try:
            if not self.S.open(self.asked.sources[i]):
                raise NotSeen
            zone, elements = self.rules.ask(self.S, self.block, self.place, i, values)
            there = sorted(elements)
        except NotSeen:
            text = f"you do not see all of `{self.asked.sources[i].words}`"
            self.hidden[text] = self._reason(text)
            return
        except PREVENTED:
            return
        if self.option.arguments[i][1][0] == "set":
            self._together(i, zone, there, values)
            return
        wanted = self._wanted(i, values)
        fits = self._fitting(i, there, values)
        fits = [x for x in fits if wanted is None or plain_words(self._word(i, x)) in wanted]
        if not fits:
            self._keep(i, 0, [self._reason(self._absent(i, zone, there, values, wanted))])
        for value in fits:
            self._complete((*values, value))

    def _together(self, i: int, zone: int, there: Sequence[int], values: tuple[int, ...]) -> None:
        """Go on with the pieces named for an argument that takes several, if all of them are there."""
        taken: list[int] = []
        for word in self.given.get(i, ()):
            alike = [x for x in there if plain_words(self.shape.face(x)) == word]
            left = [x for x in alike if x not in taken and self.shape.kind_of[x] in self.asked.sources[i].of]
            if not left:
                self._keep(i, 0, [self._reason(self._not_taken(i, zone, word, alike, taken))])
                return
            taken.append(left[0])
        self._complete((*values, mask_of(taken)))

    def _not_taken(self, i: int, zone: int, word: str, alike: Sequence[int], taken: Sequence[int]) -> str:
        """Return in words why a named piece is none of those that an argument takes together."""
        face = next((f for f in self.shape.faces if plain_words(f) == word), word)
        if not alike:
            return f"{face} {self._not_in(i, zone)}"
        if all(x in taken for x in alike):
            return f"there is no other {face} in {self._from(i, zone)}"
        return f"{face} is no {self.shape.piece_word} for `{self.option.arguments[i][0]}`"

    def _from(self, i: int, zone: int) -> str:
        """Return in words where an argument is chosen from."""
        return f"`{self.asked.sources[i].words}`" if zone < 0 else self._zone(zone)

    def _not_in(self, i: int, zone: int) -> str:
        """Return in words that something is not there; a condition on each of several is not a place."""
        where = self._from(i, zone)
        return f"does not fit {where}" if where.startswith("`every ") else f"is not in {where}"

    def _keep(self, found: int, failing: int, reasons: Sequence[Reason]) -> None:
        best = self.best
        if best is None or (found, -failing) > (best.found, -best.failing):
            self.best = Tried(found, failing, tuple(reasons))

    def _fitting(self, i: int, there: Sequence[int], values: tuple[int, ...]) -> list[int]:
        """Return the elements that the argument may be: of its kinds, and none of those already taken beside it."""
        kinds, taken = self.asked.sources[i].kinds, values[self.heads[i] :]
        kind_of = self.shape.kind_of
        return [x for x in there if x not in taken and (not kinds or kind_of[x] in kinds)]

    def _wanted(self, i: int, values: tuple[int, ...]) -> list[str] | None:
        """Return the words of which the argument must be one; None if it is free."""
        head = self.heads[i]
        left = list(self.given.get(head, ()))
        for at, value in enumerate(values[head:], head):
            word = plain_words(self._word(at, value))
            if word in left:
                left.remove(word)
        return left if left and len(left) >= self.heads.count(head) - (i - head) else None

    def _absent(
        self, i: int, zone: int, there: Sequence[int], values: tuple[int, ...], wanted: Sequence[str] | None
    ) -> str:
        """Return in words that there is nothing for an argument where it is chosen from, or not what was named."""
        name, source = self.option.arguments[i][0], self.asked.sources[i]
        where = self._from(i, zone)
        if wanted is None:
            return f"there is nothing for `{name}` in {where}"
        word = self._as_written(i, wanted[0])
        alike = [x for x in there if plain_words(self._word(i, x)) == wanted[0]]
        if alike and all(x in values[self.heads[i] :] for x in alike):
            return f"there is no other {word} in {where}"
        if alike:
            return f"{word} is no {self.shape.piece_word} for `{name}`"
        if zone >= 0 or source.kinds:
            return f"{word} {self._not_in(i, zone)}"
        words = [self._word(i, x) for x in there]
        return f"{word} is not in {where}: " + (", ".join(words[:30]) or "it is empty")

    def _as_written(self, i: int, wanted: str) -> str:
        """Return a face as it is written, for one without capitals."""
        kinds = self.asked.sources[i].kinds
        return next((f for f in self.shape.faces if kinds and plain_words(f) == wanted), wanted)

    def _zone(self, zone: int) -> str:
        name, owner = self.shape.zone_name[zone]
        return f"your {name}" if owner == self.S.seat else self.shape.zone_word(zone)


# ---- from words to reasons ---------------------------------------------------------------------------


def why(rules: Explained, S: State, move: str | int | Move, legal: Sequence[Move]) -> Why:
    """Return whether a move is allowed and what forbids it; `legal` are the legal moves, none when the game is over."""
    shape = rules.shape
    asked = str(move) if not isinstance(move, Move) else move.call
    if S[SEAT] < 0:
        return Why(asked, False, (), (Reason("", "the game is over"),))
    if isinstance(move, str):
        plain = plain_words(move)
        known = [m for m in legal if plain in (plain_words(m.call), plain_words(m.text))]
        if known:
            return Why(asked, True, tuple(m.call for m in known))
        faces = [f for f in shape.faces if plain_words(f) == plain]
        named = list(_named(shape, plain))
        if faces and not named:
            return _about_face(rules, S, faces[0], legal)
        if not named and plain.lstrip("-").isdecimal():
            move = int(plain)
    if isinstance(move, str):
        return _about_options(rules, S, asked, named, legal)
    number = move if isinstance(move, int) else move.number
    known = [m for m in legal if m.number == number]
    if known:
        return Why(known[0].call, True, (known[0].call,))
    meant = _numbered(rules, number)
    if meant is not None and meant.block == S[BLOCK] and _of_sets(shape, meant):
        option = shape.choices[meant.block].options[meant.place]
        return Why(f"{option.name}, number {number}", False, (), (_no_such_set(option),))
    if meant is None:
        return Why(asked, False, (), (Reason("", f"no move of this game has the number {number}"),))
    option = shape.choices[meant.block].options[meant.place]
    asked = f"{option.name}({', '.join(meant.words)})" if meant.words else option.name
    return _about_options(rules, S, asked, [meant], legal)


def _numbered(rules: Explained, number: int) -> Named | None:
    """Return the move that has a number, whatever the choice."""
    for block, choice in rules.shape.choices.items():
        for place, option in enumerate(choice.options):
            values = rules.asked(block, place).values(number)
            if values is not None:
                readings = [reading for _, reading, _ in option.arguments]
                if any(r[0] == "set" for r in readings):
                    return Named(block, place, ())
                faces = [("kind",) if r[0] == "piece" else r for r in readings]
                words = [rules.shape.word(r, v) for r, v in zip(faces, values, strict=True)]
                return Named(block, place, tuple(words))
    return None


def _of_sets(shape: Shape, meant: Named) -> bool:
    """Return whether a move takes several cards as one argument."""
    option = shape.choices[meant.block].options[meant.place]
    return any(reading[0] == "set" for _, reading, _ in option.arguments)


def _no_such_set(option: OptionShape) -> Reason:
    return Reason(option.name, "just these cards are not possible now", option.text, option.line)


def _named(shape: Shape, plain: str) -> Iterator[Named]:
    """Yield the options of all choices that a call, or an option's own words, may mean."""
    name, bracket, rest = plain.partition("(")
    words = tuple(w for w in rest.removesuffix(")").split(",") if w) if bracket else ()
    for block, choice in shape.choices.items():
        for place, option in enumerate(choice.options):
            if option.name.lower() == name:
                yield Named(block, place, words)
            elif option.label:
                pattern = re.escape(plain_words(option.label))
                for at, (argument, _, _) in enumerate(
                    option.arguments
                ):  # by number: a name may have a space in it
                    pattern = pattern.replace(re.escape(f"{{{argument.lower()}}}"), f"(?P<_{at}>.+?)", 1)
                if match := re.fullmatch(pattern, plain):
                    groups = [match.groupdict().get(f"_{at}") for at in range(len(option.arguments))]
                    words = tuple(w for g in groups if g is not None for w in g.split(","))
                    yield Named(block, place, words)


def _about_options(
    rules: Explained, S: State, asked: str, named: Sequence[Named], legal: Sequence[Move]
) -> Why:
    """Return what forbids a call, which may leave arguments out from the right."""
    shape = rules.shape
    here = [n for n in named if n.block == S[BLOCK]]
    now = [o.name for o in shape.choices[S[BLOCK]].options]
    if not named:
        near = difflib.get_close_matches(plain_words(asked), [*now, *shape.faces], n=1)
        hint = f"; did you mean {near[0]}?" if near else f"; the choice is among {', '.join(now)}"
        return Why(asked, False, (), (Reason("", f"there is no such move{hint}"),))
    if not here:
        option = shape.choices[named[0].block].options[named[0].place]
        text = f"it is not the choice now, which is among {', '.join(now)}"
        return Why(asked, False, (), (Reason(option.name, text, option.text, option.line),))
    reasons: list[Reason] = []
    for meant in here:
        option = shape.choices[meant.block].options[meant.place]
        if option.part and len(meant.words) > 1:
            reasons += _about_picks(rules, S, meant, legal)
            continue
        given = _given(shape, option, meant.words)
        if given is None:
            names = ", ".join(name for name, _, _ in option.arguments) or "nothing"
            reasons.append(Reason(option.name, f"it takes {names}", option.text, option.line))
            continue
        alone = not _of_sets(shape, meant) or not meant.words
        moves = [
            m.call for m in legal if alone and m.option == option.name and _begins(shape, option, m, given)
        ]
        if moves:
            return Why(asked, True, tuple(moves))
        reasons += Search(rules, SeenState(shape, S, S[SEAT]), meant, given).reasons()
    if not reasons:
        reasons.append(Reason(option.name, "nothing fits together", option.text, option.line))
    return Why(asked, False, (), tuple(dict.fromkeys(reasons)))


def _by_group(shape: Shape, option: OptionShape, words: dict[int, str]) -> dict[int, list[str]]:
    """Return words for arguments as the words for each group, by the place of its first argument."""
    groups = shape.sources(option)
    return {g[0]: [plain_words(words[i]) for i in g if i in words] for g in groups if set(g) & set(words)}


def _given(shape: Shape, option: OptionShape, words: Sequence[str]) -> dict[int, list[str]] | None:
    """Return words for arguments by group; all that others leave are for one that takes several. None for too many."""
    several = [i for i, (_, reading, _) in enumerate(option.arguments) if reading[0] == "set"]
    if not several:
        return (
            None if len(words) > len(option.arguments) else _by_group(shape, option, dict(enumerate(words)))
        )
    at = several[0]
    behind = max(0, min(len(option.arguments) - at - 1, len(words) - at - 1))
    faces = set(map(plain_words, shape.faces))
    while behind and plain_words(words[-behind]) in faces:
        behind -= 1
    mine = [plain_words(w) for w in words[at : len(words) - behind]]
    rest = dict(enumerate(words[:at])) | dict(enumerate(words[len(words) - behind :], at + 1))
    return _by_group(shape, option, rest) | ({at: [w for w in mine if w != "nothing"]} if mine else {})


def _about_picks(rules: Explained, S: State, meant: Named, legal: Sequence[Move]) -> list[Reason]:
    """Return what forbids pieces that were named together and are picked one by one."""
    option = rules.shape.choices[meant.block].options[meant.place]
    reasons: list[Reason] = []
    for word in meant.words:
        if not any(
            m.option == option.name and plain_words(word) in map(plain_words, m.arguments) for m in legal
        ):
            given = {0: [plain_words(word)]}
            reasons += Search(rules, SeenState(rules.shape, S, S[SEAT]), meant, given).reasons()
    if reasons:
        return reasons
    text = f"its {rules.shape.piece_word}s are chosen one at a time, beginning with {option.name}({meant.words[0]})"
    return [Reason(option.name, text, option.text, option.line)]


def _begins(shape: Shape, option: OptionShape, move: Move, given: dict[int, list[str]]) -> bool:
    """Return whether a legal move has the arguments that were named, in whatever order within a group."""
    for source in shape.sources(option):
        there = [plain_words(move.arguments[i]) for i in source]
        for word in given.get(source[0], ()):
            if word not in there:
                return False
            there.remove(word)
    return True


def _about_face(rules: Explained, S: State, face: str, legal: Sequence[Move]) -> Why:
    """Return what forbids every option that could take a card of a face."""
    shape, block = rules.shape, S[BLOCK]
    plain, kind = plain_words(face), shape.faces.index(face)
    moves = [m.call for m in legal if any(plain in plain_words(a).split(",") for a in m.arguments)]
    if moves:
        return Why(face, True, tuple(moves))
    found: list[Reason] = []
    absent: list[Reason] = []
    for place, option in enumerate(shape.choices[block].options):
        for source in shape.sources(option):
            if kind not in rules.asked(block, place).sources[source[0]].kinds:
                continue
            search = Search(
                rules, SeenState(shape, S, S[SEAT]), Named(block, place, ()), {source[0]: [plain]}
            )
            reasons = search.reasons()
            if search.best is not None and search.best.found <= source[-1]:
                absent += [Reason("", r.text, "", r.line) for r in search.best.reasons]
            else:
                found += reasons
    if not found and not absent:
        names = ", ".join(o.name for o in shape.choices[block].options)
        absent.append(
            Reason("", f"no {shape.piece_word} like it can be chosen now; the choice is among {names}")
        )
    first: dict[str, Reason] = {}
    for reason in found or absent:
        first.setdefault(f"{reason.option}: {reason.text}", reason)
    return Why(face, False, (), tuple(first.values()))


# ---- watching: What is watched while a game runs: ranges of variables, numbers of cards, loops without end.

def watched(value: int, low: int, high: int, name: str, line: int) -> int:
    """Return a value that is in its range; one outside is a fault."""
    if not low <= value <= high:
        raise outside(value, low, high, name, line)
    return value


def counted(amount: int, line: int, word: str) -> int:
    """Return a number of cards, which can't be negative."""
    if amount < 0:
        raise Fault(f"one can't {word} {amount} cards", line)
    return amount


def counted_tokens(amount: int, token: str, line: int) -> int:
    """Return a number of tokens, which can't be negative."""
    if amount < 0:
        raise Fault(f"one can't give {amount} {token}", line)
    return amount


def outside(value: int, low: int, high: int, name: str, line: int) -> Fault:
    """Return the fault of a value outside its range."""
    return Fault(f"`{name}` would become {value}, outside {low}..{high}", line)


def endless(line: int) -> Fault:
    """Return the fault of a loop that comes to no decision."""
    return Fault(f"this went round {MOST_STEPS} times without a decision", line)


def counted_pass(S: State, line: int) -> None:
    """Count a pass of a loop; too many since the last decision are a fault."""
    S[STEPS] += 1
    if S[STEPS] > MOST_STEPS:
        raise endless(line)


# ---- pieces: Moving pieces: the operations that alone touch the zones, so that no piece is ever lost or copied.

NOWHERE = (-1, -1)
MANY = 1 << 40  # more tokens than there can be


class Pieces:
    """The moving operations over the states of one shape."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape

    def seen_moving(self, source: int, target: int, on_top: bool) -> int:
        """Return the seats, as a mask, that see a piece go from one zone to another."""
        shape = self.shape
        if target in shape.top_seen or (on_top and source in shape.top_seen):
            return (1 << shape.players) - 1
        return shape.seen[target] | shape.seen[source]

    def seen_now(self, S: State, piece: int) -> int:
        """Return the seats, as a mask, that see the face of a piece where it lies."""
        place = S[PLACE][piece]
        if place < 0:
            return 0
        if place in self.shape.top_seen:
            return (1 << self.shape.players) - 1 if S[place][-1] == piece else 0
        return self.shape.seen[place]

    def choosing(self, S: State, option: int, arguments: Sequence[int]) -> None:
        """Log a choice: who, which option, with what, and who sees each piece where it lies.

        One that is secret, or a part of a move only, is logged as known to its maker alone.
        """
        if S[LOG] is not None:
            choice = self.shape.choices[S[BLOCK]]
            chosen = choice.options[option]
            made = (S[SEAT], S[BLOCK], option)
            if chosen.part or choice.secret is not None:
                S[LOG] = (S[LOG], ("answer", *made, tuple(arguments)))
            else:
                told = (self._logged(chosen, arguments), *self._seen(S, chosen, arguments))
                S[LOG] = (S[LOG], ("choose", *made, *told))

    def _logged(self, option: OptionShape, arguments: Sequence[int]) -> tuple[Any, ...]:
        """Return arguments as a log has them: a set of pieces as the pieces."""
        return tuple(
            tuple(members(value)) if reading[0] == "set" else value
            for (_, reading, _), value in zip(option.arguments, arguments, strict=True)
        )

    def _seen(
        self, S: State, option: OptionShape, arguments: Sequence[int]
    ) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return for each argument who sees the piece, as a mask, and where it lies; of a set for each piece."""
        seen: list[Any] = []
        spots: list[Any] = []
        for (_, reading, _), value in zip(option.arguments, arguments, strict=True):
            if reading[0] == "piece":
                seen.append(self.seen_now(S, value))
                spots.append(self._spot(S, value))
            elif reading[0] == "set":
                pieces = members(value)
                seen.append(tuple([self.seen_now(S, x) for x in pieces]))
                spots.append(tuple([self._spot(S, x) for x in pieces]))
            else:
                seen.append(-1)
                spots.append(NOWHERE)
        return tuple(seen), tuple(spots)

    def _spot(self, S: State, piece: int) -> tuple[int, int]:
        """Return the zone of a piece, and its place there; a pool has no places."""
        zone = S[PLACE][piece]
        if zone < 0:
            return NOWHERE
        return zone, -1 if self.shape.is_pool[zone] else S[zone].index(piece)

    def tell(self, S: State, seat: int, whole: int, arguments: Sequence[int]) -> None:
        """Log a choice that was hidden while it was made, or for -1 that a seat has chosen."""
        if S[LOG] is None:
            return
        if whole < 0:
            S[LOG] = (S[LOG], ("answered", seat))
            return
        option = self.shape.wholes[whole]
        told = (seat, whole, self._logged(option, arguments), *self._seen(S, option, arguments))
        S[LOG] = (S[LOG], ("told", *told))

    def note(self, S: State, word: str, seat: int) -> None:
        """Log for all that something has happened to a player."""
        if S[LOG] is not None:
            S[LOG] = (S[LOG], (word, seat))

    def changes(self, S: State, place: int, value: int) -> None:
        """Log for all that a variable is about to change, unless it stays as it is."""
        if S[place] != value:
            S[LOG] = (S[LOG], ("changes", place, S[place], value))

    def show(self, S: State, pieces: Sequence[int], seats: int) -> None:
        """Show pieces to the seats of a mask: they see them in their logs; where the pieces lie nothing changes."""
        if pieces and S[LOG] is not None:
            shown = tuple([(x, *self._spot(S, x), self.seen_now(S, x) | seats) for x in pieces])
            S[LOG] = (S[LOG], ("show", seats, shown))

    def show_best(
        self,
        S: State,
        seats: int,
        name: str,
        readings: Sequence[Reading],
        arguments: Sequence[int],
        total: int,
        witness: Sequence[Sequence[Any]] | None,
    ) -> None:
        """Log the best way of a definition for the seats of a mask; there is a `witness` where a log is kept."""
        if witness is None:
            return
        words = [self.shape.word(r, value) for r, value in zip(readings, arguments, strict=True)]
        label = f"{name}({', '.join(words)})" if words else name
        told = tuple([tuple(x) for x in witness])
        S[LOG] = (S[LOG], ("best", seats, label, total, told))

    def give(self, S: State, token: int, count: int, source: int, target: int, most: int = MANY) -> None:
        """Move tokens from one place of the state to another, as many as there are.

        Above `most` the target takes none: they stay in the supply, or go there.
        """
        count = min(count, S[source])
        if source != target and count > 0:
            supply = self.shape.tokens[token].supply
            taken = max(0, min(count, most - S[target]))
            S[source] -= count
            S[target] += taken
            S[supply] += count - taken
            if S[LOG] is not None:
                S[LOG] = (S[LOG], ("give", token, source, target, count, taken))

    def put(self, S: State, pieces: Sequence[int], target: int) -> None:
        """Take pieces from wherever they lie and add them to a zone, in order."""
        if S[LOG] is not None:
            self.log_put(S, pieces, target)
        if type(S[CHANCE]) is not int:
            S[CHANCE].added(target, pieces)
        places, zone = S[PLACE], S[target]
        pool = self.shape.is_pool[target]
        for piece in pieces:
            source = places[piece]
            if source >= 0:
                try:
                    S[source].remove(piece)
                except ValueError:
                    self.pull(S, piece)
            places[piece] = target
            if pool:
                insort(zone, piece)
            else:
                zone.append(piece)
        if S[LOG] is not None:
            self.log_tops(S)

    def pull(self, S: State, piece: int) -> None:
        """Take a piece out of the zone it lies in, wherever that is.

        Its place in the state is but where to look first: the function of all rules of a module keeps no places.
        """
        source = S[PLACE][piece]
        if source >= 0:
            if piece not in S[source]:
                source = next(index for index in self.shape.hands_first if piece in S[index])
            S[source].remove(piece)

    def bring(self, S: State, pieces: Sequence[int], target: int, near: list[int] | None = None) -> None:
        """Do as `put` does, by looking where the pieces lie, first in the zone `near`.

        It is for the function of all rules, which keeps no places and no log.
        """
        zone, pool = S[target], self.shape.is_pool[target]
        source = [] if near is None else near
        together = near is not None and len(pieces) > 1  # then they lie there, as good as always
        for piece in pieces:
            lost = False
            if together:
                try:
                    source.remove(piece)
                except ValueError:
                    together, lost = False, True
            elif piece in source:  # pieces that move together mostly lie together
                source.remove(piece)
            else:
                lost = True
            if lost:
                for index in self.shape.hands_first:
                    if piece in S[index]:
                        source = S[index]
                        source.remove(piece)
                        break
            if pool:
                insort(zone, piece)
            else:
                zone.append(piece)

    def note_places(self, S: State) -> None:
        """Note of each piece where it lies."""
        places = S[PLACE]
        for index in self.shape.lists:
            for piece in S[index]:
                places[piece] = index

    def log_tops(self, S: State) -> None:
        """Log the top cards that all see where the tops of piles are seen."""
        for zone in sorted(self.shape.top_seen):
            if S[zone]:
                S[LOG] = (S[LOG], ("top", zone, S[zone][-1], len(S[zone]) - 1))

    def log_put(self, S: State, pieces: Sequence[int], target: int) -> None:
        """Log pieces about to be put somewhere; one is on top if those before it lay above it."""
        gone: set[int] = set()
        events = []
        for piece in pieces:
            source = S[PLACE][piece]
            if source >= 0 and piece not in gone:
                left = [x for x in S[source] if x not in gone]
                seen = self.seen_moving(source, target, left[-1] == piece)
                events.append((piece, source, seen, left.index(piece)))
            gone.add(piece)
        if events:
            S[LOG] = (S[LOG], ("move", target, tuple(events)))

    def draw(self, S: State, source: int, count: int) -> list[int]:
        """Take pieces from the top of a pile, refilling it when it runs out; as many as there are."""
        pile: list[int] = S[source]
        if type(S[CHANCE]) is not int:
            S[CHANCE].settle(S, source, count)
        if count <= len(pile):
            if count <= 0:
                return []
            drawn = pile[: -count - 1 : -1]
            del pile[-count:]
            return drawn
        drawn = pile[::-1]
        pile.clear()
        other = self.shape.refill.get(source, -1)
        if other >= 0 and len(S[other]) > (source in self.shape.keeps_top):
            self.renew(S, source, other)
            if type(S[CHANCE]) is not int:
                S[CHANCE].settle(S, source, count - len(drawn))
            more = pile[: -(count - len(drawn)) - 1 : -1]
            del pile[len(pile) - len(more) :]
            drawn += more
        return drawn

    def renew(self, S: State, pile: int, other: int) -> None:
        """Make the pieces of another zone, perhaps all but its top, the new pile, shuffled."""
        places = S[PLACE]
        left = S[other][-1:] if pile in self.shape.keeps_top else []
        moved = S[other][: len(S[other]) - len(left)]
        for piece in moved:
            places[piece] = pile
        S[pile] += moved
        S[other][:] = left
        if S[LOG] is not None:
            S[LOG] = (S[LOG], ("refill", pile, other))
        self.shuffle(S, pile)

    def land(
        self, S: State, drawn: Sequence[int], source: int, target: int, first: int = 0, step: int = 1
    ) -> None:
        """Add drawn pieces to a zone; they are each `step`-th from the `first` of those that were drawn."""
        if type(S[CHANCE]) is not int:
            S[CHANCE].added(target, drawn)
        places, zone = S[PLACE], S[target]
        for piece in drawn:
            places[piece] = target
        zone += drawn
        if self.shape.is_pool[target]:
            zone.sort()
        if drawn and S[LOG] is not None:
            seen = self.seen_moving(source, target, True)
            moved = [(piece, source, seen, ~(first + i * step)) for i, piece in enumerate(drawn)]
            S[LOG] = (S[LOG], ("move", target, tuple(moved)))
            self.log_tops(S)

    def move_all(self, S: State, source: int, target: int) -> list[int]:
        """Move a whole zone as a block, its order kept; return what it held."""
        if S[LOG] is None and type(S[CHANCE]) is int and source != target:
            # A zone is the same list throughout a game: modules keep hold of it.
            moved: list[int] = S[source][:]
            places = S[PLACE]
            for piece in moved:
                places[piece] = target
            S[source].clear()
            S[target] += moved
            if self.shape.is_pool[target]:
                S[target].sort()
            return moved
        if type(S[CHANCE]) is not int and source != target:
            if not self.shape.is_pool[target]:
                S[CHANCE].settle(S, source, len(S[source]))
            S[CHANCE].added(target, S[source])
        pieces: list[int] = S[source][:]
        if source != target and pieces:
            if S[LOG] is not None:
                self.log_put(S, pieces, target)
            S[source].clear()
            places, zone = S[PLACE], S[target]
            for piece in pieces:
                places[piece] = target
            zone += pieces
            if self.shape.is_pool[target]:
                zone.sort()
            if S[LOG] is not None:
                self.log_tops(S)
        return pieces

    def deal(self, S: State, count: int, source: int, zone: int, out: int = 0, first: int = 0) -> None:
        """Deal to the zones of all players not `out`, one at a time from seat `first` on; `zone` is that of seat 0."""
        players, pile = self.shape.players, S[source]
        if S[LOG] is None and type(S[CHANCE]) is int and not out and 0 < count * players <= len(pile):
            drawn = pile[: -count * players - 1 : -1]
            del pile[-count * players :]
            places, pool = S[PLACE], self.shape.is_pool[zone]
            for place in range(players):
                target = zone + (first + place) % players
                there, dealt = S[target], drawn[place::players]
                there += dealt
                if pool:
                    there.sort()
                for piece in dealt:
                    places[piece] = target
            return
        seats = seats_after(first, 0, players, out)
        drawn = self.draw(S, source, count * len(seats))
        for place, seat in enumerate(seats):
            self.land(S, drawn[place :: len(seats)], source, zone + seat, place, len(seats))

    def fill(self, S: State, target: int, count: int, source: int) -> None:
        """Draw until a zone holds `count` pieces."""
        missing, pile, zone = count - len(S[target]), S[source], S[target]
        if missing <= 0:
            return
        if missing > len(pile) or S[LOG] is not None or type(S[CHANCE]) is not int:
            self.land(S, self.draw(S, source, missing), source, target)
            return
        places = S[PLACE]
        for piece in pile[: -missing - 1 : -1]:
            places[piece] = target
            zone.append(piece)
        del pile[-missing:]
        if self.shape.is_pool[target]:
            zone.sort()

    def swap(self, S: State, a: int, b: int) -> None:
        """Exchange all pieces of two zones."""
        if a != b:
            ours, theirs = S[a][:], S[b][:]
            if S[LOG] is not None:
                S[LOG] = (S[LOG], ("swap", a, b))
            self.put(S, ours, b)
            while (log := S[LOG]) is not None and log[1][0] == "top":  # half way nothing lies as it will
                S[LOG] = log[0]
            self.put(S, theirs, a)

    def gather(self, S: State, target: int, fits: Sequence[bool] | None, shuffled: bool) -> None:
        """Bring every piece in play, or those that fit, into a zone."""
        places = S[PLACE]
        if S[LOG] is not None:
            here = {x for x, at in enumerate(places) if 0 <= at != target and (fits is None or fits[x])}
            self._log_gather(S, target, fits, here)
        zones = S[self.shape.size :]  # the lists come last
        if fits is None and sum(map(len, zones)) == len(places):
            there = S[target]
            del zones[target - self.shape.size]
            coming = sorted(chain.from_iterable(zones)) if there else list(range(len(places)))
            for zone in zones:
                zone.clear()
            places[:] = [target] * len(places)
        else:
            coming = self._gather_some(S, target, fits)
        S[target] += coming
        if type(S[CHANCE]) is not int:
            S[CHANCE].added(target, coming)
        if self.shape.is_pool[target]:
            S[target].sort()
        if shuffled:
            self.shuffle(S, target)
        elif S[LOG] is not None:
            self.log_tops(S)

    def _log_gather(self, S: State, target: int, fits: Sequence[bool] | None, going: set[int]) -> None:
        """Log pieces about to be gathered: of which kinds, all if None, and from which places of each zone."""
        left = tuple(
            (zone, tuple([at for at, piece in enumerate(S[zone]) if piece in going]))
            for zone in self.shape.lists
            if zone != target and S[zone]
        )
        S[LOG] = (S[LOG], ("gather", target, self.kinds(fits), left))

    def kinds(self, fits: Sequence[bool] | None) -> tuple[int, ...] | None:
        """Return the kinds of which every piece fits; None for all kinds."""
        if fits is None:
            return None
        kind_of = self.shape.kind_of
        some = {kind for kind, fit in zip(kind_of, fits, strict=True) if fit}
        return tuple(sorted(some - {kind for kind, fit in zip(kind_of, fits, strict=True) if not fit}))

    def lacks(self, S: State, zone: int, fits: Sequence[bool]) -> None:
        """Let all know that none of some pieces lies in a zone; it must be so."""
        if S[LOG] is not None:
            S[LOG] = (S[LOG], ("lacks", zone, self.kinds(fits)))

    def _gather_some(self, S: State, target: int, fits: Sequence[bool] | None) -> list[int]:
        """Take the pieces in play that fit from where they lie; return them."""
        places = S[PLACE]
        others = [S[index] for index in self.shape.lists if index != target]
        coming = sorted([x for zone in others for x in zone if fits is None or fits[x]])
        going = set(coming)
        for index in self.shape.lists:
            if index != target and S[index]:
                S[index][:] = [x for x in S[index] if x not in going]
        for piece in coming:
            places[piece] = target
        return coming

    def learn(
        self,
        S: State,
        piece: int,
        zone: int,
        fits: Sequence[bool],
        tests: Sequence[Callable[[State, int], Any]],
    ) -> None:
        """Note what all have seen: a piece was taken, so none that an earlier test would have let through is there.

        `fits` says of each piece whether the tests can be asked about it.
        """
        missed = [False] * len(fits)
        for test in tests:
            if test(S, piece):
                break
            missed = [missed[x] or bool(fit and test(S, x)) for x, fit in enumerate(fits)]
        if any(missed):
            self.lacks(S, zone, missed)

    def shuffle(self, S: State, zone: int) -> None:
        """Put the pieces of a zone into random order."""
        if type(S[CHANCE]) is int:
            S[CHANCE] = shuffle(S[CHANCE], S[zone])
        else:
            S[CHANCE].shuffle(S, zone)
        if S[LOG] is not None:
            S[LOG] = (S[LOG], ("shuffle", zone, tuple(S[zone])))

    def drawn_for(self, S: State, pile: int, key: Callable[[int], int], line: int, out: int = 0) -> int:
        """Let each player not `out` draw from a pile; return who has the card with the greatest key.

        Those who tie draw again.
        """
        seats, drawn = list(seats_in(self.shape.players, out)), list[int]()
        if not seats:
            raise Fault(f"nobody is left to draw a {self.shape.piece_word}", line)
        while len(seats) > 1 or not drawn:
            counted_pass(S, line)
            keys = [key(self._one(S, pile, seat, drawn, line)) for seat in seats]
            seats = [seat for seat, k in zip(seats, keys, strict=True) if k == max(keys)]
        self.give_back(S, pile, drawn)
        return seats[0]

    def _one(self, S: State, pile: int, seat: int, out: list[int], line: int) -> int:
        drawn = self.draw(S, pile, 1)
        if not drawn:
            self.give_back(S, pile, out)
            drawn = self.draw(S, pile, 1)
            if not drawn:
                raise Fault(f"there is no {self.shape.piece_word} to draw", line)
        out += drawn
        if S[LOG] is not None:
            S[LOG] = (S[LOG], ("drawn", seat, drawn[0], pile))
        return drawn[0]

    def give_back(self, S: State, pile: int, out: list[int]) -> None:
        """Put drawn cards back into a pile and shuffle it."""
        S[pile] += out
        out.clear()
        if S[LOG] is not None:
            S[LOG] = (S[LOG], ("back", pile))
        self.shuffle(S, pile)


# ---- picking: Picking at random, in the state and in the log.

def picked(
    S: State, run: Iterable[int], reading: Reading, line: int, low: int | None, high: int | None
) -> int:
    """Return one element of a collection, each equally likely; nothing to pick from, or a broken range, is a fault."""
    found = list(run)
    if not found:
        raise Fault("there is nothing to pick from", line)
    if reading[0] == "piece":
        found.sort()
    if type(S[CHANCE]) is int:
        S[CHANCE], which = pick(S[CHANCE], len(found))
        value = found[which]
    else:
        value = S[CHANCE].one_of(S, found, reading)
    if low is not None and high is not None and not low <= value <= high:
        raise Fault(f"{value} is picked, outside {low}..{high}", line)
    return value


def log_value(S: State, name: str, form: str, value: int) -> None:
    """Log what was picked for a name that is kept nowhere."""
    if S[LOG] is not None:
        S[LOG] = (S[LOG], ("pick", -1, name, form, value))


def log_pick(S: State, place: int, name: str, form: str) -> None:
    """Log what was picked for a name; `place` is where it lies in the state, `form` what kind of value it is."""
    if S[LOG] is not None:
        S[LOG] = (S[LOG], ("pick", place, name, form, S[place]))


# ---- counts: Counts in rising order of what they count: cards of each kind, cards of a class in each cell.

Cards = tuple[tuple[int, int], ...]  # (kind, how many), ascending
Row = tuple[tuple[int, int], ...]  # (cell, how many), ascending


def counts_of(kinds: Collection[int]) -> dict[int, int]:
    """Return how many there are of each kind."""
    found: dict[int, int] = {}
    for kind in kinds:
        found[kind] = found.get(kind, 0) + 1
    return found


def changed_by(pairs: tuple[tuple[int, int], ...], key: int, change: int) -> tuple[tuple[int, int], ...]:
    """Return counts, which ascend by key, with one of them changed; what becomes 0 falls away."""
    for at, (k, n) in enumerate(pairs):
        if k == key:
            return (
                (*pairs[:at], (k, n + change), *pairs[at + 1 :])
                if n + change
                else pairs[:at] + pairs[at + 1 :]
            )
        if k > key:
            return (*pairs[:at], (key, change), *pairs[at:]) if change else pairs
    return (*pairs, (key, change)) if change else pairs


def together(a: tuple[tuple[int, int], ...], b: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Return the sum of two counts."""
    found = dict(a)
    for key, n in b:
        found[key] = found.get(key, 0) + n
    return tuple(sorted(found.items()))


def total_of(pairs: tuple[tuple[int, int], ...]) -> int:
    """Return how many there are together."""
    return sum(n for _, n in pairs)


def shares(row: Row, amount: int, most: Mapping[int, int]) -> Iterator[Row]:
    """Yield every way to take `amount` out of a row, no more from a cell than `most` says where it says anything."""
    if not row:
        if amount == 0:
            yield ()
        return
    (cell, there), rest = row[0], row[1:]
    behind = total_of(rest)
    for n in range(max(0, amount - behind), min(there, amount, most.get(cell, there)) + 1):
        for others in shares(rest, amount - n, most):
            yield ((cell, n), *others) if n else others


# ---- knowledge: What one seat knows of where the cards are.

Case = tuple[tuple[Cards, ...], tuple[Row, ...]]

MOST_CASES = 300


class Knowledge:
    """What a seat knows. `cases` is empty after a contradiction, which is a mistake of whoever told it."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.cells: dict[int, list[int]] = {}
        self.size: dict[int, int] = {}
        self.sure: dict[int, dict[int, int]] = {}
        self.cases: dict[Case, int] = {((), ()): 1}
        self.made = 0
        self._odds: tuple[list[Case], list[int]] | None = None
        self._settled: dict[Case, int] | None = None  # the cases that were settled last
        for zone in shape.lists:
            self.cells[zone] = [self.cell()] if shape.is_pool[zone] else []

    def copy(self) -> Knowledge:
        """Return knowledge that can go its own way."""
        new = Knowledge.__new__(Knowledge)
        new.shape, new.made, new._odds, new._settled = self.shape, self.made, None, self._settled
        new.cells = {zone: cells[:] for zone, cells in self.cells.items()}
        lying = [cell for cells in self.cells.values() for cell in cells]
        new.size, new.cases = {cell: self.size[cell] for cell in lying}, self.cases
        new.sure = {cell: self.sure[cell].copy() for cell in lying}
        return new

    # ---- cells ------------------------------------------------------------------------------

    def cell(self, size: int = 0, sure: dict[int, int] | None = None) -> int:
        """Return a new cell that lies nowhere yet."""
        self.made += 1
        self.size[self.made] = size
        self.sure[self.made] = sure or {}
        return self.made

    def sizes(self, zone: int) -> int:
        """Return how many cards a zone holds."""
        return sum(self.size[cell] for cell in self.cells[zone])

    def index(self, zone: int, place: int) -> int:
        """Return which of the cells of a zone has a place; in a pool it is the only one."""
        if self.shape.is_pool[zone]:
            return 0
        cells = self.cells[zone]
        for which, cell in enumerate(cells):
            if place < self.size[cell]:
                return which
            place -= self.size[cell]
        raise IndexError(place)

    def open(self, cell: int) -> int:
        """Return how many cards of a cell are not sure."""
        return self.size[cell] - sum(self.sure[cell].values())

    def take(self, zone: int, which: int, count: int = 1) -> int:
        """Take cards unseen out of a cell of a zone; return them as a cell that lies nowhere."""
        cells = self.cells[zone]
        cell = cells[which]
        if self.size[cell] > count:
            return self.picked_from(cell, count)
        if self.shape.is_pool[zone]:
            cells[which] = self.cell()
        else:
            del cells[which]
        return cell

    def picked_from(self, cell: int, count: int) -> int:
        """Take some of the cards of a cell, unseen; return them as a cell that lies nowhere."""
        new = self.cell(count)
        sure = self.sure[cell]
        alike = len(sure) == 1 and not self.open(cell)
        self.size[cell] -= count
        if alike:
            (kind,) = sure
            sure[kind] -= count
            self.sure[new] = {kind: count}
            return new
        self._doubt(cell)
        for _ in range(count):
            found: dict[Case, int] = {}
            for (cards, rows), ways in self.cases.items():
                for i, row in enumerate(rows):
                    if any(at == cell for at, _ in row):
                        moved = changed_by(changed_by(row, cell, -1), new, 1)
                        case = (cards, (*rows[:i], moved, *rows[i + 1 :]))
                        found[case] = max(found.get(case, 0), ways)
            self.cases = found
        return new

    def _doubt(self, cell: int) -> None:
        """Make the sure cards of a cell a class of their own."""
        sure = self.sure[cell]
        if sure:
            own: Cards = tuple(sorted(sure.items()))
            row: Row = ((cell, total_of(own)),)
            self.cases = {((*cards, own), (*rows, row)): ways for (cards, rows), ways in self.cases.items()}
            self.sure[cell] = {}

    def seen(self, zone: int, which: int, kind: int) -> int:
        """Take a card that is seen out of a cell of a zone; return it as a cell that lies nowhere."""
        cell = self.cells[zone][which]
        sure = self.sure[cell]
        if self.size[cell] > 1 and sure.get(kind) and not self.open(cell):
            self.size[cell] -= 1
            sure[kind] -= 1
            if not sure[kind]:
                del sure[kind]
            return self.cell(1, {kind: 1})
        taken = self.take(zone, which)
        self.reveal(taken, kind)
        return taken

    def reveal(self, cell: int, kind: int) -> None:
        """Learn that the one card of a cell is of a kind."""
        if self.sure[cell]:
            return
        found: dict[Case, int] = {}
        for (cards, rows), ways in self.cases.items():
            for i, row in enumerate(rows):
                alike = next((n for k, n in cards[i] if k == kind), 0)
                if alike and any(at == cell for at, _ in row):
                    left = (*cards[:i], changed_by(cards[i], kind, -1), *cards[i + 1 :])
                    case = (left, (*rows[:i], changed_by(row, cell, -1), *rows[i + 1 :]))
                    found[case] = found.get(case, 0) + ways * alike
        self.cases = found
        self.sure[cell] = {kind: 1}
        self.settle()

    def lay(self, cell: int, zone: int) -> None:
        """Lay the cards of a cell into a pool, or on top of a pile or at the right of a row."""
        cells = self.cells[zone]
        if self.shape.is_pool[zone]:
            self._pour(cell, cells[0])
        elif self.size[cell]:
            cells.append(cell)
        self.settle()

    def join_last(self, zone: int) -> None:
        """Forget the order between the last two cells of a pile or row."""
        cells = self.cells[zone]
        if len(cells) > 1:
            self._pour(cells.pop(), cells[-1])
            self.settle()

    def mix(self, zone: int) -> None:
        """Forget the order of a zone."""
        cells = self.cells[zone]
        for cell in cells[1:]:
            self._pour(cell, cells[0])
        del cells[1:]
        self.settle()

    def swap(self, a: int, b: int) -> None:
        """Exchange all cards of two zones."""
        ours, theirs = self.cells[a], self.cells[b]
        for zone, cells in ((a, theirs), (b, ours)):
            cells = [cell for cell in cells if self.size[cell]]
            self.cells[zone] = [self.cell()] if self.shape.is_pool[zone] else []
            for cell in cells:
                self.lay(cell, zone)

    def _pour(self, cell: int, into: int) -> None:
        """Throw the cards of two cells together."""
        unsure = self.open(cell)
        self.size[into] += self.size.pop(cell)
        sure = self.sure[into]
        for kind, n in self.sure.pop(cell).items():
            sure[kind] = sure.get(kind, 0) + n
        if not unsure:  # no case speaks of the cell
            return
        found: dict[Case, int] = {}
        for (cards, rows), ways in self.cases.items():
            poured = tuple([self._poured(row, cell, into) for row in rows])
            found[cards, poured] = max(found.get((cards, poured), 0), ways)
        self.cases = found

    def _poured(self, row: Row, cell: int, into: int) -> Row:
        there = dict(row).get(cell, 0)
        return changed_by(changed_by(row, cell, -there), into, there) if there else row

    # ---- what all know of kinds --------------------------------------------------------------

    def part(self, kinds: Collection[int], exact: Mapping[int, int]) -> bool:
        """Learn how many cards of some kinds lie unsure in each of some cells; classes are parted by that.

        Return whether it was learnt: with too many cases it is let go, and nothing is changed.
        """
        found: dict[Case, int] = {}
        for (cards, rows), ways in self.cases.items():
            parted = [self._parted(c, kinds) for c in cards]
            for taken in self._taken(rows, [total_of(a) for a, _ in parted], exact):
                both = [(t, self._without(row, t)) for row, t in zip(rows, taken, strict=True)]
                case = (tuple(c for pair in parted for c in pair), tuple(r for pair in both for r in pair))
                found[case] = ways
                if len(found) > MOST_CASES:
                    return False
        self.cases = found
        return True

    def _parted(self, cards: Cards, kinds: Collection[int]) -> tuple[Cards, Cards]:
        return tuple(c for c in cards if c[0] in kinds), tuple(c for c in cards if c[0] not in kinds)

    def _without(self, row: Row, taken: Row) -> Row:
        left = dict(row)
        for cell, n in taken:
            left[cell] -= n
        return tuple((cell, n) for cell, n in left.items() if n)

    def _taken(
        self, rows: Sequence[Row], amounts: Sequence[int], exact: Mapping[int, int]
    ) -> Iterator[tuple[Row, ...]]:
        """Yield every way to take so many out of each row that the cells of `exact` give just as many as it says."""
        if not rows:
            if not any(exact.values()):
                yield ()
            return
        for taken in shares(rows[0], amounts[0], exact):
            left = dict(exact)
            for cell, n in taken:
                if cell in left:
                    left[cell] -= n
            for others in self._taken(rows[1:], amounts[1:], left):
                yield (taken, *others)

    def lacks(self, zone: int, kinds: Collection[int]) -> None:
        """Learn that no card of some kinds lies in a zone."""
        self.part(kinds, dict.fromkeys(self.cells[zone], 0))
        self.settle()

    def gather(self, target: int, kinds: Collection[int] | None, leaving: Mapping[int, int]) -> None:
        """Bring all cards of some kinds, or all cards, to a zone; `leaving` says how many leave each cell for it."""
        coming = self.cell(sum(leaving.values()))
        others = [cell for zone, cells in self.cells.items() if zone != target for cell in cells]
        unsure = {}
        for cell in others:
            own = {k: n for k, n in self.sure[cell].items() if kinds is None or k in kinds}
            for kind, n in own.items():
                del self.sure[cell][kind]
                self.sure[coming][kind] = self.sure[coming].get(kind, 0) + n
            unsure[cell] = leaving.get(cell, 0) - sum(own.values())
        if kinds is None or self.part(kinds, unsure):
            self._draw_in(others, coming, parted=kinds is not None)
        else:
            self._draw_in_roughly(kinds, unsure, coming, target)
        for cell, n in leaving.items():
            self.size[cell] -= n
        for zone, cells in self.cells.items():
            if zone != target and not self.shape.is_pool[zone]:
                cells[:] = [cell for cell in cells if self.size[cell]]
        self.settle()
        self._lay_sorted(coming, target)

    def _draw_in(self, cells: Collection[int], coming: int, parted: bool) -> None:
        """Let the cards of some cells come together: those of all classes, or of each first of two if `parted`."""
        found: dict[Case, int] = {}
        for (cards, rows), ways in self.cases.items():
            made = list(rows)
            for i in range(0, len(rows), 2 if parted else 1):
                amount = sum(n for cell, n in rows[i] if cell in cells)
                if amount:
                    stay: Row = tuple((cell, n) for cell, n in rows[i] if cell not in cells)
                    made[i] = changed_by(stay, coming, amount)
            case = (cards, tuple(made))
            found[case] = max(found.get(case, 0), ways)
        self.cases = found

    def _draw_in_roughly(
        self, kinds: Collection[int], unsure: Mapping[int, int], coming: int, target: int
    ) -> None:
        """Do that without regard to what is known of the other cards, where there are too many cases."""
        while len(next(iter(self.cases))[0]) > 1:
            self._join(0, 1)
        self.mix(target)
        cards, rows = next(iter(self.cases))
        all_of = {k: n for k, n in cards[0] if k in kinds}
        for kind, n in all_of.items():
            self.sure[coming][kind] = self.sure[coming].get(kind, 0) + n
        left = {cell: n - unsure.get(cell, 0) for cell, n in rows[0]}
        there = sum(all_of.values()) - sum(unsure.values())
        for cell in self.cells[target][:1]:
            left[cell] = left.get(cell, 0) - there
            self._pour(cell, coming)
            self.cells[target] = [self.cell()] if self.shape.is_pool[target] else []
            left[coming] = left.pop(cell)
        row: Row = tuple(sorted((cell, n) for cell, n in left.items() if n))
        self.cases = {((tuple(c for c in cards[0] if c[0] not in kinds),), (row,)): 1}

    def _lay_sorted(self, coming: int, target: int) -> None:
        """Lay gathered cards: they come in the order of their faces."""
        if self.shape.is_pool[target] or self.open(coming):
            self.lay(coming, target)
            return
        for kind, n in sorted(self.sure[coming].items()):
            for _ in range(n):
                self.lay(self.cell(1, {kind: 1}), target)

    # ---- keeping it small ----------------------------------------------------------------------

    def settle(self) -> None:
        """Make sure the classes that lie in one cell in every case, and keep the cases few."""
        if self.cases is self._settled:
            return
        self._odds = None
        if len(self.cases) > MOST_CASES:
            self._coarsen()
        if not self.cases:
            return
        (first_cards, first_rows), *others = self.cases
        done = []
        for i, (cards, row) in enumerate(zip(first_cards, first_rows, strict=True)):
            if len(row) <= 1 and all(c[0][i] == cards and c[1][i] == row for c in others):
                done.append(i)
                for kind, n in cards:
                    sure = self.sure[row[0][0]]
                    sure[kind] = sure.get(kind, 0) + n
        if done:
            self.cases = {
                (
                    tuple(c for i, c in enumerate(cards) if i not in done),
                    tuple(r for i, r in enumerate(rows) if i not in done),
                ): ways
                for (cards, rows), ways in self.cases.items()
            }
        self._settled = self.cases

    def certain(self, cell: int) -> dict[int, int]:
        """Return how many cards of each kind are in a cell in every case."""
        found = self.sure[cell].copy()
        least: dict[int, int] = {}
        for number, (cards, rows) in enumerate(self.cases):
            here: dict[int, int] = {}
            for own, row in zip(cards, rows, strict=True):
                if len(own) == 1:
                    here[own[0][0]] = here.get(own[0][0], 0) + dict(row).get(cell, 0)
            least = {k: min(n, here.get(k, 0)) for k, n in (least if number else here).items()}
        for kind, n in least.items():
            if n:
                found[kind] = found.get(kind, 0) + n
        return found

    def _coarsen(self) -> None:
        """Forget the order of cards that are not sure, then which class is which, until the cases are few."""
        for cells in self.cells.values():
            for which in range(len(cells) - 1, 0, -1):
                if self.open(cells[which]) and self.open(cells[which - 1]):
                    self._pour(cells.pop(which), cells[which - 1])
        while len(self.cases) > MOST_CASES:
            self._join(*self._most_alike())

    def _most_alike(self) -> tuple[int, int]:
        """Return two classes to throw together: those that may lie in the same cells, the fewest cards first."""
        count = len(next(iter(self.cases))[0])
        where: list[set[int]] = [set() for _ in range(count)]
        many = [0] * count
        for cards, rows in self.cases:
            for i, row in enumerate(rows):
                where[i].update(cell for cell, _ in row)
                many[i] = max(many[i], total_of(cards[i]))
        pairs = [(i, k) for k in range(count) for i in range(k)]
        return min(pairs, key=lambda p: (len(where[p[0]] ^ where[p[1]]), many[p[0]] + many[p[1]], p))

    def _join(self, i: int, k: int) -> None:
        """Throw two classes together."""
        found: dict[Case, int] = {}
        for (cards, rows), ways in self.cases.items():
            own, row = together(cards[i], cards[k]), together(rows[i], rows[k])
            case = (
                (*cards[:i], own, *cards[i + 1 : k], *cards[k + 1 :]),
                (*rows[:i], row, *rows[i + 1 : k], *rows[k + 1 :]),
            )
            found[case] = max(found.get(case, 0), ways)
        self.cases = found

    # ---- drawing a table ---------------------------------------------------------------------

    def deal_out(self, chance: int) -> tuple[int, dict[int, list[int]]]:
        """Return the next state of chance and kinds for each cell, sure ones first, then others in random order.

        Each placement of cards that the seat holds possible is equally likely.
        """
        chance, (cards, rows) = self._any_case(chance)
        found = {
            cell: [kind for kind, n in sorted(self.sure[cell].items()) for _ in range(n)]
            for cells in self.cells.values()
            for cell in cells
        }
        for own, row in zip(cards, rows, strict=True):
            kinds = [kind for kind, n in own for _ in range(n)]
            chance = shuffle(chance, kinds)
            for cell, n in row:
                found[cell] += kinds[:n]
                del kinds[:n]
        return chance, found

    def _any_case(self, chance: int) -> tuple[int, Case]:
        """Return a case, each as likely as the placements that fit it are many."""
        if len(self.cases) == 1:
            return chance, next(iter(self.cases))
        if self._odds is None:
            cases, sums = sorted(self.cases), [0]
            for case in cases:
                sums.append(sums[-1] + self.cases[case] * placements(case))
            self._odds = cases, sums
        cases, sums = self._odds
        chance, which = pick_of_many(chance, sums[-1])
        low, high = 0, len(cases)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if sums[middle] <= which else (low, middle)
        return chance, cases[low]


def placements(case: Case) -> int:
    """Return in how many ways the cards of a case can lie in its cells."""
    ways = 1
    for row in case[1]:
        ways *= factorial(total_of(row))
        for _, n in row:
            ways //= factorial(n)
    return ways


def pick_of_many(chance: int, count: int) -> tuple[int, int]:
    """Return the next state of chance and a number from 0 to `count` - 1, which may be large."""
    if count < 1 << 32:
        return pick(chance, count)
    drawn = 0
    words = count.bit_length() // 48 + 2
    for _ in range(words):
        chance, part = pick(chance, 1 << 48)
        drawn = drawn << 48 | part
    return chance, drawn * count >> 48 * words


# ---- remembering: From what has happened to what a seat knows: events as a seat is told them, and knowledge that grows with them.

Event_ = tuple[Any, ...]
MOST_ONTO_ITSELF = 6  # of more cards moved from a pile onto the same pile the order is forgotten


def lie(shape: Shape, S: State, known: int) -> Event_:
    """Return the event that a table is laid as it is; `known` are the seats, as a mask, that know where all lies."""
    lists = tuple((zone, tuple(S[zone])) for zone in shape.lists if S[zone])
    kinds = counts_of([shape.kind_of[x] for x, zone in enumerate(S[PLACE]) if zone >= 0])
    return ("lie", known, tuple(sorted(kinds.items())), lists)


class Teller:
    """Turns events into what one seat is told of them."""

    def __init__(self, viewer: Viewer, seat: int) -> None:
        self.viewer = viewer
        self.shape = viewer.shape
        self.seat = seat

    def told(self, events: Sequence[Event_]) -> list[Event_]:
        """Return events as the seat is told them; they end where somebody is to choose."""
        return [self._told(event, events, place) for place, event in enumerate(events)]

    def _told(self, event: Event_, events: Sequence[Event_], place: int) -> Event_:
        match event:
            case ("choose", who, block, option, arguments, seen, spots):
                chosen = self.shape.choices[block].options[option]
                shown = self._arguments(chosen, who, arguments, seen, events, place)
                return ("choose", who, block, option, shown, seen, spots)
            case ("told", who, whole, arguments, seen, spots):
                shown = self._arguments(self.shape.wholes[whole], who, arguments, seen, events, place)
                return ("told", who, whole, shown, seen, spots)
            case ("answer", who, *_) if who != self.seat:
                return ("answer", who, -1, -1, ())
            case ("show", seats, shown):
                return ("show", seats, tuple([self._showing(*x) for x in shown]))
            case ("best", seats, label, *_) if not seats >> self.seat & 1:
                return ("best", seats, label, 0, ())
            case ("move", target, moved):
                return ("move", target, tuple([self._moving(*x) for x in moved]))
            case ("lie", known, kinds, lists):
                full = known >> self.seat & 1
                return ("lie", known, kinds, tuple((z, x if full else self._lying(z, x)) for z, x in lists))
            case ("shuffle", zone, order):
                return ("shuffle", zone, self._lying(zone, order))
            case ("gather", target, kinds, left):
                pool = self.shape.is_pool
                places = tuple((z, tuple(range(len(x))) if pool[z] else x) for z, x in left)
                return ("gather", target, kinds, places)
            case ("pick", at, name, "piece", _):
                return ("pick", at, name, "piece", UNKNOWN)
            case _:
                return event

    def _arguments(
        self,
        chosen: OptionShape,
        who: int,
        arguments: Sequence[Any],
        seen: Sequence[Any],
        events: Sequence[Event_],
        place: int,
    ) -> tuple[Any, ...]:
        """Return the arguments of a move as told."""

        def shown(piece: int, mask: int) -> int:
            return piece if self._chosen(piece, who, mask, events, place) else UNKNOWN

        made: list[Any] = []
        for (_, reading, _), value, masks in zip(chosen.arguments, arguments, seen, strict=True):
            if reading[0] == "set":
                made.append(tuple([shown(x, mask) for x, mask in zip(value, masks, strict=True)]))
            else:
                made.append(shown(value, masks) if reading[0] == "piece" else value)
        return tuple(made)

    def _showing(self, piece: int, zone: int, at: int, seen: int) -> tuple[int, int, int, int]:
        return piece if sees(seen, self.seat) else UNKNOWN, zone, at, seen

    def _moving(self, piece: int, source: int, seen: int, at: int) -> tuple[int, int, int, int]:
        """Return one move as told; which card of a pool it is tells nothing, since a pool has no places."""
        shown = piece if sees(seen, self.seat) else UNKNOWN
        return shown, source, seen, 0 if self.shape.is_pool[source] and at >= 0 else at

    def _chosen(self, piece: int, who: int, seen: int, events: Sequence[Event_], place: int) -> bool:
        return (
            who == self.seat
            or sees(seen, self.seat)
            or self.viewer.seen_after(piece, events, place, self.seat)
        )

    def _lying(self, zone: int, pieces: tuple[int, ...]) -> tuple[int, ...]:
        """Return the pieces of a zone as the seat sees them lying there."""
        if self.shape.seen[zone] >> self.seat & 1:
            return pieces
        hidden = (UNKNOWN,) * len(pieces)
        return (*hidden[1:], pieces[-1]) if pieces and zone in self.shape.top_seen else hidden


class Memory:
    """What a seat knows, as it grows with the events that the seat is told."""

    def __init__(self, shape: Shape, seat: int) -> None:
        self.shape = shape
        self.seat = seat
        self.knows = Knowledge(shape)
        self.begun = False
        self.lost = False  # whether it had to begin anew, from sight
        self.limbo: list[
            tuple[int, int]
        ] = []  # cards drawn and not yet landed: their cell, and whence; -1 after
        self.swapping = 0  # moves to come that make up an exchange, which has been learnt as a whole

    def copy(self) -> Memory:
        """Return a memory that can go its own way."""
        new = Memory.__new__(Memory)
        new.shape, new.seat, new.begun, new.lost = self.shape, self.seat, self.begun, self.lost
        new.knows, new.limbo, new.swapping = self.knows.copy(), [], 0
        return new

    def learn(self, event: Event_) -> None:
        """Take in an event as the seat is told it."""
        knows = self.knows
        match event:
            case ("choose", who, _, _, arguments, _, spots) if who == self.seat:
                self._handled(arguments, spots)
            case ("told", who, _, arguments, _, spots) if who == self.seat:
                self._handled(arguments, spots)
            case ("show", _, shown):
                for piece, zone, place, _ in shown:
                    if zone >= 0 and piece != UNKNOWN:
                        self._at(zone, place, self.shape.kind_of[piece])
            case ("move", target, moved) if self.swapping:
                self.swapping -= 1
                self._looked_at(target, [piece for piece, *_ in moved])
            case ("move", target, moved):
                self._moved(target, moved)
            case ("swap", a, b):
                self.swapping = (knows.sizes(a) > 0) + (knows.sizes(b) > 0)
                knows.swap(a, b)
            case ("shuffle", zone, order):
                knows.mix(zone)
                self._shown(zone, order)
            case ("refill", pile, other):
                self._refilled(pile, other)
            case ("gather", target, kinds, left):
                self._gathered(target, kinds, dict(left))
            case ("drawn", _, piece, pile):
                self._forget_landed()
                self.limbo.append((knows.seen(pile, -1, self.shape.kind_of[piece]), -1))
            case ("back", pile):
                for cell, _ in self.limbo:
                    knows.lay(cell, pile)
                self.limbo.clear()
            case ("top", zone, piece, place):
                self._at(zone, place, self.shape.kind_of[piece])
            case ("lacks", zone, kinds):
                knows.lacks(zone, kinds)
            case ("lie", _, kinds, lists):
                self._laid(kinds, lists)
            case _:
                pass

    def _handled(self, arguments: Sequence[Any], spots: Sequence[Any]) -> None:
        """Take in what the seat itself has chosen: it has seen the pieces where they lay."""
        for value, spot in zip(arguments, spots, strict=True):
            several = isinstance(value, tuple)
            pairs = zip(value, spot, strict=True) if several else ((value, spot),)
            for piece, (zone, place) in pairs:
                if zone >= 0 and piece != UNKNOWN:
                    self._at(zone, place, self.shape.kind_of[piece])

    # ---- cards that move --------------------------------------------------------------------

    def _moved(self, target: int, moved: Sequence[tuple[int, int, int, int]]) -> None:
        place, behind = 0, -1
        if moved and moved[0][1] == target and moved[0][3] < 0:
            # All are drawn before the first lands on the same pile.
            if len(moved) > MOST_ONTO_ITSELF:
                for cell in dict.fromkeys(cell for cell, _ in self.limbo if cell >= 0):
                    self.knows.lay(cell, target)
                self.limbo.clear()
                self.knows.mix(target)
                return
            self._drawn(target, ~moved[0][3], max(~at for *_, at in moved))
        while place < len(moved):
            piece, source, _, at = moved[place]
            if at < 0:
                self._drawn(source, ~at, ~at)
                behind = self._landed(piece, ~at, target, behind)
                place += 1
                continue
            which = self.knows.index(source, at)
            count = 1
            if piece == UNKNOWN:
                count = self._together(moved[place:], source, which)
                cell = self.knows.take(source, which, count)
            else:
                cell = self.knows.seen(source, which, self.shape.kind_of[piece])
            self.knows.lay(cell, target)
            place += count

    def _together(self, moved: Sequence[tuple[int, int, int, int]], source: int, which: int) -> int:
        """Return how many of the first cards that move come unseen from the same cell; they keep no order."""
        knows = self.knows
        before = sum(knows.size[cell] for cell in knows.cells[source][:which])
        size = knows.size[knows.cells[source][which]]
        count = 0
        for piece, whence, _, at in moved[:size]:
            if piece != UNKNOWN or whence != source or not before <= at < before + size - count:
                break
            count += 1
        return count

    def _drawn(self, pile: int, first: int, last: int) -> None:
        """Draw the cards of a pile up to the last one of those that land, if they are not drawn yet."""
        knows = self.knows
        if first == 0 and self.limbo and self.limbo[0][0] < 0:
            self.limbo.clear()
        while len(self.limbo) <= last:
            source = knows.cells[pile][-1]
            self.limbo.append((knows.take(pile, -1), source))

    def _landed(self, piece: int, index: int, target: int, behind: int) -> int:
        """Land one of the drawn cards; return the cell it came from if it was not seen."""
        knows = self.knows
        cell, source = self.limbo[index]
        if knows.size[cell] > 1:
            cell = knows.picked_from(cell, 1)
        self.limbo[index] = (-1, -1)
        if piece != UNKNOWN:
            knows.reveal(cell, self.shape.kind_of[piece])
            knows.lay(cell, target)
            return -1
        knows.lay(cell, target)
        if source == behind and not self.shape.is_pool[target]:
            knows.join_last(target)
        return source

    def _forget_landed(self) -> None:
        if all(cell < 0 for cell, _ in self.limbo):
            self.limbo.clear()

    def _refilled(self, pile: int, other: int) -> None:
        """Another zone becomes the pile; what was left of the pile has been drawn and is still to land."""
        knows = self.knows
        self._forget_landed()
        for cell in reversed(knows.cells[pile]):
            self.limbo += [(cell, cell)] * knows.size[cell]
        keeps = pile in self.shape.keeps_top and knows.sizes(other) > 0
        top = knows.take(other, -1) if keeps else -1
        knows.cells[pile] = [cell for cell in knows.cells[other] if knows.size[cell]]
        knows.cells[other] = [knows.cell()] if self.shape.is_pool[other] else []
        if keeps:
            knows.lay(top, other)

    def _gathered(self, target: int, kinds: Sequence[int] | None, left: dict[int, tuple[int, ...]]) -> None:
        knows, leaving = self.knows, dict[int, int]()
        for zone, places in left.items():
            for place in places:
                cell = knows.cells[zone][knows.index(zone, place)]
                leaving[cell] = leaving.get(cell, 0) + 1
        knows.gather(target, kinds, leaving)

    # ---- cards that come to light -----------------------------------------------------------

    def _at(self, zone: int, place: int, kind: int) -> None:
        """Learn what lies at a place; of a pool, that a card of the kind is there."""
        knows = self.knows
        which = knows.index(zone, place)
        cells = knows.cells[zone]
        cell = cells[which]
        if self.shape.is_pool[zone]:
            if not knows.sure[cell].get(kind):
                knows.lay(knows.seen(zone, 0, kind), zone)
            return
        size, before = knows.size[cell], place - sum(knows.size[c] for c in cells[:which])
        if size > 1:
            above = size - before - 1
            parts = [knows.picked_from(cell, 1)] if before else []
            if above and before:
                parts.append(knows.picked_from(cell, above))
            if not before:
                parts = [knows.picked_from(cell, above)]
            cells[which + 1 : which + 1] = parts
            cell = parts[0] if before else cell
        knows.reveal(cell, kind)

    def _shown(self, zone: int, order: Sequence[int]) -> None:
        """Learn what lies where in a pile or row, as far as it is seen."""
        knows, kind_of = self.knows, self.shape.kind_of
        cells = knows.cells[zone]
        if len(order) > 1 and UNKNOWN not in order and not any(knows.open(cell) for cell in cells):
            cells[:] = [knows.cell(1, {kind_of[piece]: 1}) for piece in order]
            return
        for place, piece in enumerate(order):
            if piece != UNKNOWN:
                self._at(zone, place, kind_of[piece])

    def _laid(self, kinds: Cards, lists: Sequence[tuple[int, tuple[int, ...]]]) -> None:
        """Learn which cards there are, and where some of them lie."""
        if not self.begun:
            self.begun = True
            self._begin(dict(kinds), lists)
            return
        for zone, pieces in lists:
            self._looked_at(zone, pieces)

    def _looked_at(self, zone: int, pieces: Sequence[int]) -> None:
        """Learn what lies in a zone, as far as it is seen."""
        knows = self.knows
        if not self.shape.is_pool[zone]:
            self._shown(zone, pieces)
        elif UNKNOWN not in pieces:
            for cell in [knows.seen(zone, 0, self.shape.kind_of[piece]) for piece in pieces]:
                knows.lay(cell, zone)

    def _begin(self, kinds: dict[int, int], lists: Sequence[tuple[int, tuple[int, ...]]]) -> None:
        """Lay the first table: what is seen is sure, all else may be anywhere else."""
        knows, hidden = self.knows, dict[int, int]()
        for zone, pieces in lists:
            behind = False
            for piece in pieces:
                if piece != UNKNOWN:
                    kind = self.shape.kind_of[piece]
                    kinds[kind] -= 1
                    knows.lay(knows.cell(1, {kind: 1}), zone)
                else:
                    knows.lay(knows.cell(1), zone)
                    if behind and not self.shape.is_pool[zone]:
                        knows.join_last(zone)
                    cell = knows.cells[zone][-1]
                    hidden[cell] = hidden.get(cell, 0) + 1
                behind = piece == UNKNOWN
        cards = tuple(sorted((k, n) for k, n in kinds.items() if n))
        if cards:
            knows.cases = {((cards,), (tuple(sorted(hidden.items())),)): 1}
        knows.settle()


# ---- resampling: Tables that a seat holds possible: drawn from what it knows, each as likely as the next.

MOST_TRIES = 64


class Finding(Protocol):
    """Rules that find the legal moves."""

    shape: Shape

    def find(self, S: State) -> Any:
        """Return the legal moves; Fault if there are none."""

    def advance(self, S: State) -> None:
        """Run on to the next decision or the end."""

    def play(self, S: State, number: int, found: Any) -> None:
        """Make a legal move and run on to the next decision or the end."""

    def asked(self, block: int, option: int) -> AskedShape:
        """Return what an option asks."""


class Recollection:
    """What each seat of a table has been told, as a chain of pairs like the log, and what it knows by that."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.kept: dict[int, tuple[Any, Any, Memory]] = {}
        self.first: dict[int, tuple[Any, Any, Memory]] = {}  # with what a seat came to a table dealt anew

    def copy(self) -> Recollection:
        """Return one that can go its own way."""
        new = Recollection(self.viewer)
        new.kept, new.first = self.kept.copy(), self.first.copy()
        return new

    def begin(self, seat: int, told: Any, memory: Memory) -> None:
        """Let a seat come to the table with what it has been told and knows."""
        self.kept[seat] = self.first[seat] = told, told, memory

    def of(self, S: State, seat: int) -> tuple[Any, Memory]:
        """Return what the seat has been told and knows, given a state with its log; it stands at a decision."""
        shape = self.viewer.shape
        done, told, memory = self.kept.get(seat) or ((), (), Memory(shape, seat))
        chain, news = S[LOG], []
        while chain is not done and chain:
            chain, event = chain
            news.append(event)
        if chain is not done:
            # With explicit chance the log is another each time: all is learnt from the beginning.
            self.kept[seat] = self.first.get(seat) or ((), (), Memory(shape, seat))
            return self.of(S, seat)
        if news:
            memory = memory.copy()
            for event in Teller(self.viewer, seat).told(news[::-1]):
                told = (told, event)
                memory.learn(event)
            if not agrees(S, memory):
                memory = from_sight(self.viewer, S, seat)
            self.kept[seat] = S[LOG], told, memory
        return told, memory


def as_list(told: Any) -> list[Any]:
    """Return a chain of events oldest first, JSON-ready: what a saved table keeps of the time before it began."""
    events = []
    while told:
        told, event = told
        events.append(event)
    return events[::-1]


def as_chain(events: Sequence[Any]) -> Any:
    """Return events, as they come out of JSON, as the chain that they were."""
    told: Any = ()
    for event in events:
        told = (told, as_tuple(event))
    return told


def as_tuple(value: Any) -> Any:
    """Return a value with all lists in it as tuples."""
    return tuple(as_tuple(x) for x in value) if isinstance(value, list | tuple) else value


def agrees(S: State, memory: Memory) -> bool:
    """Return whether what a seat knows is possible, and has as many cards in each zone as there are."""
    knows = memory.knows
    return bool(knows.cases) and all(knows.sizes(zone) == len(S[zone]) for zone in knows.cells)


def from_sight(viewer: Viewer, S: State, seat: int) -> Memory:
    """Return the memory of one who has just come to the table."""
    memory = Memory(viewer.shape, seat)
    for event in Teller(viewer, seat).told([lie(viewer.shape, S, 0)]):
        memory.learn(event)
    memory.lost = True
    return memory


# ---- what a seat knows, in words -------------------------------------------------------------------


def known(shape: Shape, memory: Memory) -> dict[str, Any]:
    """Return for each zone the cards that the seat knows to be there, JSON-ready."""
    found: dict[str, Any] = {}
    for zone in shape.zones:
        if zone.each_player or zone.each_team or zone.many:
            found[zone.name] = [_known(shape, memory, index) for index in shape.indexes(zone, shape.players)]
        else:
            found[zone.name] = _known(shape, memory, zone.first)
    return found


def _known(shape: Shape, memory: Memory, zone: int) -> dict[str, Any]:
    """Return `cards` as a view has them, None where the seat can't tell; `somewhere` those known to be among these."""
    knows, cards, somewhere = memory.knows, list[str | None](), list[str]()
    for cell in knows.cells[zone]:
        size = knows.size[cell]
        faces = [shape.faces[kind] for kind, n in sorted(knows.certain(cell).items()) for _ in range(n)]
        if shape.is_pool[zone] or (len(faces) == size and len(set(faces)) == 1):
            cards += [*faces, *[None] * (size - len(faces))]
        else:
            cards += [None] * size
            somewhere += faces
    cards = cards[::-1] if shape.is_pile[zone] else cards
    return {"size": len(cards), "cards": cards, "somewhere": somewhere}


# ---- a table that could be ---------------------------------------------------------------------------


def resampled(rules: Finding, S: State, memory: Memory, seed: int, own: Any) -> tuple[State, Any]:
    """Return a state that the seat holds possible, and its legal moves if they have been found.

    `own` are the legal moves if the seat itself is to move: in every table that it holds possible they are the same.
    Whoever is to move has a move. Where a spec asks of the chooser what a card is that nobody can know, that may not
    be met within some tries; then the last table is returned.
    """
    chance = seeded(mix(seed, memory.seat))
    drawing = Drawing(rules.shape, S, memory)
    choice = rules.shape.choices.get(S[BLOCK])
    if choice is not None and choice.payment and S[SEAT] >= 0:
        drawing.may_pay = rules.asked(S[BLOCK], 0).sources[0].kinds
    for _ in range(MOST_TRIES):
        chance, new = drawing.draw(chance)
        if not drawing.possible:
            continue
        if isinstance(new[CHANCE], int):
            new[CHANCE] = seeded(mix(seed, memory.seat, 1))
        if S[SEAT] < 0:
            return new, None
        try:
            chance = answered_anew(rules, S, new, memory.seat, chance)
            found = rules.find(new)
        except (Fault, RecursionError):
            continue
        if own is None or list(found) == list(own):
            return new, found
    return new, None


def answered_anew(rules: Finding, S: State, new: State, seat: int, chance: int) -> int:
    """Let the others answer a secret choice anew, each legal move as likely as the next; return the next chance.

    What the seat itself has answered stays. Somebody else who has picked a part of a move begins it again.
    """
    shape = rules.shape
    choice = shape.choices[S[BLOCK]]
    secret = choice.secret
    if secret is None:
        return chance
    asked = shape.copy(new)
    asked[secret.asked], asked[BLOCK] = 0, secret.begin
    rules.advance(asked)
    while asked[SEAT] != S[SEAT]:
        if asked[SEAT] < 0:
            raise Fault("the drawn table asks other players")
        who, found = asked[SEAT], rules.find(asked)
        numbers = list(found)
        chance, place = pick(chance, len(numbers))
        rules.play(asked, numbers[place], found)
        if who != seat:
            for slot in (secret.answer, *(place for place, _ in secret.arguments)):
                new[slot + who] = asked[slot + who]
    if choice.more and S[SEAT] != seat:
        for slot in (secret.answer, *(place for place, _ in secret.arguments)):
            asked[slot + seat] = S[slot + seat]
        asked[DECISIONS], asked[CHANCE] = S[DECISIONS], new[CHANCE]
        # A view tells decisions without the picks that only go on: it must stay as it is.
        if shape.picks >= 0:
            asked[shape.picks] = S[shape.picks]
        new[:] = asked
    return chance


class Drawing:
    """Draws tables for one seat that stands at one table."""

    def __init__(self, shape: Shape, S: State, memory: Memory) -> None:
        self.shape = shape
        self.S = S
        self.knows = memory.knows
        seat = memory.seat
        self.hidden = [zone for zone in shape.lists if S[zone] and not shape.seen[zone] >> seat & 1]
        self.fixed = {zone: self._fixed(zone) for zone in self.hidden}
        self.free: dict[int, list[int]] = {}
        for zone in self.hidden:
            for piece, stays in zip(S[zone], self.fixed[zone], strict=True):
                if not stays:
                    self.free.setdefault(shape.kind_of[piece], []).append(piece)
        for pieces in self.free.values():
            pieces.sort()
        self.held = held(shape, S)
        self.may_pay: Collection[int] | None = None  # the kinds that cards paid with are of, if that goes on
        self.possible = True
        choice = shape.choices.get(S[BLOCK])
        own = {place for place, *_ in choice.held} if choice is not None and choice.more else set()
        self.picks = [x for x in self.held if x[0] in own]  # what somebody has picked who picks one by one
        hidden = set(self.hidden)
        self.pointed = [
            x for x in sorted({x for *_, pieces in self.held for x in pieces}) if S[PLACE][x] in hidden
        ]

    def _fixed(self, zone: int) -> list[bool]:
        """Return for each place whether the seat knows what lies there."""
        knows = self.knows
        if self.shape.is_pool[zone]:
            return [False] * len(self.S[zone])
        return [
            knows.size[cell] == 1 and bool(knows.sure[cell])
            for cell in knows.cells[zone]
            for _ in range(knows.size[cell])
        ]

    def draw(self, chance: int) -> tuple[int, State]:
        """Return the next state of chance, and a state; its own chance is left as it is.

        It is `possible`, unless somebody would have nothing to pay with.
        """
        shape, knows = self.shape, self.knows
        new = shape.copy(self.S)
        self.possible = True
        chance, kinds = knows.deal_out(chance)
        free = {}
        for kind, pieces in self.free.items():
            free[kind] = pieces[:]
            if len(pieces) > 1:
                chance = shuffle(chance, free[kind])
        places = new[PLACE]
        for zone in self.hidden:
            lying, fixed = list[int](), self.fixed[zone]
            for cell in knows.cells[zone]:
                if len(kinds[cell]) > 1 and not shape.is_pool[zone]:
                    chance = shuffle(chance, kinds[cell])
                for kind in kinds[cell]:
                    at = len(lying)
                    lying.append(self.S[zone][at] if fixed[at] else free[kind].pop())
            for piece in lying:
                places[piece] = zone
            new[zone] = sorted(lying) if shape.is_pool[zone] else lying
        if self.pointed:
            chance = self._point(chance, new)
        return chance, new

    # ---- what names and variables hold --------------------------------------------------------

    def _point(self, chance: int, new: State) -> int:
        """Let variables hold the pieces that have come to the places of those they held; return the next chance."""
        other: dict[int, int] = {}
        for zone in sorted({self.S[PLACE][x] for x in self.pointed}):
            here = [x for x in self.pointed if self.S[PLACE][x] == zone]
            if self.shape.is_pool[zone]:
                chance = self._point_in_pool(chance, zone, here, new[zone], other)
            else:
                other.update((x, new[zone][self.S[zone].index(x)]) for x in here)
        for place, reading, value, _ in self.held:
            new[place] = renamed(reading, value, other)
        return chance

    def _point_in_pool(
        self, chance: int, zone: int, here: Sequence[int], coming: Sequence[int], other: dict[int, int]
    ) -> int:
        """Cards that the seat knows stay what they are; any of the rest may be any of the rest.

        They are told apart by what holds them, never by what they are.
        """
        kind_of = self.shape.kind_of
        sure = self.knows.sure[self.knows.cells[zone][0]].copy()
        rest = list(coming)
        by_holders = sorted(here, key=lambda x: ([x in held for *_, held in self.held], x), reverse=True)
        unsure = []
        for piece in by_holders:
            kind = kind_of[piece]
            if sure.get(kind):
                sure[kind] -= 1
                other[piece] = next(x for x in rest if kind_of[x] == kind)
                rest.remove(other[piece])
            else:
                unsure.append(piece)
        for kind, n in sure.items():
            for _ in range(n):
                rest.remove(next(x for x in rest if kind_of[x] == kind))
        chance = shuffle(chance, rest)
        if self.may_pay is not None:
            rest = [x for x in rest if kind_of[x] in self.may_pay]
            self.possible = len(rest) >= len(unsure)
            rest = rest if self.possible else list(coming)
        other.update(zip(unsure, rest, strict=False))
        if not self.picks:
            return chance
        # Of cards that look alike the first are held: so they are where somebody picks them one by one.
        taken: dict[int, list[int]] = {}
        for piece in here:
            taken.setdefault(kind_of[other[piece]], []).append(piece)
        for kind, pieces in taken.items():
            alike = [x for x in coming if kind_of[x] == kind]
            other.update(zip(sorted(pieces, key=other.__getitem__), sorted(alike), strict=False))
        # Nor does one come before those picked earlier: the last is the highest.
        for _, reading, last, _ in self.picks:
            for *_, picked in self.picks if reading == ("piece",) else ():
                if len(picked) > 1 and last == max(picked) and picked <= other.keys():
                    highest = max(picked, key=other.__getitem__)
                    other[last], other[highest] = other[highest], other[last]
        return chance


def held(shape: Shape, S: State) -> list[tuple[int, Reading, Any, frozenset[int]]]:
    """Return what variables and names hold of pieces: place in the state, how it is read, the value, the pieces."""
    places = [(place, v.reading) for v in shape.variables for place in shape.places(v)]
    choice = shape.choices.get(S[BLOCK])
    for place, many, reading in choice.held if choice and S[SEAT] >= 0 else ():
        places += [(place + i, reading) for i in range(many)]
    found = []
    for place, reading in sorted(places):
        pieces = frozenset(pieces_in(reading, S[place]))
        if pieces:
            found.append((place, reading, S[place], pieces))
    return found


def pieces_in(reading: Reading, value: Any) -> list[int]:
    """Return the pieces that a value speaks of."""
    match reading:
        case ("piece",):
            return [value] if value >= 0 else []
        case ("set", ("piece",)):
            return members(value) if value > 0 else []
        case ("rows", parts) if isinstance(value, tuple):
            return [
                x for row in value for part, v in zip(parts, row, strict=True) for x in pieces_in(part, v)
            ]
        case _:
            return []


def renamed(reading: Reading, value: Any, other: Mapping[int, int]) -> Any:
    """Return a value with each piece replaced by another."""
    match reading:
        case ("piece",):
            return other.get(value, value)
        case ("set", ("piece",)) if value > 0:
            return sum(1 << other.get(x, x) for x in members(value))
        case ("rows", parts) if isinstance(value, tuple):
            return tuple(
                tuple(renamed(part, v, other) for part, v in zip(parts, row, strict=True)) for row in value
            )
        case _:
            return value


# ---- saving: Saved games: JSON with a version and a checksum, the same from every back end.

FORMAT = "hoyle save"
VERSION = 1
DAMAGED = "this save is damaged"


class Setup(NamedTuple):
    """What rules were made for: the hash of the spec, and every parameter as people write it."""

    spec: str = ""
    parameters: Mapping[str, int | str] = {}


def canonical(data: Any) -> str:
    """Return data as the one JSON text that it has."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def checksum(data: Mapping[str, Any]) -> str:
    """Return the checksum of all that is in a save but the checksum."""
    return sha256(canonical({k: v for k, v in data.items() if k != "checksum"}).encode()).hexdigest()


def save_text(data: dict[str, Any]) -> str:
    """Return a save as text, one line an entry; format, version and checksum are added."""
    whole = {"format": FORMAT, "version": VERSION, **data}
    whole["checksum"] = checksum(whole)
    rows = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in whole.items()]
    return "{\n" + ",\n".join(rows) + "\n}"


def read_save(text: str, game: str, spec: str) -> dict[str, Any]:
    """Return what a save of a game holds, its parts not yet looked into; ValueError in words if it is none."""
    try:
        data = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        raise ValueError(f"{DAMAGED}: it is no JSON, or not all of it is there") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError("this is no save of a game")
    if data.get("version") != VERSION:
        found = data.get("version")
        raise ValueError(f"this save has the form of version {found}, and version {VERSION} is needed")
    if data.get("game") != game:
        raise ValueError(f"this save is of {data.get('game')}, not of {game}")
    if data.get("spec") != spec:
        raise ValueError(f"the spec of {game} has changed since this was saved")
    if data.get("checksum") != checksum(data):
        raise ValueError(f"{DAMAGED}: it is not as it was written")
    return data


# ---- the table ------------------------------------------------------------------------------------


def shown_whole(shape: Shape, S: State) -> dict[str, Any]:
    """Return all of a table that both back ends keep in one way: where it stands, variables, pieces by number."""
    variables: dict[str, Any] = {}
    for variable in shape.variables:
        values = [int(S[place]) for place in shape.places(variable)]
        variables[variable.name] = values if variable.each_player or variable.each_team else values[0]
    zones: dict[str, Any] = {}
    for zone in shape.zones:
        lists = [list(S[index]) for index in shape.indexes(zone, shape.players)]
        zones[zone.name] = lists if zone.each_player or zone.each_team or zone.many else lists[0]
    return {
        "block": S[BLOCK],
        "chance": S[CHANCE] if isinstance(S[CHANCE], int) else None,
        "decisions": S[DECISIONS],
        "turn": S[SEAT],
        "winner": S[WINNER],
        "variables": variables,
        "zones": zones,
    }


# ---- a table that began in the middle of a game ------------------------------------------------------


def packed(value: Any) -> Any:
    """Return a value of a state JSON-ready: tuples as lists, yes and no as numbers."""
    if isinstance(value, list | tuple):
        return [packed(x) for x in value]
    return int(value) if isinstance(value, int) else value


def unpacked_state(shape: Shape, values: Any) -> State:
    """Return the state that was packed; ValueError or TypeError where it can't be one of this shape."""
    if not isinstance(values, list) or len(values) != shape.size + len(shape.lists):
        raise ValueError(f"{DAMAGED}: its beginning has not the right length")
    state = [_tuples(x) for x in values[: shape.size]] + values[shape.size :]
    state[LOG] = None
    state[PLACE] = places = [OUT_OF_PLAY] * len(shape.kind_of)
    for index in shape.lists:
        state[index] = list(state[index])
        for piece in state[index]:
            if type(piece) is not int or not 0 <= piece < len(places) or places[piece] != OUT_OF_PLAY:
                raise ValueError(f"{DAMAGED}: a card is in two places, or is none of the game")
            places[piece] = index
    if packed(state[PLACE]) != values[PLACE] or not _stands(shape, state):
        raise ValueError(f"{DAMAGED}: its beginning does not hold together")
    return state


def _tuples(value: Any) -> Any:
    return tuple(_tuples(x) for x in value) if isinstance(value, list) else value


def _stands(shape: Shape, S: State) -> bool:
    """Return whether a state stands at a choice or at the end, its pools sorted and its variables in their domains."""
    head: Sequence[Any] = [S[i] for i in (BLOCK, CHANCE, DECISIONS, SEAT, WINNER)]
    if any(type(x) is not int for x in head) or not -1 <= S[SEAT] < shape.players:
        return False
    if S[SEAT] >= 0 and S[BLOCK] not in shape.choices:
        return False
    if any(S[i] != sorted(S[i]) for i in shape.lists if shape.is_pool[i]):
        return False
    return all(
        shape.can_be(variable.reading, S[place])
        for variable in shape.variables
        for place in shape.places(variable)
    )


# ---- whole: A payment in words: `pay(2 coin, red 3)` names at once what is asked in steps.

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


# ---- table: A table: a game in progress, as every driver sees it.

MOST_DECISIONS = 100_000
TOO_DEEP = "the rules are nested too deep to be worked out"


class Rules(Explained, Protocol):
    """What a back end does with states: it finds the legal moves, makes one, and reads the result.

    What `find` returns has the numbers of the legal moves as its elements and is handed back to `place` and `play`.
    """

    shape: Shape
    viewer: Viewer
    setup: Setup

    def chance_shape(self) -> ChanceShape:
        """Return what explicit chance must know of the program."""

    def first(self, chance: int, log: bool) -> State:
        """Return a state before the first statement."""

    def find(self, S: State) -> Any:
        """Return the legal moves; Fault if there are none."""

    def place(self, S: State, number: int, found: Any) -> tuple[int, tuple[int, ...]]:
        """Return a legal move as the place of its option and its arguments."""

    def advance(self, S: State) -> None:
        """Run on to the next decision or the end."""

    def play(self, S: State, number: int, found: Any) -> None:
        """Make a legal move and run on to the next decision or the end."""

    def scores(self, S: State) -> tuple[int, ...]:
        """Return for each seat the value that the result ranks first."""

    def winners(self, S: State) -> tuple[int, ...]:
        """Return the seats that have won."""


class Telling:
    """What a table keeps that has been asked for its log, or that did not begin with the first statement.

    Most tables never need one. `begun` says that the table began in the middle, with a state and not with chance;
    `before` is what its log tells of the time before that, for one that was resampled. `told` is the state with the
    log of the first `moves` moves, None if nobody has asked for it yet; `recollection` is what seats remember.
    """

    __slots__ = ("before", "begun", "moves", "recollection", "told")

    def __init__(self, begun: bool = False, before: Any = EMPTY_LOG) -> None:
        self.begun = begun
        self.before = before
        self.told: State | None = None
        self.moves = 0
        self.recollection: Recollection | None = None

    def copy(self, shape: Shape) -> Telling:
        """Return a copy that goes its own way."""
        new = Telling(self.begun, self.before)
        new.told = None if self.told is None else shape.copy(self.told)
        new.moves = self.moves
        new.recollection = None if self.recollection is None else self.recollection.copy()
        return new


class Table:
    """One game in progress. Everything that will happen follows from `state` and the moves.

    What has happened is not written down as it happens: a log is made when somebody asks for it, by playing the moves
    again from where the table began.
    """

    __slots__ = (
        "_fault",
        "_found",
        "_max_decisions",
        "_origin",
        "_past",
        "_rules",
        "_stalled",
        "_telling",
        "state",
    )

    def __init__(
        self, rules: Rules, state: State, max_decisions: int = MOST_DECISIONS, begun: bool = False
    ) -> None:
        self._rules = rules
        self._stalled = False
        self.state = state
        # A table begun at the beginning comes from chance alone; what it began with is made again when it is wanted.
        self._origin: Any = rules.shape.copy(state) if begun else state[CHANCE]
        self._telling: Telling | None = Telling(begun=True) if begun else None
        self._past: tuple[Any, ...] = ()
        self._max_decisions = max_decisions
        self._found: Any = None
        self._fault: Fault | None = None

    @classmethod
    def started(cls, rules: Any, chance: int, max_decisions: int) -> Table:
        """Return a table at its first decision, by the state of chance before the first statement.

        Fault if the game breaks before.
        """
        table = cls(rules, rules.first(chance, False), max_decisions)
        try:
            rules.advance(table.state)
        except Fault as fault:
            raise table.broken(fault) from None
        return table

    # ---- where the game stands --------------------------------------------------------------

    @property
    def players(self) -> int:
        """The number of players."""
        return self._rules.shape.players

    @property
    def turn(self) -> int | None:
        """The seat to move, counted from 0; None when the game is over."""
        seat: int = self.state[SEAT]
        return seat if seat >= 0 and not self._stalled else None

    @property
    def decisions(self) -> int:
        """How many decisions have been made."""
        made: int = self.state[DECISIONS]
        return made

    @property
    def outcome(self) -> str:
        """`finished`, `stalled` after too many decisions, or nothing while the game goes on."""
        if self._stalled:
            return "stalled"
        return "finished" if self.state[SEAT] < 0 else ""

    @property
    def scores(self) -> tuple[int, ...]:
        """For each seat the value that the result ranks first."""
        return self._rules.scores(self.state)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; none before the end or after a stall."""
        return self._rules.winners(self.state) if self.outcome == "finished" else ()

    @property
    def ask(self) -> str:
        """What the seat to move is asked: the rule text of the choice, or the options that are open."""
        if self.turn is None:
            return ""
        choose = self._rules.shape.choices[self.state[BLOCK]]
        if choose.text:
            return choose.text
        found = self._legal()
        open_ = {self._rules.place(self.state, n, found)[0] for n in found}
        return " or ".join(dict.fromkeys(o.name for at, o in enumerate(choose.options) if at in open_))

    # ---- moves ------------------------------------------------------------------------------

    def _legal(self) -> Any:
        """Return what the rules find, once for each position; nothing when the game is over."""
        if not self._found:  # none found yet, or none to be found
            if self._fault is not None:
                raise self._fault
            if self._stalled or self.state[SEAT] < 0:
                return ()
            try:
                self._found = self._rules.find(self.state)
            except Fault as fault:
                raise self.broken(fault) from None
            except RecursionError:
                raise self.broken(Fault(TOO_DEEP)) from None
        return self._found

    def legal(self) -> list[int]:
        """Return the numbers of the legal moves, ascending; none when the game is over."""
        found = self._found
        return list(self._legal() if found is None else found)

    def step(self, number: int) -> None:
        """Make the move of that number. Raises IllegalMove, and changes nothing, if it is not legal."""
        found = self._found
        if found is None:
            found = self._legal()
        if number not in found:
            raise self._illegal(number)
        self._found = None
        self._past = (self._past, number)
        state = self.state
        try:
            self._rules.play(state, number, found)
        except Fault as fault:
            raise self.broken(fault) from None
        except RecursionError:
            raise self.broken(Fault(TOO_DEEP)) from None
        if state[DECISIONS] >= self._max_decisions and state[SEAT] >= 0:
            self._stalled = True

    def _illegal(self, number: int) -> IllegalMove:
        """Return what is wrong with a number that is none of a legal move."""
        return IllegalMove("the game is over" if self.turn is None else f"move {number} is not possible now")

    def chances(self) -> list[tuple[int, Fraction, str]]:
        """Return the outcomes of chance: number, probability, words. None at a table whose chance comes from a seed."""
        return []

    def moves(self) -> list[Move]:
        """Return the legal moves, by ascending number; none when the game is over."""
        return [self._move(n) for n in self.legal()]

    def _move(self, number: int) -> Move:
        shape = self._rules.shape
        place, arguments = self._rules.place(self.state, number, self._legal())
        option = shape.choices[self.state[BLOCK]].options[place]
        words = tuple(self._rules.viewer.words(option, arguments))
        return Move(
            number, option.name, words, move_call(option, words), move_text(option, words), option.text
        )

    def play(self, move: Move | int | str) -> None:
        """Make a move, given as such, by number or in words. IllegalMove, with nothing changed, if it is not legal."""
        if not isinstance(move, str):
            self.step(move if isinstance(move, int) else move.number)
            return
        for number in self._meant(move):
            self.step(number)

    def _paid(self, name: str, items: Sequence[str]) -> list[int]:
        """Return the numbers of the moves that make a whole payment, such as `2 coin`, `red 3`; none if they can't."""
        if self.turn is None or not asks_for(self._rules.shape, self.state, name):
            return []
        return payment_steps(self, self._rules.shape, name, items) or []

    def _meant(self, words: str) -> list[int]:
        """Return the numbers of the moves that the words mean: one, or those of a whole payment."""
        payment = called(words)
        steps = [] if payment is None else self._paid(*payment)
        return steps or [self._named(words).number]

    def _named(self, words: str) -> Move:
        """Return the legal move that the words mean."""
        plain = plain_words(words)
        moves = self.moves()
        meant = [m for m in moves if plain_words(m.call) == plain] or [
            m for m in moves if plain_words(m.text) == plain
        ]
        if len(meant) == 1:
            return meant[0]
        if meant:
            raise IllegalMove(f"`{words.strip()}` could mean " + " or ".join(m.call for m in meant))
        if plain.isdecimal() and any(m.number == int(plain) for m in moves):
            return self._move(int(plain))
        if self.turn is None:
            raise IllegalMove("the game is over")
        raise IllegalMove(f"`{words.strip()}` is not possible now")

    def why(self, move: Move | int | str) -> Why:
        """Return whether a move is allowed and what forbids it, with rule text and lines of the spec.

        A move is given as such, by number, in words, or as the face of a card alone; arguments may be left out from the
        right. It is told what the player to move can know, so it is for that player.
        """
        return why(self._rules, self.state, move, self.moves())

    # ---- copies, views ----------------------------------------------------------------------

    def __copy__(self) -> Table:
        """Return a copy that goes its own way, for `copy.copy`."""
        return self.copy()

    def __deepcopy__(self, memo: object) -> Table:
        """Return a copy that goes its own way, for `copy.deepcopy`: what never changes is shared."""
        return self.copy()

    def copy(self, seed: int | None = None) -> Table:
        """Return a table with the same future; with a seed, one whose chance goes another way."""
        new = type(self).__new__(type(self))
        rules = new._rules = self._rules
        new._stalled, new._fault = self._stalled, self._fault
        new.state = rules.shape.copy(self.state)
        new._max_decisions, new._origin, new._past = self._max_decisions, self._origin, self._past
        new._found = self._found
        new._telling = None if self._telling is None else self._telling.copy(rules.shape)
        if seed is not None:
            new._turn_chance(seeded(seed))
        return new

    def resample(self, seat: int, seed: int) -> Table:
        """Return a table that the seat holds possible, for all it has seen: each as likely as the next.

        What the seat sees and remembers is as it was, what it can't know is drawn anew, and so is all chance to come.
        The log of the seat goes on; those of other seats begin with what this seat knows that they have been told.
        """
        told, memory = self._remembered(seat)
        own = self.legal() if self.turn == seat and self._fault is None else None
        new = self.copy()
        new.state, found = resampled(self._rules, self.state, memory, seed, own)
        new._found = None if new._stalled else found
        new._origin, new._past = self._rules.shape.copy(new.state), ()
        telling = new._telling = Telling(begun=True, before=told)
        telling.recollection = Recollection(self._rules.viewer)
        telling.recollection.begin(seat, told, memory)
        return new

    def knows(self, seat: int) -> dict[str, Any]:
        """Return the cards that the seat sees or remembers, JSON-ready, for each zone as in a view.

        Of a zone: its size; `cards`, None where the seat can't tell; and `somewhere`, the cards that it knows to be
        among those, but not where.
        """
        return known(self._rules.shape, self._remembered(seat)[1])

    def _remembered(self, seat: int) -> tuple[Any, Memory]:
        """Return what a seat has been told and knows."""
        telling = self._wanted()
        if telling.recollection is None:
            telling.recollection = Recollection(self._rules.viewer)
        return telling.recollection.of(self._retold(), self._seat(seat))

    def _wanted(self) -> Telling:
        """Return what the table keeps for its log, made now if nobody has asked before."""
        if self._telling is None:
            self._telling = Telling()
        return self._telling

    def _begun(self) -> bool:
        """Return whether the table began in the middle of a game."""
        return self._telling is not None and self._telling.begun

    def _turn_chance(self, chance: int) -> None:
        """Let chance go another way from here on."""
        self.state[CHANCE] = chance
        self._past = (self._past, ("chance", chance))

    def save(self) -> str:
        """Return the game so far as a text in JSON, from which `restore` of either back end makes the same table.

        It shows every card and what chance will bring. Raises the fault of a game that has broken off.
        """
        if self._fault is not None:
            raise self._fault
        setup, shape = self._rules.setup, self._rules.shape
        before = EMPTY_LOG if self._telling is None else self._telling.before
        return save_text(
            {
                "game": shape.name,
                "spec": setup.spec,
                "players": shape.players,
                "parameters": dict(setup.parameters),
                "max_decisions": self._max_decisions,
                "origin": packed(self._origin) if self._begun() else {"chance": self._chance()},
                **({"before": as_list(before)} if before else {}),
                "past": [{x[0]: x[1]} if isinstance(x, tuple) else x for x in self._entries()],
                "table": shown_whole(shape, self._standing()),
            }
        )

    def _chance(self) -> int | str:
        """Return the state of chance at the beginning, or that it is explicit."""
        chance = self._origin
        return chance if isinstance(chance, int) else "explicit"

    def _standing(self) -> State:
        """Return the state as it stands at a decision or the end."""
        return self.state

    def _entries(self) -> list[Any]:
        """Return what has been done since the beginning: numbers of moves, and turns of chance."""
        past = []
        chain = self._past
        while chain:
            chain, entry = chain
            past.append(entry)
        return past[::-1]

    def view(self, seat: int) -> dict[str, Any]:
        """Return what the seat sees of the table now, JSON-ready."""
        return self._rules.viewer.view(self.state, self._seat(seat), self.outcome)

    def log(self, seat: int | None) -> list[dict[str, Any]]:
        """Return what has happened as the seat knows it, oldest first, JSON-ready.

        For None as one who sees every card knows it: for the designer, never for a seat.
        """
        return self._rules.viewer.log(self._retold(), None if seat is None else self._seat(seat))

    def _retold(self) -> State:
        """Return the state with its log: the moves since the last time are played again on a state that keeps one."""
        telling, rules = self._wanted(), self._rules
        told = telling.told
        if told is None:
            told = telling.told = self._untold()
            if not telling.begun:
                self._again(rules.advance, told)
        for entry in self._entries()[telling.moves :]:
            if isinstance(entry, tuple):
                told[CHANCE] = entry[1]
            else:
                self._again(partial(self._replay, entry), told)
            telling.moves += 1
        return told

    def _replay(self, number: int, S: State) -> None:
        self._rules.play(S, number, self._rules.find(S))

    def _untold(self) -> State:
        """Return the state in which the table began, with a log that tells only how the cards lay."""
        shape, telling = self._rules.shape, self._wanted()
        if telling.begun:
            told = shape.copy(self._origin)
        else:
            told = self._rules.first(0, False)
            told[CHANCE] = self._origin
        everyone = 0 if telling.begun else (1 << self.players) - 1
        told[LOG] = (telling.before, lie(shape, told, everyone))
        return told

    def _again(self, play: Callable[[State], None], told: State) -> None:
        """Play something again that may have ended in a fault."""
        try:
            play(told)
        except Fault:
            return

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.players:
            raise ValueError(f"seats go from 0 to {self.players - 1}, and {seat} is none of them")
        return seat

    def broken(self, fault: Fault) -> Fault:
        """Return the fault with the table as it stood; the table can't go on."""
        S = self.state
        S[STEPS] = 0  # how often a loop went round is not how the table stands
        if not fault.table:
            fault = Fault(fault.message, fault.line, self._rules.shape.in_words(S))
        self._fault = fault
        return fault


# ---- chancetable: A table with explicit chance: random events are choices of the table, with their probabilities.

class ChanceTable(Table):
    """A game in progress in which chance has a turn of its own, `CHANCE_SEAT`, and its outcomes are legal moves.

    At such a turn the table is as it stood when chance was asked, in the middle of what the last move brings about.
    """

    __slots__ = ("_base", "_base_found", "_given", "_making", "_outcomes", "_told_past")

    def __init__(self, rules: Rules, state: State, max_decisions: int) -> None:
        state[CHANCE] = Chances(rules.shape, rules.chance_shape())
        super().__init__(rules, state, max_decisions)
        self._outcomes: tuple[Outcome, ...] = ()
        self._told_past: Any = None
        self._run_from(state, None, None)

    # ---- running ----------------------------------------------------------------------------

    def _run_from(self, base: State, move: int | None, found: Any) -> None:
        """Make a move, or begin the game, on a state that is kept until chance has settled what follows."""
        self._base, self._making, self._base_found = base, move, found
        self._given: tuple[int, ...] = ()
        self._run()

    def _run(self) -> None:
        """Make the move once more, with the outcomes known by now."""
        self._found, self._outcomes = None, ()
        self.state = self._rules.shape.copy(self._base)
        try:
            self._make(self.state, self._making, self._given, self._base_found)
        except Undecided as undecided:
            self._outcomes = undecided.outcomes
        except Fault as fault:
            raise self.broken(fault) from None
        except RecursionError:
            raise self.broken(Fault(TOO_DEEP)) from None
        if self.state[DECISIONS] >= self._max_decisions and self.state[SEAT] >= 0 and not self._outcomes:
            self._stalled = True

    def _make(self, S: State, move: int | None, given: tuple[int, ...], found: Any) -> None:
        S[CHANCE] = S[CHANCE].fresh(given)
        if move is None:
            self._rules.advance(S)
        else:
            self._rules.play(S, move, self._rules.find(S) if found is None else found)

    def step(self, number: int) -> None:
        """Make a move, or lay down an outcome of chance. IllegalMove, with nothing changed, if it is not possible."""
        if self._outcomes:
            if all(x.number != number for x in self._outcomes):
                raise IllegalMove(f"outcome {number} is not possible now")
            self._past = (self._past, ("outcome", number))
            self._given = (*self._given, number)
            self._run()
            return
        found = self._legal()
        if number not in found:
            raise self._illegal(number)
        self._past = (self._past, number)
        self._run_from(self.state, number, found)

    # ---- where the game stands --------------------------------------------------------------

    @property
    def turn(self) -> int | None:
        """The seat to move, counted from 0; CHANCE_SEAT where chance is asked; None when the game is over."""
        return CHANCE_SEAT if self._outcomes else super().turn

    @property
    def outcome(self) -> str:
        """`finished`, `stalled` after too many decisions, or nothing while the game goes on."""
        return "" if self._outcomes else super().outcome

    @property
    def ask(self) -> str:
        """What the seat to move is asked."""
        return "chance" if self._outcomes else super().ask

    def chances(self) -> list[tuple[int, Fraction, str]]:
        """Return the outcomes of chance by ascending number, with probabilities that sum to 1; none at other turns."""
        return [(x.number, x.probability, x.text) for x in self._outcomes]

    def legal(self) -> list[int]:
        """Return the numbers of the legal moves or outcomes, ascending; none when the game is over."""
        return [x.number for x in self._outcomes] or super().legal()

    def moves(self) -> list[Move]:
        """Return the legal moves, or the outcomes of chance as moves of an option `chance`."""
        if not self._outcomes:
            return super().moves()
        return [Move(x.number, "chance", (x.text,), f"chance({x.text})", x.text, "") for x in self._outcomes]

    def why(self, move: Move | int | str) -> Why:
        """Return whether a move is allowed and what forbids it; at a turn of chance, chance comes first."""
        if not self._outcomes:
            return super().why(move)
        words = str(move.number if isinstance(move, Move) else move)
        if any(words in (str(m.number), m.call, m.text) for m in self.moves()):
            return Why(words, True, (words,))
        return Why(words, False, (), (Reason("", "chance comes first"),))

    # ---- copies, views ----------------------------------------------------------------------

    def copy(self, seed: int | None = None) -> ChanceTable:
        """Return a table with the same future. There is no seed here that could be another: ValueError."""
        new = super().copy(seed)
        assert isinstance(new, ChanceTable)
        new._base, new._base_found = self._base, self._base_found
        new._making, new._given, new._outcomes = self._making, self._given, self._outcomes
        new._told_past = self._told_past
        return new

    def resample(self, seat: int, seed: int) -> Table:
        """Return a table that the seat holds possible. ValueError at a turn of chance, in the middle of a move."""
        if self._outcomes:
            raise ValueError("chance comes first: a table is dealt anew where a player is to move")
        return super().resample(seat, seed)

    def _turn_chance(self, chance: int) -> None:
        raise ValueError("chance is explicit at this table: there is no seed")

    def view(self, seat: int) -> dict[str, Any]:
        """Return what the seat sees of the table now, JSON-ready."""
        shown = super().view(seat)
        return {**shown, "turn": CHANCE_SEAT} if self._outcomes else shown

    def _standing(self) -> State:
        return self._base if self._outcomes else self.state

    def _retold(self) -> State:
        """Return the state with its log, made by playing all again, once for each position."""
        telling = self._wanted()
        if telling.told is not None and self._told_past is self._past:
            return telling.told
        told = self._untold()
        runs: list[tuple[int | None, list[int]]] = [(None, [])]
        for entry in self._entries():
            if isinstance(entry, tuple):
                runs[-1][1].append(entry[1])
            else:
                runs.append((entry, []))
        for move, given in runs:
            try:
                self._make(told, move, tuple(given), None)
            except (Fault, Undecided):
                break
        telling.told, self._told_past = told, self._past
        return told


# ---- game: A playable game, whatever runs it: player counts, parameters, new tables, whole games of random choices.

MOST_RULES = 32


class Setting(NamedTuple):
    """A parameter: a number within bounds, one of some numbers or words, or yes and no; its rule text."""

    name: str
    first: int
    low: int | None
    high: int | None
    words: tuple[str, ...]
    values: tuple[int, ...]
    text: str

    @property
    def default(self) -> str:
        """The default as people write it."""
        return str(self.written(self.first))

    def written(self, value: int) -> int | str:
        """Return a value as people write it."""
        return self.words[value] if self.words else value

    @property
    def domain(self) -> str:
        """What may be set, in words."""
        if self.words:
            return ", ".join(self.words)
        if self.values:
            return ", ".join(map(str, self.values))
        return "any number" if self.low is None else f"{self.low}..{self.high}"

    def value(self, given: Any) -> int:
        """Return a value as the game keeps it; ValueError in words if it can't be one."""
        if self.words == ("no", "yes"):
            key = given.lower() if isinstance(given, str) else given
            answers = {"yes": 1, "no": 0, "true": 1, "false": 0, True: 1, False: 0}
            if key in answers:
                return answers[key]
            raise ValueError(f"{self.name} is yes or no, not {given}")
        if self.words:
            if given in self.words:
                return self.words.index(given)
            raise ValueError(f"{self.name} is one of {', '.join(self.words)}, not {given}")
        try:
            number = int(given)
        except (TypeError, ValueError):
            raise ValueError(f"{self.name} is a number, not {given}") from None
        if (self.low is not None and number < self.low) or (self.high is not None and number > self.high):
            raise ValueError(f"{self.name} goes from {self.low} to {self.high}, and {number} is outside")
        if self.values and number not in self.values:
            raise ValueError(f"{self.name} is one of {self.domain}, not {number}")
        return number


class Running(Rules, Protocol):
    """Rules that can also begin a game; `space` is how many numbers its moves have."""

    space: int

    def wander(self, S: State, choice: int, most: int, counts: list[int]) -> None:
        """Play a new game by random choices from the stream `choice`, to its end or until `most` decisions are made.

        Leaves in `counts`, also after a fault, the sum of the numbers of legal moves and the decisions with one.
        """


class BaseGame:
    """What every playable game has. A back end says how rules are made, and may have tables of its own.

    `spec` is the hash of the spec, `teams` how many teams there are, or 0.
    """

    tables: type[Table] = Table

    def __init__(
        self,
        name: str,
        text: str,
        counts: Sequence[int],
        settings: Sequence[Setting],
        spec: str = "",
        teams: int = 0,
    ) -> None:
        self.name = name
        self.spec = spec
        self.text = text
        self.counts = tuple(counts)
        self.teams = teams
        self.parameters = {x.name: x for x in settings}
        self._started = self.tables.started
        self._rules: dict[tuple[int, tuple[int, ...]], Running] = {}
        # Those of each player count with all parameters as they are set at first.
        self._plain: dict[int | None, Running] = {}

    def make_rules(self, players: int, values: Mapping[str, int]) -> Running:
        """Return what runs the game for so many players with these parameters."""
        raise NotImplementedError

    def setting(self, name: str, given: Any) -> Any:
        """Return a parameter's value as a person typed it; ValueError in words if it can't be one."""
        self._settle({name: given})
        return given

    def _settle(self, given: Mapping[str, Any]) -> dict[str, int]:
        values = {x.name: x.first for x in self.parameters.values()}
        for name, value in given.items():
            if name not in self.parameters:
                near = difflib.get_close_matches(name, self.parameters, n=1, cutoff=0.5)
                there = ", ".join(self.parameters) or "none"
                hint = f"; did you mean `{near[0]}`?" if near else f"; there are: {there}"
                raise ValueError(f"{self.name} has no parameter `{name}`{hint}")
            values[name] = self.parameters[name].value(value)
        return values

    def rules(self, players: int | None, given: Mapping[str, Any]) -> Running:
        """Return what runs the game, made once for each setting; ValueError in words for a setting it is not for."""
        count = self.counts[0] if players is None else players
        if count not in self.counts:
            low, high = self.counts[0], self.counts[-1]
            allowed = f"{low} players" if low == high else f"{low} to {high} players"
            raise ValueError(f"{self.name} is for {allowed}, not {count}")
        if not given and count in self._plain:
            return self._plain[count]
        values = self._settle(given)
        key = (count, tuple(values.values()))
        if key not in self._rules:
            if len(self._rules) >= MOST_RULES:
                self._rules.pop(next(iter(self._rules)))
            self._rules[key] = self.make_rules(count, values)
            written = {name: self.parameters[name].written(value) for name, value in values.items()}
            self._rules[key].setup = Setup(self.spec, written)
        if not given:
            self._plain[count] = self._rules[key]
        return self._rules[key]

    def start(
        self,
        players: int | None = None,
        seed: int = 0,
        max_decisions: int = MOST_DECISIONS,
        chance: str = "seeded",
        **parameters: Any,
    ) -> Table:
        """Return a table at its first decision. The same arguments give the same game, on every version of Python.

        `players` is the smallest count if left out. With chance="explicit" random events are choices of the table, and
        the seed means nothing: see `ChanceTable`. Raises ValueError in words for arguments that the game does not
        know, Fault if the game breaks before its first decision.
        """
        # What `rules` would find, found without a call: games are started by the million.
        rules = None if parameters or players not in self.counts else self._plain.get(players)
        if rules is None:
            rules = self.rules(players, parameters)
        if chance != "seeded":
            return self._explicit(rules, chance, max_decisions)
        return self._started(rules, seeded(seed), max_decisions)

    def _explicit(self, rules: Running, chance: str, max_decisions: int) -> Table:
        """Return a table whose chance is explicit, if that is what it is to be."""
        if chance != "explicit":
            raise ValueError(f"chance is seeded or explicit, not {chance}")
        return ChanceTable(rules, rules.first(0, False), max_decisions)

    def restore(self, text: str) -> Table:
        """Return the table that was saved as a text, by this back end or the other, with its log.

        Raises ValueError in words for a save of another game or of a spec that has changed since, and for one that is
        cut off, damaged or edited.
        """
        data = read_save(text, self.name, self.spec)
        try:
            table = self._again(data)
            same = canonical(json.loads(table.save())) == canonical(data)
        except (
            ArithmeticError,
            AttributeError,
            Fault,
            LookupError,
            RecursionError,
            TypeError,
            ValueError,
        ) as wrong:
            told = str(wrong) if isinstance(wrong, ValueError | Fault) else "its parts do not fit together"
            raise ValueError(told if told.startswith(DAMAGED) else f"{DAMAGED}: {told}") from None
        if not same:
            raise ValueError(f"{DAMAGED}: its moves do not lead to its table")
        return table

    def _beginning(self, rules: Running, origin: Any, before: Any, most: int) -> Table:
        """Return the table that a save begins with: by its chance, or by the whole state of one begun in the middle."""
        if not isinstance(origin, dict):
            table = self.tables(rules, unpacked_state(rules.shape, origin), most, begun=True)
            table._wanted().before = as_chain(before)
            return table
        if origin["chance"] == "explicit":
            return ChanceTable(rules, rules.first(0, False), most)
        return self.tables.started(rules, _whole(origin["chance"]), most)

    def _again(self, data: Mapping[str, Any]) -> Table:
        """Return the table that the moves of a save lead to; any of several exceptions where they lead nowhere."""
        rules = self.rules(data["players"], dict(data["parameters"]))
        table = self._beginning(rules, data["origin"], data.get("before", ()), data["max_decisions"])
        for entry in data["past"]:
            if isinstance(entry, dict) and "outcome" in entry:
                if not table.chances():
                    raise ValueError("an outcome stands where chance is not asked")
                table.step(entry["outcome"])
            elif table.chances():
                raise ValueError("an outcome of chance is missing")
            elif isinstance(entry, dict):
                table._turn_chance(_whole(entry["chance"]))
            elif type(entry) is int:
                table.step(entry)
            else:
                raise ValueError("a move has no number")
        return table

    def space(self, players: int | None = None) -> int:
        """Return how many numbers the moves of the game have, for so many players."""
        return self.rules(players, {}).space

    def playouts(
        self,
        n: int,
        players: int | None = None,
        seed: int = 0,
        first: int = 0,
        max_decisions: int = MOST_DECISIONS,
        **parameters: Any,
    ) -> Iterator[Playout]:
        """Yield n games played by random choices, one by one.

        Game i is start(seed=mix(seed, i)) with choices from the stream mix(seed, i, 1), so that any of them can be seen
        again alone.
        """
        rules = self.rules(players, parameters)
        base = scramble(seed & MASK64)
        mixed = (scramble((base + i) & MASK64) for i in range(first, first + n))  # as by `mix`
        return (playout(rules, x & MASK63, scramble((x + 1) & MASK64) & MASK63, max_decisions) for x in mixed)


def _whole(value: Any) -> int:
    """Return a state of chance; ValueError if it is none."""
    if type(value) is not int or not 0 <= value <= MASK63:
        raise ValueError("its chance is none")
    return value


def playout(rules: Running, seed: int, choice: int, most: int) -> Playout:
    """Return one game of random choices."""
    S = rules.first(seeded(seed), False)
    counts = [0, 0]
    outcome, words = "finished", ""
    scores, winners = (0,) * rules.shape.players, tuple[int, ...]()
    try:
        rules.wander(S, choice, most, counts)
        if S[SEAT] >= 0:
            outcome = "stalled"
        scores = rules.scores(S)
        winners = rules.winners(S) if outcome == "finished" else ()
    except Fault as fault:
        outcome, words = "fault", str(fault)
    except RecursionError:
        outcome, words = "fault", TOO_DEEP
    return Playout(scores, winners, S[DECISIONS], outcome, words, *counts)


# ---- running: What compiled rules share: moving pieces, chance, and the run from decision to decision.

def ordered(pairs: Sequence[tuple[int, Any]], word: str) -> list[Any]:
    """Return the second parts of (key, item), by rising or falling key; equal keys stay in order."""
    return [item for _, item in sorted(pairs, key=lambda pair: pair[0], reverse=word == "highest")]


new_object = object.__new__


class CompiledTable(Table):
    """A table of a compiled game: it asks the module itself, with as few calls between as can be.

    From move to move the game is carried on by `run`, the rules as one function that keeps the state in variables of
    its own. Whoever wants the state ends that function, and the next move is made without it: who looks once looks
    again. The function notes no places of pieces: that is done when somebody looks.
    """

    __slots__ = ("_looked", "_own", "_placed", "_run", "turn")
    _rules: CompiledRules
    _placed: bool
    turn: int | None

    @property
    def state(self) -> State:
        """The state of the table, brought up to date."""
        if self._run is not None:
            self._rest()
        if not self._placed:
            self._rules.note_places(self._own)
            self._placed = True
        self._looked = True
        return self._own

    @state.setter
    def state(self, state: State) -> None:
        self._own = state
        self._run: Generator[list[int], int, None] | None = None
        self._looked = False
        self._placed = True
        self._read_turn()

    def _read_turn(self) -> None:
        """Set `turn` by the state: it is asked so often that a table has it ready."""
        seat = self._own[SEAT]
        self.turn = seat if seat >= 0 and not self._stalled else None

    @classmethod
    def started(cls, rules: CompiledRules, chance: int, max_decisions: int) -> Table:
        """Return a table at its first decision, by the state of chance before the first statement.

        Fault if the game breaks before.
        """
        # As `Table.started` does, with as few steps as can be: every game begins here.
        table = new_object(cls)
        table._rules = rules
        table._own = S = (rules.beginning or rules.begun()).state(chance, False)
        table._max_decisions = max_decisions
        table._origin = chance
        table._telling = table._fault = table._found = table._run = None
        table._past = ()
        table._looked = table._stalled = False
        table._placed = rules.run is None
        try:
            if rules.run is None:
                rules.advance(S)
            else:
                table._run = run = rules.run(S, max_decisions, -1, [])
                table._found = next(run)
        except StopIteration:
            table._run = None
        except Fault as fault:
            table._run = None
            raise table.broken(fault) from None
        seat = S[SEAT]
        table.turn = seat if seat >= 0 else None
        return table

    @property
    def decisions(self) -> int:
        """How many decisions have been made."""
        S = self._own if self._run is None else self.state
        made: int = S[DECISIONS]
        return made

    def copy(self, seed: int | None = None) -> CompiledTable:
        """Return a table with the same future; with a seed, one whose chance goes another way."""
        # As `Table.copy` does, past the properties: searches copy tables by the million.
        new = new_object(type(self))
        new._rules = rules = self._rules
        if self._run is not None:
            self._rest()
        self._looked = True
        new._own = rules.shape.copy(self._own)
        new._placed = self._placed
        new._run = None
        new._looked = False
        new.turn, new._stalled, new._fault, new._found = self.turn, self._stalled, self._fault, self._found
        new._max_decisions, new._origin, new._past = self._max_decisions, self._origin, self._past
        new._telling = None if self._telling is None else self._telling.copy(rules.shape)
        if seed is not None:
            new._turn_chance(seeded(seed))
        return new

    @property
    def outcome(self) -> str:
        """`finished`, `stalled` after too many decisions, or nothing while the game goes on; asked of no state."""
        if self._stalled:
            return "stalled"
        return "finished" if self._own[SEAT] < 0 else ""

    def _rest(self) -> None:
        """End the function that carries the game on; it writes the state."""
        if self._run is not None:
            self._run.close()
            self._run = None

    def legal(self) -> list[int]:
        """Return the numbers of the legal moves, ascending; none when the game is over."""
        found = self._found
        if not found:
            self._rest()
            S = self._own
            if S[SEAT] < 0 or self._stalled or self._fault is not None:
                return list(self._legal())
            try:
                found = self._rules.finders[S[BLOCK]](S) or self._rules.find(S)
            except Fault as fault:
                raise self.broken(fault) from None
            except RecursionError:
                raise self.broken(Fault(TOO_DEEP)) from None
            self._found = found
        moves: list[int] = found.copy()
        return moves

    def step(self, number: int) -> None:
        """Make the move of that number. Raises IllegalMove, and changes nothing, if it is not legal."""
        if number not in (self._found or self._legal()):
            raise self._illegal(number)
        run = self._run
        try:
            if run is None:
                run = self._begun_run()
                if run is None:
                    self._one(number)
                    return
            self._past = (self._past, number)
            self._found = run.send(number)
            self.turn = self._own[SEAT]
        except StopIteration:
            self._found = self._run = None
            S = self._own
            self._stalled = S[SEAT] >= 0 and S[DECISIONS] >= self._max_decisions
            self.turn = None
        except Fault as fault:
            self._found = self._run = None
            self._read_turn()
            raise self.broken(fault) from None
        except RecursionError:
            self._found = self._run = None
            self._read_turn()
            raise self.broken(Fault(TOO_DEEP)) from None
        except BaseException:  # somebody has stopped it in the middle
            self._found = self._run = None
            self._read_turn()
            raise

    def _begun_run(self) -> Generator[list[int], int, None] | None:
        """Return the function that carries the game on, at its first decision; None where the state is looked at."""
        S, rules = self._own, self._rules
        over = S[DECISIONS] >= self._max_decisions  # the function would make no move
        if self._looked or over or rules.run is None or S[LOG] is not None or type(S[CHANCE]) is not int:
            self._looked = False
            return None
        run = self._run = rules.run(S, self._max_decisions, -1, [])
        self._placed = False
        next(run)
        return run

    def _one(self, number: int) -> None:
        """Make a legal move on the state itself."""
        S, rules = self._own, self._rules
        self._found = None
        self._past = (self._past, number)
        S[DECISIONS] = made = S[DECISIONS] + 1
        block = rules.players_of[S[BLOCK]](S, number)
        while block >= 0:
            block = rules.blocks[block](S)
        S[STEPS] = 0
        if made >= self._max_decisions and S[SEAT] >= 0:
            self._stalled = True
        self._read_turn()


class CompiledRules(Pieces):
    """The rules of a compiled game for one player count and one setting; a module adds blocks, choices and result."""

    space = 0
    start_block = 0
    blocks: Sequence[Callable[[State], int]]
    finders: Mapping[int, Callable[[State], list[int]]]
    players_of: Mapping[int, Callable[[State, int], int]]
    placers: Mapping[int, Callable[[State, int], tuple[int, tuple[int, ...]]]]
    asked_of: Mapping[int, Sequence[AskedShape]]
    chanced: ChanceShape
    askers: Mapping[int, Sequence[Callable[..., Any]]]
    run: Callable[[State, int, int, list[int]], Generator[list[int], int, None]] | None = None

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        self.beginning: Beginning | None = None  # made when it is wanted first
        self.viewer = Viewer(shape)
        self.setup = Setup()
        self.n = shape.players
        self.kind_of = shape.kind_of
        self.first_of = shape.first_of
        self.bit_of = [1 << kind for kind in shape.kind_of]

    def first_values(self) -> Sequence[tuple[int, int]]:
        """Return the first value of each variable, by place in the state."""
        raise NotImplementedError

    def scores(self, S: State) -> tuple[int, ...]:
        """Return for each seat the value that the result ranks first."""
        raise NotImplementedError

    def winners(self, S: State) -> tuple[int, ...]:
        """Return the seats that have won."""
        raise NotImplementedError

    def first(self, chance: int, log: bool) -> State:
        """Return a state before the first statement."""
        return (self.beginning or self.begun()).state(chance, log)

    def begun(self) -> Beginning:
        """Return how all games begin, worked out."""
        self.beginning = Beginning(self.shape, self.start_block, self.first_values())
        return self.beginning

    def advance(self, S: State) -> None:
        """Run on to the next decision or the end."""
        block = S[BLOCK]
        while block >= 0:
            block = self.blocks[block](S)
        S[STEPS] = 0

    def find(self, S: State) -> list[int]:
        """Return the numbers of the legal moves, ascending. Raises Fault if there are none."""
        block = S[BLOCK]
        found = self.finders[block](S)
        if not found:
            choice = self.shape.choices[block]
            names = ", ".join(o.name for o in choice.options)
            raise Fault(
                f"player {S[SEAT] + 1} must choose among {names}, and none of them is possible", choice.line
            )
        return found

    def place(self, S: State, number: int, found: object) -> tuple[int, tuple[int, ...]]:
        """Return a legal move as the place of its option and its arguments."""
        return self.placers[S[BLOCK]](S, number)

    def play(self, S: State, number: int, found: object) -> None:
        """Make a legal move and run on to the next decision or the end."""
        S[DECISIONS] += 1
        block = self.players_of[S[BLOCK]](S, number)
        while block >= 0:
            block = self.blocks[block](S)
        S[STEPS] = 0

    def wander(self, S: State, choice: int, most: int, counts: list[int]) -> None:
        """Play a new game by random choices, to its end or until `most` decisions have been made."""
        choices = forced = 0
        try:
            if self.run is None:
                self.advance(S)
            else:
                totals: list[int] = []
                try:
                    for _ in self.run(S, most, choice, totals):
                        pass
                finally:
                    choices, forced, choice = totals
            finders, players_of, blocks = self.finders, self.players_of, self.blocks
            while S[SEAT] >= 0 and S[DECISIONS] < most:
                at = S[BLOCK]
                found = finders[at](S) or self.find(S)
                count = len(found)
                choices += count
                forced += count == 1
                choice = (choice * MULTIPLIER + INCREMENT) & MASK63
                S[DECISIONS] += 1
                block = players_of[at](S, found[(choice * count) >> 63])
                while block >= 0:
                    block = blocks[block](S)
                S[STEPS] = 0
        finally:
            counts[:] = choices, forced

    def chance_shape(self) -> ChanceShape:
        """Return what explicit chance must know of the program."""
        return self.chanced

    def asked(self, block: int, option: int) -> AskedShape:
        """Return what an option asks."""
        return self.asked_of[block][option]

    def ask(self, S: State, block: int, option: int, part: int, values: tuple[int, ...]) -> Any:
        """Return what an argument may be, as zone or -1 and elements; from behind the arguments on, a condition."""
        missing = len(self.asked_of[block][option].sources) - len(values)
        return self.askers[block][option](S, part, *values, *[-1] * missing)

    def no_block(self, S: State) -> int:
        """Stand in for a block that is part of another one's method."""
        raise AssertionError(f"block {S[BLOCK]} is never entered by its number")

    def over(self, S: State, winner: int) -> int:
        """End the game."""
        S[SEAT] = -1
        S[WINNER] = winner
        if S[LOG] is not None:
            S[LOG] = (S[LOG], ("over",))
        return -1

    # ---- asking -----------------------------------------------------------------------------

    def seats(self, seat: int, first: int) -> list[int]:
        """Return the seats clockwise from a player, the player too if `first` is 0."""
        return [(seat + i) % self.n for i in range(first, self.n)]

    def in_order(self, S: State, zone: int) -> list[int]:
        """Return the pieces of a zone as names run through them: a pile from its top."""
        pieces: list[int] = S[zone]
        return pieces[::-1] if self.shape.is_pile[zone] else pieces

    def end_piece(self, S: State, zone: int, top: bool, line: int) -> int:
        """Return the piece at one end of a zone; an empty zone is a fault."""
        pieces: list[int] = S[zone]
        if not pieces:
            word = "top" if top else "bottom"
            raise Fault(
                f"`{self.shape.zone_name[zone][0]}` is empty, so it has no {word} {self.shape.piece_word}",
                line,
            )
        return pieces[-1 if top else 0]

    def is_in(self, S: State, piece: int, zone: int) -> bool:
        """Return whether a piece, if it is one, lies in a zone."""
        there = S[zone]
        # One that a seat can't look into tells nothing but by the place of a piece, if the seat knows that.
        return piece in there if type(there) is list else piece >= 0 and S[PLACE][piece] == zone

    def lies(self, S: State, zone: int, kinds: list[int], in_order: bool) -> bool:
        """Return whether a zone holds just these kinds."""
        there = [self.kind_of[x] for x in S[zone]]
        return there == kinds if in_order else sorted(there) == sorted(kinds)

    def of_types(self, table: Sequence[bool]) -> list[bool]:
        """Return for each piece whether its kind passes a test of its type."""
        return [table[k] for k in self.kind_of]

    # ---- doing ------------------------------------------------------------------------------

    def move(self, S: State, count: int, source: int, target: int) -> list[int]:
        """Move pieces from the top of a pile; return them."""
        drawn = self.draw(S, source, count)
        self.land(S, drawn, source, target)
        return drawn

    def move_top(self, S: State, source: int, target: int) -> int:
        """Move one piece from the top of a pile; return it as a set."""
        pile: list[int] = S[source]
        if not pile or S[LOG] is not None or type(S[CHANCE]) is not int:
            return mask_of(self.move(S, 1, source, target))
        piece = pile.pop()
        if self.shape.is_pool[target]:
            insort(S[target], piece)
        else:
            S[target].append(piece)
        S[PLACE][piece] = target
        return 1 << piece


# ---- play: Playing in the terminal, one line at a time: what a module does when it is run.

CARDS_SHOWN = 12  # cards of a zone


def main(game: BaseGame) -> int:
    """Play a game against random bots, or count the winners of many random games; return the exit status."""
    parser = argparse.ArgumentParser(
        description=f"Play {game.name}. {game.text.splitlines()[0] if game.text else ''}"
    )
    parser.add_argument("--players", type=int, default=game.counts[0], help="how many play")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same game")
    parser.add_argument("--seat", type=int, default=1, help="your seat, counted from 1")
    parser.add_argument(
        "--games", type=int, default=0, help="play so many random games instead, and count who wins"
    )
    for setting in game.parameters.values():
        name = "--" + setting.name.replace("_", "-")
        parser.add_argument(name, dest=f"set_{setting.name}", default=setting.default, help=setting.domain)
    given = parser.parse_args()
    settings = {name: getattr(given, f"set_{name}") for name in game.parameters}
    try:
        if given.games:
            return count(game, given.games, given.players, given.seed, settings)
        return sit(game.start(given.players, given.seed, **settings), given.seat - 1, given.seed)
    except BrokenPipeError:
        # The reader has gone, as `head` does; Python must not complain of it on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, Fault) as wrong:
        print(wrong, file=sys.stderr)
        return 1
    except (EOFError, KeyboardInterrupt):
        print()
        return 0


def count(game: BaseGame, games: int, players: int, seed: int, settings: dict[str, Any]) -> int:
    """Play random games; print who won how often, and what became of games without an end. Return the exit status."""
    won = [0.0] * players
    stalled = 0
    broken: dict[str, list[Any]] = {}  # by what they have in common: words, how often
    for played in game.playouts(games, players, seed, **settings):
        for seat in played.winners:
            won[seat] += 1 / len(played.winners)
        stalled += played.outcome == "stalled"
        if played.outcome == "fault":
            broken.setdefault(sort_of_fault(played.fault), [played.fault, 0])[1] += 1
    for seat, wins in enumerate(won):
        print(f"player {seat + 1}: {wins:g} of {games}")
    if stalled:
        print(f"{_games(stalled)} did not end")
    for words, often in broken.values():
        print(f"{_games(often)} broke off with a fault of the rules: {words}")
    sys.stdout.flush()
    return 1 if broken else 0


def _games(number: int) -> str:
    return f"{number} game" + ("s" if number > 1 else "")


def sit(table: Table, seat: int, seed: int) -> int:
    """Let a person play one seat; random bots play the others."""
    told, choice = 0, mix(seed, 0, 1)
    while table.turn is not None:
        log = table.log(seat)
        for event in log[told:]:
            print(event["text"])
        told = len(log)
        moves = table.moves()
        if table.turn != seat:
            choice, which = pick(choice, len(moves))
            table.play(moves[which])
            continue
        show(table.view(seat))
        for place, move in enumerate(moves, 1):
            print(f"  {place}  {move}")
        typed = input("your move, or quit: ").strip()
        if typed in ("quit", "q"):
            return 0
        try:
            table.play(moves[int(typed) - 1] if typed.isdecimal() and 0 < int(typed) <= len(moves) else typed)
        except IllegalMove as wrong:
            why = table.why(typed)
            print(wrong if why.allowed else why)
    for event in table.log(seat)[told:]:
        print(event["text"])
    print("scores:", ", ".join(f"player {s + 1} {score}" for s, score in enumerate(table.scores)))
    print("won by", " and ".join(f"player {s + 1}" for s in table.winners) or "nobody")
    return 0


def show(view: dict[str, Any]) -> None:
    """Print zones and variables as a seat sees them."""
    for name, zone in view["zones"].items():
        piles = [z for each in _listed(zone) for z in _listed(each)]
        print(f"  {name}: {' | '.join(map(_shown, piles))}")
    for name, value in view["state"].items():
        values = [v + 1 if name in view["seats"] and isinstance(v, int) else v for v in _listed(value)]
        print(f"  {name}: {' | '.join(map(str, values))}")


def _shown(zone: dict[str, Any]) -> str:
    """Return what is seen of a zone: its first cards, and how many there are of those that nobody sees or are left."""
    cards = zone["cards"]
    if cards and not any(cards):
        return f"{len(cards)} unseen"
    more = [f"and {len(cards) - CARDS_SHOWN} more"] if len(cards) > CARDS_SHOWN else []
    return ", ".join([*(c or "?" for c in cards[:CARDS_SHOWN]), *more]) or "empty"


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


# ==== Kuhn poker ====

# ---- places in the state

STAKE = 8  # stake
WINNER_ = 9  # winner
ANSWER_P = 12  # p in answer
PLAY_P = 13  # p in play
ITEMS = 14  # items in play
ITEMS_DONE = 15  # items done in play
PLAY_P_ = 16  # p in play
STOCK = 19  # the pile stock
HAND = 20  # the pile hand, one for each player

# ---- kinds of cards, by number

FACES: tuple[str, ...] = (
    'jack', 'queen', 'king',
)
RANK: tuple[int, ...] = (
    0, 1, 2,
)
LEFT = (1, 0)

# kind, copies, home, least players
DECK: tuple[tuple[int, int, int, int, int], ...] = (
    (0, 1, 19, 1, 16), (1, 1, 19, 1, 16), (2, 1, 19, 1, 16),
)

ZONES = (
    ZoneShape('stock', STOCK, 'pile', 'hidden', False, -1),
    ZoneShape('hand', HAND, 'pile', 'owner', True, -1),
)
VARIABLES: tuple[VariableShape, ...] = (
    VariableShape('stake', STAKE, ('number',), False),
    VariableShape('winner', WINNER_, ('player',), False),
)
CHOICES = {
    1: ChoiceShape('', 41, (
        OptionShape('fold', (), '', 'Who folds loses the ante.', 42),
        OptionShape('call', (), '', 'Who calls plays for one chip more.', 46),
    )),
    4: ChoiceShape('', 29, (
        OptionShape('check', (), '', '', 30),
        OptionShape('bet', (), '', 'The other player must answer a bet.', 31),
    )),
}
# what options ask, for those who want to know why a move is not possible
ASKED: dict[int, tuple[AskedShape, ...]] = {
    1: (
        AskedShape(2, (), (
        ), (
        )),
        AskedShape(3, (), (
        ), (
        )),
    ),
    4: (
        AskedShape(0, (), (
        ), (
        )),
        AskedShape(1, (), (
        ), (
        )),
    ),
}
# what explicit chance must know: piles whose order is settled as they are drawn, where pieces are remembered
CHANCED = ChanceShape((19,), False, ((14, 1, True),))
SETTINGS: tuple[Setting, ...] = (
)


class Rules_(CompiledRules):
    """The rules of Kuhn poker for one player count and one setting of its parameters."""

    space = 4
    start_block = 0

    def __init__(self, players: int, values: Mapping[str, int]) -> None:
        super().__init__(
            Shape('Kuhn poker', players, 2, FACES, DECK, ZONES, VARIABLES, CHOICES, 19)
        )
        self.blocks = (
            self.play_begins,
            self.no_block,
            self.play_2,
            self.play_3,
            self.no_block,
            self.no_block,
            self.no_block,
            self.no_block,
            self.no_block,
        )
        self.finders = {
            1: self.answer_choice_1_moves,
            4: self.play_choice_4_moves,
        }
        self.players_of = {
            1: self.answer_choice_1_play,
            4: self.play_choice_4_play,
        }
        self.placers = {
            1: self.answer_choice_1_arguments,
            4: self.play_choice_4_arguments,
        }
        self.asked_of = ASKED
        self.chanced = CHANCED
        self.askers = {
            1: (self.answer_fold_asks, self.answer_call_asks, ),
            4: (self.play_check_asks, self.play_bet_asks, ),
        }

    def first_values(self) -> Sequence[tuple[int, int]]:
        """Return the first values that are not 0."""
        return (
            (STAKE, 1),
            (WINNER_, NONE),
        )

    def net(self, S: State, p: int) -> int:
        """`net`. (Line 22.)"""
        if S[WINNER_] == NONE:
            return 0
        if p == S[WINNER_]:
            return int(S[STAKE])
        return int(-S[STAKE])

    def play_begins(self, S: State) -> int:
        """Each gets one card. In turn each checks or bets one chip, until one has bet.

        If nobody has folded, the cards are shown and the higher one wins.
        """
        self.shuffle(S, STOCK)  # 26
        self.deal(S, 1, STOCK, HAND)  # 27
        S[ITEMS] = tuple(zip(range(2)))  # 28
        S[ITEMS_DONE] = 0  # 28
        return 2

    def play_2(self, S: State) -> int:
        """Line 28 of the spec."""
        if S[ITEMS_DONE] < len(S[ITEMS]):  # 28
            S[PLAY_P], = S[ITEMS][S[ITEMS_DONE]]
            S[ITEMS_DONE] += 1
            S[SEAT] = S[PLAY_P]  # 29
            S[BLOCK] = 4
            return -1  # 29
        return 3

    def play_choice_4_moves(self, S: State) -> list[int]:
        """Return the numbers of the legal moves."""
        return [0, 1]

    def play_choice_4_play(self, S: State, n: int) -> int:
        """Carry out a move."""
        if n < 1:  # 30
            if S[LOG] is not None:
                self.choosing(S, 0, ())
            return 2
        # The other player must answer a bet.
        if S[LOG] is not None:
            self.choosing(S, 1, ())
        S[ANSWER_P] = (S[PLAY_P] + 1) % 2  # 33
        S[SEAT] = S[ANSWER_P]  # 41
        S[BLOCK] = 1
        return -1  # 41

    def play_choice_4_arguments(self, S: State, n: int) -> tuple[int, tuple[int, ...]]:
        """Return a move as the place of its option and its arguments."""
        if n < 1:
            return 0, ()
        return 1, ()

    def play_check_asks(self, S: State, part: int) -> Any:
        """Return what an argument of check may be, or whether a condition holds."""
        raise IndexError(part)

    def play_bet_asks(self, S: State, part: int) -> Any:
        """Return what an argument of bet may be, or whether a condition holds."""
        raise IndexError(part)

    def play_3(self, S: State) -> int:
        """Line 36 of the spec."""
        for p in range(2):  # 36
            self.show(S, S[HAND + p][:], (1 << 2) - 1)  # 37
        S[WINNER_] = superlative([(RANK[(S[HAND + p] or [self.end_piece(S, HAND + p, True, 38)])[-1]], p) for p in range(2)], "highest", False, "players", 38)  # 38
        S[BLOCK] = 3
        return self.over(S, -1)

    def answer_choice_1_moves(self, S: State) -> list[int]:
        """Return the numbers of the legal moves."""
        return [2, 3]

    def answer_choice_1_play(self, S: State, n: int) -> int:
        """Carry out a move."""
        if n < 3:  # 42
            # Who folds loses the ante.
            if S[LOG] is not None:
                self.choosing(S, 0, ())
            S[WINNER_] = LEFT[S[ANSWER_P]]  # 44
            S[BLOCK] = 7
            return self.over(S, -1)
        # Who calls plays for one chip more.
        if S[LOG] is not None:
            self.choosing(S, 1, ())
        S[STAKE] = 2  # 48
        return 3

    def answer_choice_1_arguments(self, S: State, n: int) -> tuple[int, tuple[int, ...]]:
        """Return a move as the place of its option and its arguments."""
        if n < 3:
            return 0, ()
        return 1, ()

    def answer_fold_asks(self, S: State, part: int) -> Any:
        """Return what an argument of fold may be, or whether a condition holds."""
        raise IndexError(part)

    def answer_call_asks(self, S: State, part: int) -> Any:
        """Return what an argument of call may be, or whether a condition holds."""
        raise IndexError(part)

    def run(self, S: State, most: int, choice: int, totals: list[int]) -> Generator[list[int], int, None]:
        """Play on from where a state stands, without a log: all rules in one function.

        Yields the legal moves of each decision and takes the number of one, until the game is over or `most` are made.
        With a `choice` of 0 or more it chooses by that stream, and yields nothing. `totals` then has how many moves
        there were, how often there was but one, and the stream. The state is as it should be when this has ended.
        `at` is the block to go on with, for a choice the inverse of its number.
        """
        answer_p = S[ANSWER_P]
        play_p = S[PLAY_P]
        items = S[ITEMS]
        items_done = S[ITEMS_DONE]
        stock = S[STOCK]
        hands = S[HAND : HAND + 2]
        block = S[BLOCK]
        at = ~block if S[SEAT] >= 0 else block
        made = S[DECISIONS]
        decisions = iter(range(made + 1, most + 1))
        out: list[int]
        wanders, choices, forced = choice >= 0, 0, 0
        try:
            while True:
                if at == ~4:
                    for made in decisions:
                        try:
                            out = [0, 1]
                        except (Fault, RecursionError):
                            out = []  # whoever asks for the moves is told what is wrong
                        if wanders:
                            count = len(out)
                            choices += count
                            if count < 2:
                                if not count:
                                    S[SEAT] = play_p
                                    made -= 1
                                    return
                                forced += 1
                            choice = (choice * MULTIPLIER + INCREMENT) & MASK63
                            n = out[(choice * count) >> 63]
                        else:
                            S[SEAT] = play_p
                            n = yield out
                        if n < 1:  # 30
                            if items_done < len(items):  # 28
                                play_p, = items[items_done]
                                items_done += 1
                                continue  # 29
                            S[WINNER_] = superlative([(RANK[(hands[p] or [self.end_piece(S, HAND + p, True, 38)])[-1]], p) for p in range(2)], "highest", False, "players", 38)  # 38
                            at, block = ~3, 3
                            S[SEAT], S[WINNER] = -1, -1
                            return
                        # The other player must answer a bet.
                        answer_p = (play_p + 1) % 2  # 33
                        at, block = ~1, 1
                        break  # 41
                    else:
                        S[SEAT] = play_p
                        return
                elif at == ~1:
                    for made in decisions:
                        try:
                            out = [2, 3]
                        except (Fault, RecursionError):
                            out = []  # whoever asks for the moves is told what is wrong
                        if wanders:
                            count = len(out)
                            choices += count
                            if count < 2:
                                if not count:
                                    S[SEAT] = answer_p
                                    made -= 1
                                    return
                                forced += 1
                            choice = (choice * MULTIPLIER + INCREMENT) & MASK63
                            n = out[(choice * count) >> 63]
                        else:
                            S[SEAT] = answer_p
                            n = yield out
                        if n < 3:  # 42
                            # Who folds loses the ante.
                            S[WINNER_] = LEFT[answer_p]  # 44
                            at, block = ~7, 7
                            S[SEAT], S[WINNER] = -1, -1
                            return
                        # Who calls plays for one chip more.
                        S[STAKE] = 2  # 48
                        S[WINNER_] = superlative([(RANK[(hands[p] or [self.end_piece(S, HAND + p, True, 38)])[-1]], p) for p in range(2)], "highest", False, "players", 38)  # 38
                        at, block = ~3, 3
                        S[SEAT], S[WINNER] = -1, -1
                        return
                    S[SEAT] = answer_p
                    return
                elif at == 0:
                    S[CHANCE] = shuffle(S[CHANCE], stock)  # 26
                    if len(stock) >= 2:  # 27
                        dealt = stock[:-3:-1]
                        del stock[-2:]
                        for seat, zone in enumerate(hands):
                            zone += dealt[seat::2]
                    else:
                        self.deal(S, 1, STOCK, HAND)
                    items = tuple(zip(range(2)))  # 28
                    items_done = 0  # 28
                    if items_done < len(items):  # 28
                        play_p, = items[items_done]
                        items_done += 1
                        at, block = ~4, 4
                        continue  # 29
                    at = 3
                    continue
                elif at == 3:
                    S[WINNER_] = superlative([(RANK[(hands[p] or [self.end_piece(S, HAND + p, True, 38)])[-1]], p) for p in range(2)], "highest", False, "players", 38)  # 38
                    at, block = ~3, 3
                    S[SEAT], S[WINNER] = -1, -1
                    return
        except GeneratorExit:  # at a decision that was not made
            made -= 1
            raise
        finally:
            S[BLOCK], S[DECISIONS] = block, made
            S[ANSWER_P] = answer_p
            S[PLAY_P] = play_p
            S[ITEMS] = items
            S[ITEMS_DONE] = items_done
            if wanders:
                totals[:] = choices, forced, choice

    def key(self, S: State, seat: int) -> tuple[int, ...]:
        """Return what the result ranks a player by."""
        return (self.net(S, seat),)

    def scores(self, S: State) -> tuple[int, ...]:
        """Return for each seat the value that the result ranks first."""
        return tuple([self.key(S, seat)[0] for seat in range(self.n)])

    def winners(self, S: State) -> tuple[int, ...]:
        """Return the seats that have won."""
        if S[WINNER] >= 0:
            return self.shape.side(S[WINNER])
        rows = [self.key(S, seat) for seat in range(self.n)]
        best = max(rows)
        return tuple([seat for seat, row in enumerate(rows) if row == best])


class Game(BaseGame):
    """Kuhn poker, for 2 players."""

    tables = CompiledTable

    def __init__(self) -> None:
        text = 'Three cards and one bet: the smallest poker in which one can bluff. The aim is to win chips.'
        counts = [2]
        super().__init__('Kuhn poker', text, counts, SETTINGS, '3eb040489cbbf2cc')

    def make_rules(self, players: int, values: Mapping[str, int]) -> Rules_:
        """Return the rules for so many players with these parameters."""
        return Rules_(players, values)


game = Game()

if __name__ == "__main__":
    sys.exit(main(game))
