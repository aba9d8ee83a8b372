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
BEST = ("as_if", "best_of", "split_into", "meld", "wild", "least_of")
SEVERAL = ("meld",)
WRITTEN = {
    "as_if": "as if each ...",
    "best_of": "best:",
    "case_when": "when ...:",
    "case_otherwise": "otherwise:",
    "split_into": "split ... into",
    "meld": "meld ...:",
    "wild": "wild:",
    "least_of": "least:",
}
# What goes with each line of a best way, and an example of it.
AS_IF = ("as_if", "as if each Wild w in p.hand were one Number n or nothing")
SPLIT = ("split_into", "split p.hand into melds, rest")
FORM = ("meld", "meld run: 3+ c with the same c.suit, c.rank in a row")
LEAST = ("least_of", "least: sum of points(c) for c in rest")
WITH = {
    "as_if": (AS_IF, ("best_of", "best: sum of points(p, k) for k in Colour")),
    "best_of": (AS_IF,),
    "split_into": (SPLIT, FORM, LEAST),
    "meld": (SPLIT, FORM, LEAST),
    "wild": (SPLIT, FORM, LEAST),
    "least_of": (SPLIT, FORM, LEAST),
}

# What was likely meant by a line that goes with another first line.
MEANT = {
    ("split_into", "best_of"): "the score of a split is written `least: ...` or `most: ...`",
    ("as_if", "least_of"): "the score of wild cards is written `best: ...`",
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
    if lines and lines[0].data in BEST:
        made = _as_if if any(k.data == "as_if" for k in lines) else _split
        return s.Define(at, word, params, texts, None, (), made(builder, lines))
    cases = []
    for k in lines:
        parts = [builder.expr(x) for x in k.children]
        cases.append(s.Case(builder.span(k), parts[0] if len(parts) > 1 else None, parts[-1]))
    return s.Define(at, word, params, texts, None, tuple(cases))


def _wrong(lines: list[Tree[Any]]) -> tuple[Tree[Any], str, str] | None:
    """Return the line that does not go with the others, or that lacks another, and what is said of it."""
    if not lines or all(k.data in CASES for k in lines):
        return None
    first = next((str(k.data) for k in lines if k.data in WITH), "")
    wanted = WITH[first]
    allowed = [name for name, _ in wanted] + (["wild"] if wanted[0] == SPLIT else [])
    said: set[str] = set()
    for k in lines:
        word = f"{k.children[0]}:" if k.data == "least_of" else WRITTEN[str(k.data)]
        if k.data not in allowed:
            mend = MEANT.get((first, str(k.data)), "make a definition of its own of it")
            return k, f"`{word}` does not go with `{WRITTEN[first]}`", mend
        if k.data in said and k.data not in SEVERAL:
            return k, f"`{word}` stands twice", "leave one of the two"
        said.add(str(k.data))
    for name, example in wanted:
        if name not in said:
            return lines[0], f"`{WRITTEN[first]}` wants a line `{WRITTEN[name]}` too", f"write `{example}`"
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


def _split(builder: BlockBuilder, lines: list[Tree[Any]]) -> s.Split:
    found = {str(k.data): k for k in lines}
    line = found["split_into"]
    source, melds, rest = line.children
    names = s.Binder(
        builder.span(melds), None, (builder.word(melds), builder.word(rest)), _nothing(builder, line)
    )
    word, value = found["least_of"].children
    return s.Split(
        builder.span(line),
        builder.expr(source),
        names,
        tuple(_meld(builder, k) for k in lines if k.data == "meld"),
        _wild(builder, found["wild"]) if "wild" in found else None,
        str(word),
        builder.expr(value),
    )


def _nothing(builder: BlockBuilder, t: Tree[Any]) -> s.Expr:
    """Return what stands for the source of a name that goes through nothing written."""
    return s.SetOf(builder.span(t), ())


def _card(builder: BlockBuilder, t: Tree[Any], type_: Any, name: Any) -> s.Binder:
    return s.Binder(
        builder.span(name), builder.maybe_word(type_), (builder.word(name),), _nothing(builder, t)
    )


def _meld(builder: BlockBuilder, t: Tree[Any]) -> s.MeldForm:
    name, size, type_, card, *marks = t.children
    low = builder.integer(size.children[0])
    high = 0
    if size.data == "size_between":
        high = low if size.children[1] is None else builder.integer(size.children[1])
    asked = tuple((str(m.data).removeprefix("mark_"), builder.expr(m.children[0])) for m in marks)
    return s.MeldForm(builder.span(t), builder.word(name), low, high, _card(builder, t, type_, card), asked)


def _wild(builder: BlockBuilder, t: Tree[Any]) -> s.WildIn:
    type_, card, where, most = t.children
    limit = -1 if most is None else builder.integer(most)
    return s.WildIn(builder.span(t), _card(builder, t, type_, card), builder.maybe(where), limit)
