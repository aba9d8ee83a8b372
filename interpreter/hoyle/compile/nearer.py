"""Zones in variables, and simple moves of pieces written out, in the function of all rules.

A zone is the same list from the beginning of a game to its end, so the function asks the state for it once. It runs
only where no log is kept and chance is a number, which the methods that move pieces must ask each time. It notes no
places of pieces: the zones tell them, and a table notes them when somebody looks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from hoyle import program as p
from hoyle.compile.lying import Lies
from hoyle.compile.names import OWN as OWN_NAMES
from hoyle.compile.statements import INDENT

PLACED = re.compile(r" *(S\[PLACE\]\[[^=]* = )+[^=]+$")
WORD = re.compile(r"[^\W\d]\w*")
CALL = re.compile(r"(?:(\w+(?:\[\w+\])?(?: = \w+)?) = )?self\.(move_top|move_all)\(S, (.*)\)$")
IS_IN = re.compile(r"self\.is_in\(S, (\w+|S\[\w+\]), (\w+(?: \+ (?:\w+|S\[\w+\]))?)\)")
SHUFFLE = re.compile(r"self\.shuffle\(S, (.*)\)$")
DEAL = re.compile(r"self\.deal\(S, (\d+), (\w+), (\w+)\)$")
BROUGHT = re.compile(r"( *)self\.put\(S, (.*)\)((?:  #.*)?)$")
WITHIN = re.compile(r"\bfor \w+ in (?:self\.in_order\(S, (\w+)\)|S\[(\w+(?: \+ \w+)?)\])(?: if |\])")
PUT = re.compile(r"self\.put\(S, \((\w+),\), ([^(]*)\)$")


class Near(NamedTuple):
    """Zones that lie in variables, by their names in the state: those alone, and those of which players have one."""

    single: dict[str, str]
    each: dict[str, str]
    forms: dict[str, str]
    seats: str
    whence: Mapping[str, str]  # the zone that pieces were chosen from, by the name they are kept in

    def line(self, line: str) -> str:
        """Return a line that asks the variables."""
        code, comment, note = line.partition("  #")
        return self._asked(code) + comment + note

    def _asked(self, code: str) -> str:
        code = IS_IN.sub(r"(\1 in S[\2])", code)
        made, start = "", 0
        while (at := code.find("S[", start)) >= 0:
            end = _closing(code, at + 1)
            inside = code[at + 2 : end]
            name, plus, index = inside.partition(" + ")
            free = at == 0 or not (code[at - 1].isalnum() or code[at - 1] in "_.")
            if free and inside in self.single:
                made += code[start:at] + self.single[inside]
            elif free and plus and name in self.each:
                made += f"{code[start:at]}{self.each[name]}[{_bare(self._asked(index))}]"
            else:
                made += f"{code[start:at]}S[{self._asked(inside)}]"
            start = end + 1
        return made + code[start:]

    def written(self, line: str, lying: Mapping[str, Lies]) -> list[str]:
        """Return a line, or those that move pieces in its place where that is simple; `lying` says where some lie."""
        code, comment, note = line.partition("  #")
        plain = code.lstrip()
        margin = code[: len(code) - len(plain)]
        if PLACED.match(code):
            return []
        if shuffled := SHUFFLE.match(plain):
            zone = self._asked(f"S[{shuffled[1]}]")
            return [f"{margin}S[CHANCE] = shuffle(S[CHANCE], {zone}){comment}{note}"]
        if dealt := DEAL.match(plain):
            return [margin + x for x in self._dealt(dealt, comment + note)] or [line]
        if put := PUT.match(plain):
            return [margin + x for x in self._put(put, lying, comment + note)] or [self._brought(line)]
        found = CALL.match(plain)
        if not found:
            return [self._brought(line)]
        kept, method, zones = found[1], found[2], arguments(found[3])
        if len(zones) != 2 or any(self._form(x) == "" for x in zones) or (kept and method == "move_all"):
            return [line]
        source, target = (self._asked(f"S[{x}]") for x in zones)
        pool = self._form(zones[1]) == "pool"
        if method == "move_all":
            if self._name(zones[0]) == self._name(zones[1]) or self._form(zones[0]) == "pool":
                return [line]  # of one name two may be the same zone: nothing moves then
            lines = [
                f"{target} += {source}{comment}{note}",
                *[f"{target}.sort()"] * pool,
                f"{source}.clear()",
            ]
            return [margin + x for x in lines]
        landing = f"insort({target}, x)" if pool else f"{target}.append(x)"
        lines = [
            f"if {source}:{comment}{note}",
            f"{INDENT}x = {source}.pop()",
            INDENT + landing,
            *[f"{INDENT}{kept} = 1 << x"] * bool(kept),
            "else:",
            f"{INDENT}{f'{kept} = ' if kept else ''}self.move_top(S, {', '.join(zones)})",
        ]
        return [margin + x for x in lines]

    def used(self, lines: list[str]) -> Near:
        """Return the same without variables that no line asks."""
        words = {word for x in lines for word in WORD.findall(x)}
        single, each = ({k: v for k, v in x.items() if v in words} for x in (self.single, self.each))
        return self._replace(single=single, each=each)

    def _put(self, found: re.Match[str], lying: Mapping[str, Lies], note: str) -> list[str]:
        """Return the lines that take a piece from where it is known to lie and put it somewhere; none for others."""
        piece, zone = found[1], found[2]
        if not self._form(zone) or piece not in lying:
            return []
        target = self._asked(f"S[{zone}]")
        landing = f"insort({target}, {piece})" if self._form(zone) == "pool" else f"{target}.append({piece})"
        return [lying[piece].taken(piece) + note, landing]

    def _brought(self, line: str) -> str:
        """Return a line that moves pieces not by their places: it looks for them, first where they come from."""
        found = BROUGHT.match(line)
        if not found:
            return line
        pieces, target = arguments(found[2])
        within = WITHIN.search(pieces)
        kept = [self.whence[x] for x in WORD.findall(pieces) if x in self.whence]
        near = "" if not within and not kept else f", {f'S[{within[1] or within[2]}]' if within else kept[0]}"
        return f"{found[1]}self.bring(S, {pieces}, {target}{near}){found[3]}"

    def _dealt(self, found: re.Match[str], note: str) -> list[str]:
        """Return the lines that deal from a pile to all players, one card at a time; none for other deals."""
        count, pile, name = int(found[1]), found[2], found[3]
        if pile not in self.single or name not in self.each or self.forms[pile] != "pile" or not count:
            return []
        source, zones, seats = self.single[pile], self.each[name], self.seats
        many = str(count * int(seats)) if seats.isdigit() else f"{count} * {seats}"
        over = str(-count * int(seats) - 1) if seats.isdigit() else f"-{many} - 1"
        end = f"-{many}"
        return [
            f"if len({source}) >= {many}:{note}",
            f"{INDENT}dealt = {source}[:{over}:-1]",
            f"{INDENT}del {source}[{end}:]",
            f"{INDENT}for seat, zone in enumerate({zones}):",
            f"{INDENT * 2}zone += dealt[seat::{seats}]",
            *[f"{INDENT * 2}zone.sort()"] * (self.forms[name] == "pool"),
            "else:",
            f"{INDENT}self.deal(S, {count}, {pile}, {name})",
        ]

    def _name(self, zone: str) -> str:
        """Return the name of a zone in the state, whosever it is."""
        return zone.partition(" + ")[0]

    def _form(self, zone: str) -> str:
        """Return the form of a zone by its place in the state, nothing where it is not plain to see."""
        name, plus, _ = zone.partition(" + ")
        known = name in self.each if plus else name in self.single
        return self.forms.get(name, "") if known else ""


def _closing(code: str, at: int) -> int:
    """Return where the bracket that opens at a place is closed; brackets in quotes do not count."""
    depth, quote = 0, ""
    for i in range(at, len(code)):
        sign = code[i]
        if quote:
            quote = "" if sign == quote and code[i - 1] != "\\" else quote
        elif sign in "\"'":
            quote = sign
        elif sign in "[(":
            depth += 1
        elif sign in "])":
            depth -= 1
            if depth == 0:
                return i
    raise AssertionError(code)


def arguments(text: str) -> list[str]:
    """Return the arguments of a call."""
    made, depth = [""], 0
    for sign in text:
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth == 0:
            made.append("")
        else:
            made[-1] += sign
    return [x.strip() for x in made]


def _bare(text: str) -> str:
    """Return text without brackets around all of it."""
    return text[1:-1] if text.startswith("(") and _closing(text, 0) == len(text) - 1 else text


def near(program: p.Program, zones: Mapping[int, str], lines: list[str], whence: Mapping[str, str]) -> Near:
    """Return the zones that lie in variables: those that lines ask for, under names that the lines have not.

    `whence` has the zones that pieces were chosen from, by the name they are kept in.
    """
    text = "\n".join(x.split("  #")[0] for x in lines if not x.lstrip().startswith("#"))
    words = set(WORD.findall(text)) | OWN_NAMES
    found = Near({}, {}, {}, str(program.low) if program.low == program.high else "self.n", whence)
    named = {zones[z.number]: z.name for z in program.zones}
    alone = {zones[z.number] for z in program.zones if not (z.each_player or z.each_team or z.many)}
    each = {zones[z.number] for z in program.zones if z.each_player and not z.many}
    found.forms.update({zones[z.number]: z.form for z in program.zones})
    for name, wanted in named.items():
        plain = re.sub(r"\W", "_", wanted)
        if name in each and re.search(rf"\b{name} \+ |deal\(S, \d+, \w+, {name}\)", text):
            found.each[name] = fresh(f"{plain}s", words)
        elif name in alone and re.search(rf"\b{name}\b", text):
            found.single[name] = fresh(plain, words)
    return found


def fresh(wanted: str, words: set[str]) -> str:
    while wanted in words:
        wanted += "_"
    words.add(wanted)
    return wanted
