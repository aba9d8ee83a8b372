"""Statements that nobody writes: what tricks, auctions and payments are turned into beside ordinary ones."""

from __future__ import annotations

from dataclasses import dataclass

from hoyle.syntax.inside import Expr, Statement, Word


@dataclass(frozen=True, slots=True)
class Note(Statement):
    """The log tells all that something has happened to a player; not written."""

    word: str
    player: Expr


@dataclass(frozen=True, slots=True)
class Learn(Statement):
    """Where `when` holds, all have seen that `piece` was taken from `zone` by a chain; not written.

    Each link is a test of the piece called `name`. No piece that passes a link before the first one that `piece` passes
    can be in the zone.
    """

    when: Expr
    piece: Expr
    zone: Expr
    name: Word
    tests: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Counted(Statement):
    """It is counted that the part of a spec that stands here has decided something; not written."""

    kind: str
