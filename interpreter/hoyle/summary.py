"""A tally of a simulation as text for people."""

from __future__ import annotations

from collections.abc import Sequence

from hoyle import metrics
from hoyle.metrics import Running
from hoyle.simulate import Tally, verdict


def text(tally: Tally, name: str, seed: int) -> list[str]:
    """Return the lines of one player count: a heading, figures, a table of the seats or teams, and what it means."""
    lines = [f"{name}, {players(tally.players)}, {tally.games:,} games by random bots, seed {seed}"]
    lines += [f"  {label:<13} {words}" for label, words in _figures(tally)]
    if tally.finished:
        lines += ["", *_sides(tally)]
    lines += ["", *(f"  {sentence}" for sentence in meaning(tally))]
    return lines


def players(count: int) -> str:
    """Return `1 player`, `2 players`."""
    return f"{count} player" + ("s" if count != 1 else "")


def meaning(tally: Tally) -> list[str]:
    """Return what the figures say, one plain sentence each."""
    sentences = [verdict(tally)] if tally.finished else ["No game was finished."]
    if tally.stalled:
        first = f"game {tally.first_stalled} was the first"
        sentences.append(f"{_games(tally.stalled)} stalled, with too many decisions and no end; {first}.")
    if tally.faulty:
        sentences.append(f"{_games(tally.faulty)} broke off with a fault of the spec; no figure counts them.")
    return [sentence for sentence in sentences if sentence]


def _games(count: int) -> str:
    return f"{count:,} game" + ("s" if count > 1 else "")


def _figures(tally: Tally) -> list[tuple[str, str]]:
    share = f" ({percent(tally.finished, tally.games)})" if tally.games else ""
    rows = [("finished", f"{tally.finished:,}{share}, stalled {tally.stalled:,}, faults {tally.faulty:,}")]
    if tally.finished:
        low, middle, high = (metrics.percentile(tally.lengths, p) for p in (0.05, 0.5, 0.95))
        middle_90 = f"median {middle:,}, 5th to 95th percentile {low:,} to {high:,}"
        rows.append(("length", f"{_mean(tally.length)} decisions, {middle_90}"))
    if tally.decisions:
        per = tally.choices / tally.decisions
        forced = percent(tally.forced, tally.decisions)
        rows.append(("choices", f"{per:.2f} moves a decision, {forced} of decisions forced"))
    if nobody := tally.finished - tally.decided:
        rows.append(("nobody won", f"{nobody:,} ({percent(nobody, tally.finished)})"))
    if tally.players > 1 and tally.decided:
        rows.append(("shared wins", f"{tally.ties:,} ({percent(tally.ties, tally.decided)})"))
    if tally.players > 1 and tally.scored:
        rows.append(("score spread", f"{_mean(tally.spread)}, highest less lowest score"))
    if tally.margin.n and tally.scored:
        rows.append(("margin", f"{_mean(tally.margin)}, winner to the nearest other score"))
    p = metrics.balance_p(tally.wins)
    if p is not None:
        sides = len(tally.sides)
        words = f"{metrics.chi_square(tally.wins, [tally.decided / sides] * sides):.2f}, p {_p(p)}"
        rows.append(("team balance" if tally.teams else "seat balance", f"chi-square {words}"))
    if tally.seconds > 0:
        games, decisions = tally.games / tally.seconds, tally.all_decisions / tally.seconds
        rows.append(("speed", f"{games:,.0f} games/s, {decisions:,.0f} decisions/s"))
    return rows


def _sides(tally: Tally) -> list[str]:
    """Return the table of the seats, or of the teams: partners win together, so that a row for each says it twice."""
    heads = ["", "wins", "share", "95 % interval", *(["mean score", "sd"] if tally.scored else [])]
    rows = [heads]
    for side, (wins, score) in enumerate(zip(tally.wins, tally.scores, strict=True)):
        low, high = metrics.wilson(wins, tally.finished)
        row = [
            tally.name(side),
            f"{wins:,.1f}" if tally.ties else f"{wins:,.0f}",
            percent(wins, tally.finished),
            f"{100 * low:.1f} to {100 * high:.1f} %" if tally.finished else "-",
        ]
        if tally.scored:
            row += [f"{score.mean:,.2f}", f"{score.deviation:,.2f}" if score.n > 1 else "-"]
        rows.append(row)
    widths = [max(len(row[i]) for row in rows) for i in range(len(heads))]
    return ["  " + row[0].ljust(widths[0]) + _right(row[1:], widths[1:]) for row in rows]


def comparison(tallies: Sequence[Tally]) -> list[str]:
    """Return a table with a line for each way in which parameters were set, all with the same chance; none for none.

    Only what differs among the ways is named.
    """
    if not tallies:
        return []
    ways = [dict(x.split("=", 1) for x in tally.way) for tally in tallies]
    varied = [name for name in ways[0] if len({way[name] for way in ways}) > 1] or list(ways[0])
    sides = max(len(tally.sides) for tally in tallies)
    scored = any(tally.scored for tally in tallies)
    side = "team " if tallies[0].teams else "P"
    heads = [*varied, "players", "finished", "length", *(f"{side}{n + 1} wins" for n in range(sides))]
    heads += ["balance", *(["mean score"] if scored else [])]
    rows = [heads]
    for tally, way in zip(tallies, ways, strict=True):
        p = metrics.balance_p(tally.wins)
        shares = [percent(wins, tally.finished) for wins in tally.wins]
        row = [*(way[name] for name in varied), str(tally.players), percent(tally.finished, tally.games)]
        row += [
            f"{tally.length.mean:,.1f}" if tally.length.n else "-",
            *shares,
            *[""] * (sides - len(tally.sides)),
        ]
        row.append("-" if p is None else f"p {_p(p)}")
        means = [score.mean for score in tally.scores if score.n and tally.scored]
        rows.append([*row, *([f"{sum(means) / len(means):,.2f}" if means else "-"] if scored else [])])
    widths = [max(len(row[i]) for row in rows) for i in range(len(heads))]
    games = max(tally.games for tally in tallies)
    told = f"Each line is {_games(games)} of random bots, with the same cards and choices where the rules allow it."
    return [*(_right(row, widths) for row in rows), "", told, ""]


def _right(cells: list[str], widths: list[int]) -> str:
    return "".join(f"  {cell:>{width}}" for cell, width in zip(cells, widths))


def percent(part: float, whole: float) -> str:
    """Return a share as text, such as `25.0 %`; `-` of nothing."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _mean(running: Running) -> str:
    if running.n < 2:
        return f"mean {running.mean:,.1f}"
    low, high = running.interval()
    return f"mean {running.mean:,.1f} ({low:,.1f} to {high:,.1f})"


def _p(value: float) -> str:
    return "below 0.0001" if value < 0.0001 else f"= {value:.4f}" if value < 0.01 else f"= {value:.2f}"
