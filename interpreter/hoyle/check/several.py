"""Several pieces as one argument of an option, `3 cards in p.hand`: one move where there are few sets, else picks.

Which of the two is settled by the deck, never by the table: by how many sets of the faces that could be there a player
could ever take. Picks are single moves in rising order of the faces, each of which leaves a way to go on.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import NamedTuple

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.expressions import Expressions
from hoyle.check.payment import packed
from hoyle.check.quoting import quoted
from hoyle.check.written import spoken
from hoyle.program.subsets import MOST_LISTED, copies_of, few, listed
from hoyle.program.types import FLAG, NO_VALUE, number, sequence, set_of
from hoyle.runtime.paying import NEVER


class Total(NamedTuple):
    """The sum that a set of pieces must have: the worth of the piece in a slot, and what they make together."""

    slot: int
    name: str
    worth: p.Expr
    goal: p.Expr
    line: int


class Several:
    """Turns counted names of options into sets, and says which of them are too many to list."""

    def __init__(self, expressions: Expressions, deck: tuple[p.DeckLine, ...]) -> None:
        self.ask = expressions
        self.report = expressions.report
        self.scope = expressions.scope
        self.deck = deck
        self.totals: dict[int, Total] = {}  # by the slot of the set that has such a sum

    # ---- what is written --------------------------------------------------------------------

    def sifted(self, node: s.Option) -> s.Option:
        """Return an option in which `every c in cards where P` is a condition on what `cards` is taken from."""
        if node.binders is None or node.binders.where is None:
            return node
        binders = list(node.binders.binders)
        left = parts(node.binders.where)
        for place, binder in enumerate(binders):
            if binder.count is None or len(binder.names) != 1:
                continue
            name = binder.names[0].text
            later = [w.text for b in binders[place:] for w in b.names]
            for part in list(left):
                each = _each(part, name)
                if each is not None and not any(spoken(each[1], w) for w in later):
                    word, test = each
                    inner = s.Binder(part.span, binder.type, (word,), binder.source)
                    binder = replace(binder, type=None, source=s.SetWhere(part.span, inner, test))
                    left.remove(part)
            binders[place] = binder
        where = _joined(left)
        return replace(node, binders=replace(node.binders, binders=tuple(binders), where=where))

    # ---- what it means ------------------------------------------------------------------------

    def arguments(self, node: s.Option, binds: tuple[p.Bind, ...]) -> tuple[p.Argument, ...]:
        """Return the arguments of an option: its binders, with the bounds and the domain of those that are sets."""
        counted = [(b, w) for b in (node.binders.binders if node.binders else ()) for w in b.names]
        made: list[p.Argument] = []
        for (binder, _), bind in zip(counted, binds, strict=False):
            if binder.count is None or bind.type.form != "set":
                made.append(p.Argument(bind=bind, domain=bind.type))
                continue
            if any(a.low is not None for a in made):
                self.report.add(
                    "E612",
                    binder.span,
                    "one option can take several cards from one place only",
                    mend="ask for the others in a choice of its own",
                )
                made.append(p.Argument(bind=bind, domain=bind.type))
                continue
            made.append(self._set(binder, bind))
        return tuple(made)

    def _set(self, node: s.Binder, bind: p.Bind) -> p.Argument:
        assert node.count is not None and bind.type.element is not None
        copies = copies_of(self.ask.kinds, self.deck, bind.type.element.pieces)
        there = sum(copies.values())
        low = self._bound(node.count.low, 0)
        high = self._bound(node.count.high, there)
        least, most = low.type.low or 0, there if high.type.high is None else min(high.type.high, there)
        message, mend = self._never(node.count, least, high, there)
        if message:
            self.report.add("E613", node.count.span, message, mend=mend)
            least = most = min(least, there)
        least = max(0, least)
        subsets = listed(copies, least, most) if few(copies, least, most) else ()
        return p.Argument(bind=bind, domain=bind.type, low=low, high=high, subsets=subsets)

    def _never(self, count: s.HowMany, least: int, high: p.Expr, there: int) -> tuple[str, str]:
        """Return message and mend where so many pieces can never be taken; empty ones where they can."""
        most = high.type.high
        if most is not None and most < max(least, 1):
            if most < 1:
                return "so many cards can never be taken", "take at least one card"
            said = quoted(self.report, count.span) or "given here"
            bound = "" if isinstance(high, p.Const) else f": its end is never above {most}"
            return f"the range `{said}` is empty{bound}", "the smaller number first"
        if least > there and self.ask.sure:
            cards = f"{there} such card{'' if there == 1 else 's'}"
            return f"the game has only {cards}", "take fewer, or put more into the deck"
        return "", ""

    def _bound(self, node: s.Expr | None, value: int) -> p.Expr:
        if node is None:
            return p.Const(value=value, type=number(value, value))
        return self.ask.number(node)

    def totalled(self, node: s.Option, arguments: tuple[p.Argument, ...]) -> s.Option:
        """Return an option without the condition on the sum of cards that are picked one by one; it is noted instead.

        Each pick then leaves a way to reach just this sum. How many cards there are to be must be free.
        """
        if node.binders is None or node.binders.where is None:
            return node
        left = parts(node.binders.where)
        for binder, argument in zip(node.binders.binders, arguments, strict=False):
            count = binder.count
            if not in_picks(argument) or count is None or count.low is not None or count.high is not None:
                continue
            found = next((x for x in map(partial(_sum_of, argument.bind.name), left) if x is not None), None)
            if found is not None:
                part, word, value, goal = found
                left.remove(part)
                self._note(argument, word, value, goal)
        return replace(node, binders=replace(node.binders, where=_joined(left)))

    def _note(self, argument: p.Argument, word: s.Word, value: s.Expr, goal: s.Expr) -> None:
        element = argument.bind.type.element
        assert element is not None
        target = self.ask.number(goal)
        self.scope.locals.append({})
        slot = self.scope.slot(word.text, element, "scratch")
        self.scope.local(word, element, slot)
        worth = self.ask.number(value)
        self.scope.locals.pop()
        if "nothing" not in (worth.type.form, target.type.form):
            self.totals[argument.bind.slot] = Total(slot, word.text, worth, target, word.span.line)

    def guard(self, node: s.Option, arguments: tuple[p.Argument, ...]) -> None:
        """Report a condition on a whole set where the sets are too many to list."""
        if node.binders is None or not self.ask.sure:  # how many there are is not known
            return
        for argument in arguments:
            if not in_picks(argument):
                continue
            name = argument.bind.name
            asked = parts(node.binders.where) if node.binders.where is not None else []
            for part in [*asked, *(b.source for b in node.binders.binders)]:
                if spoken(part, name):
                    self.report.add(
                        "E611",
                        part.span,
                        f"there are more than {MOST_LISTED} sets that `{name}` could be, so they are picked"
                        " card by card, and no condition can speak of them all",
                        mend=f"say it of each card, `every c in {name} where ...`, take fewer cards, or name each of"
                        " them, as in `a, b, c in p.hand where ...`",
                    )


def in_picks(argument: p.Argument) -> bool:
    """Return whether an argument is a set that is picked piece by piece."""
    return argument.low is not None and not argument.subsets


def parts(node: s.Expr) -> list[s.Expr]:
    """Return the conditions that one joins by `and`."""
    if isinstance(node, s.Binary) and node.word == "and":
        return [*parts(node.left), *parts(node.right)]
    return [node]


def _joined(nodes: list[s.Expr]) -> s.Expr | None:
    if not nodes:
        return None
    whole = nodes[0]
    for node in nodes[1:]:
        whole = s.Binary(node.span, "and", whole, node)
    return whole


def _each(node: s.Expr, name: str) -> tuple[s.Word, s.Expr] | None:
    """Return the name and the condition of `every c in NAME where P`."""
    if not isinstance(node, s.Phrase) or node.word != "every" or len(node.binders.binders) != 1:
        return None
    binder, where = node.binders.binders[0], node.binders.where
    plain = len(binder.names) == 1 and binder.type is None and binder.count is None
    if not plain or where is None or not isinstance(binder.source, s.Name) or binder.source.text != name:
        return None
    return binder.names[0], where


def _sum_of(name: str, node: s.Expr) -> tuple[s.Expr, s.Word, s.Expr, s.Expr] | None:
    """Return the parts of `(sum of E for c in NAME) is N`: all of it, c, E and N."""
    if not isinstance(node, s.Binary) or node.word != "is":
        return None
    for total, goal in ((node.left, node.right), (node.right, node.left)):
        if (
            not isinstance(total, s.Phrase)
            or total.word != "sum"
            or total.value is None
            or spoken(goal, name)
        ):
            continue
        binders = total.binders.binders
        if total.binders.where is None and len(binders) == 1 and len(binders[0].names) == 1:
            source = binders[0].source
            plain = binders[0].type is None and binders[0].count is None
            if plain and isinstance(source, s.Name) and source.text == name and not spoken(total.value, name):
                return node, binders[0].names[0], total.value, goal
    return None


# ---- picking one by one -----------------------------------------------------------------------


def slot_of(argument: p.Argument) -> p.Slot:
    """Return the value of an argument."""
    return p.Slot(slot=argument.bind.slot, name=argument.bind.name, type=argument.bind.type)


class Picks:
    """The expressions of a set that is picked piece by piece: what may come next, and whether it is enough."""

    def __init__(self, several: Several, argument: p.Argument) -> None:
        assert argument.low is not None and argument.high is not None
        self.scope = several.scope
        self.bind = argument.bind
        self.total = several.totals.get(argument.bind.slot)
        self.low, self.high = argument.low, argument.high
        element = argument.bind.type.element
        assert element is not None
        self.piece = element
        self.cards = slot_of(argument)
        self.size = p.Op(op="size_set", args=(self.cards,), type=number(0, None))
        self.last = p.Slot(
            slot=self.scope.slot(f"last of {self.bind.name}", element, "local"), name="last", type=element
        )

    @property
    def fixed(self) -> bool:
        """Whether the number of pieces is always the same, so that nobody need say that it is enough."""
        return self.low == self.high or self.total is not None

    def _name(self, word: str) -> p.Bind:
        slot = self.scope.slot(word, self.piece, "scratch")
        return p.Bind(slot=slot, name=word, source=self.bind.source, pieces=self.bind.pieces, type=self.piece)

    def rest(self) -> p.Expr:
        """Return the pieces that may still be picked: those from the last one on, by face, that are not picked yet."""
        bind = self._name("c")
        piece = p.Slot(slot=bind.slot, name="c", type=self.piece)
        there = p.Op(op="in_set", args=(piece, self.cards), type=FLAG)
        rises = p.Op(op="rises", args=(self.last, piece), type=FLAG)
        where = p.Op(op="and", args=(rises, p.Op(op="not", args=(there,), type=FLAG)), type=FLAG)
        return p.Loop(word="set", binders=(bind,), where=where, value=piece, type=set_of(self.piece))

    def pick(self, source: p.Expr, picked: p.Expr | None) -> tuple[p.Argument, p.Expr | None]:
        """Return the next piece as an argument, and the condition that enough are left after it."""
        slot = self.scope.slot(self.bind.name, self.piece, "local")
        if self.total is not None:
            source = self._leading(source, picked is not None)
        bind = p.Bind(slot=slot, name=self.bind.name, source=source, pieces=self.bind.pieces, type=self.piece)
        if self.total is not None or (isinstance(self.low, p.Const) and self.low.value <= 1):
            return p.Argument(bind=bind, domain=self.piece), None
        other = self._name("d").model_copy(update={"source": source})
        here = p.Slot(slot=slot, name=self.bind.name, type=self.piece)
        after = p.Slot(slot=other.slot, name="d", type=self.piece)
        rises = p.Op(op="rises", args=(here, after), type=FLAG)
        left = p.Loop(word="count", binders=(other,), where=rises, type=number(0, None))
        need = self.low if picked is None else p.Op(op="sub", args=(self.low, picked), type=number())
        return p.Argument(bind=bind, domain=self.piece), p.Op(op="ge", args=(left, need), type=FLAG)

    def _leading(self, source: p.Expr, begun: bool) -> p.Expr:
        """Return those of the pieces that can be next so that what is picked comes to the sum that is wanted."""
        assert self.total is not None
        due = self.total.goal
        if begun:
            due = p.Op(op="sub", args=(due, self._sum()), type=number())
        bind = p.Bind(
            slot=self.total.slot,
            name=self.total.name,
            source=source,
            pieces=self.bind.pieces,
            type=self.piece,
        )
        piece = p.Slot(slot=self.total.slot, name=self.total.name, type=self.piece)
        listed = p.Loop(
            word="list",
            binders=(bind,),
            value=packed(piece, self.total.worth, self.total.line),
            type=sequence(number()),
        )
        none, one = p.Const(value=p.NONE, type=NO_VALUE), p.Const(value=1, type=number(1, 1))
        never = p.Const(value=NEVER, type=number())
        return p.Op(op="payable", args=(listed, none, due, never, one, one), type=set_of(self.piece))

    def _sum(self) -> p.Expr:
        """Return what the pieces picked so far come to."""
        assert self.total is not None
        bind = p.Bind(slot=self.total.slot, name=self.total.name, source=self.cards, type=self.piece)
        return p.Loop(word="sum", binders=(bind,), value=self.total.worth, type=number())

    def room(self) -> p.Expr | None:
        """Return the condition that at least one piece may be taken; None where it always holds."""
        if self.high.type.low is not None and self.high.type.low >= 1:
            return None
        return p.Op(op="ge", args=(self.high, p.Const(value=1, type=number(1, 1))), type=FLAG)

    def goes_on(self) -> p.Expr:
        """Return the condition that another piece may be picked."""
        if self.total is not None:
            return p.Op(op="lt", args=(self._sum(), self.total.goal), type=FLAG)
        bind = self._name("c").model_copy(update={"source": self.rest()})
        some = p.Loop(word="any", binders=(bind,), type=FLAG)
        less = p.Op(op="lt", args=(self.size, self.high), type=FLAG)
        return p.Op(op="and", args=(less, some), type=FLAG)

    def enough(self) -> p.Expr | None:
        """Return the condition that no further piece need be picked; None where it always holds after a pick."""
        if self.total is not None or (isinstance(self.low, p.Const) and self.low.value <= 1):
            return None
        return p.Op(op="ge", args=(self.size, self.low), type=FLAG)

    def without(self) -> p.Expr | None:
        """Return the condition that no piece at all may be taken; None where it always holds."""
        if self.total is None:
            return None
        zero = p.Const(value=0, type=number(0, 0))
        return p.Op(op="eq", args=(self.total.goal, zero), type=FLAG)

    def none(self, argument: p.Argument) -> p.Argument | None:
        """Return the argument that takes no piece at all; None where there must be some."""
        if self.low.type.low is not None and self.low.type.low > 0:
            return None
        zero = p.Const(value=0, type=number(0, 0))
        return argument.model_copy(update={"low": self.low, "high": zero, "subsets": ((),)})


def both(a: p.Expr | None, b: p.Expr | None) -> p.Expr | None:
    """Return two conditions joined."""
    if a is None or b is None:
        return a if b is None else b
    return p.Op(op="and", args=(a, b), type=FLAG)
