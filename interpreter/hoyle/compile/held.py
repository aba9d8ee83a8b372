"""What of the state lies in variables of Python's own while the function of all rules runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from hoyle import program as p
from hoyle.compile.names import OWN as OWN_NAMES
from hoyle.compile.nearer import fresh

WORD = re.compile(r"[^\W\d]\w*")
OWN = re.compile(r"\bself\.(\w+)(?!\w*\()")
STATE = re.compile(r"\bS\[(\w+)\]")
ASSIGNED = re.compile(r"( *)S\[(\w+)\] = ")
TARGETS = re.compile(r" *(for )?[^=\"]*?(( in )|( ([-+|&*]|//)?= ))")
COUNTING = ("drawn_for(", "counted_pass(")  # what counts passes of loops in the state


class Held(NamedTuple):
    """What lies in variables while the function runs: by name in the state, and what of the rules."""

    own: dict[str, str]  # read and set in the function alone
    seen: dict[str, str]  # set in the function alone, read by what it calls too
    rules: dict[str, str]

    def line(self, line: str) -> str:
        """Return a line that asks the variables."""
        code, comment, note = line.partition("  #")
        first = ASSIGNED.match(code)
        kept = ""
        if first and first[2] in self.seen:
            kept, code = first[0], f"{self.seen[first[2]]} = {code[first.end() :]}"
        code = STATE.sub(lambda m: self.own.get(m[1]) or self.seen.get(m[1]) or m[0], code)
        code = OWN.sub(lambda m: self.rules.get(m[1], m[0]), code)
        return kept + code + comment + note


class Use(NamedTuple):
    """How lines use the places of the state: those they read, those they change, and those in other ways."""

    read: set[str]
    changed: set[str]
    hard: set[str]  # changed among others, changed in place, or told by number


def _uses(lines: Iterable[str]) -> Use:
    use = Use(set(), set(), set())
    for line in lines:
        code = line.split("  #")[0]
        plain = code.lstrip()
        if plain.startswith("#"):
            continue
        first = ASSIGNED.match(code)
        if first:
            use.changed.add(first[2])
            code = code[first.end() :]
        elif target := TARGETS.match(code):
            use.changed.update(STATE.findall(target[0]))
            use.hard.update(STATE.findall(target[0]))
        use.read.update(STATE.findall(code))
        use.hard.update(WORD.findall(STATE.sub("", code)))
    return use


def _closure(lines: Iterable[str], texts: Mapping[str, list[str]]) -> list[str]:
    """Return the lines of all methods of the module that some lines call, and those that they call."""
    met: dict[str, None] = {}
    todo = list(lines)
    while todo:
        for name in re.findall(r"\bself\.(\w+)", todo.pop()):
            if name in texts and name not in met:
                met[name] = None
                todo += texts[name][1:]
    return [x for name in met for x in texts[name][1:]]


def held_in(
    program: p.Program, names: Mapping[int, str], lines: list[str], texts: Mapping[str, list[str]]
) -> Held:
    """Return which places of the state lie in variables, and their names."""
    called = _closure(lines, texts)
    here, there = _uses(lines), _uses(called)
    words = set(WORD.findall(re.sub(r"\bself\.\w+", "", "\n".join(lines)))) | OWN_NAMES
    tokens = {x for token in program.tokens for x in (*token.places, token.supply)}
    single = [names[s] for s, x in slots(program) if x.size == 1 and s in names and s not in tokens]
    own: dict[str, str] = {}
    seen: dict[str, str] = {}
    for place in single:
        if place not in here.read or place in here.hard - here.changed or place in there.changed | there.hard:
            continue
        if place not in there.read:
            own[place] = fresh(place.lower(), words)
        elif place not in here.hard:
            seen[place] = fresh(place.lower(), words)
    counted = any(x in line for line in [*lines, *called] for x in COUNTING)
    if "STEPS" not in there.read | there.changed | there.hard and not counted:
        own["STEPS"] = "steps"
    asked = sorted({m[1] for x in lines for m in OWN.finditer(x)})
    rules = {name: fresh("players" if name == "n" else name, words) for name in asked}
    return Held(own, seen, rules)


def slots(program: p.Program) -> Iterator[tuple[int, p.SlotInfo]]:
    """Yield each slot, by the first of its places."""
    place = 0
    for info in program.slots:
        yield place, info
        place += info.size
