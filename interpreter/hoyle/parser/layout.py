"""Indentation as tokens: between lexer and parser, so that the grammar speaks of _INDENT and _DEDENT."""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token

OPEN = ("LPAR", "LBRACE")
CLOSE = ("RPAR", "RBRACE")


class LayoutFault(Exception):
    """An indentation that fits no line before it, or two words without a space: the block has to be read row by row."""


def glued(before: Token, token: Token) -> bool:
    """Return whether two tokens make one word, such as `untill`, of which only the beginning is one of the language."""
    return before.end_pos == token.start_pos and _of_a_word(before[-1]) and _of_a_word(token[0])


def _of_a_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


class Layout:
    """Turns the line ends of a token stream into line ends, indents and dedents; silent inside brackets."""

    always_accept = ("_NL",)

    def __init__(self) -> None:
        self.open: list[Token] = []
        self.indents = [0]

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Yield the tokens of `stream` with _INDENT and _DEDENT added."""
        self.open = []
        self.indents = [0]
        token = before = None
        for token in stream:
            if before is not None and glued(before, token):
                raise LayoutFault
            before = token
            if token.type == "_NL":
                if not self.open:
                    yield from self._line_end(token)
                continue
            if token.type in OPEN:
                self.open.append(token)
            elif token.type in CLOSE and self.open:
                self.open.pop()
            yield token
        while len(self.indents) > 1:
            self.indents.pop()
            yield Token("_DEDENT", "", line=token.end_line or 0, column=1) if token else Token("_DEDENT", "")

    def _line_end(self, token: Token) -> Iterator[Token]:
        white = token.rsplit("\n", 1)[1]
        if "\t" in white:
            raise LayoutFault
        indent = len(white)
        yield token
        if indent > self.indents[-1]:
            self.indents.append(indent)
            yield Token.new_borrow_pos("_INDENT", white, token)
            return
        while indent < self.indents[-1]:
            self.indents.pop()
            yield Token.new_borrow_pos("_DEDENT", white, token)
        if indent != self.indents[-1]:
            raise LayoutFault
