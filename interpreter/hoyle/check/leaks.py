"""Guards that ask about cards the chooser can't see: which options are on offer would then tell what lies there.

How many cards lie somewhere, everybody knows; so `size of`, `is empty` and a plain `any c in Z` tell nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from hoyle import program as p
from hoyle.program.purity import bound, children, free_slots

MOST_NODES = (
    300_000  # in all guards of a spec: definitions that ask each other can be far larger than they look
)
Zones = Mapping[str, p.Zone]


class Leaks:
    """Finds the zones whose cards an expression asks about although `chooser` does not see them."""

    def __init__(
        self,
        zones: Zones,
        function: Callable[[str], p.Function | None],
        chooser: p.Expr,
        arguments: Iterable[p.Bind],
        most: int,
    ) -> None:
        self.zones = zones
        # What the names run through that may stand for several players, by their slots.
        self.running = {b.slot: b.source for b in arguments}
        self.function = function
        self.chooser = chooser
        self.left = most

    def names(self, expr: p.Expr) -> list[str]:
        """Return the names of those zones, each once; none if it takes too long to tell."""
        found = dict.fromkeys(self._asked(expr, {}))
        return list(found) if self.left > 0 else []

    def sees(self, zone: p.ZoneAt) -> bool:
        """Return whether the chooser sees all cards of a zone, or may."""
        return self._seen(zone, {})

    def run_through(self, expr: p.Expr) -> None:
        """Take note of the names in an expression that run through several things."""
        self.running.update((b.slot, b.source) for b in bound(expr))
        for child in children(expr):
            self.run_through(child)

    def _asked(self, expr: p.Expr, given: Mapping[int, p.Expr]) -> Iterator[str]:
        """Yield hidden zones; `given` are the arguments of the definition that the expression stands in."""
        self.left -= 1
        if self.left <= 0:
            return
        self.running.update((b.slot, b.source) for b in bound(expr))
        match expr:
            case p.ZoneAt():
                if not self._seen(expr, given):
                    yield expr.name
            case p.Op(op="size_zone", args=(p.ZoneAt() as zone,)):
                yield from self._within(zone, given)
            case p.Op(op="begun", args=(p.ZoneAt(), *rest)):
                for part in rest:
                    yield from self._asked(part, given)
            case p.Op(op="top", args=(p.ZoneAt() as zone,)) if self._form(zone) == "top":
                yield from self._within(zone, given)
            case p.Loop(word="any" | "count") if _plain(expr):
                for bind in expr.binders:
                    yield from self._within(bind.source, given)
                if expr.where is not None:
                    yield from self._asked(expr.where, given)
            case p.Invoke():
                function = self.function(expr.function)
                if function is not None:
                    args = (_put(a, given) for a in expr.args)
                    yield from self._asked(function.body, dict(zip(function.parameters, args, strict=False)))
                yield from self._within(expr, given)
            case _:
                yield from self._within(expr, given)

    def _within(self, expr: p.Expr, given: Mapping[int, p.Expr]) -> Iterator[str]:
        for child in children(expr):
            yield from self._asked(child, given)

    def _form(self, zone: p.ZoneAt) -> str:
        found = self.zones.get(zone.name)
        return "open" if found is None else found.seen

    def _seen(self, zone: p.ZoneAt, given: Mapping[int, p.Expr]) -> bool:
        """Return whether the chooser sees all cards of a zone, or may: whose it is cannot always be told."""
        seen = self._form(zone)
        if seen == "open":
            return True
        if seen in ("hidden", "top"):
            return False
        owner = None if zone.index is None else self._owner(_put(zone.index, given))
        if owner is None or seen == "others":
            return owner is None or not _same(owner, self.chooser)
        if seen == "team":
            return self._on_team(owner)
        if isinstance(owner, p.Slot) and owner.slot not in self.running:
            return True  # a player who is called otherwise may still be the chooser
        return _same(owner, self.chooser) or not isinstance(owner, p.Op | p.Slot)

    def _owner(self, index: p.Expr) -> p.Expr:
        """Return whose a zone is: a player or team, whose also the zones are that began in play."""
        source = self.running.get(index.slot) if isinstance(index, p.Slot) else index
        if isinstance(source, p.Op) and source.op in ("begun", "fresh") and len(source.args) > 2:
            scaled = source.args[2]
            return scaled.args[0] if isinstance(scaled, p.Op) else scaled
        return index

    def _on_team(self, owner: p.Expr) -> bool:
        """Return whether a player is of the chooser's team, or a team is that, or may be."""
        match owner:
            case p.Slot() if owner.slot in self.running:
                source = self.running[owner.slot]
                return isinstance(source, p.Op) and source.op == "members" and self._on_team(source.args[0])
            case p.Op(op="wrap", args=(p.Op(op="add", args=(player, _)), _)):  # a partner
                return self._on_team(player)
            case p.Op(op="wrap", args=(player, _)):  # the team of a player
                return self._on_team(player)
            case _:
                return not isinstance(owner, p.Op) or _same(owner, self.chooser)


def _put(expr: p.Expr, given: Mapping[int, p.Expr]) -> p.Expr:
    """Return an expression with the argument it names put in its place; others as they are."""
    return given.get(expr.slot, expr) if isinstance(expr, p.Slot) else expr


def _same(a: p.Expr, b: p.Expr) -> bool:
    if isinstance(a, p.Slot) and isinstance(b, p.Slot):
        return a.slot == b.slot
    return a == b


def _plain(expr: p.Expr) -> bool:
    """Return whether a phrase asks only whether there is anything, or how much: not which cards those are."""
    where = expr.where if isinstance(expr, p.Loop) else None
    looked_at = set(free_slots(where)) if where is not None else set()
    return all(
        not b.pieces and isinstance(b.source, p.ZoneAt) and b.slot not in looked_at for b in bound(expr)
    )
