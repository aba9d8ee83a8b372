"""What the columns and cells of a table of cards say: headers to attributes, texts to values."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from hoyle import program as p
from hoyle.check.csvfile import SEPARATORS, Cell, Table, shown
from hoyle.check.types import describe

Role = Literal["attribute", "copies", "players", "card", "note", "unknown", "nameless"]
NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
COPIES = re.compile(r"[0-9]+")
PLAYERS = re.compile(r"([0-9]{1,3})(?:( ?\+)| ?(?:\.\.|-|–|to) ?([0-9]{1,3}))?")
ROLES: dict[str, Role] = {
    "copies": "copies",
    "players": "players",
    **dict.fromkeys(("card", "tile", "cardtype", "tiletype", "type"), "card"),
}
# Headers that others use for the columns of which the name is fixed.
MEANT = {
    **dict.fromkeys(("count", "quantity", "qty", "amount", "copy", "howmany", "times"), "Copies"),
    **dict.fromkeys(("minplayers", "playercount", "playernumber", "player"), "Players"),
}
FLAGS = {"yes": 1, "true": 1, "no": 0, "false": 0}


class Column(NamedTuple):
    """A column by its header: what it is for, and the attribute that it fills, if it does."""

    role: Role
    header: Cell
    name: str = ""


class Misfit(NamedTuple):
    """Why a cell can't be read, and how to mend it."""

    message: str
    mend: str


def key(text: str) -> str:
    """Return what is compared of a header or word: neither case, nor spaces, underscores and hyphens."""
    return re.sub(r"[\s_-]+", "", text.casefold())


def nearest(text: str, names: Iterable[str]) -> str:
    """Return the name that is most like a text, or nothing if none is."""
    known = {key(name): name for name in reversed(list(names))}
    near = difflib.get_close_matches(key(text[:100]), known, n=1, cutoff=0.6)
    return known[near[0]] if near else ""


def listed(names: Iterable[str]) -> str:
    """Return names for a message, not too many."""
    found = list(names)
    return ", ".join(found[:12]) + (", …" if len(found) > 12 else "")


def match(text: str, names: Iterable[str]) -> str:
    """Return the name that a text stands for: the same letters, else the same but for case, spaces and underscores."""
    found = list(names)
    if text in found:
        return text
    return next((name for name in found if key(name) == key(text)), "") if key(text) else ""


def columns(header: list[Cell], attributes: Iterable[str], typed: bool) -> list[Column]:
    """Return the columns of a table. With `typed` the type of all its cards is known, so that no column names it."""
    names = list(attributes)
    return [_column(cell, names, typed) for cell in header]


def _column(cell: Cell, names: list[str], typed: bool) -> Column:
    text = cell.text
    if not text:
        return Column("nameless", cell)
    if text[0] == "#" or text[0] + text[-1] in ("[]", "()"):
        return Column("note", cell)
    name = match(text, names)
    if name:
        return Column("attribute", cell, name)
    role = ROLES.get(key(text), "unknown")
    return Column("unknown" if role == "card" and typed else role, cell)


def separator(table: Table, attributes: Iterable[str], typed: bool) -> str:
    """Return what parts the cells: with which the first row holds the most columns that are known, then the most."""
    names = list(attributes)

    def understood(sign: str) -> tuple[int, int]:
        header = next(table.rows(sign), [])
        found = columns(header, names, typed)
        return sum(c.role not in ("unknown", "nameless") for c in found), len(header)

    return table.named or max(SEPARATORS, key=understood)


def value(attribute: p.Attribute, cell: Cell) -> int | Misfit:
    """Return the value of an attribute that a cell holds, or why it holds none."""
    if not cell.text:
        return Misfit(f"`{attribute.name}` is empty here", f"write {describe(attribute.type)}")
    match attribute.type.form:
        case "number":
            return _number(attribute, cell.text)
        case "flag":
            word = FLAGS.get(cell.text.casefold())
            message = f"`{attribute.name}` is yes or no, and this is `{shown(cell.text)}`"
            return Misfit(message, "write `yes` or `no`") if word is None else word
        case _:
            return 0


def member(enum: p.Enum, attribute: p.Attribute, cell: Cell) -> int | Misfit:
    """Return the place of a cell's word in an enum, or why it has none."""
    if not cell.text:
        return Misfit(f"`{attribute.name}` is empty here", f"write one of {listed(enum.labels)}")
    word = match(cell.text, enum.labels)
    if word:
        return enum.labels.index(word)
    near = nearest(cell.text, enum.labels)
    mend = f"did you mean `{near}`?" if near else f"write one of {listed(enum.labels)}"
    return Misfit(f"`{shown(cell.text)}` is not in {enum.name}", mend)


def _number(attribute: p.Attribute, text: str) -> int | Misfit:
    if not NUMBER.fullmatch(text):
        message = f"`{attribute.name}` is {describe(attribute.type)}, and this is `{shown(text)}`"
        return Misfit(message, "write a whole number in digits")
    low, high = attribute.type.low or 0, attribute.type.high or 0
    if low <= int(text) <= high:
        return int(text)
    message = f"`{attribute.name}` is {int(text)} here, outside {low}..{high}"
    return Misfit(message, "change the number, or the range of the attribute")


def copies(cell: Cell) -> int | Misfit:
    """Return how many cards of a row there are; one if the cell is empty. Numbers beyond bounds are all alike."""
    if not cell.text:
        return 1
    if not COPIES.fullmatch(cell.text):
        message = f"`Copies` says how many of this card there are, and this is `{shown(cell.text)}`"
        return Misfit(message, "write a whole number in digits, 0 for none")
    return int(cell.text) if len(cell.text.lstrip("0")) < 10 else 1_000_000_000


def players(cell: Cell, most: int) -> tuple[int, int] | Misfit:
    """Return the least and the most players that a row is for; all if the cell is empty."""
    if not cell.text:
        return 1, most
    found = PLAYERS.fullmatch(cell.text)
    low = int(found[1]) if found else 0
    high = 0 if found is None else max(low, most) if found[2] else int(found[3] or low)
    if found is None or low > high:
        message = f"`Players` says with how many the card is used, and this is `{shown(cell.text)}`"
        return Misfit(message, "write `3+`, `2..3` or `2`, or leave the cell empty")
    return low, high


def unused(players: tuple[int, int], game: tuple[int, int]) -> str:
    """Return why cards for so many players are never there in a game; empty if they may be."""
    (low, high), (least, most) = players, game
    if low <= high and low > most:
        return f"these cards are never there: at most {most} {'play' if most > 1 else 'plays'}, not {low}"
    if low <= high < least:
        return f"these cards are never there: at least {least} play, not {high}"
    return ""
