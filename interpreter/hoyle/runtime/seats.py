"""Players in the order of play, those who are out of the game left out. `out` is a set of seats."""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.runtime.faults import Fault


def seats_in(players: int, out: int) -> Sequence[int]:
    """Return the seats of those who are still in, ascending."""
    return [seat for seat in range(players) if not out >> seat & 1] if out else range(players)


def seats_after(seat: int, first: int, players: int, out: int) -> list[int]:
    """Return those still in, in the order of play from a seat on, the seat itself too if `first` is 0."""
    return [x for i in range(first, players) if not out >> (x := (seat + i) % players) & 1]


def next_in(seat: int, step: int, players: int, out: int) -> int:
    """Return the first seat that is still in, going by `step` from one; that seat itself if there is no other."""
    for _ in range(players):
        seat = (seat + step) % players
        if not out >> seat & 1:
            return seat
    return seat


def members_in(team: int, teams: int, players: int, out: int) -> Sequence[int]:
    """Return the seats of a team that are still in, ascending."""
    seats = range(team, players, teams)
    return [seat for seat in seats if not out >> seat & 1] if out else seats


def still_in(seat: int, out: int, line: int) -> int:
    """Return a seat that is to choose; Fault if it is out of the game."""
    if out >> seat & 1:
        raise Fault(f"player {seat + 1} is out of the game and can't choose", line)
    return seat
