"""What stands written in a piece of syntax: whether it speaks of a name, and whether two pieces say the same."""

from __future__ import annotations

from dataclasses import fields

from hoyle import program as p
from hoyle import syntax as s
from hoyle.source import Span


def spoken(part: object, name: str) -> s.Name | None:
    """Return where a part of a spec speaks of a name, or None.

    A phrase that gives the name to something of its own does not speak of it.
    """
    if isinstance(part, s.Name):
        return part if part.text == name else None
    own = [b for b in _binders(part) if any(w.text == name for w in b.names)]
    if own:
        return spoken(tuple(b.source for b in own), name)
    if isinstance(part, tuple) and not isinstance(part, Span):
        return next((found for x in part if (found := spoken(x, name))), None)
    if isinstance(part, s.Node):
        return next((found for f in fields(part) if (found := spoken(getattr(part, f.name), name))), None)
    return None


def _binders(part: object) -> tuple[s.Binder, ...]:
    """Return the binders of a phrase, a loop or an option."""
    found = getattr(part, "binders", None) or getattr(part, "binder", None)
    found = getattr(found, "binders", found)
    return found if isinstance(found, tuple) else () if found is None else (found,)


def bare(part: object) -> object:
    """Return what is written in a part of a spec, without where: equal for two parts that are written alike."""
    if isinstance(part, Span):
        return None
    if isinstance(part, tuple):
        return tuple(map(bare, part))
    if isinstance(part, s.Node):
        return (type(part), *(bare(getattr(part, f.name)) for f in fields(part)))
    return part


def alike(a: object, b: object) -> bool:
    """Return whether two pieces of syntax are written alike, wherever they stand."""
    return bare(a) == bare(b)


def joined(node: s.Expr, made: p.Expr) -> list[tuple[s.Expr, p.Expr]]:
    """Return the conditions that are joined by `and`, as they are written and as they are asked."""
    if isinstance(node, s.Binary) and node.word == "and" and isinstance(made, p.Op) and made.op == "and":
        left, right = made.args
        return joined(node.left, left) + joined(node.right, right)
    return [(node, made)]
