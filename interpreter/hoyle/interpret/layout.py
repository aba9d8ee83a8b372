"""What is fixed for one game, player count and setting of parameters: slots, zones, and tables over the pieces."""

from __future__ import annotations

from collections.abc import Mapping

from hoyle.program import NONE, Choose, Option, Program, Secret, Type, Whole
from hoyle.program.folding import fold
from hoyle.program.liveness import Held, pieces_held
from hoyle.program.purity import Functions
from hoyle.runtime.shape import (
    ChoiceShape,
    OptionShape,
    Reading,
    SecretShape,
    Shape,
    TokenShape,
    VariableShape,
    ZoneShape,
)
from hoyle.runtime.state import HEAD


def shape_of(program: Program, players: int) -> Shape:
    """Return the plain data that all back ends share, for one player count."""
    size = HEAD + sum(s.size for s in program.slots)
    zones = [
        ZoneShape(
            z.name,
            size + z.number,
            z.form,
            z.seen,
            z.each_player,
            -1 if z.refill is None else size + z.refill,
            z.keeps_top,
            z.each_team,
            z.many,
        )
        for z in program.zones
    ]
    variables = [
        VariableShape(v.name, HEAD + v.slot, program.read(v.type), v.each_player, v.each_team)
        for v in program.variables
    ]
    held = {
        block: tuple((HEAD + h.slot, h.size, held_reading(program, h)) for h in found)
        for block, found in pieces_held(program).items()
    }
    choices = {
        b.number: choice_of(program, b.exit, held[b.number])
        for b in program.blocks
        if isinstance(b.exit, Choose)
    }
    faces = [k.face for k in program.kinds]
    deck = [(d.kind, d.copies, size + d.zone, d.low, d.high) for d in program.deck]
    wholes = [option_of(program, w, False) for w in program.wholes]
    picks = -1 if program.picks is None else HEAD + program.picks
    return Shape(
        program.name,
        players,
        program.high,
        faces,
        deck,
        zones,
        variables,
        choices,
        size,
        wholes,
        picks,
        program.teams,
        program.word,
        [
            TokenShape(t.name, HEAD + t.supply, tuple(HEAD + slot for slot in t.places))
            for t in program.tokens
        ],
    )


def held_reading(program: Program, held: Held) -> Reading:
    """Return how the value of a local that holds pieces is read."""
    readings = tuple(program.read(t) for t in held.types)
    return ("rows", readings) if held.rows else readings[0]


def choice_of(
    program: Program, choose: Choose, held: tuple[tuple[int, int, Reading], ...] = ()
) -> ChoiceShape:
    """Return what people read of a choice."""
    options = tuple(option_of(program, o, o.part) for o in choose.options)
    return ChoiceShape(
        choose.text,
        choose.line,
        options,
        secret_of(program, choose.secret),
        choose.more,
        held,
        choose.payment,
    )


def option_of(program: Program, option: Option | Whole, part: bool) -> OptionShape:
    """Return what people read of an option."""
    arguments = tuple((a.bind.name, program.read(a.domain), a.bind.rank) for a in option.arguments)
    return OptionShape(option.name, arguments, option.label, option.text, option.line, part)


def secret_of(program: Program, secret: Secret | None) -> SecretShape | None:
    """Return what is known of a batch of secret choices, by places in the state."""
    if secret is None:
        return None
    arguments = tuple((HEAD + a.slot, program.read(a.type)) for a in secret.arguments)
    choosers, asked, answer = (HEAD + x for x in (secret.choosers, secret.asked, secret.answer))
    return SecretShape(secret.begin, choosers, asked, answer, arguments)


class Layout:
    """The tables of one shape by which the closures ask about pieces."""

    def __init__(self, program: Program, players: int, parameters: Mapping[str, int]) -> None:
        self.program = program
        self.players = players
        self.parameters = dict(parameters)
        self.functions = Functions(program.functions, program.slots)
        self.shape = shape_of(program, players)
        self.size = self.shape.size
        self.kind_of = self.shape.kind_of
        self.faces = self.shape.faces
        # Cards that no deck has can be asked about all the same.
        self.kind_attributes: dict[str, list[int]] = {
            a.name: [NONE] * len(program.kinds) for each in program.attributes.values() for a in each
        }
        for number, kind in enumerate(program.kinds):
            for attribute, value in zip(program.attributes[kind.type], kind.values, strict=True):
                self.kind_attributes[attribute.name][number] = value
        self.attributes = {n: [t[k] for k in self.kind_of] for n, t in self.kind_attributes.items()}

    def token_number(self, name: str) -> int:
        """Return which of the tokens has that name."""
        return [t.name for t in self.program.tokens].index(name)

    def of_types(self, names: tuple[str, ...]) -> list[bool]:
        """Return for each piece whether it is of one of the card types."""
        return [self.program.kinds[k].type in names for k in self.kind_of]

    def first_values(self) -> list[tuple[int, int]]:
        """Return the first value of each variable, by place in the state."""
        found = []
        for variable in self.program.variables:
            value = getattr(fold(variable.start, self.parameters), "value", 0)
            if variable.less_each is not None:
                value -= self.players * getattr(fold(variable.less_each, self.parameters), "value", 0)
            many = (
                self.program.high if variable.each_player else self.program.teams if variable.each_team else 1
            )
            found += [(HEAD + variable.slot + i, value) for i in range(many)]
        return found

    def word(self, type: Type, value: int) -> str:
        """Return a value as people read it."""
        return self.shape.word(self.program.read(type), value)
