"""Statements, which do, and the flow graph of blocks between decisions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from hoyle.program.expressions import Bind, Expr
from hoyle.program.types import Node, Type

# ---- straight statements --------------------------------------------------------------------


class Set(Node):
    """Give a slot a value; one outside `low`..`high` is a fault."""

    node: Literal["set"] = "set"
    slot: int
    name: str
    value: Expr
    low: int | None = None
    high: int | None = None
    line: int = 0


class SetAt(Node):
    """Give the variable of one player a value."""

    node: Literal["set_at"] = "set_at"
    slot: int
    name: str
    index: Expr
    value: Expr
    low: int | None = None
    high: int | None = None
    line: int = 0


class MovePieces(Node):
    """Move pieces, sets of pieces or all of a zone, in the order written, to the end of a zone."""

    node: Literal["move_pieces"] = "move_pieces"
    pieces: tuple[Expr, ...]
    target: Expr
    line: int = 0


class MoveSome(Node):
    """Move `amount` pieces from the top, or all; a refilled source is refilled when it runs out.

    The pieces moved become the value of `slot`, a set, if there is one.
    """

    node: Literal["move_some"] = "move_some"
    amount: Expr | None
    source: Expr
    target: Expr
    slot: int | None = None
    line: int = 0


class Deal(Node):
    """Deal `amount` pieces to the zone of each player not in the set `out`, one at a time in seat order."""

    node: Literal["deal"] = "deal"
    amount: Expr
    source: Expr
    zone: int
    name: str
    out: Expr | None = None
    line: int = 0


class Fill(Node):
    """Move pieces from the source until the target holds `amount`."""

    node: Literal["fill"] = "fill"
    target: Expr
    amount: Expr
    source: Expr
    line: int = 0


class Swap(Node):
    """Exchange all pieces of two zones."""

    node: Literal["swap"] = "swap"
    left: Expr
    right: Expr
    line: int = 0


class Gather(Node):
    """Bring every piece of some card types (all: empty), wherever it lies, into a zone."""

    node: Literal["gather"] = "gather"
    pieces: tuple[str, ...]
    target: Expr
    shuffled: bool
    line: int = 0


class Shuffle(Node):
    """Put the pieces of a zone into random order."""

    node: Literal["shuffle"] = "shuffle"
    zone: Expr
    line: int = 0


class Pick(Node):
    """Give a slot one element of a collection, each equally likely; none to pick from is a fault."""

    node: Literal["pick"] = "pick"
    slot: int
    name: str = ""
    index: Expr | None = None
    source: Expr
    low: int | None = None
    high: int | None = None
    line: int = 0


class DrawFor(Node):
    """Each player not in the set `out` draws from the pile; the best card by `key` makes a player the value of `slot`.

    Those who tie draw again; when one is left all drawn cards go back and the pile is shuffled.
    """

    node: Literal["draw_for"] = "draw_for"
    slot: int
    name: str = ""
    source: Expr
    extreme: Literal["highest", "lowest"]
    binder: Bind
    key: Expr
    out: Expr | None = None
    line: int = 0


class If(Node):
    node: Literal["if"] = "if"
    test: Expr
    yes: tuple[Statement, ...]
    no: tuple[Statement, ...] = ()
    line: int = 0


class Repeat(Node):
    """A loop without decisions: `test` is asked before each pass, `until` after it, at most `times` passes."""

    node: Literal["repeat"] = "repeat"
    times: Expr | None = None
    test: Expr | None = None
    until: Expr | None = None
    body: tuple[Statement, ...]
    line: int = 0


class ForEach(Node):
    """A loop over what the binders hold when it begins; ordered by a key where one is given."""

    node: Literal["for_each"] = "for_each"
    binders: tuple[Bind, ...]
    where: Expr | None = None
    extreme: Literal["highest", "lowest", ""] = ""
    key: Expr | None = None
    body: tuple[Statement, ...]
    line: int = 0


class Collect(Node):
    """Give a slot what the binders of a loop with decisions hold when it begins: a tuple of tuples."""

    node: Literal["collect"] = "collect"
    slot: int
    binders: tuple[Bind, ...]
    where: Expr | None = None
    extreme: Literal["highest", "lowest", ""] = ""
    key: Expr | None = None
    line: int = 0


class Take(Node):
    """Give the slots `targets` the values of the next tuple of a collected slot, and count on in `index`."""

    node: Literal["take"] = "take"
    slot: int
    index: int
    targets: tuple[int, ...]


class Break(Node):
    """Leave the innermost straight loop."""

    node: Literal["break"] = "break"
    line: int = 0


class Perform(Node):
    """Run a phase that holds no decision; its parameters are slots."""

    node: Literal["perform"] = "perform"
    phase: str
    args: tuple[Expr, ...]
    line: int = 0


Statement = Annotated[
    Set
    | SetAt
    | MovePieces
    | MoveSome
    | Deal
    | Fill
    | Swap
    | Gather
    | Shuffle
    | Pick
    | DrawFor
    | If
    | Repeat
    | ForEach
    | Collect
    | Take
    | Break
    | Perform,
    Field(discriminator="node"),
]

# ---- the ways out of a block --------------------------------------------------------------------


class Jump(Node):
    """Go on at a block; `back` marks the end of a pass of a loop."""

    node: Literal["jump"] = "jump"
    to: int
    back: bool = False


class Branch(Node):
    node: Literal["branch"] = "branch"
    test: Expr
    yes: int
    no: int
    line: int = 0


class Call(Node):
    """Begin a phase; it returns to block `back`."""

    node: Literal["call"] = "call"
    phase: str
    args: tuple[Expr, ...]
    back: int
    line: int = 0


class Return(Node):
    """End a phase: the one this block belongs to or one that called it."""

    node: Literal["return"] = "return"
    phase: str


class Over(Node):
    """End the game; `winner` has won whatever the result says."""

    node: Literal["over"] = "over"
    winner: Expr | None = None


class Argument(Node):
    """One argument of an option: a binder, and the domain its moves are numbered over."""

    bind: Bind
    domain: Type


class Option(Node):
    """What a player may choose: guard, arguments, and the block that carries it out."""

    name: str
    arguments: tuple[Argument, ...] = ()
    when: Expr | None = None
    where: Expr | None = None
    label: str = ""
    text: str = ""
    to: int
    line: int = 0


class Choose(Node):
    """Ask a player; the game stands here until a move is made."""

    node: Literal["choose"] = "choose"
    chooser: Expr
    options: tuple[Option, ...]
    text: str = ""
    line: int = 0


Exit = Annotated[Jump | Branch | Call | Return | Over | Choose, Field(discriminator="node")]


class Block(Node):
    """Straight statements and one way out; `phase` is the phase it was written in."""

    number: int
    phase: str
    body: tuple[Statement, ...]
    exit: Exit


class Phase(Node):
    """A phase: either `straight`, then `body` is all of it, or blocks from `entry`.

    `back` is the slot that holds the block to return to.
    """

    name: str
    parameters: tuple[int, ...] = ()
    types: tuple[Type, ...] = ()
    text: str = ""
    line: int = 0
    straight: bool = False
    body: tuple[Statement, ...] = ()
    entry: int = -1
    back: int = -1


for _model in (If, Repeat, ForEach):
    _model.model_rebuild()
