"""Parse trees of statements and blocks to syntax."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import partial
from typing import Any, TypeVar

from lark import Token, Tree

from hoyle import syntax as s
from hoyle.parser.choosing import TEXTS, ChoiceBuilder, is_unread
from hoyle.parser.defining import defined
from hoyle.parser.expressions import DEEPEST, Refused, too_deep
from hoyle.parser.families import family, payment
from hoyle.parser.tokens import give, token
from hoyle.source import NOWHERE, Span

UNREAD, UNREAD_WIN = "", "wins"  # the words of a rule text that stands for a line that can't be read
TYPE_WORDS = ("player", "team", "number", "flag", "card", "tile")
Made = TypeVar("Made")


def types_in(node: object) -> set[str]:
    """Return the names of types in a part of a spec, and the names that stand for lines that can't be read."""
    named = (x.text for x in parts(node) if isinstance(x, s.TypeName | s.Word | s.Name))
    return {text for text in named if text[:1].isupper() or not text.isidentifier()}


def declared_in(block: s.Block) -> Iterator[s.Word]:
    """Yield the names that a block declares."""
    for part in parts(block):
        match part:
            case (
                s.Parameter()
                | s.Zone()
                | s.Token()
                | s.Variable()
                | s.Define()
                | s.Phase()
                | s.Family()
                | s.Let()
                | s.Turns()
                | s.Rank()
            ):
                yield part.name
            case s.MoveSome(name=s.Word() as name):
                yield name
            case s.Binder():
                yield from part.names
            case s.Field() if not isinstance(block, s.Piece):
                yield from part.names
            case s.Member():
                yield s.Word(part.span, part.name)


def parts(node: object) -> Iterator[s.Node]:
    """Yield all of which a part of a spec is made, itself first."""
    if isinstance(node, tuple) and not isinstance(node, Span):
        for part in node:
            yield from parts(part)
    elif isinstance(node, s.Node):
        yield node
        for f in fields(node):
            yield from parts(getattr(node, f.name))


def _unread_line(at: Span) -> str:
    return f"line {at.line}, which can't be read"


def _perhaps_wins(at: Span) -> s.If:
    """Return a statement that says no more than that somebody may win here."""
    name = s.Name(at, _unread_line(at))
    return s.If(at, name, s.Body(at, (), (s.Wins(at, name),)), None)


def perhaps_won(phase: s.Phase) -> s.Phase | None:
    """Return what stands for a phase of which the first line can't be read, if somebody wins in it."""
    if not any(isinstance(x, s.Wins) for x in parts(phase)):
        return None
    perhaps = _perhaps_wins(phase.name.span)
    return s.Phase(phase.span, phase.name, (), s.Body(phase.span, (), (perhaps,)))


class BlockBuilder(ChoiceBuilder):
    """Builds whole blocks; a list such as `zones` becomes its members, laid flat.

    A part that is beyond the bounds of a spec is left out and kept in `refused`. A definition of which a case could not
    be read is left out too, and a choice without any option that could: what they say would not be what was written.
    """

    def __init__(self, path: str, shift: int, reserved: frozenset[str]) -> None:
        super().__init__(path, shift, reserved)
        self.refused: list[tuple[Refused, Span]] = []

    def block(self, t: Tree[Any]) -> list[s.Block]:
        """Return the blocks of one parse."""
        (made,) = (k for k in t.children if isinstance(k, Tree))
        kids = made.children
        match str(made.data):
            case "game":
                game = self.attempt(self._game, made)
                return [s.Game(self.span(made), "", 1, 16, ()) if game is None else game]
            case "parameters":
                return self._parameters(kids)
            case "components":
                return self._each(self._component, kids)
            case "zones":
                return self._each(self._zone, kids)
            case "state":
                return self._each(self._variable, kids)
            case "define":
                define = self.attempt(partial(defined, self), made)
                return [] if define is None else [define]
            case "play":
                at = self.span(made)
                word = s.Word(at._replace(end_line=at.line, end_column=at.column + len("play")), "play")
                return [s.Phase(at, word, (), self.body(kids[0]))]
            case "phase":
                return [
                    s.Phase(self.span(made), self.word(kids[0]), self.params(kids[1]), self.body(kids[2]))
                ]
            case "tricks" | "auction" | "payment" as word:
                return [payment(self, made) if word == "payment" else family(self, made)]
            case "result":
                ranks = tuple(self._each(self._rank, kids))
                unread = not ranks and any(map(is_unread, kids))
                return [] if unread else [s.Result(self.span(made), ranks, self.texts(kids))]
            case "scenario":
                return [self._scenario(made)]
            case other:
                raise AssertionError(f"no block {other}")

    def attempt(self, make: Callable[[Tree[Any]], Made | None], t: Tree[Any]) -> Made | None:
        """Return what `make` makes of a tree, or None if that is refused."""
        depth = self.depth
        try:
            return make(t)
        except Refused as refused:
            self.depth = depth
            self.refused.append((refused, self.span(t)))
            return None

    def _each(self, make: Callable[[Tree[Any]], Made | None], kids: list[Any]) -> list[Made]:
        found = []
        for k in kids:
            if isinstance(k, Tree) and k.data not in TEXTS:
                made = self.attempt(make, k)
                if made is not None:
                    found.append(made)
        return found

    def texts(self, kids: list[Any]) -> tuple[s.RuleText, ...]:
        """Return the lines of rule text among `kids`."""
        found = (k for k in kids if isinstance(k, Tree) and k.data in TEXTS)
        return tuple(
            self._text(k) for k in found if str(k.children[0]).startswith(">") and self._text(k).text
        )

    def _text(self, t: Tree[Any]) -> s.RuleText:
        return s.RuleText(self.span(t), str(t.children[0])[1:].strip())

    def params(self, t: Any) -> tuple[s.Field, ...]:
        """Return the parameters of a definition or phase."""
        return self.fields(t)

    def _game(self, t: Tree[Any]) -> s.Game:
        name, count, teams, *rest = t.children
        low = self.integer(count.children[0])
        high = self.integer(count.children[1]) if count.children[1] else low
        many = None if teams is None else self.integer(teams.children[0])
        ways = tuple(self.word(k.children[0]) for k in rest if k.data == "direction")
        return s.Game(self.span(t), str(name)[1:-1], low, high, self.texts(rest), many, ways)

    def _parameters(self, kids: list[Any]) -> list[s.Block]:
        made: list[s.Block] = []
        texts: list[s.RuleText] = []
        for k in kids:
            if k.data == "text":
                texts += self.texts([k])
                continue
            parameter = self.attempt(partial(self._parameter, tuple(texts)), k)
            made += [] if parameter is None else [parameter]
            texts = []
        return made

    def _parameter(self, texts: tuple[s.RuleText, ...], t: Tree[Any]) -> s.Parameter:
        name, default, domain = t.children
        items = () if domain is None else tuple(self._domain_item(d) for d in domain.children)
        word = s.Name(self.span(default), str(default.children[0])) if default.data == "name" else None
        return s.Parameter(self.span(t), self.word(name), word or self.expr(default), items, texts)

    def _domain_item(self, t: Tree[Any]) -> s.DomainItem:
        at = self.span(t)
        match str(t.data):
            case "domain_name":
                return s.DomainItem(at, name=str(t.children[0]))
            case "domain_value":
                return s.DomainItem(at, low=self._int(t.children[0]))
            case _:
                return s.DomainItem(at, low=self._int(t.children[0]), high=self._int(t.children[1]))

    def _int(self, t: Tree[Any]) -> int:
        value = self.integer(t.children[0])
        return -value if t.data == "negative_int" else value

    # ---- components, zones, state -------------------------------------------------------

    def _component(self, t: Tree[Any]) -> s.Enum | s.Piece | s.Kind | s.Token | s.Deck:
        at, kids = self.span(t), t.children
        match str(t.data):
            case "enum":
                return s.Enum(at, self.word(kids[0]), tuple(self._member(m) for m in kids[1:]))
            case "piece":
                word, name, fields, face = kids
                face_span = self.span(face) if face is not None else NOWHERE
                text = str(face)[1:-1] if face else ""
                return s.Piece(at, str(word), self.word(name), self.fields(fields), text, face_span)
            case "kind":
                return s.Kind(at, self.word(kids[0]), tuple(self.word(k) for k in kids[1:]))
            case "token":
                return token(self, t)
            case _:
                return s.Deck(
                    at, self.word(kids[0]), tuple(self._each(self._deck_part, kids[1:])), self.texts(kids)
                )

    def _member(self, t: Tree[Any]) -> s.Member:
        at = self.span(t)
        if t.data == "member_numbers":
            low = self.integer(t.children[0])
            return s.Member(at, low=low, high=self.integer(t.children[1]) if t.children[1] else low)
        return s.Member(at, name=str(t.children[0]))

    def _deck_part(self, t: Tree[Any]) -> s.DeckCount | s.DeckFor | s.DeckTable:
        if t.data != "deck_table":
            return self._deck_line(t)
        kind, file, players = t.children
        return s.DeckTable(
            self.span(t),
            self.word(kind.children[0]) if kind.data == "type_name" else None,
            s.Word(self.span(file), str(file)[1:-1]),
            self.counts(players),
        )

    def _deck_lines(self, kids: list[Any]) -> tuple[s.DeckCount | s.DeckFor, ...]:
        return tuple(self._each(self._deck_line, kids))

    def _deck_line(self, t: Tree[Any]) -> s.DeckCount | s.DeckFor:
        if t.data == "deck_for":
            self.depth += 1
            if self.depth > DEEPEST:
                raise too_deep(self.span(t))
            lines = self._deck_lines(t.children[1:])
            self.depth -= 1
            return s.DeckFor(self.span(t), self.binders(t.children[0]), lines)
        count, type_, arguments, binders, players = t.children
        return s.DeckCount(
            self.span(t),
            self.integer(count),
            self.word(type_),
            self.entries(arguments),
            None if binders is None else self.binders(binders),
            self.counts(players),
        )

    def _zone(self, t: Tree[Any]) -> s.Zone:
        name, *words = t.children
        made = []
        for w in words:
            extra = str(w.children[0]) if w.children else ""
            at = self.span(w)
            at, word = self.span(name) if at is NOWHERE else at, str(w.data).replace("_", " ")
            made.append(s.ZoneWord(at, word, extra, len(w.children) > 1 and w.children[1] is not None))
        return s.Zone(self.span(t), self.word(name), tuple(made))

    def _variable(self, t: Tree[Any]) -> s.Variable:
        name, type_, value, each = t.children
        whose = "" if each is None else str(each)
        meant = str(value.children[0]) if value is not None and value.data == "name" and type_ is None else ""
        if meant in TYPE_WORDS:
            message, mend = f"`{meant}` is a type, not a value", f"write `{name}: {meant}`"
            self.notes.append(Refused("E111", self.span(value), message, mend))
            form = "card" if meant == "tile" else meant
            type_ = s.TypeExpr(self.span(value), form)
            return s.Variable(self.span(t), self.word(name), type_, None, each is not None)
        return s.Variable(
            self.span(t),
            self.word(name),
            None if type_ is None else self.type(type_),
            self.maybe(value),
            whose.endswith("player"),
            whose.endswith("team"),
        )

    # ---- statements -----------------------------------------------------------------------

    def body(self, t: Any) -> s.Body:
        """Return the statements of a suite, with its rule text apart."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise too_deep(self.span(t))
        found: list[s.Statement] = []
        for k in t.children:
            made = self._unread_win(k) if k.data == "text" else self.attempt(self._statement, k)
            if made is not None:
                found.append(made)
        self.depth -= 1
        return s.Body(self.span(t), self.texts(t.children), tuple(found))

    def _unread_win(self, t: Tree[Any]) -> s.Statement | None:
        """Return what stands for a line that can't be read but has to do with winning: perhaps somebody wins."""
        if str(t.children[0]) != UNREAD_WIN:
            return None
        at = self.span(t)
        self.lost.add(_unread_line(at))
        return _perhaps_wins(at)

    def _statement(self, t: Tree[Any]) -> s.Statement | None:
        at, kids = self.span(t), t.children
        match str(t.data):
            case "do":
                self.named(kids[0].children[0])
                return s.Do(at, self.word(kids[0].children[0]), self.entries(kids[0].children[1]))
            case "let":
                return s.Let(at, self.word(kids[0]), self.expr(kids[1]))
            case "set" | "add" | "subtract" as how:
                word = {"set": "=", "add": "+=", "subtract": "-="}[how]
                return s.Assign(at, word, self.expr(kids[0]), self.expr(kids[1]))
            case "wins":
                return s.Wins(at, self.expr(kids[0]))
            case "eliminate":
                return s.Eliminate(at, self.expr(kids[0]))
            case "reverse_turns":
                return s.ReverseTurns(at)
            case "next_turn":
                return s.NextTurn(at, self.expr(kids[0]))
            case "end":
                ends = kids[0]
                name = ends.data.removeprefix("ends_") if ends.data != "ends_phase" else str(ends.children[0])
                return s.End(at, s.Word(at, name))
            case "if_":
                return self._if(t)
            case "repeat":
                return self._repeat(t)
            case "for_":
                binders, extreme, key, body = kids
                return s.For(at, self.binders(binders), str(extreme or ""), self.maybe(key), self.body(body))
            case "turns":
                name, first, until, body = kids
                return s.Turns(at, self.word(name), self.expr(first), self.maybe(until), self.body(body))
            case "choose" | "choose_secretly" | "choose_first":
                return self.choose(t)
            case _:
                return self._moving(t)

    def _moving(self, t: Tree[Any]) -> s.Statement:
        at, kids = self.span(t), t.children
        match str(t.data):
            case "move_these":
                return s.MoveThese(at, tuple(self.expr(k) for k in kids[:-1]), self.expr(kids[-1]))
            case "move_some":
                amount, source, target, name = kids
                up_to = amount.data == "up_to"
                count = None if amount.data == "all" else self.expr(amount.children[0] if up_to else amount)
                return s.MoveSome(
                    at, count, up_to, self.expr(source), self.expr(target), self.maybe_word(name)
                )
            case "deal":
                first = None if kids[3] is None else self.expr(kids[3])
                return s.Deal(at, self.expr(kids[0]), self.expr(kids[1]), self.word(kids[2]), first)
            case "fill":
                return s.Fill(at, *(self.expr(k) for k in kids))
            case "swap":
                return s.Swap(at, self.expr(kids[0]), self.expr(kids[1]))
            case "gather":
                what, target, shuffled = kids
                type_ = self.word(what.children[0]) if what.data == "type_name" else None
                return s.Gather(at, type_, self.expr(target), shuffled is not None)
            case "show" | "show_all" as form:
                shown, seats = (kids[:-1], self.expr(kids[-1])) if form == "show" else (kids, None)
                return s.Show(at, tuple(self.expr(k) for k in shown), seats)
            case "give":
                return give(self, t)
            case "shuffle":
                return s.Shuffle(at, self.expr(kids[0]))
            case "pick":
                return s.Pick(at, self.expr(kids[0]), self.expr(kids[1]))
            case "draw_for":
                target, source, extreme, key = kids
                return s.DrawFor(at, self.expr(target), self.expr(source), str(extreme), self.word(key))
            case other:
                raise AssertionError(f"no statement {other}")

    def _if(self, t: Tree[Any]) -> s.If:
        condition, body, other = t.children
        otherwise = None
        if other is not None and other.data == "if_":
            self.depth += 1
            if self.depth > DEEPEST:
                raise too_deep(self.span(other))
            nested = self._if(other)
            self.depth -= 1
            otherwise = s.Body(nested.span, (), (nested,))
        elif other is not None:
            otherwise = self.body(other)
        return s.If(self.span(t), self.expr(condition), self.body(body), otherwise)

    def _repeat(self, t: Tree[Any]) -> s.Repeat:
        loop, body = t.children
        at = self.span(t)
        if loop is None:
            return s.Repeat(at, "ever", None, None, self.body(body))
        match str(loop.data):
            case "loop_while":
                return s.Repeat(at, "while", self.expr(loop.children[0]), None, self.body(body))
            case "loop_until":
                return s.Repeat(at, "until", self.expr(loop.children[0]), None, self.body(body))
            case _:
                times, condition = loop.children
                return s.Repeat(at, "times", self.maybe(condition), self.expr(times), self.body(body))

    # ---- result, scenario -------------------------------------------------------------------

    def _rank(self, t: Tree[Any]) -> s.Rank:
        name, teams, *keys = t.children
        shared = isinstance(keys[-1], Token) or keys[-1] is None
        made = tuple(
            s.Key(self.span(k), str(k.children[0]), self.expr(k.children[1]))
            for k in keys
            if isinstance(k, Tree)
        )
        return s.Rank(self.span(t), self.word(name), made, shared and keys[-1] is not None, teams is not None)

    def _scenario(self, t: Tree[Any]) -> s.Scenario:
        title, *rest = t.children
        seats = [k for k in rest if isinstance(k, Token) and k.type == "NAME"]
        counts = [k for k in rest if isinstance(k, Token) and k.type == "INT"]
        steps = tuple(self._each(self._step, rest))
        return s.Scenario(
            self.span(title),
            str(title)[1:-1],
            self.integer(counts[0]) if counts else len(seats),
            tuple(self.word(k) for k in seats),
            steps,
            self.texts(rest),
        )

    def _step(self, t: Tree[Any]) -> s.Step:
        at, kids = self.span(t), t.children
        match str(t.data):
            case "given":
                return s.Given(at, self.expr(kids[0]), self.expr(kids[1]))
            case "given_out":
                return s.GivenOut(at, self.expr(kids[0]))
            case "given_reversed":
                return s.GivenReversed(at)
            case "given_rest":
                return s.GivenRest(at, tuple(self.expr(k) for k in kids))
            case "start_at":
                self.named(kids[0].children[0])
                return s.StartAt(at, self.word(kids[0].children[0]), self.entries(kids[0].children[1]))
            case "made":
                return s.Made(at, self.word(kids[0]), self._move(kids[1]), kids[2] is not None)
            case "holds":
                return s.Holds(at, self.expr(kids[0]))
            case "one_of":
                return s.OneOf(at, self.expr(kids[0]), tuple(self.expr(k) for k in kids[1:]))
            case "may" | "may_not" | "may_only" as form:
                return s.May(at, form.replace("_", " "), self.word(kids[0]), tuple(map(self._move, kids[1:])))
            case "is_next":
                return s.NextIs(at, self.word(kids[0]))
            case "winners":
                return s.Winners(at, tuple(self.word(k) for k in kids))
            case other:
                raise AssertionError(f"no step {other}")

    def _move(self, t: Tree[Any]) -> s.Move:
        name, arguments = t.children
        return s.Move(self.span(t), self.word(name), self.entries(arguments), arguments is None)
