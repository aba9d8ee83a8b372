"""`hoyle check --format github`: one workflow command a diagnostic, whatever signs stand in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hoyle import cli, render
from hoyle.diagnostics import Report
from hoyle.source import NOWHERE, Span

CASES = Path(__file__).parent / "cases"
COMMAND = re.compile(r"::(error|warning) ((?:[a-zA-Z]+=[^,:]*,?)+)::(.*)")


def annotated(report: Report) -> list[tuple[str, dict[str, str], str]]:
    """Return the commands for a report: kind, properties, message."""
    found = []
    for line in render.to_github(report).splitlines():
        match = COMMAND.fullmatch(line)
        assert match, line
        found.append((match[1], dict(x.split("=", 1) for x in match[2].split(",")), match[3]))
    return found


def test_a_command_has_place_title_message_and_mend() -> None:
    report = Report()
    report.add("W201", Span("a.hoyle", 3, 5, 3, 9), "nothing uses it", mend="use it")
    assert annotated(report) == [
        (
            "warning",
            {
                "file": "a.hoyle",
                "line": "3",
                "col": "5",
                "endLine": "3",
                "endColumn": "9",
                "title": "hoyle W201",
            },
            "nothing uses it%0Amend: use it",
        )
    ]


def test_signs_that_mean_something_to_github_are_escaped() -> None:
    report = Report()
    report.add("E201", Span("a,b:c%\n.hoyle", 1, 1, 2, 1), "100 %, ::error::x", mend="a, b: c")
    ((kind, where, message),) = annotated(report)
    assert kind == "error"
    assert where["file"] == "a%2Cb%3Ac%25%0A.hoyle"
    assert message == "100 %25, ::error::x%0Amend: a, b: c"


def test_a_span_over_lines_has_no_last_column() -> None:
    report = Report()
    report.add("E201", Span("a", 1, 4, 2, 7), "x", second=(Span("a", 9, 1, 9, 2), "here"), mend="y")
    ((_, where, message),) = annotated(report)
    assert "endColumn" not in where and where["endLine"] == "2"
    assert "line 9: here" in message


def test_a_fault_of_no_line_has_none() -> None:
    report = Report()
    report.add("E102", NOWHERE, "empty", mend="write")
    ((_, where, _),) = annotated(report)
    assert set(where) == {"file", "title"} or set(where) == {"title"}


@pytest.mark.parametrize(
    ("spec", "options", "status"),
    [("choices", [], 1), ("warnings", [], 0), ("warnings", ["--strict"], 1), ("comments", ["--strict"], 0)],
)
def test_check_writes_them(
    spec: str, options: list[str], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["check", str(CASES / f"{spec}.hoyle"), "--format", "github", *options]) == status
    *lines, last = capsys.readouterr().out.splitlines()
    assert all(COMMAND.fullmatch(line) for line in lines)
    assert "error" in last or "warning" in last or last == "no faults found"
