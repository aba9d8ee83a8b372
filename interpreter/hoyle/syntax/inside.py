"""What stands inside blocks: names, rule text, types, expressions, statements."""

from __future__ import annotations

from dataclasses import dataclass

from hoyle.source import Span


@dataclass(frozen=True, slots=True)
class Node:
    span: Span


@dataclass(frozen=True, slots=True)
class Word(Node):
    """A name where it is written."""

    text: str


@dataclass(frozen=True, slots=True)
class RuleText(Node):
    """A line of rule text, `> ...`, without the sign."""

    text: str


# ---- types ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TypeExpr(Node):
    """`form` is one of name, player, team, number, flag, card, range, set, zone."""

    form: str
    name: str = ""
    low: Expr | None = None
    high: Expr | None = None
    element: TypeExpr | None = None
    or_none: bool = False


# ---- expressions --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Expr(Node):
    pass


@dataclass(frozen=True, slots=True)
class Name(Expr):
    text: str


@dataclass(frozen=True, slots=True)
class TypeName(Expr):
    text: str


@dataclass(frozen=True, slots=True)
class Number(Expr):
    value: int


@dataclass(frozen=True, slots=True)
class Literal(Expr):
    """`word` is yes, no, none, players, everyone, teams or reversed."""

    word: str


@dataclass(frozen=True, slots=True)
class Faces(Expr):
    text: str


@dataclass(frozen=True, slots=True)
class Attribute(Expr):
    base: Expr
    name: Word


@dataclass(frozen=True, slots=True)
class Call(Expr):
    """A call of a definition (a lower-case name) or a kind of piece (a type name)."""

    name: Word
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Unary(Expr):
    """`word` is not, negative, or an of-word: size, top, bottom, left, right, others, first, last, seats, next,
    team, partner, members."""

    word: str
    operand: Expr


@dataclass(frozen=True, slots=True)
class Binary(Expr):
    """`word` is one of + - * / mod and or is, is not, <, <=, >, >=, in, not in, meets, .. (a range)."""

    word: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class IsEmpty(Expr):
    operand: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class IsOut(Expr):
    """Whether a player has been eliminated."""

    operand: Expr
    negated: bool


@dataclass(frozen=True, slots=True)
class Takes(Expr):
    """`best_runs(p) takes "any 3" as "blue 3"`: whether a wild card counts so in the best assignment."""

    best: Expr
    wild: Expr
    face: Expr


@dataclass(frozen=True, slots=True)
class PartOf(Expr):
    """`melds of D`, `rest of D`: what the best split of a definition comes to; `word` is melds or rest."""

    word: str
    best: Expr


@dataclass(frozen=True, slots=True)
class Conditional(Expr):
    value: Expr
    condition: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class OrElse(Expr):
    """The first of two sets, or the second if the first is empty; not written, but what chains are made of."""

    first: Expr
    second: Expr


@dataclass(frozen=True, slots=True)
class PlaceIn(Expr):
    """How many pieces lie before a piece in a row; not written, but what the winner of a trick is found by."""

    piece: Expr
    zone: Expr


@dataclass(frozen=True, slots=True)
class SeatsOn(Expr):
    """The player so many seats on from a player; not written."""

    player: Expr
    count: Expr


@dataclass(frozen=True, slots=True)
class TricksWon(Expr):
    """`tricks won by p`: the count of a player or a team."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class SetOf(Expr):
    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class SetFor(Expr):
    item: Expr
    binders: Binders


@dataclass(frozen=True, slots=True)
class SetWhere(Expr):
    binder: Binder
    where: Expr | None


@dataclass(frozen=True, slots=True)
class Phrase(Expr):
    """`word` is any, every, count, or an aggregate: sum, highest, lowest, longest run (then with `value`)."""

    word: str
    value: Expr | None
    binders: Binders


@dataclass(frozen=True, slots=True)
class Superlative(Expr):
    """The piece or player with the highest or lowest key."""

    word: str
    sole: bool
    binder: Binder
    where: Expr | None
    key: Expr


@dataclass(frozen=True, slots=True)
class HowMany(Node):
    """How many a name stands for: `low` to `high`; None is as few or as many as there can be."""

    low: Expr | None
    high: Expr | None


@dataclass(frozen=True, slots=True)
class Binder(Node):
    type: Word | None
    names: tuple[Word, ...]
    source: Expr
    count: HowMany | None = None


@dataclass(frozen=True, slots=True)
class Binders(Node):
    binders: tuple[Binder, ...]
    where: Expr | None


# ---- statements -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Statement(Node):
    pass


@dataclass(frozen=True, slots=True)
class Body(Node):
    texts: tuple[RuleText, ...]
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Do(Statement):
    name: Word
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Let(Statement):
    """`type` is what the value must be, where something that nobody has written needs it so."""

    name: Word
    value: Expr
    type: TypeExpr | None = None


@dataclass(frozen=True, slots=True)
class LetNone(Statement):
    """A name for elements of `source`, of which it holds none as yet; not written.

    Without `or_none` it begins with the first of all that could be there. With `shown` it is part of every view, like a
    variable of the spec.
    """

    name: Word
    source: Expr
    or_none: bool
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Assign(Statement):
    """`word` is = += or -=."""

    word: str
    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class Wins(Statement):
    player: Expr


@dataclass(frozen=True, slots=True)
class Eliminate(Statement):
    player: Expr


@dataclass(frozen=True, slots=True)
class ReverseTurns(Statement):
    pass


@dataclass(frozen=True, slots=True)
class NextTurn(Statement):
    """`next turn is E`: who is next when the turn that is going on is over."""

    player: Expr


@dataclass(frozen=True, slots=True)
class End(Statement):
    """`what` is repeat, turns, for, game or the name of a phase."""

    what: Word


@dataclass(frozen=True, slots=True)
class MoveThese(Statement):
    pieces: tuple[Expr, ...]
    target: Expr


@dataclass(frozen=True, slots=True)
class MoveSome(Statement):
    """`amount` is None for all; with `up_to` the mover may be given fewer."""

    amount: Expr | None
    up_to: bool
    source: Expr
    target: Expr
    name: Word | None


@dataclass(frozen=True, slots=True)
class Deal(Statement):
    amount: Expr
    source: Expr
    zone: Word
    first: Expr | None = None


@dataclass(frozen=True, slots=True)
class Fill(Statement):
    target: Expr
    amount: Expr
    source: Expr


@dataclass(frozen=True, slots=True)
class Swap(Statement):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Gather(Statement):
    type: Word | None
    target: Expr
    shuffled: bool


@dataclass(frozen=True, slots=True)
class Shuffle(Statement):
    zone: Expr


@dataclass(frozen=True, slots=True)
class Pick(Statement):
    target: Expr
    source: Expr


@dataclass(frozen=True, slots=True)
class DrawFor(Statement):
    target: Expr
    source: Expr
    extreme: str
    key: Word


@dataclass(frozen=True, slots=True)
class If(Statement):
    condition: Expr
    body: Body
    otherwise: Body | None


@dataclass(frozen=True, slots=True)
class Repeat(Statement):
    """`form` is ever, while, until or times; `word` is what `end` calls it, another one where nobody has written it."""

    form: str
    condition: Expr | None
    times: Expr | None
    body: Body
    word: str = "repeat"


@dataclass(frozen=True, slots=True)
class For(Statement):
    binders: Binders
    extreme: str
    key: Expr | None
    body: Body


@dataclass(frozen=True, slots=True)
class Turns(Statement):
    name: Word
    first: Expr
    until: Expr | None
    body: Body


@dataclass(frozen=True, slots=True)
class Reason(Node):
    """What else must hold of a move: it is only asked to say why one is not possible, and `says` says it."""

    asks: Expr
    says: str
    texts: tuple[RuleText, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked(Node):
    """Where an option's one argument comes from before it is sifted, in words too, and what sifts it; not written."""

    source: Expr
    words: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class Option(Node):
    name: Word
    binders: Binders | None
    when: Expr | None
    label: str
    body: Body | None
    asked: Asked | None = None


@dataclass(frozen=True, slots=True)
class Choose(Statement):
    """A choice of one player, the `chooser`.

    With `how`, secretly or first, `name` runs through the players of `chooser` for which `where` holds; `nobody` is
    what happens where all of them pass. A step of a `payment` is not written.
    """

    chooser: Expr
    texts: tuple[RuleText, ...]
    options: tuple[Option, ...]
    how: str = ""
    name: Word | None = None
    where: Expr | None = None
    nobody: Body | None = None
    payment: str = ""


@dataclass(frozen=True, slots=True)
class Show(Statement):
    """Show cards to the players `seats`, or to all."""

    pieces: tuple[Expr, ...]
    seats: Expr | None


@dataclass(frozen=True, slots=True)
class Give(Statement):
    """Give tokens; `amount` is None for all. Without `source` they come from the supply."""

    amount: Expr | None
    up_to: bool
    token: Word
    source: Expr | None
    target: Expr
