"""The clever enumerator of legal moves against one that tries everything, and numbers against counting."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from hoyle.interpret import Fault, Game, Table
from hoyle.program import Choose
from hoyle.runtime.state import BLOCK
from hoyle.session import SpecError, load_text
from made_up_expressions import Chooser
from made_up_specs import accepted, specs
from naive import Call, Naive
from naive_numbers import Numbers
from specs_for_tests import ALL, SMALL, SPECS, choice_of, counts, game, layout_of, legal_moves, play_at_random

# EXAMPLES=2000 tries that many, others each time; else the same few.
EXAMPLES = int(os.environ.get("EXAMPLES", "0"))


@cache
def numbers_of(name: str) -> Numbers:
    return Numbers(game(name).program)


def found(table: Table, naive: Naive) -> set[Call]:
    """Return the legal moves as the engine finds them, in the terms of the naive enumerator."""
    options = choice_of(table).options
    return {(place, naive.call(options[place], values)) for place, values in legal_moves(table).values()}


def assert_all_moves_found(table: Table, naive: Naive) -> None:
    assert found(table, naive) == naive.moves(table.state)


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_moves_are_those_that_trying_everything_finds(name: str, players: int) -> None:
    for seed in range(1 if name in SPECS else 3):
        table = game(name).start(players=players, seed=seed)
        naive = Naive(layout_of(table))
        for _ in play_at_random(table, seed, most=80):
            if name != "sums" or table.decisions % 3 == seed:
                assert_all_moves_found(table, naive)


@pytest.mark.parametrize("after_draw", ["anything", "drawn_card"])
def test_moves_of_dos_with_either_rule_after_drawing(after_draw: str) -> None:
    table = game("dos").start(players=3, seed=5, target=50, hand_size=9, after_draw=after_draw)
    naive = Naive(layout_of(table))
    for _ in play_at_random(table, 5, most=80):
        assert_all_moves_found(table, naive)


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_a_number_stands_for_the_move_that_counting_gives_it(name: str, players: int) -> None:
    table = game(name).start(players=players, seed=3)
    naive = Naive(layout_of(table))
    for _ in play_at_random(table, 3, most=60):
        assert_numbers(table, naive, numbers_of(name))


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_the_space_is_as_large_as_counting_makes_it(name: str, players: int) -> None:
    assert game(name).space(players) == numbers_of(name).space


@pytest.mark.parametrize(("name", "players"), counts(SMALL))
def test_every_option_of_the_small_specs_is_met(name: str, players: int) -> None:
    """Else the tests above would say less than they seem to."""
    if players == 1:
        pytest.skip("alone there is nobody to give to")
    met: set[str] = set()
    for seed in range(25):
        table = game(name).start(players=players, seed=seed)
        for _ in play_at_random(table, seed):
            met |= {move.option for move in table.moves()}
    exits = [b.exit for b in game(name).program.blocks]
    written = {o.name for exit in exits if isinstance(exit, Choose) for o in exit.options}
    assert written - met <= ({"throw"} if players == 2 else set())


@pytest.mark.parametrize(
    "option",
    [
        "(a in mover.hand where value_of(a) > level and 12 / value_of(a) > 2)",
        "(a in mover.hand where a in table and 12 / (level - level) > 2)",
        "(a in mover.hand, b in table where value_of(b) > 9 and 12 / value_of(a) > 2)",
    ],
)
def test_a_guard_is_asked_after_those_before_it(option: str) -> None:
    """A guard that would be a fault alone may stand behind one that keeps it from being asked."""
    made = made_up([option])
    for seed in range(12):
        assert_moves_and_numbers(made.start(seed=seed), made, seed)


# ---- options made up ------------------------------------------------------------------------------

CARDS = """hoyle 1

game "Made up" for 2..3 players

parameters
  strict = no

components
  enum Colour = red, green, blue
  card Number(colour: Colour, value: 0..4)  "{colour} {value}"
  card Joker                                "joker"
  card Coin(value: 1..2)                    "coin {value}"
  kind Plain = Number, Coin
  deck in stock
    2 Number(k, v) for k in Colour, v in 0..4
    3 Joker
    2 Coin(1)
    2 Coin(2)

zones
  stock: pile, hidden
  waste: pile, open
  table: row, open
  pot:   pool, open
  hand:  pool, seen by owner, each player

state
  mover: player
  fresh: set of card
  mixed: set of card                  # some of the hand, some of the table
  wanted: Colour
  level: 0..4 = 2
  chip: card or none
  score = 0 for each player

define value_of(c: card)
  when c is Joker: 2
  otherwise:       c.value

define numbers_of(c: card)
  when c is Joker: 0..4
  otherwise:       {c.value, 3}

define colours_of(c: card)
  when c is Number: {c.colour}
  when c is Joker:  Colour
  otherwise:        {}

define near(a, b: card) = value_of(a) - value_of(b) in {0, 1}

define hue(cards: set of card) = {k in Colour where every c in cards where k in colours_of(c)}

define reaches(c: card, n: 0..4) = any x in numbers_of(c) where x + n >= level

play
  repeat 5 times
    gather every card into stock, shuffled
    deal 3 from stock to each hand
    fill waste to 1 from stock
    fill table to 3 from stock
    move 2 from stock to pot
    pick mover at random from players
    move 2 from stock to mover.hand as fresh
    mixed = {fresh, {x in table where x is not Joker}}
    pick wanted at random from Colour
    pick level at random from 0..4
    chip = none
    pick lucky at random from {yes, no}
    if lucky
      pick chip at random from mover.hand
    choose mover
      option nothing
        score_nobody
"""
PIECES = ("mover.hand", "mover.hand", "table", "pot", "fresh", "mixed", "mixed", "stock")


class OptionPen(Chooser):
    """Writes options with arguments of any kind and guards that speak of them."""

    def option(self) -> str:
        """Return the arguments and the guard of an option."""
        self.pieces: list[str] = []
        self.any_type: list[str] = []  # those among them that may be of any type
        self.values: dict[str, list[str]] = {"number": [], "colour": [], "flag": [], "player": []}
        self.used = 0
        binders = [self.binder() for _ in range(self.number_from(1, 3))]
        where = f" where {self.guard(2)}" if self.number_from(0, 5) else ""
        when = self.one_of("", "", " when level > 0", " when not strict", " when chip is not none")
        return f"({', '.join(binders)}{where}){when}"

    def names(self, many: int) -> list[str]:
        self.used += many
        return list("abcdef"[self.used - many : self.used])

    def binder(self) -> str:
        kind = self.one_of("piece", "piece", "piece", *self.values)
        if kind == "piece":
            source = self.piece_source()
            own = self.names(self.one_of(1, 1, 2, 2, 3) if len(self.pieces) < 2 and self.used < 3 else 1)
            type = self.one_of("", "", "", "Number ", "Joker ", "Plain ")
            self.pieces += own
            self.any_type += own if not type else []
            return f"{type}{', '.join(own)} in {source}"
        source = self.value_source(kind)
        own = self.names(self.one_of(1, 1, 2) if kind != "flag" and self.used < 4 else 1)
        self.values[kind] += own
        return f"{', '.join(own)} in {source}"

    def piece_source(self) -> str:
        made = [
            *PIECES,
            "{x in table where value_of(x) >= level}",
            "{x in mover.hand where wanted in colours_of(x)}",
            "(left of mover).hand",
        ]
        for c in self.pieces:
            made += [
                f"{{x in table where colours_of(x) meets colours_of({c})}}",
                f"{{x in mover.hand where x is not {c}}}",
                f"{{x in fresh where near({c}, x)}}",
            ]
        return str(self.one_of(*made))

    def value_source(self, kind: str) -> str:
        made = {
            "number": ["0..4", "{0, 2, 4}", "0..level"],
            "colour": ["Colour", "{wanted, blue}"],
            "flag": ["{yes, no}", "{strict}"],
            "player": ["players", "others of mover", "seats from mover", "{mover}"],
        }[kind]
        for c in self.pieces:
            more = {
                "number": [f"numbers_of({c})", f"0..value_of({c})"],
                "colour": [f"colours_of({c})", f"hue({{{c}}})"],
            }
            made = made + more.get(kind, [])
        return str(self.one_of(*made))

    def guard(self, depth: int) -> str:
        """Return a condition over the arguments and the table."""
        if depth and self.maybe():
            word = self.one_of("and", "and", "or")
            return f"{_bracketed(self.guard(depth - 1))} {word} {_bracketed(self.guard(depth - 1))}"
        if depth and self.maybe(5):
            return f"not {_bracketed(self.guard(depth - 1))}"
        atoms = ["level > 1", "not strict", "size of table > 2", "chip is not none", "wanted is red"]
        for c in self.pieces:
            atoms += self.about_piece(c)
        for n in self.values["number"]:
            atoms += [f"{n} > level", f"{n} mod 2 is 0", f"{n} is size of pot"]
        for k in self.values["colour"]:
            atoms += [f"{k} is wanted", f"{k} < blue"]
        for f in self.values["flag"]:
            atoms += [f"{f}", f"{f} is strict"]
        for q in self.values["player"]:
            atoms += [
                f"{q} is mover",
                f"size of {q}.hand > 3",
                f"left of {q} is mover",
                f"{q} in others of mover",
            ]
        return str(self.one_of(*atoms))

    def about_piece(self, c: str) -> list[str]:
        everything = "{" + ", ".join(self.pieces) + "}"
        atoms = [
            f"value_of({c}) >= level",
            f"value_of({c}) in 1..3",
            f"{c} in fresh",
            f"{c} in table",
            f"{c} in mover.hand",
            f"{c} in mixed",
            f'{c} is "red 1"',
            f"wanted in colours_of({c})",
            f"{c} is top of waste",
            f"chip is {c}",
            f"(any x in table where near(x, {c}))",
            f"(every x in mover.hand where x is {c} or value_of(x) <= value_of({c}))",
            f"(any x in {everything} where x in fresh)",
            f"(count x in {everything} where x in fresh) is 1",
            f"size of {everything} > 1",
            f"hue({everything}) is not empty",
            f"(highest x in {everything} by value_of(x)) in fresh",
        ]
        if c in self.any_type:
            atoms += [f"{c} is Joker", f"{c} is Plain", f"not {c} is Number"]
            atoms += [f"(any x in {{{c}}} where x in {{{d}}})" for d in self.any_type if d != c]
        for d in self.pieces:
            if d != c:
                atoms += [
                    f"near({c}, {d})",
                    f"{c} is {d}",
                    f"{c} is not {d}",
                    f"value_of({c}) + value_of({d}) is 4",
                    f"colours_of({c}) meets colours_of({d})",
                ]
        for n in self.values["number"]:
            atoms += [f"{n} is value_of({c})", f"reaches({c}, {n})", f"{n} in numbers_of({c})"]
        atoms += [f"{k} in colours_of({c})" for k in self.values["colour"]]
        for q in self.values["player"]:
            atoms += [f"{c} in {q}.hand", f"size of {q}.hand > value_of({c})"]
        return atoms


def _bracketed(guard: str) -> str:
    return f"({guard})" if " " in guard and not guard.startswith("(") else guard


@st.composite
def options(draw: st.DrawFn) -> list[str]:
    """Return options that one choice can offer."""
    pen = OptionPen(draw)
    return [pen.option() for _ in range(pen.number_from(3, 5))]


def made_up(options: list[str]) -> Game:
    """Return a game in which these options are offered on tables laid at random."""
    lines = CARDS.replace("        score_nobody\n", "        level = level\n")
    for place, option in enumerate(options):
        lines += f"      option made_{place}{option}\n        level = level\n"
    return load_text(lines + "\nresult\n  rank p by highest p.score\n", "made up")


made_up_settings = settings(
    max_examples=EXAMPLES or 50, derandomize=not EXAMPLES, suppress_health_check=list(HealthCheck)
)


@made_up_settings
@given(options(), st.integers(0, 1 << 32), st.booleans())
def test_moves_of_options_made_up(written: list[str], seed: int, strict: bool) -> None:
    try:
        made = made_up(written)
    except SpecError as refused:
        # Two tests of one card that exclude each other, or types that can't be compared: right to be refused.
        assume({d.code for d in refused.report.errors} != {"E306"})
        raise
    table = made.start(players=2 + seed % 2, seed=seed, strict=strict)
    assert_moves_and_numbers(table, made, seed)


@made_up_settings
@given(specs(), st.integers(0, 1 << 32))
def test_moves_of_specs_made_up(text: str, seed: int) -> None:
    made = Game(accepted(text))
    with suppress(Fault):
        assert_moves_and_numbers(made.start(seed=seed), made, seed)


def assert_moves_and_numbers(table: Table, made: Game, seed: int) -> None:
    naive, numbers = Naive(layout_of(table)), Numbers(made.program)
    assert made.space(table.players) == numbers.space
    for _ in play_at_random(table, seed, most=30):
        assert_all_moves_found(table, naive)
        assert_numbers(table, naive, numbers)


def assert_numbers(table: Table, naive: Naive, numbers: Numbers) -> None:
    options, block = choice_of(table).options, table.state[BLOCK]
    for number, (place, values) in legal_moves(table).items():
        assert number == numbers.number(block, (place, naive.call(options[place], values)))
