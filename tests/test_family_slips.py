"""One message for one slip in `tricks` and `auction`: wrong kinds of value, teams or tricks that are not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoyle.scenarios import run as run_scenarios
from hoyle.session import SpecError, load
from specs_for_tests import FOLDER
from test_family_checks import FIRST, ONCE, PLAIN, ROUND, lines, spec, told

# ---- one message for a value of the wrong kind -----------------------------------------------------


@pytest.mark.parametrize(
    "wrong", ["3", "dealer.score", "yes", "trump", "none", "top of stock", "acorns", "players"]
)
def test_somebody_who_is_no_player_is_told_once(wrong: str) -> None:
    for text in (
        spec(tricks=f"leader: {wrong}\n"),
        spec(tricks=f"leader: dealer, then {wrong}\n"),
        spec(tricks=f"leader: dealer\nchooser: {wrong}\n"),
        spec(ONCE.replace("left of dealer", wrong)),
        spec(ROUND.replace("from dealer", f"from {wrong}")),
        spec(ROUND.replace("from dealer", f"from {wrong}") + "passing: not final\n"),
        spec(FIRST.replace("from dealer", f"from {wrong}")),
    ):
        (found,) = told(text)
        assert (found.code, wrong in text.splitlines()[found.span.line - 1]) == ("E301", True)


def test_a_led_suit_that_is_none_is_told_once_where_it_stands() -> None:
    assert lines(spec(tricks="leader: dealer\nled suit: 3\n")) == ["E306 led suit: 3"]


# ---- teams that are not there ----------------------------------------------------------------------


TEAM_GAMES = [(FOLDER / f"{name}.hoyle").read_text(encoding="utf-8") for name in ("partners", "bisca")]


@pytest.mark.parametrize("text", TEAM_GAMES, ids=["partners", "bisca"])
def test_that_a_game_has_no_teams_is_told_once(text: str) -> None:
    (found,) = told(text.replace(" in 2 teams", ""))
    assert (found.code, found.second is not None) == ("E420", True)


@pytest.mark.parametrize("text", TEAM_GAMES, ids=["partners", "bisca"])
@pytest.mark.parametrize(
    "wrong", ["in 2 tems", "in 2 team", "in 2 pairs", "in teams of 2", "in two teams", "2 teams"]
)
def test_teams_that_are_misspelt_are_told_once(text: str, wrong: str) -> None:
    head = next(x for x in text.splitlines() if x.startswith("game")).replace("in 2 teams", wrong)
    assert lines(text.replace("in 2 teams", wrong)) == [f"E111 {head}"]


def test_a_second_slip_is_told_beside_the_missing_teams() -> None:
    text = TEAM_GAMES[1].replace(" in 2 teams", "").replace("target = 1", "target = nobody", 1)
    assert sorted(d.code for d in told(text)) == ["E406", "E420"]


# ---- tricks that nobody plays ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "dealer = winner of last trick",
        "if winner of last trick is dealer",
        "(winner of last trick).score += 1",
        "if tricks won by dealer > 1",
        "winner of last trick = dealer",
        "then winner of last trick is ann",
        "given winner of last trick = bob",
        "given tricks won by bob = 2",
    ],
)
def test_that_a_game_has_no_tricks_is_told_once(line: str) -> None:
    inside = f"{line}\n" + ("  trump = none\n" if line.startswith("if") else "")
    step = line.startswith(("then", "given"))
    text = spec(play="" if step else inside + "dealer = winner of last trick\n")
    first, rest = text.split("tricks play_hand\n")
    text = (
        first.replace("  do play_hand\n", "").replace("tricks won by p", "1")
        + "result"
        + rest.split("result")[1]
    )
    text += 'scenario "x" for 3 players ann, bob, cid\n'
    text += (f"  {line}\n" if step and line.startswith("given") else "") + "  start at play\n"
    text += f"  {line}\n" if step and line.startswith("then") else ""
    assert lines(text) == [f"E526 {line}"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("then winner of last trick is ann", "E526"),
        ("then tricks won by ann is 1", "E526"),
        ("then team of ann is team of bob", "E420"),
        ("then any t in teams where t is team of ann", "E420"),
        ("then partner of ann is bob", "E420"),
    ],
)
def test_it_is_told_in_each_file_of_scenarios(line: str, code: str, tmp_path: Path) -> None:
    dos, path = load("dos"), tmp_path / "more.hoyle"
    path.write_text(f'hoyle 1\n\nscenario "x" for 2 players ann, bob\n  start at play\n  {line}\n  {line}\n')
    for _ in range(2):
        with pytest.raises(SpecError) as wrong:
            run_scenarios(dos, [str(path)])
        assert [d.code for d in wrong.value.report.errors] == [code]


# ---- what comes to nothing in play -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("chain", "line"),
    [
        ("follow: c where c.suit is led_suit\n", ""),
        ("lead: c where c.suit is not bells\n", ""),
        (
            "follow:\n  c where c.suit is led_suit\n  else c where c.suit is trump\n",
            "else c where c.suit is trump",
        ),
    ],
)
def test_a_chain_that_may_leave_nothing_to_play_is_told(chain: str, line: str) -> None:
    assert lines(spec(tricks=PLAIN + chain)) == [f"W604 {line or chain.strip()}"]


@pytest.mark.parametrize(
    "chain",
    [
        "follow: c where c.suit is led_suit, else any\n",
        "follow: any\n",
        "lead: c where c.suit is bells, else t where t.suit is not bells\n",
        "lead: c where c.rank > 4, else c where c.suit is bells, else c where c.rank <= 4\n",
        "lead: c where c.suit in {bells, leaves}, else c where not c.suit in {bells, leaves}\n",
        "follow: c where c.suit is led_suit, else c where yes\n",
    ],
)
def test_a_chain_that_lets_every_hand_play_is_not(chain: str) -> None:
    assert lines(spec(tricks=PLAIN + chain)) == []


def test_no_passes_end_no_auction() -> None:
    for count in range(4):
        text = spec(ONCE.replace("once round from left of dealer", f"round from dealer until {count} passes"))
        wanted = [] if count else ["E404 speakers: round from dealer until 0 passes"]
        assert lines(text) == wanted
