"""The traced flavour plays the games of the plain one, and counts the same in the interpreter and in a module."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle import __version__, cli, coverage, session, simulate
from hoyle.compile import compile_program
from hoyle.interpret import Game
from hoyle.interpret.tracing import TracedInterpreted
from hoyle.program import Mark, Program
from hoyle.runtime.chance import mix, pick
from hoyle.runtime.game import BaseGame
from hoyle.session import check as checked_file
from hoyle.session import compiled
from lockstep import Both, module_of
from made_up_specs import accepted, checked, specs
from specs_for_tests import ALL, FOLDER, SHORT, SMALL, SPECS, counts, game
from test_lockstep import made_up
from test_program import parts

TINY = """
hoyle 1

game "Tiny" for 2 players

components
  enum Mark = red, blue
  card Chip(mark: Mark)  "{mark}"
  deck in bag
    2 Chip(m) for m in Mark

zones
  bag:  pile, hidden
  hand: pool, open, each player

state
  score = 0 for each player
  turn = 0

play
  shuffle bag
  deal 2 from bag to each hand
  turns p from first_of_all until every q in players where q.hand is empty  # "until" is heard
    turn += 1
    do drop(p)
  for q in players
    if turn > 90
      q.score = 0
      do never
    else if turn is 4
      q.score += 1
    else
      q.score += 2

phase drop(p: player)
  choose p
    option put(c in p.hand)  "puts # {c}"
      move c to bag
      if c.mark is red
        p.score += 1
    option wait when turn > 90
      score_of_waiting = 1

phase never
  turn = 0

result
  rank p by highest p.score
""".replace("first_of_all", "beginner").replace(
    "state\n", "state\n  beginner: player\n  score_of_waiting = 0\n"
)


@cache
def traced(name: str) -> Program:
    """Return the traced program of a spec."""
    _, program = checked_file(str(FOLDER / f"{name}.hoyle") if name in SMALL else name, traced=True)
    assert program is not None
    return program


def traced_text(text: str) -> Program:
    report, program = checked(text, traced=True)
    assert program is not None, [(d.message, d.span.line) for d in report.errors]
    return program


def times(made: BaseGame, kind: str, line: int, players: int | None = None) -> int:
    """Return how often the point of a kind at a line was passed."""
    found = [
        n
        for x, n in zip(made.points, made.fired(players), strict=True)  # type: ignore[attr-defined]
        if (x.kind, x.line) == (kind, line)
    ]
    assert len(found) == 1, (kind, line, found)
    return found[0]


def line_of(words: str, text: str = TINY) -> int:
    (found,) = [n for n, line in enumerate(text.split("\n"), 1) if line.strip().startswith(words)]
    return found


# ---- the same games, the same counts ----------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_all_four_play_the_same_games_and_both_count_the_same(name: str, players: int) -> None:
    given, most = SHORT.get(name, {}), 2_000
    interpreted, module = TracedInterpreted(traced(name)), compiled(traced(name))
    runs = [
        list(x.playouts(8, players, seed=5, max_decisions=most, **given))
        for x in (game(name), interpreted, module)
    ]
    assert runs[0] == runs[1] == runs[2]
    assert interpreted.points == module.points  # type: ignore[attr-defined]
    fired = interpreted.fired(players, **given)
    assert fired == module.fired(players, **given)  # type: ignore[attr-defined]
    assert sum(fired) > 0


@pytest.mark.parametrize("name", ALL)
def test_a_traced_module_stands_at_every_step_where_the_plain_one_does(name: str) -> None:
    plain, module = module_of(game(name).program), module_of(traced(name))
    players, given = plain.counts[-1], SHORT.get(name, {})
    for seed in range(2):
        left, right = (x.start(players, seed, 400, **given) for x in (plain, module))
        choice = mix(seed, 1)
        while left.turn is not None:
            moves = left.legal()
            assert moves == right.legal()
            choice, place = pick(choice, len(moves))
            left.step(moves[place])
            right.step(moves[place])
            if left.decisions % 16 == 0:
                assert [left.view(s) for s in range(players)] == [right.view(s) for s in range(players)]
        assert (left.outcome, left.scores, left.winners) == (right.outcome, right.scores, right.winners)
        assert left.log(None) == right.log(None)


@pytest.mark.parametrize("name", ALL)
def test_back_ends_of_a_traced_program_are_in_lockstep(name: str) -> None:
    both = Both(Game(traced(name)))
    for players in both.left.counts[:2]:
        both.play(players, 8, every=32, most=300, **SHORT.get(name, {}))


@made_up
@given(specs(), st.integers(0, 1 << 32))
def test_made_up_specs_are_counted_alike(text: str, seed: int) -> None:
    plain = Game(accepted(text))
    program = traced_text(text)
    interpreted, module = TracedInterpreted(program), compiled(program)
    for players in plain.counts[:2]:
        runs = [
            list(x.playouts(4, players, seed=seed, max_decisions=40)) for x in (plain, interpreted, module)
        ]
        assert runs[0] == runs[1] == runs[2]
        assert interpreted.fired(players) == module.fired(players)  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ALL)
def test_a_traced_spec_is_told_the_same_faults_and_a_plain_one_counts_nothing(name: str) -> None:
    path = str(FOLDER / f"{name}.hoyle") if name in SMALL else name
    plain, plain_program = checked_file(path)
    report, program = checked_file(path, traced=True)
    assert plain.diagnostics == report.diagnostics
    assert plain_program is not None and program is not None
    assert plain_program.points == () and not any(isinstance(x, Mark) for x in parts(plain_program))
    assert "fired" not in compile_program(plain_program, __version__)
    laid = {x.point for x in parts(program) if isinstance(x, Mark)}
    offered = {n for b in program.blocks for o in getattr(b.exit, "options", ()) for n in o.points or ()}
    assert laid | offered == set(range(len(program.points))) and not laid & offered
    assert Program.model_validate_json(program.model_dump_json()) == program


# ---- what is counted, by hand -----------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [TracedInterpreted, compiled], ids=["interpreted", "compiled"])
def test_a_tiny_game_is_counted_as_by_hand(make: Any) -> None:
    """Four chips, two of them red, are put one by one in every game, and nobody ever has to wait."""
    made = make(traced_text(TINY))
    assert len(list(made.playouts(10, seed=1))) == 10
    assert times(made, "phase", line_of("play")) == 10
    assert times(made, "loop", line_of("turns p")) == 40
    assert times(made, "until", line_of("turns p")) == 10
    assert times(made, "phase", line_of("phase drop")) == 40
    assert times(made, "offered", line_of("option put")) == times(made, "taken", line_of("option put")) == 40
    assert times(made, "offered", line_of("option wait")) == times(made, "taken", line_of("option wait")) == 0
    assert times(made, "branch", line_of("if c.mark")) == times(made, "held", line_of("if c.mark")) == 20
    assert times(made, "loop", line_of("for q")) == 20
    assert times(made, "branch", line_of("if turn")) == 0
    assert times(made, "branch", line_of("else if")) == 20
    assert times(made, "else", line_of("else\n".strip(), TINY.replace("else if", "otherwise if"))) == 0
    assert times(made, "phase", line_of("phase never")) == 0


def test_what_never_happened_is_told_with_line_and_words_and_once() -> None:
    """The phase is not told: the branch that runs it never came about, though it is written elsewhere, so it is."""
    made = compiled(traced_text(TINY))
    tally = simulate.run(made, 2, 10, 1, {})
    assert coverage.text(tally.points, tally.fired, tally.games) == [
        "In 10 games of random bots:",
        f"  line {line_of('if turn')}: `if turn > 90` never held",
        f"  line {line_of('else if') + 2}: the `else` of `else if turn is 4` never came about",
        f"  line {line_of('option wait')}: nobody was ever offered `option wait when turn > 90`",
        f"  line {line_of('phase never')}: `phase never` never began",
    ]


def test_the_table_of_counts_reads_like_this() -> None:
    tally = simulate.run(compiled(traced_text(TINY)), 2, 10, 1, {})
    lines = coverage.text(tally.points, tally.fired, tally.games, counts=True)
    assert "\n".join(lines[6:]) == (
        "  line  times  what\n"
        "    22     10  began         play\n"
        "    25     40  passes        turns p from beginner until every q in players where q.hand…\n"
        "    25     10  ended it      turns p from beginner until every q in players where q.hand…\n"
        "    28     20  passes        for q in players\n"
        "    29      0  held          if turn > 90\n"
        "    32     20  held          else if turn is 4\n"
        "    34      0  otherwise     else\n"
        "    37     40  began         phase drop(p: player)\n"
        '    39     40  offered       option put(c in p.hand)  "puts # {c}"\n'
        '    39     40  taken         option put(c in p.hand)  "puts # {c}"\n'
        "    41     20  held          if c.mark is red\n"
        "    41     20  did not hold  if c.mark is red\n"
        "    43      0  offered       option wait when turn > 90\n"
        "    43      0  taken         option wait when turn > 90\n"
        "    46      0  began         phase never"
    )


def test_an_option_offered_and_not_taken_says_so() -> None:
    points = traced_text(TINY).points
    offered = next(i for i, x in enumerate(points) if x.kind == "offered" and "wait" in x.words)
    fired = [1] * len(points)
    fired[offered], fired[offered + 1] = 1200, 0
    assert points[offered + 1].of == offered
    assert [x.sentence for x in coverage.never(points, fired)] == [
        "nobody ever took `option wait when turn > 90`, offered 1,200 times"
    ]


def test_links_of_tricks_count_which_of_them_decided() -> None:
    """On the first trick of Hearts nobody has hearts and the queen alone, but for one deal in very many."""
    tally = simulate.run(compiled(traced("hearts")), 4, 20, 0, SHORT["hearts"])
    found = {x.words: n for x, n in zip(tally.points, tally.fired, strict=True) if x.kind == "playable"}
    deals = next(n for x, n in zip(tally.points, tally.fired, strict=True) if x.words == "phase one_deal")
    assert found["c where c is Card(clubs, 2)"] == deals
    assert found["else any"] == 0
    assert sum(n for n in found.values()) <= 52 * deals
    assert "`else any` never decided what may be played" in "\n".join(
        coverage.text(tally.points, tally.fired, tally.games)
    )


def test_picks_of_one_move_count_as_one_option() -> None:
    tally = simulate.run(compiled(traced("hearts")), 4, 3, 0, SHORT["hearts"])
    by = {(x.kind, x.words.split("(")[0]): n for x, n in zip(tally.points, tally.fired, strict=True)}
    assert (
        by["taken", "option pass"] == by["offered", "option pass"] == 4 * by["branch", "if deals mod 4 < 3"]
    )


def test_every_sentence_has_words_and_every_kind_is_laid_by_some_spec() -> None:
    kinds = {x.kind for name in ALL for x in traced(name).points}
    assert kinds <= set(coverage.NEVER) == set(coverage.COUNTED)
    assert set(coverage.NEVER) - kinds == set()
    assert all(x.words and 0 < x.line <= x.last for name in ALL for x in traced(name).points)


# ---- simulations ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SPECS)
def test_a_simulation_is_the_same_by_any_of_the_four(name: str) -> None:
    players, given = game(name).counts[0], SHORT.get(name, {})
    made = [
        game(name),
        module_of(game(name).program),
        TracedInterpreted(traced(name)),
        compiled(traced(name)),
    ]
    figures = [simulate.as_json(simulate.run(x, players, 6, 3, given)) for x in made]
    covered = [x.pop("coverage") for x in figures]
    assert all({**x, "rate": None} == {**figures[0], "rate": None} for x in figures)
    assert covered[0] is None and covered[1] is None and covered[2] == covered[3]
    assert set(covered[2]) == {"points", "never"}


def test_a_second_run_of_a_game_does_not_count_the_first() -> None:
    made = compiled(traced_text(TINY))
    first, second = (simulate.run(made, 2, 5, 1, {}).fired for _ in range(2))
    assert first == second


def test_few_games_are_interpreted_and_many_compiled(tmp_path: Path) -> None:
    path = tmp_path / "tiny.hoyle"
    path.write_text(TINY.lstrip("\n"), encoding="utf-8")
    few, many = (session.counting(str(path), n) for n in (1, session.WORTH_COMPILING))
    assert isinstance(few, TracedInterpreted) and not isinstance(many, Game)
    assert simulate.run(few, 2, 9, 4, {}).fired == simulate.run(many, 2, 9, 4, {}).fired


def test_what_python_can_not_take_nested_so_deep_is_interpreted(tmp_path: Path) -> None:
    path = tmp_path / "deep.hoyle"
    loops = "".join(f"{'  ' * n}for q{n} in players where q{n} is beginner\n" for n in range(1, 22))
    text = TINY.lstrip("\n").replace("  shuffle bag\n", f"{loops}{'  ' * 22}turn = 0\n  shuffle bag\n")
    path.write_text(text, encoding="utf-8")
    made = session.counting(str(path), session.WORTH_COMPILING)
    assert isinstance(made, TracedInterpreted)
    assert simulate.run(made, 2, 5, 1, {}).finished == 5


@pytest.mark.parametrize("within", ["for q{} in players where q{} is beginner", "if turn > 0"])
def test_what_python_can_not_take_nested_so_deep_is_not_compiled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], within: str
) -> None:
    path = tmp_path / "deep.hoyle"
    rows = "".join(f"{'  ' * n}{within.format(n, n)}\n" for n in range(1, 22 if "for" in within else 98))
    deepest = "  " * (rows.count("\n") + 1)
    path.write_text(TINY.lstrip("\n").replace("  shuffle bag\n", f"{rows}{deepest}turn = 0\n  shuffle bag\n"))
    assert cli.run(["compile", str(path), "-o", str(tmp_path)]) == 1
    err = capsys.readouterr().err
    assert "only the interpreter can play them" in err or "E108" in err
    assert not (tmp_path / "deep.py").exists()


def test_a_fault_in_a_game_compiled_in_memory_is_told_like_any_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tiny.hoyle"
    path.write_text(TINY.lstrip("\n").replace("turn += 1", "turn += 1 + 0 / (2 - turn)"), encoding="utf-8")
    assert cli.run(["simulate", str(path), "--games", "60"]) == 1
    out, err = capsys.readouterr()
    assert "faults 60" in out and "fault in 60 games: line 25" in err and "Traceback" not in err


def test_the_command_tells_what_never_came_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tiny.hoyle"
    path.write_text(TINY.lstrip("\n"), encoding="utf-8")
    assert cli.run(["simulate", str(path), "--games", "60"]) == 0
    out = capsys.readouterr().out
    assert "In 60 games of random bots:\n  line 28: `if turn > 90` never held\n" in out
    assert "passes" not in out
    assert cli.run(["simulate", str(path), "--games", "60", "--counts"]) == 0
    assert "    38    240  taken " in capsys.readouterr().out
    assert cli.run(["simulate", str(path), "--games", "60", "--format", "json"]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    told = run["coverage"]
    assert told["never"][0] == {"point": 4, "line": 28, "sentence": "`if turn > 90` never held"}
    assert told["points"][4] == {"kind": "branch", "line": 28, "words": "if turn > 90", "times": 0}


def test_a_game_of_which_all_came_up_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["simulate", "kuhn_poker", "--games", "300"]) == 0
    assert "All that the rules speak of came up in 300 games." in capsys.readouterr().out


# ---- modules ----------------------------------------------------------------------------------------------------


def test_a_traced_module_is_written_beside_the_plain_one_and_stands_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = tmp_path / "tiny.hoyle"
    spec.write_text(TINY.lstrip("\n"), encoding="utf-8")
    assert cli.run(["compile", str(spec), "--traced", "-o", str(tmp_path)]) == 0
    plain, module = tmp_path / "tiny.py", tmp_path / "tiny_traced.py"
    assert capsys.readouterr().out.split() == [str(plain), str(module)]
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from tiny_traced import game\n"
        "games = list(game.playouts(10, seed=1))\n"
        "print(sum(n for x, n in zip(game.points, game.fired()) if x.kind == 'taken'))\n"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert run.stdout == "40\n", run.stderr
    assert cli.run(["simulate", str(module), "--games", "10"]) == 0
    assert "never held" in capsys.readouterr().out
    assert cli.run(["simulate", str(plain), "--games", "10"]) == 0
    assert "never held" not in capsys.readouterr().out


@pytest.mark.parametrize("name", ["hearts", "moon", "dos"])
def test_a_traced_module_is_clean_by_other_tools_lights(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}_traced.py"
    path.write_text(compile_program(traced(name), __version__), encoding="utf-8")
    for tool in (["ruff", "check", "--ignore", "T20,E501,B,SIM,C4,RET,PIE,RUF"], ["mypy", "--strict"]):
        run = subprocess.run(
            [sys.executable, "-m", *tool, str(path)],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )
        assert run.returncode == 0, run.stdout + run.stderr
