"""Tricks, auctions and payments as written: blocks that the checker turns into phases before it reads anything.

A clause keeps what stands behind its colon; which clauses there must be, and what one that is left out means, is for
`check` to say.
"""

from __future__ import annotations

from dataclasses import dataclass

from hoyle.syntax import Binders, Body, Expr, Family, Node, Option, RuleText, Word


@dataclass(frozen=True, slots=True)
class Fit(Node):
    """One link of `lead` or `follow`: `c where P`; `any` has no name."""

    name: Word | None
    where: Expr | None


@dataclass(frozen=True, slots=True)
class Best(Node):
    """One link of `winner`: `highest c where P by K`."""

    extreme: str
    name: Word
    where: Expr | None
    key: Expr


@dataclass(frozen=True, slots=True)
class Clause(Node):
    """One clause: `word` is how it begins, `head` where that is written; what it says is in the field for its form.

    `words` are plain words such as `final`, `names` the names that it gives, `texts` the rule text above it.
    """

    word: str
    head: Node
    texts: tuple[RuleText, ...] = ()
    exprs: tuple[Expr, ...] = ()
    fits: tuple[Fit, ...] = ()
    best: tuple[Best, ...] = ()
    binders: Binders | None = None
    names: tuple[Word, ...] = ()
    words: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    body: Body | None = None


@dataclass(frozen=True, slots=True)
class Tricks(Family):
    """A block `tricks`."""

    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Auction(Family):
    """A block `auction`."""

    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Item(Node):
    """What pays: the token `name`, or the cards `name` of a `source`. `to` is where it goes."""

    name: Word
    type: Word | None
    source: Expr | None
    where: Expr | None
    when: Expr | None
    worth: Expr | None
    to: Expr
    texts: tuple[RuleText, ...] = ()


@dataclass(frozen=True, slots=True)
class Payment(Family):
    """A block `payment`; `change` is what is said of it: none, exact, or a token."""

    items: tuple[Item, ...]
    change: tuple[Word, ...]
