"""Whatever is written, the checker tells what is wrong with it: no exception, every fault at a place and with a mend.

`EXAMPLES=20000` tries more.
"""

from __future__ import annotations

import os
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hoyle import render
from hoyle.diagnostics import Report
from hoyle.parser import reserved_words
from hoyle.resources import folder
from hoyle.session import check_text
from hoyle.source import Source
from specs_for_tests import ALL, FOLDER, SMALL
from test_bad_specs import well_told

EXAMPLES = int(os.environ.get("EXAMPLES", "40"))
WITH_TABLES = ("harbour",)  # read files beside them
NAMES = [name for name in ALL if name not in WITH_TABLES]
TEXTS = [
    ((FOLDER if name in SMALL else folder("specs")) / f"{name}.hoyle").read_text(encoding="utf-8")
    for name in NAMES
]
TOKEN = re.compile(r'"[^"\n]*"|[A-Za-z_]\w*|\d+|[ \t]+|\n|.', re.DOTALL)
QUIET = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def checked(text: str) -> Report:
    """Return the report on a text, after a look at it."""
    report = Report()
    program = check_text(Source("any", text), report).program
    assert (program is None) == bool(report.errors)
    well_told(report, max(1, len(re.split("\r\n|\r|\n", text))))
    assert render.to_github(report).count("\n") == len(report.diagnostics)
    return report


@QUIET
@given(st.data())
def test_words_put_out_of_place(data: st.DataObject) -> None:
    tokens = TOKEN.findall(data.draw(st.sampled_from(TEXTS)))
    pool = sorted(set(tokens) | reserved_words())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(tokens) - 1))
        match data.draw(st.sampled_from(["drop", "double", "other", "swap"])):
            case "drop" if len(tokens) > 1:
                del tokens[at]
            case "double":
                tokens.insert(at, tokens[at])
            case "other":
                tokens[at] = data.draw(st.sampled_from(pool))
            case _:
                to = data.draw(st.integers(0, len(tokens) - 1))
                tokens[at], tokens[to] = tokens[to], tokens[at]
    checked("".join(tokens))


@QUIET
@given(st.data())
def test_signs_put_anywhere(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(TEXTS))
    at = data.draw(st.integers(0, len(text)))
    width = data.draw(st.integers(0, 40))
    put = data.draw(st.text(max_size=20)) * data.draw(st.sampled_from([1, 1, 1, 200]))
    checked(text[:at] + put.encode("utf-8", "replace").decode() + text[at + width :])


@QUIET
@given(st.text(max_size=300))
def test_any_text(text: str) -> None:
    checked("hoyle 1\n" + text.encode("utf-8", "replace").decode())


@pytest.mark.parametrize("text", TEXTS, ids=NAMES)
def test_a_name_that_is_misspelt_where_it_is_used_gives_one_message(text: str) -> None:
    play = text.index("\nplay")
    uses = [
        m
        for m in re.finditer(r'"[^"\n]*"|#[^\n]*|>[^\n]*|[A-Za-z_]\w*', text)
        if m.start() > play and re.match("[a-z]", m[0]) and m[0] not in reserved_words()
    ]
    told_well = 0
    for use in uses[:: max(1, len(uses) // 30)]:
        wrong = text[: use.start()] + "zzq" + text[use.end() :]
        told = [(d.code, d.message) for d in checked(wrong).errors]
        if all(use[0] in message for _, message in told):
            continue  # it was declared here: now its uses are unknown, or nothing is wrong
        assert len(told) == 1 and told[0][0] in ("E111", "E113", "E107", "E201"), (
            use[0],
            told,
        )
        told_well += 1
    assert told_well > 10
