"""Explicit chance: random events as choices of the table, with exact probabilities."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from hoyle.runtime import picking, pieces
from hoyle.runtime.faults import IllegalMove
from hoyle.runtime.game import BaseGame
from hoyle.runtime.saving import checksum
from hoyle.runtime.state import CHANCE_SEAT
from hoyle.session import load_text
from lockstep import Both
from specs_for_tests import ALL, both, game
from specs_of_chance import SPECS

Distribution = dict[Any, Fraction]


@cache
def pair(name: str) -> Both:
    """Return a spec of chance, or another game, in both back ends."""
    return Both(load_text(SPECS[name])) if name in SPECS else both(name)


def back_ends(name: str) -> tuple[BaseGame, BaseGame]:
    return pair(name).left, pair(name).right


def histories(table: Any, chance: Fraction = Fraction(1)) -> Iterator[tuple[Any, Fraction]]:
    """Yield every table at the end of a game with its probability, where players choose evenly."""
    if table.turn is None:
        yield table, chance
        return
    events = table.chances()
    for number in table.legal():
        weight = next((p for n, p, _ in events if n == number), Fraction(1, len(table.legal())))
        after = table.copy()
        after.step(number)
        yield from histories(after, chance * weight)


def ending(table: Any) -> Any:
    """Return how a game has ended, the order of hidden piles left out."""
    shape, zones = table._rules.shape, []
    for zone in shape.zones:
        for index in range(zone.first, zone.first + (table.players if zone.each_player else 1)):
            faces = [shape.face(x) for x in table.state[index]]
            zones.append(tuple(sorted(faces) if zone.seen == "hidden" else faces))
    return (table.scores, table.winners, tuple(zones))


def distribution(tables: Iterator[tuple[Any, Fraction]]) -> Distribution:
    found: Distribution = defaultdict(Fraction)
    for table, chance in tables:
        found[ending(table)] += chance
    return dict(found)


# ---- every order of every shuffle, by brute force -----------------------------------------------------------


class Lots:
    """In place of the random stream: all ways in which lots can fall, one after the other."""

    def __init__(self) -> None:
        self.script: list[int] = []
        self.sizes: list[int] = []

    def choose(self, count: int) -> int:
        if len(self.sizes) == len(self.script):
            self.script.append(0)
        self.sizes.append(count)
        return self.script[len(self.sizes) - 1]

    def shuffle(self, state: int, there: list[int]) -> int:
        for i in range(len(there) - 1, 0, -1):
            j = self.choose(i + 1)
            there[i], there[j] = there[j], there[i]
        return state

    def pick(self, state: int, count: int) -> tuple[int, int]:
        return state, self.choose(count)

    def next(self) -> bool:
        """Go on to the next way; return False after the last."""
        while self.script and self.script[-1] == self.sizes[len(self.script) - 1] - 1:
            self.script.pop()
        if self.script:
            self.script[-1] += 1
        return bool(self.script)


@contextmanager
def falling(lots: Lots, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setattr(pieces, "shuffle", lots.shuffle)
        patch.setattr(picking, "pick", lots.pick)
        yield


def by_brute_force(rules: BaseGame, monkeypatch: pytest.MonkeyPatch) -> Distribution:
    """Return how games end under all orders of all shuffles and all lots, by the code for seeded chance."""
    found: Distribution = defaultdict(Fraction)
    lots = Lots()
    with falling(lots, monkeypatch):
        going = True
        while going:
            lots.sizes = []
            table = rules.start()
            chance = Fraction(1)
            while table.turn is not None:
                legal = table.legal()
                chance /= len(legal)
                table.step(legal[lots.choose(len(legal))])
            weight = Fraction(1)
            for size in lots.sizes:
                weight /= size
            found[ending(table)] += weight
            going = lots.next()
    return dict(found)


@pytest.mark.parametrize("name", SPECS)
def test_games_end_as_under_all_shuffles(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    left, right = back_ends(name)
    expected = by_brute_force(left, monkeypatch)
    assert sum(expected.values()) == 1
    assert distribution(histories(left.start(chance="explicit"))) == expected
    assert distribution(histories(right.start(chance="explicit"))) == expected


# ---- Kuhn and Leduc ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("back_end", [0, 1])
def test_kuhn_poker_has_30_histories(back_end: int) -> None:
    found = list(histories(back_ends("Kuhn")[back_end].start(chance="explicit")))
    assert len(found) == 30
    assert sum(chance for _, chance in found) == 1


def test_the_deals_of_kuhn_poker() -> None:
    table = back_ends("Kuhn")[0].start(chance="explicit")
    assert table.turn == CHANCE_SEAT and table.outcome == "" and table.winners == ()
    third = Fraction(1, 3)
    assert table.chances() == [(0, third, "jack"), (1, third, "queen"), (2, third, "king")]
    assert [str(m) for m in table.moves()] == ["jack", "queen", "king"] and table.ask == "chance"
    table.play("queen")
    assert table.chances() == [(0, Fraction(1, 2), "jack"), (2, Fraction(1, 2), "king")]
    table.step(2)
    assert table.turn == 0 and table.chances() == [] and table.decisions == 0
    assert table.view(0)["zones"]["hand"] == [
        {"size": 1, "cards": ["queen"]},
        {"size": 1, "cards": [None]},
    ]
    assert "queen: stock -> player 1's hand" in [event["text"] for event in table.log(0)]
    assert "queen" not in json.dumps([table.log(1), table.view(1)])


def test_equal_cards_are_one_outcome_and_no_order_is_asked_that_nobody_sees() -> None:
    table = back_ends("Leduc")[0].start(chance="explicit")
    table.play("queen")
    assert table.chances() == [
        (0, Fraction(2, 5), "jack"),
        (1, Fraction(1, 5), "queen"),
        (2, Fraction(2, 5), "king"),
    ]
    # 3 * 3 deals; a third card of any rank that is left
    assert len(list(histories(back_ends("Leduc")[0].start(chance="explicit")))) == 24


def test_what_is_certain_is_not_asked() -> None:
    table = back_ends("Kuhn")[0].start(chance="explicit")
    for move in ("king", "queen"):
        table.play(move)
    assert table.turn == 0  # the jack is left over and nobody asks for it


# ---- what a table can do -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*SPECS, *ALL])
def test_the_two_agree_and_saves_go_on_alike(name: str) -> None:
    for seed in range(2):
        pair(name).play_explicit(pair(name).left.counts[-1], seed, most=70)


@pytest.mark.parametrize("name", [*SPECS, "rounds", "drawers"])
def test_at_a_turn_of_chance_nothing_is_told_of_what_was_drawn_unseen(name: str) -> None:
    """After another hidden outcome the seat that does not see it is told the same."""
    rules = pair(name).left
    table = rules.start(chance="explicit")
    compared = 0
    for step in range(60):
        if table.turn is None:
            break
        if table.turn == CHANCE_SEAT:
            compared += _outcomes_look_alike(table)
        table.step(table.legal()[step * 7 % len(table.legal())])
    assert compared > 0 or name in ("Local", "Marked", "Drawn")


def _outcomes_look_alike(table: Any) -> int:
    after = []
    for number in table.legal():
        after.append(table.copy())
        after[-1].step(number)
    if any(t.turn != CHANCE_SEAT for t in after):
        return 0
    told = 0
    for seat in range(table.players):
        faces = {json.dumps([t.log(seat), t.view(seat)]) for t in after}
        told += len(faces) == 1
    return told


@pytest.mark.parametrize("name", ["contract", "rounds"])
def test_what_a_seat_knows_is_the_same_however_often_it_is_asked(name: str) -> None:
    """It is asked in the middle of deals too, where the log of the table is told anew each time."""
    rules = game(name)
    table = rules.start(chance="explicit")
    for step in range(60):
        if table.turn is None:
            break
        for seat in range(table.players):
            assert table.knows(seat) == rules.restore(table.save()).knows(seat)
            if table.turn == CHANCE_SEAT:
                with pytest.raises(ValueError, match="chance comes first"):
                    table.resample(seat, step)
            else:
                assert table.resample(seat, step).view(seat) == table.view(seat)
        table.step(table.legal()[step * 7 % len(table.legal())])


def test_a_copy_is_a_table_of_its_own() -> None:
    table = back_ends("Mixed")[1].start(chance="explicit")
    table.step(table.legal()[0])
    twin = table.copy()
    before = table.save()
    while twin.turn is not None:
        twin.step(twin.legal()[-1])
    assert table.save() == before and twin.save() != before
    with pytest.raises(ValueError, match="there is no seed"):
        table.copy(seed=3)


def test_an_outcome_that_is_not_possible_is_illegal_and_changes_nothing() -> None:
    for rules in back_ends("Kuhn"):
        table = rules.start(chance="explicit")
        before = table.save()
        for wrong in (7, -1, "ace", "bet"):
            with pytest.raises(ValueError) as refused:
                table.play(wrong)
            assert type(refused.value).__name__ == IllegalMove.__name__
        assert table.save() == before
        assert table.why("bet").reasons[0].text == "chance comes first" and table.why("jack").allowed


def test_chance_is_seeded_or_explicit() -> None:
    with pytest.raises(ValueError, match="seeded or explicit, not dice"):
        back_ends("Kuhn")[0].start(chance="dice")
    assert back_ends("Kuhn")[0].start(chance="seeded").chances() == []


SPOILT = {
    "an outcome left out": lambda past: past[1:],
    "an outcome too many": lambda past: [*past, {"outcome": 0}],
    "an outcome that is a move": lambda past: [past[0]["outcome"], *past[1:]],
    "an outcome that is not there": lambda past: [{"outcome": 77}, *past[1:]],
    "a seed": lambda past: [*past, {"chance": 4}],
    "something else": lambda past: [{"luck": 4}, *past[1:]],
}


@pytest.mark.parametrize("spoil", SPOILT.values(), ids=SPOILT)
def test_a_spoilt_save_is_refused(spoil: Any) -> None:
    table = back_ends("Kuhn")[0].start(chance="explicit")
    for move in ("king", "queen", "bet"):
        table.play(move)
    data = json.loads(table.save())
    data["past"] = spoil(data["past"])
    for rules in back_ends("Kuhn"):
        with pytest.raises(ValueError, match="this save is damaged: "):
            rules.restore(json.dumps({**data, "checksum": checksum(data)}))


def test_a_stalled_game_is_over() -> None:
    table = back_ends("Mixed")[0].start(chance="explicit", max_decisions=1)
    while table.turn is not None:
        table.step(table.legal()[0])
    assert table.outcome == "stalled" and table.decisions == 1
