"""The text of a spec and places in it. Ground: imports nothing of hoyle."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of a source text; lines and columns count from 1, the end is just behind the last sign."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, other: Span) -> Span:
        """Return the span from the start of this one to the end of `other`."""
        return Span(self.path, self.line, self.column, other.end_line, other.end_column)


NOWHERE = Span("", 0, 0, 0, 0)


class Source(NamedTuple):
    """A text and the name by which people know it."""

    path: str
    text: str

    def line(self, number: int) -> str:
        """Return line `number`, counted from 1, without its end; empty outside the text."""
        lines = lines_of(self.text)
        return lines[number - 1] if 0 < number <= len(lines) else ""


@lru_cache(maxsize=4)
def lines_of(text: str) -> tuple[str, ...]:
    """Return the lines of a text as they are counted everywhere: a mark of the encoding at its beginning is no sign."""
    return tuple(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n"))
