"""Lists of legal moves as people read them, and the move that a person means by what was typed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from hoyle.protocol import Move

FEW = 30  # up to so many moves are listed one a line
MANY = 120  # beyond so many, long groups are only counted
SUGGESTED = 8


class Unclear(Exception):
    """What was typed is no move, or could be several. `moves` are those that come near, with their numbers.

    `refused` says that it is no move now, but may be one at another time.
    """

    def __init__(self, message: str, moves: Sequence[tuple[int, Move]] = (), refused: bool = False) -> None:
        super().__init__(message)
        self.moves = moves
        self.refused = refused


def lines(moves: Sequence[Move], width: int = 80, whole: bool = False) -> list[str]:
    """Return the moves numbered from 1: one a line, in columns by option if many, counted if very many."""
    numbered = list(enumerate(moves, 1))
    if len(moves) <= FEW:
        return rows(numbered)
    groups: dict[str, list[tuple[int, Move]]] = {}
    for pair in numbered:
        groups.setdefault(pair[1].option, []).append(pair)
    out = []
    for option, group in groups.items():
        out.append(f"  {option}: {len(group)} move{'s' if len(group) > 1 else ''}")
        if whole or len(moves) <= MANY or len(group) <= FEW:
            out += columns(group, width)
        else:
            first, last = group[0][0], group[-1][0]
            out.append(f"    {first} to {last}; type {option} to list them, or the first words of one")
    return out


def rows(moves: Sequence[tuple[int, Move]]) -> list[str]:
    """Return numbered moves one a line."""
    wide = len(str(moves[-1][0])) if moves else 1
    return [f"  {number:>{wide}}  {move.text}" for number, move in moves]


def columns(moves: Sequence[tuple[int, Move]], width: int) -> list[str]:
    """Return numbered moves in as many columns as `width` allows, numbered downwards."""
    wide = len(str(moves[-1][0]))
    cells = [f"{number:>{wide}} {move.text}" for number, move in moves]
    cell = max(len(text) for text in cells) + 2
    across = max(1, (width - 4) // cell)
    height = -(-len(cells) // across)
    return [
        "    " + "".join(text.ljust(cell) for text in cells[row::height]).rstrip() for row in range(height)
    ]


def plain(text: str) -> str:
    """Return `text` as it is compared: small letters, no quotes, no space that means nothing."""
    text = re.sub(r"\s+", " ", re.sub(r"[\"']", "", text.lower())).strip()
    return re.sub(r" ?([(),]) ?", r"\1", text)


def _texts(move: Move) -> tuple[str, str]:
    return plain(move.text), plain(move.call)


def exact(typed: str, moves: Sequence[Move]) -> list[tuple[int, Move]]:
    """Return the moves whose text or call form was typed in full, or whose option has no other move."""
    wanted = plain(typed)
    numbered = list(enumerate(moves, 1))
    found = [pair for pair in numbered if wanted in _texts(pair[1])]
    if found:
        return found
    named = [pair for pair in numbered if plain(pair[1].option) == wanted]
    return named if len(named) == 1 else []


def find(typed: str, moves: Sequence[Move]) -> Move:
    """Return the move meant by its number in the list, its text, its call form or an unambiguous beginning.

    Raises Unclear, and never guesses: a text that is also the number of another move has to be made plain.
    """
    wanted = plain(typed)
    numbered = list(enumerate(moves, 1))
    found = exact(typed, moves)
    if wanted.isdecimal():
        if 1 <= int(wanted) <= len(moves) and all(number == int(wanted) for number, _ in found):
            return moves[int(wanted) - 1]
        if not found:
            raise Unclear(no_such_number(wanted, len(moves)))
        if 1 <= int(wanted) <= len(moves):
            same = [pair for pair in numbered if pair[0] == int(wanted)]
            raise Unclear(f"{wanted} is both a number and a move; type the move in full.", same + found)
    if not found:
        found = [pair for pair in numbered if any(text.startswith(wanted) for text in _texts(pair[1]))]
    if len(found) == 1:
        return found[0][1]
    if found:
        raise Unclear(f"'{typed.strip()}' could be {len(found)} moves.", found)
    near = _near(wanted, numbered)
    raise Unclear(f"'{typed.strip()}' is not a move now" + ("; perhaps:" if near else "."), near, True)


def no_such_number(typed: str, moves: int) -> str:
    """Return what is said to a number outside of the list of moves."""
    return f"There is no move {typed}; they are numbered 1 to {moves}."


def _near(wanted: str, numbered: Sequence[tuple[int, Move]]) -> list[tuple[int, Move]]:
    inside = [pair for pair in numbered if any(wanted in text for text in _texts(pair[1]))]
    if inside:
        return inside[:SUGGESTED]
    texts = {text: pair for pair in numbered for text in _texts(pair[1])}
    near = [texts[text] for text in get_close_matches(wanted, list(texts), n=3)]
    return [pair for place, pair in enumerate(near) if pair not in near[:place]]
