"""Modules made from specs, written whole or not at all."""

from __future__ import annotations

import re
from pathlib import Path

from hoyle import __version__
from hoyle.compile import compile_program, made_from, module_name
from hoyle.program import Program
from hoyle.wholefile import write_whole

MADE = re.compile(r"^Made by hoyle \S+ from (.+), edition \d+, hash ", re.M)


class Taken(Exception):
    """Where a module would be written there is something else, which is left as it is."""


def write(program: Program, folder: Path) -> Path:
    """Write the module of a program into a folder and return its path. OSError where that can't be done.

    That of a traced program has a name of its own, so that both can lie side by side. Only a module of the same spec is
    written over: Taken, in words, for anything else.
    """
    text = compile_program(program, __version__)
    folder.mkdir(parents=True, exist_ok=True)
    name = module_name(program.path)
    path = folder / (name.removesuffix(".py") + "_traced.py" if program.points else name)
    if path.exists():
        _check_same(path, program)
    write_whole(path, text)
    return path


def _check_same(path: Path, program: Program) -> None:
    """Raise Taken where something is that was not made from a spec of the same name."""
    if path.is_dir():
        raise Taken(f"{path} is a folder")
    made = MADE.search(path.read_text(encoding="utf-8", errors="replace"))
    spec = made_from(program)
    if made is None:
        raise Taken(f"{path} is there already, and hoyle did not make it; choose another folder with `-o`")
    if made[1] != spec:
        raise Taken(f"{path} was made from {made[1]}; choose another folder for {spec} with `-o`")
