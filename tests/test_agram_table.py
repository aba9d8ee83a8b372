"""Games of specs/agram.hoyle, card by card, against the oracle in `oracles.agram`."""

from __future__ import annotations

import random

import pytest

from hoyle import session
from hoyle.runtime.faults import IllegalMove
from oracles.agram import AgramOracle, deck

GAMES = 60


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_games_go_as_the_oracle_says(players: int) -> None:
    game = session.load("agram")
    few = 0
    for seed in range(GAMES):
        chance = random.Random(seed)
        table = game.start(players=players, seed=seed)
        hands = [table.view(seat)["zones"]["hand"][seat]["cards"] for seat in range(players)]
        assert len({card for hand in hands for card in hand} & set(deck())) == 6 * players
        oracle = AgramOracle([list(hand) for hand in hands], table.turn)
        while oracle.turn is not None:
            assert table.turn == oracle.turn
            seen = table.view(oracle.turn)
            assert seen["zones"]["trick"]["cards"] == oracle.trick
            assert seen["state"]["tricks won"] == oracle.tricks
            assert {move.call for move in table.moves()} == {f"play({card})" for card in oracle.playable()}
            refused = sorted(set(oracle.hands[oracle.turn]) - set(oracle.playable()))
            for card in refused[:1]:
                with pytest.raises(IllegalMove):
                    table.play(f"play({card})")
            card = chance.choice(sorted(oracle.playable()))
            table.play(f"play({card})")
            oracle.put(card)
        assert (table.outcome, table.winners) == ("finished", (oracle.winner,))
        few += oracle.tricks[table.winners[0]] < max(oracle.tricks)
    assert few > 0, "it happens that somebody wins who took fewer tricks than another"


def test_it_is_for_two_to_five_players() -> None:
    assert tuple(session.load("agram").counts) == (2, 3, 4, 5)
