"""Phases without decisions, written out where they are run, in the function of all rules."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from itertools import takewhile

from hoyle.compile.conditions import bare
from hoyle.compile.nearer import arguments, fresh
from hoyle.compile.statements import INDENT

RUN = re.compile(r"( *)self\.(\w+)\(S(?:, (.*))?\)(  #.*)?$")
HEAD = re.compile(r"def (\w+)\(self, S: State(.*)\) -> None:$")
SET = re.compile(r" *(?:for )?([a-z_]\w*(?:, [a-z_]\w*)*),?(?: [-+|&*/]*= | in )")
NAME = re.compile(r"(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')|(?<![\w.])([^\W\d]\w*)(?!=(?!=))")
PLAIN = re.compile(r"[a-z_]\w*|\d+")
BOUND = re.compile(r"\b(?:for|lambda) ((?:\w+, )*\w+),?(?: in\b|:)")
COUNTED = re.compile(r"\bcounted\((\d+), \d+, \"\w+\"\)")
CALL = re.compile(r"\bself\.(\w+)\(S(?:, ([^()]*))?\)")
SAYS = re.compile(r"def (\w+)\(self, S: State(.*)\) -> int:$")
RETURN = re.compile(r" *return (.*)$")
SIMPLE = re.compile(r"\w+|S\[\w+\]")
FITS = re.compile(r"( *)(\w+) = \(any\(map\(\(?(self\..*?)\)?\.__getitem__, (S\[[^()]*\])\)\)\)(  #.*)?$")
ANY = r"(not )?any\(map\((self\.\w+)\.__getitem__, (S\[[^()]*\])\)\)"
IF_FITS = re.compile(rf"( *)if (?:(\(.*\)|\w+) and \()?{ANY}\)?:(  #.*)?$")
LONGEST = 30  # lines of a phase that is written out
MOST = 160  # lines written out in one branch
DEEPEST = 3


class Phases:
    """The phases that can be written out: their parameters and lines, by the name of their method."""

    def __init__(
        self,
        texts: Mapping[str, list[str]],
        inside: Mapping[str, list[str]],
        words: set[str],
        unsure: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        self.unsure = unsure or {}  # the parameters of each that may be none
        self.texts = texts
        self.inside = inside
        self.words = words  # names that are taken
        self.met: set[str] = set()  # methods that have been written out

    def _given(self, line: str) -> str:
        """Return a line with what short definitions say written out."""
        if line.lstrip().startswith("#"):
            return line
        code, comment, note = line.partition("  #")
        return CALL.sub(self._said, code) + comment + note

    def _said(self, found: re.Match[str]) -> str:
        """Return what a definition says of such arguments, or the call where that is long."""
        text = self.texts.get(found[1], [])
        head = SAYS.match(text[0]) if text else None
        said = RETURN.match(text[-1]) if text else None
        if head is None or said is None or len([x for x in text if RETURN.match(x)]) > 1 or len(text) != 3:
            return found[0]
        parameters = [x.split(":")[0] for x in arguments(head[2].removeprefix(", ")) if x]
        given = arguments(found[2]) if found[2] else []
        inner = _bound([said[1]])
        taken = inner & {*parameters, *(word for x in given for word in re.findall(r"\w+", x))}
        if taken or not all(SIMPLE.fullmatch(x) for x in given):
            return found[0]
        self.met.add(found[1])
        # That it is a number is said for a checker of types, who does not look into this function.
        what = said[1][4:-1] if said[1].startswith("int(") and said[1].count("int(") == 1 else said[1]
        return f"({_renamed(what, dict(zip(parameters, given, strict=True)))})"

    def spliced(self, lines: Iterable[str]) -> list[str]:
        """Return lines with phases written out in place of those that run them."""
        self.left = MOST
        written = [y for line in lines for x in self._written(line, ()) for y in _looped(self._given(x))]
        return _asked_in_loops(written)

    def _written(self, line: str, around: tuple[str, ...]) -> list[str]:
        found = RUN.match(line)
        if not found or found[2] not in self.inside or found[2] in around or len(around) == DEEPEST:
            return [line]
        body, head = self.inside[found[2]], HEAD.match(self.texts[found[2]][0])
        short = head is not None and len(body) <= min(LONGEST, self.left)
        if head is None or not short or any(re.search(r"\b(return|yield)\b", _code(x)) for x in body):
            return [line]
        self.left -= len(body)
        self.met.add(found[2])
        parameters = [x.split(":")[0] for x in arguments(head[2].removeprefix(", ")) if x]
        given = arguments(found[3]) if found[3] else []
        assigned = {name for x in body if (set_ := SET.match(_code(x))) for name in set_[1].split(", ")}
        inner = _bound(body)
        assigned |= inner & set(parameters)
        names: dict[str, str] = {}
        made: list[str] = []
        for parameter, value in zip(parameters, given, strict=True):
            if PLAIN.fullmatch(value) and parameter not in assigned and value not in inner:
                names[parameter] = value
            else:
                names[parameter] = fresh(f"{found[2]}_{parameter}", self.words)
                made.append(f"{names[parameter]} = {value}")
        for name in sorted(assigned - names.keys()):
            names[name] = fresh(f"{found[2]}_{name}", self.words)
        lines = [COUNTED.sub(r"\1", _renamed(x, names)) for x in body]
        for parameter in parameters:
            kind = f"self.kind_of[{names[parameter]}]"
            there = parameter not in assigned and parameter not in self.unsure.get(found[2], ())
            if there and sum(x.count(kind) for x in lines) > 2:
                known = fresh(f"{found[2]}_kind", self.words)
                made.append(f"{known} = {kind}")
                lines = [x.replace(kind, known) for x in lines]
        made += lines
        made[0] += found[4] if found[4] and "  #" not in made[0] else ""
        return [y for x in made for y in self._written(found[1] + x, (*around, found[2]))]


def _looped(line: str) -> list[str]:
    """Return a line, or a loop in its place where it asks whether one card of a zone fits: it ends at the first."""
    found = FITS.match(line)
    if found is None or found[3].count("(") != found[3].count(")"):
        return [line]
    margin, name, row, zone, note = found[1], found[2], found[3], found[4], found[5] or ""
    lines = [
        f"row = {row}{note}",
        f"{name} = False",
        f"for y in {zone}:",
        f"{INDENT}if row[y]:",
        f"{INDENT * 2}{name} = True",
        f"{INDENT * 2}break",
    ]
    return [margin + x for x in lines]


def _asked_in_loops(lines: list[str]) -> list[str]:
    """Return lines with a loop where a condition ends in whether one card of a zone fits: it is asked only then."""
    made: list[str] = []
    for place, line in enumerate(lines):
        found = IF_FITS.match(line)
        body = _deeper(lines[place + 1 :], line) if found else []
        after = lines[place + 1 + len(body) :]
        if found is None or (after and after[0].lstrip().startswith("el")):
            made.append(line)
            continue
        begins, first, none, row, zone, note = (x or "" for x in found.groups())
        around = [f"{begins}if {bare(first)}:{note}"] if first else []
        deep = begins + INDENT * len(around)
        return [
            *made,
            *around,
            f"{deep}there_is = False",
            f"{deep}for y in {zone}:{'' if first else note}",
            f"{deep}{INDENT}if {row}[y]:",
            f"{deep}{INDENT * 2}there_is = True",
            f"{deep}{INDENT * 2}break",
            f"{deep}if {none}there_is:",
            *[INDENT * len(around) + x for x in _asked_in_loops(body)],
            *_asked_in_loops(after),
        ]
    return made


def _deeper(lines: list[str], than: str) -> list[str]:
    """Return the first lines that stand under one."""
    margin = len(than) - len(than.lstrip())
    return list(takewhile(lambda x: len(x) - len(x.lstrip()) > margin, lines))


def _bound(lines: Iterable[str]) -> set[str]:
    """Return the names that loops inside expressions give to what they go through: no argument may be one of them."""
    found: set[str] = set()
    for line in lines:
        for names in BOUND.findall(_code(line)):
            found.update(names.split(", "))
    return found


def _code(line: str) -> str:
    return "" if line.lstrip().startswith("#") else line.split("  #")[0]


def _renamed(line: str, names: Mapping[str, str]) -> str:
    """Return a line with other names; what stands in quotes and comments is left."""
    if line.lstrip().startswith("#"):
        return line
    code, comment, note = line.partition("  #")
    return NAME.sub(lambda m: m[1] or names.get(m[2], m[2]), code) + comment + note
