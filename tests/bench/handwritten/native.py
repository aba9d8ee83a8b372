"""The games written by hand in C, built with the system's compiler into a folder that goes with the process."""

from __future__ import annotations

import atexit
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from array import array
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from handwritten import Result

PLAYERS = {"hearts": 4, "uno": 2}
BATCH = 1024


@cache
def compiler() -> str | None:
    """Return the C compiler of the system, $CC or else cc; None if there is none that has its headers."""
    cc = shutil.which(os.environ.get("CC") or "cc")
    if cc is None or sys.platform == "win32":
        return None
    probe = [cc, "-x", "c", "-fsyntax-only", "-"]
    found = subprocess.run(probe, input=b"#include <stdint.h>\n#include <string.h>\n", capture_output=True)
    return cc if found.returncode == 0 else None


@cache
def _library(name: str) -> ctypes.CDLL:
    cc = compiler()
    if cc is None:
        raise RuntimeError("there is no C compiler")
    folder = tempfile.TemporaryDirectory(prefix="handwritten")
    atexit.register(folder.cleanup)
    made = Path(folder.name) / f"{name}.so"
    source = Path(__file__).with_name(f"{name}.c")
    subprocess.run([cc, "-std=c99", "-O2", "-shared", "-fPIC", "-o", str(made), str(source)], check=True)
    library = ctypes.CDLL(str(made))
    kinds = [ctypes.c_int64, ctypes.c_uint64, ctypes.c_int64, ctypes.POINTER(ctypes.c_int64)]
    library.playouts.argtypes, library.playouts.restype = kinds, None
    return library


def playouts(name: str, n: int, seed: int = 0) -> Iterator[Result]:
    """Yield n games of one of PLAYERS, the same as `playouts` of its spec. RuntimeError where there is no compiler."""
    play, players = _library(name).playouts, PLAYERS[name]
    width = players + 2
    room = array("q", bytes(8 * width * min(n, BATCH)))
    view = (ctypes.c_int64 * len(room)).from_buffer(room)
    for first in range(0, n, BATCH):
        count = min(BATCH, n - first)
        play(count, seed, first, view)
        for at in range(0, width * count, width):
            mask = room[at + players]
            winners = tuple([seat for seat in range(players) if mask >> seat & 1])
            yield Result(tuple(room[at : at + players]), winners, room[at + players + 1])


def decisions(name: str, n: int, seed: int = 0) -> int:
    """Play n games and return how many decisions they took, with nothing else made of them in Python."""
    room = (ctypes.c_int64 * ((PLAYERS[name] + 2) * n))()
    _library(name).playouts(n, seed, 0, room)
    width = PLAYERS[name] + 2
    return sum(room[width - 1 :: width])
