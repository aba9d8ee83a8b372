"""Modules: up to date, alone, the same byte for byte, clean by other tools' lights, written whole or not at all."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from hoyle import __version__, modules
from hoyle.cli import run
from hoyle.compile import compile_program
from hoyle.compile.embed import MODULES as EMBEDDED
from hoyle.resources import folder
from hoyle.runtime.play import show
from hoyle.session import interpreted, load, load_text
from lockstep import Both
from specs_for_tests import SMALL, game

GENERATED = Path(str(folder("generated")))
SPECS = Path(str(folder("specs")))
MODULES = sorted(GENERATED.glob("*.py"))

NASTY = r'''
hoyle 1

game "Class \ 'é" for 2 players
  > Rules with "quotes", a \ backslash, """three""" and ünïcödé: 牌. Ends in a quote"

parameters
  lambda = 3 in 1..5
  yield = yes

components
  enum List = def, class, none_, print
  card State(type: List, len: 1..2)  "{type} {len}"
  deck in table
    2 State(type, len) for type in List, len in 1..2

zones
  table: pile, hidden
  self:  pool, open
  hand:  pool, seen by owner, each player

state
  range = 0
  log = 0 for each player
  import: List or none

define max(c: card) = c.len if c.type is class else 0
define id(p: player) = sum of max(c) for c in p.hand

play
  gather every card into table, shuffled
  deal lambda from table to each hand
  pick first_player at random from players
  turns s from first_player until every q in players where q.hand is empty
    do global(s)

phase global(try: player)
  if try.hand is not empty
    choose try
      option while(n in try.hand where n.len > 0) "plays {n}"
        > Put it down: "so" \ so, \N{LATIN}.
        move n to self
        try.log += max(n) if yield else id(try)
        range += 1
        import = class

result
  rank p by highest p.log
'''


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.stem)
def test_a_module_is_what_its_spec_makes(path: Path) -> None:
    """`make generated` brings a module up to date; nobody edits one."""
    program = interpreted(str(SPECS / f"{path.stem}.hoyle")).program
    assert path.read_text(encoding="utf-8") == compile_program(program, __version__)


def test_every_game_has_a_module() -> None:
    assert {p.stem for p in MODULES} == {p.stem for p in SPECS.glob("*.hoyle")}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.stem)
def test_a_module_runs_alone(path: Path, tmp_path: Path) -> None:
    shutil.copy(path, tmp_path)
    command = [sys.executable, "-I", "-S", path.name, "--games", "3"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("player 1: ")


BREAKING = """hoyle 1

game "Breaking" for 2 players

state
  score: 0..3 for each player
  starter: player

play
  pick starter at random from players
  turns p from starter until no is yes
    choose p
      option wait
      option take(n in 4..9)
        p.score += n

result
  rank p by highest p.score
"""


def test_a_module_tells_games_that_break_off_or_do_not_end(tmp_path: Path) -> None:
    (tmp_path / "breaking.hoyle").write_text(BREAKING, encoding="utf-8")
    endless = BREAKING.replace("p.score += n", "p.score = 1")
    (tmp_path / "endless.hoyle").write_text(endless, encoding="utf-8")
    for name, status, words in (
        (
            "breaking",
            1,
            r"4 games broke off with a fault of the rules: line \d+: `score` would become \d+, .*",
        ),
        ("endless", 0, "4 games did not end"),
    ):
        assert run(["compile", str(tmp_path / f"{name}.hoyle"), "-o", str(tmp_path)]) == 0
        command = [sys.executable, "-I", "-S", str(tmp_path / f"{name}.py"), "--games", "4"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == status and done.stderr == ""
        *wins, told = done.stdout.splitlines()
        assert wins == ["player 1: 0 of 4", "player 2: 0 of 4"] and re.fullmatch(words, told)


def test_a_module_whose_reader_has_gone_ends_quietly(tmp_path: Path) -> None:
    shutil.copy(GENERATED / "dos.py", tmp_path)
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-I", "-S", str(tmp_path / "dos.py"), "--games", "2"]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_module_can_be_played_in_the_terminal(tmp_path: Path) -> None:
    shutil.copy(GENERATED / "dos.py", tmp_path)
    command = [sys.executable, "-I", "-S", "dos.py", "--target", "50", "--seed", "3"]
    done = subprocess.run(
        command, cwd=tmp_path, input="1\n" * 2000, capture_output=True, text=True, check=True
    )
    assert "won by" in done.stdout


def test_the_same_spec_makes_the_same_bytes(tmp_path: Path) -> None:
    code = f"from hoyle.cli import run; run(['compile', 'dos', '-o', {str(tmp_path)!r}])"
    texts = set()
    for seed in ("1", "2"):
        subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, check=True)
        texts.add((tmp_path / "dos.py").read_bytes())
    assert len(texts) == 1


@pytest.mark.parametrize(
    "tool",
    [
        ["ruff", "check", "--isolated"],
        ["ruff", "check", "--isolated", "--ignore-noqa"],  # those of specs/ need no rule left out
        ["ruff", "format", "--check"],
        ["mypy", "--strict"],
    ],
)
def test_modules_pass_as_they_come(tool: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *tool, *map(str, MODULES)],
        capture_output=True,
        text=True,
        cwd=GENERATED.parent,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("tool", [["ruff", "check", "--isolated"], ["mypy", "--strict"]])
def test_modules_of_small_specs_pass_too(tmp_path: Path, tool: list[str]) -> None:
    names = SMALL if "ruff" in tool else ["catch", "sums", "crazy", "lots"]
    made = [modules.write(game(name).program, tmp_path) for name in names]
    done = subprocess.run(
        [sys.executable, "-m", *tool, *map(str, made)], capture_output=True, text=True, cwd=GENERATED.parent
    )
    assert done.returncode == 0, done.stdout


def test_names_of_python_and_strange_rule_text_do_no_harm() -> None:
    both = Both(load_text(NASTY))
    assert {both.play(2, seed, every=1) for seed in range(20)} == {"finished"}


def test_a_module_is_a_game_like_any_other() -> None:
    game = load(str(GENERATED / "dos.py"))
    table = game.start(players=3, seed=4, target=50)
    while table.turn is not None:
        table.play(table.moves()[0])
    assert table.outcome == "finished"


def test_a_wrong_spec_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.hoyle").write_text('hoyle 1\ngame "Bad" for 2 players\nplay\n  do nothing\n')
    assert run(["compile", str(tmp_path / "bad.hoyle"), "-o", str(tmp_path / "out")]) == 1
    assert "E201" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_an_interrupted_compile_leaves_the_old_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = interpreted("dos").program
    old = modules.write(program, tmp_path)
    before = old.read_bytes()

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", stop)
    with pytest.raises(KeyboardInterrupt):
        modules.write(program, tmp_path)
    assert old.read_bytes() == before
    assert [f.name for f in tmp_path.iterdir()] == ["dos.py"]


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("my-game.hoyle", "my_game.py"),
        ("7up.hoyle", "_7up.py"),
        ("a/b/Dos.hoyle", "Dos.py"),
        ("class.hoyle", "class_game.py"),
        ("types.hoyle", "types_game.py"),  # a module beside which Python would not find its own
    ],
)
def test_a_module_has_a_name_that_python_can_import(spec: str, name: str) -> None:
    assert modules.module_name(spec) == name


@pytest.mark.parametrize(
    "name", ["dos.hoyle", 'we"i"rd, edition 1.hoyle', 'q"""x.hoyle', "back\\slash.hoyle"]
)
def test_only_a_module_of_the_same_spec_is_written_over(tmp_path: Path, name: str) -> None:
    program = interpreted("kuhn_poker").program.model_copy(update={"path": name})
    program = program.model_copy(update={"text": "A long story.\n" * 3000})
    path = modules.write(program, tmp_path)
    assert modules.write(program, tmp_path) == path  # as often as one likes
    ast.parse(path.read_text(encoding="utf-8"))
    other = program.model_copy(update={"path": path.stem + ".rules.hoyle"})
    path.rename(tmp_path / modules.module_name(other.path))
    with pytest.raises(modules.Taken, match="was made from"):
        modules.write(other, tmp_path)


def test_what_hoyle_did_not_make_is_left_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "dos.py").write_text("my own\n")
    (tmp_path / "ten.py").mkdir()
    for name in ("dos", "ten"):
        assert run(["compile", name, "-o", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert "hoyle did not make it" in told and "ten.py is a folder" in told
    assert (tmp_path / "dos.py").read_text() == "my own\n"


def test_no_two_modules_that_are_embedded_define_one_name() -> None:
    """In a compiled game they are one module: the later one would change what the earlier one does."""
    seen: dict[str, str] = {}
    for name in EMBEDDED:
        tree = ast.parse((files("hoyle.runtime") / f"{name}.py").read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                own = [node.name]
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                own = [x.id for x in targets if isinstance(x, ast.Name)]
            else:
                continue
            for x in own:
                assert seen.setdefault(x, name) == name, f"{x} stands in {seen[x]} and {name}"


@pytest.mark.parametrize(
    ("name", "there", "not_there"),
    [
        ("agram", (), ("Melding", "Assigning", "Tallies", "Partners", "payable")),
        ("dos", ("Partners",), ("Melding", "Assigning", "payable")),
        ("ten", ("Assigning", "Tallies", "Lanes", "payable"), ("Melding", "Partners")),
        ("knock_rummy", ("Melding",), ("Assigning", "payable")),
    ],
)
def test_a_module_brings_only_the_parts_it_needs(
    name: str, there: tuple[str, ...], not_there: tuple[str, ...]
) -> None:
    text = (GENERATED / f"{name}.py").read_text(encoding="utf-8")
    assert all(re.search(rf"^(class|def) {x}\b", text, re.M) for x in there)
    assert not any(re.search(rf"^(class|def) {x}\b", text, re.M) for x in not_there)


@pytest.mark.parametrize(
    ("cards", "shown"),
    [
        ([], "empty"),
        (["red 1", None], "red 1, ?"),
        ([None] * 36, "36 unseen"),
        ([str(n) for n in range(12)], "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11"),
        ([str(n) for n in range(14)], "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, and 2 more"),
    ],
)
def test_what_a_module_shows_of_a_zone_leaves_out_no_card_in_silence(
    cards: list[str | None], shown: str, capsys: pytest.CaptureFixture[str]
) -> None:
    show({"zones": {"pond": {"cards": cards}}, "state": {}, "seats": []})
    assert capsys.readouterr().out == f"  pond: {shown}\n"
