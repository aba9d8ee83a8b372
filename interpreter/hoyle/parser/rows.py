"""Lines as a reader of the spec sees them: one that goes on over several lines of the file is one row."""

from __future__ import annotations

import re
from typing import NamedTuple

BLANK = re.compile(r"[ \t]*(?:#.*)?$")
GOES_ON = re.compile(r"[ \t]*(?:and|or|where|by)\b")
MARK = re.compile(r'"[^"\n]*"|"|#[^\n]*|[(){}]')
WORD = re.compile(r"\w+")
LONGEST_BRACKET = (
    200  # in a spec nobody would read on further; it keeps a bracket left open from costing much
)
TAB = 2  # what a tab counts for, once it has been reported


class Row(NamedTuple):
    """One line of the spec: the lines `first` to `last` of the file, counted from 0.

    `opened` is where a bracket stands that nothing closes: line and offset in it.
    """

    first: int
    last: int
    indent: int
    text: str
    tabs: bool = False
    opened: tuple[int, int] | None = None

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of a sign of the text, both counted from 1."""
        before = self.text[:offset]
        return self.first + before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1

    def offset(self, line: int, column: int) -> int:
        """Return which sign of the text stands at a line and a column, both counted from 1."""
        start = 0
        for _ in range(line - 1 - self.first):
            start = self.text.index("\n", start) + 1
        return start + column - 1

    @property
    def start(self) -> int:
        """Where the first word begins."""
        return len(self.text) - len(self.text.lstrip())

    @property
    def end(self) -> int:
        """Where the last word ends: behind it stand at most spaces and a comment."""
        start = self.text.rfind("\n") + 1
        return start + len(bare(self.text[start:]))

    @property
    def word(self) -> str:
        """The first word."""
        found = WORD.match(self.text, self.start)
        return found[0] if found else ""

    def until(self, last: int) -> Row:
        """Return the part that ends with line `last` of the file."""
        text = "\n".join(self.text.split("\n")[: last - self.first + 1])
        return self._replace(last=last, text=text)


def bare(line: str) -> str:
    """Return a line without its comment and the spaces at its end."""
    for mark in MARK.finditer(line):
        if mark[0][0] == "#":
            return line[: mark.start()].rstrip()
    return line.rstrip()


def blank(line: str) -> bool:
    """Return whether nothing but spaces and a comment stands on a line."""
    return BLANK.match(line) is not None


def cut(lines: list[str], at: int, stop: int) -> Row | None:
    """Return the first row from line `at` on, or None if there is none before line `stop`."""
    while at < stop and blank(lines[at]):
        at += 1
    if at >= stop:
        return None
    line = lines[at]
    white = line[: len(line) - len(line.lstrip())]
    row = Row(at, at, len(white.expandtabs(TAB)), line, "\t" in white)
    if line[len(white)] == ">":
        return row
    opened: list[tuple[int, int]] = []
    last = at
    while True:
        _brackets(lines[last], last, opened)
        following = last + 1
        if not opened:
            while following < stop and blank(lines[following]):
                following += 1
            if following >= stop or not GOES_ON.match(lines[following]):
                break
        elif following >= stop or following - at >= LONGEST_BRACKET:
            return _left_open(row, lines, opened[0][0])
        last = following
    return row._replace(last=last, text="\n".join(lines[at : last + 1]))


def _brackets(line: str, number: int, opened: list[tuple[int, int]]) -> None:
    """Add the brackets that a line opens, and take away those it closes."""
    for mark in MARK.finditer(line):
        if mark[0] in "({":
            opened.append((number, mark.start()))
        elif mark[0] in ")}":
            if opened:
                opened.pop()
        elif mark[0] == '"' or mark[0][0] == "#":
            return


def _left_open(row: Row, lines: list[str], last: int) -> Row:
    """Return a row up to the line whose bracket nothing closes."""
    opened: list[tuple[int, int]] = []
    for number in range(row.first, last + 1):
        _brackets(lines[number], number, opened)
    text = "\n".join(lines[row.first : last + 1])
    return row._replace(last=last, text=text, opened=opened[-1])


def words(lines: list[str]) -> set[str]:
    """Return the words of some lines, as they are written and as they might have been meant."""
    found: set[str] = set()
    for line in lines:
        for word in WORD.findall(bare(line)):
            found |= {word, word.lower(), word[:1].upper() + word[1:], snake(word)}
    return found


def snake(word: str) -> str:
    """Return a word as a name of this language: `handSize` becomes `hand_size`."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", word).strip("_").lower()
