"""Names that nobody declares: what blocks of tricks and auctions give. Those with a space in them nobody can write."""

from __future__ import annotations

WON = "tricks won"
LAST_WINNER = "winner of last trick"
# Not to be called unknown where a block of tricks or an auction can't be read.
GIVEN = frozenset(("play", "bid", "pass", "card", LAST_WINNER))
