"""Blocks that stand for phases, turned into phases; and the variables that they need."""

from __future__ import annotations

from hoyle import families as f
from hoyle import syntax as s
from hoyle.check.auction import Auction
from hoyle.check.payment import Payment
from hoyle.check.tricks import Tricks
from hoyle.check.tricktable import table_of
from hoyle.diagnostics import Report
from hoyle.given import GIVEN, LAST_WINNER, WON


def lowered(
    blocks: tuple[s.Block, ...], report: Report, broken: frozenset[str], traced: bool = False
) -> tuple[tuple[s.Block, ...], frozenset[str]]:
    """Return blocks without tricks, auctions and payments, each a phase where it stood, and the names that are lost.

    `broken` are the words of lines that could not be read. If the program is `traced`, links of clauses are counted.
    """
    if not any(isinstance(b, s.Family) for b in blocks):
        return blocks, frozenset()
    table = table_of(blocks, broken)
    tokens = {b.name.text: b for b in blocks if isinstance(b, s.Token)}
    made: list[s.Block] = []
    whole = True
    for block in blocks:
        match block:
            case f.Tricks():
                if not any(isinstance(x, s.Variable) and x.name.text == WON for x in made):
                    made += _counted(block)
                tricks = Tricks(block, table, report, traced)
                made.append(tricks.phase())
                whole = whole and tricks.whole
            case f.Auction():
                auction = Auction(block, table.names, report)
                made.append(auction.phase())
                whole = whole and auction.whole
                made[:0] = [
                    x
                    for x in auction.variables()
                    if x.name.text not in {b.name.text for b in made if isinstance(b, s.Variable)}
                ]
            case f.Payment():
                payment = Payment(block, tokens, broken, report)
                made += [payment.phase(), payment.define()]
                whole = whole and payment.whole
            case _:
                made.append(block)
    return tuple(made), frozenset() if whole else GIVEN


def _counted(block: f.Tricks) -> tuple[s.Variable, s.Variable]:
    """Return the variables that say who won how many tricks and who the last."""
    at = block.name.span
    player = s.TypeExpr(at, "player", or_none=True)
    return (
        s.Variable(at, s.Word(at, WON), s.TypeExpr(at, "number"), s.Number(at, 0), True),
        s.Variable(at, s.Word(at, LAST_WINNER), player, None, False),
    )
