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
from hoyle.runtime.faults import sort_of_fault
from hoyle.runtime.points import Point

SCHEMA = 1
MESSAGES_KEPT = 5
SIGNIFICANT = 0.05
PATIENCE = 1.0  # seconds after which it is worth while to make a game faster
TELLING = 0.05  # with a margin of error above five points a run says little


class Tally:
    """What the games of one player count come to.

    A *side* is what wins: a team, or a player where there are no teams. `wins` has for each side its wins: one shared
    by k sides counts 1/k for each. Shares are of the finished games; `decided` counts those that somebody won, and
    whether sides win alike is asked of these. `scores` has the scores of each side, those of a team being the mean of
    its members'; `ranked` says that some of them told more than who had won.
    `faults` maps the first few different messages to [first game, how often]; those that differ only in their numbers
    count as one. `fired` says how often each of `points` was passed, in all games; both are empty for a game that does
    not count.
    """

    def __init__(self, players: int, teams: int = 0) -> None:
        self.players = players
        self.teams = teams
        self.games = self.finished = self.stalled = self.faulty = 0
        self.ties = self.decided = 0
        self.lengths: Counter[int] = Counter()
        self.length = Running()
        self.choices = self.forced = self.decisions = 0
        self.sides = [list(range(side, players, teams or players)) for side in range(teams or players)]
        self.wins = [0.0] * len(self.sides)
        self.scores = [Running() for _ in self.sides]
        self.ranked = False
        self.spread = Running()
        self.margin = Running()
        self.faults: dict[str, list[int]] = {}
        self._messages: dict[str, str] = {}  # the first message of each sort
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
            message = self._messages.get(sort_of_fault(game.fault), game.fault)
            if message in self.faults or len(self.faults) < MESSAGES_KEPT:
                self._messages[sort_of_fault(message)] = message
                self.faults.setdefault(message, [index, 0])[1] += 1

    def _finished(self, game: Playout) -> None:
        self.finished += 1
        self.lengths[game.decisions] += 1
        self.length.add(game.decisions)
        self.decisions += game.decisions
        self.choices += game.choices
        self.forced += game.forced
        if game.winners:
            self.decided += 1
            won = {self.side(seat) for seat in game.winners}
            self.ties += len(won) > 1
            for side in won:
                self.wins[side] += 1 / len(won)
        if game.scores:
            self.ranked |= any(x != (seat in game.winners) for seat, x in enumerate(game.scores))
            for running, seats in zip(self.scores, self.sides, strict=True):
                total = sum(game.scores[seat] for seat in seats)
                running.add(total / len(seats) if total % len(seats) else total // len(seats))
            self.spread.add(metrics.spread(game.scores))
            gap = metrics.margin(game.scores, game.winners, self.teams)
            if gap is not None:
                self.margin.add(gap)

    def side(self, seat: int) -> int:
        """Return what a seat wins with: its team, or itself."""
        return seat % self.teams if self.teams else seat

    def name(self, side: int) -> str:
        """Return what people call a side: `player 1`, or `players 1+3` for a team of these."""
        seats = self.sides[side]
        return f"player{'s' if len(seats) > 1 else ''} {'+'.join(str(seat + 1) for seat in seats)}"

    @property
    def scored(self) -> bool:
        """Whether there are scores: where the result ranks nothing, 1 for who won says no more than that."""
        return self.ranked and any(score.n for score in self.scores)


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
        return f"Nobody won a game, so there is nothing to say about the {_side_word(tally)}s."
    fair = 1 / len(tally.sides)
    points = f"{100 * metrics.margin_of_error(tally.decided, fair):.1f} points"
    p = metrics.balance_p(tally.wins)
    if p is not None and p < SIGNIFICANT:
        return _favoured(tally, fair)
    if p is None or metrics.margin_of_error(tally.decided, fair) > TELLING:
        return f"Too few games to tell differences under {points}."
    told = f"differences under {points} would not show in so many games"
    return f"No sign that any {_side_word(tally)} is favoured; {told}."


def _favoured(tally: Tally, fair: float) -> str:
    above, below = [], []
    for side, wins in enumerate(tally.wins):
        low, high = metrics.wilson(wins, tally.decided)
        name = f"{tally.name(side)} ({100 * wins / tally.decided:.1f} %)"
        if low > fair:
            above.append(name)
        elif high < fair:
            below.append(name)
    parts = []
    for names, word in ((above, "more"), (below, "less")):
        if names:
            one = len(names) == 1 and not names[0].startswith("players")
            share = f"{'its' if one else 'their'} share"
            parts.append(f"{' and '.join(names)} win{'s' if one else ''} {word} than {share}")
    if not parts:
        return f"The {_side_word(tally)}s do not win alike, but no single one stands out."
    words = "; ".join(parts)
    of = " of the games that somebody won" if tally.decided < tally.finished else ""
    return f"{words[0].upper()}{words[1:]} (a fair share{of} is {100 * fair:.1f} %)."


def _side_word(tally: Tally) -> str:
    return "team" if tally.teams else "seat"


def run_json(tallies: Sequence[Tally], game: Game, run: Mapping[str, Any]) -> dict[str, Any]:
    """Return a whole run, ready for JSON; `run` says what was asked for."""
    head = {"schema": SCHEMA, "game": game.name, "bots": "random", **run}
    return {**head, "runs": [{**as_json(tally), **_way_json(tally)} for tally in tallies]}


def _way_json(tally: Tally) -> dict[str, Any]:
    """Return how the parameters of one run were set, where several ways are compared."""
    return {"set": dict(x.split("=", 1) for x in tally.way)} if tally.way else {}


def as_json(tally: Tally) -> dict[str, Any]:
    """Return all figures of a tally in full, ready for JSON; seats and teams count from 0, shares are within 0..1.

    A game of teams has them under `teams`; what is told of a seat is then what its team has. A figure that nothing is
    known about is None. Only what is under `rate` depends on the machine.
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
        "fair_share": 1 / len(tally.sides),
        "seats": [{"seat": seat, **_side_json(tally, tally.side(seat))} for seat in range(tally.players)],
        **({"teams": _teams_json(tally)} if tally.teams else {}),
        "balance": {
            "chi_square": _chi_square(tally) if n else None,
            "p": metrics.balance_p(tally.wins),
        },
        "spread": running_json(tally.spread) if tally.scored else None,
        "margin": running_json(tally.margin) if tally.scored else None,
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
    sides = len(tally.sides)
    return metrics.chi_square(tally.wins, [tally.decided / sides] * sides)


def _teams_json(tally: Tally) -> list[dict[str, Any]]:
    return [
        {"team": team, "seats": seats, **_side_json(tally, team)} for team, seats in enumerate(tally.sides)
    ]


def _side_json(tally: Tally, side: int) -> dict[str, Any]:
    wins = tally.wins[side]
    return {
        "wins": wins,
        "share": _ratio(wins, tally.finished),
        "interval": list(metrics.wilson(wins, tally.finished)) if tally.finished else None,
        "score": running_json(tally.scores[side]) if tally.scored else None,
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
