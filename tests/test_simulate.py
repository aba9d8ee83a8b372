"""What a simulation counts, on games whose results are laid down, and that `replay` reads the same games."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator

import pytest

from fakes import FakeGame, FakePlayout, playout
from hoyle import console, session, simulate, summary
from hoyle.bots import RandomBot, choice, random_bot
from hoyle.console import Interrupts
from hoyle.interpret import Game as Interpreted
from hoyle.protocol import Game
from hoyle.replay import Reading, deal
from hoyle.runtime.chance import mix
from hoyle.runtime.faults import Fault
from hoyle.simulate import Tally


def tally_of(*games: FakePlayout, players: int = 2) -> Tally:
    tally = Tally(players)
    for index, game in enumerate(games):
        tally.add(game, index)
    return tally


def won(*winners: int, scores: tuple[int, ...] = (1, 0), decisions: int = 10) -> FakePlayout:
    return FakePlayout(scores, winners, decisions, choices=4 * decisions, forced=decisions // 2)


def coin(first: int, second: int) -> Tally:
    return tally_of(*[won(0)] * first, *[won(1)] * second)


def test_only_finished_games_make_the_figures() -> None:
    stalled, fault = FakePlayout((9, 9), (), 500, "stalled"), FakePlayout((), (), 3, "fault", "line 4: empty")
    tally = tally_of(won(0), stalled, fault, won(1, decisions=20))
    assert (tally.games, tally.finished, tally.stalled, tally.faulty) == (4, 2, 1, 1)
    assert tally.length.mean == 15 and tally.scores[0].n == 2
    assert tally.first_stalled == 1


def test_a_shared_win_counts_in_parts() -> None:
    tally = tally_of(won(0, 1, 2, scores=(5, 5, 5)), won(2, scores=(0, 0, 1)), players=3)
    assert tally.wins == pytest.approx([1 / 3, 1 / 3, 4 / 3])
    assert tally.ties == 1


def test_a_game_that_nobody_wins_is_finished_but_not_decided() -> None:
    tally = tally_of(won(), won(0))
    assert (tally.finished, tally.decided) == (2, 1)
    figures = simulate.as_json(tally)
    assert (figures["nobody"], figures["seats"][0]["share"]) == (1, 0.5)
    assert "  nobody won    1 (50.0 %)" in summary.text(tally, "Any", 1)


def test_a_run_that_takes_long_goes_on_with_a_faster_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulate, "PATIENCE", 0)
    made: list[Game] = []

    def faster(slow: Game) -> Game:
        made.append(session.faster(slow))
        return made[-1]

    spec = str(session.resolve("kuhn_poker"))
    hurried, plain = (simulate.run(session.counting(spec, 1), 2, 9, 4, {}, faster=x) for x in (faster, None))
    assert len(made) == 1 and not isinstance(made[0], Interpreted)
    for tally in (hurried, plain):
        tally.seconds = 0
    assert simulate.as_json(hurried) == simulate.as_json(plain)
    assert hurried.fired == plain.fired


def test_choices_and_forced_moves() -> None:
    figures = simulate.as_json(tally_of(won(0), won(1, decisions=30)))["choices"]
    assert figures == {"per_decision": 4.0, "forced_share": 0.5}


def test_only_the_first_few_messages_of_faults_are_kept() -> None:
    tally = tally_of(*[FakePlayout((), (), 1, "fault", f"line {n % 40}: bad") for n in range(200)])
    assert tally.faulty == 200
    assert tally.faults == {f"line {n}: bad": [n, 5] for n in range(simulate.MESSAGES_KEPT)}


def test_faults_that_differ_in_their_numbers_alone_are_one() -> None:
    words = [f"line {line}: `score` would become {n}, outside 0..5" for n in (-7, 16, 8) for line in (26, 3)]
    tally = tally_of(*[FakePlayout((), (), 1, "fault", each) for each in words])
    assert tally.faults == {words[0]: [0, 3], words[1]: [1, 3]}


def in_teams(*games: FakePlayout) -> Tally:
    tally = Tally(4, teams=2)
    for index, game in enumerate(games):
        tally.add(game, index)
    return tally


def test_partners_stand_in_one_row_and_their_wins_are_whole() -> None:
    tally = in_teams(*[won(0, 2, scores=(5, 1, 5, 1))] * 60, *[won(1, 3, scores=(2, 3, 2, 3))] * 40)
    lines = summary.text(tally, "Whist", 1)
    assert [x.split() for x in lines if x.startswith("  players ")] == [
        ["players", "1+3", "60", "60.0", "%", "50.2", "to", "69.1", "%", "3.80", "1.48"],
        ["players", "2+4", "40", "40.0", "%", "30.9", "to", "49.8", "%", "1.80", "0.98"],
    ]
    assert "  team balance  chi-square 4.00, p = 0.05" in lines  # 10² / 50, twice
    assert lines[-1].startswith(
        "  Players 1+3 (60.0 %) win more than their share; players 2+4 (40.0 %) win less"
    )
    even = in_teams(*[won(0, 2, scores=(1, 0, 1, 0))] * 500, *[won(1, 3, scores=(0, 1, 0, 1))] * 500)
    assert simulate.verdict(even).startswith(
        "No sign that any team is favoured; differences under 3.1 points"
    )


def test_json_of_a_game_of_teams_tells_them() -> None:
    figures = simulate.as_json(in_teams(won(0, 2, scores=(5, 1, 5, 1)), won(0, 1, 2, 3, scores=(2, 2, 2, 2))))
    assert figures["fair_share"] == 0.5 and figures["ties"] == 1
    first, second = figures["teams"]
    assert (first["team"], first["seats"], first["wins"], first["score"]["mean"]) == (0, [0, 2], 1.5, 3.5)
    assert (second["seats"], second["wins"], second["share"]) == ([1, 3], 0.5, 0.25)
    assert [seat["wins"] for seat in figures["seats"]] == [1.5, 0.5, 1.5, 0.5]
    assert "teams" not in simulate.as_json(coin(3, 4))


def test_ways_to_set_a_game_of_teams_are_compared_by_teams() -> None:
    tally = in_teams(*[won(0, 2, scores=(1, 0, 1, 0))] * 3, won(1, 3, scores=(0, 1, 0, 1)))
    tally.way = ["goal=5"]
    head, row = summary.comparison([tally])[:2]
    assert "team 1 wins  team 2 wins" in head and "75.0 %       25.0 %" in row


def test_who_has_won_is_no_score() -> None:
    """Where the result ranks nothing, a table gives 1 to who has won."""
    tally = tally_of(won(0, scores=(1, 0)), *[won(1, scores=(0, 1))] * 4)
    told = "\n".join(summary.text(tally, "Pegging", 1))
    assert "score" not in told and "margin" not in told and "sd" not in told
    figures = simulate.as_json(tally)
    assert figures["spread"] is figures["margin"] is figures["seats"][0]["score"] is None
    tally.way = ["goal=5"]
    assert "score" not in summary.comparison([tally])[0]
    tally.add(won(0, scores=(31, 12)), 7)
    assert "score spread" in "\n".join(summary.text(tally, "Pegging", 1))


@pytest.mark.parametrize(
    ("tally", "words"),
    [
        (coin(500, 500), "No sign that any seat is favoured; differences under 3.1 points would not show"),
        (coin(50, 50), "Too few games to tell differences under 9.8 points."),
        (coin(4, 0), "Too few games to tell differences under 49.0 points."),
        (
            coin(600, 400),
            "Player 1 (60.0 %) wins more than its share; player 2 (40.0 %) wins less than its share",
        ),
        (coin(80, 20), "Player 1 (80.0 %) wins more"),  # few games, but plain enough
        (tally_of(won()), "Nobody won a game"),
        (tally_of(won(0, scores=(1,)), players=1), ""),
    ],
)
def test_the_verdict_says_what_the_figures_mean(tally: Tally, words: str) -> None:
    assert simulate.verdict(tally).startswith(words)


def test_json_gives_unknown_figures_as_null() -> None:
    figures = json.loads(json.dumps(simulate.as_json(Tally(2)), allow_nan=False))
    assert figures["length"] is None and figures["balance"] == {"chi_square": None, "p": None}
    assert figures["seats"][1] == {"seat": 1, "wins": 0.0, "share": None, "interval": None, "score": None}


def test_one_game_says_nothing_about_how_games_vary() -> None:
    length = simulate.as_json(tally_of(won(0)))["length"]
    assert length["mean"] == 10 and length["interval"] is None and length["sd"] is None
    assert any(
        line.endswith("mean 10.0 decisions, median 10, 5th to 95th percentile 10 to 10")
        for line in summary.text(tally_of(won(0)), "Coin", 0)
    )


def test_the_summary_shows_the_seats_as_people_count_them() -> None:
    lines = summary.text(coin(600, 400), "Coin", 7)
    assert lines[0] == "Coin, 2 players, 1,000 games by random bots, seed 7"
    assert any(line.split()[:6] == ["player", "1", "600", "60.0", "%", "56.9"] for line in lines)


def test_the_summary_of_no_finished_game_is_short() -> None:
    lines = summary.text(tally_of(FakePlayout((), (), 1, "fault", "line 1: bad")), "Coin", 0)
    assert "  No game was finished." in lines


def test_a_run_is_the_same_again() -> None:
    def figures() -> dict[str, object]:
        return {**simulate.as_json(simulate.run(FakeGame(), 3, 40, 5, {})), "rate": None}

    assert figures() == figures()


def test_a_run_takes_games_one_by_one() -> None:
    class Endless(FakeGame):
        def playouts(self, n: int, **_: object) -> Iterator[FakePlayout]:  # type: ignore[override]
            while True:
                yield won(0)

    left = iter([True] * 99 + [False])
    assert simulate.run(Endless(), 2, 10**9, 0, {}, lambda: next(left)).games == 100


def test_the_first_interrupt_is_noted_and_the_second_stops() -> None:
    with pytest.raises(KeyboardInterrupt), Interrupts() as stop:
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.asked
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_within_a_game_leaves_the_games_before() -> None:
    class Interrupted(FakeGame):
        def playouts(self, n: int, **_: object) -> Iterator[FakePlayout]:  # type: ignore[override]
            yield won(0)
            raise KeyboardInterrupt

    assert simulate.run(Interrupted(), 2, 10, 0, {}).games == 1


@pytest.mark.parametrize("number", [0, 1, 7])
def test_replay_plays_the_game_of_the_simulation(number: int) -> None:
    table, bot = deal(FakeGame(), 3, 11, number, {})
    for _ in Reading(table, bot).lines():
        pass
    (expected,) = FakeGame().playouts(1, players=3, seed=11, first=number)
    assert (table.scores, table.winners, table.decisions) == (
        expected.scores,
        expected.winners,
        expected.decisions,
    )


def test_replay_numbers_the_moves_and_quotes_the_rules() -> None:
    lines = list(Reading(*deal(FakeGame(), 2, 3, 0, {})).lines())
    assert lines[0] == "       the cards are dealt"
    assert sum(line.strip() == "> High cards are good." for line in lines) >= 1
    moves = [line for line in lines if line[:5].strip().isdecimal()]
    assert [int(line[:5]) for line in moves] == list(range(1, len(moves) + 1))


def test_replay_tells_an_open_observer_every_card() -> None:
    text = "\n".join(Reading(*deal(FakeGame(), 2, 3, 0, {})).lines())
    assert "draws card" in text and "draws a card" not in text


def test_replay_for_one_seat_keeps_the_secrets_of_the_others() -> None:
    text = "\n".join(Reading(*deal(FakeGame(), 2, 3, 0, {}), seat=0).lines())
    assert "player 2: draws a card" in text and "player 2: draws card" not in text


@pytest.mark.parametrize("seat", [None, 1])
def test_replay_of_a_long_game_misses_nothing(seat: int | None) -> None:
    table, bot = deal(FakeGame(), 2, 3, 0, {"hand_size": 60, "max_decisions": 1000})
    lines = list(Reading(table, bot, seat).lines())
    moves = [line for line in lines if line[:5].strip().isdecimal()]
    assert table.decisions > 100  # longer than what is played ahead
    assert [int(line[:5]) for line in moves] == list(range(1, table.decisions + 1))
    played = [line[7:] for line in moves if " card " in line and "draws" not in line]
    assert played == [f"player {who + 1}: {own}" for who, own, _ in table.events if own.startswith("play")]


@pytest.mark.parametrize("seat", [None, 0])
def test_replay_tells_what_came_before_a_fault(seat: int | None) -> None:
    told: list[str] = []
    with pytest.raises(Fault, match="the choice is empty"):
        for line in Reading(*deal(FakeGame(), 2, 3, 0, {"fault_at": 4}), seat).lines():
            told.append(line)
    assert told[-1].startswith("    3  ") or told[-1].startswith("         >")


class Watcher:
    """A bot that writes down what it is shown."""

    looks = True

    def __init__(self) -> None:
        self.views: list[object] = []

    def choose(self, view: object, legal: list[int]) -> int:
        self.views.append(view)
        return legal[0]


def test_a_bot_is_shown_the_view_of_its_seat() -> None:
    table, bot = FakeGame().start(players=2, seed=1), Watcher()
    assert choice(bot, table) == table.legal()[0]
    assert bot.views == [table.view(0)]


def test_random_bots_follow_the_stream_of_the_game() -> None:
    table, bot = FakeGame().start(players=2, seed=mix(4, 2)), random_bot(4, 2)
    while table.turn is not None:
        table.step(choice(bot, table))
    assert table.scores == playout(FakeGame().start(players=2, seed=mix(4, 2)), mix(4, 2, 1)).scores


def test_a_random_bot_takes_every_move_alike() -> None:
    bot = RandomBot(5)
    picks = [bot.choose({}, [10, 20, 30]) for _ in range(3000)]
    assert all(900 < picks.count(number) < 1100 for number in (10, 20, 30))


def test_a_range_of_settings_takes_what_the_parameter_can_be() -> None:
    game = session.interpreted("dos")
    ways = console.variants(["hand_size=11..20", "call_dos=no,yes", "target=100"], game)
    assert ways == [
        [f"hand_size={size}", f"call_dos={call}", "target=100"] for size in (11, 12) for call in ("no", "yes")
    ]
    assert console.variants([], game) == [[]]
    assert console.variants(["target=50,50", "target=60"], game) == [
        ["target=60"]
    ]  # as ever, the last counts
    [[far]] = console.variants(["hand_size=70..80"], game)
    with pytest.raises(console.Misuse, match="goes from 3 to 12"):
        console.settings([far], game)


def test_a_game_is_stalled_after_as_many_decisions_as_one_says() -> None:
    game = session.interpreted("kuhn_poker")
    tally = simulate.run(game, 2, 20, 1, {}, most=2)
    assert (tally.games, tally.finished + tally.stalled) == (20, 20)
    assert 0 < tally.stalled < 20 and max(tally.lengths) <= 2
