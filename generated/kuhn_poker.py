# fmt: off
"""Kuhn poker, for 2 players.

Three cards and one bet: the smallest poker in which one can bluff. The aim is to win chips.

Made by hoyle 0.1.0 from kuhn_poker.hoyle, edition 1, hash ebd9a16199e8a581. Do not edit: change the spec
and compile it again. This module needs the standard library alone. `game` is the game; `python kuhn_poker.py`
plays it in the terminal. A number behind a line of code is the line of the spec that it comes from.
"""

from __future__ import annotations

import argparse
import difflib
import sys
from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from math import comb
from typing import Any, NamedTuple, Protocol

# ---- chance: Chance: one integer is the whole random state of a table.

MASK63 = (1 << 63) - 1
MASK64 = (1 << 64) - 1
MASK48 = (1 << 48) - 1
MULTIPLIER = 3512401965023503517
INCREMENT = 1442695040888963407
PICKS_A_STEP = 4


def scramble(value: int) -> int:
    """Return 64 well-mixed bits for a 64-bit `value` (the finaliser of splitmix64)."""
    value = (value + 0x9E3779B97F4A7C15) & MASK64
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK64
    return value ^ (value >> 31)


def mix(seed: int, *parts: int) -> int:
    """Return a 63-bit seed made of `seed` and `parts`, such as the number of a game; order matters."""
    value = scramble(seed & MASK64)
    for part in parts:
        value = scramble((value + part) & MASK64)
    return value & MASK63


def seeded(seed: int) -> int:
    """Return the first state of chance for any integer `seed`."""
    return scramble((seed & MASK64) ^ 0x686F796C65) & MASK63


def pick(state: int, count: int) -> tuple[int, int]:
    """Return the next state and a number from 0 to `count` - 1."""
    state = (state * MULTIPLIER + INCREMENT) & MASK63
    return state, ((state >> 15) * count) >> 48


def shuffle(state: int, pieces: list[int]) -> int:
    """Shuffle `pieces` in place, each order equally likely, and return the next state."""
    left = PICKS_A_STEP
    r = 0
    fresh = True
    for i in range(len(pieces) - 1, 0, -1):
        if fresh:
            state = (state * MULTIPLIER + INCREMENT) & MASK63
            r = state >> 15
            left = PICKS_A_STEP
        r *= i + 1
        j = r >> 48
        r &= MASK48
        pieces[i], pieces[j] = pieces[j], pieces[i]
        left -= 1
        fresh = left == 0
    return state


# ---- sets: Sets as bit masks: what both back ends call by name.

def members(mask: int) -> list[int]:
    """Return the elements of a set, ascending."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def longest_run(mask: int) -> int:
    """Return the length of the longest run of consecutive elements of a set of numbers."""
    length = 0
    while mask:
        mask &= mask << 1
        length += 1
    return length


def mask_of(pieces: Iterable[int]) -> int:
    """Return the set of the pieces of a zone."""
    mask = 0
    for piece in pieces:
        mask |= 1 << piece
    return mask


def may_be_in_set(element: int, mask: int) -> int:
    """Return 1 if the element, which may be none, is in the set, else 0."""
    return mask >> element & 1 if element >= 0 else 0


def range_set(low: int, high: int) -> int:
    """Return the set of the numbers from `low` to `high`; empty if there are none."""
    return (1 << high + 1) - (1 << low) if low <= high else 0


# ---- faults: What can go wrong while a game runs: a move that is not allowed, and a fault of the spec.

class IllegalMove(ValueError):
    """A move that the rules do not allow now. The table is unchanged."""


class Fault(RuntimeError):
    """A game that can't go on because of its spec: an empty choice, a broken range, too many steps.

    `line` is the line of the spec, 0 if none; `table` is the table as it stood, in words.
    """

    def __init__(self, message: str, line: int = 0, table: str = "") -> None:
        super().__init__(f"line {line}: {message}" if line else message)
        self.message = message
        self.line = line
        self.table = table


# ---- move: A move as drivers see it.

class Move(NamedTuple):
    """A legal move: `number` is fixed by game and player count, `call` is as a scenario has it, `text` reads well."""

    number: int
    option: str
    arguments: tuple[str, ...]
    call: str
    text: str
    rule: str

    def __str__(self) -> str:
        return self.text


class Playout(NamedTuple):
    """One game of random choices: `outcome` is finished, stalled or fault.

    `choices` is the sum over decisions of the number of legal moves, `forced` counts the decisions with one.
    """

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: int
    outcome: str
    fault: str
    choices: int
    forced: int


# ---- state: The state of a table: one flat list, the same in every back end.

State = list[Any]

BLOCK = 0  # the block of the flow graph where the game stands
CHANCE = 1  # the state of chance
LOG = 2  # the last event and those before it, as a chain of pairs; None when no log is kept
STEPS = 3  # passes of loops since the last decision
DECISIONS = 4  # decisions made so far
SEAT = 5  # who is to move; -1 when the game is over
WINNER = 6  # who has won whatever the result says; -1 for nobody
KNOWN = 7  # what each seat remembers, kept for when the table can be resampled
PLACE = 8  # the zone of each piece, as an index of the state
HEAD = 9

NONE = -(1 << 62)  # none, in every type: below all that a range can hold
OUT_OF_PLAY = -1
MOST_STEPS = 100_000
EMPTY_LOG: tuple[Any, ...] = ()


# ---- ranks: Unordered choices of several as numbers, in colexicographic order.

def rank_of(places: Sequence[int], with_repeats: bool) -> int:
    """Return the number of an unordered choice among all of its size; with repeats equal places may stand together."""
    number = 0
    for i, place in enumerate(sorted(places)):
        number += comb(place + i, i + 1) if with_repeats else comb(place, i + 1)
    return number


def nth_of_kind(kind_of: Sequence[int], pieces: Sequence[int], kind: int, skip: int) -> int:
    """Return the first piece of a kind after `skip` others of it, in the order given; -1 if there is none."""
    for piece in pieces:
        if kind_of[piece] == kind:
            if skip == 0:
                return piece
            skip -= 1
    return -1


# ---- asking: What compiled expressions call by name.

@lru_cache(maxsize=4096)
def elements(mask: int) -> tuple[int, ...]:
    """Return the elements of a set of small values, ascending."""
    return tuple(members(mask))


def kinds_of(kind_of: Sequence[int], pieces: int) -> int:
    """Return the set of the kinds of a set of pieces."""
    mask = 0
    for piece in members(pieces):
        mask |= 1 << kind_of[piece]
    return mask


def kind_or_none(kind_of: Sequence[int], piece: int) -> int:
    """Return the kind of a piece, none for none."""
    return kind_of[piece] if piece >= 0 else NONE


def passes(table: Sequence[bool], kind: int) -> bool:
    """Return whether a kind, which may be none, passes a test of its type."""
    return kind >= 0 and table[kind]


def converted_set(table: Mapping[int, int], mask: int) -> int:
    """Return a set with each element converted; those that have no counterpart fall away."""
    made = 0
    for element in members(mask):
        place = table.get(element, -1)
        if place >= 0:
            made |= 1 << place
    return made


def divided(a: int, b: int, line: int, rest: bool) -> int:
    """Return `a` divided by `b`, rounded down, or what is left over."""
    if b == 0:
        raise Fault("a number is divided by 0", line)
    return a % b if rest else a // b


def within(value: int, low: int, high: int, line: int) -> int:
    """Return a number that is in its range; one outside is a fault."""
    if not low <= value <= high:
        raise Fault(f"{value} is outside {low}..{high}", line)
    return value


def numbers_from(low: int, high: int, line: int) -> range:
    """Return the numbers of a range; one of more numbers than a game could look through is a fault."""
    if high - low >= MOST_STEPS:
        raise Fault(f"{low}..{high} is too long a range to go through", line)
    return range(low, high + 1)


def extreme(values: Sequence[int], word: str, line: int) -> int:
    """Return the highest or lowest of some values; none to choose from is a fault."""
    if not values:
        raise Fault(f"there is nothing to take the {word} of", line)
    return max(values) if word == "highest" else min(values)


def superlative(pairs: Sequence[tuple[int, int]], word: str, sole: bool, rivals: str, line: int) -> int:
    """Return the element with the greatest key of (key, element): the earliest, or with `sole` none of several.

    `rivals` are players or teams: a tie between them is a fault.
    """
    if not pairs:
        if sole:
            return NONE
        raise Fault(f"there is nothing to take the {word} of", line)
    top = max(pairs, key=lambda pair: pair[0])
    ties = sum(1 for key, _ in pairs if key == top[0])
    if ties > 1 and sole:
        return NONE
    if ties > 1 and rivals:
        raise Fault(f"{ties} {rivals} tie for the {word}; say `sole {word}` to get none then", line)
    return top[1]


# ---- seats: Players in the order of play, those who are out of the game left out. `out` is a set of seats.

def seats_in(players: int, out: int) -> Sequence[int]:
    """Return the seats of those who are still in, ascending."""
    return [seat for seat in range(players) if not out >> seat & 1] if out else range(players)


def seats_after(seat: int, first: int, players: int, out: int) -> list[int]:
    """Return those still in, in the order of play from a seat on, the seat itself too if `first` is 0."""
    return [x for i in range(first, players) if not out >> (x := (seat + i) % players) & 1]


def next_in(seat: int, step: int, players: int, out: int) -> int:
    """Return the first seat that is still in, going by `step` from one; that seat itself if there is no other."""
    for _ in range(players):
        seat = (seat + step) % players
        if not out >> seat & 1:
            return seat
    return seat


def members_in(team: int, teams: int, players: int, out: int) -> Sequence[int]:
    """Return the seats of a team that are still in, ascending."""
    seats = range(team, players, teams)
    return [seat for seat in seats if not out >> seat & 1] if out else seats


def still_in(seat: int, out: int, line: int) -> int:
    """Return a seat that is to choose; Fault if it is out of the game."""
    if out >> seat & 1:
        raise Fault(f"player {seat + 1} is out of the game and can't choose", line)
    return seat


# ---- shape: What a game consists of, as plain data for one player count: pieces, zones, variables, choices.

# How a value is read: ("number",), ("flag",), ("player",), ("piece",), ("kind",), ("enum", labels) or ("set", of what).
Reading = tuple[Any, ...]


class ZoneShape(NamedTuple):
    """A zone: `first` is the place of its first list in the state, one for each player or team if it has owners.

    With `keeps_top` the top of the zone that refills it stays there.
    """

    name: str
    first: int
    form: str
    seen: str
    each_player: bool
    refill: int
    keeps_top: bool = False
    each_team: bool = False


class VariableShape(NamedTuple):
    """A variable: `place` is its first place in the state, one for each player or team if each has one."""

    name: str
    place: int
    reading: Reading
    each_player: bool
    each_team: bool = False


class OptionShape(NamedTuple):
    """An option: its arguments, its own words and rule text, the line of the spec.

    Of an argument: its name, its reading, and its place among those that share one source.
    """

    name: str
    arguments: tuple[tuple[str, Reading, int], ...]
    label: str
    text: str
    line: int


class ChoiceShape(NamedTuple):
    """A choice: its rule text, the line of the spec, its options."""

    text: str
    line: int
    options: tuple[OptionShape, ...]


class Shape:
    """The tables over pieces and zones that all back ends share. `most` is the largest player count of the game.

    `teams` is how many teams there are: seat s is in team s modulo that; 0 for none.
    """

    def __init__(
        self,
        name: str,
        players: int,
        most: int,
        faces: Sequence[str],
        deck: Sequence[tuple[int, int, int, int]],
        zones: Sequence[ZoneShape],
        variables: Sequence[VariableShape],
        choices: dict[int, ChoiceShape],
        size: int,
        teams: int = 0,
    ) -> None:
        self.name = name
        self.teams = teams
        self.players = players
        self.faces = faces
        self.zones = zones
        self.variables = variables
        self.choices = choices
        self.size = size
        pieces = [
            (kind, home) for kind, copies, home, least in deck if least <= players for _ in range(copies)
        ]
        pieces.sort()
        self.kind_of = [kind for kind, _ in pieces]
        self.home = [home for _, home in pieces]
        self.first_of = [bisect_left(self.kind_of, kind) for kind in range(len(faces))]
        self.lists = range(size, size + sum(len(self.indexes(z, most)) for z in zones))
        self.is_pool = {i: z.form == "pool" for z in zones for i in self.indexes(z, most)}
        self.is_pile = {i: z.form == "pile" for z in zones for i in self.indexes(z, most)}
        self.refill = {z.first: z.refill for z in zones if z.refill >= 0}
        self.keeps_top = {z.first for z in zones if z.keeps_top}
        self.top_seen = {i for z in zones if z.seen == "top" for i in self.indexes(z, most)}
        self.zone_name = {
            i: (z.name, i - z.first if z.each_player else -1) for z in zones for i in self.indexes(z, most)
        }
        self.of_team = {i for z in zones if z.each_team for i in self.indexes(z, most)}
        self.seen: dict[int, int] = {}
        everyone = (1 << players) - 1
        for zone in zones:
            for index in self.indexes(zone, most):
                owner = index - zone.first
                team = sum(1 << seat for seat in self.side(owner))
                own = team if zone.each_team else 1 << owner
                masks = {"open": everyone, "owner": own, "others": everyone & ~own, "team": team}
                self.seen[index] = masks.get(zone.seen, 0)

    def indexes(self, zone: ZoneShape, most: int) -> range:
        """Return the places of a zone's lists in the state."""
        owners = most if zone.each_player else self.teams if zone.each_team else 1
        return range(zone.first, zone.first + owners)

    def side(self, seat: int) -> tuple[int, ...]:
        """Return the seats that win with a seat: those of its team, or it alone."""
        return tuple(range(seat % self.teams, self.players, self.teams)) if self.teams else (seat,)

    def first_state(self, start: int, chance: int, log: bool, values: Sequence[tuple[int, int]]) -> State:
        """Return a state before the first statement: every piece at home, variables at the given first values."""
        state: State = [0] * self.size
        state[0] = start
        state[CHANCE] = chance
        state[LOG] = EMPTY_LOG if log else None
        state[SEAT] = state[WINNER] = -1
        state[PLACE] = list(self.home)
        for place, value in values:
            state[place] = value
        state += [[] for _ in self.lists]
        for piece, home in enumerate(self.home):
            state[home].append(piece)
        return state

    def copy(self, state: State) -> State:
        """Return a state with the same future, that shares nothing that changes."""
        new = state[:]
        new[PLACE] = state[PLACE][:]
        for index in self.lists:
            new[index] = state[index][:]
        return new

    def sources(self, option: OptionShape) -> list[list[int]]:
        """Return the places of the arguments of an option, those together that share one source."""
        found: list[list[int]] = []
        for place, (_, _, rank) in enumerate(option.arguments):
            if rank == 0:
                found.append([])
            found[-1].append(place)
        return found

    def in_domain_order(self, option: OptionShape, values: Sequence[int]) -> list[int]:
        """Return the places of the arguments, those that share one source in the order of their faces or values.

        Which of them is which may depend on cards that others can't see, so that it must not show.
        """
        order: list[int] = []
        for source in self.sources(option):
            pieces = option.arguments[source[0]][1][0] == "piece"
            keyed = [(self.kind_of[values[i]] if pieces else values[i], i) for i in source]
            order += [i for _, i in sorted(keyed)] if len(source) > 1 else source
        return order

    def face(self, piece: int) -> str:
        """Return the face of a piece."""
        return self.faces[self.kind_of[piece]]

    def word(self, reading: Reading, value: int) -> str:
        """Return a value as people read it; pieces by their face."""
        if value == NONE:
            return "none"
        match reading[0]:
            case "flag":
                return "yes" if value else "no"
            case "enum":
                return str(reading[1][value])
            case "player":
                return f"player {value + 1}"
            case "piece":
                return self.face(value)
            case "kind":
                return self.faces[value]
            case _:
                return str(value)

    def zone_word(self, index: int) -> str:
        """Return a zone as people call it."""
        name, owner = self.zone_name[index]
        if index in self.of_team:
            first = next(z.first for z in self.zones if z.name == name)
            return f"team {index - first + 1}'s {name}"
        return name if owner < 0 else f"player {owner + 1}'s {name}"

    def in_words(self, state: State) -> str:
        """Return the whole table in words, hidden cards too: for the designer, never for a seat."""
        lines = []
        for index in self.lists:
            if self.zone_name[index][1] < self.players:
                faces = ", ".join(self.face(x) for x in state[index])
                lines.append(f"{self.zone_word(index)}: {faces or 'empty'}")
        out = [self.face(x) for x, place in enumerate(state[PLACE]) if place == OUT_OF_PLAY]
        return "\n".join(lines + ([f"out of play: {', '.join(out)}"] if out else []))


# ---- view: What a seat sees: the table now, and what has happened, JSON-ready. No card is shown that the seat can't know.

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
            if zone.each_player:
                owners = range(self.shape.players)
                zones[zone.name] = [self._zone(S, zone.first + owner, seat) for owner in owners]
            elif zone.each_team:
                teams = range(self.shape.teams)
                zones[zone.name] = [self._zone(S, zone.first + team, seat) for team in teams]
            else:
                zones[zone.name] = self._zone(S, zone.first, seat)
        shown = {
            "game": self.shape.name,
            "players": self.shape.players,
            "seat": seat,
            "turn": S[SEAT] if S[SEAT] >= 0 else None,
            "outcome": outcome,
            "decisions": S[DECISIONS],
            "zones": zones,
            "state": self._state(S, seat),
            "seats": [v.name for v in self.shape.variables if v.reading in PLAYERS],
        }
        if self.shape.teams:
            shown["teams"] = [list(self.shape.side(team)) for team in range(self.shape.teams)]
            owned = [z.name for z in self.shape.zones if z.each_team]
            shown["by_team"] = owned + [v.name for v in self.shape.variables if v.each_team]
        return shown

    def _zone(self, S: State, index: int, seat: int) -> dict[str, Any]:
        pieces = S[index]
        shown = pieces[::-1] if self.shape.is_pile[index] else pieces
        faces = [self.shape.face(x) if self.sees(S, x, seat) else None for x in shown]
        if self.shape.is_pool[index]:
            faces = [f for f in faces if f is not None] + [None] * faces.count(None)
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
            case ("choose", who, block, option, arguments, seen):
                return [self._choice(who, block, option, arguments, seen, events, place, seat)]
            case ("move", target, moved):
                return self._moved(target, moved, seat)
            case ("shuffle", zone):
                return [self._happened("chance", f"{self.shape.zone_word(zone)} is shuffled")]
            case ("refill", zone, other):
                but = " but its top" if zone in self.shape.keeps_top else ""
                text = f"{self.shape.zone_word(other)}{but} becomes the new {self.shape.zone_word(zone)}"
                return [self._happened("chance", text)]
            case ("gather", zone):
                return [self._happened("flow", f"the cards are gathered into {self.shape.zone_word(zone)}")]
            case ("drawn", who, piece):
                return [self._happened("chance", f"player {who + 1} draws {self.shape.face(piece)}", who)]
            case ("pick", at, name, form, value):
                return self._picked(at, name, form, value)
            case ("over",):
                return [self._happened("flow", "the game is over")]
            case _:
                raise AssertionError(event)

    def _happened(self, kind: str, text: str, seat: int | None = None, rule: str = "") -> Event:
        return {"kind": kind, "seat": seat, "text": text, "rule": rule}

    def _choice(
        self,
        who: int,
        block: int,
        option: int,
        arguments: tuple[int, ...],
        seen: tuple[int, ...],
        events: list[Any],
        place: int,
        seat: int | None,
    ) -> Event:
        """A move: arguments are shown to its maker, and to others if they see the card before or behind the move."""
        chosen = self.shape.choices[block].options[option]
        words: list[str] = []
        group: list[tuple[bool, str]] = []
        for i in self.shape.in_domain_order(chosen, arguments):
            reading, value = chosen.arguments[i][1], arguments[i]
            shown = seat == who or sees(seen[i], seat) or self._seen_after(value, events, place, seat)
            group.append((not shown, self.shape.word(reading, value) if shown else "a card"))
        # A masked card stands behind those of its source that are shown: its place would tell how high it is.
        for source in self.shape.sources(chosen):
            words += [word for _, word in sorted([group[i] for i in source], key=lambda pair: pair[0])]
        text = move_text(chosen, words)
        return self._happened("move", f"player {who + 1}: {text}", who, chosen.text)

    def _seen_after(self, piece: int, events: list[Any], place: int, seat: int | None) -> bool:
        """Return whether the piece was seen to move after the choice, before the next choice or mixing of cards."""
        for event in events[place + 1 :]:
            if event[0] in ("choose", "gather", "shuffle", "refill"):
                return False
            if event[0] == "move":
                for moved, _, seen in event[2]:
                    if moved == piece:
                        return sees(seen, seat)
        return False

    def _moved(self, target: int, moved: tuple[tuple[int, int, int], ...], seat: int | None) -> list[Event]:
        """Pieces that moved together, a line for each zone they came from."""
        made = []
        for source in sorted({source for _, source, _ in moved}):
            here = [(piece, seen) for piece, origin, seen in moved if origin == source]
            if self.shape.is_pool[target]:
                here.sort()
            faces = [self.shape.face(piece) for piece, seen in here if sees(seen, seat)]
            hidden = len(here) - len(faces)
            cards = [*faces, *([f"{hidden} card" + ("s" if hidden > 1 else "")] if hidden else [])]
            text = f"{', '.join(cards)}: {self.shape.zone_word(source)} -> {self.shape.zone_word(target)}"
            made.append(self._happened("flow", text))
        return made

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


# ---- watching: What is watched while a game runs: ranges of variables, numbers of cards, loops without end.

def watched(value: int, low: int, high: int, name: str, line: int) -> int:
    """Return a value that is in its range; one outside is a fault."""
    if not low <= value <= high:
        raise Fault(f"`{name}` would become {value}, outside {low}..{high}", line)
    return value


def counted(amount: int, line: int, word: str) -> int:
    """Return a number of cards, which can't be negative."""
    if amount < 0:
        raise Fault(f"one can't {word} {amount} cards", line)
    return amount


def counted_pass(S: State, line: int) -> None:
    """Count a pass of a loop; too many since the last decision are a fault."""
    S[STEPS] += 1
    if S[STEPS] > MOST_STEPS:
        raise Fault(f"this went round {MOST_STEPS} times without a decision", line)


# ---- pieces: Moving pieces: the operations that alone touch the zones, so that no piece is ever lost or copied.

class Pieces:
    """The moving operations over the states of one shape."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape

    def seen_moving(self, source: int, target: int, on_top: bool) -> int:
        """Return the seats, as a mask, that see a piece go from one zone to another."""
        shape = self.shape
        if target in shape.top_seen or (on_top and source in shape.top_seen):
            return (1 << shape.players) - 1
        return shape.seen[target] | shape.seen[source]

    def seen_now(self, S: State, piece: int) -> int:
        """Return the seats, as a mask, that see the face of a piece where it lies."""
        place = S[PLACE][piece]
        if place < 0:
            return 0
        if place in self.shape.top_seen:
            return (1 << self.shape.players) - 1 if S[place][-1] == piece else 0
        return self.shape.seen[place]

    def choosing(self, S: State, option: int, arguments: Sequence[int]) -> None:
        """Log a choice: who, which option, with what, and who sees each piece where it lies."""
        if S[LOG] is not None:
            readings = self.shape.choices[S[BLOCK]].options[option].arguments
            seen = tuple(
                self.seen_now(S, value) if reading[0] == "piece" else -1
                for (_, reading, _), value in zip(readings, arguments, strict=True)
            )
            S[LOG] = (S[LOG], ("choose", S[SEAT], S[BLOCK], option, tuple(arguments), seen))

    def put(self, S: State, pieces: Sequence[int], target: int) -> None:
        """Take pieces from wherever they lie and add them to a zone, in order."""
        if S[LOG] is not None:
            self._log_put(S, pieces, target)
        places, zone = S[PLACE], S[target]
        pool = self.shape.is_pool[target]
        for piece in pieces:
            source = places[piece]
            if source >= 0:
                S[source].remove(piece)
            places[piece] = target
            if pool:
                insort(zone, piece)
            else:
                zone.append(piece)

    def _log_put(self, S: State, pieces: Sequence[int], target: int) -> None:
        """Log pieces about to be put somewhere; one is on top if those before it lay above it."""
        gone: set[int] = set()
        events = []
        for piece in pieces:
            source = S[PLACE][piece]
            if source >= 0 and piece not in gone:
                left = [x for x in S[source] if x not in gone]
                events.append((piece, source, self.seen_moving(source, target, left[-1] == piece)))
            gone.add(piece)
        if events:
            S[LOG] = (S[LOG], ("move", target, tuple(events)))

    def draw(self, S: State, source: int, count: int) -> list[int]:
        """Take pieces from the top of a pile, refilling it when it runs out; as many as there are."""
        pile: list[int] = S[source]
        if count <= len(pile):
            if count <= 0:
                return []
            drawn = pile[: -count - 1 : -1]
            del pile[-count:]
            return drawn
        drawn = pile[::-1]
        pile.clear()
        other = self.shape.refill.get(source, -1)
        if other >= 0 and len(S[other]) > (source in self.shape.keeps_top):
            self.renew(S, source, other)
            more = pile[: -(count - len(drawn)) - 1 : -1]
            del pile[len(pile) - len(more) :]
            drawn += more
        return drawn

    def renew(self, S: State, pile: int, other: int) -> None:
        """Make the pieces of another zone, perhaps all but its top, the new pile, shuffled."""
        places = S[PLACE]
        left = S[other][-1:] if pile in self.shape.keeps_top else []
        moved = S[other][: len(S[other]) - len(left)]
        for piece in moved:
            places[piece] = pile
        S[pile] += moved
        S[other][:] = left
        if S[LOG] is not None:
            S[LOG] = (S[LOG], ("refill", pile, other))
        self.shuffle(S, pile)

    def land(self, S: State, drawn: Sequence[int], source: int, target: int) -> None:
        """Add drawn pieces to a zone."""
        places, zone = S[PLACE], S[target]
        for piece in drawn:
            places[piece] = target
        zone += drawn
        if self.shape.is_pool[target]:
            zone.sort()
        if drawn and S[LOG] is not None:
            seen = self.seen_moving(source, target, True)
            S[LOG] = (S[LOG], ("move", target, tuple([(piece, source, seen) for piece in drawn])))

    def move_all(self, S: State, source: int, target: int) -> list[int]:
        """Move a whole zone as a block, its order kept; return what it held."""
        pieces: list[int] = S[source][:]
        if source != target and pieces:
            if S[LOG] is not None:
                self._log_put(S, pieces, target)
            S[source].clear()
            places, zone = S[PLACE], S[target]
            for piece in pieces:
                places[piece] = target
            zone += pieces
            if self.shape.is_pool[target]:
                zone.sort()
        return pieces

    def deal(self, S: State, count: int, source: int, first: int, out: int = 0) -> None:
        """Deal to the zones of all players not `out`, which begin at `first`, one piece at a time in seat order."""
        seats = seats_in(self.shape.players, out)
        drawn = self.draw(S, source, count * len(seats))
        for place, seat in enumerate(seats):
            self.land(S, drawn[place :: len(seats)], source, first + seat)

    def fill(self, S: State, target: int, count: int, source: int) -> None:
        """Draw until a zone holds `count` pieces."""
        missing = count - len(S[target])
        if missing > 0:
            self.land(S, self.draw(S, source, missing), source, target)

    def swap(self, S: State, a: int, b: int) -> None:
        """Exchange all pieces of two zones."""
        if a != b:
            ours, theirs = S[a][:], S[b][:]
            self.put(S, ours, b)
            self.put(S, theirs, a)

    def gather(self, S: State, target: int, fits: Sequence[bool] | None, shuffled: bool) -> None:
        """Bring every piece in play, or those that fit, into a zone."""
        places = S[PLACE]
        coming = [x for x, at in enumerate(places) if 0 <= at != target and (fits is None or fits[x])]
        going = set(coming)
        for index in self.shape.lists:
            if index != target and S[index]:
                S[index] = [] if fits is None else [x for x in S[index] if x not in going]
        for piece in coming:
            places[piece] = target
        S[target] += coming
        if self.shape.is_pool[target]:
            S[target].sort()
        if S[LOG] is not None:
            S[LOG] = (S[LOG], ("gather", target))
        if shuffled:
            self.shuffle(S, target)

    def shuffle(self, S: State, zone: int) -> None:
        """Put the pieces of a zone into random order."""
        S[CHANCE] = shuffle(S[CHANCE], S[zone])
        if S[LOG] is not None:
            S[LOG] = (S[LOG], ("shuffle", zone))

    def drawn_for(self, S: State, pile: int, key: Callable[[int], int], line: int, out: int = 0) -> int:
        """Let each player not `out` draw from a pile; return who has the card with the greatest key.

        Those who tie draw again.
        """
        seats, drawn = list(seats_in(self.shape.players, out)), list[int]()
        if not seats:
            raise Fault("nobody is left to draw a card", line)
        while len(seats) > 1 or not drawn:
            counted_pass(S, line)
            keys = [key(self._one(S, pile, seat, drawn, line)) for seat in seats]
            seats = [seat for seat, k in zip(seats, keys, strict=True) if k == max(keys)]
        self.give_back(S, pile, drawn)
        return seats[0]

    def _one(self, S: State, pile: int, seat: int, out: list[int], line: int) -> int:
        drawn = self.draw(S, pile, 1)
        if not drawn:
            self.give_back(S, pile, out)
            drawn = self.draw(S, pile, 1)
            if not drawn:
                raise Fault("there is no card to draw", line)
        out += drawn
        if S[LOG] is not None:
            S[LOG] = (S[LOG], ("drawn", seat, drawn[0]))
        return drawn[0]

    def give_back(self, S: State, pile: int, out: list[int]) -> None:
        """Put drawn cards back into a pile and shuffle it."""
        S[pile] += out
        out.clear()
        self.shuffle(S, pile)


# ---- picking: Picking at random, in the state and in the log.

def picked(S: State, run: Iterable[int], pieces: bool, line: int, low: int | None, high: int | None) -> int:
    """Return one element of a collection, each equally likely; nothing to pick from, or a broken range, is a fault."""
    found = list(run)
    if not found:
        raise Fault("there is nothing to pick from", line)
    if pieces:
        found.sort()
    S[CHANCE], which = pick(S[CHANCE], len(found))
    value = found[which]
    if low is not None and high is not None and not low <= value <= high:
        raise Fault(f"{value} is picked, outside {low}..{high}", line)
    return value


def log_value(S: State, name: str, form: str, value: int) -> None:
    """Log what was picked for a name that is kept nowhere."""
    if S[LOG] is not None:
        S[LOG] = (S[LOG], ("pick", -1, name, form, value))


def log_pick(S: State, place: int, name: str, form: str) -> None:
    """Log what was picked for a name; `place` is where it lies in the state, `form` what kind of value it is."""
    if S[LOG] is not None:
        S[LOG] = (S[LOG], ("pick", place, name, form, S[place]))


# ---- table: A table: a game in progress, as every driver sees it.

MOST_DECISIONS = 20_000
TOO_DEEP = "the rules are nested too deep to be worked out"


class Rules(Protocol):
    """What a back end does with states: it finds the legal moves, makes one, and reads the result.

    What `find` returns has the numbers of the legal moves as its elements and is handed back to `place` and `play`.
    """

    shape: Shape
    viewer: Viewer

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


class Table:
    """One game in progress. Everything that will happen follows from `state` and the moves.

    What has happened is not written down as it happens: a log is made when somebody asks for it, by playing the moves
    again from where the table began.
    """

    __slots__ = (
        "_begun",
        "_fault",
        "_found",
        "_max_decisions",
        "_origin",
        "_past",
        "_rules",
        "_stalled",
        "_told",
        "_told_moves",
        "state",
    )

    def __init__(
        self, rules: Rules, state: State, max_decisions: int = MOST_DECISIONS, begun: bool = False
    ) -> None:
        self._rules = rules
        self.state = state
        self._origin = rules.shape.copy(state)
        self._begun = begun
        self._past: tuple[Any, ...] = ()
        self._told: State | None = None
        self._told_moves = 0
        self._max_decisions = max_decisions
        self._found: Any = None
        self._stalled = False
        self._fault: Fault | None = None

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
        return " or ".join(o.name for place, o in enumerate(choose.options) if place in open_)

    # ---- moves ------------------------------------------------------------------------------

    def _legal(self) -> Any:
        """Return what the rules find, once for each position; nothing when the game is over."""
        if self._found is None:
            if self._fault is not None:
                raise self._fault
            if self.turn is None:
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
            over = self.turn is None
            raise IllegalMove("the game is over" if over else f"move {number} is not possible now")
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

    def moves(self) -> list[Move]:
        """Return the legal moves, by ascending number; none when the game is over."""
        return [self._move(n) for n in self.legal()]

    def _move(self, number: int) -> Move:
        shape = self._rules.shape
        place, arguments = self._rules.place(self.state, number, self._legal())
        option = shape.choices[self.state[BLOCK]].options[place]
        words = tuple(
            shape.word(option.arguments[i][1], arguments[i]) for i in shape.in_domain_order(option, arguments)
        )
        return Move(
            number, option.name, words, move_call(option, words), move_text(option, words), option.text
        )

    def play(self, move: Move | int | str) -> None:
        """Make a move, given as such, by number or in words. IllegalMove, with nothing changed, if it is not legal."""
        if isinstance(move, str):
            self.step(self._named(move).number)
        else:
            self.step(move if isinstance(move, int) else move.number)

    def _named(self, words: str) -> Move:
        """Return the legal move that the words mean."""
        plain = _plain(words)
        moves = self.moves()
        meant = [m for m in moves if _plain(m.call) == plain] or [m for m in moves if _plain(m.text) == plain]
        if len(meant) == 1:
            return meant[0]
        if meant:
            raise IllegalMove(f"`{words.strip()}` could mean " + " or ".join(m.call for m in meant))
        if plain.isdecimal() and any(m.number == int(plain) for m in moves):
            return self._move(int(plain))
        if self.turn is None:
            raise IllegalMove("the game is over")
        raise IllegalMove(f"`{words.strip()}` is not possible now")

    # ---- copies, views ----------------------------------------------------------------------

    def copy(self, seed: int | None = None) -> Table:
        """Return a table with the same future; with a seed, one whose chance goes another way."""
        new = Table.__new__(Table)
        new._rules, new._max_decisions = self._rules, self._max_decisions
        new.state = self._rules.shape.copy(self.state)
        new._origin, new._begun, new._past = self._origin, self._begun, self._past
        new._told, new._told_moves = None, 0
        new._stalled, new._fault, new._found = self._stalled, self._fault, self._found
        if seed is not None:
            new.state[CHANCE] = seeded(seed)
            new._past = (new._past, ("chance", new.state[CHANCE]))
        return new

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
        past = []
        chain = self._past
        while chain:
            chain, entry = chain
            past.append(entry)
        rules, told = self._rules, self._told
        if told is None:
            told = self._told = rules.shape.copy(self._origin)
            told[LOG] = EMPTY_LOG
            if not self._begun:
                self._again(lambda S: rules.advance(S))
        for entry in past[::-1][self._told_moves :]:
            if isinstance(entry, tuple):
                told[CHANCE] = entry[1]
            else:
                self._again(partial(self._replay, entry))
            self._told_moves += 1
        return told

    def _replay(self, number: int, S: State) -> None:
        self._rules.play(S, number, self._rules.find(S))

    def _again(self, play: Callable[[State], None]) -> None:
        """Play something again that may have ended in a fault."""
        assert self._told is not None
        try:
            play(self._told)
        except Fault:
            return

    def _seat(self, seat: int) -> int:
        if not 0 <= seat < self.players:
            raise ValueError(f"seats go from 0 to {self.players - 1}, and {seat} is none of them")
        return seat

    def broken(self, fault: Fault) -> Fault:
        """Return the fault with the table as it stood; the table can't go on."""
        if not fault.table:
            fault = Fault(fault.message, fault.line, self._rules.shape.in_words(self.state))
        self._fault = fault
        return fault


def _plain(words: str) -> str:
    """Return words as they are compared: without quotes, spaces at brackets and commas, or capitals."""
    text = " ".join(words.replace('"', "").lower().split())
    for sign in "(),":
        text = text.replace(f" {sign}", sign).replace(f"{sign} ", sign)
    return text.removesuffix("()")


# ---- game: A playable game, whatever runs it: player counts, parameters, new tables, whole games of random choices.

MOST_RULES = 32


class Setting(NamedTuple):
    """A parameter: a number within bounds, one of some numbers or words, or yes and no; its rule text."""

    name: str
    first: int
    low: int | None
    high: int | None
    words: tuple[str, ...]
    values: tuple[int, ...]
    text: str

    @property
    def default(self) -> str:
        """The default as people write it."""
        return self.words[self.first] if self.words else str(self.first)

    @property
    def domain(self) -> str:
        """What may be set, in words."""
        if self.words:
            return ", ".join(self.words)
        if self.values:
            return ", ".join(map(str, self.values))
        return "any number" if self.low is None else f"{self.low}..{self.high}"

    def value(self, given: Any) -> int:
        """Return a value as the game keeps it; ValueError in words if it can't be one."""
        if self.words == ("no", "yes"):
            key = given.lower() if isinstance(given, str) else given
            answers = {"yes": 1, "no": 0, "true": 1, "false": 0, True: 1, False: 0}
            if key in answers:
                return answers[key]
            raise ValueError(f"{self.name} is yes or no, not {given}")
        if self.words:
            if given in self.words:
                return self.words.index(given)
            raise ValueError(f"{self.name} is one of {', '.join(self.words)}, not {given}")
        try:
            number = int(given)
        except (TypeError, ValueError):
            raise ValueError(f"{self.name} is a number, not {given}") from None
        if (self.low is not None and number < self.low) or (self.high is not None and number > self.high):
            raise ValueError(f"{self.name} goes from {self.low} to {self.high}, and {number} is outside")
        if self.values and number not in self.values:
            raise ValueError(f"{self.name} is one of {self.domain}, not {number}")
        return number


class Running(Rules, Protocol):
    """Rules that can also begin a game; `space` is how many numbers its moves have."""

    space: int

    def first(self, chance: int, log: bool) -> State:
        """Return a state before the first statement."""


class BaseGame:
    """What every playable game has. A back end says how rules are made. `teams` is how many teams there are, or 0."""

    def __init__(
        self, name: str, text: str, counts: Sequence[int], settings: Sequence[Setting], teams: int = 0
    ) -> None:
        self.name = name
        self.text = text
        self.counts = tuple(counts)
        self.teams = teams
        self.parameters = {x.name: x for x in settings}
        self._rules: dict[tuple[int, tuple[int, ...]], Running] = {}

    def make_rules(self, players: int, values: Mapping[str, int]) -> Running:
        """Return what runs the game for so many players with these parameters."""
        raise NotImplementedError

    def setting(self, name: str, given: Any) -> Any:
        """Return a parameter's value as a person typed it; ValueError in words if it can't be one."""
        self._settle({name: given})
        return given

    def _settle(self, given: Mapping[str, Any]) -> dict[str, int]:
        values = {x.name: x.first for x in self.parameters.values()}
        for name, value in given.items():
            if name not in self.parameters:
                near = difflib.get_close_matches(name, self.parameters, n=1, cutoff=0.5)
                there = ", ".join(self.parameters) or "none"
                hint = f"; did you mean `{near[0]}`?" if near else f"; there are: {there}"
                raise ValueError(f"{self.name} has no parameter `{name}`{hint}")
            values[name] = self.parameters[name].value(value)
        return values

    def rules(self, players: int | None, given: Mapping[str, Any]) -> Running:
        """Return what runs the game, made once for each setting; ValueError in words for a setting it is not for."""
        count = self.counts[0] if players is None else players
        if count not in self.counts:
            low, high = self.counts[0], self.counts[-1]
            allowed = f"{low} players" if low == high else f"{low} to {high} players"
            raise ValueError(f"{self.name} is for {allowed}, not {count}")
        values = self._settle(given)
        key = (count, tuple(values.values()))
        if key not in self._rules:
            if len(self._rules) >= MOST_RULES:
                self._rules.pop(next(iter(self._rules)))
            self._rules[key] = self.make_rules(count, values)
        return self._rules[key]

    def start(
        self,
        players: int | None = None,
        seed: int = 0,
        max_decisions: int = MOST_DECISIONS,
        **parameters: Any,
    ) -> Table:
        """Return a table at its first decision. The same arguments give the same game, on every version of Python.

        `players` is the smallest count if left out. Raises ValueError in words for arguments that the game does not
        know, Fault if the game breaks before its first decision.
        """
        rules = self.rules(players, parameters)
        table = Table(rules, rules.first(seeded(seed), False), max_decisions)
        try:
            rules.advance(table.state)
        except Fault as fault:
            raise table.broken(fault) from None
        return table

    def space(self, players: int | None = None) -> int:
        """Return how many numbers the moves of the game have, for so many players."""
        return self.rules(players, {}).space

    def playouts(
        self,
        n: int,
        players: int | None = None,
        seed: int = 0,
        first: int = 0,
        max_decisions: int = MOST_DECISIONS,
        **parameters: Any,
    ) -> Iterator[Playout]:
        """Yield n games played by random choices, one by one.

        Game i is start(seed=mix(seed, i)) with choices from the stream mix(seed, i, 1), so that any of them can be seen
        again alone.
        """
        rules = self.rules(players, parameters)
        games = range(first, first + n)
        return (playout(rules, mix(seed, i), mix(seed, i, 1), max_decisions) for i in games)


def playout(rules: Running, seed: int, choice: int, most: int) -> Playout:
    """Return one game of random choices."""
    S = rules.first(seeded(seed), False)
    choices = forced = 0
    outcome, words = "finished", ""
    scores, winners = (0,) * rules.shape.players, tuple[int, ...]()
    find, play = rules.find, rules.play
    try:
        rules.advance(S)
        while S[SEAT] >= 0:
            if S[DECISIONS] >= most:
                outcome = "stalled"
                break
            found = find(S)
            count = len(found)
            choices += count
            forced += count == 1
            choice = (choice * MULTIPLIER + INCREMENT) & MASK63
            play(S, found[((choice >> 15) * count) >> 48], found)
        scores = rules.scores(S)
        winners = rules.winners(S) if outcome == "finished" else ()
    except Fault as fault:
        outcome, words = "fault", str(fault)
    except RecursionError:
        outcome, words = "fault", TOO_DEEP
    return Playout(scores, winners, S[DECISIONS], outcome, words, choices, forced)


# ---- running: What compiled rules share: moving pieces, chance, and the run from decision to decision.

def ordered(pairs: Sequence[tuple[int, Any]], word: str) -> list[Any]:
    """Return the second parts of (key, item), by rising or falling key; equal keys stay in order."""
    return [item for _, item in sorted(pairs, key=lambda pair: pair[0], reverse=word == "highest")]


class CompiledRules(Pieces):
    """The rules of a compiled game for one player count and one setting; a module adds blocks, choices and result."""

    space = 0
    start_block = 0
    blocks: Sequence[Callable[[State], int]]
    finders: Mapping[int, Callable[[State], list[int]]]
    players_of: Mapping[int, Callable[[State, int], int]]
    placers: Mapping[int, Callable[[State, int], tuple[int, tuple[int, ...]]]]

    def __init__(self, shape: Shape) -> None:
        super().__init__(shape)
        self.viewer = Viewer(shape)
        self.n = shape.players
        self.kind_of = shape.kind_of
        self.first_of = shape.first_of

    def first_values(self) -> Sequence[tuple[int, int]]:
        """Return the first value of each variable, by place in the state."""
        raise NotImplementedError

    def first(self, chance: int, log: bool) -> State:
        """Return a state before the first statement."""
        return self.shape.first_state(self.start_block, chance, log, self.first_values())

    def advance(self, S: State) -> None:
        """Run on to the next decision or the end."""
        S[STEPS] = 0
        block = S[BLOCK]
        while block >= 0:
            block = self.blocks[block](S)

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
        S[STEPS] = 0
        block = self.players_of[S[BLOCK]](S, number)
        while block >= 0:
            block = self.blocks[block](S)

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
            raise Fault(f"`{self.shape.zone_name[zone][0]}` is empty, so it has no {word} card", line)
        return pieces[-1 if top else 0]

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


# ---- play: Playing in the terminal, one line at a time: what a module does when it is run.

def main(game: BaseGame) -> int:
    """Play a game against random bots, or count the winners of many random games; return the exit status."""
    parser = argparse.ArgumentParser(
        description=f"Play {game.name}. {game.text.splitlines()[0] if game.text else ''}"
    )
    parser.add_argument("--players", type=int, default=game.counts[0], help="how many play")
    parser.add_argument("--seed", type=int, default=0, help="the same seed gives the same game")
    parser.add_argument("--seat", type=int, default=1, help="your seat, counted from 1")
    parser.add_argument(
        "--games", type=int, default=0, help="play so many random games instead, and count who wins"
    )
    for setting in game.parameters.values():
        name = "--" + setting.name.replace("_", "-")
        parser.add_argument(name, dest=f"set_{setting.name}", default=setting.default, help=setting.domain)
    given = parser.parse_args()
    settings = {name: getattr(given, f"set_{name}") for name in game.parameters}
    try:
        if given.games:
            return count(game, given.games, given.players, given.seed, settings)
        return sit(game.start(given.players, given.seed, **settings), given.seat - 1, given.seed)
    except (ValueError, Fault) as wrong:
        print(wrong, file=sys.stderr)
        return 1
    except (EOFError, KeyboardInterrupt):
        print()
        return 0


def count(game: BaseGame, games: int, players: int, seed: int, settings: dict[str, Any]) -> int:
    """Play random games and print who won how often."""
    won = [0.0] * players
    for played in game.playouts(games, players, seed, **settings):
        for seat in played.winners:
            won[seat] += 1 / len(played.winners)
    for seat, wins in enumerate(won):
        print(f"player {seat + 1}: {wins:g} of {games}")
    return 0


def sit(table: Table, seat: int, seed: int) -> int:
    """Let a person play one seat; random bots play the others."""
    told, choice = 0, mix(seed, 0, 1)
    while table.turn is not None:
        log = table.log(seat)
        for event in log[told:]:
            print(event["text"])
        told = len(log)
        moves = table.moves()
        if table.turn != seat:
            choice, which = pick(choice, len(moves))
            table.play(moves[which])
            continue
        show(table.view(seat))
        for place, move in enumerate(moves, 1):
            print(f"  {place}  {move}")
        typed = input("your move, or quit: ").strip()
        if typed in ("quit", "q"):
            return 0
        try:
            table.play(moves[int(typed) - 1] if typed.isdecimal() and 0 < int(typed) <= len(moves) else typed)
        except IllegalMove as wrong:
            print(wrong)
    for event in table.log(seat)[told:]:
        print(event["text"])
    print("scores:", ", ".join(f"player {s + 1} {score}" for s, score in enumerate(table.scores)))
    print("won by", " and ".join(f"player {s + 1}" for s in table.winners) or "nobody")
    return 0


def show(view: dict[str, Any]) -> None:
    """Print zones and variables as a seat sees them."""
    for name, zone in view["zones"].items():
        piles = zone if isinstance(zone, list) else [zone]
        shown = [", ".join(c or "?" for c in z["cards"][:12]) or "empty" for z in piles]
        print(f"  {name}: {' | '.join(shown)}")
    for name, value in view["state"].items():
        values = [v + 1 if name in view["seats"] and isinstance(v, int) else v for v in _listed(value)]
        print(f"  {name}: {' | '.join(map(str, values))}")


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


# ==== Kuhn poker ====

# ---- places in the state

STAKE = 9  # stake
WINNER_ = 10  # winner
ANSWER_P = 13  # p in answer
AFTER_ANSWER = 14  # after answer
PLAY_P = 15  # p in play
ITEMS = 16  # items in play
ITEMS_DONE = 17  # items done in play
PLAY_P_ = 18  # p in play
STOCK = 21  # the pile stock
HAND = 22  # the pile hand, one for each player
SHOWN = 24  # the pile shown, one for each player

# ---- kinds of cards, by number

FACES: tuple[str, ...] = (
    'jack', 'queen', 'king',
)
RANK: tuple[int, ...] = (
    0, 1, 2,
)

# kind, copies, home, least players
DECK: tuple[tuple[int, int, int, int], ...] = (
    (0, 1, 21, 0), (1, 1, 21, 0), (2, 1, 21, 0),
)

ZONES = (
    ZoneShape('stock', STOCK, 'pile', 'hidden', False, -1),
    ZoneShape('hand', HAND, 'pile', 'owner', True, -1),
    ZoneShape('shown', SHOWN, 'pile', 'open', True, -1),
)
VARIABLES: tuple[VariableShape, ...] = (
    VariableShape('stake', STAKE, ("number",), False),
    VariableShape('winner', WINNER_, ("player",), False),
)
CHOICES = {
    1: ChoiceShape('', 42, (
        OptionShape('fold', (), '', 'Who folds loses the ante.', 43),
        OptionShape('call', (), '', 'Who calls plays for one chip more.', 47),
    )),
    4: ChoiceShape('', 30, (
        OptionShape('check', (), '', '', 31),
        OptionShape('bet', (), '', 'The other player must answer a bet.', 32),
    )),
}
SETTINGS: tuple[Setting, ...] = (
)


class Rules_(CompiledRules):
    """The rules of Kuhn poker for one player count and one setting of its parameters."""

    space = 4
    start_block = 0

    def __init__(self, players: int, values: Mapping[str, int]) -> None:
        super().__init__(
            Shape('Kuhn poker', players, 2, FACES, DECK, ZONES, VARIABLES, CHOICES, 21)
        )
        self.blocks = (
            self.play_begins,
            self.no_block,
            self.play_2,
            self.play_3,
            self.no_block,
            self.play_does_bet,
            self.no_block,
            self.answer_does_fold,
            self.answer_does_call,
        )
        self.finders = {
            1: self.answer_choice_1_moves,
            4: self.play_choice_4_moves,
        }
        self.players_of = {
            1: self.answer_choice_1_play,
            4: self.play_choice_4_play,
        }
        self.placers = {
            1: self.answer_choice_1_arguments,
            4: self.play_choice_4_arguments,
        }

    def first_values(self) -> Sequence[tuple[int, int]]:
        """Return the first values that are not 0."""
        return (
            (STAKE, 1),
            (WINNER_, NONE),
        )

    def net(self, S: State, p: int) -> int:
        """`net`. (Line 23.)"""
        if S[WINNER_] == NONE:
            return 0
        if p == S[WINNER_]:
            return int(S[STAKE])
        return int(-S[STAKE])

    def play_begins(self, S: State) -> int:
        """Each gets one card. In turn each checks or bets one chip, until one has bet.

        If nobody has folded, the cards are shown and the higher one wins.
        """
        self.shuffle(S, STOCK)  # 27
        self.deal(S, counted(1, 28, "deal"), STOCK, HAND)  # 28
        S[ITEMS] = tuple([(p,) for p in range(self.n)])  # 29
        S[ITEMS_DONE] = 0  # 29
        return 2

    def play_2(self, S: State) -> int:
        """Line 29 of the spec."""
        if S[ITEMS_DONE] < len(S[ITEMS]):  # 29
            S[PLAY_P], = S[ITEMS][S[ITEMS_DONE]]
            S[ITEMS_DONE] += 1
            S[SEAT] = S[PLAY_P]  # 30
            S[BLOCK] = 4
            return -1
        return 3

    def play_choice_4_moves(self, S: State) -> list[int]:
        """Return the numbers of the legal moves."""
        out: list[int] = []
        # 31: check
        out.append(2)  # 31
        # 32: bet
        out.append(3)  # 32
        return out

    def play_choice_4_play(self, S: State, n: int) -> int:
        """Carry out a move."""
        if n < 3:  # 31
            if S[LOG] is not None:
                self.choosing(S, 0, ())
            return 2
        if S[LOG] is not None:
            self.choosing(S, 1, ())
        return self.play_does_bet(S)

    def play_choice_4_arguments(self, S: State, n: int) -> tuple[int, tuple[int, ...]]:
        """Return a move as the place of its option and its arguments."""
        if n < 3:
            return 0, ()
        return 1, ()

    def play_does_bet(self, S: State) -> int:
        """The other player must answer a bet."""
        counted_pass(S, 34)
        S[ANSWER_P] = (S[PLAY_P] + 1) % self.n  # 34
        S[AFTER_ANSWER] = 3
        S[SEAT] = S[ANSWER_P]  # 42
        S[BLOCK] = 1
        return -1

    def play_3(self, S: State) -> int:
        """Line 37 of the spec."""
        for p in [p for p in range(self.n)]:  # 37
            self.move_all(S, HAND + p, SHOWN + p)  # 38
        S[WINNER_] = superlative([(RANK[self.kind_of[self.end_piece(S, SHOWN + p, True, 39)]], p) for p in range(self.n)], "highest", False, "players", 39)  # 39
        S[BLOCK] = 3
        return self.over(S, -1)

    def answer_choice_1_moves(self, S: State) -> list[int]:
        """Return the numbers of the legal moves."""
        out: list[int] = []
        # 43: fold
        out.append(0)  # 43
        # 47: call
        out.append(1)  # 47
        return out

    def answer_choice_1_play(self, S: State, n: int) -> int:
        """Carry out a move."""
        if n < 1:  # 43
            if S[LOG] is not None:
                self.choosing(S, 0, ())
            return self.answer_does_fold(S)
        if S[LOG] is not None:
            self.choosing(S, 1, ())
        return self.answer_does_call(S)

    def answer_choice_1_arguments(self, S: State, n: int) -> tuple[int, tuple[int, ...]]:
        """Return a move as the place of its option and its arguments."""
        if n < 1:
            return 0, ()
        return 1, ()

    def answer_does_fold(self, S: State) -> int:
        """Who folds loses the ante."""
        S[WINNER_] = (S[ANSWER_P] + 1) % self.n  # 45
        S[BLOCK] = 7
        return self.over(S, -1)

    def answer_does_call(self, S: State) -> int:
        """Who calls plays for one chip more."""
        S[STAKE] = 2  # 49
        return 3

    def key(self, S: State, seat: int) -> tuple[int, ...]:
        """Return what the result ranks a player by."""
        return (self.net(S, seat),)

    def scores(self, S: State) -> tuple[int, ...]:
        """Return for each seat the value that the result ranks first."""
        return tuple(self.key(S, seat)[0] for seat in range(self.n))

    def winners(self, S: State) -> tuple[int, ...]:
        """Return the seats that have won."""
        if S[WINNER] >= 0:
            return self.shape.side(S[WINNER])
        rows = [tuple(a * b for a, b in zip(self.key(S, seat), (1,), strict=True)) for seat in range(self.n)]
        best = max(rows)
        return tuple(seat for seat, row in enumerate(rows) if row == best)


class Game(BaseGame):
    """Kuhn poker, for 2 players."""

    def __init__(self) -> None:
        text = 'Three cards and one bet: the smallest poker in which one can bluff. The aim is to win chips.'
        super().__init__('Kuhn poker', text, [2], SETTINGS)

    def make_rules(self, players: int, values: Mapping[str, int]) -> Rules_:
        """Return the rules for so many players with these parameters."""
        return Rules_(players, values)


game = Game()

if __name__ == "__main__":
    sys.exit(main(game))
