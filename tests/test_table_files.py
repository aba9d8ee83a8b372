"""Table files: which are found, which are refused, and games made from them, with either back end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hoyle import render
from hoyle.check.csvfile import MOST_BYTES, MOST_COLUMNS, MOST_ROWS
from hoyle.check.tables import MOST_TABLES
from hoyle.diagnostics import MOST, Report
from hoyle.interpret import Game
from hoyle.program import Program
from hoyle.session import SpecError, check, check_text, load_text
from hoyle.source import Raw, Source
from lockstep import Both
from specs_with_tables import CARDS, FISH, HEAD, REST, SPARE, checked, message, told

# --- no text, too much -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "line", "column", "words"),
    [
        (FISH.encode() + b"r\xe9d,1,no\n", 2, 2, "the byte E9 can't stand here; in Latin-1 it would be `é`"),
        ("Colour,Weight,Rare\nred,1,no\n".encode("utf-16"), 1, 1, "UTF-16"),
        ("Colour,Weight,Rare\nred,1,no\n".encode("utf-16-le"), 1, 2, "UTF-16"),
        (b"PK\x03\x04 and so on", 1, 1, "the workbook of a spreadsheet"),
        (b"Colour\r\nre\x1bd", 2, 3, "U+001B"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_text_is_told(raw: bytes, line: int, column: int, words: str) -> None:
    assert told('Fish from "fish.csv"', fish=raw) == [("E903", "fish.csv", line, column)]
    assert words in message('Fish from "fish.csv"', fish=raw)
    assert "CSV UTF-8" in message('Fish from "fish.csv"', fish=raw)


@pytest.mark.parametrize(
    ("rows", "code", "words"),
    [
        ("Copies\n" + "1\n" * MOST_BYTES, "E904", "larger than a table"),
        ("Copies\n" + "0\n" * (MOST_ROWS + 1), "E904", "more than 5,000 rows"),
        ("Copies" + "," * MOST_COLUMNS + "\n1\n", "E904", "more than 200 columns"),
        ("Copies\n1\n1001\n", "E412", "a deck of more than 1000 cards"),
        (f"Copies\n{'9' * 300}\n", "E412", "a deck of more than 1000 cards"),
    ],
)
def test_a_table_beyond_bounds_is_told(rows: str, code: str, words: str) -> None:
    assert [x[0] for x in told('Net from "net.csv"', net=rows)] == [code]
    assert words in message('Net from "net.csv"', net=rows)


def test_too_many_copies_are_told_at_their_cell_and_at_the_line_of_the_spec() -> None:
    report, _ = checked('Net from "net.csv"', net="[Notes],Copies\na,2\nb,1000000\n")
    (found,) = report.diagnostics
    assert (found.span.line, found.span.column) == (3, 3) and found.second is not None
    assert found.second.span.path == "games/tiny.hoyle"


def test_too_many_tables_are_told() -> None:
    lines = "\n".join(['Net from "net.csv"'] * (MOST_TABLES + 1))
    assert [x[0] for x in told(lines, net="Copies\n1\n")] == ["E904"]


@pytest.mark.parametrize(
    "rows",
    [
        "," * (MOST_BYTES - 1),
        "\n" * (MOST_BYTES - 1),
        '"' * (MOST_BYTES - 1),
        "Copies\n" + "," * (MOST_BYTES - 10),
        "Copies,Card\n" + "\n".join(f"x{n},y{n}" for n in range(30_000)),
        "Copies\n" + '"' + "a\n" * 200_000,
        "Card,Copies\n" + '"",' * 160_000,
        "Card,Copies\nFish,x\n" + '"\n",' * 110_000,
    ],
)
def test_the_worst_tables_are_told_within_seconds(rows: str) -> None:
    begun = time.monotonic()
    report, _ = checked("\n".join(['cards from "fish.csv"'] * (MOST_TABLES + 5)), fish=rows)
    assert report.errors and len(report.errors) <= MOST + 1
    assert time.monotonic() - begun < 8


# --- files ----------------------------------------------------------------------------------------------


def lay(folder: Path, deck: str) -> str:
    """Write the small spec with this line in its deck, and return its path."""
    path = folder / "tiny.hoyle"
    path.write_text(HEAD + f"    {deck}\n" + REST + SPARE, encoding="utf-8")
    return str(path)


def codes(path: str) -> list[str]:
    return [d.code for d in check(path)[0].diagnostics]


@pytest.mark.parametrize(
    "name",
    [
        "../net.csv",
        "tables/../../net.csv",
        "/etc/passwd",
        "tables\\net.csv",
        "C:/net.csv",
        "\\\\host\\net.csv",
        "..",
    ],
)
def test_a_table_outside_the_folder_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "net.csv").write_text("Copies\n1\n")
    (tmp_path / "game" / "tables").mkdir(parents=True)
    assert codes(lay(tmp_path / "game", f'Net from "{name}"')) == ["E902"]


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "net.csv").write_text("Copies\n1\n")
    (tmp_path / "game").mkdir()
    os.symlink(tmp_path / "net.csv", tmp_path / "game" / "net.csv")
    report, _ = check(lay(tmp_path / "game", 'Net from "net.csv"'))
    assert [d.code for d in report.errors] == ["E901"]
    assert "leads out of the folder" in report.errors[0].message


def test_a_table_in_a_folder_below_is_read(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "my nets.csv").write_text("Copies\n1\n")
    assert codes(lay(tmp_path, 'Net from "tables/my nets.csv"')) == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nets.csv", "is not there"),
        ("tables", "is a folder"),
        ("", "is a folder"),
        ("pipe", "is no file"),
        ("x" * 1_000, "can't be read"),
    ],
)
def test_a_table_that_is_not_there_is_told(name: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "net.csv").write_text("Copies\n1\n")
    os.mkfifo(tmp_path / "pipe")
    report, program = check(lay(tmp_path, f'Net from "{name}"'))
    assert program is None and [d.code for d in report.errors] == ["E901"]
    assert words in report.errors[0].message
    assert name != "nets.csv" or "did you mean `net.csv`?" in report.errors[0].mend


@pytest.mark.parametrize(
    ("name", "mend"),
    [
        ("tables/nets.csv", "did you mean `tables/net.csv`?"),
        ("table/net.csv", "did you mean `tables/net.csv`?"),
        ("Tables/Nets.csv", "did you mean `tables/net.csv`?"),
        ("net.csv", "did you mean `tables/net.csv`?"),
        ("tables/fish.csv", "did you mean `tables/sea/fish.csv`?"),
        ("./tables/boats.csv", "the path begins at the folder of the spec; tables in `tables`: net.csv"),
        ("boxes/net.csv", "no folder `boxes` is in the folder of the spec; folders there: tables"),
        ("tables/boxes/net.csv", "no folder `boxes` is in `tables`; folders there: sea"),
        ("out/net.csv", "put a copy of the table beside the spec"),
        ("ou/net.csv", "no folder `ou` is in the folder of the spec; folders there: tables"),
    ],
)
def test_a_table_is_looked_for_folder_by_folder(name: str, mend: str, tmp_path: Path) -> None:
    for place in ("game/tables/net.csv", "game/tables/sea/fish.csv", "other/net.csv"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text("Copies\n1\n")
    os.symlink(tmp_path / "other", tmp_path / "game" / "out")
    report, _ = check(lay(tmp_path / "game", f'Net from "{name}"'))
    assert [(d.code, d.mend) for d in report.errors] == [("E901", mend)]


def test_a_spec_that_is_no_file_has_no_tables() -> None:
    with pytest.raises(SpecError) as wrong:
        load_text(HEAD + '    Net from "net.csv"\n' + REST)
    (found,) = wrong.value.report.errors
    assert found.code == "E901" and "this spec is a text, not a file in a folder" in found.message


def test_a_text_can_be_given_its_tables() -> None:
    made = load_text(
        HEAD + '    Net from "net.csv"\n' + REST, tables=lambda name, most: Raw(name, b"Copies\n7\n")
    )
    assert made.start(players=2).view(0)["zones"]["stock"]["size"] == 5


def test_a_game_is_another_when_its_table_changes(tmp_path: Path) -> None:
    """Its hash covers the table, so that a module tells from what it was made."""
    path = lay(tmp_path, 'Net from "net.csv"')
    hashes = set()
    for rows in ("Copies\n7\n", "Copies\n8\n", "Copies\n8\n\n"):
        (tmp_path / "net.csv").write_text(rows)
        _, program = check(path)
        assert program is not None
        hashes.add(program.source_hash)
    assert len(hashes) == 3


def test_a_game_loads_from_its_program_without_the_table() -> None:
    _, program = checked('Fish from "fish.csv"\n6 Net', fish=FISH + "red,3,yes\n")
    assert program is not None
    again = Program.model_validate_json(program.model_dump_json())
    assert Game(again).start(players=3, seed=1).view(0) == Game(program).start(players=3, seed=1).view(0)


def test_both_back_ends_play_a_game_of_tables_alike() -> None:
    _, program = checked(
        'cards from "fish.csv"', fish=CARDS + "Fish,red,3,yes,,4,\nNet,,,,,3,3+\nNet,,,,,2,2\n"
    )
    assert program is not None
    both = Both(Game(program))
    assert {both.play(players, seed) for players in (2, 3, 4) for seed in range(5)} == {"finished"}


def test_a_module_runs_alone_without_the_table(tmp_path: Path) -> None:
    (tmp_path / "net.csv").write_text("Copies\n9\n")
    path = lay(tmp_path, 'Net from "net.csv"')
    run = [sys.executable, "-m", "hoyle", "compile", path, "-o", str(tmp_path / "out")]
    subprocess.run(run, check=True, capture_output=True, cwd=Path(__file__).parent, timeout=60)
    code = "import sys; sys.path.insert(0, '.'); from tiny import game; print(game.start(players=2).view(0)['zones'])"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        cwd=tmp_path / "out",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "'size': 7" in done.stdout, done.stderr


def test_a_table_that_cannot_be_read_makes_no_further_faults() -> None:
    """Of which cards there are nothing is known then, so no face can be told to be unknown."""
    text = (
        HEAD
        + '    Fish from "fish.csv"\n'
        + REST
        + '\nscenario "x" for ann, bob\n  given stock = "red 3 no"\n'
    )
    for raw in (FISH.encode() + b"red,x,no\n", b"\xff\xff", b"", b"Colour\nred\n"):
        report = Report()
        check_text(Source("t.hoyle", text), report, lambda name, most, raw=raw: Raw(name, raw))  # type: ignore[misc]
        assert {d.span.path for d in report.errors} == {"fish.csv"}, render.text(report)
