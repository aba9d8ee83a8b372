"""Game, parameters, components, zones and state: the nouns of a spec."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import get_close_matches

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.begun import FAMILIES, many_of, zone_argument
from hoyle.check.parameters import Parameters
from hoyle.check.scope import Noun, Scope
from hoyle.check.seating import Seating
from hoyle.check.tokens import Tokens, holds_tokens
from hoyle.diagnostics import Report
from hoyle.program.types import FLAG, PLAYER, TEAM, UNKNOWN, number, set_of

WRITTEN_TYPES = ("player", "team", "number", "flag", "card", "tile")
MOST_PLAYERS = 16
MOST_MEMBERS = 62
ZONE_FORMS = ("pile", "row", "pool")
ZONE_SEEN = {
    "hidden": "hidden",
    "open": "open",
    "seen by owner": "owner",
    "seen by others": "others",
    "seen by team": "team",
    "top open": "top",
}


@dataclass(slots=True)
class Declared:
    """What the declarations of a spec add up to, before its deck and flow are read.

    `unsure` are the variables whose first value does not tell what kind of value they keep.
    """

    name: str = ""
    text: str = ""
    low: int = 1
    high: int = 1
    parameters: list[p.Parameter] = field(default_factory=list)
    zones: list[p.Zone] = field(default_factory=list)
    variables: list[tuple[s.Variable, Noun]] = field(default_factory=list)
    unsure: set[str] = field(default_factory=set)
    zone_lists: int = 0


class Declarations:
    """Reads the declarations of a file into a scope."""

    def __init__(self, report: Report, scope: Scope) -> None:
        self.report = report
        self.scope = scope
        self.made = Declared()
        self.seating = Seating(scope)
        self.tokens = Tokens(report, scope)

    def read(self, blocks: tuple[s.Block, ...]) -> Declared:
        """Return what the blocks declare, names first, so that the order of blocks does not matter."""
        self._games([b for b in blocks if isinstance(b, s.Game)])
        for block in blocks:
            if isinstance(block, s.Enum) and self.scope.declare_type(block.name):
                self._enum(block)
        for block in blocks:
            if isinstance(block, s.Piece | s.Kind):
                self.scope.declare_type(block.name)
                if isinstance(block, s.Piece):
                    self.scope.pieces.setdefault(block.name.text, ())
        for block in blocks:
            if isinstance(block, s.Kind):
                self._kind(block)
        parameters = Parameters(self.report, self.scope)
        for block in blocks:
            if isinstance(block, s.Parameter):
                parameters.read(block)
        self.made.parameters = parameters.made
        for block in blocks:
            if isinstance(block, s.Piece):
                self._piece(block)
        zones = [b for b in blocks if isinstance(b, s.Zone) and not holds_tokens(b)]
        for block in zones:
            self._zone(block)
        self._refills(zones)
        self.tokens.read(blocks, self)
        for block in blocks:
            if isinstance(block, s.Variable):
                self._variable(block)
        self.seating.flow(blocks)
        return self.made

    # ---- game -----------------------------------------------------------------------------

    def _games(self, games: list[s.Game]) -> None:
        for extra in games[1:]:
            self.report.add(
                "E402",
                extra.span,
                "a file is one game, and this is a second `game` block",
                second=(games[0].span, "the first is here"),
                mend="put the other game in a file of its own",
            )
        if not games:
            return
        game = games[0]
        self.made.name = game.name
        self.made.text = "\n".join(t.text for t in game.texts)
        low, high = game.low, game.high
        if not (1 <= low <= high <= MOST_PLAYERS):
            self.report.add(
                "E403",
                game.span,
                f"a game for {low}..{high} players is not possible",
                mend=f"write the smaller count first; from 1 to {MOST_PLAYERS} players, such as `for 2..4 players`",
            )
            low = max(1, min(low, MOST_PLAYERS))
            high = max(low, min(high, MOST_PLAYERS))
        self.made.low, self.made.high = low, high
        self.seating.game(game, low, high)

    # ---- enums, card types ---------------------------------------------------------------

    def _enum(self, block: s.Enum) -> None:
        labels: list[str] = []
        numbers: list[int | None] = []
        for member in block.members:
            for label, value in self._members(member, block):
                if label in labels:
                    self.report.add(
                        "E202",
                        member.span,
                        f"`{label}` stands twice in {block.name.text}",
                        mend="leave one of them out",
                    )
                    continue
                labels.append(label)
                numbers.append(value)
        if len(labels) > MOST_MEMBERS:
            self.report.add(
                "E404",
                block.span,
                f"{block.name.text} has {len(labels)} members",
                mend=f"an enum has at most {MOST_MEMBERS}",
            )
            labels, numbers = labels[:MOST_MEMBERS], numbers[:MOST_MEMBERS]
        enum = p.Enum(name=block.name.text, labels=tuple(labels), numbers=tuple(numbers))
        self.scope.enums[enum.name] = enum
        for member in block.members:
            if member.name and member.name[0].islower():
                word = s.Word(member.span, member.name)
                self.scope.allowed(word)
                self.scope.words.setdefault(member.name, member.span)
        for label, value in zip(labels, numbers, strict=True):
            if value is None:
                self.scope.labels.setdefault(label, []).append(enum.name)

    def _members(self, member: s.Member, block: s.Enum) -> list[tuple[str, int | None]]:
        if not member.name:
            if member.high - member.low >= MOST_MEMBERS or member.high < member.low:
                self.report.add(
                    "E404",
                    member.span,
                    f"{member.low}..{member.high} is not a range for an enum",
                    mend=f"the smaller number first, at most {MOST_MEMBERS} numbers",
                )
                return []
            return [(str(n), n) for n in range(member.low, member.high + 1)]
        if member.name[0].isupper():
            other = self.scope.enums.get(member.name)
            if other is None:
                return self._capital(member, block)
            return list(zip(other.labels, other.numbers, strict=True))
        return [(member.name, None)]

    def _capital(self, member: s.Member, block: s.Enum) -> list[tuple[str, int | None]]:
        """Report an enum in an enum that is not known; where all values are written so, their capitals are the slip."""
        names = [m.name for m in block.members]
        if len(names) < 2 or any(not n or n[0].islower() or n in self.scope.enums for n in names):
            self.scope.unknown(
                s.Word(member.span, member.name), "enum above this one", list(self.scope.enums)
            )
            return []
        small = member.name.lower()
        self.report.add(
            "E118",
            member.span,
            f"values of an enum begin with a small letter: `{member.name}`",
            mend=f"write `{small}`",
        )
        return [(small, None)]

    def _kind(self, block: s.Kind) -> None:
        names: dict[str, None] = {}
        for word in block.types:
            if word.text in self.scope.pieces:
                names[word.text] = None
            elif word.text in self.scope.unions:
                names.update(dict.fromkeys(self.scope.unions[word.text]))
            elif word.text == block.name.text:
                message = f"the kind `{word.text}` can't be a part of itself"
                self.report.add("E201", word.span, message, mend="name the card types that it stands for")
            else:
                self.scope.unknown(word, "card type", [*self.scope.pieces, *self.scope.unions])
                names.update(
                    dict.fromkeys(get_close_matches(word.text, self.scope.pieces, n=1))
                )  # what is meant
        self.scope.unions[block.name.text] = tuple(names)

    def _piece(self, block: s.Piece) -> None:
        made: list[p.Attribute] = []
        for group in block.fields:
            type = self.type(group.type)
            bounded = type.form != "number" or (type.low is not None and type.high is not None)
            if type.form not in ("number", "enum", "flag", "nothing") or type.or_none or not bounded:
                self.report.add(
                    "E405",
                    group.type.span,
                    "an attribute of a card is a bounded number, an enum or a flag",
                    mend="leave out `or none`" if type.or_none else "write a range such as `1..10`",
                )
                type = UNKNOWN
            for word in group.names:
                if any(a.name == word.text for a in made):
                    self.report.add(
                        "E202", word.span, f"`{word.text}` is declared twice", mend="leave one out"
                    )
                    continue
                made.append(p.Attribute(name=word.text, type=type))
        self.scope.pieces[block.name.text] = tuple(made)

    # ---- zones, state ---------------------------------------------------------------------------

    def _zone(self, block: s.Zone) -> None:
        words = [FAMILIES.get(w.word, w.word) for w in block.words]
        forms = [w for w in words if w in ZONE_FORMS]
        many = many_of(block, self.report)
        seen = [w for w in words if w in ZONE_SEEN]
        each, team = "each player" in words, "each team" in words
        if team or "seen by team" in words:
            self.seating.needs_teams(block.span)
        if each and team:
            self.report.add(
                "E407",
                block.span,
                f"does each player or each team have a `{block.name.text}`?",
                mend="say one of the two",
            )
        if len(forms) != 1:
            self.report.add(
                "E407",
                block.span,
                f"the zone `{block.name.text}` is "
                + ("a pile, row or pool?" if not forms else "given two forms: " + ", ".join(forms)),
                mend="say one of `pile` (ordered, face on face), `row` (ordered, side by side), `pool` (no order)",
            )
        if len(seen) != 1:
            self.report.add(
                "E408",
                block.span,
                f"who sees the cards of `{block.name.text}`?"
                if not seen
                else f"`{block.name.text}` is seen in two ways: {', '.join(seen)}",
                mend="say one of `hidden`, `open`, `seen by owner`, `seen by others`, `seen by team`, `top open`",
            )
        if seen == ["top open"] and forms in (["row"], ["pool"]):
            self.report.add(
                "E408",
                block.span,
                f"`{block.name.text}` is a {forms[0]}: it has no top that could be open",
                mend="make it a `pile`, or say who sees all of its cards: `open`, `hidden`, `seen by owner`",
            )
        if seen[:1] in (["seen by owner"], ["seen by others"], ["seen by team"]) and not (each or team):
            self.report.add(
                "E408",
                block.span,
                f"`{block.name.text}` is {seen[0]}, but nobody owns it",
                mend="add `each player`, or say `hidden` or `open`",
            )
            for owner in ("player", "team"):  # what is said of it elsewhere hangs on this
                self.scope.unowned.add((block.name.text, owner))
            seen = ["open"]
        zone = p.Zone(
            name=block.name.text,
            number=self.made.zone_lists,
            form=forms[0] if len(forms) == 1 else "pile",  # type: ignore[arg-type]
            seen=ZONE_SEEN[seen[0]] if len(seen) == 1 else "open",  # type: ignore[arg-type]
            each_player=each,
            each_team=team and not each,
            many=many,
            pieces=tuple(self.scope.pieces),
            line=block.span.line,
        )
        self.made.zone_lists += max(1, many) * self.owners(zone)
        self.made.zones.append(zone)
        type = p.Type(form="zone", name=zone.name, pieces=zone.pieces)
        self.scope.declare(
            Noun(
                "zone",
                zone.name,
                block.name.span,
                type,
                each_player=each,
                each_team=zone.each_team,
                zone=zone,
            ),
            block.name,
        )

    def _refills(self, blocks: list[s.Zone]) -> None:
        place = {z.name: i for i, z in enumerate(self.made.zones)}
        for block in blocks:
            for word in block.words:
                if not word.name or word.word == "at most":
                    continue
                noun = self.scope.nouns.get(word.name)
                if noun is None or noun.zone is None:
                    self.scope.unknown(s.Word(word.span, word.name), "zone", list(place))
                    continue
                noun.used = True
                if word.but_top and noun.zone.form != "pile":
                    self.report.add(
                        "E407",
                        word.span,
                        f"`{word.name}` is a {noun.zone.form}: it has no top that could stay",
                        second=(noun.span, "declared here"),
                        mend="make it a pile, or leave out `but its top`",
                    )
                if noun.each_player or noun.each_team or word.name == block.name.text:
                    self.report.add(
                        "E407",
                        word.span,
                        f"`{block.name.text}` can't be refilled from `{word.name}`",
                        mend="name another zone that all players share",
                    )
                    continue
                target = self.scope.nouns.get(block.name.text)
                if target is not None and target.zone is not None:
                    target.zone = target.zone.model_copy(
                        update={"refill": noun.zone.number, "keeps_top": word.but_top}
                    )
                    self.made.zones[place[target.name]] = target.zone

    def _variable(self, block: s.Variable) -> None:
        type = None if block.type is None else self.type(block.type)
        if type is None:
            type = self._guess(block)
        if type.form == "piece" and not type.or_none and block.value is None:
            self.report.add(
                "E409",
                block.span,
                f"which card is `{block.name.text}` when the game begins?",
                mend="write `or none` behind its type: it then begins with none",
            )
        if block.each_team:
            self.seating.needs_teams(block.span)
        size = self.made.high if block.each_player else max(1, self.seating.teams) if block.each_team else 1
        slot = self.scope.slot(block.name.text, type, "state", size)
        noun = Noun(
            "variable",
            block.name.text,
            block.name.span,
            type,
            slot,
            block.each_player,
            block.each_team,
            low=type.low,
            high=type.high,
        )
        if type.form == "number" and block.type is None:
            noun.low = noun.high = None
        self.scope.declare(noun, block.name)
        self.made.variables.append((block, noun))

    def _guess(self, block: s.Variable) -> p.Type:
        """Return the type of a variable from its first value."""
        value = block.value
        if isinstance(value, s.Number) or (isinstance(value, s.Unary) and value.word == "negative"):
            return number()
        if isinstance(value, s.Literal) and value.word in ("yes", "no"):
            return FLAG
        if isinstance(value, s.Name):
            noun = self.scope.nouns.get(value.text)
            if noun and noun.kind == "parameter":
                return number() if noun.type.form == "number" else noun.type
            owners = self.scope.labels.get(value.text, [])
            if len(owners) == 1:
                return p.Type(form="enum", name=owners[0])
        if value is not None:
            self.made.unsure.add(block.name.text)
            return UNKNOWN
        self.report.add(
            "E409",
            block.span,
            f"what kind of value is `{block.name.text}`?",
            mend="give it a type, such as `: player`, `: Colour or none`, `: 0..9`, or a first value",
        )
        return UNKNOWN

    # ---- types ------------------------------------------------------------------------------------

    def owners(self, zone: p.Zone) -> int:
        """Return how many have a zone of this name: one where all share it."""
        return self.made.high if zone.each_player else max(1, self.seating.teams) if zone.each_team else 1

    def type(self, node: s.TypeExpr) -> p.Type:
        """Return the type that is written; a fault is reported and gives the unknown type."""
        made = self._plain_type(node)
        if node.or_none and made.form != "nothing":
            made = made.model_copy(update={"or_none": True})
        return made

    def _plain_type(self, node: s.TypeExpr) -> p.Type:
        match node.form:
            case "player":
                return PLAYER
            case "team":
                self.seating.needs_teams(node.span)
                return TEAM
            case "number":
                return number()
            case "flag":
                return FLAG
            case "card":
                return p.Type(form="piece", pieces=tuple(self.scope.pieces))
            case "range":
                return self._range_type(node)
            case "set":
                inner = self._plain_type(node.element) if node.element else UNKNOWN
                if inner.form == "number" and (inner.low is None or inner.low < 0 or (inner.high or 99) > 62):
                    self.report.add(
                        "E305", node.span, "a set of numbers holds numbers from 0 to 62",
                        mend="write the range, such as `set of 1..10`",
                    )  # fmt: skip
                    return UNKNOWN
                return set_of(inner)
            case "zone":
                return zone_argument(node, self, WRITTEN_TYPES)
            case _:
                return self.named_type(s.Word(node.span, node.name))

    def named_type(self, word: s.Word) -> p.Type:
        """Return the type with that name."""
        if word.text in self.scope.enums:
            return p.Type(form="enum", name=word.text)
        names = self.piece_names(word.text)
        if names is not None:
            return p.Type(form="piece", pieces=names)
        self.scope.unknown(word, "type", list(self.scope.types))
        return UNKNOWN

    def piece_names(self, name: str) -> tuple[str, ...] | None:
        """Return the card types that a type name stands for, or None if it is not one of cards."""
        if name in self.scope.pieces:
            return (name,)
        return self.scope.unions.get(name)

    def _range_type(self, node: s.TypeExpr) -> p.Type:
        low, high = self.bound(node.low, low=True), self.bound(node.high, low=False)
        if low is None or high is None:
            return UNKNOWN
        if low > high:
            self.report.add(
                "E404", node.span, f"the range {low}..{high} is empty", mend="the smaller number first"
            )
            return UNKNOWN
        return number(low, high)

    def bound(self, node: s.Expr | None, *, low: bool) -> int | None:
        """Return one end of a range; a parameter stands for the end of its own range."""
        if isinstance(node, s.Number):
            return node.value
        if isinstance(node, s.Name):
            noun = self.scope.find(node.text)
            if noun and noun.kind == "parameter" and noun.type.form == "number":
                value = noun.type.low if low else noun.type.high
                if value is not None:
                    return value
            self.report.add(
                "E404",
                node.span,
                f"`{node.text}` is no bound for a range",
                mend="use a number or a parameter with a range",
            )
        return None
