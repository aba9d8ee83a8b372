"""Saved games: JSON with a version and a checksum, the same from every back end.

A save holds how a game began, what has been done since, and the table as it stood. To restore it the moves are played
again, so that logs come back too, and what comes out must be what was saved, sign for sign. The locals of a back end
are not in it: they follow from the moves. A save shows every card.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from hoyle.runtime.shape import Shape
from hoyle.runtime.state import BLOCK, CHANCE, DECISIONS, LOG, OUT_OF_PLAY, PLACE, SEAT, WINNER, State

FORMAT = "hoyle save"
VERSION = 1
DAMAGED = "this save is damaged"


class Setup(NamedTuple):
    """What rules were made for: the hash of the spec, and every parameter as people write it."""

    spec: str = ""
    parameters: Mapping[str, int | str] = {}


def canonical(data: Any) -> str:
    """Return data as the one JSON text that it has."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def checksum(data: Mapping[str, Any]) -> str:
    """Return the checksum of all that is in a save but the checksum."""
    return sha256(canonical({k: v for k, v in data.items() if k != "checksum"}).encode()).hexdigest()


def save_text(data: dict[str, Any]) -> str:
    """Return a save as text, one line an entry; format, version and checksum are added."""
    whole = {"format": FORMAT, "version": VERSION, **data}
    whole["checksum"] = checksum(whole)
    rows = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in whole.items()]
    return "{\n" + ",\n".join(rows) + "\n}"


def read_save(text: str, game: str, spec: str) -> dict[str, Any]:
    """Return what a save of a game holds, its parts not yet looked into; ValueError in words if it is none."""
    try:
        data = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        raise ValueError(f"{DAMAGED}: it is no JSON, or not all of it is there") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError("this is no save of a game")
    if data.get("version") != VERSION:
        found = data.get("version")
        raise ValueError(f"this save has the form of version {found}, and version {VERSION} is needed")
    if data.get("game") != game:
        raise ValueError(f"this save is of {data.get('game')}, not of {game}")
    if data.get("spec") != spec:
        raise ValueError(f"the spec of {game} has changed since this was saved")
    if data.get("checksum") != checksum(data):
        raise ValueError(f"{DAMAGED}: it is not as it was written")
    return data


# ---- the table ------------------------------------------------------------------------------------


def shown_whole(shape: Shape, S: State) -> dict[str, Any]:
    """Return all of a table that both back ends keep in one way: where it stands, variables, pieces by number."""
    variables: dict[str, Any] = {}
    for variable in shape.variables:
        values = [int(S[place]) for place in shape.places(variable)]
        variables[variable.name] = values if variable.each_player or variable.each_team else values[0]
    zones: dict[str, Any] = {}
    for zone in shape.zones:
        lists = [list(S[index]) for index in shape.indexes(zone, shape.players)]
        zones[zone.name] = lists if zone.each_player or zone.each_team or zone.many else lists[0]
    return {
        "block": S[BLOCK],
        "chance": S[CHANCE] if isinstance(S[CHANCE], int) else None,
        "decisions": S[DECISIONS],
        "turn": S[SEAT],
        "winner": S[WINNER],
        "variables": variables,
        "zones": zones,
    }


# ---- a table that began in the middle of a game ------------------------------------------------------


def packed(value: Any) -> Any:
    """Return a value of a state JSON-ready: tuples as lists, yes and no as numbers."""
    if isinstance(value, list | tuple):
        return [packed(x) for x in value]
    return int(value) if isinstance(value, int) else value


def unpacked_state(shape: Shape, values: Any) -> State:
    """Return the state that was packed; ValueError or TypeError where it can't be one of this shape."""
    if not isinstance(values, list) or len(values) != shape.size + len(shape.lists):
        raise ValueError(f"{DAMAGED}: its beginning has not the right length")
    state = [_tuples(x) for x in values[: shape.size]] + values[shape.size :]
    state[LOG] = None
    state[PLACE] = places = [OUT_OF_PLAY] * len(shape.kind_of)
    for index in shape.lists:
        state[index] = list(state[index])
        for piece in state[index]:
            if type(piece) is not int or not 0 <= piece < len(places) or places[piece] != OUT_OF_PLAY:
                raise ValueError(f"{DAMAGED}: a card is in two places, or is none of the game")
            places[piece] = index
    if packed(state[PLACE]) != values[PLACE] or not _stands(shape, state):
        raise ValueError(f"{DAMAGED}: its beginning does not hold together")
    return state


def _tuples(value: Any) -> Any:
    return tuple(_tuples(x) for x in value) if isinstance(value, list) else value


def _stands(shape: Shape, S: State) -> bool:
    """Return whether a state stands at a choice or at the end, its pools sorted and its variables in their domains."""
    head: Sequence[Any] = [S[i] for i in (BLOCK, CHANCE, DECISIONS, SEAT, WINNER)]
    if any(type(x) is not int for x in head) or not -1 <= S[SEAT] < shape.players:
        return False
    if S[SEAT] >= 0 and S[BLOCK] not in shape.choices:
        return False
    if any(S[i] != sorted(S[i]) for i in shape.lists if shape.is_pool[i]):
        return False
    return all(
        shape.can_be(variable.reading, S[place])
        for variable in shape.variables
        for place in shape.places(variable)
    )
