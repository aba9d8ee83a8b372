"""How people say things, or another language has them, in patterns, and how a spec says the same: a table alone."""

from __future__ import annotations

from typing import NamedTuple

from hoyle.parser.wording import STATEMENTS

NAME = r"[a-z][a-z0-9_]*"
HOW_MANY = "size|length|count|number"
DOTTED = (
    r"(?<![\w.])[A-Za-z][\w.]*"  # not in the middle of a word: a long one would be searched again and again
)
# What stands first in brackets, with a call in it; it has bounds, so that long lines don't take long.
WORKED_OUT = r"[ \t]*([^()]{0,80}?(?:\([^()]{0,80}\))?[^()]{0,80}?)"
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
    _said(r"([<>])[ \t]+=", "write `{1}=`, without a space"),
    _said(
        rf"({DOTTED})[ \t]*=[ \t]*\+[ \t]*(\w+)",
        "to add write `{1} += {2}`; to set a value leave `+` out: `{1} = {2}`",
    ),
    _said(
        r"\bin[ \t]*\(([^(),]{1,40},[^()]{1,200})\)",
        "a set stands in braces: `in {{1}}`",
    ),
    _said(
        rf"\bis[ \t]+({NAME})[ \t]+(\d+)\b",
        'a card is written by its face, in quotes: `"{1} {2}"`',
        message="`{1} {2}` is no name",
    ),
    _said(
        r"\bis[ \t]+not[ \t]+one[ \t]+of\b",
        "a set stands in braces, as in `not in {1, 2}`",
        blocks="play phase define",
    ),
    _said(
        r"\bis[ \t]+one[ \t]+of\b", "a set stands in braces, as in `in {1, 2}`", blocks="play phase define"
    ),
    # Asking.
    _said(
        rf"\bmax(?:imum)?[ \t]*\({WORKED_OUT}[ \t]+for\b",
        "the highest is `highest of {1} for ...`",
    ),
    _said(
        rf"\bmin(?:imum)?[ \t]*\({WORKED_OUT}[ \t]+for\b",
        "the lowest is `lowest of {1} for ...`",
    ),
    _said(rf"\bsum[ \t]*\({WORKED_OUT}[ \t]+for\b", "a sum is `sum of {1} for ...`"),
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
        rf"\b(any|every|count)[ \t]+(?:cards?|tiles?)[ \t]+(?:in|of|from)[ \t]+({DOTTED})[ \t]+is[ \t]+(\w+)",
        "write `{1} c in {2} where c is {3}`, or ask an attribute of it, as in `c.suit is {3}`",
    ),
    _said(
        rf"\b(any|every|count)[ \t]+([A-Z]\w*)[ \t]+in[ \t]+({DOTTED})",
        "what is searched for has a name: `{1} {2} c in {3}`",
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
    _said(
        rf"({DOTTED})[ \t]*=[ \t]*(?:an?[ \t]+)?random[ \t]+(\w+)",
        "chance is a statement of its own: `pick {1} at random from ...`, as in `from players` or `from 1..6`",
    ),
    _said(
        r"\bplayer[ \t]+(\d+)\b",
        "players have no numbers in a spec: one is picked with `pick p at random from players`, or found from"
        " another, as in `left of p`",
        message="`{0}` stands for no player",
    ),
    _said(rf"\bin[ \t]+(?:the[ \t]+)?team[ \t]+({NAME})", "the players of a team are `members of {1}`"),
    # Loops and branches.
    _said(
        r"^[ \t]*else[ \t]+if[ \t]*$",
        "say when, as in `else if p.hand is empty`",
        message="`else if` alone says too little",
    ),
    _said(
        rf"\bfor[ \t]+(?:each[ \t]+)?player[ \t]+({NAME})(?:[ \t]+in[ \t]+players)?",
        "write `for {1} in players`",
        blocks="play phase",
    ),
    _said(
        rf"\bfor[ \t]+players[ \t]+({NAME})",
        "write `for {1} in players`",
        blocks="play phase",
    ),
    _said(
        rf"\bfor[ \t]+({NAME})[ \t]+in[ \t]+({DOTTED})[ \t]*,[ \t]*(any|every|not|if)\b",
        "what is looked for is sifted with `where`: `for {1} in {2} where {3} ...`",
    ),
    _said(
        rf"\bfor[ \t]+({NAME}[ \t]+in[ \t]+[\w.]+)[ \t]+and[ \t]+({NAME}[ \t]+in)\b",
        "a comma stands between them: `for {1}, {2} ...`",
    ),
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
    _said(
        rf"\bdo[ \t]+({NAME})[ \t]+(until|while)\b",
        "write `repeat {2} ...`, and below it, indented, `do {1}`",
        blocks="play phase",
    ),
    _said(
        r"\blet[ \t]+(\w+\.[\w.]+)",
        "`let` makes a name of this phase; a variable is set without it: `{1} = ...`",
        message="`{1}` is no new name",
        blocks="play phase",
    ),
    # Counting.
    _said(r"^[ \t]*add[ \t]+(\d+)[ \t]+to[ \t]+([\w.]+)", "write `{2} += {1}`", blocks="play phase"),
    _said(
        r"^[ \t]*(?:increase|increment|raise)[ \t]+([\w.]+)[ \t]+by[ \t]+(\w+)",
        "write `{1} += {2}`",
        blocks="play phase",
    ),
    _said(r"^[ \t]*subtract[ \t]+(\w+)[ \t]+from[ \t]+([\w.]+)", "write `{2} -= {1}`", blocks="play phase"),
    _said(
        r"^[ \t]*(?:decrease|decrement|reduce|lower)[ \t]+([\w.]+)[ \t]+by[ \t]+(\w+)",
        "write `{1} -= {2}`",
        blocks="play phase",
    ),
    # Moving cards.
    _said(
        r"\bdraw[ \t]+(\w+)(?:[ \t]+(?:cards?|tiles?))?",
        "cards are drawn with `move {1} from stock to p.hand`",
        blocks="play phase",
    ),
    _said(
        r"\bto[ \t]+(?:all|every)[ \t]+(?!players?\b)(\w+?)s?\b",
        "write `to each {1}`",
        blocks="play phase",
    ),
    _said(
        r"^[ \t]*deal\b[^\n]{0,200}?\bto[ \t]+(?:all|every)[ \t]+players?\b",
        "say to which of their zones, as in `to each hand`",
        blocks="play phase",
    ),
    _said(
        r"\bgather[ \t]+(?:all(?:[ \t]+the)?|every|the)[ \t]+(card|tile)s\b",
        "write `gather every {1}`",
        blocks="play phase",
    ),
    _said(
        r"\binto[ \t]+([\w.]+)[ \t]+and[ \t]+shuffled?\b",
        "write `into {1}, shuffled`",
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
        r"\b(move|deal)[ \t]+(?:the|this|that)[ \t]+(?:card|tile)\b",
        "name the card, as in `move c to discard`",
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
    _said(r"\bshould[ \t]+be\b", "write `is`", "is", blocks="scenario"),
    _said(
        rf"=[ \t]*(?!(?:{RESERVED}|{OF})\b)(\w+(?:[ \t]+\w+)+)[ \t]*$",
        'cards are written by their faces, in quotes: `"{1}"`',
        blocks="scenario",
    ),
    _said(
        rf"\band[ \t]+next[ \t]+is[ \t]+({NAME})",
        "write it on a line of its own: `then next is {1}`",
        message="whose move it is can't be asked together with something else",
    ),
    _said(
        r"^[ \t]*given[ \t]+([^\s\"=][^\"=]{0,80}?)[ \t]+is\b(?=[ \t]+\")",
        "a table is laid with `=`: `given {1} = ...`",
        blocks="scenario",
    ),
    _said(
        r"(?<=:)[ \t]*([a-z]\w*)[ \t]+(?!is\b|refused\b)(\"[^\"]*\"|\w+)",
        "what is chosen stands in brackets: `{1}({2})`",
        blocks="scenario",
    ),
    _said(
        r"\"([^\"]*)\"[ \t]*,?[ \t]*\"([^\"]*)\"",
        'one pair of quotes holds them all, with commas between: `"{1}, {2}"`',
        blocks="scenario",
    ),
    # Choices.
    _said(
        rf"\boption[ \t]+({NAME})[ \t]*\([ \t]*({NAME})[ \t]*:[ \t]*(?:card|tile|number|player)s?"
        rf"[ \t]+in[ \t]+({DOTTED})",
        "what is chosen has no type of its own: `option {1}({2} in {3})`",
    ),
    _said(
        rf"\boption[ \t]+({NAME})[ \t]*\([ \t]*({NAME})[ \t]*:[ \t]*([A-Z]\w*)[ \t]+in[ \t]+({DOTTED})",
        "the type stands before the name: `option {1}({3} {2} in {4})`",
    ),
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
        r"[:,][ \t]*(?:visible|open|shown|known|revealed|face[ \t]?up|seen)[ \t]+(?:only[ \t]+)?"
        r"(?:to|for)[ \t]+(?:its[ \t]+|the[ \t]+)?(owner|others|team)\b",
        "who sees it is said as `seen by {1}`",
        blocks="zones",
    ),
    _said(
        r"\b(pile|row|pool|piles|rows|pools|tokens|hidden|open|owner|others|team)[ \t]+"
        r"(pile|row|pool|hidden|open|top|seen|each)\b",
        "commas stand between: `{1}, {2} ...`",
        blocks="zones",
    ),
    _said(
        r"\brefilled[ \t]+(?:from|with|by)[ \t]+(?!shuffling\b)(?:the[ \t]+)?(\w+)",
        "write `refilled by shuffling {1}`, or `... {1} but its top` where the top card stays",
        blocks="zones",
    ),
    _said(
        r"\b(?:card|tile)[ \t]+\w+[ \t]*\((?:[^()]{0,200},)?[ \t]*([A-Z]\w*)[ \t]*[,)]",
        "what a card has is named before its type, as in `colour: Colour`",
        message="`{1}` has no name here",
        blocks="components",
    ),
    _said(
        r"^[ \t]*([A-Z]\w*)[ \t]+[x*]?[ \t]*(\d+)[ \t]*$",
        "the number comes first: `{2} {1}`",
        blocks="components",
    ),
    _said(
        r"\benum[ \t]+\w+[ \t]*=(?:[ \t]*\w+[ \t]*,)*[ \t]*(\w+)[ \t]+(?:and[ \t]+)?(\w+)",
        "commas stand between the values: `{1}, {2}`",
        blocks="components",
    ),
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
