"""What an argument of an option is chosen from, part by part: the zones searched, and the conditions asked on the way.

Which moves are on offer tells everybody how such a condition stands, so the chooser must see what it asks about.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hoyle import program as p
from hoyle import syntax as s


class Part(NamedTuple):
    """A part as it is written and as it is asked; `searched` for a zone whose cards may be chosen.

    `plain` says that nothing settles whether it is this zone that is searched.
    """

    node: s.Expr
    made: p.Expr
    searched: bool
    plain: bool


def parts(node: s.Expr, made: p.Expr, plain: bool = True) -> Iterator[Part]:
    """Yield the parts of what an argument is chosen from."""
    match node, made:
        case s.Conditional(), p.Cond():
            yield Part(node.condition, made.test, False, False)
            yield from parts(node.value, made.yes, False)
            yield from parts(node.otherwise, made.no, False)
        case s.OrElse(), p.Op(op="or_else", args=(first, second)):
            yield from parts(node.first, first, False)
            yield from parts(node.second, second, False)
        case s.SetWhere(), p.Loop():
            yield from parts(node.binder.source, made.binders[0].source, plain)
            if node.where is not None and made.where is not None:
                yield Part(node.where, made.where, False, False)
        case s.SetFor(), p.Loop():
            binders = (b for b in node.binders.binders for _ in b.names)
            for binder, bind in zip(binders, made.binders, strict=False):  # too many are cut off
                yield from parts(binder.source, bind.source, False)
            if node.binders.where is not None and made.where is not None:
                yield Part(node.binders.where, made.where, False, False)
            if made.value is not None:
                yield Part(node.item, made.value, False, False)
        case _, p.ZoneAt():
            yield Part(node, made, True, plain)
        case _:
            yield Part(node, made, False, False)
