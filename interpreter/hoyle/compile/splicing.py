"""Phases without decisions, written out where they are run, in the function of all rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from hoyle.compile.nearer import arguments, fresh

RUN = re.compile(r"( *)self\.(\w+)\(S(?:, (.*))?\)(  #.*)?$")
HEAD = re.compile(r"def (\w+)\(self, S: State(.*)\) -> None:$")
SET = re.compile(r" *(?:for )?([a-z_]\w*(?:, [a-z_]\w*)*),?(?: [-+|&*/]*= | in )")
NAME = re.compile(r"(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')|(?<![\w.])([^\W\d]\w*)(?!=(?!=))")
PLAIN = re.compile(r"[a-z_]\w*|\d+")
COUNTED = re.compile(r"\bcounted\((\d+), \d+, \"\w+\"\)")
CALL = re.compile(r"\bself\.(\w+)\(S(?:, ([^()]*))?\)")
SAYS = re.compile(r"def (\w+)\(self, S: State(.*)\) -> int:$")
RETURN = re.compile(r" *return (.*)$")
SIMPLE = re.compile(r"\w+|S\[\w+\]")
LONGEST = 30  # lines of a phase that is written out
MOST = 160  # lines written out in one branch
DEEPEST = 3


class Phases:
    """The phases that can be written out: their parameters and lines, by the name of their method."""

    def __init__(
        self, texts: Mapping[str, list[str]], inside: Mapping[str, list[str]], words: set[str]
    ) -> None:
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
        inner = set(re.findall(r"\bfor (\w+) in\b", said[1]))
        if any(not SIMPLE.fullmatch(x) or inner & set(re.findall(r"\w+", x)) for x in given):
            return found[0]
        self.met.add(found[1])
        # That it is a number is said for a checker of types, who does not look into this function.
        what = said[1][4:-1] if said[1].startswith("int(") and said[1].count("int(") == 1 else said[1]
        return f"({_renamed(what, dict(zip(parameters, given, strict=True)))})"

    def spliced(self, lines: Iterable[str]) -> list[str]:
        """Return lines with phases written out in place of those that run them."""
        self.left = MOST
        return [self._given(x) for line in lines for x in self._written(line, ())]

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
        names: dict[str, str] = {}
        made: list[str] = []
        for parameter, value in zip(parameters, given, strict=True):
            if PLAIN.fullmatch(value) and parameter not in assigned:
                names[parameter] = value
            else:
                names[parameter] = fresh(f"{found[2]}_{parameter}", self.words)
                made.append(f"{names[parameter]} = {value}")
        for name in sorted(assigned - names.keys()):
            names[name] = fresh(f"{found[2]}_{name}", self.words)
        made += [COUNTED.sub(r"\1", _renamed(x, names)) for x in body]
        made[0] += found[4] if found[4] and "  #" not in made[0] else ""
        return [y for x in made for y in self._written(found[1] + x, (*around, found[2]))]


def _code(line: str) -> str:
    return "" if line.lstrip().startswith("#") else line.split("  #")[0]


def _renamed(line: str, names: Mapping[str, str]) -> str:
    """Return a line with other names; what stands in quotes and comments is left."""
    if line.lstrip().startswith("#"):
        return line
    code, comment, note = line.partition("  #")
    return NAME.sub(lambda m: m[1] or names.get(m[2], m[2]), code) + comment + note
