"""Answers that the moves found so far give: `option draw when not any c in p.hand where fits(c)` after those that fit.

Where the options before ask for just the cards that a condition of a later one asks for, it holds if and only if a move
has been found. Options side by side that ask the same are found together, and those among them are told apart likewise.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from hoyle import program as p
from hoyle.compile.statements import INDENT, noted
from hoyle.program.cases import any_card, asks_any, together
from hoyle.program.purity import may_fault

if TYPE_CHECKING:
    from hoyle.compile.finding import OptionEmitter

FOUND = "out"  # the list of the moves found so far


def found_in_order(options: Sequence[OptionEmitter], asked: int = 0) -> list[str]:
    """Return the lines that find the moves of options, of whose conditions the first `asked` are known to hold.

    No move has been found where they stand.
    """
    free = list(takewhile(lambda x: len(x.before) == asked, options))
    lines, left = [row for x in free for row in x.finding(asked)], list(options[len(free) :])
    if not left:
        return lines
    told = _Told(free)
    alike = list(takewhile(lambda x: told.denied(x.before[asked:]), left))
    if alike:
        for option in alike:
            option.note("answers", option.before[asked])
        where = ", ".join(dict.fromkeys(str(x.option.line) for x in alike if x.option.line))
        lines.append(f"if not {FOUND}:{f'  # {where}' if where else ''}")
        lines += [INDENT + x for x in found_in_order(alike, asked + 1)]
    elif questions := told.among(left[0].before[asked:]):
        alike = left[:1]
        lines += _answered(left[0], questions, asked)
    for option in left[len(alike) :]:
        lines += option.finding(asked)
    return lines


def _answered(option: OptionEmitter, questions: Sequence[p.Expr], asked: int) -> list[str]:
    """Return the lines that find the moves of an option some of whose conditions the moves found so far answer."""
    emitter, outer = option.emitter, option.emitter.given
    for question in questions:
        option.note("answers", question)
    emitter.given = {**outer, **dict.fromkeys(questions, FOUND)}
    test = emitter.all(option.before[asked:], option.env)
    emitter.given = outer
    inner = option.finding(len(option.before))
    return [noted(f"if {test}:", option.option.line), *[INDENT + x for x in inner]]


class _Told:
    """What it tells whether some options have any moves."""

    def __init__(self, options: Sequence[OptionEmitter]) -> None:
        self.asked = None
        if not options or "answers" in options[0].emitter.without:
            return
        self.functions = options[0].emitter.functions
        # An option with an argument that hangs on others, or none at all, asks for more than a card.
        plain = [x for x in options if x.binds and all(a.low is None for a in x.option.arguments)]
        if len(plain) == len(options):
            self.asked = together(any_card(x.binds, x.guards, {}, self.functions) for x in options)

    def answers(self, question: p.Expr) -> bool:
        """Return whether what is asked holds if and only if there is a move."""
        if self.asked is None or may_fault(question, self.functions):
            return False
        return asks_any(question, {}, self.functions) == self.asked

    def denied(self, conditions: Sequence[p.Expr]) -> bool:
        """Return whether the first of some conditions holds if and only if there is no move."""
        first = conditions[0] if conditions else None
        return isinstance(first, p.Op) and first.op == "not" and self.answers(first.args[0])

    def among(self, conditions: Sequence[p.Expr]) -> list[p.Expr]:
        """Return those of the questions in conditions that hold if and only if there is a move."""
        found: list[p.Expr] = []
        for x in conditions:
            if isinstance(x, p.Op) and x.op in ("and", "or", "not"):
                found += self.among(x.args)
            elif self.answers(x):
                found.append(x)
        return found
