"""The parser, driven row by row: what it can read, and how far, without building anything until it must."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.lexer import LexerThread

from hoyle.parser.fault import LINE_END, Edit, Edits
from hoyle.parser.grammar import parser
from hoyle.parser.rows import WORD, Row

SHIFT = "Shift"
# What stands for a row that says nothing: rule text, and where none can be a link of a chain of `tricks`.
EMPTY_ROWS: tuple[tuple[tuple[str, str], ...], ...] = (
    (("TEXT", ""),),
    (("NAME", "c"), ("WHERE", "where"), ("NO", "no")),
    (("HIGHEST", "highest"), ("NAME", "c"), ("BY", "by"), ("INT", "0")),
)


class Glued(Exception):
    """A word of which the lexer would read only the beginning, such as `untill`; `at` is where it begins."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


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


class Machine:
    """Feeds the grammar with the rows of one block, each as a whole or not at all."""

    def __init__(self) -> None:
        self.lark: Any = parser().parse_interactive("")
        self.state = self.lark.parser_state
        self.states = self.state.parse_conf.states
        outer: Any = self.lark.lexer_thread.lexer
        self.lexer = outer.lexer  # without what sees to the indentation
        self.base = 0

    def feed(self, row: Row, edits: Edits) -> None:
        """Give the tokens of a row to the parser."""
        stack = self.state.state_stack
        first = True
        self.base = len(stack)
        for token in self.tokens(row, self.state, edits):
            try:
                self.lark.feed_token(token)
            finally:
                if first:
                    self.base = len(stack)
            if first:
                self.base -= 1
                first = False
        line, column = row.place(row.end)
        self.lark.feed_token(_token(LINE_END, "\n", row.end, line, column))

    def drop(self) -> None:
        """Forget what could be read of the last row."""
        del self.state.state_stack[self.base :], self.state.value_stack[self.base - 1 :]

    def end(self, row: Row) -> Any:
        """End the block behind a row and return its tree."""
        return self.lark.feed_token(_token("$END", "", 0, row.last + 1, 1))

    def give(self, kind: str, row: Row, text: str = "", at: int | None = None) -> None:
        """Give a token that nobody wrote to the parser; it stands at the end of a row, or at a place in it."""
        at = row.end if at is None else at
        line, column = row.place(at)
        self.lark.feed_token(_token(kind, text, at, line, column))

    def tokens(self, row: Row, state: Any, edits: Sequence[Edit]) -> Iterator[Token]:
        """Yield the tokens of a row one by one: which there are depends on the state after the one before."""
        at = 0
        for edit in (*edits, None):
            stop = len(row.text) if edit is None else edit.at
            passed = "".join("\n" if sign == "\n" else " " for sign in row.text[:at])
            thread: Any = LexerThread.from_text(self.lexer, passed + row.text[at:stop])
            thread.state.line_ctr.line += row.first
            for token in thread.lex(state):
                if token.type == LINE_END:
                    continue
                if WORD.match(token[-1]) and WORD.match(row.text, token.end_pos):
                    raise Glued(token.start_pos)
                yield token
            if edit is not None:
                line, column = row.place(edit.at)
                for kind, text in edit.tokens:
                    yield _token(kind, text, edit.at, line, column, edit.length)
                at = edit.at + edit.length

    def reads(self, row: Row, edits: Sequence[Edit], deeper: bool, probe: Probe | None = None) -> int:
        """Return how far a row can be read: where it can't go on, or beyond its end.

        One beyond the end, if the row can be read; two, if what is indented below it can stand there besides. It is
        read as it stands, or from where a probe is.
        """
        probe = probe or self.probe()
        try:
            for token in self.tokens(row, probe, edits):
                if not probe.take(token.type):
                    return int(token.start_pos or 0)
        except Glued as wrong:
            return wrong.at
        except UnexpectedCharacters as wrong:
            return int(wrong.pos_in_stream or 0)
        except UnexpectedToken as wrong:
            return int(wrong.token.start_pos or 0)
        if not probe.take(LINE_END):
            return row.end
        return len(row.text) + (2 if probe.take("_INDENT") == deeper else 1)

    # ---- what could stand here ------------------------------------------------------------------

    def probe(self) -> Probe:
        """Return a parser that builds nothing, at the same place."""
        return Probe(self.states, self.state.state_stack)

    def empty_row(self, *before: str) -> tuple[tuple[str, str], ...]:
        """Return the tokens of a row that says nothing, as it can stand behind some terminals; none if it can't."""
        for row in EMPTY_ROWS:
            probe = self.probe()
            if all(map(probe.take, (*before, *(kind for kind, _ in row), LINE_END))):
                return (*row, (LINE_END, "\n"))
        return ()

    def takes(self, kind: str) -> bool:
        """Return whether the grammar goes on with a token of this kind."""
        return kind in self.states[self.state.state_stack[-1]]

    def wants_block(self, position: Any = None) -> bool:
        """Return whether nothing but an inner block can stand here."""
        row = self.states[self.state.state_stack[-1] if position is None else position]
        return {t for t in row if t.isupper()} == {"_INDENT"}

    def accepted(self, stack: list[Any]) -> frozenset[str]:
        """Return the terminals that could stand next in some state of the parser."""
        return frozenset(
            t for t in self.states[stack[-1]] if t.isupper() and Probe(self.states, stack).take(t)
        )


def _token(kind: str, text: str, at: int, line: int, column: int, length: int = 0) -> Token:
    return Token(kind, text, at, line, column, line, column + length, at + length)
