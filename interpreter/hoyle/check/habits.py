"""What other languages have as fields and functions, and how a spec asks the same: tables of words alone."""

from __future__ import annotations

SIZES = dict.fromkeys(("length", "len", "count", "number", "cards"), "size")
SIDES = {"left": "left", "right": "right", "next": "next", "others": "others"}
# What other languages have as functions.
CALLS = {
    **dict.fromkeys(("len", "length", "count", "size"), "how many there are is `size of p.hand`"),
    **dict.fromkeys(
        ("random", "rand", "randint", "roll", "choice"),
        "chance is a line of its own: `pick x at random from 1..6`",
    ),
    **dict.fromkeys(("max", "maximum"), "the highest is `highest of ... for ...`, or `a if a > b else b`"),
    **dict.fromkeys(("min", "minimum"), "the lowest is `lowest of ... for ...`, or `a if a < b else b`"),
    **dict.fromkeys(("abs",), "write `a if a > 0 else -a`"),
    **dict.fromkeys(("range",), "numbers are written with two dots, as in `1..3`"),
    **dict.fromkeys(("sum", "total"), "a sum is `sum of c.worth for c in p.hand`"),
}
# Each stands at the place of its number.
NUMBERS = "zero one two three four five six seven eight nine ten".split()
