"""Best assignments of wild cards and best splits as Python text: what the run-time package asks, as methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoyle import program as p
from hoyle.compile.conditions import Env, Local
from hoyle.program.purity import free_slots

if TYPE_CHECKING:
    from hoyle.compile.expressions import Emitter

INDENT = "    "


class Scoring:
    """Writes what finds best ways, once for each definition; `init` and `methods` go into the class of the rules."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.names = emitter.names
        self.made: dict[str, str] = {}
        self.init: list[str] = []
        self.methods: list[list[str]] = []

    def as_if(self, expr: p.AsIf, env: Env) -> str:
        """Return text for a part of a best assignment."""
        found = f"self.{self._assigning(expr)}"
        kinds = f"[self.kind_of[x] for x in S[{self.emitter.e(expr.zone, env)}]]"
        asked = "".join(f", {self.emitter.e(x, env)}" for x in expr.asked)
        return f"{found}.{expr.part}({kinds}{asked})"

    def split(self, expr: p.Split, env: Env) -> str:
        """Return text for a part of a best split."""
        return f"self.{self._melding(expr)}.{expr.part}({self.emitter.run(expr.source, env)})"

    def _melding(self, expr: p.Split) -> str:
        if expr.name in self.made:
            return self.made[expr.name]
        name = self.made[expr.name] = self.names.give(f"{expr.name}_split")
        forms = [self._form(name, expr, form) for form in expr.forms]
        env: Env = {expr.card.slot: Local("card", kind=True)}
        melded, left = self.emitter.e(expr.melded, env), self.emitter.e(expr.left, env)
        doc = f"Return what a card is worth in a meld or in the rest. (Line {expr.line}.)"
        worth = self._method(
            f"{name}_worth", "card: int, melded: bool", "int", (doc, f"{melded} if melded else {left}")
        )
        self.init += [
            f"self.{name} = Melding(  # {expr.line}",
            f"{INDENT}self.kind_of,",
            f"{INDENT}({', '.join(forms)},),",
            f"{INDENT}{self._wild(name, expr)},",
            f"{INDENT}{expr.most_wild},",
            f"{INDENT}self.{worth},",
            f"{INDENT}{expr.least},",
            f"{INDENT}{expr.extra},",
            f"{INDENT}{expr.line},",
            ")",
        ]
        return name

    def _wild(self, name: str, expr: p.Split) -> str:
        if expr.wild is None:
            return "lambda card: False"
        tests = [f"{self.names.type_table(expr.wild.pieces)}[card]"] if expr.wild.pieces else []
        if expr.is_wild is not None:
            tests.append(self.emitter.e(expr.is_wild, {expr.wild.slot: Local("card", kind=True)}))
        doc = f"Return whether a card is wild. (Line {expr.line}.)"
        return "self." + self._method(
            f"{name}_wild", "card: int", "bool", (doc, f"bool({' and '.join(tests) or True})")
        )

    def _form(self, name: str, expr: p.Split, form: p.MeldForm) -> str:
        env: Env = {form.card.slot: Local("card", kind=True)}
        same = "".join(f"{self.emitter.e(x, env)}, " for x in form.same).strip()
        row, once = ("0" if x is None else self.emitter.e(x, env) for x in (form.row, form.once))
        marks = f"({same}), {row}, {once}"
        if form.card.pieces:
            marks = f"({marks}) if {self.names.type_table(form.card.pieces)}[card] else None"
        else:
            marks = f"({marks})"
        doc = f"Return what cards of a {form.name} are compared by. (Line {expr.line}.)"
        method = self._method(f"{name}_{form.name}", "card: int", "Marks | None", (doc, marks))
        flags = f"{form.row is not None}, {form.once is not None}"
        return f"Form({form.name!r}, {form.low}, {form.high}, {flags}, self.{method})"

    def _assigning(self, expr: p.AsIf) -> str:
        if expr.name in self.made:
            return self.made[expr.name]
        name = self.made[expr.name] = self.names.give(f"{expr.name}_wilds")
        fits = self._method(f"{name}_fit", "wild: int, face: int", "bool", self._fits(expr))
        feature = self._method(
            f"{name}_count", "group: int, card: int", "tuple[int | None, ...]", self._feature(expr)
        )
        tallies = "".join(f", {self._local(t.result)}: int" for t in expr.tallies)
        value = self._method(f"{name}_value", f"group: int{tallies}", "int", self._value(expr))
        tables = ", ".join(self.names.type_table(b.pieces) for b in (expr.wild, expr.face))
        words = ", ".join(f'"{t.word}"' for t in expr.tallies)
        groups = ", ".join(map(str, expr.groups))
        alike = expr.group.slot not in free_slots(expr.value)
        self.init += [
            f"self.{name} = Assigning(  # {expr.line}",
            f"{INDENT}lambda: wilds_in(self.kind_of, {tables}, self.{fits}),",
            f"{INDENT}({groups},),",
            f"{INDENT}({words},)," if words else f"{INDENT}(),",
            f"{INDENT}self.{feature},",
            f"{INDENT}self.{value},",
            f"{INDENT}{expr.nothing},",
            f"{INDENT}{expr.highest},",
            f"{INDENT}{alike},",
            ")",
        ]
        return name

    def _method(self, wanted: str, arguments: str, gives: str, told: tuple[str, str]) -> str:
        name = self.names.give(wanted)
        doc, text = told
        head = f"def {name}(self, {arguments}) -> {gives}:"
        self.methods.append([head, f'{INDENT}"""{doc}"""', f"{INDENT}return {text}"])
        return name

    def _local(self, bind: p.Bind) -> str:
        return self.names.locals[bind.slot]

    def _fits(self, expr: p.AsIf) -> tuple[str, str]:
        env: Env = {expr.wild.slot: Local("wild", kind=True), expr.face.slot: Local("face", kind=True)}
        test = "True" if expr.fits is None else f"bool({self.emitter.e(expr.fits, env)})"
        return f"Return whether a wild card may count as a face. (Line {expr.line}.)", test

    def _feature(self, expr: p.AsIf) -> tuple[str, str]:
        parts = []
        for tally in expr.tallies:
            env: Env = {tally.card.slot: Local("card", kind=True), expr.group.slot: Local("group")}
            tests = [f"{self.names.type_table(tally.card.pieces)}[card]"] if tally.card.pieces else []
            if tally.word == "every":
                if tally.where is not None:
                    tests.append(self.emitter.no(tally.where, env))
                parts.append(f"0 if {' and '.join(tests) or 'True'} else None")
                continue
            if tally.where is not None:
                tests.append(self.emitter.e(tally.where, env))
            value = "1" if tally.value is None else self.emitter.e(tally.value, env)
            parts.append(f"{value} if {' and '.join(tests)} else None" if tests else value)
        return (
            "Return what a card adds to the tallies of a group.",
            f"({', '.join(parts)},)" if parts else "()",
        )

    def _value(self, expr: p.AsIf) -> tuple[str, str]:
        env: Env = {t.result.slot: Local(self._local(t.result)) for t in expr.tallies}
        env[expr.group.slot] = Local("group")
        return "Return what a group is worth.", self.emitter.e(expr.value, env)
