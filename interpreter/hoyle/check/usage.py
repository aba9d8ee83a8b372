"""Who reads, sets and fills what: the names in a piece of syntax by what is done with them.

Reads syntax alone. Names of a phase can't be those of others that are known there, so a name is enough to tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields

from hoyle import syntax as s
from hoyle.check.decisions import walk

CARDS = "cards"  # stands among the names for all zones together, which every move of a card changes; no name is `cards`
MOVING = (s.MoveThese, s.MoveSome, s.Deal, s.Fill, s.Swap, s.Gather, s.Shuffle, s.DrawFor)


@dataclass(slots=True)
class Uses:
    """Names that are read, set, filled with cards, named as types, and phases that are run."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    fills: set[str] = field(default_factory=set)
    types: set[str] = field(default_factory=set)
    runs: set[str] = field(default_factory=set)

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
            case s.Attribute():
                self.reads.add(node.name.text)
                return [node.base]
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
                return [node.amount, node.source]
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
            case s.Do():
                self.runs.add(node.name.text)
                return node.arguments
            case s.Repeat() | s.For() | s.Turns() | s.If() | s.Choose() | s.Wins():
                return [getattr(node, f.name) for f in fields(node)]
            case _:
                return []

    def _target(self, node: s.Expr, names: set[str]) -> list[object]:
        """Note what is set or filled; return what is asked to find it."""
        match node:
            case s.Name():
                names.add(node.text)
                return []
            case s.Attribute():
                names.add(node.name.text)
                return [node.base]
            case s.Conditional():
                inner = [*self._target(node.value, names), *self._target(node.otherwise, names)]
                return [node.condition, *inner]
            case _:
                return [node]


def statements_with(phases: Mapping[str, s.Phase], body: s.Body) -> Iterator[tuple[str, s.Statement]]:
    """Yield the statements of a suite and of all phases that it runs, each with its phase; empty for the suite."""
    seen: set[str] = set()
    open_ = [("", body)]
    while open_:
        name, inner = open_.pop()
        for statement in walk(inner):
            yield name, statement
            if isinstance(statement, s.Do) and statement.name.text in phases:
                callee = statement.name.text
                if callee not in seen:
                    seen.add(callee)
                    open_.append((callee, phases[callee].body))


def changes(phases: Mapping[str, s.Phase], body: s.Body) -> set[str]:
    """Return the names that a suite, or a phase that it runs, may give another value; CARDS if it moves any."""
    found: set[str] = set()
    for _, node in statements_with(phases, body):
        if isinstance(node, MOVING):
            found.add(CARDS)
        if isinstance(node, s.Assign | s.Pick | s.DrawFor):
            found |= Uses().add(node).writes
        match node:
            case s.Let() | s.Turns():
                found.add(node.name.text)
            case s.MoveSome(name=s.Word() as word):
                found.add(word.text)
            case s.For():
                found |= {w.text for b in node.binders.binders for w in b.names}
            case s.Choose():
                found |= {
                    w.text for o in node.options if o.binders for b in o.binders.binders for w in b.names
                }
            case _:
                pass
    return found


def asks(defines: Mapping[str, s.Define], zones: set[str], *nodes: object) -> set[str]:
    """Return the names that expressions read, with those that the definitions in them read; CARDS for any zone."""
    found: set[str] = set()
    open_ = [Uses().add(*nodes).reads]
    while open_:
        new = open_.pop() - found
        found |= new
        open_ += [Uses().add(defines[n].value, defines[n].cases).reads for n in new if n in defines]
    return found | ({CARDS} if found & zones else set())
