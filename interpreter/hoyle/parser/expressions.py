"""Parse trees of expressions, as lark gives them, to syntax."""

from __future__ import annotations

from typing import Any

from lark import Token, Tree

from hoyle import syntax as s
from hoyle.given import LAST_WINNER
from hoyle.source import NOWHERE, Span

DEEPEST = 120
BINARY = {
    "or_": "or",
    "and_": "and",
    "plus": "+",
    "minus": "-",
    "times": "*",
    "over": "/",
    "mod": "mod",
    "is_": "is",
    "is_not": "is not",
    "in_": "in",
    "not_in": "not in",
    "meets": "meets",
    "range": "..",
    "sum": "..",
}
PIECES = ("card", "tile")
LONGEST_NUMBER = 18


class Refused(Exception):
    """Something that parses but is beyond the bounds of a spec: too deep, or too large a number."""

    def __init__(self, code: str, span: Span, message: str, mend: str) -> None:
        super().__init__(message)
        self.code = code
        self.span = span
        self.message = message
        self.mend = mend


def too_deep(span: Span) -> Refused:
    """Return the refusal of an expression or block nested deeper than a person could read."""
    return Refused(
        "E108",
        span,
        f"this is nested more than {DEEPEST} levels deep",
        "give the inner part a name with `define`, or make a phase of it",
    )


class Builder:
    """Builds syntax from trees; `shift` lines are added, since the parser saw one block alone."""

    def __init__(self, path: str, shift: int, reserved: frozenset[str]) -> None:
        self.path = path
        self.shift = shift
        self.reserved = reserved
        self.depth = 0
        self.misused: list[s.Word] = []  # words of the language that stand for names
        self.lost: set[str] = set()  # names of what had to be left out
        self.notes: list[Refused] = []  # what is told without leaving anything out

    # ---- places -------------------------------------------------------------------------

    def span(self, node: Tree[Any] | Token) -> Span:
        """Return where a tree or token stands in the file."""
        at: Any = node.meta if isinstance(node, Tree) else node
        if isinstance(node, Tree) and at.empty:
            return NOWHERE
        return Span(
            self.path,
            at.line + self.shift,
            at.column,
            (at.end_line or at.line) + self.shift,
            at.end_column or at.column,
        )

    def word(self, token: Token | Any) -> s.Word:
        """Return a token as a word."""
        return s.Word(self.span(token), str(token))

    def integer(self, token: Token | Any) -> int:
        """Return the number that a token spells; one beyond 64 bits is refused."""
        if len(token) > LONGEST_NUMBER:
            raise Refused(
                "E109", self.span(token), "this number is too large", "numbers have at most 18 digits"
            )
        return int(token)

    def counts(self, t: Tree[Any] | None) -> s.Counts | None:
        """Return the counts of players that a line is for, None if it names none."""
        if t is None:
            return None
        low = self.integer(t.children[0])
        if t.data == "players_from":
            return s.Counts(self.span(t), low, None)
        return s.Counts(self.span(t), low, self.integer(t.children[1]) if t.children[1] else low)

    def maybe_word(self, token: Token | Any) -> s.Word | None:
        """Return a token as a word, or None."""
        return None if token is None else self.word(token)

    def named(self, token: Token | Any) -> None:
        """Note a word of the language that is used as a name; nothing can be called so."""
        if str(token) in self.reserved:
            self.misused.append(self.word(token))

    # ---- expressions ----------------------------------------------------------------------

    def expr(self, t: Any) -> s.Expr:
        """Return an expression."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise too_deep(self.span(t))
        try:
            return self._expr(t)
        finally:
            self.depth -= 1

    def maybe(self, t: Any) -> s.Expr | None:
        """Return an expression, or None where none is written."""
        return None if t is None else self.expr(t)

    def _expr(self, t: Any) -> s.Expr:
        rule = str(t.data)
        at = self.span(t)
        kids = t.children
        if rule in BINARY:
            return s.Binary(at, BINARY[rule], self.expr(kids[0]), self.expr(kids[1]))
        match rule:
            case "name":
                self.named(kids[0])
                return s.Name(at, str(kids[0]))
            case "type_name":
                return s.TypeName(at, str(kids[0]))
            case "int":
                return s.Number(at, self.integer(kids[0]))
            case "negative_int":
                return s.Number(at, -self.integer(kids[0]))
            case "faces":
                return s.Faces(at, str(kids[0])[1:-1])
            case "yes" | "no" | "none" | "players" | "everyone" | "teams" | "reversed":
                return s.Literal(at, rule)
            case "attribute":
                return s.Attribute(at, self.expr(kids[0]), self.word(kids[1]))
            case "call" | "piece_kind":
                self.named(kids[0])
                return s.Call(at, self.word(kids[0]), self.entries(kids[1]))
            case "not_":
                return s.Unary(at, "not", self.expr(kids[0]))
            case "negative":
                return s.Unary(at, "negative", self.expr(kids[0]))
            case "ask":
                return s.Unary(at, str(kids[0].children[0]), self.expr(kids[1]))
            case "new_of":
                return s.New(at, self.expr(kids[0]))
            case "ends_of":
                word, count, zone = kids
                return s.Ends(at, str(word.children[0]), self.expr(count), self.expr(zone))
            case "seats_from":
                return s.Unary(at, "seats", self.expr(kids[0]))
            case "tricks_won":
                return s.TricksWon(at, self.expr(kids[0]))
            case "can_pay":
                name, arguments = kids[0].children
                return s.CanPay(at, self.word(name), self.entries(arguments))
            case "last_winner":
                return s.Name(at, LAST_WINNER)
            case "compare":
                return s.Binary(at, str(kids[1]), self.expr(kids[0]), self.expr(kids[2]))
            case "empty" | "not_empty":
                return s.IsEmpty(at, self.expr(kids[0]), rule == "not_empty")
            case "is_out" | "is_not_out":
                return s.IsOut(at, self.expr(kids[0]), rule == "is_not_out")
            case "melds_of" | "rest_of":
                return s.PartOf(at, rule.removesuffix("_of"), self.expr(kids[0]))
            case "takes":
                return s.Takes(at, *map(self.expr, kids))
            case "conditional":
                return s.Conditional(at, self.expr(kids[0]), self.expr(kids[1]), self.expr(kids[2]))
            case _:
                return self._wide(rule, at, kids)

    def _wide(self, rule: str, at: Span, kids: list[Any]) -> s.Expr:
        """The expressions with binders, and sets."""
        match rule:
            case "empty_set":
                return s.SetOf(at, ())
            case "set_of":
                return s.SetOf(at, tuple(self.expr(k) for k in kids))
            case "set_for":
                return s.SetFor(at, self.expr(kids[0]), self.binders(kids[1]))
            case "set_where":
                binder = s.Binder(at, self.maybe_word(kids[0]), (self.word(kids[1]),), self.expr(kids[2]))
                return s.SetWhere(at, binder, self.maybe(kids[3]))
            case "any" | "every" | "count":
                return s.Phrase(at, rule, None, self.binders(kids[0]))
            case "aggregate_of":
                words = " ".join(str(w) for w in kids[0].children)
                return s.Phrase(at, words, self.expr(kids[1]), self.binders(kids[2]))
            case "superlative":
                sole, extreme, type_, name, source, where, key = kids
                binder = s.Binder(at, self.maybe_word(type_), (self.word(name),), self.expr(source))
                return s.Superlative(
                    at, str(extreme), sole is not None, binder, self.maybe(where), self.expr(key)
                )
            case _:
                raise AssertionError(f"no syntax for {rule}")

    def entries(self, t: Any) -> tuple[s.Expr, ...]:
        """Return the arguments of a call; none where no brackets are written."""
        return () if t is None else tuple(self.expr(k) for k in t.children)

    def binders(self, t: Any) -> s.Binders:
        """Return binders with their one `where`."""
        *binders, where = t.children
        return s.Binders(self.span(t), tuple(self.binder(b) for b in binders), self.maybe(where))

    def binder(self, t: Any) -> s.Binder:
        """Return one binder: `[count] [Type] a, b in S`. A word of the language in front of the name is left out."""
        count, type_, *names, source = t.children
        if count is not None and count.data == "exactly" and count.children[0].data == "name":
            word = count.children[0].children[0]
            turned = len(names) == 1 and str(names[0]) in PIECES  # `c card in p.hand`
            if str(word) in self.reserved or turned:
                said, names = (names[0], [word]) if turned else (word, names)
                shown = " ".join(str(n) for n in (type_, names[0]) if n is not None)
                mend = f"leave `{said}` out: `{shown} in {_written(source)}`"
                self.notes.append(Refused("E111", self.span(said), f"`{said}` does not fit here", mend))
                count = None
        return s.Binder(
            self.span(t),
            self.maybe_word(type_),
            tuple(self.word(n) for n in names),
            self.expr(source),
            None if count is None else self._how_many(count),
        )

    def _how_many(self, t: Any) -> s.HowMany:
        bounds = [self.expr(k) for k in t.children]
        match str(t.data):
            case "exactly":
                return s.HowMany(self.span(t), bounds[0], bounds[0])
            case "between":
                return s.HowMany(self.span(t), bounds[0], bounds[1])
            case "at_most":
                return s.HowMany(self.span(t), None, bounds[0])
            case _:
                return s.HowMany(self.span(t), None, None)

    # ---- types ------------------------------------------------------------------------------

    def type(self, t: Any) -> s.TypeExpr:
        """Return a type as written."""
        base, or_none = t.children
        made = self._base(base)
        if or_none is None:
            return made
        return s.TypeExpr(self.span(t), made.form, made.name, made.low, made.high, made.element, or_none=True)

    def _base(self, t: Any) -> s.TypeExpr:
        at = self.span(t)
        match str(t.data):
            case "type_name":
                return s.TypeExpr(at, "name", str(t.children[0]))
            case "range_type":
                return s.TypeExpr(at, "range", low=self.expr(t.children[0]), high=self.expr(t.children[1]))
            case "set_type":
                return s.TypeExpr(at, "set", element=self._base(t.children[0]))
            case other:
                return s.TypeExpr(at, other.removesuffix("_type"))

    def fields(self, t: Any) -> tuple[s.Field, ...]:
        """Return fields or parameters: `a, b: type`."""
        return () if t is None else tuple(self._field(f) for f in t.children)

    def _field(self, t: Any) -> s.Field:
        *names, type_ = t.children
        if type_.data == "zone_type":
            type = s.TypeExpr(self.span(type_), "zone", str(type_.children[0]))
        else:
            type = self.type(type_)
        return s.Field(self.span(t), tuple(self.word(n) for n in names), type)


def _written(t: Any) -> str:
    """Return a name as it is written, with those that it hangs on; dots stand for anything else."""
    match str(t.data):
        case "name":
            return str(t.children[0])
        case "players":
            return "players"
        case "attribute":
            return f"{_written(t.children[0])}.{t.children[1]}"
        case _:
            return "..."
