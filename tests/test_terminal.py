"""Playing in plain lines, fed through a pipe."""

from __future__ import annotations

import io
import re

import pytest

import fakes
from fakes import FakeGame, FakeMove
from hoyle import board, cli, console, movelist
from hoyle.bots import random_bot
from hoyle.terminal import Sitting


class Script:
    """A screen whose person types lines laid down beforehand."""

    live = False
    width = 80

    def __init__(self, *typed: str) -> None:
        self.typed = list(typed)
        self.lines: list[str] = []
        self.wiped = 0

    def say(self, text: str = "", style: str = "") -> None:
        self.lines += text.split("\n")

    def ask(self, prompt: str) -> str | None:
        return self.typed.pop(0) if self.typed else None

    def wipe(self) -> None:
        self.wiped += 1

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def sit(
    *typed: str, people: tuple[int, ...] = (0,), seed: int = 3, players: int = 2
) -> tuple[Sitting, Script]:
    game, screen = FakeGame(), Script(*typed)
    return Sitting(game, game.start(players=players, seed=seed), people, random_bot(seed, 0), screen), screen


def play(*typed: str, people: tuple[int, ...] = (0,), seed: int = 3, players: int = 2) -> str:
    sitting, screen = sit(*typed, people=people, seed=seed, players=players)
    sitting.run()
    return screen.text


def own_cards(seed: int = 3, seat: int = 0) -> list[int]:
    return FakeGame().start(players=2, seed=seed).hands[seat]


def test_a_game_is_played_by_numbers_to_its_end() -> None:
    sitting, screen = sit(*["1"] * 10)
    assert sitting.run() is True
    assert "The game is over after" in screen.text


def test_the_table_shows_the_own_hand_and_hides_the_others() -> None:
    first, last = own_cards(), own_cards(seat=1)
    text = play("quit")
    assert re.search(rf"player 1 \(you\) +card {first[0]}, card {first[1]}, card {first[2]}", text)
    assert re.search(r"player 2 +3 hidden", text)
    assert not any(re.search(rf"card {card}\b", text) for card in last)


def test_the_moves_of_others_are_told_as_the_person_may_know_them() -> None:
    for seed in range(6):
        text = play(*["1"] * 10, seed=seed)
        assert "player 2: draws card" not in text
        assert "player 1: draws card" in text


@pytest.mark.parametrize(
    "form", ["play card {}", 'play("card {}")', "PLAY( card {} )", "play(card {}", "play card {}"]
)
def test_a_move_may_be_typed_in_words(form: str) -> None:
    card = own_cards()[2]
    assert f"player 1: play card {card}" in play(form.format(card))


def test_a_beginning_that_fits_several_moves_lists_them() -> None:
    text = play("play")
    assert "'play' could be 3 moves." in text
    assert "player 1: play card" not in text


def test_a_beginning_that_fits_one_move_is_enough() -> None:
    assert "player 1: draws card" in play("dr")


@pytest.mark.parametrize("typed", ["play card 99", "9", "0", "-1", "nonsense", "/nonsense", "()", "½"])
def test_what_is_no_move_changes_nothing(typed: str) -> None:
    text = play(typed)
    assert "player 1: p" not in text and "Left the game after 0 decisions." in text


def test_a_near_miss_is_answered_with_what_comes_near() -> None:
    assert "'drww' is not a move now; perhaps:\n  1  draw" in play("drww")


def test_why_of_a_number_outside_of_the_list_says_so() -> None:
    assert "There is no move 9; they are numbered 1 to 4." in play("why 9")
    assert "There is no move" not in play("why 3")
    sitting, screen = sit("why 99")
    view = sitting.table.view(0)
    sitting.table.view = lambda seat: {**view, "zones": {**view["zones"], "pile": {"cards": ["99"]}}}  # type: ignore
    sitting.run()
    assert "There is no move" not in screen.text  # a card may be called by a number


def test_empty_lines_are_passed_over() -> None:
    assert "Left the game after 0 decisions." in play("", "   ")


def test_the_end_of_the_input_ends_the_game_gracefully() -> None:
    sitting, screen = sit()
    assert sitting.run() is False
    assert screen.lines[-1] == "Left the game after 0 decisions."


def test_undo_goes_back_to_the_decision_before() -> None:
    card = own_cards()[0]
    sitting, screen = sit(f"play card {card}", "undo")
    sitting.run()
    assert sitting.table.decisions == 0 and card in sitting.table.hands[0]
    assert "Back to the last decision of player 1." in screen.text


def test_after_undo_the_same_moves_give_the_same_game() -> None:
    def ending(*typed: str) -> tuple[int, ...]:
        sitting, _ = sit(*typed)
        sitting.run()
        return tuple(sitting.table.scores)

    assert ending("1", "2", "undo", "undo", "1", "2", *["1"] * 9) == ending("1", "2", *["1"] * 9)


def test_undo_at_the_start_says_that_there_is_nothing() -> None:
    assert "There is nothing to undo." in play("undo")


def test_what_was_undone_is_not_told_twice() -> None:
    sitting, screen = sit("draw", "undo", "view")
    sitting.run()
    assert screen.text.count("the cards are dealt") == 1
    assert screen.text.count("player 1: draws card") == 1


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("help", "Type the number of a move"),
        ("?", "Type the number of a move"),
        ("log", "the cards are dealt"),
        ("view", "stock"),
        ("moves", "  1  draw"),
        ("rules", "The highest score wins.\nplay:\n  Its number is your score.\n  High cards are good."),
        ("/rules", "The highest score wins."),
        ("VIEW", "stock"),
    ],
)
def test_commands_show_things_and_change_nothing(command: str, words: str) -> None:
    before = play()
    after = play(command)
    assert after.count(words) == before.count(words) + 1
    assert after.endswith("Left the game after 0 decisions.")


def test_a_move_named_like_a_command_comes_first() -> None:
    moves = [Named("log"), Named("pass")]
    assert movelist.exact("log", moves) and not movelist.exact("/log", moves)


def test_hot_seat_asks_everybody_and_shows_each_their_own() -> None:
    text = play("draw", "draw", "quit", people=(0, 1))
    assert "you play all seats" in text
    assert "player 1: draws a card" in text and "player 2: draws card" not in text
    assert re.search(r"player 2 \(you\) +card", text)


def test_hot_seat_on_a_terminal_hides_the_hand_before_handing_over() -> None:
    sitting, screen = sit("draw", "", "draw", "", people=(0, 1))
    screen.live = True
    sitting.run()
    assert screen.wiped == 2


def test_play_works_in_a_pipe(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    fakes.install(monkeypatch)
    monkeypatch.setattr("sys.stdin", io.StringIO("draw\nrules\n"))
    assert cli.run(["play", "high", "--seed", "3", "--players", "3", "--seat", "2"]) == 0
    out, err = capsys.readouterr()
    assert "High Cards, 3 players; you play player 2." in out and "\x1b" not in out and "> " not in out
    assert err == "to begin again: hoyle play high --players 3 --seed 3\n"


def test_a_game_without_a_seed_says_which_one_it_took(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fakes.install(monkeypatch)
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    cli.run(["play", "high"])
    assert re.match(r"seed \d+: --seed \d+ deals this game again\n", capsys.readouterr().err)


# --- lists of moves ---


class Named(FakeMove):
    """A move with a text of its own."""

    def __init__(self, text: str, option: str = "") -> None:
        super().__init__(1)
        self.__dict__.update(named=text, kind=option or text)

    text = property(lambda self: self.__dict__["named"])  # type: ignore[assignment]
    call = property(lambda self: self.__dict__["named"])  # type: ignore[assignment]
    option = property(lambda self: self.__dict__["kind"])  # type: ignore[assignment]


def many(count: int, option: str = "single") -> list[Named]:
    return [Named(f"{option}(red {n})", option) for n in range(count)]


def test_few_moves_stand_one_a_line() -> None:
    assert len(movelist.lines(many(30))) == 30


def test_more_moves_stand_in_columns_by_option() -> None:
    lines = movelist.lines([*many(60), Named("draw")])
    assert lines[0] == "  single: 60 moves" and len(lines) < 25
    assert max(map(len, lines)) <= 80
    assert "  draw: 1 move" in lines


def test_very_many_moves_are_counted() -> None:
    lines = movelist.lines([*many(200), Named("draw")])
    assert lines == [
        "  single: 200 moves",
        "    1 to 200; type single to list them, or the first words of one",
        "  draw: 1 move",
        "    201 draw",
    ]
    assert len(movelist.lines(many(200), whole=True)) > 30


def test_every_move_of_a_long_list_can_be_typed() -> None:
    moves = many(300)
    assert movelist.find("single(red 250)", moves) is moves[250]
    assert movelist.find("251", moves) is moves[250]


def test_a_text_that_is_also_another_number_has_to_be_made_plain() -> None:
    moves = [Named("4", "bid"), Named("2", "bid"), Named("pass")]
    assert movelist.find("2", moves) is moves[1]
    assert movelist.find("3", moves) is moves[2]
    assert movelist.find("4", moves) is moves[0]
    with pytest.raises(movelist.Unclear, match="both a number and a move"):
        movelist.find("1", [Named("4"), Named("1")])


def test_a_text_that_begins_another_is_still_one_move() -> None:
    moves = [Named("red 1"), Named("red 10")]
    assert movelist.find("red 1", moves) is moves[0]


# --- the table in words ---


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ([], "empty"),
        ([None, None], "2 hidden"),
        (["red 7", None, None, "blue 2", None], "red 7, 2 hidden, blue 2, 1 hidden"),
        ([f"c{n}" for n in range(13)], ", ".join(f"c{n}" for n in range(13))),
        ([f"c{n}" for n in range(14)], ", ".join(f"c{n}" for n in range(12)) + " and 2 more"),
    ],
)
def test_cards_in_words(cards: list[str | None], words: str) -> None:
    assert board.cards({"size": len(cards), "cards": cards}) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (3, "3"),
        (True, "yes"),
        (None, "hidden"),
        ("red", "red"),
        ([4, None], "player 1: 4, player 2: hidden"),
        ([["red", "blue"], []], "player 1: (red, blue), player 2: ()"),
        ([1, 2, 3], "1, 2, 3"),
        ([], "none"),
    ],
)
def test_state_in_words(value: object, words: str) -> None:
    assert board.state(value, players=2) == words


def test_state_that_holds_seats_names_players() -> None:
    view = {"seat": 0, "players": 3, "zones": {}, "state": {"dealer": 2, "target": 2}, "seats": ["dealer"]}
    assert [line.split(maxsplit=1)[1] for line in board.lines(view)] == ["player 3", "2"]


def test_a_shared_win_in_words() -> None:
    table = FakeGame().start(players=3)
    table.outcome, table.points, table.decisions = "finished", [5, 2, 5], 1
    assert board.ending(table)[0] == "The game is over after 1 decision."
    assert board.ending(table)[-1] == "Player 1 and player 3 share the win."


def test_text_of_a_spec_can_not_steer_the_terminal() -> None:
    assert console.clean("a\x1b[2Jb\r\x9bc\td\u00a0é\n") == "a\ufffd[2Jb\ufffd\ufffdc d\u00a0é\n"


def test_ctrl_c_leaves_the_game(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(screen: object, prompt: str) -> str:
        raise KeyboardInterrupt

    fakes.install(monkeypatch)
    monkeypatch.setattr(console.Screen, "ask", interrupted)
    assert cli.run(["play", "high", "--seed", "3"]) == 130
    assert capsys.readouterr().err == "to begin again: hoyle play high --players 2 --seed 3\n"


def test_a_fault_of_the_spec_ends_the_game_with_its_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fakes.install(monkeypatch)
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n1\n"))
    assert cli.run(["play", "high", "--seed", "3", "--set", "fault_at=2"]) == 1
    assert capsys.readouterr().err == "hoyle: this game can't go on: line 12: the choice is empty\n"
