"""Bots: they choose a move from what a person in their seat would see, and from nothing else.

A bot is given a view and the legal moves, never the table, so that it cannot peek. A bot that looks at
nothing says so (`looks = False`) and is spared the cost of a view.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from hoyle.protocol import Table
from hoyle.runtime.chance import MASK63, mix, pick

NOTHING: Mapping[str, Any] = {}


class Bot(Protocol):
    """Something that plays: `choose` returns one of the legal numbers."""

    looks: bool

    def choose(self, view: Mapping[str, Any], legal: Sequence[int]) -> int: ...


class RandomBot:
    """A bot that takes every legal move with the same chance.

    `state` is where its stream of chance stands; one stream may serve all seats, as it does in a simulation.
    """

    looks = False

    def __init__(self, state: int) -> None:
        self.state = state & MASK63

    def choose(self, view: Mapping[str, Any], legal: Sequence[int]) -> int:
        """Return one of `legal` and move the stream on by one pick, also when there is but one move."""
        self.state, chosen = pick(self.state, len(legal))
        return legal[chosen]


def random_bot(seed: int, game: int) -> RandomBot:
    """Return the bot that plays all seats of game number `game` of a simulation with this seed."""
    return RandomBot(mix(seed, game, 1))


def choice(bot: Bot, table: Table) -> int:
    """Return the number of the move that `bot` makes for the seat to move, from that seat's view alone."""
    seat = table.turn
    if seat is None:
        raise ValueError("the game is over: nobody is to move")
    return bot.choose(table.view(seat) if bot.looks else NOTHING, table.legal())
