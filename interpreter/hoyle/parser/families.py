"""Parse trees of `tricks`, `auction` and `payment` to syntax."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from lark import Token, Tree

from hoyle import families as f
from hoyle import syntax as s

if TYPE_CHECKING:
    from hoyle.parser.blocks import BlockBuilder

# How each clause begins, by the name of its rule.
WRITTEN = {
    "who": "players",
    "who_chooses": "chooser",
    "led_suit": "led suit",
    "suit_of": "suit of",
    "rank_of": "rank of",
    "goes_to": "goes to",
    "tricks_until": "until",
    "each_play": "each play",
    "each_trick": "each trick",
    "each_bid": "each bid",
    "sold": "sold to",
}
ORDERS = {
    "once_round": "once",
    "until_one": "one left",
    "until_passes": "passes",
    "at_once": "at once",
    "tie_first": "first",
    "tie_again": "again",
    "tie_unsold": "unsold",
    "higher": "higher",
    "as_high": "as high",
    "any_bid": "any",
    "final": "final",
    "not_final": "not final",
}


def family(builder: BlockBuilder, made: Tree[Any]) -> f.Tricks | f.Auction:
    """Return a block of tricks or an auction."""
    name, params, *lines = made.children
    clauses: list[f.Clause] = []
    texts: list[s.RuleText] = []
    for line in lines:
        if line.data == "family_text":
            texts += builder.texts([line])
            continue
        clause = builder.attempt(partial(_clause, builder, tuple(texts)), line)
        clauses += [] if clause is None else [clause]
        texts = []
    kind = f.Tricks if made.data == "tricks" else f.Auction
    said = tuple(text for clause in clauses for text in clause.texts) + tuple(texts)
    return kind(builder.span(made), builder.word(name), builder.params(params), said, tuple(clauses))


def _clause(builder: BlockBuilder, texts: tuple[s.RuleText, ...], t: Tree[Any]) -> f.Clause:
    rule, kids, at = str(t.data), t.children, builder.span(t)
    word = WRITTEN.get(rule, rule)
    head = s.Word(at._replace(end_line=at.line, end_column=at.column + len(word)), word)
    clause = f.Clause(at, word, head, texts)
    match rule:
        case "lead" | "follow":
            return _with(clause, fits=tuple(_fit(builder, k) for k in kids))
        case "winner":
            return _with(clause, best=tuple(_best(builder, k) for k in kids))
        case "who":
            return _with(clause, fits=(_fit(builder, t),))
        case "cards":
            return _with(clause, exprs=(builder.expr(kids[0]),), names=(builder.word(kids[1]),))
        case "suit_of" | "rank_of":
            return _with(clause, exprs=(builder.expr(kids[1]),), names=(builder.word(kids[0]),))
        case "each_trick" | "each_play" | "unsold":
            return _with(clause, body=builder.body(kids[0]))
        case "sold":
            names = tuple(builder.word(k) for k in kids[:-1] if k is not None)
            return _with(clause, names=names, body=builder.body(kids[-1]))
        case "also":
            return _with(clause, options=builder.options(kids))
        case "bids":
            return _bids(builder, clause, kids[0])
        case "each_bid":
            rising = "" if kids[0] is None else ORDERS[str(kids[0].data)]
            return _with(clause, words=(rising, "pass" if kids[1] is not None else ""))
        case "speakers" | "ties" | "passing":
            return _ordered(builder, clause, kids[0])
        case _:
            return _with(clause, exprs=tuple(builder.expr(k) for k in kids if k is not None))


def _with(clause: f.Clause, **said: Any) -> f.Clause:
    kept = {name: getattr(clause, name) for name in ("span", "word", "head", "texts")}
    return f.Clause(**kept, **said)


def _bids(builder: BlockBuilder, clause: f.Clause, t: Tree[Any]) -> f.Clause:
    if t.data == "ladder":
        return _with(clause, exprs=tuple(builder.expr(k) for k in t.children))
    *parts, where = t.children
    binders = tuple(
        s.Binder(builder.span(k), None, (builder.word(k.children[0]),), builder.expr(k.children[1]))
        for k in parts
    )
    return _with(clause, binders=s.Binders(builder.span(t), binders, builder.maybe(where)))


def _ordered(builder: BlockBuilder, clause: f.Clause, t: Tree[Any]) -> f.Clause:
    exprs = tuple(builder.expr(k) for k in t.children if isinstance(k, Tree))
    counts = tuple(str(builder.integer(k)) for k in t.children if isinstance(k, Token))
    return _with(clause, exprs=exprs, words=(ORDERS[str(t.data)], *counts))


def _fit(builder: BlockBuilder, t: Tree[Any]) -> f.Fit:
    if t.data == "fit_any":
        return f.Fit(builder.span(t), None, None)
    return f.Fit(builder.span(t), builder.word(t.children[0]), builder.expr(t.children[1]))


def _best(builder: BlockBuilder, t: Tree[Any]) -> f.Best:
    extreme, name, where, key = t.children
    return f.Best(builder.span(t), str(extreme), builder.word(name), builder.maybe(where), builder.expr(key))


def payment(builder: BlockBuilder, made: Tree[Any]) -> f.Payment:
    """Return a block of a payment."""
    name, params, *lines = made.children
    items: list[f.Item] = []
    change: list[s.Word] = []
    texts: list[s.RuleText] = []
    said: list[s.RuleText] = []
    for line in lines:
        if line.data == "payment_text":
            texts += builder.texts([line])
            continue
        if line.data == "change":
            how = line.children[0]
            word = builder.word(how.children[0]) if how.children else None
            change.append(word or s.Word(builder.span(line), str(how.data).removeprefix("change_")))
        else:
            item = builder.attempt(partial(_item, builder, tuple(texts)), line)
            items += [] if item is None else [item]
        said += texts
        texts = []
    at = builder.span(made)
    return f.Payment(
        at, builder.word(name), builder.params(params), (*said, *texts), tuple(items), tuple(change)
    )


def _item(builder: BlockBuilder, texts: tuple[s.RuleText, ...], t: Tree[Any]) -> f.Item:
    at, kids = builder.span(t), t.children
    worth, to = kids[-1].children
    worth, to, when = builder.maybe(worth), builder.expr(to), builder.maybe(kids[-2])
    if t.data == "paid_tokens":
        return f.Item(at, builder.word(kids[0]), None, None, None, when, worth, to, texts)
    type_, name, source, where = kids[:4]
    return f.Item(
        at,
        builder.word(name),
        builder.maybe_word(type_),
        builder.expr(source),
        builder.maybe(where),
        when,
        worth,
        to,
        texts,
    )
