"""What the command line needs of the terminal: output without surprises, input, Ctrl-C, and typed options.

Data goes to stdout, messages and progress to stderr. Colour is used on a terminal only, and never under
NO_COLOR. Text that comes from a spec is freed of signs that a terminal would obey. `cli` is the only user of this page.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from itertools import product
from math import prod
from types import FrameType
from typing import TYPE_CHECKING, Any, TextIO

from hoyle.protocol import Game

if TYPE_CHECKING:
    from hoyle.simulate import Tally

CODES = {"bold": "\x1b[1m", "dim": "\x1b[2m", "red": "\x1b[31m", "green": "\x1b[32m", "blue": "\x1b[34m"}
PLAIN = "\x1b[0m"
CLEAR = "\x1b[2J\x1b[3J\x1b[H"
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
BREATH = 0.1  # seconds between two changes of the progress bar

MOST_WAYS = 100  # in which parameters are set in one run
MOST_TRIED = 10_000  # values of a range that are looked at


class Format(StrEnum):
    """How a command writes its data."""

    text = "text"
    json = "json"


class ReportFormat(StrEnum):
    """How `check` writes its report."""

    text = "text"
    json = "json"
    github = "github"


class Show(StrEnum):
    """What `check` may show besides its report."""

    program = "program"


class ShowInstead(StrEnum):
    """What `compile` may show instead of writing a module."""

    passes = "passes"


class Misuse(Exception):
    """A command that can't be carried out as typed. The message is one line; the exit status is 2."""


class PipeClosed(Exception):
    """The reader of our output has gone, as `head` does; nothing is wrong."""


def coloured(stream: TextIO) -> bool:
    """Return whether colour is welcome on `stream`."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def clean(text: str) -> str:
    """Return `text` without control signs; line ends stay, a tab becomes a space."""
    return CONTROLS.sub("\ufffd", text.replace("\t", " "))


def say(text: str = "", style: str = "") -> None:
    """Print a line of data."""
    _put(sys.stdout, clean(text), style)


def note(text: str, style: str = "") -> None:
    """Print a message for the person at the keyboard."""
    _put(sys.stderr, clean(text), style)


def raw(text: str, stream: TextIO | None = None) -> None:
    """Print text that has its own colours, as it is."""
    _put(stream or sys.stdout, text, "")


def _put(stream: TextIO, text: str, style: str) -> None:
    if style and coloured(stream):
        text = CODES[style] + text + PLAIN
    try:
        stream.write(text + "\n")
    except BrokenPipeError:
        raise PipeClosed from None


def flush() -> None:
    """Send out what is buffered, so that a closed pipe is noticed while we can still be quiet about it."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        raise PipeClosed from None


def hush() -> None:
    """Throw away what is still to be printed, or Python complains of the closed pipe on its way out."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            os.dup2(nowhere, stream.fileno())


def forgiving() -> None:
    """Let signs that the encoding of the terminal lacks be replaced rather than end the program."""
    for stream in (sys.stdout, sys.stderr):
        change = getattr(stream, "reconfigure", None)
        if change is not None:
            change(errors="replace")


class Screen:
    """The terminal, or a pipe, at which a person plays: see `terminal.Screen`."""

    def __init__(self) -> None:
        self.live = sys.stdin.isatty() and sys.stdout.isatty()
        self.width = shutil.get_terminal_size().columns if self.live else 80

    def say(self, text: str = "", style: str = "") -> None:
        """Print a line."""
        say(text, style)

    def ask(self, prompt: str) -> str | None:
        """Return the next line typed, without its end; None at the end of the input. Pipes see no prompt."""
        flush()
        if not self.live:
            line = sys.stdin.readline()
            return line.rstrip("\r\n") if line else None
        try:
            return input(prompt)
        except EOFError:
            say()
            return None

    def wipe(self) -> None:
        """Clear a terminal, so that the next person does not see the hand of the last."""
        if self.live:
            raw(CLEAR)


class Interrupts:
    """While open, the first Ctrl-C only sets `asked`, so that the game in progress is counted; a second stops.

    Where signals can't be caught (another thread, or Ctrl-C switched off) nothing changes.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before: Any = None

    def __enter__(self) -> Interrupts:
        in_main = threading.current_thread() is threading.main_thread()
        if in_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True


@contextmanager
def progress(total: int, what: str) -> Iterator[Callable[[], None]]:
    """Give a function to call once a game; on a terminal a bar on stderr follows it, a few times a second."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    # Not redirected: rich would print our data on stderr, with its own line ends.
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(what, total=total)
        done, shown = 0, time.monotonic()

        def advance() -> None:
            nonlocal done, shown
            done += 1
            now = time.monotonic()
            if now - shown >= BREATH or done == total:
                shown = now
                bar.update(task, completed=done)

        yield advance


def player_counts(text: str, game: Game) -> list[int]:
    """Return the player counts meant by `4`, `2..4`, `2,3` or `all`, ascending. Raises Misuse."""
    if text.strip() == "all":
        return list(game.counts)
    chosen: set[int] = set()
    for part in text.split(","):
        low, dots, high = part.partition("..")
        if not low.strip().isdecimal() or (dots and not high.strip().isdecimal()):
            raise Misuse(f"--players takes words such as 4, 2..4, 2,3 or all, not '{text}'")
        first = int(low)
        last = int(high) if dots else first
        if first > last:
            raise Misuse(f"--players {text}: {first} is more than {last}; write {last}..{first}")
        for end in (first, last):
            allowed_count(end, game)
        # A range takes the counts the game allows: 2..6 of a game for 2, 4 or 6 means these three.
        chosen |= {count for count in game.counts if first <= count <= last}
    return sorted(chosen)


def allowed_count(count: int, game: Game) -> int:
    """Return `count` if the game can be played by so many, else raise Misuse."""
    if count not in game.counts:
        raise Misuse(f"{game.name} is for {counts_text(game.counts)} players, not {count}")
    return count


def counts_text(counts: Sequence[int]) -> str:
    """Return player counts as people write them: `3`, `2 to 4`, `2, 4 or 6`."""
    if len(counts) > 2 and list(counts) == list(range(counts[0], counts[-1] + 1)):
        return f"{counts[0]} to {counts[-1]}"
    words = [str(count) for count in counts]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def settings(assignments: Sequence[str], game: Game) -> dict[str, Any]:
    """Return the parameters set by words such as `target=100`. Raises Misuse."""
    values: dict[str, Any] = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        if not equals:
            raise Misuse(f"--set takes PARAMETER=VALUE, such as --set {assignment.strip() or 'target'}=100")
        try:
            values[name.strip()] = game.setting(name.strip(), text.strip())
        except ValueError as error:
            raise Misuse(f"--set {assignment}: {error}") from None
    return values


def settings_text(assignments: Sequence[str], game: Game) -> Mapping[str, str]:
    """Return every parameter of the game with the value it has in this run, as text."""
    texts = {name: parameter.default for name, parameter in game.parameters.items()}
    for assignment in assignments:
        name, _, text = assignment.partition("=")
        texts[name.strip()] = text.strip()
    return texts


def variants(assignments: Sequence[str], game: Game) -> list[list[str]]:
    """Return the ways to set parameters that words such as `target=50,100` or `size=3..5` ask for. Raises Misuse."""
    choices: dict[str, list[str]] = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        parts = [x.strip() for x in text.split(",")] if equals else []
        spread = [f"{name.strip()}={value}" for part in parts for value in _each(name.strip(), part, game)]
        choices[name.strip() if equals else assignment] = list(dict.fromkeys(spread)) or [assignment]
    many = prod(map(len, choices.values()))
    if many > MOST_WAYS:
        raise Misuse(f"--set asks for {many:,} different settings: at most {MOST_WAYS} are compared")
    return [list(way) for way in product(*choices.values())]


def _each(name: str, text: str, game: Game) -> Iterable[str]:
    """Return the values that `3..5` stands for, those that the parameter can have; else the text itself."""
    low, dots, high = (x.strip() for x in text.partition(".."))
    if not dots or not (low.lstrip("-").isdecimal() and high.lstrip("-").isdecimal()):
        return [text]
    first, last = int(low), int(high)
    if first > last:
        raise Misuse(f"--set {name}={text}: {first} is more than {last}; write {last}..{first}")
    if last - first >= MOST_TRIED:
        raise Misuse(f"--set {name}={text} is too long a range")
    able = [str(value) for value in range(first, last + 1) if _can_be(name, str(value), game)]
    return able or [low]  # of which it is told why it can't be


def _can_be(name: str, value: str, game: Game) -> bool:
    try:
        game.setting(name, value)
    except ValueError:
        return False
    return True


def simulated(
    game: Game,
    players: int,
    games: int,
    seed: int,
    values: dict[str, Any],
    faster: Callable[[Game], Game] | None = None,
    most: int | None = None,
) -> Tally:
    """Return the tally of one player count; after Ctrl-C that of the games finished so far."""
    from hoyle.simulate import run

    title = f"{game.name}, {players} player{'s' if players > 1 else ''}"
    with Interrupts() as stop, progress(games, title) as advance:

        def ticked() -> bool:
            advance()
            return not stop.asked

        return run(game, players, games, seed, values, ticked, faster, most)
