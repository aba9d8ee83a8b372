"""Games written by hand as a developer would who wants many of them fast: the ceiling that modules are held against.

Each plays the games of its spec seed for seed, so it is an oracle too (`test_handwritten.py`). They are written from
the rules; they share with the modules the stream of chance alone. Each is one function on lists, without views, log,
checks or other settings than those the spec begins with. `native` has the same two in C.
"""

from __future__ import annotations

from typing import NamedTuple


class Result(NamedTuple):
    """How a game ended."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: int
