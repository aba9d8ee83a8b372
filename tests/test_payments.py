"""Payments: what is offered is what can be completed, and all that a payment may be, held against brute force."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from hoyle.compile import compile_program
from hoyle.interpret import Game, Table
from hoyle.runtime.faults import Fault, IllegalMove
from hoyle.runtime.paying import NEVER, coins, excess
from hoyle.scenarios import run
from lockstep import module_of
from made_up_specs import checked
from test_language import accepted

SPEC = """hoyle 1

game "Till" for 2 players

components
  card Note(worth: 1..9)
  token gem {all_gems} worth {gem_worth}, {gems} to each player
  token pin {all_pins} worth {pin_worth}, {pins} to each player
  deck in purse
    {deck}

zones
  purse: pile, hidden
  hand:  pool, seen by owner, each player
  used:  pool, open
  pot:   tokens

state
  payer: player
  more = 0

play
  move all from purse to payer.hand
  for p in others of payer
    give all gem from p to pot
    give all pin from p to pot
  choose payer
    option price(n in 0..40 where can pay(payer, n))
      do pay(payer, n)
      more = n

payment pay(p: player, amount: number)
  {change}gem: to supply
  pin: to supply
  c in p.hand: worth c.worth, to used

result
  rank p by highest p.gem
"""


def spec(gems: tuple[int, int], pins: tuple[int, int], notes: list[int], change: str = "") -> str:
    """Return a game in which one player with so many tokens of some worth, and some notes, pays a price."""
    deck = "\n    ".join(f"1 Note({n})" for n in notes) or "1 Note(1) with 3+ players"
    return SPEC.format(
        all_gems=2 * gems[0],
        gems=gems[0],
        gem_worth=gems[1],
        all_pins=2 * pins[0],
        pins=pins[0],
        pin_worth=pins[1],
        deck=deck,
        change=change,
    )


def legal(items: list[int], price: int, exact: bool) -> bool:
    """Whether things of these worths are a payment: enough, and nothing that could be left out."""
    total = sum(items)
    return total == price if exact else total >= price and all(total - x < price for x in items)


def by_brute_force(
    gems: tuple[int, int], pins: tuple[int, int], notes: list[int], price: int, exact: bool
) -> set[tuple[int, int, tuple[int, ...]]]:
    """Return all payments: gems, pins and notes, as face values in order."""
    found = set()
    for g, n in product(range(gems[0] + 1), range(pins[0] + 1)):
        for chosen in product((False, True), repeat=len(notes)):
            cards = tuple(sorted(x for x, yes in zip(notes, chosen, strict=True) if yes))
            if legal([gems[1]] * g + [pins[1]] * n + list(cards), price, exact):
                found.add((g, n, cards))
    return found


def offered(table: Table, gems: int, pins: int) -> set[tuple[int, int, tuple[int, ...]]]:
    """Return all payments that the moves of a table lead to."""
    if table.turn is None:
        view = table.view(0)
        used = tuple(sorted(int(x) for x in view["zones"]["used"]["cards"]))
        return {(gems - view["state"]["gem"][0], pins - view["state"]["pin"][0], used)}
    found: set[tuple[int, int, tuple[int, ...]]] = set()
    for number in table.legal():
        after = table.copy()
        after.step(number)
        more = offered(after, gems, pins)
        assert not more & found  # no payment can be made in two ways
        found |= more
    return found


@settings(max_examples=60, derandomize=True, deadline=None, phases=[Phase.generate])
@given(
    st.tuples(st.integers(1, 4), st.integers(1, 4)),
    st.tuples(st.integers(1, 3), st.integers(1, 4)),
    st.lists(st.integers(1, 4), min_size=1, max_size=4),
    st.integers(0, 14),
    st.booleans(),
)
def test_the_moves_lead_to_every_payment_and_no_other(
    gems: tuple[int, int], pins: tuple[int, int], notes: list[int], price: int, exact: bool
) -> None:
    program = accepted(spec(gems, pins, notes, change="change: exact\n  " if exact else ""))
    wanted = by_brute_force(gems, pins, notes, price, exact)
    for game in (Game(program), module_of(program)):
        table: Any = game.start(players=2, seed=1)
        prices = {m.arguments[0] for m in table.moves()}
        assert (str(price) in prices) == bool(wanted)
        if wanted:
            table.play(f"price({price})")
            assert offered(table, gems[0], pins[0]) == wanted


def test_change_is_given_from_the_supply() -> None:
    text = spec((3, 1), (3, 4), [9], change="change: in gem\n  ").replace(
        "gem from p to pot", "gem from p to supply"
    )
    program = accepted(text)
    table = Game(program).start(players=2, seed=1)
    table.play("price(11)")
    table.play("gem(0)")
    assert [m.call for m in table.moves()] == ["pin(1)", "pin(3)"]
    table.play("pin(3)")
    assert table.view(0)["state"]["gem"][0] == 4


def test_what_cannot_be_paid_is_a_fault() -> None:
    text = spec((1, 1), (1, 1), [1]).replace(" where can pay(payer, n)", "")
    for game in (Game(accepted(text)), module_of(accepted(text))):
        table: Any = game.start(players=2, seed=1)
        with pytest.raises(Exception, match="20 is to be paid, and can't be") as fault:
            table.play("price(20)")
        assert type(fault.value).__name__ == Fault.__name__


def test_no_step_lists_many_moves() -> None:
    """However much one owns, a step is one kind of token, or one card by its face."""
    text = spec((30, 1), (30, 3), [n for n in range(1, 10) for _ in range(12)]).replace("0..40", "0..900")
    table = Game(accepted(text)).start(players=2, seed=1)
    table.play("price(500)")
    most = 0
    while table.turn is not None:
        most = max(most, len(table.legal()))
        table.step(table.legal()[len(table.legal()) // 2])
    assert most <= 31


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 6)), max_size=4), st.integers(-3, 40))
def test_sums_are_those_of_every_handful(kinds: list[tuple[int, int]], due: int) -> None:
    sums = 1
    for worth, count in kinds:
        sums = coins(sums, worth, count)
    counts = product(*(range(n + 1) for _, n in kinds))
    every = {sum(n * kind[0] for n, kind in zip(c, kinds, strict=True)) for c in counts}
    assert {n for n in range(sums.bit_length()) if sums >> n & 1} == every
    over = [x - due for x in every if x >= due] if due > 0 else [-due]
    assert excess(sums, due) == min(over, default=NEVER)


def test_a_payment_of_one_kind_is_not_asked() -> None:
    text = spec((6, 2), (3, 1), [1]).replace("  pin: to supply\n", "")
    text = text.replace("  c in p.hand: worth c.worth, to used\n", "")
    program = accepted(text)
    table = Game(program).start(players=2, seed=1)
    table.play("price(5)")
    assert table.turn is None and table.view(0)["state"]["gem"][0] == 3
    assert "def pay" in compile_program(program, "0")


# ---- named as a whole ---------------------------------------------------------------------------


def named(gems: int, pins: int, notes: tuple[int, ...]) -> str:
    """Return a payment as one writes it, what there is none of left out."""
    items = [f"{n} {name}" for n, name in ((gems, "gem"), (pins, "pin")) if n] + [str(x) for x in notes]
    return f"pay({', '.join(items)})"


@settings(max_examples=12, derandomize=True, deadline=None, phases=[Phase.generate])
@given(
    st.tuples(st.integers(1, 3), st.integers(1, 4)),
    st.tuples(st.integers(1, 2), st.integers(1, 4)),
    st.lists(st.integers(1, 4), max_size=3),
    st.integers(1, 14),
    st.booleans(),
)
def test_a_payment_named_as_a_whole_is_made_and_no_other_can_be(
    gems: tuple[int, int], pins: tuple[int, int], notes: list[int], price: int, exact: bool
) -> None:
    program = accepted(spec(gems, pins, notes, change="change: exact\n  " if exact else ""))
    right = by_brute_force(gems, pins, notes, price, exact)
    for game in (Game(program), module_of(program)):
        table: Any = game.start(players=2, seed=1)
        if not right:
            continue
        table.play(f"price({price})")
        if table.turn is None:
            continue
        for g, n in product(range(gems[0] + 1), range(pins[0] + 1)):
            for chosen in product((False, True), repeat=len(notes)):
                cards = tuple(sorted(x for x, yes in zip(notes, chosen, strict=True) if yes))
                trial = table.copy()
                if (g, n, cards) in right:
                    trial.play(named(g, n, cards))
                    assert offered(trial, gems[0], pins[0]) == {(g, n, cards)}
                else:
                    with pytest.raises(Exception, match="is not possible now") as refused:
                        trial.play(named(g, n, cards))
                    assert type(refused.value).__name__ == IllegalMove.__name__
                    assert trial.legal() == table.legal() and trial.save() == table.save()


TWO = """
scenario "{title}" for 2 players ann, bob
  given ann.gem = 5
  given ann.pin = 1
  given payer = ann
  start at shop
  ann: {move}
  then ann.gem is 3
"""


@pytest.mark.parametrize(
    ("move", "problem"),
    [
        ('pay("2 gem, 1 pin")', ""),
        ('pay("1 pin, 2  gem")', ""),
        ('pay("2 gem")', 'pay("2 gem") is not possible; possible: gem(2), gem(5)'),
        ('pay("5 gem") refused', 'ann: pay("5 gem") should be refused, but it is possible'),
        ("pay", "pay could mean gem(2) or gem(5); write the rest of it"),
    ],
)
def test_two_payments_in_a_row_are_told_apart(move: str, problem: str) -> None:
    """What is named is the first of them, which is over before the second begins."""
    text = spec((9, 1), (9, 3), [1])
    text += "\nphase shop\n  do pay(payer, 5)\n  do pay(payer, 1)\n" + TWO.format(title="two", move=move)
    (result,) = run(Game(accepted(text)))
    assert [x.split(": ", 1)[1] for x in result.problems[:1]] == ([problem] if problem else [])


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ('pay("2 gme")', "did you mean `1 gem`?"),
        ('pay("2 gem", "1")', 'in quotes, with commas between: `pay("2 gem, 1")`'),
        ("pay(2)", 'in quotes, with commas between: `pay("2 gem, 1")`'),
        ('toll("2 gem")', "leave this line out: it is paid as soon as the game comes to it"),
    ],
)
def test_a_payment_that_cannot_be_read_is_told_with_a_mend(move: str, message: str) -> None:
    text = spec((9, 1), (9, 3), [1]) + "\npayment toll(p: player, amount: number)\n  gem: to supply\n"
    text += "\nphase shop\n  do pay(payer, 5)\n  do toll(payer, 1)\n" + TWO.format(title="two", move=move)
    report, _ = checked(text)
    (error,) = report.errors
    assert (error.code, error.mend) == ("E705", message)


@pytest.mark.parametrize(
    ("line", "code", "mend"),
    [
        ("q in players: to used", "E303", "a line `c in p.hand: to discard` pays with cards"),
        ("q in others of p: worth 2, to used", "E303", "a line `c in p.hand: to discard` pays with cards"),
        ("c in 1..3: to used", "E303", "a line `c in p.hand: to discard` pays with cards"),
        (
            "Note c in players: worth c.worth, to used",
            "E303",
            "a line `c in p.hand: to discard` pays with cards",
        ),
        (
            "q in players where q.gem > 2 when amount > 2: worth q.gem, to used",
            "E303",
            "`c in p.hand: to discard`",
        ),
        ("c in p: to used", "E303", "after `in` stands what is searched"),
        (
            "c in p.gem: to used",
            "E431",
            "tokens are paid as `gem: to supply`, and cards as `c in p.hand: to discard`",
        ),
        (
            "gem in p: to used",
            "E431",
            "tokens are paid as `gem: to supply`, and cards as `c in p.hand: to discard`",
        ),
        ("c in p.hand: to supply", "E431", "name a zone, as in `c in p.hand: to discard`"),
        ("c in p.hand: worth c, to used", "E301", "put a number here"),
        ("c in p.hand: worth yes, to used", "E301", "put a number here"),
        ("cards: from p.hand to used", "E111", "cards that pay have a name and a place"),
        ("cards: from players", "E111", "cards that pay have a name and a place"),
        ("Note: to used", "E111", "cards that pay have a name and a place"),
        ("p.hand: to used", "E111", "cards that pay have a name and a place"),
    ],
)
def test_a_line_that_cannot_pay_is_told_once_with_a_mend(line: str, code: str, mend: str) -> None:
    text = spec((3, 1), (3, 3), [1]).replace("c in p.hand: worth c.worth, to used", line)
    text += "\nphase shop\n  do pay(payer, 5)\n" + TWO.format(title="two", move='pay("2 gem, 1 pin")')
    report, _ = checked(text)
    (error,) = report.errors
    assert error.code == code and mend in error.mend
    assert line in text.split("\n")[error.span.line - 1]
