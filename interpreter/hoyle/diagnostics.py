"""What is wrong with a spec, as data: diagnostics are gathered, never raised. Renderers are in `render`."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import BaseModel, Field, PrivateAttr

from hoyle.source import Span

MOST = 200
MORE = "E120"
LONG = re.compile(r"[^\s`]{80,}")


def shortened(words: str, most: int) -> str:
    """Return words that a person can read, no more than `most` signs of them: long ones without their ends.

    Signs that can't be shown, or that a terminal would obey, are put as one that says so.
    """
    if not words.isprintable():
        words = "".join(sign if sign.isprintable() else "\ufffd" for sign in words)
    words = LONG.sub(lambda found: found[0][:40] + "…", words)
    return words if len(words) <= most else words[:most] + "…"


class Label(BaseModel):
    """A second place that matters, and why."""

    span: Span
    text: str


class Diagnostic(BaseModel):
    """One fault or warning: where, what in the designer's words, and how to mend it."""

    code: str
    severity: Literal["error", "warning"]
    message: str
    span: Span
    label: str = ""
    second: Label | None = None
    mend: str = ""


class Report(BaseModel):
    """All that a check found, in the order of the text, with the sources it speaks of.

    It holds at most MOST errors and as many warnings: nobody reads more, and a file that is no spec has thousands.
    """

    diagnostics: list[Diagnostic] = Field(default_factory=list)
    sources: dict[str, str] = Field(default_factory=dict)
    _told: set[tuple[str, Span, str]] = PrivateAttr(default_factory=set)
    _errors: int = PrivateAttr(default=0)
    _warnings: int = PrivateAttr(default=0)
    _noted: int = PrivateAttr(default=0)
    _last: Diagnostic | None = PrivateAttr(default=None)

    @property
    def errors(self) -> list[Diagnostic]:
        """The diagnostics that make a spec unplayable."""
        return [d for d in self.diagnostics if d.severity == "error"]

    @property
    def warnings(self) -> list[Diagnostic]:
        """The diagnostics that a spec can live with."""
        return [d for d in self.diagnostics if d.severity == "warning"]

    def failed(self, strict: bool = False) -> bool:
        """Return whether the spec is refused: on an error, with `strict` on a warning too."""
        return bool(self.diagnostics) if strict else bool(self.errors)

    def add(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        label: str = "",
        mend: str = "",
        second: tuple[Span, str] | None = None,
    ) -> None:
        """Add a diagnostic; codes beginning with W are warnings. The same fault at one place is told once."""
        self._noted += not code.startswith("W")
        message, mend, label = shortened(message, 280), shortened(mend, 380), shortened(label, 280)
        fault = (code, span, message)
        if self.full or fault in self._told:
            return
        warning = code.startswith("W")
        if warning and self._warnings >= MOST:
            return
        last = not warning and self._errors >= MOST
        if last:
            code, label, second = MORE, "the first that is not told", None
            message, mend = "there are more faults than are told", "mend those above, then check again"
        self._warnings += warning
        self._errors += not warning
        self._told.add(fault)
        made = Diagnostic(
            code=code,
            severity="warning" if warning else "error",
            message=message,
            span=span,
            label=label,
            second=Label(span=second[0], text=second[1]) if second else None,
            mend=mend,
        )
        self.diagnostics.append(made)
        if last:
            self._last = made

    def note(self) -> None:
        """Count a fault that need not be told, since it only follows from one that is."""
        self._noted += 1

    @property
    def full(self) -> bool:
        """Return whether there are so many errors that no more are told: what only tells more may be left out."""
        return self._errors > MOST

    @property
    def noted(self) -> int:
        """Return how many errors were noted, told or not: it grows with every error, and with no warning."""
        return self._noted

    def sort(self) -> None:
        """Put the diagnostics in the order of the text; that there are more comes last."""
        self.diagnostics.sort(
            key=lambda d: (d is self._last, d.span.path, d.span.line, d.span.column, d.code)
        )
