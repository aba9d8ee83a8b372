"""Phrases that people write as they would say them, or as another language has it, found in a line."""

from __future__ import annotations

import re
from functools import cache

from hoyle.parser.fault import Edit, Fault, Slip, terminal
from hoyle.parser.grammar import reserved_words, words_of
from hoyle.parser.idioms import OF, PHRASES, RESERVED, Phrase
from hoyle.parser.signs import COMMENT as COMMENTS

COMMENT = re.compile(r"[ \t](--|//)[ \t]")


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], Phrase], ...]:
    """Return the phrases, each with its pattern filled with the words of the grammar."""
    words = {OF: words_of("of_word"), RESERVED: sorted(reserved_words() | set(words_of("aggregate")))}
    made = []
    for entry in PHRASES:
        pattern = entry.pattern
        for place, listed in words.items():
            pattern = pattern.replace(place, "|".join(listed))
        made.append((re.compile(pattern), entry))
    return tuple(made)


def phrase(fault: Fault) -> Slip | None:
    """A phrase as people say it, or as another language has it."""
    text = fault.row.text
    for pattern, entry in _patterns():
        if entry.blocks and fault.block not in entry.blocks:
            continue
        for found in pattern.finditer(text):
            behind = len(text) - len(text[found.end() :].lstrip(" \t"))
            if found.start() <= fault.at <= behind and _outside_quotes(text, found.start()):
                if entry.declared and found[1] not in fault.known:
                    continue
                return _told(fault, entry, found)
    return None


def comment(fault: Fault) -> Slip | None:
    """A comment behind a line, as other languages begin it."""
    text = fault.row.text
    found = COMMENT.search(text, fault.row.start)
    if found is None or found.start() > fault.at or not _outside_quotes(text, found.start()):
        return None
    if fault.text[:1].isdigit() or not fault.whole(Edit(found.start(1), fault.row.end - found.start(1))):
        return None
    edits = (Edit(found.start(1), fault.row.end - found.start(1)),)
    message = f"`{found[1]}` begins no comment"
    return Slip("E112", found.start(1), found.end(1), message, COMMENTS, edits)


def _told(fault: Fault, entry: Phrase, found: re.Match[str]) -> Slip:
    start = found.start() + len(found[0]) - len(found[0].lstrip(" \t:,"))
    said = " ".join(fault.row.text[start : found.end()].split())
    groups = [said, *(_singular(fault, " ".join((g or "").split())) for g in found.groups())]
    edits: tuple[Edit, ...] = ()
    if entry.meant:
        tokens = tuple((_terminal(w), w) for w in entry.meant.split())
        edit = Edit(start, found.end() - start, tokens)
        edits = (edit,) if fault.whole(edit) else ()
    message, mend = _filled(entry.message, groups), _filled(entry.mend, groups)
    return Slip("E111", start, max(found.end(), start + 1), message, mend, edits)


def _singular(fault: Fault, word: str) -> str:
    """Return a type that is written as many, `Nets` for `Net`, as it is declared."""
    many = word[:1].isupper() and word.endswith("s") and word not in fault.known
    return word[:-1] if many and word[:-1] in fault.known else word


def _terminal(word: str) -> str:
    """Return the terminal that a word of a mend is read as, also where several are read as one."""
    if word[0] in "<>":
        return "COMPARE"
    return "WAY_ROUND" if word.endswith("clockwise") else terminal(word)


def _filled(words: str, groups: list[str]) -> str:
    """Return words with `{1}` and the like replaced: by hand, since the groups may hold braces themselves."""
    return re.sub(r"\{(\d)\}", lambda place: groups[int(place[1])], words)


def _outside_quotes(text: str, at: int) -> bool:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line.count('"') % 2 == 0 and "#" not in line
