"""The oracle for DOS does what the rule sheet says: its scenarios D-01 to D-36, and the rulings beside them.

Cards are written as in the sheet: `R7`, `G#`, `D` for a Wild DOS; piles top card first.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from oracles import dos
from oracles.dos import DosOracle, Refused

COLOUR_OF = {"R": "red", "Y": "yellow", "G": "green", "B": "blue"}


def face(short: str) -> str:
    """Return the face of a card written as in the sheet."""
    return "Wild DOS" if short == "D" else f"{COLOUR_OF[short[0]]} {short[1:]}"


def faces(short: str) -> list[str]:
    """Return the faces of cards written `R7,B9`."""
    return [face(card) for card in short.split(",")] if short else []


def move(option: str, *cards: str, colour: str = "") -> str:
    """Return the call form of a move whose cards are written as in the sheet."""
    arguments = [face(card) for card in cards] + [colour] * bool(colour)
    return f"{option}({', '.join(arguments)})"


def table(*hands: str, centre: str, stock: str = "", discard: str = "", **settings: Any) -> DosOracle:
    """Return a table with seat 0 to move and the last seat as dealer."""
    return DosOracle(
        players=len(hands),
        hands=[faces(hand) for hand in hands],
        centre=faces(centre),
        stock=faces(stock),
        discard=faces(discard),
        turn=0,
        dealer=len(hands) - 1,
        **settings,
    )


def play(oracle: DosOracle, *moves: str) -> None:
    """Play several moves."""
    for each in moves:
        oracle.apply(each)


def refuses(oracle: DosOracle, text: str) -> bool:
    """Return whether a move is refused with nothing changed."""
    before = repr(oracle)
    with pytest.raises(Refused):
        oracle.apply(text)
    return repr(oracle) == before


def matches(oracle: DosOracle) -> set[str]:
    """Return the matches among the legal moves."""
    return {text for text in oracle.legal() if text.startswith(("single", "double"))}


# ---- components and setup


def test_d01_the_deck() -> None:
    cards = dos.deck()
    assert len(cards) == 108
    assert sum(dos.points(card) for card in cards) == 1036
    for colour in dos.COLOURS:
        own = Counter(card.split()[1] for card in cards if card.startswith(colour))
        assert own == {"1": 3, "3": 3, "4": 3, "5": 3, "6": 2, "7": 2, "8": 2, "9": 2, "10": 2, "#": 2}
    by_number = Counter(card.split()[1] for card in cards)
    assert all(by_number[mark] == 12 for mark in ("1", "3", "4", "5", "DOS"))
    assert all(by_number[mark] == 8 for mark in ("6", "7", "8", "9", "10", "#"))


def test_d02_cards_without_a_number_are_worth_nothing_in_the_draw_for_dealer() -> None:
    assert dos.dealer_draw(faces("D,R#,Y3")) == [2]
    assert [dos.deal_worth(card) for card in faces("D,R#,Y3")] == [0, 0, 3]


def test_d03_the_tied_draw_again() -> None:
    assert dos.dealer_draw(faces("Y7,G7,R1")) == [0, 1]


def test_d04_the_deal() -> None:
    oracle = DosOracle(players=4, dealer=3)
    oracle.start_round(dos.deck())
    assert [len(hand) for hand in oracle.hands] == [7, 7, 7, 7]
    assert (len(oracle.centre), len(oracle.stock), len(oracle.discard)) == (2, 78, 0)
    assert oracle.turn == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_hand_size_is_a_parameter(players: int) -> None:
    oracle = DosOracle(players=players, hand_size=12)
    oracle.start_round(dos.deck())
    assert [len(hand) for hand in oracle.hands] == [12] * players
    assert len(oracle.stock) == 106 - 12 * players


def test_the_order_of_faces_is_type_then_colour_then_number() -> None:
    assert sorted(faces("D,B#,R#,B1,R10,R9,G3,Y8"), key=dos.rank) == faces("R9,R10,Y8,G3,B1,R#,B#,D")


# ---- matches


def test_d05_a_single_match() -> None:
    oracle = table("B7,R9", "Y1", centre="R7,B9", stock="G5,Y3,R1,B6")
    pairs = ("B7", "R7"), ("R9", "B9")
    assert matches(oracle) == {move("single", *pair, colour="no") for pair in pairs}
    play(oracle, move("single", "B7", "R7", colour="no"))
    assert oracle.legal() == {"stop", move("single", "R9", "B9", colour="no")}
    play(oracle, "stop")
    assert Counter(oracle.discard) == Counter(faces("R7,B7"))
    assert oracle.centre == faces("B9,G5")
    assert oracle.hands == [faces("R9"), faces("Y1")]
    assert (oracle.turn, oracle.matched, oracle.stock) == (1, [], faces("Y3,R1,B6"))


def test_d06_a_single_match_in_colour() -> None:
    oracle = table("R7,B3,Y8", "Y1", centre="R7,B9", stock="G5,Y3,R1,B6")
    play(oracle, move("single", "R7", "R7", colour="yes"), "stop")
    assert oracle.centre == faces("B9,G5")
    assert oracle.legal() == {move("place", "B3"), move("place", "Y8")}
    assert oracle.turn == 0
    play(oracle, move("place", "Y8"))
    assert Counter(oracle.discard) == Counter(faces("R7,R7"))
    assert oracle.centre == faces("B9,G5,Y8")
    assert (oracle.hands[0], oracle.turn) == (faces("B3"), 1)


def test_d07_a_double_match_in_colour() -> None:
    oracle = table("R3,R4,Y8,G1", "Y1", "B1", "G10", centre="R7,B9", stock="G5,Y3,R1,B6,G6")
    play(oracle, move("double", "R3", "R4", "R7", colour="yes"))
    assert oracle.hands[1:] == [faces("Y1,G5"), faces("B1,Y3"), faces("G10,R1")]
    assert oracle.turn == 0
    play(oracle, "stop", move("place", "Y8"))
    assert Counter(oracle.discard) == Counter(faces("R7,R3,R4"))
    assert oracle.centre == faces("B9,B6,Y8")
    assert (oracle.hands[0], oracle.stock, oracle.turn) == (faces("G1"), faces("G6"), 1)


def test_d07_the_others_draw_clockwise_from_the_left_of_the_mover() -> None:
    oracle = table("Y1", "B1", "R3,R4,Y8,G1", centre="R7,B9", stock="G5,Y3")
    oracle.turn = 2
    play(oracle, move("double", "R3", "R4", "R7", colour="yes"))
    assert oracle.hands[:2] == [faces("Y1,G5"), faces("B1,Y3")]


def test_d07_at_the_end_of_the_turn_the_others_draw_before_the_refill() -> None:
    oracle = table("R3,R4,Y8,G1", "Y1", "B1", centre="R7,B9", stock="G5,Y3,R1,B6", penalty_draw="at_turn_end")
    play(oracle, move("double", "R3", "R4", "R7", colour="yes"))
    assert oracle.hands[1:] == [faces("Y1"), faces("B1")]
    play(oracle, "stop")
    assert oracle.hands[1:] == [faces("Y1,G5"), faces("B1,Y3")]
    assert oracle.centre == faces("B9,R1")


def test_d07_every_double_colour_match_draws_again() -> None:
    hand = "R3,R4,B4,B5,Y8,G1,Y10"
    for when in ("at_once", "at_turn_end"):
        oracle = table(hand, "Y1", "B1", centre="R7,B9", stock="G5,Y3,R1,B6,G6,G7", penalty_draw=when)
        play(oracle, move("double", "R3", "R4", "R7", colour="yes"))
        play(oracle, move("double", "B4", "B5", "B9", colour="yes"), "stop")
        assert oracle.hands[1:] == [faces("Y1,G5,R1"), faces("B1,Y3,B6")]
        assert oracle.centre == faces("G6,G7")
        assert oracle.owed == 2


def test_d08_one_card_of_a_pair_in_colour_is_no_bonus() -> None:
    oracle = table("R3,B4,Y8", "Y1", "B1", centre="R7,B9", stock="G5,Y3")
    assert move("double", "R3", "B4", "R7", colour="yes") not in oracle.legal()
    play(oracle, move("double", "R3", "B4", "R7", colour="no"), "stop")
    assert oracle.hands == [faces("Y8"), faces("Y1"), faces("B1")]
    assert (oracle.centre, oracle.turn) == (faces("B9,G5"), 1)


def test_d11_a_centre_card_is_matched_once() -> None:
    oracle = table("B7,Y7,G3", "Y1", centre="R7,B9", stock="G5")
    play(oracle, move("single", "B7", "R7", colour="no"))
    assert refuses(oracle, move("single", "Y7", "R7", colour="no"))
    assert oracle.legal() == {"stop"}


def test_d11_two_equal_centre_cards_are_matched_once_each() -> None:
    oracle = table("B7,Y7,G3", "Y1", centre="R7,R7", stock="G5")
    assert matches(oracle) == {move("single", card, "R7", colour="no") for card in ("B7", "Y7")}
    play(oracle, move("single", "B7", "R7", colour="no"), move("single", "Y7", "R7", colour="no"))
    assert oracle.legal() == {"stop"}


def test_d12_never_three_cards() -> None:
    oracle = table("R3,G5,Y1", "Y1", centre="B9", stock="G5")
    assert refuses(oracle, move("double", "R3", "Y1", "G5", "B9", colour="no"))
    assert matches(oracle) == set()


def test_equal_cards_are_one_move_and_a_card_is_no_pair_with_itself() -> None:
    oracle = table("R3,R3,B3", "Y1", centre="Y6", stock="G5")
    assert matches(oracle) == {move("double", "R3", card, "Y6", colour="no") for card in ("R3", "B3")}
    assert matches(table("R3,B4", "Y1", centre="Y6")) == set()


# ---- drawing


def test_d13_draw_then_add() -> None:
    oracle = table("B3,Y8", "Y1", centre="R7,B9", stock="G10,R1")
    assert oracle.legal() == {"draw"}
    play(oracle, "draw")
    assert oracle.legal() == {move("add", card) for card in ("B3", "Y8", "G10")}
    play(oracle, move("add", "Y8"))
    assert oracle.hands[0] == faces("B3,G10")
    assert (oracle.centre, oracle.stock, oracle.turn) == (faces("R7,B9,Y8"), faces("R1"), 1)


def test_d15_a_player_may_refuse_to_match_but_not_pass() -> None:
    oracle = table("B7", "Y1", centre="R7,B9", stock="G10,R1")
    assert oracle.legal() == {"draw", move("single", "B7", "R7", colour="no")}
    assert refuses(oracle, "stop")
    play(oracle, "draw")
    assert refuses(oracle, "draw")
    assert refuses(oracle, "stop")
    assert move("add", "B7") in oracle.legal()


def test_r_dos_10_no_draw_and_no_addition_after_a_match() -> None:
    oracle = table("B7,Y8", "Y1", centre="R7,B9", stock="G10,R1")
    play(oracle, move("single", "B7", "R7", colour="no"))
    assert oracle.legal() == {"stop"}
    assert refuses(oracle, "draw")
    assert refuses(oracle, move("add", "Y8"))


def test_d16_after_drawing_any_match() -> None:
    oracle = table("B7,Y8", "Y1", centre="R7,R10", stock="G1,G2")
    play(oracle, "draw", move("single", "B7", "R7", colour="no"))
    assert oracle.legal() == {"stop"}
    play(oracle, "stop")
    assert (oracle.hands[0], oracle.turn) == (faces("Y8,G1"), 1)


def test_d16_after_drawing_only_the_drawn_card() -> None:
    oracle = table("B7,Y8", "Y1", centre="R7,R10", stock="G1,G2", after_draw="drawn_card")
    assert move("single", "B7", "R7", colour="no") in oracle.legal()
    play(oracle, "draw")
    assert refuses(oracle, move("single", "B7", "R7", colour="no"))
    assert oracle.legal() == {move("add", card) for card in ("B7", "Y8", "G1")}


def test_drawn_card_only_allows_one_match_with_that_very_card() -> None:
    oracle = table("B6,Y10,G1", "Y1", centre="R7,R10,B1", stock="G1,G3", after_draw="drawn_card")
    play(oracle, "draw")
    pair = move("double", "G1", "B6", "R7", colour="no")
    assert matches(oracle) == {pair, move("single", "G1", "B1", colour="no")}
    play(oracle, pair)
    # The equal card that was in the hand before is not the drawn one.
    assert oracle.legal() == {"stop"}


def test_drawn_card_only_with_nothing_to_draw_allows_no_match() -> None:
    oracle = table("B7,Y8", "Y1", centre="R7", after_draw="drawn_card")
    play(oracle, "draw")
    assert oracle.legal() == {move("add", "B7"), move("add", "Y8")}


def test_drawn_card_only_leaves_a_turn_without_a_draw_alone() -> None:
    oracle = table("B7,Y10,G3", "Y1", centre="R7,R10", stock="G1,G4", after_draw="drawn_card")
    play(oracle, move("single", "B7", "R7", colour="no"), move("single", "Y10", "R10", colour="no"))
    assert oracle.legal() == {"stop"}


# ---- wilds and colours


def test_d17_a_wild_number_in_a_double_colour_match() -> None:
    oracle = table("G#,G4,Y1", "Y3", centre="G9,R7", stock="B1,B3,B4")
    play(oracle, move("double", "G4", "G#", "G9", colour="yes"))
    assert oracle.hands[1] == faces("Y3,B1")


def test_d18_a_wild_number_keeps_its_colour() -> None:
    oracle = table("Y#,G4", "Y3", centre="G9", stock="B1,B3,B4")
    plays = ("single", "Y#", "G9"), ("double", "G4", "Y#", "G9")
    assert matches(oracle) == {move(*each, colour="no") for each in plays}


def test_d20_a_wild_dos_in_the_centre() -> None:
    def answers(hand: str) -> set[str]:
        return {
            text for text in matches(table(hand, "Y1", centre="D,B9", stock="B3")) if "blue 9" not in text
        }

    assert answers("D") == {move("single", "D", "D", colour=each) for each in ("yes", "no")}
    assert answers("R1,R1") == {move("double", "R1", "R1", "D", colour=each) for each in ("yes", "no")}
    assert answers("R1,B1") == {move("double", "R1", "B1", "D", colour="no")}
    assert answers("R1") == set()
    assert answers("R#") == {move("single", "R#", "D", colour=each) for each in ("yes", "no")}


def test_d21_two_wild_dos_make_four() -> None:
    oracle = table("D,D,Y1", "Y3", centre="B4", stock="B1,B3,B4")
    assert matches(oracle) == {move("double", "D", "D", "B4", colour=each) for each in ("yes", "no")}
    play(oracle, move("double", "D", "D", "B4", colour="yes"))
    assert oracle.hands[1] == faces("Y3,B1")


def test_r_dos_07_refusing_the_colour_of_a_wild_dos_gives_no_bonus() -> None:
    oracle = table("D,B3,Y1", "Y3", centre="B5,R9", stock="B1,B3,B4")
    play(oracle, move("double", "B3", "D", "B5", colour="no"), "stop")
    assert (oracle.hands, oracle.turn) == ([faces("Y1"), faces("Y3")], 1)


def test_r_dos_07_the_colour_question() -> None:
    asked = {"R7,R7": "yes", "B7,R7": "no", "R3,R4,R7": "yes", "R3,B4,R7": "no", "B3,B4,R7": "no"}
    asked |= {"R#,R7": "yes", "Y#,R7": "no", "R3,R#,R#": "yes", "R#,Y#,R7": "no"}
    asked |= {"D,R#": "yes no", "D,R5,R7": "yes no", "D,B5,R7": "no", "R1,B1,D": "no", "D,D,D": "yes no"}
    assert {cards: " ".join(dos.bonus_answers(tuple(faces(cards)))) for cards in asked} == asked


def test_d23_a_one_is_never_matched_by_a_pair() -> None:
    oracle = table("Y#,Y1,D", "R1", centre="Y1")
    assert matches(oracle) == {move("single", card, "Y1", colour="yes") for card in ("Y#", "Y1")}


def test_r_dos_04_a_wild_number_in_the_centre_takes_any_sum_up_to_ten() -> None:
    oracle = table("R1,B9,Y10", "R1", centre="G#")
    singles = {move("single", card, "G#", colour="no") for card in ("R1", "B9", "Y10")}
    assert matches(oracle) == singles | {move("double", "R1", "B9", "G#", colour="no")}


def test_r_dos_04_both_wild_numbers_of_a_pair_are_declared() -> None:
    for target, colour in (("R10", "no"), ("D", "no"), ("B3", "no")):
        oracle = table("Y#,G#", "R1", centre=target)
        assert move("double", "Y#", "G#", target, colour=colour) in matches(oracle)


# ---- the end of a turn


def test_d24_no_refill_while_two_cards_are_left() -> None:
    oracle = table("B7,G6", "Y1", centre="R7,B9,Y4", stock="R1")
    play(oracle, move("single", "B7", "R7", colour="no"), "stop")
    assert (oracle.centre, oracle.stock) == (faces("B9,Y4"), faces("R1"))


def test_d25_the_discard_pile_becomes_the_stock() -> None:
    oracle = table("B7,Y9,G6", "Y1", centre="R7,B9", stock="G5", discard="Y3,R1,B6")
    play(oracle, move("single", "B7", "R7", colour="no"), move("single", "Y9", "B9", colour="no"))
    assert oracle.centre == []
    oracle.shuffle = lambda cards: sorted(cards)
    play(oracle, "stop")
    assert oracle.centre == faces("G5,B6")
    assert oracle.stock == sorted(faces("B7,B9,R1,R7,Y3,Y9"))
    assert (oracle.discard, oracle.turn) == ([], 1)


def test_r_dos_13_the_stock_is_renewed_only_when_a_card_is_needed() -> None:
    oracle = table("B3,Y8", "Y1", centre="R7,B9", stock="G10", discard="R1,R3")
    play(oracle, "draw", move("add", "Y8"))
    assert (oracle.stock, oracle.discard) == ([], faces("R1,R3"))
    play(oracle, "draw")
    assert (oracle.stock, oracle.discard) == (faces("R3"), [])
    assert oracle.hands[1] == faces("Y1,R1")


def test_r_dos_14_a_centre_that_stays_short_and_a_draw_of_nothing() -> None:
    oracle = table("B3,Y8", "Y1,G1", centre="")
    assert oracle.legal() == {"draw"}
    play(oracle, "draw")
    assert oracle.legal() == {move("add", "B3"), move("add", "Y8")}
    play(oracle, move("add", "Y8"))
    assert (oracle.hands[0], oracle.centre, oracle.turn) == (faces("B3"), faces("Y8"), 1)


def test_dos_24_an_addition_counts_before_the_refill() -> None:
    oracle = table("B3,Y8", "Y1,G1", centre="", discard="R1,R3,R4")
    play(oracle, "draw", move("add", "Y8"))
    assert (oracle.centre, oracle.stock) == (faces("Y8,R3"), faces("R4"))


def test_d36_the_centre_has_no_upper_limit() -> None:
    oracle = table("B3,Y1", "Y1", centre="R7,B9,R7,B9,Y8,G8", stock="R10")
    assert oracle.legal() == {"draw"}
    play(oracle, "draw", move("add", "B3"))
    assert (len(oracle.centre), len(oracle.hands[0]), oracle.hands[1]) == (7, 2, faces("Y1"))


# ---- the end of a round and of a match


def test_d29_out_by_a_bonus_card() -> None:
    oracle = table("R7,G1", "Y1,G#", "D,B6", centre="R7,B9", stock="G5,R1")
    play(oracle, move("single", "R7", "R7", colour="yes"), "stop", move("place", "G1"))
    assert (oracle.went_out, oracle.scores) == (0, [67, 0, 0])
    assert oracle.legal() == set()


def test_d30_what_the_others_hold() -> None:
    oracle = table("B7", "R3,B4,D", "Y1,G4,R#", centre="R7,B9", stock="G5,R1")
    play(oracle, move("single", "B7", "R7", colour="no"))
    assert oracle.scores == [72, 0, 0]


@pytest.mark.parametrize("when", ["at_once", "at_turn_end"])
def test_dos_28_the_others_draw_before_a_round_is_scored(when: str) -> None:
    oracle = table("R3,R4", "Y1", "B1", centre="R7,B9", stock="G5,D,R1,B6", penalty_draw=when)
    play(oracle, move("double", "R3", "R4", "R7", colour="yes"))
    assert oracle.hands == [[], faces("Y1,G5"), faces("B1,D")]
    assert oracle.scores == [27, 0, 0]


def test_d32_as_many_bonus_cards_as_there_are() -> None:
    oracle = table("R7,B9,Y8", "Y1", centre="R7,B9", stock="G5,G6,R1")
    play(oracle, move("single", "R7", "R7", colour="yes"), move("single", "B9", "B9", colour="yes"), "stop")
    assert oracle.legal() == {move("place", "Y8")}
    play(oracle, move("place", "Y8"))
    assert (oracle.went_out, oracle.scores) == (0, [1, 0])
    assert oracle.centre == faces("G5,G6,Y8")


def test_r_dos_08_two_bonuses_are_two_cards() -> None:
    oracle = table("R7,B9,Y8,Y10,G1", "Y1", centre="R7,B9", stock="G5,G6,R1")
    play(oracle, move("single", "R7", "R7", colour="yes"), move("single", "B9", "B9", colour="yes"), "stop")
    play(oracle, move("place", "Y10"))
    assert oracle.turn == 0
    play(oracle, move("place", "G1"))
    assert (oracle.centre, oracle.turn) == (faces("G5,G6,Y10,G1"), 1)


def test_r_dos_15_bonus_cards_lapse_when_a_match_empties_the_hand() -> None:
    oracle = table("R7", "Y1", centre="R7,B9", stock="G5")
    play(oracle, move("single", "R7", "R7", colour="yes"))
    assert (oracle.went_out, oracle.scores, oracle.turn) == (0, [1, 0], None)


def test_r_dos_15_out_by_an_addition_when_there_is_nothing_to_draw() -> None:
    oracle = table("B3", "Y1,G1", centre="R7,B9")
    play(oracle, "draw", move("add", "B3"))
    assert (oracle.went_out, oracle.scores) == (0, [2, 0])


def test_d33_the_first_at_the_target_wins() -> None:
    oracle = table("B7", "Y1,Y4", "G5,R10", centre="R7,B9", stock="G5", scores=[180, 150, 199])
    play(oracle, move("single", "B7", "R7", colour="no"))
    assert oracle.scores == [200, 150, 199]
    assert oracle.finished
    assert oracle.winner == 0
    assert oracle.legal() == set()


def test_d34_one_point_short_is_another_round() -> None:
    oracle = table("B7", "R#,Y9", centre="R7,B9", stock="G5", scores=[150, 0], hand_size=7)
    oracle.dealer = 0
    play(oracle, move("single", "B7", "R7", colour="no"))
    assert (oracle.scores, oracle.finished, oracle.winner) == ([199, 0], False, None)
    oracle.start_round(dos.deck())
    assert (oracle.dealer, oracle.turn) == (1, 0)
    assert (oracle.scores, oracle.matched, oracle.discard, oracle.went_out) == ([199, 0], [], [], None)


def test_the_target_is_a_parameter() -> None:
    oracle = table("B7", "R#,Y10", centre="R7,B9", target=50)
    play(oracle, move("single", "B7", "R7", colour="no"))
    assert oracle.winner == 0


# ---- whole matches


@pytest.mark.parametrize("seed", range(12))
def test_random_matches_keep_the_deck_whole_and_come_to_an_end(seed: int) -> None:
    chance = random.Random(seed)
    oracle = DosOracle(
        players=2 + seed % 3,
        target=50,
        hand_size=(7, 3, 12)[seed % 3],
        after_draw=("anything", "drawn_card")[seed % 2],
        penalty_draw=("at_once", "at_turn_end")[seed // 2 % 2],
        shuffle=lambda cards: chance.sample(cards, len(cards)),
    )
    while not oracle.finished:
        if oracle.turn is None:
            oracle.start_round(chance.sample(dos.deck(), 108))
        before = list(oracle.scores)
        oracle.apply(chance.choice(sorted(oracle.legal())))
        oracle.check_cards()
        changed = [seat for seat in range(oracle.players) if oracle.scores[seat] != before[seat]]
        assert changed == ([] if oracle.went_out is None else [oracle.went_out])
    assert oracle.winner == oracle.went_out
