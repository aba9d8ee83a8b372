"""The clauses of a block that stands for a phase: each said once, those that are needed there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hoyle import families as f
from hoyle import syntax as s
from hoyle.check.moments import made
from hoyle.check.rewriting import body
from hoyle.check.written import spoken
from hoyle.diagnostics import Report
from hoyle.source import Span


class Clauses:
    """What a block says, by the word that each clause begins with.

    `whole` tells that the block can be turned into a phase: else its phase does nothing, and one fault is told once.
    """

    def __init__(self, block: f.Tricks | f.Auction, report: Report) -> None:
        self.block: f.Tricks | f.Auction = block
        self.report = report
        self.at = block.name.span
        lines = range(block.span.line, block.span.end_line + 1)
        self.unread = any(d.span.line in lines for d in report.errors)
        self.whole = not self.unread
        self.clauses: dict[str, f.Clause] = {}
        for clause in block.clauses:
            first = self.clauses.setdefault(clause.word, clause)
            if first is not clause:
                self._twice(clause, first)

    def _twice(self, clause: f.Clause, first: f.Clause) -> None:
        self.report.add(
            "E527",
            clause.head.span,
            f"`{clause.word}` is said twice",
            second=(first.head.span, "first said here"),
            mend="keep one of the two",
        )

    def given_anew(self, given: Iterable[str], replaced: Iterable[str], names: Mapping[str, Span]) -> None:
        """Report names that are words of the block too: those that it gives itself, and those of the spec it speaks of.

        `replaced` are the words that would mean what the block gives without a word about it; `names` tells where the
        spec declares its names.
        """
        kind = "tricks" if isinstance(self.block, f.Tricks) else "auction"
        inside = {word.text: word for word in reversed([*made((self.block.fields, self.block.clauses))])}
        for word in given:
            if word in inside:
                self._taken(
                    inside[word].span,
                    f"`{word}` is a word of its own inside `{kind}`",
                    (self.block.name.span, f"`{kind}` gives it"),
                    "choose another name",
                )
        for word in replaced:
            place = spoken(self.block.clauses, word)
            if place is not None and word in names and word not in inside:
                self._taken(
                    place.span,
                    f"`{word}` is a name of this spec, but inside `{kind}` it means something else",
                    (names[word], "this one can't be reached from there"),
                    f"give this one another name, such as `{word}_` or `the_{word}`",
                )

    def _taken(self, span: Span, message: str, second: tuple[Span, str], mend: str) -> None:
        self.whole = False
        self.report.add("E202", span, message, second=second, mend=mend)

    def said(self, word: str) -> s.Expr | None:
        """Return what a clause says, None if it is not there."""
        clause = self.clauses.get(word)
        return clause.exprs[0] if clause is not None and clause.exprs else None

    def missing(self, message: str, mend: str) -> None:
        """Report a clause that must be there, unless a line that can't be read may be it."""
        self.whole = False
        if not self.unread:
            self.report.add("E521", self.at, message, mend=mend)

    def idle(self, word: str, beside: f.Clause, why: str, mend: str) -> None:
        """Report a clause that is there and says nothing, since another one settles what it is about."""
        clause = self.clauses.get(word)
        if clause is not None:
            self.report.add(
                "E528",
                clause.head.span,
                f"`{word}` has no effect here: {why}",
                second=(beside.head.span, "because of this clause"),
                mend=mend,
            )

    def phase_of(self, *statements: s.Statement) -> s.Phase:
        """Return the phase of that name that does all this."""
        block = self.block
        inside = s.Body(self.at, block.texts, statements) if self.whole else body(self.at)
        return s.Phase(block.span, block.name, block.fields, inside)
