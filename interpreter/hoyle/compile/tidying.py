"""Lines of a method put together where they stand side by side, and whether Python takes what stands in each other."""

from __future__ import annotations

import re
from collections import Counter

LOGGED = "if S[LOG] is not None:"
MOST_LOOPS = 20  # loops and `try` that may stand in each other
MOST_LEVELS = 99  # of indentation
NAMED = re.compile(r" *(\w+) = S\[.*\]$")


def used(lines: list[str]) -> list[str]:
    """Return lines without those that only give a name to a zone, where that name is not used."""
    words = Counter(word for line in lines for word in re.findall(r"[^\W\d]\w*", line))
    return [line for line in lines if not ((named := NAMED.match(line)) and words[named[1]] == 1)]


def at_once(lines: list[str]) -> list[str]:
    """Return lines with passes counted one after the other counted at once, and what is logged under one `if`.

    A name that is given to a zone and then not used falls away.
    """
    made: list[str] = []
    under = ""  # the `if` that the lines before this one stand under
    for line in lines:
        plain = line.lstrip()
        begins = line[: -len(plain)] if plain else ""
        if plain.startswith(LOGGED):
            if under == line.split("  #")[0]:
                continue
            under = line.split("  #")[0]
        elif under and len(begins) <= len(under) - len(under.lstrip()):
            under = ""
        made.append(line)
        if plain.startswith("raise endless(") and len(made) >= 6 and made[-6:-3] == made[-3:]:
            made[-6:] = [made[-3].replace("+= 1", "+= 2"), *made[-2:]]
    return used(made)


def too_deep(lines: list[str], around: int = 1) -> bool:
    """Return whether Python takes no such lines, with so many loops and levels around them."""
    open_: list[int] = []
    for line in lines:
        plain = line.lstrip()
        margin = len(line) - len(plain)
        if plain and not plain.startswith(("#", "except")):
            open_ = [x for x in open_ if x < margin]
        if plain.startswith(("for ", "while ", "try:")):
            open_.append(margin)
        if len(open_) + around > MOST_LOOPS or margin // 4 + around + 1 > MOST_LEVELS:
            return True
    return False
