"""What holds at every decision of every game: no piece is lost or copied, moves are in order, copies are apart."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoyle.interpret import IllegalMove, Move, Table
from hoyle.runtime.chance import mix, pick, shuffle
from hoyle.runtime.pieces import Pieces
from hoyle.runtime.state import CHANCE, EMPTY_LOG, LOG
from specs_for_tests import (
    ALL,
    SHORT,
    SMALL,
    SPECS,
    assert_conserved,
    counts,
    essence,
    events,
    game,
    layout_of,
    play_at_random,
    started,
)

ENOUGH = 12_000  # decisions for a number of players, if two hundred games are not played before


def games_of(name: str, players: int, many: int) -> list[Table]:
    return [started(name, players, mix(17, seed)) for seed in range(many)]


# ---- pieces ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), counts(SPECS))
def test_two_hundred_games_keep_every_card_in_one_place(name: str, players: int) -> None:
    decisions = 0
    for seed in range(200):
        table = started(name, players, mix(17, seed))
        for _ in play_at_random(table, seed):
            assert_conserved(table)
        assert_conserved(table)
        decisions += table.decisions
        if decisions > ENOUGH:
            break


@pytest.mark.parametrize(("name", "players"), counts(SMALL))
def test_games_of_the_small_specs_keep_every_piece_in_one_place(name: str, players: int) -> None:
    for seed, table in enumerate(games_of(name, players, 25)):
        for _ in play_at_random(table, seed):
            assert_conserved(table)
        assert_conserved(table)


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_games_come_to_an_end(name: str, players: int) -> None:
    for seed, table in enumerate(games_of(name, players, 5)):
        for _ in play_at_random(table, seed):
            assert table.turn in range(players)
        assert (table.outcome, table.turn, table.legal()) == ("finished", None, [])


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_an_end_has_scores_for_all_and_winners_among_them(name: str, players: int) -> None:
    for seed, table in enumerate(games_of(name, players, 5)):
        for _ in play_at_random(table, seed):
            pass
        assert len(table.scores) == players
        assert table.winners and set(table.winners) <= set(range(players))


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_nobody_has_won_before_the_end(name: str, players: int) -> None:
    table = started(name, players, 3)
    assert all(table.winners == () for _ in play_at_random(table, 3))


# ---- moves ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_legal_numbers_ascend_and_lie_within_the_space(name: str, players: int) -> None:
    space = game(name).space(players)
    for seed, table in enumerate(games_of(name, players, 5)):
        for _ in play_at_random(table, seed):
            legal = table.legal()
            assert legal and legal == sorted(set(legal))
            assert legal[0] >= 0 and legal[-1] < space


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_moves_are_the_legal_numbers_in_words_and_no_two_read_alike(name: str, players: int) -> None:
    for seed, table in enumerate(games_of(name, players, 2)):
        for _ in play_at_random(table, seed, most=60):
            moves = table.moves()
            assert [m.number for m in moves] == table.legal()
            assert len({m.call for m in moves}) == len({m.text for m in moves}) == len(moves)
            assert all(str(m) == m.text for m in moves)


@pytest.mark.parametrize("form", ["move", "text", "call", "quoted"])
@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_a_move_is_the_same_by_number_and_in_words(name: str, players: int, form: str) -> None:
    table = started(name, players, 5)
    words = table.copy()
    for number in play_at_random(table, 5, most=60):
        move = next(m for m in words.moves() if m.number == number)
        quoted = f"{move.option}({', '.join(f'{chr(34)}{x}{chr(34)}' for x in move.arguments)})"
        ways: dict[str, Move | str] = {"move": move, "text": move.text, "call": move.call, "quoted": quoted}
        words.play(ways[form])
        by_number = table.copy()
        by_number.play(number)
        assert essence(words) == essence(by_number)


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_an_illegal_move_is_refused_and_changes_nothing(name: str, players: int) -> None:
    space = game(name).space(players)
    table = started(name, players, 6)
    for made in play_at_random(table, 6, most=40):
        legal = set(table.legal())
        wrong: list[Any] = [-1, space, space + made, f"{made}{space}", "no_such_move(5)", ""]
        wrong += [n for n in range(made, space, max(1, space // 50)) if n not in legal]
        state, before = list(table.state), essence(table)
        for move in wrong:
            with pytest.raises(IllegalMove):
                table.play(move)
        assert table.state == state and essence(table) == before and table.legal() == sorted(legal)


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_no_move_is_possible_after_the_end(name: str, players: int) -> None:
    table = started(name, players, 7)
    for number in play_at_random(table, 7):
        last = number
    before = essence(table)
    for move in (last, "0", "anything"):
        with pytest.raises(IllegalMove):
            table.play(move)
    assert essence(table) == before


# ---- copies, seeds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_a_copy_has_the_same_future(name: str, players: int) -> None:
    table = started(name, players, 8)
    for _ in play_at_random(table, 8, most=20):
        pass
    twin = table.copy()
    for number in play_at_random(table, 9):
        twin.step(number)
    assert essence(twin) == essence(table) and twin.scores == table.scores


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_playing_on_a_copy_leaves_the_table_alone(name: str, players: int) -> None:
    table = started(name, players, 10)
    for _ in play_at_random(table, 10, most=20):
        state, before = list(table.state), essence(table)
        told = len(events(table))
        for seed in range(2):
            for _ in play_at_random(table.copy(), seed, most=table.decisions + 15):
                pass
        assert essence(table) == before and len(events(table)) == told
        assert all(a is b for a, b in zip(state, table.state, strict=True) if isinstance(a, list))


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_a_copy_with_a_seed_is_the_same_table_for_now(name: str, players: int) -> None:
    table = started(name, players, 11)
    for _ in play_at_random(table, 11, most=10):
        other = table.copy(seed=3)
        assert all(other.view(seat) == table.view(seat) for seat in range(players))
        assert all(other.log(seat) == table.log(seat) for seat in range(players))
        assert other.legal() == table.legal() and other.scores == table.scores


@pytest.mark.parametrize("name", ["dos", "sums"])
def test_copies_with_different_seeds_have_different_futures(name: str) -> None:
    table = started(name, 2, 11)
    futures = {repr(list(play_at_random(table.copy(seed=seed), 1))) for seed in range(8)}
    assert len(futures) == 8


def test_copies_with_the_same_seed_have_the_same_future() -> None:
    table = started("dos", 3, 12)
    one, other = table.copy(seed=5), table.copy(seed=5)
    for number in play_at_random(one, 12):
        other.step(number)
    assert essence(one) == essence(other)


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_undoing_by_copies_leads_back_exactly(name: str, players: int) -> None:
    """Copies are kept at every decision; from each of them the same moves lead to the same states again."""
    table = started(name, players, 13)
    kept, made = [table.copy()], []
    for number in play_at_random(table, 13, most=25):
        made.append(number)
        kept.append(table.copy())
        kept[-1].step(number)
    states = [essence(x) for x in kept]
    for place in range(len(made)):
        again = kept[place].copy()
        for number, after in list(zip(made, states[1:], strict=True))[place : place + 5]:
            again.step(number)
            assert essence(again) == after
    assert [essence(x) for x in kept] == states


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_the_same_seed_is_the_same_game(name: str, players: int) -> None:
    one, other = started(name, players, 14), started(name, players, 14)
    for number in play_at_random(one, 14):
        assert other.legal() == one.legal()
        other.step(number)
    assert essence(one) == essence(other)
    assert all(one.log(seat) == other.log(seat) for seat in range(players))


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_asking_changes_nothing(name: str, players: int) -> None:
    """Views, logs, moves and scores may be asked for as often as one likes."""
    quiet, asked = started(name, players, 15), started(name, players, 15)
    for number in play_at_random(quiet, 15, most=40):
        for seat in range(players):
            asked.view(seat)
            asked.log(seat)
        assert asked.moves() and asked.scores and asked.ask is not None
        asked.step(number)
        ahead = quiet.copy()
        ahead.step(number)
        assert essence(asked) == essence(ahead)


@pytest.mark.parametrize(("name", "players"), counts(ALL))
def test_a_game_without_a_log_is_the_same_game(name: str, players: int) -> None:
    """Playouts keep no log; they play the games of tables that do."""
    for i, playout in enumerate(game(name).playouts(4, players=players, seed=16, **SHORT.get(name, {}))):
        table = started(name, players, mix(16, i))
        choice, choices, forced = mix(16, i, 1), 0, 0
        while table.turn is not None:
            legal = table.legal()
            choices, forced = choices + len(legal), forced + (len(legal) == 1)
            choice, place = pick(choice, len(legal))
            table.step(legal[place])
        told = (table.scores, table.winners, table.decisions, table.outcome, "", choices, forced)
        assert tuple(playout) == told


def test_pieces_out_of_play_for_few_players_are_nowhere() -> None:
    table = started("rounds", 2, 1)
    assert len(layout_of(table).kind_of) == len(layout_of(started("rounds", 3, 1)).kind_of) - 1


# ---- moving pieces, against lists moved by hand ---------------------------------------------------------------


class ByHand:
    """The zones of `drawers` as plain lists, moved piece by piece as a person would; the end of a list is its top."""

    def __init__(self, table: Table) -> None:
        shape = layout_of(table).shape
        self.players, self.refill, self.pools = table.players, shape.refill, shape.is_pool
        self.zones = {index: list(table.state[index]) for index in shape.lists}
        self.chance: int = table.state[CHANCE]

    def put(self, piece: int, target: int) -> None:
        for pieces in self.zones.values():
            if piece in pieces:
                pieces.remove(piece)
        self.zones[target].append(piece)
        if self.pools[target]:
            self.zones[target].sort()

    def top(self, pile: int) -> int | None:
        other = self.refill.get(pile)
        if not self.zones[pile] and other is not None and self.zones[other]:
            self.zones[pile], self.zones[other] = self.zones[other], []
            self.chance = shuffle(self.chance, self.zones[pile])
        return self.zones[pile].pop() if self.zones[pile] else None

    def draw(self, count: int, source: int, targets: list[int]) -> None:
        """Draw `count` pieces for each target in turn; they lie aside until the last is drawn."""
        aside = [(target, self.top(source)) for _ in range(count) for target in targets]
        for target, piece in aside:
            if piece is not None:
                self.put(piece, target)

    def swap(self, one: int, other: int) -> None:
        ours, theirs = list(self.zones[one]), list(self.zones[other])
        for piece in ours if one != other else []:
            self.put(piece, other)
        for piece in theirs if one != other else []:
            self.put(piece, one)

    def gather(self, target: int, shuffled: bool) -> None:
        coming = sorted(x for index, zone in self.zones.items() if index != target for x in zone)
        for piece in coming:
            self.put(piece, target)
        if shuffled:
            self.chance = shuffle(self.chance, self.zones[target])


@settings(derandomize=True)
@given(st.data(), st.booleans(), st.integers(2, 3))
def test_pieces_move_as_by_hand(data: st.DataObject, logged: bool, players: int) -> None:
    """With a log and without, since some moves are shorter without."""
    table = game("drawers").start(players=players, seed=data.draw(st.integers(0, 99)))
    state, shape = table.state, layout_of(table).shape
    state[LOG] = EMPTY_LOG if logged else None
    pieces, hand = Pieces(shape), ByHand(table)
    there = [i for i in shape.lists if shape.zone_name[i][1] < players]
    ordered = [i for i in there if not shape.is_pool[i]]
    piles = [i for i in there if shape.is_pile[i]]
    own = [i for i in there if shape.zone_name[i][1] == 0]
    zone, number = st.sampled_from(there), st.integers(0, 9)
    for _ in range(data.draw(st.integers(1, 12))):
        match data.draw(st.integers(0, 6)):
            case 0:
                count, source, target = data.draw(number), data.draw(st.sampled_from(piles)), data.draw(zone)
                pieces.land(state, pieces.draw(state, source, count), source, target)
                hand.draw(count, source, [target])
            case 1:
                count, source, first = (
                    data.draw(number),
                    data.draw(st.sampled_from(piles)),
                    data.draw(st.sampled_from(own)),
                )
                pieces.deal(state, count, source, first)
                hand.draw(count, source, [first + seat for seat in range(players)])
            case 2:
                count, source, target = data.draw(number), data.draw(st.sampled_from(piles)), data.draw(zone)
                pieces.fill(state, target, count, source)
                hand.draw(max(0, count - len(hand.zones[target])), source, [target])
            case 3:
                one, other = data.draw(zone), data.draw(zone)
                pieces.swap(state, one, other)
                hand.swap(one, other)
            case 4:
                target, shuffled = data.draw(st.sampled_from(ordered)), data.draw(st.booleans())
                pieces.gather(state, target, None, shuffled)
                hand.gather(target, shuffled)
            case 5:
                source, target = data.draw(zone), data.draw(zone)
                pieces.move_all(state, source, target)
                for piece in list(hand.zones[source]) if source != target else []:
                    hand.put(piece, target)
            case _:
                some, target = data.draw(st.lists(st.integers(0, 20), max_size=4)), data.draw(zone)
                pieces.put(state, some, target)
                for piece in some:
                    hand.put(piece, target)
        assert {i: state[i] for i in shape.lists} == hand.zones
        assert state[CHANCE] == hand.chance
        assert_conserved(table)
