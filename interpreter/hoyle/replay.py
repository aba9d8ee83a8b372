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
    game: Game, players: int, seed: int, number: int, settings: Mapping[str, Any]
) -> tuple[Table, RandomBot]:
    """Return the table of game `number` as dealt, and the bot that plays all its seats."""
    return game.start(players=players, seed=mix(seed, number), **settings), random_bot(seed, number)


class Reading:
    """A game that is played while it is read.

    With a `seat` it is told as that seat may know it. Without one the reader is an open observer, who is told
    each move, and what follows from it, as the seat that makes it knows it.

    Making a log takes time in proportion to its length, so the game is played ahead of the reader by stretches
    that grow with it; a game that stalled after 20,000 decisions is read in seconds.
    """

    def __init__(self, table: Table, bot: RandomBot, seat: int | None = None) -> None:
        self.table = table
        self.bot = bot
        self.seat = seat
        self.read = [0] * table.players  # how much of its log each seat has told
        self.number = 0  # of the move told last
        self.quoted = ""  # the rule text quoted last: it is not repeated under the next move

    def lines(self) -> Iterator[str]:
        """Play on and yield what happens, one move a line with its rule text quoted below it; then the ending.

        Raises Fault where the game breaks off, after what came before it.
        """
        opener = self.seat if self.seat is not None else self.table.turn or 0
        opening = self.table.log(opener)
        self.read[opener] = len(opening)
        yield from self._told(opening)
        fault = None
        while self.table.turn is not None and fault is None:
            movers, fault = self._ahead(max(SHORTEST, self.table.decisions // 2))
            yield from self._seen() if self.seat is not None else self._merged(movers)
        if fault is not None:
            raise fault
        yield ""
        yield from board.ending(self.table)

    def _ahead(self, count: int) -> tuple[list[int], Fault | None]:
        """Play up to `count` moves; return who made them, and the fault that broke the game off, if any."""
        movers: list[int] = []
        while self.table.turn is not None and len(movers) < count:
            movers.append(self.table.turn)
            try:
                self.table.play(choice(self.bot, self.table))
            except Fault as fault:
                return movers, fault
        return movers, None

    def _seen(self) -> Iterator[str]:
        assert self.seat is not None
        log = self.table.log(self.seat)
        new = log[self.read[self.seat] :]
        self.read[self.seat] = len(log)
        yield from self._told(new)

    def _merged(self, movers: Sequence[int]) -> Iterator[str]:
        """Yield for each move the mover's own entry, and what follows it there up to the next move of anybody."""
        logs = {seat: self.table.log(seat) for seat in set(movers)}
        for seat in movers:
            log, start = logs[seat], self.read[seat]
            while start < len(log) and not (log[start]["kind"] == "move" and log[start]["seat"] == seat):
                start += 1
            end = start + 1
            while end < len(log) and log[end]["kind"] != "move":
                end += 1
            self.read[seat] = end
            yield from self._told(log[start:end])

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
