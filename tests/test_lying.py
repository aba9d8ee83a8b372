"""Where pieces lie in the function of all rules: what its lines tell, and what a table notes when somebody looks."""

from __future__ import annotations

import random

import pytest

from hoyle.compile.lying import Lying
from hoyle.program.whence import whence
from hoyle.runtime.state import PLACE
from specs_for_tests import SPECS, both, counts, game

FOUND = "c = hand[bisect_left(hand, first_of[n])]"
TOP = "c = (stock or [self.end_piece(S, STOCK, True, 7)])[-1]"


def taken(*lines: str) -> str:
    """Return the line that takes `c` away after some lines, nothing where it is not known where that lies."""
    lying = Lying(["stock"])
    for line in lines:
        lying.before(line)
        lying.see(line)
    known = lying.before("self.put(S, (c,), TABLE)")
    return known["c"].taken("c") if "c" in known else ""


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ([FOUND], "hand.remove(c)"),
        ([TOP], "stock.pop()"),
        (["c = stock[-1]", "kind = kind_of_[c]", "steps += 1"], "stock.pop()"),
        (["c = out[-1]"], ""),  # no zone
        ([FOUND, "hands[q].append(d)"], ""),
        ([FOUND, "insort(hand, d)"], ""),
        ([FOUND, "hand = hands[q]"], ""),
        ([FOUND, "c = d"], ""),
        ([FOUND, "discard += matched"], ""),
        ([FOUND, "self.fill(S, CENTRE, 2, STOCK)"], ""),
        ([FOUND, "for x in hand:"], ""),
        (["if n < 3:", f"    {FOUND}"], ""),
        ([TOP, "if wild:", "    stock.pop()", "    continue"], "stock.pop()"),
        ([TOP, "if wild:", "    stock.pop()"], ""),
        ([TOP, "if wild:", "    stock.pop()", "    if last:", "        continue"], ""),
        ([TOP, "if wild:", "    if last:", "        stock.pop()", "        return"], "stock.pop()"),
    ],
)
def test_lines_tell_where_a_piece_lies(lines: list[str], line: str) -> None:
    assert taken(*lines) == line


def test_what_holds_pieces_is_known_by_the_zone_they_were_chosen_from() -> None:
    zones = {
        name: {zone.name for zone in whence(game(name).program).values()} for name in ("hearts", "uno", "dos")
    }
    assert zones == {"hearts": {"hand"}, "uno": {"hand"}, "dos": {"hand", "centre"}}


@pytest.mark.parametrize(("name", "players"), counts(SPECS))
def test_places_are_noted_when_somebody_looks(name: str, players: int) -> None:
    """After moves made by the function alone the places of the pieces are those of the zones."""
    made = both(name).right
    for seed in range(6):
        table, chooses = made.start(players=players, seed=seed), random.Random(seed)
        for _ in range(chooses.randrange(60)):
            if table.turn is None:
                break
            table.step(chooses.choice(table.legal()))
        for look in (table.copy(), table):
            state = look.state
            shape = look._rules.shape
            lie = {piece: index for index in shape.lists for piece in state[index]}
            assert all(state[PLACE][piece] == index for piece, index in lie.items())
