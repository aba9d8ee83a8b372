"""The deck: every kind of card it holds, in what number, from how many players on."""

from __future__ import annotations

from collections.abc import Callable

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.columns import unused
from hoyle.check.constants import NotConstant, NoValue, Reckoning, TooLong
from hoyle.check.declare import MOST_PLAYERS
from hoyle.check.expressions import Expressions
from hoyle.check.tables import NO_ROWS, Tables
from hoyle.source import Span

MOST_PIECES = 1_000
Line = Callable[[dict[int, int]], None]


class Decks:
    """Works out deck blocks and gives the kinds their numbers: by card type, then attribute by attribute.

    `whole` tells that every line could be worked out: only then is it certain which cards there are not.
    """

    def __init__(self, expressions: Expressions, tables: Tables) -> None:
        self.ask = expressions
        self.tables = tables
        self.report = expressions.report
        self.scope = expressions.scope
        self.found: list[tuple[str, tuple[int, ...], int, int, tuple[int, int]]] = []
        self.pieces = 0
        self.reckoning = Reckoning()
        self.full = False
        self.whole = True
        self.misfaced = False  # faces are not as they are meant: what is written of them can't be judged
        self.faceless: set[str] = set()
        self.outside: set[Span] = set()
        self.rows: dict[tuple[str, tuple[int, ...]], Span] = {}  # where tables speak of a kind of card

    def read(self, blocks: tuple[s.Block, ...]) -> tuple[list[p.Kind], list[p.DeckLine]]:
        """Return the kinds in order of their numbers, and the lines of the deck."""
        for block in blocks:
            if isinstance(block, s.Deck):
                self._deck(block)
        faces = {b.name.text: b for b in blocks if isinstance(b, s.Piece)}
        order = list(self.scope.pieces)
        keys = sorted({(order.index(t), v) for t, v, *_ in self.found})
        kinds = [
            p.Kind(type=order[t], values=v, face=self._face(faces[order[t]], order[t], v)) for t, v in keys
        ]
        self._unambiguous(kinds, faces)
        number = {(order[t], v): i for i, (t, v) in enumerate(keys)}
        lines: dict[tuple[int, int, tuple[int, int]], int] = {}
        for type, values, copies, zone, players in self.found:
            key = (number[type, values], zone, players)
            lines[key] = lines.get(key, 0) + copies
        deck = [
            p.DeckLine(kind=k, copies=c, zone=z, low=low, high=high)
            for (k, z, (low, high)), c in sorted(lines.items())
        ]
        return kinds, deck

    def _deck(self, block: s.Deck) -> None:
        """Add the cards of one deck, and report one that holds none."""
        before, noted = self.pieces, self.report.noted
        self.tables.empty.clear()
        for run in self._lines(block.lines, self._zone(block)):
            if not self.full:
                run({})
        sure = self.whole and self.scope.read_whole(block.span)
        told = self.full or self.report.noted > noted or not sure
        if self.pieces == before and block.lines and not told:
            mend = (
                "write how many there are of each, as in `4 Coin(w) for w in 1..3`, or take the deck out"
                if not self.tables.empty
                else NO_ROWS
            )
            self.report.add("E415", block.span, "there is no card in this deck", mend=mend)
            return
        for file in self.tables.empty:
            self.report.add("W901", file.span, "this table holds no cards", mend=NO_ROWS)

    def _zone(self, block: s.Deck) -> int:
        """Return the zone that a deck begins in; it must be one that all players share."""
        noun = self.scope.find(block.zone.text)
        zones = [n for n, x in self.scope.nouns.items() if x.kind == "zone" and not x.owner]
        if noun is not None and noun.zone is not None:
            noun.written = True
            if not noun.owner:
                return noun.zone.number
            self.report.add(
                "E407",
                block.zone.span,
                f"`{noun.name}` is a zone of each player, and the deck lies in one place",
                second=(noun.span, "declared for each player"),
                mend="name a zone that all players share" + (": " + ", ".join(zones[:8]) if zones else ""),
            )
        else:
            self.scope.unknown(block.zone, "zone that all players share", zones)
        return 0

    # ---- lines ----------------------------------------------------------------------------

    def _lines(self, lines: tuple[s.DeckCount | s.DeckFor | s.DeckTable, ...], zone: int) -> list[Line]:
        """Return the lines checked once, ready to be run for every combination of the names around them."""
        return [x for line in lines if (x := self._line(line, zone)) is not None]

    def _line(self, line: s.DeckCount | s.DeckFor | s.DeckTable, zone: int) -> Line | None:
        if isinstance(line, s.DeckTable):
            return self._table(line, zone)
        if line.binders is None:
            return self._count(line, zone) if isinstance(line, s.DeckCount) else None
        self.scope.locals.append({})
        before = self.report.noted
        self.ask.beforehand = True
        binders = self.ask.bind(line.binders.binders, "scratch")
        where = self.ask.where(line.binders.where)
        self.ask.beforehand = False
        lost = self.report.noted > before
        inner = self._lines(line.lines, zone) if isinstance(line, s.DeckFor) else []
        if isinstance(line, s.DeckCount) and (made := self._count(line, zone)) is not None:
            inner = [made]
        self.scope.locals.pop()
        if lost:
            self.whole = False
            return None
        span = line.binders.span

        def run(slots: dict[int, int]) -> None:
            try:
                for each in self.reckoning.combinations(binders, slots):
                    if self.full:
                        return
                    if where is None or self.reckoning.value(where, each):
                        for step in inner:
                            step(each)
            except (NotConstant, NoValue, TooLong) as wrong:
                self._wrong(span, wrong)

        return run

    def _table(self, line: s.DeckTable, zone: int) -> Line:
        low, high = self._players(line)

        def run(_: dict[int, int]) -> None:
            for row in self.tables.read(line):
                self.pieces += row.copies
                if self.pieces > MOST_PIECES:
                    message = f"this makes a deck of more than {MOST_PIECES} cards"
                    self._too_large(row.copies_span, message, second=(line.span, "read here"))
                    break
                self.rows.setdefault((row.type, row.values), row.span)
                players = max(low, row.players[0]), min(high, row.players[1])
                if row.copies and players[0] <= players[1]:
                    self.found.append((row.type, row.values, row.copies, zone, players))
            self.whole = self.whole and self.tables.whole

        return run

    def _count(self, line: s.DeckCount, zone: int) -> Line | None:
        attributes = self.scope.pieces.get(line.type.text)
        if attributes is None:
            self.scope.unknown(line.type, "card type", list(self.scope.pieces))
            self.whole = False
            return None
        types = tuple(a.type for a in attributes)
        if any(t.form == "nothing" for t in types):
            self.whole = False
            return None
        before = self.report.noted
        players = self._players(line)
        args = self.ask.arguments(line.span, line.type.text, line.arguments, types)
        if self.report.noted > before:
            self.whole = False
            return None

        def run(slots: dict[int, int]) -> None:
            values = []
            for argument, node in zip(args, line.arguments, strict=True):
                try:
                    values.append(self.reckoning.value(argument, slots))
                except (NotConstant, NoValue, TooLong) as wrong:
                    self._wrong(node.span, wrong)
                    return
            if self._in_range(line, attributes, tuple(values)):
                self._add(line, tuple(values), zone, players)

        return run

    def _in_range(
        self, line: s.DeckCount, attributes: tuple[p.Attribute, ...], values: tuple[int, ...]
    ) -> bool:
        for attribute, value, argument in zip(attributes, values, line.arguments, strict=False):
            message = ""
            low, high = attribute.type.low or 0, attribute.type.high or 0
            if attribute.type.form == "number" and not low <= value <= high:
                message = f"{attribute.name} is {value} here, outside {low}..{high}"
            elif attribute.type.form == "enum" and value < 0:
                message = f"{attribute.name} is a number here that is not in {attribute.type.name}"
            if message:
                self._outside(argument.span, message)
                return False
        return True

    def _players(self, line: s.DeckCount | s.DeckTable) -> tuple[int, int]:
        """Return the least and the most players that a line is for."""
        counts = line.players
        if counts is None:
            return 1, MOST_PLAYERS
        high = max(counts.low, MOST_PLAYERS) if counts.high is None else counts.high
        if high < counts.low:
            message = f"the range {counts.low}..{high} is empty"
            self.report.add("E404", counts.span, message, mend="the smaller number first")
        made = self.ask.declare.made
        never = unused((counts.low, high), (made.low, made.high))
        if never:
            mend = "change the number before `players`, or the players of the game"
            self.report.add("W402", line.span, never, mend=mend)
        return counts.low, high

    def _add(self, line: s.DeckCount, values: tuple[int, ...], zone: int, players: tuple[int, int]) -> None:
        self.pieces += line.count
        if self.pieces > MOST_PIECES:
            self._too_large(line.span, f"this makes a deck of more than {MOST_PIECES} cards")
        elif line.count:
            self.found.append((line.type.text, values, line.count, zone, players))

    def _wrong(self, span: Span, wrong: NotConstant | NoValue | TooLong) -> None:
        """Report a line that can't be worked out."""
        self.whole = False
        if isinstance(wrong, TooLong):
            self._too_large(span, "this searches through too much to make the deck")
        elif isinstance(wrong, NoValue):
            self._outside(span, str(wrong))
        else:
            self.report.add(
                "E411",
                span,
                "a deck is fixed before the game: this can't depend on the table",
                mend="use numbers, enums and the names of this line",
            )

    def _outside(self, span: Span, message: str) -> None:
        """Report a number that does not fit, once for all combinations of a line."""
        self.whole = False
        if span not in self.outside:
            self.outside.add(span)
            self.report.add("E404", span, message, mend="change the number, or the range of the attribute")

    def _too_large(self, span: Span, message: str, second: tuple[Span, str] | None = None) -> None:
        if self.full:
            return
        self.full = True
        self.whole = False
        self.report.add(
            "E412",
            span,
            message,
            second=second,
            mend="a game of cards one can hold has fewer; look at the ranges and copies",
        )

    # ---- faces ----------------------------------------------------------------------------

    def _face(self, block: s.Piece, type: str, values: tuple[int, ...]) -> str:
        shown = {a.name: self._label(a.type, v) for a, v in zip(self.scope.pieces[type], values, strict=True)}
        if not block.face:
            return " ".join(shown.values()) if shown else type
        face = block.face
        for name, value in shown.items():
            face = face.replace("{" + name + "}", value)
        if ("{" in face or "}" in face) and type not in self.faceless:
            self.faceless.add(type)
            self.misfaced = True
            self.report.add(
                "E414",
                block.face_span,
                "this face names something that the card does not have",
                mend="between braces stands an attribute: " + ", ".join("{" + n + "}" for n in shown),
            )
        return face

    def _label(self, type: p.Type, value: int) -> str:
        if type.form == "enum":
            labels = self.scope.enums[type.name].labels
            return labels[value] if 0 <= value < len(labels) else "?"
        return ("no", "yes")[value] if type.form == "flag" else str(value)

    def _unambiguous(self, kinds: list[p.Kind], blocks: dict[str, s.Piece]) -> None:
        seen: dict[str, p.Kind] = {}
        for kind in kinds:
            block = blocks[kind.type]
            if kind.type in self.faceless:
                continue
            if "," in kind.face or not kind.face.strip():
                self.misfaced = True
                self.report.add(
                    "E413",
                    block.face_span if block.face else block.span,
                    "a face can't hold a comma or be empty",
                    mend="commas part the faces in a list of cards",
                )
                return
            other = seen.setdefault(kind.face, kind)
            if other is not kind:
                self.misfaced = True
                self.report.add(
                    "E413",
                    block.face_span if block.face else block.span,
                    f'two kinds of card show the same face, "{kind.face}"',
                    second=self._other(kind, other, blocks),
                    mend="show every attribute in which they differ",
                )
                return

    def _other(self, kind: p.Kind, other: p.Kind, blocks: dict[str, s.Piece]) -> tuple[Span, str] | None:
        """Return the place that shows best which two kinds look alike: a row of a table, or the other card type."""
        for one in (kind, other):
            if (one.type, one.values) in self.rows:
                return self.rows[one.type, one.values], "one of them"
        return (blocks[other.type].span, "the other one") if other.type != kind.type else None
