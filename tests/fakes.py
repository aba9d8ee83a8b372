"""A small game that fits the table protocol, and stand-ins for the modules that find and test games.

The game: everybody holds three cards, all different. In turn, play one and score its number, or draw one from the
stock, once a game and unseen by others. It ends when somebody's hand is empty; the highest score wins.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import pytest

from hoyle.diagnostics import Report
from hoyle.runtime.chance import mix, pick, seeded, shuffle
from hoyle.runtime.faults import Fault, IllegalMove
from hoyle.runtime.why import Reason, Why
from hoyle.source import Span

DRAW = 0


@dataclass(frozen=True)
class FakeMove:
    number: int

    @property
    def option(self) -> str:
        return "draw" if self.number == DRAW else "play"

    @property
    def text(self) -> str:
        return "draw" if self.number == DRAW else f"play card {self.number}"

    @property
    def call(self) -> str:
        return "draw" if self.number == DRAW else f'play("card {self.number}")'

    @property
    def rule(self) -> str:
        return "" if self.number == DRAW else "Its number is your score.\nHigh cards are good."

    def __str__(self) -> str:
        return self.text


@dataclass
class FakeParameter:
    name: str
    default: str
    domain: str
    text: str = ""


@dataclass
class FakePlayout:
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: int
    outcome: str = "finished"
    fault: str = ""
    choices: int = 0
    forced: int = 0


class FakeTable:
    ask = "play or draw"

    def __init__(
        self, players: int, seed: int, limit: int, hand_size: int, fault_at: int, endless: bool
    ) -> None:
        self.players, self.limit, self.fault_at, self.endless = players, limit, fault_at, endless
        pack = list(range(1, players * hand_size + 4))
        shuffle(seeded(seed), pack)
        self.hands = [sorted(pack[seat * hand_size : (seat + 1) * hand_size]) for seat in range(players)]
        self.stock = pack[players * hand_size :]
        self.drawn = [False] * players
        self.points = [0] * players
        self.decisions = 0
        self.turn: int | None = 0
        self.outcome = ""
        self.events: list[tuple[int | None, str, str]] = [
            (None, "the cards are dealt", "the cards are dealt")
        ]

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(self.points)

    @property
    def winners(self) -> tuple[int, ...]:
        if self.outcome != "finished":
            return ()
        return tuple(seat for seat, score in enumerate(self.points) if score == max(self.points))

    def legal(self) -> list[int]:
        if self.turn is None:
            return []
        draw = [DRAW] if self.stock and not self.drawn[self.turn] else []
        return draw + self.hands[self.turn]

    def moves(self) -> list[FakeMove]:
        return [FakeMove(number) for number in self.legal()]

    def play(self, move: FakeMove | int | str) -> None:
        for each in self.moves():
            if move in (each, each.number, each.text, each.call):
                return self.step(each.number)
        raise IllegalMove(f"{move} is not allowed now")

    def step(self, n: int) -> None:
        seat = self.turn
        assert seat is not None
        self.decisions += 1
        if self.decisions == self.fault_at:
            raise Fault("the choice is empty", line=12)
        if n == DRAW:
            card = self.stock.pop(0)
            self.hands[seat] = sorted([*self.hands[seat], card])
            self.drawn[seat] = True
            self.events.append((seat, f"draws card {card}", "draws a card"))
        else:
            self.points[seat] += n
            if not self.endless:
                self.hands[seat].remove(n)
            self.events.append((seat, f"play card {n}", f"play card {n}"))
        self.turn = (seat + 1) % self.players
        if not self.hands[seat]:
            self.turn, self.outcome = None, "finished"
        elif self.decisions >= self.limit:
            self.turn, self.outcome = None, "stalled"

    def why(self, move: Any) -> Why:
        word = move if isinstance(move, str) else move.call
        if any(word in (m.text, m.call) for m in self.moves()):
            return Why(word, True, (word,))
        card = word.removeprefix("play card ")
        if not card.isdecimal():
            return Why(word, False, (), (Reason("", "there is no such move"),))
        return Why(word, False, (), (Reason("play", f"card {card} is not in your hand", "Play a card.", 7),))

    def copy(self, seed: int | None = None) -> FakeTable:
        twin = object.__new__(FakeTable)
        twin.__dict__.update(self.__dict__)
        twin.hands = [list(hand) for hand in self.hands]
        for name in ("stock", "drawn", "points", "events"):
            setattr(twin, name, list(getattr(self, name)))
        return twin

    def view(self, seat: int) -> dict[str, Any]:
        hands = [
            {"size": len(hand), "cards": [f"card {c}" if seat == s else None for c in hand]}
            for s, hand in enumerate(self.hands)
        ]
        zones = {"stock": {"size": len(self.stock), "cards": [None] * len(self.stock)}, "hand": hands}
        return {
            "seat": seat,
            "players": self.players,
            "zones": zones,
            "state": {"score": list(self.points), "late": False},
        }

    def knows(self, seat: int) -> dict[str, Any]:
        return self.view(seat)

    def resample(self, seat: int, seed: int) -> FakeTable:
        return self.copy(seed)

    def log(self, seat: int | None) -> list[dict[str, Any]]:
        told = []
        for who, own, others in self.events:
            if who is None:
                told.append({"text": own, "seat": None, "kind": "chance", "rule": ""})
            else:
                text = f"player {who + 1}: {own if seat in (None, who) else others}"
                rule = FakeMove(1).rule if own.startswith("play") else ""
                told.append({"text": text, "seat": who, "kind": "move", "rule": rule})
        return told


class FakeGame:
    name = "High Cards"
    counts = (2, 3, 4)
    text = "Play high cards. The highest score wins."

    def __init__(self) -> None:
        self.parameters = {
            "hand_size": FakeParameter("hand_size", "3", "1..60"),
            "fault_at": FakeParameter("fault_at", "0", "0..1000"),
            "endless": FakeParameter("endless", "no", "yes, no"),
        }

    def setting(self, name: str, text: str) -> Any:
        if name not in self.parameters:
            raise ValueError(f"there is no parameter '{name}'; did you mean hand_size?")
        if name == "endless":
            return text == "yes"
        if not text.isdecimal():
            raise ValueError(f"{name} takes a number within {self.parameters[name].domain}, not '{text}'")
        return int(text)

    def start(
        self, players: int | None = None, seed: int = 0, max_decisions: int = 50, **parameters: Any
    ) -> FakeTable:
        values = {"hand_size": 3, "fault_at": 0, "endless": False, **parameters}
        return FakeTable(players or 2, seed, max_decisions, **values)

    def playouts(
        self, n: int, players: int | None = None, seed: int = 0, first: int = 0, **parameters: Any
    ) -> Iterator[FakePlayout]:
        for number in range(first, first + n):
            table = self.start(players=players, seed=mix(seed, number), **parameters)
            yield playout(table, mix(seed, number, 1))


def playout(table: FakeTable, state: int) -> FakePlayout:
    """Play a table to its end by the stream of chance that begins at `state`."""
    choices = forced = 0
    while table.turn is not None:
        legal = table.legal()
        choices += len(legal)
        forced += len(legal) == 1
        state, chosen = pick(state, len(legal))
        try:
            table.step(legal[chosen])
        except Fault as fault:
            return FakePlayout((), (), table.decisions, "fault", str(fault), choices, forced)
    return FakePlayout(
        table.scores, table.winners, table.decisions, table.outcome, choices=choices, forced=forced
    )


@dataclass
class FakeResult:
    title: str
    path: str = "high.hoyle"
    line: int = 20
    passed: bool = True
    problems: list[str] = field(default_factory=list)


class SpecError(Exception):
    def __init__(self, report: Report) -> None:
        super().__init__("the spec has errors")
        self.report = report


class NoSuchSpec(Exception):
    pass


def report(path: str, *codes: str) -> Report:
    """Return a report with one diagnostic for each code."""
    found = Report(sources={path: "hoyle 1\ngame\n"})
    for line, code in enumerate(codes, 1):
        found.add(code, Span(path, line, 1, line, 5), f"something about {code}")
    return found


def install(monkeypatch: pytest.MonkeyPatch, results: list[FakeResult] | None = None) -> FakeGame:
    """Put stand-ins in the place of `hoyle.session` and `hoyle.scenarios`; return the game that they find.

    The specs there are: `high`, `wrong` (an error), `doubtful` (a warning), and `broken`, which crashes hoyle.
    """
    game = FakeGame()
    codes = {"high": (), "wrong": ("E201",), "doubtful": ("W301",)}

    def check(path: str) -> tuple[Report, object | None]:
        if path == "broken":
            raise KeyError("a bug")
        if path not in codes:
            raise NoSuchSpec(f"there is no game '{path}'; did you mean high?")
        return report(path, *codes[path]), None if path == "wrong" else "program"

    def load(path: str) -> FakeGame:
        found, program = check(path)
        if program is None:
            raise SpecError(found)
        return game

    session = ModuleType("hoyle.session")
    session.__dict__.update(
        check=check,
        load=load,
        interpreted=load,
        counting=lambda path, games: load(path),
        faster=lambda game: game,
        SpecError=SpecError,
        NoSuchSpec=NoSuchSpec,
        show_program=lambda p: f"the {p}",
        show_passes=lambda p: f"passes of the {p}",
    )
    scenarios = ModuleType("hoyle.scenarios")
    scenarios.__dict__["run"] = lambda game, paths: list(results or [])
    monkeypatch.setitem(sys.modules, "hoyle.session", session)
    monkeypatch.setitem(sys.modules, "hoyle.scenarios", scenarios)
    return game
