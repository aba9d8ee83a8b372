"""Sets of pieces as lists, where they are only gone through; what is the same at every pass is worked out once.

`c in p.hand where c.suit is led.suit, else any` is a list with another behind an `or`, and no set is made of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from hoyle import program as p
from hoyle.compile.conditions import Conditions, Env, bare, emptiness
from hoyle.compile.names import Names
from hoyle.compile.passes import Pass
from hoyle.compile.slices import Slices
from hoyle.compile.told import Told
from hoyle.program.purity import Functions, bound, children, free_slots, may_fault


class Lists(Conditions):
    """Writes sets as lists. With `plain` nothing is: so for those who ask what they may not see.

    `without` are the passes that are left out; `told` hears what the others find.
    """

    program: p.Program
    names: Names
    functions: Functions
    tabled: set[str]
    plain = False
    sure_of_seats = False  # what is written is carried out as it stands, by seats in variables

    def __init__(self, program: p.Program, names: Names, without: frozenset[Pass], told: Told) -> None:
        self.program = program
        self.names = names
        self.without = without
        self.told = told
        self.seats_there = str(program.low) if program.low == program.high else "self.n"
        self.beside: dict[str, str] = {}  # tables of the seats to the left and right of each, by the word
        self.given = {}
        self.held: dict[p.Expr, str] = {}  # names of lists of what is in a zone or set
        self.slices = Slices(program, names)
        deck = [(d.kind, d.copies, d.low <= program.low and d.high >= program.high) for d in program.deck]
        # Where there is one piece of each kind, always, a piece is its kind.
        self.unique = sorted(deck) == [(kind, 1, True) for kind in range(len(program.kinds))]
        self.unique = self.unique and "single" not in without
        if self.unique:
            told.note("single", f"{len(deck)} {program.word}s, each but once", line=0)

    def table_beside(self, word: str) -> str:
        """Return the table of the seats to the left or right of each; none where player counts differ.

        What is asked before it is wanted may ask about no seat at all: only a variable is sure to hold one.
        """
        if not self.sure_of_seats or not self.seats_there.isdigit():
            return ""
        if word not in self.beside:
            self.beside[word] = self.names.give(word.upper())
        return self.beside[word]

    def is_filled(self, zone: p.Expr) -> bool:
        """Return whether a zone is known not to be empty."""
        return zone in self.filled and "filled" not in self.without

    def has_end(self, end: p.Op) -> bool:
        """Return whether the zone of which a piece at one end is asked for is known not to be empty."""
        known = self.is_filled(end.args[0])
        if known and not self.plain:
            self.told.note("filled", end)
        return known

    def kind(self, piece: str) -> str:
        """Return text for the kind of a piece."""
        return piece if self.unique else f"self.kind_of[{piece}]"

    def form(self, zone: p.ZoneAt) -> str:
        """Return the form of a zone: pile, row or pool."""
        return next(z.form for z in self.program.zones if z.number == zone.zone)

    def zone_of(self, expr: p.Expr) -> p.ZoneAt | None:
        """Return the zone in which all pieces of a set lie, where that is plain to see."""
        match expr:
            case p.ZoneAt():
                return expr
            case p.Op(op="zone_set"):
                return self.zone_of(expr.args[0])
            case p.Op(op="or_else"):
                return self._one_zone(expr.args)
            case p.Cond():
                return self._one_zone((expr.yes, expr.no))
            case p.Loop(word="set") if self._picks(expr):
                return self.zone_of(expr.binders[0].source)
            case _:
                return None

    def _one_zone(self, exprs: Sequence[p.Expr]) -> p.ZoneAt | None:
        zones = [self.zone_of(x) for x in exprs]
        return zones[0] if all(z == zones[0] for z in zones) else None

    def _picks(self, expr: p.Loop) -> bool:
        """Return whether a set is made of those elements of one source that pass a condition."""
        bind, value = expr.binders[0], expr.value
        alone = len(expr.binders) == 1 and bind.type.form == "piece"
        return alone and isinstance(value, p.Slot) and value.slot == bind.slot

    def listed(self, expr: p.Expr, env: Env, first: str = "") -> str:
        """Return text for the pieces of a set as a list, ascending, each once; nothing where that takes a set.

        With `first` each is given by that text and its name: so numbers of moves are made of pieces.
        """
        if self.plain or "lists" in self.without:
            return ""
        match expr:
            case p.Op(op="zone_set"):
                return self._pool(expr.args[0], env, first)
            case p.Op(op="or_else"):
                parts = [self.listed(x, env, first) for x in expr.args]
                return f"({' or '.join(parts)})" if all(parts) else ""
            case p.Cond():
                ways = ((True, expr.yes), (False, expr.no))
                yes, no = (self._knowing(expr.test, way, x, env, first) for way, x in ways)
                return f"({yes} if {self.truth(expr.test, env)} else {no})" if yes and no else ""
            case p.Loop(word="set") if self._picks(expr):
                bind, value = expr.binders[0], expr.value
                assert value is not None
                if expr.where is None and not bind.pieces:
                    every = self._pool(bind.source, env, first)
                    return every or self.listed(bind.source, env, first)
                if not self._pool(bind.source, env, first) and bind.source.type.form != "set":
                    return ""
                if there := self._one_kind(expr, env, first) or self._cut_out(expr, env, first):
                    return there
                clauses, _ = self.clauses(expr.binders, expr.where, env, [value])
                return f"[{first}{self.names.locals[bind.slot]}{clauses}]"
            case _:
                return ""

    def as_list(self, expr: p.Expr, env: Env, first: str = "") -> str:
        """Return what `listed` says, for a text that is used."""
        text = self.listed(expr, env, first)
        if text:
            self.told.note("lists", expr)
        return text

    def _one_kind(self, expr: p.Loop, env: Env, first: str) -> str:
        """Return text for the one card of some kind, if it is there; nothing where it may not be alone."""
        bind, where = expr.binders[0], expr.where
        if not (self.unique and isinstance(where, p.Op) and where.op == "is_kind") or bind.pieces:
            return ""
        card, kind = where.args
        if not (isinstance(card, p.Slot) and card.slot == bind.slot and isinstance(kind, p.Const)):
            return ""
        there = self._pool(bind.source, env, "")
        return f"([{first}{kind.value}] if {kind.value} in {there} else [])" if there else ""

    def _cut_out(self, expr: p.Loop, env: Env, first: str) -> str:
        """Return text for those pieces of a sorted zone that lie side by side there; nothing for other sets.

        They are all of one value, or all but those of the first or the last one, which is known; or those after the
        last one that was picked.
        """
        if (picked := picked_last(expr)) and "slices" not in self.without:
            there = self._pool(expr.binders[0].source, env, "")
            if there:
                self.told.note("slices", expr)
            part = f"{there}[bisect_left({there}, {self.e(picked, env)} + 1) :]"
            return f"[{first}x for x in {part}]" if there and first else part if there else ""
        there, found = self._sorted(expr, env), self.slices.part(expr.binders[0], expr.where)
        if not there or found is None or not isinstance(found[2], p.Const):
            return ""
        low, high = self.slices.bounds(found[0], found[2].value)
        last = len(self.program.kinds)
        if not found[1] and low > 0 and high < last:
            return ""
        if not found[1]:
            low, high = (high, last) if low == 0 else (0, low)
        self.told.note("slices", expr)
        ends = [f"bisect_left({there}, {x})" if 0 < x < last else "" for x in (low, high)]
        part = f"{there}[{ends[0]} : {ends[1]}]".replace("[ :", "[:").replace(": ]", ":]")
        return f"[{first}x for x in {part}]" if first else part

    def _cut_by(self, expr: p.Loop, env: Env, name: str, first: str) -> list[str]:
        """Return the lines that make a list of the pieces of a sorted zone with a value that is not known before."""
        there, found = self._sorted(expr, env), self.slices.part(expr.binders[0], expr.where)
        if not there or found is None or not found[1] or isinstance(found[2], p.Const):
            return []
        self.told.note("slices", expr)
        value: p.Expr = found[2]
        if self._face_of(value, found[0]):
            # Of a card as it is: where those like it begin and end stands in tables by card.
            assert isinstance(value, p.Attr)
            first_last, value = self.slices.ends(found[0]), value.of
            ends = [f"bisect_left({there}, {table}[fixed])" for table in first_last]
        else:
            table = self.slices.first_kinds(found[0])[0]
            ends = [f"bisect_left({there}, {table}[fixed{x}])" for x in ("", " + 1")]
        part = f"{there}[{' : '.join(ends)}]"
        return [
            f"fixed = {bare(self.e(value, env, True))}",
            f"{name} = {f'[{first}x for x in {part}]' if first else part}",
        ]

    def _face_of(self, value: p.Expr, attribute: str) -> bool:
        """Return whether a value is that attribute of a card which is surely there."""
        if not isinstance(value, p.Attr) or value.name != attribute or value.of.type.or_none:
            return False
        return isinstance(value.of, p.Slot | p.Op) and not self._faults(value.of)

    def _sorted(self, expr: p.Loop, env: Env) -> str:
        """Return the name of the sorted zone that a set is made from, where pieces are kinds and it has a name."""
        if not self.unique or "slices" in self.without:
            return ""
        there = self._pool(expr.binders[0].source, env, "")
        return there if there.isidentifier() else ""

    def _pool(self, zone: p.Expr, env: Env, first: str) -> str:
        """Return text for the pieces of a zone that is kept sorted; nothing for another."""
        if not (isinstance(zone, p.ZoneAt) and self.form(zone) == "pool"):
            return ""
        there = self.run(zone, env)
        return f"[{first}x for x in {there}]" if first else there

    def written(self, expr: p.Expr, env: Env, name: str, first: str) -> list[str]:
        """Return the lines that make a list of a set that can be `listed`, case by case."""
        if isinstance(expr, p.Cond):
            made: list[str] = []
            for head, holds, case in (
                (f"if {bare(self.truth(expr.test, env))}:", True, expr.yes),
                ("else:", False, expr.no),
            ):
                before, self.filled = self.filled, self.filled | filled_by(expr.test, holds)
                made += [head, *["    " + x for x in self.written(case, env, name, first)]]
                self.filled = before
            return made
        if isinstance(expr, p.Op) and expr.op == "or_else":
            made = self.written(expr.args[0], env, name, first)
            for other in expr.args[1:]:
                made += [f"if not {name}:", *["    " + x for x in self.written(other, env, name, first)]]
            return made
        if isinstance(expr, p.Loop) and (parts := self._either(expr)):
            test, every, some = parts
            made = [
                f"if {bare(self.truth(test, env))}:",
                f"    {name} = {bare(self.as_list(every, env, first))}",
            ]
            return [*made, "else:", *["    " + x for x in self.written(some, env, name, first)]]
        if isinstance(expr, p.Loop) and (made := self._cut_by(expr, env, name, first)):
            self.told.note("lists", expr)
            return made
        return [f"{name} = {bare(self.as_list(expr, env, first))}"]

    def _either(self, expr: p.Loop) -> tuple[p.Expr, p.Loop, p.Loop] | None:
        """Return what lets every piece through, all pieces, and those let through else; None where nothing does."""
        where, slot = expr.where, expr.binders[0].slot
        if not (isinstance(where, p.Op) and where.op == "or" and len(where.args) == 2):
            return None
        test, other = where.args
        if slot in free_slots(test) or self._tested_faults(test):
            return None
        return test, expr.model_copy(update={"where": None}), expr.model_copy(update={"where": other})

    def _tested_faults(self, test: p.Expr) -> bool:
        if isinstance(test, p.Op) and test.op in ("eq", "ne", "not", "is_kind", "same"):
            return any(self._tested_faults(x) for x in test.args)
        return self._faults(test)

    def _knowing(self, test: p.Expr, holds: bool, expr: p.Expr, env: Env, first: str) -> str:
        """Return a list written where a condition is known to hold, or not to."""
        before, self.filled = self.filled, self.filled | filled_by(test, holds)
        try:
            return self.listed(expr, env, first)
        finally:
            self.filled = before

    def run(self, expr: p.Expr, env: Env, look: bool = False, once: bool = False) -> str:
        """Return text for the elements of a collection in the order in which names run through them."""
        raise NotImplementedError

    def clauses(
        self,
        binders: tuple[p.Bind, ...],
        where: p.Expr | None,
        env: Env,
        rest: list[p.Expr],
        once: bool = False,
    ) -> tuple[str, Env]:
        """Return the `for` and `if` clauses of a comprehension, and the names inside it."""
        raise NotImplementedError

    def only_kind(self, bind: p.Bind, where: p.Expr | None, paired: bool) -> str:
        """Return the one card that a condition lets through, where there is but one of each kind; else nothing."""
        if not self.unique or self.plain or paired or bind.pieces or "lists" in self.without:
            return ""
        if not (isinstance(where, p.Op) and where.op == "is_kind") or bind.source.type.form != "zone":
            return ""
        card, kind = where.args
        own = isinstance(card, p.Slot) and card.slot == bind.slot and isinstance(kind, p.Const)
        if own:
            self.told.note("lists", where)
        return str(kind.value) if own and isinstance(kind, p.Const) else ""

    def some(self, expr: p.Expr, env: Env) -> str:
        """Return text for the list of a set of which a condition asks whether there is anything in it."""
        if not (isinstance(expr, p.Loop) and expr.word == "any" and expr.where is None):
            return ""
        bind = expr.binders[0]
        return self.as_list(bind.source, env) if len(expr.binders) == 1 and not bind.pieces else ""

    def above(self, expr: p.Loop, env: Env) -> str:
        """Return text for how many pieces of a sorted list look like one or come after it; nothing for other counts."""
        source, least = expr.binders[0].source, self.counts_after(expr)
        pool = isinstance(source, p.ZoneAt) and self.form(source) == "pool"
        if self.plain or least is None or not (pool or source in self.held):
            return ""
        there, kind = self.run(source, env), self.e(least, env, True)
        return f"(len({there}) - bisect_left({there}, {kind if self.unique else f'self.first_of[{kind}]'}))"

    def counts_after(self, expr: p.Loop) -> p.Slot | None:
        """Return the piece of which a count asks how many look like it or come after it; None for other counts."""
        bind, where = expr.binders[0], expr.where
        if expr.word != "count" or len(expr.binders) > 1 or bind.pieces:
            return None
        if not (isinstance(where, p.Op) and where.op == "rises"):
            return None
        least, each = where.args
        if not (isinstance(least, p.Slot) and isinstance(each, p.Slot)):
            return None
        return least if each.slot == bind.slot != least.slot else None

    # ---- what is the same at every pass -------------------------------------------------------

    def fixed(self, expr: p.Expr | None, own: set[int]) -> list[p.Expr]:
        """Return the parts of a condition that ask no name of `own`, can't fault and are more than a look-up."""
        if expr is None or self.plain or "fixing" in self.without:
            return []
        if not own & set(free_slots(expr)):
            worth = isinstance(expr, p.Attr) or (isinstance(expr, p.Invoke) and expr.function in self.tabled)
            if worth and not self._faults(expr):
                self.told.note("fixing", expr)
                return [expr]
        found: list[p.Expr] = []
        inner = own | {b.slot for b in bound(expr)}
        for child in children(expr):
            found += [x for x in self.fixed(child, inner) if x not in found]
        return found

    def _faults(self, expr: p.Expr) -> bool:
        if isinstance(expr, p.Op) and expr.op in ("top", "bottom") and self.is_filled(expr.args[0]):
            return False
        if isinstance(expr, p.Attr):
            return self._faults(expr.of)
        if isinstance(expr, p.Invoke) and expr.function in self.tabled:
            return self._faults(expr.args[0])
        return may_fault(expr, self.functions)


def picked_last(expr: p.Loop) -> p.Slot | None:
    """Return the last pick of a set where a loop goes through those pieces that may be picked next; else None.

    One that looks like it and lies before it has been picked, since the first of those that look alike is.
    """
    bind, where = expr.binders[0], expr.where
    if not (isinstance(where, p.Op) and where.op == "and" and len(where.args) == 2) or bind.pieces:
        return None
    rises, other = where.args
    if not (
        isinstance(rises, p.Op) and rises.op == "rises" and isinstance(other, p.Op) and other.op == "not"
    ):
        return None
    last, each = rises.args
    own = isinstance(each, p.Slot) and each.slot == bind.slot and bind.source.type.form == "zone"
    picked = isinstance(other.args[0], p.Op) and other.args[0].op == "in_set"
    return last if own and picked and isinstance(last, p.Slot) else None


def filled_by(test: p.Expr, holds: bool) -> frozenset[p.Expr]:
    """Return the zones that are not empty where a condition holds, or where it does not."""
    asked = emptiness(test)
    if asked is not None:
        return frozenset() if asked[1] == holds else frozenset([asked[0]])
    if isinstance(test, p.Op) and test.op == ("and" if holds else "or"):
        return frozenset().union(*[filled_by(x, holds) for x in test.args])
    if isinstance(test, p.Op) and test.op == "not":
        return filled_by(test.args[0], not holds)
    return frozenset()


def filled_after(node: p.Statement, filled: frozenset[p.Expr]) -> frozenset[p.Expr]:
    """Return the zones that are not empty after a statement, given those before it."""
    match node:
        case p.Learn() | p.Tell() | p.Show():
            return filled
        case p.Set():
            return frozenset(z for z in filled if node.slot not in free_slots(z))
        case p.MovePieces() if any(x.type.form == "piece" and not x.type.or_none for x in node.pieces):
            return frozenset([node.target])
        case _:
            return frozenset()


__all__ = ["Lists", "bare", "filled_by"]
