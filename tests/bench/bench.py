"""How fast random games run: our ways of playing and those of others, side by side, and what each pass gains.

    python tests/bench/bench.py [--rounds 7] [--seconds 0.06] [--only hearts uno] [--passes none] [--json]

The README beside this file says how to read what it prints. Figures of one run can be compared, those of different
days or machines can't; so nothing here passes or fails.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import process_time
from timeit import repeat
from typing import Any, NamedTuple

from hoyle.compile.passes import PASSES
from hoyle.session import games as games_there
from hoyle.session import interpreted
from measuring import Figure, Rounds, Way, figure, measure
from ways import (
    BY_HAND,
    COLUMNS,
    INTERPRETER,
    METHODS,
    OPENSPIEL,
    PLAYOUTS,
    RLCARD,
    STEPPING,
    WORDS,
    Missing,
    methods,
    module,
    playouts,
    rivals,
    stepping,
    words,
)

PLAYERS = {"crazy_eights": 5, "dos": 4, "ten": 4}  # of the others as few as there can be
FIRST = ("hearts", "uno", "crazy_eights", "kuhn_poker", "leduc_poker", "dos")  # those with a bar
WHOLE = "whole"
NOISE = 0.02
THIN = 3  # what passes gain is little: so many times as many rounds, each so much shorter
YARDSTICK = "import random; choose, x = random.Random(1).random, list(range(8))"
COPY = "copying a Hearts table"


class Bar(NamedTuple):
    """What is wanted of a ratio: that `than` takes at least, or the other way at most, so many times as long."""

    game: str
    way: str
    than: str
    times: float

    @property
    def text(self) -> str:
        """The bar in words."""
        if self.times < 1:
            return f"at most {1 / self.times:g} times as long"
        return "not slower" if self.times == 1 else f"{self.times:g} times as fast"


BARS = (
    Bar("hearts", STEPPING, OPENSPIEL, 1.5),
    Bar("kuhn_poker", STEPPING, OPENSPIEL, 1),
    Bar("leduc_poker", STEPPING, OPENSPIEL, 1),
    Bar("crazy_eights", STEPPING, OPENSPIEL, 1),
    Bar("hearts", PLAYOUTS, BY_HAND, 1 / 1.5),
    Bar("uno", PLAYOUTS, BY_HAND, 1 / 1.5),
    Bar("uno", PLAYOUTS, RLCARD, 4),
    Bar("dos", STEPPING, INTERPRETER, 8),
)
MOST_FOR_A_COPY = 2.5
# By which way of playing it is measured what passes gain.
DOORS: dict[str, Callable[[Any, int], Way]] = {PLAYOUTS: playouts, METHODS: methods, STEPPING: stepping}


class Findings(NamedTuple):
    """All that a run has measured."""

    yardstick: float
    rounds: Mapping[str, Rounds]
    copy: Figure | None
    missing: Sequence[Missing]
    passes: Mapping[str, Mapping[str, Figure]]  # by game: how many times as long it takes without each
    wilds: Sequence[str]


# ---- measuring ------------------------------------------------------------------------------------


def ways_of(name: str) -> tuple[dict[str, Way], list[Missing]]:
    """Return all ways to play a game, and those that can't be had here."""
    game = interpreted(name)
    players = PLAYERS.get(name, game.counts[0])
    made = module(game.program)
    others, missing = rivals(name)
    ours = {
        INTERPRETER: stepping(game, players),
        WORDS: words(made, players),
        STEPPING: stepping(made, players),
        METHODS: methods(module(game.program), players),
        PLAYOUTS: playouts(made, players),
    }
    return {**ours, **others}, missing


def copying(rounds: int) -> Figure:
    """Return how many microseconds a copy of a Hearts table takes, in the middle of a deal."""
    table = module(interpreted("hearts").program).start(seed=1)
    for _ in range(40):
        table.step(table.legal()[0])
    copies, taken = 5000, []
    for _ in range(rounds):
        begin = process_time()
        for _ in range(copies):
            table.copy()
        taken.append((process_time() - begin) / copies * 1e6)
    return figure(taken)


def yardstick() -> float:
    """Return how many nanoseconds this Python takes to choose from a list, which says how busy the machine is."""
    return min(repeat("x[int(choose() * len(x))]", YARDSTICK, number=100_000, repeat=7)) / 100_000 * 1e9


def passes_of(name: str, rounds: int, seconds: float, by: str) -> dict[str, Figure]:
    """Return how many times as long a module plays without each pass that it makes use of, by one of DOORS."""
    from hoyle import __version__
    from hoyle.compile import compile_program

    game = interpreted(name)
    players = PLAYERS.get(name, game.counts[0])
    whole = compile_program(game.program, __version__)
    door = DOORS[by]
    ways = {WHOLE: door(module(game.program), players)}
    for each in PASSES:
        if compile_program(game.program, __version__, without=frozenset([each])) != whole:
            ways[each] = door(module(game.program, each), players)
    found = measure(ways, THIN * rounds, seconds / THIN)
    return {x: found.ratio(x, WHOLE) for x in ways if x != WHOLE}


def wild_cards() -> list[str]:
    """Return the lines about the wild cards of Ten, where the script for them is there."""
    script = Path(__file__).with_name("wilds.py")
    if not script.exists():
        return []
    few = ["--games", "10", "--collections", "200", "--runs", "5"]
    found = subprocess.run([sys.executable, str(script), *few], capture_output=True, text=True)
    return (found.stdout or found.stderr).splitlines()


def findings(names: Sequence[str], rounds: int, seconds: float, passes: str) -> Findings:
    """Measure all; what passes gain by one of DOORS, or not at all."""
    measured: dict[str, Rounds] = {}
    missing: list[Missing] = []
    for name in names:
        _tell(f"measuring {name}")
        ways, without = ways_of(name)
        missing += [x for x in without if x not in missing]
        measured[name] = measure(ways, rounds, seconds, warm=True)
    copy = copying(rounds) if "hearts" in names else None
    gains: dict[str, dict[str, Figure]] = {}
    for name in names if passes else ():
        _tell(f"leaving passes of {name} out")
        gains[name] = passes_of(name, rounds, seconds, passes)
    return Findings(yardstick(), measured, copy, missing, gains, wild_cards() if "ten" in names else [])


def _tell(text: str) -> None:
    """Say what is going on to a person who waits."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


# ---- printing -------------------------------------------------------------------------------------


def bars(found: Findings) -> list[tuple[Bar, Figure]]:
    """Return the bars for which all is there, with how many times as long the other way takes."""
    there = [b for b in BARS if b.game in found.rounds and {b.way, b.than} <= set(found.rounds[b.game].taken)]
    return [(b, found.rounds[b.game].ratio(b.than, b.way)) for b in there]


def idle(found: Findings) -> list[str]:
    """Return the passes without which no game is slower, beyond what chance makes of it."""
    return [x for x in PASSES if all(g.get(x, NOTHING).low < 1 + NOISE for g in found.passes.values())]


NOTHING = Figure(1, 1, 1)


def tables(found: Findings) -> str:
    """Return all as text for people."""
    lines = [f"{'µs a decision':<16}" + "".join(f"{x:>12}" for x in COLUMNS)]
    for name, rounds in found.rounds.items():
        cells = [f"{rounds.figure(x).low:.3g}" if x in rounds.taken else "" for x in COLUMNS]
        lines.append((f"{name:<16}" + "".join(f"{x:>12}" for x in cells)).rstrip())
    lines += [f"{x.way}: {x.why}" for x in found.missing]
    lines += ["", f"{'wanted':<66}{'here':>22}"]
    for bar, ratio in bars(found):
        what = f"{bar.game}, {bar.way} against {bar.than}: {bar.text}"
        here = 1 / ratio.median if bar.times < 1 else ratio.median
        lines.append(_against(what, f"{here:.2f}", ratio.median >= bar.times))
    if found.copy is not None:
        what = f"{COPY}: at most {MOST_FOR_A_COPY} µs"
        lines.append(_against(what, f"{found.copy.median:.2f} µs", found.copy.median <= MOST_FOR_A_COPY))
    if found.passes:
        lines += ["", *_passes(found)]
    if found.wilds:
        lines += ["", *found.wilds]
    return "\n".join(lines)


def _against(what: str, here: str, met: bool) -> str:
    return f"{what:<66}{here:>10}{'reached' if met else 'not reached':>12}"


def _passes(found: Findings) -> list[str]:
    """Return the table of what each pass gains."""
    names = list(found.passes)
    heads = [x.split("_")[0] for x in names]
    lines = [f"{'without':<12}" + "".join(f"{x:>8}" for x in heads) + "   how many times as long it takes"]
    for each in PASSES:
        cells = [f"{found.passes[n][each].median:.2f}" if each in found.passes[n] else "" for n in names]
        lines.append(f"{each:<12}" + "".join(f"{x:>8}" for x in cells) + f"   {PASSES[each]}")
    unused = idle(found)
    return [*lines, f"no gain beyond {NOISE:.0%} in any of these games: {', '.join(unused) or 'none'}"]


def as_json(found: Findings, rounds: int, seconds: float) -> dict[str, Any]:
    """Return all, ready for JSON."""
    about = {"python": platform.python_version(), "machine": platform.machine(), "system": platform.system()}
    wanted = [{**b._asdict(), "ratio": r._asdict(), "reached": r.median >= b.times} for b, r in bars(found)]
    return {
        "schema": 1,
        **about,
        "yardstick_ns": found.yardstick,
        "rounds": rounds,
        "seconds": seconds,
        "us_a_decision": {
            name: {way: x.figure(way)._asdict() for way in x.taken} for name, x in found.rounds.items()
        },
        "missing": {x.way: x.why for x in found.missing},
        "bars": wanted,
        "copy_us": None if found.copy is None else {**found.copy._asdict(), "most": MOST_FOR_A_COPY},
        "without_pass": {
            name: {each: x._asdict() for each, x in gains.items()} for name, gains in found.passes.items()
        },
        "no_gain": idle(found) if found.passes else [],
        "wilds": list(found.wilds),
    }


def main() -> None:
    """Measure and print."""
    every = [*FIRST, *(x for x in sorted(games_there()) if x not in FIRST)]
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--rounds", type=int, default=7, help="how often each way plays")
    options.add_argument("--seconds", type=float, default=0.06, help="of each way in a round")
    options.add_argument("--only", nargs="+", choices=every, metavar="GAME", help="these games alone")
    options.add_argument(
        "--passes", choices=[*DOORS, "none"], default=PLAYOUTS, help="what is played to see what passes gain"
    )
    options.add_argument("--json", action="store_true", help="print JSON")
    given = options.parse_args()
    passes = "" if given.passes == "none" else given.passes
    found = findings(given.only or every, given.rounds, given.seconds, passes)
    _tell("")
    if given.json:
        json.dump(as_json(found, given.rounds, given.seconds), sys.stdout, indent=2)
        print()
        return
    print(
        f"Python {platform.python_version()}, {given.rounds} rounds of {given.seconds:g} s each way: "
        "lower quartiles of times, medians of ratios"
    )
    print(tables(found))


if __name__ == "__main__":
    main()
