"""Text to syntax. The only package that knows lark.

A file is cut into blocks first: a block begins in column 1. Each is parsed on its own, so that no fault of one hides
another. A block with faults is read again, row by row, by `reader`: what can't be read is told in the words of
`slips` and passed over.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from lark import Tree, UnexpectedInput

from hoyle import syntax as s
from hoyle.diagnostics import Report
from hoyle.given import GIVEN
from hoyle.parser.blocks import BlockBuilder, declared_in, perhaps_won, types_in
from hoyle.parser.fault import nearest
from hoyle.parser.faults import BlockFull, Faults, FileFull
from hoyle.parser.grammar import parser, reserved_words
from hoyle.parser.layout import LayoutFault
from hoyle.parser.reader import Names, Read, Reader
from hoyle.parser.rows import bare, words
from hoyle.parser.signs import BRACES
from hoyle.parser.slips import misused
from hoyle.parser.text import LONGEST_FILE, Chunk, chunks, declared_words, read_lines, unindented
from hoyle.parser.wording import HEADING_HABITS, HEADINGS
from hoyle.source import Source, Span

__all__ = ["HEADINGS", "LONGEST_FILE", "Parsed", "parse", "reserved_words"]

RANGE = re.compile(r"\bin[ \t]+(range)[ \t]*\(")
CALLED = re.compile(r"\b(?:do|end|at)[ \t]+([a-z]\w*)|\b([a-z]\w*)[ \t]*\(")
QUOTED = re.compile(r'"([^"\n]*)"')


class Parsed(NamedTuple):
    """A file as read; `broken` are the words of the lines that could not be read, and the same in small letters."""

    file: s.File
    broken: frozenset[str]


def parse(source: Source, report: Report) -> Parsed:
    """Return the syntax of `source` as far as it can be read, and add what can't to `report`."""
    report.sources[source.path] = source.text
    lines = read_lines(source, report)
    if lines is None:
        return Parsed(s.File(source.path, (), ()), frozenset())
    return _File(source.path, lines, report).read()


@lru_cache(128)
def _tree(text: str) -> Tree[Any] | None:
    """Return the tree of a block without faults, or None; who edits a game has most of its blocks read again and again.

    Nothing may change the tree.
    """
    try:
        return parser().parse(text)
    except (LayoutFault, UnexpectedInput):
        return None


class _File:
    """One file on its way from lines to syntax."""

    def __init__(self, path: str, lines: list[str], report: Report) -> None:
        self.path, self.lines = path, lines
        self.faults = Faults(path, report)
        self.reserved = reserved_words()
        self.chunks = chunks(path, lines, report)
        known = declared_words(lines, self.chunks)
        phases = frozenset(name for c in self.chunks if c.word == "phase" and (name := self._second(c)))
        self.names = Names(known, known & self.reserved, phases)
        self.defined = frozenset(
            name for c in self.chunks if c.word == "define" and (name := self._second(c))
        )
        self.blocks: list[s.Block] = []
        self.headings: list[s.Word] = []
        self.lost: set[str] = set()
        self.faceless = False  # whether cards are missing, so that no face can be told to be unknown

    def _second(self, chunk: Chunk) -> str:
        found = re.findall(r"\w+", self.lines[chunk.start])
        return found[1] if len(found) > 1 else ""

    def read(self) -> Parsed:
        """Return the whole file."""
        done = 0
        try:
            for place, chunk in enumerate(self.chunks):
                done = place
                self._chunk(place, chunk)
            self._last_words()
        except FileFull:
            self.faceless = True
            for chunk in self.chunks[done:]:
                self._lose(chunk.start, chunk.stop)
            for chunk in self.chunks[len(self.headings) :]:
                self.headings.append(s.Word(self._at(chunk), chunk.word))
        blocks = tuple(self._known_lines(b) if isinstance(b, s.Deck) else b for b in self.blocks)
        if self.faceless:
            self.lost |= self._faces()
        file = s.File(self.path, blocks, tuple(self.headings))
        return Parsed(file, frozenset(self.lost))

    def _last_words(self) -> None:
        """Tell of words of the language that stand for names. Where they are declared, that is told by the checker."""
        declared = {word.text for block in self.blocks for word in declared_in(block)}
        self.faults.block()
        with suppress(BlockFull):
            for word, at in self.faults.words.items():
                if word not in declared:
                    self.faults.add("E203", at, *misused(word))
        if self.faults.hushed and not self.faults.words and not self.faults.report.errors:
            self.faults.add("E111", self.faults.hushed, "this line can't be read", "write it anew")

    def _at(self, chunk: Chunk) -> Span:
        column = len(self.lines[chunk.start]) - len(self.lines[chunk.start].lstrip()) + 1
        return Span(self.path, chunk.start + 1, column, chunk.start + 1, column + len(chunk.word))

    def _chunk(self, place: int, chunk: Chunk) -> None:
        self.faults.block()
        if chunk.inside and place:
            line = self.faults.line(chunk.start + 1, self.lines[chunk.start])
            message = "this line begins a block, but is indented"
            self.faults.add("E110", line._replace(column=1), message, "a block begins in column 1")
        block = self._heading(place, chunk)
        if not block:
            self.headings.append(s.Word(self._at(chunk), chunk.word))
            self._lose(chunk.start, chunk.stop)
            self.lost |= GIVEN  # it may be one of tricks or of an auction
            self.faceless = True
            return
        self.headings.append(s.Word(self._at(chunk), block))
        with suppress(BlockFull):
            self._ranges(chunk)
            self._contents(place, chunk, block)

    def _contents(self, place: int, chunk: Chunk, block: str) -> None:
        shift = chunk.start
        read = None
        if block == chunk.word and not chunk.inside:
            read = self._parsed(chunk)
        if read is None:
            shift = 0
            read = self._read(place, chunk, block)
        if read.tree is not None:
            self._build(chunk, read.tree, block, read.heading, shift)
        elif block == "game":
            self.blocks.append(s.Game(self._at(chunk), "", 1, 16, ()))
        self.lost |= read.lost
        self.faceless |= block == "components" and bool(read.lost)
        if read.full:
            raise FileFull

    def _parsed(self, chunk: Chunk) -> Read | None:
        """Return a block without faults, or None."""
        tree = _tree("\n".join(self.lines[chunk.start : chunk.stop]) + "\n")
        return None if tree is None else Read(tree, True, frozenset())

    def _read(self, place: int, chunk: Chunk, block: str) -> Read:
        following = self.chunks[place + 1] if place + 1 < len(self.chunks) else None
        bare_heading = following is not None and self._unindented(following)
        return self._reader(chunk, block).read(bare_heading)

    def _reader(self, chunk: Chunk, block: str) -> Reader:
        return Reader(self.lines, chunk.start, chunk.stop, block, self.faults, self.names)

    def _build(self, chunk: Chunk, tree: Tree[Any], block: str, heading: bool, shift: int) -> None:
        builder = BlockBuilder(self.path, shift, self.reserved)
        made = builder.block(tree)
        if heading or block not in ("define", "phase", "scenario"):
            self.blocks += made
        else:  # of what name it was cannot be told
            self.lost.update(
                word for line in self.lines for words_ in CALLED.findall(line) for word in words_
            )
            self.blocks += [perhaps for b in made if isinstance(b, s.Phase) and (perhaps := perhaps_won(b))]
        self.lost |= builder.lost
        for word in builder.misused:
            self.lost.add(word.text)
            self.faults.misused(word.text, word.span)
        for note in builder.notes:
            self.faults.add(note.code, note.span, note.message, note.mend)
        for refused, span in builder.refused:
            self._lose(span.line - 1, span.end_line)
            self.faceless |= block == "components"
            self.faults.add(refused.code, refused.span, refused.message, refused.mend)

    def _lose(self, start: int, stop: int) -> None:
        self.lost |= words(self.lines[start:stop])

    def _known_lines(self, deck: s.Deck) -> s.Deck:
        """Return a deck without the lines that speak of a type of which the declaration can't be read."""
        types = {b.name.text for b in self.blocks if isinstance(b, s.Enum | s.Piece | s.Kind)}
        lines = tuple(x for x in deck.lines if not types_in(x) & self.lost - types)
        self.faceless |= len(lines) < len(deck.lines)
        return replace(deck, lines=lines)

    def _faces(self) -> set[str]:
        """Return everything in the file that could be the face of a card."""
        quoted = (text for line in self.lines for text in QUOTED.findall(line))
        return {face.strip() for text in quoted for face in text.split(",")}

    # ---- headings ---------------------------------------------------------------------------------

    def _unindented(self, chunk: Chunk) -> bool:
        return chunk.word not in HEADINGS and not chunk.inside and unindented(chunk, self.lines[chunk.start])

    def _heading(self, place: int, chunk: Chunk) -> str:
        """Return of what kind a block is, or nothing after a report."""
        word = chunk.word
        if word in HEADINGS:
            return word
        at, label = self._at(chunk), "a line in column 1 begins a new block"
        if chunk.inside:  # told already
            return ""
        if bare(self.lines[chunk.start]) == "}":
            if self.faults.first("E112", "{}"):
                self.faults.add("E112", at, *BRACES)
            return ""
        if word[:1] == ">":
            self._told(at, "rule text stands inside a block, indented", label, "indent it by two spaces")
            return ""
        near = nearest(word, HEADINGS, 3)
        message = f"`{word}` does not begin a block"
        if near:
            meant = [w for w in near if self._reader(chunk, w).heading_reads()]
            self._told(at, message, label, f"did you mean `{(meant or near)[0]}`?")
            return meant[0] if meant else ""
        if self._unindented(chunk):
            above = self.chunks[place - 1] if place else None
            if above is None or not self._unindented(above):
                self._told(
                    at, message, label, "indent this line by two spaces, below the block that it belongs to"
                )
            return ""
        mend = "blocks are: " + ", ".join(HEADINGS) + "; other lines are indented"
        self._told(at, message, label, HEADING_HABITS.get(word.lower(), mend))
        return ""

    def _told(self, at: Span, message: str, label: str, mend: str) -> None:
        self.faults.add("E107", at, message, mend, label)

    def _ranges(self, chunk: Chunk) -> None:
        """Tell of `for n in range(...)`, which reads well but asks a definition that nobody wrote."""
        if "range" in self.defined:
            return
        for number in range(chunk.start, chunk.stop):
            found = RANGE.search(self.lines[number]) if "range" in self.lines[number] else None
            if found and not self.lines[number].lstrip().startswith((">", "#")):
                self.lost.add("range")
                line, column = number + 1, found.start(1) + 1
                span = Span(self.path, line, column, line, column + len("range"))
                self.faults.add(
                    "E112",
                    span,
                    "`range(...)` is not of this language",
                    "numbers are written with two dots, as in `for n in 1..3`",
                )
