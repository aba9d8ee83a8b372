"""Many games with random bots, and what they come to. Knows the table protocol; prints nothing.

Statistics stream: a `Tally` takes games one by one and keeps counts, sums and a histogram of lengths, so that
memory does not grow with the number of games. Stalled and faulty games are counted, never averaged in.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from hoyle import coverage, metrics
from hoyle.metrics import Running
from hoyle.protocol import Counting, Game, Playout
from hoyle.runtime.points import Point

SCHEMA = 1
MESSAGES_KEPT = 5
SIGNIFICANT = 0.05
PATIENCE = 1.0  # seconds after which it is worth while to make a game faster
TELLING = 0.05  # with a margin of error above five points a run says little


class Tally:
    """What the games of one player count come to.

    `wins` has for each seat its wins: one shared by k seats counts 1/k for each. Shares are of the finished games;
    `decided` counts those that somebody won, and whether seats win alike is asked of these. Members of one team that
    win together are no tie.
    `faults` maps the first few different messages to [first game, how often]. `fired` says how often each of `points`
    was passed, in all games; both are empty for a game that does not count.
    """

    def __init__(self, players: int, teams: int = 0) -> None:
        self.players = players
        self.teams = teams
        self.games = self.finished = self.stalled = self.faulty = 0
        self.ties = self.decided = 0
        self.lengths: Counter[int] = Counter()
        self.length = Running()
        self.choices = self.forced = self.decisions = 0
        self.wins = [0.0] * players
        self.scores = [Running() for _ in range(players)]
        self.spread = Running()
        self.margin = Running()
        self.faults: dict[str, list[int]] = {}
        self.first_stalled: int | None = None
        self.all_decisions = 0
        self.seconds = 0.0
        self.way: Sequence[str] = ()  # how parameters were set, where several ways are compared
        self.points: Sequence[Point] = ()
        self.fired: Sequence[int] = ()

    def add(self, game: Playout, index: int) -> None:
        """Take one more game; `index` is its number in the run."""
        self.games += 1
        self.all_decisions += game.decisions
        if game.outcome == "finished":
            self._finished(game)
        elif game.outcome == "stalled":
            self.stalled += 1
            if self.first_stalled is None:
                self.first_stalled = index
        else:
            self.faulty += 1
            if game.fault in self.faults or len(self.faults) < MESSAGES_KEPT:
                self.faults.setdefault(game.fault, [index, 0])[1] += 1

    def _finished(self, game: Playout) -> None:
        self.finished += 1
        self.lengths[game.decisions] += 1
        self.length.add(game.decisions)
        self.decisions += game.decisions
        self.choices += game.choices
        self.forced += game.forced
        if game.winners:
            self.decided += 1
            self.ties += len({self.side(seat) for seat in game.winners}) > 1
            for seat in game.winners:
                self.wins[seat] += 1 / len(game.winners)
        if game.scores:
            for running, score in zip(self.scores, game.scores, strict=True):
                running.add(score)
            self.spread.add(metrics.spread(game.scores))
            gap = metrics.margin(game.scores, game.winners, self.teams)
            if gap is not None:
                self.margin.add(gap)

    def side(self, seat: int) -> int:
        """Return what a seat wins with: its team, or itself."""
        return seat % self.teams if self.teams else seat

    @property
    def side_wins(self) -> list[float]:
        """The wins of each team, or of each seat where there are no teams."""
        won = [0.0] * (self.teams or self.players)
        for seat, wins in enumerate(self.wins):
            won[self.side(seat)] += wins
        return won


def run(
    game: Game,
    players: int,
    games: int,
    seed: int,
    settings: Mapping[str, Any],
    ticked: Callable[[], bool] = lambda: True,
    faster: Callable[[Game], Game] | None = None,
    most: int | None = None,
) -> Tally:
    """Return what `games` games of one player count come to; fewer games if the run was broken off.

    `ticked` is called after every game; when it returns False the run ends with the tally as it stands. So it
    does when it is interrupted in the middle of a game. A run that takes long goes on with the same game made
    `faster`, if that is given. A game of `most` decisions is stalled, if that is given.
    """
    tally = Tally(players, getattr(game, "teams", 0))
    limit = {} if most is None else {"max_decisions": most}
    began = time.perf_counter()
    going = True
    while going and tally.games < games:
        counting = game if isinstance(game, Counting) else None
        before = () if counting is None else counting.fired(players, **settings)
        going = False
        with suppress(KeyboardInterrupt):
            left = games - tally.games
            for playout in game.playouts(
                left, players=players, seed=seed, first=tally.games, **limit, **settings
            ):
                tally.add(playout, tally.games)
                if not ticked():
                    break
                if faster is not None and time.perf_counter() - began > PATIENCE:
                    going = True
                    break
        if counting is not None:
            fired = [b - a for a, b in zip(before, counting.fired(players, **settings), strict=True)]
            tally.fired = [a + b for a, b in zip(tally.fired, fired)] if tally.fired else fired
            tally.points = counting.points
        if going and faster is not None:
            game, faster = faster(game), None
    tally.seconds = time.perf_counter() - began
    return tally


def verdict(tally: Tally) -> str:
    """Return in plain words whether some seat is favoured, and what this number of games can't tell."""
    if tally.players < 2:
        return ""
    if not tally.decided:
        return "Nobody won a game, so there is nothing to say about the seats."
    fair = 1 / tally.players
    points = f"{100 * metrics.margin_of_error(tally.decided, fair):.1f} points"
    p = metrics.balance_p(tally.side_wins)
    if p is not None and p < SIGNIFICANT:
        return _favoured(tally, fair)
    if p is None or metrics.margin_of_error(tally.decided, fair) > TELLING:
        return f"Too few games to tell differences under {points}."
    return f"No sign that any seat is favoured; differences under {points} would not show in so many games."


def _favoured(tally: Tally, fair: float) -> str:
    above, below = [], []
    for seat, wins in enumerate(tally.wins):
        low, high = metrics.wilson(wins, tally.decided)
        name = f"player {seat + 1} ({100 * wins / tally.decided:.1f} %)"
        if low > fair:
            above.append(name)
        elif high < fair:
            below.append(name)
    parts = []
    for names, word in ((above, "more"), (below, "less")):
        if names:
            own = "its" if len(names) == 1 else "their"
            parts.append(f"{' and '.join(names)} win{'s' if len(names) == 1 else ''} {word} than {own} share")
    if not parts:
        return "The seats do not win alike, but no single one stands out."
    words = "; ".join(parts)
    of = " of the games that somebody won" if tally.decided < tally.finished else ""
    return f"{words[0].upper()}{words[1:]} (a fair share{of} is {100 * fair:.1f} %)."


def run_json(tallies: Sequence[Tally], game: Game, run: Mapping[str, Any]) -> dict[str, Any]:
    """Return a whole run, ready for JSON; `run` says what was asked for."""
    head = {"schema": SCHEMA, "game": game.name, "bots": "random", **run}
    return {**head, "runs": [{**as_json(tally), **_way_json(tally)} for tally in tallies]}


def _way_json(tally: Tally) -> dict[str, Any]:
    """Return how the parameters of one run were set, where several ways are compared."""
    return {"set": dict(x.split("=", 1) for x in tally.way)} if tally.way else {}


def as_json(tally: Tally) -> dict[str, Any]:
    """Return all figures of a tally in full, ready for JSON; seats count from 0, shares are within 0..1.

    A figure that nothing is known about is None. Only what is under `rate` depends on the machine.
    """
    n = tally.decided
    return {
        "players": tally.players,
        "games": tally.games,
        "finished": tally.finished,
        "stalled": tally.stalled,
        "faults": tally.faulty,
        "ties": tally.ties,
        "decided": n,
        "nobody": tally.finished - n,
        "length": _length_json(tally),
        "choices": {
            "per_decision": _ratio(tally.choices, tally.decisions),
            "forced_share": _ratio(tally.forced, tally.decisions),
        },
        "fair_share": 1 / tally.players,
        "seats": [_seat_json(tally, seat) for seat in range(tally.players)],
        "balance": {
            "chi_square": _chi_square(tally) if n else None,
            "p": metrics.balance_p(tally.side_wins),
        },
        "spread": running_json(tally.spread),
        "margin": running_json(tally.margin),
        "verdict": verdict(tally),
        "coverage": coverage.as_json(tally.points, tally.fired),
        "first_stalled": tally.first_stalled,
        "fault_messages": [
            {"message": text, "first_game": first, "games": often}
            for text, (first, often) in tally.faults.items()
        ],
        "rate": {
            "seconds": tally.seconds,
            "games_per_second": _ratio(tally.games, tally.seconds),
            "decisions_per_second": _ratio(tally.all_decisions, tally.seconds),
        },
    }


def _chi_square(tally: Tally) -> float:
    """Return Pearson's statistic of the wins of seats, or of teams since partners win together."""
    sides = len(tally.side_wins)
    return metrics.chi_square(tally.side_wins, [tally.decided / sides] * sides)


def _seat_json(tally: Tally, seat: int) -> dict[str, Any]:
    wins = tally.wins[seat]
    return {
        "seat": seat,
        "wins": wins,
        "share": _ratio(wins, tally.finished),
        "interval": list(metrics.wilson(wins, tally.finished)) if tally.finished else None,
        "score": running_json(tally.scores[seat]),
    }


def _length_json(tally: Tally) -> dict[str, Any] | None:
    figures = running_json(tally.length)
    if figures is not None:
        for name, share in (("p5", 0.05), ("median", 0.5), ("p95", 0.95)):
            figures[name] = metrics.percentile(tally.lengths, share)
    return figures


def running_json(running: Running) -> dict[str, Any] | None:
    """Return count, mean with its interval, standard deviation and extremes; None without a value."""
    if not running.n:
        return None
    return {
        "n": running.n,
        "mean": running.mean,
        "interval": list(running.interval()) if running.n > 1 else None,
        "sd": running.deviation if running.n > 1 else None,
        "least": running.least,
        "greatest": running.greatest,
    }


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None
