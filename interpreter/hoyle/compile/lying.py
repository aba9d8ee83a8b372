"""Where a piece lies, as far as the lines before tell: in the function of all rules, which keeps no places."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

FOUND = re.compile(r"(\w+) = (\w+)\[bisect_left\(\2, .*\]$")
TOP = re.compile(r"(\w+) = (?:\((\w+) or \[self\.end_piece\(.*\)\]\)|(\w+))\[-1\]$")
GIVEN = re.compile(r"(?:for )?(\w+(?:, \w+)*),?(?: = | in )")
LEAVES = ("continue", "break", "return", "raise ")
MOVES = re.compile(
    r"\.(append|clear|extend|insert|pop|remove|sort)\(|\b(insort|shuffle)\(|\bdel |^(for|while) "
    r"|\bself\.(?!end_piece\()\w+\(S\b|^[^=\"]*(?<!^steps) [-+*|]= "
)


class Lies(NamedTuple):
    """A zone by its name, whether the piece is the last there, and how deep the line stands that says so."""

    zone: str
    last: bool
    depth: int

    def taken(self, piece: str) -> str:
        """Return the line that takes the piece away."""
        return f"{self.zone}.pop()" if self.last else f"{self.zone}.remove({piece})"


class Lying:
    """Follows lines, and knows of some pieces where they lie, by their names.

    `zones` are the variables that hold zones: the last of another list may lie anywhere.
    """

    def __init__(self, zones: Collection[str]) -> None:
        self.zones = zones
        self.pieces: dict[str, Lies] = {}
        # Blocks begun: how deep their first line stands, what was known before it.
        self._open: list[tuple[int, dict[str, Lies]]] = []
        self._left = False  # the last line leaves its block

    def before(self, line: str) -> Mapping[str, Lies]:
        """Return what is known before a line that comes next."""
        depth = len(line) - len(line.lstrip())
        while self._open and self._open[-1][0] > depth:
            before = self._open.pop()[1]
            if self._left:  # what was done there is not done here; of the blocks around it that is not known
                self.pieces, self._left = before, False
        self.pieces = {piece: x for piece, x in self.pieces.items() if x.depth <= depth}
        return self.pieces

    def see(self, line: str) -> None:
        """Note what a line does: any move of pieces ends what is known."""
        code = line.split("  #")[0]
        plain = code.lstrip()
        depth = len(code) - len(plain)
        if not plain or plain.startswith("#"):
            return
        known = {} if MOVES.search(plain) else self.before(code)
        self._left = plain.startswith(LEAVES)
        set_ = GIVEN.match(plain)
        names = set(set_[1].split(", ")) if set_ else set()
        self.pieces = {piece: x for piece, x in known.items() if piece not in names and x.zone not in names}
        if plain.endswith(":"):
            self._open.append((depth + 1, dict(self.pieces)))
        if found := FOUND.match(plain):
            self.pieces[found[1]] = Lies(found[2], False, depth)
        elif (found := TOP.match(plain)) and (found[2] or found[3]) in self.zones:
            self.pieces[found[1]] = Lies(found[2] or found[3], True, depth)
