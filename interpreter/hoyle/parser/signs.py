"""Slips of signs: those of other languages, quotes and brackets left open, letters that no name can have."""

from __future__ import annotations

import re
import unicodedata

from hoyle.parser.fault import LINE_END, Edit, Fault, Slip, terminal
from hoyle.parser.grammar import reserved_words
from hoyle.parser.rows import MARK, Row, snake
from hoyle.parser.wording import FORMS, HEADS, STARTS

FOREIGN = "`{}` is not of this language"
COMMENT = "a comment begins with `#`"
QUOTES = ("curly quotes are not of this language", 'write straight ones: `"`')
SQUARE = ("square brackets are not of this language", "sets have braces, `{1, 2}`; arguments round brackets")
SINGLE = ("faces, and names of games and files, stand in double quotes", 'write "red 5"')
BRACES = ("blocks have no braces", "what is indented below a line belongs to it")
UNSEEN = ("a sign stands here that looks like a space", "write a plain space")

# Sign, message, mend, and the words it is read as.
OTHER_SIGNS: tuple[tuple[str, str, str, str], ...] = (
    ("==", FOREIGN, "compare with `is`; `=` sets a value", "is"),
    ("!=", FOREIGN, "compare with `is not`", "is not"),
    ("<>", FOREIGN, "compare with `is not`", "is not"),
    ("=<", FOREIGN, "write `<=`", "<="),
    ("=>", FOREIGN, "write `>=`", ">="),
    (":=", FOREIGN, "`=` sets a value", "="),
    ("&&", FOREIGN, "write `and`", "and"),
    ("||", FOREIGN, "write `or`", "or"),
    ("++", FOREIGN, "to count up write `+= 1`", ""),
    ("--", FOREIGN, "to count down write `-= 1`", ""),
    ("*=", FOREIGN, "write it out, as in `score = score * 2`", ""),
    ("/=", FOREIGN, "write it out, as in `score = score / 2`", ""),
    ("**", FOREIGN, "multiply with `*`", ""),
    ("//", FOREIGN, "divide with `/`; " + COMMENT, ""),
    ("/*", FOREIGN, COMMENT, ""),
    ("->", FOREIGN, "a definition has `=` before its value", ""),
    ("...", FOREIGN, "a range has two dots: `1..6`", ".."),
    ("[", *SQUARE, ""),
    ("]", *SQUARE, ""),
    ("'", *SINGLE, ""),
    ("%", FOREIGN, "the remainder is `mod`", "mod"),
    ("!", FOREIGN, "write `not`", "not"),
    (";", FOREIGN, "one statement a line", ""),
    ("?", FOREIGN, "one of two values is `2 if p.hand is empty else 1`", ""),
    ("&", FOREIGN, "write `and`", "and"),
    ("|", FOREIGN, "write `or`", "or"),
    ("\u2264", FOREIGN, "write `<=`", "<="),
    ("\u2265", FOREIGN, "write `>=`", ">="),
    ("\u2260", FOREIGN, "write `is not`", "is not"),
    ("\u00d7", FOREIGN, "write `*`", "*"),
    ("\u00f7", FOREIGN, "write `/`", "/"),
    ("\u2212", FOREIGN, "write `-`, the sign on the keyboard", "-"),
    ("\u2013", FOREIGN, "write `-`; a range has two dots, `1..6`", ""),
    ("\u2014", FOREIGN, "write `-`; a range has two dots, `1..6`", ""),
    ("\u2026", FOREIGN, "a range has two dots: `1..6`", ".."),
    *((sign, *QUOTES, "") for sign in "\u201c\u201d\u201e\u201f\u2018\u2019\u201a\u00ab\u00bb"),
    *((sign, *UNSEEN, " ") for sign in "\u00a0\u2002\u2003\u2009\u200a\u200b\u202f\u3000\ufeff"),
    *((sign, FOREIGN, "leave it out", "") for sign in "^~@$\\`"),
)
YES_NO = {"true": "yes", "false": "no"}
NAMES = "names are made of a to z, 0 to 9 and _, and begin with a small letter"
TYPES = "names of types are made of letters and digits, and begin with a capital"
# What comes next on such a line is a new name, and may be a word of the language.
DECLARING = tuple(word for word in STARTS["components"] if FORMS[word].split()[1][0].isupper())


def colon(fault: Fault) -> Slip | None:
    """A colon at the end of a line that begins a block."""
    at = fault.row.end - 1
    if fault.at != at or fault.row.text[at] != ":":
        return None
    away = Edit(at, 1)
    if not fault.whole(away):
        return None
    return Slip(
        "E111",
        at,
        at + 1,
        "no colon stands at the end of this line",
        "take it out: what is indented below a line belongs to it",
        (away,),
    )


def quotes(fault: Fault) -> Slip | None:
    """Quotes that are opened and not closed on the same line."""
    start = fault.row.text.rfind("\n", 0, fault.at) + 1
    line = fault.row.text[start:].split("\n", 1)[0]
    first = None
    for mark in MARK.finditer(line):
        if mark[0][0] == "#":
            return None
        if mark[0][0] != '"':
            continue
        first = mark.start() if first is None else first
        if mark[0] == '"':
            break
    else:
        return None
    if first is None or fault.at < start + first:
        return None
    at = start + mark.start()
    mend = 'write another `"` where the words end, on the same line'
    if fault.at >= at:
        return Slip(
            "E117", at, fault.row.offset(*_line_end(fault.row, at)), "these quotes are never closed", mend
        )
    message = "one of the quotes on this line is never closed"
    return Slip("E117", start + first, at + 1, message, mend)


def _line_end(row: Row, at: int) -> tuple[int, int]:
    line, _ = row.place(at)
    text = row.text.split("\n")[line - 1 - row.first]
    return line, len(text.rstrip()) + 1


def signs(fault: Fault) -> Slip | None:
    """A sign of another language, such as `==`."""
    text = fault.row.text
    for sign, message, mend, read_as in OTHER_SIGNS:
        at = fault.at
        if not text.startswith(sign, at):
            at -= 1
            if len(sign) < 2 or at < 0 or not text.startswith(sign, at):
                continue
        if sign in ("//", "--") and at == fault.row.start:
            mend = COMMENT
        edits = (Edit(at, len(sign), _tokens(read_as)),)
        if sign == "==" and not fault.whole(*edits):
            edits = (Edit(at, len(sign), _tokens("=")),)
        if (read_as or sign == ";") and fault.whole(*edits):
            return Slip("E112", at, at + len(sign), message.format(sign), mend, edits)
        return Slip("E112", at, at + len(sign), message.format(sign), mend)
    return None


def _tokens(words: str) -> tuple[tuple[str, str], ...]:
    return tuple(("COMPARE" if w in ("<=", ">=") else terminal(w), w) for w in words.split())


def setting(fault: Fault) -> Slip | None:
    """`=` where two things are compared, and `is` where a value is set."""
    if fault.kind == "EQUAL":
        edit = Edit(fault.at, 1, (("IS", "is"),))
        whole = fault.whole(edit)
        if whole or fault.row.word in ("if", "else", "repeat", "when", "option", "then", "turns"):
            message = "`=` sets a value; it does not compare"
            edits = (edit,) if whole else ()
            return Slip("E112", fault.at, fault.end, message, "compare with `is`", edits)
    if fault.kind == "IS" and fault.whole(Edit(fault.at, 2, (("EQUAL", "="),))):
        message = "`is` compares; it does not set a value"
        edits = (Edit(fault.at, 2, (("EQUAL", "="),)),)
        return Slip("E112", fault.at, fault.end, message, "a value is set with `=`", edits)
    return None


# ---- brackets -----------------------------------------------------------------------------


def brackets(fault: Fault) -> Slip | None:
    """A bracket that nothing closes, and the braces of other languages."""
    row = fault.row
    if fault.kind == "RBRACE" and fault.at == row.start:
        return Slip("E112", fault.at, fault.end, *BRACES, once="{}")
    if fault.kind == "LBRACE" and re.match(r"\{[ \t]*(?:#.*)?(?:\n|$)", row.text[fault.at :]):
        return Slip("E112", fault.at, fault.end, *BRACES, last=row.place(fault.at)[0] - 1, once="{}")
    if row.opened is not None:
        line, column = row.opened
        at = row.offset(line + 1, column + 1)
        if row.text[at] == "{" and at == row.end - 1 and (row.word in HEADS or row.indent == 0):
            return Slip("E112", at, at + 1, *BRACES, once="{}")
        return _open(row, at, row.last, None) if fault.at > at else None
    opened = _open_before(row, fault.at)
    if opened is None:
        return None
    line, column = row.place(fault.at)
    there = row.place(opened)[0]
    here = row.text.split("\n")[line - 1 - row.first]
    if there == line or len(here) - len(here.lstrip()) > row.indent or fault.text in (")", "}"):
        return None
    return _open(row, opened, there - 1, (fault.at, "the line before this one should have closed it"))


def _open(row: Row, at: int, last: int, second: tuple[int, str] | None) -> Slip:
    message = f"this bracket `{row.text[at]}` is never closed"
    return Slip(
        "E114", at, at + 1, message, "close it on this line, or where the phrase ends", (), second, last
    )


def _open_before(row: Row, before: int) -> int | None:
    """Return where the innermost bracket stands that is open before a place."""
    stack: list[int] = []
    for mark in MARK.finditer(row.text):
        if mark.start() >= before:
            break
        if mark[0] in "({":
            stack.append(mark.start())
        elif mark[0] in ")}" and stack:
            stack.pop()
    return stack[-1] if stack else None


def decimal(fault: Fault) -> Slip | None:
    """A number such as 1.5."""
    found = re.search(r"\d+\.$", fault.row.text[: fault.at])
    if found is None or not fault.text.isdigit():
        return None
    said = found[0] + fault.text
    return Slip(
        "E111", found.start(), fault.end, f"`{said}` is no whole number", "numbers are whole: count in tenths"
    )


def empty_brackets(fault: Fault) -> Slip | None:
    """Brackets with nothing in them."""
    opened = len(fault.row.text[: fault.at].rstrip()) - 1
    if fault.kind != "RPAR" or fault.row.text[opened] != "(":
        return None
    return Slip("E111", opened, fault.end, "brackets with nothing in them are left out", "take them out")


def dots(fault: Fault) -> Slip | None:
    """A range such as 1-5."""
    if fault.text not in ("-", "to") or not re.search(r"[\w)][ \t]*$", fault.row.text[: fault.at]):
        return None
    read = Edit(fault.at, len(fault.text), ((terminal(".."), ".."),))
    whole = fault.whole(read)
    named = whole and fault.block == "state" and re.match(r"[ \t]*[a-z]", fault.row.text[fault.end :])
    if not named and (
        not re.match(r"[ \t]*\d", fault.row.text[fault.end :]) or fault.reads((read,)) <= fault.end
    ):
        return None
    edits = (read,) if whole else ()
    return Slip(
        "E111", fault.at, fault.end, "a range is not written so", "a range has two dots: `1..6`", edits
    )


# ---- names --------------------------------------------------------------------------------


def spelt(fault: Fault) -> Slip | None:
    """A name with a letter that names can't have, or with a capital where none can be, or none where one must be."""
    text, at = fault.row.text, fault.at
    if at >= len(text) or fault.kind in (LINE_END, "STRING"):
        return None
    start = at
    while _part(text[at]) and start and _part(text[start - 1]):
        start -= 1
    end = at
    while end < len(text) and _part(text[end]):
        end += 1
    word = text[start:end]
    if not word:
        return _hyphen(fault)
    name = unicodedata.normalize("NFC", word)
    odd = next((x for x in name if not (x.isascii() and (x.isalnum() or x == "_"))), "")
    if odd:
        capital = "TYPE" in fault.accepts and "NAME" not in fault.accepts
        read = Edit(start, end - start, (("TYPE" if capital else "NAME", name),))
        edits = (read,) if fault.whole(read) else ()
        mend = TYPES if capital else NAMES
        return Slip("E118", start, end, f"`{odd}` can't stand in a name", mend, edits, once=name)
    if word[0].isdigit() and not word.isdigit():
        return Slip("E118", start, end, f"`{word}` begins with a digit", NAMES)
    if word[0] == "_":
        return _misspelt(fault, start, word, "NAME", snake(word), f"a name can't begin with `_`: `{word}`")
    if terminal(YES_NO.get(word.lower(), "")) in fault.accepts:
        meant = YES_NO[word.lower()]
        return _misspelt(fault, start, word, terminal(meant), meant, f"`{word}` is not of this language")
    if word[0].isupper():
        if "_" in word and "TYPE" in fault.accepts:
            name = word.replace("_", "")
            return _misspelt(
                fault, start, word, "TYPE", name, f"`_` can't stand in the name of a type: `{word}`"
            )
        small = "names of your own begin with a small letter"
        return _misspelt(fault, start, word, "NAME", snake(word), small, needed=True)
    if any(sign.isupper() for sign in word) and "TYPE" in fault.accepts and "NAME" not in fault.accepts:
        message = "names of types begin with a capital"
        return _misspelt(fault, start, word, "TYPE", word[0].upper() + word[1:], message)
    if any(sign.isupper() for sign in word):
        return _misspelt(
            fault, start, word, "NAME", snake(word), f"a capital can't stand in a name: `{word}`"
        )
    named = fault.kind == "NAME" or (fault.row.word in DECLARING and start == fault.second)
    if named and start == at:
        capital_first = word[0].upper() + re.sub(r"_(.)", lambda m: m[1].upper(), word[1:])
        if fault.row.word.isdigit() and capital_first not in fault.known:
            mend = "behind the number stands a card type, as in `4 Fish(red, 3)`"
            return Slip("E118", start, end, f"`{word}` is no card type", mend)
        message = "names of types begin with a capital"
        return _misspelt(fault, start, word, "TYPE", capital_first, message, needed=True)
    return None


def _part(sign: str) -> bool:
    return sign.isalnum() or sign == "_" or unicodedata.category(sign)[0] == "M"


def _misspelt(
    fault: Fault, at: int, word: str, kind: str, meant: str, message: str, needed: bool = False
) -> Slip | None:
    """Return the slip of a misspelt name; with `needed` only if the row can be read with the name as it is meant."""
    if not meant or (needed and kind not in fault.accepts):
        return None
    read = Edit(at, len(word), ((kind, meant),))
    whole = fault.whole(read)
    if needed and not whole and fault.reads((read,)) <= fault.end:
        return None
    return Slip("E118", at, at + len(word), message, f"write `{meant}`", (read,) if whole else (), once=word)


def _hyphen(fault: Fault) -> Slip | None:
    """`hand-size`, where nothing can be taken away."""
    found = re.compile(r"[a-z]\w*(?:-[a-z]\w*)+").search(fault.row.text, fault.before()[0])
    if fault.kind != "MINUS" or found is None or not found.start() < fault.at < found.end():
        return None
    meant = snake(found[0].replace("-", "_"))
    message = f"`-` can't stand in a name: `{found[0]}`"
    return _misspelt(fault, found.start(), found[0], "NAME", meant, message, needed=False)


def two_words(fault: Fault) -> Slip | None:
    """A name of two words, `draw pile`."""
    start, word = fault.before()
    listed = fault.block in ("zones", "state", "parameters") and start == fault.row.start
    # Of a phase a second word that is short is rather what it is given, as in `phase turn p`.
    heading = fault.row.word == fault.block == "phase" and start == fault.second and len(fault.text) > 2
    if not re.fullmatch(r"[a-z][a-z0-9_]*", word) or not re.fullmatch(r"[a-z][a-z0-9_]*", fault.text):
        return None
    if fault.text in reserved_words() or (listed and fault.whole(Edit(fault.at, 0, (("COLON", ":"),)))):
        return None
    if not (
        listed or heading or (fault.kind == "NAME" and not terminal(word) and fault.row.word != fault.block)
    ):
        return None
    if word in fault.known and fault.text in fault.known and not heading:
        return None
    meant = f"{word}_{fault.text}"
    if not (listed or heading) and word in fault.known and meant not in fault.known:
        return None  # the first word is a name itself: it is the second that does not fit
    read = Edit(start, fault.end - start, (("NAME", meant),))
    if not fault.fits(read):
        return None
    return Slip("E118", start, fault.end, "a name is one word", f"write `{meant}`", (read,), once=meant)
