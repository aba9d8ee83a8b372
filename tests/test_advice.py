"""Warnings about what a spec does in vain, and loops without an end: they come where they should, and nowhere else."""

from __future__ import annotations

import pytest

from hoyle.diagnostics import Diagnostic, Report
from hoyle.resources import folder
from hoyle.session import check, check_text
from hoyle.source import Source
from specs_for_tests import ALL, FOLDER, SMALL

SPEC = """hoyle 1

game "Advice" for 2..3 players

parameters
  goal = 3 in 1..9

components
  card Coin(worth: 1..3)
  deck in stock
    4 Coin(w) for w in 1..3

zones
  stock:  pile, hidden
  market: row, open
  hand:   pool, seen by owner, each player
  won:    pile, hidden, each player
  front:  row, seen by others, each player

state
  round_number = 0
  starter: player
  score = 0 for each player

define rich(p: player) = any c in p.hand where c.worth > 2

define drawn_out = any c in stock where c.worth is 3

play
  deal 2 from stock to each hand
  deal 1 from stock to each front
  repeat until round_number >= goal
    round_number += 1
    turns p from starter until p.score > 3
      do turn(p)

phase turn(p: player)
  choose p
    option gain(c in p.hand)
      move c to p.won
      p.score += 1
    option take when market is not empty
      move first of market to p.hand
    option pass
      move 1 from stock to market
@

result
  rank p by highest (sum of c.worth for c in p.won), then highest p.score, then lowest points(p)

define points(p: player) = (count c in p.front) + (1 if rich(p) or drawn_out else 0)
"""


def told(text: str) -> list[Diagnostic]:
    """Return what the checker says of a text."""
    report = Report()
    check_text(Source("spec.hoyle", text), report)
    return report.diagnostics


def codes(text: str) -> list[str]:
    """Return the codes of what it says."""
    return [d.code for d in told(text)]


def lines(*rows: str) -> str:
    """Return the spec with these lines at the end of its phase."""
    return SPEC.replace("@\n", "".join(f"  {row}\n" for row in rows))


def changed(old: str, new: str) -> str:
    """Return the spec with one part put differently."""
    assert SPEC.count(old) == 1
    return SPEC.replace(old, new).replace("@\n", "")


def test_the_spec_itself_is_clean() -> None:
    assert codes(lines()) == []


def test_a_variable_may_have_any_name_and_no_move_of_cards_changes_it() -> None:
    for name in ("round_number", "cards", "zones", "all_cards"):
        rows = (f"repeat until {name} > 3", "  move 1 from stock to market")
        text = lines(*rows).replace("round_number", name)
        assert codes(text) == ["W504"]


@pytest.mark.parametrize("name", ALL)
def test_games_that_are_played_get_no_warning(name: str) -> None:
    place = FOLDER if name in SMALL else folder("specs")
    report, _ = check(str(place / f"{name}.hoyle"))
    assert report.diagnostics == []


# ---- loops ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        (["repeat", "  p.score += 1"], "E503"),
        (["repeat", "  repeat", "    end repeat"], "E503"),
        (["repeat", "  for c in p.hand", "    end for"], "E503"),
        (["repeat", "  repeat 3 times", "    end repeat"], "E503"),
        (["turns q from p", "  q.score += 1"], "E503"),
        (["turns q from p", "  repeat", "    end turns"], ""),
        (["repeat", "  for c in p.hand", "    end repeat"], ""),
        (["repeat", "  end turn"], ""),
        (["repeat", "  end game"], ""),
        (["repeat", "  if p.score > 1", "    p wins"], ""),
        (["for c in p.hand", "  repeat", "    end for"], ""),
        (["repeat while p.score < 3", "  round_number += 1"], "W504"),
        (["repeat until market is empty", "  p.score += 1"], "W504"),
        (["repeat until drawn_out", "  p.score += 1"], "W504"),
        (["repeat until goal is 3", "  p.score += 1"], "W504"),
        (["repeat while p.score < 3", "  p.score += 1"], ""),
        (["repeat until market is empty", "  move first of market to stock"], ""),
        (["repeat until drawn_out", "  move 1 from stock to market"], ""),
        (["repeat until goal is 3", "  p.score += 1", "  end repeat"], ""),
        (["repeat until round_number > 3", "  pick round_number at random from 1..6"], ""),
        (["let n = 0", "repeat until n > 2", "  n += 1"], ""),
        (["turns q from p until q is p", "  q.score += 1"], ""),
        (["repeat 3 times while p.score is 1", "  round_number += 1"], ""),
    ],
)
def test_a_loop_that_can_not_end(rows: list[str], code: str) -> None:
    assert codes(lines(*rows)) == ([code] if code else [])


def test_what_a_phase_does_counts_for_the_loops_that_run_it() -> None:
    for body, code in (("round_number += 1", ""), ("p.score += 1", "W504"), ("end game", "")):
        text = lines("repeat until round_number > 9", "  do more(p)")
        text += f"\nphase more(p: player)\n  {body}\n" + (
            "  p.score += 0 + 1\n" if "score" not in body else ""
        )
        found = [c for c in codes(text) if c != "W502"]
        assert found == ([code] if code else [])


# ---- what is done in vain -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("      move 1 from stock to market\n", "      p.score += 1\n", "W203"),
        ("  market: row", "  trash: pile, hidden\n  market: row", "W201"),
        ("then lowest points(p)", "then lowest size of p.front", "W201"),
        ("(sum of c.worth for c in p.won), then highest ", "", "W204"),
        ("until p.score > 3", "until size of p.hand < 1", ""),
        ("  round_number = 0", "  best = 0\n  round_number = 0", "W201"),
        ("      p.score += 1\n", "      p.score += bonus\n", "W205"),
        ("  starter: player", "  starter: player\n  lead: card or none", "W201"),
        ("  deck in stock", "  kind Any = Coin\n  deck in stock", "W201"),
        ("  deck in stock", "  enum Suit = red, black\n  deck in stock", "W201"),
        ("for w in 1..3", "for w in 1..3\n    1 Coin(1) with 4+ players", "W402"),
        ("for w in 1..3", "for w in 1..3\n    1 Coin(1) with 3+ players", ""),
        ("deal 2 from", "deal 5 from", "W403"),
        ("deal 2 from", "deal goal from", ""),
        ("deal 2 from", "deal 4 from", ""),
        ("phase turn(p: player)", "phase turn(p, q: player)", "W201"),
        ("  choose p\n", "  let held = size of p.hand\n  choose p\n", "W201"),
        ("  choose p\n", "  let held = 0\n  held = 3\n  choose p\n", "W204"),
        ("c.worth > 2\n", "c.worth > 3\n", "W301"),
        ("c.worth > 2\n", "c.worth >= 1\n", "W301"),
        ("c.worth > 2\n", "c.worth is 4\n", "W301"),
        ("c.worth > 2\n", "c.worth >= goal\n", ""),
        ("c.worth > 2\n", "size of p.hand > 500\n", "W301"),
    ],
)
def test_what_is_done_in_vain(old: str, new: str, code: str) -> None:
    text = changed(old, new)
    if "bonus" in new:
        text = text.replace("  round_number = 0", "  bonus = 2\n  round_number = 0")
    if "turn(p, q" in new:
        text = text.replace("do turn(p)", "do turn(p, p)")
    assert codes(text) == ([code] if code else [])


def test_a_card_that_no_deck_holds() -> None:
    text = lines().replace("  deck in stock", "  card Thief(worth: 1..3)\n  deck in stock")
    assert codes(text) == ["W401"]
    assert codes(text.replace("4 Coin(w)", "1 Thief(w) for w in 1..3\n    4 Coin(w)")) == ["E413"]


def test_a_result_that_nothing_changes_is_told_once() -> None:
    text = changed(
        "rank p by highest (sum of c.worth for c in p.won), then highest p.score", "rank p by highest p.rank_"
    )
    text = text.replace(", then lowest points(p)", "").replace(
        "  score = 0", "  rank_ = 0 for each player\n  score = 0"
    )
    assert [c for c in codes(text) if c not in ("W201", "W204")] == ["W801"]


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        (["p.score += 0"], "W503"),
        (["round_number = round_number"], "W503"),
        (["swap p.hand with p.hand"], "W503"),
        (["swap p.hand with (left of p).hand"], ""),
        (["if p.score is 1", "  p.score = 2", "else if p.score is 1", "  p.score = 3"], "W302"),
        (["if p.score is 1", "  p.score = 2", "else if p.score is 2", "  p.score = 3"], ""),
        (["if p.score is 1", "  end game", "else", "  p wins", "p.score = 2"], "W502"),
        (["if p.score is 1", "  end game", "p.score = 2"], ""),
    ],
)
def test_lines_that_do_nothing(rows: list[str], code: str) -> None:
    assert codes(lines(*rows)) == ([code] if code else [])


# ---- guards that leak -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("guard", "leaks"),
    [
        ("when (top of stock).worth > 1", True),
        ("when any c in stock where c.worth is 3", True),
        ("when drawn_out", True),
        ("when rich(left of p)", True),
        ("when rich(p)", False),
        ("when any q in players where rich(q)", True),
        ("when any q in players where q.hand is empty", False),
        ("when any c in p.front where c.worth is 1", True),
        ("when any c in (left of p).front where c.worth is 1", False),
        ("when stock is not empty and size of stock > 2", False),
        ("when any c in stock", False),
        ("when (count c in stock where p.score > 1) > 2", False),
        ("when any c in p.hand where c.worth is 1", False),
        ("when any c in market where c.worth is 1", False),
        ("when p.score < 3 and goal > 2", False),
    ],
)
def test_a_guard_that_tells_what_the_chooser_can_not_see(guard: str, leaks: bool) -> None:
    text = changed("option take when market is not empty", f"option take {guard}")
    assert codes(text) == (["W603"] if leaks else [])


def test_a_condition_on_what_is_chosen_may_leak_too() -> None:
    text = changed(
        "option gain(c in p.hand)", "option gain(c in p.hand where c.worth > (top of stock).worth)"
    )
    (found,) = told(text)
    assert found.code == "W603" and found.second is not None
