"""What names, attributes, faces and card types in an expression mean, and what a test tells about a card."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.begun import family, one_of
from hoyle.check.facts import Telling, path_of
from hoyle.check.habits import CALLS, SIDES, SIZES
from hoyle.check.payment import possible
from hoyle.check.scope import VALUES, Noun
from hoyle.check.splitsize import Trial
from hoyle.check.types import describe, join
from hoyle.given import LAST_WINNER
from hoyle.program.types import FLAG, PLAYER, TEAM, UNKNOWN

if TYPE_CHECKING:
    from hoyle.check.declare import Declarations
    from hoyle.check.scope import Scope
    from hoyle.diagnostics import Report

DIGITS = re.compile(r"\d+")


class Naming(Telling):
    """The part of expression checking that looks names up."""

    report: Report
    scope: Scope
    declare: Declarations
    kinds: list[p.Kind]
    pieces: int
    by_face: dict[str, int]
    by_values: dict[tuple[str, tuple[int, ...]], int]
    sure: bool
    lines: tuple[p.DeckLine, ...]  # those of the deck, once it is known
    ranked: frozenset[str]  # variables that the result ranks by: how they change is told in the log
    resolve: Callable[[s.Word], p.Function | None]

    def __init__(self, report: Report, scope: Scope, declare: Declarations) -> None:
        self.report = report
        self.scope = scope
        self.declare = declare
        self.seating = declare.seating
        self.deck([], 0, True)
        self.doubtful = set()
        self.ranked = frozenset()
        self.lines = ()
        self.splits: list[Trial] = []  # to be tried once it is known how many cards come where
        self.resolve = lambda word: None

    def deck(self, kinds: list[p.Kind], pieces: int, sure: bool) -> None:
        """Take note of the kinds of card and the number of pieces in the deck; unless `sure`, there may be more."""
        self.kinds = kinds
        self.pieces = pieces
        self.by_face = {k.face: i for i, k in enumerate(kinds)}
        self.by_values = {(k.type, k.values): i for i, k in enumerate(kinds)}
        self.sure = sure

    # ---- names ----------------------------------------------------------------------------

    def needs_hint(self, node: s.Expr) -> bool:
        """Return whether only the other side of a comparison can say what this means."""
        if isinstance(node, s.Name):
            if any(node.text in names for names in self.scope.locals) or node.text in self.scope.nouns:
                return False
            return node.text in self.scope.labels
        return isinstance(node, s.Number) or (
            isinstance(node, s.SetOf) and any(map(self.needs_hint, node.items))
        )

    def name(self, node: s.Name, want: p.Type | None) -> p.Expr:
        """Return what a name stands for."""
        word = s.Word(node.span, node.text)
        if want is not None and want.form == "nothing" and self.needs_hint(node):
            return self.lost()  # what it is compared with has a fault
        hint = want.element if want and want.form in ("set", "sequence") else want
        if hint and hint.form == "enum" and not any(node.text in names for names in self.scope.locals):
            labels = self.scope.enums[hint.name].labels
            if node.text in labels and node.text not in self.scope.nouns:
                return p.Const(value=labels.index(node.text), type=hint.plain())
        noun = self.scope.find(node.text)
        if noun is not None:
            return self.noun(noun, word)
        owners = self.scope.labels.get(node.text, [])
        if len(owners) == 1:
            enum = self.scope.enums[owners[0]]
            return p.Const(value=enum.labels.index(node.text), type=p.Type(form="enum", name=enum.name))
        if len(owners) > 1:
            self.report.add(
                "E210",
                node.span,
                f"`{node.text}` belongs to several enums: {', '.join(owners)}",
                mend="compare it with something of one of them, so that it is clear which is meant",
            )
            return self.lost()
        players = want is not None and want.form == "player"
        self.scope.unknown(word, among=self.scope.holding("player") if players else None)
        return self.lost()

    def _first_without(self, slot: p.Slot) -> p.Expr:
        """Return a player, the first one as long as there is none: views tell none, but rules ask for a player."""
        none = p.Op(op="eq", args=(slot, p.Const(value=p.NONE, type=slot.type)), type=FLAG)
        return p.Cond(test=none, yes=p.Const(value=0, type=PLAYER), no=slot, type=PLAYER)

    def noun(self, noun: Noun, word: s.Word) -> p.Expr:
        """Return the value of a declared name."""
        if noun.owner:
            whose, one = ("its", "(team of p)") if noun.each_team else ("their", "p")
            self.report.add(
                "E211",
                word.span,
                f"each {noun.owner} has a `{noun.name}` of {whose} own",
                second=(noun.span, f"declared for each {noun.owner}"),
                mend=f"say whose, as in `{one}.{noun.name}`"
                + ("; what nobody has is `supply." + noun.name + "`" if noun.kind == "token" else ""),
            )
            several = noun.zone is not None and noun.zone.many
            return self.lost(UNKNOWN if several else noun.type)
        match noun.kind:
            case "parameter":
                return p.Param(name=noun.name, type=noun.type)
            case "variable":
                slot = p.Slot(slot=noun.slot, name=noun.name, type=self.narrow(noun))
                return self._first_without(slot) if noun.name == LAST_WINNER and slot.type.or_none else slot
            case "local" if noun.zone is not None:
                return one_of(noun.zone, p.Slot(slot=noun.slot, name=noun.name, type=noun.type))
            case "local":
                return p.Slot(slot=noun.slot, name=noun.name, type=self.narrow(noun))
            case "zone":
                assert noun.zone is not None
                zone = p.ZoneAt(zone=noun.zone.number, name=noun.name, type=noun.type)
                return family(noun.zone, None, 1) if noun.zone.many else zone
            case "place":
                return self.declare.tokens.alone(noun, word, self)  # type: ignore[arg-type]
            case "seat":
                return p.Const(value=noun.slot, type=PLAYER)
            case "definition":
                function = self.resolve(word)
                if function is None:
                    return self.lost()
                return self.invoke(word.span, function, ())
            case _:
                self.report.add(
                    "E212",
                    word.span,
                    f"`{noun.name}` is a phase, not a value",
                    mend=f"a phase is run with `do {noun.name}`",
                )
                return self.lost()

    def narrow(self, noun: Noun) -> p.Type:
        """Return the type of a name as far as the tests around it tell."""
        return self.scope.narrowed.get(noun.name, noun.type)

    def function(self, word: s.Word) -> p.Function | None:
        """Return the definition of a name, or report that there is none."""
        noun = self.scope.find(word.text)
        if noun is None:
            names = [n for n, x in self.scope.nouns.items() if x.kind == "definition"]
            self.scope.unknown(word, "definition", names, CALLS.get(word.text, ""))
            return None
        if noun.kind != "definition":
            is_payment = possible(word.text) in self.scope.nouns
            paid = f", and `can {word.text}(...)` asks whether that can be paid" if is_payment else ""
            self.report.add(
                "E212",
                word.span,
                f"`{word.text}` takes no arguments in brackets",
                second=(noun.span, "declared here"),
                mend="only definitions do; a phase is run with `do`" + paid,
            )
            return None
        return self.resolve(word)

    # ---- attributes -------------------------------------------------------------------------

    def attribute(self, node: s.Attribute) -> p.Expr:
        """Return an attribute of a card, or what a player has."""
        held = self.declare.tokens.held_in(node, self)  # type: ignore[arg-type]
        if held is not None:
            return held
        if isinstance(node.base, s.Name) and not self.scope.has(node.base.text):
            word = s.Word(node.base.span, node.base.text)
            self.scope.unknown(word, among=self.scope.holding("player", "team", "piece", "kind"))
            return self.lost()
        base = self.expr(node.base)
        if base.type.form == "nothing":
            return self.lost()
        if base.type.or_none:
            if self.in_doubt:
                return self.lost()
            self.report.add(
                "E302",
                node.base.span,
                f"there may be no value here, so it has no `{node.name.text}`",
                mend="test `is not none` first",
            )
            return self.lost()
        if base.type.form == "player" or base.type == TEAM:
            return self._of_owner(node, base)
        if base.type.form in ("piece", "kind"):
            return self._of_piece(node, base)
        self.report.add(
            "E205",
            node.span,
            f"{describe(base.type)} has no `{node.name.text}`",
            mend=self._asked_so(node, base)
            or "only cards have attributes, and only players and teams variables and zones of their own",
        )
        return self.lost()

    def _asked_so(self, node: s.Attribute, base: p.Expr) -> str:
        """Return how the language asks for what other languages call a field; nothing if it is no such thing."""
        word, owner = node.name.text, path_of(node.base) or "..."
        if isinstance(node.base, s.TypeName):
            return f"write `{word}` alone"
        if base.type.form in ("zone", "set", "sequence"):
            word = SIZES.get(word, word)
            if word in ("size", "top", "bottom", "first", "last"):
                return f"write `{word} of {owner}`"
        if base.type.form == "player" and word in SIDES:
            return f"write `{SIDES[word]} of {owner}`"
        if base.type.form == "player" and word == "previous":
            return f"write `{self.seating.before} of {owner}`"
        return ""

    def _of_owner(self, node: s.Attribute, base: p.Expr) -> p.Expr:
        """Return what a player or team has."""
        word = node.name
        noun = self.scope.nouns.get(word.text)
        owner = "team" if base.type == TEAM else "player"
        if noun is None:
            own = [n for n, x in self.scope.nouns.items() if x.owner == owner]
            self.scope.unknown(word, f"variable or zone of a {owner}", own, self._asked_so(node, base))
            return self.lost()
        noun.used = True
        if noun.owner != owner and not self.scope.first_unowned(noun, owner):
            self.report.note()
            return self.lost(noun.type)
        if noun.owner != owner:
            self.report.add(
                "E211",
                word.span,
                f"`{word.text}` does not belong to a {owner}",
                second=(noun.span, "declared here"),
                mend=self._owned(noun, owner),
            )
            return self.lost(noun.type)
        if noun.zone is not None and noun.zone.many:
            return family(noun.zone, base, self.declare.owners(noun.zone))
        if noun.zone is not None:
            return p.ZoneAt(zone=noun.zone.number, name=noun.name, index=base, type=noun.type)
        if noun.kind == "place":
            return self.declare.tokens.alone(noun, word, self)  # type: ignore[arg-type]
        type = self.scope.narrowed.get(path_of(node), noun.type)
        return p.SlotAt(slot=noun.slot, name=noun.name, index=base, type=type)

    def _owned(self, noun: Noun, owner: str) -> str:
        """Return how to say whose a name is that belongs to somebody else, or to nobody."""
        if noun.each_team:
            return f"each team has one: write `(team of p).{noun.name}`"
        if noun.each_player:
            return f"each player has one: write `p.{noun.name}`"
        added = {"zone": f"each {owner}", "variable": f"for each {owner}"}.get(noun.kind)
        return self._alone(noun) + (f", or add `{added}` where it is declared" if added else "")

    def _alone(self, noun: Noun) -> str:
        """Return how to write a name that belongs to no player."""
        if noun.kind == "phase":
            return f"a phase is run with `do {noun.name}`"
        if noun.brackets:
            return f"a definition is asked with brackets: `{noun.name}(...)`"
        return f"write `{noun.name}` alone"

    def _of_piece(self, node: s.Attribute, base: p.Expr) -> p.Expr:
        word = node.name
        type: p.Type | None = None
        without: list[str] = []
        for name in base.type.pieces:
            found = next((a for a in self.scope.pieces[name] if a.name == word.text), None)
            if found is None:
                without.append(name)
            else:
                type = found.type if type is None else join(type, found.type)
        if type is None and len(without) == len(base.type.pieces):
            if self.in_doubt and any(a.name == word.text for x in self.scope.pieces.values() for a in x):
                return self.lost()
            every = sorted({a.name for attributes in self.scope.pieces.values() for a in attributes})
            self.scope.unknown(word, f"attribute of {describe(base.type)}", every)
            return self.lost()
        if without and self.in_doubt:
            return self.lost()
        if without:
            self.report.add(
                "E205",
                node.span,
                f"{' and '.join(without)} {'has' if len(without) == 1 else 'have'} no {word.text}",
                label="this card may be one of them",
                mend="test the type first, as in "
                f"`{path_of(node.base) or 'c'} is {next(n for n in base.type.pieces if n not in without)}`",
            )
            return self.lost(type) if type else self.lost()
        if type is None:
            self.report.add(
                "E205",
                node.span,
                f"`{word.text}` is a different kind of value on different cards",
                mend="test the type first",
            )
            return self.lost()
        return p.Attr(name=word.text, of=base, type=type)

    # ---- faces and kinds ------------------------------------------------------------------------

    def faces(self, node: s.Faces) -> list[int]:
        """Return the kinds of the faces written in quotes; a face that no card bears is reported."""
        found = []
        for face in (f.strip() for f in node.text.split(",")):
            if not face:
                continue
            if face in self.by_face:
                found.append(self.by_face[face])
            elif self.sure or self._slip(face):
                example = f'faces look like "{self.kinds[0].face}"' if self.kinds else ""
                if face in self.scope.labels or face in VALUES:
                    if not self.sure:  # it may well be the face of a card that could not be made
                        self.report.note()
                        continue
                    self.report.add(
                        "E201",
                        node.span,
                        f'no card is called "{face}"',
                        mend=f"quotes are for cards; the value is written without: `{face}`",
                    )
                    continue
                self.scope.unknown(s.Word(node.span, face), "card", list(self.by_face), example)
        return found

    def _slip(self, face: str) -> bool:
        """Return whether a face that no card bears is surely meant for one that is there: but for a letter the same."""
        near = difflib.get_close_matches(face, list(self.by_face), n=1, cutoff=0.8)
        return bool(near) and DIGITS.findall(face) == DIGITS.findall(near[0])

    def face(self, node: s.Faces) -> p.Expr:
        """Return the one kind of card whose face is written."""
        found = self.faces(node)
        if sum(1 for f in node.text.split(",") if f.strip()) != 1:
            self.report.add("E303", node.span, "one card is wanted here", mend="write one face")
            return self.lost()
        if not found:
            return self.lost()
        return p.Const(value=found[0], type=p.Type(form="kind", pieces=(self.kinds[found[0]].type,)))

    def kind(self, node: s.Call) -> p.Expr:
        """Return a kind of card written as `Card(clubs, 2)`, its attributes known."""
        before = self.report.noted
        values = self._attributes(node)
        if values is None or self.report.noted > before:
            return self.lost()
        wanted = tuple(v.value for v in values if isinstance(v, p.Const))
        if len(wanted) != len(values):
            self.report.add(
                "E303", node.span, "a kind of card with attributes to be worked out stands beside `is` only",
                mend="write `c is " + node.name.text + "(...)`",
            )  # fmt: skip
            return self.lost()
        index = self.by_values.get((node.name.text, wanted))
        if index is not None:
            return p.Const(value=index, type=p.Type(form="kind", pieces=(node.name.text,)))
        if self.sure:
            self.report.add(
                "E213", node.span, "the deck holds no such card", mend="look at the lines under `deck`"
            )
        return self.lost()

    def _attributes(self, node: s.Call) -> list[p.Expr] | None:
        attributes = self.scope.pieces.get(node.name.text)
        if attributes is None:
            self.scope.unknown(node.name, "card type", list(self.scope.pieces))
            return None
        types = tuple(a.type for a in attributes)
        return list(self.arguments(node.span, node.name.text, node.arguments, types))

    def is_kind(self, node: s.Binary) -> p.Expr | None:
        """Return `x is Type`, `x is Type(...)` or `x is "face"` as a test, None for other comparisons."""
        right = node.right
        if isinstance(right, s.TypeName) and self.declare.piece_names(right.text) is not None:
            return self._is_type(node, right)
        if isinstance(right, s.Call) and right.name.text[0].isupper():
            return self._is_written_kind(node, right)
        if isinstance(right, s.Faces):
            left = self.expr(node.left)
            if left.type.form == "zone":
                op = "lies_in_order" if self._ordered(left) else "lies"
                kinds = tuple(
                    p.Const(value=k, type=p.Type(form="kind", pieces=(self.kinds[k].type,)))
                    for k in self.faces(right)
                )
                return p.Op(op=op, args=(left, *kinds), type=FLAG)
            if left.type.form == "nothing":
                return self.lost(FLAG)
            if left.type.form != "piece" and right.text in self.scope.labels:
                self.report.add(
                    "E301",
                    right.span,
                    f"{describe(left.type)} is wanted here, not a card",
                    mend=f"quotes are for cards; the value is written without: `{right.text}`",
                )
                return self.lost(FLAG)
            kind = self.face(right)
            if left.type.form != "piece":
                self.mismatch(
                    node.left.span, left.type, p.Type(form="piece", pieces=tuple(self.scope.pieces))
                )
                return self.lost(FLAG)
            return p.Op(op="is_kind", args=(left, kind), type=FLAG)
        return self._kind_and_card(node)

    def _kind_and_card(self, node: s.Binary) -> p.Expr | None:
        """Report a face that does not stand after `is`, None if it is no such comparison."""
        left, right = self._is_face(node.left), self._is_face(node.right)
        if left == right or self.expr(node.right if left else node.left).type.form != "piece":
            return None
        self.report.add(
            "E306",
            node.span,
            "a face is compared with a card only where it stands itself, in quotes after `is`",
            mend='write the card first and then its face, as in `c is "red 5"`',
        )
        return self.lost(FLAG)

    def _is_face(self, node: s.Expr) -> bool:
        known = self._known(node) if isinstance(node, s.Name) else None
        return isinstance(node, s.Faces) or (known is not None and known.form == "kind")

    def _ordered(self, zone: p.Expr) -> bool:
        noun = self.scope.nouns.get(zone.name) if isinstance(zone, p.ZoneAt) else None
        return noun is not None and noun.zone is not None and noun.zone.form == "row"

    def is_pile(self, zone: p.Expr) -> bool:
        """Return whether a zone is a pile, whose first card is the top."""
        noun = self.scope.nouns.get(zone.name) if isinstance(zone, p.ZoneAt) else None
        return noun is not None and noun.zone is not None and noun.zone.form == "pile"

    def in_order(self, zone: p.ZoneAt) -> bool:
        """Return whether a zone has an order: all but pools."""
        noun = self.scope.nouns.get(zone.name)
        return noun is None or noun.zone is None or noun.zone.form != "pool"

    def _is_type(self, node: s.Binary, right: s.TypeName) -> p.Expr:
        left = self.expr(node.left)
        names = self.declare.piece_names(right.text) or ()
        if left.type.form != "piece":
            if left.type.form != "nothing":
                self.mismatch(
                    node.left.span, left.type, p.Type(form="piece", pieces=tuple(self.scope.pieces))
                )
            return self.lost(FLAG)
        if not set(left.type.pieces) & set(names):
            self.report.add(
                "E306",
                node.span,
                f"{describe(left.type)} can never be a {right.text} here",
                mend="an earlier test has settled it; take this one out",
            )
        return p.TypeTest(pieces=names, of=left, type=FLAG)

    def _is_written_kind(self, node: s.Binary, right: s.Call) -> p.Expr:
        left = self.expr(node.left)
        before = self.report.noted
        values = self._attributes(right)
        if self.report.noted > before:
            return self.lost(FLAG)
        if left.type.form != "piece" or values is None:
            if left.type.form not in ("piece", "nothing"):
                self.mismatch(
                    node.left.span, left.type, p.Type(form="piece", pieces=tuple(self.scope.pieces))
                )
            return self.lost(FLAG)
        if all(isinstance(v, p.Const) for v in values):
            return p.Op(op="is_kind", args=(left, self.kind(right)), type=FLAG)
        test: p.Expr = p.TypeTest(pieces=(right.name.text,), of=left, type=FLAG)
        for attribute, value in zip(self.scope.pieces[right.name.text], values, strict=True):
            equal = p.Op(
                op="eq", args=(p.Attr(name=attribute.name, of=left, type=attribute.type), value), type=FLAG
            )
            test = p.Op(op="and", args=(test, equal), type=FLAG)
        return test
