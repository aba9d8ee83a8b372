"""From syntax to a program and a report. The only maker of programs.

First the nouns, then the deck, definitions, flow, result and scenarios. Faults are gathered; a program comes out only
if there are none.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.constants import NotConstant, evaluate
from hoyle.check.deck import Decks
from hoyle.check.declare import Declarations, Declared
from hoyle.check.define import Definitions
from hoyle.check.expressions import Expressions
from hoyle.check.flow import Flow
from hoyle.check.reach import unreached, unused
from hoyle.check.result import read_result
from hoyle.check.scenario import Scenarios
from hoyle.check.scope import Scope
from hoyle.diagnostics import Report
from hoyle.source import Source, Span

__all__ = ["Checked", "check", "check_companion"]


class Checked(NamedTuple):
    """A program, None after an error, and what is needed to check more scenarios against its names."""

    program: p.Program | None
    scenarios: Scenarios | None


def check(
    file: s.File, source: Source, report: Report, reserved: frozenset[str], broken: frozenset[str]
) -> Checked:
    """Return the checked game, and add what is wrong with it to `report`.

    `broken` are words of lines that could not be read: a name among them is not called unknown.
    """
    read_whole = not report.errors
    scope = Scope(report, reserved, broken)
    declarations = Declarations(report, scope)
    declared = declarations.read(file.blocks)
    ask = Expressions(report, scope, declarations)
    definitions = Definitions(ask, file.blocks)
    kinds, deck = Decks(ask).read(file.blocks)
    ask.kinds = kinds
    ask.pieces = sum(line.copies for line in deck)
    variables = _variables(ask, declared)
    functions = definitions.all()
    flow = Flow(ask, file.blocks)
    phases, blocks, start = flow.read()
    rank = read_result(ask, file.blocks)
    _missing(file, report, declared, flow, deck, rank)
    scenarios = Scenarios(ask, {h.name: h for h in phases}, blocks, declared.low, declared.high)
    scenarios.deck = tuple(deck)
    told = scenarios.read(source, file.blocks)
    if read_whole and not report.errors:
        unused(scope, report)
        unreached(flow, report)
    if not read_whole:
        report.diagnostics = [d for d in report.diagnostics if d.severity == "error"]
    report.sort()
    if report.errors:
        return Checked(None, None)
    program = p.Program(
        name=declared.name,
        text=declared.text,
        path=source.path,
        source_hash=hashlib.sha256(source.text.encode("utf-8")).hexdigest()[:16],
        low=declared.low,
        high=declared.high,
        parameters=tuple(declared.parameters),
        enums=tuple(scope.enums.values()),
        attributes=dict(scope.pieces),
        kinds=tuple(kinds),
        deck=tuple(deck),
        zones=tuple(declared.zones),
        slots=tuple(scope.slots),
        variables=tuple(variables),
        functions=functions,
        phases=phases,
        blocks=blocks,
        start=start,
        rank=rank,
        scenarios=told,
    )
    return Checked(program, scenarios)


def check_companion(
    file: s.File, source: Source, report: Report, scenarios: Scenarios
) -> tuple[p.Scenario, ...]:
    """Return the scenarios of a companion file, checked against the names of its game."""
    report.sources[source.path] = source.text
    for heading in file.headings:
        if heading.text != "scenario":
            report.add(
                "E704",
                heading.span,
                f"a companion file holds scenarios only, not `{heading.text}`",
                mend="put rules into the game's own file",
            )
    kept = scenarios.report
    _share(scenarios, report)
    made = scenarios.read(source, file.blocks)
    _share(scenarios, kept)
    report.sort()
    return made


def _share(scenarios: Scenarios, report: Report) -> None:
    """Let everything that checks scenarios report to one place."""
    scenarios.report = report
    scenarios.ask.report = report
    scenarios.scope.report = report


def _variables(ask: Expressions, declared: Declared) -> list[p.Variable]:
    """Return the variables with their first values, which must be known beforehand."""
    made = []
    defaults = {x.name: x.default for x in declared.parameters}
    for block, noun in declared.variables:
        start: p.Expr = p.Const(value=_default(noun.type), type=noun.type)
        if block.value is not None:
            start = ask.value(block.value, noun.type)
            try:
                evaluate(start, {}, defaults)
            except NotConstant:
                ask.report.add(
                    "E410",
                    block.value.span,
                    "a first value is fixed before the game",
                    mend="write a plain value, and set it in `play` to what depends on the table",
                )
        made.append(
            p.Variable(
                name=noun.name,
                slot=noun.slot,
                type=noun.type,
                each_player=noun.each_player,
                start=start,
                line=block.span.line,
            )
        )
    return made


def _default(type: p.Type) -> int:
    """Return the first value of a variable that names none: none if it may be, else the lowest."""
    if type.or_none:
        return p.NONE
    return (type.low or 0) if type.form == "number" else 0


def _missing(
    file: s.File,
    report: Report,
    declared: Declared,
    flow: Flow,
    deck: list[p.DeckLine],
    rank: p.Rank | None,
) -> None:
    """Report the blocks that every game needs."""
    headings = {w.text for w in file.headings}
    end = Span(file.path, 1, 1, 1, 1)
    if not headings:
        if not report.errors:
            report.add(
                "E401", end, "this file holds no game", mend="`hoyle new NAME` writes one to begin with"
            )
        return
    if headings == {"scenario"}:
        report.add(
            "E401", end, "this file holds scenarios only", mend="give it to `hoyle test` after its game"
        )
        return
    wanted = {
        "game": '`game "NAME" for 2..4 players`',
        "play": "a block `play` with what happens",
        "result": "a block `result` with `rank p by highest p.score`",
    }
    for word, mend in wanted.items():
        if word not in headings and not (word == "result" and _someone_wins(flow)):
            report.add("E401", end, f"this game has no `{word}`", mend="add " + mend)


def _someone_wins(flow: Flow) -> bool:
    return any(isinstance(b.exit, p.Over) and b.exit.winner is not None for b in flow.graph.blocks.values())
