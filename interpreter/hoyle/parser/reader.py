"""A block with faults, read row by row: what can't be read is told and passed over, and the rest is read.

A row that is plain enough to be understood is read as it was meant. Any other is replaced by rule text without
words, and the first line of an inner block by one that says nothing, so that the lines below it keep their place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from lark import Tree, UnexpectedInput
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from hoyle.parser.blocks import UNREAD, UNREAD_WIN
from hoyle.parser.fault import LINE_END, Edit, Edits, Fault, Slip, nearest, terminal
from hoyle.parser.faults import BlockFull, Faults, FileFull
from hoyle.parser.indenting import Indenting, Level
from hoyle.parser.machine import Glued, Probe
from hoyle.parser.rows import WORD, Row, blank, cut, words
from hoyle.parser.slips import describe
from hoyle.parser.wording import HEADS, HOMES

LONGEST_TRIED = 10_000  # signs of a row that is read again and again to find out what was meant
MEANT = {
    "while": "repeat",
    "until": "repeat",
    "loop": "repeat",
    "foreach": "for",
    "elif": "else",
    "elsif": "else",
}
# What stands for the first line of an inner block that can't be read.
HEADS_UNREAD: tuple[tuple[str, ...], ...] = (
    ("if", "NAME"),
    ("else", "if", "NAME"),
    ("else",),
    ("repeat", "while", "NAME"),
    ("for", "NAME", "in", "NAME"),
    ("turns", "NAME", "from", "NAME"),
    ("choose", "NAME"),
    ("option", "NAME"),
    ("deck", "in", "NAME"),
)
# ... and for the first line of a block.
HEADINGS_UNREAD: dict[str, tuple[tuple[str, ...], ...]] = {
    "game": (("game", "STRING", "for", "1", "..", "16", "players"),),
    "define": (("define", "NAME", "=", "NAME"), ("define", "NAME")),
    "phase": (("phase", "NAME"),),
    "scenario": (("scenario", "STRING", "for", "NAME"),),
}


class Read(NamedTuple):
    """What could be read of a block; `heading` tells whether its first line could."""

    tree: Tree[Any] | None
    heading: bool
    lost: frozenset[str]
    full: bool = False


class Names(NamedTuple):
    """The words that a file declares: as names, as names although they are words of the language, and as phases."""

    known: frozenset[str]
    reserved: frozenset[str]
    phases: frozenset[str]


class Reader(Indenting):
    """Reads the lines `start` to `stop` of a file, counted from 0: one block."""

    def __init__(
        self, lines: list[str], start: int, stop: int, block: str, faults: Faults, names: Names
    ) -> None:
        super().__init__(lines, start, stop, faults)
        self.block, self.names = block, names
        self.heading = True

    def read(self, bare_heading: bool) -> Read:
        """Return what can be read; with `bare_heading` it is known already that nothing stands below it."""
        full = False
        tree = None
        at = self.start
        try:
            at = self._heading()
            while (row := cut(self.lines, at, self.stop)) is not None:
                at = row.first
                at = self._row(row)
        except (BlockFull, FileFull) as many:
            self.lost |= words(self.lines[at : self.stop])
            full = isinstance(many, FileFull)
        self.doubted = self.doubtful
        try:
            tree = self._close(bare_heading)
        except (BlockFull, FileFull, UnexpectedInput):
            self.lost |= words(self.lines[self.start : self.stop])
        return Read(tree, self.heading, frozenset(self.lost), full)

    def heading_reads(self) -> bool:
        """Return whether the first line reads well with the heading that it is taken for."""
        row = cut(self.lines, self.start, self.stop)
        return row is not None and self.reads(row, self._as_meant(row), False) > len(row.text)

    def _as_meant(self, row: Row) -> Edits:
        word = row.word
        return () if word == self.block else (Edit(row.start, len(word), ((terminal(self.block), word),)),)

    # ---- rows ---------------------------------------------------------------------------------

    def _heading(self) -> int:
        row = cut(self.lines, self.start, self.stop)
        assert row is not None
        following = cut(self.lines, row.last + 1, self.stop)
        inner = row.indent + 1 if following is None else following.indent
        self.levels = [Level(min(row.indent, inner - 1))]
        edits = self._as_meant(row)
        try:
            self.feed(row, edits)
        except (UnexpectedInput, Glued) as fault:
            return self._recover(row, fault, edits)
        self.before = row
        return row.last + 1

    def _row(self, row: Row) -> int:
        """Read a row and return the line after it."""
        self.doubted, self.doubtful = self.doubtful, False
        self.indent(row)
        try:
            self.feed(row, ())
        except (UnexpectedInput, Glued) as fault:
            return self._recover(row, fault, ())
        self.before = row
        return row.last + 1

    def _close(self, bare_heading: bool) -> Tree[Any] | None:
        """End the block and return its tree."""
        row = self.before
        if row is None:
            return None
        if self.wants_block():
            if bare_heading and len(self.levels) == 1:
                return None
            self.missing_block()
        self.leave_to(self.levels[0], row)
        made = self.end(row)
        return made if isinstance(made, Tree) else None

    # ---- what can't be read ------------------------------------------------------------------------

    def _recover(self, row: Row, fault: UnexpectedInput | Glued, edits: Edits) -> int:
        """Tell what is wrong with a row, and return the line to go on with."""
        met = list(self.state.state_stack)
        self.drop()
        slip = self._slip(row, fault, edits, met)
        opened = row.opened is not None or slip.unfinished
        if slip.last is not None:
            opened = True
            row = row.until(slip.last)
        unread = not slip.edits
        if not unread:
            try:
                self.feed(row, _merged(edits, slip.edits))
            except (UnexpectedInput, Glued):
                self.drop()
                unread = True
        if unread and self.fresh is not None:
            self.fresh.vague = True
        at = self._stand_in(row, opened) if unread else row.last + 1
        self.before = row
        if slip.code in ("E118", "E203"):
            self.lost |= words([slip.once]) | {slip.once}
        left_open = slip.code == "E119" and row.word in self._left_open()
        if self.doubtful or left_open or (slip.once and not self.faults.first(slip.code, slip.once)):
            self.faults.hush(self.faults.line(row.first + 1, self.lines[row.first]))
        elif slip.code == "E203":
            line, column = row.place(slip.at)
            self.faults.misused(slip.once, self.faults.span(line, column, line, column + len(slip.once)))
        else:
            self._report(row, slip)
        return at

    def _left_open(self) -> set[str]:
        """Return the words of lines that want the lines beside them to stand below them."""
        loose = self.loose.get(self.levels[-1].indent, set())
        return {"else"} if loose & {"if", "else"} else {"option"} if "choose" in loose else set()

    def _slip(self, row: Row, fault: UnexpectedInput | Glued, edits: Edits, met: list[Any]) -> Slip:
        at, kind, text = row.end, LINE_END, ""
        if isinstance(fault, UnexpectedCharacters):
            at = int(fault.pos_in_stream or 0)
            kind, text = "", row.text[at : at + 1]
        elif isinstance(fault, Glued):
            at, kind = fault.at, "NAME"
            text = found[0] if (found := WORD.match(row.text, at)) else ""
        elif isinstance(fault, UnexpectedToken) and fault.token.type != LINE_END:
            at, kind, text = int(fault.token.start_pos or 0), fault.token.type, str(fault.token)
        following = cut(self.lines, row.last + 1, self.stop)
        deeper = following is not None and following.indent > row.indent
        long = len(row.text) > LONGEST_TRIED
        inner = following.word if deeper and following is not None else ""
        return describe(
            Fault(
                row,
                self.block,
                self.start,
                at,
                kind,
                text,
                self.accepted(met),
                self.accepted(self.state.state_stack),
                deeper,
                inner,
                self.names.reserved,
                self.names.known,
                self.names.phases,
                lambda more: 0 if long else self.reads(row, _merged(edits, more), deeper),
                lambda: self._home(row),
            )
        )

    def _home(self, row: Row) -> str:
        """Return the heading below which a row could be read as it is, or nothing."""
        for heading in HOMES:
            probe = Probe(self.states, [self.state.parse_conf.start_state])
            if heading != self.block and all(map(probe.take, (terminal(heading), LINE_END, "_INDENT"))):
                if self.reads(row, (), False, probe) > len(row.text):
                    return heading
        return ""

    def _report(self, row: Row, slip: Slip) -> None:
        line, column = row.place(slip.at)
        end_line, end_column = row.place(max(slip.end, slip.at + 1))
        second = None
        if slip.second is not None:
            place, told = slip.second
            other = cut(self.lines, row.first, self.stop)
            there = (other or row).place(place)
            second = (self.faults.span(*there, there[0], there[1] + 1), told)
        span = self.faults.span(line, column, end_line, end_column)
        self.faults.add(slip.code, span, slip.message, slip.mend, second=second)

    def _stand_in(self, row: Row, opened: bool) -> int:
        """Put something in the place of a row that can't be read, and return the line to go on with."""
        self.lost |= words(self.lines[row.first : row.last + 1])
        at = row.last + 1
        following = cut(self.lines, at, self.stop)
        deeper = following is not None and following.indent > row.indent
        if self.before is None:
            self.heading = False
            self._first_of(HEADINGS_UNREAD.get(self.block, ((self.block,),)), row, deeper)
            return at
        inner = "" if following is None else following.word
        if (
            deeper
            and (not opened or row.word in HEADS)
            and self._first_of(self._heads(row, inner), row, True)
        ):
            self._lose_inner(at, row)
            return self._passed_over(at, row) if opened else at
        said = UNREAD_WIN if {"win", "wins"} & words([row.text]) else UNREAD
        for kind, text in self.empty_row():
            self.give(kind, row, said if kind == "TEXT" else text)
        while deeper and following is not None and following.indent > row.indent:
            at = following.last + 1
            self.lost |= words(self.lines[following.first : at])
            following = cut(self.lines, at, self.stop)
        return at

    def _lose_inner(self, at: int, row: Row) -> None:
        """Note the words below a line that can't be read: it may have made names that are used there."""
        while (inner := cut(self.lines, at, self.stop)) is not None and inner.indent > row.indent:
            at = inner.last + 1
            self.lost |= words(self.lines[inner.first : at])

    def _passed_over(self, at: int, row: Row) -> int:
        """Return the line behind those that only go on with a row whose bracket nothing closes."""
        inner = []
        for line in self.lines[at : self.stop]:
            indent = len(line) - len(line.lstrip())
            if not blank(line):
                if indent <= row.indent:
                    break
                inner.append(indent)
        following = cut(self.lines, at, self.stop)
        while following is not None and following.indent > min(inner):
            self.lost |= words(self.lines[at : following.last + 1])
            at = following.last + 1
            following = cut(self.lines, at, self.stop)
        return at

    def _heads(self, row: Row, inner: str) -> list[tuple[str, ...]]:
        """Return the words that can stand for the first line of an inner block, the likeliest first."""
        word = row.word
        meant = [word if word in HEADS else MEANT.get(word) or (nearest(word, HEADS) or [""])[0]]
        meant += (["choose"] if inner == "option" else []) + [w for w in HEADS if w in WORD.findall(row.text)]
        likely = [form for w in meant for form in HEADS_UNREAD if form[0] == w]
        return likely + [form for form in HEADS_UNREAD if form[0] in ("if", "option", "for", "deck")]

    def _first_of(self, forms: Sequence[tuple[str, ...]], row: Row, block: bool) -> bool:
        """Give the first of some lines that can stand here to the parser, and return whether one could."""
        for form in forms:
            probe = self.probe()
            kinds = [*("INT" if w.isdigit() else terminal(w) or w for w in form), LINE_END]
            if not all(map(probe.take, kinds)):
                continue
            if probe.take("_INDENT") if block else not self.wants_block(probe.position):
                name = f"line {row.first + 1}, which can't be read"
                self.lost.add(name)
                for kind, word in zip(kinds, [*form, "\n"]):
                    self.give(kind, row, name if kind == "NAME" else word, row.start)
                return True
        return False


def _merged(edits: Sequence[Edit], more: Sequence[Edit]) -> Edits:
    return tuple(sorted((*edits, *more), key=lambda e: e.at))
