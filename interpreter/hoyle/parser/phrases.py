"""Phrases that people write as they would say them, or as another language has it, and how a spec says the same."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from hoyle.parser.fault import Edit, Fault, Slip, terminal
from hoyle.parser.grammar import reserved_words, words_of
from hoyle.parser.signs import COMMENT as COMMENTS
from hoyle.parser.wording import STATEMENTS

NAME = r"[a-z][a-z0-9_]*"
HOW_MANY = "size|length|count|number"
DOTTED = (
    r"(?<![\w.])[A-Za-z][\w.]*"  # not in the middle of a word: a long one would be searched again and again
)
DONE = "|".join(word for word in STATEMENTS if word not in ("let", "if", "else", "for", "turns", "next"))
# In a pattern these stand for words that the grammar alone lists, which is read when the first fault is told.
OF = "<of>"  # what stands before `of`, as in `size of`
RESERVED = "<reserved>"


class Phrase(NamedTuple):
    """A pattern in which a row can't be read on. `mend` and `meant` may name its groups.

    It counts if the fault lies inside it, only below the headings `blocks`, where those are given. With `meant` the row
    is read as if these words stood there, if that can be done to its end. With `declared` the first group
    must be a name of the file.
    """

    pattern: str
    message: str
    mend: str
    meant: str = ""
    blocks: tuple[str, ...] = ()
    declared: bool = False


def _said(pattern: str, mend: str, meant: str = "", *, message: str = "", blocks: str = "") -> Phrase:
    return Phrase(pattern, message or "`{0}` is not said so", mend, meant, tuple(blocks.split()))


PHRASES: tuple[Phrase, ...] = (
    # Comparing.
    _said(r"\bis[ \t]+not[ \t]+(?:equal[ \t]+to|the[ \t]+same[ \t]+as)\b", "compare with `is not`", "is not"),
    _said(r"\bis[ \t]+(?:equal[ \t]+to|the[ \t]+same[ \t]+as)\b|\bequals(?:[ \t]+to)?\b", "write `is`", "is"),
    _said(
        r"(?:\bis[ \t]+)?\b(?:greater|more|larger|higher|bigger)[ \t]+than[ \t]+or[ \t]+equal[ \t]+to\b"
        r"|\bis[ \t]+at[ \t]+least\b",
        "write `>=`",
        ">=",
    ),
    _said(
        r"(?:\bis[ \t]+)?\b(?:less|fewer|smaller|lower)[ \t]+than[ \t]+or[ \t]+equal[ \t]+to\b"
        r"|\bis[ \t]+at[ \t]+most\b",
        "write `<=`",
        "<=",
    ),
    _said(r"(?:\bis[ \t]+)?\b(?:greater|more|larger|higher|bigger)[ \t]+than\b", "write `>`", ">"),
    _said(r"(?:\bis[ \t]+)?\b(?:less|fewer|smaller|lower)[ \t]+than\b", "write `<`", "<"),
    _said(r"\bisn['\u2019]?t\b|\bis[ \t]*n['\u2019]t\b", "write `is not`", "is not"),
    _said(r"\bis[ \t]+not[ \t]+in\b", "write `not in`", "not in"),
    _said(r"\bis[ \t]+in\b", "write `in`", "in"),
    _said(r"\b(?:has|have)[ \t]+no[ \t]+(?:cards?|tiles?)(?:[ \t]+left)?\b", "write `is empty`", "is empty"),
    _said(
        rf"({DOTTED})[ \t]+(?:has|have|contains?|includes?|holds?)[ \t]+(?:an?[ \t]+|the[ \t]+)?([A-Z]\w*)",
        "write `any {2} c in {1}`",
    ),
    _said(
        rf"({DOTTED})[ \t]+(?:has|have|contains?|includes?|holds?)\b",
        "write `any c in {1} where ...`, or `c in {1}` for a card that has a name",
    ),
    _said(
        r"(?<![\w.])([\w.]+)[ \t]*(<=?)[ \t]*([\w.]+)[ \t]*<=?[ \t]*([\w.]+)",
        "one comparison at a time: `{3} > {1} and {3} < {4}`, or `{3} in 2..4`",
        message="`{0}` compares three things",
    ),
    _said(
        rf"\bis[ \t]+({NAME})[ \t]+(\d+)\b",
        'a card is written by its face, in quotes: `"{1} {2}"`',
        message="`{1} {2}` is no name",
    ),
    # Asking.
    _said(
        rf"\b({HOW_MANY})[ \t]*\([ \t]*({DOTTED})[ \t]*\)?",
        "how many there are is asked without brackets: `size of {2}`",
    ),
    _said(
        rf"\b({OF})[ \t]*\([ \t]*({DOTTED})[ \t]*\)?",
        "this is asked without brackets: `{1} of {2}`",
    ),
    _said(
        rf"\bnumber[ \t]+of[ \t]+(?:cards?|tiles?)[ \t]+(?:in|on)[ \t]+({DOTTED})",
        "how many there are is `size of {1}`",
    ),
    _said(
        rf"\b(?:any|some)[ \t]+(cards?|tiles?)[ \t]+(?:in|of|from)[ \t]+({DOTTED})",
        "as many as one likes is written `any number of cards in {2}`, so many `3 cards in {2}`",
    ),
    _said(r"\bcount[ \t]+of\b", "leave `of` out: `count c in p.hand`"),
    _said(
        rf"\b(?!(?:{RESERVED}|{OF})\b)({NAME})[ \t]+of[ \t]+({NAME})\b",
        "what a player has is written `{2}.{1}`",
        blocks="play phase",
    ),
    _said(rf"\b({NAME})['\u2019]s?[ \t]+({NAME})\b", "what a player has is written `{1}.{2}`"),
    _said(r"\b(?:the[ \t]+)?next[ \t]+player\b", "the next player is `next of p`"),
    _said(
        r"\b(?:the[ \t]+)?previous[ \t]+player\b",
        "the player before is `right of p` where the game goes clockwise",
    ),
    _said(
        rf"\bplayer\.({NAME})",
        "say whose, as in `p.{1}`, with the name that `for p in players`, `turns p` or an argument gives a player",
        message="`player` stands for no player",
    ),
    # Loops and branches.
    _said(
        rf"\bfor[ \t]+(?:each|every|all)[ \t]+(?:player|players)[ \t]*({NAME})?(?![ \t]*:)",
        "write `for p in players`",
        blocks="play phase",
    ),
    _said(
        rf"\bfor[ \t]+(?:each|every|all)[ \t]+({NAME})\b(?=[ \t]+(?:in|of|from)\b)", "write `for c in ...`"
    ),
    _said(
        rf"\bfor[ \t]+({NAME})[ \t]*=[ \t]*([\w.]+)[ \t]*(?:to|,|\.\.)[ \t]*([\w.]+)",
        "write `for {1} in {2}..{3}`",
        blocks="play phase",
    ),
    _said(
        rf"\bplayers[ \t]+(?:except|but|without|other[ \t]+than)[ \t]+({NAME})\b",
        "write `others of {1}`, in the order of play",
    ),
    _said(
        r"\b(?:random|roll|rand(?:int)?)[ \t]*\(?[ \t]*(\w+[ \t]*\.\.[ \t]*\w+)\)?",
        "chance is a statement of its own: `pick x at random from {1}`, and then `x`",
    ),
    _said(
        r"=[^=]*[ \t]for[ \t]+each[ \t]+((?!player|team)\w+)",
        "variables are of the game, `for each player` or `for each team`; use one for each {1}",
        message="there are no variables for each {1}",
        blocks="state",
    ),
    # Moving cards.
    _said(
        r"\bdraw[ \t]+(\w+)(?:[ \t]+(?:cards?|tiles?))?",
        "cards are drawn with `move {1} from stock to p.hand`",
        blocks="play phase",
    ),
    _said(
        rf"\bdeal[ \t]+(\w+)(?:[ \t]+(?:cards?|tiles?))?[ \t]+from[ \t]+({DOTTED})[ \t]+to[ \t]+({NAME}\.{NAME})",
        "`deal` gives to all players, `deal {1} from {2} to each hand`; to one: `move {1} from {2} to {3}`",
        message="`{0}` deals to one player",
        blocks="play phase",
    ),
    _said(
        r"\b(move|deal|fill)[ \t]+(?:an?|one)[ \t]+(?:card|tile)\b",
        "write `{1} 1 from ...`",
        blocks="play phase",
    ),
    _said(
        r"\b(move|deal)[ \t]+((?:up[ \t]+to[ \t]+)?[\w.]+)[ \t]+(?:cards?|tiles?)\b",
        "leave the word out: `{1} {2} from ...`",
        blocks="play phase",
    ),
    _said(
        rf"\bmove[ \t]+([\w.]+)[ \t]+(?:under|below|beneath|to[ \t]+(?:the[ \t]+)?(?:bottom|left)"
        rf"(?:[ \t]+(?:end|side))?[ \t]+of)[ \t]+({DOTTED})",
        "`move {1} to {2}` puts it on top of a pile, or at the right end of a row; for elsewhere see the end of the"
        " reference",
        blocks="play phase",
    ),
    _said(
        rf"\bshuffle[ \t]+({DOTTED})[ \t]+(?:back[ \t]+)?(?:in)?to[ \t]+({DOTTED})",
        "two steps: `move all from {1} to {2}`, and then `shuffle {2}`",
        blocks="play phase",
    ),
    _said(
        rf"^[ \t]*({NAME})[ \t]+draws[ \t]+(?:up[ \t]+to[ \t]+)?(\w+)(?:[ \t]+(?:cards?|tiles?))?",
        "cards are drawn with `move {2} from stock to {1}.hand`",
        blocks="play phase",
    ),
    _said(
        rf"\bsize[ \t]+of[ \t]+({DOTTED})[ \t]+where\b",
        "how many pass a condition is `count c in {1} where ...`",
    ),
    # Scenarios.
    _said(
        rf"\band[ \t]+next[ \t]+is[ \t]+({NAME})",
        "write it on a line of its own: `then next is {1}`",
        message="whose move it is can't be asked together with something else",
    ),
    # Choices.
    _said(
        rf"\boption[ \t]+({NAME})[ \t]*\(([^()]*)\)[ \t]+where\b",
        "`where` stands in the brackets, `option {1}({2} where ...)`; `when` guards the option as a whole",
        message="`where` is out of place here",
    ),
    _said(
        rf"\boption[ \t]+({NAME})[ \t]*\(([^()]*?)[ \t]+when\b",
        "what is chosen is sifted with `where`: `option {1}({2} where ...)`; `when` stands behind the brackets",
        message="`when` is out of place here",
    ),
    _said(
        rf"\boption[ \t]+({NAME})[ \t]+({NAME}[ \t]+in[ \t]+{DOTTED})",
        "what is chosen stands in brackets: `option {1}({2})`",
    ),
    _said(
        rf"\boption[ \t]+({NAME})[ \t]*\([ \t]*({NAME})[ \t]+from\b",
        "what is chosen is written with `in`: `option {1}({2} in ...)`",
    ),
    # The direction of play.
    _said(
        r"(?!counter-clockwise\b)(?i:(?:anti|contra|counter)[-_ \t]*clock[-_ \t]*wise)\b"
        r"|(?<=:)[ \t]*(?:to[ \t]+the[ \t]+)?right\b",
        "write `counter-clockwise`",
        "counter-clockwise",
        blocks="game",
    ),
    _said(
        r"(?<!counter-)(?!clockwise\b)(?i:clock[-_ \t]*wise)\b|(?<=:)[ \t]*(?:to[ \t]+the[ \t]+)?left\b",
        "write `clockwise`",
        "clockwise",
        blocks="game",
    ),
    # Declarations.
    _said(
        r"(?:[:,])[ \t]*(?:visible|public|face[ \t]?up|faceup|shown|known|revealed)\b",
        "who sees it is said as `open`",
        blocks="zones",
    ),
    _said(
        r"[:,][ \t]*(?:face[ \t]?down|facedown|concealed|closed|unseen|invisible)\b",
        "write `hidden`, or `seen by owner`",
        blocks="zones",
    ),
    _said(
        r"[:,][ \t]*(?:private|secret|own)\b",
        "who sees it is said as `seen by owner`, with `each player`",
        blocks="zones",
    ),
    _said(
        r"[:,][ \t]*(?:list|stack|deck)\b",
        "cards on top of each other are a `pile`, side by side a `row`",
        blocks="zones",
    ),
    _said(r"[:,][ \t]*(?:line|grid|display|column)\b", "cards side by side are a `row`", blocks="zones"),
    _said(
        r"[:,][ \t]*(?:set|group|collection|bag|hand)\b", "cards without order are a `pool`", blocks="zones"
    ),
    _said(
        r"[:,][ \t]*(?:(?:for|of|to)[ \t]+(?:each|every|all)|per|every|all)[ \t]+players?\b",
        "write `each player`",
        blocks="zones",
    ),
    _said(
        r"(:[ \t]*)(?:int|integer|num|count|counter)\b",
        "a whole number is a `number`, or has a range, `0..20`",
    ),
    _said(r"(:[ \t]*)(?:bool|boolean|switch)\b", "yes or no is a `flag`"),
    _said(
        r"(:[ \t]*)(?:string|text|word|char)\b",
        "words are values of an enum, which is declared under `components`",
    ),
    _said(r"(:[ \t]*)(?:list|array)\b", "what holds several things is a `set of card`, or a zone"),
    _said(
        r"^[ \t]*(?:(?:cards?|tiles?|[A-Z]\w*)(?:[ \t]+[a-z]\w*)?|[a-z]\w*\.[a-z]\w*)[ \t]*:",
        "cards that pay have a name and a place, as in `c in p.hand: to discard`",
        blocks="payment",
    ),
    _said(
        r"^[ \t]*\w+[ \t]*:[ \t]*([a-z]\w*)[ \t]*(?:or[ \t]+none[ \t]*)?$",
        "write `number`, a range such as `0..20`, `flag`, `player`, `card`, or the name of an enum",
        blocks="state",
        message="`{1}` is no type that a variable can have",
    ),
    _said(r"\benum[ \t]+(\w+)[ \t]*[=:]?[ \t]*[{(\[]", "leave the brackets out: `enum {1} = red, blue`"),
    _said(
        r"(?<![\w.])(\d+)[ \t]*[x\u00d7*][ \t]*([A-Z]\w*)",
        "the number and the type are enough: `{1} {2}`",
        blocks="components",
    ),
    _said(r"^[ \t]*([A-Z]\w*)[ \t]*(?:\(|$)", "write how many there are of it: `1 {1}`", blocks="components"),
    Phrase(
        r"^[ \t]*([a-z]\w*)[ \t]+([A-Z]\w*)",
        "how many there are is a number, not `{1}`",
        "write it out, as in `4 {2}`: a deck does not depend on parameters",
        blocks=("components",),
        declared=True,
    ),
    _said(
        r"\bfrom[ \t]+([-\d]+)[ \t]+to[ \t]+([-\d]+)\b|\bfrom[ \t]+([-\d]+)[ \t]*\.\.[ \t]*([-\d]+)",
        "write the range behind `in`, as in `hand_size = 7 in 3..12`",
        blocks="parameters",
    ),
    _said(
        rf":[ \t]*(?:{DONE})\b[^:]*",
        "what is done stands below `play` or a `phase`",
        message="a definition only asks: `{0}` does something",
        blocks="define",
    ),
    _said(r"\bthen\b", "write `:` between the condition and the value", ":", blocks="define"),
)
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
    groups = [said, *(" ".join((g or "").split()) for g in found.groups())]
    edits: tuple[Edit, ...] = ()
    if entry.meant:
        tokens = tuple((_terminal(w), w) for w in entry.meant.split())
        edit = Edit(start, found.end() - start, tokens)
        edits = (edit,) if fault.whole(edit) else ()
    message, mend = _filled(entry.message, groups), _filled(entry.mend, groups)
    return Slip("E111", start, max(found.end(), start + 1), message, mend, edits)


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
