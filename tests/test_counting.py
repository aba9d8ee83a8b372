"""What is counted between two decisions, so that nothing goes on without end, and what need not be."""

from __future__ import annotations

import pytest

from hoyle import program as p
from hoyle.session import load_text
from lockstep import module_of
from specs_for_tests import game

HEAD = """hoyle 1

game "Counted" for 2 players

components
  enum Colour = red, green
  card Card(colour: Colour)  "{colour}"
  deck in stock
    1 Card(k) for k in Colour

zones
  stock: pile, hidden
  hand: pool, open, each player

state
  n = 0
  one_who: player

"""
DOUBLING = "\n\n".join(f"phase f{i}\n  do f{i + 1}\n  do f{i + 1}" for i in range(24))
RESULT = "\n\nresult\n  rank p by highest (n + size of p.hand)\n"


def phases_run(program: p.Program) -> list[tuple[str, bool]]:
    """Return the phases that are run, each with whether it is counted."""
    found: list[tuple[str, bool]] = []

    def look(body: tuple[p.Statement, ...]) -> None:
        for node in body:
            match node:
                case p.Perform():
                    found.append((node.phase, node.counted))
                case p.If():
                    look((*node.yes, *node.no))
                case p.Repeat() | p.ForEach():
                    look(node.body)
                case _:
                    pass

    for phase in program.phases:
        look(phase.body)
    for block in program.blocks:
        look(block.body)
        if isinstance(block.exit, p.Call):
            found.append((block.exit.phase, block.exit.counted))
    return found


@pytest.mark.parametrize("last", ["n = (n + 1) mod 5", "if n > 9\n    choose one_who\n      option go"])
def test_phases_that_double_and_double_are_stopped(last: str) -> None:
    """Nothing loops here, yet it would go on for hours."""
    made = load_text(
        f"{HEAD}play\n  do f0\n  choose one_who\n    option go\n\n{DOUBLING}\n\nphase f24\n  {last}{RESULT}"
    )
    for back_end in (made, module_of(made.program)):
        with pytest.raises(Exception, match="went round"):
            back_end.start(2)


def test_phases_are_counted_only_where_they_might_be_run_without_end() -> None:
    run = phases_run(game("uno").program)
    assert ("take_turn", False) in run and ("put_down", False) in run
    assert ("put_down", True) in run  # in a `for`
    spec = f"{HEAD}play\n  do single\n  for p in players\n    do single\n  do many\n"
    spec += "\nphase single\n  n += 1\n\nphase many\n"
    spec += "  do ten\n" * 2 + "\nphase ten\n" + "  do single\n" * 3
    spec = spec.replace("  do many\n", "  do many\n  choose one_who\n    option go\n", 1) + RESULT
    counted = phases_run(load_text(spec).program)
    assert sorted(set(counted)) == [("many", True), ("single", False), ("single", True), ("ten", False)]
