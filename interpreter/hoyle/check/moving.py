"""Statements that move pieces: what is moved, from where, to where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.asking import shown_way
from hoyle.check.begun import of_definition
from hoyle.check.expressions import Expressions
from hoyle.check.quoting import quoted
from hoyle.check.scope import Noun
from hoyle.check.types import describe, element_of, fits
from hoyle.program.types import PLAYER, set_of
from hoyle.source import Span


class Moving:
    """The part of the simple statements that moves pieces."""

    def __init__(self, expressions: Expressions) -> None:
        self.ask = expressions
        self.report = expressions.report
        self.scope = expressions.scope
        self.phase: s.Phase | None = None
        self.cards: dict[int, int] = {}  # how many there are, by the number of players

    if TYPE_CHECKING:

        def _fixed(self, noun: Noun, span: Span) -> bool: ...

    def zone(self, node: s.Expr, *, filled: bool = False) -> p.Expr:
        """Return an expression as a zone; `filled` notes that pieces come to it."""
        if isinstance(node, s.Name) and not self.scope.has(node.text):
            self.scope.unknown(s.Word(node.span, node.text), "zone", self.scope.holding("zone"))
            return p.ZoneAt(zone=0, name="", type=p.Type(form="zone"))
        made = self.ask.expr(node)
        if made.type.form != "zone":
            if made.type.form != "nothing":
                self.report.add(
                    "E303",
                    node.span,
                    f"a zone is wanted here, not {describe(made.type)}",
                    mend=_which(made) or of_definition(made) or _end_of(node) or "name one, such as `p.hand`",
                )
            return p.ZoneAt(zone=0, name="", type=p.Type(form="zone"))
        if filled:
            self._filled(made)
        return made

    def _filled(self, zone: p.Expr) -> None:
        if isinstance(zone, p.ZoneAt) and zone.name in self.scope.nouns:
            self.scope.nouns[zone.name].written = True
        elif isinstance(zone, p.Cond):
            self._filled(zone.yes)
            self._filled(zone.no)

    def _ordered(self, node: s.Expr) -> p.Expr:
        made = self.zone(node)
        noun = self.scope.nouns.get(made.name) if isinstance(made, p.ZoneAt) else None
        if noun is not None and noun.zone is not None and noun.zone.form == "pool":
            self.report.add(
                "E303",
                node.span,
                f"`{noun.name}` is a pool: it has no order to shuffle",
                second=(noun.span, "declared here"),
                mend="make it a pile or a row",
            )
        return made

    def _pile(self, node: s.Expr) -> p.Expr:
        """Return a zone that one can draw from: a pile, since it alone has a top."""
        made = self.zone(node)
        noun = self.scope.nouns.get(made.name) if isinstance(made, p.ZoneAt) else None
        if noun is not None and noun.zone is not None and noun.zone.form != "pile":
            form = noun.zone.form
            mend = (
                "say `move first of ...` or `move last of ...`"
                if form == "row"
                else "say which card, or `pick` one"
            )
            self.report.add(
                "E310",
                node.span,
                f"one draws from the top of a pile, and `{noun.name}` is a {form}",
                second=(noun.span, "declared here"),
                mend=mend + ", or make it a pile",
            )
        return made

    def _show(self, node: s.Show) -> list[p.Statement]:
        seats = None if node.seats is None else self.ask.expr(node.seats)
        if seats is not None:
            inner = element_of(seats.type) if seats.type.form != "player" else seats.type
            if seats.type.form != "nothing" and (inner is None or inner.form != "player" or inner.or_none):
                self.ask.mismatch(
                    node.seats.span if node.seats is not None else node.span, seats.type, PLAYER
                )
                return []
        way = shown_way(self.ask, node, seats)
        return way or [p.Show(pieces=self._pieces(node.pieces), seats=seats, line=node.span.line)]

    def _move_these(self, node: s.MoveThese) -> list[p.Statement]:
        pieces = self._pieces(node.pieces)
        target = self.zone(node.target, filled=True)
        return [p.MovePieces(pieces=pieces, target=target, line=node.span.line)]

    def _pieces(self, nodes: tuple[s.Expr, ...]) -> tuple[p.Expr, ...]:
        """Return pieces, sets of pieces and zones; what is none of these is reported and left out."""
        pieces = []
        for item in nodes:
            made = self.ask.expr(item)
            inner = element_of(made.type) if made.type.form != "piece" else made.type
            if made.type.form == "nothing" or (made.type.form == "set" and inner is None):
                continue
            if inner is None or inner.form != "piece" or made.type.or_none:
                self.ask.mismatch(item.span, made.type, p.Type(form="piece", pieces=tuple(self.scope.pieces)))
                continue
            pieces.append(made)
        return tuple(pieces)

    def _move_some(self, node: s.MoveSome) -> list[p.Statement]:
        named = self.scope.find(node.amount.text) if isinstance(node.amount, s.Name) else None
        if named is not None and node.amount is not None and named.type.form in ("piece", "set"):
            card, whence, where = (
                quoted(self.report, x.span) for x in (node.amount, node.source, node.target)
            )
            self.report.add(
                "E301",
                node.amount.span,
                f"`{card}` says which cards, and `from` says from where so many are drawn",
                mend=f"leave `from {whence}` out, `move {card} to {where}`: cards are moved from wherever they are",
            )
            return []
        amount = None if node.amount is None else self._amount(node.amount)
        source = self.zone(node.source) if amount is None else self._pile(node.source)
        target = self.zone(node.target, filled=True)
        slot = None
        if node.name is not None:
            slot = self._moved_name(node.name)
        return [p.MoveSome(amount=amount, source=source, target=target, slot=slot, line=node.span.line)]

    def _amount(self, node: s.Expr) -> p.Expr:
        made = self.ask.number(node)
        if made.type.high is not None and made.type.high < 0:
            self.report.add(
                "E301", node.span, "one can't move fewer than no cards", mend="use a number from 0 up"
            )
        return made

    def _moved_name(self, word: s.Word) -> int | None:
        cards = set_of(p.Type(form="piece", pieces=tuple(self.scope.pieces)))
        noun = self.scope.find(word.text)
        if noun is None:
            slot = self.scope.slot(word.text, cards, "local")
            self.scope.local(word, cards, slot).fixed = False
            return slot
        if self._fixed(noun, word.span):
            return None
        if not fits(cards, noun.type) or noun.type.form != "set" or noun.owner:
            self.ask.mismatch(word.span, cards, noun.type)
            return None
        return noun.slot

    def _deal(self, node: s.Deal) -> list[p.Statement]:
        amount, source = self._amount(node.amount), self._pile(node.source)
        self._enough(node, amount)
        noun = self.scope.find(node.zone.text)
        if noun is None or noun.zone is None or not noun.each_player or noun.zone.many:
            own = [n for n, x in self.scope.nouns.items() if x.zone and x.each_player and not x.zone.many]
            if noun is None:
                mend = "name a zone that each player has: " + ", ".join(own) if own else ""
                self.scope.unknown(node.zone, "zone of each player", own, mend)
            elif not self.scope.first_unowned(noun, "player"):
                self.report.note()
            else:
                shared = noun.zone is not None and not noun.owner
                added = "add `each player` where it is declared, or " if shared else ""
                self.report.add(
                    "E303",
                    node.zone.span,
                    f"`{node.zone.text}` is not one zone that each player has",
                    second=(noun.span, "declared here"),
                    mend=f"{added}deal to a zone declared with `each player`: {', '.join(own)}",
                )
            return []
        noun.written = True
        first = None if node.first is None else self.ask.value(node.first, PLAYER)
        return [
            p.Deal(
                amount=amount,
                source=source,
                zone=noun.zone.number,
                name=noun.name,
                out=self._out(),
                first=first,
                line=node.span.line,
            )
        ]

    def _enough(self, node: s.Deal, amount: p.Expr) -> None:
        """Warn of a deal that needs more cards than the whole deck holds."""
        made = self.ask.declare.made
        each = amount.value if isinstance(amount, p.Const) else None
        if isinstance(amount, p.Param):
            each = next((x.default for x in made.parameters if x.name == amount.name), None)
        if each is None or not self.ask.sure:
            return
        if not self.cards:
            self.cards = {
                n: sum(x.copies for x in self.ask.lines if x.low <= n <= x.high)
                for n in range(made.low, made.high + 1)
            }
        for players, there in self.cards.items():
            if each * players > there:
                self.report.add(
                    "W403",
                    node.amount.span,
                    f"with {players} players this deals {each * players} cards, and there are {there}",
                    mend="deal fewer, write more cards into the deck, or let fewer play",
                )
                return

    def _gather(self, node: s.Gather) -> list[p.Statement]:
        names: tuple[str, ...] = ()
        if node.type is not None:
            found = self.ask.declare.piece_names(node.type.text)
            if found is None:
                self.scope.unknown(node.type, "card type", [*self.scope.pieces, *self.scope.unions])
            names = found or ()
        target = self.zone(node.target, filled=True)
        if node.shuffled:
            self._ordered(node.target)
        return [p.Gather(pieces=names, target=target, shuffled=node.shuffled, line=node.span.line)]

    def _out(self) -> p.Expr | None:
        return next(iter(self.ask.seating.out()), None)


def _end_of(node: s.Expr) -> str:
    """Return where cards come to lie, for one who names the place in a zone; empty for anything else."""
    if not isinstance(node, s.Unary) or node.word not in ("top", "bottom", "first", "last"):
        return ""
    return "cards come to lie on top of a pile, and at the end of a row: name the zone alone"


def _which(expr: p.Expr) -> str:
    """Return how to name one of zones that begin in play, where all of them stand; empty for anything else."""
    if not isinstance(expr, p.Op) or expr.op != "begun" or not isinstance(expr.args[0], p.ZoneAt):
        return ""
    return f"name one of them, as in `m in {expr.args[0].name}`, or begin one with `new`"
