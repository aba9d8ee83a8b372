"""Scenarios as checked: a table as given, moves, and what must hold."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from hoyle.program.expressions import Expr
from hoyle.program.types import Node


class FacesOf(Node):
    """The kinds of the pieces that a zone is given, in the order written."""

    kinds: tuple[int, ...]


class Given(Node):
    """A zone, variable, parameter or the seed, and what it is when the scenario begins."""

    node: Literal["given"] = "given"
    what: Literal["zone", "variable", "parameter", "seed"]
    name: str
    target: int = 0
    seat: Expr | None = None
    faces: FacesOf | None = None
    value: Expr | None = None
    line: int = 0


class GivenRest(Node):
    """All pieces not named are shuffled and dealt to these zones, one at a time in turn."""

    node: Literal["given_rest"] = "given_rest"
    zones: tuple[Expr, ...]
    line: int = 0


class StartAt(Node):
    node: Literal["start_at"] = "start_at"
    phase: str
    args: tuple[Expr, ...]
    line: int = 0


class MoveText(Node):
    """A move as written; `args` are words as the table shows them, `bare` where no brackets are.

    A move that is made pick by pick, written whole, has the first pick among its `args` and those after it in `more`.
    With `whole` it is a payment, and `args` are what it holds: `2 coin`, `red 3`.
    """

    option: str
    args: tuple[str, ...]
    bare: bool
    more: tuple[str, ...] = ()
    whole: bool = False


class Made(Node):
    node: Literal["made"] = "made"
    seat: int
    move: MoveText
    refused: bool
    line: int = 0


class Holds(Node):
    """A condition; `sides` are its two sides where it compares, to be shown when it fails.

    One that several are joined to by `and` has them as `parts`, in order.
    """

    node: Literal["holds"] = "holds"
    condition: Expr
    written: str
    sides: tuple[Expr, ...] = ()
    parts: tuple[Holds, ...] = ()
    line: int = 0


class OneOf(Node):
    node: Literal["one_of"] = "one_of"
    value: Expr
    choices: tuple[Expr, ...]
    written: str
    line: int = 0


class May(Node):
    node: Literal["may"] = "may"
    form: Literal["may", "may not", "may only"]
    seat: int
    moves: tuple[MoveText, ...]
    line: int = 0


class NextIs(Node):
    """Who is to move; -1 when the game must be over."""

    node: Literal["next_is"] = "next_is"
    seat: int
    line: int = 0


class Winners(Node):
    node: Literal["winners"] = "winners"
    seats: tuple[int, ...]
    line: int = 0


Step = Annotated[
    Given | GivenRest | StartAt | Made | Holds | OneOf | May | NextIs | Winners, Field(discriminator="node")
]


class Scenario(Node):
    """One scenario; `seats` are the names of its players in seat order."""

    title: str
    path: str
    line: int
    seats: tuple[str, ...]
    steps: tuple[Step, ...]
    text: str = ""
