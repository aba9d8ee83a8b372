"""The LALR parser, built once from grammar/hoyle.lark and kept in a cache between runs."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

from lark import Lark
from lark.lexer import PatternStr

from hoyle.parser.layout import Layout
from hoyle.resources import folder

# Words that could be lexed as names but would make a line unreadable or ambiguous.
GLUE = frozenset(
    "from to where and or not is in by with of for each as if else when until while times then new".split()
)


def grammar_text() -> str:
    """Return the text of the grammar, as installed or from the checkout."""
    return (folder("grammar") / "hoyle.lark").read_text(encoding="utf-8")


def build(strict: bool = False, cached: bool | str = False) -> Lark:
    """Return a parser for one block of a spec; `strict` refuses every ambiguity of the grammar."""
    return Lark(
        grammar_text(),
        parser="lalr",
        lexer="contextual",
        postlex=Layout(),
        propagate_positions=True,
        maybe_placeholders=True,
        strict=strict,
        cache=cached,
    )


def cache_file() -> str | None:
    """Return where the tables may be kept between runs, or None where nothing can be written.

    Building them takes a third of a second. Lark itself checks that a kept file fits the grammar and its
    own version. The folder is the user's own: the file is unpickled, so nobody else may write it.
    """
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    place = Path(home) / "hoyle"
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError:
        return None
    return str(place / "grammar.lark-cache")


@cache
def parser() -> Lark:
    """Return the parser, the same one at each call."""
    kept = cache_file()
    if kept:
        try:
            return build(cached=kept)
        except Exception:  # a damaged cache must never stand between a designer and the spec
            return build()
    return build()


@cache
def spelling() -> dict[str, str]:
    """Return how each terminal with one spelling is written: LPAR -> "("."""
    spelled = {t.name: t.pattern.value for t in parser().terminals if isinstance(t.pattern, PatternStr)}
    return spelled


@cache
def words_of(rule: str) -> tuple[str, ...]:
    """Return the words that a rule of the grammar is written with."""
    symbols = {symbol.name for r in parser().rules if r.origin.name == rule for symbol in r.expansion}
    return tuple(sorted(word for name, word in spelling().items() if name in symbols))


@cache
def reserved_words() -> frozenset[str]:
    """Return the words that can't be names: those the parser could take for a word of the language.

    A word is reserved when some state of the parser accepts both it and a name; option names stand where
    nothing else can, so `option draw` is fine.
    """
    spelled = spelling()
    states = parser().parser.parser._parse_table.states
    clash = set(GLUE)
    for row in states.values():
        if "NAME" in row:
            clash |= {spelled[t] for t in row if t in spelled and spelled[t].isalpha()}
    return frozenset(clash)
