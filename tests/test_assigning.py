"""The best assignment of wild cards against brute force, at the level of the run-time package."""

from __future__ import annotations

import itertools
import os
import random
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from hoyle.runtime.assigning import Assigning
from hoyle.runtime.sets import longest_run

MANY = int(os.environ.get("EXAMPLES", "300"))
WORDS = ("any", "every", "run", "set", "count", "sum")


def tally(word: str, values: list[int]) -> int:
    """Return a tally worked out plainly; to `every` a value is whether the card passes."""
    match word:
        case "any":
            return int(bool(values))
        case "every":
            return int(all(values))
        case "run":
            return longest_run(sum({1 << v for v in values}))
        case "set":
            return sum({1 << v for v in values})
        case "count":
            return len(values)
        case _:
            return sum(values)


class Made:
    """A small game of wilds, made up: faces 0..5 count in a group each, wilds are 10 and more."""

    def __init__(self, seed: int) -> None:
        r = random.Random(seed)
        self.groups = list(range(r.randint(1, 3)))
        self.words = [r.choice(WORDS) for _ in range(r.randint(1, 2))]
        self.home = [r.choice([*self.groups, -1]) for _ in range(6)]
        self.features = [[r.choice([None, 0, 1, 1, 2, 3]) for _ in self.words] for _ in range(6)]
        self.wilds = {10 + w: r.sample(range(6), r.randint(0, 6)) for w in range(4)}
        self.nothing, self.highest = r.random() < 0.6, r.random() < 0.3
        self.alike = r.random() < 0.5
        self.salt = r.randrange(1000)
        self.straight = r.random() < 0.6
        self.hand = [r.randrange(6) for _ in range(r.randint(0, 4))]
        self.hand += [10 + r.randrange(4) for _ in range(r.randint(0, 4))]

    def feature(self, group: int, face: int) -> Sequence[int | None]:
        """Return what a face adds to the tallies of a group."""
        return self.features[face] if self.home[face] == group else [None] * len(self.words)

    def value(self, group: int, *tallies: int) -> int:
        """Return what a group is worth: something that grows with the tallies, or any value at all."""
        if self.straight:
            return sum(tallies) ** 2
        seed = f"{self.salt} {0 if self.alike else group} {tallies}"
        return random.Random(seed).randint(-9, 20)

    def assigning(self) -> Assigning:
        """Return what is tested."""
        return Assigning(
            lambda: self.wilds,
            self.groups,
            self.words,
            self.feature,
            self.value,
            self.nothing,
            self.highest,
            self.alike or self.straight,
        )

    def score(self, faces: Sequence[int]) -> int:
        """Return the score of cards of which none is wild."""
        found = []
        for group in self.groups:
            tallies = []
            for i, word in enumerate(self.words):
                values = [self.feature(group, face)[i] for face in faces]
                tallies.append(tally(word, [v for v in values if v is not None]))
            found.append(self.value(group, *tallies))
        return max(found) if self.highest else sum(found)

    def best(self) -> int:
        """Return the best score over all assignments, one by one."""
        wilds = [k for k in self.hand if k >= 10]
        plain = [k for k in self.hand if k < 10]
        ways = [[*self.wilds[w], *([-1] if self.nothing or not self.wilds[w] else [])] for w in wilds]
        return max(self.score([*plain, *(x for x in way if x >= 0)]) for way in itertools.product(*ways))


@settings(max_examples=MANY, deadline=None)
@given(st.integers(0, 2**32))
def test_the_best_of_all_assignments_is_found(seed: int) -> None:
    made = Made(seed)
    assert made.assigning().best(made.hand) == made.best()


@settings(max_examples=MANY, deadline=None)
@given(st.integers(0, 2**32))
def test_the_witness_is_an_assignment_that_is_worth_the_best(seed: int) -> None:
    made = Made(seed)
    witness = made.assigning().witness(made.hand)
    assert [w for w, _ in witness] == sorted(k for k in made.hand if k >= 10)
    assert all(
        face in made.wilds[w] or ((face == -1 and made.nothing) or not made.wilds[w]) for w, face in witness
    )
    faces = [k for k in made.hand if k < 10] + [face for _, face in witness if face >= 0]
    assert made.score(faces) == made.best()
