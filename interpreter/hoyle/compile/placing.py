"""From the number of a move back to its arguments."""

from __future__ import annotations

from hoyle.compile.expressions import Env, Local
from hoyle.compile.options import OptionParts
from hoyle.compile.statements import INDENT
from hoyle.program.numbering import Group


class Placing(OptionParts):
    """Writes how a number becomes the arguments of one option."""

    def placing(self) -> list[str]:
        """Return the method that turns a number into arguments; none for an option without arguments."""
        lines = [f"def {self.name}_of(self, S: State, n: int) -> tuple[int, ...]:"]
        lines.append(f'{INDENT}"""Return the arguments of a move of {self.option.name}."""')
        if not self.fast:
            return [*lines, f"{INDENT}return self.{self.name}_all(S)[n]"]
        if self.loose:
            test = self.emitter.all(self.loose, self.env)
            lines += [f"{INDENT}if not ({test}):", f"{INDENT * 2}return self.{self.name}_all(S)[n]"]
        if self.numbered.first:
            lines.append(f"{INDENT}n -= {self.numbered.first}")
        parts = self._parts(lines)
        env: Env = dict(self.env)
        for index, head in enumerate(self.heads):
            group = self.numbered.groups[index]
            local = self.names.locals[self.slots[head]]
            if self.binds[head].type.form != "piece":
                low = f" + {group.low}" if group.low > 0 else f" - {-group.low}" if group.low else ""
                lines.append(f"{INDENT}{local} = {parts[index]}{low}")
                env[self.slots[head]] = Local(local)
                continue
            lines += [INDENT + x for x in self._pieces(head, group, parts[index], env)]
        values = ", ".join(self.names.locals[s] for s in self.slots)
        return [*lines, f"{INDENT}return ({values},)"]

    def _parts(self, lines: list[str]) -> list[str]:
        """Add the lines that cut a number into the parts of the groups, the last first; return their names."""
        names = [f"part_{i}" for i in range(len(self.heads))]
        for index in reversed(range(1, len(self.heads))):
            lines.append(f"{INDENT}n, {names[index]} = divmod(n, {self.numbered.groups[index].moves})")
        names[0] = "n"
        return names

    def _pieces(self, head: int, group: Group, part: str, env: Env) -> list[str]:
        local = self.names.locals[self.slots[head]]
        there = self.emitter.run(self.binds[head].source, env)
        if there.startswith("map"):
            there = f"list({there})"
        plain = list(group.places) == list(range(len(group.places)))
        kinds = [i for i, place in enumerate(group.places) if place >= 0]
        env[self.slots[head]] = Local(local)
        pool = self.is_sorted(self.binds[head].source) and self.binds[head].source.type.form != "set"
        if group.many == 1:
            kind = part if plain else f"{tuple(kinds)}[{part}]"
            if pool:
                return [
                    f"there = {there}",
                    f"{local} = there[bisect_left(there, self.first_of[{kind}])]",
                ]
            return [f"{local} = nth_of_kind(self.kind_of, {there}, {kind}, 0)"]
        other = self.names.locals[self.slots[head + 1]]
        env[self.slots[head + 1]] = Local(other)
        self.members.pairs.add(group.size)
        lines = [f"low, high = PAIRS_OF_{group.size}[{part}]"]
        if not plain:
            lines.append(f"low, high = {tuple(kinds)}[low], {tuple(kinds)}[high]")
        if pool:
            return [
                *lines,
                f"there = {there}",
                f"{local} = there[bisect_left(there, self.first_of[low])]",
                f"{other} = there[bisect_left(there, self.first_of[high]) + (low == high)]",
            ]
        lines.append(f"{local} = nth_of_kind(self.kind_of, {there}, low, 0)")
        lines.append(f"{other} = nth_of_kind(self.kind_of, {there}, high, int(low == high))")
        return lines
