"""Rows: for each card what it can do, or whether it fits, kept for each of the few things that this hangs on.

Where a condition asks the table for small things alone, the suit that is wanted or the card on top of a pile, its
answers for all cards are worked out when they first have these values, and looked up from then on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hoyle import program as p
from hoyle.compile.conditions import Env, Local, bare
from hoyle.program.asked import ENDS, asked_of_table, rows_of, values_of
from hoyle.program.purity import free_slots, told_apart

if TYPE_CHECKING:
    from hoyle.compile.expressions import Emitter

INDENT = "    "
WORDS = {"any": "any", "every": "all", "count": "sum", "sum": "sum"}


class Rows:
    """Writes the tables of rows and the methods that fill them; `init` and `methods` go into the class of the rules."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.program = emitter.program
        self.names = emitter.names
        self.init: list[str] = []
        self.methods: list[list[str]] = []
        self.moves = False
        self.made: dict[tuple[object, ...], tuple[str, str]] = {}
        self.given: dict[str, str] = {}  # what the methods that make rows are given

    # ---- what is asked ------------------------------------------------------------------------

    def asked(self, exprs: Sequence[p.Expr], own: set[int], env: Env) -> list[p.Expr] | None:
        """Return what conditions ask of the table; None where there can be no rows for them.

        A row is made by a method that sees the state, and no variables of Python's.
        """
        found: list[p.Expr] = []
        for expr in exprs:
            asked = asked_of_table(expr, own, self.emitter.functions)
            if asked is None:
                return None
            found += [x for x in asked if x not in found]
        hidden = any(free_slots(x).keys() & env.keys() for x in found)
        return None if hidden or not rows_of(found, self.program) else found

    def ends(self, asked: Sequence[p.Expr]) -> list[p.Expr]:
        """Return the zones that must not be empty where rows are looked up, and are not known to hold anything."""
        zones = [x.args[0] for x in asked if isinstance(x, p.Op) and x.op in ENDS]
        return [z for z in dict.fromkeys(zones) if not self.emitter.is_filled(z)]

    def key(self, asked: Sequence[p.Expr]) -> str:
        """Return text for the number of a row."""
        before = self.emitter.filled
        self.emitter.filled = before | {x.args[0] for x in asked if isinstance(x, p.Op) and x.op in ENDS}
        text = ""
        for expr in asked:
            low, many = values_of(expr, self.program)
            value = bare(self.emitter.e(expr, {}, True))
            value = f"({value} - {low})" if low else value
            text = (
                f"({text}) * {many} + {value}"
                if "+" in text
                else f"{text} * {many} + {value}"
                if text
                else value
            )
        self.emitter.filled = before
        return bare(text)

    def found(self, table: str, method: str, asked: Sequence[p.Expr]) -> str:
        """Return text for a row, made where there is none yet."""
        key = self.key(asked)
        return f"self.{table}[{key}] or self.{method}({self.given[method]}, {key})"

    def found_lines(self, table: str, method: str, asked: Sequence[p.Expr]) -> list[str]:
        """Return the lines that look up what each card can do, as `does`."""
        if not asked:
            return [f"does = self.{table}"]
        makes = f"self.{method}({self.given[method]}, key)"
        return [f"key = {self.key(asked)}", f"does = self.{table}[key] or {makes}"]

    def table(self, stem: str, asked: Sequence[p.Expr], kind: str) -> tuple[str, str]:
        """Add a table of rows; return its name and that of the method that makes one."""
        table, method = self.names.give(f"{stem}_rows"), self.names.give(f"{stem}_row")
        rows = rows_of(list(asked), self.program)
        if not asked:
            self.init.append(f"self.{table} = self.{method}()")
            return table, method
        self.init.append(f"self.{table}: list[list[{kind}] | None] = [None] * {rows}")
        return table, method

    def method(self, name: str, asked: Sequence[p.Expr], kind: str, lines: list[str]) -> list[str]:
        """Return the method that makes a row of a `kind` of values; its lines begin with its docstring.

        It is given the values it hangs on where it asks them of the state itself, which is then left alone.
        """
        body = "\n".join(lines)
        plain = [x for x in asked if isinstance(x, p.Slot) and x.slot in self.names.slots]
        values = {f"S[{self.names.slots[x.slot]}]": self.names.locals[x.slot] for x in plain}
        words = set(re.findall(r"\w+", body)) | {"S", "key"}
        apart = len(set(values.values()) - words) == len(plain) == len(asked)
        for place, local in values.items():
            body = body.replace(place, local)
        if not apart or re.search(r"\bS\b", body):
            self.given[name] = "S"
            return [f"def {name}(self, S: State, key: int) -> list[{kind}]:", *[INDENT + x for x in lines]]
        self.given[name] = ", ".join(values)
        names = ", ".join(f"{x}: int" for x in values.values())
        return [
            f"def {name}(self, {names}, key: int) -> list[{kind}]:",
            *[INDENT + x for x in body.split("\n")],
        ]

    # ---- phrases over the cards of a zone -------------------------------------------------------

    def phrase(self, expr: p.Loop, env: Env) -> str:
        """Return text for what is asked of all cards of a zone; nothing where rows do not help."""
        emitter, bind = self.emitter, expr.binders[0]
        if emitter.plain or "rows" in emitter.without or expr.word not in WORDS or len(expr.binders) > 1:
            return ""
        if bind.type.form != "piece" or bind.source.type.form != "zone" or bind.type.or_none:
            return ""
        if expr.where is None and not bind.pieces and expr.value is None:
            return ""  # all that is asked is how many there are
        zone = emitter.held.get(bind.source) or f"S[{emitter.e(bind.source, env)}]"
        row = self._row(expr, env)
        if row:
            emitter.told.note("rows", expr)
        return f"{WORDS[expr.word]}(map({row}.__getitem__, {zone}))" if row else ""

    def _row(self, expr: p.Loop, env: Env) -> str:
        """Return text for a list by piece of what a phrase asks of it."""
        emitter, bind = self.emitter, expr.binders[0]
        parts = [x for x in (expr.where, expr.value) if x is not None]
        asked = self.asked(parts, {bind.slot}, env)
        apart = any(bind.slot in told_apart(x, emitter.functions) for x in parts)
        if asked is None or apart or self.ends(asked):
            return ""
        name = self.names.locals[bind.slot]
        inner: Env = {bind.slot: Local(name, kind=True)}
        value = "True" if expr.value is None else bare(emitter.e(expr.value, inner))
        test = self._test(expr, inner, name)
        if expr.value is None and test:
            value = test if test.startswith(("IS_", "not ")) else f"bool({test})"
        elif test:
            value = f"({value}) if {test} else 0"
        if expr.word == "every" and expr.value is None and bind.pieces:
            return ""
        number = "int" if expr.value is not None else "bool"
        key = (value, name, tuple(asked))
        if not asked:
            if key not in self.made:
                table = self.names.give(f"{name}_fits" if number == "bool" else f"{name}_worth")
                self.init.append(f"self.{table} = [{value} for {name} in self.kind_of]")
                self.made[key] = table, ""
            return f"self.{self.made[key][0]}"
        if key not in self.made:
            self.made[key] = table, method = self.table(name, asked, number)
            lines = [
                f'"""Return for each piece what line {expr.line} asks of it, as the table stands."""',
                f"row = self.{table}[key] = [{value} for {name} in self.kind_of]",
                "return row",
            ]
            self.methods.append(self.method(method, asked, number, lines))
        return f"({self.found(*self.made[key], asked)})"

    def _test(self, expr: p.Loop, inner: Env, name: str) -> str:
        bind = expr.binders[0]
        # A row is over all cards, and those of other types than can lie there can't be asked.
        pieces = bind.pieces or bind.type.pieces
        some = bool(bind.pieces) or not set(pieces) >= set(self.program.attributes)
        tests = [f"{self.names.type_table(pieces)}[{name}]"] if some else []
        if expr.where is not None:
            tests.append(
                bare(self.emitter.truth(expr.where, inner))
                if not tests
                else self.emitter.truth(expr.where, inner)
            )
        return " and ".join(tests)
