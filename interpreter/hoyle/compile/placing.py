"""From the number of a move back to its arguments."""

from __future__ import annotations

from hoyle import program as p
from hoyle.compile.expressions import Env, Local
from hoyle.compile.options import OptionParts
from hoyle.compile.statements import INDENT, Lying
from hoyle.compile.tidying import used
from hoyle.program.numbering import Group
from hoyle.program.purity import told_apart


class Placing(OptionParts):
    """Writes how a number becomes the arguments of one option."""

    def placing(self) -> list[str]:
        """Return the method that turns a number into arguments; none for an option without arguments."""
        lines, _ = self.placed()
        values = ", ".join(self.names.locals[s] for s in self.slots)
        return used(
            [
                f"def {self.name}_of(self, S: State, n: int) -> tuple[int, ...]:",
                f'{INDENT}"""Return the arguments of a move of {self.option.name}."""',
                *[INDENT + x for x in lines],
                f"{INDENT}return ({values},)",
            ]
        )

    def placed(self) -> tuple[list[str], dict[int, Lying]]:
        """Return the lines that give the arguments of move `n` their values, and where pieces among them then lie."""
        names = ", ".join(self.names.locals[s] for s in self.slots) + ("," if len(self.slots) == 1 else "")
        all_tried = f"{names} = self.{self.name}_all(S)[n]"
        if not self.fast:
            return [all_tried], {}
        zones, lying = self._zones()
        cut = self._cut(lying)
        if not self.loose:
            return [*zones, *cut], lying
        test = self.emitter.all(self.loose, self.env)
        lines = [*zones, f"if {test}:", *[INDENT + x for x in cut], "else:", INDENT + all_tried]
        return lines, lying

    def _zones(self) -> tuple[list[str], dict[int, Lying]]:
        """Return the lines that name the zones of arguments, if they depend on no argument, and what lies in them."""
        lines: list[str] = []
        lying: dict[int, Lying] = {}
        given: dict[p.Expr, str] = {}
        for head in self.heads:
            source = self.emitter.zone_of(self.binds[head].source)
            if source is None or self.mentioned(source):
                continue
            if source not in given:
                given[source] = self.names.temporary(source.name, set(given.values()))
                lines.append(f"{given[source]} = S[{self.emitter.e(source, self.env)}]")
            for i in range(head, head + self.group(head).many):
                lying[self.slots[i]] = Lying(given[source], source.zone, head)
        return lines, lying

    def _cut(self, lying: dict[int, Lying]) -> list[str]:
        """Return the lines that cut a number into the parts of the groups, the last first, and find the pieces."""
        lines = [f"n -= {self.numbered.first}"] if self.numbered.first else []
        env: Env = dict(self.env)
        parts: dict[int, str] = {}
        for head in reversed(self.heads):
            group, bind = self.group(head), self.binds[head]
            local = self.names.locals[self.slots[head]]
            rest = "n" if head == self.heads[0] else f"n % {group.moves}"
            if bind.type.form == "piece":
                parts[head] = self.names.temporary(f"{local}_number", set())
                if head == self.heads[0]:
                    parts[head] = "n"
                else:
                    lines.append(f"{parts[head]} = {rest}")
            else:
                low = f" + {group.low}" if group.low > 0 else f" - {-group.low}" if group.low else ""
                lines.append(f"{local} = {rest}{low}")
                env[self.slots[head]] = Local(local)
            if head != self.heads[0]:
                lines.append(f"n //= {group.moves}")
        for head in self.heads:
            if head in parts:
                lines += self._pieces(head, self.group(head), parts[head], env, lying)
        return lines

    def _pieces(self, head: int, group: Group, part: str, env: Env, lying: dict[int, Lying]) -> list[str]:
        """Return the lines that find the pieces of one group: the first of their kinds that are there."""
        local, source = self.names.locals[self.slots[head]], self.binds[head].source
        plain = list(group.places) == list(range(len(group.places)))
        kinds = tuple(i for i, place in enumerate(group.places) if place >= 0)
        pool = isinstance(source, p.ZoneAt) and self.is_sorted(source)
        known = lying.get(self.slots[head]) if self._alike_are_there(source) else None
        there = known.name if known else self.emitter.run(source, env)
        lines = []
        if pool and not known:
            lines.append(f"there = {there}")
            there = "there"
        env[self.slots[head]] = Local(local)
        if group.many == 1:
            kind = part if plain else f"{kinds}[{part}]"
            if not kinds:
                kind = "0"  # no deck has such a piece: nobody is ever asked for it
            elif kinds == tuple(range(kinds[0], kinds[-1] + 1)):
                kind = f"{part} + {kinds[0]}" if kinds[0] else part
            if self.emitter.unique:
                return [f"{local} = {kind}"]
            if pool:
                return [*lines, f"{local} = {there}[bisect_left({there}, self.first_of[{kind}])]"]
            found = f"if self.kind_of[{local}] == {kind}:"
            return [f"for {local} in {self._in_order(source, there)}:", INDENT + found, f"{INDENT * 2}break"]
        other = self.names.locals[self.slots[head + 1]]
        env[self.slots[head + 1]] = Local(other)
        self.members.pairs.add(group.size)
        lines.append(f"low, high = PAIRS_OF_{group.size}[{part}]")
        if not plain:
            lines.append(f"low, high = {kinds}[low], {kinds}[high]")
        if self.emitter.unique:
            return [x for x in lines if not x.startswith("there = ")] + [f"{local}, {other} = low, high"]
        if pool:
            lines.append(f"{local} = {there}[bisect_left({there}, self.first_of[low])]")
            lines.append(f"{other} = {there}[bisect_left({there}, self.first_of[high]) + (low == high)]")
            return lines
        there = self._in_order(source, there)
        lines.append(f"{local} = nth_of_kind(self.kind_of, {there}, low, 0)")
        lines.append(f"{other} = nth_of_kind(self.kind_of, {there}, high, int(low == high))")
        return lines

    def _alike_are_there(self, source: p.Expr) -> bool:
        """Return whether the first piece of a kind in the zone of a source is the first one in the source too.

        What is left to pick from, those after the last one picked, may have the second of two that look alike and not
        the first. A set is in order, as a pool is; other zones are not.
        """
        match source:
            case p.ZoneAt():
                return True
            case p.Loop(binders=(bind,), where=where):
                apart = set() if where is None else told_apart(where, self.emitter.functions)
                return bind.slot not in apart and self._alike_in_order(bind.source)
            case p.Op(op="zone_set" | "or_else"):
                return all(map(self._alike_in_order, source.args))
            case p.Cond():
                return self._alike_in_order(source.yes) and self._alike_in_order(source.no)
            case _:
                return False

    def _alike_in_order(self, source: p.Expr) -> bool:
        """Return the same of what a set is made of, which is in order only where the zone is."""
        return self._alike_are_there(source) and (not isinstance(source, p.ZoneAt) or self.is_sorted(source))

    def _in_order(self, source: p.Expr, there: str) -> str:
        """Return a list in the order in which names run through a zone: a pile from its top."""
        pile = isinstance(source, p.ZoneAt) and self.emitter.form(source) == "pile"
        return f"{there}[::-1]" if pile and "in_order(" not in there else there
