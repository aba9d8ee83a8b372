"""Small games in which chance takes part in every way, for the tests of explicit chance."""

from __future__ import annotations

KUHN = """hoyle 1

game "Kuhn poker" for 2 players

components
  enum Rank = jack, queen, king
  card Card(rank: Rank)
  deck in stock
    1 Card(r) for r in Rank

zones
  stock: pile, hidden
  hand:  row, seen by owner, each player

state
  first_player: player
  paid = 1 for each player
  folded = no for each player
  gain = 0 for each player

define strength(p: player) = 1 if any c in p.hand, d in (left of p).hand where c.rank > d.rank else 0

play
  shuffle stock
  deal 1 from stock to each hand
  do open_betting(first_player)
  for p in players
    p.gain = -p.paid if folded_or_beaten(p) else (left of p).paid

define folded_or_beaten(p: player) = p.folded or not (left of p).folded and strength(p) is 0

phase open_betting(p: player)
  choose p
    option bet
      p.paid = 2
      do answer(left of p)
    option check
      choose left of p
        option raise_it
          (left of p).paid = 2
          do answer(p)
        option check_too

phase answer(p: player)
  choose p
    option call
      p.paid = 2
    option fold
      p.folded = yes

result
  rank p by highest p.gain
"""

LEDUC = """hoyle 1

game "Half of Leduc" for 2 players

components
  enum Rank = jack, queen, king
  card Card(rank: Rank)
  deck in stock
    2 Card(r) for r in Rank

zones
  stock: pile, hidden
  board: row, open
  hand:  row, seen by owner, each player

state
  who: player

play
  shuffle stock
  deal 1 from stock to each hand
  choose who
    option see
  move 1 from stock to board
  choose who
    option show

result
  rank p by highest (count c in p.hand, d in board where c is d)
"""

# Twins, a refill, cards put back on top, a pick from a hand, a pile whose top is open.
MIXED = """hoyle 1

game "Mixed" for 2 players

components
  card Ace(suit: 1..2)
  card Two
  deck in stock
    1 Ace(n) for n in 1..2
    2 Two

zones
  stock: pile, hidden, refilled by shuffling waste
  waste: pile, hidden
  heap:  pile, top open
  hand:  pool, seen by owner, each player

state
  who: player

play
  shuffle stock
  pick who at random from players
  deal 1 from stock to each hand
  choose who
    option swap_it(c in who.hand)
      move c to waste
      move 2 from stock to who.hand
    option put_back(c in who.hand)
      move c to stock
      move 1 from stock to heap
    option let_go
      pick x at random from who.hand
      move x to heap
  choose left of who
    option again
      gather every card into heap, shuffled
    option more
      move 3 from stock to (left of who).hand
    option top_only when heap is not empty and top of heap is "Two"
      who = left of who

result
  rank p by highest size of p.hand
"""

# Cards that look alike, one of which is remembered.
MARKED = """hoyle 1

game "Marked" for 2 players

components
  card Coin
  card Stone(weight: 1..2)
  deck in stock
    3 Coin
    1 Stone(n) for n in 1..2

zones
  stock: pile, hidden
  hand:  pool, open, each player

state
  who: player
  luck = 0
  mine: set of card

play
  shuffle stock
  move 1 from stock to who.hand as first_one
  mine = first_one
  gather every card into stock, shuffled
  deal 1 from stock to each hand
  choose who
    option look
      luck = 10 if any c in who.hand where c in mine else 3
      pick c at random from who.hand
      if c in mine
        luck += 1
    option pass

result
  rank p by highest (luck if p is who else 5)
"""

# A remembered card in a local, a loop over cards, lots from an enum.
LOCAL = """hoyle 1

game "Local" for 2 players

components
  enum Side = heads, tails
  card Coin
  card Stone
  deck in stock
    2 Coin
    2 Stone

zones
  stock: pile, hidden
  table: row, open
  hand:  pool, open, each player

state
  who: player
  luck = 0
  side: Side

play
  shuffle stock
  let seen = top of stock
  pick side at random from Side
  shuffle stock
  move 2 from stock to who.hand as pair
  for c in who.hand
    if c in pair and seen in pair and c is Coin
      luck += 1
      move 1 from stock to table
  choose who
    option done

result
  rank p by highest (luck if p is who and side is heads else 1)
"""

# Who ties draws again, with fewer cards left; then all go back.
DRAWN = """hoyle 1

game "Drawn" for 2 players

components
  card Coin
  card Stone(weight: 1..2)
  deck in stock
    2 Coin
    1 Stone(n) for n in 1..2

zones
  stock: pile, hidden
  hand:  pool, open, each player

state
  who: player

define worth(c: card)
  when c is Stone: c.weight
  otherwise:       0

play
  shuffle stock
  draw for who from stock by highest worth
  move 1 from stock to who.hand
  choose who
    option done

result
  rank p by highest size of p.hand
"""

SPECS = {"Kuhn": KUHN, "Leduc": LEDUC, "Mixed": MIXED, "Marked": MARKED, "Local": LOCAL, "Drawn": DRAWN}
