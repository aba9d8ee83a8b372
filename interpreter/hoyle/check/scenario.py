"""Scenarios: their seats, what is given, the moves and what must hold."""

from __future__ import annotations

from collections import Counter

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.begun import is_place
from hoyle.check.coerce import converted
from hoyle.check.expressions import Expressions
from hoyle.check.implied import REVERSED
from hoyle.check.scope import Noun
from hoyle.check.types import describe
from hoyle.check.wholepayment import is_payment, whole_payment
from hoyle.check.written import joined
from hoyle.given import WON
from hoyle.program.types import FLAG, PLAYER, TEAM, number
from hoyle.source import NOWHERE, Source, Span

GIVEN = ("zone", "variable", "parameter", "token")


class Scenarios:
    """Reads the scenarios of a file against the game's names."""

    def __init__(
        self, ask: Expressions, heads: dict[str, p.Phase], blocks: tuple[p.Block, ...], low: int, high: int
    ) -> None:
        self.ask = ask
        self.report = ask.report
        self.scope = ask.scope
        self.heads = heads
        self.low, self.high = low, high
        self.options: dict[str, list[p.Option]] = {}
        self.asked: set[str] = set()  # the payments of which something is asked
        for block in blocks:
            if isinstance(block.exit, p.Choose):
                self.asked.add(block.exit.payment)
                for option in block.exit.options:
                    self.options.setdefault(option.name, []).append(option)
        self.deck: tuple[p.DeckLine, ...] = ()
        self.used: Counter[int] = Counter()
        self.players = 0
        self.seats: dict[str, int] = {}
        self.source = Source("", "")

    def read(self, source: Source, blocks: tuple[s.Block, ...]) -> tuple[p.Scenario, ...]:
        """Return the scenarios of a file; those with a fault are reported and left out."""
        self.source = source
        return tuple(self._scenario(b) for b in blocks if isinstance(b, s.Scenario))

    def _scenario(self, node: s.Scenario) -> p.Scenario:
        self.players = node.players
        self.used = Counter()
        broken = self.scope.broken
        self.seats = {}
        if node.players != len(node.seats):
            self.report.add(
                "E701",
                node.span,
                f"{node.players} players, but {len(node.seats)} names",
                mend="name every player, in seat order",
            )
            self.scope.broken = broken | _who_move(node)  # who of them is meant can't be told
        elif not self.low <= len(node.seats) <= self.high:
            self.report.add(
                "E701",
                node.span,
                f"the game is for {self.low}..{self.high} players, not {len(node.seats)}",
                mend="change the players of the scenario, or those of the game",
            )
        self.scope.locals = [{}]
        for seat, word in enumerate(node.seats):
            first = self._first(word.text, node.seats[:seat])
            if first is not None:
                self.scope.twice(word, first)
            self.seats[word.text] = seat
            self.scope.locals[-1][word.text] = Noun("seat", word.text, word.span, PLAYER, seat, used=True)
        self._order(node.steps)
        steps = [made for step in node.steps if (made := self._step(step)) is not None]
        self.scope.locals = []
        self.scope.broken = broken
        return p.Scenario(
            title=node.title,
            path=self.source.path,
            line=node.span.line,
            seats=tuple(w.text for w in node.seats),
            steps=tuple(steps),
            text="\n".join(t.text for t in node.texts),
        )

    def _first(self, name: str, seats: tuple[s.Word, ...]) -> Span | None:
        """Return where the name of a seat was declared before, None if it is new."""
        if name in self.scope.nouns:
            return self.scope.nouns[name].span
        if name in self.scope.labels:
            return self.scope.words.get(name, NOWHERE)
        return next((w.span for w in seats if w.text == name), None)

    def _order(self, steps: tuple[s.Step, ...]) -> None:
        """Report what is given after the game has begun, and a game that begins twice."""
        begun: s.Step | None = None
        start: s.StartAt | None = None
        self._one_rest([x for x in steps if isinstance(x, s.GivenRest)])
        for step in steps:
            if isinstance(step, s.StartAt) and start is not None:
                self.report.add(
                    "E702",
                    step.span,
                    "a scenario starts once",
                    second=(start.span, "the first start is here"),
                    mend="make a scenario of its own of what comes after it",
                )
            elif not isinstance(step, s.Given | s.GivenOut | s.GivenReversed | s.GivenRest | s.StartAt):
                begun = begun or step
            elif begun is not None:
                what = "where it starts" if isinstance(step, s.StartAt) else "what is given"
                self.report.add(
                    "E702",
                    step.span,
                    f"{what} stands before the first move and the first `then`",
                    second=(begun.span, "the scenario has begun here"),
                    mend="move this line up, or make a scenario of its own of it",
                )
            if isinstance(step, s.StartAt):
                start = start or step

    def _one_rest(self, rests: list[s.GivenRest]) -> None:
        """Report what is left of the deck if it is said twice where it lies."""
        for again in rests[1:]:
            self.report.add(
                "E702",
                again.span,
                "nothing is left: the rest of the cards lies elsewhere already",
                second=(rests[0].span, "this line deals them all"),
                mend="name all places in one line, such as `given the rest in stock, ann.hand`: they are dealt in turn",
            )

    def _step(self, node: s.Step) -> p.Step | None:
        line = node.span.line
        match node:
            case s.Given():
                return self._given(node)
            case s.GivenOut():
                return self._given_out(node)
            case s.GivenReversed():
                return self._given_reversed(node)
            case s.GivenRest():
                return self._given_rest(node)
            case s.StartAt():
                return self._start(node)
            case s.Made():
                seat = self._seat(node.player)
                move = self._move(node.move)
                return (
                    None
                    if seat is None or move is None
                    else p.Made(seat=seat, move=move, refused=node.refused, line=line)
                )
            case s.Holds():
                return self._holds(node)
            case s.OneOf():
                return self._one_of(node)
            case s.May():
                seat = self._seat(node.player)
                moves = [m for m in map(self._move, node.moves) if m is not None]
                if seat is None:
                    return None
                return p.May(form=node.form, seat=seat, moves=tuple(moves), line=line)  # type: ignore[arg-type]
            case s.NextIs():
                if node.player.text == "nobody" and "nobody" not in self.seats:
                    return p.NextIs(seat=-1, line=line)
                seat = self._seat(node.player)
                return None if seat is None else p.NextIs(seat=seat, line=line)
            case s.Winners():
                seats = [x for x in map(self._seat, node.players) if x is not None]
                return p.Winners(seats=tuple(seats), line=line)
            case _:
                raise AssertionError(node)

    def _seat(self, word: s.Word) -> int | None:
        if word.text not in self.seats:
            self.scope.unknown(word, "player of this scenario", list(self.seats))
            return None
        return self.seats[word.text]

    # ---- given ----------------------------------------------------------------------------

    def _given(self, node: s.Given) -> p.Given | None:
        line = node.span.line
        target = node.target
        if isinstance(target, s.Name) and target.text == "seed":
            return p.Given(what="seed", name="seed", value=self.ask.value(node.value, number()), line=line)
        seat: p.Expr | None = None
        if isinstance(target, s.TricksWon):
            if not self.ask.counts_tricks(target):
                return None
            target = s.Attribute(target.span, target.operand, s.Word(target.span, WON))
        if isinstance(target, s.Attribute):
            held = self.ask.declare.tokens.held_in(target, self.ask)
            if held is not None:
                return self._given_tokens(node, held)
            seat = self.ask.expr(target.base, PLAYER)
            if seat.type not in (PLAYER, TEAM):
                seat = self.ask.value(target.base, PLAYER)
            word = target.name
        elif isinstance(target, s.Name):
            word = s.Word(target.span, target.text)
        else:
            self.report.add(
                "E702",
                target.span,
                "only zones, variables and parameters can be given",
                mend="write `given NAME = ...`",
            )
            return None
        noun = self.scope.nouns.get(word.text)
        if noun is None or noun.kind not in GIVEN:
            names = [n for n, x in self.scope.nouns.items() if x.kind in GIVEN]
            self.scope.unknown(word, "zone, variable or parameter", names)
            return None
        noun.used = True
        if noun.owner != ("" if seat is None else "team" if seat.type == TEAM else "player"):
            self.ask.noun(noun, word) if seat is None else self.ask.attribute(target)  # type: ignore[arg-type]
            return None
        if noun.zone is not None:
            return self._given_zone(node, noun, seat)
        want = noun.type if noun.type.form != "number" else number(noun.type.low, noun.type.high)
        value = self.ask.expr(node.value, want)
        fitted = converted(value, want, self.scope)
        if fitted is None:
            self.ask.mismatch(node.value.span, value.type, want)
            return None
        if isinstance(fitted, p.Const) and want.form == "number":
            low, high = noun.type.low, noun.type.high
            if (low is not None and fitted.value < low) or (high is not None and fitted.value > high):
                self.report.add(
                    "E404",
                    node.value.span,
                    f"`{noun.name}` goes from {low} to {high}",
                    mend="change the number",
                )
        what = "parameter" if noun.kind == "parameter" else "variable"
        return p.Given(
            what=what,  # type: ignore[arg-type]
            name=noun.name,
            target=noun.slot,
            seat=seat,
            value=fitted,
            line=line,
        )

    def _given_tokens(self, node: s.Given, held: p.Expr) -> p.Given | None:
        """Return what a place for tokens, or the supply, is given."""
        if not isinstance(held, p.Slot | p.SlotAt):
            return None
        value = self.ask.within(node.value, self.ask.number(node.value), held.type)
        seat = held.index if isinstance(held, p.SlotAt) else None
        return p.Given(
            what="variable", name=held.name, target=held.slot, seat=seat, value=value, line=node.span.line
        )

    def _given_out(self, node: s.GivenOut) -> p.Given | None:
        seating, line = self.ask.seating, node.span.line
        player = self.ask.value(node.player, PLAYER)
        seating.needs_out(node.span)
        if not seating.out():
            return None
        joined = seating.eliminate(player, line)
        assert isinstance(joined, p.Set)
        return p.Given(what="variable", name="out", target=joined.slot, value=joined.value, line=line)

    def _given_reversed(self, node: s.GivenReversed) -> p.Given | None:
        self.ask.seating.needs_reversed(node.span)
        slot, line = self.ask.seating.reversed_slot, node.span.line
        value = p.Const(value=1, type=FLAG)
        return (
            None if slot < 0 else p.Given(what="variable", name=REVERSED, target=slot, value=value, line=line)
        )

    def _given_zone(self, node: s.Given, noun: Noun, seat: p.Expr | None) -> p.Given | None:
        assert noun.zone is not None
        if not isinstance(node.value, s.Faces):
            self.report.add(
                "E702", node.value.span, f"`{noun.name}` is given cards, by their faces in quotes",
                mend='write `"red 5, blue 3"`, or `""` for none',
            )  # fmt: skip
            return None
        kinds = self.ask.faces(node.value)
        self._enough(node.value.span, kinds)
        return p.Given(
            what="zone",
            name=noun.name,
            target=noun.zone.number,
            seat=seat,
            faces=p.FacesOf(kinds=tuple(kinds)),
            line=node.span.line,
        )

    def _enough(self, span: Span, kinds: list[int]) -> None:
        """Report faces that the deck for this many players does not hold so often."""
        self.used.update(kinds)
        for kind in dict.fromkeys(kinds):
            there = sum(d.copies for d in self.deck if d.kind == kind and d.low <= self.players <= d.high)
            if self.used[kind] > there:
                face = self.ask.kinds[kind].face
                self.report.add(
                    "E703",
                    span,
                    f'the deck for {self.players} players holds "{face}" {there} times, not {self.used[kind]}',
                    mend="leave one out",
                )
                self.used[kind] = there

    def _given_rest(self, node: s.GivenRest) -> p.GivenRest | None:
        zones = [self.ask.expr(x) for x in node.zones]
        for written, made in zip(node.zones, zones, strict=True):
            if made.type.form not in ("zone", "nothing"):
                self.report.add(
                    "E303",
                    written.span,
                    f"a zone is wanted here, not {describe(made.type)}",
                    mend="name one, such as `given the rest in stock` or `given the rest in ann.hand`",
                )
        if any(made.type.form != "zone" for made in zones):
            return None
        return p.GivenRest(zones=tuple(zones), line=node.span.line)

    def _start(self, node: s.StartAt) -> p.StartAt | None:
        head = self.heads.get(node.phase.text)
        if head is None:
            self.scope.unknown(node.phase, "phase", list(self.heads))
            return None
        args = self.ask.arguments(node.span, head.name, node.arguments, head.types)
        return p.StartAt(phase=head.name, args=args, line=node.span.line)

    # ---- moves and claims ---------------------------------------------------------------------

    def _move(self, node: s.Move) -> p.MoveText | None:
        options = self.options.get(node.option.text)
        if is_payment(node, options or [], self.scope.nouns):
            return whole_payment(node, self.ask, self.asked)
        if options is None:
            self.scope.unknown(node.option, "option", list(self.options))
            return None
        fitting = [o for o in options if len(o.arguments) >= len(node.arguments)]
        if not fitting:
            most = max(len(o.arguments) for o in options)
            self.report.add(
                "E208",
                node.span,
                f"`{node.option.text}` takes at most {most} argument{'' if most == 1 else 's'},"
                f" not {len(node.arguments)}",
                mend="look at the option in the spec",
            )
            return None
        words: list[str] = []
        more: tuple[str, ...] = ()
        for given, argument in zip(node.arguments, fitting[0].arguments, strict=False):
            if argument.domain.form == "nothing":
                return None
            if isinstance(given, s.Faces) and (argument.low is not None or _is_pick(fitting[0], argument)):
                faces = self._faces(given)
                if argument.low is None and faces:
                    faces, more = faces[:1], (*more, *faces[1:])
                words.append(", ".join(faces) or "nothing")
                continue
            word = self._argument(given, argument)
            if word is None:
                return None
            words.append(word)
        return p.MoveText(option=node.option.text, args=tuple(words), bare=node.bare, more=more)

    def _faces(self, node: s.Faces) -> list[str]:
        """Return the faces of a set, in the order in which moves tell them."""
        return [self.ask.kinds[k].face for k in sorted(self.ask.faces(node))]

    def _argument(self, node: s.Expr, argument: p.Argument) -> str | None:
        type = argument.domain
        if type.form in ("piece", "set"):
            if isinstance(node, s.Faces):
                kinds = self.ask.faces(node)
                if sum(1 for face in node.text.split(",") if face.strip()) != 1:
                    self.report.add(
                        "E702",
                        node.span,
                        "one card is wanted here",
                        mend='write one face, such as `"red 5"`; each argument stands in quotes of its own',
                    )
                return self.ask.kinds[kinds[0]].face if len(kinds) == 1 else None
            self.report.add(
                "E702",
                node.span,
                "a card is wanted here, by its face in quotes",
                mend='write it as `"red 5"`',
            )
            return None
        made = self.ask.value(node, number() if is_place(type) else type)
        if not isinstance(made, p.Const):
            value = made.args[0] if isinstance(made, p.Op) and made.op == "neg" else None
            if isinstance(value, p.Const):
                return str(-value.value)
            self.report.add("E702", node.span, "write the value itself here", mend="a number, word or player")
            return None
        match type.form:
            case "enum":
                return self.scope.enums[type.name].labels[made.value]
            case "flag":
                return ("no", "yes")[made.value]
            case "player":
                return f"player {made.value + 1}"
            case _:
                return str(made.value)

    def _holds(self, node: s.Holds) -> p.Holds:
        condition = self.ask.condition(node.condition)
        parts = [self._claim(x, asks, node.span.line) for x, asks in joined(node.condition, condition)]
        if len(parts) == 1:
            return parts[0]
        written = self._written(node.condition.span)
        return p.Holds(condition=condition, written=written, parts=tuple(parts), line=node.span.line)

    def _claim(self, node: s.Expr, condition: p.Expr, line: int) -> p.Holds:
        """Return one condition, with its two sides where it compares."""
        shown = condition.args[0] if isinstance(condition, p.Op) and condition.op == "not" else condition
        sides: tuple[p.Expr, ...] = ()
        if isinstance(shown, p.Op):
            sides = tuple(a for a in shown.args[:2] if not isinstance(a, p.Const))
        return p.Holds(condition=condition, written=self._written(node.span), sides=sides, line=line)

    def _one_of(self, node: s.OneOf) -> p.OneOf | None:
        value = self.ask.expr(node.value)
        choices = []
        for choice in node.choices:
            made = self.ask.face(choice) if isinstance(choice, s.Faces) else self.ask.expr(choice, value.type)
            fitted = converted(made, value.type, self.scope)
            if fitted is None and not (value.type.form == "piece" and made.type.form == "kind"):
                self.report.add(
                    "E306",
                    choice.span,
                    f"{describe(value.type)} and {describe(made.type)} can never be the same",
                    mend="compare values of one kind",
                )
                return None
            choices.append(fitted or made)
        return p.OneOf(
            value=value, choices=tuple(choices), written=self._written(node.span), line=node.span.line
        )

    def _written(self, span: Span) -> str:
        """Return what stands in the file at a span of one line."""
        line = self.source.line(span.line)
        if span.line != span.end_line:
            return line.strip()
        return line[span.column - 1 : span.end_column - 1].strip()


def _is_pick(option: p.Option, argument: p.Argument) -> bool:
    """Return whether an argument is one of several pieces that are picked one by one."""
    return option.part and argument.domain.form == "piece" and argument.bind.slot == option.pick


def _who_move(node: s.Scenario) -> frozenset[str]:
    """Return the words that stand in a scenario where players do."""
    steps = (x for x in node.steps if isinstance(x, s.Made | s.May | s.NextIs))
    return frozenset(x.player.text for x in steps)
