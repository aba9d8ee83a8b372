"""Names: what each one is, where it was declared, and whether anything uses it."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field
from typing import Literal

from hoyle import program as p
from hoyle.check.habits import NUMBERS
from hoyle.diagnostics import Report
from hoyle.given import LAST_WINNER
from hoyle.source import NOWHERE, Span
from hoyle.syntax import Word

Kind = Literal["parameter", "variable", "zone", "local", "definition", "phase", "seat", "token", "place"]
CALLED = {
    "parameter": "a parameter",
    "variable": "a variable",
    "zone": "a zone",
    "local": "a name of this phase",
    "definition": "a definition",
    "phase": "a phase",
    "seat": "a player of this scenario",
    "token": "a token",
    "place": "a place for tokens",
}


VALUES = ("empty", "none", "yes", "no", "players")
TYPES = {
    **dict.fromkeys(("int", "integer", "num", "number"), "number"),
    **dict.fromkeys(("bool", "boolean", "flag"), "flag"),
    **{x: x for x in ("player", "card", "tile")},
}
# What other languages, and people at a table, call values that have a word here.
HABITS = {
    "true": "yes",
    "on": "yes",
    "false": "no",
    "off": "no",
    "null": "none",
    "nil": "none",
    "nothing": "none",
    "nobody": "none",
    "undefined": "none",
    "everybody": "players",
    "all_players": "players",
}


@dataclass(slots=True)
class Noun:
    """A declared name. `each_player` and `each_team` nouns are fields of a player or team.

    `brackets` says that it is asked with arguments.
    """

    kind: Kind
    name: str
    span: Span
    type: p.Type
    slot: int = -1
    each_player: bool = False
    each_team: bool = False
    zone: p.Zone | None = None
    parameter: p.Parameter | None = None
    low: int | None = None
    high: int | None = None
    used: bool = False
    written: bool = False
    fixed: bool = True
    brackets: bool = False

    @property
    def owner(self) -> str:
        """`player` or `team` where each of them has one, else nothing."""
        return "player" if self.each_player else "team" if self.each_team else ""


@dataclass(slots=True)
class Scope:
    """The names of a whole spec, and the stack of local ones.

    `broken` are the words of lines that could not be read, in small letters; `unread` the numbers of those lines.
    """

    report: Report
    reserved: frozenset[str]
    broken: frozenset[str]
    unread: frozenset[int] = frozenset()
    nouns: dict[str, Noun] = field(default_factory=dict)
    types: dict[str, Span] = field(default_factory=dict)
    enums: dict[str, p.Enum] = field(default_factory=dict)
    pieces: dict[str, tuple[p.Attribute, ...]] = field(default_factory=dict)
    unions: dict[str, tuple[str, ...]] = field(default_factory=dict)
    labels: dict[str, list[str]] = field(default_factory=dict)
    words: dict[str, Span] = field(default_factory=dict)
    locals: list[dict[str, Noun]] = field(default_factory=list)
    slots: list[p.SlotInfo] = field(default_factory=list)
    narrowed: dict[str, p.Type] = field(default_factory=dict)
    next_slot: int = 0
    owner: str = ""
    unowned: set[tuple[str, str]] = field(default_factory=set)
    tricks_missed: Report | None = None  # where it is told already that the game has no tricks

    # ---- declaring ------------------------------------------------------------------------

    def declare(self, noun: Noun, word: Word) -> None:
        """Add a name of the whole spec; a second one of the same name is an error, and so is a word of the language."""
        self.allowed(word)
        old = self.nouns.get(noun.name)
        if old:
            self.twice(word, old.span)
            return
        if noun.name in self.words:
            self.twice(word, self.words[noun.name])
        self.nouns[noun.name] = noun

    def declare_type(self, word: Word) -> bool:
        """Note the name of an enum or card type; return whether it is new."""
        if word.text in self.types:
            self.twice(word, self.types[word.text])
            return False
        self.types[word.text] = word.span
        return True

    def twice(self, word: Word, first: Span) -> None:
        """Report a name declared again."""
        self.report.add(
            "E202",
            word.span,
            f"`{word.text}` is declared twice",
            second=(first, "first declared here") if first != NOWHERE else None,
            mend="give one of the two another name",
        )

    def allowed(self, word: Word) -> bool:
        """Return whether a word may be a name, and report it if not."""
        if word.text not in self.reserved:
            return True
        self.report.add(
            "E203",
            word.span,
            f"`{word.text}` is a word of the language and can't be a name",
            mend=f"choose another name, such as `{word.text}_` or `the_{word.text}`",
        )
        return False

    def local(self, word: Word, type: p.Type, slot: int) -> Noun:
        """Add a name to the innermost block."""
        self.allowed(word)
        for names in self.locals:
            if word.text in names:
                self.twice(word, names[word.text].span)
        outer = self.nouns.get(word.text)
        if not outer and word.text in self.words:
            self.report.add(
                "W202",
                word.span,
                f"`{word.text}` hides a value of {' and '.join(self.labels.get(word.text, ['an enum']))}",
                second=(self.words[word.text], "this value can't be reached from here"),
                mend="give the name another one: values of enums keep theirs everywhere",
            )
        if outer and outer.kind not in ("phase", "seat"):
            self.report.add(
                "W202",
                word.span,
                f"`{word.text}` hides {CALLED[outer.kind]} of the same name",
                second=(outer.span, "this one can't be reached from here"),
                mend="give one of the two another name",
            )
        noun = Noun("local", word.text, word.span, type, slot)
        if type.form == "number" and type.name:  # one of zones that begin in play
            noun.zone = self.nouns[type.name].zone
        self.locals[-1][word.text] = noun
        return noun

    def slot(
        self, name: str, type: p.Type, role: Literal["state", "local", "flow", "scratch"], size: int = 1
    ) -> int:
        """Return the number of a new slot; slots of a player each take `size` places."""
        number = self.next_slot
        self.next_slot += size
        self.slots.append(p.SlotInfo(name=name, owner=self.owner, type=type, size=size, role=role))
        return number

    def forget(self, names: set[str]) -> None:
        """Let go of what is known of variables that may have been set, and of fields of players that may."""
        self.narrowed = {
            path: type for path, type in self.narrowed.items() if not names & set(path.split("."))
        }

    def forget_state(self, among: set[str] | None = None) -> None:
        """Let go of what is known of the variables of the whole game, or of those `among` the names given."""
        names = self.nouns if among is None else among
        known = ((n, self.nouns.get(n)) for n in names)
        self.forget({n for n, x in known if x is not None and x.kind == "variable"})

    def read_whole(self, span: Span) -> bool:
        """Return whether all lines from the first to the last of `span` could be read."""
        return not any(line in self.unread for line in range(span.line, span.end_line + 1))

    # ---- finding ---------------------------------------------------------------------------

    def find(self, name: str) -> Noun | None:
        """Return the noun of that name, the innermost first; it counts as used."""
        for names in reversed(self.locals):
            if name in names:
                names[name].used = True
                return names[name]
        noun = self.nouns.get(name)
        if noun:
            noun.used = True
        return noun

    def has(self, name: str) -> bool:
        """Return whether something is called so, without counting it as used."""
        known = name in self.nouns or name in self.labels or name == LAST_WINNER
        return known or any(name in names for names in self.locals)

    def holding(self, *forms: str) -> list[str]:
        """Return the names of what holds a value of one of these forms, the innermost first."""
        inner = [x for names in self.locals for x in names.values()]
        return [x.name for x in (*inner, *self.nouns.values()) if x.type.form in forms]

    def first_unowned(self, noun: Noun, owner: str) -> bool:
        """Return whether it is the first time that a name is taken for one of an owner: one missing word mends all."""
        known = (noun.name, owner) in self.unowned
        self.unowned.add((noun.name, owner))
        return not known

    def known(self) -> list[str]:
        """Return every name that can be written here."""
        inner = [n for names in self.locals for n in names]
        return [n for n in (*inner, *self.nouns, *self.labels) if " " not in n]

    def unknown(self, word: Word, what: str = "name", among: list[str] | None = None, mend: str = "") -> None:
        """Report a name that nothing declares, unless a line that could not be read may have declared it."""
        if word.text.lower() in self.broken:
            self.report.note()
            return
        if word.text == LAST_WINNER:
            self.no_tricks(word.span)
            return
        near: list[str] = []
        if what == "name" and word.text in NUMBERS:
            mend = f"numbers are written in figures: `{NUMBERS.index(word.text)}`"
        elif not self.report.full:
            names = self.known() if among is None else among
            near = self._near(word.text, names, what)
        self.report.add(
            "E201",
            word.span,
            f"no {what} is called `{word.text}`",
            mend=f"did you mean `{near[0]}`?" if near else mend or self._hint(what),
        )

    def no_tricks(self, span: Span) -> None:
        """Report a question about tricks in a game without any, the first time."""
        if self.tricks_missed is self.report:
            self.report.note()
            return
        self.tricks_missed = self.report
        self.report.add(
            "E526", span, "no tricks are played in this game", mend="a block `tricks NAME` plays them"
        )

    def _near(self, word: str, names: list[str], what: str) -> list[str]:
        """Return the one name that was likely meant, if there is one: known by habit, but for capitals, nearly."""
        meant = (TYPES if what == "type" else HABITS if what == "name" else {}).get(word.lower())
        if meant:
            return [meant]
        plain = word.lower().replace("_", "")
        same = [
            n
            for n in (*names, *(self.labels if what == "name" else ()))
            if n.lower().replace("_", "") == plain
        ]
        near = same or difflib.get_close_matches(word, [n for n in names if n != word], n=1, cutoff=0.6)
        values = VALUES if what == "name" else ()
        return near[:1] or difflib.get_close_matches(word, values, n=1, cutoff=0.7)

    def _hint(self, what: str) -> str:
        match what:
            case "phase":
                return "write the phase as a block: `phase NAME`"
            case "card type" | "type":
                return "declare it under `components`"
            case "enum above this one":
                return "declare it under `components`, above this line"
            case "option":
                return "an option stands below `choose`: `option NAME`"
            case "player of this scenario":
                return "the first line of the scenario names its players"
            case "definition":
                return "write it as a block: `define NAME(...) = ...`"
        if what.startswith("attribute"):
            return "what a card has stands in its brackets under `components`"
        if what in ("zone", "zone that all players share", "zone of each player"):
            return "declare it under `zones`"
        if any(x.kind == "seat" for names in self.locals for x in names.values()):
            return (
                "the players of a scenario are named in its first line; other names are declared in the game"
            )
        return "declare it under `zones`, `state`, `parameters` or with `define`, or with `let` in this phase"
