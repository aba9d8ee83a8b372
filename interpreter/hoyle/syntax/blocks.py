"""The blocks of a file, the steps of its scenarios, and the file as a whole."""

from __future__ import annotations

from dataclasses import dataclass

from hoyle.source import Span
from hoyle.syntax.inside import Binder, Binders, Body, Expr, Node, RuleText, TypeExpr, Word


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
class AsIf(Node):
    """`as if each Wild w in Z were one Face n or nothing where P`, and its `best: E`.

    `wild` and `face` give their names; the source of `face` is the type once more.
    """

    wild: Binder
    face: Binder
    nothing: bool
    where: Expr | None
    best: Expr


@dataclass(frozen=True, slots=True)
class MeldForm(Node):
    """`meld run: 3+ c with the same c.suit, c.rank in a row`; `high` is 0 where there is no end.

    `marks` are same, once or row with what they are about. `card` gives its name.
    """

    name: Word
    low: int
    high: int
    card: Binder
    marks: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, slots=True)
class WildIn(Node):
    """`wild: Joker w where P, at most 1 in a meld`; `most` is -1 where there is no limit."""

    card: Binder
    where: Expr | None
    most: int


@dataclass(frozen=True, slots=True)
class Split(Node):
    """`split Z into melds, rest` with its forms and `least: E` or `most: E`; `names` gives the two names in order."""

    source: Expr
    names: Binder
    forms: tuple[MeldForm, ...]
    wild: WildIn | None
    word: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Define(Node):
    """A definition: one value, cases, or a best way of something."""

    name: Word
    fields: tuple[Field, ...]
    texts: tuple[RuleText, ...]
    value: Expr | None
    cases: tuple[Case, ...]
    best: AsIf | Split | None = None


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
    zones: tuple[Expr, ...]


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
