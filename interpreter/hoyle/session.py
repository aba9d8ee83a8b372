"""From a path to a checked or playable game: the only core module that reads files."""

from __future__ import annotations

import difflib
import importlib.util
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoyle.check import Checked
from hoyle.check import check as check_syntax
from hoyle.diagnostics import Report
from hoyle.parser import LONGEST_FILE, parse, reserved_words
from hoyle.program import Program
from hoyle.program.text import show as show_program
from hoyle.resources import folder
from hoyle.source import Beside, NotThere, Raw, Source, Span, nothing_beside

if TYPE_CHECKING:
    from hoyle.interpret import Game
    from hoyle.runtime.game import BaseGame

__all__ = ["NoSuchSpec", "SpecError", "check", "load", "load_text", "resolve", "show_passes", "show_program"]

ENDING = ".hoyle"
TABLES = (".csv", ".tsv", ".txt")
WORTH_COMPILING = 50  # games: fewer are played sooner than a module is made
SHOWN = 8  # names of files, at most, that a mend shows


class NoSuchSpec(Exception):
    """A path or name that leads to no spec."""


class SpecError(Exception):
    """A spec with errors; `report` says which."""

    def __init__(self, report: Report) -> None:
        first = report.errors[0].message if report.errors else "not a game"
        super().__init__(f"{len(report.errors)} error(s) in the spec, the first: {first}")
        self.report = report


def games() -> list[str]:
    """Return the names of the games that come with hoyle."""
    return sorted(f.name.removesuffix(ENDING) for f in folder("specs").iterdir() if f.name.endswith(ENDING))


def resolve(path: str) -> Path:
    """Return the file of a path, or of the name of a game in specs/; NoSuchSpec in words if there is none."""
    place = Path(path)
    if place.is_file():
        return place
    if place.is_dir():
        raise NoSuchSpec(f"{path} is a folder; name one spec in it")
    with_ending = Path(path + ENDING)
    if with_ending.is_file():
        return with_ending
    plain = path.removesuffix(ENDING)
    if plain == Path(plain).name:
        kept = folder("specs") / (plain + ENDING)
        if kept.is_file():
            return Path(str(kept))
    near = difflib.get_close_matches(plain, games(), n=1, cutoff=0.5)
    hint = f"; did you mean `{near[0]}`?" if near else f"; games that come with hoyle: {', '.join(games())}"
    raise NoSuchSpec(f"there is no spec `{path}`{hint}")


def read(path: Path, report: Report) -> Source | None:
    """Return the text of a file, or None after a report of bytes that are no text."""
    name = _shown(path)
    try:
        with path.open("rb") as file:
            raw = file.read(LONGEST_FILE * 4 + 1)
    except OSError as fault:
        raise NoSuchSpec(f"{name} can't be read: {fault.strerror}") from None
    try:
        return Source(name, raw.decode("utf-8"))
    except UnicodeDecodeError as fault:
        before = raw[: fault.start]
        line = before.count(b"\n") + 1
        column = len(before.rsplit(b"\n", 1)[-1].decode("utf-8", "replace")) + 1
        report.add(
            "E104",
            Span(name, line, column, line, column + 1),
            "this file is not text in UTF-8",
            mend="save it as UTF-8; in most editors that is a choice beside `save as`",
        )
        return None


def _shown(path: Path) -> str:
    """Return the path as people should see it: relative to where they are, if it is below."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def checked(path: str, traced: bool = False) -> tuple[Report, Checked]:
    """Return the report on a spec, its program if there is one, and what checks companion files.

    A program that is `traced` counts what happens.
    """
    report = Report()
    source = read(resolve(path), report)
    if source is None:
        return report, Checked(None, None)
    return report, check_text(source, report, beside(resolve(path)), traced)


def check_text(
    source: Source, report: Report, tables: Beside = nothing_beside, traced: bool = False
) -> Checked:
    """Return the program of a text, and add what is wrong to `report`. Tables that it names come from `tables`."""
    parsed = parse(source, report)
    return check_syntax(parsed.file, source, report, reserved_words(), parsed.broken, tables, traced)


def beside(spec: Path) -> Beside:
    """Return what reads the files in the folder of a spec, and in no other, links included."""

    def read(name: str, most: int) -> Raw:
        try:
            folder = spec.parent.resolve()
            place = (folder / name).resolve()
            if not place.is_relative_to(folder):
                message = f"`{name}` leads out of the folder of the spec"
                raise NotThere(message, "put a copy of the table beside the spec")
            if not place.is_file():
                what = (
                    "is a folder"
                    if place.is_dir()
                    else "is not there"
                    if not place.exists()
                    else "is no file"
                )
                raise NotThere(f"`{name}` {what}", _near(folder, name))
            with place.open("rb") as file:
                return Raw(_shown(place), file.read(most))
        except (OSError, RuntimeError, ValueError) as fault:
            why = (
                fault.strerror if isinstance(fault, OSError) and fault.strerror else "no file has such a name"
            )
            raise NotThere(f"`{name}` can't be read: {why}", "look at its name and who may read it") from None

    return read


def _near(folder: Path, name: str) -> str:
    """Return how to mend the name of a table that is not there: folder by folder, as it is written."""
    here, found = folder, list[str]()
    *above, last = [part for part in name.split("/") if part not in ("", ".")] or [name]
    for part in above:
        folders = sorted(x.name for x in here.iterdir() if x.is_dir() and x.resolve().is_relative_to(folder))
        known = part if part in folders else next(iter(_like(part, folders)), "")
        if not known:
            there = f"; folders there: {', '.join(folders[:SHOWN])}" if folders else ""
            return f"no folder `{part}` is in {_called(found)}{there}"
        here, found = here / known, [*found, known]
    tables = sorted(x.name for x in here.iterdir() if x.suffix.lower() in TABLES)
    for below in sorted(x for x in here.iterdir() if x.is_dir() and x.resolve().is_relative_to(folder)):
        if last not in tables and (below / last).is_file():
            return f"did you mean `{'/'.join([*found, below.name, last])}`?"
    near = [last] if last in tables else _like(last, tables)
    if near:
        return f"did you mean `{'/'.join([*found, near[0]])}`?"
    there = f"; tables in {_called(found)}: {', '.join(tables[:SHOWN])}" if tables else ""
    return "the path begins at the folder of the spec" + there


def _called(folders: list[str]) -> str:
    """Return what a folder is called, told by the folders that lead to it."""
    return f"`{'/'.join(folders)}`" if folders else "the folder of the spec"


def _like(name: str, names: list[str]) -> list[str]:
    """Return the name of a file or folder that one is most like, whatever its capitals and its ending."""
    stems = {Path(x).stem.lower(): x for x in names}
    near = difflib.get_close_matches(Path(name).stem.lower(), stems, n=1, cutoff=0.6)
    return [stems[x] for x in near]


def check(path: str, traced: bool = False) -> tuple[Report, Program | None]:
    """Return the report on a spec and its program, None where there are errors. Raises NoSuchSpec.

    A program that is `traced` counts what happens.
    """
    report, made = checked(path, traced)
    return report, made.program


def load(path: str) -> BaseGame:
    """Return the playable game of a spec. Raises SpecError with the report, NoSuchSpec in words."""
    return load_module(path) if path.endswith(".py") else interpreted(path)


def interpreted(path: str) -> Game:
    """Return the game of a spec, run by the interpreter. Raises SpecError with the report, NoSuchSpec in words."""
    report, program = check(path)
    if program is None:
        raise SpecError(report)
    from hoyle.interpret import Game

    return Game(program)


def counting(path: str, games: int) -> BaseGame:
    """Return a game that counts what happens in it, for a run of so many games.

    A spec is interpreted for a few games and compiled in memory for more; a module that was compiled without points
    counts nothing. Raises SpecError with the report, NoSuchSpec in words.
    """
    if path.endswith(".py"):
        return load_module(path)
    report, program = check(path, traced=True)
    if program is None:
        raise SpecError(report)
    game = interpreted_traced(program)
    return faster(game) if games >= WORTH_COMPILING else game


def faster(game: BaseGame) -> BaseGame:
    """Return the same game compiled in memory, if it is one that the interpreter runs and counts."""
    from hoyle.compile import TooDeep
    from hoyle.interpret.tracing import TracedInterpreted

    # Python does not take code that is nested very deep, which the interpreter does not mind.
    with suppress(TooDeep, RecursionError, MemoryError):
        return compiled(game.program) if isinstance(game, TracedInterpreted) else game
    return game


def interpreted_traced(program: Program) -> BaseGame:
    """Return the game of a traced program, run by the interpreter."""
    from hoyle.interpret.tracing import TracedInterpreted

    return TracedInterpreted(program)


def compiled(program: Program) -> BaseGame:
    """Return the game of the module of a program, made in memory and kept nowhere."""
    from hoyle import __version__
    from hoyle.compile import compile_program

    names: dict[str, Any] = {"__name__": f"hoyle_game_in_memory_{program.source_hash}"}
    text = compile_program(program, __version__, alone=False)
    exec(compile(text, f"<module of {program.path}>", "exec"), names)
    game: BaseGame = names["game"]
    return game


def load_module(path: str) -> BaseGame:
    """Return the game of a generated module, which is run to get it. NoSuchSpec if it is none."""
    place = Path(path)
    if not place.is_file():
        raise NoSuchSpec(f"there is no module `{path}`")
    spec = importlib.util.spec_from_file_location(f"hoyle_game_{place.stem}", place)
    if spec is None or spec.loader is None:
        raise NoSuchSpec(f"`{path}` is not a Python module")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not hasattr(module, "game"):
        raise NoSuchSpec(f"`{path}` is no module of a game: it has no `game`")
    game: BaseGame = module.game
    return game


def load_text(text: str, name: str = "spec", tables: Beside = nothing_beside) -> Game:
    """Return the playable game of a text; `tables` gives the tables that it names. Raises SpecError with the report."""
    report = Report()
    program = check_text(Source(name, text), report, tables).program
    if program is None:
        raise SpecError(report)
    from hoyle.interpret import Game

    return Game(program)


def show_passes(program: Program) -> str:
    """Return what each pass of the compiler found in a program, as text. Raises TooDeep."""
    from hoyle import __version__
    from hoyle.compile import compile_program
    from hoyle.compile.told import Told

    told = Told()
    compile_program(program, __version__, alone=False, told=told)
    return told.text(program)
