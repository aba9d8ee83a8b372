"""Zones in variables, and simple moves of pieces written out, in the function of all rules.

A zone is the same list from the beginning of a game to its end, so the function asks the state for it once. It runs
only where no log is kept and chance is a number, which the methods that move pieces must ask each time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from hoyle import program as p
from hoyle.compile.names import OWN as OWN_NAMES
from hoyle.compile.statements import INDENT

PLACE = "PLACE"
WORD = re.compile(r"[^\W\d]\w*")
CALL = re.compile(r"(?:(\w+(?:\[\w+\])?(?: = \w+)?) = )?self\.(move_top|move_all)\(S, (.*)\)$")
SHUFFLE = re.compile(r"self\.shuffle\(S, (.*)\)$")
DEAL = re.compile(r"self\.deal\(S, (\d+), (\w+), (\w+)\)$")
PUT = re.compile(r"self\.put\(S, (?:\((\w+(?:, \w+)*),?\)|members\(([^()]*)\)), (.*)\)$")


class Near(NamedTuple):
    """Zones that lie in variables, by their names in the state: those alone, and those of which players have one."""

    single: dict[str, str]
    each: dict[str, str]
    forms: dict[str, str]
    seats: str

    def line(self, line: str) -> str:
        """Return a line that asks the variables."""
        code, comment, note = line.partition("  #")
        return self._asked(code) + comment + note

    def _asked(self, code: str) -> str:
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

    def written(self, line: str, places: str) -> list[str]:
        """Return a line, or those that move pieces in its place where that is simple."""
        code, comment, note = line.partition("  #")
        plain = code.lstrip()
        margin = code[: len(code) - len(plain)]
        if shuffled := SHUFFLE.match(plain):
            zone = self._asked(f"S[{shuffled[1]}]")
            return [f"{margin}S[CHANCE] = shuffle(S[CHANCE], {zone}){comment}{note}"]
        if dealt := DEAL.match(plain):
            return [margin + x for x in self._dealt(dealt, places, comment + note)] or [line]
        if put := PUT.match(plain):
            return [margin + x for x in self._put(put, places, comment + note)] or [line]
        found = CALL.match(plain)
        if not found:
            return [line]
        kept, method, zones = found[1], found[2], arguments(found[3])
        if len(zones) != 2 or any(self._form(x) == "" for x in zones) or (kept and method == "move_all"):
            return [line]
        source, target = (self._asked(f"S[{x}]") for x in zones)
        pool = self._form(zones[1]) == "pool"
        if method == "move_all":
            if self._name(zones[0]) == self._name(zones[1]) or self._form(zones[0]) == "pool":
                return [line]  # of one name two may be the same zone: nothing moves then
            to = "to" if "+" in zones[1] else zones[1]
            lines = [
                *[f"to = {zones[1]}"] * (to == "to"),
                f"for x in {source}:{comment}{note}",
                f"{INDENT}{places}[x] = {to}",
                f"{target} += {source}",
                *[f"{target}.sort()"] * pool,
                f"{source}.clear()",
            ]
            return [margin + x for x in lines]
        landing = f"insort({target}, x)" if pool else f"{target}.append(x)"
        lines = [
            f"if {source}:{comment}{note}",
            f"{INDENT}x = {source}.pop()",
            INDENT + landing,
            f"{INDENT}{places}[x] = {zones[1]}",
            *[f"{INDENT}{kept} = 1 << x"] * bool(kept),
            "else:",
            f"{INDENT}{f'{kept} = ' if kept else ''}self.move_top(S, {', '.join(zones)})",
        ]
        return [margin + x for x in lines]

    def used(self, lines: list[str]) -> Near:
        """Return the same without variables that no line asks."""
        words = {word for x in lines for word in WORD.findall(x)}
        single, each = ({k: v for k, v in x.items() if v in words} for x in (self.single, self.each))
        return Near(single, each, self.forms, self.seats)

    def _put(self, found: re.Match[str], places: str, note: str) -> list[str]:
        """Return the lines that take pieces from wherever they lie and put them somewhere; none where that is long."""
        pieces, zone = arguments(found[1] or found[2]), found[3]
        if not self._form(zone) or (found[1] and not all(x.isidentifier() for x in pieces)):
            return []
        pool, begins = self._form(zone) == "pool", list[str]()
        target = self._asked(f"S[{zone}]")
        if "(" in zone:
            begins, zone, target = [f"to = {zone}"], "to", "S[to]"

        def one(piece: str) -> list[str]:
            return [
                f"if {places}[{piece}] >= 0:",
                f"{INDENT}S[{places}[{piece}]].remove({piece})",
                f"{places}[{piece}] = {zone}",
                f"insort({target}, {piece})" if pool else f"{target}.append({piece})",
            ]

        if found[2]:
            return [*begins, f"for x in members({found[2]}):{note}", *[INDENT + x for x in one("x")]]
        lines = [*begins, *[x for piece in pieces for x in one(piece)]]
        return [lines[0] + note, *lines[1:]]

    def _dealt(self, found: re.Match[str], places: str, note: str) -> list[str]:
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
            f"{INDENT}for to, zone in enumerate({zones}, {name}):",
            f"{INDENT * 2}zone += dealt[to - {name} :: {seats}]",
            *[f"{INDENT * 2}zone.sort()"] * (self.forms[name] == "pool"),
            f"{INDENT * 2}for x in zone:",
            f"{INDENT * 3}{places}[x] = to",
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


def near(program: p.Program, zones: Mapping[int, str], lines: list[str]) -> Near:
    """Return the zones that lie in variables: those that lines ask for, under names that the lines have not."""
    text = "\n".join(x.split("  #")[0] for x in lines if not x.lstrip().startswith("#"))
    words = set(WORD.findall(text)) | OWN_NAMES
    found = Near({}, {}, {}, str(program.low) if program.low == program.high else "self.n")
    named = {PLACE: "places"} | {zones[z.number]: z.name for z in program.zones}
    alone = {zones[z.number] for z in program.zones if not (z.each_player or z.each_team or z.many)}
    each = {zones[z.number] for z in program.zones if z.each_player and not z.many}
    found.forms.update({zones[z.number]: z.form for z in program.zones})
    if re.search(r"\bself\.(move_|put\(|deal\()", text):
        text += f" {PLACE}"  # which the lines in their place want
    for name, wanted in named.items():
        plain = re.sub(r"\W", "_", wanted)
        if name in each and re.search(rf"\b{name} \+ |deal\(S, \d+, \w+, {name}\)", text):
            found.each[name] = fresh(f"{plain}s", words)
        elif (name in alone or name == PLACE) and re.search(rf"\b{name}\b", text):
            found.single[name] = fresh(plain, words)
    return found


def fresh(wanted: str, words: set[str]) -> str:
    while wanted in words:
        wanted += "_"
    words.add(wanted)
    return wanted
