"""Specs whose decks are read from tables, and what the checker says of them."""

from __future__ import annotations

from pathlib import Path

from hoyle import render
from hoyle.diagnostics import Report
from hoyle.program import Program
from hoyle.session import check_text
from hoyle.source import NotThere, Raw, Source

HEAD = """hoyle 1

game "Tiny" for 2..5 players

components
  enum Colour = red, sea_green, blue
  enum Rank = 1..3, jack
  card Fish(colour: Colour, weight: -2..8, rare: flag)  "{colour} {weight} {rare}"
  card Rank_(rank: Rank)
  card Net
  deck in stock
"""
HEAD = HEAD.replace("Rank_", "Court")
REST = """
zones
  stock: pile, hidden
  hand: pool, seen by owner, each player

play
  shuffle stock
  deal 1 from stock to each hand
  for p in players
    choose p
      option keep(c in p.hand)

result
  rank p by highest size of p.hand
"""
# A card of each type and enough for a deal, apart from the deck that a test is about.
SPARE = """
components
  deck in spare
    2 Fish(red, 1, no)
    2 Court(1)
    2 Net

zones
  spare: pile, open
"""
FISH = "Colour,Weight,Rare\n"
CARDS = "Card,Colour,Weight,Rare,Rank,Copies,Players\n"


def checked(deck: str, head: str = HEAD, **tables: str | bytes) -> tuple[Report, Program | None]:
    """Return the report on a spec with these lines in its deck, and its program; `fish` lies there as fish.csv."""
    raw = {f"{name}.csv": x if isinstance(x, bytes) else x.encode() for name, x in tables.items()}

    def beside(name: str, most: int) -> Raw:
        if name not in raw:
            raise NotThere(f"`{name}` is not there", "look for it")
        return Raw(f"games/{name}", raw[name][:most])

    report = Report()
    text = head + "".join(f"    {line}\n" for line in deck.splitlines()) + REST + SPARE
    return report, check_text(Source("games/tiny.hoyle", text), report, beside).program


def deck_of(deck: str, **tables: str | bytes) -> list[tuple[str, int, int, int]]:
    """Return a deck as faces, each with its copies and the counts of players it is for; nothing may be wrong."""
    report, program = checked(deck, **tables)
    assert program is not None and not report.diagnostics, render.text(report)
    (stock,) = (z.number for z in program.zones if z.name == "stock")
    lines = [d for d in program.deck if d.zone == stock]
    return [(program.kinds[d.kind].face, d.copies, d.low, min(d.high, 5)) for d in lines]


def told(deck: str, **tables: str | bytes) -> list[tuple[str, str, int, int]]:
    """Return what is told of a spec: code, file, line and column."""
    report, _ = checked(deck, **tables)
    return [(d.code, Path(d.span.path).name, d.span.line, d.span.column) for d in report.diagnostics]


def message(deck: str, **tables: str | bytes) -> str:
    """Return the one fault that is told, with its mend."""
    report, _ = checked(deck, **tables)
    (found,) = report.diagnostics
    return f"{found.message} | {found.mend}"
