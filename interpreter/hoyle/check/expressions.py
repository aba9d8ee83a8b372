"""Expressions: names resolved, types found, sugar taken away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.asking import part_of, takes
from hoyle.check.begun import is_place, of_definition
from hoyle.check.coerce import converted
from hoyle.check.paying import Paying
from hoyle.check.ranges import bounds
from hoyle.check.types import describe, element_of, join
from hoyle.given import LAST_WINNER, WON
from hoyle.program.numbering import domain_size
from hoyle.program.types import FLAG, NO_VALUE, PLAYER, PLAYERS, TEAM, UNKNOWN, number, set_of
from hoyle.source import Span

COMPARISONS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "div", "mod": "mod"}
HIGHEST_IN_SET = 62


class Expressions(Paying):
    """Turns expressions into those of a program. A fault is reported and gives a value of the unknown type."""

    # ---- what others ask for --------------------------------------------------------------

    def value(self, node: s.Expr, want: p.Type) -> p.Expr:
        """Return the expression as a value of type `want`, or report that it can't be one."""
        made = self.expr(node, want)
        fitted = converted(made, want, self.scope)
        if fitted is not None:
            return fitted
        if self.in_doubt and made.type.or_none:  # a test with a fault was to tell that it is there
            self.report.note()
        else:
            self.mismatch(node.span, made.type, want)
        return self.lost(want)

    def condition(self, node: s.Expr) -> p.Expr:
        """Return the expression as a condition, yes or no."""
        before = self.report.noted
        made = self.value(node, FLAG)
        if self.report.noted > before:
            self.doubtful.add(node.span)
        return made

    def mismatch(self, span: Span, have: p.Type, want: p.Type) -> None:
        """Report a value of the wrong type."""
        mend = ""
        if have.or_none and have.plain() == want:
            mend = "test `is not none` first, or give the variable a type without `or none`"
        elif have.form == "number" and want.form == "flag":
            asked = have.low is None or have.low != have.high or have.low not in (0, 1)
            mend = "compare it, as in `> 0`" if asked else f"write `{('no', 'yes')[have.low or 0]}`"
        elif have.form == "enum" and want.form == "flag":
            mend = "a value alone is no question: compare it with something, with `is`"
        elif have.form == "none":
            mend = "add `or none` to its type where it is declared, as in `: player or none`"
        elif have.form == "player" and want.form == "number":
            before = self.seating.before
            mend = (
                f"one can't count with players; the next one is `next of p`, the one before `{before} of p`"
            )
        elif want.form == "piece" and have.form == "zone":
            mend = "name one card, such as `top of` the zone, or use `for c in` the zone"
        elif is_place(want):
            mend = f"name one of them, as in `m in {want.name}`"
        else:
            mend = f"put {describe(want)} here"
        self.report.add("E301", span, f"{describe(want)} is wanted here, not {describe(have)}", mend=mend)

    def lost(self, type: p.Type = UNKNOWN) -> p.Expr:
        """Return a stand-in for an expression with a fault."""
        return p.Const(value=0, type=type if type.form != "number" else UNKNOWN)

    def collection(self, node: s.Expr, want: p.Type | None = None) -> p.Expr:
        """Return a zone, set, sequence or range that a name can run through."""
        made = (
            self._range(node) if isinstance(node, s.Binary) and node.word == ".." else self.expr(node, want)
        )
        if element_of(made.type) is None and made.type.form != "nothing" and made.type.form != "set":
            self.report.add(
                "E303",
                node.span,
                f"a zone, a set, a range or players are wanted here, not {describe(made.type)}",
                mend="after `in` stands what is searched: a zone such as `p.hand`, `players`, `1..6`",
            )
            return p.Const(value=0, type=set_of(None))
        return made

    # ---- dispatch -------------------------------------------------------------------------

    def expr(self, node: s.Expr, want: p.Type | None = None) -> p.Expr:
        """Return the expression; `want` is a hint for words that need one, such as enum values."""
        match node:
            case s.Number():
                return p.Const(value=node.value, type=number(node.value, node.value))
            case s.Literal():
                return self._literal(node)
            case s.Name():
                return self.name(node, want)
            case s.TypeName():
                return self._type_name(node)
            case s.Faces():
                return self.face(node)
            case s.Attribute():
                return self.attribute(node)
            case s.Call():
                return self._call(node)
            case s.Unary():
                return self._unary(node, want)
            case s.Binary():
                return self._binary(node, want)
            case s.IsEmpty():
                return self._is_empty(node)
            case s.IsOut():
                player = self.value(node.operand, PLAYER)
                return self._negated(self.seating.is_out(node.span, player), node.negated)
            case s.Conditional():
                return self._conditional(node, want)
            case s.OrElse():
                return self._or_else(node)
            case s.PlaceIn():
                return self._place_in(node)
            case s.SeatsOn():
                count = self.number(node.count)
                return p.Op(op="seats_on", args=(self.value(node.player, PLAYER), count), type=PLAYER)
            case s.TricksWon():
                return self._tricks_won(node)
            case s.Takes():
                return takes(self, node)
            case s.PartOf():
                return part_of(self, node)
            case s.Ends():
                return self.ends(node)
            case s.New():
                return self.new(node)
            case s.Reckoned():
                return self.reckoned(node)
            case s.CanPay():
                return self.can_pay(node)
            case s.SetOf():
                return self._set_of(node, want)
            case s.SetFor() | s.SetWhere() | s.Phrase() | s.Superlative():
                return self.phrase(node, want)
            case _:
                raise AssertionError(node)

    def _literal(self, node: s.Literal) -> p.Expr:
        match node.word:
            case "yes" | "no":
                return p.Const(value=int(node.word == "yes"), type=FLAG)
            case "none":
                return p.Const(value=p.NONE, type=NO_VALUE)
            case "reversed":
                self.seating.needs_reversed(node.span)
                return self.seating.reversed()
            case "teams":
                self.seating.needs_teams(node.span)
                return self.seating.all_teams()
            case word:
                return self.seating.players(everyone=word == "everyone")

    def _type_name(self, node: s.TypeName) -> p.Expr:
        enum = self.scope.enums.get(node.text)
        if enum:
            mask = (1 << len(enum.labels)) - 1
            return p.Const(value=mask, type=set_of(p.Type(form="enum", name=enum.name)))
        if self.declare.piece_names(node.text) is not None:
            self.report.add(
                "E303",
                node.span,
                f"`{node.text}` is a type of card, not a card or a set",
                mend=f"`c is {node.text}` tests a card, `any {node.text} c in p.hand` asks whether there is one,"
                f" and `{{{node.text} c in p.hand}}` are all of them",
            )
        else:
            hint = "names with a capital are types, declared under `components`; values begin with a small letter"
            self.scope.unknown(s.Word(node.span, node.text), "name", list(self.scope.types), hint)
        return self.lost()

    # ---- calls -------------------------------------------------------------------------------

    def _call(self, node: s.Call) -> p.Expr:
        if node.name.text[0].isupper():
            return self.kind(node)
        function = self.function(node.name)
        if function is None:
            for argument in node.arguments:
                self.expr(argument)
            return self.lost()
        return self.invoke(node.span, function, node.arguments)

    def invoke(self, span: Span, function: p.Function, arguments: tuple[s.Expr, ...]) -> p.Expr:
        """Return a definition applied to arguments."""
        args = self.arguments(span, function.name, arguments, function.types)
        return p.Invoke(function=function.name, args=args, type=function.body.type)

    def arguments(
        self, span: Span, name: str, given: tuple[s.Expr, ...], types: tuple[p.Type, ...]
    ) -> tuple[p.Expr, ...]:
        """Return arguments as values of the types asked for; a wrong number of them is reported."""
        if len(given) != len(types):
            count = f"{len(types)} argument" + ("" if len(types) == 1 else "s")
            self.report.add(
                "E208",
                span,
                f"`{name}` takes {count if types else 'no arguments'}, not {len(given)}",
                mend="its declaration says: " + (", ".join(map(describe, types)) or "no brackets"),
            )
            return tuple(self.lost(t) for t in types)
        return tuple(self.within(a, self.value(a, t), t) for a, t in zip(given, types, strict=True))

    def within(self, node: s.Expr, value: p.Expr, type: p.Type) -> p.Expr:
        """Return a number held to a range: a constant outside is reported, others are watched in play."""
        low, high = type.low, type.high
        if type.form != "number" or value.type.form != "number" or low is None or high is None:
            return value
        if value.type.low is not None and value.type.high is not None:
            if low <= value.type.low and value.type.high <= high:
                return value
            if isinstance(value, p.Const):
                self.report.add(
                    "E404",
                    node.span,
                    f"{value.value} is outside {low}..{high}",
                    mend="change the number or the range",
                )
                return self.lost(type)
        ends = (p.Const(value=low, type=number(low, low)), p.Const(value=high, type=number(high, high)))
        return p.Op(op="within", args=(value, *ends), type=type, line=node.span.line)

    # ---- one operand ----------------------------------------------------------------------------

    def _unary(self, node: s.Unary, want: p.Type | None) -> p.Expr:
        match node.word:
            case "not":
                return p.Op(op="not", args=(self.condition(node.operand),), type=FLAG)
            case "negative":
                inner = self.number(node.operand)
                low, high = inner.type.low, inner.type.high
                type = number(None if high is None else -high, None if low is None else -low)
                return self._folded("neg", (inner,), type)
            case "size":
                return self._size(node)
            case "top" | "bottom" | "first" | "last":
                return self.end(node)
            case "left" | "right":
                return self.seating.beside(node.word, self.value(node.operand, PLAYER))
            case "next":
                return self.seating.next_of(self.value(node.operand, PLAYER))
            case "team" | "partner" | "members":
                return self._teams(node)
            case word:
                op = "others" if word == "others" else "seats_from"
                args = (self.value(node.operand, PLAYER), *self.seating.out())
                return p.Op(op=op, args=args, type=PLAYERS)

    def _teams(self, node: s.Unary) -> p.Expr:
        self.seating.needs_teams(node.span)
        if node.word == "members":
            return self.seating.members(self.value(node.operand, TEAM))
        player = self.value(node.operand, PLAYER)
        return (
            self.seating.team_of(player)
            if node.word == "team"
            else self.seating.partner_of(node.span, player)
        )

    def _size(self, node: s.Unary) -> p.Expr:
        inner = self.collection(node.operand)
        op = {"zone": "size_zone", "sequence": "size_sequence"}.get(inner.type.form, "size_set")
        return p.Op(op=op, args=(self._as_set(inner),), type=number(0, self.most_in(inner)))

    def most_in(self, collection: p.Expr) -> int | None:
        """Return how many elements a collection can have at most, if that is known."""
        if collection.type.form == "sequence":
            return self.declare.made.high
        inner = element_of(collection.type)
        if inner is not None and inner.form == "piece":
            return self.pieces or None
        if inner is not None and inner.form in ("flag", "enum"):
            return domain_size(inner, (), self.scope.enums, 0)
        return HIGHEST_IN_SET + 1 if collection.type.form == "set" else None

    def end(self, node: s.Unary) -> p.Expr:
        """Return the card at one end of a zone."""
        inner = self.expr(node.operand)
        if inner.type.form != "zone":
            if inner.type.form != "nothing":
                self.report.add(
                    "E303",
                    node.operand.span,
                    f"`{node.word} of` asks a zone, not {describe(inner.type)}",
                    mend=of_definition(inner) or _first_player(inner) or "name a pile or row",
                )
            return self.lost()
        if isinstance(inner, p.ZoneAt) and not self.in_order(inner):
            self.report.add(
                "E303",
                node.operand.span,
                f"`{inner.name}` is a pool: it has no {node.word}",
                mend="make it a pile or a row, or say which card, as in `highest c in ... by ...`",
            )
        upper = ("top", "first") if self.is_pile(inner) else ("top", "last")
        op = "top" if node.word in upper else "bottom"
        type = p.Type(form="piece", pieces=inner.type.pieces)
        return p.Op(op=op, args=(inner,), type=type, line=node.span.line)

    def _is_empty(self, node: s.IsEmpty) -> p.Expr:
        inner = self.collection(node.operand)
        op = {"zone": "size_zone", "sequence": "size_sequence"}.get(inner.type.form, "size_set")
        size = p.Op(op=op, args=(self._as_set(inner),), type=number(0, None))
        zero = p.Const(value=0, type=number(0, 0))
        return p.Op(op="ne" if node.negated else "eq", args=(size, zero), type=FLAG)

    # ---- two operands -----------------------------------------------------------------------------

    def number(self, node: s.Expr) -> p.Expr:
        """Return the expression as a number; a value that may be none is an error."""
        made = self.expr(node)
        if made.type.form in ("number", "nothing") and not made.type.or_none:
            return made
        if made.type.form == "none" or made.type.or_none:
            if self.in_doubt:
                return self.lost()
            self.report.add(
                "E302", node.span, "there may be no value here, and one can't count with none",
                mend="test `is not none` first, or give it a first value",
            )  # fmt: skip
        else:
            self.mismatch(node.span, made.type, number())
        return self.lost()

    def _binary(self, node: s.Binary, want: p.Type | None) -> p.Expr:
        word = node.word
        if word in ("and", "or"):
            return self._junction(node)
        if word in ARITHMETIC:
            return self._arithmetic(node)
        if word in COMPARISONS:
            left, right = self._pair(node.left, node.right)
            ordered = left.type.form in ("number", "enum", "nothing") and left.type.plain() != TEAM
            if not ordered or left.type.or_none or right.type.or_none:
                self.report.add(
                    "E302" if left.type.or_none or right.type.or_none else "E301",
                    node.span,
                    f"{describe(left.type)} can't be called higher or lower",
                    mend="compare numbers or values of one enum, that are there",
                )
            self._settled(node, word, left, right)
            return self._folded(COMPARISONS[word], (left, right), FLAG)
        if word == "..":
            made = self._range(node)
            return self._as_set(self._small_range(node, made, want))
        if word == "is or in":
            return self._is_or_in(node)
        if word in ("in", "not in"):
            return self._negated(self._in(node), word == "not in")
        if word == "meets":
            return self._meets(node)
        return self._negated(self._is(node), word == "is not")

    def _is_or_in(self, node: s.Binary) -> p.Expr:
        """Return whether a suit is that of a card, or one of those of a card."""
        own = self.expr(node.right)
        word = "in" if own.type.form == "set" else "is"
        return self._binary(s.Binary(node.span, word, node.left, node.right), None)

    def _or_else(self, node: s.OrElse) -> p.Expr:
        first, second = self.expr(node.first), self.expr(node.second)
        type = join(first.type, second.type)
        if type is None or type.form != "set":
            return self.lost(set_of(None))
        return p.Op(op="or_else", args=(first, second), type=type)

    def _place_in(self, node: s.PlaceIn) -> p.Expr:
        piece, zone = self.expr(node.piece), self.expr(node.zone)
        if piece.type.form != "piece" or zone.type.form != "zone":
            return self.lost(number())
        return p.Op(op="place_in", args=(piece, zone), type=number(0, None))

    def counts_tricks(self, node: s.TricksWon) -> bool:
        """Return whether the game has tricks to count; report it if not."""
        if WON in self.scope.nouns:
            return True
        if LAST_WINNER in self.scope.broken:  # the block that plays them can't be read
            return False
        self.scope.no_tricks(node.span)
        self.expr(node.operand)
        return False

    def _tricks_won(self, node: s.TricksWon) -> p.Expr:
        if not self.counts_tricks(node):
            return self.lost(number())
        return self.expr(s.Attribute(node.span, node.operand, s.Word(node.span, WON)))

    def _junction(self, node: s.Binary) -> p.Expr:
        if self._half(node):
            return self.lost(FLAG)
        left = self.condition(node.left)
        yes, no = self.facts(node.left)
        right = self.narrowed(yes if node.word == "and" else no, lambda: self.condition(node.right))
        return p.Op(op=node.word, args=(left, right), type=FLAG)

    def narrowed(self, facts: dict[str, p.Type], make: Callable[[], Any]) -> Any:
        """Return what `make` returns while the names in `facts` are known to be of those card types."""
        before = dict(self.scope.narrowed)
        self.scope.narrowed.update(facts)
        try:
            return make()
        finally:
            self.scope.narrowed = before

    def _arithmetic(self, node: s.Binary) -> p.Expr:
        left, right = self.number(node.left), self.number(node.right)
        op = ARITHMETIC[node.word]
        if "nothing" in (left.type.form, right.type.form):
            return self.lost()
        return self._folded(op, (left, right), bounds(op, left.type, right.type), node.span.line)

    def _folded(self, op: str, args: tuple[p.Expr, ...], type: p.Type, line: int = 0) -> p.Expr:
        return p.Op(op=op, args=args, type=type, line=line if op in ("div", "mod") else 0)

    # ---- conditional ----------------------------------------------------------------------------

    def _conditional(self, node: s.Conditional, want: p.Type | None) -> p.Expr:
        test = self.condition(node.condition)
        yes, no = self.facts(node.condition)
        a = self.narrowed(yes, lambda: self.expr(node.value, want))
        b = self.narrowed(no, lambda: self.expr(node.otherwise, want or a.type))
        return self.merge(node.span, test, a, b, want)

    def merge(self, span: Span, test: p.Expr, a: p.Expr, b: p.Expr, want: p.Type | None) -> p.Expr:
        """Return one value or the other, as one type."""
        if want is not None:
            a = converted(a, want, self.scope) or a
            b = converted(b, want, self.scope) or b
        type = join(a.type, b.type)
        if type is None:
            fitted = converted(b, a.type, self.scope)
            if fitted is not None:
                return p.Cond(test=test, yes=a, no=fitted, type=a.type)
            fitted = converted(a, b.type, self.scope)
            if fitted is not None:
                return p.Cond(test=test, yes=fitted, no=b, type=b.type)
            self.report.add(
                "E307",
                span,
                f"the cases give different kinds of value: {describe(a.type)} and {describe(b.type)}",
                mend="let every case give the same kind of value",
            )
            return self.lost()
        return p.Cond(test=test, yes=a, no=b, type=type)


def _first_player(collection: p.Expr) -> str:
    """Return how to come to the first of some players; empty for anything else."""
    inner = element_of(collection.type)
    if inner is None or inner.form != "player":
        return ""
    return "go through them, `for q in seats from p where ...`, and leave the loop with `end for` after the first"
