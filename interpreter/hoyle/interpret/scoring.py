"""Best assignments of wild cards and best splits as closures: what the run-time package asks of a definition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from hoyle import program as p
from hoyle.program.purity import free_slots
from hoyle.runtime.assigning import Assigning, wilds_in
from hoyle.runtime.melding import Form, Marks, Melding
from hoyle.runtime.state import HEAD, State

if TYPE_CHECKING:
    from hoyle.interpret.expressions import Asking

Ask = Callable[[State], Any]


class Scoring:
    """Makes what finds best ways, one for each definition, and the closures that ask it."""

    def __init__(self, asking: Asking) -> None:
        self.asking = asking
        self.layout = asking.layout
        self.made: dict[str, Assigning] = {}
        self.splits: dict[str, Melding] = {}
        # What is asked of faces asks no table: any state will do, so it has one of its own for the slots.
        self.slots: State = [0] * self.layout.size

    def as_if(self, expr: p.AsIf) -> Ask:
        """Return a closure for a part of a best assignment."""
        found = self.assigning(expr)
        zone, kind_of = self.asking.closure(expr.zone), self.layout.kind_of
        match expr.part:
            case "best":
                return lambda S: found.best([kind_of[x] for x in S[zone(S)]])
            case "witness":
                return lambda S: found.witness([kind_of[x] for x in S[zone(S)]])
            case _:
                wild, face = map(self.asking.closure, expr.asked)
                return lambda S: found.takes([kind_of[x] for x in S[zone(S)]], wild(S), face(S))

    def split(self, expr: p.Split) -> Ask:
        """Return a closure for a part of a best split."""
        found, run = self.melding(expr), self.asking.run(expr.source)
        asked = getattr(found, expr.part)
        return lambda S: asked(run(S))

    def melding(self, expr: p.Split) -> Melding:
        """Return what finds the best split of a definition."""
        if expr.name not in self.splits:
            first = {kind: piece for piece, kind in reversed(list(enumerate(self.layout.kind_of)))}
            melded, left = (self._of_card(expr.card, x, first) for x in (expr.melded, expr.left))
            self.splits[expr.name] = Melding(
                self.layout.kind_of,
                [self._form(form, first) for form in expr.forms],
                self._passing(expr.wild, expr.is_wild, first),
                expr.most_wild,
                lambda kind, there: melded(kind) if there else left(kind),
                expr.least,
                expr.extra,
                expr.line,
            )
        return self.splits[expr.name]

    def _form(self, form: p.MeldForm, first: dict[int, int]) -> Form:
        same = [self._of_card(form.card, x, first) for x in form.same]
        row, once = (None if x is None else self._of_card(form.card, x, first) for x in (form.row, form.once))
        fits = self._passing(form.card, None, first)

        def marks(kind: int) -> Marks | None:
            if not fits(kind):
                return None
            return (
                tuple([x(kind) for x in same]),
                0 if row is None else row(kind),
                0 if once is None else once(kind),
            )

        return Form(form.name, form.low, form.high, row is not None, once is not None, marks)

    def _of_card(self, bind: p.Bind, expr: p.Expr, first: dict[int, int]) -> Callable[[int], int]:
        """Return a closure for what is asked of one card, by its kind."""
        value, S, slot = self.asking.closure(expr), self.slots, HEAD + bind.slot

        def ask(kind: int) -> int:
            S[slot] = first[kind]
            return int(value(S))

        return ask

    def _passing(
        self, bind: p.Bind | None, test: p.Expr | None, first: dict[int, int]
    ) -> Callable[[int], bool]:
        """Return a closure for whether a card is of the types of a name, and passes a test; of no name, none does."""
        if bind is None:
            return lambda kind: False
        kinds, pieces = self.layout.program.kinds, bind.pieces
        if test is None:
            return lambda kind: not pieces or kinds[kind].type in pieces
        holds = self._of_card(bind, test, first)
        return lambda kind: (not pieces or kinds[kind].type in pieces) and bool(holds(kind))

    def assigning(self, expr: p.AsIf) -> Assigning:
        """Return what finds the best assignment of a definition."""
        if expr.name not in self.made:
            first = {kind: piece for piece, kind in reversed(list(enumerate(self.layout.kind_of)))}
            fits = self._fits(expr, first)
            kinds = self.layout.program.kinds
            wilds = [k.type in expr.wild.pieces for k in kinds]
            faces = [k.type in expr.face.pieces for k in kinds]
            self.made[expr.name] = Assigning(
                lambda: wilds_in(self.layout.kind_of, wilds, faces, fits),
                expr.groups,
                [t.word for t in expr.tallies],
                self._feature(expr, first),
                self._value(expr),
                expr.nothing,
                expr.highest,
                expr.group.slot not in free_slots(expr.value),
            )
        return self.made[expr.name]

    def _fits(self, expr: p.AsIf, first: dict[int, int]) -> Callable[[int, int], bool]:
        if expr.fits is None:
            return lambda wild, face: True
        test, S = self.asking.closure(expr.fits), self.slots
        at, other = HEAD + expr.wild.slot, HEAD + expr.face.slot

        def fits(wild: int, face: int) -> bool:
            S[at], S[other] = first[wild], first[face]
            return bool(test(S))

        return fits

    def _feature(self, expr: p.AsIf, first: dict[int, int]) -> Callable[[int, int], Sequence[int | None]]:
        S, group = self.slots, HEAD + expr.group.slot
        made = []
        for tally in expr.tallies:
            where = None if tally.where is None else self.asking.closure(tally.where)
            value = None if tally.value is None else self.asking.closure(tally.value)
            fits = self.layout.of_types(tally.card.pieces) if tally.card.pieces else None
            made.append((tally.word == "every", HEAD + tally.card.slot, fits, where, value))

        def feature(k: int, kind: int) -> list[int | None]:
            S[group], piece = k, first[kind]
            found: list[int | None] = []
            for claims, slot, fits, where, value in made:
                S[slot] = piece
                passes = where is None or where(S)
                if fits is not None and not fits[piece]:
                    found.append(None)
                elif claims:
                    found.append(None if passes else 0)
                else:
                    found.append(None if not passes else 1 if value is None else value(S))
            return found

        return feature

    def _value(self, expr: p.AsIf) -> Callable[..., int]:
        S, group, value = self.slots, HEAD + expr.group.slot, self.asking.closure(expr.value)
        places = [HEAD + t.result.slot for t in expr.tallies]

        def worth(k: int, *tallies: int) -> int:
            S[group] = k
            for place, tally in zip(places, tallies, strict=True):
                S[place] = tally
            return int(value(S))

        return worth
