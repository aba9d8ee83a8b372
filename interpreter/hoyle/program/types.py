"""The types of the language. One class for all: they are compared and hashed everywhere."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

Form = Literal[
    "number", "flag", "enum", "piece", "kind", "player", "set", "sequence", "zone", "none", "nothing"
]


class Node(BaseModel):
    """What all parts of a program share: frozen, and nothing unknown is let in."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Type(Node):
    """A type.

    number: within `low`..`high` where those are known. enum: `name`. piece, kind, zone: of the card types
    `pieces`. set, sequence: of `element`; a set without one is `{}`, which fits every set. `or_none` lets
    none in. The form none is that of `none` itself; nothing is that of a name that could not be resolved, and
    agrees with everything, so that one fault is told once.
    """

    form: Form
    low: int | None = None
    high: int | None = None
    name: str = ""
    pieces: tuple[str, ...] = ()
    element: Type | None = None
    or_none: bool = False

    def plain(self) -> Type:
        """Return the type without `or none`."""
        return self.model_copy(update={"or_none": False}) if self.or_none else self


def number(low: int | None = None, high: int | None = None) -> Type:
    """Return the type of numbers from `low` to `high`."""
    return Type(form="number", low=low, high=high)


def set_of(element: Type | None) -> Type:
    """Return the type of sets of `element`; of None, the type of the empty set."""
    return Type(form="set", element=element)


def sequence(element: Type) -> Type:
    """Return the type of sequences of `element`."""
    return Type(form="sequence", element=element)


def piece(names: tuple[str, ...]) -> Type:
    """Return the type of pieces of the card or tile types `names`."""
    return Type(form="piece", pieces=names)


def rivals(type: Type) -> str:
    """Return `players` or `teams` where a tie between values of the type is a fault, else nothing."""
    return "players" if type.form == "player" else "teams" if type.plain() == TEAM else ""


def value_form(type: Type) -> str:
    """Return the form of what a collection holds."""
    if type.form == "zone":
        return "piece"
    return type.element.form if type.element is not None else "number"


FLAG = Type(form="flag", low=0, high=1)
PLAYER = Type(form="player")
# Teams are the values of an enum of that name, which no enum of a spec can have.
TEAM = Type(form="enum", name="team")
NO_VALUE = Type(form="none")
UNKNOWN = Type(form="nothing")
PLAYERS = sequence(PLAYER)
