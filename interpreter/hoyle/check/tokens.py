"""Tokens: how many there are, who holds how many, and how they are given from one place to another.

What a player, a place on the table or the supply holds is a variable, which nothing but `give` can change. So tokens
are never lost or made, and views, saves and scenarios know them as they know every variable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.scope import Noun, Scope
from hoyle.check.types import describe
from hoyle.diagnostics import Report
from hoyle.program.types import FLAG, PLAYER, TEAM, UNKNOWN, number
from hoyle.runtime.paying import MOST_WORTH

if TYPE_CHECKING:
    from hoyle.check.declare import Declarations
    from hoyle.check.expressions import Expressions

SUPPLY = "supply"
MANY = 1_000
WHERE = "to a player, to `supply`, or to a place that is declared under `zones` as `pot: tokens`"


# Words that may stand behind an amount: behind `give 2` no token of that name could be read.
BEHIND = frozenset(("at", "is", "meets", "ordered", "wins"))


class Amount(NamedTuple):
    """A number that is fixed for a game, and the least and the most that it can be."""

    expr: p.Expr
    low: int
    high: int


class Tokens:
    """The tokens of one game and the places where they can lie."""

    def __init__(self, report: Report, scope: Scope) -> None:
        self.report = report
        self.scope = scope
        self.held: dict[
            tuple[str, str], int
        ] = {}  # the first slot, by place and kind of token; a player's by ""
        self.caps: dict[str, p.Expr] = {}
        self.worths: dict[str, p.Expr] = {}
        self.variables: list[p.Variable] = []
        self.made: list[p.Token] = []

    # ---- declaring ------------------------------------------------------------------------

    def read(self, blocks: tuple[s.Block, ...], declare: Declarations) -> None:
        """Make the variables for all tokens of a file, in every place where they can lie."""
        tokens = [b for b in blocks if isinstance(b, s.Token)]
        places = [b for b in blocks if isinstance(b, s.Zone) and holds_tokens(b)]
        for place in places:
            self._place(place, declare)
            if not tokens and "token" not in self.scope.broken:
                self.report.add(
                    "E431",
                    place.span,
                    f"tokens are to lie in `{place.name.text}`, and this game has none",
                    mend="declare them under `components`, as in `token coin 50`, or make it a pile, row or pool",
                )
        for block in tokens:
            self._token(block, places, declare)
        if tokens and SUPPLY not in self.scope.nouns:
            span = tokens[0].name.span
            self.scope.nouns[SUPPLY] = Noun("place", SUPPLY, span, UNKNOWN, used=True)

    def _place(self, block: s.Zone, declare: Declarations) -> None:
        words = [w.word for w in block.words]
        each, team = "each player" in words, "each team" in words
        others = [w for w in words if w not in ("tokens", "each player", "each team")]
        if others or (each and team) or words.count("tokens") > 1:
            self.report.add(
                "E407",
                block.span,
                f"`{block.name.text}` holds tokens, and all see how many: " + ", ".join(words) + " can't be",
                mend=f"write `{block.name.text}: tokens`, and behind it `each player` or `each team` at most",
            )
        if team:
            declare.seating.needs_teams(block.span)
        noun = Noun(
            "place",
            block.name.text,
            block.name.span,
            UNKNOWN,
            each_player=each,
            each_team=team and not each,
        )
        self.scope.declare(noun, block.name)

    def _token(self, block: s.Token, places: list[s.Zone], declare: Declarations) -> None:
        name = block.name.text
        total, start, cap = self._numbers(block, declare)
        most = total.high if cap is None else min(total.high, cap.high)
        held = number(0, most)
        slot = self.scope.slot(name, held, "state", declare.made.high)
        noun = Noun("token", name, block.name.span, held, slot, each_player=True, low=0, high=most)
        if name in BEHIND:
            self.report.add(
                "E203",
                block.name.span,
                f"`{name}` is a word of the language and can't be a token",
                mend="choose another name",
            )
        self.scope.declare(noun, block.name)
        first = start.expr
        if cap is not None:
            self.caps[name] = cap.expr
            if start.high > cap.low:  # with some setting of the parameters
                test = p.Op(op="gt", args=(first, cap.expr), type=FLAG)
                first = p.Cond(test=test, yes=cap.expr, no=first, type=held)
        self.held["", name] = slot
        self._variable(name, slot, held, first, each_player=True, line=block.span.line)
        whole = number(0, total.high)
        supply = self._held(SUPPLY, name, whole, 1)
        self._variable(f"{name} in {SUPPLY}", supply, whole, total.expr, less_each=first)
        zero = p.Const(value=0, type=number(0, 0))
        for place in places:
            there = self.scope.nouns[place.name.text]
            size = (
                declare.made.high
                if there.each_player
                else max(1, declare.seating.teams)
                if there.each_team
                else 1
            )
            at = self._held(place.name.text, name, whole, size)
            self._variable(
                f"{name} in {place.name.text}",
                at,
                whole,
                zero,
                each_player=there.each_player,
                each_team=there.each_team,
            )
        slots = [x for (where, kind), x in self.held.items() if kind == name and where != SUPPLY]
        self.made.append(
            p.Token(name=name, total=total.expr, supply=supply, places=tuple(slots), line=block.span.line)
        )

    def _held(self, place: str, token: str, type: p.Type, size: int) -> int:
        slot = self.scope.slot(f"{token} in {place}", type, "state", size)
        self.held[place, token] = slot
        return slot

    def _variable(
        self,
        name: str,
        slot: int,
        type: p.Type,
        start: p.Expr,
        each_player: bool = False,
        each_team: bool = False,
        less_each: p.Expr | None = None,
        line: int = 0,
    ) -> None:
        self.variables.append(
            p.Variable(
                name=name,
                slot=slot,
                type=type,
                each_player=each_player,
                each_team=each_team,
                start=start,
                less_each=less_each,
                line=line,
            )
        )

    def _numbers(self, block: s.Token, declare: Declarations) -> tuple[Amount, Amount, Amount | None]:
        """Return how many there are, each player begins with and can hold: an expression, its least and its most."""
        name = block.name.text
        for said, what in (
            (block.starts, "what each player begins with"),
            (block.caps, "how many one can hold"),
        ):
            for extra in said[1:]:
                self._wrong(extra, f"{what} is said twice", "keep one of the two")
        before = self.report.noted
        total = self._number(block.total, declare)
        if self.report.noted > before:
            total = total._replace(high=MANY)  # it is told already, and how many there are is not known
        start = self._number(block.starts[0], declare) if block.starts else self._fixed(0)
        cap = self._number(block.caps[0], declare) if block.caps else None
        if block.worth is not None:
            worth = self._number(block.worth, declare)
            self.worths[name] = worth.expr
            if worth.low < 0:
                self._wrong(block.worth, f"a token can't be worth {worth.low}", "write a number from 0 up")
            elif worth.high > MOST_WORTH:
                message = f"a token can't be worth {worth.high:,}: at most {MOST_WORTH:,}"
                self._wrong(block.worth, message, "count in larger units")
        if total.high < 1 or total.low < 0:
            few = total.low if total.low < 0 else total.high
            self._wrong(
                block.total,
                f"there can't be {few} {name}",
                f"say how many there are, as in `token {name} 50`",
            )
            total = total._replace(low=0, high=MANY)  # that there are none is told once
        for node, amount in ((block.starts, start), (block.caps, cap)):
            if amount is not None and amount.low < 0:
                self._wrong(node[0], f"nobody can hold {amount.low} {name}", "write a number from 0 up")
        if not any(d.span.line == block.span.line for d in self.report.errors):
            self._enough(block, declare, total, start, cap)
        return total, start, cap

    def _enough(
        self,
        block: s.Token,
        declare: Declarations,
        total: Amount,
        start: Amount,
        cap: Amount | None,
    ) -> None:
        """Report what each player begins with if nobody can hold so much, or there is not so much for all."""
        if not block.starts:
            return
        name, node = block.name.text, block.starts[0]
        each = start.high if cap is None else min(start.high, cap.high)
        if cap is not None and start.low > cap.high:
            self._wrong(
                node,
                f"each player begins with {start.low} {name}, and can hold only {cap.high}",
                "begin with fewer, or let a player hold more",
            )
        elif each * declare.made.high > total.low:
            can = "are" if start.low == each else "may be"
            self._wrong(
                node,
                f"with {declare.made.high} players {each * declare.made.high} {name} {can} given out at the"
                f" beginning, and there are {total.low}",
                "begin with fewer, or have more of them",
            )

    def _number(self, node: s.Expr, declare: Declarations) -> Amount:
        """Return a number, or a parameter with its range."""
        if isinstance(node, s.Unary) and isinstance(node.operand, s.Number):
            return self._fixed(-node.operand.value)
        low, high = declare.bound(node, low=True), declare.bound(node, low=False)
        if low is None or high is None:
            return self._fixed(0)
        if isinstance(node, s.Name):
            noun = self.scope.nouns[node.text]
            return Amount(p.Param(name=noun.name, type=noun.type), low, high)
        return self._fixed(low)

    @staticmethod
    def _fixed(value: int) -> Amount:
        return Amount(p.Const(value=value, type=number(value, value)), value, value)

    def _wrong(self, node: s.Expr, message: str, mend: str) -> None:
        self.report.add("E430", node.span, message, mend=mend)

    # ---- asking -----------------------------------------------------------------------------

    def names(self) -> list[str]:
        """Return what the tokens of the game are called."""
        return [t.name for t in self.made]

    def place_of(self, node: s.Expr, ask: Expressions) -> tuple[Noun, p.Expr | None] | None:
        """Return the place for tokens that is written, and whose it is; None if it is no such place."""
        if isinstance(node, s.Name) and not any(node.text in names for names in self.scope.locals):
            noun = self.scope.nouns.get(node.text)
            if noun is not None and noun.kind == "place" and not noun.owner:
                noun.used = True
                return noun, None
        if isinstance(node, s.Attribute):
            noun = self.scope.nouns.get(node.name.text)
            if noun is not None and noun.kind == "place" and noun.owner:
                owner = ask.expr(node.base)
                if owner.type == (PLAYER if noun.each_player else TEAM):
                    noun.used = True
                    return noun, owner
        return None

    def held_in(self, node: s.Attribute, ask: Expressions) -> p.Expr | None:
        """Return how many tokens of a kind lie at a place: `pot.coin`; None if that is not what is asked."""
        noun = self.scope.nouns.get(node.name.text)
        if not self.made and (noun is None or noun.kind != "token"):
            return None
        found = self.place_of(node.base, ask)
        if found is None:
            return None
        place, owner = found
        if noun is None or noun.kind != "token":
            self.scope.unknown(node.name, "token", self.names())
            return ask.lost()
        noun.used = True
        return self._at(place, noun, owner)

    def _at(self, place: Noun, token: Noun, owner: p.Expr | None) -> p.Expr:
        slot = self.held.get((place.name, token.name), token.slot)
        name = f"{token.name} in {place.name}"
        info = next(v for v in self.variables if v.slot == slot)
        if owner is None:
            return p.Slot(slot=slot, name=name, type=info.type)
        return p.SlotAt(slot=slot, name=name, index=owner, type=info.type)

    def alone(self, noun: Noun, word: s.Word, ask: Expressions) -> p.Expr:
        """Report a place for tokens where a value is wanted."""
        example = f"{'p.' if noun.each_player else '(team of p).' if noun.each_team else ''}{noun.name}"
        kinds = " or ".join(f"`{example}.{name}`" for name in self.names()[:2]) or f"`{example}.coin`"
        self.report.add(
            "E431",
            word.span,
            f"`{noun.name}` is a place for tokens, which is no value",
            second=(noun.span, "declared here") if noun.name != SUPPLY else None,
            mend=f"how many lie there is {kinds}; they come there with `give 1 {(self.names() or ['coin'])[0]}"
            f" to {example}`",
        )
        return ask.lost()

    # ---- giving -----------------------------------------------------------------------------

    def give(self, node: s.Give, ask: Expressions) -> list[p.Statement]:
        """Return the statement that gives tokens; empty after a fault."""
        token = self.scope.find(node.token.text)
        if token is None or token.kind != "token":
            asked = node.amount
            behind = self.scope.find(asked.text) if isinstance(asked, s.Name) else None
            if behind is not None and behind.kind == "token":
                self.report.add(
                    "E431",
                    node.token.span,
                    f"`{behind.name}` is the token, and stands behind how many are given",
                    second=(behind.span, "declared here"),
                    mend=f"the other way round: `give {node.token.text} {behind.name}`",
                )
                return []
            if token is None:
                mend = "" if self.made else "declare it under `components`, as in `token coin 50`"
                self.scope.unknown(node.token, "token", self.names(), mend)
            else:
                self.report.add(
                    "E431",
                    node.token.span,
                    f"`{token.name}` is no token, and only tokens are given",
                    second=(token.span, "declared here"),
                    mend="a number changes with `+=` and `-=`, cards are moved with `move`",
                )
            for other in (node.amount, node.source, node.target):
                if other is not None and self.place_of(other, ask) is None:
                    ask.expr(other)
            return []
        token.written = True
        amount = None if node.amount is None else ask.number(node.amount)
        if amount is not None and amount.type.high is not None and amount.type.high < 0:
            self.report.add(
                "E301",
                node.amount.span if node.amount is not None else node.span,
                "one can't give fewer than no tokens",
                mend="use a number from 0 up; `from p to supply` takes them",
            )
        supply = self._at(self.scope.nouns[SUPPLY], token, None)
        source = supply if node.source is None else self._holder(node.source, token, ask)
        target = self._holder(node.target, token, ask)
        if source is None or target is None:
            return []
        if source == target:
            self.report.add(
                "E431",
                node.target.span,
                "these tokens come from where they go to",
                mend="without `from` they come from the supply; say `from p` to take them from a player",
            )
            return []
        held = isinstance(target, p.SlotAt) and target.slot == token.slot
        most = self.caps.get(token.name) if held else None
        return [
            p.Give(
                token=token.name,
                amount=amount,
                source=source,
                target=target,
                supply=self.held[SUPPLY, token.name],
                most=most,
                line=node.span.line,
            )
        ]

    def _holder(self, node: s.Expr, token: Noun, ask: Expressions) -> p.Expr | None:
        """Return the variable for the tokens of a player or place; None after a report."""
        found = self.place_of(node, ask)
        if found is not None:
            return self._at(found[0], token, found[1])
        before = self.report.noted
        made = ask.expr(node)
        if made.type == PLAYER:
            return p.SlotAt(slot=token.slot, name=token.name, index=made, type=token.type)
        if made.type.form != "nothing" and self.report.noted == before:
            if made.type.plain() == PLAYER:
                ask.mismatch(node.span, made.type, PLAYER)
                return None
            self.report.add(
                "E431", node.span, f"tokens can't be given to or taken from {describe(made.type)}", mend=WHERE
            )
        return None


def holds_tokens(block: s.Zone) -> bool:
    """Return whether a zone is a place for tokens."""
    return any(w.word == "tokens" for w in block.words)
