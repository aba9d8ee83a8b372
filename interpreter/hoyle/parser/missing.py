"""What is missing in a line, or written a little differently: looked for before a word is proposed to be left out."""

from __future__ import annotations

import re
from itertools import islice

from hoyle.parser.fault import LINE_END, Edit, Fault, Slip, spelled, terminal
from hoyle.parser.grammar import reserved_words
from hoyle.parser.wording import ARTICLES

# Words that would change what a line says: none of them is proposed as the one that is missing.
CHANGING = frozenset("and or not mod else if any every count sole sum highest lowest longest".split())
SIGNS = ("=", ",", ":")
# Of several words that fit the first of these is the likely one: in `if r red` hardly anything else is missing.
LIKELY = ("of", "is")
MOST_TRIED = 12
CAPITAL = re.compile(r"\b[A-Z][A-Za-z]*\b")
SENTENCE = re.compile(r"[A-Za-z][\w'\u2019-]*(?:,? [A-Za-z0-9][\w'\u2019-]*){3,}[.!?]?$")


def inserted(fault: Fault) -> Slip | None:
    """A word or sign that is missing before a name of the file, which can't be left out without changing the rule."""
    text = fault.text
    before = fault.before()[1]
    of = fault.accepts == {"OF"}  # as behind `left`, where any name may stand
    if fault.kind == LINE_END or not (means_something(fault, text) or (of and text.isidentifier())):
        return None
    if before in ARTICLES or (before in reserved_words() and "OF" not in fault.accepts):
        return None
    for among in ([w for w in spelled(fault.accepts) if w not in CHANGING], SIGNS):
        fitting = [w for w in among if terminal(w) in fault.accepts and _fits(fault, w)]
        likely = [w for w in LIKELY if w in fitting] if len(fitting) > 1 else fitting
        if likely:
            message, mend = f"`{text}` does not fit here", f"write `{likely[0]}` before `{text}`"
            return Slip("E111", fault.at, fault.end, message, mend)
    return None


def _fits(fault: Fault, word: str) -> bool:
    return fault.fits(Edit(fault.at, 0, ((terminal(word), word),)))


def means_something(fault: Fault, word: str) -> bool:
    """Return whether a word has a meaning in this file, or is a number or a face: it can't be left out."""
    return word in fault.known or word.isdigit() or word.startswith('"')


def capital(fault: Fault) -> Slip | None:
    """A word of the language that is written with a capital, such as `If`."""
    for found in islice(CAPITAL.finditer(fault.row.text, fault.row.start, fault.end), MOST_TRIED):
        at, word = found.start(), found[0]
        small = word.lower()
        if not terminal(small) or word in fault.known:
            continue
        read = Edit(at, len(word), ((terminal(small), small),))
        reads = fault.reads((read,))
        if reads <= max(fault.at, at + len(word)):
            continue
        edits = (read,) if reads > len(fault.row.text) else ()
        message = f"`{word}` begins with a capital: words of the language have none"
        return Slip("E111", at, at + len(word), message, f"write `{small}`", edits)
    return None


def rule_text(fault: Fault) -> Slip | None:
    """A sentence of the rulebook without its sign."""
    row = fault.row
    said = row.text[row.start : row.end]
    if not fault.early or not SENTENCE.fullmatch(said) or not (said[0].isupper() or said[-1] in ".!?"):
        return None
    if terminal(row.word.lower()) in fault.starts and said[-1] not in ".!?":
        return None
    message = "this line reads like a sentence of the rulebook"
    return Slip("E113", row.start, row.end, message, f"rule text begins with `>`: `> {said}`")


def unrun(fault: Fault) -> Slip | None:
    """The name of a phase, and behind it what it is given, as one would say it."""
    row = fault.row
    if row.word not in fault.phases or fault.at != fault.second or not re.match(r"\w", fault.text):
        return None
    mend = f"a phase is run with `do`, what it is given stands in brackets: `do {row.word}(...)`"
    return Slip("E111", row.start, fault.end, f"`{row.word}` is a phase", mend)
