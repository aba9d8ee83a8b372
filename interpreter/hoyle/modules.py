"""Modules made from specs, written whole or not at all."""

from __future__ import annotations

import re
from pathlib import Path

from hoyle import __version__
from hoyle.compile import compile_program
from hoyle.program import Program
from hoyle.wholefile import write_whole


def module_name(spec: str) -> str:
    """Return the file name of the module of a spec: its own name as Python can import it."""
    stem = re.sub(r"\W", "_", Path(spec).stem, flags=re.ASCII)
    return (f"_{stem}" if stem[:1].isdigit() else stem or "game") + ".py"


def write(program: Program, folder: Path) -> Path:
    """Write the module of a program into a folder and return its path. OSError where that can't be done.

    That of a traced program has a name of its own, so that both can lie side by side.
    """
    text = compile_program(program, __version__)
    folder.mkdir(parents=True, exist_ok=True)
    name = module_name(program.path)
    path = folder / (name.removesuffix(".py") + "_traced.py" if program.points else name)
    write_whole(path, text)
    return path
