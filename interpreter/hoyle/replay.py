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


def deal(
    game: Game, players: int, seed: int, number: int, settings: Mapping[str, Any]
) -> tuple[Table, RandomBot]:
    """Return the table of game `number` as dealt, and the bot that plays all its seats."""
    return game.start(players=players, seed=mix(seed, number), **settings), random_bot(seed, number)


class Reading:
    """A game that is played while it is read.

    With a `seat` it is told as that seat may know it. Without one the reader is an open observer, who is told
    each move as the seat that makes it knows it.
    """

    def __init__(self, table: Table, bot: RandomBot, seat: int | None = None) -> None:
        self.table = table
        self.bot = bot
        self.seat = seat
        self.quoted = ""  # the rule text quoted last: it is not repeated under the next move

    def lines(self) -> Iterator[str]:
        """Play on and yield what happens, one move a line with its rule text quoted below it; then the ending."""
        table = self.table
        reader = self._reader()
        log = table.log(reader)
        yield from self._told(log)
        while table.turn is not None:
            if self._reader() != reader:
                reader = self._reader()
                log = table.log(reader)
            known = len(log)
            number = table.decisions + 1
            table.play(choice(self.bot, table))
            log = table.log(reader)
            yield from self._told(log[known:], number)
        yield ""
        yield from board.ending(table)

    def _reader(self) -> int:
        if self.seat is not None:
            return self.seat
        return self.table.turn or 0

    def _told(self, entries: Sequence[Mapping[str, Any]], number: int | None = None) -> Iterator[str]:
        """Yield the lines of `entries`; those that are moves bear the number of the decision."""
        for entry in entries:
            counter = str(number) if number is not None and entry.get("kind") == "move" else ""
            yield f"{counter:>5}  {entry['text']}"
            rule = str(entry.get("rule") or "")
            if rule and rule != self.quoted:
                yield from (f"         > {line}" for line in rule.splitlines())
                self.quoted = rule
