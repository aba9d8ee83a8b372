"""Every code has a page with a wrong and a right example, and the examples do what the page says.

In a wrong example the line at fault ends with the comment `# <- here`; where no line has it, it is the first.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import hoyle
from hoyle import explain
from hoyle.diagnostics import Diagnostic
from hoyle.scenarios import run as run_scenarios
from hoyle.session import SpecError, check, load

PACKAGE = Path(hoyle.__file__).parent
CODE = re.compile(r'"([EW]\d{3})"')
BLOCK = re.compile(r"^```hoyle\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BESIDE = re.compile(r"^```csv (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HERE = "# <- here"
COMPANION = ("E704",)  # shown in a file of scenarios, which goes with a game
# Too long for a page, or not text.
MADE = {
    "E101": b"hoyle 1\n" + b"# a very long file\n" * 60_000,
    "E103": b"hoyle 1\n\n" + b"# " + b"x" * 2_001 + b"\n",
    "E104": b'hoyle 1\n\ngame "Tiny\x00" for 2 players\n',
    "E120": b"hoyle 1\n\nplay\n" + b"  turn = = 1\n" * 200,
}
MADE_LINES = {"E101": 1, "E103": 3, "E104": 3, "E120": 24}
# Tables that are too long for a page, or not text: the page shows the spec alone.
MADE_TABLES = {
    "E903": b"worth,# <- here\n1,caf\xe9\n",
    "E904": b"worth,Copies\n" + b"1,0\n" * 5_001,
}
MADE_TABLE_LINES = {"E903": 2, "E904": 5_002}


@cache
def used() -> frozenset[str]:
    """The codes that stand in the source."""
    files = (f.read_text(encoding="utf-8") for f in PACKAGE.rglob("*.py"))
    return frozenset(code for text in files for code in CODE.findall(text))


def below(code: str, part: str) -> str:
    """What stands under the heading `part` of a page."""
    return explain.page(code).split(f"\n## {part}\n", 1)[1].split("\n## ", 1)[0]


def example(code: str, part: str) -> str:
    """The example under the heading `part` of a page."""
    (block,) = BLOCK.findall(below(code, part))
    return str(block)


def lay_tables(code: str, part: str, folder: Path) -> dict[str, str]:
    """Write the tables that stand beside an example, and return their texts by their names."""
    tables = dict(BESIDE.findall(below(code, part)))
    for name, text in tables.items():
        (folder / name).write_text(text, encoding="utf-8")
    if part == "Wrong" and code in MADE_TABLES:
        (folder / "coins.csv").write_bytes(MADE_TABLES[code])
    return tables


def diagnose(code: str, raw: bytes, folder: Path) -> list[Diagnostic]:
    """What the product says of an example."""
    path = folder / "spec.hoyle"
    path.write_bytes(raw)
    if code in COMPANION:
        try:
            run_scenarios(load("dos"), [str(path)])
        except SpecError as wrong:
            return wrong.report.diagnostics
        return []
    report, program = check(str(path))
    assert (program is None) == bool(report.errors)
    return report.diagnostics


def test_every_code_has_a_page() -> None:
    assert sorted(used() - set(explain.codes())) == []


def test_every_page_is_of_a_code_that_is_used() -> None:
    assert sorted(set(explain.codes()) - used()) == []


@pytest.mark.parametrize("code", explain.codes())
def test_a_page_is_short_and_has_its_parts(code: str) -> None:
    page = explain.page(code)
    lines = page.splitlines()
    assert re.fullmatch(rf"# {code}: [a-z`].*[^.]", lines[0])
    assert [x for x in lines if x.startswith("## ")] == ["## Wrong", "## Right"]
    why = page.split("## Wrong")[0].split("\n", 1)[1].strip()
    assert 40 < len(why) < 400
    assert page.endswith("\n") and len(lines) < 75


@pytest.mark.parametrize("code", explain.codes())
def test_the_wrong_example_has_the_fault_at_its_line_with_a_mend(code: str, tmp_path: Path) -> None:
    if code in MADE:
        raw, file, line = MADE[code], "spec.hoyle", MADE_LINES[code]
    else:
        text = example(code, "Wrong")
        raw = text.encode()
        texts = {"spec.hoyle": text, **lay_tables(code, "Wrong", tmp_path)}
        marked = (
            (name, n)
            for name, t in texts.items()
            for n, row in enumerate(t.splitlines(), 1)
            if row.endswith(HERE)
        )
        file, line = next(marked, ("spec.hoyle", 1))
        if code in MADE_TABLES:
            file, line = "coins.csv", MADE_TABLE_LINES[code]
    found = diagnose(code, raw, tmp_path)
    first = next(d for d in found if d.code == code)
    assert code == "E120" or {d.code for d in found} == {code}
    assert (Path(first.span.path).name, first.span.line) == (file, line)
    assert first.span.column >= 1
    assert first.message and first.mend
    assert first.severity == ("warning" if code.startswith("W") else "error")


@pytest.mark.parametrize("code", [c for c in explain.codes() if c not in MADE])
def test_the_right_example_is_clean(code: str, tmp_path: Path) -> None:
    text = example(code, "Right")
    assert HERE not in text
    lay_tables(code, "Right", tmp_path)
    assert diagnose(code, text.encode(), tmp_path) == []


@pytest.mark.parametrize("code", [c for c in explain.codes() if c not in MADE and c not in COMPANION])
def test_the_right_example_can_be_played(code: str, tmp_path: Path) -> None:
    path = tmp_path / "spec.hoyle"
    path.write_text(example(code, "Right"), encoding="utf-8")
    lay_tables(code, "Right", tmp_path)
    game = load(str(path))
    outcomes = {x.outcome for x in game.playouts(3, seed=7)}
    assert outcomes == {"finished"}
    assert all(result.passed for result in run_scenarios(game))


def test_a_code_is_found_however_it_is_written() -> None:
    assert explain.page("E201") == explain.page(" e201 ") == explain.page("error[E201]")
    assert explain.page("W201") == explain.page("warning[W201]")


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("E20", "did you mean `E201`?"),
        ("201", "did you mean `E201`?"),
        ("W605", "did you mean `E605`?"),
        ("E2011", "did you mean `E201`?"),
        ("F301", "did you mean `E301`?"),
        ("zone", "codes are: E101, "),
        ("", "codes look like `E101`"),
        ("../hoyle", "codes look like `E101`"),
        ("E201\x1b[31m", "codes look like `E101`"),
        ("E" * 10_000, "codes are: E101, "),
    ],
)
def test_an_unknown_code_is_told_in_words(typed: str, hint: str) -> None:
    with pytest.raises(LookupError) as told:
        explain.page(typed)
    message = str(told.value.args[0])
    assert hint in message
    assert len(message) < 1_000 and message.isprintable()
