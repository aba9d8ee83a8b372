"""What designers write who know the tutorial alone, or another language: each slip is told once, with its mend.

The slips are in slips/, as text. A mend that is changed for a better one is changed there too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from hoyle.diagnostics import Diagnostic, Report
from hoyle.session import check_text
from hoyle.source import Source

FOLDER = Path(__file__).parent / "slips"
POND = (FOLDER / "pond.hoyle").read_text(encoding="utf-8")
PLACE = "  if trump is red and p.hand is empty\n"  # the slips of a phase come before this line
TOLD = re.compile(r"# ([EW]\d{3})(?: (\d+))?: (.*)")


def told(text: str) -> list[Diagnostic]:
    """Return what the checker says of a text."""
    report = Report()
    check_text(Source("pond.hoyle", text), report)
    return report.diagnostics


def entries(name: str) -> Iterator[object]:
    """Yield the slips of a file: their lines, then what is told of them."""
    for part in (FOLDER / name).read_text(encoding="utf-8").split("\n\n")[1:]:
        *lines, last = part.rstrip("\n").split("\n")
        yield pytest.param(lines, last, id=lines[-1].strip("+ ")[:50])


@pytest.mark.parametrize(("lines", "last"), list(entries("in_a_phase.txt")))
def test_a_slip_in_a_phase_is_told_once_at_its_line(lines: list[str], last: str) -> None:
    before, after = POND.split(PLACE)
    found = told(before + "".join(f"  {line}\n" for line in lines) + PLACE + after)
    code, line, mend = TOLD.fullmatch(last).groups()  # type: ignore[union-attr]
    at = before.count("\n") + int(line)
    assert [(d.code, d.span.line, d.mend) for d in found] == [(code, at, mend)]


@pytest.mark.parametrize(("lines", "last"), list(entries("elsewhere.txt")))
def test_a_slip_elsewhere_is_told_once(lines: list[str], last: str) -> None:
    old, new = ("".join(f"{line[2:]}\n" for line in lines if line.startswith(sign)) for sign in ("--", "++"))
    assert POND.count(old) == 1
    found = told(POND.replace(old, new))
    code, _, mend = TOLD.fullmatch(last).groups()  # type: ignore[union-attr]
    assert [(d.code, d.mend) for d in found] == [(code, mend)]


def test_there_are_enough_slips_and_the_game_itself_is_clean() -> None:
    assert sum(1 for name in ("in_a_phase.txt", "elsewhere.txt") for _ in entries(name)) > 150
    assert told(POND) == []
