"""Which phases are counted as they are run: those that might be run without end before the next decision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hoyle import program as p

MOST = 4  # phases that one may run, and those again, without being counted: so much longer may a fault take to come


def counted(
    phases: tuple[p.Phase, ...], blocks: tuple[p.Block, ...]
) -> tuple[tuple[p.Phase, ...], tuple[p.Block, ...]]:
    """Return phases and blocks where a phase without decisions is counted only if it is run in a `for`, or runs many.

    Whatever goes round and round passes a loop that is counted itself; what else there is ends.
    """
    performed = {x.name: _performed(x.body) for x in phases if x.straight}
    light = frozenset(name for name in performed if _runs(name, performed, MOST) <= MOST)
    return (
        tuple(
            x.model_copy(update={"body": _uncounted(x.body, light)}) if x.straight and x.body else x
            for x in phases
        ),
        tuple(x.model_copy(update={"body": _uncounted(x.body, light)}) if x.body else x for x in blocks),
    )


def _runs(name: str, performed: Mapping[str, list[str]], most: int) -> int:
    """Return how many phases a phase runs that are not counted, with itself; one more than `most` for all above it."""
    found = 1
    for inner in performed.get(name, ()):
        if found > most:
            break
        found += _runs(inner, performed, most - found)
    return min(found, most + 1)


def _performed(body: Iterable[p.Statement]) -> list[str]:
    """Return the phases that statements run, those in a `for` not among them."""
    found: list[str] = []
    for node in body:
        match node:
            case p.Perform():
                found.append(node.phase)
            case p.If():
                found += _performed((*node.yes, *node.no))
            case p.Repeat():
                found += _performed(node.body)
            case _:
                pass
    return found


def _uncounted(body: tuple[p.Statement, ...], light: frozenset[str]) -> tuple[p.Statement, ...]:
    """Return statements in which light phases are not counted."""
    made: list[p.Statement] = []
    for node in body:
        match node:
            case p.Perform() if node.phase in light:
                made.append(node.model_copy(update={"counted": False}))
            case p.If():
                made.append(
                    node.model_copy(
                        update={"yes": _uncounted(node.yes, light), "no": _uncounted(node.no, light)}
                    )
                )
            case p.Repeat():
                made.append(node.model_copy(update={"body": _uncounted(node.body, light)}))
            case _:
                made.append(node)
    return tuple(made)
