"""A table: a game in progress, as every driver sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Protocol

from hoyle.runtime.chance import seeded
from hoyle.runtime.explicit import ChanceShape
from hoyle.runtime.faults import Fault, IllegalMove
from hoyle.runtime.move import Move
from hoyle.runtime.remembering import Memory, lie
from hoyle.runtime.resampling import Recollection, as_list, known, resampled
from hoyle.runtime.saving import Setup, packed, save_text, shown_whole
from hoyle.runtime.shape import Shape
from hoyle.runtime.state import BLOCK, CHANCE, DECISIONS, EMPTY_LOG, LOG, SEAT, STEPS, State
from hoyle.runtime.view import Viewer, move_call, move_text
from hoyle.runtime.whole import asks_for, called, payment_steps
from hoyle.runtime.why import Explained, Why, plain_words, why

MOST_DECISIONS = 100_000
TOO_DEEP = "the rules are nested too deep to be worked out"


class Rules(Explained, Protocol):
    """What a back end does with states: it finds the legal moves, makes one, and reads the result.

    What `find` returns has the numbers of the legal moves as its elements and is handed back to `place` and `play`.
    """

    shape: Shape
    viewer: Viewer
    setup: Setup

    def chance_shape(self) -> ChanceShape:
        """Return what explicit chance must know of the program."""

    def first(self, chance: int, log: bool) -> State:
        """Return a state before the first statement."""

    def find(self, S: State) -> Any:
        """Return the legal moves; Fault if there are none."""

    def place(self, S: State, number: int, found: Any) -> tuple[int, tuple[int, ...]]:
        """Return a legal move as the place of its option and its arguments."""

    def advance(self, S: State) -> None:
        """Run on to the next decision or the end."""

    def play(self, S: State, number: int, found: Any) -> None:
        """Make a legal move and run on to the next decision or the end."""

    def scores(self, S: State) -> tuple[int, ...]:
        """Return for each seat the value that the result ranks first."""

    def winners(self, S: State) -> tuple[int, ...]:
        """Return the seats that have won."""


class Telling:
    """What a table keeps that has been asked for its log, or that did not begin with the first statement.

    Most tables never need one. `begun` says that the table began in the middle, with a state and not with chance;
    `before` is what its log tells of the time before that, for one that was resampled. `told` is the state with the
    log of the first `moves` moves, None if nobody has asked for it yet; `recollection` is what seats remember.
    """

    __slots__ = ("before", "begun", "moves", "recollection", "told")

    def __init__(self, begun: bool = False, before: Any = EMPTY_LOG) -> None:
        self.begun = begun
        self.before = before
        self.told: State | None = None
        self.moves = 0
        self.recollection: Recollection | None = None

    def copy(self, shape: Shape) -> Telling:
        """Return a copy that goes its own way."""
        new = Telling(self.begun, self.before)
        new.told = None if self.told is None else shape.copy(self.told)
        new.moves = self.moves
        new.recollection = None if self.recollection is None else self.recollection.copy()
        return new


class Table:
    """One game in progress. Everything that will happen follows from `state` and the moves.

    What has happened is not written down as it happens: a log is made when somebody asks for it, by playing the moves
    again from where the table began.
    """

    __slots__ = (
        "_fault",
        "_found",
        "_max_decisions",
        "_origin",
        "_past",
        "_rules",
        "_stalled",
        "_telling",
        "state",
    )

    def __init__(
        self, rules: Rules, state: State, max_decisions: int = MOST_DECISIONS, begun: bool = False
    ) -> None:
        self._rules = rules
        self._stalled = False
        self.state = state
        # A table begun at the beginning comes from chance alone; what it began with is made again when it is wanted.
        self._origin: Any = rules.shape.copy(state) if begun else state[CHANCE]
        self._telling: Telling | None = Telling(begun=True) if begun else None
        self._past: tuple[Any, ...] = ()
        self._max_decisions = max_decisions
        self._found: Any = None
        self._fault: Fault | None = None

    @classmethod
    def started(cls, rules: Any, chance: int, max_decisions: int) -> Table:
        """Return a table at its first decision, by the state of chance before the first statement.

        Fault if the game breaks before.
        """
        table = cls(rules, rules.first(chance, False), max_decisions)
        try:
            rules.advance(table.state)
        except Fault as fault:
            raise table.broken(fault) from None
        return table

    # ---- where the game stands --------------------------------------------------------------

    @property
    def players(self) -> int:
        """The number of players."""
        return self._rules.shape.players

    @property
    def turn(self) -> int | None:
        """The seat to move, counted from 0; None when the game is over."""
        seat: int = self.state[SEAT]
        return seat if seat >= 0 and not self._stalled else None

    @property
    def decisions(self) -> int:
        """How many decisions have been made."""
        made: int = self.state[DECISIONS]
        return made

    @property
    def outcome(self) -> str:
        """`finished`, `stalled` after too many decisions, or nothing while the game goes on."""
        if self._stalled:
            return "stalled"
        return "finished" if self.state[SEAT] < 0 else ""

    @property
    def scores(self) -> tuple[int, ...]:
        """For each seat the value that the result ranks first."""
        return self._rules.scores(self.state)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; none before the end or after a stall."""
        return self._rules.winners(self.state) if self.outcome == "finished" else ()

    @property
    def ask(self) -> str:
        """What the seat to move is asked: the rule text of the choice, or the options that are open."""
        if self.turn is None:
            return ""
        choose = self._rules.shape.choices[self.state[BLOCK]]
        if choose.text:
            return choose.text
        found = self._legal()
        open_ = {self._rules.place(self.state, n, found)[0] for n in found}
        return " or ".join(dict.fromkeys(o.name for at, o in enumerate(choose.options) if at in open_))

    # ---- moves ------------------------------------------------------------------------------

    def _legal(self) -> Any:
        """Return what the rules find, once for each position; nothing when the game is over."""
        if not self._found:  # none found yet, or none to be found
            if self._fault is not None:
                raise self._fault
            if self._stalled or self.state[SEAT] < 0:
                return ()
            try:
                self._found = self._rules.find(self.state)
            except Fault as fault:
                raise self.broken(fault) from None
            except RecursionError:
                raise self.broken(Fault(TOO_DEEP)) from None
        return self._found

    def legal(self) -> list[int]:
        """Return the numbers of the legal moves, ascending; none when the game is over."""
        found = self._found
        return list(self._legal() if found is None else found)

    def step(self, number: int) -> None:
        """Make the move of that number. Raises IllegalMove, and changes nothing, if it is not legal."""
        found = self._found
        if found is None:
            found = self._legal()
        if number not in found:
            raise self._illegal(number)
        self._found = None
        self._past = (self._past, number)
        state = self.state
        try:
            self._rules.play(state, number, found)
        except Fault as fault:
            raise self.broken(fault) from None
        except RecursionError:
            raise self.broken(Fault(TOO_DEEP)) from None
        if state[DECISIONS] >= self._max_decisions and state[SEAT] >= 0:
            self._stalled = True

    def _illegal(self, number: int) -> IllegalMove:
        """Return what is wrong with a number that is none of a legal move."""
        return IllegalMove("the game is over" if self.turn is None else f"move {number} is not possible now")

    def chances(self) -> list[tuple[int, Fraction, str]]:
        """Return the outcomes of chance: number, probability, words. None at a table whose chance comes from a seed."""
        return []

    def moves(self) -> list[Move]:
        """Return the legal moves, by ascending number; none when the game is over."""
        return [self._move(n) for n in self.legal()]

    def _move(self, number: int) -> Move:
        shape = self._rules.shape
        place, arguments = self._rules.place(self.state, number, self._legal())
        option = shape.choices[self.state[BLOCK]].options[place]
        words = tuple(self._rules.viewer.words(option, arguments))
        return Move(
            number, option.name, words, move_call(option, words), move_text(option, words), option.text
        )

    def play(self, move: Move | int | str) -> None:
        """Make a move, given as such, by number or in words. IllegalMove, with nothing changed, if it is not legal."""
        if not isinstance(move, str):
            self.step(move if isinstance(move, int) else move.number)
            return
        for number in self._meant(move):
            self.step(number)

    def _paid(self, name: str, items: Sequence[str]) -> list[int]:
        """Return the numbers of the moves that make a whole payment, such as `2 coin`, `red 3`; none if they can't."""
        if self.turn is None or not asks_for(self._rules.shape, self.state, name):
            return []
        return payment_steps(self, self._rules.shape, name, items) or []

    def _meant(self, words: str) -> list[int]:
        """Return the numbers of the moves that the words mean: one, or those of a whole payment."""
        payment = called(words)
        steps = [] if payment is None else self._paid(*payment)
        return steps or [self._named(words).number]

    def _named(self, words: str) -> Move:
        """Return the legal move that the words mean."""
        plain = plain_words(words)
        moves = self.moves()
        meant = [m for m in moves if plain_words(m.call) == plain] or [
            m for m in moves if plain_words(m.text) == plain
        ]
        if len(meant) == 1:
            return meant[0]
        if meant:
            raise IllegalMove(f"`{words.strip()}` could mean " + " or ".join(m.call for m in meant))
        if plain.isdecimal() and any(m.number == int(plain) for m in moves):
            return self._move(int(plain))
        if self.turn is None:
            raise IllegalMove("the game is over")
        raise IllegalMove(f"`{words.strip()}` is not possible now")

    def why(self, move: Move | int | str) -> Why:
        """Return whether a move is allowed and what forbids it, with rule text and lines of the spec.

        A move is given as such, by number, in words, or as the face of a card alone; arguments may be left out from the
        right. It is told what the player to move can know, so it is for that player.
        """
        return why(self._rules, self.state, move, self.moves())

    # ---- copies, views ----------------------------------------------------------------------

    def __copy__(self) -> Table:
        """Return a copy that goes its own way, for `copy.copy`."""
        return self.copy()

    def __deepcopy__(self, memo: object) -> Table:
        """Return a copy that goes its own way, for `copy.deepcopy`: what never changes is shared."""
        return self.copy()

    def copy(self, seed: int | None = None) -> Table:
        """Return a table with the same future; with a seed, one whose chance goes another way."""
        new = type(self).__new__(type(self))
        rules = new._rules = self._rules
        new._stalled, new._fault = self._stalled, self._fault
        new.state = rules.shape.copy(self.state)
        new._max_decisions, new._origin, new._past = self._max_decisions, self._origin, self._past
        new._found = self._found
        new._telling = None if self._telling is None else self._telling.copy(rules.shape)
        if seed is not None:
            new._turn_chance(seeded(seed))
        return new

    def resample(self, seat: int, seed: int) -> Table:
        """Return a table that the seat holds possible, for all it has seen: each as likely as the next.

        What the seat sees and remembers is as it was, what it can't know is drawn anew, and so is all chance to come.
        The log of the seat goes on; those of other seats begin with what this seat knows that they have been told.
        """
        told, memory = self._remembered(seat)
        own = self.legal() if self.turn == seat and self._fault is None else None
        new = self.copy()
        new.state, found = resampled(self._rules, self.state, memory, seed, own)
        new._found = None if new._stalled else found
        new._origin, new._past = self._rules.shape.copy(new.state), ()
        telling = new._telling = Telling(begun=True, before=told)
        telling.recollection = Recollection(self._rules.viewer)
        telling.recollection.begin(seat, told, memory)
        return new

    def knows(self, seat: int) -> dict[str, Any]:
        """Return the cards that the seat sees or remembers, JSON-ready, for each zone as in a view.

        Of a zone: its size; `cards`, None where the seat can't tell; and `somewhere`, the cards that it knows to be
        among those, but not where.
        """
        return known(self._rules.shape, self._remembered(seat)[1])

    def _remembered(self, seat: int) -> tuple[Any, Memory]:
        """Return what a seat has been told and knows."""
        telling = self._wanted()
        if telling.recollection is None:
            telling.recollection = Recollection(self._rules.viewer)
        return telling.recollection.of(self._retold(), self._seat(seat))

    def _wanted(self) -> Telling:
        """Return what the table keeps for its log, made now if nobody has asked before."""
        if self._telling is None:
            self._telling = Telling()
        return self._telling

    def _begun(self) -> bool:
        """Return whether the table began in the middle of a game."""
        return self._telling is not None and self._telling.begun

    def _turn_chance(self, chance: int) -> None:
        """Let chance go another way from here on."""
        self.state[CHANCE] = chance
        self._past = (self._past, ("chance", chance))

    def save(self) -> str:
        """Return the game so far as a text in JSON, from which `restore` of either back end makes the same table.

        It shows every card and what chance will bring. Raises the fault of a game that has broken off.
        """
        if self._fault is not None:
            raise self._fault
        setup, shape = self._rules.setup, self._rules.shape
        before = EMPTY_LOG if self._telling is None else self._telling.before
        return save_text(
            {
                "game": shape.name,
                "spec": setup.spec,
                "players": shape.players,
                "parameters": dict(setup.parameters),
                "max_decisions": self._max_decisions,
                "origin": packed(self._origin) if self._begun() else {"chance": self._chance()},
                **({"before": as_list(before)} if before else {}),
                "past": [{x[0]: x[1]} if isinstance(x, tuple) else x for x in self._entries()],
                "table": shown_whole(shape, self._standing()),
            }
        )

    def _chance(self) -> int | str:
        """Return the state of chance at the beginning, or that it is explicit."""
        chance = self._origin
        return chance if isinstance(chance, int) else "explicit"

    def _standing(self) -> State:
        """Return the state as it stands at a decision or the end."""
        return self.state

    def _entries(self) -> list[Any]:
        """Return what has been done since the beginning: numbers of moves, and turns of chance."""
        past = []
        chain = self._past
        while chain:
            chain, entry = chain
            past.append(entry)
        return past[::-1]

    def view(self, seat: int) -> dict[str, Any]:
        """Return what the seat sees of the table now, JSON-ready."""
        return self._rules.viewer.view(self.state, self._seat(seat), self.outcome)

    def log(self, seat: int | None) -> list[dict[str, Any]]:
        """Return what has happened as the seat knows it, oldest first, JSON-ready.

        For None as one who sees every card knows it: for the designer, never for a seat.
        """
        return self._rules.viewer.log(self._retold(), None if seat is None else self._seat(seat))

    def _retold(self) -> State:
        """Return the state with its log: the moves since the last time are played again on a state that keeps one."""
        telling, rules = self._wanted(), self._rules
        told = telling.told
        if told is None:
            told = telling.told = self._untold()
            if not telling.begun:
                self._again(rules.advance, told)
        for entry in self._entries()[telling.moves :]:
            if isinstance(entry, tuple):
                told[CHANCE] = entry[1]
            else:
                self._again(partial(self._replay, entry), told)
            telling.moves += 1
        return told

    def _replay(self, number: int, S: State) -> None:
        self._rules.play(S, number, self._rules.find(S))

    def _untold(self) -> State:
        """Return the state in which the table began, with a log that tells only how the cards lay."""
        shape, telling = self._rules.shape, self._wanted()
        if telling.begun:
            told = shape.copy(self._origin)
        else:
            told = self._rules.first(0, False)
            told[CHANCE] = self._origin
        everyone = 0 if telling.begun else (1 << self.players) - 1
        told[LOG] = (telling.before, lie(shape, told, everyone))
        return told

    def _again(self, play: Callable[[State], None], told: State) -> None:
        """Play something again that may have ended in a fault."""
        try:
            play(told)
        except Fault:
            return

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.players:
            raise ValueError(f"seats go from 0 to {self.players - 1}, and {seat} is none of them")
        return seat

    def broken(self, fault: Fault) -> Fault:
        """Return the fault with the table as it stood; the table can't go on."""
        S = self.state
        S[STEPS] = 0  # how often a loop went round is not how the table stands
        if not fault.table:
            fault = Fault(fault.message, fault.line, self._rules.shape.in_words(S))
        self._fault = fault
        return fault
