"""Loops that can't end: nothing in them leaves, and nothing ends them or changes what they wait for."""

from __future__ import annotations

from hoyle import syntax as s
from hoyle.check.decisions import LOOPS, bodies, loop_word, walk
from hoyle.check.usage import Doings
from hoyle.diagnostics import Report
from hoyle.source import Span

MENDS = {
    "repeat": "say until when, as in `repeat until stock is empty`, or `end repeat` inside",
    "turns": "say until when, as in `turns p from dealer until stock is empty`, or `end turns` inside",
}


class Loops:
    """Looks at every loop of a spec, once all names in it are known to be right."""

    def __init__(self, report: Report, blocks: tuple[s.Block, ...], doings: Doings) -> None:
        self.report = report
        self.doings = doings
        self.variables = {b.name.text for b in blocks if isinstance(b, s.Variable)}

    def read(self) -> None:
        """Report the loops that nothing can end, and warn of those that never change what they wait for."""
        for phase in self.doings.phases.values():
            for node in walk(phase.body):
                if isinstance(node, s.Repeat | s.Turns) and loop_word(node) in LOOPS and not self._left(node):
                    self._loop(node)

    def _loop(self, node: s.Repeat | s.Turns) -> None:
        condition = node.until if isinstance(node, s.Turns) else node.condition
        if isinstance(node, s.Repeat) and node.form == "times":
            return
        word = loop_word(node)
        if condition is None:
            self.report.add("E503", _first_line(node.span), "nothing ends this loop", mend=MENDS[word])
            return
        asked = self.doings.asks(condition)
        changed = self.doings.changes(node.body) | ({node.name.text} if isinstance(node, s.Turns) else set())
        if asked & changed:
            return
        own = sorted(asked & (self.doings.zones | self.variables))
        what = f": it changes none of {', '.join(f'`{x}`' for x in own[:4])}" if own else ""
        self.report.add(
            "W504",
            _first_line(node.span),
            f"what this loop does never changes what it waits for{what}",
            second=(condition.span, "this is asked again and again, and the answer stays the same"),
            mend=f"change it inside the loop, or say `end {word}` there",
        )

    def _left(self, loop: s.Repeat | s.Turns) -> bool:
        """Return whether something inside a loop may leave it: an `end`, a win, or a phase in which there is one."""
        return self.doings.ends(loop.body) or _leaves(loop.body, [loop_word(loop)])


def _first_line(span: Span) -> Span:
    """Return the place of a loop without its body."""
    return Span(span.path, span.line, span.column, span.line, span.column + len("repeat"))


def _leaves(body: s.Body, loops: list[str]) -> bool:
    """Return whether an `end` in a suite leaves the first of the loops around it, or one further out."""
    for node in body.statements:
        if isinstance(node, s.End) and node.what.text in LOOPS and node.what.text not in loops[1:]:
            return True
        inner = loop_word(node)
        if any(_leaves(b, [*loops, inner] if inner else loops) for b in bodies(node)):
            return True
    return False
