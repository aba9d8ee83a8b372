"""Expressions of a program: they only ask, and every one bears its type."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from hoyle.program.types import Node, Type

# One number stands for none in every type: below all that a range can hold.
NONE = -(1 << 62)


class Const(Node):
    """A value known when the spec is checked."""

    node: Literal["const"] = "const"
    value: int
    type: Type


class Param(Node):
    """A parameter: known when a table is laid."""

    node: Literal["param"] = "param"
    name: str
    type: Type


class Slot(Node):
    """A variable, local or binder: the value of a slot."""

    node: Literal["slot"] = "slot"
    slot: int
    name: str
    type: Type


class SlotAt(Node):
    """A variable that each player has: the value of slot + seat."""

    node: Literal["slot_at"] = "slot_at"
    slot: int
    name: str
    index: Expr
    type: Type


class ZoneAt(Node):
    """A zone: the number of its list; that of an owner is zone + seat."""

    node: Literal["zone_at"] = "zone_at"
    zone: int
    name: str
    index: Expr | None = None
    type: Type


class Attr(Node):
    """An attribute of a piece or kind: a table over kinds."""

    node: Literal["attr"] = "attr"
    name: str
    of: Expr
    type: Type


class TypeTest(Node):
    """Whether a piece is of one of some card types."""

    node: Literal["type_test"] = "type_test"
    pieces: tuple[str, ...]
    of: Expr
    type: Type


class Op(Node):
    """A primitive applied to its operands, which are evaluated from left to right; `and` and `or` stop early."""

    node: Literal["op"] = "op"
    op: str
    args: tuple[Expr, ...]
    type: Type
    line: int = 0


class Cond(Node):
    """`yes if test else no`."""

    node: Literal["cond"] = "cond"
    test: Expr
    yes: Expr
    no: Expr
    type: Type


class Invoke(Node):
    """A definition applied to its arguments."""

    node: Literal["invoke"] = "invoke"
    function: str
    args: tuple[Expr, ...]
    type: Type


class Bind(Node):
    """A name that runs through the elements of `source`.

    `pieces` are the card types let through, empty for all. `rank` is this binder's place among the binders that share
    one source, as in `a, b in S`: those are different pieces, taken once in each combination.
    """

    slot: int
    name: str
    source: Expr
    pieces: tuple[str, ...] = ()
    rank: int = 0
    type: Type


class Loop(Node):
    """A phrase over binders: any, every, count, sum, highest, lowest, run (the longest), set or list (of `value`)."""

    node: Literal["loop"] = "loop"
    word: Literal["any", "every", "count", "sum", "highest", "lowest", "run", "set", "list"]
    binders: tuple[Bind, ...]
    where: Expr | None = None
    value: Expr | None = None
    type: Type
    line: int = 0


class Superlative(Node):
    """The element with the highest or lowest key; the earliest of several, with `sole` none of several."""

    node: Literal["superlative"] = "superlative"
    word: Literal["highest", "lowest"]
    sole: bool
    binder: Bind
    where: Expr | None = None
    key: Expr
    type: Type
    line: int = 0


class Tally(Node):
    """What a group of cards is judged by: a phrase over the cards of one zone, of which `result` stands for the value.

    `where` and `value` ask the faces of cards and the group alone.
    """

    word: Literal["any", "every", "count", "sum", "run", "set"]
    card: Bind
    where: Expr | None = None
    value: Expr | None = None
    result: Bind


class AsIf(Node):
    """The best that wild cards of a zone can do: each counts as a face that `fits`, or as nothing where that may be.

    The score is the sum over the `groups` (or the highest) of `value`, which asks their tallies. A face counts in one
    group at most. `part` is what is asked: the score itself, which wild counts as what, or whether a wild of the first
    kind in `asked` counts as the second. All parts of one definition have its name.
    """

    node: Literal["as_if"] = "as_if"
    name: str
    part: Literal["best", "witness", "takes"] = "best"
    zone: Expr
    wild: Bind
    face: Bind
    fits: Expr | None = None
    nothing: bool
    group: Bind
    groups: tuple[int, ...]
    tallies: tuple[Tally, ...]
    value: Expr
    highest: bool = False
    asked: tuple[Expr, ...] = ()
    type: Type
    line: int = 0


class MeldForm(Node):
    """A form of meld of `low` to `high` cards, 0 for any number: the cards have all of `same` in common.

    With `row` they stand in a row by it, and with `once` no two of them have the same of it.
    """

    name: str
    low: int
    high: int
    card: Bind
    same: tuple[Expr, ...] = ()
    once: Expr | None = None
    row: Expr | None = None


class Split(Node):
    """The best split of some cards into melds and a rest.

    A card is worth `melded` in a meld and `left` in the rest; the score is the sum of all and of `extra`, and the
    lowest is best with `least`. Cards that pass `wild`, where there are such, fill gaps: `most_wild` in a meld, or any
    number for -1. `part` is what is asked: the score, the melds, the rest, or all of it for a log.
    """

    node: Literal["split"] = "split"
    name: str
    part: Literal["best", "melds", "rest", "witness"] = "best"
    source: Expr
    forms: tuple[MeldForm, ...]
    wild: Bind | None = None
    is_wild: Expr | None = None
    most_wild: int = -1
    card: Bind
    melded: Expr
    left: Expr
    least: bool
    extra: int = 0
    type: Type
    line: int = 0


Expr = Annotated[
    Const
    | Param
    | Slot
    | SlotAt
    | ZoneAt
    | Attr
    | TypeTest
    | Op
    | Cond
    | Invoke
    | Loop
    | Superlative
    | AsIf
    | Split,
    Field(discriminator="node"),
]

for _model in (
    SlotAt,
    ZoneAt,
    Attr,
    TypeTest,
    Op,
    Cond,
    Invoke,
    Bind,
    Loop,
    Superlative,
    Tally,
    AsIf,
    MeldForm,
    Split,
):
    _model.model_rebuild()
