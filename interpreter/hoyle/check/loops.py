"""Loops that can't end: nothing in them leaves, and nothing they do changes what they wait for."""

from __future__ import annotations

from collections.abc import Mapping

from hoyle import syntax as s
from hoyle.check.decisions import bodies, loop_word, walk
from hoyle.check.usage import CARDS, asks, changes, statements_with
from hoyle.diagnostics import Report
from hoyle.source import Span

MENDS = {
    "repeat": "say until when, as in `repeat until stock is empty`, or `end repeat` inside",
    "turns": "say until when, as in `turns p from dealer until stock is empty`, or `end turns` inside",
}
LOOPS = ("repeat", "turns", "for")


class Loops:
    """Looks at every loop of a spec, once all names in it are known to be right."""

    def __init__(self, report: Report, blocks: tuple[s.Block, ...]) -> None:
        self.report = report
        self.phases: Mapping[str, s.Phase] = {b.name.text: b for b in blocks if isinstance(b, s.Phase)}
        self.defines = {b.name.text: b for b in blocks if isinstance(b, s.Define)}
        self.zones = {b.name.text for b in blocks if isinstance(b, s.Zone)}

    def read(self) -> None:
        """Report the loops that can't end."""
        for phase in self.phases.values():
            for node in walk(phase.body):
                if isinstance(node, s.Repeat | s.Turns) and not self._left(node):
                    self._loop(node)

    def _loop(self, node: s.Repeat | s.Turns) -> None:
        condition = node.until if isinstance(node, s.Turns) else node.condition
        if isinstance(node, s.Repeat) and node.form == "times":
            return
        word = loop_word(node)
        if condition is None:
            self._tell(
                node.span,
                "nothing ends this loop",
                None,
                MENDS[word],
            )
            return
        asked = asks(self.defines, self.zones, condition)
        changed = changes(self.phases, node.body) | ({node.name.text} if isinstance(node, s.Turns) else set())
        if asked & changed:
            return
        own = sorted((asked & self.zones) or asked - {CARDS} - set(self.defines))
        what = f": it changes none of {', '.join(f'`{x}`' for x in own[:4])}" if own else ""
        self._tell(
            node.span,
            f"what this loop does never changes what it waits for{what}",
            (condition.span, "this is asked again and again, and the answer stays the same"),
            f"change it inside the loop, or say `end {word}` there",
        )

    def _tell(self, span: Span, message: str, second: tuple[Span, str] | None, mend: str) -> None:
        line = Span(span.path, span.line, span.column, span.line, span.column + 6)
        self.report.add("E503", line, message, second=second, mend=mend)

    def _left(self, loop: s.Repeat | s.Turns) -> bool:
        """Return whether something inside a loop may leave it: an `end`, a win, or a phase in which there is one."""
        for phase, node in statements_with(self.phases, loop.body):
            if isinstance(node, s.Wins):
                return True
            if (
                isinstance(node, s.End)
                and node.what.text in ("game", *self.phases)
                and node.what.text != phase
            ):
                return True
        return _leaves(loop.body, [loop_word(loop)])


def _leaves(body: s.Body, loops: list[str]) -> bool:
    """Return whether an `end` in a suite leaves the first of the loops around it, or one further out."""
    for node in body.statements:
        if isinstance(node, s.End) and node.what.text in LOOPS and node.what.text not in loops[1:]:
            return True
        inner = loop_word(node)
        if any(_leaves(b, [*loops, inner] if inner else loops) for b in bodies(node)):
            return True
    return False
