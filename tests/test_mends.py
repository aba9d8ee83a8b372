"""Slips whose mend hangs on the rest of the game, or that were once told badly: each gives one message that fits."""

from __future__ import annotations

import pytest

from test_slips import POND, told


def said(*changes: tuple[str, str]) -> list[tuple[str, int, str]]:
    """Return code, line and mend of what is told of Pond with some parts put differently."""
    text = POND
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return [(d.code, d.span.line, d.mend) for d in told(text)]


COUNTER = ('"Pond" for 2..4 players\n', '"Pond" for 2..4 players\n  direction: counter-clockwise\n')
SCORE = "  p.score += sum of points(x) for x in p.basket\n"


@pytest.mark.parametrize(
    ("line", "code", "mend"),
    [
        ("dealer = p.next", "E201", "write `next of p`"),
        ("dealer = p.previous", "E201", "write `left of p`"),
        (
            "dealer = p + 1",
            "E301",
            "one can't count with players; the next one is `next of p`, the one before `left of p`",
        ),
    ],
)
def test_who_comes_next_follows_the_direction_of_the_game(line: str, code: str, mend: str) -> None:
    assert said(COUNTER, (SCORE, f"{SCORE}  {line}\n")) == [(code, 51, mend)]
