"""Splits of more cards than can be split in a moment, as far as that can be seen before the game.

How many cards come to a zone is known where the deck begins there, where all cards are gathered there, and where so
many are dealt or moved there. Such a hand is split on trial; if that takes too long, the rule is refused.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

from hoyle import program as p
from hoyle.diagnostics import Report
from hoyle.program.sizes import statements
from hoyle.runtime.faults import Fault
from hoyle.runtime.melding import Form, Marks, Melding
from hoyle.source import Source, Span

SURELY = 40  # so many cards and fewer are not tried
TRIALS = 2  # so many hands are tried where it is not known which cards come


class Trial(NamedTuple):
    """A split as far as it is worked out from the faces: its marks for each form, by kind, and the wild cards."""

    span: Span
    split: p.Split
    marks: list[dict[int, Marks]]
    wilds: set[int]


class Known(NamedTuple):
    """So many cards lie in a zone at some moment: because of what stands in a line, and which they are if all are."""

    cards: int
    line: int
    pieces: tuple[int, ...] = ()


def refuse_large(trials: list[Trial], program: p.Program, source: Source, report: Report) -> None:
    """Report splits of zones to which more cards come than can be split."""
    if not trials:
        return
    players = max(range(program.low, program.high + 1), key=lambda n: len(_deck(program, n)))
    deck = _deck(program, players)
    there = _cards(program, deck, players)
    for trial in trials:
        zone = _zone(trial.split.source)
        known = there.get(zone, Known(0, 0))
        if known.cards <= SURELY or not _fails(trial, [k for k, _ in deck], known):
            continue
        line = source.line(known.line)
        column = len(line) - len(line.lstrip()) + 1
        report.add(
            "E335",
            trial.span,
            f"these are too many cards to split: {known.cards} come together in `{_name(program, zone)}`",
            second=(
                Span(source.path, known.line, column, known.line, len(line) + 1),
                "they come together here",
            ),
            mend="split a hand of fewer cards, or let each meld ask more of its cards",
        )


def _deck(program: p.Program, players: int) -> list[tuple[int, int]]:
    """Return kind and home of each card for so many players."""
    return [(x.kind, x.zone) for x in program.deck if x.low <= players <= x.high for _ in range(x.copies)]


def _zone(source: p.Expr) -> int:
    inner = source.args[0] if isinstance(source, p.Op) and source.op == "zone_set" else source
    return inner.zone if isinstance(inner, p.ZoneAt) else -1


def _name(program: p.Program, zone: int) -> str:
    return next(z.name for z in program.zones if z.number == zone)


def _cards(program: p.Program, deck: list[tuple[int, int]], players: int) -> dict[int, Known]:
    """Return the most cards that are known to lie together in each zone."""
    found: dict[int, Known] = {}
    lines = {z.number: z.line for z in program.zones}
    for zone in {home for _, home in deck}:
        pieces = tuple(i for i, (_, home) in enumerate(deck) if home == zone)
        found[zone] = Known(len(pieces), lines.get(zone, 0), pieces)
    whole = tuple(range(len(deck)))
    for _ in range(2):  # cards that were gathered may be moved on
        for node in statements(program):
            for zone, known in _moved(node, found, whole, players, program):
                if known.cards > found.get(zone, Known(0, 0)).cards:
                    found[zone] = known
    return found


def _moved(
    node: p.Statement, found: dict[int, Known], whole: tuple[int, ...], players: int, program: p.Program
) -> Iterator[tuple[int, Known]]:
    """Yield the zones to which a statement brings cards, with how many."""
    match node:
        case p.Gather() if not node.pieces:
            yield _zone(node.target), Known(len(whole), node.line, whole)
        case p.Deal():
            amount = _amount(node.amount, program)
            if amount * players <= len(whole):
                yield node.zone, Known(amount, node.line)
        case p.Fill() if isinstance(node.target, p.ZoneAt):
            yield node.target.zone, Known(min(_amount(node.amount, program), len(whole)), node.line)
        case p.MoveSome(amount=None):
            before = found.get(_zone(node.source))
            if before is not None:
                yield _zone(node.target), before._replace(line=node.line)
        case p.MoveSome() if node.amount is not None:
            yield _zone(node.target), Known(min(_amount(node.amount, program), len(whole)), node.line)
        case _:
            return


def _amount(expr: p.Expr, program: p.Program) -> int:
    """Return a number as far as it is known: as it is written, or as a parameter is unless it is set."""
    if isinstance(expr, p.Param):
        return next((x.default for x in program.parameters if x.name == expr.name), 0)
    return expr.value if isinstance(expr, p.Const) else 0


def _fails(trial: Trial, kind_of: list[int], known: Known) -> bool:
    """Return whether such a hand can't be split in a moment."""
    split = trial.split
    forms = [
        Form(form.name, form.low, form.high, form.row is not None, form.once is not None, marks.get)
        for form, marks in zip(split.forms, trial.marks, strict=True)
    ]
    chance = random.Random(1)
    hands = [list(known.pieces)] if known.pieces else []
    hands = hands or [chance.sample(range(len(kind_of)), known.cards) for _ in range(TRIALS)]
    melding = Melding(
        kind_of, forms, trial.wilds.__contains__, split.most_wild, lambda _, melded: not melded, True
    )
    try:
        for hand in hands:
            melding.best(hand)
    except Fault:
        return True
    return False
