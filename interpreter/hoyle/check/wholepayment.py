"""A payment in a scenario, named as a whole: `ann: pay("2 coin, red 3")`."""

from __future__ import annotations

import difflib
from collections.abc import Collection

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.expressions import Expressions
from hoyle.check.payment import possible
from hoyle.runtime.whole import AMOUNT


def is_payment(node: s.Move, options: list[p.Option], names: Collection[str]) -> bool:
    """Return whether a move is a payment named as a whole; an option of that name comes first where it fits."""
    if possible(node.option.text) not in names:
        return False
    return not options or (bool(node.arguments) and not any(o.arguments for o in options))


def whole_payment(node: s.Move, ask: Expressions, asked: Collection[str]) -> p.MoveText | None:
    """Return what is paid; `asked` are the payments of which any step is asked."""
    name, tokens = node.option.text, ask.declare.tokens.names()
    faces = [kind.face for kind in ask.kinds]

    def wrong(message: str, mend: str) -> None:
        ask.report.add("E705", node.span, message, mend=mend)

    if name not in asked:
        if not ask.report.errors:  # else the payment may be one that can't be read
            wrong(
                f"`{name}` asks nothing: what is paid is settled by the amount",
                "leave this line out: it is paid as soon as the game comes to it",
            )
        return None
    if node.bare:
        return p.MoveText(option=name, args=(), bare=True, whole=True)
    written = node.arguments[0] if len(node.arguments) == 1 else None
    if not isinstance(written, s.Faces):
        example = ", ".join([*[f"2 {t}" for t in tokens[:1]], *faces[:1]])
        wrong("what is paid is written as one text", f'in quotes, with commas between: `{name}("{example}")`')
        return None
    words = tuple(" ".join(x.split()) for x in written.text.split(",") if x.strip())
    for word in words:
        amount = AMOUNT.fullmatch(word)
        is_token = amount is not None and amount[2] in tokens
        if is_token and word in faces:
            wrong(
                f"`{word}` is a card and tokens too, so this payment can't be written as a whole",
                "write its steps one by one, or give the card or the token another name",
            )
            return None
        if not is_token and word not in faces:
            near = difflib.get_close_matches(word, [*[f"1 {t}" for t in tokens], *faces], n=1)
            known = (
                f"did you mean `{near[0]}`?" if near else "write tokens as `2 coin`, and cards by their faces"
            )
            wrong(f"`{word}` is neither tokens nor the face of a card", known)
            return None
    return p.MoveText(option=name, args=words, bare=False, whole=True)
