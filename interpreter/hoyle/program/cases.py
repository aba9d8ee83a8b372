"""Cases: the sets of plain conditions any one of which makes a condition hold, definitions written out.

`fits(c) or c is Wild` holds where a card is coloured and has the colour, or is coloured and has the face, or is wild.
Two conditions with the same cases are the same, however they are written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hoyle.program.expressions import (
    Attr,
    Bind,
    Cond,
    Const,
    Expr,
    Invoke,
    Loop,
    Op,
    Param,
    Slot,
    SlotAt,
    TypeTest,
    ZoneAt,
)
from hoyle.program.purity import Functions

Key = tuple[object, ...]
Cases = frozenset[frozenset[Key]]
ALWAYS: Cases = frozenset([frozenset()])
CARD: Key = ("card",)
MOST = 64  # more cases than a person would write are not compared


def any_card(
    binders: Iterable[Bind], where: Iterable[Expr], meant: Mapping[int, Key], functions: Functions
) -> tuple[Key, Cases] | None:
    """Return the zone and the cases in which there is any card of it as asked for; None where that can't be told.

    Further names may run through what is never empty and is not asked about. `meant` are the values of parameters.
    """
    first, *others = binders
    if first.type.form != "piece" or first.source.type.form != "zone" or first.type.or_none:
        return None
    if any(x.rank or not isinstance(x.source, Const) or x.source.value <= 0 for x in others):
        return None
    zone = key(first.source, meant, functions)
    names = {**meant, first.slot: CARD}
    lies = first.source.type.pieces
    if zone is None or not lies:
        return None
    found: Cases | None = _of_type(first.pieces, CARD, lies) if first.pieces else ALWAYS
    for condition in where:
        found = _both(found, cases(condition, names, functions, lies))
    hidden: set[Key] = {("slot", x.slot) for x in others}
    if found is None or any(_speaks(k, hidden) for case in found for k in case):
        return None
    return zone, found


def cases(
    expr: Expr, meant: Mapping[int, Key], functions: Functions, lies: tuple[str, ...] = ()
) -> Cases | None:
    """Return the cases in which a condition holds; None where they can't be told, or are too many.

    `meant` says what slots stand for, `lies` of which types the card is that is asked about.
    """
    match expr:
        case Op(op="and"):
            found: Cases | None = ALWAYS
            for part in expr.args:
                found = _both(found, cases(part, meant, functions, lies))
            return found
        case Op(op="or"):
            return _either([cases(part, meant, functions, lies) for part in expr.args])
        case Invoke():
            given = _given(expr, meant, functions)
            return None if given is None else cases(functions[expr.function].body, given, functions, lies)
        case TypeTest():
            of = key(expr.of, meant, functions)
            return None if of is None else _of_type(expr.pieces, of, lies if of == CARD else ())
        case Const():
            return ALWAYS if expr.value else frozenset()
        case _:
            plain = key(expr, meant, functions)
            return None if plain is None else frozenset([frozenset([plain])])


def key(expr: Expr, meant: Mapping[int, Key], functions: Functions) -> Key | None:
    """Return what two expressions have in common that say the same; None where that can't be told."""
    head: Key
    inside: list[Expr]
    match expr:
        case Slot():
            return meant.get(expr.slot, ("slot", expr.slot))
        case Const():
            return ("const", expr.value, expr.type)
        case Param():
            return ("param", expr.name)
        case SlotAt():
            head, inside = ("slot_at", expr.slot), [expr.index]
        case ZoneAt():
            head, inside = ("zone_at", expr.zone), [] if expr.index is None else [expr.index]
        case Attr():
            head, inside = ("attr", expr.name), [expr.of]
        case TypeTest():
            head, inside = ("type_test", ",".join(sorted(expr.pieces))), [expr.of]
        case Op():
            head, inside = ("op", expr.op), list(expr.args)
        case Cond():
            head, inside = ("cond", ""), [expr.test, expr.yes, expr.no]
        case Invoke():
            given = _given(expr, meant, functions)
            return None if given is None else key(functions[expr.function].body, given, functions)
        case _:
            return None  # phrases have names of their own
    parts = [key(x, meant, functions) for x in inside]
    return None if None in parts else (*head, *parts)


def asks_any(expr: Expr, meant: Mapping[int, Key], functions: Functions) -> tuple[Key, Cases] | None:
    """Return the zone and the cases of `any c in zone where ...`, or of a definition that says this; else None."""
    if isinstance(expr, Invoke):
        given = _given(expr, meant, functions)
        return None if given is None else asks_any(functions[expr.function].body, given, functions)
    if isinstance(expr, Loop) and expr.word == "any" and len(expr.binders) == 1:
        return any_card(expr.binders, [] if expr.where is None else [expr.where], meant, functions)
    return None


def _given(expr: Invoke, meant: Mapping[int, Key], functions: Functions) -> dict[int, Key] | None:
    """Return what the parameters of a definition stand for where it is asked."""
    parameters = functions[expr.function].parameters
    found: dict[int, Key] = {}
    for slot, argument in zip(parameters, expr.args, strict=True):
        value = key(argument, meant, functions)
        if value is None:
            return None
        found[slot] = value
    return found


def _of_type(pieces: tuple[str, ...], of: Key, lies: tuple[str, ...]) -> Cases:
    """Return the cases in which a piece is of one of some types: one for each, or always if no others can be there."""
    if lies and set(lies) <= set(pieces):
        return ALWAYS
    return frozenset(frozenset([("is", of, piece)]) for piece in pieces if not lies or piece in lies)


def _both(one: Cases | None, other: Cases | None) -> Cases | None:
    if one is None or other is None or len(one) * len(other) > MOST:
        return None
    return _least({a | b for a in one for b in other if _possible(a | b)})


def _either(parts: Iterable[Cases | None]) -> Cases | None:
    found: set[frozenset[Key]] = set()
    for part in parts:
        if part is None or len(found) + len(part) > MOST:
            return None
        found |= part
    return _least(found)


def _possible(case: frozenset[Key]) -> bool:
    """Return whether no piece would have to be of two types."""
    types = [k[1] for k in case if k[0] == "is"]
    return len(types) == len(set(types))


def _least(found: Iterable[frozenset[Key]]) -> Cases:
    """Return cases without those that ask for more than another one."""
    all_ = set(found)
    return frozenset(x for x in all_ if not any(y < x for y in all_))


def together(parts: Iterable[tuple[Key, Cases] | None]) -> tuple[Key, Cases] | None:
    """Return the zone and the cases of several questions about one zone of which any may hold; None for several."""
    found: set[Key] = set()
    asked: list[Cases | None] = []
    for part in parts:
        if part is None:
            return None
        found.add(part[0])
        asked.append(part[1])
    joined = _either(asked)
    return None if len(found) != 1 or joined is None else (found.pop(), joined)


def _speaks(one: object, of: set[Key]) -> bool:
    return one in of or (isinstance(one, tuple) and any(_speaks(x, of) for x in one))
