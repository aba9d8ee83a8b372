"""What a scenario of Moon can't say: M-28 holds whatever the others do."""

from __future__ import annotations

from hoyle import session
from hoyle.interpret import Table
from hoyle.program import Made
from hoyle.resources import folder
from hoyle.scenarios import _Player, with_companions

LEADS = ("6-6", "6-5", "6-4", "5-5", "5-4", "4-4", "0-0")


def before_the_first_trick() -> Table:
    """Return the table of scenario M-28 when trumps are named."""
    specs = folder("specs")
    game, scenarios = with_companions(session.load("moon"), [specs / "scenarios" / "moon.hoyle"])  # type: ignore
    m28 = next(x for x in scenarios if x.title.startswith("M-28"))
    first = next(i for i, x in enumerate(m28.steps) if isinstance(x, Made) and x.move.option == "play")
    player = _Player(game, m28.model_copy(update={"steps": m28.steps[:first]}))
    player.run()
    assert player.table is not None and player.problems == []
    return player.table


class Walk:
    """All lines of play in which the bidder leads as told; positions that come about in several ways count once."""

    def __init__(self) -> None:
        self.seen: set[tuple[str, ...]] = set()
        self.ends = 0

    def go(self, table: Table, led: int) -> None:
        """Walk on from a table on which so many tiles have been led."""
        zones = table.view(1)["zones"]
        if led == len(LEADS) and not zones["trick"]["cards"]:
            self.ends += 1
            assert table.scores == (6, 0, 0)
            return
        if table.turn == 0:
            assert (
                sum(len(pile["cards"]) for pile in zones["won"]) == len(zones["won"][0]["cards"]) == 3 * led
            )
            hands = [table.view(seat)["zones"]["hand"][seat]["cards"] for seat in (1, 2)]
            position = tuple(map(str, hands))
            if position in self.seen:
                return
            self.seen.add(position)
            self.on(table, f"play({LEADS[led]})", led + 1)
            return
        for move in table.moves():
            self.on(table, move.call, led)

    def on(self, table: Table, move: str, led: int) -> None:
        """Make a move on a copy, and walk on from there."""
        after = table.copy()
        after.play(move)
        self.go(after, led)


def test_m28_the_bidder_takes_all_seven_tricks_whatever_the_others_do() -> None:
    walk = Walk()
    walk.go(before_the_first_trick(), 0)
    assert len(walk.seen) > 100 and walk.ends > 0
