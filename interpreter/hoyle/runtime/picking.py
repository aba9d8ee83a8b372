"""Picking at random, in the state and in the log."""

from __future__ import annotations

from collections.abc import Iterable

from hoyle.runtime.chance import pick
from hoyle.runtime.faults import Fault
from hoyle.runtime.shape import Reading
from hoyle.runtime.state import CHANCE, LOG, State


def picked(
    S: State, run: Iterable[int], reading: Reading, line: int, low: int | None, high: int | None
) -> int:
    """Return one element of a collection, each equally likely; nothing to pick from, or a broken range, is a fault."""
    found = list(run)
    if not found:
        raise Fault("there is nothing to pick from", line)
    if reading[0] == "piece":
        found.sort()
    if type(S[CHANCE]) is int:
        S[CHANCE], which = pick(S[CHANCE], len(found))
        value = found[which]
    else:
        value = S[CHANCE].one_of(S, found, reading)
    if low is not None and high is not None and not low <= value <= high:
        raise Fault(f"{value} is picked, outside {low}..{high}", line)
    return value


def log_value(S: State, name: str, form: str, value: int) -> None:
    """Log what was picked for a name that is kept nowhere."""
    if S[LOG] is not None:
        S[LOG] = (S[LOG], ("pick", -1, name, form, value))


def log_pick(S: State, place: int, name: str, form: str) -> None:
    """Log what was picked for a name; `place` is where it lies in the state, `form` what kind of value it is."""
    if S[LOG] is not None:
        S[LOG] = (S[LOG], ("pick", place, name, form, S[place]))
