"""What options ask as Python, part by part: for those who want to know why a move is not possible."""

from __future__ import annotations

from hoyle import program as p
from hoyle.compile.conditions import bare
from hoyle.compile.expressions import Emitter, Env, Local
from hoyle.compile.finding import OptionEmitter
from hoyle.compile.statements import INDENT, noted
from hoyle.program.numbering import choices
from hoyle.program.veils import Asked, asked_of


class ReasonEmitter:
    """Writes for each option what its arguments may be, and whether each of its conditions holds."""

    def __init__(self, emitter: Emitter) -> None:
        self.emitter = emitter
        self.names = emitter.names
        self.asked = Asked(emitter.program)
        self.shapes = self._shapes()
        self.parts: dict[int, list[str]] = {}

    def choice(self, block: int, options: list[OptionEmitter]) -> list[list[str]]:
        """Return the methods of a choice."""
        made = []
        for option in options:
            name = self.names.give(f"{option.name}_asks")
            self.parts.setdefault(block, []).append(name)
            self.emitter.plain = True
            made.append(self._method(name, option.option))
            self.emitter.plain = False
        return made

    def _shapes(self) -> list[str]:
        """Return what all options ask as data, those of phases that never run too: their moves have numbers."""
        lines = []
        for block, choose in choices(self.emitter.program):
            lines.append(f"{block.number}: (")
            for place in range(len(choose.options)):
                shape = self.asked.of(block.number, place)
                groups = ", ".join(map(_row, shape.groups)) + ("," if len(shape.groups) == 1 else "")
                lines.append(f"{INDENT}AskedShape({shape.first}, ({groups}), (")
                lines += [f"{INDENT * 2}{_row(x)}," for x in shape.sources]
                lines.append(f"{INDENT}), (")
                lines += [f"{INDENT * 2}{_row(x)}," for x in shape.conditions]
                lines.append(f"{INDENT})),")
            lines.append("),")
        return lines

    def _method(self, name: str, option: p.Option) -> list[str]:
        env: Env = {a.bind.slot: Local(self.names.locals[a.bind.slot]) for a in option.arguments}
        arguments = "".join(f", {self.names.locals[a.bind.slot]}: int" for a in option.arguments)
        lines = [
            f"def {name}(self, S: State, part: int{arguments}) -> Any:",
            f'{INDENT}"""Return what an argument of {option.name} may be, or whether a condition holds."""',
        ]
        for part, argument in enumerate(option.arguments):
            lines.append(f"{INDENT}if part == {part}:")
            source = asked_of(argument)
            if source.type.form == "zone":
                zone = bare(self.emitter.e(source, env))
                lines.append(f"{INDENT * 2}return {zone}, {self.emitter.run(source, env)}")
            else:
                lines.append(f"{INDENT * 2}return -1, {self.emitter.run(source, env)}")
        for part, condition in enumerate(option.conditions, len(option.arguments)):
            lines.append(f"{INDENT}if part == {part}:")
            test = bare(self.emitter.e(condition.asks, env))
            lines.append(noted(f"{INDENT * 2}return {test}", condition.line))
        return [*lines, f"{INDENT}raise IndexError(part)"]


def _row(shape: tuple[object, ...]) -> str:
    """Return a named tuple as it is made, its parts in order."""
    parts = [f"range({x.stop})" if isinstance(x, range) and x.start == 0 else repr(x) for x in shape]
    defaults = getattr(shape, "_field_defaults", {})
    while len(parts) > len(shape) - len(defaults) and shape[len(parts) - 1] in ("", ()):
        parts.pop()  # what is seldom there is left out
    return f"{type(shape).__name__}({', '.join(parts)})"
