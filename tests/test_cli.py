"""The commands: exit status, what goes to which stream, and that no mistake of a person ends in a traceback."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import fakes
import hoyle
from fakes import FakeGame, FakePlayout, FakeResult
from hoyle import cli
from hoyle.runtime.faults import Fault

ESCAPE = "\x1b"


@pytest.fixture
def game(monkeypatch: pytest.MonkeyPatch) -> FakeGame:
    return fakes.install(monkeypatch)


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, timeout=60
    )


# --- the command itself ---


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--help"]) == 0
    out = capsys.readouterr().out
    for command in ("check", "test", "play", "simulate", "replay", "new"):
        assert command in out


@pytest.mark.parametrize("command", ["check", "test", "play", "simulate", "replay", "new"])
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([command, "-h"]) == 0
    assert "Usage" in capsys.readouterr().out


def test_the_command_line_imports_nothing_heavy() -> None:
    heavy = "{'lark', 'pydantic', 'jinja2', 'rich', 'json', 'hoyle.metrics'}"
    run = python("-c", f"import sys, hoyle.cli; print(sorted({heavy} & set(sys.modules)))")
    assert run.stdout.strip() == "[]", run.stderr


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--version"]) == 0
    assert capsys.readouterr().out == f"hoyle {hoyle.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["simulte", "high"], "did you mean 'simulate'"),
        (["simulate", "high", "--gmes", "3"], "did you mean --games"),
        (["simulate", "high", "--games", "none"], "--games"),
        (["simulate", "high", "--games", "0"], "--games"),
        (["simulate", "hihg"], "did you mean high"),
        (["simulate", "high", "--players", "7"], "High Cards is for 2 to 4 players, not 7"),
        (["simulate", "high", "--players", "4..2"], "write 2..4"),
        (["simulate", "high", "--players", "many"], "such as 4, 2..4, 2,3 or all, not 'many'"),
        (["simulate", "high", "--set", "hand_size"], "--set takes PARAMETER=VALUE"),
        (["simulate", "high", "--set", "hand_sise=3"], "did you mean hand_size"),
        (["simulate", "high", "--set", "hand_size=x"], "within 1..60"),
        (["simulate", "high", "--set", "hand_size=2,x"], "within 1..60"),
        (["simulate", "high", "--set", "hand_size=5..3"], "write 3..5"),
        (["simulate", "high", "--set", "hand_size=1..99999999999"], "too long a range"),
        (
            ["simulate", "high", "--set", "hand_size=1..60", "--set", "fault_at=0..5"],
            "at most 100 are compared",
        ),
        (["play", "high", "--set", "hand_size=2,3"], "within 1..60"),
        (["play", "high", "--players", "5"], "2 to 4 players, not 5"),
        (["play", "high", "--seat", "3"], "only 2 players"),
        (["replay", "high"], "missing option '--seed'"),
        (["check", "hihg"], "did you mean high"),
        (["check", "high", "--show", "program", "--format", "json"], "leave out"),
        (["check", "high", "--format", "xml"], "xml"),
        (["compile", "high", "--show", "passes", "--traced"], "leave out --traced"),
        (["compile", "high", "--show", "passes", "-o", "there"], "leave out --traced and --output"),
        (["compile", "high", "--show", "program"], "passes"),
    ],
)
def test_misuse_is_told_in_one_line(
    arguments: list[str], words: str, game: FakeGame, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("hoyle: ") and err.count("\n") == 1
    assert words.lower() in err.lower()


def test_parameters_that_do_not_go_together_are_misuse(
    game: FakeGame, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(**_: object) -> None:
        raise ValueError("too many cards for 4 players")

    monkeypatch.setattr(game, "start", refuse)
    assert cli.run(["simulate", "high"]) == 2
    assert capsys.readouterr().err == "hoyle: too many cards for 4 players\n"


def test_a_bug_of_ours_says_that_it_is_ours(game: FakeGame, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["check", "broken"]) == 70
    err = capsys.readouterr().err
    assert "This is a fault of hoyle, not of your spec." in err
    assert "Traceback" in err and "KeyError: 'a bug'" in err


def test_a_closed_pipe_is_no_matter(tmp_path: Path) -> None:
    script = tmp_path / "flood.py"
    script.write_text(
        "from hoyle import cli, console\n"
        "@cli.app.command()\n"
        "def flood() -> int:\n"
        "    while True:\n"
        "        console.say('x' * 1000)\n"
        "cli.app.pretty_exceptions_enable = False\n"
        "cli.sys.argv = ['hoyle', 'flood']\n"
        "cli.main()\n"
    )
    run = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert run.stdout is not None and run.stderr is not None
    run.stdout.read(1000)
    run.stdout.close()
    assert run.stderr.read() == b""
    assert run.wait(timeout=30) == 141


# --- check ---


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["high"], 0),
        (["doubtful"], 0),
        (["doubtful", "--strict"], 1),
        (["wrong"], 1),
        (["high", "wrong"], 1),
    ],
)
def test_check_fails_on_errors(arguments: list[str], status: int, game: FakeGame) -> None:
    assert cli.run(["check", *arguments]) == status


def test_check_puts_its_report_on_stdout(game: FakeGame, capsys: pytest.CaptureFixture[str]) -> None:
    cli.run(["check", "wrong", "doubtful"])
    out, err = capsys.readouterr()
    assert "error[E201]" in out and "warning[W301]" in out and out.endswith("1 error, 1 warning\n")
    assert err == "" and ESCAPE not in out


def test_check_gives_one_json_for_all_specs(game: FakeGame, capsys: pytest.CaptureFixture[str]) -> None:
    cli.run(["check", "wrong", "doubtful", "--format", "json"])
    data = json.loads(capsys.readouterr().out)
    assert [entry["path"] for entry in data["diagnostics"]] == ["wrong", "doubtful"]


def test_check_shows_the_program_and_keeps_the_report_apart(
    game: FakeGame, capsys: pytest.CaptureFixture[str]
) -> None:
    cli.run(["check", "doubtful", "--show", "program"])
    out, err = capsys.readouterr()
    assert out == "the program\n" and "W301" in err


def test_compile_shows_what_passes_found_and_writes_nothing(
    game: FakeGame, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.run(["compile", "doubtful", "wrong", "--show", "passes"]) == 1
    out, err = capsys.readouterr()
    assert out == "passes of the program\n" and "error[E201]" in err and "nothing was shown for wrong" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["test", "play", "simulate", "replay --seed 1"])
def test_a_spec_with_errors_is_reported_on_stderr(
    command: str, game: FakeGame, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *options = command.split()
    assert cli.run([name, "wrong", *options]) == 1
    out, err = capsys.readouterr()
    assert out == "" and "error[E201]" in err


# --- test ---


def test_scenarios_that_pass_are_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fakes.install(monkeypatch, [FakeResult("one"), FakeResult("two")])
    assert cli.run(["test", "high"]) == 0
    assert capsys.readouterr() == ("2 scenarios, 2 passed\n", "")


def test_a_failing_scenario_is_located(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = FakeResult("two", line=31, passed=False, problems=["high.hoyle:34: ann.hand is empty: it is not"])
    fakes.install(monkeypatch, [FakeResult("one"), bad])
    assert cli.run(["test", "high"]) == 1
    assert capsys.readouterr().out == (
        "high.hoyle:31: two\n    high.hoyle:34: ann.hand is empty: it is not\n2 scenarios, 1 passed, 1 failed\n"
    )


def test_scenarios_as_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    fakes.install(monkeypatch, [FakeResult("one", passed=False, problems=["no"])])
    assert cli.run(["test", "high", "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert (data["schema"], data["passed"], data["failed"]) == (1, 0, 1)
    assert data["scenarios"][0]["problems"] == ["no"]


def test_a_spec_without_scenarios_says_so(game: FakeGame, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["test", "high"]) == 0
    assert capsys.readouterr().out == "high has no scenarios\n"


# --- simulate ---


def test_simulate_takes_every_player_count(game: FakeGame, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["simulate", "high", "--games", "20"]) == 0
    out, err = capsys.readouterr()
    assert [f"High Cards, {n} players, 20 games" in out for n in (2, 3, 4)] == [True] * 3
    assert err == "" and ESCAPE not in out


@pytest.mark.parametrize(
    ("players", "counts"),
    [("3", [3]), ("2..3", [2, 3]), ("2,4", [2, 4]), ("all", [2, 3, 4]), (" 2 .. 3 , 4", [2, 3, 4])],
)
def test_player_counts(
    players: str, counts: list[int], game: FakeGame, capsys: pytest.CaptureFixture[str]
) -> None:
    cli.run(["simulate", "high", "--games", "2", "--players", players, "--format", "json"])
    assert [run["players"] for run in json.loads(capsys.readouterr().out)["runs"]] == counts


def test_the_json_of_a_run_is_the_same_again_but_for_the_rate(
    game: FakeGame, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = []
    for _ in range(2):
        cli.run(["simulate", "high", "--games", "30", "--format", "json", "--set", "hand_size=2"])
        data = json.loads(capsys.readouterr().out)
        assert data["schema"] == 1 and data["complete"] is True
        assert data["parameters"] == {"hand_size": "2", "fault_at": "0", "endless": "no"}
        assert all(run.pop("rate")["seconds"] > 0 for run in data["runs"])
        texts.append(json.dumps(data))
    assert texts[0] == texts[1]


def test_several_values_of_parameters_are_compared_side_by_side(
    game: FakeGame, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = [
        "simulate",
        "high",
        "--games",
        "4",
        "--players",
        "2,3",
        "--set",
        "hand_size=2..3,7",
        "--set",
        "endless=no",
    ]
    assert cli.run(asked) == 0
    head, *rows = capsys.readouterr().out.split("\n\n")[0].splitlines()
    assert head.split()[:3] == ["hand_size", "players", "finished"]  # what is the same in all is not named
    assert [row.split()[:2] for row in rows] == [[size, n] for n in "23" for size in "237"]
    cli.run([*asked, "--format", "json"])
    runs = json.loads(capsys.readouterr().out)["runs"]
    assert [(run["set"]["hand_size"], run["players"]) for run in runs] == [
        (s, n) for n in (2, 3) for s in "237"
    ]
    assert {run["set"]["endless"] for run in runs} == {"no"}


def test_a_fault_of_one_of_several_ways_is_shown_with_it(
    game: FakeGame, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["simulate", "high", "--games", "3", "--players", "2", "--set", "fault_at=0,2"]) == 1
    told = capsys.readouterr()
    assert "--game 0 --set fault_at=2" in told.err and "fault_at=0" not in told.err
    assert [row.split()[2] for row in told.out.splitlines()[1:3]] == ["100.0", "0.0"]


def test_faults_are_shown_with_the_way_to_see_them(
    game: FakeGame, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["simulate", "high", "--games", "9", "--players", "2", "--set", "fault_at=2", "--seed", "5"]
    assert cli.run(arguments) == 1
    err = capsys.readouterr().err
    assert "fault in 9 games: line 12: the choice is empty" in err
    assert "hoyle replay high --players 2 --seed 5 --game 0 --set fault_at=2" in err


def test_games_that_stall_are_said_to(game: FakeGame, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["simulate", "high", "--games", "4", "--players", "2", "--set", "endless=yes"]) == 0
    out, err = capsys.readouterr()
    assert "4 games stalled" in out
    assert "  to see it: hoyle replay high --players 2 --seed 0 --game 0 --set endless=yes\n" in err


def test_a_game_that_stalled_early_is_replayed_as_far(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["simulate", "dos", "--games", "2", "--players", "2", "--stall-after", "7"]) == 0
    out, err = capsys.readouterr()
    assert "2 games stalled" in out
    _, typed = err.splitlines()[1].split("hoyle ")
    assert typed == "replay dos --players 2 --seed 0 --game 0 --stall-after 7"
    assert cli.run(typed.split()) == 0
    assert "The game stalled: 7 decisions and no end." in capsys.readouterr().out


def test_ctrl_c_prints_the_games_so_far(
    game: FakeGame, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def playouts(n: int, **_: object) -> Iterator[FakePlayout]:
        for number in range(n):
            if number == 5:
                os.kill(os.getpid(), signal.SIGINT)
            yield FakePlayout((1, 0), (0,), 4, choices=8)

    monkeypatch.setattr(game, "playouts", playouts)
    assert cli.run(["simulate", "high", "--games", "100"]) == 130
    out, err = capsys.readouterr()
    assert "2 players, 6 games" in out and "3 players" not in out
    assert err == "Stopped after 6 of 300 games.\n"


def test_json_after_ctrl_c_is_whole_and_says_that_the_run_is_not(
    game: FakeGame, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def playouts(n: int, **_: object) -> Iterator[FakePlayout]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(game, "playouts", playouts)
    assert cli.run(["simulate", "high", "--format", "json"]) == 130
    data = json.loads(capsys.readouterr().out)
    assert data["complete"] is False and data["runs"][0]["games"] == 0


def test_the_progress_bar_leaves_the_data_on_stdout(
    game: FakeGame, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert cli.run(["simulate", "high", "--games", "50", "--players", "2"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("High Cards, 2 players, 50 games") and ESCAPE not in out
    assert "High Cards, 2 players" in err and "finished" not in err


def test_a_fault_before_the_first_decision_is_counted_like_any_other(
    game: FakeGame, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def start(**_: object) -> None:
        raise Fault("nothing to deal", line=4)

    def playouts(n: int, **_: object) -> Iterator[FakePlayout]:
        return (FakePlayout((), (), 0, "fault", "line 4: nothing to deal") for _ in range(n))

    monkeypatch.setattr(game, "start", start)
    monkeypatch.setattr(game, "playouts", playouts)
    assert cli.run(["simulate", "high", "--games", "3", "--players", "2"]) == 1
    assert "fault in 3 games: line 4: nothing to deal" in capsys.readouterr().err


# --- replay ---


def test_replay_reads_a_game_to_its_end(game: FakeGame, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["replay", "high", "--seed", "3", "--game", "2", "--players", "3"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("High Cards, 3 players, seed 3, game 2\n")
    assert "    1  player 1: " in out and "The game is over after" in out


def test_replay_stops_at_a_fault(game: FakeGame, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["replay", "high", "--seed", "3", "--set", "fault_at=2"]) == 1
    out, err = capsys.readouterr()
    assert "    1  player 1: " in out
    assert err == "hoyle: this game can't go on: line 12: the choice is empty\n"


# --- new ---


def test_new_writes_a_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["new", "sea-dog", str(tmp_path / "games")]) == 0
    text = (tmp_path / "games" / "sea-dog.hoyle").read_text(encoding="utf-8")
    assert text.startswith("hoyle 1\n") and 'game "Sea Dog" for 2..4 players' in text
    out, err = capsys.readouterr()
    assert out.strip() == str(tmp_path / "games" / "sea-dog.hoyle") and "hoyle test" in err


def test_new_never_writes_over_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.hoyle").write_text("my work")
    assert cli.run(["new", "mine.hoyle", str(tmp_path)]) == 2
    assert (tmp_path / "mine.hoyle").read_text() == "my work"
    assert "exists already" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["../out", "", "1st", "a b", ".hoyle"])
def test_new_refuses_names_that_are_none(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["new", name, str(tmp_path)]) == 2
    assert list(tmp_path.iterdir()) == []
    assert capsys.readouterr().err.count("\n") == 1


def test_the_new_game_is_one_that_runs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.run(["new", "mine", str(tmp_path)])
    path = str(tmp_path / "mine.hoyle")
    capsys.readouterr()
    assert cli.run(["check", path, "--strict"]) == 0
    assert cli.run(["test", path]) == 0
    assert cli.run(["simulate", path, "--games", "20"]) == 0
    out, err = capsys.readouterr()
    assert "2 scenarios, 2 passed" in out and "stalled 0, faults 0" in out and err == ""


# --- a game of the library, by the real interpreter ---


def test_a_library_game_is_simulated_and_replayed_alike(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--players", "3", "--seed", "9", "--set", "target=50"]
    assert cli.run(["simulate", "dos", "--games", "1", "--format", "json", *options]) == 0
    (figures,) = json.loads(capsys.readouterr().out)["runs"]
    assert cli.run(["replay", "dos", *options]) == 0
    replayed = capsys.readouterr().out
    assert f"The game is over after {figures['length']['least']} decisions." in replayed
    for seat in figures["seats"]:
        assert re.search(rf"^  player {seat['seat'] + 1} +{seat['score']['least']}$", replayed, re.MULTILINE)


def test_a_library_game_is_played_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 3000))
    assert cli.run(["play", "dos", "--seed", "2", "--set", "target=50"]) == 0
    out, err = capsys.readouterr()
    assert "The game is over" in out and err == ""


def test_a_reader_in_one_seat_is_told_no_secret(capsys: pytest.CaptureFixture[str]) -> None:
    cli.run(["replay", "dos", "--seed", "4", "--seat", "1", "--set", "target=50"])
    for line in capsys.readouterr().out.splitlines():
        if line.endswith("stock -> player 2's hand"):
            assert line.split(":")[0].split()[1] in ("card", "cards")
