"""What can go wrong while a game runs: a move that is not allowed, and a fault of the spec."""

from __future__ import annotations

import re

NUMBERS = re.compile(r"(?<!line )(?<!\d)-?\d+")  # but for that of the line, which tells faults apart


class IllegalMove(ValueError):
    """A move that the rules do not allow now. The table is unchanged."""


class Fault(RuntimeError):
    """A game that can't go on because of its spec: an empty choice, a broken range, too many steps.

    `line` is the line of the spec, 0 if none; `table` is the table as it stood, in words.
    """

    def __init__(self, message: str, line: int = 0, table: str = "") -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.message = message
        self.line = line
        self.table = table


def sort_of_fault(words: str) -> str:
    """Return what the words of faults have in common that differ only in their numbers."""
    return NUMBERS.sub("#", words)
