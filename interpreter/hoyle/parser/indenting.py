"""Inner blocks: which of them a row belongs to, and what is told if it is not indented as it should be."""

from __future__ import annotations

from dataclasses import dataclass, field

from hoyle.parser.fault import terminal
from hoyle.parser.faults import Faults
from hoyle.parser.machine import Machine, Probe
from hoyle.parser.rows import Row, cut, words

TABS = "indent with spaces; a tab looks different in every editor"
BELOW = "what belongs to a line stands below it, indented by two spaces"
BESIDE = {"option": "line it up with the other options", "else": "line it up with its `if`"}


@dataclass
class Level:
    """An inner block that is open. Rows belong to it that are indented by `indent`, or as one that was told before.

    It is `vague` if its first row was indented by mistake, so that nobody knows how far its rows should be.
    """

    indent: int
    vague: bool = False
    others: set[int] = field(default_factory=set)

    def fits(self, indent: int) -> bool:
        """Return whether a row that is indented so belongs to this block."""
        return indent == self.indent or indent in self.others


class Indenting(Machine):
    """Opens and closes inner blocks as the rows are indented."""

    def __init__(self, lines: list[str], start: int, stop: int, faults: Faults) -> None:
        super().__init__()
        self.lines, self.start, self.stop, self.faults = lines, start, stop, faults
        self.before: Row | None = None
        self.levels: list[Level] = []
        self.loose: dict[int, set[str]] = {}  # the lines with nothing below them, by how they are indented
        self.fresh: Level | None = None  # the block that the row at hand has opened
        self.doubtful = False  # whether the row at hand is indented wrongly
        self.doubted = False  # ... and the one before it
        self.lost: set[str] = set()

    def indent(self, row: Row) -> None:
        """Open or close inner blocks, as a row is indented."""
        if row.tabs and self.faults.first("tab", str(self.start)):
            self._misplaced(row, "this line is indented with a tab", TABS)
        top = self.levels[-1]
        fitting = any(level.fits(row.indent) for level in self.levels)
        outer = min(top.indent, self.before.indent if self.before else top.indent)
        self.fresh = None
        if self.wants_block():
            if row.indent > outer or not fitting:
                self._open(row, row.indent <= outer or row.tabs)
                if row.indent <= outer:
                    self._misplaced(row, "this line is indented less than the line that it belongs to", BELOW)
                return
            if self._reads_in(row, "_INDENT") and not self._reads_in(
                row, *(kind for kind, _ in self._empty_block())
            ):
                self._open(row, True)
                self._tell_missing()
                self.doubtful = True
                return
            self.missing_block()
        if self._belongs_elsewhere(row):
            return
        if self.takes("_INDENT"):
            near = top.fits(row.indent) or not fitting
            within = row.indent <= outer and near and not self._reads_in(row)
            if row.indent > outer or (within and self._reads_in(row, "_INDENT")):
                top.vague |= within
                self._open(row, within or row.tabs)
                if within and not self.doubted:
                    self._misplaced(
                        row, "this line is not indented more than the line that it belongs to", BELOW
                    )
                return
        if not fitting and row.indent > top.indent:
            if top.vague:
                top.indent, top.vague = row.indent, False
                return
            top.others.add(row.indent)
            if not self.loose.get(top.indent):
                message = "this line is indented, but the line above takes no block"
                self._misplaced(row, message, "line it up with the line above")
            return
        level = self._level(row)
        if not fitting and level.vague and level.indent < row.indent:
            level.indent = row.indent
        self.leave_to(level, row)
        if row.indent == level.indent:
            level.others.clear()
        if not fitting:
            level.others.add(row.indent)
            if not level.vague:
                message = "this line is indented less than the one before, but like none above it"
                self._misplaced(row, message, "line it up with the line that it belongs beside")

    def _open(self, row: Row, vague: bool) -> None:
        """Open an inner block with its first row."""
        self.give("_INDENT", row)
        self.fresh = Level(row.indent, vague)
        self.levels.append(self.fresh)

    def _level(self, row: Row) -> Level:
        """Return the open block that a row belongs to, or, if it fits none, the one it is the least too far out for."""
        fitting = [level for level in reversed(self.levels) if level.fits(row.indent)]
        if len(fitting) > 1:
            ends = [level for level in fitting if self._reads_in(row, *self._way_out(level))]
            return ends[0] if ends else fitting[0]
        if fitting:
            return fitting[0]
        following = cut(self.lines, row.last + 1, self.stop)
        for level in self.levels:  # one line out of place, most likely, among others that are in place
            if following is not None and level.indent > row.indent and level.fits(following.indent):
                return level
        inner = next(level for level in self.levels if level.indent > row.indent)
        outer = self.levels[self.levels.index(inner) - 1]
        return outer if outer.vague else inner

    def _way_out(self, level: Level) -> list[str]:
        """Return the tokens that close the inner blocks up to one."""
        return ["_DEDENT"] * (len(self.levels) - 1 - self.levels.index(level))

    def _reads_in(self, row: Row, *kinds: str) -> bool:
        """Return whether a row can be read behind some tokens."""
        probe = self.probe()
        return all(map(probe.take, kinds)) and self.reads(row, (), False, probe) > len(row.text)

    def _belongs_elsewhere(self, row: Row) -> bool:
        """Move an `option` or `else` to the open block that it can only belong to; return whether that was done."""
        kind = terminal(row.word)
        if row.word not in ("option", "else"):
            return False
        probe = self.probe()
        found = []
        for level in reversed(self.levels):
            if Probe(self.states, probe.stack).take(kind):
                found.append(level)
            if not probe.take("_DEDENT"):
                break
        if not found:
            return False
        for level in found:
            if level.fits(row.indent):
                self.leave_to(level, row)
                return True
        exact = any(x.fits(row.indent) for x in self.levels)
        level = min(found, key=lambda x: abs(x.indent - row.indent))
        self.leave_to(level, row)
        if level.vague:
            level.indent = row.indent
            return True
        level.others.add(row.indent)
        message = f"this `{row.word}` is not where the line is that it belongs to"
        self._misplaced(row, message, BESIDE[row.word], "E119" if exact else "E110")
        return True

    def _misplaced(self, row: Row, message: str, mend: str, code: str = "E110") -> None:
        """Tell that a row is indented wrongly; of other faults in it nothing is told. Of tabs it is said once."""
        if row.tabs and mend != TABS:
            return
        self.doubtful = True
        span = self.faults.line(row.first + 1, self.lines[row.first])
        self.faults.add(code, span._replace(column=1), message, mend)

    def leave_to(self, level: Level, row: Row) -> None:
        """Close the inner blocks up to one that stays open."""
        while self.levels[-1] is not level:
            self.loose.pop(self.levels.pop().indent, None)
            self.give("_DEDENT", self.before or row)

    def missing_block(self) -> None:
        """Tell that a line has nothing below it, and go on as if it had."""
        row = self.before
        assert row is not None
        self.loose.setdefault(self.levels[-1].indent, set()).add(row.word)
        self.lost |= words([row.text])
        for kind, text in self._empty_block():
            self.give(kind, row, text)
        self._tell_missing()

    def _empty_block(self) -> tuple[tuple[str, str], ...]:
        """Return the tokens of an inner block that says nothing, as it can stand here."""
        return ("_INDENT", ""), *self.empty_row("_INDENT"), ("_DEDENT", "")

    def _tell_missing(self) -> None:
        row = self.before
        assert row is not None
        if self.doubted:
            return
        line, column = row.place(row.end)
        start = len(self.lines[row.last]) - len(self.lines[row.last].lstrip())
        span = self.faults.span(line, start + 1, line, column)
        message = "this line wants an indented block below it"
        self.faults.add("E116", span, message, "write what belongs to it below, indented by two spaces")
