"""Programs: they survive being written down, and every operation in them is known to all that run them."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hoyle.check
from hoyle import program as p
from hoyle.check.expressions import ARITHMETIC, COMPARISONS
from hoyle.interpret import Fault, Game, Table
from hoyle.interpret.expressions import Asking, factory
from hoyle.primitives import PURE, Primitive
from hoyle.program.types import Node
from hoyle.runtime.paying import coins, excess
from hoyle.runtime.sets import may_be_in_set, range_set
from hoyle.runtime.state import HEAD, State
from hoyle.session import interpreted, show_program
from made_up_specs import accepted, specs
from naive import Naive, bits
from specs_for_tests import ALL, counts, dos_hash, essence, game, layout_of, play_at_random

EXPRESSIONS = (
    p.AsIf,
    p.Split,
    p.Const,
    p.Param,
    p.Slot,
    p.SlotAt,
    p.ZoneAt,
    p.Attr,
    p.TypeTest,
    p.Op,
    p.Cond,
    p.Invoke,
    p.Loop,
    p.Superlative,
)
# Operations that only statements of the flow graph use, by a name of their own.
FLOW_ONLY = {"left_over"}
# EXAMPLES=2000 tries that many, others each time; else the same few.
EXAMPLES = int(os.environ.get("EXAMPLES", "0"))


# ---- written down and read again ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_a_program_comes_back_from_json_as_it_was(name: str) -> None:
    program = game(name).program
    assert p.Program.model_validate_json(program.model_dump_json()) == program


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_a_program_from_json_plays_the_same_game(name: str, players: int) -> None:
    table = game(name).start(players=players, seed=1)
    read = Game(p.Program.model_validate_json(game(name).program.model_dump_json()))
    other = read.start(players=players, seed=1)
    for number in play_at_random(table, 1, most=50):
        other.step(number)
    assert essence(other) == essence(table)


@pytest.mark.parametrize("name", ALL)
def test_checking_a_spec_again_gives_the_same_program(name: str) -> None:
    again = interpreted(game(name).program.path).program
    assert again == game(name).program and show_program(again) == show_program(game(name).program)


def test_a_program_can_not_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        game("dos").program.name = "Tres"


def test_two_games_of_one_program_do_not_disturb_each_other() -> None:
    program = game("dos").program
    one, other = Game(program).start(seed=4), Game(program).start(seed=4)
    for number in play_at_random(one, 4, most=40):
        other.step(number)
    assert essence(one) == essence(other) and dos_hash(2, 0) == dos_hash(2, 0)


# ---- operations -----------------------------------------------------------------------------------------------


def parts(node: Any) -> Iterator[Node]:
    """Yield a node of a program and all within it."""
    if isinstance(node, Node):
        yield node
        for name in type(node).model_fields:
            yield from parts(getattr(node, name))
    elif isinstance(node, tuple):
        for item in node:
            yield from parts(item)


@cache
def operations(name: str) -> frozenset[str]:
    """Return the names of the operations in a program."""
    return frozenset(x.op for x in parts(game(name).program) if isinstance(x, p.Op))


def written_by_the_checker() -> set[str]:
    """Return the names of operations that the source of the checker spells out."""
    found = set(ARITHMETIC.values()) | set(COMPARISONS.values())
    for file in Path(hoyle.check.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            for value in spelled(node):
                strings = [c.value for c in ast.walk(value) if isinstance(c, ast.Constant)]
                found |= {c for c in strings if isinstance(c, str)}
    return found


def spelled(node: ast.AST) -> list[ast.expr]:
    """Return the expressions that name an operation: `op=`, `op = {...}`, `{"op": ...}`, `_folded(...)`."""
    if isinstance(node, ast.keyword) and node.arg == "op" and not isinstance(node.value, ast.Attribute):
        return [node.value]
    if isinstance(node, ast.Dict):
        keys = [k.value if isinstance(k, ast.Constant) else "" for k in node.keys]
        return [v for k, v in zip(keys, node.values, strict=True) if k == "op"]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "_folded":
        return [node.args[0]] if isinstance(node.args[0], ast.Constant) else []
    return []


def test_every_operation_that_the_checker_writes_is_in_a_small_spec() -> None:
    """So every test over the small specs is one of every operation."""
    met = set().union(*map(operations, ALL))
    assert written_by_the_checker() - met == set()


@pytest.mark.parametrize("name", ALL)
def test_every_operation_of_a_program_is_known_to_the_interpreter(name: str) -> None:
    table = game(name).start(seed=2)
    asking = Asking(layout_of(table))
    for part in parts(game(name).program):
        if isinstance(part, p.Op) and part.op not in FLOW_ONLY and not runs_through(part):
            asking.ask(part)


# ---- the interpreter's expressions against the naive ones --------------------------------------------------------


def whole(node: Any) -> Iterator[p.Expr]:
    """Yield the expressions of a program that are no part of another one and need no binder around them."""
    if isinstance(node, EXPRESSIONS):
        yield node
    elif isinstance(node, p.Function | p.Choose | p.ForEach | p.Collect | p.DrawFor | p.Rank | p.Scenario):
        if isinstance(node, p.ForEach):
            yield from whole(node.body)
    elif isinstance(node, Node):
        for name in type(node).model_fields:
            yield from whole(getattr(node, name))
    elif isinstance(node, tuple):
        for item in node:
            yield from whole(item)


def runs_through(expr: p.Expr) -> bool:
    """Return whether an expression has no value of its own: names can only run through it."""
    return expr.type.form == "sequence" or (isinstance(expr, p.Op) and expr.op == "range")


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_expressions_are_answered_as_by_walking_their_trees(name: str, players: int) -> None:
    """All expressions of the flow, asked at random moments, whatever their locals happen to hold."""
    compared = 0
    for seed in range(3, 23):  # the shortest games take only a few decisions
        if compared <= 100:
            compared += compared_answers(game(name).start(players=players, seed=seed), seed)
    assert compared > 100


@settings(max_examples=EXAMPLES or 40, derandomize=not EXAMPLES, suppress_health_check=list(HealthCheck))
@given(specs(), st.integers(0, 1 << 32))
def test_expressions_of_made_up_specs_are_answered_as_by_walking_their_trees(text: str, seed: int) -> None:
    with suppress(Fault):
        compared_answers(Game(accepted(text)).start(seed=seed), seed)


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_loops_run_through_the_same_things_in_the_same_order(name: str, players: int) -> None:
    table = game(name).start(players=players, seed=4)
    naive, asking = Naive(layout_of(table)), Asking(layout_of(table))
    loops = [x for x in parts(game(name).program) if isinstance(x, p.ForEach | p.Collect | p.Loop)]
    sources = [x.binders[0].source for x in loops]
    sources += [x.source for x in parts(game(name).program) if isinstance(x, p.Pick)]
    sources = [x for x in sources if not one_of_several(x)]
    runs = [(source, asking.run(asking.settled(source))) for source in sources]
    for _ in play_at_random(table, 4, most=40):
        naive.known.clear()
        for source, run in runs:
            state = layout_of(table).shape.copy(table.state)
            try:
                expected = naive.elements(source, table.state, {})
            except (Fault, ValueError):
                continue  # asked at another moment, a source may have no answer
            assert list(run(state)) == expected, source


def one_of_several(expr: p.Expr) -> bool:
    """Return whether an expression asks how the best comes about: several ways may be best, see test_melding."""
    return any(isinstance(x, p.AsIf | p.Split) and x.part != "best" for x in parts(expr))


def reads_none(expr: p.Expr, state: State) -> bool:
    """Return whether an expression, asked outside its place, meets none where a test before it has ruled that out."""
    read = [x for x in parts(expr) if isinstance(x, p.Slot | p.SlotAt)]
    return any(state[HEAD + x.slot] == p.NONE and not x.type.or_none for x in read)


def compared_answers(table: Table, seed: int) -> int:
    """Play at random and ask every expression both ways; return how often."""
    naive, asking = Naive(layout_of(table)), Asking(layout_of(table))
    exprs = [e for e in whole(layout_of(table).program.blocks) if not runs_through(e)]
    exprs = [e for e in exprs if not any(isinstance(x, p.Op) and x.op in FLOW_ONLY for x in parts(e))]
    exprs = [e for e in exprs if not one_of_several(e)]
    asks = [(e, asking.ask(e)) for e in exprs]
    compared = 0
    for _ in play_at_random(table, seed, most=40):
        naive.known.clear()
        for expr, ask in asks:
            if reads_none(expr, table.state):
                continue
            try:
                expected = naive.value(expr, table.state, {})
            except Fault:
                with pytest.raises(Fault):
                    ask(layout_of(table).shape.copy(table.state))
                continue
            except ValueError:
                continue  # a local of another moment: a card without the attribute asked for
            assert int(ask(layout_of(table).shape.copy(table.state))) == expected, expr
            compared += 1
    return compared


# ---- the two columns of the primitives -----------------------------------------------------------------------------

NAMES = {"may_be_in_set": may_be_in_set, "range_set": range_set, "coins": coins, "excess": excess}
SMALL_NUMBERS = st.integers(0, 62)
SETS = st.integers(0, (1 << 63) - 1)
NUMBERS = st.integers(-(1 << 62), 1 << 62) | st.integers(-9, 9)
OPERANDS: dict[str, tuple[st.SearchStrategy[Any], ...]] = {
    "in_set": (SMALL_NUMBERS, SETS),
    "may_be_in_set": (SMALL_NUMBERS | st.just(p.NONE) | st.integers(-5, 90), SETS),
    "meets": (SETS, SETS),
    "size_set": (SETS,),
    "coins": (SETS, st.integers(-3, 9), st.integers(-3, 30)),
    "excess": (SETS, st.integers(-9, 90)),
    "unit": (SMALL_NUMBERS,),
    "join": (SETS, SETS),
    "range_set": (SMALL_NUMBERS, SMALL_NUMBERS),
    "div": (NUMBERS, NUMBERS.filter(bool)),
    "mod": (NUMBERS, NUMBERS.filter(bool)),
    "wrap": (NUMBERS, NUMBERS.filter(bool)),
}


def operands(name: str, row: Primitive) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.tuples(*OPERANDS.get(name, (NUMBERS,) * row.operands))


@pytest.mark.parametrize("name", PURE)
@given(st.data())
def test_a_primitive_runs_as_it_is_spelled(name: str, data: st.DataObject) -> None:
    row = PURE[name]
    values = data.draw(operands(name, row))
    words = [f"x{i}" for i in range(row.operands)]
    spelled_value = eval(row.python.format(*words), {**NAMES, **dict(zip(words, values, strict=True))})
    assert spelled_value == row.run(*values)


@pytest.mark.parametrize("name", PURE)
@given(st.data())
def test_a_primitive_runs_as_its_closures_do(name: str, data: st.DataObject) -> None:
    """A closure takes each operand from a slot, as a constant or from another closure."""
    row = PURE[name]
    values = data.draw(operands(name, row))
    shapes = data.draw(st.text("scx", min_size=row.operands, max_size=row.operands))
    state = list(values)
    given_as: dict[str, Callable[[int], Any]] = {
        "s": lambda i: i,
        "c": lambda i: values[i],
        "x": lambda i: lambda S: S[i],
    }
    closure = factory(name, shapes)(*[given_as[shape](i) for i, shape in enumerate(shapes)])
    assert closure(state) == row.run(*values)


@pytest.mark.parametrize("name", PURE)
def test_a_primitive_is_spelled_with_each_operand_once(name: str) -> None:
    """Operands are whole expressions: twice would ask them twice."""
    row = PURE[name]
    assert all(row.python.count(f"{{{i}}}") == 1 for i in range(row.operands))


@given(SETS, SETS, SMALL_NUMBERS, SMALL_NUMBERS)
def test_sets_are_sets(one: int, other: int, low: int, high: int) -> None:
    assert bits(PURE["join"].run(one, other)) == sorted(set(bits(one)) | set(bits(other)))
    assert bool(PURE["meets"].run(one, other)) == bool(set(bits(one)) & set(bits(other)))
    assert bits(PURE["range_set"].run(low, high)) == list(range(low, high + 1))
    assert PURE["size_set"].run(one) == len(bits(one))
