"""What compiled rules share: moving pieces, chance, and the run from decision to decision."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from hoyle.runtime.asked import AskedShape
from hoyle.runtime.chance import INCREMENT, MASK63, MULTIPLIER, seeded
from hoyle.runtime.explicit import ChanceShape
from hoyle.runtime.faults import Fault
from hoyle.runtime.pieces import Pieces
from hoyle.runtime.saving import Setup
from hoyle.runtime.sets import mask_of
from hoyle.runtime.shape import Beginning, Shape
from hoyle.runtime.state import BLOCK, CHANCE, DECISIONS, LOG, PLACE, SEAT, STEPS, WINNER, State
from hoyle.runtime.table import TOO_DEEP, Table
from hoyle.runtime.view import Viewer


def ordered(pairs: Sequence[tuple[int, Any]], word: str) -> list[Any]:
    """Return the second parts of (key, item), by rising or falling key; equal keys stay in order."""
    return [item for _, item in sorted(pairs, key=lambda pair: pair[0], reverse=word == "highest")]


new_object = object.__new__


class CompiledTable(Table):
    """A table of a compiled game: it asks the module itself, with as few calls between as can be.

    From move to move the game is carried on by `run`, the rules as one function that keeps the state in variables of
    its own. Whoever wants the state ends that function, and the next move is made without it: who looks once looks
    again. The function notes no places of pieces: that is done when somebody looks.
    """

    __slots__ = ("_looked", "_own", "_placed", "_run", "turn")
    _rules: CompiledRules
    _placed: bool
    turn: int | None

    @property
    def state(self) -> State:
        """The state of the table, brought up to date."""
        if self._run is not None:
            self._rest()
        if not self._placed:
            self._rules.note_places(self._own)
            self._placed = True
        self._looked = True
        return self._own

    @state.setter
    def state(self, state: State) -> None:
        self._own = state
        self._run: Generator[list[int], int, None] | None = None
        self._looked = False
        self._placed = True
        self._read_turn()

    def _read_turn(self) -> None:
        """Set `turn` by the state: it is asked so often that a table has it ready."""
        seat = self._own[SEAT]
        self.turn = seat if seat >= 0 and not self._stalled else None

    @classmethod
    def started(cls, rules: CompiledRules, chance: int, max_decisions: int) -> Table:
        """Return a table at its first decision, by the state of chance before the first statement.

        Fault if the game breaks before.
        """
        # As `Table.started` does, with as few steps as can be: every game begins here.
        table = new_object(cls)
        table._rules = rules
        table._own = S = (rules.beginning or rules.begun()).state(chance, False)
        table._max_decisions = max_decisions
        table._origin = chance
        table._telling = table._fault = table._found = table._run = None
        table._past = ()
        table._looked = table._stalled = False
        table._placed = rules.run is None
        try:
            if rules.run is None:
                rules.advance(S)
            else:
                table._run = run = rules.run(S, max_decisions, -1, [])
                table._found = next(run)
        except StopIteration:
            table._run = None
        except Fault as fault:
            table._run = None
            raise table.broken(fault) from None
        seat = S[SEAT]
        table.turn = seat if seat >= 0 else None
        return table

    @property
    def decisions(self) -> int:
        """How many decisions have been made."""
        S = self._own if self._run is None else self.state
        made: int = S[DECISIONS]
        return made

    def copy(self, seed: int | None = None) -> CompiledTable:
        """Return a table with the same future; with a seed, one whose chance goes another way."""
        # As `Table.copy` does, past the properties: searches copy tables by the million.
        new = new_object(type(self))
        new._rules = rules = self._rules
        if self._run is not None:
            self._rest()
        self._looked = True
        new._own = rules.shape.copy(self._own)
        new._placed = self._placed
        new._run = None
        new._looked = False
        new.turn, new._stalled, new._fault, new._found = self.turn, self._stalled, self._fault, self._found
        new._max_decisions, new._origin, new._past = self._max_decisions, self._origin, self._past
        new._telling = None if self._telling is None else self._telling.copy(rules.shape)
        if seed is not None:
            new._turn_chance(seeded(seed))
        return new

    @property
    def outcome(self) -> str:
        """`finished`, `stalled` after too many decisions, or nothing while the game goes on; asked of no state."""
        if self._stalled:
            return "stalled"
        return "finished" if self._own[SEAT] < 0 else ""

    def _rest(self) -> None:
        """End the function that carries the game on; it writes the state."""
        if self._run is not None:
            self._run.close()
            self._run = None

    def legal(self) -> list[int]:
        """Return the numbers of the legal moves, ascending; none when the game is over."""
        found = self._found
        if not found:
            self._rest()
            S = self._own
            if S[SEAT] < 0 or self._stalled or self._fault is not None:
                return list(self._legal())
            try:
                found = self._rules.finders[S[BLOCK]](S) or self._rules.find(S)
            except Fault as fault:
                raise self.broken(fault) from None
            except RecursionError:
                raise self.broken(Fault(TOO_DEEP)) from None
            self._found = found
        moves: list[int] = found.copy()
        return moves

    def step(self, number: int) -> None:
        """Make the move of that number. Raises IllegalMove, and changes nothing, if it is not legal."""
        if number not in (self._found or self._legal()):
            raise self._illegal(number)
        run = self._run
        try:
            if run is None:
                run = self._begun_run()
                if run is None:
                    self._one(number)
                    return
            self._past = (self._past, number)
            self._found = run.send(number)
            self.turn = self._own[SEAT]
        except StopIteration:
            self._found = self._run = None
            S = self._own
            self._stalled = S[SEAT] >= 0 and S[DECISIONS] >= self._max_decisions
            self.turn = None
        except Fault as fault:
            self._found = self._run = None
            self._read_turn()
            raise self.broken(fault) from None
        except RecursionError:
            self._found = self._run = None
            self._read_turn()
            raise self.broken(Fault(TOO_DEEP)) from None
        except BaseException:  # somebody has stopped it in the middle
            self._found = self._run = None
            self._read_turn()
            raise

    def _begun_run(self) -> Generator[list[int], int, None] | None:
        """Return the function that carries the game on, at its first decision; None where the state is looked at."""
        S, rules = self._own, self._rules
        over = S[DECISIONS] >= self._max_decisions  # the function would make no move
        if self._looked or over or rules.run is None or S[LOG] is not None or type(S[CHANCE]) is not int:
            self._looked = False
            return None
        run = self._run = rules.run(S, self._max_decisions, -1, [])
        self._placed = False
        next(run)
        return run

    def _one(self, number: int) -> None:
        """Make a legal move on the state itself."""
        S, rules = self._own, self._rules
        self._found = None
        self._past = (self._past, number)
        S[DECISIONS] = made = S[DECISIONS] + 1
        block = rules.players_of[S[BLOCK]](S, number)
        while block >= 0:
            block = rules.blocks[block](S)
        S[STEPS] = 0
        if made >= self._max_decisions and S[SEAT] >= 0:
            self._stalled = True
        self._read_turn()


class CompiledRules(Pieces):
    """The rules of a compiled game for one player count and one setting; a module adds blocks, choices and result."""

    space = 0
    start_block = 0
    blocks: Sequence[Callable[[State], int]]
    finders: Mapping[int, Callable[[State], list[int]]]
    players_of: Mapping[int, Callable[[State, int], int]]
    placers: Mapping[int, Callable[[State, int], tuple[int, tuple[int, ...]]]]
    asked_of: Mapping[int, Sequence[AskedShape]]
    chanced: ChanceShape
    askers: Mapping[int, Sequence[Callable[..., Any]]]
    run: Callable[[State, int, int, list[int]], Generator[list[int], int, None]] | None = None

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        self.beginning: Beginning | None = None  # made when it is wanted first
        self.viewer = Viewer(shape)
        self.setup = Setup()
        self.n = shape.players
        self.kind_of = shape.kind_of
        self.first_of = shape.first_of
        self.bit_of = [1 << kind for kind in shape.kind_of]

    def first_values(self) -> Sequence[tuple[int, int]]:
        """Return the first value of each variable, by place in the state."""
        raise NotImplementedError

    def scores(self, S: State) -> tuple[int, ...]:
        """Return for each seat the value that the result ranks first."""
        raise NotImplementedError

    def winners(self, S: State) -> tuple[int, ...]:
        """Return the seats that have won."""
        raise NotImplementedError

    def first(self, chance: int, log: bool) -> State:
        """Return a state before the first statement."""
        return (self.beginning or self.begun()).state(chance, log)

    def begun(self) -> Beginning:
        """Return how all games begin, worked out."""
        self.beginning = Beginning(self.shape, self.start_block, self.first_values())
        return self.beginning

    def advance(self, S: State) -> None:
        """Run on to the next decision or the end."""
        block = S[BLOCK]
        while block >= 0:
            block = self.blocks[block](S)
        S[STEPS] = 0

    def find(self, S: State) -> list[int]:
        """Return the numbers of the legal moves, ascending. Raises Fault if there are none."""
        block = S[BLOCK]
        found = self.finders[block](S)
        if not found:
            choice = self.shape.choices[block]
            names = ", ".join(o.name for o in choice.options)
            raise Fault(
                f"player {S[SEAT] + 1} must choose among {names}, and none of them is possible", choice.line
            )
        return found

    def place(self, S: State, number: int, found: object) -> tuple[int, tuple[int, ...]]:
        """Return a legal move as the place of its option and its arguments."""
        return self.placers[S[BLOCK]](S, number)

    def play(self, S: State, number: int, found: object) -> None:
        """Make a legal move and run on to the next decision or the end."""
        S[DECISIONS] += 1
        block = self.players_of[S[BLOCK]](S, number)
        while block >= 0:
            block = self.blocks[block](S)
        S[STEPS] = 0

    def wander(self, S: State, choice: int, most: int, counts: list[int]) -> None:
        """Play a new game by random choices, to its end or until `most` decisions have been made."""
        choices = forced = 0
        try:
            if self.run is None:
                self.advance(S)
            else:
                totals: list[int] = []
                try:
                    for _ in self.run(S, most, choice, totals):
                        pass
                finally:
                    choices, forced, choice = totals
            finders, players_of, blocks = self.finders, self.players_of, self.blocks
            while S[SEAT] >= 0 and S[DECISIONS] < most:
                at = S[BLOCK]
                found = finders[at](S) or self.find(S)
                count = len(found)
                choices += count
                forced += count == 1
                choice = (choice * MULTIPLIER + INCREMENT) & MASK63
                S[DECISIONS] += 1
                block = players_of[at](S, found[(choice * count) >> 63])
                while block >= 0:
                    block = blocks[block](S)
                S[STEPS] = 0
        finally:
            counts[:] = choices, forced

    def chance_shape(self) -> ChanceShape:
        """Return what explicit chance must know of the program."""
        return self.chanced

    def asked(self, block: int, option: int) -> AskedShape:
        """Return what an option asks."""
        return self.asked_of[block][option]

    def ask(self, S: State, block: int, option: int, part: int, values: tuple[int, ...]) -> Any:
        """Return what an argument may be, as zone or -1 and elements; from behind the arguments on, a condition."""
        missing = len(self.asked_of[block][option].sources) - len(values)
        return self.askers[block][option](S, part, *values, *[-1] * missing)

    def no_block(self, S: State) -> int:
        """Stand in for a block that is part of another one's method."""
        raise AssertionError(f"block {S[BLOCK]} is never entered by its number")

    def over(self, S: State, winner: int) -> int:
        """End the game."""
        S[SEAT] = -1
        S[WINNER] = winner
        if S[LOG] is not None:
            S[LOG] = (S[LOG], ("over",))
        return -1

    # ---- asking -----------------------------------------------------------------------------

    def seats(self, seat: int, first: int) -> list[int]:
        """Return the seats clockwise from a player, the player too if `first` is 0."""
        return [(seat + i) % self.n for i in range(first, self.n)]

    def in_order(self, S: State, zone: int) -> list[int]:
        """Return the pieces of a zone as names run through them: a pile from its top."""
        pieces: list[int] = S[zone]
        return pieces[::-1] if self.shape.is_pile[zone] else pieces

    def end_piece(self, S: State, zone: int, top: bool, line: int) -> int:
        """Return the piece at one end of a zone; an empty zone is a fault."""
        pieces: list[int] = S[zone]
        if not pieces:
            word = "top" if top else "bottom"
            raise Fault(
                f"`{self.shape.zone_name[zone][0]}` is empty, so it has no {word} {self.shape.piece_word}",
                line,
            )
        return pieces[-1 if top else 0]

    def is_in(self, S: State, piece: int, zone: int) -> bool:
        """Return whether a piece, if it is one, lies in a zone."""
        there = S[zone]
        # One that a seat can't look into tells nothing but by the place of a piece, if the seat knows that.
        return piece in there if type(there) is list else piece >= 0 and S[PLACE][piece] == zone

    def lies(self, S: State, zone: int, kinds: list[int], in_order: bool) -> bool:
        """Return whether a zone holds just these kinds."""
        there = [self.kind_of[x] for x in S[zone]]
        return there == kinds if in_order else sorted(there) == sorted(kinds)

    def of_types(self, table: Sequence[bool]) -> list[bool]:
        """Return for each piece whether its kind passes a test of its type."""
        return [table[k] for k in self.kind_of]

    # ---- doing ------------------------------------------------------------------------------

    def move(self, S: State, count: int, source: int, target: int) -> list[int]:
        """Move pieces from the top of a pile; return them."""
        drawn = self.draw(S, source, count)
        self.land(S, drawn, source, target)
        return drawn

    def move_top(self, S: State, source: int, target: int) -> int:
        """Move one piece from the top of a pile; return it as a set."""
        pile: list[int] = S[source]
        if not pile or S[LOG] is not None or type(S[CHANCE]) is not int:
            return mask_of(self.move(S, 1, source, target))
        piece = pile.pop()
        if self.shape.is_pool[target]:
            insort(S[target], piece)
        else:
            S[target].append(piece)
        S[PLACE][piece] = target
        return 1 << piece
