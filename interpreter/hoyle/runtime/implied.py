"""Variables that a table has without anybody's declaring them. No name of a spec has a space in it."""

from __future__ import annotations

WON = "tricks won"
LAST_WINNER = "winner of last trick"
