"""Choices in the flow graph: of one player, of several in secret, of the first who does something.

Secret choices and reactions are loops over plain choices. A secret answer is kept in slots that each player has, which
no view shows; when the last has answered a second loop puts each answer back into the option's arguments and runs its
body.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.choices import Choices
from hoyle.check.graph import Graph
from hoyle.check.scope import Noun
from hoyle.check.several import Picks, both, in_picks, slot_of
from hoyle.check.statements import Statements
from hoyle.check.tracing import Trace
from hoyle.program.types import FLAG, PLAYER, PLAYERS, number, set_of

PASS = "pass"


class Offered(NamedTuple):
    """An option as written and as a whole, the names its body knows, what its guards tell, and where it goes on."""

    node: s.Option
    whole: p.Option
    names: dict[str, Noun]
    facts: dict[str, p.Type]
    to: int


class Asked(NamedTuple):
    """A loop over players who are asked one after the other."""

    items: int
    taken: int
    bind: p.Bind
    head: int
    after: int

    @property
    def player(self) -> p.Slot:
        return p.Slot(slot=self.bind.slot, name=self.bind.name, type=PLAYER)


class Choosing(Statements):
    """The part of the flow that lowers choices."""

    graph: Graph
    choices: Choices
    wholes: list[p.Whole]
    picks: int | None
    trace: Trace

    if TYPE_CHECKING:

        def flow_body(self, body: s.Body, first: list[p.Statement] | None = None) -> None: ...

    def choose(self, node: s.Choose) -> None:
        """Lower a choice into the graph."""
        match node.how:
            case "secretly":
                self._secretly(node)
            case "first":
                self._first(node)
            case _:
                self._one(node)

    def _one(self, node: s.Choose) -> None:
        chooser = self.ask.seating.still_in(self.ask.value(node.chooser, PLAYER), node.span.line)
        after = self.graph.new()

        def done(offered: Offered) -> None:
            self._body(offered, chooser, after)

        self._offer(node, chooser, after, done)
        self.graph.start(after)

    # ---- what is offered ------------------------------------------------------------------

    def _offer(
        self,
        node: s.Choose,
        chooser: p.Expr,
        after: int | None,
        done: Callable[[Offered], None],
        secret: p.Secret | None = None,
        more: tuple[p.Option, ...] = (),
    ) -> list[Offered]:
        """Lower the choice itself; `done` goes on with an option once its arguments are settled.

        An option without a body goes on at `after`, if that is given. `more` are options that nobody has written.
        """
        self.choices.names(node, chooser)
        offered: list[Offered] = []
        made: list[p.Option] = []
        steps: list[Callable[[], None]] = []
        for option in node.options:
            self.scope.locals.append({})
            bare = option.body is None or not option.body.statements
            whole = self.trace.option(self.choices.option(option, -1), option, node.span)
            several = next((a for a in whole.arguments if in_picks(a)), None)
            to = self.graph.new() if after is None or not bare or several is not None else after
            whole = whole.model_copy(update={"to": to})
            one = Offered(option, whole, self.scope.locals[-1], self.choices.facts(option), to)
            self.scope.locals.pop()
            offered.append(one)
            if several is None:
                made.append(whole)
            else:
                made += self._picked(node, chooser, one, several, secret, steps)
            if to != after:
                steps.append(partial(self._go_on, one, done))
        text = "\n".join(t.text for t in node.texts)
        line = node.span.line
        options = (*made, *more)
        choice = p.Choose(chooser=chooser, options=options, text=text, secret=secret, line=line)
        self.graph.leave(choice.model_copy(update={"payment": node.payment}))
        for step in steps:
            step()
        return offered

    def _go_on(self, offered: Offered, done: Callable[[Offered], None]) -> None:
        self.graph.start(offered.to)
        done(offered)

    def _body(self, offered: Offered, chooser: p.Expr, after: int) -> None:
        """Lower what an option does, and go on at a block."""
        if any(map(in_picks, offered.whole.arguments)):
            self.graph.add([self._tell(offered, chooser)])
        self._does(offered)
        self.graph.leave(p.Jump(to=after))

    def _does(self, offered: Offered) -> None:
        """Lower the body of an option."""
        if offered.node.body is not None:
            self.scope.locals.append(offered.names)
            self.ask.narrowed(offered.facts, partial(self.flow_body, offered.node.body))
            self.scope.locals.pop()

    def _tell(self, offered: Offered, seat: p.Expr) -> p.Tell:
        """Return the statement that tells of an option as a whole, when its moves were hidden."""
        whole = offered.whole
        self.wholes.append(
            p.Whole(
                name=whole.name,
                arguments=whole.arguments,
                label=whole.label,
                text=whole.text,
                line=whole.line,
            )
        )
        args = tuple(slot_of(a) for a in whole.arguments)
        return p.Tell(seat=seat, whole=len(self.wholes) - 1, args=args, line=whole.line)

    # ---- several pieces, picked one by one --------------------------------------------------

    def _picked(
        self,
        node: s.Choose,
        chooser: p.Expr,
        offered: Offered,
        argument: p.Argument,
        secret: p.Secret | None,
        steps: list[Callable[[], None]],
    ) -> list[p.Option]:
        """Return the options for the first piece, and for none at all; the rest is lowered by a later step."""
        whole = offered.whole
        picks = Picks(self.choices.several, argument)
        first, enough_left = picks.pick(argument.bind.source, None)
        more = self.graph.new()
        begin = self.graph.new()
        arguments = tuple(first if a is argument else a for a in whole.arguments)
        made = [
            whole.model_copy(
                update={
                    "arguments": arguments,
                    "part": True,
                    "pick": first.bind.slot,
                    "when": both(whole.when, picks.room()),
                    "where": both(whole.where, enough_left),
                    "to": begin,
                }
            )
        ]
        none = picks.none(argument)
        if none is not None:
            without = tuple(none if a is argument else a for a in whole.arguments)
            guard = both(whole.where, picks.without())
            made.append(whole.model_copy(update={"arguments": without, "part": True, "where": guard}))
        steps.append(partial(self._first_pick, picks, first, begin, more))
        steps.append(partial(self._next_pick, node, chooser, offered, picks, more, secret))
        return made

    def _first_pick(self, picks: Picks, first: p.Argument, begin: int, more: int) -> None:
        self.graph.start(begin)
        piece = slot_of(first)
        unit = p.Op(op="unit", args=(piece,), type=picks.cards.type)
        self._note_pick(picks, piece, unit)
        self.graph.leave(p.Jump(to=more))

    def _note_pick(self, picks: Picks, piece: p.Slot, cards: p.Expr) -> None:
        name = picks.cards.name
        self.graph.add(
            [
                p.Set(slot=picks.cards.slot, name=name, value=cards),
                p.Set(slot=picks.last.slot, name=f"last of {name}", value=piece),
            ]
        )

    def _next_pick(
        self,
        node: s.Choose,
        chooser: p.Expr,
        offered: Offered,
        picks: Picks,
        more: int,
        secret: p.Secret | None,
    ) -> None:
        """Lower the choice of a further piece, which comes again until there are enough."""
        line = offered.whole.line
        ask, took, stop = self.graph.new(), self.graph.new(), self.graph.new()
        self.graph.start(more)
        self.graph.leave(p.Branch(test=picks.goes_on(), yes=ask, no=offered.to, line=line))
        following, enough_left = picks.pick(picks.rest(), picks.size)
        self.graph.start(ask)
        again = p.Choose(
            chooser=chooser,
            options=self._again(offered.whole, picks, following, enough_left, took, stop),
            text="\n".join(t.text for t in node.texts),
            secret=secret,
            more=True,
            line=node.span.line,
        )
        self.graph.leave(again)
        self.graph.start(took)
        piece = slot_of(following)
        unit = p.Op(op="unit", args=(piece,), type=picks.cards.type)
        self._count_pick(line)
        self._note_pick(picks, piece, p.Op(op="join", args=(picks.cards, unit), type=picks.cards.type))
        self.graph.leave(p.Jump(to=more, back=True))
        if not picks.fixed:
            self.graph.start(stop)
            self._count_pick(line)
            self.graph.leave(p.Jump(to=offered.to))

    def _again(
        self,
        whole: p.Option,
        picks: Picks,
        following: p.Argument,
        where: p.Expr | None,
        took: int,
        stop: int,
    ) -> tuple[p.Option, ...]:
        """Return the options of a further pick: a piece, and where the number is not fixed that it is enough."""
        again = whole.model_copy(
            update={
                "part": True,
                "points": None,  # it was taken with the first piece
                "pick": following.bind.slot,
                "arguments": (following,),
                "when": None,
                "where": where,
                "label": whole.label if len(whole.arguments) == 1 else "",
                "to": took,
            }
        )
        if picks.fixed:
            return (again,)
        return again, p.Option(name="done", part=True, when=picks.enough(), to=stop, line=whole.line)

    def _count_pick(self, line: int) -> None:
        """Count a decision that only goes on with a move, so that the number of decisions tells no hidden number."""
        if self.picks is None:
            self.picks = self.scope.slot("picks", number(0, None), "state")
        slot = p.Slot(slot=self.picks, name="picks", type=number())
        one = p.Const(value=1, type=number(1, 1))
        more = p.Op(op="add", args=(slot, one), type=number())
        self.graph.add([p.Set(slot=self.picks, name="picks", value=more, line=line)])

    # ---- asking one after the other ---------------------------------------------------------------

    def _players(self, node: s.Choose) -> Asked:
        """Begin a loop over the players who are asked; the next of them is set where it goes on, or it is over."""
        assert node.name is not None
        binder = s.Binder(node.span, None, (node.name,), node.chooser)
        (bind,) = self.ask.bind((binder,), "local")
        if bind.type.form != "player":
            if bind.type.form != "nothing":
                self.report.add(
                    "E303",
                    node.chooser.span,
                    "only players can choose",
                    mend="name players here: `players`, `others of p`, `seats from p`",
                )
            everyone = p.Op(op="players", args=(), type=PLAYERS)
            bind = bind.model_copy(update={"source": everyone, "type": PLAYER})
            self.scope.locals[-1][
                node.name.text
            ].type = PLAYER  # one fault is told once: the rest is about players
        where = self.ask.where(node.where)
        items = self.scope.slot("asked", set_of(None), "flow")
        index = self.scope.slot("asked so far", number(), "flow")
        head, after = self.graph.new(), self.graph.new()
        self.graph.add([p.Collect(slot=items, binders=(bind,), where=where, line=node.span.line)])
        asked = Asked(items, index, bind, head, after)
        self._each(asked, node.span.line)
        return asked

    def _each(self, asked: Asked, line: int) -> None:
        """Lower the beginning of the loop over those who are asked."""
        zero = p.Const(value=0, type=number(0, 0))
        self.graph.add([p.Set(slot=asked.taken, name="asked so far", value=zero, line=line)])
        self.graph.leave(p.Jump(to=asked.head))
        self.graph.start(asked.head)
        items = p.Slot(slot=asked.items, name="asked", type=PLAYERS)
        index = p.Slot(slot=asked.taken, name="asked so far", type=number())
        left = p.Op(op="left_over", args=(items, index), type=FLAG)
        inside = self.graph.new()
        self.graph.leave(p.Branch(test=left, yes=inside, no=asked.after, line=line))
        self.graph.start(inside)
        self.graph.add([p.Take(slot=asked.items, index=asked.taken, targets=(asked.bind.slot,))])

    def _named(self, node: s.Choose) -> s.Choose:
        """Return a choice as if each player who is asked chose alone."""
        assert node.name is not None
        return s.Choose(node.span, s.Name(node.name.span, node.name.text), node.texts, node.options)

    def _first(self, node: s.Choose) -> None:
        """The first who does not pass ends the asking."""
        self.scope.locals.append({})
        asked = self._players(node)
        after = self.graph.new()

        def done(offered: Offered) -> None:
            self._body(offered, asked.player, asked.head if offered.whole.name == PASS else after)

        written = any(o.name.text == PASS for o in node.options)
        passing = p.Option(name=PASS, to=asked.head, line=node.span.line)
        more = () if written else (self.trace.option(passing, None, node.span),)
        self._offer(self._named(node), asked.player, None, done, more=more)
        self.scope.locals.pop()
        self.graph.start(asked.after)
        if node.nobody is not None:
            self.flow_body(node.nobody, self.trace.nobody(node))
        self.graph.leave(p.Jump(to=after))
        self.graph.start(after)

    # ---- secretly -----------------------------------------------------------------------------------

    def _secretly(self, node: s.Choose) -> None:
        self.scope.locals.append({})
        answer = self.scope.slot("answer", number(0, len(node.options)), "state", self.ask.declare.made.high)
        self.graph.add([self._unanswered(answer, node.span.line)])
        asked = self._players(node)
        kept: dict[int, int] = {}
        secret = p.Secret(begin=asked.head, choosers=asked.items, asked=asked.taken, answer=answer)
        answered: list[Offered] = []

        def done(offered: Offered) -> None:
            answered.append(offered)
            self._keep(offered, asked, answer, len(answered), kept)

        self._offer(self._named(node), asked.player, None, done, secret)
        self._seal(secret, kept)
        self.graph.start(asked.after)
        self._carry_out(node, asked, answer, answered, kept)
        self.scope.locals.pop()

    def _unanswered(self, answer: int, line: int) -> p.ForEach:
        """Return the statement that forgets answers which were never carried out, since a body ended the rest."""
        slot = self.scope.slot("one", PLAYER, "local")
        everyone = p.Op(op="players", args=(), type=PLAYERS)
        bind = p.Bind(slot=slot, name="one", source=everyone, type=PLAYER)
        player = p.Slot(slot=slot, name="one", type=PLAYER)
        none = p.Const(value=0, type=number(0, 0))
        forget = p.SetAt(slot=answer, name="answer", index=player, value=none, line=line)
        return p.ForEach(binders=(bind,), body=(forget,), line=line)

    def _keep(self, offered: Offered, asked: Asked, answer: int, place: int, kept: dict[int, int]) -> None:
        """Keep an answer for its player, and go on to the next who is asked."""
        player, line = asked.player, offered.whole.line
        choice = p.Const(value=place, type=number(place, place))
        self.graph.add([p.SetAt(slot=answer, name="answer", index=player, value=choice, line=line)])
        for argument in offered.whole.arguments:
            name, type = argument.bind.name, argument.bind.type
            slot = self.scope.slot(f"answered {name}", type, "state", self.ask.declare.made.high)
            kept[argument.bind.slot] = slot
            value = slot_of(argument)
            self.graph.add(
                [p.SetAt(slot=slot, name=f"answered {name}", index=player, value=value, line=line)]
            )
        self.graph.add([p.Tell(seat=player, whole=-1, line=line)])
        self.graph.leave(p.Jump(to=asked.head))

    def _seal(self, secret: p.Secret, kept: dict[int, int]) -> None:
        """Let every choice of the batch know the slots of the answers."""
        types = self._types(kept)
        arguments = tuple(p.Kept(slot=slot, type=types[slot]) for slot in kept.values())
        whole = secret.model_copy(update={"arguments": arguments})
        for number_, block in self.graph.blocks.items():
            exit = block.exit
            if isinstance(exit, p.Choose) and exit.secret == secret:
                exit = exit.model_copy(update={"secret": whole})
                self.graph.blocks[number_] = block.model_copy(update={"exit": exit})

    def _types(self, kept: dict[int, int]) -> dict[int, p.Type]:
        wanted, found, place = set(kept.values()), dict[int, p.Type](), 0
        for info in self.scope.slots:
            if place in wanted:
                found[place] = info.type
            place += info.size
        return found

    def _carry_out(
        self, node: s.Choose, asked: Asked, answer: int, answered: list[Offered], kept: dict[int, int]
    ) -> None:
        """Lower the second loop: for each player the body of the option that was chosen."""
        line = node.span.line
        doing = asked._replace(head=self.graph.new(), after=self.graph.new())
        self._each(doing, line)
        player = doing.player
        chosen = p.SlotAt(slot=answer, name="answer", index=player, type=number(0, len(answered)))
        for place, offered in enumerate(answered, 1):
            other = self.graph.new()
            if place < len(answered):
                here = self.graph.new()
                want = p.Const(value=place, type=number(place, place))
                test = p.Op(op="eq", args=(chosen, want), type=FLAG)
                self.graph.leave(p.Branch(test=test, yes=here, no=other, line=offered.whole.line))
                self.graph.start(here)
            self._put_back(offered, player, kept, answer)
            self._does(offered)
            self.graph.leave(p.Jump(to=doing.head, back=True))
            if place < len(answered):
                self.graph.start(other)
        self.graph.leave(p.Jump(to=doing.head, back=True))  # reached only where no option could be read
        self.graph.start(doing.after)

    def _put_back(self, offered: Offered, player: p.Expr, kept: dict[int, int], answer: int) -> None:
        line = offered.whole.line

        def value(argument: p.Argument) -> p.Expr:
            name = f"answered {argument.bind.name}"
            slot = kept[argument.bind.slot]
            return p.SlotAt(slot=slot, name=name, index=player, type=argument.bind.type)

        none = p.Const(value=0, type=number(0, 0))
        self.graph.add([p.SetAt(slot=answer, name="answer", index=player, value=none, line=line)])
        for argument in offered.whole.arguments:
            bind = argument.bind
            self.graph.add([p.Set(slot=bind.slot, name=bind.name, value=value(argument), line=line)])
        self.graph.add([self._tell(offered, player)])
