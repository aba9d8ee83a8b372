"""`payment` as an ordinary phase, and the question whether a payment is possible as an ordinary definition.

What pays is asked kind by kind: how many of each kind of token first, then cards one by one, in rising order of their
faces. Only what can be completed is offered. No change is given unless it is said, and nothing may be paid that could
be left out.
"""

from __future__ import annotations

import difflib

from hoyle import families as f
from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.rewriting import body, both, field_of, let, named, put
from hoyle.diagnostics import Report
from hoyle.program.types import number
from hoyle.runtime.paying import MOST_WORTH, NEVER, PACKED
from hoyle.runtime.whole import CARD, DONE, PAID
from hoyle.source import Span

DUE, LEAST, LATER, LAST, WORTH, TAKEN = (
    "still due",
    "least paid",
    "paid later",
    "last paid",
    "its worth",
    "paid",
)
HOW_MANY = "N"  # no name in a spec has a capital


def possible(name: str) -> str:
    """Return the name of the definition that says whether a payment can be made; nobody can write it."""
    return f"can {name}"


def packed(piece: p.Expr, worth: p.Expr, line: int) -> p.Expr:
    """Return a piece and its worth as one number; a worth that no sum can be made of is a fault in play."""
    low, high = worth.type.low, worth.type.high
    if low is None or high is None or low < -MOST_WORTH or high > MOST_WORTH:
        ends = tuple(p.Const(value=x, type=number(x, x)) for x in (-MOST_WORTH, MOST_WORTH))
        worth = p.Op(op="within", args=(worth, *ends), type=number(-MOST_WORTH, MOST_WORTH), line=line)
    step = p.Const(value=PACKED, type=number(PACKED, PACKED))
    half = p.Const(value=PACKED // 2, type=number(PACKED // 2, PACKED // 2))
    shifted = p.Op(op="add", args=(p.Op(op="mul", args=(piece, step), type=number()), half), type=number())
    return p.Op(op="add", args=(shifted, worth), type=number())


def times(count: s.Expr, worth: s.Expr) -> s.Expr:
    """Return what so many things are worth together."""
    return count if isinstance(worth, s.Number) and worth.value == 1 else both(count, "*", worth)


class Payment:
    """Turns one block into a phase and a definition; `whole` tells that nothing is wrong with it."""

    def __init__(
        self, block: f.Payment, tokens: dict[str, s.Token], broken: frozenset[str], report: Report
    ) -> None:
        self.block = block
        self.broken = broken
        self.report = report
        self.at = block.name.span
        self.declared = tokens
        lines = range(block.span.line, block.span.end_line + 1)
        self.unread = any(d.span.line in lines for d in report.errors)
        self.whole = not self.unread
        self.tokens = self._tokens()
        self.cards = tuple(x for x in block.items if x.source is not None)
        for item in self.cards:
            self._places(item)
        self.payer, self.amount = self._arguments()
        self.change, self.exact = self._change()
        if not block.items:
            self._wrong("E521", self.at, "with what is this paid?", "write a line such as `coin: to supply`")

    def _wrong(self, code: str, span: Span, message: str, mend: str) -> None:
        self.whole = False
        if not self.unread:
            self.report.add(code, span, message, mend=mend)

    # ---- what is written --------------------------------------------------------------------

    def _tokens(self) -> tuple[f.Item, ...]:
        """Return the kinds of tokens that pay, each once."""
        found: dict[str, f.Item] = {}
        for item in self.block.items:
            if item.source is not None:
                continue
            name = item.name.text
            if name not in self.declared:
                self._unknown(item.name)
            elif name in found:
                self.whole = False
                self.report.add(
                    "E527",
                    item.name.span,
                    f"`{name}` is said twice",
                    second=(found[name].name.span, "first said here"),
                    mend="keep one of the two",
                )
            found.setdefault(name, item)
        return tuple(found.values())

    def _places(self, item: f.Item) -> None:
        """Report cards that would come from where tokens are, or go there."""
        source = item.source
        inside = source.name.text if isinstance(source, s.Attribute) else ""
        token = next((x for x in (item.name.text, inside) if x in self.declared), "")
        if token:
            mend = f"tokens are paid as `{token}: to supply`, and cards as `c in p.hand: to discard`"
            self._wrong("E431", item.span, f"`{token}` is a token, and this line pays with cards", mend)
        elif isinstance(item.to, s.Name) and item.to.text == "supply":
            mend = "name a zone, as in `c in p.hand: to discard`"
            self._wrong("E431", item.to.span, "the supply holds tokens, and cards go to a zone", mend)

    def _unknown(self, word: s.Word) -> None:
        if word.text.lower() in self.broken:  # the line that declares it can't be read
            self.whole = False
            return
        near = difflib.get_close_matches(word.text, list(self.declared), n=1)
        mend = (
            f"did you mean `{near[0]}`?"
            if near
            else (
                "declare it under `components`, as in `token coin 50`; cards are written `c in p.hand: to discard`"
            )
        )
        self._wrong("E201", word.span, f"no token is called `{word.text}`", mend)

    def _arguments(self) -> tuple[s.Word, s.Word]:
        """Return the names of who pays and of how much."""
        given = [(word, group.type) for group in self.block.fields for word in group.names]
        forms = [type.form for _, type in given[:2]]
        if forms != ["player", "number"] and forms != ["player", "range"]:
            self._wrong(
                "E540",
                self.at,
                "a payment says first who pays and then how much",
                f"write `payment {self.block.name.text}(p: player, amount: number)`, and behind these what else"
                " it needs",
            )
            return self.block.name, self.block.name
        return given[0][0], given[1][0]

    def _change(self) -> tuple[s.Word | None, bool]:
        """Return the token in which change is given, None for none, and whether only the exact amount will do."""
        said = self.block.change
        for extra in said[1:]:
            self.whole = False
            self.report.add(
                "E527",
                extra.span,
                "`change` is said twice",
                second=(said[0].span, "first said here"),
                mend="keep one of the two",
            )
        if not said or said[0].text in ("none", "exact"):
            return None, bool(said) and said[0].text == "exact"
        if said[0].text not in self.declared:
            self._unknown(said[0])
        return said[0], False

    # ---- what is made -----------------------------------------------------------------------

    def _name(self, text: str) -> s.Name:
        return named(self.at, text)

    def _number(self, value: int) -> s.Number:
        return s.Number(self.at, value)

    def _worth(self, item: f.Item) -> s.Expr:
        """Return what one thing is worth: as said here, as the token says, or 1."""
        token = self.declared.get(item.name.text) if item.source is None else None
        if item.worth is not None and not isinstance(item.worth, s.Number):
            return s.Reckoned(item.worth.span, "worth", (item.worth,))
        return item.worth or (token.worth if token is not None else None) or self._number(1)

    def _has(self, item: f.Item) -> s.Expr:
        """Return how many tokens of a kind the payer has to pay with."""
        held: s.Expr = field_of(item.name.span, named(item.name.span, self.payer.text), item.name.text)
        if item.when is None:
            return held
        return s.Conditional(item.span, held, item.when, self._number(0))

    def _source(self, item: f.Item) -> s.Expr:
        """Return the cards that may pay."""
        assert item.source is not None
        tests = [x for x in (item.where, item.when) if x is not None]
        test = tests[0] if len(tests) == 1 else both(tests[0], "and", tests[1]) if tests else None
        found = s.SetWhere(item.span, s.Binder(item.span, item.type, (item.name,), item.source), test)
        return s.Reckoned(item.source.span, "cards", (item.source, found))

    def _listed(self, item: f.Item) -> s.Reckoned:
        """Return the cards that may pay as numbers, each with its worth."""
        binder = s.Binder(item.span, None, (item.name,), self._source(item))
        return s.Reckoned(
            item.span, "packed", (named(item.name.span, item.name.text), self._worth(item)), binder
        )

    def _sums(self, items: tuple[f.Item, ...]) -> s.Expr:
        """Return the sums that can be paid with all of some items."""
        made: s.Expr = self._number(1)
        for item in items:
            if item.source is None:
                made = s.Reckoned(item.span, "coins", (made, self._worth(item), self._has(item)))
            else:
                made = s.Reckoned(item.span, "packed_sums", (made, self._listed(item)))
        return made

    def _total(self) -> s.Expr:
        """Return what everything together is worth."""
        made: s.Expr | None = None
        for item in (*self.tokens, *self.cards):
            if item.source is None:
                part: s.Expr = times(self._has(item), self._worth(item))
            elif item.worth is None or isinstance(item.worth, s.Number):
                part = times(s.Unary(item.span, "size", self._source(item)), self._worth(item))
                if item.where is None and item.type is None:
                    assert item.source is not None
                    size: s.Expr = s.Unary(item.span, "size", item.source)
                    part = times(size, self._worth(item))
                    if item.when is not None:
                        part = s.Conditional(item.span, part, item.when, self._number(0))
            else:
                binder = s.Binder(item.span, None, (item.name,), self._source(item))
                part = s.Phrase(item.span, "sum", item.worth, s.Binders(item.span, (binder,), None))
            made = part if made is None else both(made, "+", part)
        return made or self._number(0)

    def define(self) -> s.Define:
        """Return the definition that says whether the amount can be paid."""
        amount = self._name(self.amount.text)
        if self.exact:
            over = s.Reckoned(self.at, "excess", (self._sums((*self.tokens, *self.cards)), amount))
            test: s.Expr = both(over, "is", self._number(0))
        else:
            test = both(self._total(), ">=", amount)
        none = both(amount, "<=", self._number(0))
        value = both(none, "or", test) if self.whole else s.Literal(self.at, "yes")
        word = s.Word(self.at, possible(self.block.name.text))
        return s.Define(self.block.span, word, self.block.fields, (), value, ())

    def _fits(self, over: s.Expr, least: s.Expr) -> s.Expr:
        """Return the test that what is paid too much is not too much."""
        return both(over, "is", self._number(0)) if self.exact else both(over, "<", least)

    def _lower(self, worth: s.Expr, when: s.Expr | None = None) -> s.If:
        """Return what notes the worth of something paid, if it is the least so far."""
        test = both(worth, "<", self._name(LEAST))
        test = test if when is None else both(when, "and", test)
        return s.If(self.at, test, body(self.at, put(self.at, LEAST, worth)), None)

    def _owing(self) -> s.Expr:
        return both(self._name(DUE), ">", self._number(0))

    def _token(self, item: f.Item, later: tuple[f.Item, ...]) -> s.Statement:
        """Return what asks how many tokens of a kind are paid; of the last kind, where no card pays, it is settled."""
        at, worth, name = item.span, self._worth(item), item.name.text
        count = self._name(HOW_MANY)
        payer = self._name(self.payer.text)
        give = s.Give(item.to.span, count, False, s.Word(item.name.span, name), payer, item.to)
        paid = put(at, DUE, times(count, worth), "-=")
        if not later:
            more = both(both(self._name(DUE), "+", worth), "-", self._number(1))
            return s.If(
                at, self._owing(), body(at, let(at, HOW_MANY, both(more, "/", worth)), give, paid), None
            )
        left = both(self._name(DUE), "-", times(count, worth))
        over = s.Reckoned(at, "excess", (self._name(LATER), left))
        none = both(both(worth, ">", self._name(LEAST)), "or", both(count, "is", self._number(0)))
        least = s.Conditional(at, self._name(LEAST), none, worth)
        numbers = s.Binary(at, "..", self._number(0), self._has(item))
        binder = s.Binder(at, None, (s.Word(at, HOW_MANY),), numbers)
        some = self._lower(worth, both(count, ">", self._number(0)))
        inside = s.Body(at, item.texts, (give, paid, some))
        option = s.Option(
            item.name.span,
            item.name,
            s.Binders(at, (binder,), self._fits(over, least)),
            None,
            f"pays {{{HOW_MANY}}} {name}",
            inside,
        )
        has = both(self._has(item), ">", self._number(0))
        ask = s.Choose(at, payer, self.block.texts, (option,), payment=self.block.name.text)
        inner = body(at, let(at, LATER, self._sums(later)), ask)
        return s.If(at, both(self._owing(), "and", has), inner, None)

    def _card(self, item: f.Item, later: tuple[f.Item, ...]) -> tuple[s.Statement, ...]:
        """Return what asks for cards, one by one, until enough is paid or, where others pay too, enough of it."""
        at = item.span
        payer, last = self._name(self.payer.text), self._name(LAST)
        exact = self._number(int(self.exact))
        args = (self._listed(item), last, self._name(DUE), self._name(LEAST), self._name(LATER), exact)
        may = s.Reckoned(at, "payable", args)
        card = named(item.name.span, item.name.text)
        pays = (
            let(at, WORTH, self._worth(item)),
            s.MoveThese(item.to.span, (card,), item.to),
            put(at, DUE, self._name(WORTH), "-="),
            self._lower(self._name(WORTH)),
            put(at, LAST, card),
        )
        binder = s.Binder(at, None, (item.name,), self._name(TAKEN))
        option = s.Option(
            at,
            s.Word(at, CARD),
            s.Binders(at, (binder,), None),
            None,
            f"pays {{{item.name.text}}}",
            s.Body(at, item.texts, pays),
        )
        options: tuple[s.Option, ...] = (option,)
        end = body(at, s.End(at, s.Word(at, "repeat")))
        none_left: s.Statement = s.If(at, s.IsEmpty(at, self._name(TAKEN), False), end, None)
        if later:
            over = s.Reckoned(at, "excess", (self._name(LATER), self._name(DUE)))
            enough = self._fits(over, self._name(LEAST))
            options = (option, s.Option(at, s.Word(at, DONE), None, enough, "pays no more of these", end))
        ask = s.Choose(at, payer, self.block.texts, options, payment=self.block.name.text)
        begin = (
            s.LetNone(at, s.Word(at, LAST), self._source(item), True),
            let(at, LATER, self._sums(later)),
        )
        statements = [let(at, TAKEN, may), *([none_left] if later else []), ask]
        loop = s.Repeat(at, "while", self._owing(), None, body(at, *statements))
        return (s.If(at, self._owing(), body(at, *begin, loop), None),)

    def phase(self) -> s.Phase:
        """Return the phase that the block stands for."""
        block, at = self.block, self.at
        if not self.whole:
            return s.Phase(block.span, block.name, block.fields, body(at))
        words = [word for group in block.fields for word in group.names]
        asked = s.Call(at, s.Word(at, possible(block.name.text)), tuple(named(at, w.text) for w in words))
        due = s.Reckoned(at, "settled", (self._name(self.amount.text), asked))
        made: list[s.Statement] = [let(at, DUE, due), let(at, LEAST, self._number(NEVER))]
        items = (*self.tokens, *self.cards)
        for place, item in enumerate(items):
            later = items[place + 1 :]
            if item.source is None:
                made.append(self._token(item, later))
            else:
                made += self._card(item, later)
        if self.change is not None:
            made.append(self._give_back(self.change))
        made.append(s.Note(at, PAID, self._name(self.payer.text)))
        return s.Phase(block.span, block.name, block.fields, s.Body(at, block.texts, tuple(made)))

    def _give_back(self, word: s.Word) -> s.Statement:
        """Return what gives change, as far as it comes out even."""
        at = word.span
        token = self.declared.get(word.text)
        over: s.Expr = s.Unary(at, "negative", self._name(DUE))
        if token is not None and token.worth is not None:
            over = both(over, "/", token.worth)
        give = s.Give(at, over, False, word, None, self._name(self.payer.text))
        return s.If(at, both(self._name(DUE), "<", self._number(0)), body(at, give), None)
