"""Sieves: tables of the kinds that fit, for conditions that ask about the faces of arguments alone."""

from __future__ import annotations

from hoyle import program as p
from hoyle.compile.expressions import Env, Local
from hoyle.compile.options import OptionParts
from hoyle.compile.statements import INDENT, noted


class Sieves(OptionParts):
    """Writes the tables of kinds of one option."""

    def by_kinds(self) -> list[p.Expr]:
        """Return the guards that ask about faces alone."""
        return [g for g in self.fast_guards if self.by_faces(g)]

    def only(self, place: int) -> str | None:
        """Return the table that says of which kinds an argument may be; None if of all."""
        pieces = self.binds[place].pieces or self.binds[place].type.pieces
        every = set(pieces) >= set(self.emitter.program.attributes)
        return None if every else self.names.type_table(pieces)

    def guards_at(self, place: int) -> list[p.Expr]:
        """Return the guards to be asked when the argument at a place is known."""
        return [g for g in self.fast_guards if max(self.mentioned(g)) == place]

    def fitting_table(self, head: int, earlier: list[int]) -> str:
        """Add the table and method of the kinds of an argument that fit, given those of others; return their name."""
        local = self.names.locals[self.slots[head]]
        table = self.names.give(f"{self.name}_{local}_fitting")
        kinds = len(self.emitter.program.kinds)
        rows = ("[-1]", f"[-1] * {kinds}", f"[[-1] * {kinds} for _ in range({kinds})]")[len(earlier)]
        kind = "list[list[int]]" if len(earlier) == 2 else "list[int]"
        self.members.init.append(f"self.{table}_known: {kind} = {rows}")
        sifting = [g for g in self.by_kinds() if set(self.mentioned(g)) <= {head, *earlier}]
        self._fitting(table, sifting, earlier, head)
        return table

    def looked_up(self, table: str, names: list[str]) -> list[str]:
        """Return the lines that look up which kinds fit."""
        index = "".join(f"[{n}]" for n in reversed(names)) or "[0]"
        return [
            f"fitting = self.{table}_known{index}",
            "if fitting < 0:",
            f"{INDENT}fitting = self.{table}({', '.join(names)})",
        ]

    def _fitting(self, table: str, sifting: list[p.Expr], earlier: list[int], head: int) -> None:
        """Add the method that works out which kinds of an argument fit, given those of earlier ones."""
        names = [self.names.locals[self.slots[i]] for i in earlier]
        local = self.names.locals[self.slots[head]]
        env: Env = {self.slots[i]: Local(n, kind=True) for i, n in zip(earlier, names, strict=True)}
        env[self.slots[head]] = Local(local, kind=True)
        tables = [(self.only(i), name) for i, name in zip([*earlier, head], [*names, local], strict=True)]
        fits = [f"{table}[{name}]" for table, name in tables if table is not None]
        only = f" if {' and '.join(fits)}" if fits else ""
        test = self.emitter.all(sifting, env)
        index = "".join(f"[{n}]" for n in reversed(names)) or "[0]"
        known = f"self.{table}_known{index}"
        lines = [
            f"kinds = [{local} for {local} in range(len(FACES)){only}]",
            noted(f"fitting = mask_of({local} for {local} in kinds if {test})", self.option.line),
        ]
        if self.scan is not None and names:
            # Few kinds differ to the conditions: of those that are alike only the first is asked about.
            first = [f"alike[{n}]" for n in names]
            given = first[0] if len(first) == 1 else f"min({', '.join(first)}), max({', '.join(first)})"
            lines = [
                f"alike = self.{self.scan.name}.alike",
                f"if {' and '.join(f'{x} == {n}' for x, n in zip(first, names, strict=True))}:",
                *[INDENT + x for x in lines],
                "else:",
                f"{INDENT}fitting = self.{table}({given})",
            ]
        self.members.methods.append(
            [
                f"def {table}(self{''.join(f', {n}: int' for n in names)}) -> int:",
                f'{INDENT}"""Return the kinds that `{local}` may have in {self.option.name}, as a mask."""',
                f"{INDENT}fitting = {known}",
                f"{INDENT}if fitting < 0:",
                *[INDENT * 2 + x for x in lines],
                f"{INDENT * 2}{known} = fitting",
                f"{INDENT}return fitting",
            ]
        )
