"""Expressions whose value is known when a spec is checked: deck lines, first values, numbers in a range."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from hoyle import program as p
from hoyle.primitives import PURE
from hoyle.program.purity import bound, children
from hoyle.runtime.sets import members

MOST_STEPS = 200_000
LARGEST = 1 << 62
LARGEST_ELEMENT = 1_000  # numbers in sets go to 62, pieces a good deal further


class NotConstant(Exception):
    """An expression that only a table can answer."""


class NoValue(Exception):
    """An expression that has no value, or none that can be held; says why in words."""


class TooLong(Exception):
    """An expression that takes too many steps to work out."""


def fixed(expr: p.Expr, names: frozenset[int] = frozenset()) -> bool:
    """Return whether an expression asks nothing but constants, parameters and the slots `names`."""
    match expr:
        case p.Slot():
            return expr.slot in names
        case p.Op() if expr.op not in PURE and expr.op not in ("and", "or", "convert", "within", "range"):
            return False
        case p.Const() | p.Param() | p.Cond() | p.Op() | p.Loop(word="any" | "every" | "count"):
            inside = names.union(b.slot for b in bound(expr))
            return all(fixed(x, inside) for x in children(expr))
        case _:
            return False


class Reckoning:
    """Works out expressions of constants, parameters and names with known values, within a number of steps in all."""

    def __init__(self, parameters: Mapping[str, int] | None = None, most: int = MOST_STEPS) -> None:
        self.parameters = parameters or {}
        self.left = most

    def step(self) -> None:
        """Count a step; TooLong when there have been too many."""
        self.left -= 1
        if self.left < 0:
            raise TooLong

    def value(self, expr: p.Expr, slots: dict[int, int]) -> int:
        """Return the value of an expression. Raises NotConstant, NoValue, TooLong."""
        self.step()
        match expr:
            case p.Const():
                return expr.value
            case p.Param():
                if expr.name not in self.parameters:
                    raise NotConstant
                return self.parameters[expr.name]
            case p.Slot():
                if expr.slot not in slots:
                    raise NotConstant
                return slots[expr.slot]
            case p.Cond():
                return self.value(expr.yes if self.value(expr.test, slots) else expr.no, slots)
            case p.Op(op="and"):
                return int(all(self.value(a, slots) for a in expr.args))
            case p.Op(op="or"):
                return int(any(self.value(a, slots) for a in expr.args))
            case p.Op(op="convert"):
                value, low, *places = (self.value(a, slots) for a in expr.args)
                return places[value - low] if 0 <= value - low < len(places) else -1
            case p.Op(op="within"):
                value, low, high = (self.value(a, slots) for a in expr.args)
                if not low <= value <= high:
                    raise NoValue(f"{value} is outside {low}..{high}")
                return value
            case p.Op() if expr.op in PURE:
                return self._pure(expr.op, [self.value(a, slots) for a in expr.args])
            case p.Loop(word="any"):
                return int(any(self._holds(expr.where, x) for x in self.combinations(expr.binders, slots)))
            case p.Loop(word="every"):
                return int(all(self._holds(expr.where, x) for x in self.combinations(expr.binders, slots)))
            case p.Loop(word="count"):
                return sum(self._holds(expr.where, x) for x in self.combinations(expr.binders, slots))
            case _:
                raise NotConstant

    def _pure(self, op: str, values: list[int]) -> int:
        if op in ("div", "mod") and values[1] == 0:
            raise NoValue("one can't divide by 0")
        held = {"unit": values[:1], "in_set": values[:1], "range_set": values}.get(op, ())
        if not all(0 <= x <= LARGEST_ELEMENT for x in held):
            raise NoValue("sets hold numbers from 0 to 62")
        made = int(PURE[op].run(*values))
        if not held and abs(made) >= LARGEST and op in ("add", "sub", "mul", "neg"):
            raise NoValue("this number is too large")
        return made

    def _holds(self, where: p.Expr | None, slots: dict[int, int]) -> bool:
        return where is None or bool(self.value(where, slots))

    def elements(self, expr: p.Expr, slots: dict[int, int]) -> Iterable[int]:
        """Return what a constant range or set holds, ascending; a range is not counted out."""
        if isinstance(expr, p.Op) and expr.op == "range":
            low, high = (self.value(a, slots) for a in expr.args)
            return range(low, high + 1)
        if expr.type.form != "set":
            raise NotConstant
        mask = self.value(expr, slots)
        if mask < 0:
            raise NotConstant
        return members(mask)

    def combinations(self, binders: tuple[p.Bind, ...], slots: dict[int, int]) -> Iterator[dict[int, int]]:
        """Yield the slots with the binders set to each combination of what they run through, the first slowest."""
        if not binders:
            yield slots
            return
        bind, *rest = binders
        for value in self.elements(bind.source, slots):
            self.step()
            if bind.rank and value <= slots[bind.slot - 1]:
                continue
            yield from self.combinations(tuple(rest), {**slots, bind.slot: value})
