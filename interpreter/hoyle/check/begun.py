"""Zones that begin in play: how many there can be, which there are, one of them as a value and as an argument.

One of them is kept as its place: those that all share count from 0, and of those that each player or team has the first
owner's come first. The type of a place names its zone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.scope import Scope
from hoyle.diagnostics import Report
from hoyle.program.types import UNKNOWN, number, sequence

FAMILIES = {"piles": "pile", "rows": "row", "pools": "pool"}
USUALLY = 20  # so many zones of a family, unless it is said
MOST_OF_THEM = 60


def many_of(block: s.Zone, report: Report) -> int:
    """Return how many zones of a family there can be, for each owner; 0 for a zone that is one."""
    family = any(w.word in FAMILIES for w in block.words)
    said = [int(w.name) for w in block.words if w.word == "at most"]
    name = block.name.text
    wrong, mend = "", ""
    if said and not family:
        wrong, mend = f"`{name}` is one zone", "`at most` stands behind `piles`, `rows` or `pools`"
    elif family and any(w.word == "refilled" for w in block.words):
        wrong, mend = (
            f"nothing refills `{name}`, since they begin in play",
            "leave out `refilled by shuffling`",
        )
    elif said and (len(said) > 1 or not 1 <= said[0] <= MOST_OF_THEM):
        wrong, mend = f"how many of `{name}` can there be?", f"from 1 to {MOST_OF_THEM}"
    if wrong:
        report.add("E407", block.span, wrong, mend=mend)
        return USUALLY if family else 0  # one fault is told once
    return (said[0] if said else USUALLY) if family else 0


def place_type(zone: p.Zone, owners: int) -> p.Type:
    """Return the type of one of the zones of a family."""
    return p.Type(form="number", low=0, high=zone.many * owners - 1, name=zone.name)


def is_place(type: p.Type) -> bool:
    """Return whether values of a type stand for zones that begin in play."""
    return type.form == "number" and bool(type.name)


def family(zone: p.Zone, owner: p.Expr | None, owners: int) -> p.Op:
    """Return those of the zones of a family that hold something, by their places; of an owner those that he has."""
    first = p.ZoneAt(
        zone=zone.number, name=zone.name, type=p.Type(form="zone", name=zone.name, pieces=zone.pieces)
    )
    many = p.Const(value=zone.many, type=number(zone.many, zone.many))
    args: tuple[p.Expr, ...] = (first, many)
    if owner is not None:
        args = (*args, p.Op(op="mul", args=(owner, many), type=number(0, zone.many * (owners - 1))))
    return p.Op(op="begun", args=args, type=sequence(place_type(zone, owners)))


def one_of(zone: p.Zone, place: p.Expr) -> p.ZoneAt:
    """Return the zone of a family at a place."""
    type = p.Type(form="zone", name=zone.name, pieces=zone.pieces)
    return p.ZoneAt(zone=zone.number, name=zone.name, index=place, type=type)


def as_zone(expr: p.Expr, scope: Scope) -> p.Expr:
    """Return a place as the zone that lies there; anything else as it is."""
    noun = scope.nouns.get(expr.type.name) if is_place(expr.type) and not expr.type.or_none else None
    return expr if noun is None or noun.zone is None else one_of(noun.zone, expr)


def of_definition(expr: p.Expr) -> str:
    """Return what to do where a definition is to give a zone; empty for anything else."""
    if not isinstance(expr, p.Invoke):
        return ""
    return (
        "a definition gives the cards of a zone, not the zone; let `piles` begin in play instead, one for each,"
        " and name it as `h in heaps where ...`"
    )


class Declaring(Protocol):
    """What is known of the names of a game."""

    scope: Scope
    report: Report

    def owners(self, zone: p.Zone) -> int:
        """Return how many have a zone of this name."""


def zone_argument(node: s.TypeExpr, names: Declaring, types: Sequence[str]) -> p.Type:
    """Return the type of an argument that is one of the zones that begin in play; `types` are others."""
    scope = names.scope
    noun = scope.nouns.get(node.name)
    if noun is None or noun.zone is None:
        families = [n for n, x in scope.nouns.items() if x.zone is not None and x.zone.many]
        scope.unknown(s.Word(node.span, node.name), "type", [*scope.types, *types, *families])
        return UNKNOWN
    noun.used = True
    if noun.zone.many:
        return place_type(noun.zone, names.owners(noun.zone))
    whose = f"say whose it is, `p: player`, and then `p.{noun.name}`"
    names.report.add(
        "E405",
        node.span,
        f"`{noun.name}` is one zone, so there is nothing to choose between",
        second=(noun.span, "declared here"),
        mend=whose if noun.zone.each_player else f"leave this out, and write `{noun.name}`",
    )
    return UNKNOWN
