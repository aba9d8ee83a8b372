"""More expressions as written: what payments ask, and which of several cards or zones is meant."""

from __future__ import annotations

from dataclasses import dataclass

from hoyle.syntax.inside import Binder, Expr, Word


@dataclass(frozen=True, slots=True)
class Ends(Expr):
    """`last 3 of pond`: so many cards from one end; `word` is top, bottom, first or last."""

    word: str
    count: Expr
    zone: Expr


@dataclass(frozen=True, slots=True)
class New(Expr):
    """`new melds`: an empty one of zones that begin in play."""

    zone: Expr


@dataclass(frozen=True, slots=True)
class CanPay(Expr):
    """`can pay(p, 3)`: whether a payment can be made."""

    name: Word
    arguments: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Reckoned(Expr):
    """An operation of `runtime/paying.py`; not written, but what payments are made of.

    `packed` goes through the pieces of `binder` and makes of each, the first argument, and its worth, the second, one
    number.
    """

    op: str
    arguments: tuple[Expr, ...]
    binder: Binder | None = None
