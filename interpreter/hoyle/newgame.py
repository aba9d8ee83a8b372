"""The small game that `hoyle new` writes: complete, short, and a start for a game of one's own."""

from __future__ import annotations

import re
from pathlib import Path

TEMPLATE = """\
hoyle 1

# A small game to start from: change a rule, then see what it does.
#   hoyle check {file}      finds mistakes
#   hoyle test {file}       runs the scenarios at the end
#   hoyle play {file}       plays it here
#   hoyle simulate {file}   plays a thousand games and counts

game "{title}" for 2..4 players
  > Be the first to get rid of all your cards.

parameters
  hand_size = 5 in 3..8                     # try it: hoyle simulate {file} --set hand_size=8

components
  enum Colour = red, yellow, green, blue
  card Number(colour: Colour, value: 1..9)  "{{colour}} {{value}}"
  deck in stock
    > 36 cards: one of each colour and number.
    1 Number(colour, value) for colour in Colour, value in 1..9

zones
  stock:   pile, hidden, refilled by shuffling discard
  discard: pile, open
  table:   row, open                        # the card to match
  hand:    pool, seen by owner, each player

state
  starter: player

define fits(c: card)
  > A card fits if it has the colour or the number of the card on the table.
  when any t in table where c.colour is t.colour: yes
  when any t in table where c.value is t.value:   yes
  otherwise:                                      no

play
  gather every card into stock, shuffled
  deal hand_size from stock to each hand
  move 1 from stock to table
  pick starter at random from players
  turns p from starter until p.hand is empty
    do take_turn(p)

phase take_turn(p: player)
  choose p
    option lay(c in p.hand where fits(c))
      > Lay a card that matches by number or by colour.
      move all from table to discard
      move c to table
    option draw when not any c in p.hand where fits(c)
      > If none matches, draw a card, and the turn is over.
      move 1 from stock to p.hand

result
  rank p by lowest size of p.hand

scenario "a card has to fit" for 2 players ann, bob
  given table = "red 5"
  given ann.hand = "red 2, blue 5, green 8"
  given bob.hand = "yellow 1"
  start at take_turn(ann)
  then ann may only lay("red 2"), lay("blue 5")
  ann: lay("blue 5")
  then table is "blue 5" and discard is "red 5"
  then next is bob

scenario "whoever has no card that fits draws one" for 2 players ann, bob
  given table = "red 5"
  given ann.hand = "green 8"
  given bob.hand = "yellow 1"
  given stock = "blue 3, blue 4"
  start at take_turn(ann)
  then ann may only draw
  ann: draw
  then ann.hand is "green 8, blue 3"
  then stock is "blue 4"
"""


class CannotWrite(Exception):
    """The new game can't be written; the message says why."""


def write(name: str, folder: Path) -> Path:
    """Write the small game as `folder`/NAME.hoyle and return that path. Never writes over a file."""
    stem = name.removesuffix(".hoyle")
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", stem):
        raise CannotWrite(f"'{name}' can't be a name: use letters, digits, - and _, a letter first")
    path = folder / f"{stem}.hoyle"
    title = re.sub(r"[-_]+", " ", stem).strip().title()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(TEMPLATE.format(file=path.name, title=title))
    except FileExistsError:
        raise CannotWrite(f"{path} exists already; nothing was written") from None
    except OSError as error:
        raise CannotWrite(f"can't write {path}: {error.strerror}") from None
    return path
