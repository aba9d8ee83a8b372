"""Moves found piece by piece, where a guard tells apart pieces that look alike: every piece is tried."""

from __future__ import annotations

from hoyle import program as p
from hoyle.compile.conditions import bare
from hoyle.compile.expressions import Env, Local
from hoyle.compile.options import OptionParts
from hoyle.compile.statements import INDENT
from hoyle.program.symmetry import symmetric


class Trying(OptionParts):
    """Writes the method that tries every piece of one option."""

    def try_all(self) -> None:
        """Add the method that tries every piece: number -> arguments, the first that fit."""
        lines = [
            f"def {self.name}_all(self, S: State) -> dict[int, tuple[int, ...]]:",
            f'{INDENT}"""Return the moves of {self.option.name}, every piece tried."""',
            f"{INDENT}kind_of = self.kind_of",
            f"{INDENT}found: dict[int, tuple[int, ...]] = {{}}",
        ]
        env: Env = dict(self.env)
        depth = 1
        for index, head in enumerate(self.heads):
            group = self.numbered.groups[index]
            places = list(range(head, head + group.many))
            even = group.many > 1 and symmetric(self.option, places, self.guards, self.emitter.functions)
            source = self.names.locals[self.slots[head]] + "_there"
            lines.append(f"{INDENT * depth}{source} = {self._candidates(self.binds[head], env)}")
            for i in places:
                depth = self._try(i, head, source, even, env, lines, depth)
        values = ", ".join(self.names.locals[s] for s in self.slots)
        lines.append(f"{INDENT * depth}n = {self.numbered.first} + {self.number_of_pieces()}")
        lines.append(f"{INDENT * depth}if n not in found:")
        lines.append(f"{INDENT * (depth + 1)}found[n] = ({values},)")
        lines.append(f"{INDENT}return found")
        if not any("kind_of" in x for x in lines[3:]):
            lines.remove(f"{INDENT}kind_of = self.kind_of")
        self.members.methods.append(lines)

    def _candidates(self, bind: p.Bind, env: Env) -> str:
        run = self.emitter.run(bind.source, env)
        if bind.type.form not in ("piece", "set"):
            return f"sorted({bare(run)})"
        fits = f" if {self.names.type_table(bind.pieces)}[kind_of[x]]" if bind.pieces else ""
        there = f"({bare(run)})" if " else " in run else run
        return f"sorted([x for x in {there}{fits}], key=kind_of.__getitem__)"

    def _try(self, i: int, head: int, source: str, even: bool, env: Env, lines: list[str], depth: int) -> int:
        local = self.names.locals[self.slots[i]]
        several = self.numbered.groups[self.heads.index(head)].many > 1
        argument = self.option.arguments[i]
        if argument.low is not None and argument.high is not None:
            subsets = self.members.subsets.setdefault(
                argument.subsets, self.names.give(f"SETS_{len(self.members.subsets) + 1}")
            )
            bounds = f"{bare(self.emitter.e(argument.low, env))}, {bare(self.emitter.e(argument.high, env))}"
            found = f"sets_there(kind_of, {source}, {subsets}, {bounds})"
            lines.append(f"{INDENT * depth}for at_{local}, {local} in {found}:")
        elif several:
            lines.append(f"{INDENT * depth}for at_{local}, {local} in enumerate({source}):")
        else:
            lines.append(f"{INDENT * depth}for {local} in {source}:")
        depth += 1
        for k in range(head, i):
            other = self.names.locals[self.slots[k]]
            if not even or k == i - 1:
                lines.append(f"{INDENT * depth}if at_{local} {'<=' if even else '=='} at_{other}:")
                lines.append(f"{INDENT * (depth + 1)}continue")
        env[self.slots[i]] = Local(local)
        for guard in self.guards:
            if max(self.mentioned(guard)) == i:
                lines.append(f"{INDENT * depth}if {bare(self.emitter.no(guard, env))}:")
                lines.append(f"{INDENT * (depth + 1)}continue")
        return depth
