"""`tricks` as an ordinary phase: who leads, who plays what, who wins, where the trick goes.

A clause that is left out means what it means at a card table: cards come from the hand of whoever plays and lie in the
row `trick`, one leads anything, follows the suit led if one can, the highest card of that suit wins unless a trump is
there, the winner takes the trick into `won` and leads the next, until the hands are empty.
"""

from __future__ import annotations

from collections.abc import Iterator

from hoyle import families as f
from hoyle import syntax as s
from hoyle.check.clauses import Clauses
from hoyle.check.implied import IN_TRICKS, LED, LED_SUIT, TAKEN, WINNING
from hoyle.check.moments import untimely
from hoyle.check.needless import always
from hoyle.check.quoting import quoted
from hoyle.check.rewriting import (
    again,
    body,
    both,
    deciding,
    empty,
    field_of,
    let,
    let_player,
    named,
    put,
    renamed,
    then,
)
from hoyle.check.tricktable import Table
from hoyle.check.written import spoken
from hoyle.diagnostics import Report
from hoyle.given import LAST_WINNER, WON

LEADER = "trick leader"
CARD = "card played"
IN_TRICK = "card in trick"


class Tricks(Clauses):
    """Turns one block into a phase."""

    def __init__(self, block: f.Tricks, table: Table, report: Report, traced: bool = False) -> None:
        super().__init__(block, report)
        self.traced = traced
        self.block: f.Tricks = block
        self.table = table
        self.trick, self.source = self._cards()
        self.row = self.clauses["cards"].names[0].text if "cards" in self.clauses else "trick"
        self.led = s.Unary(self.at, "first", self.trick)
        self.led_suit = self._led_suit()
        self.meant: dict[str, s.Expr] = {LED: self.led}
        if self.led_suit is not None:
            self.meant[LED_SUIT] = self.led_suit
        self._without_effect()
        self._all_or_nobody()
        self.given_anew(IN_TRICKS, (LED, LED_SUIT, WINNING, TAKEN), table.names)
        self._untimely()

    def _untimely(self) -> None:
        """Report words that are not there yet when they are asked for, or no longer."""
        for found in untimely(self.block, self.row, frozenset(self.table.names)):
            self.whole = False
            self.report.add(
                "E523",
                found.word.span,
                f"`{found.word.text}` is not there {found.when}",
                second=(found.clause.head.span, "which is what this clause is asked for"),
                mend=found.mend,
            )

    def _all_or_nobody(self) -> None:
        """Report a choice of who plays that never asks who it is."""
        who = self.clauses.get("players")
        name = None if who is None else who.fits[0].name
        if who is None or name is None or spoken(who.fits[0].where, name.text):
            return
        self.report.add(
            "E528",
            who.head.span,
            f"`players` never asks about `{name.text}`, so that all of them play or nobody does",
            mend=f"ask about `{name.text}`, as in `{name.text} where {name.text}.hand is not empty`",
        )

    def _without_effect(self) -> None:
        """Report clauses that say nothing, since others say already what would be worked out by them."""
        winner, follow, led = (self.clauses.get(x) for x in ("winner", "follow", "led suit"))
        if winner is None or self.unread:
            return
        why, mend = (
            "`winner` says which card wins",
            "take one of the two out; `winner` may have a link for it",
        )
        for word in ("trumps", "rank of"):
            self.idle(word, winner, why, mend)
        if follow is None:
            return
        if not spoken(self.block.clauses, "led_suit"):
            why = "`winner` and `follow` say all, and nothing asks for `led_suit`"
            for word in ("led suit", "suit of"):
                self.idle(
                    word,
                    follow,
                    why,
                    "take it out, or ask for `led_suit`, as in `c where c.suit is led_suit`",
                )
        elif led is not None:
            why = "`led suit`, `winner` and `follow` say all that it would settle"
            self.idle("suit of", led, why, "take it out, or leave out the clause that it is to settle")

    # ---- clauses ----------------------------------------------------------------------------

    def _cards(self) -> tuple[s.Expr, s.Expr]:
        """Return the row that tricks lie in, and where the cards of who plays come from."""
        clause = self.clauses.get("cards")
        if clause is not None:
            source = clause.exprs[0]
            if isinstance(source, s.Name) and self.table.own(source.text):
                source = field_of(source.span, named(source.span, "mover"), source.text)
            row = clause.names[0]
            self._lies_in(row)
            return named(row.span, row.text), source
        self._lies_in(s.Word(self.at, "trick"))
        if not self.table.own("hand"):
            mend = "declare `hand: pool, seen by owner, each player`"
            if "hand" in self.table.zones:
                mend = "add `each player` where `hand` is declared"
            self._misses(
                "hand", "where do the cards come from?", mend + ", or say `cards: from ZONE to trick`"
            )
        return named(self.at, "trick"), field_of(self.at, named(self.at, "mover"), "hand")

    def _lies_in(self, row: s.Word) -> None:
        """Report where the cards of a trick are to lie, if that is no row that all players share."""
        if self.table.row(row.text):
            return
        near, zone = self.table.near(row.text), self.table.zones.get(row.text)
        if zone is None and row.span == self.at:
            to = near or "ROW"
            mend = f"declare `trick: row, open` under `zones`, or say `cards: from hand to {to}`"
            self._misses(row.text, "where do the cards of a trick lie?", mend)
            return
        self.whole = False
        if self.unread or self.table.told(row.text):
            return
        message = f"`{row.text}` is no row that all players share: cards of a trick lie in the order played"
        if zone is None:
            mend = f"did you mean `{near}`?" if near else f"declare it under `zones`: `{row.text}: row, open`"
            self.report.add("E522", row.span, message, mend=mend)
        elif row.span == self.at:
            second = (self.at, "these tricks lie there")
            self.report.add("E522", zone.span, message, second=second, mend=f"write `{row.text}: row, open`")
        else:
            mend = f"declare it as `{row.text}: row, open`, or name a row here"
            self.report.add("E522", row.span, message, second=(zone.span, "declared here"), mend=mend)

    def _misses(self, name: str, message: str, mend: str) -> None:
        """Report a zone that must be there, unless a fault of its line is told already."""
        self.whole = False
        if not self.table.told(name):
            self.missing(message, mend)

    def _suit(self, piece: s.Expr) -> s.Expr | None:
        """Return the suit of a card, or its suits, as `suit of` says or as it has one."""
        clause = self.clauses.get("suit of")
        if clause is not None:
            return renamed(clause.exprs[0], {clause.names[0].text: piece})
        return field_of(piece.span, piece, "suit") if "suit" in self.table.attributes else None

    def _rank(self, piece: s.Expr) -> s.Expr | None:
        clause = self.clauses.get("rank of")
        if clause is not None:
            return renamed(clause.exprs[0], {clause.names[0].text: piece})
        return field_of(piece.span, piece, "rank") if "rank" in self.table.attributes else None

    def _led_suit(self) -> s.Expr | None:
        said = self.said("led suit")
        return self._suit(self.led) if said is None else renamed(said, {"led": self.led})

    def _asked_suit(self) -> s.Expr:
        """Return `led_suit` where nobody has written it, so that a fault in what it is gets told where that is said."""
        said = self.said("led suit")
        return named(self.at if said is None else said.span, LED_SUIT)

    def _of_suit(self, piece: s.Expr, suit: s.Expr) -> s.Expr | None:
        """Return the test that a card is of a suit."""
        own = self._suit(piece)
        return None if own is None else both(suit, "is or in", own)

    # ---- what may be played ---------------------------------------------------------------------

    def _lead(self) -> tuple[f.Fit, ...]:
        clause = self.clauses.get("lead")
        if clause is None:
            return (f.Fit(self.at, None, None),)
        return self._links(clause)

    def _follow(self) -> tuple[f.Fit, ...]:
        clause = self.clauses.get("follow")
        if clause is not None:
            return self._links(clause)
        card = named(self.at, CARD)
        test = None if self.led_suit is None else self._of_suit(card, self._asked_suit())
        if test is None:
            self.missing(
                "what must be played to a card that is led?",
                "not every card has a `suit`: say `follow: c where ..., else any`, or `follow: any`",
            )
            return (f.Fit(self.at, None, None),)
        return f.Fit(self.at, s.Word(self.at, CARD), test), f.Fit(self.at, None, None)

    def _links(self, clause: f.Clause) -> tuple[f.Fit, ...]:
        for index, fit in enumerate(clause.fits[:-1]):
            if fit.name is None:
                after = clause.fits[index + 1]
                self.report.add(
                    "E524",
                    after.span,
                    "nothing comes after `any`: it lets everything be played",
                    second=(fit.span, "this is always enough"),
                    mend="put `any` last",
                )
                return clause.fits[: index + 1]
        self._may_leave_nothing(clause)
        return clause.fits

    def _may_leave_nothing(self, clause: f.Clause) -> None:
        """Warn of a chain that perhaps no card of a hand passes: then nothing can be played, which is a fault."""
        tests = [test for fit in clause.fits if (test := self._test(fit)) is not None]
        if len(tests) == len(clause.fits) and not always(tests):
            self.report.add(
                "W604",
                clause.fits[-1].span,
                "whoever has no such card can play none at all, and the game breaks off",
                second=(clause.head.span, "this says which cards may be played"),
                mend="say what may be played then: end with `else any`",
            )

    def _test(self, fit: f.Fit) -> s.Expr | None:
        """Return the test of a link, about a card that has the same name in all links; None for `any`."""
        if fit.name is None or fit.where is None:
            return None
        return renamed(fit.where, {**self.meant, fit.name.text: named(fit.span, CARD)})

    def _playable(self, fits: tuple[f.Fit, ...]) -> s.Expr:
        """Return the set of cards that may be played: those of the first link that has any."""
        sets: list[s.Expr] = []
        for fit in fits:
            binder = s.Binder(fit.span, None, (s.Word(fit.span, CARD),), self.source)
            sets.append(s.SetWhere(fit.span, binder, self._test(fit)))
        made = sets[-1]
        for earlier in reversed(sets[:-1]):
            made = s.OrElse(earlier.span, earlier, made)
        return made

    def _learnt(self, when: s.Expr, fits: tuple[f.Fit, ...]) -> tuple[s.Statement, ...]:
        """Return what all learn when somebody plays a card that an earlier link would not have let through."""
        asked = [test for fit in fits[:-1] if (test := self._test(fit)) is not None]
        if not asked:
            return ()
        at = fits[0].span
        return (s.Learn(at, when, named(at, "played"), self.source, s.Word(at, CARD), tuple(asked)),)

    def _counted_cards(self, lead: tuple[f.Fit, ...], follow: tuple[f.Fit, ...]) -> tuple[s.Statement, ...]:
        """Return what counts which link said what may be played: asked as the card is played, it still being there."""
        made: list[s.Statement] = []
        for word, fits in (("lead", lead), ("follow", follow)):
            if self.traced and word in self.clauses:
                links = [(fit.span, self._test(fit)) for fit in fits]
                first = empty(self.trick, negated=word == "follow")
                counted = deciding("playable", links, s.Word(self.at, CARD), self.source)
                made += [s.If(self.at, first, body(self.at, x), None) for x in counted]
        return tuple(made)

    def _counted_winner(self) -> tuple[s.Statement, ...]:
        """Return what counts which link says who wins the trick as it lies."""
        if not self.traced or "winner" not in self.clauses:
            return ()
        links = []
        for best in self._winners():
            meant = {best.name.text: named(best.span, IN_TRICK)}
            where = None if best.where is None else renamed(best.where, meant)
            links.append((best.span, where))
        return deciding("winning", links, s.Word(self.at, IN_TRICK), self.trick)

    # ---- who wins ---------------------------------------------------------------------------------

    def _winners(self) -> tuple[f.Best, ...]:
        clause = self.clauses.get("winner")
        if clause is not None:
            return clause.best
        card = named(self.at, CARD)
        rank, suit = self._rank(card), self._suit(card)
        if rank is None or suit is None or self.led_suit is None:
            self.missing(
                "which card wins the trick?",
                "not every card has `suit` and `rank`: say `winner: highest c where ... by ...`",
            )
            return ()
        word = s.Word(self.at, CARD)
        made = []
        trumps = self.said("trumps")
        if trumps is not None:
            made.append(f.Best(trumps.span, "highest", word, self._of_suit(card, trumps), rank))
        made.append(f.Best(self.at, "highest", word, self._of_suit(card, self._asked_suit()), rank))
        return tuple(made)

    def _winning(self) -> s.Expr | None:
        """Return the card that wins the trick as it lies."""
        made: s.Expr | None = None
        for best in reversed(self._winners()):
            meant = {best.name.text: named(best.span, IN_TRICK)}
            binder = s.Binder(best.span, None, (s.Word(best.span, IN_TRICK),), self.trick)
            where = None if best.where is None else renamed(best.where, meant)
            one = s.Superlative(best.span, best.extreme, False, binder, where, renamed(best.key, meant))
            if made is None or best.where is None:
                made = one
            else:
                there = s.Phrase(best.span, "any", None, s.Binders(best.span, (binder,), where))
                made = s.Conditional(best.span, one, there, made)
        return None if made is None else renamed(made, self.meant)

    # ---- the phase ----------------------------------------------------------------------------------

    def phase(self) -> s.Phase:
        """Return the phase that the block stands for."""
        at = self.at
        winning = self._winning()
        if winning is not None:
            self.meant[WINNING] = winning
        leader = self.clauses.get("leader")
        if leader is None:
            self.missing(
                "who leads to the first trick?", "say `leader: PLAYER`, such as `leader: next of dealer`"
            )
        first = leader.exprs[0] if leader is not None else named(at, "mover")
        following = leader.exprs[1] if leader is not None and len(leader.exprs) > 1 else named(at, "winner")
        end = winning if winning is not None else named(at, "mover")
        here = renamed(self._trick(end), self.meant)
        after = renamed(following, {LAST_WINNER: named(at, "winner")})
        until = self.said("until")
        every = self._while(until)
        loop = again(at, "while", every, body(at, *then(here, put(at, "mover", after))))
        return self.phase_of(*self._reset(), let_player(at, "mover", first), loop)

    def _while(self, until: s.Expr | None) -> s.Expr:
        cards = empty(self.source, negated=True)
        return cards if until is None else both(s.Unary(until.span, "not", until), "and", cards)

    def _reset(self) -> tuple[s.Statement, ...]:
        at = self.at
        player = "player whose tricks are counted"
        binder = s.Binder(at, None, (s.Word(at, player),), s.Literal(at, "players"))
        zero = s.Assign(at, "=", field_of(at, named(at, player), WON), s.Number(at, 0))
        return (s.For(at, s.Binders(at, (binder,), None), "", None, body(at, zero)),)

    def _trick(self, winning: s.Expr) -> tuple[s.Statement, ...]:
        """Return the statements of one trick, up to who leads the next."""
        at = self.at
        round_ = again(at, "until", both(named(at, "mover"), "is", named(at, LEADER)), self._round())
        each = self.clauses.get("each trick")
        inside = each.body if each is not None and each.body is not None else body(at)
        inside = renamed(inside, {LAST_WINNER: named(at, "winner")})
        taken = s.Word(at, TAKEN) if spoken(inside, TAKEN) else None
        return (
            let(at, LEADER, named(at, "mover")),
            round_,
            *self._counted_winner(),
            *self._find(winning),
            s.Note(at, "trick", named(at, "winner")),
            s.MoveSome(at, None, False, self.trick, self._goes_to(), taken),
            s.Assign(at, "+=", field_of(at, named(at, "winner"), WON), s.Number(at, 1)),
            put(at, LAST_WINNER, named(at, "winner")),
            *inside.statements,
        )

    def _find(self, winning: s.Expr) -> tuple[s.Statement, ...]:
        """Return the statements that find who played the best card."""
        at = self.at
        place = s.PlaceIn(winning.span, winning, self.trick)
        if not self._sits_out():
            return (let(at, "winner", s.SeatsOn(at, named(at, LEADER), place)),)
        on = put(at, "winner", s.Unary(at, "next", named(at, "winner")))
        skip = self._skipping("winner", on)
        return (
            let(at, "winner", named(at, LEADER)),
            *skip,
            again(at, "times", None, body(at, on, *skip), place),
        )

    def _sits_out(self) -> bool:
        return "players" in self.clauses or self.table.turning

    def _plays(self, name: str) -> s.Expr | None:
        clause = self.clauses.get("players")
        if clause is None:
            return None
        (fit,) = clause.fits
        assert fit.name is not None and fit.where is not None
        return renamed(fit.where, {fit.name.text: named(fit.span, name)})

    def _skipping(self, name: str, on: s.Statement) -> tuple[s.Statement, ...]:
        plays = self._plays(name)
        if plays is None:
            return ()
        out = s.Unary(plays.span, "not", plays)
        return (again(plays.span, "while", out, body(plays.span, on)),)

    def _goes_to(self) -> s.Expr:
        said = self.said("goes to")
        if said is not None:
            return said
        if not self.table.own("won"):
            mend = "say `goes to: ZONE`, or declare `won: pile, open, each player` under `zones`"
            if "won" in self.table.zones:
                mend = "say `goes to: won`, or add `each player` where `won` is declared"
            self._misses("won", "where does a trick go?", mend)
            return self.trick
        return field_of(self.at, named(self.at, "winner"), "won")

    def _round(self) -> s.Body:
        """Return one player's turn in a trick."""
        at = self.at
        lead, follow = self._lead(), self._follow()
        choose = self._choose(lead, follow)
        plays = self._plays("mover")
        turn: s.Statement = choose if plays is None else s.If(at, plays, body(at, choose), None)
        return body(at, *then((turn,), put(at, "mover", s.Unary(at, "next", named(at, "mover")))))

    def _choose(self, lead: tuple[f.Fit, ...], follow: tuple[f.Fit, ...]) -> s.Choose:
        at = self.at
        free = [all(x.name is None for x in fits) for fits in (lead, follow)]
        first = empty(self.trick)
        if all(free):
            cards = self.source
        else:
            cards = s.Conditional(at, self._playable(lead), first, self._playable(follow))
        word = s.Word(at, "played")
        clauses = [self.clauses[x] for x in ("lead", "follow") if x in self.clauses]
        texts = tuple(text for x in clauses for text in x.texts)
        moving = s.MoveThese(at, (named(at, "played"),), self.trick)
        each = self.clauses.get("each play")
        after = (
            renamed(each.body, self.meant).statements if each is not None and each.body is not None else ()
        )
        learnt = (
            *self._learnt(first, lead),
            *self._learnt(empty(self.trick, negated=True), follow),
        )
        option = s.Option(
            at,
            s.Word(at, "play"),
            s.Binders(at, (s.Binder(at, None, (word,), cards),), None),
            None,
            "plays {played}",
            s.Body(at, texts, (*self._counted_cards(lead, follow), *learnt, moving, *after)),
            None if all(free) else self._asked(lead, follow),
        )
        said = self.said("chooser")
        return s.Choose(at, said if said is not None else named(at, "mover"), (), (option,))

    def _asked(self, lead: tuple[f.Fit, ...], follow: tuple[f.Fit, ...]) -> s.Asked:
        """Return what those need who ask why a card can't be played: the links, each with what it asks for."""
        clause = self.clauses.get("cards")
        words = "hand" if clause is None else quoted(self.report, clause.exprs[0].span)
        first = empty(self.trick)
        reasons = [
            *self._reasons("lead", lead, empty(self.trick, negated=True)),
            *self._reasons("follow", follow, first),
        ]
        return s.Asked(self.at, self.source, words, tuple(reasons))

    def _reasons(self, word: str, fits: tuple[f.Fit, ...], else_: s.Expr) -> Iterator[s.Reason]:
        """Yield what each link asks for: of the first that some card passes, that the card played passes it too."""
        clause = self.clauses.get(word)
        before = else_
        for fit in fits:
            test = self._test(fit)
            if test is None:
                return
            binder = s.Binder(fit.span, None, (s.Word(fit.span, CARD),), self.source)
            there = s.Phrase(fit.span, "any", None, s.Binders(fit.span, (binder,), test))
            passes = renamed(test, {CARD: named(fit.span, "played")})
            asks = both(both(before, "or", s.Unary(fit.span, "not", there)), "or", passes)
            says = "one must follow suit, and there is a card of the suit led"
            if fit.where is not None and clause is not None:
                done = "led" if word == "lead" else "played"
                says = f"one must be {done} for which `{quoted(self.report, fit.where.span)}` holds, since there is one"
            yield s.Reason(fit.span, asks, says, () if clause is None else clause.texts)
            before = both(before, "or", there)
