"""What is declared and does nothing: names, types and zones that nothing uses, fills, sets or asks. Warnings alone.

A scenario may look at anything, so what it asks counts as asked; what it lays on the table is not done by the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hoyle import syntax as s
from hoyle.check.decisions import walk
from hoyle.check.scope import CALLED, Scope
from hoyle.check.tokens import holds_tokens
from hoyle.check.usage import CARDS, Doings, Uses
from hoyle.diagnostics import Report


class Idle:
    """Compares what a spec declares with what it does."""

    def __init__(self, scope: Scope, report: Report, blocks: tuple[s.Block, ...], doings: Doings) -> None:
        self.scope = scope
        self.report = report
        self.blocks = blocks
        self.doings = doings
        self.zones = {b.name.text: b for b in blocks if isinstance(b, s.Zone) and not holds_tokens(b)}
        self.game = Uses().add(*(b for b in blocks if not isinstance(b, s.Scenario)))
        for block in self.zones.values():
            for word in block.words:
                if word.name:
                    self.game.reads.add(word.name)
                    self.game.fills.add(block.name.text)
        decks = [b for b in blocks if isinstance(b, s.Deck)]
        self.game.fills |= {b.zone.text for b in decks}
        self.dealt = set(_dealt(decks))
        if ANY_TYPE in self.dealt:
            self.dealt |= {b.name.text for b in blocks if isinstance(b, s.Piece)}
        told = Uses().add(*(b for b in blocks if isinstance(b, s.Scenario)))
        self.asked = self.game.reads | told.reads

    def read(self) -> None:
        """Warn of everything that does nothing, most of it once."""
        self._types()
        for block in self.blocks:
            match block:
                case s.Zone() if block.name.text in self.zones:
                    self._zone(block)
                case s.Phase() | s.Define():
                    self._locals(block)
                case _:
                    pass
        same = self._results()
        for block in self.blocks:
            if isinstance(block, s.Variable) and block.name.text not in same:
                self._variable(block)

    # ---- types ----------------------------------------------------------------------------

    def _types(self) -> None:
        named = self.game.types | {m.name for b in self.blocks if isinstance(b, s.Enum) for m in b.members}
        named |= {w.text for b in self.blocks if isinstance(b, s.Kind) for w in b.types}
        for block in self.blocks:
            name = getattr(block, "name", None)
            if isinstance(block, s.Piece) and block.name.text not in self.dealt:
                self.report.add(
                    "W401",
                    block.name.span,
                    f"no deck holds a {block.name.text}",
                    mend=f"write how many there are below `deck in ...`, as in `4 {block.name.text}`, or take it out",
                )
            elif isinstance(block, s.Kind) and block.name.text not in named:
                self._unused(block.name, "a kind")
            elif isinstance(block, s.Enum) and isinstance(name, s.Word) and name.text not in named:
                labels = {m.name for m in block.members}
                if not labels & self.asked:
                    self._unused(name, "an enum")

    def _unused(self, word: s.Word, what: str) -> None:
        self.report.add(
            "W201",
            word.span,
            f"nothing uses {what} called `{word.text}`",
            mend="use it or take it out",
        )

    # ---- zones ----------------------------------------------------------------------------

    def _zone(self, block: s.Zone) -> None:
        name = block.name.text
        words = {w.word for w in block.words}
        filled = name in self.game.fills
        if not filled and name in self.game.reads:
            self.report.add(
                "W203",
                block.name.span,
                f"no card ever comes to `{name}`",
                mend=f"move cards to it, with `deal`, `move ... to` or `deck in {name}`, or take it out",
            )
        elif filled and name not in self.asked and {"hidden", "each player"} <= words:
            self.report.add(
                "W204",
                block.name.span,
                f"cards come to `{name}`, but nothing ever asks about them, and nobody sees them",
                mend="ask about them, perhaps in the result, or let a zone that all share take them",
            )

    # ---- variables ------------------------------------------------------------------------

    def _results(self) -> set[str]:
        """Warn of a result that is the same for all players whatever happens; return the variables it asks."""
        found: set[str] = set()
        variables = {v.name.text for v in self.blocks if isinstance(v, s.Variable)}
        for block in self.blocks:
            for rank in block.ranks if isinstance(block, s.Result) else ():
                asked = self.doings.asks(*(k.value for k in rank.keys))
                own = variables & asked
                if asked & self.game.writes or CARDS in asked or not own:
                    continue
                found |= own
                first = next(v for v in self.blocks if isinstance(v, s.Variable) and v.name.text in own)
                self.report.add(
                    "W801",
                    rank.span,
                    "this result is the same for every player: nothing in the game ever changes "
                    + " and ".join(f"`{x}`" for x in sorted(own)),
                    second=(first.span, "declared here"),
                    mend=f"change it in the game, as in `{rank.name.text}.{first.name.text} += 1`",
                )
        return found

    def _variable(self, block: s.Variable) -> None:
        name = block.name.text
        if " " in name:  # nobody has written it
            return
        written = name in self.game.writes
        read = name in self.asked
        if written and not read and isinstance(block.value, s.Number):
            # others are kept for the players, who see all variables
            self._never_asked(block.name, "this variable")
        elif read and not written and name in self.game.reads:
            self._never_set(block)

    def _never_set(self, block: s.Variable) -> None:
        """Warn of a number, a switch or nothing that stays what it is; others may stand for what can't be declared."""
        value, name = block.value, block.name.text
        plain = isinstance(value, s.Number) or (isinstance(value, s.Literal) and value.word in ("yes", "no"))
        if plain:
            mend = "; if it is a number or a house rule to try out, declare it under `parameters`"
        elif value is None and block.type is not None and block.type.or_none:
            mend = ", or take it out"
        else:
            return
        stays = "it keeps its first value" if plain else "it is always none"
        self.report.add(
            "W205",
            block.name.span,
            f"nothing ever sets `{name}`: {stays}",
            mend="set it in the game, with `=`" + mend,
        )

    def _never_asked(self, word: s.Word, what: str) -> None:
        self.report.add(
            "W204",
            word.span,
            f"`{word.text}` is set, but nothing ever asks for it",
            label=what,
            mend="ask for it somewhere, or take it out",
        )

    # ---- names of a phase or definition ---------------------------------------------------

    def _locals(self, block: s.Phase | s.Define) -> None:
        inside = block.body if isinstance(block, s.Phase) else (block.value, block.cases, block.best)
        uses = Uses().add(inside)
        for word in (w for group in block.fields for w in group.names):
            if word.text not in uses.reads | uses.fills:
                self._unused(word, "an argument")
        if isinstance(block, s.Define):
            return
        made: set[str] = set()
        for word, by_let in _made(block.body):
            known = word.text in uses.reads or word.text in made or word.text in self.scope.nouns
            unwritten = (
                word.span == block.name.span
            )  # given by tricks or an auction, at the name of the block
            if known or unwritten or " " in word.text:
                continue
            made.add(word.text)
            if word.text in uses.writes and by_let:
                self._never_asked(word, "this name")
            else:
                self._unused(word, CALLED["local"])


def _own(node: s.MoveSome | s.Pick) -> s.Word | None:
    if isinstance(node, s.MoveSome):
        return node.name
    return s.Word(node.target.span, node.target.text) if isinstance(node.target, s.Name) else None


def _made(body: s.Body) -> Iterator[tuple[s.Word, bool]]:
    """Yield the names that `let`, `move ... as` and `pick` make or set in a suite, and whether it is a `let`."""
    for node in walk(body):
        if isinstance(node, s.Let):
            yield node.name, True
        elif isinstance(node, s.MoveSome | s.Pick) and (word := _own(node)) is not None:
            yield word, False


ANY_TYPE = "*"


def _dealt(decks: Iterable[s.Deck | s.DeckFor]) -> Iterator[str]:
    """Yield the card types in decks."""
    for deck in decks:
        for line in deck.lines:
            if isinstance(line, s.DeckFor):
                yield from _dealt([line])
            elif line.type is not None:
                yield line.type.text
            else:  # a table names the type in each row
                yield ANY_TYPE
