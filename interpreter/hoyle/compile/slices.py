"""Parts of a sorted zone: the cards of one suit lie side by side there, so they are cut out and not looked for."""

from __future__ import annotations

from bisect import bisect_left

from hoyle import program as p
from hoyle.compile.names import Names
from hoyle.program.purity import free_slots


class Slices:
    """Knows by which attributes the kinds of a deck are in order, and which tables of first kinds are asked for."""

    def __init__(self, program: p.Program, names: Names) -> None:
        self.program = program
        self.names = names
        self.begins: dict[str, tuple[str, list[int]]] = {}
        self.sides: dict[str, tuple[tuple[str, list[int]], tuple[str, list[int]]]] = {}

    def part(self, bind: p.Bind, where: p.Expr | None) -> tuple[str, bool, p.Expr] | None:
        """Return the attribute by whose value a condition picks pieces, whether it must be equal, and the value.

        None for other conditions, and for attributes by which the kinds are not in order.
        """
        if not (isinstance(where, p.Op) and where.op in ("eq", "ne")) or bind.pieces:
            return None
        for own, value in (where.args, where.args[::-1]):
            mine = isinstance(own, p.Attr) and isinstance(own.of, p.Slot) and own.of.slot == bind.slot
            plain = value.type.form == "enum" and not value.type.or_none
            if mine and plain and bind.slot not in free_slots(value):
                assert isinstance(own, p.Attr)
                return None if self._values(own.name) is None else (own.name, where.op == "eq", value)
        return None

    def first_kinds(self, attribute: str) -> tuple[str, list[int]]:
        """Return the table of the first kind with each value or one after it, and its name."""
        if attribute not in self.begins:
            values = self._values(attribute)
            assert values is not None
            labels = next(
                len(e.labels)
                for a in next(iter(self.program.attributes.values()))
                if a.name == attribute
                for e in self.program.enums
                if e.name == a.type.name
            )
            table = [bisect_left(values, x) for x in range(labels + 1)]
            self.begins[attribute] = self.names.give(f"{self.names.attributes[attribute]}_BEGINS"), table
        return self.begins[attribute]

    def ends(self, attribute: str) -> tuple[str, str]:
        """Return the names of two tables by kind: the first kind with the same value, and the first after those."""
        if attribute not in self.sides:
            name = self.names.attributes[attribute]
            values = self._values(attribute) or []
            self.sides[attribute] = (
                (self.names.give(f"{name}_FROM"), [bisect_left(values, x) for x in values]),
                (self.names.give(f"{name}_TO"), [bisect_left(values, x + 1) for x in values]),
            )
        first, last = self.sides[attribute]
        return first[0], last[0]

    def tables(self) -> list[tuple[str, list[int]]]:
        """Return the tables that are asked for, each with its name before it."""
        return [*self.begins.values(), *(table for both in self.sides.values() for table in both)]

    def bounds(self, attribute: str, value: int) -> tuple[int, int]:
        """Return the first kind with a value, and the first after those."""
        values = self._values(attribute) or []
        return bisect_left(values, value), bisect_left(values, value + 1)

    def _values(self, attribute: str) -> list[int] | None:
        """Return the value of each kind, if all have the attribute, one of an enum, and they are in order."""
        values: list[int] = []
        for kind in self.program.kinds:
            columns = {a.name: i for i, a in enumerate(self.program.attributes[kind.type])}
            if attribute not in columns:
                return None
            values.append(kind.values[columns[attribute]])
        types = {a.type for x in self.program.attributes.values() for a in x if a.name == attribute}
        ordered = values == sorted(values) and min(values, default=-1) >= 0
        return values if ordered and [x.form for x in types] == ["enum"] else None
