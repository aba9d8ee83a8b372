"""A move as drivers see it."""

from __future__ import annotations

from typing import NamedTuple


class Move(NamedTuple):
    """A legal move: `number` is fixed by game and player count, `call` is as a scenario has it, `text` reads well."""

    number: int
    option: str
    arguments: tuple[str, ...]
    call: str
    text: str
    rule: str

    def __str__(self) -> str:
        return self.text


class Playout(NamedTuple):
    """One game of random choices: `outcome` is finished, stalled or fault.

    `choices` is the sum over decisions of the number of legal moves, `forced` counts the decisions with one.
    """

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: int
    outcome: str
    fault: str
    choices: int
    forced: int
