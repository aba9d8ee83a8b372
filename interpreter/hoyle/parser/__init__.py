"""Text to syntax. The only package that knows lark.

A file is cut into blocks first: a block begins in column 1. Each is parsed on its own, and when a line can't be
read it is reported, replaced by an empty line of rule text, and the block is read again. So several faults are
found in one run and none hides another block.
"""

from __future__ import annotations

from typing import NamedTuple

from lark import UnexpectedInput

from hoyle import syntax as s
from hoyle.diagnostics import Report
from hoyle.parser.blocks import BlockBuilder
from hoyle.parser.expressions import Refused
from hoyle.parser.grammar import parser, reserved_words
from hoyle.parser.layout import LayoutFault
from hoyle.parser.slips import HEADINGS, describe, nearest
from hoyle.source import Source, Span

__all__ = ["HEADINGS", "Parsed", "parse", "reserved_words"]

EDITION = "hoyle 1"
LONGEST_FILE = 1_000_000
LONGEST_LINE = 2_000
MOST_FAULTS_A_BLOCK = 10


class Parsed(NamedTuple):
    """A file as read; `broken` are the words of the lines that could not be read."""

    file: s.File
    broken: frozenset[str]


class Chunk(NamedTuple):
    """The lines of one block; `first` is the number of its first line, counted from 0."""

    first: int
    lines: list[str]


def parse(source: Source, report: Report) -> Parsed:
    """Return the syntax of `source` as far as it can be read, and add what can't to `report`."""
    report.sources[source.path] = source.text
    lines = _lines(source, report)
    if lines is None:
        return Parsed(s.File(source.path, (), ()), frozenset())
    blocks: list[s.Block] = []
    headings: list[s.Word] = []
    broken: set[str] = set()
    for chunk in _chunks(source.path, lines, report):
        word = chunk.lines[0].split(maxsplit=1)[0].rstrip(":")
        at = Span(source.path, chunk.first + 1, 1, chunk.first + 1, len(word) + 1)
        headings.append(s.Word(at, word))
        if word not in HEADINGS:
            _unknown_heading(word, at, report)
            broken |= _words(chunk.lines)
            continue
        made, lost = _block(source.path, chunk, report)
        blocks += made
        broken |= lost
    return Parsed(s.File(source.path, tuple(blocks), tuple(headings)), frozenset(broken))


def _lines(source: Source, report: Report) -> list[str] | None:
    """Return the lines of a text within bounds, or None after a report."""
    text = source.text.removeprefix("\ufeff")
    whole = Span(source.path, 1, 1, 1, 1)
    if len(text) > LONGEST_FILE:
        report.add(
            "E101", whole, "this file is larger than a spec can be", mend="a spec has at most a million signs"
        )
        return None
    if not text.strip():
        report.add(
            "E102",
            whole,
            "this file is empty",
            mend=f"begin with the line `{EDITION}`; `hoyle new` writes one",
        )
        return None
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            at = Span(source.path, number, LONGEST_LINE, number, LONGEST_LINE + 1)
            report.add("E103", at, f"this line is longer than {LONGEST_LINE} signs", mend="break it up")
            return None
        for column, sign in enumerate(line, 1):
            if sign != "\t" and (ord(sign) < 32 or ord(sign) in (0x7F, 0x85, 0x2028, 0x2029)):
                at = Span(source.path, number, column, number, column + 1)
                report.add(
                    "E104",
                    at,
                    f"this file holds a sign that is not text (U+{ord(sign):04X})",
                    mend="remove it",
                )
                return None
    return lines


def _chunks(path: str, lines: list[str], report: Report) -> list[Chunk]:
    """Return the blocks below the edition line, which is checked."""
    chunks: list[Chunk] = []
    edition = False
    for number, line in enumerate(lines):
        bare = line.split("#", 1)[0].strip()
        if not bare and not (chunks and line.strip()):
            if chunks:
                chunks[-1].lines.append("")
            continue
        if not edition:
            edition = True
            if " ".join(bare.split()) == EDITION:
                continue
            at = Span(path, number + 1, 1, number + 1, len(line) + 1)
            if bare.startswith("hoyle"):
                report.add(
                    "E105",
                    at,
                    f"this edition of the language is not known: `{bare}`",
                    mend=f"write `{EDITION}`",
                )
                continue
            report.add(
                "E105",
                at,
                f"the first line of a spec is `{EDITION}`",
                mend=f"put `{EDITION}` above this line",
            )
        if line[0] not in " \t#" or not chunks:
            if line[0] in " \t":
                at = Span(path, number + 1, 1, number + 1, len(line) + 1)
                report.add(
                    "E106",
                    at,
                    "this line is indented, but no block stands above it",
                    mend="a block begins in column 1",
                )
            elif line[0] == "#":
                continue
            chunks.append(Chunk(number, [line.lstrip() if not chunks else line]))
        else:
            chunks[-1].lines.append(line)
    return chunks


def _unknown_heading(word: str, at: Span, report: Report) -> None:
    near = nearest(word, HEADINGS)
    report.add(
        "E107",
        at,
        f"`{word}` does not begin a block"
        if word[:1] != ">"
        else "rule text stands inside a block, indented",
        label="a line in column 1 begins a new block",
        mend=f"did you mean `{near}`?"
        if near
        else "blocks are: " + ", ".join(HEADINGS) + "; other lines are indented",
    )


def _block(path: str, chunk: Chunk, report: Report) -> tuple[list[s.Block], set[str]]:
    """Return what can be read of one block and the words of the lines that can't."""
    lines = list(chunk.lines)
    lost: set[str] = set()
    for _ in range(MOST_FAULTS_A_BLOCK):
        text = "\n".join(lines) + "\n"
        try:
            tree = parser().parse(text)
            return BlockBuilder(path, chunk.first).block(tree), lost
        except Refused as refused:
            report.add(refused.code, refused.span, refused.message, mend=refused.mend)
            at = refused.span.line - chunk.first - 1
        except LayoutFault as fault:
            line = chunk.first + fault.line
            end = len(lines[fault.line - 1]) + 1 if fault.line <= len(lines) else fault.column + 1
            report.add(
                "E110",
                Span(path, line, fault.column, line, max(end, fault.column + 1)),
                fault.message,
                mend=fault.mend,
            )
            at = fault.line - 1
        except UnexpectedInput as fault:
            slip = describe(fault, lines)
            line = chunk.first + slip.line
            second = None
            if slip.second:
                row, column, words = slip.second
                second = (Span(path, chunk.first + row, column, chunk.first + row, column + 1), words)
            report.add(
                slip.code,
                Span(path, line, slip.column, line, max(slip.end, slip.column + 1)),
                slip.message,
                label=slip.label,
                mend=slip.mend,
                second=second,
            )
            at = slip.drop - 1
        if at <= 0 or at >= len(lines):
            return [], lost | _words(chunk.lines)
        lost |= _drop(lines, at)
    return [], lost | _words(chunk.lines)


def _drop(lines: list[str], at: int) -> set[str]:
    """Replace line `at` by rule text, which may stand anywhere, and blank what is indented below it."""
    line = lines[at]
    indent = len(line) - len(line.lstrip())
    above = next((x for x in reversed(lines[:at]) if x.strip()), "")
    lost = _words([line])
    steps = len(above) - len(above.lstrip())
    lines[at] = " " * (indent if indent and "\t" not in line[:indent] else max(steps, 2)) + ">"
    for below in range(at + 1, len(lines)):
        row = lines[below]
        if row.strip() and len(row) - len(row.lstrip()) <= indent:
            break
        lost |= _words([row])
        lines[below] = ""
    return lost


def _words(lines: list[str]) -> set[str]:
    found = set()
    for line in lines:
        bare = line.split("#", 1)[0]
        found |= set("".join(c if c.isalnum() or c == "_" else " " for c in bare).split())
    return found
