"""Cards from a table: each row of a CSV file beside the spec is a card, each column an attribute of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check import columns as c
from hoyle.check.csvfile import (
    MOST_BYTES,
    MOST_COLUMNS,
    MOST_ROWS,
    SEPARATORS,
    Cell,
    Table,
    decoded,
    shown,
)
from hoyle.check.declare import MOST_PLAYERS
from hoyle.check.scope import Scope
from hoyle.check.types import describe
from hoyle.diagnostics import MOST, Report
from hoyle.source import Beside, NotThere, Span

MOST_TABLES = 20
NO_ROWS = "each row of the table below its header is a card; `Copies` is 0 for none"
NOTES = "the header of a column of notes stands in brackets, as in `[Notes]`"


class Row(NamedTuple):
    """A card as a row says it, for how many players it is used, and where the row and its number of copies stand."""

    type: str
    values: tuple[int, ...]
    copies: int
    players: tuple[int, int]
    span: Span
    copies_span: Span


class Tables:
    """Reads the tables of a spec's decks.

    `read_bytes` are those read, by name: the game is made from them too. `whole` tells that every row could be read,
    `empty` are the tables without a card, and `players` how many players the game is for.
    """

    def __init__(
        self,
        report: Report,
        scope: Scope,
        blocks: tuple[s.Block, ...],
        beside: Beside,
        players: tuple[int, int],
    ) -> None:
        self.report = report
        self.scope = scope
        self.beside = beside
        self.declared = {b.name.text: b for b in blocks if isinstance(b, s.Piece)}
        self.read_bytes: dict[str, bytes] = {}
        self.players = players
        self.empty: list[s.Word] = []
        self.count = 0
        self.bytes = 0
        self.whole = True

    def read(self, line: s.DeckTable) -> Iterator[Row]:
        """Yield the rows of a table that can be read, and report what can't."""
        before = self.report.noted
        yield from self._rows(line)
        self.whole = self.whole and self.report.noted == before

    def _rows(self, line: s.DeckTable) -> Iterator[Row]:
        types = list(self.scope.pieces) if line.type is None else [line.type.text]
        if line.type is not None and line.type.text not in self.scope.pieces:
            self.scope.unknown(line.type, "card type", list(self.scope.pieces))
            self.whole = False
            return
        if not types:
            mend = "declare it above the deck, such as `card Fish(weight: 1..8)`"
            self.report.add("E201", line.span, "no card type is declared for these cards", mend=mend)
            return
        self.count += 1
        if self.count > MOST_TABLES:
            message = f"this game is made from more than {MOST_TABLES} tables"
            self.report.add("E904", line.span, message, mend="put the cards into fewer files")
            return
        table = self._open(line.file)
        if table is not None:
            before = self.report.noted
            found = list(_Reading(self, table, line, types).rows())
            if self.report.noted == before and not any(row.copies for row in found):
                self.empty.append(line.file)
            yield from found

    def _open(self, file: s.Word) -> Table | None:
        """Return the table of that name, or None after a report."""
        name = file.text
        parts = name.replace("\\", "/").split("/")
        if "\\" in name or ".." in parts or name.startswith("/") or name[1:2] == ":":
            message = "a table lies in the folder of the spec, or in a folder below it"
            mend = "write its path from there on, with `/` between folders, such as `cards/fish.csv`"
            self.report.add("E902", file.span, message, mend=mend)
            return None
        try:
            path, raw = self.beside(name, MOST_BYTES + 1)
        except NotThere as fault:
            self.report.add("E901", file.span, fault.message, mend=fault.mend)
            return None
        self.bytes += len(raw)
        if self.bytes > 2 * MOST_BYTES:
            message = f"the tables of this game hold more than {2 * MOST_BYTES:,} bytes together"
            self.report.add("E904", file.span, message, mend="leave out what the game does not need")
            return None
        self.read_bytes[name] = raw
        return decoded(path, raw, self.report)


class _Reading:
    """One table while it is read. The same fault of several rows is told once, with their number."""

    def __init__(self, tables: Tables, table: Table, line: s.DeckTable, types: list[str]) -> None:
        self.tables = tables
        self.report = tables.report
        self.scope = tables.scope
        self.declared = tables.declared
        self.table = table
        self.line = line
        self.types = types
        self.columns: list[c.Column] = []
        self.place: dict[str, int] = {}
        self.lacking: set[str] = set()
        self.noted = 0
        self.faults: dict[
            tuple[str, str | int, str], tuple[Cell, tuple[Span, str] | None, c.Misfit, int]
        ] = {}

    def rows(self) -> Iterator[Row]:
        """Yield the rows below the header."""
        names = dict.fromkeys(a.name for t in self.types for a in self.scope.pieces[t])
        typed = self.line.type is not None
        separator = c.separator(self.table, names, typed)
        rows = self.table.rows(separator, self.report)
        before = self.report.noted
        header = next(rows, None)
        if header is None and self.report.noted > before:
            return
        if header is None:
            mend = "its first row names the attributes; each row below is a card"
            self._tell("E908", Cell("", 0, 0), c.Misfit("this table is empty", mend))
            return
        self.columns = c.columns(header, names, typed)
        if self._header(header, list(names)):
            for number, cells in enumerate(rows, 1):
                if number > MOST_ROWS:
                    much = c.Misfit(
                        f"this table has more than {MOST_ROWS:,} rows", "put the cards into fewer rows"
                    )
                    self._tell("E904", cells[0], much)
                if number > MOST_ROWS or self.report.full or len(self.faults) > MOST:
                    break
                made = self._row(cells, separator)
                if made is not None:
                    yield made
        for (code, _, _), (cell, second, misfit, times) in self.faults.items():
            more = f", as in {times - 1} more row{'s' if times > 2 else ''}" if times > 1 else ""
            self._tell(code, cell, misfit._replace(message=misfit.message + more), second)

    # ---- the header ---------------------------------------------------------------------------

    def _header(self, header: list[Cell], names: list[str]) -> bool:
        """Return whether the rows can be read by this header; what is wrong with it is reported."""
        if len(header) > MOST_COLUMNS:
            message = f"this table has more than {MOST_COLUMNS} columns"
            self._tell(
                "E904", header[MOST_COLUMNS], c.Misfit(message, "leave out what the game does not need")
            )
            return False
        seen: dict[str, c.Column] = {}
        for index, column in enumerate(self.columns):
            if column.role == "unknown":
                meant = self._unknown(column.header, names)
                if meant in names and all(meant != other.name for other in self.columns):
                    self.place.setdefault(meant, index)
            elif column.role not in ("note", "nameless"):
                what = column.name or column.role
                first = seen.setdefault(what, column)
                if first is not column:
                    misfit = c.Misfit(
                        f"two columns are for `{shown(column.header.text)}`", "leave one of them out"
                    )
                    self._tell(
                        "E907", column.header, misfit, (self.table.span(first.header), "the first is here")
                    )
                self.place.setdefault(what if column.name else f"the {what}", index)
        return self._plain_types(header)

    def _plain_types(self, header: list[Cell]) -> bool:
        """Return whether the header leaves no doubt of which types the cards are, and what `Copies` means."""
        if "copies" in self.place:  # an attribute
            misfit = c.Misfit(
                "`Copies` says how many of a card there are, so it can't fill an attribute called `copies`",
                "give the attribute another name",
            )
            self._tell("E907", self.columns[self.place["copies"]].header, misfit, self._second(self.types[0]))
            return False
        if len(self.types) > 1 and "the card" not in self.place:
            message = f"of which type is each card? The game has {len(self.types)} card types"
            one = c.nearest(self.line.file.text.rsplit(".", 1)[0], self.types) or self.types[0]
            mend = f"name the type in a column `Card`, or write `{one} from ...` in the spec for a table of one type"
            self._tell_row("E908", header, c.Misfit(message, mend), (self.line.span, "read here"))
            return False
        if "the card" not in self.place:
            self._lacking(self.types[0])
        return True

    def _unknown(self, cell: Cell, names: list[str]) -> str:
        """Report a header that is not known, and return the one that may have been meant."""
        near = c.MEANT.get(c.key(cell.text)) or c.nearest(cell.text, [*names, "Copies", "Players"])
        what = f"a {self.types[0]} has" if len(self.types) == 1 else "a card has"
        message = f"this column is nothing that {what}: `{shown(cell.text)}`"
        if self.line.type is not None and c.ROLES.get(c.key(cell.text)) == "card":
            mend = f"all rows are {self.types[0]}; with `cards from ...` this column names the type of each"
        elif near:
            mend = f"did you mean `{near}`? Or else {NOTES}"
        else:
            mend = NOTES + (f"; attributes are {c.listed(names)}" if names else "")
        second = self._second(self.types[0]) if len(self.types) == 1 else (self.line.span, "read here")
        self._tell("E906", cell, c.Misfit(message, mend), second)
        return near

    def _lacking(self, type: str) -> bool:
        """Return whether the table lacks a column for an attribute of a type, and report it once."""
        lacks = [a for a in self.scope.pieces[type] if a.name not in self.place]
        if lacks and type not in self.lacking:
            self.lacking.add(type)
            for attribute in lacks:
                message = f"a {type} has `{attribute.name}`, and this table has no such column"
                mend = f"add a column `{attribute.name}`: {describe(attribute.type)}"
                header = [column.header for column in self.columns]
                self._tell_row("E908", header, c.Misfit(message, mend), self._second(type, attribute.name))
        return bool(lacks)

    # ---- rows -----------------------------------------------------------------------------------

    def _row(self, cells: list[Cell], separator: str) -> Row | None:
        """Return the card of a row, or None where it can't be read."""
        before = self.report.noted + self.noted
        self._beyond(cells, separator)
        copies, where = 1, self.table.row_span(cells)
        if "the copies" in self.place:
            cell = self._cell(cells, self.place["the copies"])
            where = self.table.span(cell)
            found = c.copies(cell)
            copies = found if isinstance(found, int) else self._fault("E910", "the copies", cell, found)
        players = 1, MOST_PLAYERS
        if "the players" in self.place:
            cell = self._cell(cells, self.place["the players"])
            counts = c.players(cell, MOST_PLAYERS)
            if isinstance(counts, c.Misfit):
                self._fault("E910", "the players", cell, counts)
            else:
                players = counts
                self._unused(cell, counts)
        type = self._type(cells)
        if type is None or self._lacking(type):
            return None
        values = tuple(self._value(type, attribute, cells) for attribute in self.scope.pieces[type])
        self._not_its_own(type, cells)
        if self.report.noted + self.noted > before:
            return None
        return Row(type, values, copies, players, self.table.row_span(cells), where)

    def _unused(self, cell: Cell, players: tuple[int, int]) -> None:
        """Warn of a card for more or for fewer players than the game is for."""
        never = c.unused(players, self.tables.players)
        if never:
            mend = "change the cell, or the players of the game"
            self._fault("W402", "the players", cell, c.Misfit(never, mend))

    def _cell(self, cells: list[Cell], index: int) -> Cell:
        """Return a cell of a row; beyond its end they are empty."""
        return cells[index] if index < len(cells) else Cell("", cells[-1].stop, cells[-1].stop)

    def _beyond(self, cells: list[Cell], separator: str) -> None:
        """Report cells that stand below no header."""
        for index, cell in enumerate(cells):
            if not cell.text or (index < len(self.columns) and self.columns[index].role != "nameless"):
                continue
            if index < len(self.columns):
                misfit = c.Misfit("this column has no header", f"name it; {NOTES}")
                self._fault("E906", index, cell._replace(text=""), misfit)
            else:
                message = f"this row has more cells than the header, which has {len(self.columns)}"
                sign = SEPARATORS[separator]
                mend = f"a text that holds a {sign} stands in quotes; or the header lacks a column"
                self._tell("E905", cell, c.Misfit(message, mend))
                return

    def _type(self, cells: list[Cell]) -> str | None:
        """Return the card type of a row."""
        if "the card" not in self.place:
            return self.types[0]
        cell = self._cell(cells, self.place["the card"])
        type = c.match(cell.text, self.types)
        if type:
            return type
        if cell.text.lower() in self.scope.broken:
            self.tables.whole = False
            return None
        if cell.text:
            near = c.nearest(cell.text, self.types)
            message = f"no card type is called `{shown(cell.text)}`"
            mend = f"did you mean `{near}`?" if near else f"card types are {c.listed(self.types)}"
        else:
            message, mend = "of which type is this card?", f"write one of {c.listed(self.types)}"
        self._fault("E909", "the card", cell, c.Misfit(message, mend))
        return None

    def _value(self, type: str, attribute: p.Attribute, cells: list[Cell]) -> int:
        index = self.place[attribute.name]
        cell = self._cell(cells, index)
        if attribute.type.form == "enum":
            found = c.member(self.scope.enums[attribute.type.name], attribute, cell)
        else:
            found = c.value(attribute, cell)
        if isinstance(found, int):
            return found
        return self._fault("E909", attribute.name, cell, found, self._second(type, attribute.name))

    def _not_its_own(self, type: str, cells: list[Cell]) -> None:
        """Report what is filled in for an attribute that cards of this type do not have."""
        own = {a.name for a in self.scope.pieces[type]}
        for index, column in enumerate(self.columns):
            if column.role == "attribute" and column.name not in own:
                cell = self._cell(cells, index)
                if cell.text:
                    misfit = c.Misfit(
                        f"a {type} has no `{column.name}`", "leave the cell empty, or name another type"
                    )
                    self._fault("E909", column.name, cell, misfit, self._second(type))

    # ---- faults -----------------------------------------------------------------------------------

    def _fault(
        self,
        code: str,
        column: str | int,
        cell: Cell,
        misfit: c.Misfit,
        second: tuple[Span, str] | None = None,
    ) -> int:
        """Note a fault of a cell, to be told when the table is read. Return a value to go on with."""
        told = (code, column, misfit.message)
        first = self.faults.get(told, (cell, second, misfit, 0))
        self.faults[told] = (*first[:3], first[3] + 1)
        self.noted += not code.startswith("W")
        return 0

    def _second(self, type: str, attribute: str = "") -> tuple[Span, str] | None:
        """Return where a card type or an attribute of it is declared."""
        block = self.declared.get(type)
        if block is None:
            return None
        for field in block.fields:
            if any(word.text == attribute for word in field.names):
                return field.span, "declared here"
        return block.name.span, "declared here"

    def _tell(self, code: str, cell: Cell, misfit: c.Misfit, second: tuple[Span, str] | None = None) -> None:
        self.report.add(code, self.table.span(cell), misfit.message, mend=misfit.mend, second=second)

    def _tell_row(
        self, code: str, cells: list[Cell], misfit: c.Misfit, second: tuple[Span, str] | None
    ) -> None:
        self.report.add(code, self.table.row_span(cells), misfit.message, mend=misfit.mend, second=second)
