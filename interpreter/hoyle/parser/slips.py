"""What a person meant by a line that can't be read: common slips in their own words, the likeliest first."""

from __future__ import annotations

import re

from hoyle.parser.fault import LINE_END, Edit, Fault, Slip, nearest, spelled, terminal
from hoyle.parser.grammar import reserved_words, spelling
from hoyle.parser.missing import CHANGING, SIGNS, capital, inserted, means_something, rule_text, unrun
from hoyle.parser.phrases import comment, phrase
from hoyle.parser.rows import WORD
from hoyle.parser.signs import (
    brackets,
    colon,
    decimal,
    dots,
    empty_brackets,
    quotes,
    setting,
    signs,
    spelt,
    two_words,
)
from hoyle.parser.wording import (
    ARTICLES,
    COUNTING,
    FORMS,
    HABITS,
    HEADS,
    NAME_FORMS,
    NUMBERS,
    PLACES,
    STARTS,
    SYNONYMS,
    WINS,
    ZONE_WORDS,
)

KINDS = {
    "NAME": "a name",
    "TYPE": "a name with a capital",
    "INT": "a number",
    "STRING": "words in quotes",
    "COMPARE": "a comparison",
    "WAY_ROUND": "`clockwise` or `counter-clockwise`",
    LINE_END: "the end of the line",
}
OPERATORS = ("+", "-", "*", "/", "mod", ".", "..", "(", ",")
MOST_NAMED = 8
# Blocks of lines that have nothing to do with each other.
LISTED = ("parameters", "components", "zones", "state")
PHRASE = re.compile(
    r"\b(?:count|any|every|not any|(?:sum|highest|lowest|longest run) of|(?:sole )?(?:highest|lowest))\b"
)
TARGET = re.compile(r"[ \t]+to\b")  # in a line that moves what a phrase finds
UNFINISHED = re.compile(r"(?:\b(?:and|or|not|is|in|where|by)|[-+*/=<>,(:])$")
WINNING = re.compile(r"\b(?:win|wins|won|winner|winners)\b")
SWAPPED = re.compile(r"[^\"=:#]*([=:])")
EACH = re.compile(r",?[ \t]*(?:for[ \t]+)?(?:each|every|all)[ \t]+(?:player|players)\b")


def describe(fault: Fault) -> Slip:
    """Return what is wrong, in words, and how the row was meant, if that can be told."""
    for look in (
        colon,
        quotes,
        comment,
        phrase,
        signs,
        brackets,
        rule_text,
        capital,
        spelt,
        setting,
        decimal,
        _goes_on,
        empty_brackets,
        dots,
        _nobody,
        _habit,
        _first_misspelt,
        two_words,
        unrun,
        _out_of_place,
        _elsewhere,
        _call,
        _unfinished,
        _number_word,
        _reserved,
        _misspelt,
        _phrase,
        _one_line,
        _each_player,
        _something_missing,
        inserted,
        _small_word,
        _words_alone,
        _too_little,
        _swapped,
        _too_much,
        _unknown_beginning,
        _broken_off,
    ):
        slip = look(fault)
        if slip is not None:
            return slip
    what = f"`{fault.text}`" if fault.text else "this"
    return Slip("E111", fault.at, fault.end, f"{what} does not fit here", expected(fault))


# ---- how a line begins ----------------------------------------------------------------------


def _first_misspelt(fault: Fault) -> Slip | None:
    """A first word that no line here begins with, but that is like one."""
    row, word = fault.row, fault.row.word
    if not word or not fault.early or terminal(word) in fault.starts:
        return None
    near = nearest(word, spelled(fault.starts), 3)
    reads = {w: fault.reads((_first(fault, w),)) for w in near}
    near = [w for w in near if reads[w] > max(fault.at, row.start + len(word))]
    if not near:
        return None
    best = max(near, key=lambda w: (reads[w] > len(row.text), -near.index(w)))
    edits = (_first(fault, best),) if reads[best] > len(row.text) else ()
    message, mend = f"no line here begins with `{word}`", f"did you mean `{best}`?"
    return Slip("E113", row.start, row.start + len(word), message, mend, edits)


def _first(fault: Fault, word: str) -> Edit:
    return Edit(fault.row.start, len(fault.row.word), ((terminal(word), word),))


def _habit(fault: Fault) -> Slip | None:
    """A line that begins as in other languages, or in the words of the table."""
    row, word = fault.row, fault.row.word
    mend = HABITS.get(fault.block, {}).get(word.lower(), "")
    alone = fault.kind == LINE_END and fault.whole(Edit(row.start, 0, (("DO", "do"),)))
    if not mend or word in fault.phases or not (fault.early or alone):
        return None
    if fault.starting(word):
        if fault.kind == LINE_END:
            return Slip("E111", row.start, row.end, f"`{word}` alone says too little", mend)
        return Slip("E111", fault.at, fault.end, f"`{fault.text}` does not fit here", mend)
    if word in PLACES:
        return Slip(
            "E119", row.start, row.start + len(word), f"no line of this block begins with `{word}`", mend
        )
    return Slip("E113", row.start, row.start + len(word), f"no line here begins with `{word}`", mend)


def _nobody(fault: Fault) -> Slip | None:
    """`otherwise` or `else` among options: below `choose first` alone it can be said what happens if all pass."""
    row, word = fault.row, fault.row.word
    if word not in ("otherwise", "else") or "OPTION" not in fault.starts or "MOVE" in fault.starts:
        return None
    if fault.starting(word):
        mend = "write what follows on a line of its own below, indented by two spaces"
        fits = fault.at < row.end and fault.early
        return Slip("E111", fault.at, fault.end, f"`{fault.text}` does not fit here", mend) if fits else None
    end = row.start + len(word)
    if fault.starting("otherwise"):
        edit = Edit(row.start, len(word), ((terminal("otherwise"), "otherwise"),))
        message = f"`{word}` does not stand below `choose first`"
        edits = (edit,) if fault.whole(edit) else ()
        return Slip("E119", row.start, end, message, "if all pass, it goes on below `otherwise`", edits)
    message = f"`{word}` does not stand below `choose`, where one option is always chosen"
    mend = (
        "write an option, such as `option pass`; only `choose first` can have `otherwise`, for when all pass"
    )
    return Slip("E119", row.start, end, message, mend)


def _out_of_place(fault: Fault) -> Slip | None:
    """A line that begins with a word of the language, but stands where no such line can."""
    row, word = fault.row, fault.row.word
    if not fault.early or fault.starting(word):
        return None
    end = row.start + len(word)
    if "OPTION" in fault.starts and "MOVE" not in fault.starts and fault.at < row.end:
        message = "below `choose` every line begins with `option`"
        return Slip("E119", row.start, end, message, "write `option NAME`, and this line below it, indented")
    if word == "else":
        mend = "`else` stands below an `if`, at the same place"
        return Slip("E119", row.start, end, "there is no `if` that this `else` belongs to", mend)
    if word not in PLACES:
        return None
    if fault.block in LISTED and fault.block != "components" and not re.match(r"\s+\w", row.text[end:]):
        return None
    here = word in STARTS.get(fault.block, ())
    message = f"`{word}` is out of place here" if here else f"no line of this block begins with `{word}`"
    home = next((block for block in ("play", *STARTS) if word in STARTS[block]), "")
    return Slip("E119", row.start, end, message, PLACES[word], once=f"{home} at {fault.start}")


def _elsewhere(fault: Fault) -> Slip | None:
    """A line that reads well, but below another heading. Of several such lines the first is told."""
    row = fault.row
    if row.start == 0 or fault.block in ("define", "scenario") or fault.second == row.end:
        return None
    if fault.starting(row.word) or row.word in reserved_words():
        return None
    anywhere = fault.block in LISTED or fault.early or fault.kind == "FOR_EACH_PLAYER"
    home = fault.home() if anywhere else ""
    if not home:
        return None
    message, mend = (
        "this line does not belong into this block",
        f"it can stand below a line `{home}` in column 1",
    )
    return Slip("E119", row.start, row.end, message, mend, once=f"{home} at {fault.start}")


def _goes_on(fault: Fault) -> Slip | None:
    """A line that would go on with the one before, if that could go on."""
    row = fault.row
    if row.word not in ("and", "or", "where", "by") or not fault.early:
        return None
    message = f"a line that begins with `{row.word}` goes on with the one before, and there is none that can"
    return Slip(
        "E119", row.start, row.start + len(row.word), message, "every line of rule text begins with `>`"
    )


def _call(fault: Fault) -> Slip | None:
    """The name of a phase without `do`."""
    row = fault.row
    read = Edit(row.start, 0, (("DO", "do"),))
    if fault.kind != LINE_END or terminal(row.word) or not fault.whole(read):
        return None
    said = " ".join(row.text[row.start : row.end].split())
    edits = (read,) if row.word in fault.phases else ()
    return Slip(
        "E111", row.start, row.end, "this line does nothing", f"a phase is run with `do {said}`", edits
    )


def _unknown_beginning(fault: Fault) -> Slip | None:
    """A first word that begins no line here and is like none that does."""
    row = fault.row
    if fault.at != row.start or not row.word.isidentifier() or fault.accepts >= {"NAME", "MOVE"}:
        return None
    words = [f"`{w}`" for w in spelled(fault.accepts)]
    kinds = sorted({KINDS[t] for t in fault.accepts if t in KINDS and t != LINE_END})
    form = FORMS.get(spelled(fault.accepts)[0], "") if len(words) == 1 and not kinds else ""
    if form:
        mend = f"such a line reads: `{form}`"
        return Slip("E113", row.start, fault.end, f"no line here begins with `{row.word}`", mend)
    mend = "lines here begin with " + ", ".join(words + kinds) if words or kinds else expected(fault)
    return Slip("E113", row.start, fault.end, f"no line here begins with `{row.word}`", mend)


def _one_line(fault: Fault) -> Slip | None:
    """Something on the line of an `if` or a loop that should stand below it."""
    if fault.row.word not in HEADS or not {LINE_END} <= fault.accepts or fault.text[:1] in ("", ">"):
        return None
    passed = len(fault.text) if fault.text in ("then", "do", ":") else 0
    if not fault.whole(Edit(fault.at, passed, ((LINE_END, "\n"), ("_INDENT", "")))):
        return None
    mend = "write what follows on a line of its own below, indented by two spaces"
    return Slip("E111", fault.at, fault.end, f"`{fault.text}` does not fit here", mend)


# ---- words that are no names, and names that are no words --------------------------------------


def _reserved(fault: Fault) -> Slip | None:
    """A word of the language in the place of a name."""
    places = [(fault.at, fault.text)] if "NAME" in fault.accepts else []
    before = fault.before()
    if before[1] in fault.named:
        places.append(before)
    if not places:  # a word such as `new` is read together with what stands behind it
        glued = (w for w in WORD.finditer(fault.row.text, fault.row.start, fault.at) if w[0] in fault.named)
        places += [(w.start(), w[0]) for w in glued if not terminal(w[0])][:2]
    for at, word in places:
        if word not in reserved_words() or not word.isalpha():
            continue
        read = Edit(at, len(word), (("NAME", word),))
        reads = fault.reads((read,))
        behind = at + len(word)
        rest = fault.row.text[behind:]
        following = behind + len(rest) - len(rest.lstrip())
        if reads > following:
            edits = (read,) if reads > len(fault.row.text) else ()
            return Slip("E203", at, behind, *misused(word), edits, once=word)
    return None


def misused(word: str) -> tuple[str, str]:
    """Return message and mend for a word of the language that is used as a name."""
    mend = f"choose another name, such as `{word}_` or `the_{word}`"
    if word == "empty":
        mend = "say what is empty, as in `p.hand is empty`; or else " + mend
    if word == "player":
        mend += "; all are `players`; whose it is says a name of your own, as in `for p in players`, and then `p.hand`"
    if word == "all":
        mend += "; all of a pile is dealt as `deal size of stock from stock to each hand`"
    return f"`{word}` is a word of the language and can't be a name", mend


def _misspelt(fault: Fault) -> Slip | None:
    """A word that is like one that could stand there, or means the same."""
    before, word = fault.before()
    for at, text, among in (
        (fault.at, fault.text, spelled(fault.accepts)),
        (before, word, spelled(spelling()) if before > fault.row.start else []),
    ):
        if not text.isalpha() or (at == before and terminal(text)):
            continue
        same = SYNONYMS.get(text, "")
        near = nearest(text, (w for w in among if w != text), 3)
        for meant in [same, *near] if same in among else near:
            read = Edit(at, len(text), ((terminal(meant), meant),))
            reads = fault.reads((read,))
            if reads > len(fault.row.text) or (at == fault.at and reads > fault.end and not terminal(text)):
                edits = (read,) if reads > len(fault.row.text) else ()
                message = f"`{text}` does not fit here"
                mend = f"write `{meant}`" if meant == same else f"did you mean `{meant}`?"
                return Slip("E111", at, at + len(text), message, mend, edits)
    if "COMPARE" in fault.accepts and SYNONYMS.get(fault.text) in ("<", ">"):
        mend = f"write `{SYNONYMS[fault.text]}`"
        return Slip("E111", fault.at, fault.end, f"`{fault.text}` does not fit here", mend)
    return None


def _number_word(fault: Fault) -> Slip | None:
    """A number in letters."""
    for at, word in ((fault.at, fault.text), fault.before()):
        number = NUMBERS.get(word, "")
        reads = (
            fault.reads((Edit(at, len(word), (("INT", number),)),))
            if number and word not in fault.known
            else 0
        )
        if reads > at + len(word) and at > fault.row.start and fault.row.word in COUNTING:
            message = "numbers are written in figures"
            return Slip("E111", at, at + len(word), message, f"write `{number}` for `{word}`")
    return None


# ---- too much and too little -------------------------------------------------------------------


def _phrase(fault: Fault) -> Slip | None:
    """A phrase such as `count c in p.hand` that wants brackets round it."""
    row = fault.row
    for found in PHRASE.finditer(row.text, row.start, row.end):
        if found.start() > fault.at:
            break
        targets = [x.start() for x in TARGET.finditer(row.text, found.end(), row.end)]
        for end in (row.end, fault.at, *targets):
            opened, closed = Edit(found.start(), 0, (("LPAR", "("),)), Edit(end, 0, (("RPAR", ")"),))
            if found.end() < end and fault.whole(opened, closed):
                said = " ".join(row.text[found.start() : end].split())
                message = (
                    f"`{fault.text}` does not fit here"
                    if fault.text
                    else "this line can't be read to its end"
                )
                mend = f"put the phrase in brackets: `({said})`"
                return Slip("E111", fault.at, fault.end, message, mend)
    return None


def _small_word(fault: Fault) -> Slip | None:
    """A word such as `the` before the fault, taken for a name."""
    at, word = fault.before()
    small = word in ARTICLES or (word in reserved_words() and fault.kind != LINE_END)
    if not small or at <= fault.row.start or not fault.fits(Edit(at, len(word))):
        return None
    return Slip("E111", at, at + len(word), f"`{word}` does not fit here", f"leave `{word}` out")


def _too_much(fault: Fault) -> Slip | None:
    """A word or sign without which the line reads well."""
    at, word = fault.at, fault.text
    if fault.kind == LINE_END:
        at, word = fault.before()
        if not word.isidentifier() or terminal(word):
            return None
    if means_something(fault, word):
        return None
    heading = fault.row.word == fault.block and word.isidentifier()
    if heading or at == fault.row.start or not word or not fault.fits(Edit(at, len(word))):
        return None
    return Slip("E111", at, at + len(word), f"`{word}` does not fit here", f"leave `{word}` out")


def _swapped(fault: Fault) -> Slip | None:
    """`=` for a colon, or a colon for `=`."""
    row = fault.row
    found = SWAPPED.match(row.text)
    for at in (fault.at, found.start(1) if found else fault.at):
        sign = {"=": ":", ":": "="}.get(row.text[at : at + 1], "")
        if sign and at <= fault.at and fault.fits(Edit(at, 1, ((terminal(sign), sign),))):
            return Slip("E111", at, at + 1, f"`{row.text[at]}` does not fit here", f"write `{sign}` here")
    return None


def _each_player(fault: Fault) -> Slip | None:
    """`each player` in other words than under `state`."""
    row = fault.row
    if "FOR_EACH_PLAYER" not in fault.accepts or not EACH.match(row.text, fault.at):
        return None
    return Slip(
        "E111", fault.at, row.end, "a variable of each player ends otherwise", "write `for each player`"
    )


def _something_missing(fault: Fault) -> Slip | None:
    """A word such as `from` in the place of what should stand before it."""
    at, word = fault.before()
    if at <= fault.row.start or word not in reserved_words() or fault.kind == LINE_END:
        return None
    if not fault.fits(Edit(at, len(word), (("NAME", "x"), (terminal(word), word)))):
        return None
    form = FORMS.get(fault.row.word, "") if fault.starting(fault.row.word) else ""
    mend = f"such a line reads: `{form}`" if form else "say what"
    return Slip("E111", at, at + len(word), f"something is missing before `{word}`", mend)


def _words_alone(fault: Fault) -> Slip | None:
    """The words of an option on a line of their own."""
    row = fault.row
    if fault.block not in ("play", "phase") or not re.fullmatch(r'"[^"]*"', row.text[row.start : row.end]):
        return None
    mend = 'how an option reads stands at the end of its line: `option draw  "draws a card"`'
    return Slip("E111", row.start, row.end, "words stand alone on this line", mend)


def _too_little(fault: Fault) -> Slip | None:
    """A word or sign that is missing, if only one can be."""
    text, at = fault.text, fault.row.end if fault.kind == LINE_END else fault.at
    reserved = text in reserved_words()
    last = fault.before()[1] if fault.kind == LINE_END else text
    if last.isidentifier() and not terminal(last) and last not in fault.known:
        return None
    behind = ((terminal(text), text),) if reserved and terminal(text) else ()
    length = len(text) if behind else 0
    words = [w for w in spelled(fault.accepts) if w not in CHANGING]
    signs_ = [s for s in SIGNS if terminal(s) in fault.accepts]
    for among in (words, signs_):
        fitting = [w for w in among if fault.fits(Edit(at, length, ((terminal(w), w), *behind)))]
        if len(fitting) == 1:
            message = f"`{text}` does not fit here" if text else "this line breaks off too early"
            where = f" before `{text}`" if text else " at the end"
            place = (fault.at, fault.end) if text else (max(at - 1, 0), at)
            return Slip("E111", *place, message, f"write `{fitting[0]}`{where}")
        if fitting:
            return None
    return None


def _unfinished(fault: Fault) -> Slip | None:
    """A line that ends in the middle of a phrase."""
    row = fault.row
    said = row.text[row.start : row.end]
    if fault.kind != LINE_END or not UNFINISHED.search(said):
        return None
    mend = expected(fault)
    if fault.deeper and said.endswith((":", "=")):
        mend = "the value stands on the same line"
    elif fault.deeper:
        mend = "a line goes on inside brackets, or where the next begins with `and`, `or`, `where` or `by`"
    return Slip("E111", row.end - 1, row.end, "this line breaks off too early", mend, unfinished=True)


def _broken_off(fault: Fault) -> Slip | None:
    """A line that ends too early."""
    if fault.kind != LINE_END:
        return None
    mend = expected(fault)
    if "ELSE" in fault.accepts and fault.block in ("play", "phase"):
        mend = "what happens only if something holds stands below `if ...`; one of two values is `1 if on else 2`"
    return Slip("E111", fault.row.end - 1, fault.row.end, "this line breaks off too early", mend)


def expected(fault: Fault) -> str:
    """Return what may stand at the place, or, if that is much, how such a line reads."""
    if fault.block == "zones" and ":" in fault.row.text[: fault.at]:
        return ZONE_WORDS
    if fault.block in ("play", "phase") and WINNING.search(fault.row.text):
        return WINS
    spelt_ = spelling()
    terms = {t for t in fault.accepts if t != "COMPARE" and spelt_.get(t) not in OPERATORS} or fault.accepts
    found = {KINDS.get(t) or f"`{spelt_[t]}`" for t in terms if t in KINDS or t in spelt_}
    words = sorted(found, key=lambda w: (w.startswith("`"), w))
    first = fault.row.word
    form = FORMS.get(first, "") if fault.starting(first) else NAME_FORMS.get(fault.block, "")
    if words and len(words) <= MOST_NAMED:
        return (
            "here may stand: "
            + ", ".join(words)
            + (f", as in `{form}`" if form and fault.starting(first) else "")
        )
    if form:
        return f"such a line reads: `{form}`"
    return "here may stand, among others: " + ", ".join(words[:MOST_NAMED]) if words else "take it out"
