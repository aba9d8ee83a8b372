"""Lines of a method put together where they stand side by side."""

from __future__ import annotations

import re
from collections import Counter

LOGGED = "if S[LOG] is not None:"
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
