"""Parse trees of tokens, and of giving them, to syntax."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lark import Tree

from hoyle import syntax as s

if TYPE_CHECKING:
    from hoyle.parser.blocks import BlockBuilder


def token(builder: BlockBuilder, t: Tree[Any]) -> s.Token:
    """Return the declaration of a token."""
    name, total, worth, *more = t.children
    starts = tuple(builder.expr(k.children[0]) for k in more if k.data == "token_start")
    caps = tuple(builder.expr(k.children[0]) for k in more if k.data == "token_cap")
    worth = builder.maybe(worth)
    return s.Token(builder.span(t), builder.word(name), builder.expr(total), worth, starts, caps)


def give(builder: BlockBuilder, t: Tree[Any]) -> s.Give:
    """Return the statement that gives tokens."""
    amount, name, source, target = t.children
    up_to = amount.data == "up_to"
    count = None if amount.data == "all" else builder.expr(amount.children[0] if up_to else amount)
    return s.Give(
        builder.span(t), count, up_to, builder.word(name), builder.maybe(source), builder.expr(target)
    )
