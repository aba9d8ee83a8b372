"""The whole game: components, zones, variables, definitions, flow and result."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from hoyle.program.expressions import Expr
from hoyle.program.flow import Block, Call, Phase, Whole
from hoyle.program.scenario import Scenario
from hoyle.program.types import Node, Type, value_form
from hoyle.runtime.points import Point
from hoyle.runtime.shape import Reading


class Parameter(Node):
    """A number or switch that a run may set.

    `words` are the choices of one that is not a number, `values` the numbers of one that takes only some of its range.
    """

    name: str
    type: Type
    default: int
    words: tuple[str, ...] = ()
    values: tuple[int, ...] = ()
    text: str = ""
    line: int = 0


class Enum(Node):
    """`labels` in order; `numbers` gives the number that a label spells, or None."""

    name: str
    labels: tuple[str, ...]
    numbers: tuple[int | None, ...]


class Attribute(Node):
    """One attribute of a card type."""

    name: str
    type: Type


class Kind(Node):
    """A face: card type, values of its attributes in order, and the words on it."""

    type: str
    values: tuple[int, ...]
    face: str


class DeckLine(Node):
    """`copies` pieces of a kind that start in a zone, with `low` to `high` players."""

    kind: int
    copies: int
    zone: int
    low: int
    high: int


class Zone(Node):
    """A zone; `number` is the first of its lists, one for each player or team if it has owners.

    With `keeps_top` the top card of the zone that refills it stays there. With `many` it is a family of so many lists,
    for each owner if it has any, which begin in play: those that hold nothing are not there yet.
    """

    name: str
    number: int
    form: Literal["pile", "row", "pool"]
    seen: Literal["open", "hidden", "owner", "others", "team", "top"]
    each_player: bool = False
    each_team: bool = False
    refill: int | None = None
    keeps_top: bool = False
    many: int = 0
    pieces: tuple[str, ...] = ()
    line: int = 0


class Variable(Node):
    """A variable of the state; `slot` is the first of its slots, one for each player or team that has one.

    `start` asks nothing but parameters; with `less_each` the variable begins with so much less for each player.
    """

    name: str
    slot: int
    type: Type
    each_player: bool
    start: Expr
    line: int = 0
    each_team: bool = False
    less_each: Expr | None = None


class Token(Node):
    """A kind of token: `supply` is the slot of what is left, `places` are the variables that hold the others.

    The supply begins with `total` less what each player begins with.
    """

    name: str
    total: Expr
    supply: int
    places: tuple[int, ...]
    line: int = 0


class SlotInfo(Node):
    """One slot of the state, or `size` for each player; a scratch slot lives inside one expression only.

    `owner` is the phase or definition that a local belongs to.
    """

    name: str
    owner: str = ""
    type: Type
    size: int = 1
    role: Literal["state", "local", "flow", "scratch"]


class Function(Node):
    """A definition: slots of its parameters and the expression it stands for."""

    name: str
    parameters: tuple[int, ...]
    types: tuple[Type, ...]
    body: Expr
    text: str = ""
    line: int = 0


class RankKey(Node):
    extreme: Literal["highest", "lowest"]
    value: Expr


class Rank(Node):
    """The order of the players at the end: by the keys in turn; `slot` holds the player, or team, asked about."""

    slot: int
    keys: tuple[RankKey, ...]
    shared: bool
    line: int = 0
    teams: bool = False


class Program(Node):
    """A checked game; `teams` is how many teams it has, 0 for none: seat s is in team s modulo that.

    `word` is what it calls its pieces.

    `points` are what is counted of a program that is traced; a plain one has none.

    Seats are counted in the direction of play. The slot `picks`, if there is one, counts the decisions that only went
    on with a move.
    """

    edition: int = 1
    name: str
    text: str = ""
    path: str = ""
    source_hash: str = ""
    low: int
    high: int
    teams: int = 0
    word: Literal["card", "tile"] = "card"
    direction: Literal["clockwise", "counter-clockwise"] = "clockwise"
    parameters: tuple[Parameter, ...] = ()
    enums: tuple[Enum, ...] = ()
    attributes: dict[str, tuple[Attribute, ...]] = Field(default_factory=dict)
    kinds: tuple[Kind, ...] = ()
    deck: tuple[DeckLine, ...] = ()
    zones: tuple[Zone, ...] = ()
    slots: tuple[SlotInfo, ...] = ()
    variables: tuple[Variable, ...] = ()
    tokens: tuple[Token, ...] = ()
    functions: tuple[Function, ...] = ()
    phases: tuple[Phase, ...] = ()
    blocks: tuple[Block, ...] = ()
    start: int = 0
    wholes: tuple[Whole, ...] = ()
    picks: int | None = None
    rank: Rank | None = None
    scenarios: tuple[Scenario, ...] = ()
    points: tuple[Point, ...] = ()

    def phase(self, name: str) -> Phase:
        """Return the phase of that name; KeyError if there is none."""
        for phase in self.phases:
            if phase.name == name:
                return phase
        raise KeyError(name)

    def only_back(self, phase: str) -> int:
        """Return the block that a phase returns to which one place alone runs."""
        exits = (block.exit for block in self.blocks)
        return next(x.back for x in exits if isinstance(x, Call) and x.phase == phase)

    def function(self, name: str) -> Function:
        """Return the definition of that name; KeyError if there is none."""
        for function in self.functions:
            if function.name == name:
                return function
        raise KeyError(name)

    def enum(self, name: str) -> Enum:
        """Return the enum of that name; KeyError if there is none."""
        for enum in self.enums:
            if enum.name == name:
                return enum
        raise KeyError(name)

    def read(self, type: Type) -> Reading:
        """Return how values of a type are read."""
        if type.form == "enum":
            return ("enum", self.enum(type.name).labels)
        if type.form in ("set", "sequence"):
            return ("set", self.read(type.element) if type.element else ("number",))
        if type.form == "number" and type.name:
            return ("place", next(z.many for z in self.zones if z.name == type.name))
        return (type.form,)

    def elements_read(self, type: Type) -> Reading:
        """Return how the elements of a collection are read."""
        form = value_form(type)
        if form == "enum" and type.element is not None:
            return ("enum", self.enum(type.element.name).labels)
        return (form,)
