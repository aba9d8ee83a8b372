"""What can be asked of a best way besides its score: which wild counts as what; and showing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.putting import put
from hoyle.check.types import describe
from hoyle.program.types import FLAG, NO_VALUE, sequence, set_of
from hoyle.source import NOWHERE

if TYPE_CHECKING:
    from hoyle.check.expressions import Expressions

NOTHING = -1  # in place of a face


def best_way(ask: Expressions, made: p.Expr) -> p.AsIf | p.Split | None:
    """Return the best way that a definition finds, for its arguments; None if the expression is none."""
    if not isinstance(made, p.Invoke):
        return None
    function = ask.resolve(s.Word(NOWHERE, made.function))
    if function is None or not isinstance(function.body, p.AsIf | p.Split):
        return None
    given = dict(zip(function.parameters, made.args, strict=True))
    where = "zone" if isinstance(function.body, p.AsIf) else "source"
    return function.body.model_copy(update={where: put(getattr(function.body, where), given)})


def part_of(ask: Expressions, node: s.PartOf) -> p.Expr:
    """Return the melds or the rest of the best split."""
    before = ask.report.noted
    made = ask.expr(node.best)
    way = best_way(ask, made)
    if not isinstance(way, p.Split):
        if ask.report.noted == before and made.type.form != "nothing":
            ask.report.add(
                "E334",
                node.best.span,
                f"`{node.word} of` asks a definition that says `split ... into`",
                mend="name such a definition, with its arguments",
            )
        return ask.lost(set_of(None))
    cards = set_of(p.Type(form="piece", pieces=way.card.type.pieces))
    if node.word == "melds":
        return way.model_copy(update={"part": "melds", "type": sequence(cards)})
    return way.model_copy(update={"part": "rest", "type": cards})


def takes(ask: Expressions, node: s.Takes) -> p.Expr:
    """Return whether a wild card counts as a face in the best assignment."""
    before = ask.report.noted
    made = ask.expr(node.best)
    way = best_way(ask, made)
    if not isinstance(way, p.AsIf):
        if ask.report.noted == before and made.type.form != "nothing":
            ask.report.add(
                "E326",
                node.best.span,
                "`takes` asks a definition that says `as if each ...`",
                mend="name such a definition, with its arguments",
            )
        return ask.lost(FLAG)
    wild = _kind(ask, node.wild, way.wild.pieces, "wild card")
    none = isinstance(node.face, s.Literal) and node.face.word == "none"
    face = p.Const(value=NOTHING, type=NO_VALUE) if none else _kind(ask, node.face, way.face.pieces, "card")
    if wild is None or face is None:
        return ask.lost(FLAG)
    return way.model_copy(update={"part": "takes", "asked": (wild, face), "type": FLAG})


def _kind(ask: Expressions, node: s.Expr, pieces: tuple[str, ...], what: str) -> p.Expr | None:
    """Return a face that is written out, if it is of one of the types."""
    made = ask.expr(node)
    if made.type.form == "nothing":
        return None
    if isinstance(made, p.Const) and made.type.form == "kind" and set(made.type.pieces) <= set(pieces):
        return made
    ask.report.add(
        "E306",
        node.span,
        f"the face of a {what} is wanted here, not {describe(made.type)}",
        mend=f"write the face of a {' or '.join(pieces)} in quotes",
    )
    return None


def shown_way(ask: Expressions, node: s.Show, seats: p.Expr | None) -> list[p.Statement] | None:
    """Return the statements that show a best way; None if something else is shown.

    The cards are shown too, where they do not lie open anyway: it is laid on the table how they count.
    """
    if len(node.pieces) != 1 or not isinstance(node.pieces[0], s.Name | s.Call):
        return None
    named = node.pieces[0]
    name = named.text if isinstance(named, s.Name) else named.name.text
    noun = ask.scope.nouns.get(name)
    if noun is None or noun.kind != "definition" or any(name in names for names in ask.scope.locals):
        return None
    made = ask.expr(named)
    way = best_way(ask, made)
    if way is None:
        return None
    assert isinstance(made, p.Invoke)
    line = node.span.line
    told: list[p.Statement] = []
    cards = way.zone if isinstance(way, p.AsIf) else way.source
    lying_open = {z.name for z in ask.declare.made.zones if z.seen == "open"}
    if not isinstance(cards, p.ZoneAt) or cards.name not in lying_open:
        told.append(p.Show(pieces=(cards,), seats=seats, line=line))
    return [*told, p.ShowBest(way=way, args=made.args, seats=seats, line=line)]
