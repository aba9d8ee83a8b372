"""What a seat knows, against every table that it holds possible by brute force (`oracles/tables.py`)."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from itertools import permutations, product
from math import factorial
from typing import Any

import pytest

from hoyle.runtime import knowledge
from hoyle.runtime.chance import mix, pick, seeded
from hoyle.runtime.faults import Fault
from hoyle.runtime.knowledge import Case, Knowledge, Row, pick_of_many, placements
from hoyle.runtime.pieces import Pieces
from hoyle.runtime.remembering import Memory, lie
from hoyle.runtime.resampling import Drawing, Recollection, known
from hoyle.runtime.shape import Beginning, Shape, ZoneShape
from hoyle.runtime.state import HEAD, LOG, State
from hoyle.runtime.view import Viewer
from oracles.tables import ZONES, Pasts, Table, Watching, by_faces, in_faces, possible

Move = tuple[Any, ...]
PLAYERS = 2
STOCK, CELLAR, SHELF, HEAP, KITTY, HAND, OTHER_HAND, BROW, OTHER_BROW = range(len(ZONES))
REFILL = {STOCK: HEAD + CELLAR}
ORDERED = [i for i, z in enumerate(ZONES) if z.form != "pool"]
PILES = [i for i, z in enumerate(ZONES) if z.form == "pile"]

# EXAMPLES=2000 tries that many scripts, others each time; else the same few.
EXAMPLES = int(os.environ.get("EXAMPLES", "0"))


class Small:
    """A game of few cards, and one true table of it."""

    def __init__(self, faces: tuple[int, ...], seed: int, home: int = STOCK) -> None:
        zones = []
        for i, zone in enumerate(ZONES):
            if zone.owner <= 0:
                zones.append(
                    ZoneShape(zone.name, HEAD + i, zone.form, zone.seen, zone.owner == 0, REFILL.get(i, -1))
                )
        count = Counter(faces)
        deck = [(kind, count[kind], HEAD + home, 1, PLAYERS) for kind in sorted(count)]
        names = [f"card {kind}" for kind in range(max(faces) + 1)]
        self.faces = tuple(sorted(faces))
        self.shape = Shape("small", PLAYERS, PLAYERS, names, deck, zones, [], {}, HEAD)
        self.pieces = Pieces(self.shape)
        self.state = Beginning(self.shape, 0, []).state(seeded(seed), True)
        self.state[LOG] = ((), lie(self.shape, self.state, 3))
        self.choice = mix(seed, 2)

    def table(self, state: State | None = None) -> Table:
        return tuple(tuple((state or self.state)[HEAD + i]) for i in range(len(ZONES)))

    def play(self, move: Move) -> None:
        S, pieces = self.state, self.pieces
        match move:
            case ("shuffle", zone):
                pieces.shuffle(S, HEAD + zone)
            case ("draw", source, target, count):
                pieces.land(S, pieces.draw(S, HEAD + source, count), HEAD + source, HEAD + target)
            case ("deal", source, first, count):
                pieces.deal(S, count, HEAD + source, HEAD + first)
            case ("swap", a, b):
                pieces.swap(S, HEAD + a, HEAD + b)
            case ("duel", pile):
                pieces.drawn_for(S, HEAD + pile, lambda x: self.faces[x], 0)
            case ("choose", source, target):
                there = S[HEAD + source]
                if there:
                    self.choice, which = pick(self.choice, len(there))
                    pieces.put(S, [there[which]], HEAD + target)
            case ("all", source, target):
                pieces.move_all(S, HEAD + source, HEAD + target)
            case ("gather", target, kinds):
                fits = None if kinds is None else [k in kinds for k in self.faces]
                pieces.gather(S, HEAD + target, fits, ZONES[target].form != "pool")
            case ("lacks", zone, kinds):
                pieces.lacks(S, HEAD + zone, [k in kinds for k in self.faces])
            case _:
                raise AssertionError(move)

    def memory(self, seat: int) -> Memory:
        return Recollection(Viewer(self.shape)).of(self.state, seat)[1]


def played(small: Small, moves: list[Move], seat: int) -> Pasts:
    """Make moves on the true table; return all tables that the seat then holds possible, by brute force."""
    watching = Watching(seat, small.faces)
    first = small.table()
    told = [watching.sight(first)]
    for move in moves:
        before = small.table()
        small.play(move)
        after = small.table()
        told.append(
            next(watching.told(before, t, words) for t, words in watching.ways(before, move) if t == after)
        )
    return possible(first, moves, told, watching)


# ---- all that a seat holds possible, read from its knowledge ------------------------------------------------------


def spread(cards: tuple[tuple[int, int], ...], row: Row) -> dict[tuple[tuple[int, ...], ...], Fraction]:
    """Return the ways of a class to lie in its cells, each with its share."""
    kinds = [k for k, n in cards for _ in range(n)]
    found: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for order in permutations(kinds):
        parts, at = [], 0
        for _, n in row:
            parts.append(tuple(sorted(order[at : at + n])))
            at += n
        found[tuple(parts)] += 1
    return {p: Fraction(n, factorial(len(kinds))) for p, n in found.items()}


def tables_of(knows: Knowledge, case: Case) -> dict[Table, Fraction]:
    """Return the tables of one case, as faces, each with its share."""
    found: Counter[Table] = Counter()
    cards, rows = case
    for choice in product(*[spread(c, r).items() for c, r in zip(cards, rows, strict=True)]):
        content = {
            cell: [k for k, n in knows.sure[cell].items() for _ in range(n)]
            for cells in knows.cells.values()
            for cell in cells
        }
        share = Fraction(1)
        for (parts, part_share), row in zip(choice, rows, strict=True):
            share *= part_share
            for (cell, _), part in zip(row, parts, strict=True):
                content[cell] += part
        for table, n in orders(knows, content).items():
            found[table] += share * n  # type: ignore[assignment]
    return dict(found)  # type: ignore[arg-type]


def orders(knows: Knowledge, content: dict[int, list[int]]) -> dict[Table, Fraction]:
    """Return the tables that have these faces in the cells."""
    zones = []
    for zone, cells in knows.cells.items():
        if knows.shape.is_pool[zone]:
            zones.append({tuple(sorted(content[cells[0]])): Fraction(1)})
            continue
        ways = {(): Fraction(1)}
        for cell in cells:
            orders = Counter(permutations(content[cell]))
            total = sum(orders.values())
            ways = {
                (*w, *o): share * Fraction(n, total) for w, share in ways.items() for o, n in orders.items()
            }
        zones.append(ways)
    found: dict[Table, Fraction] = {}
    for choice in product(*[z.items() for z in zones]):
        share = Fraction(1)
        for _, part in choice:
            share *= part
        found[tuple(t for t, _ in choice)] = share
    return found


def held_possible(knows: Knowledge) -> dict[Table, Fraction]:
    """Return how likely a seat holds each table, as faces."""
    weights = {case: ways * placements(case) for case, ways in knows.cases.items()}
    total = sum(weights.values())
    found: dict[Table, Fraction] = {}
    for case, weight in weights.items():
        for table, share in tables_of(knows, case).items():
            found[table] = found.get(table, Fraction(0)) + share * Fraction(weight, total)
    return found


# ---- scripts ------------------------------------------------------------------------------------------------------


def script(seed: int, length: int) -> list[Move]:
    """Return moves made up at random, after a shuffle and a deal."""
    state = seeded(seed)

    def number(count: int) -> int:
        nonlocal state
        state, n = pick(state, count)
        return n

    moves: list[Move] = [("shuffle", STOCK), ("draw", STOCK, HAND, 1), ("draw", STOCK, OTHER_HAND, 2)]
    for _ in range(length):
        source, target = number(len(ZONES)), number(len(ZONES))
        if source == target:
            continue
        kind = (number(3),)
        match number(16):
            case 0:
                moves.append(("shuffle", ORDERED[number(len(ORDERED))]))
            case 1 | 2 | 3:
                moves.append(("draw", PILES[number(2)], target, 1 + number(2)))
            case 4 if ZONES[source].form != "pool" or ZONES[target].form == "pool":
                moves.append(("all", source, target))
            case 5 if number(3) == 0:
                moves.append(("gather", target, None if number(2) else kind))
            case 6:
                moves.append(("deal", PILES[number(2)], (HAND, BROW)[number(2)], 1 + number(2)))
            case 7 if ZONES[source].form == ZONES[target].form == "pool":
                moves.append(("swap", source, target))
            case 8 | 9:
                moves.append(("lacks", source, kind))
            case 10 if number(3) == 0:
                moves.append(("duel", STOCK))
            case _:
                moves.append(("choose", source, target))
    return [m for m in moves if m[0] != "draw" or m[1] != m[2]]


def possible_moves(small: Small, moves: list[Move]) -> list[Move]:
    """Return the moves that can be made in a row, and the claims that are true."""
    trial, found = Small(small.faces, 0), []
    trial.state = small.shape.copy(small.state)
    trial.choice = small.choice
    for move in moves:
        there = trial.state[HEAD + move[1]]
        if move[0] == "choose" and not there:
            continue
        if move[0] == "lacks" and any(small.faces[x] in move[2] for x in there):
            continue
        if move[0] == "duel" and len(there) < 4:
            continue
        with suppress(Fault):
            trial.play(move)
            found.append(move)
    return found


DECKS = [(0, 1, 2, 3), (0, 1, 2, 3, 4), (0, 0, 1, 2), (0, 0, 1, 1, 2), (0, 0, 0, 1, 2)]


def compared(faces: tuple[int, ...], seed: int, length: int, seat: int) -> int:
    """Hold knowledge against brute force; return how many tables the seat holds possible."""
    small = Small(faces, seed)
    moves = possible_moves(small, script(mix(seed, 1), length))
    tables = played(small, moves, seat)
    memory = small.memory(seat)
    assert not memory.lost
    assert held_possible(memory.knows) == by_faces(tables, Watching(seat, small.faces)), (
        moves,
        small.table(),
    )
    return len(tables)


@pytest.mark.parametrize("faces", DECKS, ids=str)
@pytest.mark.parametrize("seat", range(PLAYERS))
def test_a_seat_holds_possible_just_the_tables_that_fit_what_it_has_seen(
    faces: tuple[int, ...], seat: int
) -> None:
    base = seeded(int.from_bytes(os.urandom(6), "big")) if EXAMPLES else 0
    counts = [compared(faces, base + seed, 3 + seed % 6, seat) for seed in range(EXAMPLES or 60)]
    assert len(set(counts)) > 1


@pytest.mark.parametrize("faces", [(0, 1, 2, 3, 4), (0, 0, 1, 1, 2)], ids=str)
@pytest.mark.parametrize("most", [1, 2, 4])
def test_where_there_are_too_many_cases_nothing_possible_is_ruled_out(
    faces: tuple[int, ...], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(knowledge, "MOST_CASES", most)
    for seed in range(150):
        small = Small(faces, seed)
        tables = played(small, possible_moves(small, script(mix(seed, 1), 8)), seed % 2)
        memory = small.memory(seed % 2)
        assert not memory.lost
        assert len(memory.knows.cases) <= most
        watching = Watching(seed % 2, small.faces)
        assert set(held_possible(memory.knows)) >= set(by_faces(tables, watching))


def test_cards_passed_to_and_fro_for_long_are_still_known_within_bounds() -> None:
    small = Small(tuple(range(12)), 4)
    moves: list[Move] = [("draw", STOCK, OTHER_HAND, 6), ("draw", STOCK, KITTY, 2)]
    moves += [
        (way, *pair) for _ in range(30) for pair in ((6, 4), (4, 1), (1, 8), (8, 6)) for way in ("choose",)
    ]
    for move in moves:
        small.play(move)
        assert len(small.memory(0).knows.cases) <= knowledge.MOST_CASES
    assert not small.memory(0).lost


# ---- by hand ------------------------------------------------------------------------------------------------------


def told_by(small: Small, seat: int, *moves: Move) -> dict[str, Any]:
    """Return what a seat knows after some moves."""
    for move in moves:
        small.play(move)
    return known(small.shape, small.memory(seat))


def test_a_seen_card_laid_on_a_hidden_pile_is_known_there_until_a_shuffle() -> None:
    small = Small((0, 1, 2, 3), 1)
    there = told_by(small, 0, ("shuffle", STOCK), ("draw", STOCK, SHELF, 1), ("all", SHELF, STOCK))
    top = there["stock"]["cards"][0]
    assert top is not None and there["stock"]["cards"][1:] == [None] * 3
    there = told_by(small, 0, ("shuffle", STOCK))
    assert there["stock"] == {"size": 4, "cards": [None] * 4, "somewhere": [f"card {k}" for k in range(4)]}


def test_a_known_card_that_another_draws_unseen_is_known_in_that_hand() -> None:
    small = Small((0, 1, 2, 3), 1)
    there = told_by(
        small,
        0,
        ("shuffle", STOCK),
        ("draw", STOCK, SHELF, 1),
        ("all", SHELF, STOCK),
        ("draw", STOCK, OTHER_HAND, 2),
    )
    card, unknown = there["hand"][1]["cards"]
    assert card is not None and unknown is None


def test_who_lacks_a_suit_is_dealt_none_of_it() -> None:
    small = Small((0, 1, 2, 3, 4, 5), 2)
    for move in (("shuffle", STOCK), ("draw", STOCK, OTHER_HAND, 3)):
        small.play(move)
    lacking = next(k for k in range(6) if k not in small.table()[OTHER_HAND])
    small.play(("lacks", OTHER_HAND, (lacking,)))
    drawing, chance = Drawing(small.shape, small.state, small.memory(0)), seeded(1)
    seen = set()
    for _ in range(200):
        chance, state = drawing.draw(chance)
        seen |= set(small.table(state)[OTHER_HAND])
    assert seen == set(range(6)) - {lacking}


# ---- drawn at random ----------------------------------------------------------------------------------------------

TRIED = 3_000


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("faces", [(0, 1, 2, 3, 4), (0, 0, 1, 2, 3)], ids=str)
def test_drawn_tables_are_those_held_possible_each_as_often_as_it_should_be(
    faces: tuple[int, ...], seed: int
) -> None:
    small = Small(faces, seed)
    for move in possible_moves(small, script(mix(seed, 1), 6)):
        small.play(move)
    memory, chance, found = small.memory(seed % 2), seeded(seed), Counter[Table]()
    drawing = Drawing(small.shape, small.state, memory)
    for _ in range(TRIED):
        chance, state = drawing.draw(chance)
        found[in_faces(small.table(state), small.faces)] += 1
    expected = held_possible(memory.knows)
    assert set(found) <= set(expected)
    distance = sum((found[t] - TRIED * p) ** 2 / (TRIED * p) for t, p in expected.items())
    degrees = len(expected) - 1
    assert distance <= degrees + 5 * (2 * degrees) ** 0.5 + 5


def test_among_many_cases_each_is_as_likely_as_its_placements_are_many() -> None:
    for count in (7, 1 << 60, 3**80):
        chance, found = seeded(1), Counter[int]()
        for _ in range(4_000):
            chance, which = pick_of_many(chance, count)
            assert 0 <= which < count
            found[which * 4 // count] += 1
        assert all(abs(n - found[0]) < 700 for n in found.values())
