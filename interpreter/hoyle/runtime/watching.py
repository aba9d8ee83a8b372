"""What is watched while a game runs: ranges of variables, numbers of cards, loops without end."""

from __future__ import annotations

from hoyle.runtime.faults import Fault
from hoyle.runtime.state import MOST_STEPS, STEPS, State


def watched(value: int, low: int, high: int, name: str, line: int) -> int:
    """Return a value that is in its range; one outside is a fault."""
    if not low <= value <= high:
        raise outside(value, low, high, name, line)
    return value


def counted(amount: int, line: int, word: str) -> int:
    """Return a number of cards, which can't be negative."""
    if amount < 0:
        raise Fault(f"one can't {word} {amount} cards", line)
    return amount


def counted_tokens(amount: int, token: str, line: int) -> int:
    """Return a number of tokens, which can't be negative."""
    if amount < 0:
        raise Fault(f"one can't give {amount} {token}", line)
    return amount


def outside(value: int, low: int, high: int, name: str, line: int) -> Fault:
    """Return the fault of a value outside its range."""
    return Fault(f"`{name}` would become {value}, outside {low}..{high}", line)


def endless(line: int) -> Fault:
    """Return the fault of a loop that comes to no decision."""
    return Fault(f"this went round {MOST_STEPS} times without a decision", line)


def counted_pass(S: State, line: int) -> None:
    """Count a pass of a loop; too many since the last decision are a fault."""
    S[STEPS] += 1
    if S[STEPS] > MOST_STEPS:
        raise endless(line)
