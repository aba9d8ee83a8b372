"""The spec as written: one class a construct of the grammar, each with its span.

Nothing is resolved here: a name is a word, a type is what somebody wrote. These are plain frozen
dataclasses, since a spec makes thousands of them and they never leave the process.
"""

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
    """`form` is one of name, player, team, number, flag, card, range, set."""

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
    """`word` is not, negative, or an of-word: size, top, bottom, left, right, others, first, last, owner, seats,
    next, team, partner, members."""

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
class Ends(Expr):
    """`last 3 of pond`: so many cards from one end; `word` is top, bottom, first or last."""

    word: str
    count: Expr
    zone: Expr


@dataclass(frozen=True, slots=True)
class New(Expr):
    """`new melds`: an empty one of zones that begin in play."""

    zone: Word


@dataclass(frozen=True, slots=True)
class CanPay(Expr):
    """`can pay(p, 3)`: whether a payment can be made."""

    name: Word
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Reckoned(Expr):
    """An operation of `runtime/paying.py`; not written, but what payments are made of.

    `packed` goes through the pieces of `binder` and makes of each, the first argument, and its worth, the second, one
    number.
    """

    op: str
    arguments: tuple[Expr, ...]
    binder: Binder | None = None


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
    name: Word
    value: Expr


@dataclass(frozen=True, slots=True)
class LetNone(Statement):
    """A name for elements of `source`, of which it holds none as yet; not written.

    Without `or_none` it begins with the first of all that could be there.
    """

    name: Word
    source: Expr
    or_none: bool


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
class Learn(Statement):
    """Where `when` holds, all have seen that `piece` was taken from `zone` by a chain; not written.

    Each link is a test of the piece called `name`. No piece that passes a link before the first one that `piece` passes
    can be in the zone.
    """

    when: Expr
    piece: Expr
    zone: Expr
    name: Word
    tests: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class If(Statement):
    condition: Expr
    body: Body
    otherwise: Body | None


@dataclass(frozen=True, slots=True)
class Repeat(Statement):
    """`form` is ever, while, until or times."""

    form: str
    condition: Expr | None
    times: Expr | None
    body: Body


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
class Option(Node):
    name: Word
    binders: Binders | None
    when: Expr | None
    label: str
    body: Body | None


@dataclass(frozen=True, slots=True)
class Choose(Statement):
    """A choice of one player, the `chooser`.

    With `how`, secretly or first, `name` runs through the players of `chooser` for which `where` holds; `nobody` is
    what happens where all of them pass.
    """

    chooser: Expr
    texts: tuple[RuleText, ...]
    options: tuple[Option, ...]
    how: str = ""
    name: Word | None = None
    where: Expr | None = None
    nobody: Body | None = None


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


# ---- blocks -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Game(Node):
    """`teams` is None where none are written; `ways` are the directions as written."""

    name: str
    low: int
    high: int
    texts: tuple[RuleText, ...]
    teams: int | None = None
    ways: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class DomainItem(Node):
    """A word, a value (`low` alone) or a range of a parameter's domain."""

    name: str = ""
    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    name: Word
    default: Expr
    domain: tuple[DomainItem, ...]
    texts: tuple[RuleText, ...]


@dataclass(frozen=True, slots=True)
class Member(Node):
    """A name, another enum (capital letter) or numbers `low`..`high`."""

    name: str = ""
    low: int = 0
    high: int = 0


@dataclass(frozen=True, slots=True)
class Enum(Node):
    name: Word
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Field(Node):
    names: tuple[Word, ...]
    type: TypeExpr


@dataclass(frozen=True, slots=True)
class Piece(Node):
    word: str
    name: Word
    fields: tuple[Field, ...]
    face: str
    face_span: Span


@dataclass(frozen=True, slots=True)
class Kind(Node):
    name: Word
    types: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Token(Node):
    """A kind of token: how many there are, what each is worth, what each player begins with and can hold at most."""

    name: Word
    total: Expr
    worth: Expr | None
    starts: tuple[Expr, ...]
    caps: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Counts(Node):
    """The counts of players that something is for; without `high` there is no most."""

    low: int
    high: int | None


@dataclass(frozen=True, slots=True)
class DeckCount(Node):
    count: int
    type: Word
    arguments: tuple[Expr, ...]
    binders: Binders | None
    players: Counts | None


@dataclass(frozen=True, slots=True)
class DeckTable(Node):
    """Cards as the rows of a table say; `file` is its name as written. Without `type` a column names that of each."""

    type: Word | None
    file: Word
    players: Counts | None


@dataclass(frozen=True, slots=True)
class DeckFor(Node):
    binders: Binders
    lines: tuple[DeckCount | DeckFor, ...]


@dataclass(frozen=True, slots=True)
class Deck(Node):
    zone: Word
    lines: tuple[DeckCount | DeckFor | DeckTable, ...]
    texts: tuple[RuleText, ...]


@dataclass(frozen=True, slots=True)
class ZoneWord(Node):
    """`but_top` belongs to `refilled`: the top card of the other zone stays. The name of `at most` is a number."""

    word: str
    name: str = ""
    but_top: bool = False


@dataclass(frozen=True, slots=True)
class Zone(Node):
    name: Word
    words: tuple[ZoneWord, ...]


@dataclass(frozen=True, slots=True)
class Variable(Node):
    name: Word
    type: TypeExpr | None
    value: Expr | None
    each_player: bool
    each_team: bool = False


@dataclass(frozen=True, slots=True)
class Case(Node):
    """`when condition: value`; the condition of `otherwise` is None."""

    condition: Expr | None
    value: Expr


@dataclass(frozen=True, slots=True)
class Define(Node):
    name: Word
    fields: tuple[Field, ...]
    texts: tuple[RuleText, ...]
    value: Expr | None
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Phase(Node):
    """A phase; `play` is the phase of that name."""

    name: Word
    fields: tuple[Field, ...]
    body: Body


@dataclass(frozen=True, slots=True)
class Family(Node):
    """A block of the surface that stands for a phase, such as `tricks`; see `families`."""

    name: Word
    fields: tuple[Field, ...]
    texts: tuple[RuleText, ...]


@dataclass(frozen=True, slots=True)
class Key(Node):
    extreme: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Rank(Node):
    """`teams` says that it is teams that are ranked."""

    name: Word
    keys: tuple[Key, ...]
    shared: bool
    teams: bool = False


@dataclass(frozen=True, slots=True)
class Result(Node):
    ranks: tuple[Rank, ...]
    texts: tuple[RuleText, ...]


@dataclass(frozen=True, slots=True)
class Move(Node):
    option: Word
    arguments: tuple[Expr, ...]
    bare: bool


@dataclass(frozen=True, slots=True)
class Step(Node):
    pass


@dataclass(frozen=True, slots=True)
class Given(Step):
    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class GivenOut(Step):
    player: Expr


@dataclass(frozen=True, slots=True)
class GivenReversed(Step):
    pass


@dataclass(frozen=True, slots=True)
class GivenRest(Step):
    zone: Word


@dataclass(frozen=True, slots=True)
class StartAt(Step):
    phase: Word
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Made(Step):
    player: Word
    move: Move
    refused: bool


@dataclass(frozen=True, slots=True)
class Holds(Step):
    condition: Expr


@dataclass(frozen=True, slots=True)
class OneOf(Step):
    value: Expr
    choices: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class May(Step):
    """`form` is may, may not or may only."""

    form: str
    player: Word
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class NextIs(Step):
    player: Word


@dataclass(frozen=True, slots=True)
class Winners(Step):
    players: tuple[Word, ...]


@dataclass(frozen=True, slots=True)
class Scenario(Node):
    title: str
    players: int
    seats: tuple[Word, ...]
    steps: tuple[Step, ...]
    texts: tuple[RuleText, ...]


Block = (
    Game
    | Parameter
    | Enum
    | Piece
    | Kind
    | Token
    | Deck
    | Zone
    | Variable
    | Define
    | Phase
    | Family
    | Result
    | Scenario
)


@dataclass(frozen=True, slots=True)
class File:
    """A whole file: its blocks in the order written, lists such as `zones` laid flat."""

    path: str
    blocks: tuple[Block, ...]
    headings: tuple[Word, ...]
