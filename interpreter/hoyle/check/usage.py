"""Who reads, sets and fills what: the names in a piece of syntax by what is done with them.

Reads syntax alone. Names of a phase can't be those of others that are known there, so a name is enough to tell.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields

from hoyle import syntax as s
from hoyle.check.decisions import walk
from hoyle.given import WON

# Stands among the names for all zones together, which every move of a card changes; no name has a space in it.
CARDS = "all cards"
# Among the names: who is in the game and which way turns go, which every word below asks. No name has a space in it.
SEATED = "who is seated"
SEATS = frozenset(
    ("players", "everyone", "reversed", "others", "seats", "next", "left", "right", "members", "out")
)
MOVING = (s.MoveThese, s.MoveSome, s.Deal, s.Fill, s.Swap, s.Gather, s.Shuffle, s.DrawFor)


@dataclass(slots=True)
class Uses:
    """Names that are read, set, filled with cards, and named as types."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    fills: set[str] = field(default_factory=set)
    types: set[str] = field(default_factory=set)

    def add(self, *nodes: object) -> Uses:
        """Take note of everything in some syntax; return these uses."""
        open_ = list(nodes)
        while open_:
            open_ += self._inside(open_.pop())
        return self

    def _inside(self, node: object) -> Iterable[object]:
        """Note what a node does itself, and return the parts of it that are to be noted too."""
        match node:
            case tuple():
                return node
            case s.Name():
                self.reads.add(node.text)
            case s.Literal() if node.word in SEATS:
                self.reads.add(SEATED)
            case s.IsOut():
                self.reads.add(SEATED)
                return [getattr(node, f.name) for f in fields(node)]
            case s.Unary() if node.word in SEATS:
                self.reads.add(SEATED)
                return [node.operand]
            case s.Attribute():
                self.reads.add(node.name.text)
                return [node.base]
            case s.TricksWon():
                self.reads.add(WON)
                return [node.operand]
            case s.Call():
                (self.types if node.name.text[0].isupper() else self.reads).add(node.name.text)
                return node.arguments
            case s.TypeName():
                self.types.add(node.text)
            case s.TypeExpr():
                self.types.add(node.name)
                return [node.low, node.high, node.element]
            case s.Binder():
                self.types.update([] if node.type is None else [node.type.text])
                return [node.source]
            case s.Statement():
                return self._statement(node)
            case s.Node():
                return [getattr(node, f.name) for f in fields(node)]
        return []

    def _statement(self, node: s.Statement) -> Iterable[object]:
        match node:
            case s.Let():
                return [node.value]
            case s.Assign():
                return [*self._target(node.target, self.writes), node.value]
            case s.Pick():
                return [*self._target(node.target, self.writes), node.source]
            case s.DrawFor():
                self.reads.add(node.key.text)
                return [*self._target(node.target, self.writes), node.source]
            case s.MoveThese():
                return [*node.pieces, *self._target(node.target, self.fills)]
            case s.MoveSome():
                self.writes.update([] if node.name is None else [node.name.text])
                return [node.amount, node.source, *self._target(node.target, self.fills)]
            case s.Deal():
                self.fills.add(node.zone.text)
                return [node.amount, node.source, *([] if node.first is None else [node.first])]
            case s.Fill():
                return [node.amount, node.source, *self._target(node.target, self.fills)]
            case s.Swap():
                sides = [*self._target(node.left, self.fills), *self._target(node.right, self.fills)]
                return [node.left, node.right, *sides]
            case s.Gather():
                self.types.update([] if node.type is None else [node.type.text])
                return self._target(node.target, self.fills)
            case s.Shuffle():
                return [node.zone.base] if isinstance(node.zone, s.Attribute) else []
            case s.Give():
                self.writes.add(node.token.text)
                return [node.amount, node.source, node.target]
            case s.Do():
                return node.arguments
            case _:
                return [getattr(node, f.name) for f in fields(node)]

    def _target(self, node: s.Expr, names: set[str]) -> list[object]:
        """Note what is set or filled; return what is asked to find it."""
        match node:
            case s.Name():
                names.add(node.text)
                return []
            case s.New():
                return self._target(node.zone, names)
            case s.Attribute():
                names.add(node.name.text)
                return [node.base]
            case s.Conditional():
                inner = [*self._target(node.value, names), *self._target(node.otherwise, names)]
                return [node.condition, *inner]
            case _:
                return [node]


class Doings:
    """What phases and definitions do, with what they run and ask: each is looked at once, however many use it.

    Phases run no phase that runs them, and definitions ask none that asks them; else a spec would have been refused.
    """

    def __init__(self, blocks: tuple[s.Block, ...]) -> None:
        self.phases = {b.name.text: b for b in blocks if isinstance(b, s.Phase)}
        self.defines = {b.name.text: b for b in blocks if isinstance(b, s.Define)}
        self.zones = {b.name.text for b in blocks if isinstance(b, s.Zone)}
        self._changed: dict[str, set[str]] = {}
        self._left: dict[str, bool] = {}
        self._asked: dict[str, set[str]] = {}

    def changes(self, body: s.Body) -> set[str]:
        """Return the names that a suite, or a phase that it runs, may give another value; CARDS if it moves any."""
        found: set[str] = set()
        for node in walk(body):
            found |= _given(node)
            if isinstance(node, s.Do) and node.name.text in self.phases:
                name = node.name.text
                if name not in self._changed:
                    self._changed[name] = self.changes(self.phases[name].body)
                found |= self._changed[name]
        return found

    def ends(self, body: s.Body, phase: str = "") -> bool:
        """Return whether a suite, the body of `phase` or none, may end the game or a phase around it."""
        for node in walk(body):
            if isinstance(node, s.Wins):
                return True
            if (
                isinstance(node, s.End)
                and node.what.text in ("game", *self.phases)
                and node.what.text != phase
            ):
                return True
            if isinstance(node, s.Do) and node.name.text in self.phases:
                name = node.name.text
                if name not in self._left:
                    self._left[name] = self.ends(self.phases[name].body, name)
                if self._left[name]:
                    return True
        return False

    def asks(self, *nodes: object) -> set[str]:
        """Return the names that expressions read, with those that the definitions in them read; CARDS for any zone."""
        found: set[str] = set()
        for name in Uses().add(*nodes).reads:
            found.add(name)
            if name in self.defines:
                if name not in self._asked:
                    self._asked[name] = (
                        set()
                    )  # a name inside may be that of a definition and mean another thing
                    self._asked[name] = self.asks(
                        self.defines[name].value, self.defines[name].cases, self.defines[name].best
                    )
                found |= self._asked[name]
        return found | ({CARDS} if found & self.zones else set())


def _given(node: s.Statement) -> set[str]:
    """Return the names that a statement itself gives a value."""
    found = {CARDS} if isinstance(node, MOVING) else set()
    if isinstance(node, s.Eliminate | s.ReverseTurns):
        found.add(SEATED)
    match node:
        case s.Assign() | s.Pick() | s.DrawFor() | s.MoveSome() | s.Give():
            found |= Uses().add(node).writes
        case s.Let() | s.Turns():
            found.add(node.name.text)
        case s.For():
            found |= {w.text for b in node.binders.binders for w in b.names}
        case s.Choose():
            binders = (b for o in node.options if o.binders for b in o.binders.binders)
            found |= {w.text for b in binders for w in b.names}
        case _:
            pass
    return found
