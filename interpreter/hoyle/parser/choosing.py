"""From the tree of a choice to its syntax: the choice, its options, and who is asked."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from lark import Tree

from hoyle import syntax as s
from hoyle.parser.expressions import Builder, Refused

TEXTS = ("text", "component_text", "result_text", "family_text", "define_text", "payment_text")
Made = TypeVar("Made")


def is_unread(t: Any) -> bool:
    """Return whether this stands for a line that can't be read."""
    return isinstance(t, Tree) and t.data in TEXTS and not str(t.children[0]).startswith(">")


class ChoiceBuilder(Builder):
    """The part of building blocks that makes choices."""

    if TYPE_CHECKING:

        def _each(self, make: Callable[[Tree[Any]], Made | None], kids: list[Any]) -> list[Made]: ...
        def texts(self, kids: list[Any]) -> tuple[s.RuleText, ...]: ...
        def body(self, t: Any) -> s.Body: ...

    def choose(self, t: Tree[Any]) -> s.Choose | None:
        """Return a choice; None where none of its options could be read. A second `otherwise` is refused."""
        at, how = self.span(t), str(t.data).removeprefix("choose").removeprefix("_")
        kids: list[Any] = t.children if how else [None, t.children[0], None, *t.children[1:]]
        name, source, where, *lines = kids
        offered = [k for k in lines if k.data != "nobody"]
        options = tuple(self._each(self._option, offered))
        if not options and any(map(is_unread, offered)):
            return None
        nobody = [self.body(k.children[0]) for k in lines if k.data == "nobody"]
        if len(nobody) > 1:
            second = next(k for k in reversed(lines) if k.data == "nobody")
            raise Refused(
                "E119", self.span(second), "there is an `otherwise` already", "put both into one `otherwise`"
            )
        return s.Choose(
            at,
            self.expr(source),
            self.texts(lines),
            options,
            how,
            self.maybe_word(name),
            self.maybe(where),
            nobody[0] if nobody else None,
        )

    def options(self, kids: list[Any]) -> tuple[s.Option, ...]:
        """Return the options among the lines of a choice."""
        return tuple(self._each(self._option, kids))

    def _option(self, t: Tree[Any]) -> s.Option:
        name, binders, when, label, *rest = t.children
        body = rest[0] if rest else None
        self.depth += 1
        option = s.Option(
            self.span(t),
            self.word(name),
            None if binders is None else self.binders(binders),
            self.maybe(when),
            str(label)[1:-1] if label else "",
            self.body(body) if isinstance(body, Tree) else None,
        )
        self.depth -= 1
        return option
