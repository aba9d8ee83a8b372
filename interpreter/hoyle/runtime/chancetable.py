"""A table with explicit chance: random events are choices of the table, with their probabilities."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from hoyle.runtime.explicit import Chances, Outcome, Undecided
from hoyle.runtime.faults import Fault, IllegalMove
from hoyle.runtime.move import Move
from hoyle.runtime.state import CHANCE, CHANCE_SEAT, DECISIONS, SEAT, State
from hoyle.runtime.table import TOO_DEEP, Rules, Table
from hoyle.runtime.why import Reason, Why


class ChanceTable(Table):
    """A game in progress in which chance has a turn of its own, `CHANCE_SEAT`, and its outcomes are legal moves.

    At such a turn the table is as it stood when chance was asked, in the middle of what the last move brings about.
    """

    __slots__ = ("_base", "_base_found", "_given", "_making", "_outcomes", "_told_past")

    def __init__(self, rules: Rules, state: State, max_decisions: int) -> None:
        state[CHANCE] = Chances(rules.shape, rules.chance_shape())
        super().__init__(rules, state, max_decisions)
        self._outcomes: tuple[Outcome, ...] = ()
        self._told_past: Any = None
        self._run_from(state, None, None)

    # ---- running ----------------------------------------------------------------------------

    def _run_from(self, base: State, move: int | None, found: Any) -> None:
        """Make a move, or begin the game, on a state that is kept until chance has settled what follows."""
        self._base, self._making, self._base_found = base, move, found
        self._given: tuple[int, ...] = ()
        self._run()

    def _run(self) -> None:
        """Make the move once more, with the outcomes known by now."""
        self._found, self._outcomes = None, ()
        self.state = self._rules.shape.copy(self._base)
        try:
            self._make(self.state, self._making, self._given, self._base_found)
        except Undecided as undecided:
            self._outcomes = undecided.outcomes
        except Fault as fault:
            raise self.broken(fault) from None
        except RecursionError:
            raise self.broken(Fault(TOO_DEEP)) from None
        if self.state[DECISIONS] >= self._max_decisions and self.state[SEAT] >= 0 and not self._outcomes:
            self._stalled = True

    def _make(self, S: State, move: int | None, given: tuple[int, ...], found: Any) -> None:
        S[CHANCE] = S[CHANCE].fresh(given)
        if move is None:
            self._rules.advance(S)
        else:
            self._rules.play(S, move, self._rules.find(S) if found is None else found)

    def step(self, number: int) -> None:
        """Make a move, or lay down an outcome of chance. IllegalMove, with nothing changed, if it is not possible."""
        if self._outcomes:
            if all(x.number != number for x in self._outcomes):
                raise IllegalMove(f"outcome {number} is not possible now")
            self._past = (self._past, ("outcome", number))
            self._given = (*self._given, number)
            self._run()
            return
        found = self._legal()
        if number not in found:
            raise self._illegal(number)
        self._past = (self._past, number)
        self._run_from(self.state, number, found)

    # ---- where the game stands --------------------------------------------------------------

    @property
    def turn(self) -> int | None:
        """The seat to move, counted from 0; CHANCE_SEAT where chance is asked; None when the game is over."""
        return CHANCE_SEAT if self._outcomes else super().turn

    @property
    def outcome(self) -> str:
        """`finished`, `stalled` after too many decisions, or nothing while the game goes on."""
        return "" if self._outcomes else super().outcome

    @property
    def ask(self) -> str:
        """What the seat to move is asked."""
        return "chance" if self._outcomes else super().ask

    def chances(self) -> list[tuple[int, Fraction, str]]:
        """Return the outcomes of chance by ascending number, with probabilities that sum to 1; none at other turns."""
        return [(x.number, x.probability, x.text) for x in self._outcomes]

    def legal(self) -> list[int]:
        """Return the numbers of the legal moves or outcomes, ascending; none when the game is over."""
        return [x.number for x in self._outcomes] or super().legal()

    def moves(self) -> list[Move]:
        """Return the legal moves, or the outcomes of chance as moves of an option `chance`."""
        if not self._outcomes:
            return super().moves()
        return [Move(x.number, "chance", (x.text,), f"chance({x.text})", x.text, "") for x in self._outcomes]

    def why(self, move: Move | int | str) -> Why:
        """Return whether a move is allowed and what forbids it; at a turn of chance, chance comes first."""
        if not self._outcomes:
            return super().why(move)
        words = str(move.number if isinstance(move, Move) else move)
        if any(words in (str(m.number), m.call, m.text) for m in self.moves()):
            return Why(words, True, (words,))
        return Why(words, False, (), (Reason("", "chance comes first"),))

    # ---- copies, views ----------------------------------------------------------------------

    def copy(self, seed: int | None = None) -> ChanceTable:
        """Return a table with the same future. There is no seed here that could be another: ValueError."""
        new = super().copy(seed)
        assert isinstance(new, ChanceTable)
        new._base, new._base_found = self._base, self._base_found
        new._making, new._given, new._outcomes = self._making, self._given, self._outcomes
        new._told_past = self._told_past
        return new

    def resample(self, seat: int, seed: int) -> Table:
        """Return a table that the seat holds possible. ValueError at a turn of chance, in the middle of a move."""
        if self._outcomes:
            raise ValueError("chance comes first: a table is dealt anew where a player is to move")
        return super().resample(seat, seed)

    def _turn_chance(self, chance: int) -> None:
        raise ValueError("chance is explicit at this table: there is no seed")

    def view(self, seat: int) -> dict[str, Any]:
        """Return what the seat sees of the table now, JSON-ready."""
        shown = super().view(seat)
        return {**shown, "turn": CHANCE_SEAT} if self._outcomes else shown

    def _standing(self) -> State:
        return self._base if self._outcomes else self.state

    def _retold(self) -> State:
        """Return the state with its log, made by playing all again, once for each position."""
        telling = self._wanted()
        if telling.told is not None and self._told_past is self._past:
            return telling.told
        told = self._untold()
        runs: list[tuple[int | None, list[int]]] = [(None, [])]
        for entry in self._entries():
            if isinstance(entry, tuple):
                runs[-1][1].append(entry[1])
            else:
                runs.append((entry, []))
        for move, given in runs:
            try:
                self._make(told, move, tuple(given), None)
            except (Fault, Undecided):
                break
        telling.told, self._told_past = told, self._past
        return told
