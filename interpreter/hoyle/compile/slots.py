"""Which slots statements and the ends of blocks read or set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hoyle import program as p
from hoyle.program.liveness import expressions_in, slots_read


def slots_of(body: Sequence[p.Statement]) -> set[int]:
    """Return the slots that statements read or set, binders of loops among them."""
    found: set[int] = set()
    for node in body:
        for expr in expressions_in(node):
            found |= slots_read(expr)
        match node:
            case p.Set() | p.Pick() | p.DrawFor() | p.Collect():
                found.add(node.slot)
            case p.MoveSome():
                found |= set() if node.slot is None else {node.slot}
            case p.Take():
                found |= {node.slot, node.index, *node.targets}
            case _:
                pass
        for inner in ("yes", "no", "body"):
            found |= slots_of(getattr(node, inner, ()))
        for bind in getattr(node, "binders", ()):
            found.add(bind.slot)
    return found


def slots_of_exit(exit: p.Exit, phases: Mapping[str, p.Phase]) -> set[int]:
    """Return the slots that the end of a block reads or sets, the arguments of options not among them."""
    match exit:
        case p.Branch():
            return slots_read(exit.test)
        case p.Call():
            return {s for a in exit.args for s in slots_read(a)} | set(phases[exit.phase].parameters)
        case p.Over():
            return set() if exit.winner is None else slots_read(exit.winner)
        case p.Choose():
            found = slots_read(exit.chooser)
            for option in exit.options:
                own = {a.bind.slot for a in option.arguments}
                asked = [x for a in option.arguments for x in (a.bind.source, a.low, a.high)]
                for expr in (option.when, option.where, *asked):
                    if expr is not None:
                        found |= slots_read(expr) - own
            return found
        case _:
            return set()
