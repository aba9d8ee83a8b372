"""The games of specs/: nothing to complain of, scenarios that pass, and no longer than such a game should be."""

from __future__ import annotations

from pathlib import Path

import pytest

from hoyle.resources import folder
from hoyle.scenarios import run
from hoyle.session import check, load

SPECS = sorted(Path(str(f)) for f in folder("specs").iterdir() if f.name.endswith(".hoyle"))
# Lines without blanks, comments, rule text and scenarios. A game that needs more lacks a word in the language.
MOST_LINES = {"agram": 30, "dos": 120, "hearts": 70, "moon": 100}  # others: 145


def lines_of(path: Path) -> int:
    """Return how many lines of a spec say what happens in the game."""
    found, scenario = 0, False
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line[0].isspace():
            scenario = line.startswith("scenario")
        found += not scenario and bool(line.strip()) and not line.lstrip().startswith(("#", ">"))
    return found


@pytest.mark.parametrize("path", SPECS, ids=lambda p: p.stem)
def test_nothing_is_wrong_or_doubtful(path: Path) -> None:
    report, program = check(str(path))
    assert program is not None and report.errors == [] and report.warnings == []


@pytest.mark.parametrize("path", SPECS, ids=lambda p: p.stem)
def test_scenarios_pass(path: Path) -> None:
    results = run(load(str(path)))  # type: ignore[arg-type]
    assert [problem for result in results for problem in result.problems] == []
    assert len({result.title for result in results}) == len(results)


@pytest.mark.parametrize("path", SPECS, ids=lambda p: p.stem)
def test_a_spec_is_short(path: Path) -> None:
    assert lines_of(path) <= MOST_LINES.get(path.stem, 145)
