"""A report as text for people, as JSON for programs, and as lines that GitHub shows beside a change."""

from __future__ import annotations

import json

from hoyle.diagnostics import MOST, Diagnostic, Report
from hoyle.source import Source, Span

SCHEMA = 1
WIDEST = 200
RED, YELLOW, BLUE, BOLD, PLAIN = "\x1b[31m", "\x1b[33m", "\x1b[34m", "\x1b[1m", "\x1b[0m"


def text(report: Report, colour: bool = False) -> str:
    """Return the whole report with the lines it points at, and a closing line that counts."""
    parts = [_diagnostic(d, report, colour) for d in report.diagnostics]
    parts.append(summary(report))
    return "\n".join(parts) + "\n"


def summary(report: Report) -> str:
    """Return one line, such as `2 errors, 1 warning`."""
    errors, warnings = len(report.errors), len(report.warnings)
    if not errors and not warnings:
        return "no faults found"
    words = []
    if errors:
        words.append(f"{errors} error" + ("s" if errors > 1 else ""))
    if warnings:
        words.append(f"{warnings} warning" + ("s" if warnings > 1 else ""))
    return ", ".join(words) + ("; there may be more warnings" if warnings >= MOST else "")


def to_json(report: Report) -> str:
    """Return the report as one JSON object with a schema number; places count from 1."""
    found = []
    for d in report.diagnostics:
        entry: dict[str, object] = {
            "code": d.code,
            "severity": d.severity,
            "message": d.message,
            **_place(d.span),
            "label": d.label,
            "mend": d.mend,
        }
        if d.second:
            entry["second"] = {**_place(d.second.span), "text": d.second.text}
        found.append(entry)
    return json.dumps(
        {
            "schema": SCHEMA,
            "errors": len(report.errors),
            "warnings": len(report.warnings),
            "diagnostics": found,
        },
        indent=2,
        ensure_ascii=False,
    )


def to_github(report: Report) -> str:
    """Return the report as workflow commands of GitHub, one line a diagnostic, which it shows beside the lines."""
    return "".join(_annotation(d) for d in report.diagnostics)


def _annotation(d: Diagnostic) -> str:
    place = {
        "file": d.span.path.replace("\\", "/"),
        "line": d.span.line,
        "col": d.span.column,
        "endLine": d.span.end_line,
        "endColumn": d.span.end_column if d.span.line == d.span.end_line else 0,  # else GitHub refuses it
        "title": f"hoyle {d.code}",
    }
    words = [d.message + (f" ({d.label})" if d.label else "")]
    if d.second:
        words.append(f"line {d.second.span.line}: {d.second.text}")
    words += [f"mend: {d.mend}"] if d.mend else []
    properties = ",".join(f"{name}={_property(str(value))}" for name, value in place.items() if value)
    return f"::{d.severity} {properties}::{_data(chr(10).join(words))}\n"


def _data(words: str) -> str:
    """Return words as GitHub reads them in a message: signs that would end the line are written otherwise."""
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(words: str) -> str:
    """Return words as GitHub reads them between commas."""
    return _data(words).replace(":", "%3A").replace(",", "%2C")


def _place(span: Span) -> dict[str, object]:
    return {
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _diagnostic(d: Diagnostic, report: Report, colour: bool) -> str:
    tone = RED if d.severity == "error" else YELLOW
    head = f"{d.severity}[{d.code}]"
    lines = [
        f"{_paint(head, BOLD + tone, colour)}: {_paint(d.message, BOLD, colour)}",
        *_pointer(d.span, d.label, report, tone, colour),
    ]
    if d.second:
        lines += _pointer(d.second.span, d.second.text, report, BLUE, colour)
    if d.mend:
        lines.append(f"   {_paint('mend:', BLUE, colour)} {d.mend}")
    return "\n".join(lines) + "\n"


def _pointer(span: Span, label: str, report: Report, tone: str, colour: bool) -> list[str]:
    place = f"  --> {span.path}:{span.line}:{span.column}" if span.line else f"  --> {span.path}"
    line = _clean(Source(span.path, report.sources.get(span.path, "")).line(span.line))
    if not line.strip():
        return [place + (f"  {label}" if label else "")]
    start = span.column - 1
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    if start > WIDEST - 40:
        cut = start - 40
        line, start, end = "…" + line[cut:], start - cut + 1, end - cut + 1
    if len(line) > WIDEST:
        line = line[:WIDEST] + "…"
    marks = "^" * max(1, min(end, len(line)) - start)
    number = str(span.line)
    gutter = " " * len(number)
    return [
        place,
        f" {number} | {line}",
        f" {gutter} | {' ' * start}{_paint(marks, tone, colour)}" + (f" {label}" if label else ""),
    ]


def _clean(line: str) -> str:
    """Return the line with tabs as one space and without signs that a terminal would obey."""
    return "".join(sign if sign.isprintable() else " " if sign == "\t" else "\ufffd" for sign in line)


def _paint(words: str, tone: str, colour: bool) -> str:
    return f"{tone}{words}{PLAIN}" if colour else words
