"""Laying a table as somebody describes it, in the middle of a game, and asking it questions."""

from __future__ import annotations

from hoyle import program as p
from hoyle.given import WON
from hoyle.interpret.engine import Engine
from hoyle.program.folding import fold
from hoyle.runtime.asking import fresh
from hoyle.runtime.chance import seeded, shuffle
from hoyle.runtime.sets import members
from hoyle.runtime.state import BLOCK, CHANCE, HEAD, OUT_OF_PLAY, PLACE, State


class Laying:
    """A state under construction: pieces are taken from the deck by their faces, variables are set."""

    def __init__(self, engine: Engine, seed: int) -> None:
        self.engine = engine
        self.layout = engine.layout
        self.state = engine.first(seeded(seed), False)
        self.cleared = False
        self.given: set[int] = set()
        self.standing = False

    def value(self, state: State, expr: p.Expr) -> int:
        """Return the value of an expression on a state."""
        return int(self.engine.asking.ask(expr)(state))

    def _clear(self) -> None:
        """Take all pieces out of play, once: what is not named is not there."""
        if self.cleared:
            return
        self.cleared = True
        self.state[PLACE] = [OUT_OF_PLAY] * len(self.layout.kind_of)
        for index in self.layout.shape.lists:
            self.state[index] = []

    def put(self, zone: int, seat: p.Expr | None, kinds: tuple[int, ...]) -> None:
        """Put pieces of the given kinds into a zone; the first written is the top of a pile, the left of a row."""
        self._clear()
        shape, index = self.layout.shape, self.layout.size + zone
        many = next(z.many for z in shape.zones if z.first == index)
        index += (0 if seat is None else self.value(self.state, seat)) * max(1, many)
        if many:
            index += fresh(self.state, index, many, shape.zone_name[index][0], 0)
        places = self.state[PLACE]
        pieces = []
        for kind in kinds:
            piece = next(
                (x for x, k in enumerate(self.layout.kind_of) if k == kind and places[x] == OUT_OF_PLAY), None
            )
            if piece is None:
                raise ValueError(f'there is no further "{self.layout.faces[kind]}" in the deck')
            places[piece] = index
            pieces.append(piece)
        if self.layout.shape.is_pile[index]:
            pieces.reverse()
        zone_pieces = self.state[index]
        zone_pieces += pieces
        if self.layout.shape.is_pool[index]:
            zone_pieces.sort()

    def rest(self, zones: tuple[p.Expr, ...]) -> None:
        """Deal all pieces that are nowhere else to zones, one at a time in turn: to a single one, all of them.

        In a pile they lie below what is there, in a row to the right of it.
        """
        self._clear()
        places = self.state[PLACE]
        left = [piece for piece, place in enumerate(places) if place == OUT_OF_PLAY]
        self.state[CHANCE] = shuffle(self.state[CHANCE], left)
        indexes = [self.value(self.state, zone) for zone in zones]
        for turn, index in enumerate(indexes):
            dealt, zone = left[turn :: len(indexes)], self.state[index]
            for piece in dealt:
                places[piece] = index
            zone[: 0 if self.layout.shape.is_pile[index] else len(zone)] = dealt
            if self.layout.shape.is_pool[index]:
                zone.sort()

    def set(self, slot: int, seat: p.Expr | None, value: p.Expr) -> None:
        """Give a variable a value."""
        place = HEAD + slot + (0 if seat is None else self.value(self.state, seat))
        self.state[place] = self.value(self.state, value)
        self.given.add(slot)

    def supplies(self) -> None:
        """Let the supplies hold the tokens that nobody has; one that is given holds what it says, or it is too much."""
        for token in self.engine.program.tokens:
            total = self.value(self.state, token.total)
            there = sum(
                self.state[place]
                for variable in self.layout.shape.variables
                if variable.place - HEAD in token.places
                for place in self.layout.shape.places(variable)
            )
            if token.supply not in self.given:
                self.state[HEAD + token.supply] = total - there
            if self.state[HEAD + token.supply] < 0 or there + self.state[HEAD + token.supply] > total:
                raise ValueError(f"more {token.name} are given than the {total} that there are")

    # ---- beginning ------------------------------------------------------------------------

    def begin(self, phase: str | None, args: tuple[p.Expr, ...], stand: bool) -> State:
        """Return the state run on to its first decision: of the whole game, or of a phase and what follows it.

        With `stand` nothing is run at all: the table is only to be asked about.
        """
        if phase is not None:
            self._enter(self.engine.phases[phase], args)
        elif not stand:
            self.engine.advance(self.state)
        self.standing = stand or (phase is not None and self.engine.phases[phase].straight)
        return self.state

    def _enter(self, phase: p.Phase, args: tuple[p.Expr, ...]) -> None:
        values = [self.value(self.state, a) for a in args]
        self._arguments(phase, args, values)
        if phase.straight:
            self.engine.doing.body(phase.body)(self.state)
            return
        for block in self.engine.program.blocks:
            for statement in block.body:
                if isinstance(statement, p.Collect):  # a loop of which nothing is known is at its end
                    self.state[HEAD + statement.slot] = ()
        self._around(phase.name, values)
        self.state[BLOCK] = phase.entry
        body, leave = self.engine.blocks[phase.entry]
        for do in body[_forgets(self.engine.program.blocks[phase.entry]) :]:
            do(self.state)
        if not leave(self.state):
            self.engine.advance(self.state)

    def _arguments(self, phase: p.Phase, args: tuple[p.Expr, ...], values: list[int]) -> None:
        for slot, value in zip(phase.parameters, values, strict=True):
            self.state[HEAD + slot] = value

    def _around(self, name: str, values: list[int]) -> None:
        """Let the phases that run this one be running: each returns to behind its first call in the order of the text.

        What a call passes on from a loop around it, such as the player whose turn it is, is set there too.
        """
        for block in self.engine.program.blocks:
            call = block.exit
            if not isinstance(call, p.Call) or call.phase != name:
                continue
            if (back := self.engine.phases[name].back) >= 0:
                self.state[HEAD + back] = call.back
            for arg, value in zip(call.args, values, strict=True):
                if isinstance(arg, p.Slot):
                    self.state[HEAD + arg.slot] = value
                    self._loop_around(block.phase, arg.slot, value)
            outer = self.engine.phases[block.phase]
            if outer.name != "play":
                self._around(outer.name, [self.state[HEAD + s] for s in outer.parameters])
            return

    def _loop_around(self, phase: str, slot: int, value: int) -> None:
        """Let a loop of a phase stand where it has given a slot this value; without it the loop is at its end."""
        blocks = [b for b in self.engine.program.blocks if b.phase == phase]
        statements = [x for b in blocks for x in b.body]
        for take in statements:
            if not isinstance(take, p.Take) or slot not in take.targets:
                continue
            collect = next(x for x in statements if isinstance(x, p.Collect) and x.slot == take.slot)
            self.engine.doing.statement(collect)(self.state)
            self.state[HEAD + slot] = value
            place = take.targets.index(slot)
            rows = self.state[HEAD + take.slot]
            found = (i + 1 for i, row in enumerate(rows) if row[place] == value)
            self.state[HEAD + take.index] = next(found, len(rows))

    # ---- words ----------------------------------------------------------------------------

    def words(self, state: State, expr: p.Expr) -> str:
        """Return the value of an expression in words; zones and sets as the list of what they hold."""
        layout = self.layout
        if expr.type.form == "zone":
            index = self.engine.asking.ask(expr)(state)
            pieces = state[index][::-1] if layout.shape.is_pile[index] else state[index]
            return '"' + ", ".join(layout.faces[layout.kind_of[x]] for x in pieces) + '"'
        folded = fold(expr, layout.parameters)
        if expr.type.form == "sequence":
            return ", ".join(f"player {x + 1}" for x in self.engine.asking.run(folded)(state))
        value = self.value(state, expr)
        if expr.type.form == "set" and expr.type.element is not None:
            inner = expr.type.element
            return "{" + ", ".join(layout.word(inner, x) for x in members(value)) + "}"
        return layout.word(expr.type, value)


def _forgets(block: p.Block) -> int:
    """Return how many statements at the start of a block only set the tricks won back to none.

    A scenario that starts at tricks tells how many have been won before.
    """
    first = block.body[0] if block.body else None
    if not isinstance(first, p.ForEach) or len(first.body) != 1:
        return 0
    only = first.body[0]
    return int(isinstance(only, p.SetAt) and only.name == WON)
