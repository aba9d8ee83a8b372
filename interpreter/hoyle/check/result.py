"""The result: who is ranked by what."""

from __future__ import annotations

from typing import Literal

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.expressions import Expressions
from hoyle.check.written import spoken
from hoyle.program.types import PLAYER, TEAM


def read_result(ask: Expressions, blocks: tuple[s.Block, ...]) -> p.Rank | None:
    """Return the order of the players at the end, or None where a file gives none."""
    found: p.Rank | None = None
    first: s.Rank | None = None
    for block in blocks:
        if not isinstance(block, s.Result):
            continue
        if not block.ranks and ask.scope.read_whole(block.span):
            ask.report.add(
                "E801", block.span, "this result ranks nobody", mend="write `rank p by highest p.score`"
            )
        for rank in block.ranks:
            if first is not None:
                ask.report.add(
                    "E801",
                    rank.span,
                    "a game has one order of its players",
                    second=(first.span, "the first is here"),
                    mend="join them: `rank p by ..., then ...`",
                )
                continue
            first = rank
            found = _rank(ask, rank)
    return found


def ranked_by(blocks: tuple[s.Block, ...]) -> frozenset[str]:
    """Return the variables of players or teams that a result ranks by as they are: `score` of `highest p.score`."""
    keys = [k.value for b in blocks if isinstance(b, s.Result) for rank in b.ranks for k in rank.keys]
    return frozenset(k.name.text for k in keys if isinstance(k, s.Attribute))


def _rank(ask: Expressions, node: s.Rank) -> p.Rank:
    ask.scope.locals = [{}]
    if node.teams:
        ask.seating.needs_teams(node.span)
    type = TEAM if node.teams else PLAYER
    slot = ask.scope.slot(node.name.text, type, "scratch")
    ask.scope.local(node.name, type, slot)
    keys, owner = [], "team" if node.teams else "player"
    for key in node.keys:
        before = ask.report.noted
        value = ask.number(key.value)
        alone = ask.declare.made.high == 1  # what one player gets by themselves may be anything
        if ask.report.noted == before and not alone and not spoken(key.value, node.name.text):
            ask.report.add(
                "E802",
                key.value.span,
                f"this is the same for every {owner}: it does not ask about `{node.name.text}`",
                mend=f"write something of the {owner}, such as `{node.name.text}.score`",
            )
        extreme: Literal["highest", "lowest"] = "highest" if key.extreme == "highest" else "lowest"
        keys.append(p.RankKey(extreme=extreme, value=value))
    ask.scope.locals = []
    return p.Rank(slot=slot, keys=tuple(keys), shared=node.shared, line=node.span.line, teams=type == TEAM)
