"""What a person meant by a line that can't be read: common slips in their own words."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import NamedTuple

from lark import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from hoyle.parser.grammar import spelling

HEADINGS = (
    "game",
    "parameters",
    "components",
    "zones",
    "state",
    "define",
    "play",
    "phase",
    "result",
    "scenario",
)
STARTS = {
    "components": ("enum", "card", "tile", "kind", "deck", "for"),
    "define": ("when", "otherwise"),
    "result": ("rank",),
    "scenario": ("given", "start", "then"),
    "play": (),
    "phase": (),
}
STATEMENTS = (
    "do let if else repeat for turns choose option end move deal fill swap gather shuffle pick draw".split()
)
KINDS = {
    "NAME": "a name",
    "TYPE": "a name with a capital",
    "INT": "a number",
    "STRING": "words in quotes",
    "COMPARE": "a comparison",
    "TEXT": "rule text",
    "_NL": "the end of the line",
}
MOST_NAMED = 8
OTHER_SIGNS = {
    "==": ("`==` is not of this language", "compare with `is`"),
    "!=": ("`!=` is not of this language", "compare with `is not`"),
    "&&": ("`&&` is not of this language", "write `and`"),
    "||": ("`||` is not of this language", "write `or`"),
    "<>": ("`<>` is not of this language", "compare with `is not`"),
    "[": ("square brackets are not of this language", "sets have braces, `{1, 2}`; arguments round brackets"),
    "]": ("square brackets are not of this language", "sets have braces, `{1, 2}`; arguments round brackets"),
    "'": ("faces and names of games stand in double quotes", 'write "red 5"'),
    "%": ("`%` is not of this language", "the remainder is `mod`"),
    "!": ("`!` is not of this language", "write `not`"),
    ";": ("`;` is not of this language", "one statement a line"),
}


class Slip(NamedTuple):
    """One fault; lines count from 1 inside the block, `drop` is the line to leave out for another try."""

    code: str
    line: int
    column: int
    end: int
    message: str
    label: str
    mend: str
    drop: int
    second: tuple[int, int, str] | None = None


def nearest(word: str, words: Iterable[str]) -> str:
    """Return the one of `words` most like `word`, or nothing if none is near."""
    found = difflib.get_close_matches(word, list(words), n=1, cutoff=0.7)
    return found[0] if found else ""


def describe(fault: UnexpectedInput, lines: list[str]) -> Slip:
    """Return what is wrong, in words, and which line to drop."""
    line, column, text = _place(fault, lines)
    expected = _expected(fault)
    row = lines[line - 1] if line <= len(lines) else ""
    end = column + max(len(text), 1)
    opened = _open_bracket(lines, line, column)
    for sign, (message, mend) in OTHER_SIGNS.items():
        if row[column - 1 :].startswith(sign):
            return Slip("E112", line, column, column + len(sign), message, "", mend, line)
    kind = fault.token.type if isinstance(fault, UnexpectedToken) else ""
    if kind in ("_NL", "_DEDENT", "$END", "_INDENT"):
        return _broken_off(kind, line, lines, expected, opened)
    if opened and opened[0] < line:
        there = lines[opened[0] - 1]
        return Slip(
            "E114",
            opened[0],
            opened[1],
            opened[1] + 1,
            f"this bracket `{there[opened[1] - 1]}` is never closed",
            "",
            "close it on this line, or where the phrase ends",
            opened[0],
            (line, column, "the line before this one should have closed it"),
        )
    first = row.split()[0].rstrip(":") if row.split() else ""
    starts = _starts(lines[0])
    near = nearest(first, starts) if first and first not in starts and first != text else ""
    if near and first.isalpha():
        at = row.index(first) + 1
        message = f"no line here begins with `{first}`"
        return Slip("E113", line, at, at + len(first), message, "", f"did you mean `{near}`?", line)
    if kind == "EQUAL" and first in ("if", "repeat", "when", "option", "then", "turns"):
        return Slip(
            "E112", line, column, end, "`=` sets a value; it does not compare", "", "compare with `is`", line
        )
    word = text.strip()
    if "NAME" in expected and word.isalpha() and word.islower():
        message = f"`{word}` is a word of the language and can't be a name here"
        return Slip(
            "E115",
            line,
            column,
            end,
            message,
            "",
            f"choose another name, such as `the_{word}` or `{word}_`",
            line,
        )
    what = f"`{word}`" if word else "this"
    return Slip("E111", line, column, end, f"{what} does not fit here", "", _hint(expected), line)


def _place(fault: UnexpectedInput, lines: list[str]) -> tuple[int, int, str]:
    if isinstance(fault, UnexpectedToken) and fault.token.type != "$END":
        token = fault.token
        return token.line or 1, token.column or 1, str(token).split("\n", 1)[0]
    if isinstance(fault, UnexpectedCharacters):
        row = lines[fault.line - 1] if fault.line <= len(lines) else ""
        return fault.line, fault.column, row[fault.column - 1 : fault.column]
    last = max((i for i, x in enumerate(lines, 1) if x.strip()), default=1)
    return last, len(lines[last - 1]) + 1, ""


def _expected(fault: UnexpectedInput) -> set[str]:
    if isinstance(fault, UnexpectedToken):
        return set(fault.accepts or fault.expected)
    return set(getattr(fault, "allowed", None) or ())


def _broken_off(
    kind: str, line: int, lines: list[str], expected: set[str], opened: tuple[int, int] | None
) -> Slip:
    """A line that ends too early, a missing or an unwanted indented block."""
    if kind == "_INDENT":
        at = min(line + 1, len(lines))
        while at < len(lines) and not lines[at - 1].split("#", 1)[0].strip():
            at += 1
        row = lines[at - 1]
        column = len(row) - len(row.lstrip()) + 1
        message = "this line is indented, but the line above takes no block"
        return Slip("E110", at, column, len(row) + 1, message, "", "line it up with the line above", at)
    while line > 1 and (line > len(lines) or not lines[line - 1].split("#", 1)[0].strip()):
        line -= 1
    row = lines[line - 1].split("#", 1)[0].rstrip()
    column = len(row) + 1
    if opened:
        there = lines[opened[0] - 1]
        message = f"this bracket `{there[opened[1] - 1]}` is never closed"
        return Slip("E114", opened[0], opened[1], opened[1] + 1, message, "", "close it", opened[0])
    if "_INDENT" in expected or kind != "_NL":
        message = "this line wants an indented block below it"
        return Slip(
            "E116",
            line,
            column - 1,
            column,
            message,
            "",
            "write what belongs to it below, indented by two spaces",
            line,
        )
    return Slip("E111", line, column - 1, column, "this line breaks off too early", "", _hint(expected), line)


def _open_bracket(lines: list[str], line: int, column: int) -> tuple[int, int] | None:
    """Return line and column of the innermost bracket still open before the fault."""
    stack: list[tuple[int, int]] = []
    for number, row in enumerate(lines[:line], 1):
        quoted = False
        if row.lstrip().startswith(">"):
            continue
        for at, sign in enumerate(row, 1):
            if number == line and at >= column:
                break
            if sign == '"':
                quoted = not quoted
            elif quoted:
                continue
            elif sign == "#":
                break
            elif sign in "({":
                stack.append((number, at))
            elif sign in ")}" and stack:
                stack.pop()
    return stack[-1] if stack else None


def _starts(heading: str) -> tuple[str, ...]:
    block = heading.split(maxsplit=1)[0] if heading.split() else ""
    own = STARTS.get(block, ())
    return own if own else tuple(STATEMENTS) if block in ("play", "phase") else ()


def _hint(expected: set[str]) -> str:
    """Return the words that may stand at the place, few enough to be read."""
    spelled = spelling()
    words = []
    for terminal in sorted(expected):
        if terminal in KINDS:
            words.append(KINDS[terminal])
        elif terminal in spelled:
            words.append(f"`{spelled[terminal]}`")
    words = sorted(set(words), key=lambda w: (w.startswith("`"), w))
    if not words:
        return ""
    if len(words) > MOST_NAMED:
        return "here may stand, among others: " + ", ".join(words[:MOST_NAMED])
    return "here may stand: " + ", ".join(words)
