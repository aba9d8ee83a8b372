"""The page of a code: what is wrong, why, and a right example. The pages are grammar/codes/CODE.md."""

from __future__ import annotations

import difflib

from hoyle.resources import folder

ENDING = ".md"


def codes() -> list[str]:
    """Return the codes that have a page, errors first, in the order of their numbers."""
    place = folder("grammar") / "codes"
    return sorted(f.name.removesuffix(ENDING) for f in place.iterdir() if f.name.endswith(ENDING))


def page(code: str) -> str:
    """Return the page of a code, however it is written: `E201`, `e201`, `error[E201]`. LookupError in words if none."""
    known = codes()
    word = code.strip().lower().removeprefix("error").removeprefix("warning").strip(" []").upper()
    if word in known:
        return (folder("grammar") / "codes" / (word + ENDING)).read_text(encoding="utf-8")
    raise LookupError(f"there is no code `{_shown(code)}`; {_mend(word, known)}")


def _mend(word: str, known: list[str]) -> str:
    if not word.isascii() or not word.isalnum():
        return f"codes look like `{known[0]}` and stand in brackets at the beginning of a message"
    same = [x for x in known if word[-3:] == x[1:]]
    begun = [x for x in known if len(word) > 1 and (x.startswith(word) or word.startswith(x))]
    near = same or begun or difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    return f"did you mean `{near[0]}`?" if near else "codes are: " + ", ".join(known)


def _shown(code: str) -> str:
    """Return what was typed, short and without signs that a terminal would obey."""
    plain = "".join(sign if sign.isprintable() else "?" for sign in code.strip())
    return plain if len(plain) <= 40 else plain[:40] + "…"
