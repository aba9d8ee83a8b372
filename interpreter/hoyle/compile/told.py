"""What each pass of the compiler found in a spec, for the designer: gathered while a module is written.

A pass tells of what it does at the one place where it does it. The module is the same whether somebody listens or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from textwrap import shorten

from hoyle import program as p
from hoyle.compile.conditions import bare
from hoyle.compile.passes import PASSES, Pass
from hoyle.program.text import phrase

Part = str | p.Expr | p.Set | p.SetAt | p.MovePieces
NOTHING = "nothing here"
LONGEST = 100  # signs of what is told in one line


class Told:
    """What passes found; `line` is the line of the spec for which something is being written."""

    def __init__(self) -> None:
        self.line = 0
        self.notes: list[tuple[Pass, int, tuple[Part, ...]]] = []

    @contextmanager
    def at(self, line: int) -> Iterator[None]:
        """Hold that a line is written for; 0 for one that is not known, which leaves it at the one before."""
        before, self.line = self.line, line or self.line
        try:
            yield
        finally:
            self.line = before

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Hold that what is written is but a question, and not used: nothing is noted."""
        kept = len(self.notes)
        try:
            yield
        finally:
            del self.notes[kept:]

    def note(self, found_by: Pass, *words: Part, line: int | None = None) -> None:
        """Note what a pass found, here or at another line (0 for what has none), in words and parts of the rules."""
        self.notes.append((found_by, self.line if line is None else line, words))

    def found(self, program: p.Program) -> dict[Pass, list[tuple[int, str]]]:
        """Return for each pass what it found, by line and each thing once: the line of the spec, or 0, and words."""
        found: dict[Pass, dict[tuple[int, str], None]] = {x: {} for x in PASSES}
        for found_by, line, words in self.notes:
            parts = [x if isinstance(x, str) else _phrase(program, x) for x in words]
            told = (
                shorten("".join(parts), LONGEST, placeholder=" …") if parts != list(words) else "".join(parts)
            )
            found[found_by][line, told] = None
        return {x: sorted(each, key=lambda pair: pair[0]) for x, each in found.items()}

    def text(self, program: p.Program) -> str:
        """Return what every pass found as text for people: its name, what it does, and a line for each thing found."""
        lines = [f'game "{program.name}"']
        wide = max(map(len, PASSES))
        for name, each in self.found(program).items():
            lines += ["", f"{name:<{wide}}  {PASSES[name]}"]
            lines += [f"  line {line}  {told}" if line else f"  {told}" for line, told in each] or [
                f"  {NOTHING}"
            ]
        return "\n".join(lines) + "\n"


def _phrase(program: p.Program, part: p.Expr | p.Set | p.SetAt | p.MovePieces) -> str:
    """Return a part of the rules as text; the cards of a set as the spec names them, without what is made of them."""
    text = bare(phrase(program, part))
    if isinstance(part, p.Loop) and part.word == "set" and part.value is not None:
        return text.removeprefix(f"set of {phrase(program, part.value)} for ")
    return text


def told_of_function(
    told: Told, program: p.Program, names: Mapping[int, str], held: Set[str], choices: int
) -> None:
    """Note that all rules are in one function, and which places of the state, by their `names`, lie in variables."""
    told.note("function", f"{choices} {'choice' if choices == 1 else 'choices'}", line=0)
    found = {slot for slot, name in names.items() if name in held}
    for words in by_owner(program, found, set(names)) if found else ():
        told.note("variables", words, line=0)
    if "STEPS" in held:
        told.note("variables", "how often loops pass", line=0)


def told_of_zones(told: Told, program: p.Program, names: Mapping[int, str], held: Set[str]) -> None:
    """Note which zones, by their `names` in the state, lie in variables of the function."""
    for zone in program.zones:
        if names.get(zone.number) in held:
            told.note("zones", zone.name, line=zone.line)


def told_of_locals(told: Told, program: p.Program, found: set[int], roles: Mapping[int, str]) -> None:
    """Note which of the names that phases have are variables of Python's."""
    local = {slot for slot, role in roles.items() if role == "local"}
    for words in by_owner(program, found, local) if found else ():
        told.note("liveness", words, line=0)


def first_step(block: p.Block) -> list[Part]:
    """Return the phase of a block of plain steps, and what it does first."""
    plain = [x for x in block.body if isinstance(x, p.Set | p.SetAt)]
    return [f"{block.phase}: ", *(plain[:1] or _end(block.exit))]


def _end(exit: p.Exit) -> list[Part]:
    match exit:
        case p.Choose():
            return ["choose ", exit.chooser]
        case p.Branch():
            return ["if ", exit.test]
        case p.Call():
            return [f"do {exit.phase}"]
        case p.Return():
            return [f"end of {exit.phase}"]
        case _:
            return ["on to the next"]


def signature(program: p.Program, function: p.Function) -> str:
    """Return a definition as it is asked: its name, and those of what it is about."""
    names = slot_names(program)
    about = ", ".join(names[x] for x in function.parameters)
    return f"{function.name}({about})" if about else function.name


def slot_names(program: p.Program) -> dict[int, str]:
    """Return the names of slots, by their places."""
    names: dict[int, str] = {}
    place = 0
    for info in program.slots:
        names[place] = info.name
        place += info.size
    return names


def by_owner(program: p.Program, slots: set[int], every: set[int]) -> list[str]:
    """Return in words how many of all names there are among some slots, and which, for each phase that has some."""
    owners: dict[str, list[str]] = {}
    names: set[tuple[str, str]] = set()
    place = 0
    for info in program.slots:
        if place in every:
            names.add((info.owner, info.name))
        if place in slots and info.name not in owners.setdefault(info.owner or "state", []):
            owners[info.owner or "state"].append(info.name)
        place += info.size
    told = [f"{owner}: {', '.join(found)}" for owner, found in owners.items() if found]
    return [f"{sum(map(len, owners.values()))} of {len(names)}", *told]
