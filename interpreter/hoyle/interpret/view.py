"""What a seat sees: the table now, and what has happened, JSON-ready. No card is shown that the seat can't know."""

from __future__ import annotations

from typing import Any

from hoyle import program as p
from hoyle.interpret.engine import Engine
from hoyle.interpret.layout import DECISIONS, HEAD, LOG, PLACE, SEAT, State
from hoyle.program.types import Type
from hoyle.runtime.sets import members

Event = dict[str, Any]


class Viewer:
    """Makes views and logs of the tables of one engine."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.layout = engine.layout
        self.program = engine.program

    # ---- now ------------------------------------------------------------------------------

    def view(self, S: State, seat: int, outcome: str) -> dict[str, Any]:
        """Return the table as the seat sees it."""
        zones: dict[str, Any] = {}
        for zone in self.program.zones:
            first = self.layout.size + zone.number
            if zone.each_player:
                zones[zone.name] = [
                    self._zone(S, first + owner, seat) for owner in range(self.layout.players)
                ]
            else:
                zones[zone.name] = self._zone(S, first, seat)
        return {
            "game": self.program.name,
            "players": self.layout.players,
            "seat": seat,
            "turn": S[SEAT] if S[SEAT] >= 0 else None,
            "outcome": outcome,
            "decisions": S[DECISIONS],
            "zones": zones,
            "state": self._state(S, seat),
            "seats": [v.name for v in self.program.variables if v.type.form == "player"],
        }

    def _zone(self, S: State, index: int, seat: int) -> dict[str, Any]:
        pieces = S[index]
        shown = pieces[::-1] if self.layout.is_pile[index] else pieces
        faces = [self._face(x) if self.sees(S, x, seat) else None for x in shown]
        if self.layout.is_pool[index]:
            faces = [f for f in faces if f is not None] + [None] * faces.count(None)
        return {"size": len(pieces), "cards": faces}

    def _face(self, piece: int) -> str:
        return self.layout.faces[self.layout.kind_of[piece]]

    def sees(self, S: State, piece: int, seat: int) -> bool:
        """Return whether the seat sees the face of a piece where it lies."""
        index = S[PLACE][piece]
        if index < 0:
            return False
        if index in self.layout.top_seen:
            return bool(S[index][-1] == piece)
        return bool(self.layout.seen[index] >> seat & 1)

    def _state(self, S: State, seat: int) -> dict[str, Any]:
        shown: dict[str, Any] = {}
        for variable in self.program.variables:
            first = HEAD + variable.slot
            if variable.each_player:
                places = range(first, first + self.layout.players)
                shown[variable.name] = [self._value(S, variable.type, S[i], seat) for i in places]
            else:
                shown[variable.name] = self._value(S, variable.type, S[first], seat)
        return shown

    def _value(self, S: State, type: Type, value: int, seat: int) -> Any:
        """Return a value JSON-ready; cards that the seat does not see are None."""
        if value == p.NONE:
            return "none"
        match type.form:
            case "number" | "player":
                return value
            case "flag":
                return bool(value)
            case "piece":
                return self._face(value) if self.sees(S, value, seat) else None
            case "set":
                inner = type.element or Type(form="number")
                found = [self._value(S, inner, x, seat) for x in members(value)]
                return [x for x in found if x is not None] + [None] * found.count(None)
            case _:
                return self.layout.word(type, value)

    # ---- what has happened ------------------------------------------------------------------

    def log(self, S: State, seat: int | None) -> list[Event]:
        """Return what has happened as the seat knows it, oldest first; for None as one who sees every card."""
        chain, events = S[LOG], []
        while chain:
            chain, event = chain
            events.append(event)
        events.reverse()
        shown: list[Event] = []
        for place, event in enumerate(events):
            shown += self._event(event, events, place, seat)
        return shown

    def _event(self, event: tuple[Any, ...], events: list[Any], place: int, seat: int | None) -> list[Event]:
        match event:
            case ("choose", who, block, option, arguments):
                return [self._choice(who, block, option, arguments, events, place, seat)]
            case ("move", target, moved):
                return self._moved(target, moved, seat)
            case ("shuffle", zone):
                return [self._happened("chance", f"{self.zone_name(zone)} is shuffled")]
            case ("refill", zone, other):
                text = f"{self.zone_name(other)} becomes the new {self.zone_name(zone)}"
                return [self._happened("chance", text)]
            case ("gather", zone):
                return [self._happened("flow", f"the cards are gathered into {self.zone_name(zone)}")]
            case ("drawn", who, piece):
                return [self._happened("chance", f"player {who + 1} draws {self._face(piece)}", who)]
            case ("pick", slot, value):
                return self._picked(slot, value)
            case ("over",):
                return [self._happened("flow", "the game is over")]
            case _:
                raise AssertionError(event)

    def _happened(self, kind: str, text: str, seat: int | None = None, rule: str = "") -> Event:
        return {"kind": kind, "seat": seat, "text": text, "rule": rule}

    def zone_name(self, index: int) -> str:
        """Return a zone as people call it."""
        name, owner = self.layout.zone_name[index]
        return name if owner < 0 else f"player {owner + 1}'s {name}"

    def _choice(
        self,
        who: int,
        block: int,
        option: int,
        arguments: tuple[int, ...],
        events: list[Any],
        place: int,
        seat: int | None,
    ) -> Event:
        """A move: arguments are shown to its maker, and to others if they see where the cards go or came from."""
        chosen = self.engine.chooses[block].options[option]
        words = []
        for argument, value in zip(chosen.arguments, arguments, strict=True):
            open_ = argument.domain.form != "piece" or seat in (None, who)
            shown = open_ or self._seen_after(value, events, place, seat)
            words.append(self.layout.word(argument.domain, value) if shown else "a card")
        text = move_text(chosen, words)
        return self._happened("move", f"player {who + 1}: {text}", who, chosen.text)

    def _seen_after(self, piece: int, events: list[Any], place: int, seat: int | None) -> bool:
        """Return whether the first move of the piece after the choice, before the next choice, was seen by the seat."""
        for event in events[place + 1 :]:
            if event[0] == "choose":
                return False
            if event[0] == "move":
                for moved, _, seen in event[2]:
                    if moved == piece:
                        return sees(seen, seat)
        return False

    def _moved(self, target: int, moved: tuple[tuple[int, int, int], ...], seat: int | None) -> list[Event]:
        """Pieces that moved together, a line for each zone they came from."""
        made = []
        for source in dict.fromkeys(source for _, source, _ in moved):
            here = [(piece, seen) for piece, origin, seen in moved if origin == source]
            if self.layout.is_pool[target]:
                here.sort()
            faces = [self._face(piece) for piece, seen in here if sees(seen, seat)]
            hidden = len(here) - len(faces)
            cards = [*faces, *([f"{hidden} card" + ("s" if hidden > 1 else "")] if hidden else [])]
            text = f"{', '.join(cards)}: {self.zone_name(source)} -> {self.zone_name(target)}"
            made.append(self._happened("flow", text))
        return made

    def _picked(self, slot: int, value: int) -> list[Event]:
        for variable in self.program.variables:
            if variable.slot <= slot < variable.slot + (self.layout.players if variable.each_player else 1):
                if variable.type.form in ("piece", "set"):
                    return [self._happened("chance", f"{variable.name} is picked at random")]
                return [
                    self._happened("chance", f"{variable.name} is {self.layout.word(variable.type, value)}")
                ]
        return []


def sees(mask: int, seat: int | None) -> bool:
    """Return whether a seat is among those of a mask; None sees everything."""
    return seat is None or bool(mask >> seat & 1)


def move_text(option: p.Option, words: list[str]) -> str:
    """Return a move as people read it: the option's own words, or its call form."""
    if option.label:
        text = option.label
        for argument, word in zip(option.arguments, words, strict=True):
            text = text.replace("{" + argument.bind.name + "}", word)
        return text
    return move_call(option, words)


def move_call(option: p.Option, words: list[str]) -> str:
    """Return a move as a scenario writes it, without the quotes."""
    return f"{option.name}({', '.join(words)})" if words else option.name
