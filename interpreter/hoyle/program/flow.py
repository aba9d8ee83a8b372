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
    """Give the variable of one player a value; `told` if all read in the log how it changes."""

    node: Literal["set_at"] = "set_at"
    slot: int
    name: str
    index: Expr
    value: Expr
    low: int | None = None
    high: int | None = None
    told: bool = False
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
    """Deal `amount` pieces to the zone of each player not in the set `out`, one at a time, from player `first` on."""

    node: Literal["deal"] = "deal"
    amount: Expr
    source: Expr
    zone: int
    name: str
    out: Expr | None = None
    first: Expr | None = None
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


class Learn(Node):
    """Where `when` holds, all have seen that `piece` was taken from the zone of `binder` by a chain of tests.

    No piece that passes a test before the first one that `piece` passes can be in that zone. It changes nothing but
    what is known, so nothing of it is asked while a game is merely played.
    """

    node: Literal["learn"] = "learn"
    when: Expr
    piece: Expr
    binder: Bind
    tests: tuple[Expr, ...]
    line: int = 0


class Tell(Node):
    """Log a choice that was hidden while it was made: the option, by its place in the wholes of the program.

    For -1 log only that the seat has chosen.
    """

    node: Literal["tell"] = "tell"
    seat: Expr
    whole: int
    args: tuple[Expr, ...] = ()
    line: int = 0


class Note(Node):
    """Log for all that something has happened to a player: he has won a trick, or is out of the game.

    That he has paid nobody is told: it is for those who name a payment as a whole.
    """

    node: Literal["note"] = "note"
    word: Literal["trick", "out", "paid"]
    seat: Expr
    line: int = 0


class Show(Node):
    """Show pieces to some players: to one, to those of a sequence or set, or to all."""

    node: Literal["show"] = "show"
    pieces: tuple[Expr, ...]
    seats: Expr | None = None
    line: int = 0


class ShowBest(Node):
    """Log, for some players or all, what the best way of a definition is, and how it comes about."""

    node: Literal["show_best"] = "show_best"
    way: Expr
    args: tuple[Expr, ...] = ()
    seats: Expr | None = None
    line: int = 0


class Give(Node):
    """Move tokens from one place to another, each a variable: as many as there are, `amount` at most, all for None.

    What `target` can't take, since it holds `most` at the most, goes to the supply.
    """

    node: Literal["give"] = "give"
    token: str
    amount: Expr | None
    source: Expr
    target: Expr
    supply: int
    most: Expr | None = None
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


class Mark(Node):
    """Count that a point of the rules was passed; only programs that are traced have any."""

    node: Literal["mark"] = "mark"
    point: int


class Break(Node):
    """Leave the innermost straight loop."""

    node: Literal["break"] = "break"
    line: int = 0


class Perform(Node):
    """Run a phase that holds no decision; its parameters are slots. It is `counted` if it might be run without end."""

    node: Literal["perform"] = "perform"
    phase: str
    args: tuple[Expr, ...]
    counted: bool = True
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
    | Learn
    | If
    | Repeat
    | ForEach
    | Collect
    | Take
    | Break
    | Perform
    | Tell
    | Note
    | Show
    | ShowBest
    | Give
    | Mark,
    Field(discriminator="node"),
]

# ---- the ways out of a block --------------------------------------------------------------------


class Jump(Node):
    """Go on at a block; `back` marks the end of a pass of a loop that might go on without a decision."""

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
    """Begin a phase; it returns to block `back`. It is `counted` if that may happen again without a decision."""

    node: Literal["call"] = "call"
    phase: str
    args: tuple[Expr, ...]
    back: int
    counted: bool = True
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
    """One argument of an option: a binder, the domain its moves are numbered over, its source as written in `words`.

    With `low` and `high` it is a set of so many pieces of the binder's source; `subsets` are all that it could ever be,
    each the kinds of its pieces, ascending, and they are the domain. For those who explain a move, `whole` is where its
    pieces come from if the source holds only those that may be chosen.
    """

    bind: Bind
    domain: Type
    low: Expr | None = None
    high: Expr | None = None
    subsets: tuple[tuple[int, ...], ...] = ()
    words: str = ""
    whole: Expr | None = None


class Condition(Node):
    """One of the conditions that a guard joins by `and`, as it is written; `asks` is a part of the guard.

    One that is not written `says` what it asks for, with rule text of its own.
    """

    words: str
    asks: Expr
    line: int = 0
    says: str = ""
    text: str = ""


class Option(Node):
    """What a player may choose: guard, arguments, and the block that carries it out.

    A `part` is one pick of several that make a move together: others are told of the whole, when it is complete. The
    argument of slot `pick` is what is picked.
    `conditions` are the parts of `when` and `where`, for those who explain a move. In a program that is traced
    `points` are those where it is offered and where it is taken.
    """

    name: str
    part: bool = False
    pick: int | None = None
    arguments: tuple[Argument, ...] = ()
    when: Expr | None = None
    where: Expr | None = None
    conditions: tuple[Condition, ...] = ()
    label: str = ""
    text: str = ""
    to: int
    line: int = 0
    points: tuple[int, int] | None = None


class Kept(Node):
    """Slots that each player has, for one argument of a secret answer."""

    slot: int
    type: Type


class Secret(Node):
    """What is known of the choices that several players make at once.

    Their asking begins at block `begin` with slot `asked` at 0; `choosers` holds who is asked, `asked` how many have
    been. `answer` and `arguments` are the first of the slots where each player's answer is kept: the place of the
    option, counted from 1, and 0 before it.
    """

    begin: int
    choosers: int
    asked: int
    answer: int
    arguments: tuple[Kept, ...] = ()


class Choose(Node):
    """Ask a player; the game stands here until a move is made.

    With `secret` others are not told what is chosen. `more` says that it only goes on with a move begun before,
    `payment` of what it is a step.
    """

    node: Literal["choose"] = "choose"
    chooser: Expr
    options: tuple[Option, ...]
    text: str = ""
    secret: Secret | None = None
    more: bool = False
    payment: str = ""
    line: int = 0


class Whole(Node):
    """An option as it is told when it is carried out, if its moves were hidden: name, arguments, words."""

    name: str
    arguments: tuple[Argument, ...] = ()
    label: str = ""
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

    `back` is the slot that holds the block to return to, -1 where one place alone runs it and it is known.
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
