"""The table protocol as types: all that bots, the simulator, the terminal and other drivers know of a game.

An interpreted game and a compiled module both fit these shapes without importing this page, so a driver never
needs to know which of them it has in hand. Standard library only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from hoyle.runtime.points import Point


class Move(Protocol):
    """A legal move: a stable number, a text that reads well, and its call form."""

    @property
    def number(self) -> int: ...
    @property
    def text(self) -> str: ...
    @property
    def call(self) -> str: ...
    @property
    def option(self) -> str: ...
    @property
    def rule(self) -> str: ...


class Reason(Protocol):
    """One thing that stands against a move, with a line of the spec or 0."""

    @property
    def text(self) -> str: ...
    @property
    def line(self) -> int: ...


class Why(Protocol):
    """Whether a move is allowed, and what forbids it; its str is for people."""

    @property
    def allowed(self) -> bool: ...
    @property
    def reasons(self) -> Sequence[Reason]: ...


class Playout(Protocol):
    """What is left of one random game: never its moves, so that a million of them stream."""

    @property
    def scores(self) -> Sequence[int]: ...
    @property
    def winners(self) -> Sequence[int]: ...
    @property
    def decisions(self) -> int: ...
    @property
    def outcome(self) -> str: ...
    @property
    def fault(self) -> str: ...
    @property
    def choices(self) -> int: ...
    @property
    def forced(self) -> int: ...


class Parameter(Protocol):
    """A number or switch that a run may set: default and domain as people read them."""

    @property
    def name(self) -> str: ...
    @property
    def default(self) -> str: ...
    @property
    def domain(self) -> str: ...
    @property
    def text(self) -> str: ...


class Table(Protocol):
    """A game in progress. Seats count from 0."""

    @property
    def players(self) -> int: ...
    @property
    def turn(self) -> int | None: ...
    @property
    def decisions(self) -> int: ...
    @property
    def outcome(self) -> str: ...
    @property
    def scores(self) -> Sequence[int]: ...
    @property
    def winners(self) -> Sequence[int]: ...
    @property
    def ask(self) -> str: ...

    def moves(self) -> Sequence[Move]: ...
    def play(self, move: Any) -> object: ...  # a Move, its number or its text, or a whole payment in words
    def legal(self) -> Sequence[int]: ...
    def step(self, n: int) -> object: ...
    def copy(self, seed: int | None = None) -> Table: ...
    def view(self, seat: int) -> Mapping[str, Any]: ...  # JSON-ready
    def log(self, seat: int | None) -> Sequence[Mapping[str, Any]]: ...
    def knows(self, seat: int) -> Mapping[str, Any]: ...  # JSON-ready
    def resample(self, seat: int, seed: int) -> Table: ...
    def save(self) -> str: ...  # every card is in it
    def chances(self) -> Sequence[tuple[int, Any, str]]: ...  # number, probability, words
    def why(self, move: Any) -> Why: ...  # for the seat to move


class Game(Protocol):
    """The rules of one game, ready to start tables."""

    @property
    def name(self) -> str: ...
    @property
    def counts(self) -> Sequence[int]: ...
    @property
    def text(self) -> str: ...
    @property
    def parameters(self) -> Mapping[str, Parameter]: ...

    def setting(self, name: str, text: str) -> Any: ...
    def start(
        self,
        players: int | None = None,
        seed: int = 0,
        max_decisions: int = 100_000,
        chance: str = "seeded",
        **parameters: Any,
    ) -> Table: ...
    def restore(self, text: str) -> Table: ...  # ValueError in words
    def playouts(
        self, n: int, players: int | None = None, seed: int = 0, first: int = 0, **parameters: Any
    ) -> Iterator[Playout]: ...


@runtime_checkable
class Counting(Protocol):
    """A game that counts how often each point of its rules is passed."""

    points: Sequence[Point]

    def fired(self, players: int | None = None, **parameters: Any) -> Sequence[int]: ...
