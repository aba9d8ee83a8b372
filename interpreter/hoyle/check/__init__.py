"""From syntax to a program and a report. The only maker of programs.

First the nouns, then the deck, definitions, flow, result and scenarios. Faults are gathered; a program comes out only
if there are none.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from dataclasses import replace
from typing import Literal, NamedTuple

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.chains import MOST_PHASES, deep_phases
from hoyle.check.constants import NotConstant, NoValue, Reckoning, TooLong, fixed
from hoyle.check.deck import Decks
from hoyle.check.declare import Declarations, Declared
from hoyle.check.define import Definitions
from hoyle.check.expressions import Expressions
from hoyle.check.flow import Flow
from hoyle.check.idle import Idle
from hoyle.check.loops import Loops
from hoyle.check.lowering import lowered
from hoyle.check.needless import needless
from hoyle.check.reach import unreached, unused
from hoyle.check.result import ranked_by, read_result
from hoyle.check.scenario import Scenarios
from hoyle.check.scope import Noun, Scope
from hoyle.check.splitsize import refuse_large
from hoyle.check.tables import Tables
from hoyle.check.tracing import Trace
from hoyle.check.usage import Doings
from hoyle.diagnostics import Report
from hoyle.program.purity import children
from hoyle.source import Beside, Source, Span, nothing_beside

# Warnings that rest on numbers or on where a line leads: where there are errors, those may be what is wrong.
FOLLOWING = ("W301", "W402", "W403", "W502", "W603")

__all__ = ["Checked", "check", "check_companion"]


class Checked(NamedTuple):
    """A program, None after an error, and what is needed to check more scenarios against its names."""

    program: p.Program | None
    scenarios: Scenarios | None


def check(
    file: s.File,
    source: Source,
    report: Report,
    reserved: frozenset[str],
    broken: frozenset[str],
    tables: Beside = nothing_beside,
    traced: bool = False,
) -> Checked:
    """Return the checked game, and add what is wrong with it to `report`. One that is `traced` counts its points.

    `broken` are words of lines that could not be read: a name among them is not called unknown. `tables` gives the
    files that decks are read from.
    """
    read_whole = not report.errors
    trace = Trace(source, file.blocks) if traced else Trace()
    lowered_blocks, lost = lowered(file.blocks, report, broken, traced)
    file, broken = replace(file, blocks=lowered_blocks), broken | lost
    unread = frozenset(d.span.line for d in report.errors)
    unread_blocks = _unread_blocks(file, unread)
    scope = Scope(report, reserved, frozenset(w.lower() for w in broken), unread)
    declarations = Declarations(report, scope)
    declared = declarations.read(file.blocks)
    ask = Expressions(report, scope, declarations)
    definitions = Definitions(ask, file.blocks)
    players = declared.low, declared.high
    decks = Decks(ask, Tables(ask.report, scope, file.blocks, tables, players))
    kinds, deck = decks.read(file.blocks)
    sure = decks.whole and not decks.misfaced and "components" not in unread_blocks
    ask.deck(kinds, sum(line.copies for line in deck), sure)
    if decks.misfaced:
        ask.by_face.clear()
    ask.lines = tuple(deck)
    ask.ranked = ranked_by(file.blocks)
    functions = definitions.all()
    variables = _variables(ask, declared)
    flow = Flow(ask, file.blocks, tuple(deck), trace)
    phases, blocks, start = flow.read()
    _deep(flow, report)
    rank = read_result(ask, file.blocks)
    _missing(file, report, flow, unread_blocks)
    scenarios = Scenarios(ask, {h.name: h for h in phases}, blocks, declared.low, declared.high)
    scenarios.deck = tuple(deck)
    told = scenarios.read(source, file.blocks)
    if read_whole and not report.errors:
        unused(scope, report)
        unreached(flow, report)
        needless(report, file.blocks)
        doings = Doings(file.blocks)
        Loops(report, file.blocks, doings).read()
        if not report.errors:
            Idle(scope, report, file.blocks, doings).read()
    if not read_whole:
        report.diagnostics = [d for d in report.diagnostics if d.severity == "error"]
    elif report.errors:
        report.diagnostics = [d for d in report.diagnostics if d.code not in FOLLOWING]
    report.sort()
    if report.errors:
        return Checked(None, None)
    program = p.Program(
        name=declared.name,
        text=declared.text,
        path=source.path,
        word=_word(file.blocks),
        source_hash=_hash(source, decks.tables.read_bytes),
        low=declared.low,
        high=declared.high,
        teams=declarations.seating.teams,
        direction="counter-clockwise" if declarations.seating.counter_clockwise else "clockwise",
        parameters=tuple(declared.parameters),
        enums=tuple(scope.enums.values()),
        attributes=dict(scope.pieces),
        kinds=tuple(kinds),
        deck=tuple(deck),
        zones=tuple(declared.zones),
        slots=tuple(scope.slots),
        variables=tuple(variables + declarations.tokens.variables + declarations.seating.variables),
        tokens=tuple(declarations.tokens.made),
        functions=functions,
        phases=phases,
        blocks=blocks,
        start=start,
        wholes=tuple(flow.wholes),
        picks=flow.picks,
        rank=rank,
        scenarios=told,
        points=tuple(trace.points),
    )
    refuse_large(ask.splits, program, source, report)
    return Checked(None, None) if report.errors else Checked(program, scenarios)


def _hash(source: Source, tables: dict[str, bytes]) -> str:
    """Return a hash of all that a game is made from: the spec, and the tables it names."""
    hashed = hashlib.sha256(source.text.encode("utf-8"))
    for name, raw in sorted(tables.items()):
        hashed.update(f"\0{name}\0{hashlib.sha256(raw).hexdigest()}".encode())
    return hashed.hexdigest()[:16]


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


def _word(blocks: tuple[s.Block, ...]) -> Literal["card", "tile"]:
    """Return what the game calls its pieces: tiles where all are, else cards."""
    words = {x.word for x in blocks if isinstance(x, s.Piece)}
    return "tile" if words == {"tile"} else "card"


def _variables(ask: Expressions, declared: Declared) -> list[p.Variable]:
    """Return the variables with their first values, which must be known beforehand."""
    made = []
    for block, noun in declared.variables:
        start: p.Expr = p.Const(value=_default(noun.type), type=noun.type)
        if block.value is not None:
            before = ask.report.noted
            ask.beforehand = True
            start = ask.value(block.value, noun.type)
            ask.beforehand = False
            if ask.report.noted == before:
                _first_value(ask, declared, block, noun, start)
        made.append(
            p.Variable(
                name=noun.name,
                slot=noun.slot,
                type=noun.type,
                each_player=noun.each_player,
                start=start,
                line=block.span.line,
                each_team=noun.each_team,
            )
        )
    return made


def _first_value(ask: Expressions, declared: Declared, block: s.Variable, noun: Noun, start: p.Expr) -> None:
    """Report a first value that is not known beforehand, or that the variable can't keep."""
    assert block.value is not None
    code, message, mend = "", "", ""
    try:
        if not fixed(start):
            raise NotConstant
        for parameters, setting in _settings(declared, start):
            value = Reckoning(parameters).value(start, {})
            low, high = noun.type.low, noun.type.high
            if noun.type.form == "number" and value != p.NONE:
                if (low is not None and value < low) or (high is not None and value > high):
                    code = "E404"
                    message = f"`{noun.name}` begins as {value}{setting}, outside its range {low}..{high}"
                    mend = "change the number or the range"
                    break
            elif noun.type.form == "enum" and value < 0 and value != p.NONE:
                code, message = "E404", f"this is not in {noun.type.name}{setting}"
                mend = "change the number"
                break
    except NotConstant:
        code, message = "E410", "a first value is fixed before the game"
        mend = "write a plain value, and set it in `play` to what depends on the table"
    except NoValue as wrong:
        code, message, mend = "E410", f"{wrong}", "write a plain value"
    except TooLong:
        code, message, mend = "E410", "this first value takes too long to work out", "write the value itself"
    if not code and noun.name in declared.unsure:
        code, message = "E409", f"what kind of value is `{noun.name}`?"
        mend = "say it behind a colon, such as `: number`, `: player` or `: Colour or none`"
    if code:
        ask.report.add(code, block.value.span, message, mend=mend)


def _settings(declared: Declared, start: p.Expr) -> list[tuple[dict[str, int], str]]:
    """Return settings of the parameters to try a first value with, and words for them: defaults, ends of ranges."""
    defaults = {x.name: x.default for x in declared.parameters}
    found = [(defaults, "")]
    names = _parameters_in(start)
    for x in declared.parameters:
        if x.name in names and x.type.form == "number":
            ends = [v for v in (x.type.low, x.type.high) if v is not None]
            found += [({**defaults, x.name: v}, f" where `{x.name}` is {v}") for v in ends]
    return found


def _parameters_in(expr: p.Expr) -> set[str]:
    """Return the names of the parameters in an expression."""
    if isinstance(expr, p.Param):
        return {expr.name}
    return {name for child in children(expr) for name in _parameters_in(child)}


def _default(type: p.Type) -> int:
    """Return the first value of a variable that names none: none if it may be, else the lowest."""
    if type.or_none:
        return p.NONE
    return (type.low or 0) if type.form == "number" else 0


def _deep(flow: Flow, report: Report) -> None:
    """Report phases that run phases that run phases, deeper than a person could follow."""
    for phase in deep_phases(flow.phases):
        report.add(
            "E108",
            phase.name.span,
            f"the phase `{phase.name.text}` is more than {MOST_PHASES} levels deep,"
            " counted with the phases that it runs",
            mend="say it in fewer steps, or with `repeat`, `for` or `turns`",
        )


def _unread_blocks(file: s.File, lines: frozenset[int]) -> frozenset[str]:
    """Return the headings of the blocks that hold some of the lines."""
    starts = [w.span.line for w in file.headings]
    places = (bisect_right(starts, line) - 1 for line in lines)
    return frozenset(file.headings[at].text for at in places if at >= 0)


def _missing(file: s.File, report: Report, flow: Flow, unread: frozenset[str]) -> None:
    """Report the blocks that every game needs, unless a line that could not be read may have been theirs.

    `unread` are the headings of the blocks that could not be read whole.
    """
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
    if any(d.code == "E107" for d in report.errors):
        return
    wanted = {
        "game": '`game "NAME" for 2..4 players`',
        "play": "a block `play` with what happens",
        "result": "a block `result` with `rank p by highest p.score`",
    }
    won = _someone_wins(flow) or not unread.isdisjoint(("play", "phase"))
    for word, mend in wanted.items():
        if word not in headings and not (word == "result" and won):
            report.add("E401", end, f"this game has no `{word}`", mend="add " + mend)


def _someone_wins(flow: Flow) -> bool:
    return any(isinstance(b.exit, p.Over) and b.exit.winner is not None for b in flow.graph.blocks.values())
