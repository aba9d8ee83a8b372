"""What nothing uses or reaches: warnings, each with a mend."""

from __future__ import annotations

from hoyle.check.flow import Flow
from hoyle.check.scope import CALLED, Scope
from hoyle.diagnostics import Report


def unused(scope: Scope, report: Report) -> None:
    """Warn of names that nothing uses."""
    for noun in scope.nouns.values():
        if " " in noun.name or noun.used or noun.kind in ("phase", "seat") or noun.written:
            continue
        report.add(
            "W201",
            noun.span,
            f"nothing uses {CALLED[noun.kind]} called `{noun.name}`",
            mend="use it or take it out",
        )


def unreached(flow: Flow, report: Report) -> None:
    """Warn of phases that the game never comes to."""
    reached = {"play"}
    open_ = ["play"]
    while open_:
        for callee, _ in flow.calls.get(open_.pop(), ()):
            if callee in flow.phases and callee not in reached:
                reached.add(callee)
                open_.append(callee)
    for name, phase in flow.phases.items():
        if name not in reached:
            report.add(
                "W501",
                phase.name.span,
                f"nothing runs the phase `{name}`",
                mend=f"write `do {name}` where it belongs, or take it out",
            )
