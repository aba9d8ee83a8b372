"""The points of the rules that a traced game counts: options offered or taken, branches, passes, phases, clauses."""

from __future__ import annotations

from typing import NamedTuple


class Point(NamedTuple):
    """One point: what it is, the lines of the spec that hang on it, its words there.

    `kind` is phase, clause, playable or winning (a link of `tricks` said what may be played, or who wins), branch (the
    test of an `if` held), else, held (it did not hold, and no `else` is written), loop (a pass), until (the loop's own
    condition ended it), nobody, end, offered or taken.
    `of` is the point that must have been passed before this one can mean anything: the branch of an else, the offer
    of what is taken; -1 for none.
    """

    kind: str
    line: int
    last: int
    words: str
    of: int = -1


class Offer(NamedTuple):
    """An option at a decision: the points where it is offered and taken, and the ranges of its move numbers."""

    offered: int
    taken: int
    ranges: tuple[tuple[int, int], ...]
