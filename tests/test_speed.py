"""What makes modules fast: features, expected sizes, intervals, tables of partners, and that they change nothing.

How fast is measured by bench/bench.py, never here. That modules play the same games is tested in test_lockstep.py.
"""

from __future__ import annotations

from itertools import product

import pytest

from hoyle import __version__
from hoyle import program as p
from hoyle.compile import compile_program
from hoyle.program.features import features
from hoyle.program.folding import conjuncts
from hoyle.program.intervals import may_leave
from hoyle.program.purity import Functions, reads_state
from hoyle.program.sizes import expected_sizes
from hoyle.runtime.chance import INCREMENT, MASK48, MASK63, MULTIPLIER, shuffle
from hoyle.runtime.partners import Partners
from hoyle.runtime.sets import members
from specs_for_tests import game

NUMBER = p.Type(form="number")
PIECE = p.Type(form="piece")


def option(spec: str, name: str) -> p.Option:
    """Return an option of a small spec."""
    exits = [b.exit for b in game(spec).program.blocks]
    return next(o for e in exits if isinstance(e, p.Choose) for o in e.options if o.name == name)


def asked(spec: str, name: str, guard: int, argument: int, tabled: set[str]) -> list[str] | None:
    """Return the names of what one guard of an option asks of one argument; None if all kinds differ to it."""
    found = option(spec, name)
    functions = Functions(game(spec).program.functions)
    where = conjuncts(found.where)[guard]
    made = features(where, found.arguments[argument].bind.slot, functions, tabled)
    return None if made is None else [getattr(x, "function", "") or getattr(x, "name", "") for x in made]


# ---- features ---------------------------------------------------------------------------------------------------


def test_a_guard_asks_a_definition_of_a_piece() -> None:
    assert asked("dos", "single", 0, 0, {"numbers"}) == ["numbers"]


def test_what_a_definition_asks_of_its_parameter_is_asked_of_the_piece() -> None:
    assert asked("dos", "double", 0, 0, {"numbers"}) == ["numbers"]
    assert asked("pairs", "catch", 0, 1, set()) == ["weight"]


def test_a_definition_without_a_table_is_looked_into() -> None:
    assert asked("dos", "single", 0, 0, set()) == ["", "number", ""]  # Numbered? its number; WildNumber?


def test_all_kinds_differ_to_a_guard_that_compares_faces() -> None:
    assert asked("pairs", "switch", 1, 0, {"weights"}) is None


def test_nothing_is_asked_of_an_argument_that_is_not_named() -> None:
    assert asked("pairs", "dredge", 0, 2, {"weights"}) == []


# ---- sizes ------------------------------------------------------------------------------------------------------


def test_zones_are_as_large_as_they_are_filled_or_dealt_to() -> None:
    program = game("dos").program
    sizes = expected_sizes(program)
    by_name = {z.name: sizes[z.number] for z in program.zones}
    assert by_name == {"stock": 108, "discard": 5, "centre": 2, "matched": 5, "hand": 7}


# ---- intervals --------------------------------------------------------------------------------------------------


def value(op: str, by: int) -> p.Expr:
    """Return slot 3 with something added or taken away."""
    return p.Op(op=op, args=(p.Slot(slot=3, name="n", type=NUMBER), constant(by)), type=NUMBER)


def constant(number: int) -> p.Const:
    return p.Const(value=number, type=NUMBER)


@pytest.mark.parametrize(
    ("expr", "leaves"),
    [
        (value("add", 1), (False, True)),
        (value("sub", 1), (True, False)),
        (value("add", 0), (False, False)),
        (constant(9), (False, False)),
        (constant(10), (False, True)),
        (p.Cond(test=constant(1), yes=constant(-1), no=constant(4), type=NUMBER), (True, False)),
        (p.Slot(slot=4, name="m", type=NUMBER), (True, True)),
        (p.Op(op="mul", args=(constant(2), constant(3)), type=NUMBER), (True, True)),
    ],
)
def test_only_the_ends_that_a_value_can_pass_are_watched(expr: p.Expr, leaves: tuple[bool, bool]) -> None:
    assert may_leave(expr, 3, 0, 9) == leaves


# ---- tables of partners -------------------------------------------------------------------------------------------


def numbers_that_add_up(kinds: int, extra: int) -> Partners:
    """Return partners among kinds 0..: two go with one that is their sum, one alone with its equal."""
    large = [k % 5 for k in range(kinds)]
    return Partners(
        [k for k in range(kinds) for _ in range(2)],
        large,
        large,
        [lambda k: sum(1 << t for t in range(kinds) if t % 5 == k % 5)],
        [lambda a, b: sum(1 << t for t in range(kinds) if t % 5 == a % 5 + b % 5 + extra)],
    )


@pytest.mark.parametrize("lying", [(), (0,), (3,), (1, 4), (2, 8, 9)])
def test_partners_are_those_that_fit_what_lies_there(lying: tuple[int, ...]) -> None:
    table = numbers_that_add_up(10, 0)
    classes = 0
    for kind in lying:
        classes |= table.there[2 * kind] >> 10
    for piece in range(20):
        goes, kind = table[classes][table.class_of[piece]], piece // 2
        fits = {b for b, t in product(range(10), lying) if (kind % 5) + (b % 5) == t % 5}
        assert set(members(goes & 0x3FF)) == fits
        assert bool(goes >> 10) == (kind % 5 in {t % 5 for t in lying})


def test_where_too_much_would_be_asked_everything_passes() -> None:
    table = numbers_that_add_up(10, 0)
    large = Partners(range(60), range(60), range(60), [lambda k: 0], [lambda a, b: 0])
    assert not table.everything and large[1] == [(2 << 60) - 1] * 60


# ---- chance -----------------------------------------------------------------------------------------------------


def test_four_picks_at_a_time_are_the_picks_one_by_one() -> None:
    state = 11
    for size in range(60):
        pieces, other, after = list(range(size)), list(range(size)), state
        r = left = 0
        for i in range(size - 1, 0, -1):
            if left == 0:
                after = (after * MULTIPLIER + INCREMENT) & MASK63
                r, left = after >> 15, 4
            r *= i + 1
            j, r, left = r >> 48, r & MASK48, left - 1
            other[i], other[j] = other[j], other[i]
        state = shuffle(state, pieces)
        assert (state, pieces) == (after, other)


# ---- modules ----------------------------------------------------------------------------------------------------


def test_a_definition_that_asks_parameters_alone_needs_no_state() -> None:
    program = game("pairs").program
    functions = Functions(program.functions)
    assert functions.reads_table("near") and not reads_state(functions["near"].body, functions)
    assert "def near(self, a: int, b: int)" in compile_program(program, __version__)


def test_options_with_the_same_sources_and_conditions_share_one_pass() -> None:
    text = compile_program(game("dos").program, __version__)
    assert text.count("= Partners(") == 1 and "for x in S[HAND + S[TAKE_TURN_P]]:" in text


def test_pieces_that_may_be_one_piece_are_moved_with_care() -> None:
    """`c in p.hand, d in p.hand` may be the same card twice; `a, b in p.hand` can't."""
    text = compile_program(game("pairs").program, __version__)
    assert "self.put(S, (c, d), SHELF + S[TAKE_TURN_P])" in text
    assert "self.log_put(S, (a, f, b), to)" in text
