"""What Ten's wild cards come to, in both back ends: against another reckoning, and without trying every way."""

from __future__ import annotations

import itertools
import os
import random
import sys
from collections.abc import Callable
from functools import cache
from types import FrameType
from typing import Any

import pytest

from lockstep import module_of
from specs_for_tests import game

MANY = int(os.environ.get("EXAMPLES", "150"))
COLOURS = ("red", "blue", "orange", "green")
Cards = list[str]


@cache
def assigning(back_end: str) -> Any:
    """Return what finds the best assignment, as one back end made it."""
    return fresh(back_end)


def fresh(back_end: str) -> Any:
    """Return a new one, which knows nothing yet."""
    made = game("ten") if back_end == "interpreter" else module()
    rules = made.make_rules(4, {x.name: x.default for x in game("ten").program.parameters})
    if back_end == "module":
        return rules.score_wilds  # type: ignore[attr-defined]
    body = game("ten").program.function("score").body
    return rules.asking.scoring.assigning(rules.asking.settled(body))  # type: ignore[attr-defined]


@cache
def module() -> Any:
    return module_of(game("ten").program)


@cache
def kinds() -> dict[str, int]:
    """Return the number of each face."""
    return {k.face: i for i, k in enumerate(game("ten").program.kinds)}


def best(back_end: str, cards: Cards) -> int:
    """Return the best score of a collection."""
    return int(assigning(back_end).best([kinds()[c] for c in cards]))


def deck() -> Cards:
    """Return all cards of four players that can be collected."""
    cards = [f"{k} {v}" for k in COLOURS for v in range(1, 10) for _ in range(3 if v < 7 else 1)]
    return cards + [f"{k} #" for k in COLOURS] * 2 + wilds_for_all()


def wilds_for_all() -> Cards:
    """Return the wilds that any colour could use."""
    return [f"any {v}" for v in range(1, 10)] + ["any #"]


def longest(values: set[int], free: int) -> int:
    """Return the points of one colour: the longest run with so many gaps filled, by trying every run."""
    runs = [range(a, b + 1) for a in range(1, 10) for b in range(a, 10)]
    fitting = [len(r) for r in runs if sum(v not in values for v in r) <= free]
    most = max(fitting, default=0)
    return most + (most == 9)


def reckoned(cards: Cards) -> int:
    """Return the best score by giving each wild for all to each colour or to none, one way after the other."""
    shared = [c for c in cards if c.startswith("any")]
    best_yet = 0
    for way in itertools.product((*COLOURS, ""), repeat=len(shared)):
        score = 0
        for colour in COLOURS:
            mine = [w for w, k in zip(shared, way, strict=True) if k == colour]
            values = {int(c[-1]) for c in (*cards, *mine) if c.startswith((colour, "any")) and c[-1] != "#"}
            values -= {int(w[-1]) for w in shared if w not in mine and w[-1] != "#"} - {
                int(c[-1]) for c in cards if c.startswith(colour) and c[-1] != "#"
            }
            score += longest(values, cards.count(f"{colour} #") + mine.count("any #"))
        best_yet = max(best_yet, score)
    return best_yet


@pytest.mark.parametrize("back_end", ["interpreter", "module"])
def test_random_collections_score_what_giving_every_wild_to_every_colour_finds(back_end: str) -> None:
    r = random.Random(6)
    for _ in range(MANY):
        shared = r.sample(wilds_for_all(), r.randint(0, 4))
        plain = [c for c in deck() if not c.startswith("any")]
        cards = [*shared, *r.sample(plain, r.randint(0, 24))]
        assert best(back_end, cards) == reckoned(cards), cards


# ---- how much is tried ------------------------------------------------------------------------------------


def steps(ask: Callable[[], object]) -> int:
    """Return how many instructions Python carries out for something: as many on a busy machine as on a quick one."""
    count = 0

    def step(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        frame.f_trace_opcodes = True
        count += event == "opcode"
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        ask()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("back_end", ["interpreter", "module"])
def test_the_worst_collection_is_not_tried_way_by_way(back_end: str) -> None:
    """All 18 wilds, with few cards or none: no score is known beforehand. There are 5 ** 10 ways to share ten wilds."""
    everything = [c for c in deck() if c.startswith("any") or c.endswith("#")]
    assert len(everything) == 18
    for more in ([], ["red 3"], ["blue 2", "green 5", "green 9"]):
        cards = [kinds()[c] for c in [*everything, *more]]
        found = fresh(back_end)
        found.ready()
        assert steps(lambda found=found, cards=cards: found.best(cards)) < 2_000_000  # 600,000 are enough


@pytest.mark.parametrize("back_end", ["interpreter", "module"])
def test_collections_of_games_are_not_tried_way_by_way(back_end: str) -> None:
    r = random.Random(9)
    found = assigning(back_end)
    hands = [[kinds()[c] for c in r.sample(deck(), r.randint(5, 35))] for _ in range(100)]
    made = [steps(lambda hand=hand: found.best(hand)) for hand in hands]
    assert max(made) < 200_000 and sum(made) < 2_000_000  # 36,000 and 700,000 are enough
