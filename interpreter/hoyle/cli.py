"""The command `hoyle`: the only place that prints or exits. What a command needs is imported when it runs.

Exit status: 0 fine; 1 errors in a spec, failed scenarios, faults in play; 2 misuse; 70 a bug of hoyle;
130 Ctrl-C; 141 nobody reads the output any more.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from hoyle import __version__, console
from hoyle.console import Format, Misuse, ReportFormat, Show, ShowInstead, note, say
from hoyle.runtime.faults import Fault

if TYPE_CHECKING:
    from hoyle.protocol import Game, Table
    from hoyle.simulate import Tally

FINE, FAILED, MISUSED, BUG, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 70, 130, 141

app = typer.Typer(
    name="hoyle",
    help="Check, test, play and simulate card and tile games written down as .hoyle files.",
    epilog="A game of the library may be named without a path: hoyle play dos.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


Spec = Annotated[str, typer.Argument(help="A .hoyle file, or the name of a game in the library.")]
Set = Annotated[
    list[str] | None, typer.Option("--set", metavar="PARAM=VALUE", help="Set a parameter of the game.")
]
SetSome = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="PARAM=VALUE", help="Set a parameter; several values (3..5 or a,b) are compared."
    ),
]
As = Annotated[Format, typer.Option("--format", help="Text for people or JSON for programs.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same games.")]
StallAfter = Annotated[
    int | None, typer.Option("--stall-after", min=1, help="Decisions after which a game is stalled.")
]
Count = Annotated[
    int | None, typer.Option("--players", min=1, help="How many play; if left out, the fewest.")
]


def _version(wanted: bool) -> None:
    if wanted:
        say(f"hoyle {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    pass


@app.command()
def check(
    specs: Annotated[list[str], typer.Argument(help=".hoyle files, or names of games.")],
    form: Annotated[
        ReportFormat,
        typer.Option("--format", help="Text for people, JSON for programs, or annotations for GitHub."),
    ] = ReportFormat.text,
    strict: Annotated[bool, typer.Option("--strict", help="Let warnings fail too: exit status 1.")] = False,
    show: Annotated[
        Show | None, typer.Option(help="Show the checked game too; the report then goes to stderr.")
    ] = None,
) -> int:
    """Find every fault of a spec and say how to mend it."""
    from hoyle import render
    from hoyle.diagnostics import Report
    from hoyle.session import check as checked
    from hoyle.session import show_program

    if show and form is not ReportFormat.text:
        raise Misuse(f"--show is text: leave out --format {form}")
    whole = Report()
    for spec in specs:
        report, program = checked(spec)
        whole.diagnostics += report.diagnostics
        whole.sources |= report.sources
        if show and program is not None:
            say(show_program(program))
    if form is ReportFormat.json:
        console.raw(render.to_json(whole))
    elif form is ReportFormat.github:
        console.raw((render.to_github(whole) + render.summary(whole)).rstrip("\n"))
    else:
        stream = sys.stderr if show else sys.stdout
        console.raw(render.text(whole, console.coloured(stream)).rstrip("\n"), stream)
    return FAILED if whole.failed(strict) else FINE


@app.command()
def test(
    spec: Spec,
    files: Annotated[
        list[Path] | None,
        typer.Argument(help="Files with more scenarios; if left out, scenarios/NAME.hoyle beside the spec."),
    ] = None,
    form: As = Format.text,
) -> int:
    """Run the scenarios of a spec and of files that go with it."""
    from hoyle.scenarios import run as outcomes
    from hoyle.session import interpreted

    results = outcomes(interpreted(spec), [str(file) for file in files or []])
    failed = [result for result in results if not result.passed]
    if form is Format.json:
        fields = ("title", "path", "line", "passed", "problems")
        _json(
            {
                "schema": 1,
                "spec": spec,
                "passed": len(results) - len(failed),
                "failed": len(failed),
                "scenarios": [{name: getattr(result, name) for name in fields} for result in results],
            }
        )
        return FAILED if failed else FINE
    for result in failed:
        say(f"{result.path}:{result.line}: {result.title}", "red")
        for problem in result.problems:
            say("\n".join(f"    {line}" for line in problem.splitlines()))
    if not results:
        say(f"{spec} has no scenarios")
        return FINE
    summary = f"{len(results)} scenario{'s' if len(results) > 1 else ''}, {len(results) - len(failed)} passed"
    say(summary + (f", {len(failed)} failed" if failed else ""), "red" if failed else "green")
    return FAILED if failed else FINE


@app.command()
def play(
    spec: Spec,
    players: Count = None,
    seat: Annotated[int, typer.Option(min=1, help="Your seat: 1 for player 1.")] = 1,
    seed: Annotated[
        int | None, typer.Option(help="The same seed deals the same game; if left out, any.")
    ] = None,
    assignments: Set = None,
    hot_seat: Annotated[bool, typer.Option("--hot-seat", help="People in all seats.")] = False,
    load: Annotated[
        Path | None, typer.Option("--load", metavar="FILE", help="Go on with a game that was saved.")
    ] = None,
) -> int:
    """Play a game in the terminal, with random bots in the other seats."""
    import secrets

    from hoyle.bots import random_bot
    from hoyle.terminal import Sitting

    game = _load(spec)
    chosen = seed if seed is not None else secrets.randbelow(1_000_000)
    if load is not None:
        table = _restored(game, load, players is not None or bool(assignments))
    else:
        values = console.settings(assignments or [], game)
        with _starting():
            table = game.start(players=_count(players, game), seed=chosen, **values)
    count = table.players
    people = list(range(count)) if hot_seat else [_seat(seat, count)]
    if seed is None and load is None:
        note(f"seed {chosen}: --seed {chosen} deals this game again")
    status, finished = FINE, False
    try:
        finished = Sitting(game, table, people, random_bot(chosen, 0), console.Screen()).run()
    except KeyboardInterrupt:
        say()
        status = INTERRUPTED
    if not finished and load is None:
        note(f"to begin again: hoyle play {spec} --players {count} --seed {chosen}{_retyped(assignments)}")
    return status


@app.command()
def simulate(
    spec: Spec,
    games: Annotated[int, typer.Option(min=1, help="How many games for each player count.")] = 1000,
    seed: Seed = 0,
    players: Annotated[str, typer.Option(help="Player counts: 4, 2..4, 2,3 or all.")] = "all",
    assignments: SetSome = None,
    most: StallAfter = None,
    table: Annotated[
        bool, typer.Option("--counts", help="Show how often each option, branch and rule came up.")
    ] = False,
    form: As = Format.text,
) -> int:
    """Play many games with random bots and sum them up; say what in the rules never came up."""
    from hoyle import simulate as simulation
    from hoyle.session import counting, faster

    game = counting(spec, games)

    def hurried(_: Game) -> Game:
        nonlocal game
        game = faster(game)  # and so it stays for other player counts
        return game

    counts = console.player_counts(players, game)
    ways = console.variants(assignments or [], game)
    with _starting(), suppress(Fault):  # a fault will be counted
        for count, way in product(counts, ways):
            game.start(players=count, seed=seed, **console.settings(way, game))
    tallies: list[Tally] = []
    for count, way in product(counts, ways):
        values = console.settings(way, game)
        tallies.append(console.simulated(game, count, games, seed, values, hurried, most))
        tallies[-1].way = way if len(ways) > 1 else []
        if form is Format.text and tallies[-1].games:
            _print_tally(tallies[-1], game.name, spec, seed, way, most)
        if tallies[-1].games < games:
            break
    if form is Format.text:
        _print_comparison(tallies)
        _print_coverage(tallies, table)
    played, asked = sum(tally.games for tally in tallies), games * len(counts) * len(ways)
    if form is Format.json:
        run = {"spec": spec, "seed": seed, "games": games, "complete": played == asked}
        run["parameters"] = console.settings_text(ways[0] if len(ways) == 1 else [], game)
        _json(simulation.run_json(tallies, game, run))
    if played < asked:
        note(f"Stopped after {played:,} of {asked:,} games.")
        return INTERRUPTED
    return FAILED if any(tally.faulty for tally in tallies) else FINE


@app.command()
def replay(
    spec: Spec,
    seed: Seed,
    number: Annotated[int, typer.Option("--game", min=0, help="Its number in the simulation.")] = 0,
    players: Count = None,
    seat: Annotated[
        int | None, typer.Option(min=1, help="Tell only what this player may know; if left out, all.")
    ] = None,
    assignments: Set = None,
    most: StallAfter = None,
) -> int:
    """Read one game of a simulation step by step, with the rule text of what happens."""
    from hoyle.replay import Reading, deal

    rules = _load(spec)
    count = _count(players, rules)
    reader = None if seat is None else _seat(seat, count)
    values = console.settings(assignments or [], rules)
    with _starting():
        table, bot = deal(rules, count, seed, number, values, most)
    say(f"{rules.name}, {count} player{'s' if count > 1 else ''}, seed {seed}, game {number}", "bold")
    try:
        for line in Reading(table, bot, reader).lines():
            say(line, "dim" if line.lstrip().startswith(">") else "")
    except Fault as fault:
        if reader is None and fault.table:
            say(f"\nThe table then:\n{fault.table}")
        raise
    return FINE


@app.command("compile")
def compile_(
    specs: Annotated[list[str], typer.Argument(help=".hoyle files, or names of games.")],
    folder: Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Where to write.")] = Path(),
    traced: Annotated[
        bool,
        typer.Option("--traced", help="Write NAME_traced.py too, which counts what in the rules comes up."),
    ] = False,
    show: Annotated[
        ShowInstead | None,
        typer.Option(help="Write no module: show what each pass of the compiler found in the rules."),
    ] = None,
) -> int:
    """Make a Python module of each spec that plays by itself and needs nothing but Python."""
    from hoyle import modules, render
    from hoyle.compile import TooDeep
    from hoyle.session import check as checked
    from hoyle.session import show_passes

    if show and (traced or folder != Path()):
        raise Misuse("--show writes no module: leave out --traced and --output")
    status = FINE
    for spec in specs:
        report, program = checked(spec)
        if program is None:
            console.raw(render.text(report, console.coloured(sys.stderr)).rstrip("\n"), sys.stderr)
            note(f"hoyle: nothing was {'shown' if show else 'written'} for {spec}")
            status = FAILED
            continue
        counting = checked(spec, traced=True)[1] if traced else None
        try:
            if show:
                say(show_passes(program))
                continue
            for each in (program, *([counting] if counting else [])):
                say(str(modules.write(each, folder)))
        except (TooDeep, modules.Taken) as why:
            note(f"hoyle: nothing was {'shown' if show else 'written'} for {spec}: {why}")
            status = FAILED
    return status


@app.command()
def explain(code: Annotated[str, typer.Argument(help="A code of a message, such as E201.")]) -> int:
    """Show the page of an error or warning: what it means, a wrong and a right example."""
    from hoyle import explain as pages

    try:
        say(pages.page(code).rstrip())
    except LookupError as unknown:
        raise Misuse(str(unknown.args[0])) from None
    return FINE


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="The name of the game, such as my-game.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to write it.")] = Path(),
) -> int:
    """Write a small game that runs, to start from."""
    from hoyle import newgame

    try:
        path = newgame.write(name, folder)
    except newgame.CannotWrite as error:
        raise Misuse(str(error)) from None
    say(str(path))
    note(f"A small game that runs. Next: hoyle test {path}, hoyle play {path}, then change a rule.")
    return FINE


def _load(spec: str) -> Game:
    from hoyle.session import load

    return load(spec)


def _restored(game: Game, path: Path, settled: bool) -> Table:
    """Return the table of a saved game; Misuse in words if the file holds none that fits, or more was settled."""
    if settled:
        raise Misuse("a saved game has its players and parameters: leave out --players and --set")
    try:
        return game.restore(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        raise Misuse(f"{path}: this is no save of a game") from None
    except ValueError as wrong:
        raise Misuse(f"{path}: {wrong}") from None


def _count(players: int | None, game: Game) -> int:
    return min(game.counts) if players is None else console.allowed_count(players, game)


def _seat(number: int, players: int) -> int:
    """Return the seat, from 0, of a player as people count them."""
    if number > players:
        raise Misuse(f"--seat {number}: there are only {players} players")
    return number - 1


@contextmanager
def _starting() -> Iterator[None]:
    """What a game says against its parameters when it starts is a mistake of the person who set them."""
    try:
        yield
    except ValueError as error:
        raise Misuse(str(error)) from None


def _print_tally(
    tally: Tally, name: str, spec: str, seed: int, assignments: Sequence[str], most: int | None
) -> None:
    from hoyle import summary

    if not tally.way:  # else one table has them all
        for line in summary.text(tally, name, seed):
            say(line)
        say()
    again = f"hoyle replay {spec} --players {tally.players} --seed {seed}"
    for message, (first, often) in tally.faults.items():
        note(f"fault in {often:,} game{'s' if often > 1 else ''}: {message}", "red")
        note(f"  to see it: {again} --game {first}{_retyped(assignments)}")
    if tally.first_stalled is not None:
        limit = "" if most is None else f" --stall-after {most}"
        note(f"stalled: game {tally.first_stalled} was the first of {tally.stalled:,}", "red")
        note(f"  to see it: {again} --game {tally.first_stalled}{_retyped(assignments)}{limit}")
    console.flush()


def _print_comparison(tallies: Sequence[Tally]) -> None:
    """Print a line for each way in which parameters were set, side by side."""
    from hoyle import summary

    for line in summary.comparison([x for x in tallies if x.way and x.games]):
        say(line)


def _print_coverage(tallies: Sequence[Tally], table: bool) -> None:
    """Print what never came up with any number of players; `table` for how often everything did."""
    from hoyle import coverage

    counted = [tally for tally in tallies if tally.points]
    if counted:
        fired = [sum(times) for times in zip(*(tally.fired for tally in counted))]
        for line in coverage.text(counted[0].points, fired, sum(x.games for x in counted), table):
            say(line)


def _retyped(assignments: Sequence[str] | None) -> str:
    """Return the options that set these parameters again."""
    return "".join(f" --set {assignment}" for assignment in assignments or [])


def _json(data: dict[str, Any]) -> None:
    import json

    console.raw(json.dumps(data, indent=2))


def run(arguments: Sequence[str] | None = None) -> int:
    """Carry out one command line and return the exit status; never lets an exception out."""
    console.forgiving()
    try:
        status = app(args=list(sys.argv[1:] if arguments is None else arguments), standalone_mode=False)
        console.flush()
        return status or FINE
    except console.PipeClosed:
        console.hush()
        return PIPE_CLOSED
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Exception as error:  # whatever it is, a person reads it
        return _told(error)


def main() -> NoReturn:
    """Carry out the command line of this process and exit."""
    sys.exit(run())


def _told(error: Exception) -> int:
    """Tell a person what went wrong and whose mistake it is; return the exit status."""
    session = sys.modules.get("hoyle.session")
    if isinstance(error, Misuse) or (session and isinstance(error, session.NoSuchSpec)):
        note(f"hoyle: {error}")
        return MISUSED
    if session and isinstance(error, session.SpecError):
        from hoyle import render

        console.raw(render.text(error.report, console.coloured(sys.stderr)).rstrip("\n"), sys.stderr)
        return FAILED
    if isinstance(error, Fault):
        note(f"hoyle: this game can't go on: {error}", "red")
        return FAILED
    if hasattr(error, "format_message") and hasattr(error, "exit_code"):  # typer's own, of any version
        return _misused(error.format_message())
    if isinstance(error, OSError) and error.filename:
        note(f"hoyle: {error.filename}: {error.strerror}")
        return MISUSED
    return _own_fault(error)


def _misused(message: str) -> int:
    """Tell of a wrong command line in one line; an empty message means that the help was shown instead."""
    import re

    words = re.sub(r" \(Possible options: ([^)]*)\)", r"; did you mean \1?", " ".join(message.split()))
    if words:
        note(f"hoyle: {words[0].lower()}{words[1:]}")
    return MISUSED


def _own_fault(error: Exception) -> int:
    import platform
    import traceback

    note("".join(traceback.format_exception(error)).rstrip())
    note("")
    note("This is a fault of hoyle, not of your spec.", "red")
    note(
        "Please report it with the text above, the command, the spec if you can share it, what"
        f" `hoyle --version` says, and: Python {platform.python_version()}, {platform.system()}."
    )
    return BUG
