"""What a condition tells about names, where it holds and where it does not: of which card type, and whether there."""

from __future__ import annotations

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.binders import Binding
from hoyle.check.types import join
from hoyle.program.types import UNKNOWN
from hoyle.source import Span

Facts = dict[str, p.Type]
DOUBT = "?"  # stands among the facts for those that a faulty condition was to tell


class Telling(Binding):
    """The part of expression checking that remembers what tests have settled."""

    doubtful: set[Span]  # conditions with a fault: what they would tell is not known

    @property
    def in_doubt(self) -> bool:
        """Whether a condition around this has a fault, so that it is not known what it was to settle."""
        return DOUBT in self.scope.narrowed

    def facts(self, node: s.Expr) -> tuple[Facts, Facts]:
        """Return what names are known to be where the condition holds, and where it does not."""
        yes, no = self._facts(node)
        if node.span in self.doubtful:
            return {**yes, DOUBT: UNKNOWN}, {**no, DOUBT: UNKNOWN}
        return yes, no

    def _facts(self, node: s.Expr) -> tuple[Facts, Facts]:
        match node:
            case s.Unary(word="not"):
                yes, no = self.facts(node.operand)
                return no, yes
            case s.Binary(word="and"):
                left, right = self.facts(node.left), self.facts(node.right)
                return {**left[0], **_both(left[0], right[0])}, {}
            case s.Binary(word="or"):
                left, right = self.facts(node.left), self.facts(node.right)
                return _either(left[0], right[0]), {**left[1], **_both(left[1], right[1])}
            case s.Binary(word="is" | "is not", right=s.Literal(word="none")):
                type = self._known(node.left)
                name = path_of(node.left)
                if type is None or not type.or_none:
                    return {}, {}
                there = {name: type.plain()}
                return ({}, there) if node.word == "is" else (there, {})
            case s.Binary(word="in" | "not in"):  # nothing holds none
                type = self._known(node.left)
                if type is None or not type.or_none:
                    return {}, {}
                inside = {path_of(node.left): type.plain()}
                return (inside, {}) if node.word == "in" else ({}, inside)
            case s.Binary(word="is" | "is not", right=s.TypeName() | s.Call()):
                return self._type_facts(node)
            case _:
                return {}, {}

    def _type_facts(self, node: s.Binary) -> tuple[Facts, Facts]:
        exact = isinstance(node.right, s.Call)
        right = node.right.name.text if isinstance(node.right, s.Call) else getattr(node.right, "text", "")
        names = self.declare.piece_names(right)
        type = self._known(node.left)
        name = path_of(node.left)
        if names is None or type is None or type.form != "piece":
            return {}, {}
        inside = tuple(n for n in type.pieces if n in names)
        outside = tuple(n for n in type.pieces if n not in names)
        yes = {name: type.model_copy(update={"pieces": inside, "or_none": False})}
        no = {} if exact else {name: type.model_copy(update={"pieces": outside})}
        return (yes, no) if node.word == "is" else (no, yes)

    def _known(self, node: s.Expr) -> p.Type | None:
        """Return the type of a variable, local or field of a player as far as it is known here; None for all else."""
        path = path_of(node)
        if path in self.scope.narrowed:
            return self.scope.narrowed[path]
        if isinstance(node, s.Name):
            for names in reversed(self.scope.locals):
                if node.text in names:
                    return names[node.text].type
            noun = self.scope.nouns.get(node.text)
            return noun.type if noun is not None and noun.kind == "variable" and not noun.owner else None
        if isinstance(node, s.Attribute) and path:
            noun = self.scope.nouns.get(node.name.text)
            return noun.type if noun is not None and noun.kind == "variable" and noun.owner else None
        return None


def path_of(node: s.Expr) -> str:
    """Return how a variable is written, `best` or `p.best`; empty for other expressions."""
    if isinstance(node, s.Name):
        return node.text
    if isinstance(node, s.Attribute) and isinstance(node.base, s.Name):
        return f"{node.base.text}.{node.name.text}"
    return ""


def _both(a: Facts, b: Facts) -> Facts:
    made = {}
    for name, type in b.items():
        other = a.get(name)
        if other is not None:
            pieces = tuple(t for t in type.pieces if t in other.pieces)
            type = type.model_copy(update={"pieces": pieces, "or_none": type.or_none and other.or_none})
        made[name] = type
    return made


def _either(a: Facts, b: Facts) -> Facts:
    joined = {n: join(a[n], b[n]) for n in a if n in b}
    return {n: type for n, type in joined.items() if type is not None}
