"""Nothing that a seat is told depends on what it can't know.

Two pieces that a seat does not see are exchanged everywhere in a state: the seat must not be able to tell the two
tables apart, neither now nor while the game goes on and the two stay out of its sight.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hoyle.interpret import Fault, Game, Table
from hoyle.interpret.layout import Layout
from hoyle.program import Choose, Collect, Type, Zone
from hoyle.runtime.chance import mix, pick, seeded
from hoyle.runtime.state import CHANCE, HEAD, PLACE
from made_up_specs import accepted, specs
from naive import Naive
from specs_for_tests import (
    ALL,
    SMALL,
    SPECS,
    choice_of,
    counts,
    engine_of,
    essence,
    events,
    game,
    layout_of,
    legal_moves,
    play_at_random,
    started,
)

# EXAMPLES=2000 tries that many made-up specs, others each time; else the same few.
EXAMPLES = int(os.environ.get("EXAMPLES", "0"))
# Every seat of a table of every small spec; of the games of specs/, of the smallest and of the largest table.
SEATS = [
    (name, players, seat)
    for name, players in counts(ALL)
    if name in SMALL or players in (game(name).counts[0], game(name).counts[-1])
    for seat in range(players)
]
# The dearest test: of a large table the first two seats and the last, unless many examples are asked for.
SOME_SEATS = [x for x in SEATS if EXAMPLES or x[2] in (0, 1, x[1] - 1)]
MANY = 60  # games at most, where a game is short or seldom has what is compared


# ---- who sees what, read from the program alone ------------------------------------------------------------


def owners_of(layout: Layout, zone: Zone) -> list[set[int]]:
    """Return for each list of a zone the seats that own it, or that a zone seen by teams is shown to."""
    program, seats = layout.program, range(layout.players)
    owners: list[set[int]] = [{owner} for owner in seats] if zone.each_player else [set()]
    if zone.each_team:
        owners = [{x for x in seats if x % program.teams == team} for team in range(program.teams)]
    elif zone.seen == "team":
        owners = [{x for x in seats if (x - owner) % program.teams == 0} for owner in seats]
    return [x for x in owners for _ in range(max(1, zone.many))]


@cache
def zones_of(layout: Layout) -> dict[int, tuple[str, set[int]]]:
    """Return for each list of pieces, by its place in the state, who sees it and its owners."""
    found = dict[int, tuple[str, set[int]]]()
    for zone in layout.program.zones:
        seen = "owner" if zone.seen == "team" else zone.seen
        for place, owners in enumerate(owners_of(layout, zone)):
            found[layout.size + zone.number + place] = (seen, owners)
    return found


def sees(table: Table, index: int, place: int, seat: int) -> bool:
    """Return whether a seat sees the piece at a place of a list."""
    seen, owner = zones_of(layout_of(table))[index]
    on_top = place == len(table.state[index]) - 1
    return seen == "open" or (seen == "top" and on_top) or seen == ("owner" if seat in owner else "others")


def hidden_pieces(table: Table, seat: int) -> list[int]:
    """Return the pieces whose faces a seat does not see."""
    return [
        piece
        for index in zones_of(layout_of(table))
        for place, piece in enumerate(table.state[index])
        if not sees(table, index, place, seat)
    ]


# ---- exchanging two pieces -----------------------------------------------------------------------------------


def exchanged(table: Table, x: int, y: int) -> Table:
    """Return a table on which two pieces have taken each other's place, in zones and in whatever speaks of them."""
    layout, state = layout_of(table), layout_of(table).shape.copy(table.state)
    other = {x: y, y: x}

    def renamed(type: Type | None, value: Any) -> Any:
        if type is not None and type.form == "piece":
            return other.get(value, value)
        if type is not None and type.form == "set" and type.element and type.element.form == "piece":
            return value if value < 0 or (value >> x & 1) == (value >> y & 1) else value ^ (1 << x | 1 << y)
        return value

    for place, type in speaking(layout):
        state[place] = renamed(type, state[place])
    for at, types in collected(layout).items():
        if isinstance(state[HEAD + at], tuple):
            rows = [tuple(map(renamed, types, row)) for row in state[HEAD + at]]
            state[HEAD + at] = tuple(rows)
    for index in layout.shape.lists:
        state[index] = [other.get(piece, piece) for piece in state[index]]
        if layout.shape.is_pool[index]:
            state[index].sort()
    state[PLACE][x], state[PLACE][y] = state[PLACE][y], state[PLACE][x]
    return begun(table, state)


def begun(table: Table, state: list[Any]) -> Table:
    """Return a table that begins at a state, so that its log holds what happens from there on."""
    return Table(engine_of(table), state, begun=True)


@cache
def speaking(layout: Layout) -> list[tuple[int, Type]]:
    """Return the places of what may speak of pieces, with its type."""
    found, slot = list[tuple[int, Type]](), HEAD
    for info in layout.program.slots:
        if info.type is not None and "piece" in (
            info.type.form,
            info.type.element and info.type.element.form,
        ):
            found += [(place, info.type) for place in range(slot, slot + info.size)]
        slot += info.size
    return found


@cache
def collected(layout: Layout) -> dict[int, list[Type]]:
    """Return the slots in which loops keep what they run through, with the types of that."""
    bodies = [s for block in layout.program.blocks for s in block.body if isinstance(s, Collect)]
    return {s.slot: [b.type for b in s.binders] for s in bodies}


def pairs(table: Table, seat: int, seed: int) -> list[tuple[int, int]]:
    """Return pairs of pieces with different faces that a seat does not see, in random order."""
    hidden, kind_of = hidden_pieces(table, seat), layout_of(table).kind_of
    state, found = seeded(seed), []
    for _ in range(8):
        if len(hidden) > 1:
            state, first = pick(state, len(hidden))
            state, second = pick(state, len(hidden))
            if kind_of[hidden[first]] != kind_of[hidden[second]]:
                found.append((hidden[first], hidden[second]))
    return found


# ---- now ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players", "seat"), SEATS)
def test_a_view_does_not_change_with_what_the_seat_does_not_see(name: str, players: int, seat: int) -> None:
    told = 0
    for seed in range(MANY):
        if seed >= 2 and told > 20:
            break
        table = started(name, players, seed)
        for number in play_at_random(table, seed, most=60):
            for x, y in pairs(table, seat, number)[:3]:
                assert exchanged(table, x, y).view(seat) == table.view(seat)
                told += 1
    assert told > 20


@pytest.mark.parametrize(("name", "players", "seat"), SEATS)
def test_moves_do_not_change_with_what_their_maker_does_not_see(name: str, players: int, seat: int) -> None:
    told = 0
    for seed in range(MANY):
        if seed >= 6 and told > 10:
            break
        table = started(name, players, seed)
        for number in play_at_random(table, seed, most=60):
            for x, y in pairs(table, seat, number)[:2] if table.turn == seat else []:
                other = exchanged(table, x, y)
                assert other.moves() == table.moves() and other.ask == table.ask
                told += 1
    assert told > 10


@pytest.mark.parametrize(("name", "players", "seat"), SEATS)
def test_reasons_do_not_change_with_what_the_seat_to_move_does_not_see(
    name: str, players: int, seat: int
) -> None:
    told, space = 0, game(name).space(players)
    for seed in range(MANY):
        if seed >= 4 and told > 10:
            break
        table = started(name, players, seed)
        faces = sorted(set(table._rules.shape.faces))
        options = [o.name for o in choice_of(table).options]
        for number in play_at_random(table, seed, most=40):
            for x, y in pairs(table, seat, number)[:2] if table.turn == seat else []:
                other = exchanged(table, x, y)
                kind_of = layout_of(table).kind_of
                hidden = [layout_of(table).faces[kind_of[piece]] for piece in (x, y)]
                for asked in (*hidden, faces[number % len(faces)], *options, (number * 17 + 5) % space):
                    assert other.why(asked) == table.why(asked)
                    told += 1
    assert told > 10


@pytest.mark.parametrize(("name", "players", "seat"), SEATS)
def test_a_view_shows_exactly_what_the_zones_let_the_seat_see(name: str, players: int, seat: int) -> None:
    table = started(name, players, 3)
    layout = layout_of(table)
    for _ in play_at_random(table, 3, most=60):
        shown = table.view(seat)["zones"]
        for zone in layout.program.zones:
            several = zone.each_player or zone.each_team or zone.many
            lists = dict(enumerate(shown[zone.name] if several else [shown[zone.name]]))
            if zone.many:
                of_each = shown[zone.name] if zone.each_player or zone.each_team else [shown[zone.name]]
                lists = {
                    owner * zone.many + i: one for owner, of in enumerate(of_each) for i, one in enumerate(of)
                }
            # Zones that begin in play are shown up to the last that has begun.
            left = set(range(len(owners_of(layout, zone)))) - set(lists)
            assert all(zone.many and not table.state[layout.size + zone.number + i] for i in left)
            for place, told in lists.items():
                index = layout.size + zone.number + place
                faces = [
                    layout.faces[layout.kind_of[piece]] if sees(table, index, at, seat) else None
                    for at, piece in enumerate(table.state[index])
                ]
                if zone.form == "pile":
                    faces.reverse()
                if zone.form == "pool":
                    faces.sort(key=lambda face: face is None)
                assert told == {"size": len(table.state[index]), "cards": faces}


# ---- while the game goes on ---------------------------------------------------------------------------------------


def moved_alike(one: Table, other: Table, number: int, x: int, y: int) -> bool:
    """Make a move on both tables, with the cards that lie in the same places; return whether that can be done."""
    place, values = legal_moves(one)[number]
    option, swap = choice_of(one).options[place], {x: y, y: x}
    pieces = [a.domain.form == "piece" for a in option.arguments]
    renamed = [swap.get(v, v) if piece else v for v, piece in zip(values, pieces, strict=True)]
    naive = Naive(layout_of(one))
    wanted = (place, naive.call(option, renamed))
    try:
        there = {
            (at, naive.call(option, chosen)): n
            for n, (at, chosen) in legal_moves(other).items()
            if at == place
        }
    except Fault:
        return False  # cards are picked in rising order: with one exchanged, the other table could not have come about
    if wanted not in there:
        return False
    try:
        one.step(number)
        other.step(there[wanted])
    except Fault:
        return False
    return True


def come_to_light(table: Table, seat: int, pieces: set[int], since: int) -> bool:
    """Return whether a seat sees one of the pieces, or has seen it in between."""
    if not set(hidden_pieces(table, seat)) >= pieces:
        return True
    return any(pieces & set(passed(table, event, seat)) for event in events(table)[since:])


def passed(table: Table, event: tuple[Any, ...], seat: int) -> list[int]:
    """Return the pieces that a seat sees in an event: those that come from or to a zone it sees, and cards drawn."""
    if event[0] == "drawn":
        return [event[2]]
    if event[0] == "show":
        return [piece for piece, *_ in event[2] if event[1] >> seat & 1]
    found, zones = [], zones_of(layout_of(table))
    for piece, source, *_ in event[2] if event[0] == "move" else []:
        for index in (source, event[1]):
            seen, owner = zones[index]
            if seen in ("open", "top") or seen == ("owner" if seat in owner else "others"):
                found.append(piece)
    return found


@pytest.mark.parametrize(("name", "players", "seat"), SOME_SEATS)
def test_what_happens_later_tells_nothing_of_what_stays_unseen(name: str, players: int, seat: int) -> None:
    """Both tables go on with the same moves, as long as neither card comes to light and chance treats both alike."""
    told = 0
    games, most = (2, 20) if name in SPECS else (4, 12 if name == "sums" else 40)
    for seed in range(MANY):
        if seed >= games and told > 20:
            break
        table = started(name, players, 100 + seed)
        for number in play_at_random(table, seed, most):
            for x, y in pairs(table, seat, mix(seed, number))[:2]:
                told += followed(table, x, y, seat, number)
    assert told > 20


def followed(table: Table, x: int, y: int, seat: int, seed: int) -> int:
    """Play on from a table and its twin; return how often they were compared."""
    one, other = begun(table, layout_of(table).shape.copy(table.state)), exchanged(table, x, y)
    choice, told = seeded(seed), 0
    for _ in range(6):
        if one.turn is None:
            break
        since = len(events(one))
        legal = one.legal()
        choice, which = pick(choice, len(legal))
        if one.turn == seat and {x, y} & set(legal_moves(one)[legal[which]][1]):
            break  # a made-up spec lets it choose what it does not see, and so shows it
        if not moved_alike(one, other, legal[which], x, y):
            break
        if any(come_to_light(either, seat, {x, y}, since) for either in (one, other)):
            break
        if essence(exchanged(one, x, y)) != essence(other):
            break
        assert one.view(seat) == other.view(seat)
        assert one.log(seat) == other.log(seat)
        if told == 1:
            assert_drawn_alike(one, other, seat)
        told += 1
    return told


def assert_drawn_alike(one: Table, other: Table, seat: int) -> None:
    """Hold that from two tables that a seat can't tell apart the same seed draws the same table."""
    drawn, twin = one.resample(seat, one.decisions), other.resample(seat, one.decisions)
    lists, kind_of = layout_of(one).shape.lists, layout_of(one).kind_of
    faces = [[[kind_of[x] for x in table.state[i]] for i in lists] for table in (drawn, twin)]
    assert faces[0] == faces[1]
    assert drawn.state[CHANCE] == twin.state[CHANCE]
    for who in range(one.players):
        assert drawn.view(who) == twin.view(who)
        assert drawn.log(who) == twin.log(who)
        assert drawn.knows(who) == twin.knows(who)
    assert drawn.log(None) == twin.log(None)
    assert drawn.view(seat) == one.view(seat)
    assert drawn.log(seat) == one.log(seat)
    assert drawn.knows(seat) == one.knows(seat)


def faces_differ(name: str, players: int) -> bool:
    """Return whether no face occurs twice, so that a face tells which piece is meant."""
    kinds = layout_of(started(name, players, 0)).kind_of
    return len(set(kinds)) == len(kinds)


@settings(max_examples=EXAMPLES or 40, derandomize=not EXAMPLES, suppress_health_check=list(HealthCheck))
@given(specs(), st.integers(0, 1 << 32))
def test_made_up_specs_keep_their_secrets(text: str, seed: int) -> None:
    """Their guards may read what the chooser can't see, but no view or log shows it."""
    made = Game(accepted(text))
    with suppress(Fault):
        for_every_seat(made.start(players=made.counts[-1], seed=seed), seed)


def for_every_seat(table: Table, seed: int) -> int:
    """Play at random; exchange cards that a seat does not see and compare what it is told, now and later."""
    told = 0
    for number in play_at_random(table, seed, most=12):
        for seat in range(table.players):
            for x, y in pairs(table, seat, mix(seed, number, seat))[:1]:
                assert exchanged(table, x, y).view(seat) == table.view(seat)
                told += followed(table, x, y, seat, number)
    return told


# ---- logs ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players", "seat"), [x for x in SEATS if faces_differ(*x[:2])])
def test_no_face_is_told_that_the_seat_has_never_seen(name: str, players: int, seat: int) -> None:
    """It has seen what it saw at a decision or while a card moved."""
    for seed in range(6):
        table = started(name, players, 200 + seed)
        layout, ever, done = layout_of(table), set[int](), 0
        for _ in play_at_random(table, seed, most=300):
            ever |= set(range(len(layout.kind_of))) - set(hidden_pieces(table, seat))
            news = events(table)[done:]
            done += len(news)
            ever |= {piece for event in news for piece in passed(table, event, seat)}
            log = [{**line, "rule": ""} for line in table.log(seat)]  # a rule may speak of any card
            told = json.dumps([table.view(seat), log])
            for piece, kind in enumerate(layout.kind_of):
                face = re.compile(
                    rf"\b{re.escape(layout.faces[kind])}\b"
                )  # `lot 1` does not stand in `lot 14`
                assert piece in ever or not face.search(told)


def test_there_are_games_in_which_no_face_occurs_twice() -> None:
    assert faces_differ("drawers", 3) and faces_differ("rounds", 2)


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_views_and_logs_can_be_written_as_json(name: str, players: int) -> None:
    table = started(name, players, 4)
    for _ in play_at_random(table, 4, most=60):
        for seat in range(players):
            told = {"view": table.view(seat), "log": table.log(seat)}
            assert json.loads(json.dumps(told)) == told


@pytest.mark.parametrize(("name", "players", "seat"), SEATS)
def test_what_a_log_has_told_it_never_tells_otherwise(name: str, players: int, seat: int) -> None:
    table, before = started(name, players, 5), list[dict[str, Any]]()
    for _ in play_at_random(table, 5, most=60):
        now = table.log(seat)
        assert now[: len(before)] == before
        before = now


def hides_moves(name: str) -> bool:
    """Return whether a game has moves that are told later than they are made; test_secret_choices.py is about those."""
    choices = [b.exit for b in game(name).program.blocks if isinstance(b.exit, Choose)]
    return any(c.secret is not None or any(o.part for o in c.options) for c in choices)


@pytest.mark.parametrize(("name", "players"), [x for x in counts(ALL) if not hides_moves(x[0])])
def test_a_log_tells_who_made_which_move(name: str, players: int) -> None:
    table, made = started(name, players, 6), list[tuple[int, str]]()
    for number in play_at_random(table, 6, most=40):
        move = next(m for m in table.moves() if m.number == number)
        assert table.turn is not None
        made.append((table.turn, move.text))
    for seat in range(players):
        told = [x for x in table.log(seat) if x["kind"] == "move"]
        assert [x["seat"] for x in told] == [who for who, _ in made]
        own = [x["text"] for x in told if x["seat"] == seat]
        assert own == [f"player {seat + 1}: {text}" for who, text in made if who == seat]


# ---- numbers and order --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_a_number_means_the_same_move_in_every_game(name: str, players: int) -> None:
    """So a number tells no more than the words, and the order of numbers nothing at all of where cards lie."""
    known: dict[int, tuple[str, str]] = {}
    for seed in range(4):
        table = started(name, players, 300 + seed)
        for _ in play_at_random(table, seed, most=60):
            place = table._rules.shape.choices[table.state[0]].line
            for move in table.moves():
                assert known.setdefault(move.number, (str(place), move.call)) == (str(place), move.call)
