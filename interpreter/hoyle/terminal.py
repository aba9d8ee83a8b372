"""Playing a game in plain lines: at a terminal, through a pipe, with a screen reader. Knows the table protocol.

A person is told only what `table.log` and `table.view` give to their seat. Undo goes back over copies of the
table, together with the bots' stream of chance, so that the same moves give the same game again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from hoyle import board, movelist
from hoyle.bots import RandomBot, choice
from hoyle.protocol import Game, Move, Table
from hoyle.runtime.saving import FORMAT
from hoyle.wholefile import write_whole

HELP = """\
Type the number of a move, its text, or as much of it as is unambiguous.
  moves   list all moves         view    show the whole table as you see it
  log     what has happened      undo    go back to your previous decision
  rules   the rule text          save FILE   keep the game; `hoyle play ... --load FILE` goes on
  why MOVE    what forbids it    quit    leave the game
  help    this page
A command that is also the name of a move means the move; /quit, /view and so on always mean the command."""


class Screen(Protocol):
    """Where a person reads and types. `ask` returns a line, or None at the end of the input."""

    @property
    def live(self) -> bool: ...
    @property
    def width(self) -> int: ...
    def say(self, text: str = "", style: str = "") -> None: ...
    def ask(self, prompt: str) -> str | None: ...
    def wipe(self) -> None: ...


def is_save(path: Path) -> bool:
    """Return whether a file looks like a saved game."""
    try:
        with path.open(encoding="utf-8") as file:
            return FORMAT in file.read(100)
    except (OSError, ValueError):
        return False


class Moment(NamedTuple):
    """A decision of a person, to go back to."""

    table: Table
    chance: int
    told: list[int]
    seat: int


class Sitting:
    """One game at a table with `people` in some seats and random bots in the others."""

    def __init__(
        self, game: Game, table: Table, people: Collection[int], bot: RandomBot, screen: Screen
    ) -> None:
        self.game = game
        self.table = table
        self.people = people
        self.bot = bot
        self.screen = screen
        self.told = [0] * table.players  # how much of its log each seat has read
        self.past: list[Moment] = []
        self.reader = min(people)  # the seat whose person looks at the screen
        self.commands = {
            "help": self._help,
            "?": self._help,
            "view": self._view,
            "log": self._log,
            "moves": self._moves,
            "rules": self._rules,
            "undo": self._undo,
        }
        self.worded = {"save": self._save, "why": self._why}  # commands that are followed by something

    def run(self) -> bool:
        """Play to the end; return False when the person left before it."""
        seats = "all seats" if len(self.people) == self.table.players else board.names(sorted(self.people))
        players = f"{self.game.name}, {self.table.players} player{'s' if self.table.players > 1 else ''}"
        self.screen.say(f"{players}; you play {seats}. Type help for help.")
        if self.table.decisions:
            self.screen.say(
                f"It goes on after {self.table.decisions} decisions; `log` tells what has happened."
            )
            self.told = [len(self.table.log(seat)) for seat in range(self.table.players)]
        while self.table.turn is not None:
            if self.table.turn not in self.people:
                self.table.play(choice(self.bot, self.table))
            elif not self._decide(self.table.turn):
                return False
        self._tell(self.reader)
        self.screen.say()
        for line in board.ending(self.table):
            self.screen.say(line, "bold")
        return True

    def _decide(self, seat: int) -> bool:
        """Have a person make a move, or undo one; return False when they leave."""
        self._hand_over(seat)
        self._tell(seat)
        self._show(seat)
        while True:
            typed = self.screen.ask("> ")
            if typed is None or self._is_quit(typed):
                decisions = self.table.decisions
                self.screen.say(f"Left the game after {decisions} decision{'s' if decisions != 1 else ''}.")
                return False
            if typed.strip() and self._obey(typed.strip(), seat):
                return True

    def _obey(self, typed: str, seat: int) -> bool:
        """Do what was typed; return True when the table has changed."""
        moves = self.table.moves()
        word, _, rest = typed.lstrip("/").strip().partition(" ")
        if word.lower() in self.worded and not movelist.exact(typed, moves):
            self.worded[word.lower()](rest.strip(), moves)
            return False
        command = self.commands.get(typed.lstrip("/").lower())
        if command is not None and (typed.startswith("/") or not movelist.exact(typed, moves)):
            return command(seat)
        try:
            move = movelist.find(typed, moves)
        except movelist.Unclear as unclear:
            self._explain(unclear, typed)
            return False
        self._make(move, seat)
        return True

    def _is_quit(self, typed: str) -> bool:
        word = typed.strip().lower()
        if word in ("/quit", "/q", "/exit"):
            return True
        return word in ("quit", "q", "exit") and not movelist.exact(word, self.table.moves())

    def _make(self, move: Move, seat: int) -> None:
        self.past.append(Moment(self.table.copy(), self.bot.state, list(self.told), seat))
        self.table.play(move.number)

    def _explain(self, unclear: movelist.Unclear, typed: str) -> None:
        why = self.table.why(typed) if unclear.refused else None
        if why is not None and any(reason.line for reason in why.reasons):
            self.screen.say(str(why), "red")
        else:
            self.screen.say(str(unclear), "red")
        few = len(unclear.moves) <= movelist.FEW
        for line in (
            movelist.rows(unclear.moves) if few else movelist.columns(unclear.moves, self.screen.width)
        ):
            self.screen.say(line)

    def _hand_over(self, seat: int) -> None:
        """Between two people at one screen: let one look away before the other sees their hand."""
        if len(self.people) > 1 and seat != self.reader and self.screen.live:
            self.screen.wipe()
            self.screen.ask(f"{board.player(seat).capitalize()} is next. Press Enter when only they look. ")
        self.reader = seat

    def _tell(self, seat: int) -> None:
        """Print what has happened since this seat last read its log."""
        log = self.table.log(seat)
        for entry in log[self.told[seat] :]:
            self.screen.say(str(entry["text"]))
        self.told[seat] = len(log)

    def _show(self, seat: int) -> None:
        self.screen.say()
        for line in board.lines(self.table.view(seat)):
            self.screen.say(line)
        ask = f": {self.table.ask}" if self.table.ask else ""
        self.screen.say(f"{board.player(seat).capitalize()}, your move{ask}", "bold")
        for line in movelist.lines(self.table.moves(), self.screen.width):
            self.screen.say(line)

    def _help(self, seat: int) -> bool:
        self.screen.say(HELP)
        return False

    def _view(self, seat: int) -> bool:
        for line in board.lines(self.table.view(seat), whole=True):
            self.screen.say(line)
        return False

    def _log(self, seat: int) -> bool:
        for entry in self.table.log(seat):
            self.screen.say(str(entry["text"]))
        return False

    def _moves(self, seat: int) -> bool:
        for line in movelist.lines(self.table.moves(), self.screen.width, whole=True):
            self.screen.say(line)
        return False

    def _rules(self, seat: int) -> bool:
        """Print the rule text of the game and of the options that are open now."""
        self.screen.say(self.game.text or "This game has no rule text.")
        options = {move.option: move.rule for move in self.table.moves() if move.rule}
        for option, rule in options.items():
            self.screen.say(f"{option}:")
            for line in rule.splitlines():
                self.screen.say(f"  {line}")
        return False

    def _save(self, name: str, moves: Sequence[Move]) -> None:
        """Save the game, and say so; what is no saved game is never written over."""
        path = Path(name)
        if not name:
            self.screen.say("Type `save` and the name of a file.")
        elif path.exists() and not is_save(path):
            self.screen.say(f"{path} is there already, and it is no saved game; type another name.")
        else:
            try:
                write_whole(path, self.table.save())
                self.screen.say(f"Saved as {path}, with all cards. To go on: --load {path}")
            except OSError as wrong:
                self.screen.say(f"{path} can't be written: {wrong.strerror}")

    def _why(self, move: str, moves: Sequence[Move]) -> None:
        """Say whether a move is allowed, and what forbids it."""
        if not move:
            self.screen.say("Type `why` and a move or a card.")
            return
        listed = move.isdecimal() and 1 <= int(move) <= len(moves)
        if move.isdecimal() and not listed and not movelist.exact(move, moves) and not self._lies(move):
            # Else it would be the number that the move has for programs, which nobody here has seen.
            self.screen.say(movelist.no_such_number(move, len(moves)))
            return
        self.screen.say(str(self.table.why(moves[int(move) - 1] if listed else move)))

    def _lies(self, face: str) -> bool:
        """Return whether a card of that face lies where the player to move sees it."""
        return self.table.turn is not None and face in _strings(self.table.view(self.table.turn)["zones"])

    def _undo(self, seat: int) -> bool:
        if not self.past:
            self.screen.say("There is nothing to undo.")
            return False
        self.table, self.bot.state, self.told, before = self.past.pop()
        self.screen.say(f"Back to the last decision of {board.player(before)}.")
        return True


def _strings(shown: Any) -> Iterator[str]:
    """Yield the texts in part of a view."""
    if isinstance(shown, str):
        yield shown
    elif isinstance(shown, Mapping):
        for each in shown.values():
            yield from _strings(each)
    elif isinstance(shown, Sequence):
        for each in shown:
            yield from _strings(each)
