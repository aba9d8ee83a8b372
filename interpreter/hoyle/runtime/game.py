"""A playable game, whatever runs it: player counts, parameters, new tables, whole games of random choices."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from hoyle.runtime.chance import MASK63, MASK64, scramble, seeded
from hoyle.runtime.chancetable import ChanceTable
from hoyle.runtime.faults import Fault
from hoyle.runtime.move import Playout
from hoyle.runtime.resampling import as_chain
from hoyle.runtime.saving import DAMAGED, Setup, canonical, read_save, unpacked_state
from hoyle.runtime.state import DECISIONS, SEAT, State
from hoyle.runtime.table import MOST_DECISIONS, TOO_DEEP, Rules, Table

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
        return str(self.written(self.first))

    def written(self, value: int) -> int | str:
        """Return a value as people write it."""
        return self.words[value] if self.words else value

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

    def wander(self, S: State, choice: int, most: int, counts: list[int]) -> None:
        """Play a new game by random choices from the stream `choice`, to its end or until `most` decisions are made.

        Leaves in `counts`, also after a fault, the sum of the numbers of legal moves and the decisions with one.
        """


class BaseGame:
    """What every playable game has. A back end says how rules are made, and may have tables of its own.

    `spec` is the hash of the spec, `teams` how many teams there are, or 0.
    """

    tables: type[Table] = Table

    def __init__(
        self,
        name: str,
        text: str,
        counts: Sequence[int],
        settings: Sequence[Setting],
        spec: str = "",
        teams: int = 0,
    ) -> None:
        self.name = name
        self.spec = spec
        self.text = text
        self.counts = tuple(counts)
        self.teams = teams
        self.parameters = {x.name: x for x in settings}
        self._started = self.tables.started
        self._rules: dict[tuple[int, tuple[int, ...]], Running] = {}
        # Those of each player count with all parameters as they are set at first.
        self._plain: dict[int | None, Running] = {}

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
        if not given and count in self._plain:
            return self._plain[count]
        values = self._settle(given)
        key = (count, tuple(values.values()))
        if key not in self._rules:
            if len(self._rules) >= MOST_RULES:
                self._rules.pop(next(iter(self._rules)))
            self._rules[key] = self.make_rules(count, values)
            written = {name: self.parameters[name].written(value) for name, value in values.items()}
            self._rules[key].setup = Setup(self.spec, written)
        if not given:
            self._plain[count] = self._rules[key]
        return self._rules[key]

    def start(
        self,
        players: int | None = None,
        seed: int = 0,
        max_decisions: int = MOST_DECISIONS,
        chance: str = "seeded",
        **parameters: Any,
    ) -> Table:
        """Return a table at its first decision. The same arguments give the same game, on every version of Python.

        `players` is the smallest count if left out. With chance="explicit" random events are choices of the table, and
        the seed means nothing: see `ChanceTable`. Raises ValueError in words for arguments that the game does not
        know, Fault if the game breaks before its first decision.
        """
        # What `rules` would find, found without a call: games are started by the million.
        rules = None if parameters or players not in self.counts else self._plain.get(players)
        if rules is None:
            rules = self.rules(players, parameters)
        if chance != "seeded":
            return self._explicit(rules, chance, max_decisions)
        return self._started(rules, seeded(seed), max_decisions)

    def _explicit(self, rules: Running, chance: str, max_decisions: int) -> Table:
        """Return a table whose chance is explicit, if that is what it is to be."""
        if chance != "explicit":
            raise ValueError(f"chance is seeded or explicit, not {chance}")
        return ChanceTable(rules, rules.first(0, False), max_decisions)

    def restore(self, text: str) -> Table:
        """Return the table that was saved as a text, by this back end or the other, with its log.

        Raises ValueError in words for a save of another game or of a spec that has changed since, and for one that is
        cut off, damaged or edited.
        """
        data = read_save(text, self.name, self.spec)
        try:
            table = self._again(data)
            same = canonical(json.loads(table.save())) == canonical(data)
        except (
            ArithmeticError,
            AttributeError,
            Fault,
            LookupError,
            RecursionError,
            TypeError,
            ValueError,
        ) as wrong:
            told = str(wrong) if isinstance(wrong, ValueError | Fault) else "its parts do not fit together"
            raise ValueError(told if told.startswith(DAMAGED) else f"{DAMAGED}: {told}") from None
        if not same:
            raise ValueError(f"{DAMAGED}: its moves do not lead to its table")
        return table

    def _beginning(self, rules: Running, origin: Any, before: Any, most: int) -> Table:
        """Return the table that a save begins with: by its chance, or by the whole state of one begun in the middle."""
        if not isinstance(origin, dict):
            table = self.tables(rules, unpacked_state(rules.shape, origin), most, begun=True)
            table._wanted().before = as_chain(before)
            return table
        if origin["chance"] == "explicit":
            return ChanceTable(rules, rules.first(0, False), most)
        return self.tables.started(rules, _whole(origin["chance"]), most)

    def _again(self, data: Mapping[str, Any]) -> Table:
        """Return the table that the moves of a save lead to; any of several exceptions where they lead nowhere."""
        rules = self.rules(data["players"], dict(data["parameters"]))
        table = self._beginning(rules, data["origin"], data.get("before", ()), data["max_decisions"])
        for entry in data["past"]:
            if isinstance(entry, dict) and "outcome" in entry:
                if not table.chances():
                    raise ValueError("an outcome stands where chance is not asked")
                table.step(entry["outcome"])
            elif table.chances():
                raise ValueError("an outcome of chance is missing")
            elif isinstance(entry, dict):
                table._turn_chance(_whole(entry["chance"]))
            elif type(entry) is int:
                table.step(entry)
            else:
                raise ValueError("a move has no number")
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
        base = scramble(seed & MASK64)
        mixed = (scramble((base + i) & MASK64) for i in range(first, first + n))  # as by `mix`
        return (playout(rules, x & MASK63, scramble((x + 1) & MASK64) & MASK63, max_decisions) for x in mixed)


def _whole(value: Any) -> int:
    """Return a state of chance; ValueError if it is none."""
    if type(value) is not int or not 0 <= value <= MASK63:
        raise ValueError("its chance is none")
    return value


def playout(rules: Running, seed: int, choice: int, most: int) -> Playout:
    """Return one game of random choices."""
    S = rules.first(seeded(seed), False)
    counts = [0, 0]
    outcome, words = "finished", ""
    scores, winners = (0,) * rules.shape.players, tuple[int, ...]()
    try:
        rules.wander(S, choice, most, counts)
        if S[SEAT] >= 0:
            outcome = "stalled"
        scores = rules.scores(S)
        winners = rules.winners(S) if outcome == "finished" else ()
    except Fault as fault:
        outcome, words = "fault", str(fault)
    except RecursionError:
        outcome, words = "fault", TOO_DEEP
    return Playout(scores, winners, S[DECISIONS], outcome, words, *counts)
