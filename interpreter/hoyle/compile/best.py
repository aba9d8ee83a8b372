"""The best of some cards or players, such as the winner of a trick."""

from __future__ import annotations

from itertools import pairwise

from hoyle import program as p
from hoyle.compile.conditions import Env, Local, bare
from hoyle.compile.lists import Lists
from hoyle.program.purity import may_fault
from hoyle.program.types import rivals


class Best(Lists):
    """Writes phrases with `highest` and `lowest`."""

    def best_of(self, expr: p.Superlative, env: Env) -> str:
        """Return the table by which the best of some pieces is the first of those that are; nothing for other keys.

        There must be one to choose from: the piece that lies first, or last, where the condition is to be like it.
        """
        bind, key = expr.binder, expr.key
        of = key.of if isinstance(key, p.Attr) else key.args[0] if isinstance(key, p.Invoke) else None
        own = isinstance(of, p.Slot) and of.slot == bind.slot
        if (
            not (self.unique and own and bind.type.form == "piece" and not expr.sole)
            or bind.pieces
            or self.plain
        ):
            return ""
        if not self.is_filled(bind.source) or not like_ends(expr.where, bind):
            return ""
        self.told.note("filled", bind.source, ", which the best is chosen from")
        if isinstance(key, p.Attr):
            return self.names.attributes[key.name]
        assert isinstance(key, p.Invoke)
        return self.names.tables[key.function] if key.function in self.tabled else ""

    def best_found(self, expr: p.Superlative, env: Env) -> list[str]:
        """Return the lines that find the best of some pieces as `best`; none for other keys and conditions.

        It begins with the piece that lies first, which must pass the condition.
        """
        name = self.names.locals[expr.binder.slot]
        inner = {**env, expr.binder.slot: Local(name, True)}
        table, source = self.best_of(expr, inner), expr.binder.source
        if not isinstance(source, p.ZoneAt) or self.form(source) == "pile":
            return []  # a pile is gone through from its top
        if not table or "bottom" not in like_ends(expr.where, expr.binder) or "best" in self.without:
            return []
        zone, outer = self.e(expr.binder.source, env), dict(self.given)
        rising = self._rising(expr)
        lines = [f"best = S[{zone}][0]"] + [f"high = {table}[best]"] * (not rising)
        if rising and expr.word == "highest" and (end := self._end_of_suit(expr)):
            # The cards of its suit are those up to the last of it.
            self.told.note("best", expr)
            loop = [
                f"for {name} in S[{zone}]:",
                f"    if {name} > best and {name} < high:",
                f"        best = {name}",
            ]
            return [*lines, f"high = {end}[best]", *loop]
        fixed = self.fixed(expr.where, {expr.binder.slot})
        for place, part in enumerate(fixed):
            lines.append(f"fixed_{place + 1} = {bare(self.e(part, env))}")
            self.given[part] = f"fixed_{place + 1}"
        before, self.filled = self.filled, self.filled | {expr.binder.source}
        test = "" if expr.where is None else self.truth(expr.where, inner)
        self.given, self.filled = outer, before
        self.told.note("best", expr)
        sign = ">" if expr.word == "highest" else "<"
        better = f"{name} {sign} best" if rising else f"{table}[{name}] {sign} high"
        # What is quicker to ask, and seldom so, comes first, unless the other must hold for it to be asked.
        sides = expr.where.args if isinstance(expr.where, p.Op) else ()
        safe = all(x in fixed or not may_fault(x, self.functions) for x in sides)
        tests = [better, test] if safe else [test, better]
        return [
            *lines,
            f"for {name} in S[{zone}]:",
            f"    if {' and '.join(x for x in tests if x)}:",
            f"        best = {name}" if rising else f"        best, high = {name}, {table}[{name}]",
        ]

    def _end_of_suit(self, expr: p.Superlative) -> str:
        """Return the table by which a suit ends, where the best is chosen from the suit of the first; else nothing."""
        found = None if "slices" in self.without else self.slices.part(expr.binder, expr.where)
        if found is None or not found[1] or not isinstance(found[2], p.Attr) or found[2].name != found[0]:
            return ""
        return self.slices.ends(found[0])[1]

    def _rising(self, expr: p.Superlative) -> bool:
        """Return whether of the kinds that can be compared a later one always has a higher key: of one suit, say."""
        where, key = expr.where, expr.key
        if not isinstance(key, p.Attr):
            return False
        among: dict[int, list[int]] = {}
        suit = None
        if where is not None:
            assert isinstance(where, p.Op)  # as `like_ends` has found
            sides = [x for x in where.args if isinstance(x, p.Attr) and isinstance(x.of, p.Slot)]
            own = [x for x in sides if isinstance(x.of, p.Slot) and x.of.slot == expr.binder.slot]
            if len(own) != 1:
                return False
            suit = own[0].name
        for kind in self.program.kinds:
            columns = [x.name for x in self.program.attributes[kind.type]]
            if key.name not in columns or (suit is not None and suit not in columns):
                return False
            group = 0 if suit is None else kind.values[columns.index(suit)]
            among.setdefault(group, []).append(kind.values[columns.index(key.name)])
        return all(a < b for values in among.values() for a, b in pairwise(values))

    def superlative(self, expr: p.Superlative, env: Env) -> str:
        name = self.names.locals[expr.binder.slot]
        bind = p.Slot(slot=expr.binder.slot, name=expr.binder.name, type=expr.binder.type)
        clauses, inner = self.clauses((expr.binder,), expr.where, env, [expr.key, bind])
        sign = "" if expr.word == "highest" else "-"
        if table := self.best_of(expr, inner):
            return f"{'max' if expr.word == 'highest' else 'min'}([{name}{clauses}], key={table}.__getitem__)"
        pairs = f"[({sign}{self.e(expr.key, inner)}, {name}){clauses}]"
        return f'superlative({pairs}, "{expr.word}", {expr.sole}, "{rivals(expr.binder.type)}", {expr.line})'


def like_ends(where: p.Expr | None, bind: p.Bind) -> list[str]:
    """Return at which ends of a zone, `top` and `bottom`, the piece surely passes a condition on its pieces."""
    if where is None:
        return ["top", "bottom"]
    if not (isinstance(where, p.Op) and where.op in ("eq", "same")):
        return []
    sides = {op: [with_end(x, bind, op) for x in where.args] for op in ("top", "bottom")}
    return [op for op, (left, right) in sides.items() if left == right]


def with_end(expr: p.Expr, bind: p.Bind, op: str) -> object:
    """Return what an expression says of the piece at one end of a zone, in a form that can be compared."""
    if isinstance(expr, p.Slot) and expr.slot == bind.slot:
        return (op, bind.source)
    if isinstance(expr, p.Op) and expr.op == op and expr.args[0] == bind.source:
        return (op, bind.source)
    if isinstance(expr, p.Attr):
        return ("attribute", expr.name, with_end(expr.of, bind, op))
    if isinstance(expr, p.Invoke) and len(expr.args) == 1:
        return (expr.function, with_end(expr.args[0], bind, op))
    return expr
