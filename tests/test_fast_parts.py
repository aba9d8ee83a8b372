"""What makes modules fast, where it could go wrong: zones and rows kept, phases written out, suits cut out."""

from __future__ import annotations

import pytest

from hoyle import __version__
from hoyle import program as p
from hoyle.compile import compile_program
from hoyle.program.asked import asked_of_table, rows_of, values_of
from hoyle.program.heat import by_heat
from hoyle.program.purity import Functions
from hoyle.runtime.chance import mix, pick
from hoyle.session import load_text
from lockstep import Both
from specs_for_tests import SPECS, both, counts, game
from test_run import play

HEAD = """
hoyle 1

game "Parts" for 2..3 players

components
  enum Suit = clubs, hearts, spades
  enum Rank = ace, king, queen
  card Plain(suit: Suit, rank: Rank)  "{rank} of {suit}"
"""
# What fits hangs on the top of a pile that may be empty, on a variable of its own and on one of the player.
TOPS = """
  card Joker  "joker"
  deck in stock
    2 Plain(s, r) for s in Suit, r in Rank
    2 Joker

zones
  stock: pile, hidden
  played: pile, open
  hand:  pool, seen by owner, each player

state
  wanted: Suit
  liked: Suit for each player
  score = 0 for each player

define like(c: card, d: card) = c is Plain and d is Plain and c.rank is d.rank

play
  shuffle stock
  deal 5 from stock to each hand
  move 1 from stock to played
  repeat 9 times
    for p in players
      choose p
        option put(Plain c in p.hand, s in Suit where c.suit is wanted or c.suit is p.liked or like(c, top of played))
          move c to played
          wanted = s
          p.liked = c.suit
          p.score += count d in p.hand where d is Plain and d.suit is wanted
        option joke(Joker c in p.hand)
          move c to stock
          move all from played to stock
          shuffle stock
        option wait when p.score < 3 and not any c in p.hand where c is Joker
          p.score += 1
        option pass
          p.score -= 1

result
  rank p by highest p.score
"""
# Phases whose names are those of variables where they are run, in loops, one in another, with a loop and a set.
PHASES = """
  deck in stock
    3 Plain(s, r) for s in Suit, r in Rank

zones
  stock: pile, hidden
  played: row, open
  hand:  pool, seen by owner, each player

state
  best: Rank
  score = 0 for each player

define good(c: card) = c.rank is best
define held(p: player) = count c in p.hand where good(c)

play
  shuffle stock
  deal 4 from stock to each hand
  repeat 4 times
    for p in players
      choose p
        option give(c in p.hand, q in others of p)
          do pay(q, c, 1)
          for d in played
            do pay(p, d, 2)
          best = c.rank
        option keep
          do count_up(p)

phase pay(p: player, c: card, n: number)
  if good(c)
    move c to played
  else
    move c to p.hand
  for q in players where q is not p
    q.score += n
  do count_up(p)

phase count_up(q: player)
  for p in others of q
    p.score += held(q)
  q.score -= held(q)

result
  rank p by highest p.score
"""
# One card of each kind: suits are cut out of hands, sets are picked in rising order, a trick has a winner.
SUITS = """
  deck in stock
    1 Plain(s, r) for s in Suit, r in Rank

zones
  stock: pile, hidden
  trick: row, open
  hand:  pool, seen by owner, each player
  won:   pile, open, each player

state
  wanted: Suit
  opener: player
  score = 0 for each player

play
  shuffle stock
  deal 3 from stock to each hand
  for p in players, c in p.hand where c is Plain(hearts, king)
    opener = p
  choose secretly each p in players
    option pass(1..2 cards in p.hand)
      move cards to (left of p).hand
  for p in players
    choose p
      option want(c in p.hand where c.suit is not spades)
        wanted = c.suit
      option drop(c in p.hand where c.suit is not hearts)
        move c to stock
        wanted = c.suit
      option stay
  do all_tricks

tricks all_tricks
  leader: opener, then winner of last trick
  lead:
    c where c.suit is wanted
    else any
  follow:
    c where c.suit is led.suit
    else any
  winner: highest c where c.suit is led.suit by c.rank
  each trick:
    winner.score += 1

result
  rank p by highest p.score
"""
# A pile that may go to where it lies; arguments with the names of what loops in a phase go through; a card type that
# never lies in a hand.
TWISTS = """
  card Joker  "joker"
  deck in stock
    2 Plain(s, r) for s in Suit, r in Rank
  deck in box
    2 Joker

zones
  stock: pile, hidden
  box:   pile, open
  heap:  pile, open, each player
  hand:  pool, seen by owner, each player

state
  score = 0 for each player

define red(p: player) = count Plain c in p.hand where c.suit in {hearts, spades}

play
  shuffle stock
  deal 3 from stock to each hand
  for p in players
    move 1 from stock to p.heap
  repeat 3 times
    for p in players
      choose p
        option shift(q in players)
          do carry(p, q)
          do carry(q, p)
        option drop(c in p.hand)
          do weigh(p, c)
          move c to p.heap

phase carry(from_: player, p: player)
  move all from from_.heap to p.heap
  p.score += red(p)

phase weigh(p: player, d: card)
  p.score += count Plain c in p.hand where d is Plain and c.rank is d.rank
  p.score -= red(p)

result
  rank p by highest p.score
"""


@pytest.mark.parametrize(("name", "players"), counts(SPECS))
def test_a_copy_keeps_its_moves_when_the_table_goes_on(name: str, players: int) -> None:
    for seed in range(3):
        table, choice = both(name).right.start(players, seed, 60), mix(seed, 7)
        while table.turn is not None:
            legal, kept = table.legal(), table.copy()
            choice, place = pick(choice, len(legal))
            table.step(legal[place])
            assert kept.legal() == legal


@pytest.mark.parametrize("parts", [TOPS, PHASES, SUITS, TWISTS], ids=["tops", "phases", "suits", "twists"])
@pytest.mark.parametrize("players", [2, 3])
def test_small_games_are_the_same_in_both_back_ends_and_whoever_looks(parts: str, players: int) -> None:
    both_ends = Both(load_text(HEAD + parts))
    ended = set()
    for seed in range(40):
        both_ends.play(players, seed)
        ended.add(play(both_ends, players, seed, 300))
    assert "finished" in ended
    assert ("fault" in ended) == (parts in (TOPS, SUITS))  # of a pile without a top, of a hand without a card


def test_rows_are_kept_by_the_few_things_that_a_condition_asks() -> None:
    program = load_text(HEAD + TOPS).program
    [option] = [
        o for b in program.blocks if isinstance(b.exit, p.Choose) for o in b.exit.options if o.name == "put"
    ]
    assert option.where is not None
    own = {a.bind.slot for a in option.arguments}
    asked = asked_of_table(option.where, own, Functions(program.functions))
    assert asked is not None
    assert [values_of(x, program) for x in asked] == [(0, 3), (0, 3), (0, 10)]
    assert rows_of(asked, program) == 90


def test_a_condition_that_asks_how_many_cards_there_are_has_no_rows() -> None:
    spec = HEAD + TOPS.replace("like(c, top of played)", "size of stock > 3")
    program = load_text(spec).program
    for block in program.blocks:
        for option in block.exit.options if isinstance(block.exit, p.Choose) else ():
            if option.name == "put" and option.where is not None:
                own = {a.bind.slot for a in option.arguments}
                assert asked_of_table(option.where, own, Functions(program.functions)) is None


def test_choices_that_are_come_to_most_often_have_the_first_numbers() -> None:
    program = game("hearts").program
    first = by_heat(program)[0]
    assert [o.name for o in choice_of(program, first).options] == ["play"]
    table = game("hearts").start(players=4, seed=1)
    while table.moves()[0].option != "play":
        table.step(table.legal()[0])
    assert table.legal() == [0]  # the two of clubs


def test_choices_of_rules_that_have_to_be_switched_on_have_the_last_numbers() -> None:
    program = game("dos").program
    names = [[o.name for o in choice_of(program, n).options] for n in by_heat(program)]
    assert names[0][0] == "single"
    assert sorted(names[-2:]) == [["catch", "pass"], ["say_dos", "say_nothing"]]


def choice_of(program: p.Program, number: int) -> p.Choose:
    """Return the choice that a block ends in."""
    exit = program.blocks[number].exit
    assert isinstance(exit, p.Choose)
    return exit


def test_whether_a_card_fits_is_asked_only_where_what_is_written_before_holds() -> None:
    text = compile_program(load_text(HEAD + TOPS).program, __version__, alone=False)
    run = text[text.index("def run(") :]
    asked = run[run.index("there_is = False") : run.index("if not there_is:")]
    assert "break" in asked and "any(map(" not in run


@pytest.mark.parametrize(
    ("shades", "lines"), [(False, "best = card_in_trick"), (True, "best, high = card_in_trick")]
)
def test_a_trick_is_won_by_rank_where_cards_of_a_suit_are_in_another_order(shades: bool, lines: str) -> None:
    spec = HEAD + SUITS
    if shades:  # in each suit the dark cards come after all light ones
        spec = spec.replace(
            "  card Plain(suit: Suit, rank",
            "  enum Shade = light, dark\n  card Plain(suit: Suit, shade: Shade, rank",
        )
        spec = spec.replace('"{rank} of {suit}"', '"{shade} {rank} of {suit}"')
        spec = spec.replace(
            "1 Plain(s, r) for s in Suit, r in Rank", "1 Plain(s, h, r) for s in Suit, h in Shade, r in Rank"
        )
        spec = spec.replace("c is Plain(hearts, king)", "c is Plain(hearts, light, king)")
    made = load_text(spec)
    assert f"{lines}\n" in compile_program(made.program, __version__, alone=False).replace(
        ", RANK[card_in_trick]", ""
    )
    ends = Both(made)
    for seed in range(40):
        ends.play(3, seed)
        play(ends, 3, seed, 300)


def test_a_condition_that_may_fault_is_asked_of_every_card_of_a_trick() -> None:
    """Of those too that could not win: their rank may not be asked first."""
    spec = (HEAD + SUITS).replace(
        "highest c where c.suit is led.suit by", "highest c where share(c) is share(led) by"
    )
    share = "define share(c: card)\n  when c.rank is queen: 4 mod size of stock\n  otherwise: 0\n\nplay\n"
    ends = Both(load_text(spec.replace("\nplay\n", "\n" + share, 1)))
    ended = {ends.play(3, seed) for seed in range(20)} | {play(ends, 3, seed, 300) for seed in range(20)}
    assert ended == {"finished", "fault"}


def test_a_pile_that_is_moved_to_where_it_lies_stays_there() -> None:
    right = Both(load_text(HEAD + TWISTS)).right
    for seed in range(20):
        table, looked, choice = right.start(2, seed), right.start(2, seed), mix(seed, 3)
        while table.turn is not None:
            assert looked.state  # it is carried on by the methods
            choice, place = pick(choice, len(table.legal()))
            number = table.legal()[place]
            table.step(number)
            looked.step(number)
        assert table.state == looked.state
