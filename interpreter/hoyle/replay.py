"""One game of a simulation, read step by step. Knows the table protocol; prints nothing.

It plays exactly the game that `simulate` plays under the same seed and number: the same start, and the same
stream of random choices for all seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hoyle import board
from hoyle.bots import RandomBot, choice, random_bot
from hoyle.protocol import Game, Table
from hoyle.runtime.chance import mix
from hoyle.runtime.faults import Fault

SHORTEST = 64  # moves that are played ahead of the reader, at least


def deal(
    game: Game, players: int, seed: int, number: int, settings: Mapping[str, Any], most: int | None = None
) -> tuple[Table, RandomBot]:
    """Return the table of game `number` as dealt, stalled after `most` decisions, and the bot of all its seats."""
    limit: dict[str, Any] = {} if most is None else {"max_decisions": most}
    table = game.start(players=players, seed=mix(seed, number), **limit, **settings)
    return table, random_bot(seed, number)


class Reading:
    """A game that is played while it is read.

    With a `seat` it is told as that seat may know it, without one as somebody who sees every card.

    Making a log takes time in proportion to its length, so the game is played ahead of the reader by stretches
    that grow with it; a game that stalled after 100,000 decisions is read in seconds.
    """

    def __init__(self, table: Table, bot: RandomBot, seat: int | None = None) -> None:
        self.table = table
        self.bot = bot
        self.seat = seat
        self.read = 0  # how much of the log has been told
        self.number = 0  # of the move told last
        self.quoted = ""  # the rule text quoted last: it is not repeated under the next move

    def lines(self) -> Iterator[str]:
        """Play on and yield what happens, one move a line with its rule text quoted below it; then the ending.

        Raises Fault where the game breaks off, after what came before it.
        """
        fault = None
        yield from self._new()
        while self.table.turn is not None and fault is None:
            fault = self._ahead(max(SHORTEST, self.table.decisions // 2))
            yield from self._new()
        if fault is not None:
            raise fault
        yield ""
        yield from board.ending(self.table)

    def _ahead(self, count: int) -> Fault | None:
        """Play up to `count` moves; return the fault that broke the game off, if any."""
        for _ in range(count):
            if self.table.turn is None:
                break
            try:
                self.table.play(choice(self.bot, self.table))
            except Fault as fault:
                return fault
        return None

    def _new(self) -> Iterator[str]:
        """Yield what the log holds that has not been told."""
        log = self.table.log(self.seat)
        new = log[self.read :]
        self.read = len(log)
        yield from self._told(new)

    def _told(self, entries: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        """Yield the lines of `entries`, with the numbers of the moves."""
        for entry in entries:
            move = entry["kind"] == "move"
            self.number += move
            yield f"{self.number if move else '':>5}  {entry['text']}"
            rule = str(entry["rule"])
            if rule and rule != self.quoted:
                yield from (f"         > {line}" for line in rule.splitlines())
                self.quoted = rule
