"""Choices: options with their arguments, guards and the domains their moves are numbered over."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.expressions import Expressions
from hoyle.check.leaks import MOST_NODES, Leaks
from hoyle.check.offers import parts
from hoyle.check.quoting import quoted
from hoyle.check.scope import Noun
from hoyle.check.several import Several, in_picks
from hoyle.check.types import describe
from hoyle.check.written import alike, joined, spoken
from hoyle.program.numbering import LARGEST_SPACE, domain_size
from hoyle.program.types import FLAG, number
from hoyle.source import NOWHERE

NAMED = re.compile(r"\{([^{}]*)\}")

UNSEEN = {"hidden": "hidden", "owner": "seen by its owner alone", "others": "not seen by its owner"}


class Choices:
    """Turns options into those of a program."""

    def __init__(self, expressions: Expressions, deck: tuple[p.DeckLine, ...] = ()) -> None:
        self.ask = expressions
        self.several = Several(expressions, deck)
        self.report = expressions.report
        self.scope = expressions.scope
        self.chooser: s.Expr | None = None
        self.asked: p.Expr | None = None
        self.zones: dict[str, p.Zone] = {}
        self.most = MOST_NODES

    def names(self, node: s.Choose, chooser: p.Expr) -> None:
        """Take note of who chooses. Report a choice without options, and two options of one name."""
        self.chooser = node.chooser
        self.asked = chooser
        if not node.options and self.scope.read_whole(node.span):
            self.report.add(
                "E601", node.span, "this choice offers nothing", mend="write `option NAME` below it, indented"
            )
        seen: dict[str, s.Word] = {}
        for option in node.options:
            first = seen.setdefault(option.name.text, option.name)
            if first is not option.name:
                self.scope.twice(option.name, first.span)

    def option(self, node: s.Option, to: int) -> p.Option:
        """Return an option; its arguments stay in the innermost block for its body."""
        before = self.report.noted
        node = self.several.sifted(node)
        when = None if node.when is None else self._when(node)
        binders = () if node.binders is None else self.ask.bind(node.binders.binders, "local", counted=True)
        arguments = self.several.arguments(node, binders)
        node = self.several.totalled(node, arguments)
        where = None if node.binders is None else self.ask.where(node.binders.where)
        sources = [b.source for b in (node.binders.binders if node.binders else ()) for _ in b.names]
        arguments = tuple(
            a.model_copy(update={"words": quoted(self.report, source.span)})
            for a, source in zip(arguments, sources, strict=False)  # too many are cut off
        )
        self.several.guard(node, arguments)
        if self.report.noted == before:  # else the domains are not known
            words = [w for b in (node.binders.binders if node.binders else ()) for w in b.names]
            for word, argument in zip(words, arguments, strict=False):  # too many are cut off
                self._numbered(word, argument)
            self._size(node, arguments)
            self._empty(node)
            self._never(node, node.when)
            self._never(node, node.binders.where if node.binders else None)
            self._guards(node, when, where, arguments)
            self._sources(node, arguments)
        self._leaks(node, arguments)
        self._label(node)
        reasons: tuple[p.Condition, ...] = ()
        if node.asked is not None and self.report.noted == before:
            arguments, reasons = self._sifted(node.asked, arguments)
        return p.Option(
            name=node.name.text,
            arguments=arguments,
            when=when,
            where=where,
            conditions=(*self._counts(node, arguments), *self._conditions(node, when, where), *reasons),
            label=node.label,
            text="\n".join(t.text for t in node.body.texts) if node.body else "",
            to=to,
            line=node.span.line,
        )

    def _conditions(
        self, node: s.Option, when: p.Expr | None, where: p.Expr | None
    ) -> tuple[p.Condition, ...]:
        """Return the parts of the guards, each as it is written."""
        written = ((node.when, when), (None if node.binders is None else node.binders.where, where))
        return tuple(
            p.Condition(words=quoted(self.report, part.span), asks=asks, line=part.span.line)
            for guard, made in written
            if guard is not None and made is not None
            for part, asks in joined(guard, made)
        )

    def _counts(self, node: s.Option, arguments: tuple[p.Argument, ...]) -> Iterator[p.Condition]:
        """Yield how many pieces each argument takes that is a set and is chosen whole, for those who explain a move."""
        binders = [b for b in (node.binders.binders if node.binders else ()) for _ in b.names]
        for binder, argument in zip(binders, arguments, strict=False):
            if argument.low is None or argument.high is None or in_picks(argument):
                continue
            taken = p.Slot(slot=argument.bind.slot, name=argument.bind.name, type=argument.bind.type)
            size = p.Op(op="size_set", args=(taken,), type=number(0, None))
            least = p.Op(op="ge", args=(size, argument.low), type=FLAG)
            most = p.Op(op="le", args=(size, argument.high), type=FLAG)
            both = p.Op(op="and", args=(least, most), type=FLAG)
            says = f"it takes `{quoted(self.report, binder.span)}`"
            yield p.Condition(words="", asks=both, line=binder.span.line, says=says)

    def _sifted(
        self, asked: s.Asked, arguments: tuple[p.Argument, ...]
    ) -> tuple[tuple[p.Argument, ...], tuple[p.Condition, ...]]:
        """Return the one argument with where it comes from, and what sifts it as conditions."""
        whole = self.ask.expr(asked.source)
        (one,) = arguments
        reasons = tuple(
            p.Condition(
                words="",
                asks=self.ask.condition(x.asks),
                line=x.span.line,
                says=x.says,
                text="\n".join(t.text for t in x.texts),
            )
            for x in asked.reasons
        )
        return (one.model_copy(update={"whole": whole, "words": asked.words}),), reasons

    def facts(self, node: s.Option) -> dict[str, p.Type]:
        """Return what the guards of an option tell about its arguments."""
        if node.binders is None or node.binders.where is None:
            return {}
        return self.ask.facts(node.binders.where)[0]

    def _when(self, node: s.Option) -> p.Expr | None:
        assert node.when is not None
        names = {w.text for b in (node.binders.binders if node.binders else ()) for w in b.names}
        for name in names:
            if spoken(node.when, name):
                self.report.add(
                    "E605",
                    node.when.span,
                    f"`when` is asked before `{name}` is chosen",
                    mend="put the condition into the brackets, after `where`",
                )
                return None
        return self.ask.condition(node.when)

    def _numbered(self, word: s.Word, argument: p.Argument) -> None:
        type = argument.domain
        bounded = type.form != "number" or (type.low is not None and type.high is not None)
        if not bounded:
            self.report.add(
                "E602",
                word.span,
                f"`{word.text}` could be any number, and every move needs a number of its own",
                mend="choose from a range with bounds, such as `1..20`, or an attribute with a range",
            )
        elif type.form == "number" and type.low > type.high:  # type: ignore[operator]
            self.report.add(
                "E404",
                word.span,
                f"there is nothing that `{word.text}` could be: {type.low}..{type.high} is empty",
                mend="begin with the smaller number, or change what the range hangs on",
            )
        elif argument.low is None and (
            type.form not in ("number", "flag", "enum", "piece", "player", "nothing") or type.or_none
        ):
            self.report.add(
                "E602",
                word.span,
                f"a player can't choose {describe(type)}",
                mend="choose cards, numbers, players or values",
            )

    def _size(self, node: s.Option, arguments: tuple[p.Argument, ...]) -> None:
        size = 1
        for argument in arguments:
            type = argument.domain
            if type.form == "number" and (type.low is None or type.high is None):
                return
            if argument.low is not None:
                size *= max(1, len(argument.subsets))
                type = type.element if in_picks(argument) and type.element is not None else type
            size *= domain_size(type, self.ask.kinds, self.scope.enums, 16)
        if size > LARGEST_SPACE:
            self.report.add(
                "E603",
                node.span,
                f"the option `{node.name.text}` could be more than {10**12:,} different moves",
                mend="ask in steps: one choice after the other",
            )
        elif node.binders is not None:
            self.ask.tried(node.binders.binders, [a.bind for a in arguments])

    def _unknown(self) -> bool:
        """Return whether who chooses has a fault, so that nobody knows what the chooser sees."""
        asked = self.asked
        if isinstance(asked, p.Op) and asked.op == "still_in":
            asked = asked.args[0]
        return isinstance(asked, p.Const)

    def _leaks(self, node: s.Option, arguments: tuple[p.Argument, ...]) -> None:
        """Warn of an argument whose cards the chooser can't see: the moves on offer would tell what is there."""
        if self._unknown():
            return
        sources = [b.source for b in (node.binders.binders if node.binders else ()) for _ in b.names]
        for source, argument in zip(sources, arguments, strict=False):
            zone, owner = _searched(source, argument.bind.source)
            noun = None if zone is None else self.scope.nouns.get(zone.name)
            if noun is None or noun.zone is None:
                continue
            own = owner is not None and self.chooser is not None and alike(owner, self.chooser)
            seen = noun.zone.seen
            if not (seen == "hidden" or (seen == "owner" and not own) or (seen == "others" and own)):
                continue
            self._tells(source, noun)

    def _tells(self, source: s.Expr, noun: Noun) -> None:
        """Warn of a choice among cards that the chooser can't see."""
        seen = "open" if noun.zone is None else noun.zone.seen
        self.report.add(
            "W601",
            source.span,
            f"`{noun.name}` is {UNSEEN.get(seen, 'not seen whole')}, but the moves on offer tell who chooses"
            " what is there",
            second=(noun.span, "who sees it is said here"),
            mend="let chance take one, with `pick c at random from ...`, or move them first to where they are seen",
        )

    def _sources(self, node: s.Option, arguments: tuple[p.Argument, ...]) -> None:
        """Warn where what an argument is chosen from depends on cards that the chooser can't see."""
        if self.asked is None or self._unknown():
            return
        leaks = self._looking(arguments)
        binders = [b for b in (node.binders.binders if node.binders else ()) for _ in b.names]
        for binder, argument in zip(binders, arguments, strict=False):
            leaks.run_through(argument.bind.source)
            for part in parts(binder.source, argument.bind.source):
                if isinstance(part.made, p.ZoneAt) and part.searched:
                    noun = self.scope.nouns.get(part.made.name)
                    if noun is not None and not part.plain and not leaks.sees(part.made):
                        self._tells(part.node, noun)
                    continue
                names = leaks.names(part.made)
                if names:
                    self._asks(part.node, names, f"which moves of `{node.name.text}` are on offer")
        self.most = leaks.left

    def _asks(self, node: s.Expr, names: list[str], what: str) -> None:
        """Warn of a condition on cards that the chooser can't see."""
        self.report.add(
            "W603",
            node.span,
            f"the chooser can't see the cards in {' and '.join(f'`{x}`' for x in names)} that this asks about:"
            f" {what} tells what lies there",
            second=(self.scope.nouns[names[0]].span, "who sees it is said here"),
            mend="ask about what the chooser sees, or offer it always and look at the cards after the choice",
        )

    def _looking(self, arguments: tuple[p.Argument, ...]) -> Leaks:
        """Return what finds the cards that the chooser can't see."""
        assert self.asked is not None
        if not self.zones:
            self.zones = {n: x.zone for n, x in self.scope.nouns.items() if x.zone is not None}
        return Leaks(self.zones, self._function, self.asked, (a.bind for a in arguments), self.most)

    def _guards(
        self,
        node: s.Option,
        when: p.Expr | None,
        where: p.Expr | None,
        arguments: tuple[p.Argument, ...],
    ) -> None:
        """Warn of a guard that asks about cards the chooser can't see."""
        if self.asked is None or self._unknown() or (when is None and where is None):
            return
        leaks = self._looking(arguments)
        for guard, written in ((when, node.when), (where, node.binders.where if node.binders else None)):
            names = leaks.names(guard) if guard is not None else []
            self.most = leaks.left
            if names and written is not None:
                self._asks(written, names, f"whether `{node.name.text}` is on offer")

    def _function(self, name: str) -> p.Function | None:
        return self.ask.resolve(s.Word(NOWHERE, name))

    def _empty(self, node: s.Option) -> None:
        """Report an argument that is chosen from `{}`."""
        for binder in node.binders.binders if node.binders else ():
            if isinstance(binder.source, s.SetOf) and not binder.source.items:
                self.report.add(
                    "E601",
                    binder.source.span,
                    f"there is nothing in this set, so `{node.name.text}` can never be chosen",
                    mend="write what may be chosen, as in `{1, 2}` or `1..6`",
                )

    def _label(self, node: s.Option) -> None:
        names = [w.text for b in (node.binders.binders if node.binders else ()) for w in b.names]
        named = NAMED.findall(node.label)
        left_out = [name for name in names if name not in named]
        if node.label and left_out and set(named) <= set(names):
            self.report.add(
                "W602",
                node.span,
                f"the words for `{node.name.text}` leave out {' and '.join(f'`{x}`' for x in left_out)}:"
                " moves that differ in nothing else read alike",
                mend="name every argument in braces; who does not see a card reads `a card` there",
            )
        for name in named:
            if name not in names:
                self.report.add(
                    "E604",
                    node.span,
                    f"the words for `{node.name.text}` name `{name}`, which is not one of its arguments",
                    mend="arguments: " + (", ".join(sorted(names)) or "none"),
                )

    def _never(self, node: s.Option, guard: s.Expr | None) -> None:
        if isinstance(guard, s.Literal) and guard.word == "no":
            self.report.add(
                "E601", node.span, f"the option `{node.name.text}` can never be chosen", mend="mend its guard"
            )


def _searched(node: s.Expr, made: p.Expr) -> tuple[p.ZoneAt | None, s.Expr | None]:
    """Return the zone that an expression searches and how its owner is written; None if it is no plain zone."""
    if isinstance(made, p.ZoneAt):
        return made, node.base if isinstance(node, s.Attribute) else None
    if isinstance(node, s.SetWhere) and isinstance(made, p.Loop):
        return _searched(node.binder.source, made.binders[0].source)
    return None, None
