"""What is known of where a state stands, so that nothing is set to what it is."""

from __future__ import annotations

from hoyle import program as p


class Standing:
    """What is known of where a state stands while a method runs: the block, and the expression that `S[SEAT]` is of."""

    def __init__(self, block: int = -1, chooser: p.Expr | None = None) -> None:
        self.block = block
        self.chooser = chooser if isinstance(chooser, p.Slot) else None

    def copy(self) -> Standing:
        """Return the same, to be changed on its own."""
        return Standing(self.block, self.chooser)

    def after(self, slots: set[int]) -> None:
        """Note that slots have been set."""
        if isinstance(self.chooser, p.Slot) and self.chooser.slot in slots:
            self.chooser = None
