"""Which statements hold a decision, or a way out that only the flow graph can take. Reads syntax alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hoyle import syntax as s

LOOPS = ("repeat", "turns", "for")


def bodies(statement: s.Statement) -> list[s.Body]:
    """Return the suites inside a statement."""
    match statement:
        case s.If():
            return [statement.body, *([statement.otherwise] if statement.otherwise else [])]
        case s.Repeat() | s.For() | s.Turns():
            return [statement.body]
        case s.Choose():
            found = [o.body for o in statement.options if o.body is not None]
            return found + ([statement.nobody] if statement.nobody is not None else [])
        case _:
            return []


def walk(body: s.Body) -> list[s.Statement]:
    """Return all statements of a suite, outer before inner."""
    found = []
    for statement in body.statements:
        found.append(statement)
        for inner in bodies(statement):
            found += walk(inner)
    return found


def loop_word(statement: s.Statement) -> str:
    """Return what `end` calls a loop: repeat, for or turns, or a word of its own; empty for other statements."""
    match statement:
        case s.Repeat():
            return statement.word
        case s.For():
            return "for"
        case s.Turns():
            return "turns"
        case _:
            return ""


def deciding(phases: dict[str, s.Phase]) -> set[str]:
    """Return the phases that hold a decision or leave in a way that only the graph can take."""
    inside = {name: walk(phase.body) for name, phase in phases.items()}
    first = [n for n, phase in phases.items() if needs_flow(phase.body, set(), "")]
    return running({name: run_by(statements) for name, statements in inside.items()}, ["play", *first])


def run_by(statements: Iterable[s.Statement]) -> list[str]:
    """Return the phases that some statements run themselves."""
    return [x.name.text for x in statements if isinstance(x, s.Do)]


def running(calls: Mapping[str, Iterable[str]], first: Iterable[str], but: str = "") -> set[str]:
    """Return some phases and those that run one of them, themselves or by others; not by way of the phase `but`.

    `calls` tells for each phase which it runs itself.
    """
    callers: dict[str, set[str]] = {}
    for name, run in calls.items():
        for inner in run:
            callers.setdefault(inner, set()).add(name)
    found, open_ = set(first), list(first)
    while open_:
        more = callers.get(open_.pop(), set()) - found - {but}
        found |= more
        open_ += more
    return found


def needs_flow(body: s.Body, phases: set[str], loop: str) -> bool:
    """Return whether a suite needs the graph; `loop` is the innermost straight loop around it."""
    return any(statement_needs_flow(x, phases, loop) for x in body.statements)


def statement_needs_flow(statement: s.Statement, phases: set[str], loop: str) -> bool:
    """Return whether a statement needs the graph."""
    match statement:
        case s.Choose() | s.Wins():
            return True
        case s.Do():
            return statement.name.text in phases
        case s.End():
            return statement.what.text != loop
        case _:
            inner = loop_word(statement) or loop
            return any(needs_flow(b, phases, inner) for b in bodies(statement))


def leaves(statement: s.Statement) -> bool:
    """Return whether nothing can come after a statement: whichever way it goes, it leaves."""
    match statement:
        case s.End() | s.Wins():
            return True
        case s.If():
            return statement.otherwise is not None and all(map(_ends, bodies(statement)))
        case s.Choose():
            offered = statement.options
            return bool(offered) and all(o.body is not None and _ends(o.body) for o in offered)
        case _:
            return False


def _ends(body: s.Body) -> bool:
    return bool(body.statements) and leaves(body.statements[-1])


def assigned(body: s.Body) -> set[str]:
    """Return the names that the statements of a suite may set themselves."""
    found: set[str] = set()
    for statement in walk(body):
        target = getattr(statement, "target", None)
        if isinstance(statement, s.Assign | s.Pick | s.DrawFor) and isinstance(target, s.Name):
            found.add(target.text)
        elif isinstance(statement, s.Assign | s.Pick | s.DrawFor) and isinstance(target, s.Attribute):
            found.add(target.name.text)
        elif isinstance(statement, s.MoveSome) and statement.name is not None:
            found.add(statement.name.text)
    return found
