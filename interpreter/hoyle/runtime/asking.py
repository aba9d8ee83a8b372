"""What compiled expressions call by name."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from hoyle.runtime.faults import Fault
from hoyle.runtime.sets import members
from hoyle.runtime.state import MOST_STEPS, NONE


class Elements(dict[int, tuple[int, ...]]):
    """The elements of sets of small values, ascending, each worked out when it is first looked up."""

    def __missing__(self, mask: int) -> tuple[int, ...]:
        """Return, and keep, the elements of a set."""
        if len(self) >= MOST_SETS:
            self.clear()
        found = self[mask] = tuple(members(mask))
        return found


MOST_SETS = 1 << 14
ELEMENTS = Elements()


def alike(features: Sequence[Hashable]) -> tuple[int, ...]:
    """Return for each kind, as a set, the first kind that has the same features."""
    first: dict[Hashable, int] = {}
    return tuple(1 << first.setdefault(x, kind) for kind, x in enumerate(features))


def kinds_of(kind_of: Sequence[int], pieces: int) -> int:
    """Return the set of the kinds of a set of pieces."""
    mask = 0
    for piece in members(pieces):
        mask |= 1 << kind_of[piece]
    return mask


def kind_or_none(kind_of: Sequence[int], piece: int) -> int:
    """Return the kind of a piece, none for none."""
    return kind_of[piece] if piece >= 0 else NONE


def passes(table: Sequence[bool], kind: int) -> bool:
    """Return whether a kind, which may be none, passes a test of its type."""
    return kind >= 0 and table[kind]


def converted_set(table: Mapping[int, int], mask: int) -> int:
    """Return a set with each element converted; those that have no counterpart fall away."""
    made = 0
    for element in members(mask):
        place = table.get(element, -1)
        if place >= 0:
            made |= 1 << place
    return made


def divided(a: int, b: int, line: int, rest: bool) -> int:
    """Return `a` divided by `b`, rounded down, or what is left over."""
    if b == 0:
        raise Fault("a number is divided by 0", line)
    return a % b if rest else a // b


def fresh(lists: Sequence[Sequence[int]], first: int, many: int, name: str, line: int, low: int = 0) -> int:
    """Return the place, from `low` on, of the first list of a family that holds nothing; a fault if there is none."""
    for place in range(low, low + many):
        if not lists[first + place]:
            return place
    raise Fault(f"there can be no more than {many} of `{name}`", line)


def ends(pieces: Sequence[int], count: int, flags: int, line: int) -> list[int]:
    """Return so many pieces from one end of a list: from its end with flag 1, in the order of a pile with flag 2."""
    if count < 0:
        raise Fault(f"there are never {count} cards", line)
    found = list(pieces[len(pieces) - min(count, len(pieces)) :] if flags & 1 else pieces[:count])
    return found[::-1] if flags & 2 else found


def within(value: int, low: int, high: int, line: int) -> int:
    """Return a number that is in its range; one outside is a fault."""
    if not low <= value <= high:
        raise Fault(f"{value} is outside {low}..{high}", line)
    return value


def numbers_from(low: int, high: int, line: int) -> range:
    """Return the numbers of a range; one of more numbers than a game could look through is a fault."""
    if high - low >= MOST_STEPS:
        raise Fault(f"{low}..{high} is too long a range to go through", line)
    return range(low, high + 1)


def extreme(values: Sequence[int], word: str, line: int) -> int:
    """Return the highest or lowest of some values; none to choose from is a fault."""
    if not values:
        raise Fault(f"there is nothing to take the {word} of", line)
    return max(values) if word == "highest" else min(values)


def superlative(pairs: Sequence[tuple[int, int]], word: str, sole: bool, rivals: str, line: int) -> int:
    """Return the element with the greatest key of (key, element): the earliest, or with `sole` none of several.

    `rivals` are players or teams: a tie between them is a fault.
    """
    if not pairs:
        if sole:
            return NONE
        raise Fault(f"there is nothing to take the {word} of", line)
    top = max(pairs, key=lambda pair: pair[0])
    ties = sum(1 for key, _ in pairs if key == top[0])
    if ties > 1 and sole:
        return NONE
    if ties > 1 and rivals:
        raise Fault(f"{ties} {rivals} tie for the {word}; say `sole {word}` to get none then", line)
    return top[1]
