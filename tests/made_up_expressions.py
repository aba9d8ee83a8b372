"""The expressions of made-up specs: what can be asked at some place, well typed and free of sense."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

COLOURS = ("red", "green", "blue", "white")


@dataclass(frozen=True)
class Names:
    """What can be named at some place, by the kind of thing it is."""

    players: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    sets: tuple[str, ...] = ()
    lets: tuple[str, ...] = ()  # numbers of this phase that can be set
    loops: tuple[str, ...] = ()  # the loops around, the innermost last
    phases: tuple[str, ...] = ()  # those that can be run from here
    inside: str = ""  # the phase at hand

    def more(self, **names: str) -> Names:
        """Return the same with one name more of each kind given."""
        more: dict[str, Any] = {kind: (*getattr(self, kind), name) for kind, name in names.items()}
        return replace(self, **more)


@dataclass
class Chooser:
    """Makes decisions; all go through `number_from`, so that anything may decide."""

    draw: Callable[[st.SearchStrategy[Any]], Any]
    used: int = 0

    def number_from(self, low: int, high: int) -> int:
        made: int = self.draw(st.integers(low, high))
        return made

    def one_of(self, *options: Any) -> Any:
        return options[self.number_from(0, len(options) - 1)]

    def maybe(self, one_in: int = 2) -> bool:
        """Return yes in one of so many cases; shrinks to no."""
        return self.number_from(0, one_in - 1) == one_in - 1

    def fresh(self, stem: str) -> str:
        self.used += 1
        return f"{stem}{self.used}"


@dataclass
class Asker(Chooser):
    """Writes expressions about the nouns that a spec has."""

    colours: int = 3
    area: str = "pool"
    teams: int = 0
    outs: bool = False  # somebody may be eliminated
    flips: bool = False  # turns may be reversed

    def of_teams(self, *words: str) -> tuple[str, ...]:
        """Return what only a game with teams can say, nothing for others."""
        return words if self.teams else ()

    def number(self, names: Names, depth: int) -> str:
        """Return a number."""
        plain = ["tally", "rounds", "limit", *names.numbers, *names.lets]
        plain += [f"worth({c})" for c in names.cards] + [f"{p}.score" for p in names.players]
        if depth <= 0 or self.maybe(3):
            return str(self.one_of(str(self.number_from(0, 9)), *plain))
        card, less = self.fresh("c"), depth - 1
        inner = names.more(cards=card)
        match self.number_from(0, 9):
            case 0:
                return f"({self.number(names, less)} + {self.number(names, less)})"
            case 1:
                return f"({self.number(names, less)} - {self.number(names, less)})"
            case 2:
                return f"({self.number(names, less)} * {self.number_from(0, 3)})"
            case 3:
                return f"({self.number(names, less)} {self.one_of('mod', '/')} {self.number_from(1, 4)})"
            case 4:
                return f"size of {self.some_zone(names)}"
            case 5:
                return f"(count {card} in {self.cards_from(names, 0)} where {self.condition(inner, less)})"
            case 6:
                return f"(sum of {self.number(inner, less)} for {card} in {self.cards_from(names, less)})"
            case 7:
                test = self.condition(names, less)
                return f"({self.number(names, less)} if {test} else {self.number(names, less)})"
            case 8:
                word = self.one_of("highest", "lowest")
                return f"({word} of {self.number(inner, 0)} for {card} in {self.cards_from(names, 0)})"
            case _:
                return f"size of {self.colour_set(names, less)}"

    def condition(self, names: Names, depth: int) -> str:
        """Return a condition."""
        if depth <= 0:
            return self.plain_condition(names)
        less = depth - 1
        match self.number_from(0, 6):
            case 0:
                return self.plain_condition(names)
            case 1:
                word = self.one_of("<", ">=", "is", "is not", ">", "<=")
                return f"{self.number(names, less)} {word} {self.number(names, less)}"
            case 2:
                word = self.one_of("and", "or")
                return f"({self.condition(names, less)}) {word} ({self.condition(names, less)})"
            case 3:
                return f"not ({self.condition(names, less)})"
            case 4:
                card, word = self.fresh("c"), self.one_of("any", "every")
                test = self.condition(names.more(cards=card), less)
                return f"({word} {card} in {self.cards_from(names, less)} where {test})"
            case 5:
                return f"{self.colour_set(names, less)} meets {self.colour_set(names, less)}"
            case _:
                player, word = self.fresh("q"), self.one_of("any", "every")
                test = self.condition(names.more(players=player), less)
                return f"({word} {player} in {self.seats(names)} where {test})"

    def plain_condition(self, names: Names) -> str:
        made = ["on", "quick", "style is odd", "last_card is none", f"{self.some_zone(names)} is empty"]
        made += [
            f"mark is {self.colour(names)}",
            f"{self.colour(names)} in liked",
            "tally in 2..5",
            *names.flags,
        ]
        player = self.player(names)
        made += [f"{player} is out", "lead is not out"] if self.outs else []
        made += ["turns are reversed"] if self.flips else []
        made += self.of_teams(f"team of {player} is side", "side is none")
        made += [f"{p} is {self.player(names)}" for p in names.players] + [f"{p}.gone" for p in names.players]
        made += [f"{k} is mark" for k in names.colours] + [f"{k} < mark" for k in names.colours]
        for c in names.cards:
            made += [f"{c} in {self.some_zone(names)}", f"{self.colour(names)} in hues({c})", f"{c} in held"]
            made += [f"{c} is {self.one_of(*names.cards)}", f"last_card is {c}", f"worth({c}) > tally"]
        return str(self.one_of(*made))

    def colour(self, names: Names) -> str:
        return str(self.one_of(*COLOURS[: self.colours], "mark", *names.colours))

    def colour_set(self, names: Names, depth: int) -> str:
        made = ["liked", "Colour", f"{{{self.colour(names)}, {self.colour(names)}}}"]
        made += [f"hues({c})" for c in names.cards]
        if depth > 0 and self.maybe(3):
            k = self.fresh("k")
            return f"{{{k} in Colour where {self.condition(names.more(colours=k), depth - 1)}}}"
        return str(self.one_of(*made))

    def player(self, names: Names) -> str:
        made = [*names.players, "lead"]
        return str(self.one_of(*made, f"left of {made[0]}", f"right of {made[-1]}", f"next of {made[-1]}"))

    def seats(self, names: Names) -> str:
        player = self.player(names)
        more = self.of_teams(f"members of team of {player}")
        return str(self.one_of("players", f"others of {player}", f"seats from {player}", "everyone", *more))

    def some_zone(self, names: Names) -> str:
        """Return any zone."""
        own = [f"{p}.{zone}" for p in (names.players or ("lead",)) for zone in ("hand", "area")]
        own += self.of_teams(f"(team of {self.player(names)}).won")
        return str(self.one_of("stock", "waste", "board", "pot", *own))

    def ordered_zone(self, names: Names) -> str:
        own = [f"{p}.area" for p in names.players] if self.area != "pool" else []
        return str(self.one_of("stock", "waste", "board", *own))

    def pile(self, names: Names) -> str:
        own = [f"{p}.area" for p in names.players] if self.area == "pile" else []
        return str(self.one_of("stock", "stock", "waste", *own))

    def cards_from(self, names: Names, depth: int) -> str:
        """Return what a name of cards can run through."""
        if depth > 0 and self.maybe(3):
            c = self.fresh("c")
            test = self.condition(names.more(cards=c), depth - 1)
            return f"{{{c} in {self.some_zone(names)} where {test}}}"
        return str(self.one_of(self.some_zone(names), self.some_zone(names), "held", *names.sets))

    def card(self, names: Names) -> str:
        """Return a card; one that may not be there now and then."""
        ends = [f"{self.one_of('top', 'bottom', 'first', 'last')} of {self.ordered_zone(names)}"]
        c = self.fresh("c")
        chosen = f"(lowest {c} in {self.cards_from(names, 0)} by {self.number(names.more(cards=c), 0)})"
        return str(self.one_of(*names.cards, *names.cards, *ends, chosen))
