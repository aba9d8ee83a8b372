"""The words of the spec, as they are written."""

from __future__ import annotations

from hoyle.diagnostics import Report
from hoyle.source import Source, Span


def quoted(report: Report, span: Span) -> str:
    """Return what is written in a stretch of a spec in one line, comments left out; empty for a text not at hand."""
    source = Source(span.path, report.sources.get(span.path, ""))
    parts = []
    for number in range(span.line, span.end_line + 1):
        line = source.line(number)
        first = span.column - 1 if number == span.line else 0
        last = span.end_column - 1 if number == span.end_line else len(line)
        parts.append(_without_comment(line[first:last]))
    return " ".join(" ".join(parts).split())


def _without_comment(text: str) -> str:
    inside = False
    for place, sign in enumerate(text):
        if sign == '"':
            inside = not inside
        elif sign == "#" and not inside:
            return text[:place]
    return text
