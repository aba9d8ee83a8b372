"""Which locals a game must remember from one decision to the next, and which loops always come to a decision.

Ordinary liveness over the flow graph, backwards to a fixed point. What is not live at any decision need not be kept in
a table, saved or compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from hoyle.program.expressions import Bind, Expr
from hoyle.program.flow import (
    Block,
    Branch,
    Call,
    Choose,
    Collect,
    DrawFor,
    Exit,
    ForEach,
    If,
    Jump,
    Learn,
    Over,
    Perform,
    Pick,
    Repeat,
    Return,
    Set,
    SetAt,
    Statement,
    Take,
)
from hoyle.program.game import Program
from hoyle.program.purity import free_slots
from hoyle.program.types import Node, Type

Slots = frozenset[int]
NO_SLOTS: Slots = frozenset()


def slots_read(expr: Expr) -> set[int]:
    """Return the slots that an expression reads, those that it binds itself not among them."""
    return set(free_slots(expr))


def expressions_in(node: Node) -> list[Expr]:
    """Return the expressions directly in a statement or exit, those of its binders too."""
    found: list[Expr] = []
    for name in type(node).model_fields:
        value = getattr(node, name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, Bind):
                found.append(item.source)
            elif isinstance(item, Node) and hasattr(item, "type") and not hasattr(item, "domain"):
                found.append(item)  # type: ignore[arg-type]
    return found


class Liveness:
    """The slots live into each block of a program, and at its decisions."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.phases = {x.name: x for x in program.phases}
        self.after: dict[str, list[int]] = {}
        for block in program.blocks:
            if isinstance(block.exit, Call):
                self.after.setdefault(block.exit.phase, []).append(block.exit.back)
        self.names = list(self.phases)
        self.read: dict[
            int, Slots
        ] = {}  # by expression or statement, by its identity: they are asked again and again
        self.performed: dict[str, Slots] = {}
        # First what phases need themselves; a phase that is run then passes on what is needed behind this one call of
        # it, not behind every other.
        self.inside: list[Slots] | None = None
        self.live: list[Slots] = []
        self.inside = self._solved()
        self.live = self._solved()

    def _solved(self) -> list[Slots]:
        """Return the slots live into each block: a fixed point."""
        self.live = [NO_SLOTS] * len(self.program.blocks)
        changed = True
        while changed:
            changed = False
            for block in reversed(self.program.blocks):
                now = self._into(block)
                if now != self.live[block.number]:
                    self.live[block.number] = now
                    changed = True
        return self.live

    def reads(self, expr: Expr) -> Slots:
        """Return the slots that an expression of the program reads."""
        if id(expr) not in self.read:
            self.read[id(expr)] = frozenset(free_slots(expr))
        return self.read[id(expr)]

    def at(self, block: int) -> Slots:
        """Return the slots needed where a game stands at a block; none where it is over."""
        exit = self.program.blocks[block].exit
        return self._needed(exit) if isinstance(exit, Choose) else NO_SLOTS

    def standing(self, block: int, back_of: Callable[[int], int]) -> Slots:
        """Return the slots needed where a game stands at a block, the phases around it running as it stands.

        `back_of` gives the block that is kept in a slot, to which a phase will return.
        """
        exit = self.program.blocks[block].exit
        if not isinstance(exit, Choose) or self.inside is None:
            return NO_SLOTS
        open_, seen = [self._needed(exit, self.inside)], set[int]()
        found: set[int] = set()
        while open_:
            for slot in open_.pop():
                if slot >= 0:
                    found.add(slot)
                elif slot not in seen:
                    seen.add(slot)
                    phase = self.phases[self.names[-1 - slot]]
                    back = self.program.only_back(phase.name) if phase.back < 0 else back_of(phase.back)
                    open_.append(self.inside[back])
        return frozenset(found)

    def at_decisions(self) -> Slots:
        """Return the slots that some decision needs: for its guards, or for what comes after it."""
        found: set[int] = set()
        for block in self.program.blocks:
            if isinstance(block.exit, Choose):
                found |= self._needed(block.exit)
        return frozenset(found)

    def _into(self, block: Block) -> Slots:
        return self._through(block.body, self._out(block.exit))

    def _out(self, exit: Exit) -> Slots:
        match exit:
            case Jump():
                return self.live[exit.to]
            case Branch():
                return self.live[exit.yes] | self.live[exit.no] | self.reads(exit.test)
            case Call():
                return self._through_phase(exit).union(*[self.reads(a) for a in exit.args])
            case Return():
                back = self.phases[exit.phase].back
                kept = NO_SLOTS if back < 0 else frozenset((back,))
                return kept | (
                    {self._leaving(exit.phase)} if self.inside is None else self._behind(exit.phase)
                )
            case Over():
                return NO_SLOTS if exit.winner is None else self.reads(exit.winner)
            case Choose():
                return self._needed(exit) | self.reads(exit.chooser)

    def _leaving(self, phase: str) -> int:
        """Return a number, below those of slots, that stands for leaving a phase."""
        return -1 - self.names.index(phase)

    def _behind(self, phase: str) -> Slots:
        """Return the slots live behind any call of a phase."""
        return NO_SLOTS.union(*[self.live[b] for b in self.after.get(phase, [])])

    def _through_phase(self, call: Call) -> Slots:
        """Return the slots live before a phase that is run, its arguments not among them."""
        phase = self.phases[call.phase]
        inside = (self.live if self.inside is None else self.inside)[phase.entry]
        kept = () if phase.back < 0 else (phase.back,)  # below 0 stand those that phases leave by
        found = set(inside).difference(phase.parameters, kept)
        here = self._leaving(phase.name)
        if here in found:
            found.discard(here)
            found |= self.live[call.back]
        if self.inside is not None:  # it may also end a phase that runs it
            for outer in [x for x in found if x < 0]:
                found.discard(outer)
                found |= self._behind(self.names[-1 - outer])
        return frozenset(found)

    def _needed(self, choose: Choose, live: Sequence[Slots] | None = None) -> Slots:
        found: set[int] = set()
        for option in choose.options:
            own = {a.bind.slot for a in option.arguments}
            asked: set[int] = set((self.live if live is None else live)[option.to])
            for argument in option.arguments:
                for asking in (argument.bind.source, argument.low, argument.high):
                    asked |= NO_SLOTS if asking is None else self.reads(asking)
            for guard in (option.when, option.where):
                if guard is not None:
                    asked |= self.reads(guard)
            found |= asked - own
        return frozenset(found)

    # ---- statements -----------------------------------------------------------------------

    def _through(self, body: Sequence[Statement], live: Slots) -> Slots:
        """Return the slots live before statements, given those live after them."""
        for node in reversed(body):
            live = self._before(node, live)
        return live

    def _before(self, node: Statement, live: Slots) -> Slots:
        if id(node) not in self.read:
            self.read[id(node)] = NO_SLOTS.union(*[free_slots(x) for x in expressions_in(node)])
        read = self.read[id(node)]
        match node:
            case If():
                return self._through(node.yes, live) | self._through(node.no, live) | read
            case Repeat():
                return self._loop(node.body, live | read)
            case ForEach():
                own = {b.slot for b in node.binders}
                return frozenset((self._loop(node.body, live) | read) - own) | live
            case Collect():
                return frozenset(live - {node.slot} | (read - {b.slot for b in node.binders}))
            case Take():
                return live - set(node.targets) | {node.slot, node.index}
            case Set():
                return live - {node.slot} | read
            case Pick() if node.index is None:
                return live - {node.slot} | read
            case DrawFor():
                return live - {node.slot} | (read - {node.binder.slot})
            case Learn():
                return live | (read - {node.binder.slot})
            case SetAt():
                return live | read
            case Perform():
                return live | read | self._performed(node.phase)
            case _:
                return live | read

    def _performed(self, name: str) -> Slots:
        """Return the slots that a phase without decisions needs; it is looked through once, however often it is run."""
        if name not in self.performed:
            phase = self.phases[name]
            self.performed[name] = self._through(phase.body, NO_SLOTS) - set(phase.parameters)
        return self.performed[name]

    def _loop(self, body: Sequence[Statement], live: Slots) -> Slots:
        """A loop: what its body needs may be needed again."""
        while True:
            more = live | self._through(body, live)
            if more == live:
                return live
            live = more


def reachable(
    blocks: Mapping[int, Block], phases: Mapping[str, int], after: Mapping[str, list[int]]
) -> dict[int, set[int]]:
    """Return for each block those that the flow can come to from it without a decision on the way, and itself.

    `phases` gives the entry of each phase, `after` the blocks that a phase returns to.
    """
    found: dict[int, set[int]] = {}
    for start, block in blocks.items():
        seen: set[int] = set()
        open_ = list(_next(block.exit, phases, after))
        while open_:
            number = open_.pop()
            if number not in seen and number in blocks:
                seen.add(number)
                open_ += _next(blocks[number].exit, phases, after)
        found[start] = seen | {start}
    return found


def _next(exit: Exit, phases: Mapping[str, int], after: Mapping[str, list[int]]) -> Iterable[int]:
    match exit:
        case Jump():
            return (exit.to,)
        case Branch():
            return (exit.yes, exit.no)
        case Call():
            return (phases[exit.phase],)
        case Return():
            return after.get(exit.phase, ())
        case Over() | Choose():
            return ()


class Held(NamedTuple):
    """A local that holds pieces: its slot, how many slots, its type, or the types in each row of a loop."""

    slot: int
    size: int
    types: tuple[Type, ...]
    rows: bool


def pieces_held(program: Program) -> dict[int, list[Held]]:
    """Return for each block with a choice the locals that hold pieces and are needed after it, by slot."""
    liveness, found = Liveness(program), dict[int, list[Held]]()
    rows = {
        node.slot: tuple(b.type for b in node.binders)
        for block in program.blocks
        for node in block.body
        if isinstance(node, Collect)
    }
    for block in program.blocks:
        if isinstance(block.exit, Choose):
            live, slot = liveness.at(block.number), 0
            found[block.number] = []
            for info in program.slots:
                types = rows.get(slot, (info.type,))
                if slot in live and info.role != "state" and any(_speaks_of_pieces(t) for t in types):
                    found[block.number].append(Held(slot, info.size, types, slot in rows))
                slot += info.size
    return found


def _speaks_of_pieces(type: Type) -> bool:
    return type.form == "piece" or (type.element is not None and type.element.form == "piece")
