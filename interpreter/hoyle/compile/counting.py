"""Passes of loops are counted from decision to decision: the count is 0 again where one is come to.

In the function of all rules it is set back only where something may have been counted on the way there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hoyle.compile.seating import DECIDES

COUNTED = re.compile(r"\bsteps \+=")
MAY_COUNT = re.compile(r"\bS\[STEPS\] \+=|\bself\.\w+\(S\b")
CHOOSES = "if wanders:"
LEAVES = ("continue", "break", "return", "raise ")


def counted_anew(branch: list[str], count: str) -> Iterator[str]:
    """Yield the lines of a branch that has its place, with its `count` set back before the decisions it goes on to."""
    counts = COUNTED if count == "steps" else MAY_COUNT  # a variable is one that no method counts in
    decides = DECIDES.match(branch[0]) is not None
    dirty, left = not decides, False
    open_: list[tuple[int, bool, bool]] = []  # blocks begun: how deep, dirty before, whether a loop
    for place, line in enumerate(branch):
        plain = line.split("  #")[0].strip()
        depth = len(line) - len(line.lstrip())
        while open_ and depth <= open_[-1][0]:
            before = open_.pop()[1]
            dirty, left = (before if left else dirty), False
        if plain == CHOOSES:
            dirty = False  # what finds moves counts nothing
        if plain in ("continue", "break") and dirty and not any(loop for *_, loop in open_):
            last = branch[place - 1].lstrip()
            if last.startswith("at, block = ~") or (decides and not last.startswith("at = ")):
                yield f"{line[:depth]}{count} = 0"
        yield line
        left = plain.startswith(LEAVES)
        dirty = dirty or counts.search(plain) is not None
        if plain.endswith(":") and not plain.startswith("#"):
            loop = plain.startswith(("for ", "while ")) and plain != "for made in decisions:"
            dirty = dirty or (loop and _counts(branch[place + 1 :], depth, counts))
            open_.append((depth, dirty, loop))


def _counts(lines: list[str], depth: int, counts: re.Pattern[str]) -> bool:
    """Return whether something in a block is counted: the first lines that stand deeper."""
    for line in lines:
        if len(line) - len(line.lstrip()) <= depth:
            return False
        if counts.search(line):
            return True
    return False
