"""Parse trees of definitions to syntax: one value, cases, or a best way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lark import Tree

from hoyle import syntax as s
from hoyle.parser.choosing import TEXTS, is_unread
from hoyle.parser.expressions import Refused

if TYPE_CHECKING:
    from hoyle.parser.blocks import BlockBuilder

CASES = ("case_when", "case_otherwise")
WILDS = ("as_if", "best_of")
WRITTEN = {
    "as_if": "as if each ...",
    "best_of": "best:",
    "case_when": "when ...:",
    "case_otherwise": "otherwise:",
}
# What goes with the first line of a best way, and an example of it.
WITH = {
    "as_if": ("best_of", "best: sum of points(p, k) for k in Colour"),
    "best_of": ("as_if", "as if each Wild w in p.hand were one Number n or nothing"),
}


def defined(builder: BlockBuilder, t: Tree[Any]) -> s.Define | None:
    """Return a definition, None where a line of it could not be read, or its lines do not make one."""
    name, fields, body = t.children
    at, word, params = builder.span(t), builder.word(name), builder.params(fields)
    if body.data != "define_cases":
        return s.Define(at, word, params, (), builder.expr(body), ())
    if any(map(is_unread, body.children)):
        builder.lost.add(str(name))
        return None
    lines = [k for k in body.children if k.data not in TEXTS]
    texts = builder.texts(body.children)
    wrong = _wrong(lines)
    if wrong is not None:
        line, message, mend = wrong
        builder.lost.add(str(name))
        builder.notes.append(Refused("E320", builder.span(line), message, mend))
        return None
    if lines and lines[0].data in WILDS:
        return s.Define(at, word, params, texts, None, (), _as_if(builder, lines))
    cases = []
    for k in lines:
        parts = [builder.expr(x) for x in k.children]
        cases.append(s.Case(builder.span(k), parts[0] if len(parts) > 1 else None, parts[-1]))
    return s.Define(at, word, params, texts, None, tuple(cases))


def _wrong(lines: list[Tree[Any]]) -> tuple[Tree[Any], str, str] | None:
    """Return the line that does not go with the others, or that lacks another, and what is said of it."""
    if not lines or all(k.data in CASES for k in lines):
        return None
    said: dict[str, Tree[Any]] = {}
    for k in lines:
        word = WRITTEN[str(k.data)]
        if k.data in CASES:
            return k, f"`{word}` does not go with a best way", "make a definition of its own of the cases"
        if k.data in said:
            return k, f"`{word}` stands twice", "leave one of the two"
        said[str(k.data)] = k
    first = str(lines[0].data)
    other, example = WITH[first]
    if other not in said:
        return lines[0], f"`{WRITTEN[first]}` wants a line `{WRITTEN[other]}` too", f"write `{example}`"
    return None


def _as_if(builder: BlockBuilder, lines: list[Tree[Any]]) -> s.AsIf:
    found = {str(k.data): k for k in lines}
    line = found["as_if"]
    wild, name, source, face, other, nothing, where = line.children
    wilds = s.Binder(builder.span(wild), builder.word(wild), (builder.word(name),), builder.expr(source))
    at = builder.span(face)
    faces = s.Binder(at, builder.word(face), (builder.word(other),), s.TypeName(at, str(face)))
    best = builder.expr(found["best_of"].children[0])
    return s.AsIf(builder.span(line), wilds, faces, nothing is not None, builder.maybe(where), best)
