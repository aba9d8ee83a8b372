"""What `hoyle compile --show passes` prints: each pass tells of what it does in a spec, and of nothing else."""

from __future__ import annotations

import ast
import os
from functools import cache
from pathlib import Path

import pytest

from hoyle import __version__
from hoyle.compile import compile_program
from hoyle.compile.passes import PASSES, Pass
from hoyle.compile.told import NOTHING, Told
from hoyle.program import Program
from hoyle.session import load_text, show_passes
from specs_for_tests import ALL, SPECS, game
from test_passes import KINGS

GOLDEN = Path(__file__).parent / "told"
NAMES = [*ALL, "kings"]
MANY = [*SPECS, "sums", "market", "contract", "kings"]  # in these every pass has something to do


@cache
def program(name: str) -> Program:
    """Return a program by its name."""
    return load_text(KINGS).program if name == "kings" else game(name).program


@cache
def compiled(name: str, *without: Pass) -> tuple[str, dict[Pass, list[tuple[int, str]]]]:
    """Return a module made without some passes, and what the others found."""
    told = Told()
    text = compile_program(program(name), __version__, alone=False, without=frozenset(without), told=told)
    return text, told.found(program(name))


def differ(text: str, other: str) -> bool:
    """Return whether two modules differ in more than comments."""
    return text != other and ast.dump(ast.parse(text)) != ast.dump(ast.parse(other))


@pytest.mark.parametrize("name", ["dos", "hearts"])
def test_what_passes_found_is_printed_as_it_was_read_by_a_person(name: str) -> None:
    golden = GOLDEN / f"{name}.txt"
    if os.environ.get("HOYLE_UPDATE"):
        golden.write_text(show_passes(program(name)), encoding="utf-8")
    assert show_passes(program(name)) == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", MANY)
def test_a_pass_tells_of_something_just_where_leaving_it_out_changes_the_module(name: str) -> None:
    whole, found = compiled(name)
    for each in PASSES:
        text, left = compiled(name, each)
        assert bool(found[each]) == differ(text, whole), each
        assert left[each] == [], each


def test_every_pass_tells_of_something_in_some_spec() -> None:
    silent = set(PASSES)
    for name in MANY:
        silent -= {each for each, told in compiled(name)[1].items() if told}
    assert not silent


@pytest.mark.parametrize("name", NAMES)
def test_a_module_is_the_same_whether_somebody_listens_or_not(name: str) -> None:
    assert compiled(name)[0] == compile_program(program(name), __version__, alone=False)


@pytest.mark.parametrize("name", NAMES)
def test_each_thing_is_told_once_in_the_order_of_lines_that_are_there(name: str) -> None:
    for each, told in compiled(name)[1].items():
        lines = [line for line, _ in told]
        assert len(set(told)) == len(told) and lines == sorted(lines), each
        assert all(words and "\n" not in words for _, words in told), each


def test_what_is_found_bears_the_line_and_the_words_of_the_spec() -> None:
    found = compiled("hearts")[1]
    text = (Path(__file__).parents[1] / "specs" / "hearts.hoyle").read_text(encoding="utf-8").splitlines()
    assert [line for line, words in found["tables"] if words == "points(c): 52 values"] == [
        1 + next(i for i, x in enumerate(text) if x.startswith("define points(c"))
    ]


def test_all_left_out_tell_of_nothing() -> None:
    told = Told()
    compile_program(program("hearts"), __version__, alone=False, without=frozenset(PASSES), told=told)
    assert told.text(program("hearts")).count(NOTHING) == len(PASSES)
