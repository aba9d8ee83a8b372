"""Where the parser reports: no more than a person would read, of a block and of a file."""

from __future__ import annotations

from hoyle.diagnostics import Report
from hoyle.source import Span

MOST_OF_A_BLOCK = 20
MOST_OF_A_FILE = 100
SHORT = 50  # signs of a line that count as one
MOST_HUSHED = 1_000  # lines of a block whose fault is the same as one that has been told
TOO_MANY = "there are more faults than are told"


class BlockFull(Exception):
    """So many faults of one block have been told that the rest of it is passed over."""


class FileFull(Exception):
    """So many faults of the file have been told that the rest of it is passed over."""


class Faults:
    """Gathers what can't be read."""

    def __init__(self, path: str, report: Report) -> None:
        self.path = path
        self.report = report
        self.told = 0
        self.of_block = 0
        self.once: set[tuple[str, str]] = set()
        self.hushed: Span | None = None  # a line that can't be read, of which nothing was told
        self.hushes = 0
        self.words: dict[str, Span] = {}  # the words of the language used as names, and where they are first

    def block(self) -> None:
        """Begin another block."""
        self.of_block = 0
        self.hushes = 0

    def first(self, code: str, what: str) -> bool:
        """Return whether this is the first time that the file has this fault with this word."""
        if (code, what) in self.once:
            return False
        self.once.add((code, what))
        return True

    def hush(self, at: Span) -> None:
        """Note a line that can't be read for a reason that has been told. Raises BlockFull where there are too many."""
        self.hushed = at
        self.hushes += 1 + max(0, at.end_column - at.column) // SHORT  # long lines take long to read
        if self.hushes > MOST_HUSHED:
            raise BlockFull

    def misused(self, word: str, at: Span) -> None:
        """Note a word of the language that stands for a name; it is told at the end, unless it is declared so."""
        self.words.setdefault(word, at)

    def span(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        """Return a span of the file."""
        return Span(self.path, line, column, end_line, end_column)

    def line(self, number: int, text: str) -> Span:
        """Return the span of what stands on a line; its number counts from 1."""
        return Span(self.path, number, len(text) - len(text.lstrip()) + 1, number, len(text.rstrip()) + 1)

    def add(
        self,
        code: str,
        span: Span,
        message: str,
        mend: str,
        label: str = "",
        second: tuple[Span, str] | None = None,
    ) -> None:
        """Add a fault. Raises BlockFull or FileFull, after a last word, where there are too many."""
        if self.told == MOST_OF_A_FILE:
            self.report.add(
                "E120", span, TOO_MANY, label="from here on", mend="mend those above, then check again"
            )
            raise FileFull
        if self.of_block >= MOST_OF_A_BLOCK:
            self.of_block += 1
            if self.of_block > MOST_OF_A_BLOCK + 1:  # the last word is said
                raise BlockFull
            self.told += 1
            self.report.add(
                "E120", span, TOO_MANY, label="in this block", mend="mend those above, then check again"
            )
            raise BlockFull
        self.told += 1
        self.of_block += 1
        self.report.add(code, span, message, label=label, mend=mend, second=second)
