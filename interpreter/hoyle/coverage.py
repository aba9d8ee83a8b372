"""What of the rules came up in many games, and what never did, in sentences for a designer. Prints nothing.

It knows the points that a traced game counts, and nothing of how a game is run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from hoyle.runtime.points import Point

LONGEST = 60  # signs of a line of the spec, at most, that a sentence quotes
SHOWN = 20  # sentences, at most, in a text for people

# What there is to say of a point that was never passed.
NEVER = {
    "phase": "{} never began",
    "clause": "{} never came about",
    "playable": "{} never decided what may be played",
    "winning": "{} never decided who wins",
    "branch": "{} never held",
    "else": "the `else` of {} never came about",
    "held": "{} always held",
    "loop": "{} never went round",
    "until": "{} was never ended by its condition",
    "nobody": "{} never came about",
    "end": "{} was never reached",
    "offered": "nobody was ever offered {}",
    "taken": "nobody ever took {}, offered {:,} times",
}
# What is counted, in a table.
COUNTED = {
    "phase": "began",
    "clause": "came about",
    "playable": "decided",
    "winning": "decided",
    "branch": "held",
    "else": "otherwise",
    "held": "did not hold",
    "loop": "passes",
    "until": "ended it",
    "nobody": "came about",
    "end": "reached",
    "offered": "offered",
    "taken": "taken",
}


class Finding(NamedTuple):
    """One thing that never happened: the number of its point, its line, and a sentence about it."""

    point: int
    line: int
    sentence: str


def never(points: Sequence[Point], fired: Sequence[int]) -> list[Finding]:
    """Return what never happened, by line.

    What could not happen since something around it never did is left out, and so is what means nothing before
    another point was passed: nobody can take what is never offered.
    """
    missing = [i for i, times in enumerate(fired) if not times]
    told = []
    for number in missing:
        point = points[number]
        first = point.of >= 0 and not fired[point.of]
        around = any(points[i].line < point.line <= points[i].last for i in missing)
        if not first and not around:
            told.append(Finding(number, point.line, _sentence(points, fired, number)))
    return sorted(told, key=lambda x: (x.line, x.point))


def _sentence(points: Sequence[Point], fired: Sequence[int], number: int) -> str:
    point = points[number]
    words = points[point.of].words if point.kind == "else" else point.words
    offered = fired[point.of] if point.of >= 0 else 0
    return NEVER[point.kind].format(f"`{_short(words)}`", offered)


def _short(words: str) -> str:
    return words if len(words) <= LONGEST else words[: LONGEST - 1].rstrip() + "…"


def text(points: Sequence[Point], fired: Sequence[int], games: int, counts: bool = False) -> list[str]:
    """Return the lines about a run of so many games; with `counts` a table of all that was counted too."""
    if not points or not games:
        return []
    played = f"{games:,} game{'s' if games > 1 else ''}"
    found = never(points, fired)
    lines = [f"All that the rules speak of came up in {played}."]
    if found:
        lines = [f"In {played} of random bots:"]
        lines += [f"  line {x.line}: {x.sentence}" for x in found[:SHOWN]]
        if len(found) > SHOWN:
            lines.append(f"  and {len(found) - SHOWN} more; --format json gives all")
    return [*lines, *(["", *_table(points, fired)] if counts else [])]


def _table(points: Sequence[Point], fired: Sequence[int]) -> list[str]:
    order = sorted(range(len(points)), key=lambda i: (points[i].line, i))
    rows = [
        (str(points[i].line), f"{fired[i]:,}", COUNTED[points[i].kind], _short(points[i].words))
        for i in order
    ]
    heads = ("line", "times", "what", "")
    wide = [max(len(row[i]) for row in [heads, *rows]) for i in range(3)]
    return [
        f"  {a:>{wide[0]}}  {b:>{wide[1]}}  {c:<{wide[2]}}  {d}".rstrip() for a, b, c, d in [heads, *rows]
    ]


def as_json(points: Sequence[Point], fired: Sequence[int]) -> dict[str, Any] | None:
    """Return how often each point was passed, and what never happened in words; None where nothing was counted."""
    if not points:
        return None
    return {
        "points": [
            {"kind": x.kind, "line": x.line, "words": x.words, "times": times}
            for x, times in zip(points, fired, strict=True)
        ],
        "never": [{"point": x.point, "line": x.line, "sentence": x.sentence} for x in never(points, fired)],
    }
