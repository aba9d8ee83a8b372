"""The games of specs/ and small_specs/, ready to play, and what every test of whole games needs to look at a table."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from hoyle.interpret import Game, Table
from hoyle.interpret.engine import Engine
from hoyle.interpret.layout import Layout
from hoyle.program import Choose, Program
from hoyle.runtime.chance import mix, pick
from hoyle.runtime.state import BLOCK, CHANCE, DECISIONS, HEAD, LOG, PLACE, SEAT, WINNER
from hoyle.session import games, interpreted
from lockstep import Both

FOLDER = Path(__file__).parent / "small_specs"
SMALL = sorted(f.stem for f in FOLDER.glob("*.hoyle"))
SPECS = sorted(games())
ALL = [*SPECS, *SMALL]
# What keeps random games short, so that many can be played: the rules are those of long ones. Bots who bid at random
# lose far more than they win, and draw what they need not draw.
SHORT: dict[str, dict[str, Any]] = {
    "crazy_eights": {"max_draw": 1},
    "dos": {"target": 50},
    "escoba": {"target": 3},
    "hearts": {"target": 20},
    "knock_rummy": {"deals": 1},
    "moon": {"target": 3},
}


@cache
def game(name: str) -> Game:
    """Return a small spec, or a game of specs/, by its name."""
    return interpreted(str(FOLDER / f"{name}.hoyle") if name in SMALL else name)


@cache
def both(name: str) -> Both:
    """Return a game in both back ends, made once for all tests."""
    return Both(game(name))


def counts(names: list[str]) -> list[tuple[str, int]]:
    """Return every pair of a game and a number of players it is for."""
    return [(name, players) for name in names for players in game(name).counts]


def started(name: str, players: int, seed: int) -> Table:
    """Return a table at the beginning of a short game."""
    return game(name).start(players=players, seed=seed, **SHORT.get(name, {}))


def engine_of(table: Table) -> Engine:
    """Return the interpreter that runs a table."""
    assert isinstance(table._rules, Engine)
    return table._rules


def layout_of(table: Table) -> Layout:
    """Return where everything lies in the states of a table."""
    return engine_of(table).layout


def choice_of(table: Table) -> Choose:
    """Return the choice at which a table stands."""
    exit = layout_of(table).program.blocks[table.state[BLOCK]].exit
    assert isinstance(exit, Choose)
    return exit


def legal_moves(table: Table) -> dict[int, tuple[int, tuple[int, ...]]]:
    """Return the numbers of the legal moves, each with the place of its option and its arguments."""
    engine = engine_of(table)
    found = engine.find(table.state)
    return {n: engine.place(table.state, n, found) for n in found}


def events(table: Table) -> list[tuple[Any, ...]]:
    """Return what has happened as the back ends note it, oldest first."""
    chain, found = table._retold()[LOG], []
    while chain:
        chain, event = chain
        found.append(event)
    return found[::-1]


@cache
def _passing(program_name: str, source_hash: str) -> frozenset[int]:
    """Return the slots that are written while one only looks: arguments of options, names inside expressions."""
    program = _programs[program_name, source_hash]
    found: set[int] = set()
    slot = 0
    for info in program.slots:
        if info.role == "scratch":
            found.update(range(slot, slot + info.size))
        slot += info.size
    for block in program.blocks:
        if isinstance(block.exit, Choose):
            found.update(a.bind.slot for o in block.exit.options for a in o.arguments)
    return frozenset(found)


_programs: dict[tuple[str, str], Program] = {}


def passing(program: Program) -> frozenset[int]:
    """Return the slots whose values mean nothing between two statements."""
    key = (program.name, program.source_hash)
    _programs[key] = program
    return _passing(*key)


def essence(table: Table) -> tuple[Any, ...]:
    """Return all of a state that can make a difference to the game; two tables with equal ones have equal futures."""
    state, layout = table.state, layout_of(table)
    skipped = passing(layout.program)
    head = [state[i] for i in (BLOCK, CHANCE, DECISIONS, SEAT, WINNER)]
    slots = [state[HEAD + i] for i in range(layout.size - HEAD) if i not in skipped]
    zones = [list(state[i]) for i in layout.shape.lists]
    return (head, slots, list(state[PLACE]), zones, table.outcome)


def play_at_random(table: Table, seed: int, most: int = 10_000) -> Iterator[int]:
    """Yield the number of each move before it is made; choices come from a stream of their own."""
    choice = mix(seed, 1)
    while table.turn is not None and table.decisions < most and not table.outcome:
        legal = table.legal()
        choice, place = pick(choice, len(legal))
        yield legal[place]
        table.step(legal[place])


def assert_conserved(table: Table) -> None:
    """Hold that every piece is in one zone, that pools are sorted, and that all tokens are there."""
    state, layout = table.state, layout_of(table)
    seen, places = list[int](), state[PLACE]
    for index in layout.shape.lists:
        pieces = state[index]
        if pieces:
            seen += pieces
            assert {places[x] for x in pieces} == {index}, layout.shape.zone_name[index]
            if layout.shape.is_pool[index]:
                assert pieces == sorted(pieces), layout.shape.zone_name[index]
    assert sorted(seen) == list(range(len(layout.kind_of)))
    for token in layout.program.tokens:
        total = engine_of(table).asking.ask(token.total)(state)
        held = [
            state[place]
            for variable in layout.shape.variables
            if variable.place - HEAD in (token.supply, *token.places)
            for place in layout.shape.places(variable)
        ]
        assert sum(held) == total and min(held) >= 0, token.name


def dos_hash(players: int, seed: int) -> str:
    """Return a hash of a game of DOS: the number of every move, how many there were to choose from, the scores."""
    table = game("dos").start(players=players, seed=seed, target=100)
    choice, told = mix(seed, 1), hashlib.sha256()
    while table.turn is not None:
        legal = table.legal()
        choice, place = pick(choice, len(legal))
        told.update(f"{table.turn} {len(legal)} {legal[place]}\n".encode())
        table.step(legal[place])
    told.update(f"{table.scores} {table.winners}".encode())
    return told.hexdigest()[:16]
