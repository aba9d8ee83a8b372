"""When the words that tricks give have a meaning: `led` once a card lies there, `last_trick` once the trick has gone.

A word that a spec declares itself means there what the spec says, so only the others are looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import NamedTuple

from hoyle import families as f
from hoyle import syntax as s
from hoyle.check.implied import LED, LED_SUIT, MOVER, PLAYED, TAKEN, WINNER, WINNING
from hoyle.check.written import spoken
from hoyle.source import Span

TRICK = (LED, LED_SUIT, WINNING)
# What each clause is read for, and the words that are not there then.
ASKED: dict[str, tuple[str, tuple[str, ...]]] = {
    "lead": ("yet when a card is led", (*TRICK, PLAYED, TAKEN, WINNER)),
    "players": ("yet when somebody is to lead", (*TRICK, PLAYED, TAKEN, WINNER)),
    "chooser": ("yet when somebody is to lead", (*TRICK, PLAYED, TAKEN, WINNER)),
    "cards": ("yet when somebody is to lead", (*TRICK, PLAYED, TAKEN, WINNER)),
    "follow": ("yet when a card is to be played", (PLAYED, TAKEN, WINNER)),
    "each play": ("yet while the trick is played", (TAKEN, WINNER)),
    "led suit": ("yet when it is worked out what suit is led", (LED_SUIT, WINNING, PLAYED, TAKEN, WINNER)),
    "suit of": ("yet when it is worked out what suit is led", (LED_SUIT, WINNING, PLAYED, TAKEN, WINNER)),
    "trumps": ("yet when it is worked out which card wins", (WINNING, PLAYED, TAKEN, WINNER)),
    "rank of": ("yet when it is worked out which card wins", (WINNING, PLAYED, TAKEN, WINNER)),
    "winner": ("yet when it is worked out which card wins", (WINNING, PLAYED, TAKEN, WINNER)),
    "goes to": ("yet when the trick is taken", (PLAYED, TAKEN)),
    "each trick": ("any more when the trick has gone", (*TRICK, PLAYED)),
    "until": ("before a trick is played", (*TRICK, PLAYED, TAKEN, WINNER)),
}
LEADS = ("before the first trick", (*TRICK, PLAYED, TAKEN, WINNER, MOVER))
LEADS_NEXT = ("any more when the trick has gone", (*TRICK, PLAYED, TAKEN))
MENDS = {
    PLAYED: "ask for it under `each play`",
    TAKEN: "ask for it under `each trick`",
    WINNER: "say `winner of last trick`, or ask for it under `each trick`",
    MOVER: "name a player who is known before, such as `left of dealer`",
}
LATER = "ask for it under `follow` or `each play`"


def names_of(blocks: tuple[s.Block, ...]) -> dict[str, Span]:
    """Return where the names of a whole spec are declared that an expression can ask for."""
    found: dict[str, Span] = {}
    for block in blocks:
        if isinstance(block, s.Variable | s.Zone | s.Parameter | s.Define):
            found.setdefault(block.name.text, block.name.span)
        elif isinstance(block, s.Enum):
            found |= {m.name: m.span for m in block.members if m.name not in found}
    return found


class Untimely(NamedTuple):
    """A word that is not there when it is asked for."""

    word: s.Name
    clause: f.Clause
    when: str
    mend: str


def untimely(block: f.Tricks, trick: str, own: frozenset[str]) -> Iterator[Untimely]:
    """Yield the words of a block that are not there when they are asked for, each once a clause.

    `trick` is the row that it lies in, `own` are the names that the spec declares elsewhere.
    """
    own |= {w.text for group in block.fields for w in group.names}
    for clause in block.clauses:
        mine = own | {w.text for w in made(clause)}
        asks_first = clause.word in ("players", "chooser") and spoken(clause, trick) is not None
        for part, (when, words) in _parts(clause):
            if asks_first:  # whether a card lies there may be settled before
                words = tuple(w for w in words if w not in TRICK)
            for word in words:
                found = None if word in mine else spoken(part, word)
                if found is not None:
                    yield Untimely(found, clause, when, _mend(clause, word))


def _parts(clause: f.Clause) -> Iterator[tuple[object, tuple[str, tuple[str, ...]]]]:
    if clause.word == "leader":
        yield clause.exprs[:1], LEADS
        yield clause.exprs[1:], LEADS_NEXT
    elif clause.word in ASKED:
        yield clause, ASKED[clause.word]


def _mend(clause: f.Clause, word: str) -> str:
    if word in MENDS:
        return MENDS[word]
    if clause.word == "lead":
        return "say here what may be led, and under `follow` what must be played after it"
    if clause.word == "each trick":
        return "`last_trick` is the set of its cards; what else is wanted can be kept under `each play`"
    return LATER


def made(part: object) -> Iterator[s.Word]:
    """Yield the names that a part of a block gives, where they are written."""
    if isinstance(part, tuple) and not isinstance(part, Span):
        for x in part:
            yield from made(x)
        return
    if not isinstance(part, s.Node) or isinstance(part, s.Word):
        return
    match part:
        case s.Binder() | s.Field():
            yield from part.names
        case f.Clause() if part.word != "cards":
            yield from part.names
        case s.Let() | s.Turns():
            yield part.name
        case s.Pick(target=s.Name(text=name)):
            yield s.Word(part.target.span, name)
        case s.MoveSome() | s.Choose() | f.Fit() | f.Best():
            yield from [] if part.name is None else [part.name]
        case _:
            pass
    for field in fields(part):
        yield from made(getattr(part, field.name))
