"""A file as lines and blocks, before anything of it is read."""

from __future__ import annotations

import re
from typing import NamedTuple

from hoyle.diagnostics import Report
from hoyle.parser.rows import WORD, bare, blank
from hoyle.parser.wording import HEADINGS, STARTS
from hoyle.source import Source, Span

EDITION = "hoyle 1"
LONGEST_FILE = 300_000
LONGEST_LINE = 2_000
NO_TEXT = re.compile("[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029]")
# The first line of a block that is indented by mistake: no line inside a block reads so.
HEADING_INSIDE = re.compile(
    r"[ \t]+(?:(?:parameters|components|zones|state|play|result)[ \t]*:?[ \t]*(?:#.*)?$"
    r"|(?:phase|define)[ \t]+[a-z]\w*[ \t]*[(=]|phase[ \t]+[a-z]\w*[ \t]*(?:#.*)?$|(?:game|scenario)[ \t]+\")"
)
BODY_LINE = re.compile(r"[a-z]\w*(?:\.\w+)*[ \t]*(?:=|\+=|-=|:|\()")


class Chunk(NamedTuple):
    """The lines `start` to `stop` of a file, counted from 0, that begin with the heading `word`.

    `inside` tells that the first of them is indented by mistake.
    """

    start: int
    stop: int
    word: str
    inside: bool = False


def read_lines(source: Source, report: Report) -> list[str] | None:
    """Return the lines of a text within bounds, or None after a report."""
    text = source.text.removeprefix("\ufeff")
    whole = Span(source.path, 1, 1, 1, 1)
    if len(text) > LONGEST_FILE:
        mend = "a spec has at most 300,000 signs"
        report.add("E101", whole, "this file is larger than a spec can be", mend=mend)
        return None
    if not text.strip():
        mend = f"begin with the line `{EDITION}`; `hoyle new` writes one"
        report.add("E102", whole, "this file is empty", mend=mend)
        return None
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            at = Span(source.path, number, LONGEST_LINE, number, LONGEST_LINE + 1)
            report.add("E103", at, f"this line is longer than {LONGEST_LINE} signs", mend="break it up")
            return None
        odd = NO_TEXT.search(line)
        if odd:
            at = Span(source.path, number, odd.start() + 1, number, odd.end() + 1)
            message = f"this file holds a sign that is not text (U+{ord(odd[0]):04X})"
            report.add("E104", at, message, mend="remove it")
            return None
    return lines


def chunks(path: str, lines: list[str], report: Report) -> list[Chunk]:
    """Return the blocks below the edition line, which is checked."""
    found: list[Chunk] = []
    edition = False
    for number, line in enumerate(lines):
        if blank(line):
            continue
        said = bare(line).strip()
        if not edition:
            edition = True
            if " ".join(said.split()) == EDITION:
                continue
            at = Span(path, number + 1, 1, number + 1, len(line) + 1)
            if said.startswith("hoyle"):
                message = f"this edition of the language is not known: `{said}`"
                report.add("E105", at, message, mend=f"write `{EDITION}`")
                continue
            message = f"the first line of a spec is `{EDITION}`"
            report.add("E105", at, message, mend=f"put `{EDITION}` above this line")
        inside = line[0] in " \t"
        if inside and found and not HEADING_INSIDE.match(line):
            continue
        if inside:
            if not found:
                at = Span(path, number + 1, 1, number + 1, len(line) + 1)
                message = "this line is indented, but no block stands above it"
                report.add("E106", at, message, mend="a block begins in column 1")
        word = WORD.match(said)
        if found:
            found[-1] = found[-1]._replace(stop=number)
        found.append(Chunk(number, len(lines), word[0] if word else said.split()[0], inside))
    return found


def unindented(chunk: Chunk, line: str) -> bool:
    """Return whether a line in column 1 reads like one that belongs below a heading."""
    return any(chunk.word in starts for starts in STARTS.values()) or BODY_LINE.match(line) is not None


def declared_words(lines: list[str], found: list[Chunk]) -> frozenset[str]:
    """Return the words that the file seems to declare as names."""
    named: set[str] = set()
    for chunk in found:
        listed = chunk.word in ("parameters", "zones", "state")
        for line in lines[chunk.start : chunk.stop]:
            line = EACH_PLAYER.sub("", "" if line.lstrip()[:1] == ">" else bare(line))
            named.update(_LISTED.findall(line) if listed else ())
            named.update(word for match in _DECLARED.findall(line) for word in match)
            named.update(_TYPES.findall(line) if chunk.word == "components" else ())
            if _MEMBERS.match(line):
                named.update(WORD.findall(line.split("=", 1)[1]))
        if chunk.word in ("phase", "define"):
            named.update(_ARGUMENT.findall(lines[chunk.start]))
        if chunk.word == "scenario":
            named.update(_SEATS.findall(lines[chunk.start].rpartition('"')[2]))
    return frozenset(named)


EACH_PLAYER = re.compile(r"\bfor[ \t]+each[ \t]+(?:player|team)\b")
_LISTED = re.compile(r"^[ \t]+([a-z]\w*)[ \t]*[=:]")
_DECLARED = re.compile(
    r"\b(?:let|define|phase|turns|as|for|rank)[ \t]+(?!each\b)([a-z]\w*)\b|[(,][ \t]*([a-z]\w*)[ \t]+in\b"
)
_TYPES = re.compile(r"^[ \t]+(?:enum|card|tile|kind)[ \t]+([A-Z]\w*)")
_MEMBERS = re.compile(r"[ \t]+enum[ \t]+\w+[ \t]*=")
_SEATS = re.compile(r"[a-z]\w*(?=[ \t]*(?:,|$|#))")
_ARGUMENT = re.compile(r"[(,][ \t]*([a-z]\w*)[ \t]*(?=[,:])")
assert set(STARTS) <= set(HEADINGS)
