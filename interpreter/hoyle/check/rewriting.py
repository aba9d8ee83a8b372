"""Syntax made of syntax: what the blocks that stand for phases are turned into before anything is checked.

What a designer wrote keeps its place in the file, so that a fault in it is told where it stands. Names that nobody can
write, such as `tricks won`, have a space in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from hoyle import syntax as s
from hoyle.check.decisions import leaves
from hoyle.check.implied import UNWRITTEN
from hoyle.source import Span

Part = TypeVar("Part")


def named(at: Span, name: str) -> s.Name:
    """Return a name."""
    return s.Name(at, name)


def field_of(at: Span, owner: s.Expr, name: str) -> s.Attribute:
    """Return what a player has."""
    return s.Attribute(at, owner, s.Word(at, name))


def both(a: s.Expr, word: str, b: s.Expr) -> s.Binary:
    """Return two expressions joined by a word."""
    return s.Binary(a.span, word, a, b)


def empty(expr: s.Expr, negated: bool = False) -> s.IsEmpty:
    """Return the test whether a zone or set is empty, or that it is not."""
    return s.IsEmpty(expr.span, expr, negated)


def let(at: Span, name: str, value: s.Expr) -> s.Let:
    """Return a statement that gives a name a first value."""
    return s.Let(at, s.Word(at, name), value)


def let_player(at: Span, name: str, value: s.Expr) -> s.Let:
    """Return a statement that gives a name a player as its first value."""
    return s.Let(at, s.Word(at, name), value, s.TypeExpr(at, "player"))


def put(at: Span, name: str, value: s.Expr, word: str = "=") -> s.Assign:
    """Return a statement that sets a name."""
    return s.Assign(at, word, named(at, name), value)


def again(
    at: Span, form: str, condition: s.Expr | None, inside: s.Body, times: s.Expr | None = None
) -> s.Repeat:
    """Return a loop that no `end repeat` leaves, since nobody has written it."""
    return s.Repeat(at, form, condition, times, inside, UNWRITTEN)


def then(statements: tuple[s.Statement, ...], *after: s.Statement) -> tuple[s.Statement, ...]:
    """Return statements with others after them, which are left out where nothing can come after the first."""
    return statements if statements and leaves(statements[-1]) else (*statements, *after)


def body(at: Span, *statements: s.Statement) -> s.Body:
    """Return a suite."""
    return s.Body(at, (), statements)


def renamed(part: Part, meant: Mapping[str, s.Expr]) -> Part:
    """Return syntax in which names stand for expressions; a name that a binder gives anew is left alone."""
    made = _renamed(part, meant)
    return made  # type: ignore[return-value]


def _renamed(part: object, meant: Mapping[str, s.Expr]) -> object:
    if not meant:
        return part
    if isinstance(part, tuple) and not isinstance(part, Span):
        return tuple(_renamed(x, meant) for x in part)
    if isinstance(part, s.Name) and part.text in meant:
        return replace(meant[part.text], span=part.span)
    if isinstance(part, s.Attribute) and isinstance(part.base, s.Name):
        dotted = meant.get(f"{part.base.text}.{part.name.text}")
        if dotted is not None:
            return replace(dotted, span=part.span)
    if not isinstance(part, s.Node) or isinstance(part, s.Word):
        return part
    if isinstance(
        part, s.Binders | s.SetFor | s.Phrase | s.SetWhere | s.Superlative | s.Reckoned | s.For | s.Option
    ):
        given = _given(part)
        meant = {name: expr for name, expr in meant.items() if name not in given}
    changed: dict[str, Any] = {}
    for f in fields(part):
        if f.name != "span":
            old = getattr(part, f.name)
            new = _renamed(old, meant)
            if new is not old:
                changed[f.name] = new
    return replace(part, **changed) if changed else part


def _given(part: s.Node) -> set[str]:
    """Return the names that a phrase, loop or option gives."""
    binders: list[s.Binder] = []
    for f in ("binders", "binder"):
        found = getattr(part, f, None)
        if isinstance(found, s.Binders):
            binders += found.binders
        elif isinstance(found, s.Binder):
            binders.append(found)
        elif isinstance(found, tuple):
            binders += [x for x in found if isinstance(x, s.Binder)]
    return {word.text for binder in binders for word in binder.names}


def fields_asked(part: object, name: str) -> Iterator[s.Word]:
    """Yield the fields of a name that a part of a spec asks for: `level` of `bid.level`."""
    if isinstance(part, s.Attribute) and isinstance(part.base, s.Name) and part.base.text == name:
        yield part.name
    elif isinstance(part, tuple) and not isinstance(part, Span):
        for x in part:
            yield from fields_asked(x, name)
    elif isinstance(part, s.Node):
        for f in fields(part):
            yield from fields_asked(getattr(part, f.name), name)


def deciding(
    kind: str, links: Sequence[tuple[Span, s.Expr | None]], name: s.Word, source: s.Expr
) -> tuple[s.Statement, ...]:
    """Return what counts which of some links decides: the first whose test anything in the source passes, or the last.

    Tests speak of `name`. Nothing is counted of a single link, which always decides.
    """
    if len(links) < 2:
        return ()
    made: s.Statement = s.Counted(links[-1][0], kind)
    for span, test in reversed(links[:-1]):
        binder = s.Binder(span, None, (s.Word(span, name.text),), source)
        there = s.Phrase(span, "any", None, s.Binders(span, (binder,), test))
        made = s.If(span, there, body(span, s.Counted(span, kind)), body(span, made))
    return (made,)
