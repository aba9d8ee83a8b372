"""The best assignment of wild cards in whole games: against brute force, and told to those it is shown to."""

from __future__ import annotations

import random

import pytest

from hoyle import program as p
from hoyle.interpret import Table
from naive import Naive
from specs_for_tests import engine_of, game, layout_of, play_at_random

WILDS = game("wilds")
MELDS = game("melds")


def laid(cards: dict[str, list[str]], players: int = 2) -> Table:
    """Return a table at which these faces lie in the zones of the first player, and nothing else."""
    table = WILDS.start(players=players, seed=1)
    layout = layout_of(table)
    S = table.state
    for index in layout.shape.lists:
        S[index].clear()
    left = list(range(len(layout.kind_of)))
    for name, faces in cards.items():
        zone = next(z for z in layout.shape.zones if z.name == name)
        for face in faces:
            piece = next(x for x in left if layout.shape.face(x) == face)
            left.remove(piece)
            S[zone.first].append(piece)
        S[zone.first].sort()
    return table


def dealt(seed: int) -> Table:
    """Return a table with a few cards of the first player, not too many of them wild."""
    r = random.Random(seed)
    layout = layout_of(WILDS.start(players=2, seed=1))
    pieces = [layout.shape.face(x) for x in range(len(layout.kind_of))]
    wild = [f for f in pieces if f.startswith("any") or f.endswith("#")]
    plain = [f for f in pieces if f not in wild]
    faces = [*r.sample(wild, r.randint(0, 3)), *r.sample(plain, r.randint(0, 9))]
    hand = ["any #"] * ("any #" not in faces) + r.sample([f for f in plain if f not in faces], 4)
    return laid({"collected": faces, "hand": hand})


def asked(table: Table, name: str, *values: int) -> int:
    """Return what a definition says of the first player, or for these arguments."""
    engine = engine_of(table)
    function = engine.program.function(name)
    args = (p.Const(value=x, type=type) for x, type in zip(values or (0,), function.types, strict=True))
    invoked = p.Invoke(function=name, args=tuple(args), type=function.body.type)
    return int(engine.asking.ask(invoked)(table.state))


@pytest.mark.parametrize("block", range(10))
def test_definitions_find_the_best_that_trying_everything_finds(block: int) -> None:
    for seed in range(block * 10, block * 10 + 10):
        table = dealt(seed)
        naive = Naive(layout_of(table))
        for name in ("best_runs", "best_sum"):
            function = WILDS.program.function(name)
            assert asked(table, name) == naive.value(function.body, table.state, {function.parameters[0]: 0})


def played(seed: int, players: int) -> Table:
    """Return a table at the end of a game in which nobody hides a card once five are drawn."""
    table = WILDS.start(players=players, seed=seed)
    while table.turn is not None:
        moves = [m for m in table.moves() if m.option != "reveal"]
        table.play(moves[table.decisions * 7 % len(moves)])
    return table


def test_a_log_tells_which_wild_counts_as_what_to_those_it_is_shown_to() -> None:
    for seed in range(10):
        table = played(seed, 2)
        mine, other = ([e["text"] for e in table.log(seat)] for seat in (0, 1))
        best = asked(table, "best_runs")
        (told,) = [t for t in mine if t.startswith("best_runs(player 1) is ")]
        assert told in other and told.startswith(f"best_runs(player 1) is {best}")
        wilds = [f for f in table.view(1)["zones"]["collected"][0]["cards"] if "any" in f or "#" in f]
        assert told.count(" as ") == len(wilds)
        hidden = f"best_sum(player 1) is {asked(table, 'best_sum')}"
        assert any(t.startswith(hidden) for t in other) and not any(t.startswith(hidden) for t in mine)
        assert "best_sum(player 1) is shown to player 2" in mine


def test_the_cards_of_a_hidden_zone_are_shown_with_what_they_come_to() -> None:
    table = played(4, 2)
    hand = table.view(0)["zones"]["hand"][0]["cards"]
    assert hand and any(
        t["text"] == f"{', '.join(hand)}: player 1's hand, shown to player 2" for t in table.log(1)
    )


@pytest.mark.parametrize("players", [2, 3])
def test_splits_are_as_good_as_trying_everything_makes_them(players: int) -> None:
    for seed in range(6):
        table = MELDS.start(players=players, seed=seed)
        for _ in play_at_random(table, seed, most=6):
            naive = Naive(layout_of(table))
            for seat in range(players):
                hand = table.state[
                    next(z for z in layout_of(table).shape.zones if z.name == "hand").first + seat
                ]
                for name, values in (("deadwood", (seat,)), ("without", (seat, hand[0]))):
                    function = MELDS.program.function(name)
                    env = dict(zip(function.parameters, values, strict=True))
                    assert asked(table, name, *values) == naive.value(function.body, table.state, env)


def test_a_log_tells_the_melds_and_the_rest() -> None:
    told = set()
    for seed in range(40):
        table = MELDS.start(players=2, seed=seed)
        for _ in play_at_random(table, seed):
            pass
        texts = [e["text"] for e in table.log(0) if e["text"].startswith("deadwood(player 2) is ")]
        told |= {word for text in texts for word in ("run", "set", "rest") if f" {word} " in text}
    assert told == {"run", "set", "rest"}
