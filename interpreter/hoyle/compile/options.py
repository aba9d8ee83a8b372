"""Options as the compiler sees them: arguments, guards in the order asked, and whether kinds alone settle the moves.

Where no guard tells apart pieces that look alike, moves are found over kinds, with tables of the kinds that fit; a
number is turned back into pieces when it is played. Where a guard does, every piece is tried, the first that fits kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hoyle import program as p
from hoyle.compile.expressions import Emitter, Env
from hoyle.compile.passes import Pass
from hoyle.compile.told import Part
from hoyle.program.folding import conjuncts, fold
from hoyle.program.numbering import Group, Numbered
from hoyle.program.purity import (
    free_slots,
    in_written_order,
    may_fault,
    reads_state,
    told_apart,
)
from hoyle.program.sizes import UNTOLD
from hoyle.program.symmetry import symmetric

if TYPE_CHECKING:
    from hoyle.compile.finding import OptionEmitter
    from hoyle.compile.scans import Scan


class Members:
    """Methods and first lines of `__init__` that choices add to the class of the rules."""

    def __init__(self) -> None:
        self.init: list[str] = []
        self.methods: list[list[str]] = []
        self.pairs: set[int] = set()
        self.places: dict[tuple[int, ...], str] = {}
        self.subsets: dict[tuple[tuple[int, ...], ...], str] = {}


class OptionParts:
    """One option: what its arguments range over, what is asked of them and when, and how it is numbered."""

    def __init__(
        self, emitter: Emitter, members: Members, phase: str, option: p.Option, numbered: Numbered, env: Env
    ) -> None:
        self.emitter = emitter
        self.members = members
        self.names = emitter.names
        self.option = option
        self.numbered = numbered
        self.env = env
        self.name = self.names.give(f"{phase}_{option.name}")
        self.slots = [a.bind.slot for a in option.arguments]
        self.binds = [a.bind for a in option.arguments]
        guards = in_written_order(conjuncts(option.where), emitter.functions)
        before = conjuncts(option.when) + [g for g in guards if not self.mentioned(g)]
        self.before = [x for x in map(_known, before) if not (isinstance(x, p.Const) and x.value)]
        self.guards = [g for g in guards if self.mentioned(g)]
        self.loose, self.fast_guards = self._split()
        self.heads = [i for i, b in enumerate(self.binds) if b.rank == 0]
        self.fast = self._fast()
        self.scan: Scan | None = None
        self.rowed: list[p.Expr] | None = None
        self.joined: list[OptionEmitter] = []
        self.joins_first = False
        self.large = self.small = -1
        self.small_table = ""

    def note(self, found_by: Pass, *words: Part) -> None:
        """Note what a pass found in this option."""
        self.emitter.told.note(found_by, f"{self.option.name}: ", *words, line=self.option.line)

    def chosen(self, place: int) -> str:
        """Return an argument and what it is chosen from, as written."""
        words = self.option.arguments[place].words
        return f"{self.binds[place].name} in {words}" if words else self.binds[place].name

    # ---- what kind of option it is --------------------------------------------------------

    def mentioned(self, expr: p.Expr) -> list[int]:
        """Return the places of the arguments that an expression speaks of."""
        free = free_slots(expr)
        return [i for i, slot in enumerate(self.slots) if slot in free]

    def _apart(self, exprs: Sequence[p.Expr]) -> bool:
        """Return whether pieces that look alike are told apart among the arguments."""
        pieces = {b.slot for b in self.binds if b.type.form == "piece"}
        return any(pieces & told_apart(x, self.emitter.functions) for x in exprs)

    def _split(self) -> tuple[list[p.Expr], list[p.Expr]]:
        """Return the conditions on the table under which no pieces are told apart, and the guards left then."""
        loose: list[p.Expr] = []
        left: list[p.Expr] = []
        for guard in self.guards:
            if not self._apart([guard]):
                left.append(guard)
                continue
            aside = [x for x in _alternatives(guard) if not self.mentioned(x)]
            if not aside:
                left.append(guard)
                continue
            whole = aside[0]
            for x in aside[1:]:
                whole = p.Op(op="or", args=(whole, x), type=whole.type)
            loose.append(whole)
        return loose, left

    def _fast(self) -> bool:
        """Return whether the moves can be found over kinds, where the conditions of `loose` hold."""
        sources = [b.source for b in self.binds]
        if (
            "kinds" in self.emitter.without
            or self._apart([*self.fast_guards, *sources])
            or any(a.low is not None for a in self.option.arguments)
        ):
            return False
        for head, group in zip(self.heads, self.numbered.groups, strict=True):
            places = list(range(head, head + group.many))
            if group.many > 2 or (group.many == 2 and self.binds[head].type.form != "piece"):
                return False
            if group.many == 2 and not symmetric(
                self.option, places, self.fast_guards, self.emitter.functions
            ):
                return False
        return True

    def unless(self) -> list[Part]:
        """Return in words where pieces are tried one by one all the same: unless a condition on the table holds."""
        return [part for x in self.loose for part in (", where ", x)]

    def by_faces(self, guard: p.Expr) -> bool:
        """Return whether a guard asks only about the faces of arguments."""
        functions = self.emitter.functions
        pieces = {b.slot for b in self.binds if b.type.form == "piece"}
        names = set(free_slots(guard))
        faces = names <= pieces and not reads_state(guard, functions) and not told_apart(guard, functions)
        return faces and not may_fault(guard, functions)

    # ---- the two arguments of a scan ---------------------------------------------------------

    def group(self, head: int) -> Group:
        """Return the group of arguments that begins at a place."""
        return self.numbered.groups[self.heads.index(head)]

    def large_places(self) -> list[int]:
        """Return the places of the arguments from the large zone."""
        return list(range(self.large, self.large + self.group(self.large).many))

    def expected(self, head: int) -> int:
        """Return how many pieces the source of an argument is likely to hold."""
        source = self.binds[head].source
        return self.emitter.sizes[source.zone] if isinstance(source, p.ZoneAt) else UNTOLD

    # ---- what arguments range over ----------------------------------------------------------

    def kinds_of(self, place: int) -> list[int]:
        """Return the kinds that an argument may be of."""
        pieces = self.binds[place].pieces or self.binds[place].type.pieces
        return [i for i, kind in enumerate(self.emitter.program.kinds) if kind.type in pieces]

    def is_sorted(self, source: p.Expr) -> bool:
        if not isinstance(source, p.ZoneAt):
            return source.type.form == "set"
        zone = next(z for z in self.emitter.program.zones if z.number == source.zone)
        return zone.form == "pool"

    def place(self, group: Group, kind: str) -> str:
        """Return text for the place of a kind in the domain of an argument."""
        if list(group.places) == list(range(len(group.places))):
            return kind
        name = self.members.places.setdefault(
            group.places, self.names.give(f"PLACE_{len(self.members.places) + 1}")
        )
        return f"{name}[{kind}]"

    def values(self, source: p.Expr, env: Env) -> str:
        run = self.emitter.run(source, env)
        ascending = source.type.form == "set" or (
            isinstance(source, p.Op) and source.op in ("players", "members")
        )
        return run if ascending else f"sorted({run})"

    def number_of_pieces(self) -> str:
        number = ""
        for head, group in zip(self.heads, self.numbered.groups, strict=True):
            locals_ = [self.names.locals[self.slots[i]] for i in range(head, head + group.many)]
            if group.subsets:
                places = [f"at_{x}" for x in locals_]
            elif self.binds[head].type.form == "piece":
                places = [self.place(group, x if self.emitter.unique else f"kind_of[{x}]") for x in locals_]
            else:
                places = [x if group.low == 0 else f"{x} - {group.low}" for x in locals_]
            repeats = self.binds[head].type.form == "piece"
            place = places[0] if group.many == 1 else f"rank_of([{', '.join(places)}], {repeats})"
            number = place if not number else f"({number}) * {group.moves} + {place}"
        return number


def _known(condition: p.Expr) -> p.Expr:
    """Return a condition, as a value where it says the same in every game."""
    known = fold(condition, {})
    return known if isinstance(known, p.Const) else condition


def _alternatives(expr: p.Expr) -> list[p.Expr]:
    """Return the conditions that a condition joins by `or`, in order."""
    if isinstance(expr, p.Op) and expr.op == "or":
        return [x for a in expr.args for x in _alternatives(a)]
    return [expr]
