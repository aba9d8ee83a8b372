"""What a scenario tells of a claim that does not hold: the part of it, and what is there instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoyle import cli

SPEC = """hoyle 1

game "Claim" for 2 players

components
  card Fish(weight: 1..8)
  deck in stock
    1 Fish(w) for w in 1..8

zones
  stock: pile, hidden
  pond:  row, open
  hand:  pool, seen by owner, each player

play
  deal 2 from stock to each hand
  do go

phase go
  for p in players
    choose p
      option put(c in p.hand)
        move c to pond

result
  rank p by highest size of p.hand

scenario "s" for 2 players ann, bob
  given ann.hand = "1, 2"
  given bob.hand = "3"
  start at go
  ann: put("1")
"""


def failing(claim: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return what is told of a claim, a line each, without where it stands."""
    path = tmp_path / "claim.hoyle"
    path.write_text(f"{SPEC}  then {claim}\n", encoding="utf-8")
    cli.run(["test", str(path)])
    out = capsys.readouterr().out.splitlines()
    return [x.partition(": ")[2] for x in out if x.startswith("    ")]


@pytest.mark.parametrize(
    ("claim", "told"),
    [
        ('pond is "1" and ann.hand is "2"', ""),
        ('pond is "1" and ann.hand is "1" and size of bob.hand is 4', 'ann.hand is "1"; there: "2"'),
        ("pond is not empty and size of ann.hand > 3", "size of ann.hand > 3; there: 1"),
        ("size of ann.hand > 3", "size of ann.hand > 3; there: 1"),
        # what is asked only where the part before it holds
        ("stock is not empty and (top of stock).weight is 4", "stock is not empty; there: 0"),
    ],
)
def test_the_first_part_that_does_not_hold_is_told(
    claim: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = [f"it does not hold that {told}"] if told else []
    assert failing(claim, tmp_path, capsys) == expected


def test_whose_move_it_is_has_a_line_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "claim.hoyle"
    path.write_text(f"{SPEC}  then pond is not empty and next is bob\n", encoding="utf-8")
    assert cli.run(["test", str(path)]) == 1
    assert "`then next is bob`" in capsys.readouterr().err
