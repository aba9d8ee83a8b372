"""What makes modules fast: features, expected sizes, intervals, tables of partners, and that they change nothing.

How fast is measured by bench/bench.py, never here. That modules play the same games is tested in test_lockstep.py.
"""

from __future__ import annotations

from itertools import product

import pytest

from hoyle import __version__
from hoyle import program as p
from hoyle.compile import compile_program
from hoyle.compile.lists import filled_after, filled_by
from hoyle.compile.tidying import at_once, used
from hoyle.program.features import features, of_members
from hoyle.program.folding import conjuncts
from hoyle.program.intervals import may_leave
from hoyle.program.purity import Functions, reads_state
from hoyle.program.sizes import expected_sizes
from hoyle.runtime.asking import MOST_SETS, Elements, alike
from hoyle.runtime.chance import INCREMENT, MASK63, MULTIPLIER, shuffle
from hoyle.runtime.partners import Partners
from hoyle.runtime.sets import members
from lockstep import module_of
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
                r, left = after, 4
            r *= i + 1
            j, r, left = r >> 63, r & MASK63, left - 1
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


def test_of_a_set_it_is_asked_what_its_members_are_like_or_nothing_is_known() -> None:
    program = game("dos").program
    functions = Functions(program.functions)
    bonus = functions["bonus"]
    asked = of_members(bonus.body, bonus.parameters[0], functions, {"colours"})
    assert asked is not None and [type(x).__name__ for x in asked] == ["Invoke", "TypeTest"]
    whole = p.Slot(slot=bonus.parameters[0], name="cards", type=bonus.types[0])
    size = p.Op(op="size_set", args=(whole,), type=NUMBER)
    assert of_members(size, bonus.parameters[0], functions, set()) is None


def test_kinds_are_alike_to_the_first_with_the_same_features() -> None:
    assert alike(["red", "blue", "red", "blue", "green"]) == (1, 2, 1, 2, 16)


# ---- zones known not to be empty ------------------------------------------------------------------------------------


def in_zone(zone: int, op: str) -> p.Op:
    size = p.Op(op="size_zone", args=(here(zone),), type=NUMBER)
    return p.Op(op=op, args=(size, constant(0)), type=NUMBER)


def here(zone: int) -> p.ZoneAt:
    return p.ZoneAt(zone=zone, name=f"zone {zone}", type=p.Type(form="zone"))


def test_a_condition_tells_which_zones_are_not_empty() -> None:
    assert filled_by(in_zone(1, "eq"), False) == {here(1)} and not filled_by(in_zone(1, "eq"), True)
    both = p.Op(op="and", args=(in_zone(1, "ne"), in_zone(2, "gt")), type=NUMBER)
    assert filled_by(both, True) == {here(1), here(2)} and not filled_by(both, False)
    assert filled_by(p.Op(op="not", args=(in_zone(3, "eq"),), type=NUMBER), True) == {here(3)}


def test_a_zone_that_a_card_was_put_in_is_not_empty_until_cards_move_again() -> None:
    card = p.Slot(slot=4, name="c", type=PIECE)
    put = p.MovePieces(pieces=(card,), target=here(1))
    every = p.MoveSome(amount=None, source=here(1), target=here(2))
    assert filled_after(put, frozenset([here(2)])) == {here(1)}
    assert not filled_after(every, frozenset([here(1)]))
    assert filled_after(p.Set(slot=9, name="n", value=constant(1)), frozenset([here(1)])) == {here(1)}


# ---- lines ----------------------------------------------------------------------------------------------------------


def test_lines_side_by_side_are_put_together() -> None:
    log = ["if S[LOG] is not None:", "    self.choosing(S, 0, ())"]
    more = ["if S[LOG] is not None:  # 7", "    self.log_put(S, (c,), HAND)"]
    assert at_once([*log, *more, "x = 1", *more]) == [*log, more[1], "x = 1", *more]
    count = ["S[STEPS] += 1", "if S[STEPS] > MOST_STEPS:", "    raise endless(4)"]
    assert at_once([*count, *count]) == ["S[STEPS] += 2", *count[1:]]
    other = [*count[:2], "    raise endless(5)"]
    assert at_once([*count, *other]) == [*count, *other]


def test_a_zone_gets_no_name_that_is_not_used() -> None:
    assert used(["hand = S[HAND]", "return 1"]) == ["return 1"]
    assert used(["hand = S[HAND]", "return hand[0]"]) == ["hand = S[HAND]", "return hand[0]"]
    assert used(["S[MOVER] = S[OPENER]"]) == ["S[MOVER] = S[OPENER]"]


# ---- modules of the library -----------------------------------------------------------------------------------------


def module(name: str) -> str:
    """Return the code of the rules of a game, without what all modules have in common."""
    return compile_program(game(name).program, __version__).split("\nclass Rules_", 1)[1]


def method(text: str, name: str) -> str:
    """Return one method."""
    return text.split(f"    def {name}(", 1)[1].split("\n    def ", 1)[0]


def test_a_card_alone_of_its_kind_is_its_kind() -> None:
    text = module("hearts")
    assert "kind_of" not in method(text, "thirteen_tricks_choice_22_play")
    assert "self.kind_of[" in module("crazy_eights")  # two decks for six and more


def test_follow_suit_is_cut_out_of_the_hand_and_the_suit_led_is_looked_up_once() -> None:
    moves = method(module("hearts"), "thirteen_tricks_choice_22_moves")
    assert moves.count("fixed = S[TRICK][0]") == 1 and "SUIT[S[TRICK]" not in moves
    assert "out = hand[bisect_left(hand, SUIT_FROM[fixed]) : bisect_left(hand, SUIT_TO[fixed])]" in moves
    assert "members(" not in moves and "mask_of(" not in moves


def test_the_winner_of_a_trick_is_found_in_one_loop() -> None:
    plays = method(module("hearts"), "thirteen_tricks_choice_22_play")
    assert plays.count("for card_in_trick in S[TRICK]:") == 1
    assert "max(" not in plays and "superlative(" not in plays


def test_how_many_cards_come_after_one_is_not_counted_card_by_card() -> None:
    assert "hand[:-2]" in method(module("hearts"), "one_deal_choice_10_moves")


def test_moves_that_are_always_there_are_a_list() -> None:
    assert "return [0, 1]" in method(module("kuhn_poker"), "play_choice_4_moves")


def test_a_table_of_a_module_refuses_what_any_table_refuses() -> None:
    table = module_of(game("kuhn_poker").program).start(seed=1)
    before = table.save()
    with pytest.raises(ValueError, match="move 99 is not possible now"):
        table.step(99)
    assert table.save() == before
    table.legal().clear()
    assert table.legal() == [0, 1]
    while table.turn is not None:
        table.step(table.legal()[0])
    assert table.legal() == []
    with pytest.raises(ValueError, match="the game is over"):
        table.step(2)


def test_sets_that_have_been_looked_up_are_kept_up_to_a_limit() -> None:
    sets = Elements()
    for mask in range(MOST_SETS + 5):
        assert sets[mask] == tuple(members(mask))
    assert len(sets) == 5
