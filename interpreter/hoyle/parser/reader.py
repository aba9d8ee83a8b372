"""A block with faults, read row by row: what can't be read is told and passed over, and the rest is read.

A row that is plain enough to be understood is read as it was meant. Any other is replaced by rule text without
words, and the first line of an inner block by one that says nothing, so that the lines below it keep their place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from lark import Token, Tree, UnexpectedInput
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.lexer import LexerThread

from hoyle.parser.blocks import UNREAD, UNREAD_WIN
from hoyle.parser.fault import LINE_END, Edit, Edits, Fault, Slip, nearest, terminal
from hoyle.parser.faults import BlockFull, Faults, FileFull
from hoyle.parser.grammar import parser
from hoyle.parser.rows import Row, blank, cut, words
from hoyle.parser.slips import describe
from hoyle.parser.wording import HEADS

SHIFT = "Shift"
MEANT = {
    "while": "repeat",
    "until": "repeat",
    "loop": "repeat",
    "foreach": "for",
    "elif": "else",
    "elsif": "else",
}


class Level(NamedTuple):
    """An indentation; `real` if the grammar knows of it, not if the rows stand too far in by mistake."""

    indent: int
    real: bool


class Read(NamedTuple):
    """What could be read of a block; `heading` tells whether its first line could."""

    tree: Tree[Any] | None
    heading: bool
    lost: frozenset[str]
    full: bool = False


class Probe:
    """A parser that builds nothing: it only tells what could stand where."""

    def __init__(self, states: Any, stack: list[Any]) -> None:
        self.states = states
        self.stack = list(stack)

    @property
    def position(self) -> Any:
        """The state of the parser, for the lexer."""
        return self.stack[-1]

    def take(self, terminal: str) -> bool:
        """Read a token, or return that none of this terminal can stand here."""
        while True:
            row = self.states[self.stack[-1]]
            if terminal not in row:
                return False
            action, argument = row[terminal]
            if str(action) == SHIFT:
                self.stack.append(argument)
                return True
            if argument.expansion:
                del self.stack[-len(argument.expansion) :]
            self.stack.append(self.states[self.stack[-1]][argument.origin.name][1])


class Reader:
    """Reads the lines `start` to `stop` of a file, counted from 0: one block."""

    def __init__(
        self,
        lines: list[str],
        start: int,
        stop: int,
        block: str,
        faults: Faults,
        named: frozenset[str],
        phases: frozenset[str],
    ) -> None:
        self.lines, self.start, self.stop = lines, start, stop
        self.block, self.faults, self.named, self.phases = block, faults, named, phases
        self.machine: Any = parser().parse_interactive("")
        self.state = self.machine.parser_state
        self.states = self.state.parse_conf.states
        outer: Any = self.machine.lexer_thread.lexer
        self.lexer = outer.lexer  # without what sees to the indentation
        self.base = 0
        self.before: Row | None = None
        self.levels: list[Level] = []
        self.loose: dict[int, set[str]] = {}
        self.doubtful = False
        self.heading = True
        self.lost: set[str] = set()

    def read(self, bare_heading: bool) -> Read:
        """Return what can be read; with `bare_heading` it is known already that nothing stands below it."""
        self.faults.block()
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
        try:
            tree = self._close(bare_heading)
        except (BlockFull, FileFull, UnexpectedInput):
            self.lost |= words(self.lines[self.start : self.stop])
        return Read(tree, self.heading, frozenset(self.lost), full)

    # ---- rows ---------------------------------------------------------------------------------

    def _heading(self) -> int:
        row = cut(self.lines, self.start, self.stop)
        assert row is not None
        self.levels = [Level(row.indent, True)]
        word = row.word
        edits = () if word == self.block else (Edit(row.start, len(word), ((terminal(self.block), word),)),)
        try:
            self._feed(row, edits)
        except UnexpectedInput as fault:
            return self._recover(row, fault, edits)
        self.before = row
        return row.last + 1

    def _row(self, row: Row) -> int:
        """Read a row and return the line after it."""
        self.doubtful = False
        self._indent(row)
        try:
            self._feed(row, ())
        except UnexpectedInput as fault:
            return self._recover(row, fault, ())
        self.before = row
        return row.last + 1

    def _feed(self, row: Row, edits: Edits) -> None:
        """Give the tokens of a row to the parser."""
        stack = self.state.state_stack
        first = True
        self.base = len(stack)
        for token in self._tokens(row, self.state, edits):
            try:
                self.machine.feed_token(token)
            finally:
                if first:
                    self.base = len(stack)
            if first:
                self.base -= 1
                first = False
        line, column = row.place(row.end)
        self.machine.feed_token(_token(LINE_END, "\n", row.end, line, column))

    def _tokens(self, row: Row, state: Any, edits: Sequence[Edit]) -> Iterator[Token]:
        """Yield the tokens of a row one by one: which there are depends on the state after the one before."""
        at = 0
        for edit in (*edits, None):
            stop = len(row.text) if edit is None else edit.at
            passed = "".join("\n" if sign == "\n" else " " for sign in row.text[:at])
            thread: Any = LexerThread.from_text(self.lexer, passed + row.text[at:stop])
            thread.state.line_ctr.line += row.first
            for token in thread.lex(state):
                if token.type != LINE_END:
                    yield token
            if edit is not None:
                line, column = row.place(edit.at)
                for kind, text in edit.tokens:
                    yield _token(kind, text, edit.at, line, column, edit.length)
                at = edit.at + edit.length

    def _reads(self, row: Row, edits: Sequence[Edit], deeper: bool) -> int:
        """Return how far a row can be read: where it can't go on, or beyond its end.

        One beyond the end, if the row can be read; two, if what is indented below it can stand there besides.
        """
        probe = Probe(self.states, self.state.state_stack)
        try:
            for token in self._tokens(row, probe, edits):
                if not probe.take(token.type):
                    return int(token.start_pos or 0)
        except UnexpectedCharacters as wrong:
            return int(wrong.pos_in_stream or 0)
        except UnexpectedToken as wrong:
            return int(wrong.token.start_pos or 0)
        if not probe.take(LINE_END):
            return row.end
        return len(row.text) + (2 if probe.take("_INDENT") == deeper else 1)

    # ---- indentation -----------------------------------------------------------------------------

    def _takes(self, kind: str) -> bool:
        return kind in self.states[self.state.state_stack[-1]]

    def _wants_block(self, position: Any = None) -> bool:
        """Return whether nothing but an inner block can stand here."""
        row = self.states[self.state.state_stack[-1] if position is None else position]
        return {t for t in row if t.isupper()} == {"_INDENT"}

    def _indent(self, row: Row) -> None:
        """Open or close inner blocks, as a row is indented."""
        line = self.lines[row.first]
        if row.tabs and self.faults.first("tab", str(self.start)):
            self._tell(
                "E110",
                self.faults.line(row.first + 1, line)._replace(column=1),
                "this line is indented with a tab",
                "indent with spaces; a tab looks different in every editor",
            )
        inner = row.indent > self.levels[-1].indent
        if self._wants_block() and not inner:
            self._missing_block()
        if inner:
            real = self._takes("_INDENT")
            if real:
                self._give("_INDENT", row)
            elif not row.tabs:
                message = "this line is indented, but the line above takes no block"
                self._tell(
                    "E110", self.faults.line(row.first + 1, line), message, "line it up with the line above"
                )
            self.levels.append(Level(row.indent, real))
            return
        if row.indent < self.levels[-1].indent:
            self._outdent(row)

    def _outdent(self, row: Row) -> None:
        indent = row.indent
        if all(level.indent != indent for level in self.levels[1:]):
            indent = min(level.indent for level in self.levels[1:] if level.indent > indent)
            if not row.tabs:
                self.doubtful = True
                self._tell(
                    "E110",
                    self.faults.line(row.first + 1, self.lines[row.first])._replace(column=1),
                    "this line is indented less than the one before, but like none above it",
                    "line it up with the line that it belongs beside",
                )
        while self.levels[-1].indent > indent:
            self._leave(row)

    def _leave(self, row: Row) -> None:
        level = self.levels.pop()
        self.loose.pop(level.indent, None)
        if level.real:
            self._give("_DEDENT", self.before or row)

    def _missing_block(self) -> None:
        """Tell that a line has nothing below it, and go on as if it had."""
        row = self.before
        assert row is not None
        self.loose.setdefault(self.levels[-1].indent, set()).add(row.word)
        for kind in ("_INDENT", "TEXT", LINE_END, "_DEDENT"):
            self._give(kind, row)
        line, column = row.place(row.end)
        start = len(self.lines[row.last]) - len(self.lines[row.last].lstrip())
        span = self.faults.span(line, start + 1, line, column)
        message = "this line wants an indented block below it"
        self._tell("E116", span, message, "write what belongs to it below, indented by two spaces")

    def _close(self, bare_heading: bool) -> Tree[Any] | None:
        """End the block and return its tree."""
        row = self.before
        if row is None:
            return None
        if self._wants_block():
            if bare_heading and len(self.levels) == 1:
                return None
            self._missing_block()
        while len(self.levels) > 1:
            self._leave(row)
        made = self.machine.feed_token(_token("$END", "", 0, row.last + 1, 1))
        return made if isinstance(made, Tree) else None

    # ---- what can't be read ------------------------------------------------------------------------

    def _tell(self, code: str, at: Any, message: str, mend: str) -> None:
        self.faults.add(code, at, message, mend)

    def _recover(self, row: Row, fault: UnexpectedInput, edits: Edits) -> int:
        """Tell what is wrong with a row, and return the line to go on with."""
        met = list(self.state.state_stack)
        del self.state.state_stack[self.base :], self.state.value_stack[self.base - 1 :]
        slip = self._slip(row, fault, edits, met)
        opened = row.opened is not None
        if slip.last is not None:
            opened = True
            row = row.until(slip.last)
        unread = not slip.edits
        if not unread:
            try:
                self._feed(row, _merged(edits, slip.edits))
            except UnexpectedInput:
                del self.state.state_stack[self.base :], self.state.value_stack[self.base - 1 :]
                unread = True
        at = self._stand_in(row, opened) if unread else row.last + 1
        self.before = row
        if slip.code == "E203":
            self.lost.add(slip.once)
        silent = self.doubtful or (slip.once and not self.faults.first(slip.code, slip.once))
        if slip.code == "E119" and row.word in self._left_open():
            silent = True
        if slip.code == "E203" and slip.once in self.named:
            silent = True
        if not silent:
            self._report(row, slip)
        return at

    def _left_open(self) -> set[str]:
        """Return the words of lines that want the lines beside them to stand below them."""
        loose = self.loose.get(self.levels[-1].indent, set())
        return {"else"} if loose & {"if", "else"} else {"option"} if "choose" in loose else set()

    def _slip(self, row: Row, fault: UnexpectedInput, edits: Edits, met: list[Any]) -> Slip:
        at, kind, text = row.end, LINE_END, ""
        if isinstance(fault, UnexpectedCharacters):
            at = int(fault.pos_in_stream or 0)
            kind, text = "", row.text[at : at + 1]
        elif isinstance(fault, UnexpectedToken) and fault.token.type != LINE_END:
            at, kind, text = int(fault.token.start_pos or 0), fault.token.type, str(fault.token)
        following = cut(self.lines, row.last + 1, self.stop)
        deeper = following is not None and following.indent > row.indent
        return describe(
            Fault(
                row,
                self.block,
                at,
                kind,
                text,
                self._accepted(met),
                self._accepted(self.state.state_stack),
                deeper,
                self.named,
                self.phases,
                lambda more: self._reads(row, _merged(edits, more), deeper),
            )
        )

    def _accepted(self, stack: list[Any]) -> frozenset[str]:
        return frozenset(
            t for t in self.states[stack[-1]] if t.isupper() and Probe(self.states, stack).take(t)
        )

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
            self._first_of(_HEADINGS_UNREAD.get(self.block, ((self.block,),)), row, deeper)
            return at
        if deeper and (not opened or row.word in HEADS) and self._first_of(self._heads(row.word), row, True):
            return self._passed_over(at, row) if opened else at
        said = UNREAD_WIN if {"win", "wins"} & words([row.text]) else UNREAD
        if Probe(self.states, self.state.state_stack).take("TEXT"):
            self._give("TEXT", row, said)
            self._give(LINE_END, row)
        while deeper and following is not None and following.indent > row.indent:
            at = following.last + 1
            self.lost |= words(self.lines[following.first : at])
            following = cut(self.lines, at, self.stop)
        return at

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

    def _heads(self, word: str) -> list[tuple[str, ...]]:
        """Return the words that can stand for the first line of an inner block, the likeliest first."""
        meant = word if word in HEADS else MEANT.get(word) or (nearest(word, HEADS) or [""])[0]
        likely = [form for form in _HEADS_UNREAD if form[0] == meant]
        return likely + [form for form in _HEADS_UNREAD if form[0] in ("if", "option", "for", "deck")]

    def _first_of(self, forms: Sequence[tuple[str, ...]], row: Row, block: bool) -> bool:
        """Give the first of some lines that can stand here to the parser, and return whether one could."""
        for form in forms:
            probe = Probe(self.states, self.state.state_stack)
            kinds = [*("INT" if w.isdigit() else terminal(w) or w for w in form), LINE_END]
            if not all(map(probe.take, kinds)):
                continue
            if probe.take("_INDENT") if block else not self._wants_block(probe.position):
                for kind, word in zip(kinds, [*form, "\n"]):
                    self._give(
                        kind, row, f"line {row.first + 1}, which can't be read" if kind == "NAME" else word
                    )
                return True
        return False

    def _give(self, kind: str, row: Row, text: str = "") -> None:
        """Give a token that nobody wrote to the parser; it stands where a row does."""
        line, column = row.place(row.end)
        self.machine.feed_token(_token(kind, text, row.end, line, column))
        if kind == "NAME":
            self.lost.add(text)


# What stands for the first line of an inner block that can't be read.
_HEADS_UNREAD: tuple[tuple[str, ...], ...] = (
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
_HEADINGS_UNREAD: dict[str, tuple[tuple[str, ...], ...]] = {
    "game": (("game", "STRING", "for", "1", "..", "16", "players"),),
    "define": (("define", "NAME", "=", "NAME"), ("define", "NAME")),
    "phase": (("phase", "NAME"),),
    "scenario": (("scenario", "STRING", "for", "NAME"),),
}


def _token(kind: str, text: str, at: int, line: int, column: int, length: int = 0) -> Token:
    return Token(kind, text, at, line, column, line, column + length, at + length)


def _merged(edits: Sequence[Edit], more: Sequence[Edit]) -> Edits:
    return tuple(sorted((*edits, *more), key=lambda e: e.at))
