"""The words that tricks and auctions give without anybody's declaring them.

Those with a space in them can't be names of a spec. What only the checker calls something has a space too, so that it
never meets a name that somebody has written.
"""

from __future__ import annotations

# ---- tricks
MOVER = "mover"
WINNER = "winner"
LED = "led"
LED_SUIT = "led_suit"
WINNING = "winning"
PLAYED = "played"
TAKEN = "last_trick"

# ---- auctions
SPEAKER = "speaker"
BID = "bid"
BIDDER = "bidder"

# What tables and saved games call the variable that `reverse turns` sets: a spec may have one called `reversed`.
REVERSED = "turns reversed"
# What `end` calls the loops of tricks and auctions, which nobody has written.
UNWRITTEN = "loop of a block"

IN_TRICKS = (MOVER, WINNER, LED, LED_SUIT, WINNING, PLAYED, TAKEN)
IN_AUCTIONS = (SPEAKER, BID, BIDDER)
