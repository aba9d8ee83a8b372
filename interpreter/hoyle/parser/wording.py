"""What a designer or a programmer may write out of habit, and how it is said in a spec: tables of words alone."""

from __future__ import annotations

HEADINGS = (
    "game",
    "parameters",
    "components",
    "zones",
    "state",
    "define",
    "play",
    "phase",
    "auction",
    "tricks",
    "payment",
    "result",
    "scenario",
)
STATEMENTS = tuple(
    "do let if else repeat for turns choose end move deal fill swap gather shuffle pick draw "
    "eliminate reverse next show give".split()
)
# The words that lines below a heading can begin with; elsewhere every line begins with a name.
STARTS = {
    "components": ("enum", "card", "tile", "kind", "token", "deck", "for"),
    "define": ("when", "otherwise", "as", "best", "split", "meld", "wild", "least", "most"),
    "play": (*STATEMENTS, "option"),
    "phase": (*STATEMENTS, "option"),
    "result": ("rank",),
    "scenario": ("given", "start", "then"),
}
# The headings below which a line may belong that stands elsewhere, the likeliest first.
HOMES = ("zones", "state", "parameters", "components", "result")
# The lines that an indented block can stand below.
HEADS = ("if", "else", "repeat", "for", "turns", "choose", "option", "deck")

# One example of every kind of line.
FORMS = {
    "game": 'game "Pond" for 2..4 players',
    "direction": "direction: counter-clockwise",
    "parameters": "parameters",
    "components": "components",
    "zones": "zones",
    "state": "state",
    "define": "define worth(c: card) = c.number",
    "play": "play",
    "phase": "phase take_turn(p: player)",
    "payment": "payment pay(p: player, amount: number)",
    "result": "result",
    "scenario": 'scenario "one fish" for 2 players ann, bob',
    "enum": "enum Colour = red, blue",
    "card": 'card Fish(colour: Colour, weight: 1..8) "{colour} {weight}"',
    "tile": 'tile Domino(a, b: 0..6) "{a}|{b}"',
    "kind": "kind Boat = Ship, Raft",
    "token": "token coin 50, 5 to each player",
    "deck": "deck in stock",
    "when": "when c is Fish: c.weight",
    "otherwise": "otherwise: 0",
    "as": "as if each Joker w in p.hand were one Fish f or nothing",
    "best": "best: sum of points(p, k) for k in Colour",
    "split": "split p.hand into melds, rest",
    "meld": "meld run: 3+ c with the same c.suit, c.rank in a row",
    "wild": "wild: Joker w",
    "least": "least: sum of points(c) for c in rest",
    "most": "most: sum of points(c) for c in melds",
    "rank": "rank p by highest p.score",
    "given": 'given ann.hand = "red 3, blue 4"',
    "start": "start at take_turn(ann)",
    "then": "then ann.score is 3",
    "do": "do take_turn(p)",
    "let": "let best = 0",
    "if": "if p.hand is empty",
    "else": "else",
    "repeat": "repeat while p.hand is not empty",
    "for": "for p in players",
    "turns": "turns p from left of dealer",
    "choose": "choose p",
    "option": "option put(c in p.hand)",
    "end": "end repeat",
    "move": "move 1 from stock to p.hand",
    "deal": "deal 7 from stock to each hand",
    "fill": "fill pond to 4 from stock",
    "swap": "swap p.hand with q.hand",
    "gather": "gather every card into stock, shuffled",
    "shuffle": "shuffle stock",
    "pick": "pick dealer at random from players",
    "draw": "draw for dealer from stock by highest worth",
    "show": "show p.hand to all",
    "eliminate": "eliminate p",
    "give": "give 2 coin to p",
    "reverse": "reverse turns",
    "next": "next turn is left of p",
}
# A line that begins with a name.
NAME_FORMS = {
    "parameters": "hand_size = 7 in 3..12",
    "zones": "stock: pile, hidden",
    "state": "score = 0 for each player",
    "scenario": 'ann: put("red 3")',
    "play": "score = 0",
    "phase": "score = 0",
}

ZONE_WORDS = (
    "say its form, `pile`, `row` or `pool`, who sees it, `hidden`, `open`, `top open`, `seen by owner` or "
    "`seen by others`, and perhaps `each player`"
)

_DRAW = "cards are drawn with `move 1 from stock to p.hand`"
_PUT = "a card is put somewhere with `move c to discard`"
_SHOW = "cards are shown with `show p.hand to all`; to lie open, they are moved to a zone that is `open`"
_TELL = "nothing need be printed: every move is told; a sentence of the rulebook stands on a line with `>`"
_MAKE = "a name of this phase is made with `let x = 0`, a variable of the game is declared under `state`"
_SET = "a value is set with `score = 5`"
_MORE = "write `score += 1`"
_LESS = "write `score -= 1`"
_RUN = "a phase is run with `do PHASE`"
_PHASE = "a phase is a block of its own, `phase NAME` in column 1; what has a value is a `define`"
WINS = "who wins at once is said as `p wins`, who wins at the end under `result`"
_CASES = "write `if ...`, and below it `else if ...`"
_ASK = "a choice is `choose p`, with lines `option ...` below it"
_LEAVE = "`end repeat`, `end turns` and `end for` leave a loop"
_CHANCE = "chance is `pick die at random from 1..6`, with `die` declared under `state`"
_TEST = "a test is a block of its own, `scenario` in column 1"
_ELSE = "write `else if ...`"

_TABLE = 'cards of a table are read below `deck in stock`, with `cards from "fish.csv"`'

_BODY = {
    "while": "a loop is written `repeat while ...`",
    "until": "a loop is written `repeat until ...`",
    "loop forever always": "a loop is written `repeat`, and left with `end repeat`",
    "foreach": "write `for c in p.hand`",
    "elif elsif elseif elsewise": _ELSE,
    "unless": "write `if not ...`",
    "switch match case": _CASES,
    "when whenever": "write `if ...`",
    "otherwise": "write `else` below an `if`; below `choose first` it is indented like the options",
    "return": "`end PHASE` leaves a phase; what has a value is a `define`",
    "break leave": _LEAVE,
    "continue skip": "put what is to be left out below an `if`",
    "exit quit stop finish": "`end game` ends the game, `end PHASE` a phase",
    "pass": "a line that does nothing is left out; a player passes with `option pass` below `choose`",
    "win wins winner winners victory": WINS,
    "lose loses loser": WINS,
    "print log say announce echo puts write display message output": _TELL,
    "reveal flip expose hide": _SHOW,
    "draw draws take takes get": _DRAW,
    "play plays put puts place lay discard discards remove trash return_": _PUT,
    "add": f"{_PUT}; a number is added with `score += 1`",
    "gives pay": "a card is given with `move c to q.hand`, tokens with `give 2 coin to p`",
    "set assign change make": _SET,
    "increase increment raise inc gain": _MORE,
    "decrease decrement reduce dec subtract": _LESS,
    "var int integer number bool boolean flag string float const local auto my dim player": _MAKE,
    "call run execute goto gosub perform invoke enter": _RUN,
    "def function func fn sub procedure proc": _PHASE,
    "ask prompt input select chooses": _ASK,
    "roll dice random rand throw": _CHANCE,
    "game": "`end game` ends the game",
    "import include using require": "a game is one file",
    "assert check test expect": _TEST,
    "try": _CASES,
}
_DEFINE = {
    "if elif case": "in a definition write `when ...: ...`, and `otherwise: ...` as the last",
    "else default": "in a definition the last case is `otherwise: ...`",
    "return": "the value stands behind the colon of its case, or after `=` in the first line",
    "let": "give the inner part a name with a `define` of its own",
}
_DECLARE = {
    "var int integer number bool boolean flag string let const player my": (
        "write the name first, as in `score = 0` or `dealer: player`"
    ),
}
_SCENARIO = {
    "assert expect check": "what must hold is said with `then ...`",
    "when": 'a move is written `ann: put("red 3")`',
    "set let": 'a table is laid with `given ann.hand = "red 3"`',
    "do": "a scenario begins with `start at PHASE`; after that come the moves",
    "begin": "write `start at PHASE`",
}
_PARTS = {
    "cards": "write `card`, and below all of them `deck in stock`; " + _TABLE,
    "tiles": "write `tile`, and below all of them `deck in stock`; " + _TABLE,
    "import include using require read load csv table file from": _TABLE,
    "suit suits colour colours color colors rank ranks type": "a list of words is written `enum Colour = red, blue`",
    "tokens counter counters chip chips coin coins money": "write `token coin 50, 5 to each player`",
}


def _by_word(table: dict[str, str]) -> dict[str, str]:
    return {word: mend for words, mend in table.items() for word in words.split()}


# How a line that begins so is said in a block of this kind.
HABITS = {
    "play": _by_word(_BODY),
    "phase": _by_word(_BODY),
    "define": _by_word(_DEFINE),
    "state": _by_word(_DECLARE),
    "parameters": _by_word(_DECLARE),
    "scenario": _by_word(_SCENARIO),
    "components": _by_word(_PARTS),
}

# Words that begin no block, and what was meant.
HEADING_HABITS = _by_word(
    {
        "def function func fn macro": "what has a value is a `define`, what is done is a `phase`",
        "sub procedure proc turn round action actions": "what is done is a `phase NAME`",
        "main setup begin start rules flow game_flow loop": "what happens from first to last stands below `play`",
        "deck card cards enum enums tiles tile pieces piece types type kind suits ranks": (
            "cards and their kinds stand below `components`"
        ),
        "variables variable vars var globals let": "what has to be remembered stands below `state`",
        "board table piles pile zone area areas places": "places for cards stand below `zones`",
        "options settings config constants const parameter": "numbers to try out stand below `parameters`",
        "player players name title": 'the first block is `game "NAME" for 2..4 players`',
        "score scoring win winner winning rank ranking end": "who wins at the end stands below `result`",
        "test tests example given then": 'a test is `scenario "TITLE" for 2 players ann, bob`',
        "import include using require": "a game is one file",
    }
)

# Words inside a line, and what the language says instead.
SYNONYMS = _by_word(
    {
        "into onto": "to",
        "out off": "from",
        "equals equal": "is",
        "till": "until",
        "using": "with",
        "less fewer smaller lower below under": "<",
        "greater more larger bigger higher above over": ">",
    }
)

ARTICLES = ("a", "an", "the", "each", "all")
NUMBERS = dict(
    zip("a an one two three four five six seven eight nine ten".split(), "1 1 1 2 3 4 5 6 7 8 9 10".split())
)
COUNTING = ("move", "deal", "fill", "repeat", "draw")

# Where lines that begin so stand, told when one of them stands elsewhere.
PLACES = {
    "option": "an option stands below `choose`, indented",
    "otherwise": "`otherwise` is the last case of a `define`, or stands below `choose first`",
    "when": "`when` begins a case of a `define`, or stands behind the name of an option",
    "rank": "`rank` stands below `result`",
    "given": "`given` stands in a `scenario`",
    "start": "`start at` stands in a `scenario`",
    "enum": "an enum stands below `components`",
    "card": "a card type stands below `components`",
    "tile": "a tile type stands below `components`",
    "kind": "a kind stands below `components`",
    "token": "a token stands below `components`",
    "deck": "a deck stands below `components`",
    **dict.fromkeys(STATEMENTS, "what happens stands below `play` or a `phase`"),
}
