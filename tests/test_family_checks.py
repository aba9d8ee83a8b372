"""What the checker says of `tricks` and `auction`: each slip is told once, at its line, in the words of the spec."""

from __future__ import annotations

from textwrap import indent

import pytest

from hoyle.diagnostics import Diagnostic, Report
from hoyle.session import check_text, load_text
from hoyle.source import Source
from lockstep import module_of

GAME = """hoyle 1

game "Tiny" for 3 players@game

components
  enum Suit = acorns, leaves, bells
  card Card(suit: Suit, rank: 1..8)  "{rank} of {suit}"
  deck in stock
    1 Card(suit, rank) for suit in Suit, rank in 1..8

zones
  stock: pile, hidden
  trick: row, open
  hand:  pool, seen by owner, each player
  won:   pile, open, each player

state
  dealer: player
  trump: Suit or none
  score = 0 for each player
@state
play
  gather every card into stock, shuffled
  deal 6 from stock to each hand
  trump = none
  do bidding
  do play_hand
  for p in players
    p.score += tricks won by p
  dealer = left of dealer
@play
@phase
auction bidding
@auction
tricks play_hand
@tricks
result
  rank p by highest p.score
"""
SOLD = """\
sold to p at b:
  p.score += b
  choose p
    option name(s in Suit)
      trump = s
"""
ONCE = "speakers: once round from left of dealer\nbids: 1..6\n" + SOLD
ROUND = ONCE.replace("once round from left of dealer", "round from dealer until all but one pass")
SEALED = ONCE.replace("once round from left of dealer", "all at once") + "ties: again\n"
PLAIN = "leader: left of dealer\ntrumps: trump\n"
WINNER = "leader: left of dealer\nwinner: highest c where c.suit is led_suit by c.rank\n"


def spec(
    auction: str = ONCE,
    tricks: str = PLAIN,
    *,
    state: str = "",
    play: str = "",
    phase: str = "",
    game: str = "",
) -> str:
    """Return a game with these clauses, and with these lines more."""
    made = GAME.replace("@game", game).replace("@phase\n", phase + "\n")
    parts = {"auction": auction, "tricks": tricks, "state": state, "play": play}
    for name, lines in parts.items():
        made = made.replace(f"@{name}\n", indent(lines, "  ") + "\n")
    return made


def told(text: str) -> list[Diagnostic]:
    """Return what the checker says of a text."""
    report = Report()
    check_text(Source("spec.hoyle", text), report)
    return report.diagnostics


def lines(text: str) -> list[str]:
    """Return what it says: codes, each with the line that it is about."""
    rows = text.splitlines()
    return [f"{d.code} {rows[d.span.line - 1].strip()}" for d in told(text)]


@pytest.mark.parametrize(
    "text",
    [spec(), spec(ROUND), spec(SEALED), spec(tricks=WINNER)],
    ids=["once", "round", "sealed", "winner"],
)
def test_the_games_of_this_file_are_clean(text: str) -> None:
    assert lines(text) == []


# ---- clauses without effect ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (spec(SEALED + "closes: when bid is 6\n"), "closes: when bid is 6"),
        (spec(SEALED + "also:\n  option shout\n    trump = none\n"), "also:"),
        (spec(SEALED + "passing: final\n"), "passing: final"),
        (
            spec(SEALED + "each bid: higher than the last, or pass\n"),
            "each bid: higher than the last, or pass",
        ),
        (spec(SEALED + "each bid: at least the last\n"), "each bid: at least the last"),
        (spec(ONCE + "ties: unsold\n"), "ties: unsold"),
        (spec(ROUND + "ties: again\n"), "ties: again"),
        (spec(ONCE + "passing: not final\n"), "passing: not final"),
        (spec(tricks=PLAIN + "players: p where trump is none\n"), "players: p where trump is none"),
        (spec(tricks=WINNER + "trumps: trump\n"), "trumps: trump"),
        (spec(tricks=WINNER + "rank of c: c.rank\n"), "rank of c: c.rank"),
        (
            spec(tricks=WINNER + "led suit: led.suit\nfollow: any\nsuit of c: c.suit\n"),
            "suit of c: c.suit",
        ),
        (
            spec(tricks="leader: dealer\nled suit: led.suit\nfollow: any\nwinner: highest c by c.rank\n"),
            "led suit: led.suit",
        ),
    ],
)
def test_a_clause_without_effect_is_told(text: str, line: str) -> None:
    assert lines(text) == [f"E528 {line}"]


@pytest.mark.parametrize(
    "text",
    [
        spec(SEALED + "each bid: any\n"),
        spec(SEALED + "each bid: any, or pass\n"),
        spec(ROUND + "passing: not final\n"),
        spec(tricks=WINNER + "suit of c: c.suit\n"),
        spec(tricks=WINNER + "led suit: led.suit\nfollow: any\n"),
        spec(tricks=WINNER + "follow: c where c.suit is led_suit, else any\nsuit of c: c.suit\n"),
    ],
)
def test_a_clause_with_an_effect_is_not(text: str) -> None:
    assert lines(text) == []


# ---- what tricks and auctions give counts as read and set ------------------------------------------


COUNTED = "    p.score += tricks won by p\n"


def test_a_loop_may_wait_for_tricks_to_be_won() -> None:
    loop = "  repeat until any p in players where tricks won by p >= 2\n    do play_hand\n"
    assert lines(spec().replace("  do play_hand\n", loop)) == []


def test_a_loop_that_waits_for_tricks_and_plays_none_is_told() -> None:
    loop = "repeat until any p in players where tricks won by p >= 2\n  trump = none\n"
    assert lines(spec(play=loop)) == ["W504 repeat until any p in players where tricks won by p >= 2"]


def test_a_result_of_tricks_won_is_not_the_same_for_all() -> None:
    text = spec(ONCE.replace("p.score += b", "trump = none if b > 2 else bells"))
    text = text.replace("  for p in players\n" + COUNTED, "")
    text = text.replace("highest p.score", "highest p.score + tricks won by p")
    assert lines(text) == ["W205 score = 0 for each player"]


# ---- names that only the checker writes ------------------------------------------------------------


FIRST = SEALED.replace("ties: again", "ties: first from dealer")


def test_whether_bids_are_tied_is_no_name_of_the_spec() -> None:
    assert lines(spec(FIRST)) == []
    used = "tied = yes\nif tied\n  amount += 1\nif amount > 2\n  tied = no\n"
    for auction in (ONCE, ROUND, SEALED, FIRST):
        assert lines(spec(auction, state="tied = no\namount = 0\n", play=used)) == []


# ---- loops that nobody has written -----------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        spec(ROUND + "also:\n  option stop\n    end repeat\n"),
        spec(SEALED.replace("  choose p\n", "  end repeat\n  choose p\n")),
        spec(ROUND + "unsold:\n  end repeat\n"),
        spec(tricks=PLAIN + "each play:\n  if trump is none\n    end repeat\n"),
        spec(tricks=PLAIN + "each trick:\n  end repeat\n"),
        spec(tricks=PLAIN + "each trick:\n  for p in players\n    end repeat\n"),
    ],
)
def test_end_repeat_leaves_no_loop_that_nobody_has_written(text: str) -> None:
    assert lines(text) == ["E501 end repeat"]


@pytest.mark.parametrize(
    "text",
    [
        spec(ROUND + "also:\n  option stop\n    end bidding\n"),
        spec(tricks=PLAIN + "each play:\n  end play_hand\n"),
        spec(tricks=PLAIN + "each trick:\n  end play_hand\n"),
        spec(tricks=PLAIN + "each trick:\n  winner wins\n"),
        spec(tricks=PLAIN + "each trick:\n  if trump is none\n    end game\n"),
        spec(tricks=PLAIN + "each trick:\n  repeat 2 times\n    trump = none\n    end repeat\n"),
        spec(ONCE + "closes: when bid is 6\n"),
    ],
)
def test_what_leaves_a_block_is_no_fault(text: str) -> None:
    assert lines(text) == []


def test_what_a_designer_wrote_after_the_end_is_still_told() -> None:
    assert lines(spec(tricks=PLAIN + "each trick:\n  end play_hand\n  trump = none\n")) == [
        "W502 trump = none"
    ]


# ---- chains that tell what nobody should know ------------------------------------------------------


@pytest.mark.parametrize(
    ("tricks", "line"),
    [
        (PLAIN + "follow: c where c.suit is (top of stock).suit, else any\n", "W603"),
        (PLAIN + "lead: c where c.suit is (top of stock).suit, else any\n", "W603"),
        (PLAIN + "cards: from (stock if trump is none else mover.hand) to trick\n", "W601"),
        (PLAIN + "cards: from ((next of mover).hand if trump is none else mover.hand) to trick\n", "W601"),
    ],
)
def test_a_chain_that_asks_about_hidden_cards_is_told(tricks: str, line: str) -> None:
    clause = tricks.splitlines()[-1]
    assert lines(spec(tricks=tricks)) == [f"{line} {clause}"]


TEAMS = ONCE + "also:\n  option shout when any c in @ where c.suit is bells\n    trump = bells\n"


@pytest.mark.parametrize(
    ("owned", "zone", "seen"),
    [
        ("team", "(team of speaker).kept", True),
        ("team", "(team of next of speaker).kept", False),
        ("player", "speaker.kept", True),
        ("player", "(partner of speaker).kept", True),
        ("player", "(next of speaker).kept", False),
    ],
)
def test_partners_see_what_their_team_sees(owned: str, zone: str, seen: bool) -> None:
    whose = "(team of dealer)" if owned == "team" else "dealer"
    text = spec(TEAMS.replace("@", zone), play=f"move 1 from stock to {whose}.kept\n")
    text = text.replace("3 players", "4 players in 2 teams")
    text = text.replace("  trick:", f"  kept: pool, seen by team, each {owned}\n  trick:")
    assert [d.code for d in told(text)] == ([] if seen else ["W603"])


# ---- words that are there at some moments only -----------------------------------------------------


NOT_YET = "leader: left of dealer\n"


@pytest.mark.parametrize("word", ["led.suit", "led_suit", "winning.suit"])
@pytest.mark.parametrize(
    "clause",
    [
        "each trick:\n  if @ is bells\n    trump = none\n",
        "lead: c where @ is bells, else any\n",
        "until: @ is bells\n",
        "players: p where @ is bells and p is dealer\n",
        "chooser: (mover if @ is bells else dealer)\n",
        "cards: from (mover.hand if @ is bells else dealer.hand) to trick\n",
    ],
)
def test_the_trick_is_not_asked_for_when_it_is_not_there(word: str, clause: str) -> None:
    text = clause.replace("@", word)
    (line,) = (x.strip() for x in text.splitlines() if word in x)
    assert lines(spec(tricks=PLAIN + text)) == [f"E523 {line}"]


@pytest.mark.parametrize(
    "clause",
    [
        "winner: highest c where winning.suit is bells by c.rank\n",
        "winner: highest c where c.suit is bells by c.rank, else highest c by c.rank + winning.rank\n",
        "led suit: led_suit if trump is none else led.suit\n",
        "led suit: winning.suit\n",
        "suit of c: winning.suit\n",
        "rank of c: c.rank + winning.rank\n",
        "trumps: winning.suit\n",
        "leader: winner\n",
        "leader: mover\n",
        "leader: left of dealer, then (dealer if led_suit is bells else winner)\n",
        "until: winner is dealer\n",
        "goes to: (winner.won if played.rank is 8 else dealer.won)\n",
        "follow: c where c.rank > played.rank, else any\n",
    ],
)
def test_no_clause_asks_for_what_it_settles_or_what_comes_later(clause: str) -> None:
    first = "" if clause.startswith("leader") else NOT_YET
    assert lines(spec(tricks=first + clause)) == [f"E523 {clause.strip()}"]


@pytest.mark.parametrize(
    "clause",
    [
        "each play:\n  if winning.suit is bells and led.suit is led_suit and played is led\n    trump = bells\n",
        "each trick:\n  if size of last_trick is 3 and winner is mover\n    trump = bells\n",
        "goes to: (winner.won if led_suit is bells else (left of winner).won)\n",
        "winner: highest c where c.suit is led_suit and led.rank > 1 by c.rank\n",
        "chooser: (dealer if trick is not empty and led.suit is bells else mover)\n",
        "until: winner of last trick is mover and mover is dealer\n",
    ],
)
def test_words_are_there_at_their_moment(clause: str) -> None:
    assert lines(spec(tricks=NOT_YET + clause)) == []


# ---- words that a spec declares too ----------------------------------------------------------------


def follow(test: str) -> str:
    return PLAIN + f"follow: c where {test}, else any\n"


@pytest.mark.parametrize(
    ("state", "test"),
    [
        ("led = no", "led"),
        ("led_suit: Suit or none", "c.suit is led_suit"),
        ("winning: card or none", "winning is none"),
    ],
)
def test_a_variable_called_like_a_word_of_the_block_is_told(state: str, test: str) -> None:
    tricks = follow(test)
    (found,) = told(spec(tricks=tricks, state=state + "\n"))
    assert (found.code, found.second is not None) == ("E202", True)
    assert lines(spec(tricks=tricks, state=state + "\n")) == [f"E202 {tricks.splitlines()[-1]}"]


def test_the_cards_of_the_last_trick_are_not_kept_in_a_variable_unasked() -> None:
    tricks = PLAIN + "each trick:\n  if size of last_trick is 3\n    trump = none\n"
    text = spec(tricks=tricks, state="last_trick: set of card\n")
    assert lines(text) == ["E202 if size of last_trick is 3"]


def test_a_bid_of_several_parts_hides_no_variable_unsaid() -> None:
    parts = ONCE.replace("bids: 1..6", "bids: level in 1..3, strain in Suit").replace("at b:", "at b, x:")
    parts = parts.replace("  p.score += b\n", "  p.score += b\n  trump = x\n")
    assert lines(spec(parts)) == []
    text = spec(parts + "closes: when bid.level is 3\n", state="bid = 0\n")
    assert lines(text) == ["E202 closes: when bid.level is 3"]


@pytest.mark.parametrize(
    ("clause", "line"),
    [
        (f"{when}:\n  {line}\n{more}", line)
        for when in ("each play", "each trick")
        for line, more in [
            *(
                (f"let {word} = 3", "")
                for word in ("led", "led_suit", "winning", "winner", "mover", "last_trick")
            ),
            ("pick led at random from 1..3", ""),
            ("for winning in players", "    trump = none\n"),
        ]
    ]
    + [(f"follow: {word} where {word}.rank > 3, else any\n", "") for word in ("led", "winning", "played")],
)
def test_a_block_gives_its_words_to_nothing_else(clause: str, line: str) -> None:
    assert lines(spec(tricks=PLAIN + clause)) == [f"E202 {line or clause.strip()}"]


@pytest.mark.parametrize("head", ["sold to bidder at b:", "sold to p at bid:", "sold to speaker:"])
def test_an_auction_gives_its_words_to_nothing_else(head: str) -> None:
    old = head.split()[0]
    text = "\n".join(head if x.startswith(old) else x for x in ONCE.splitlines()) + "\n"
    assert lines(spec(text)) == [f"E202 {head}"]


# ---- names that nobody asks for --------------------------------------------------------------------


def test_a_block_may_give_words_that_nobody_asks_for_but_a_phase_may_not() -> None:
    for word in ("mover", "winner", "last_trick", "speaker", "bidder"):
        phase = f"phase look\n  repeat 2 times\n    let {word} = dealer\n"
        assert lines(spec(play="do look\n", phase=phase)) == [f"W201 let {word} = dealer"]


# ---- bids as a list of numbers ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bids", "numbers"),
    [
        ("50,100,150", [50, 100, 150]),
        ("150, 50, 100, 50", [50, 100, 150]),
        ("{70, 80}", [70, 80]),
        ("100", [100]),
        ("-3, 5", [-3, 5]),
        ("62..64, 66, 70..71", [62, 63, 64, 66, 70, 71]),
        ("4, 5, 21", [4, 5, 21]),
        ("60, 61..63", [60, 61, 62, 63]),
    ],
)
@pytest.mark.parametrize("auction", [ONCE, SEALED])
def test_any_numbers_can_be_bid(bids: str, numbers: list[int], auction: str) -> None:
    made = load_text(spec(auction.replace("1..6", bids)))
    for game in (made, module_of(made.program)):
        table = game.start(seed=1)
        assert [str(m) for m in table.moves()] == [*(f"bids {n}" for n in numbers), "passes"]
        table.play(f"bid({numbers[0]})")
        above = numbers[1:] if auction is ONCE else numbers
        assert [str(m) for m in table.moves()] == [*(f"bids {n}" for n in above), "passes"]


def test_bids_too_far_apart_are_told() -> None:
    assert lines(spec(ONCE.replace("1..6", "1, 1000000"))) == ["E305 bids: 1, 1000000"]


def test_a_long_list_of_bids_is_read() -> None:
    bids = ", ".join(str(2 * n) for n in range(300))
    assert lines(spec(ONCE.replace("1..6", bids))) == []
