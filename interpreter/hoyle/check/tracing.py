"""Points of the rules that a traced program counts, laid where what somebody wrote is lowered into statements.

Only what is written in the spec has points, and every option: what the checker makes of tricks and auctions on its own
says nothing to a designer. Definitions have none. How often one is asked depends on tables and on values kept by the
back end, not on the game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from hoyle import families as f
from hoyle import program as p
from hoyle import syntax as s
from hoyle.runtime.points import Point
from hoyle.source import Source, Span

Written = tuple[type, Span]
LINKS = ("playable", "winning")


class Trace:
    """Gives out the points of one program; with no source it gives none, and what is lowered stays as it is."""

    def __init__(self, source: Source | None = None, blocks: tuple[s.Block, ...] = ()) -> None:
        self.source = source
        self.points: list[Point] = []
        self.known: dict[tuple[str, Span, str], int] = {}
        self.written: set[Written] = set()
        self.clauses: dict[Written, f.Clause] = {}
        if source is not None:
            for node in _nodes(blocks):
                if isinstance(node, s.Statement):
                    self.written.add((type(node), node.span))
                elif isinstance(node, f.Clause) and node.body is not None and node.body.statements:
                    first = node.body.statements[0]
                    self.clauses[type(first), first.span] = node

    # ---- what is counted ------------------------------------------------------------------

    def phase(self, node: s.Phase) -> list[p.Statement]:
        """Return what counts that a phase begins."""
        return self._mark("phase", node.span, node.span.end_line)

    def branch(self, node: s.If) -> list[p.Statement]:
        """Return what counts that a test held; nothing for one that nobody wrote."""
        return self._mark("branch", node.span, node.body.span.end_line) if self._is_written(node) else []

    def otherwise(self, node: s.If) -> list[p.Statement]:
        """Return what counts that a test did not hold; for `else if` its own test is enough."""
        if not self._is_written(node):
            return []
        of = self._point("branch", node.span, node.body.span.end_line)
        other = node.otherwise
        if other is None:
            return self._mark("held", node.span, node.span.line, of=of)
        inner = other.statements[0] if other.statements else None
        if isinstance(inner, s.If) and inner.span.line == other.span.line:
            return []
        return self._mark("else", other.span, other.span.end_line, of=of)

    def passes(self, node: s.Repeat | s.For | s.Turns) -> list[p.Statement]:
        """Return what counts the passes of a loop."""
        return self._mark("loop", node.span, node.span.end_line) if self._is_written(node) else []

    def ended(self, node: s.Repeat | s.Turns) -> list[p.Statement]:
        """Return what counts that the condition of a loop has ended it."""
        if not self._is_written(node):
            return []
        of = self._point("loop", node.span, node.span.end_line)
        return self._mark("until", node.span, node.span.line, of=of)

    def nobody(self, node: s.Choose) -> list[p.Statement]:
        """Return what counts that all have passed where the first who wants something is asked."""
        if node.nobody is None or not self._is_written(node):
            return []
        return self._mark("nobody", node.nobody.span, node.nobody.span.end_line)

    def before(self, node: s.Statement) -> list[p.Statement]:
        """Return what counts that a clause, or an end of the game, has come about, where `node` is the first of it."""
        if self.source is None:
            return []
        made: list[p.Statement] = []
        clause = self.clauses.get((type(node), node.span))
        if clause is not None:
            made += self._mark("clause", clause.span, clause.span.end_line)
        over = isinstance(node, s.Wins) or (isinstance(node, s.End) and node.what.text == "game")
        if over and self._is_written(node):
            made += self._mark("end", node.span, node.span.line)
        return made

    def decided(self, node: s.Counted) -> list[p.Statement]:
        """Return what counts that a link of a clause has decided what may be played, or who wins."""
        return self._mark(node.kind, node.span, node.span.line)

    def option(self, option: p.Option, node: s.Option | None, at: Span) -> p.Option:
        """Return an option with the points where it is offered and taken; `at` is where its choice stands."""
        if self.source is None:
            return option
        span = at if node is None else node.span
        written = node is not None and self._line(span).startswith("option")
        words = "" if written else f"option {option.name}"
        last = node.span.end_line if node is not None and written else span.line
        offered = self._point("offered", span, last, words)
        return option.model_copy(
            update={"points": (offered, self._point("taken", span, last, words, offered))}
        )

    # ---- points -----------------------------------------------------------------------------

    def _is_written(self, node: s.Statement) -> bool:
        return (type(node), node.span) in self.written

    def _mark(self, kind: str, span: Span, last: int, of: int = -1) -> list[p.Statement]:
        return [] if self.source is None else [p.Mark(point=self._point(kind, span, last, of=of))]

    def _point(self, kind: str, span: Span, last: int, words: str = "", of: int = -1) -> int:
        """Return the number of a point: the same again where a part of the spec is lowered more than once."""
        key = (kind, span, words)
        if key not in self.known:
            self.known[key] = len(self.points)
            self.points.append(
                Point(kind, span.line, self._last(span, last), words or self._words(kind, span), of)
            )
        return self.known[key]

    def _words(self, kind: str, span: Span) -> str:
        """Return the words of a point: its whole line, but for a link, since several may stand in one."""
        if kind in LINKS and self.source is not None and span.line == span.end_line:
            line, first = self.source.line(span.line), span.column - 1
            word = "else " if line[:first].rstrip().endswith("else") else ""
            return word + line[first : span.end_column - 1].strip()
        return self._line(span)

    def _line(self, span: Span) -> str:
        """Return the words of the line where something begins, without a comment behind them."""
        return "" if self.source is None else _plain(self.source.line(span.line))

    def _last(self, span: Span, last: int) -> int:
        """Return the last line that is indented below the one where something begins; it may seem to end later."""
        assert self.source is not None
        depth = _depth(self.source.line(span.line))
        while last > span.line and _depth(self.source.line(last)) <= depth:
            last -= 1
        return max(span.line, last)


def _depth(text: str) -> int:
    """Return how far a line is indented; -1 where it is empty."""
    return len(text) - len(text.lstrip()) if text.strip() else -1


def _plain(text: str) -> str:
    """Return a line of a spec without its comment; a `#` within quotes begins none."""
    quoted = False
    for place, sign in enumerate(text):
        if sign == '"':
            quoted = not quoted
        elif sign == "#" and not quoted:
            return text[:place].strip()
    return text.strip()


def _nodes(part: object) -> Iterator[s.Node]:
    """Yield all nodes of a part of a spec."""
    if isinstance(part, tuple) and not isinstance(part, Span):
        for x in part:
            yield from _nodes(x)
    elif isinstance(part, s.Node):
        yield part
        for x in fields(part):
            if x.name != "span":
                yield from _nodes(getattr(part, x.name))
