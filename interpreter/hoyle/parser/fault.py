"""A place where a line can't be read on, as the parser sees it, and the slip that it is told as."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hoyle.parser.grammar import spelling
from hoyle.parser.rows import WORD, Row

LINE_END = "_NL"


class Edit(NamedTuple):
    """Read the `length` signs from `at` on as these tokens, each a terminal and its text."""

    at: int
    length: int
    tokens: tuple[tuple[str, str], ...] = ()


Edits = tuple[Edit, ...]


class Slip(NamedTuple):
    """What is told of a fault; places count signs in the text of the row.

    With `edits` the row is read as it was meant, if that can be done to its end. `last` is the last line that belongs
    to the row, where that is not the one it was taken to be; an `unfinished` row may go on with the next. Of the faults
    with one `once` only the first is told.
    """

    code: str
    at: int
    end: int
    message: str
    mend: str
    edits: Edits = ()
    second: tuple[int, str] | None = None
    last: int | None = None
    once: str = ""
    unfinished: bool = False


@dataclass(frozen=True, slots=True)
class Fault:
    """`at` is where the row can't be read on; there stands the terminal `kind`, or a sign that begins none.

    `accepts` are the terminals that could stand there, `starts` those that could begin the row. `reads` tells how far
    the row can be read with some edits, `home` below which heading it could be read as it is. `start` is the line of
    the heading that it stands below, `inner` the first word of what is indented below the row. `known` are the words
    that the file declares as names, `named` those of them that are words of the language.
    """

    row: Row
    block: str
    start: int
    at: int
    kind: str
    text: str
    accepts: frozenset[str]
    starts: frozenset[str]
    deeper: bool
    inner: str
    named: frozenset[str]
    known: frozenset[str]
    phases: frozenset[str]
    reads: Callable[[Sequence[Edit]], int]
    home: Callable[[], str]

    @property
    def end(self) -> int:
        """Where the thing ends that can't be read."""
        return self.at + max(len(self.text), 1)

    @property
    def second(self) -> int:
        """Where the second thing of the row begins."""
        row = self.row
        behind = row.start + max(len(row.word), 1)
        rest = row.text[behind:]
        return min(behind + len(rest) - len(rest.lstrip()), max(row.end, behind))

    @property
    def early(self) -> bool:
        """Whether no more than one word of the row could be read."""
        return self.at <= self.second

    def whole(self, *edits: Edit) -> bool:
        """Return whether the row can be read to its end with some edits."""
        return self.reads(edits) > len(self.row.text)

    def fits(self, *edits: Edit) -> bool:
        """Return whether it can be read to its end, and what is indented below it has its place."""
        return self.reads(edits) > len(self.row.text) + 1 or (not self.deeper and self.whole(*edits))

    def starting(self, word: str) -> bool:
        """Return whether a word of the language could begin the row."""
        return terminal(word) in self.starts

    def before(self) -> tuple[int, str]:
        """Return the word before the fault, and where it stands; an empty one if there is none."""
        text = self.row.text[: self.at].rstrip()
        start = len(text)
        while start and WORD.match(text, start - 1):
            start -= 1
        return start, text[start:]


def terminal(word: str) -> str:
    """Return the terminal that is written so, or nothing."""
    return next((name for name, value in spelling().items() if value == word), "")


def spelled(terminals: Iterable[str]) -> list[str]:
    """Return the words among some terminals."""
    found = (spelling().get(t, "") for t in sorted(terminals))
    return [w for w in found if w.isalpha()]


def nearest(word: str, words: Iterable[str], most: int = 1) -> list[str]:
    """Return those of `words` that `word` is most like, the nearest first; none if no one is near."""
    known = list(words)
    turned = [w for w in known if len(w) < 5 and w != word and sorted(w) == sorted(word)]
    close = difflib.get_close_matches(word, known, n=most, cutoff=0.7)
    return (close + [w for w in turned if w not in close])[:most]
