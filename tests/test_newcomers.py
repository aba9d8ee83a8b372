"""Mistakes of somebody who writes a first game: one message for each, and its mend says what was meant."""

from __future__ import annotations

import time

import pytest

from specs_for_tests import FOLDER
from test_mends import said
from test_slips import told

LINE = "  p.score += sum of points(x) for x in p.basket\n"
RANK = "  rank p by highest p.score\n"
HAND = "  hand:   pool, seen by owner, each player\n"
DONE = "  done = no\n"
SAFE = "  done = no\n  safe = no for each player\n"
MOST_SECONDS = 2
SCENARIO = """
scenario "one" for 2 players ann, bob
  given ann.hand = "red 1, red 2"
  given bob.hand = "blue 1"
  start at take_turn(ann)
  ann: put("red 1")
  then bob.hand is "blue 1"
"""


@pytest.mark.parametrize(
    ("line", "code", "mend"),
    [
        ("done = 1", "E301", "write `yes`"),
        ("done = 0", "E301", "write `no`"),
        ("done = 2", "E301", "compare it, as in `> 0`"),
        ("dealer = none", "E301", "add `or none` to its type where it is declared, as in `: player or none`"),
        ("let held = {p.hand}", "E305", "the cards of a zone are `{c in p.hand}`"),
        ("move p.hand to ponds", "E201", "did you mean `pond`?"),
        ("move p.hand to dale", "E201", "declare it under `zones`"),  # not the player `dealer`
        ("deal 1 from stock to each player", "E201", "name a zone that each player has: hand, basket"),
        ("deal 1 from stock to each pond", "E303",
         "add `each player` where it is declared, or deal to a zone declared with `each player`: hand, basket"),
        ("p.score += pond.worth", "E205",
         "only cards have attributes, and only players and teams variables and zones of their own"),
    ],
)  # fmt: skip
def test_a_line_is_told_once(line: str, code: str, mend: str) -> None:
    assert [(c, m) for c, _, m in said((LINE, f"{LINE}  {line}\n"))] == [(code, mend)]


def test_a_value_in_quotes_is_pointed_at() -> None:
    assert said(("if trump is red", 'if trump is "red"')) == [
        ("E301", 50, "quotes are for cards; the value is written without: `red`")
    ]


@pytest.mark.parametrize(
    ("test", "mend"),
    [
        ("p is safe", "write `p.safe`"),
        ("p is not safe", "write `not p.safe`"),
        ("not (dealer is safe)", "write `dealer.safe`"),
    ],
)
def test_what_a_player_is_belongs_to_the_player(test: str, mend: str) -> None:
    assert [(c, m) for c, _, m in said((DONE, SAFE), ("if trump is red", f"if {test}"))] == [("E306", mend)]


@pytest.mark.parametrize(("word", "meant"), [("true", "yes"), ("false", "no"), ("False", "no")])
def test_a_parameter_is_yes_or_no(word: str, meant: str) -> None:
    hook = ("  hand_size = 4 in 1..6\n", f"  hand_size = 4 in 1..6\n  hook = {word}\n")
    asked = ("if trump is red", "if hook")
    told = ("E406", f"did you mean `{meant}`?") if word.islower() else ("E118", f"write `{meant}`")
    assert [(c, m) for c, _, m in said(hook, asked)] == [told]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('"{colour} {weight}"', '"{color} {weight}"', "E414"),
        ('"{colour} {weight}"', '"{colour}"', "E413"),
        ('"{colour} {weight}"', '"{colour}, {weight}"', "E413"),
        ("    1 Fish(c, w) for", "    1 Fish(w, w) for", "E301"),
        ("    1 Fish(c, w) for c in Colour, w in 1..8", "    1 Fish(c, w) for c in (red, blue), w in 1..8", "E111"),
    ],
)  # fmt: skip
def test_a_broken_deck_says_nothing_of_the_faces_in_scenarios(old: str, new: str, code: str) -> None:
    assert [c for c, *_ in said((old, new), (RANK, RANK + SCENARIO))] == [code]


@pytest.mark.parametrize(
    ("zone", "codes"),
    [
        ("  hand:   pool, seen by owner\n", [("E408", "add `each player`, or say `hidden` or `open`")]),
        ("  hand:   pool, hidden\n", [("E303",
         "add `each player` where it is declared, or deal to a zone declared with `each player`: basket")]),
    ],
)  # fmt: skip
def test_a_zone_without_owner_is_told_once(zone: str, codes: list[tuple[str, str]]) -> None:
    assert [(c, m) for c, _, m in said((HAND, zone), (RANK, RANK + SCENARIO))] == codes


def test_a_variable_without_owner_is_told_once() -> None:
    assert said(("  score = 0 for each player\n", "  score = 0\n")) == [
        ("E211", 49, "write `score` alone, or add `for each player` where it is declared")
    ]


def test_who_is_no_player_of_a_scenario_is_no_other_thing_either() -> None:
    text = SCENARIO.replace("given bob.hand", "given dex.hand")
    changes = (RANK, RANK + text), (DONE, f"{DONE}  den = 0\n"), (LINE, f"{LINE}  den += 1\n")
    told = "the players of a scenario are named in its first line; other names are declared in the game"
    assert [(c, m) for c, _, m in said(*changes)] == [("E201", told)]


@pytest.mark.parametrize(
    "changes",
    [
        (("  stock:  pile, hidden\n", "  new:    pile, hidden\n"), ("deck in stock", "deck in new"),
         ("  shuffle stock\n", "  shuffle new\n"), ("from stock to each", "from new to each"),
         ("pond to 4 from stock", "pond to 4 from new")),
        ((DONE, "  new = 0\n" + DONE), (LINE, f"{LINE}  new += 1\n  p.score += new\n  if new is 3\n    p.score = 1\n")),
        ((LINE, f"{LINE}  let new = 3\n  p.score += new\n"),),
    ],
)  # fmt: skip
def test_new_is_no_name(changes: tuple[tuple[str, str], ...]) -> None:
    told = "choose another name, such as `new_` or `the_new`"
    assert [(c, m) for c, _, m in said(*changes)] == [("E203", told)]


def test_new_may_be_an_option() -> None:
    assert said(("    option pass\n", "    option new\n")) == []


def test_a_player_left_unnamed_is_told_once() -> None:
    text = SCENARIO.replace("2 players", "3 players") + "  then next is cid\n  cid: pass\n"
    changes = (RANK, RANK + text.replace("given bob.hand", "given cid.hand"))
    assert [(c, m) for c, _, m in said(changes)] == [("E701", "name every player, in seat order")]
    assert [(c, m) for c, _, m in said((RANK, RANK + SCENARIO + "  cid: pass\n"))] == [
        ("E201", "the first line of the scenario names its players")
    ]


def test_a_hand_that_nobody_owns_is_told_once_where_tricks_are_played() -> None:
    text = (FOLDER / "hook.hoyle").read_text(encoding="utf-8")
    owned = "  hand:  pool, seen by owner, each player\n"
    assert owned in text
    found = told(text.replace(owned, "  hand:  pool, seen by owner\n"))
    assert [d.mend for d in found] == ["add `each player`, or say `hidden` or `open`"]


@pytest.mark.parametrize(
    "line",
    [
        "If " * 600,
        "given " + " " * 1900,
        "max(" + "a " * 900,
        "in (" + "a," * 900,
        "x = " + "a " * 900,
        '"a" ' * 480,
    ],
)
def test_long_lines_that_begin_like_idioms_are_told_in_time(line: str) -> None:
    for old in (LINE, "  card Net\n", RANK):
        block = f'\nscenario "long" for ann, bob\n  {line}\n' if old == RANK else f"  {line}\n"
        before = time.monotonic()
        assert len(said((old, old + block))) == 1
        assert time.monotonic() - before < MOST_SECONDS
