"""Why a move is not possible now, in the words of the spec, and only as far as the player to move can know.

Arguments are looked for as a player would lay them on the table: of all ways to complete what was named, the one that
comes nearest to a legal move tells what is missing. Conditions are asked on a state in which hidden cards can't be
read; one that tries is named, and nothing is said of how it stands.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from hoyle.runtime.asked import AskedShape, ConditionShape, NotSeen, SeenState
from hoyle.runtime.faults import Fault
from hoyle.runtime.move import Move
from hoyle.runtime.sets import mask_of
from hoyle.runtime.shape import OptionShape, Shape
from hoyle.runtime.state import BLOCK, SEAT, State

MOST_TRIED = 2_000
MOST_SHOWN = 6
# What another condition prevents where a move is looked for: faults, and looking up what is none, which lies nowhere.
PREVENTED = (Fault, RecursionError, LookupError, ValueError)

# What an argument may be, and of which zone or -1; behind the arguments, whether a condition holds.
Ask = Callable[[State, int, tuple[int, ...]], Any]


class Explained(Protocol):
    """What is needed of rules to say what they forbid."""

    shape: Shape

    def asked(self, block: int, option: int) -> AskedShape:
        """Return what an option asks."""

    def ask(self, S: State, block: int, option: int, part: int, values: tuple[int, ...]) -> Any:
        """Return what an argument may be, as zone or -1 and elements; from the number of arguments on, a condition."""


class Reason(NamedTuple):
    """One thing that stands against a move: the option it is about, with its rule text and a line of the spec."""

    option: str
    text: str
    rule: str = ""
    line: int = 0


class Why(NamedTuple):
    """Whether what was asked about is allowed, the legal moves that it means, and what forbids it."""

    move: str
    allowed: bool
    moves: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()

    def __str__(self) -> str:
        if self.allowed:
            more = f" and {len(self.moves) - MOST_SHOWN} more" if len(self.moves) > MOST_SHOWN else ""
            moves = ", ".join(self.moves[:MOST_SHOWN]) + more
            return f"{self.move} is allowed" + ("" if self.moves == (self.move,) else f": {moves}")
        lines, quoted = [f"{self.move} is not allowed:"], ""
        for reason in self.reasons:
            option = f"{reason.option}: " if reason.option else ""
            lines.append(f"  {option}{reason.text}" + (f" (line {reason.line})" if reason.line else ""))
            if reason.rule != quoted:
                lines += [f"    > {line}" for line in reason.rule.splitlines()]
                quoted = reason.rule
        return "\n".join(lines)


@lru_cache(4096)
def plain_words(words: str) -> str:
    """Return words as they are compared: without quotes, spaces at brackets and commas, or capitals."""
    text = " ".join(words.replace('"', "").lower().split())
    for sign in "(),":
        text = text.replace(f" {sign}", sign).replace(f"{sign} ", sign)
    return text.removesuffix("()")


class Named(NamedTuple):
    """What somebody asked about: an option, by block and place, and words for its first arguments."""

    block: int
    place: int
    words: tuple[str, ...]


class Tried(NamedTuple):
    """How near a way to complete a move has come: arguments found, conditions that fail, what to say."""

    found: int
    failing: int
    reasons: tuple[Reason, ...]


class Search:
    """The ways to complete one option with what was named; `given` has words for some of its arguments, by group."""

    def __init__(self, rules: Explained, S: SeenState, named: Named, given: dict[int, list[str]]) -> None:
        self.rules = rules
        self.shape = rules.shape
        self.S = S
        self.block, self.place = named.block, named.place
        self.option = self.shape.choices[self.block].options[self.place]
        self.asked = rules.asked(self.block, self.place)
        self.given = given
        self.heads = [
            place for source in self.shape.sources(self.option) for place in source[:1] * len(source)
        ]
        self.best: Tried | None = None
        self.tried = 0
        self.hidden: dict[str, Reason] = {}

    def reasons(self) -> list[Reason]:
        """Return what forbids the option with what was named; what can't be known comes last."""
        before = [r for c in range(len(self.asked.conditions)) for r in self._fails(c, (), False)]
        if self.option.arguments:
            self._complete(())
        near = list(self.best.reasons) if self.best is not None else []
        return [*before, *near] or list(self.hidden.values())

    def _reason(self, text: str, line: int = 0) -> Reason:
        return Reason(self.option.name, text, self.option.text, line or self.option.line)

    def _fails(self, number: int, values: tuple[int, ...], bound: bool) -> list[Reason]:
        """Return the reason, if any, why a condition fails that speaks of arguments, or of none."""
        condition = self.asked.conditions[number]
        if bool(condition.needs) != bound:
            return []
        try:
            if not self.S.open(condition):
                raise NotSeen
            part = len(self.option.arguments) + number
            if self.rules.ask(self.S, self.block, self.place, part, values):
                return []
        except NotSeen:
            words = f"`{condition.words}`" if condition.words else "what may be played"
            text = f"{words} asks about {self.shape.piece_word}s that you do not see"
            self.hidden[condition.words] = self._reason(text, condition.line)
            return []
        except PREVENTED:
            return []  # a condition before it was there to prevent that
        if condition.says:
            return [Reason(self.option.name, condition.says, condition.text, condition.line)]
        return [self._reason(self._words(condition, values), condition.line)]

    def _words(self, condition: ConditionShape, values: tuple[int, ...]) -> str:
        """Return in words that a condition does not hold, and for what."""
        made = ", ".join(
            f"{self.option.arguments[i][0]} is {self._word(i, values[i])}" for i in condition.needs
        )
        return f"`{condition.words}` does not hold" + (f" when {made}" if made else "")

    def _word(self, i: int, value: int) -> str:
        return self.shape.word(self.option.arguments[i][1], value)

    # ---- arguments --------------------------------------------------------------------------

    def _complete(self, values: tuple[int, ...]) -> None:
        """Try all ways to go on from the arguments found so far."""
        i = len(values)
        if self.tried >= MOST_TRIED or (self.best is not None and self.best[:2] == (len(self.heads), 0)):
            return
        self.tried += 1
        if i == len(self.heads):
            numbers = range(len(self.asked.conditions))
            failing = [r for number in numbers for r in self._fails(number, values, True)]
            self._keep(i, len(failing), failing)
            return
        try:
            if not self.S.open(self.asked.sources[i]):
                raise NotSeen
            zone, elements = self.rules.ask(self.S, self.block, self.place, i, values)
            there = sorted(elements)
        except NotSeen:
            text = f"you do not see all of `{self.asked.sources[i].words}`"
            self.hidden[text] = self._reason(text)
            return
        except PREVENTED:
            return
        if self.option.arguments[i][1][0] == "set":
            self._together(i, zone, there, values)
            return
        wanted = self._wanted(i, values)
        fits = self._fitting(i, there, values)
        fits = [x for x in fits if wanted is None or plain_words(self._word(i, x)) in wanted]
        if not fits:
            self._keep(i, 0, [self._reason(self._absent(i, zone, there, values, wanted))])
        for value in fits:
            self._complete((*values, value))

    def _together(self, i: int, zone: int, there: Sequence[int], values: tuple[int, ...]) -> None:
        """Go on with the pieces named for an argument that takes several, if all of them are there."""
        taken: list[int] = []
        for word in self.given.get(i, ()):
            alike = [x for x in there if plain_words(self.shape.face(x)) == word]
            left = [x for x in alike if x not in taken and self.shape.kind_of[x] in self.asked.sources[i].of]
            if not left:
                self._keep(i, 0, [self._reason(self._not_taken(i, zone, word, alike, taken))])
                return
            taken.append(left[0])
        self._complete((*values, mask_of(taken)))

    def _not_taken(self, i: int, zone: int, word: str, alike: Sequence[int], taken: Sequence[int]) -> str:
        """Return in words why a named piece is none of those that an argument takes together."""
        face = next((f for f in self.shape.faces if plain_words(f) == word), word)
        if not alike:
            return f"{face} {self._not_in(i, zone)}"
        if all(x in taken for x in alike):
            return f"there is no other {face} in {self._from(i, zone)}"
        return f"{face} is no {self.shape.piece_word} for `{self.option.arguments[i][0]}`"

    def _from(self, i: int, zone: int) -> str:
        """Return in words where an argument is chosen from."""
        return f"`{self.asked.sources[i].words}`" if zone < 0 else self._zone(zone)

    def _not_in(self, i: int, zone: int) -> str:
        """Return in words that something is not there; a condition on each of several is not a place."""
        where = self._from(i, zone)
        return f"does not fit {where}" if where.startswith("`every ") else f"is not in {where}"

    def _keep(self, found: int, failing: int, reasons: Sequence[Reason]) -> None:
        best = self.best
        if best is None or (found, -failing) > (best.found, -best.failing):
            self.best = Tried(found, failing, tuple(reasons))

    def _fitting(self, i: int, there: Sequence[int], values: tuple[int, ...]) -> list[int]:
        """Return the elements that the argument may be: of its kinds, and none of those already taken beside it."""
        kinds, taken = self.asked.sources[i].kinds, values[self.heads[i] :]
        kind_of = self.shape.kind_of
        return [x for x in there if x not in taken and (not kinds or kind_of[x] in kinds)]

    def _wanted(self, i: int, values: tuple[int, ...]) -> list[str] | None:
        """Return the words of which the argument must be one; None if it is free."""
        head = self.heads[i]
        left = list(self.given.get(head, ()))
        for at, value in enumerate(values[head:], head):
            word = plain_words(self._word(at, value))
            if word in left:
                left.remove(word)
        return left if left and len(left) >= self.heads.count(head) - (i - head) else None

    def _absent(
        self, i: int, zone: int, there: Sequence[int], values: tuple[int, ...], wanted: Sequence[str] | None
    ) -> str:
        """Return in words that there is nothing for an argument where it is chosen from, or not what was named."""
        name, source = self.option.arguments[i][0], self.asked.sources[i]
        where = self._from(i, zone)
        if wanted is None:
            return f"there is nothing for `{name}` in {where}"
        word = self._as_written(i, wanted[0])
        alike = [x for x in there if plain_words(self._word(i, x)) == wanted[0]]
        if alike and all(x in values[self.heads[i] :] for x in alike):
            return f"there is no other {word} in {where}"
        if alike:
            return f"{word} is no {self.shape.piece_word} for `{name}`"
        if zone >= 0 or source.kinds:
            return f"{word} {self._not_in(i, zone)}"
        words = [self._word(i, x) for x in there]
        return f"{word} is not in {where}: " + (", ".join(words[:30]) or "it is empty")

    def _as_written(self, i: int, wanted: str) -> str:
        """Return a face as it is written, for one without capitals."""
        kinds = self.asked.sources[i].kinds
        return next((f for f in self.shape.faces if kinds and plain_words(f) == wanted), wanted)

    def _zone(self, zone: int) -> str:
        name, owner = self.shape.zone_name[zone]
        return f"your {name}" if owner == self.S.seat else self.shape.zone_word(zone)


# ---- from words to reasons ---------------------------------------------------------------------------


def why(rules: Explained, S: State, move: str | int | Move, legal: Sequence[Move]) -> Why:
    """Return whether a move is allowed and what forbids it; `legal` are the legal moves, none when the game is over."""
    shape = rules.shape
    asked = str(move) if not isinstance(move, Move) else move.call
    if S[SEAT] < 0:
        return Why(asked, False, (), (Reason("", "the game is over"),))
    if isinstance(move, str):
        plain = plain_words(move)
        known = [m for m in legal if plain in (plain_words(m.call), plain_words(m.text))]
        if known:
            return Why(asked, True, tuple(m.call for m in known))
        faces = [f for f in shape.faces if plain_words(f) == plain]
        named = list(_named(shape, plain))
        if faces and not named:
            return _about_face(rules, S, faces[0], legal)
        if not named and plain.lstrip("-").isdecimal():
            move = int(plain)
    if isinstance(move, str):
        return _about_options(rules, S, asked, named, legal)
    number = move if isinstance(move, int) else move.number
    known = [m for m in legal if m.number == number]
    if known:
        return Why(known[0].call, True, (known[0].call,))
    meant = _numbered(rules, number)
    if meant is not None and meant.block == S[BLOCK] and _of_sets(shape, meant):
        option = shape.choices[meant.block].options[meant.place]
        return Why(f"{option.name}, number {number}", False, (), (_no_such_set(option),))
    if meant is None:
        return Why(asked, False, (), (Reason("", f"no move of this game has the number {number}"),))
    option = shape.choices[meant.block].options[meant.place]
    asked = f"{option.name}({', '.join(meant.words)})" if meant.words else option.name
    return _about_options(rules, S, asked, [meant], legal)


def _numbered(rules: Explained, number: int) -> Named | None:
    """Return the move that has a number, whatever the choice."""
    for block, choice in rules.shape.choices.items():
        for place, option in enumerate(choice.options):
            values = rules.asked(block, place).values(number)
            if values is not None:
                readings = [reading for _, reading, _ in option.arguments]
                if any(r[0] == "set" for r in readings):
                    return Named(block, place, ())
                faces = [("kind",) if r[0] == "piece" else r for r in readings]
                words = [rules.shape.word(r, v) for r, v in zip(faces, values, strict=True)]
                return Named(block, place, tuple(words))
    return None


def _of_sets(shape: Shape, meant: Named) -> bool:
    """Return whether a move takes several cards as one argument."""
    option = shape.choices[meant.block].options[meant.place]
    return any(reading[0] == "set" for _, reading, _ in option.arguments)


def _no_such_set(option: OptionShape) -> Reason:
    return Reason(option.name, "just these cards are not possible now", option.text, option.line)


def _named(shape: Shape, plain: str) -> Iterator[Named]:
    """Yield the options of all choices that a call, or an option's own words, may mean."""
    name, bracket, rest = plain.partition("(")
    words = tuple(w for w in rest.removesuffix(")").split(",") if w) if bracket else ()
    for block, choice in shape.choices.items():
        for place, option in enumerate(choice.options):
            if option.name.lower() == name:
                yield Named(block, place, words)
            elif option.label:
                pattern = re.escape(plain_words(option.label))
                for at, (argument, _, _) in enumerate(
                    option.arguments
                ):  # by number: a name may have a space in it
                    pattern = pattern.replace(re.escape(f"{{{argument.lower()}}}"), f"(?P<_{at}>.+?)", 1)
                if match := re.fullmatch(pattern, plain):
                    groups = [match.groupdict().get(f"_{at}") for at in range(len(option.arguments))]
                    words = tuple(w for g in groups if g is not None for w in g.split(","))
                    yield Named(block, place, words)


def _about_options(
    rules: Explained, S: State, asked: str, named: Sequence[Named], legal: Sequence[Move]
) -> Why:
    """Return what forbids a call, which may leave arguments out from the right."""
    shape = rules.shape
    here = [n for n in named if n.block == S[BLOCK]]
    now = [o.name for o in shape.choices[S[BLOCK]].options]
    if not named:
        near = difflib.get_close_matches(plain_words(asked), [*now, *shape.faces], n=1)
        hint = f"; did you mean {near[0]}?" if near else f"; the choice is among {', '.join(now)}"
        return Why(asked, False, (), (Reason("", f"there is no such move{hint}"),))
    if not here:
        option = shape.choices[named[0].block].options[named[0].place]
        text = f"it is not the choice now, which is among {', '.join(now)}"
        return Why(asked, False, (), (Reason(option.name, text, option.text, option.line),))
    reasons: list[Reason] = []
    for meant in here:
        option = shape.choices[meant.block].options[meant.place]
        if option.part and len(meant.words) > 1:
            reasons += _about_picks(rules, S, meant, legal)
            continue
        given = _given(shape, option, meant.words)
        if given is None:
            names = ", ".join(name for name, _, _ in option.arguments) or "nothing"
            reasons.append(Reason(option.name, f"it takes {names}", option.text, option.line))
            continue
        alone = not _of_sets(shape, meant) or not meant.words
        moves = [
            m.call for m in legal if alone and m.option == option.name and _begins(shape, option, m, given)
        ]
        if moves:
            return Why(asked, True, tuple(moves))
        reasons += Search(rules, SeenState(shape, S, S[SEAT]), meant, given).reasons()
    if not reasons:
        reasons.append(Reason(option.name, "nothing fits together", option.text, option.line))
    return Why(asked, False, (), tuple(dict.fromkeys(reasons)))


def _by_group(shape: Shape, option: OptionShape, words: dict[int, str]) -> dict[int, list[str]]:
    """Return words for arguments as the words for each group, by the place of its first argument."""
    groups = shape.sources(option)
    return {g[0]: [plain_words(words[i]) for i in g if i in words] for g in groups if set(g) & set(words)}


def _given(shape: Shape, option: OptionShape, words: Sequence[str]) -> dict[int, list[str]] | None:
    """Return words for arguments by group; all that others leave are for one that takes several. None for too many."""
    several = [i for i, (_, reading, _) in enumerate(option.arguments) if reading[0] == "set"]
    if not several:
        return (
            None if len(words) > len(option.arguments) else _by_group(shape, option, dict(enumerate(words)))
        )
    at = several[0]
    behind = max(0, min(len(option.arguments) - at - 1, len(words) - at - 1))
    faces = set(map(plain_words, shape.faces))
    while behind and plain_words(words[-behind]) in faces:
        behind -= 1
    mine = [plain_words(w) for w in words[at : len(words) - behind]]
    rest = dict(enumerate(words[:at])) | dict(enumerate(words[len(words) - behind :], at + 1))
    return _by_group(shape, option, rest) | ({at: [w for w in mine if w != "nothing"]} if mine else {})


def _about_picks(rules: Explained, S: State, meant: Named, legal: Sequence[Move]) -> list[Reason]:
    """Return what forbids pieces that were named together and are picked one by one."""
    option = rules.shape.choices[meant.block].options[meant.place]
    reasons: list[Reason] = []
    for word in meant.words:
        if not any(
            m.option == option.name and plain_words(word) in map(plain_words, m.arguments) for m in legal
        ):
            given = {0: [plain_words(word)]}
            reasons += Search(rules, SeenState(rules.shape, S, S[SEAT]), meant, given).reasons()
    if reasons:
        return reasons
    text = f"its {rules.shape.piece_word}s are chosen one at a time, beginning with {option.name}({meant.words[0]})"
    return [Reason(option.name, text, option.text, option.line)]


def _begins(shape: Shape, option: OptionShape, move: Move, given: dict[int, list[str]]) -> bool:
    """Return whether a legal move has the arguments that were named, in whatever order within a group."""
    for source in shape.sources(option):
        there = [plain_words(move.arguments[i]) for i in source]
        for word in given.get(source[0], ()):
            if word not in there:
                return False
            there.remove(word)
    return True


def _about_face(rules: Explained, S: State, face: str, legal: Sequence[Move]) -> Why:
    """Return what forbids every option that could take a card of a face."""
    shape, block = rules.shape, S[BLOCK]
    plain, kind = plain_words(face), shape.faces.index(face)
    moves = [m.call for m in legal if any(plain in plain_words(a).split(",") for a in m.arguments)]
    if moves:
        return Why(face, True, tuple(moves))
    found: list[Reason] = []
    absent: list[Reason] = []
    for place, option in enumerate(shape.choices[block].options):
        for source in shape.sources(option):
            if kind not in rules.asked(block, place).sources[source[0]].kinds:
                continue
            search = Search(
                rules, SeenState(shape, S, S[SEAT]), Named(block, place, ()), {source[0]: [plain]}
            )
            reasons = search.reasons()
            if search.best is not None and search.best.found <= source[-1]:
                absent += [Reason("", r.text, "", r.line) for r in search.best.reasons]
            else:
                found += reasons
    if not found and not absent:
        names = ", ".join(o.name for o in shape.choices[block].options)
        absent.append(
            Reason("", f"no {shape.piece_word} like it can be chosen now; the choice is among {names}")
        )
    first: dict[str, Reason] = {}
    for reason in found or absent:
        first.setdefault(f"{reason.option}: {reason.text}", reason)
    return Why(face, False, (), tuple(first.values()))
