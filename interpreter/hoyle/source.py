"""The text of a spec and places in it. Ground: imports nothing of hoyle."""

from __future__ import annotations

from collections.abc import Callable
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
        """Return the span from the start of this one to the end of `other`; this one where that stands before it.

        What is made of several clauses of a block has parts that need not stand in order.
        """
        if (other.end_line, other.end_column) < (self.line, self.column):
            return self
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


class NotThere(Exception):
    """A file beside a spec that can't be read; says why in words, and what to do about it."""

    def __init__(self, message: str, mend: str) -> None:
        super().__init__(message)
        self.message = message
        self.mend = mend


class Raw(NamedTuple):
    """The bytes of a file beside a spec, and the name by which people know it."""

    path: str
    raw: bytes


# Gives the file of that name in the folder of a spec, or so many bytes of it as asked for. Raises NotThere.
Beside = Callable[[str, int], Raw]


def nothing_beside(name: str, most: int) -> Raw:
    """Raise NotThere: what is read is a text alone, with no folder that a file could lie in."""
    raise NotThere(
        f"`{name}` can't be read: this spec is a text, not a file in a folder",
        "save the spec as a file, with the table beside it",
    )


@lru_cache(maxsize=4)
def lines_of(text: str) -> tuple[str, ...]:
    """Return the lines of a text as they are counted everywhere: a mark of the encoding at its beginning is no sign."""
    return tuple(text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n"))
