"""The best assignment of wild cards in whole games: against brute force, and told to those it is shown to."""

from __future__ import annotations

import random

import pytest

from hoyle import program as p
from hoyle.interpret import Table
from naive import Naive
from specs_for_tests import game, layout_of

WILDS = game("wilds")


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


def asked(table: Table, name: str, seat: int = 0) -> int:
    """Return what a definition says of a player."""
    function = WILDS.program.function(name)
    invoked = p.Invoke(
        function=name, args=(p.Const(value=seat, type=function.types[0]),), type=function.body.type
    )
    engine = table._rules
    return int(engine.asking.ask(invoked)(table.state))  # type: ignore[attr-defined]


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
