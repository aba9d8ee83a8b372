"""The bytes of a table file as rows of cells, each with its place: what spreadsheets write as CSV.

Python's own `csv` does not tell where a cell stands, so this reads the same files and keeps that. It knows nothing of
cards, and opens nothing: the bytes come from outside.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from hoyle.diagnostics import Report
from hoyle.source import Span

MOST_BYTES = 500_000  # of one table; all those of a game may hold twice as many
MOST_ROWS = 5_000
MOST_COLUMNS = 200
LONGEST_SHOWN = 40
SEPARATORS = {",": "comma", ";": "semicolon", "\t": "tab"}
NAMES_SEPARATOR = re.compile(r"sep=([,;\t])\n", re.IGNORECASE)  # a first line that some spreadsheets write
BLANK = re.compile(r"[,;\s]*(?:\n|\Z)")  # rows without any cell that says something, whatever parts them
NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x85\u2028\u2029]")
# How files begin that are no text in UTF-8.
BEGINNINGS = {
    b"\xff\xfe": "text in UTF-16, not UTF-8",
    b"\xfe\xff": "text in UTF-16, not UTF-8",
    b"PK\x03\x04": "the workbook of a spreadsheet, not a CSV file",
    b"\xd0\xcf\x11\xe0": "the workbook of a spreadsheet, not a CSV file",
    b"%PDF": "a PDF, not a CSV file",
}
EXPORT = "in the spreadsheet, save or export the sheet as `CSV UTF-8`"


class Cell(NamedTuple):
    """The text of a cell, with every run of spaces as one, and where it stands in the text of its file."""

    text: str
    start: int
    stop: int


class Table:
    """The text of a table file, and the places in it."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        named = NAMES_SEPARATOR.match(text)
        self.named = named[1] if named else ""
        self.start = named.end() if named else 0
        self.lines = [0, *(found.end() for found in re.finditer("\n", text))]

    def span(self, cell: Cell) -> Span:
        """Return where a cell stands, with its quotes; an empty one is as wide as one sign."""
        line, column = self.place(cell.start)
        end_line, end_column = self.place(cell.stop)
        if cell.stop == cell.start:
            end_column += 1
        return Span(self.path, line, column, end_line, end_column)

    def row_span(self, row: list[Cell]) -> Span:
        """Return where a row stands, from its first cell to its last."""
        return self.span(row[0]).to(self.span(row[-1]))

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and the column of a sign, both counted from 1."""
        line = bisect_right(self.lines, offset)
        return line, offset - self.lines[line - 1] + 1

    def rows(self, separator: str, report: Report | None = None) -> Iterator[list[Cell]]:
        """Yield the rows that are not blank, each with at most one cell more than a table may have columns.

        Quotes that can't be read are told to `report`, if there is one; those that nothing closes end the table,
        and the row in which they stand is given as far as it goes only if nothing is to be told.
        """
        plain = re.compile(f"[^{separator}\n]*")
        at, end = self.start, len(self.text)
        while at < end:
            blank = BLANK.match(self.text, at)
            if blank is not None:
                at = blank.end()
                continue
            row: list[Cell] = []
            while True:
                cell, at = self._cell(at, plain, report)
                if cell is None:
                    if report is None:
                        yield row
                    return
                if len(row) <= MOST_COLUMNS:
                    row.append(cell)
                if at >= end or self.text[at] == "\n":
                    break
                at += 1
            at += 1
            if any(cell.text.strip(",; ") for cell in row):
                yield row

    def _cell(self, at: int, plain: re.Pattern[str], report: Report | None) -> tuple[Cell | None, int]:
        """Return the cell that begins at a sign, None if its quotes are never closed, and where what follows stands."""
        text = self.text
        found = plain.match(text, at)
        assert found is not None
        if text[at : at + 1] != '"':
            return Cell(_bare(found[0]), at, found.end()), found.end()
        stop = text.find('"', at + 1)
        while stop >= 0 and text[stop + 1 : stop + 2] == '"':
            stop = text.find('"', stop + 2)
        if stop < 0:
            if report is not None:
                message, mend = "these quotes are never closed", 'put `"` behind the text of this cell'
                report.add("E905", self.span(Cell("", at, found.end())), message, mend=mend)
            return None, len(text)
        rest = plain.match(text, stop + 1)
        assert rest is not None
        if rest[0].strip() and report is not None:
            message = "something stands behind the closing quotes of this cell"
            mend = 'put the quotes around the whole cell, and write a quote inside it twice: `""`'
            report.add("E905", self.span(Cell("", stop + 1, rest.end())), message, mend=mend)
        return Cell(_bare(text[at + 1 : stop].replace('""', '"')), at, stop + 1), rest.end()


def decoded(path: str, raw: bytes, report: Report) -> Table | None:
    """Return the table in the bytes of a file, or None after a report that they are no text or too many."""
    whole = Span(path, 1, 1, 1, 1)
    if len(raw) > MOST_BYTES:
        message = f"this file is larger than a table of cards can be: {MOST_BYTES:,} bytes"
        report.add("E904", whole, message, mend="leave out the columns that the game does not need")
        return None
    for beginning, what in BEGINNINGS.items():
        if raw.startswith(beginning):
            report.add("E903", whole, f"this is {what}", mend=EXPORT)
            return None
    try:
        text = _lines_alike(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as fault:
        _not_utf8(path, raw, raw[fault.start], fault.start, report)
        return None
    report.sources[path] = text
    table = Table(path, text)
    odd = NO_TEXT.search(text)
    if odd is None:
        return table
    what = "this file holds a sign that is not text" + (
        ": it may be UTF-16" if odd[0] == "\0" else f" (U+{ord(odd[0]):04X})"
    )
    report.add("E903", table.span(Cell("", odd.start(), odd.end())), what, mend=EXPORT)
    return None


def _not_utf8(path: str, raw: bytes, byte: int, at: int, report: Report) -> None:
    """Report the first byte that can't be read, and show its line as it would be in Latin-1."""
    report.sources[path] = _lines_alike(raw.decode("latin-1"))
    before = _lines_alike(raw[:at].decode("latin-1"))
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    meant = bytes([byte]).decode("cp1252", "replace")
    as_latin = f"; in Latin-1 it would be `{meant}`" if meant.isprintable() and meant != "\ufffd" else ""
    message = f"this file is not text in UTF-8: the byte {byte:02X} can't stand here{as_latin}"
    report.add("E903", Span(path, line, column, line, column + 1), message, mend=EXPORT)


def shown(text: str) -> str:
    """Return the text of a cell as a message can hold it: short, and without signs that a terminal would obey."""
    plain = "".join(sign if sign.isprintable() else "?" for sign in text)
    return plain if len(plain) <= LONGEST_SHOWN else plain[:LONGEST_SHOWN] + "…"


def _bare(text: str) -> str:
    return " ".join(text.split())


def _lines_alike(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
