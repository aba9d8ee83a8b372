"""Lines that change nothing, and conditions that stand there twice, so that the second is never met. Warnings alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hoyle import syntax as s
from hoyle.check.decisions import walk
from hoyle.check.written import alike, bare
from hoyle.diagnostics import Report

CONTRARIES = {
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}


def needless(report: Report, blocks: tuple[s.Block, ...]) -> None:
    """Warn of what could as well be left out."""
    for block in blocks:
        if isinstance(block, s.Define):
            _twice(report, [c.condition for c in block.cases if c.condition is not None])
        if not isinstance(block, s.Phase):
            continue
        inner: set[int] = set()
        for node in walk(block.body):
            if isinstance(node, s.If) and id(node) not in inner:
                chain = _chain(node)
                inner |= {id(x) for x in chain}
                _twice(report, [x.condition for x in chain])
            _idle(report, node)


def _chain(node: s.If) -> list[s.If]:
    """Return an `if` and the `else if` lines that go with it."""
    found = [node]
    while (other := found[-1].otherwise) is not None and len(other.statements) == 1:
        last = other.statements[0]
        if not isinstance(last, s.If):
            break
        found.append(last)
    return found


def _twice(report: Report, conditions: Iterable[s.Expr]) -> None:
    seen: dict[object, s.Expr] = {}
    for condition in conditions:
        first = seen.setdefault(bare(condition), condition)
        if first is not condition:
            report.add(
                "W302",
                condition.span,
                "this case is never met: the same condition stands above",
                second=(first.span, "where it holds, this one counts"),
                mend="change one of the two, or take this case out",
            )


def always(tests: list[s.Expr]) -> bool:
    """Return whether it is plain that one of some tests holds: one is `yes`, or the contrary of another."""
    whole = {bare(x) for x in tests}
    return any((isinstance(x, s.Literal) and x.word == "yes") or bare(_contrary(x)) in whole for x in tests)


def _contrary(test: s.Expr) -> s.Expr:
    """Return the test that holds where this one does not."""
    match test:
        case s.Unary(word="not"):
            return test.operand
        case s.Binary() if test.word in CONTRARIES:
            return s.Binary(test.span, CONTRARIES[test.word], test.left, test.right)
        case s.IsEmpty() | s.IsOut():
            return replace(test, negated=not test.negated)
        case _:
            return s.Unary(test.span, "not", test)


def _idle(report: Report, node: s.Statement) -> None:
    what = ""
    match node:
        case s.Assign(word="=") if alike(node.target, node.value):
            what = "a value is given to itself here"
        case s.Assign(value=s.Number(value=0)) if node.word != "=":
            what = "to add or take away 0 changes nothing"
        case s.MoveSome(amount=None) if alike(node.source, node.target):
            what = "these cards lie there already"
        case s.MoveThese() if any(alike(x, node.target) for x in node.pieces):
            what = "these cards lie there already"
        case s.Swap() if alike(node.left, node.right):
            what = "a zone is exchanged with itself here"
        case _:
            return
    report.add("W503", node.span, f"this line changes nothing: {what}", mend="mend it, or take it out")
