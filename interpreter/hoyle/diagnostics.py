"""What is wrong with a spec, as data: diagnostics are gathered, never raised. Renderers are in `render`."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from hoyle.source import Span


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
    """All that a check found, in the order of the text, with the sources it speaks of."""

    diagnostics: list[Diagnostic] = Field(default_factory=list)
    sources: dict[str, str] = Field(default_factory=dict)

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
        for old in self.diagnostics:
            if old.span == span and old.code == code and old.message == message:
                return
        self.diagnostics.append(
            Diagnostic(
                code=code,
                severity="warning" if code.startswith("W") else "error",
                message=message,
                span=span,
                label=label,
                second=Label(span=second[0], text=second[1]) if second else None,
                mend=mend,
            )
        )

    def sort(self) -> None:
        """Put the diagnostics in the order of the text."""
        self.diagnostics.sort(key=lambda d: (d.span.path, d.span.line, d.span.column, d.code))
