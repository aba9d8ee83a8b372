"""Whether an option asks the same of several pieces it takes from one source.

`a, b in S` is one unordered pair. Where guards ask the same of both, each pair need be tried in one order only; where
they do not, either order that fits makes the move possible. Equal canonical texts are proof enough; unequal ones only
cost time.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hoyle.program.expressions import (
    Attr,
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
from hoyle.program.flow import Option
from hoyle.program.purity import Functions

LONGEST = 10_000
COMMUTE = ("add", "mul", "eq", "ne", "and", "or", "meets", "join", "same")


def symmetric(option: Option, places: Sequence[int], guards: Sequence[Expr], functions: Functions) -> bool:
    """Return whether exchanging any two of the arguments at `places` changes nothing.

    Guards may change places with one another; what later arguments choose from must stay the same, each in its place.
    """
    sources = [a.bind.source for a in option.arguments]
    slots = [option.arguments[i].bind.slot for i in places]
    for first, second in pairwise(slots):
        names = {slot: f"#{slot}" for slot in slots}
        swapped = {**names, first: names[second], second: names[first]}
        plain = _joined(guards, names, functions)
        if plain is None or plain != _joined(guards, swapped, functions):
            return False
        for source in sources:
            text = _text(source, names, functions)
            if text is None or text != _text(source, swapped, functions):
                return False
    return True


def _joined(exprs: Sequence[Expr], names: dict[int, str], functions: Functions) -> list[str] | None:
    made = [_text(x, names, functions) for x in exprs]
    return None if any(m is None for m in made) else sorted(m for m in made if m is not None)


def _text(expr: Expr, names: dict[int, str], functions: Functions) -> str | None:
    """Return a text that is the same for expressions that mean the same under exchange; None where that is unclear."""
    match expr:
        case Const():
            return str(expr.value)
        case Param():
            return expr.name
        case Slot():
            return names.get(expr.slot, f"${expr.slot}")
        case SlotAt():
            return _call(f"at{expr.slot}", [expr.index], names, functions)
        case ZoneAt():
            return _call(f"zone{expr.zone}", [] if expr.index is None else [expr.index], names, functions)
        case Attr():
            return _call(f".{expr.name}", [expr.of], names, functions)
        case TypeTest():
            return _call(f"is {expr.pieces}", [expr.of], names, functions)
        case Op():
            return _call(expr.op, _operands(expr), names, functions, expr.op in COMMUTE)
        case Cond():
            return _call("if", [expr.test, expr.yes, expr.no], names, functions)
        case Invoke():
            function = functions[expr.function]
            args = [_text(a, names, functions) for a in expr.args]
            if any(a is None for a in args):
                return None
            inner = {
                **names,
                **{s: a for s, a in zip(function.parameters, args, strict=True) if a is not None},
            }
            return _text(function.body, inner, functions)
        case Loop():
            return _loop(expr, names, functions)
        case _:
            return None


def _operands(expr: Op) -> list[Expr]:
    """Return the operands; those of nested `and`, `or` and joined sets laid flat."""
    if expr.op not in ("and", "or", "join"):
        return list(expr.args)
    found: list[Expr] = []
    for arg in expr.args:
        found += _operands(arg) if isinstance(arg, Op) and arg.op == expr.op else [arg]
    return found


def _call(
    word: str, args: list[Expr], names: dict[int, str], functions: Functions, commute: bool = False
) -> str | None:
    texts: list[str] = []
    for arg in args:
        made = _text(arg, names, functions)
        if made is None or len(made) > LONGEST:
            return None
        texts.append(made)
    if commute:
        texts.sort()
    return f"{word}({','.join(texts)})"


def _loop(expr: Loop, names: dict[int, str], functions: Functions) -> str | None:
    """A phrase: binders whose sources do not depend on one another may be put into any order."""
    if any(b.rank for b in expr.binders):
        return None
    sources: list[tuple[str, int, str]] = []
    for bind in expr.binders:
        text = _text(bind.source, names, functions)
        if text is None or any(f"${b.slot}" in text for b in expr.binders):
            return None
        sources.append((text, bind.slot, "/".join(bind.pieces)))
    sources.sort()
    inner = dict(names)
    for place, (_, slot, _) in enumerate(sources):
        inner[slot] = f"!{len(names)}.{place}"
    parts = [f"{text}:{pieces}" for text, _, pieces in sources]
    for part in (expr.where, expr.value):
        made = "" if part is None else _text(part, inner, functions)
        if made is None:
            return None
        parts.append(made)
    return f"{expr.word}[{';'.join(parts)}]"
