"""The state of a table: one flat list, the same in every back end.

A state holds, in this order: the header below, one place for each variable and local of the spec, and a list of pieces
for each zone. Lists end with the top of a pile, the right of a row; pools are kept sorted. There is no other state.
"""

from __future__ import annotations

from typing import Any

State = list[Any]

BLOCK = 0  # the block of the flow graph where the game stands
CHANCE = 1  # the state of chance
LOG = 2  # the last event and those before it, as a chain of pairs; None when no log is kept
STEPS = 3  # passes of loops since the last decision
DECISIONS = 4  # decisions made so far
SEAT = 5  # who is to move; -1 when the game is over
WINNER = 6  # who has won whatever the result says; -1 for nobody
PLACE = 7  # the zone of each piece, as an index of the state
HEAD = 8

CHANCE_SEAT = -1  # whose turn it is where chance is explicit and is asked

NONE = -(1 << 62)  # none, in every type: below all that a range can hold
OUT_OF_PLAY = -1
UNKNOWN = NONE - 1  # a piece, in an event as told to one who does not see it
MOST_STEPS = 100_000
EMPTY_LOG: tuple[Any, ...] = ()
