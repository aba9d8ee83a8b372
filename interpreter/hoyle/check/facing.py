"""Expressions that ask the faces of cards and values that are known: worked out when a spec is checked.

What a wild card may stand for, and what a card counts for, must not change in play; so it can be known beforehand, and
a spec whose best assignment or split would take too long can be refused. A card is known by its kind here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hoyle import program as p
from hoyle.check.constants import NotConstant, Reckoning
from hoyle.runtime.sets import mask_of

MOST_FACING = 2_000_000


class Facing(Reckoning):
    """Works out expressions of faces; a slot that holds a card holds its kind."""

    def __init__(
        self,
        kinds: Sequence[p.Kind],
        attributes: Mapping[str, tuple[p.Attribute, ...]],
        functions: Mapping[str, p.Function],
    ) -> None:
        super().__init__(most=MOST_FACING)
        self.kinds = kinds
        self.functions = functions
        self.attributes: list[dict[str, int]] = [
            dict(zip((a.name for a in attributes[k.type]), k.values, strict=True)) for k in kinds
        ]

    def value(self, expr: p.Expr, slots: dict[int, int]) -> int:
        """Return the value of an expression. Raises NotConstant, NoValue, TooLong."""
        match expr:
            case p.Attr():
                self.step()
                return self.attributes[self.value(expr.of, slots)].get(expr.name, p.NONE)
            case p.TypeTest():
                self.step()
                kind = self.value(expr.of, slots)
                return int(kind >= 0 and self.kinds[kind].type in expr.pieces)
            case p.Op(op="same" | "is_kind"):
                a, b = (self.value(x, slots) for x in expr.args)
                return int(a == b)
            case p.Op(op="convert_set"):
                mask, low, *places = (self.value(x, slots) for x in expr.args)
                found = [x - low for x in range(mask.bit_length()) if mask >> x & 1]
                return mask_of(places[i] for i in found if 0 <= i < len(places) and places[i] >= 0)
            case p.Invoke():
                function = self.functions.get(expr.function)
                if function is None:
                    raise NotConstant
                args = [self.value(x, slots) for x in expr.args]
                return self.value(
                    function.body, {**slots, **dict(zip(function.parameters, args, strict=True))}
                )
            case _:
                return super().value(expr, slots)

    def holds(self, expr: p.Expr | None, slots: dict[int, int]) -> bool:
        """Return whether a condition holds, or there is none."""
        return expr is None or bool(self.value(expr, slots))
