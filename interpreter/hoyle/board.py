"""What a seat sees, and how a game ended, as lines of plain text for people. Knows the table protocol.

Seats are told to people as `player 1`, `player 2`, … everywhere, as the log of a table tells them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hoyle.protocol import Table

SHORT = 12  # cards of a zone that are shown unless the whole view was asked for
INDENT = "  "


def player(seat: int) -> str:
    """Return what people call a seat: `player 1` for seat 0."""
    return f"player {seat + 1}"


def lines(view: Mapping[str, Any], whole: bool = False) -> list[str]:
    """Return the zones and the state of a view; long zones are cut unless `whole`."""
    labels = [
        INDENT + label
        for name, zone in view["zones"].items()
        if not isinstance(zone, Mapping)
        for label, _ in _each(view, name, zone)
    ]
    width = max(map(len, [*view["zones"], *view["state"], *labels, INDENT + "player 1 (you)"])) + 2
    out: list[str] = []
    for name, zone in view["zones"].items():
        if isinstance(zone, Mapping):
            out.append(f"{INDENT}{name:<{width}}{cards(zone, whole)}")
        elif not any(each["size"] for _, each in _each(view, name, zone)):
            out.append(f"{INDENT}{name:<{width}}all empty")
        else:
            out.append(f"{INDENT}{name}")
            for label, each in _each(view, name, zone):
                out.append(f"{INDENT}{INDENT}{label:<{width - len(INDENT)}}{cards(each, whole)}")
    for name, value in view["state"].items():
        if name in view.get("by_team", ()):
            words = ", ".join(f"{_owner(view, name, t)}: {_word(x, False)}" for t, x in enumerate(value))
        else:
            words = state(value, view["players"], name in view.get("seats", ()))
        out.append(f"{INDENT}{name:<{width}}{words}")
    return out


def _each(view: Mapping[str, Any], name: str, zone: Sequence[Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the zones of one name, each with whose it is and, where they began in play, which."""
    for place, one in enumerate(zone):
        if isinstance(one, Mapping):
            yield str(place + 1) if name in view.get("families", ()) else _owner(view, name, place), one
        else:
            for which, each in enumerate(one, 1):
                yield f"{_owner(view, name, place)}, {which}", each


def _owner(view: Mapping[str, Any], name: str, owner: int) -> str:
    """Return whose a zone or value is: a player or a team; `you` where the viewer is that or belongs to it."""
    if name in view.get("by_team", ()):
        return f"team {owner + 1}" + (" (yours)" if view["seat"] in view["teams"][owner] else "")
    return player(owner) + (" (you)" if owner == view["seat"] else "")


def cards(zone: Mapping[str, Any], whole: bool = False) -> str:
    """Return the faces in a zone, those that can't be seen as a number: `red 7, blue 2, 3 hidden`."""
    parts: list[str] = []
    hidden = 0
    for face in [*zone["cards"], ""]:
        if face is None:
            hidden += 1
            continue
        if hidden:
            parts.append(f"{hidden} hidden")
            hidden = 0
        if face:
            parts.append(str(face))
    if not parts:
        return "empty"
    if whole or len(parts) <= SHORT + 1:
        return ", ".join(parts)
    return f"{', '.join(parts[:SHORT])} and {len(parts) - SHORT} more"


def state(value: Any, players: int, seats: bool = False) -> str:
    """Return a value of the state in words; a list as long as `players` has one value for each seat.

    With `seats`, numbers are seats and told as players.
    """
    if not isinstance(value, Sequence) or isinstance(value, str):
        return _word(value, seats)
    words = [_word(each, seats) for each in value]
    if len(words) == players:
        return ", ".join(f"{player(seat)}: {each}" for seat, each in enumerate(words))
    return ", ".join(words) or "none"


def _word(value: Any, seats: bool) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and seats:
        return player(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return f"({', '.join(_word(each, seats) for each in value)})"
    return "hidden" if value is None else str(value)


def names(seats: Sequence[int]) -> str:
    """Return `player 1`, or `player 1 and player 3`."""
    words = [player(seat) for seat in seats]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def ending(table: Table) -> list[str]:
    """Return how the game ended: the outcome, the scores and the winners."""
    decisions = f"{table.decisions:,} decision" + ("s" if table.decisions != 1 else "")
    if table.outcome == "stalled":
        return [f"The game stalled: {decisions} and no end."]
    out = [f"The game is over after {decisions}."]
    if table.scores:
        width = max(len(f"{score:,}") for score in table.scores)
        out += [f"{INDENT}{player(seat):<10}{score:>{width},}" for seat, score in enumerate(table.scores)]
    if not table.winners:
        out.append("Nobody wins.")
    elif len(table.winners) == 1:
        out.append(f"{player(table.winners[0]).capitalize()} wins.")
    else:
        out.append(f"{names(table.winners).capitalize()} share the win.")
    return out
