"""The best assignment of wild cards: what of it can be done exactly, and what is refused.

`best:` is a sum over groups, or the highest of them. What a group is worth may ask its cards by phrases alone, and each
card may count in one group: then runtime/assigning.py finds the optimum. All other shapes are refused here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.constants import NotConstant, NoValue, Reckoning, TooLong
from hoyle.check.facing import Facing
from hoyle.check.putting import changed, inlined, slots_in
from hoyle.check.types import describe
from hoyle.program.purity import Functions, reads_table, told_apart
from hoyle.program.types import number, set_of
from hoyle.runtime.assigning import Assigning
from hoyle.source import Span

if TYPE_CHECKING:
    from hoyle.check.expressions import Expressions

WORDS: dict[str, Literal["any", "every", "count", "sum", "run", "set"]] = {
    "any": "any",
    "every": "every",
    "count": "count",
    "sum": "sum",
    "run": "run",
    "set": "set",
}
MOST_WAYS = 4_096  # ways to share wilds among groups, and tallies of one group
EXAMPLE = (
    "`best: sum of points(p, k) for k in Colour`, where `points` asks phrases about the cards of colour k,"
    " such as `count c in p.hand where c.colour is k`"
)


class Refused(Exception):
    """What can't be done exactly: code, place, message and mend."""

    def __init__(self, code: str, span: Span, message: str, mend: str) -> None:
        super().__init__(message)
        self.code, self.span, self.message, self.mend = code, span, message, mend


class Groups(NamedTuple):
    """The groups of a score: their name, their values, what each is worth."""

    bind: p.Bind
    values: tuple[int, ...]
    value: p.Expr
    highest: bool


def best_of(ask: Expressions, name: str, node: s.AsIf, functions: Mapping[str, p.Function]) -> p.Expr:
    """Return the best assignment as an expression, or report why it can't be found."""
    before = ask.report.noted
    try:
        return _Best(ask, name, node, functions).made()
    except Refused as refused:
        # With a fault anywhere, what wild cards may stand for is not known, and how many ways there are neither.
        if ask.report.noted == (0 if refused.code == "E324" else before):
            ask.report.add(refused.code, refused.span, refused.message, mend=refused.mend)
        return ask.lost()


class _Best:
    def __init__(
        self, ask: Expressions, name: str, node: s.AsIf, functions: Mapping[str, p.Function]
    ) -> None:
        self.ask, self.name, self.node = ask, name, node
        self.functions = Functions(functions.values())
        self.facing = Facing(ask.kinds, ask.scope.pieces, self.functions)
        self.empty = p.Const(value=0, type=set_of(None))
        self.tallies: dict[p.Loop, p.Tally] = {}

    def made(self) -> p.Expr:
        """Return the expression; raises Refused."""
        ask, node = self.ask, self.node
        before = ask.report.noted
        zone = ask.expr(node.wild.source)
        if zone.type.form == "nothing":
            return ask.lost()
        if not isinstance(zone, p.ZoneAt):
            raise Refused(
                "E303",
                node.wild.source.span,
                f"the wild cards lie in a zone, not in {describe(zone.type)}",
                "name a zone, such as `p.hand`",
            )
        wild, face, fits = self._wilds(zone)
        best = ask.number(node.best)
        if ask.report.noted > before or best.type.form == "nothing":
            return ask.lost()
        self.zone = zone
        groups = self._groups(inlined(best, self.functions))
        value = changed(groups.value, lambda x: self._tally(x, groups.bind.slot))
        known = {groups.bind.slot, *(t.result.slot for t in self.tallies.values())}
        if reads_table(_without_parameters(value), self.functions) or slots_in(value) - known:
            raise self._shape("it asks about more than the cards of the zone, the group and parameters")
        made = p.AsIf(
            name=self.name,
            zone=zone,
            wild=wild,
            face=face,
            fits=fits,
            nothing=node.nothing,
            group=groups.bind,
            groups=groups.values,
            tallies=tuple(self.tallies.values()),
            value=value,
            highest=groups.highest,
            type=number(best.type.low, best.type.high),
            line=node.span.line,
        )
        self._feasible(made)
        return made

    def _shape(self, why: str) -> Refused:
        return Refused(
            "E321",
            self.node.best.span,
            f"the best of this can't be found exactly: {why}",
            f"write it as {EXAMPLE}",
        )

    # ---- the wilds --------------------------------------------------------------------------

    def _wilds(self, zone: p.ZoneAt) -> tuple[p.Bind, p.Bind, p.Expr | None]:
        """Return the names of the wild and of what it stands for, and the condition on both."""
        ask, node = self.ask, self.node
        ask.scope.locals.append({})
        narrowed = dict(ask.scope.narrowed)
        try:
            wild = self._bind(node.wild)
            face = self._bind(node.face)
            if set(wild.pieces) & set(face.pieces):
                raise Refused(
                    "E322",
                    node.face.span,
                    "a wild card can't stand for a wild card",
                    "let the wild cards be of types of their own: a `kind` puts several under one name",
                )
            fits = None if node.where is None else ask.condition(node.where)
        finally:
            ask.scope.locals.pop()
            ask.scope.narrowed = narrowed
        return wild, face, fits

    def _bind(self, binder: s.Binder) -> p.Bind:
        ask = self.ask
        assert binder.type is not None
        pieces = ask.declare.piece_names(binder.type.text)
        (word,) = binder.names
        if pieces is None:
            ask.scope.unknown(binder.type, "card type", [*ask.scope.pieces, *ask.scope.unions])
            pieces = ()
        type = p.Type(form="piece", pieces=pieces)
        slot = ask.scope.slot(word.text, type, "scratch")
        ask.scope.local(word, type, slot)
        return p.Bind(slot=slot, name=word.text, source=self.empty, pieces=pieces, type=type)

    # ---- the score --------------------------------------------------------------------------

    def _groups(self, best: p.Expr) -> Groups:
        """Return the groups of a score; of one that has none, one group."""
        if isinstance(best, p.Loop) and best.word in ("sum", "highest") and len(best.binders) == 1:
            (bind,) = best.binders
            if bind.source.type.form != "zone" and bind.type.form != "piece":
                try:
                    values = [x for x in Reckoning().elements(bind.source, {}) if self._counts(best, bind, x)]
                except (NotConstant, NoValue, TooLong):
                    raise self._shape("the groups are not known beforehand") from None
                if not values or len(values) > MOST_WAYS:
                    raise self._shape("there are no groups" if not values else "there are too many groups")
                assert best.value is not None
                return Groups(bind, tuple(values), best.value, best.word == "highest")
        whole = number(0, 0)
        slot = self.ask.scope.slot("the whole", whole, "scratch")
        return Groups(p.Bind(slot=slot, name="the whole", source=self.empty, type=whole), (0,), best, False)

    def _counts(self, best: p.Loop, bind: p.Bind, value: int) -> bool:
        return best.where is None or bool(Reckoning().value(best.where, {bind.slot: value}))

    def _tally(self, expr: p.Expr, group: int) -> p.Expr | None:
        """Return what stands for a phrase over the cards of the zone; None for other expressions."""
        if expr == self.zone:
            raise self._shape(
                "of these cards it asks more than phrases can tell, such as `count`, `sum of` or `longest run of`"
            )
        if not isinstance(expr, p.Loop) or not any(b.source == self.zone for b in expr.binders):
            return None
        if expr.word not in WORDS:
            raise self._shape(f"`{expr.word} of` has no value where there is no card")
        if len(expr.binders) > 1:
            raise self._shape("a phrase in it goes through several cards at once")
        (card,) = expr.binders
        inside = slots_in(expr.where, expr.value) - {card.slot, group}
        parts = [x for x in (expr.where, expr.value) if x is not None]
        if inside or any(reads_table(x, self.functions) for x in parts):
            raise self._shape("a phrase in it asks about more than its card and the group")
        found = self.tallies.get(expr)
        if found is None:
            name = f"{WORDS[expr.word]} {len(self.tallies) + 1}"
            slot = self.ask.scope.slot(name, expr.type, "scratch")
            result = p.Bind(slot=slot, name=name, source=self.empty, type=expr.type)
            alone = card.model_copy(update={"source": self.empty})
            found = p.Tally(
                word=WORDS[expr.word], card=alone, where=expr.where, value=expr.value, result=result
            )
            self.tallies[expr] = found
        return p.Slot(slot=found.result.slot, name=found.result.name, type=expr.type)

    # ---- what it takes ------------------------------------------------------------------------

    def _feasible(self, made: p.AsIf) -> None:
        """Refuse what asks more than faces, and what would take too long."""
        slots = {made.wild.slot, made.face.slot, *(t.card.slot for t in made.tallies)}
        asked = [
            x for x in (made.fits, *(y for t in made.tallies for y in (t.where, t.value))) if x is not None
        ]
        if any(told_apart(x, self.functions) & slots for x in asked):
            raise self._faces()
        kinds = range(len(self.ask.kinds))
        wilds = [k for k in kinds if self.ask.kinds[k].type in made.wild.pieces]
        faces = [k for k in kinds if self.ask.kinds[k].type in made.face.pieces]
        try:
            stands = {w: [n for n in faces if self._fits(made, w, n)] for w in wilds}
            features = {
                (g, k): self._feature(made, g, k)
                for g in range(len(made.groups))
                for k in kinds
                if k not in stands
            }
        except (NotConstant, NoValue, TooLong):
            raise self._faces() from None
        for k in kinds:
            homes = [
                g for g in range(len(made.groups)) if any(x is not None for x in features.get((g, k), ()))
            ]
            if len(homes) > 1:
                raise Refused(
                    "E323",
                    self.node.best.span,
                    f'the card "{self.ask.kinds[k].face}" counts in several groups, which can\'t be judged one by one',
                    "let each card count in one group: `where c.colour is k`",
                )
        assigning = Assigning(
            lambda: stands,
            range(len(made.groups)),
            [t.word for t in made.tallies],
            lambda g, k: features[g, k],
            lambda *tallies: 0,
        )
        lanes, states = assigning.size(self._copies(wilds), MOST_WAYS)
        if lanes > MOST_WAYS or states > MOST_WAYS:
            what = (
                "to share these wild cards among the groups"
                if lanes > MOST_WAYS
                else "for a group to come out"
            )
            raise Refused(
                "E324",
                self.node.span,
                f"there are too many ways {what} to try them all: more than {MOST_WAYS}",
                "let fewer wild cards serve several groups, or let them stand for less",
            )

    def _faces(self) -> Refused:
        return Refused(
            "E325",
            self.node.span,
            "what a wild card may stand for, and what a card counts for, must be known beforehand",
            "ask the faces of the two cards, the group and plain values alone, in `where` and in the phrases",
        )

    def _fits(self, made: p.AsIf, wild: int, face: int) -> bool:
        return self.facing.holds(made.fits, {made.wild.slot: wild, made.face.slot: face})

    def _feature(self, made: p.AsIf, group: int, kind: int) -> list[int | None]:
        found: list[int | None] = []
        for tally in made.tallies:
            slots = {tally.card.slot: kind, made.group.slot: made.groups[group]}
            if tally.card.pieces and self.ask.kinds[kind].type not in tally.card.pieces:
                found.append(None)
            elif tally.word == "every":
                found.append(None if self.facing.holds(tally.where, slots) else 0)
            elif not self.facing.holds(tally.where, slots):
                found.append(None)
            else:
                found.append(1 if tally.value is None else self.facing.value(tally.value, slots))
        return found

    def _copies(self, kinds: list[int]) -> dict[int, int]:
        """Return how many there are of each kind at most, with any number of players."""
        lines = self.ask.lines
        counts = range(self.ask.declare.made.low, self.ask.declare.made.high + 1)
        return {
            k: max(
                (sum(x.copies for x in lines if x.kind == k and x.low <= n <= x.high) for n in counts),
                default=0,
            )
            for k in kinds
        }


def _without_parameters(expr: p.Expr) -> p.Expr:
    """Return an expression in which parameters are any numbers: they are settled before a game begins."""
    return changed(expr, lambda x: p.Const(value=0, type=x.type) if isinstance(x, p.Param) else None)
