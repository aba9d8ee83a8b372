"""`auction` as an ordinary phase: who speaks, what may be bid, what ends it, who buys and at what price.

A clause that is left out means what is usual: a bid is higher than the last and one may pass; who has passed is out
where the bidding goes on until all but one have. Who speaks, what can be bid and what is done with the highest bid must
be said.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from hoyle import families as f
from hoyle import syntax as s
from hoyle.check.clauses import Clauses
from hoyle.check.implied import BID, BIDDER, IN_AUCTIONS, SPEAKER, UNWRITTEN
from hoyle.check.ladder import among, whole, wide
from hoyle.check.rewriting import (
    again,
    body,
    both,
    field_of,
    fields_asked,
    let,
    let_player,
    named,
    put,
    renamed,
    then,
)
from hoyle.diagnostics import Report
from hoyle.source import Span

FIRST = "first speaker"
PASSES = "passes in a row"
HAS_PASSED = "has passed"
TIED = "bids are tied"
NEW_BID = "new bid"
IN_TURN = "take it out, or let them speak one after the other: `speakers: round from PLAYER until ...`"
# What says nothing where all bid at once, and why not.
AT_ONCE = {
    "closes": "all have bid before any bid is known",
    "also": "where all bid at once there is nothing else to choose",
    "passing": "where all bid at once everybody is asked once",
}
ANYONE = "any speaker"  # what can be bid is asked once before anybody speaks, for its type alone


class Auction(Clauses):
    """Turns one block into a phase."""

    def __init__(self, block: f.Auction, names: Mapping[str, Span], report: Report) -> None:
        super().__init__(block, report)
        self.listed: s.Expr | None = None  # the test that a number is one of those that can be bid
        self.parts = self._parts()
        self.meant = self._meant()
        self._fields()
        self._without_effect()
        self.given_anew(IN_AUCTIONS, (BID,) if self.meant else (), names)

    def _without_effect(self) -> None:
        """Report clauses that say nothing in this order of speaking."""
        speakers, order = self.clauses.get("speakers"), self._order()
        if speakers is None:
            return
        if order != "at once":
            why = "bids are made one after the other, and of equal ones the last counts"
            self.idle("ties", speakers, why, "take it out, or say `speakers: all at once`")
        if order == "passes" and int(speakers.words[1]) == 0:
            self.report.add(
                "E404",
                speakers.span,
                "0 passes are none: nobody could bid after the first bid",
                mend="say how many passes in a row end it, such as `until 3 passes`, or say `once round`",
            )
        if order == "once":
            self.idle("passing", speakers, "everybody speaks only once", "take it out")
        if order == "at once":
            for word, why in AT_ONCE.items():
                self.idle(word, speakers, why, IN_TURN)
            each = self.clauses.get("each bid")
            if each is not None and each.words[0] in ("higher", "as high"):
                mend = f"say `each bid: any{', or pass' if each.words[1] else ''}`"
                self.idle("each bid", speakers, "where all bid at once no bid is the last", mend)

    # ---- what can be bid --------------------------------------------------------------------

    def _parts(self) -> tuple[tuple[s.Word, s.Expr], ...]:
        """Return the parts of a bid: a name and what it runs through; one part for an ordinary bid."""
        clause = self.clauses.get("bids")
        if clause is None:
            self.missing(
                "what can be bid?",
                "say `bids: 1..10`, `bids: 4, 5, 6, 7, 21` or `bids: level in 1..7, strain in Strain`",
            )
            return ((s.Word(self.at, NEW_BID), both(s.Number(self.at, 0), "..", s.Number(self.at, 1))),)
        if clause.binders is not None:
            return tuple((b.names[0], b.source) for b in clause.binders.binders)
        steps = wide(clause.exprs)
        if steps:
            self.listed = among(clause.span, NEW_BID, steps)
            return ((s.Word(clause.head.span, NEW_BID), whole(clause.span, steps, self.report)),)
        source = clause.exprs[0] if len(clause.exprs) == 1 else s.SetOf(clause.span, clause.exprs)
        if len(clause.exprs) == 1 and isinstance(source, s.Number | s.Faces):
            source = s.SetOf(clause.span, clause.exprs)
        return ((s.Word(clause.head.span, NEW_BID), source),)

    def _meant(self) -> dict[str, s.Expr]:
        """Return what `bid`, and `bid.level` for a bid of several parts, stand for."""
        if len(self.parts) == 1:
            return {}
        kept = {f"{BID}.{w.text}": named(self.at, self._kept(i)) for i, (w, _) in enumerate(self.parts)}
        return {BID: named(self.at, self._kept(0)), **kept}

    def _kept(self, index: int) -> str:
        """Return the name under which a part of the highest bid is kept."""
        return self._seen(index) if index == 0 else f"{self._seen(index)} so far"

    def _seen(self, index: int) -> str:
        """Return the name under which views tell a part of the highest bid: none as long as nobody has bid."""
        return BID if len(self.parts) == 1 else f"{BID} {self.parts[index][0].text}"

    def _keep(self) -> list[s.Statement]:
        """Return the statements that make the bid at hand the highest."""
        made: list[s.Statement] = []
        for index, (word, _) in enumerate(self.parts):
            value = named(word.span, word.text)
            names = dict.fromkeys((self._kept(index), self._seen(index)))
            made += [put(self.at, name, value) for name in names]
        return [*made, put(self.at, BIDDER, named(self.at, SPEAKER))]

    def _higher(self) -> s.Expr | None:
        """Return the test that a bid may be made after the last."""
        clause = self.clauses.get("each bid")
        rising = clause.words[0] if clause is not None else ""
        tests: list[s.Expr] = []
        if rising != "any":
            at = clause.span if clause is not None else self.at  # what is quoted of a bid that is too low
            none = both(named(at, self._kept(0)), "is", s.Literal(at, "none"))
            tests.append(both(none, "or", self._above(0, rising == "as high")))
        where = self._where()
        if where is not None:
            tests.insert(0, renamed(where, self.meant))
        if not tests:
            return None
        return tests[0] if len(tests) == 1 else both(tests[0], "and", tests[1])

    def _where(self) -> s.Expr | None:
        """Return what `bids` says about all parts together, or which numbers of a range can be bid."""
        clause = self.clauses.get("bids")
        return self.listed if clause is None or clause.binders is None else clause.binders.where

    def _above(self, index: int, as_high: bool) -> s.Expr:
        """Return the test that a bid is above the last, compared part by part from `index` on."""
        word = self.parts[index][0]
        new, old = named(word.span, word.text), named(self.at, self._kept(index))
        if index == len(self.parts) - 1:
            return both(new, ">=" if as_high else ">", old)
        equal = both(both(new, "is", old), "and", self._above(index + 1, as_high))
        return both(both(new, ">", old), "or", equal)

    def _fields(self) -> None:
        """Report `bid.NAME` where that is no part of a bid; an ordinary bid is a value like others."""
        names = [word.text for word, _ in self.parts]
        for word in fields_asked(self.block.clauses, BID) if len(names) > 1 else ():
            if word.text not in names:
                self.whole = False
                near = difflib.get_close_matches(word.text, names, n=1)
                mend = f"did you mean `{near[0]}`?" if near else "its parts are " + " and ".join(names)
                self.report.add("E201", word.span, f"no part of a bid is called `{word.text}`", mend=mend)

    # ---- one speaker's turn -------------------------------------------------------------------

    def _binders(self) -> s.Binders:
        binders = tuple(s.Binder(w.span, None, (w,), source) for w, source in self.parts)
        return s.Binders(self.at, binders, self._higher())

    def _bid(self, texts: tuple[s.RuleText, ...]) -> s.Option:
        at = self.at
        made = [*self._keep(), *self._spoken()]
        closes = self.clauses.get("closes")
        if closes is not None:
            now = {f"{BID}.{w.text}": named(w.span, w.text) for w, _ in self.parts}
            now |= {BID: named(at, self.parts[0][0].text), BIDDER: named(at, SPEAKER)}
            made.append(s.If(at, renamed(closes.exprs[0], now), self._end(), None))
        return s.Option(
            at, s.Word(at, BID), self._binders(), None, self._reads(), s.Body(at, texts, tuple(made))
        )

    def _reads(self) -> str:
        """Return how a bid reads: `bids 4`, or `bids 3 hearts`."""
        return "bids " + " ".join(f"{{{w.text}}}" for w, _ in self.parts)

    def _end(self) -> s.Body:
        return body(self.at, s.End(self.at, s.Word(self.at, UNWRITTEN)))

    def _spoken(self) -> tuple[s.Statement, ...]:
        """Return what is noted when somebody has not passed."""
        return (put(self.at, PASSES, s.Number(self.at, 0)),) if self._counts() else ()

    def _pass(self) -> s.Option:
        at = self.at
        made: list[s.Statement] = []
        if self._counts():
            made.append(put(at, PASSES, s.Number(at, 1), "+="))
        if self._final():
            made.append(s.Assign(at, "=", field_of(at, named(at, SPEAKER), HAS_PASSED), s.Literal(at, "yes")))
        clause = self.clauses.get("each bid")
        when = None
        if clause is not None and not clause.words[1]:
            there = s.Phrase(at, "any", None, self._binders())
            when = s.Unary(at, "not", there)
        return s.Option(at, s.Word(at, "pass"), None, when, "passes", body(at, *made) if made else None)

    # ---- all at once --------------------------------------------------------------------------

    def _sealed(self) -> tuple[s.Statement, ...]:
        """Return what asks all in secret; a tie is settled as `ties` says."""
        at = self.at
        clause = self.clauses.get("ties")
        if clause is None:
            self.missing(
                "what if two bid the same?", "say `ties: first from PLAYER`, `ties: again` or `ties: unsold`"
            )
        how = clause.words[0] if clause is not None else "unsold"
        seats: s.Expr = s.Literal(at, "players")
        if clause is not None and clause.exprs:
            seats = s.Unary(clause.span, "seats", clause.exprs[0])
        won = body(at, *self._keep(), *self._tied("no"))
        none = both(named(at, self._kept(0)), "is", s.Literal(at, "none"))
        equal = body(at, s.If(at, self._equal(), body(at, *self._tied("yes")), None))
        test = both(none, "or", self._above(0, as_high=False))
        weigh = s.If(at, test, won, None if self._first_counts() else equal)
        each = self.clauses.get("each bid")
        binders = tuple(s.Binder(w.span, None, (w,), source) for w, source in self.parts)
        texts = self._texts()
        bid = s.Option(
            at,
            s.Word(at, BID),
            s.Binders(at, binders, self._where()),
            None,
            self._reads(),
            s.Body(at, texts, (weigh,)),
        )
        options = (bid,) if each is not None and not each.words[1] else (bid, self._pass())
        ask = s.Choose(at, seats, (), options, "secretly", s.Word(at, SPEAKER))
        if how == "first":
            return (ask,)
        nobody = body(at, put(at, BIDDER, s.Literal(at, "none")))
        if how == "unsold":
            after = s.If(at, named(at, TIED), nobody, None)
            return ask, after
        open_ = [put(at, self._kept(0), s.Literal(at, "none")), put(at, TIED, s.Literal(at, "no"))]
        settled = s.Unary(at, "not", named(at, TIED))
        return (again(at, "until", settled, body(at, *open_, ask)),)

    def _first_counts(self) -> bool:
        """Return whether the first of equal bids counts, so that nobody need know that there are any."""
        clause = self.clauses.get("ties")
        return clause is not None and clause.words[0] == "first"

    def _tied(self, word: str) -> tuple[s.Statement, ...]:
        """Return what notes whether the highest bids are equal."""
        return () if self._first_counts() else (put(self.at, TIED, s.Literal(self.at, word)),)

    def _equal(self) -> s.Expr:
        tests = [
            both(named(w.span, w.text), "is", named(self.at, self._kept(i)))
            for i, (w, _) in enumerate(self.parts)
        ]
        made: s.Expr = tests[0]
        for test in tests[1:]:
            made = both(made, "and", test)
        return made

    def _texts(self) -> tuple[s.RuleText, ...]:
        said = (self.clauses[word] for word in ("bids", "each bid") if word in self.clauses)
        return tuple(text for clause in said for text in clause.texts)

    def _choose(self) -> s.Choose:
        texts = self._texts()
        also = self.clauses.get("also")
        others = []
        for option in also.options if also is not None else ():
            inside = option.body or body(option.span)
            more = s.Body(inside.span, inside.texts, (*self._spoken(), *inside.statements))
            others.append(
                renamed(
                    s.Option(option.span, option.name, option.binders, option.when, option.label, more),
                    self.meant,
                )
            )
        options = (self._bid(texts), *others, self._pass())
        return s.Choose(self.at, named(self.at, SPEAKER), (), options)

    # ---- the order of speaking ----------------------------------------------------------------

    def _order(self) -> str:
        clause = self.clauses.get("speakers")
        return clause.words[0] if clause is not None else "once"

    def _final(self) -> bool:
        """Return whether who has passed is out of the bidding."""
        said = self.clauses.get("passing")
        if said is not None:
            return said.words[0] == "final" and self._order() != "once"
        return self._order() == "one left"

    def _counts(self) -> bool:
        """Return whether passes in a row are counted."""
        return self._order() == "passes" or (self._order() == "one left" and not self._final())

    def _done(self) -> s.Expr:
        """Return the test, after each speaker, that nobody need be asked again."""
        at = self.at
        if self._order() == "once":
            return both(named(at, SPEAKER), "is", named(at, FIRST))
        sold = both(named(at, BIDDER), "is not", s.Literal(at, "none"))
        open_ = both(named(at, BIDDER), "is", s.Literal(at, "none"))
        everyone = s.Unary(at, "size", s.Literal(at, "players"))
        ends: list[s.Expr] = []
        if self._final():
            q = "who may still bid"
            inside = s.Unary(at, "not", field_of(at, named(at, q), HAS_PASSED))
            binder = s.Binder(at, None, (s.Word(at, q),), s.Literal(at, "players"))
            left = s.Phrase(at, "count", None, s.Binders(at, (binder,), inside))
            ends.append(both(left, "is", s.Number(at, 0)))
            if self._order() == "one left":
                ends.append(both(sold, "and", both(left, "is", s.Number(at, 1))))
        if self._counts():
            clause = self.clauses["speakers"]
            passes = named(at, PASSES)
            enough: s.Expr = both(everyone, "-", s.Number(at, 1))
            if self._order() == "passes":
                enough = s.Number(clause.head.span, int(clause.words[1]))
            ends.append(both(sold, "and", both(passes, ">=", enough)))
            ends.append(both(open_, "and", both(passes, ">=", everyone)))
        made = ends[0]
        for end in ends[1:]:
            made = both(made, "or", end)
        return made

    def _begin(self) -> tuple[s.Statement, ...]:
        at = self.at
        clause = self.clauses.get("speakers")
        if clause is None:
            self.missing(
                "who speaks, and in what order?",
                "say `speakers: once round from PLAYER`, or `round from PLAYER until all but one pass`",
            )
        made: list[s.Statement] = []
        if clause is not None and clause.exprs:
            made.append(let_player(at, SPEAKER, clause.exprs[0]))
        if self._order() == "at once":
            made += [] if self._first_counts() else [let(at, TIED, s.Literal(at, "no"))]
            made.append(s.LetNone(at, s.Word(at, ANYONE), s.Literal(at, "players"), False))
        if self._order() == "once":
            made.append(let(at, FIRST, named(at, SPEAKER)))
        someone = {SPEAKER: named(at, ANYONE)} if self._order() == "at once" else {}
        for index, (word, source) in enumerate(self.parts):
            kept = s.Word(word.span, self._kept(index))
            domain = renamed(source, someone)
            made.append(s.LetNone(word.span, kept, domain, index == 0, index == 0))
            if index:
                seen = s.Word(word.span, self._seen(index))
                made.append(s.LetNone(word.span, seen, domain, True, True))
        made.append(s.LetNone(at, s.Word(at, BIDDER), s.Literal(at, "players"), True, True))
        if self._counts():
            made.append(let(at, PASSES, s.Number(at, 0)))
        if self._final():
            q = "who has not passed"
            binder = s.Binder(at, None, (s.Word(at, q),), s.Literal(at, "players"))
            no = s.Assign(at, "=", field_of(at, named(at, q), HAS_PASSED), s.Literal(at, "no"))
            made.append(s.For(at, s.Binders(at, (binder,), None), "", None, body(at, no)))
        return tuple(made)

    def _end_of_it(self) -> tuple[s.Statement, ...]:
        """Return what is done with the highest bid, or without one."""
        at = self.at
        sold, unsold = self.clauses.get("sold to"), self.clauses.get("unsold")
        if sold is None:
            self.missing(
                "what does the highest bidder get?", "say `sold to p at b:` and below it what happens"
            )
        made: list[s.Statement] = []
        if sold is not None and sold.body is not None:
            buyer, *names = sold.names
            made.append(s.Let(buyer.span, buyer, named(buyer.span, BIDDER)))
            if names and len(names) != len(self.parts) and not self.unread:
                self.report.add(
                    "E525",
                    sold.head.span,
                    f"{len(names)} names stand here, but a bid has {_parts(len(self.parts))}",
                    mend="give a name to each: " + ", ".join(w.text for w, _ in self.parts),
                )
            for index, word in enumerate(names[: len(self.parts)]):
                made.append(s.Let(word.span, word, named(word.span, self._kept(index))))
            made += renamed(sold.body, self.meant).statements
        none = s.Literal(at, "none")
        bid = both(named(at, self._kept(0)), "is not", none)
        there = both(both(named(at, BIDDER), "is not", none), "and", bid)
        inside = s.Body(
            at, sold.body.texts if sold is not None and sold.body is not None else (), tuple(made)
        )
        other = unsold.body if unsold is not None else None
        return (s.If(at, there, inside, other),)

    # ---- the phase ------------------------------------------------------------------------------

    def variables(self) -> tuple[s.Variable, ...]:
        """Return the variables that the phase needs."""
        if not self._final():
            return ()
        return (
            s.Variable(
                self.at,
                s.Word(self.at, HAS_PASSED),
                s.TypeExpr(self.at, "flag"),
                s.Literal(self.at, "no"),
                True,
            ),
        )

    def phase(self) -> s.Phase:
        """Return the phase that the block stands for."""
        at = self.at
        begin, end = self._begin(), self._end_of_it()
        if self._order() == "at once":
            return self.phase_of(*begin, *self._sealed(), *end)
        turn: s.Statement = self._choose()
        if self._final():
            turn = s.If(
                at, s.Unary(at, "not", field_of(at, named(at, SPEAKER), HAS_PASSED)), body(at, turn), None
            )
        on = put(at, SPEAKER, s.Unary(at, "next", named(at, SPEAKER)))
        loop = again(at, "until", self._done(), body(at, *then((turn,), on)))
        return self.phase_of(*begin, loop, *end)


def _parts(count: int) -> str:
    return "one part" if count == 1 else f"{count} parts"
