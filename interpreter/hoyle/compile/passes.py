"""The passes that make a module fast, each of which can be left out: what it gains is measured by leaving it out.

A module without a pass plays the same games as the whole one (`test_passes.py`), only slower
(`make bench`). A pass that gains nothing is not worth its lines.
"""

from __future__ import annotations

from typing import Literal, get_args

Pass = Literal[
    "function",
    "variables",
    "zones",
    "splicing",
    "liveness",
    "joining",
    "kinds",
    "rows",
    "single",
    "scans",
    "numbering",
    "asking",
    "answers",
    "lists",
    "ones",
    "slices",
    "best",
    "fixing",
    "filled",
    "lying",
    "tables",
    "keeping",
    "loops",
]
PASSES: dict[Pass, str] = {
    "function": "all rules in one function",
    "variables": "in that function, what rules keep lies in variables of Python's",
    "zones": "in that function, zones lie in variables, and simple moves of pieces are written out",
    "splicing": "in that function, phases without decisions and short definitions are written out",
    "liveness": "what no later decision needs is a variable of Python's, not a place of the state",
    "joining": "blocks of few steps written out where others go on to them",
    "kinds": "moves found over kinds of cards, not piece by piece",
    "rows": "what each card can do kept for each of the few things that it hangs on",
    "single": "a deck with one card of each kind: a piece is its kind",
    "scans": "moves that join cards of two zones found in one pass",
    "numbering": "where each card of a zone is a move, numbers of moves made of cards at once",
    "asking": "a definition asked once where moves are found, or where a test and what follows ask it",
    "answers": "whether any card of a zone fits told by the moves found so far",
    "lists": "sets that are only gone through as lists",
    "ones": "the one card that a set can hold asked for, not gone through",
    "slices": "cards of one suit cut out of a sorted hand",
    "best": "the best card of a zone, such as the winner of a trick, found in one loop",
    "fixing": "what is the same at every pass of a loop worked out before it",
    "filled": "no check for an empty zone where there is something in it",
    "lying": "a chosen card moved from where it is known to lie",
    "tables": "definitions about one card as tables",
    "keeping": "what costly definitions say kept",
    "loops": "what definitions give as loops instead of `any` and `sum`",
}
NONE_LEFT_OUT: frozenset[Pass] = frozenset()
assert list(PASSES) == list(get_args(Pass))
