"""How long the wild cards of Ten take to be settled: milliseconds a collection, and that no other way is better.

    python tests/bench/wilds.py [--games 40] [--collections 2000] [--runs 9]

A row each: the worst collection, of all 18 wilds and a few cards, as the best of several runs that know nothing yet;
the collections at the end of whole random games, on average; and how many random collections were held against
giving every wild to every colour, one way after the other.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path
from statistics import mean
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from hoyle.runtime.chance import mix, pick
from specs_for_tests import game
from test_ten_scores import best, deck, fresh, kinds, reckoned, wilds_for_all

BACK_ENDS = ("interpreter", "module")
BESIDE = (
    [],
    ["red 3"],
    ["blue 2", "green 5", "green 9"],
    [f"{k} {v}" for k in ("red", "blue") for v in (1, 5, 9)],
)


def worst(back_end: str, runs: int) -> float:
    """Return how many milliseconds the worst of some collections with all wilds takes."""
    wilds = [c for c in deck() if c.startswith("any") or c.endswith("#")]
    return max(
        min(_settled(back_end, [kinds()[c] for c in [*wilds, *more]]) for _ in range(runs)) for more in BESIDE
    )


def _settled(back_end: str, cards: list[int]) -> float:
    found = fresh(back_end)
    found.ready()
    begin = process_time()
    found.best(cards)
    return (process_time() - begin) * 1e3


def in_games(back_end: str, games: int) -> tuple[float, float]:
    """Return the mean and the longest time for the collections at the end of random games, in milliseconds."""
    times = []
    found: Any = fresh(back_end)
    found.ready()
    for hand in collected(games):
        begin = process_time()
        found.best(hand)
        times.append((process_time() - begin) * 1e3)
    return mean(times), max(times)


def collected(games: int) -> list[list[int]]:
    """Return the collections of all players at the end of random games, as many with each number of players."""
    hands = []
    for seed in range(games):
        table = game("ten").start(players=seed % 5 + 1, seed=seed)
        choice = mix(seed, 1)
        while table.turn is not None:
            legal = table.legal()
            choice, place = pick(choice, len(legal))
            table.step(legal[place])
        zones = table.view(0)["zones"]["collection"]
        hands += [[kinds()[c] for c in zone["cards"]] for zone in zones]
    return hands


def compared(back_end: str, collections: int) -> int:
    """Return for how many of some random collections another score is found than by brute force."""
    r, wrong = random.Random(11), 0
    plain = [c for c in deck() if not c.startswith("any")]
    for _ in range(collections):
        cards = [*r.sample(wilds_for_all(), r.randint(0, 4)), *r.sample(plain, r.randint(0, 24))]
        wrong += best(back_end, cards) != reckoned(cards)
    return wrong


def main() -> int:
    """Print the rows; the exit status is 1 if any score is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=40, help="random games, with 1 to 5 players in turn")
    parser.add_argument("--collections", type=int, default=2000, help="held against brute force")
    parser.add_argument("--runs", type=int, default=9, help="of the worst collection; the best counts")
    given = parser.parse_args()
    wrong = 0
    print(f"{'wild cards of Ten':<44}{'interpreter':>18}{'module':>18}")
    rows = {
        "worst collection, 18 wilds": [f"{worst(x, given.runs):.2f} ms" for x in BACK_ENDS],
        f"collections of {given.games} games, mean and longest": [
            "{:.3f}, {:.2f} ms".format(*in_games(x, given.games)) for x in BACK_ENDS
        ],
    }
    off = [compared(x, given.collections) for x in BACK_ENDS]
    wrong = sum(off)
    rows[f"wrong of {given.collections:,} random collections"] = [str(n) for n in off]
    for name, cells in rows.items():
        print(f"{name:<44}" + "".join(f"{cell:>18}" for cell in cells))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
