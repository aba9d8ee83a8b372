"""What a seat sees: the table now, and what has happened, JSON-ready. No card is shown that the seat can't know."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hoyle.runtime.sets import members
from hoyle.runtime.shape import OptionShape, Reading, Shape, ZoneShape
from hoyle.runtime.state import DECISIONS, LOG, NONE, PLACE, SEAT, UNKNOWN, State

Event = dict[str, Any]
PLAYERS = (("player",), ("set", ("player",)))  # how variables that hold players are read


class Viewer:
    """Makes views and logs of the states of one shape."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape

    # ---- now ------------------------------------------------------------------------------

    def view(self, S: State, seat: int, outcome: str) -> dict[str, Any]:
        """Return the table as the seat sees it."""
        zones: dict[str, Any] = {}
        for zone in self.shape.zones:
            owners = self.shape.players if zone.each_player else self.shape.teams if zone.each_team else 0
            of_each = [self._owned(S, zone, owner, seat) for owner in range(owners or 1)]
            zones[zone.name] = of_each if owners else of_each[0]
        shown = {
            "game": self.shape.name,
            "players": self.shape.players,
            "seat": seat,
            "turn": S[SEAT] if S[SEAT] >= 0 else None,
            "outcome": outcome,
            "decisions": S[DECISIONS] - (S[self.shape.picks] if self.shape.picks >= 0 else 0),
            "zones": zones,
            "state": self._state(S, seat),
            "seats": [v.name for v in self.shape.variables if v.reading in PLAYERS],
        }
        families = [z.name for z in self.shape.zones if z.many]
        if families:
            shown["families"] = families
        if self.shape.teams:
            shown["teams"] = [list(self.shape.side(team)) for team in range(self.shape.teams)]
            owned = [z.name for z in self.shape.zones if z.each_team]
            shown["by_team"] = owned + [v.name for v in self.shape.variables if v.each_team]
        return shown

    def _owned(self, S: State, zone: ZoneShape, owner: int, seat: int) -> Any:
        """Return the zone of an owner, or those that have begun."""
        if zone.many:
            return [self._zone(S, index, seat) for index in self.shape.begun(S, zone, owner)]
        return self._zone(S, zone.first + owner, seat)

    def _zone(self, S: State, index: int, seat: int) -> dict[str, Any]:
        pieces, shape = S[index], self.shape
        faces: list[str | None] = [None] * len(pieces)
        if index not in shape.top_seen:
            if shape.seen[index] >> seat & 1:
                faces = [shape.faces[shape.kind_of[x]] for x in pieces]
        elif pieces:
            faces[0 if shape.is_pool[index] else -1] = shape.face(pieces[-1])
        if shape.is_pile[index]:
            faces.reverse()
        return {"size": len(pieces), "cards": faces}

    def sees(self, S: State, piece: int, seat: int) -> bool:
        """Return whether the seat sees the face of a piece where it lies."""
        index = S[PLACE][piece]
        if index < 0:
            return False
        if index in self.shape.top_seen:
            return bool(S[index][-1] == piece)
        return bool(self.shape.seen[index] >> seat & 1)

    def _state(self, S: State, seat: int) -> dict[str, Any]:
        shown: dict[str, Any] = {}
        for name, place, reading, each_player, each_team in self.shape.variables:
            if each_player or each_team:
                places = range(place, place + (self.shape.players if each_player else self.shape.teams))
                shown[name] = [self._value(S, reading, S[i], seat) for i in places]
            else:
                shown[name] = self._value(S, reading, S[place], seat)
        return shown

    def _value(self, S: State, reading: Reading, value: int, seat: int) -> Any:
        """Return a value JSON-ready; cards that the seat does not see are None."""
        if value == NONE:
            return "none"
        match reading[0]:
            case "number" | "player":
                return int(value)
            case "flag":
                return bool(value)
            case "piece":
                return self.shape.face(value) if self.sees(S, value, seat) else None
            case "set":
                found = [self._value(S, reading[1], x, seat) for x in members(value)]
                return [x for x in found if x is not None] + [None] * found.count(None)
            case _:
                return self.shape.word(reading, value)

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
            case ("choose", who, block, option, arguments, seen, _):
                chosen = self.shape.choices[block].options[option]
                return [self._choice(who, chosen, arguments, seen, events, place, seat)]
            case ("told", who, whole, arguments, seen, _):
                return [self._choice(who, self.shape.wholes[whole], arguments, seen, events, place, seat)]
            case ("answer", _, block, *_) if block < 0:  # as told to another seat
                return []
            case ("answer", who, block, option, arguments):
                return self._answer(who, self.shape.choices[block].options[option], arguments, seat)
            case ("answered", who):
                return [] if seat == who else [self._happened("answer", f"player {who + 1} has chosen", who)]
            case ("show", seats, shown):
                return self._shown(seats, shown, seat)
            case ("best", seats, label, total, pairs):
                return self._best(seats, label, total, pairs, seat)
            case ("move", target, moved):
                return self._moved(target, moved, seat)
            case ("shuffle", zone, _):
                return [self._happened("chance", f"{self.shape.zone_word(zone)} is shuffled")]
            case ("refill", zone, other):
                but = " but its top" if zone in self.shape.keeps_top else ""
                text = f"{self.shape.zone_word(other)}{but} becomes the new {self.shape.zone_word(zone)}"
                return [self._happened("chance", text)]
            case ("gather", zone, _, _):
                return [
                    self._happened(
                        "flow", f"the {self.shape.piece_word}s are gathered into {self.shape.zone_word(zone)}"
                    )
                ]
            case ("drawn", who, piece, _):
                return [self._happened("chance", f"player {who + 1} draws {self.shape.face(piece)}", who)]
            case ("pick", at, name, form, value):
                return self._picked(at, name, form, value)
            case ("give", token, source, target, count, taken):
                return self._given(token, source, target, count, taken)
            case ("trick", who):
                return [self._happened("flow", f"player {who + 1} wins the trick", who)]
            case ("out", who):
                again = any(other == event for other in events[:place])
                return [] if again else [self._happened("flow", f"player {who + 1} is out of the game", who)]
            case ("changes", at, old, new):
                return self._changed(at, old, new)
            case ("over",):
                return [self._happened("flow", "the game is over")]
            case ("top", zone, piece, at):
                return self._uncovered(zone, piece, at, events, place)
            case ("lie" | "back" | "swap" | "lacks" | "paid", *_):
                return []
            case _:
                raise AssertionError(event)

    def _happened(self, kind: str, text: str, seat: int | None = None, rule: str = "") -> Event:
        return {"kind": kind, "seat": seat, "text": text, "rule": rule}

    def _answer(
        self, who: int, chosen: OptionShape, arguments: tuple[int, ...], seat: int | None
    ) -> list[Event]:
        """A move that others are not told of yet: its maker is."""
        if seat is not None and seat != who:
            return []
        words = self.words(chosen, arguments)
        return [self._happened("answer", f"player {who + 1}, unseen: {move_text(chosen, words)}", who)]

    def words(self, option: OptionShape, arguments: Sequence[int]) -> list[str]:
        """Return the arguments of a move as people read them, those of one source in the order of their faces."""
        shape = self.shape
        order = shape.in_domain_order(option, arguments)
        return [shape.word(option.arguments[i][1], arguments[i]) for i in order]

    def _choice(
        self,
        who: int,
        chosen: OptionShape,
        arguments: tuple[Any, ...],
        seen: tuple[Any, ...],
        events: list[Any],
        place: int,
        seat: int | None,
    ) -> Event:
        """A move: arguments are shown to its maker, and to others if they see the card before or behind the move."""
        words: list[str] = []
        group: list[tuple[bool, str]] = []
        unseen = f"a {self.shape.piece_word}"

        def known(piece: int, mask: int) -> bool:
            return piece != UNKNOWN and (
                seat == who or sees(mask, seat) or self.seen_after(piece, events, place, seat)
            )

        for i in self.shape.in_domain_order(chosen, arguments):
            reading, value = chosen.arguments[i][1], arguments[i]
            if reading[0] == "set":
                group.append((False, self._faces(value, seen[i], known)))
            else:
                shown = known(value, seen[i])
                group.append((not shown, self.shape.word(reading, value) if shown else unseen))
        # A masked card stands behind those of its source that are shown: its place would tell how high it is.
        for source in self.shape.sources(chosen):
            if len(source) == 1:
                words.append(group[source[0]][1])
            else:
                words += [word for _, word in sorted([group[i] for i in source], key=lambda pair: pair[0])]
        text = move_text(chosen, words)
        return self._happened("move", f"player {who + 1}: {text}", who, chosen.text)

    def _faces(self, pieces: Sequence[int], seen: tuple[int, ...], known: Callable[[int, int], bool]) -> str:
        """Return the cards of a set in words, behind them how many more there are that are not known."""
        faces = [self.shape.face(x) for x, mask in zip(pieces, seen, strict=True) if known(x, mask)]
        hidden = len(pieces) - len(faces)
        if hidden:
            faces.append(
                f"a {self.shape.piece_word}" if hidden == 1 else f"{hidden} {self.shape.piece_word}s"
            )
        return ", ".join(faces) or "nothing"

    def _shown(
        self, seats: int, shown: tuple[tuple[int, int, int, int], ...], seat: int | None
    ) -> list[Event]:
        """Pieces that are shown where they lie, a line for each zone; who is shown none is told how many."""
        n = self.shape.players
        whom = [f"player {x + 1}" for x in range(n) if seats >> x & 1]
        names = "all" if len(whom) == n else ", ".join(whom) or "nobody"
        made = []
        for source in sorted({source for _, source, _, _ in shown}):
            here = [(x, mask) for x, zone, _, mask in shown if zone == source]
            kinds = [self.shape.kind_of[x] for x, mask in here if x != UNKNOWN and sees(mask, seat)]
            faces = [self.shape.faces[k] for k in sorted(kinds)]
            hidden = len(here) - len(faces)
            cards = [*faces, *self._unseen(hidden)]
            where = self.shape.zone_word(source) if source >= 0 else "out of play"
            made.append(self._happened("flow", f"{', '.join(cards)}: {where}, shown to {names}"))
        return made

    def _best(
        self, seats: int, label: str, total: int, pairs: tuple[tuple[Any, Any], ...], seat: int | None
    ) -> list[Event]:
        """What is best and how it comes about, for those who are shown it; the others are told whom it is shown."""
        if not sees(seats, seat):
            whom = [f"player {x + 1}" for x in range(self.shape.players) if seats >> x & 1]
            return [self._happened("flow", f"{label} is shown to {', '.join(whom) or 'nobody'}")]
        faces = self.shape.faces
        if pairs and isinstance(pairs[0][0], str):  # the melds of a split, and its rest
            ways = "; ".join(f"{name} {', '.join(map(self.shape.face, sorted(x)))}" for name, x in pairs if x)
        else:
            ways = ", ".join(f"{faces[w]} as {faces[f] if f >= 0 else 'nothing'}" for w, f in pairs)
        return [self._happened("flow", f"{label} is {total}{': ' if ways else ''}{ways}")]

    def seen_after(self, piece: int, events: Sequence[Any], place: int, seat: int | None) -> bool:
        """Return whether the piece was seen to move after the choice, before the next choice or mixing of cards."""
        for later in range(place + 1, len(events)):  # the next few alone: a slice would copy the whole log
            event = events[later]
            if event[0] in ("choose", "told", "answer", "gather", "shuffle", "refill"):
                return False
            if event[0] == "move":
                for moved, _, seen, _ in event[2]:
                    if moved == piece:
                        return piece != UNKNOWN and sees(seen, seat)
        return False

    def _moved(
        self, target: int, moved: tuple[tuple[int, int, int, int], ...], seat: int | None
    ) -> list[Event]:
        """Pieces that moved together, a line for each zone they came from."""
        made = []
        for source in sorted({source for _, source, _, _ in moved}):
            here = [(piece, seen) for piece, origin, seen, _ in moved if origin == source]
            if self.shape.is_pool[target]:
                here.sort()
            faces = [self.shape.face(piece) for piece, seen in here if piece != UNKNOWN and sees(seen, seat)]
            hidden = len(here) - len(faces)
            cards = [*faces, *self._unseen(hidden)]
            text = f"{', '.join(cards)}: {self.shape.zone_word(source)} -> {self.shape.zone_word(target)}"
            made.append(self._happened("flow", text))
        return made

    def _uncovered(self, zone: int, piece: int, at: int, events: Sequence[Any], place: int) -> list[Event]:
        """A piece that came to be the top that all see, since those above it went: no move tells which it is."""
        place -= 1
        while place >= 0 and events[place][0] == "top" and events[place][1] != zone:  # noted together with it
            place -= 1
        event = events[place]
        if place < 0 or event[0] != "move" or event[1] == zone:
            return []
        gone = [way for _, source, _, way in event[2] if source == zone]
        top, uncovered = at + len(gone), False
        for way in gone:
            # Where it lay when its turn came; or, for what was drawn from the top, ~ the how manieth it was.
            uncovered |= way in (top, ~0)
            top -= 1
        if not uncovered:
            return []
        return [
            self._happened("flow", f"{self.shape.face(piece)}: now on top of {self.shape.zone_word(zone)}")
        ]

    def _given(self, token: int, source: int, target: int, count: int, taken: int) -> list[Event]:
        """Tokens that went from one place to another; what the target could not take goes to the supply."""
        name, supply, _ = self.shape.tokens[token]
        made = [(taken, target)]
        if source != supply:
            made.append((count - taken, supply))
        return [
            self._happened(
                "flow",
                f"{n} {name}: {self.shape.token_place(name, source)} -> {self.shape.token_place(name, to)}",
            )
            for n, to in made
            if n > 0
        ]

    def _changed(self, at: int, old: int, new: int) -> list[Event]:
        """A variable of a player or team that the result ranks by."""
        for variable in self.shape.variables:
            owner = "player" if variable.each_player else "team" if variable.each_team else ""
            many = {"player": self.shape.players, "team": self.shape.teams}.get(owner, 0)
            if variable.place <= at < variable.place + many:
                words = [self.shape.word(variable.reading, x) if x != NONE else "none" for x in (old, new)]
                whose = f"{owner} {at - variable.place + 1}'s {variable.name}"
                seat = at - variable.place if variable.each_player else None
                return [self._happened("flow", f"{whose} goes from {words[0]} to {words[1]}", seat)]
        return []

    def _unseen(self, count: int) -> list[str]:
        """Return in words how many pieces are not seen; nothing for none."""
        return [f"{count} {self.shape.piece_word}" + ("s" if count > 1 else "")] if count else []

    def _picked(self, at: int, name: str, form: str, value: int) -> list[Event]:
        if form == "piece":
            return [self._happened("chance", f"{name} is picked at random")]
        for variable in self.shape.variables:
            owner = "player" if variable.each_player else "team" if variable.each_team else ""
            many = {"player": self.shape.players, "team": self.shape.teams}.get(owner, 1)
            if variable.place <= at < variable.place + many:
                whose = f"{owner} {at - variable.place + 1}'s {name}" if owner else name
                return [self._happened("chance", f"{whose} is {self.shape.word(variable.reading, value)}")]
        if form not in ("player", "number"):
            return []
        return [self._happened("chance", f"{name} is {self.shape.word((form,), value)}")]


def sees(mask: int, seat: int | None) -> bool:
    """Return whether a seat is among those of a mask; None sees everything."""
    return seat is None or bool(mask >> seat & 1)


def move_text(option: OptionShape, words: Sequence[str]) -> str:
    """Return a move as people read it: the option's own words, or its call form."""
    if option.label:
        text = option.label
        for (name, _, _), word in zip(option.arguments, words, strict=True):
            text = text.replace("{" + name + "}", word)
        return text
    return move_call(option, words)


def move_call(option: OptionShape, words: Sequence[str]) -> str:
    """Return a move as a scenario writes it, without the quotes."""
    return f"{option.name}({', '.join(words)})" if words else option.name
