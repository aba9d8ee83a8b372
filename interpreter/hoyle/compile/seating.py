"""Whose move it is, noted where somebody may look: before a decision is handed out, and when the function ends.

Where the function chooses by itself nobody looks in between.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from hoyle.compile.statements import INDENT

SEATED = re.compile(r" *S\[SEAT\] = (\w+)(  #.*)?$")
STANDS = re.compile(r" *at, block = ~(\d+), \1$")
DECIDES = re.compile(r"if at == ~(\d+):$")
YIELDS = re.compile(r" *\w+ = \(?yield ")
STUCK = "made -= 1"  # a decision without a move was none


def seats_in(branches: Collection[list[str]], variables: Collection[str]) -> dict[int, str]:
    """Return by decision the variable that holds whose it is, of those where it is one wherever it is come to."""
    found: dict[int, set[str]] = {}
    for lines in branches:
        for before, line in zip(["", *lines], lines):
            if stands := STANDS.match(line):
                seated = SEATED.match(before)
                found.setdefault(int(stands[1]), set()).add(seated[1] if seated else "")
    return {n: min(names) for n, names in found.items() if len(names) == 1 and names <= set(variables)}


def noted_late(branch: list[str], seats: Mapping[int, str]) -> Iterator[str]:
    """Yield the lines of a branch with the seats of decisions noted only where somebody may look."""
    decides = DECIDES.match(branch[0])
    here = seats.get(int(decides[1]), "") if decides else ""
    for line, after in zip(branch, [*branch[1:], ""]):
        stands = STANDS.match(after)
        if SEATED.match(line) and stands and int(stands[1]) in seats:
            continue
        if here and (YIELDS.match(line) or line == f"{INDENT * 4}{STUCK}"):
            yield f"{line[: len(line) - len(line.lstrip())]}S[SEAT] = {here}"
        yield line
