"""Who asks or runs whom: an order in which what is asked comes first, circles, and how deep it all goes.

Nothing here recurses: a chain may be as long as a file, and it is for this module to say that it is too long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import NamedTuple

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.decisions import bodies
from hoyle.program.purity import children
from hoyle.source import Span

MOST_LEVELS = 100
MOST_PHASES = 60
SHOWN = 6


class Asked(NamedTuple):
    """A name that something asks or runs, and where."""

    name: str
    span: Span


def asked_first(
    calls: Mapping[str, Sequence[tuple[str, Span]]],
) -> tuple[list[str], list[tuple[list[str], Span]]]:
    """Return the names, the asked before those that ask, and the circles: each with the place that closes it."""
    order: list[str] = []
    circles: list[tuple[list[str], Span]] = []
    done: set[str] = set()
    for first in calls:
        path: dict[str, int] = {}
        open_ = [] if first in done else [(first, 0)]
        while open_:
            name, next_ = open_.pop()
            path.setdefault(name, len(path))
            if next_ == len(calls[name]):
                del path[name]
                done.add(name)
                order.append(name)
                continue
            open_.append((name, next_ + 1))
            callee, span = calls[name][next_]
            if callee in path:
                circles.append(([*list(path)[path[callee] :], callee], span))
            elif callee in calls and callee not in done:
                open_.append((callee, 0))
    return order, circles


def shown(chain: Sequence[str]) -> str:
    """Return a chain in words, without its middle if it is long."""
    names = list(chain)
    if len(names) > SHOWN:
        names = [*names[: SHOWN - 2], "...", *names[-2:]]
    return " -> ".join(names)


def names_asked(block: s.Define) -> list[Asked]:
    """Return the names in a definition that may be those of others: its arguments and binders are not among them."""
    own = {w.text for group in block.fields for w in group.names}
    found: list[Asked] = []
    open_: list[object] = [block.cases, block.value, block.best]
    while open_:
        node = open_.pop()
        match node:
            case tuple():
                open_ += reversed(node)
            case s.Name():
                found.append(Asked(node.text, node.span))
            case s.Call():
                found.append(Asked(node.name.text, node.name.span))
                open_ += reversed(node.arguments)
            case s.Binder():
                own |= {w.text for w in node.names}
                open_.append(node.source)
            case s.Node():
                open_ += [getattr(node, f.name) for f in reversed(fields(node))]
    return [x for x in found if x.name not in own]


def levels(expr: p.Expr, known: Mapping[str, int]) -> int:
    """Return how deep an expression is nested; a definition in it counts with its own levels, as `known`."""
    most = 0
    open_ = [(expr, 1)]
    while open_:
        node, depth = open_.pop()
        most = max(most, depth + (known.get(node.function, 0) if isinstance(node, p.Invoke) else 0))
        open_ += [(x, depth + 1) for x in children(node)]
    return most


def runs(body: s.Body) -> list[tuple[s.Do, int]]:
    """Return the statements of a suite that run a phase, each with how many blocks it stands in."""
    found = []
    open_ = [(x, 1) for x in reversed(body.statements)]
    while open_:
        statement, depth = open_.pop()
        if isinstance(statement, s.Do):
            found.append((statement, depth))
        open_ += [(x, depth + 1) for inner in reversed(bodies(statement)) for x in reversed(inner.statements)]
    return found


def deep_phases(phases: Mapping[str, s.Phase]) -> list[s.Phase]:
    """Return the phases at which what they run, and what that runs, gets too deep; one for each chain."""
    inside = {name: runs(phase.body) for name, phase in phases.items()}
    order, _ = asked_first({n: [Asked(x.name.text, x.span) for x, _ in found] for n, found in inside.items()})
    depth: dict[str, int] = {}
    found = []
    for name in order:
        depth[name] = max((d + depth.get(x.name.text, 0) for x, d in inside[name]), default=0)
        if depth[name] > MOST_PHASES:
            found.append(phases[name])
            depth[name] = 0
    return found
