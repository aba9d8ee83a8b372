"""Specs made up by hypothesis: well typed, of every statement and most expressions, and free of sense.

`specs()` gives the text of a spec that the checker must accept; what it does when it runs is another matter: choices
may be empty, ranges broken, loops endless, and those must end in a fault with a line.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import assume
from hypothesis import strategies as st

from hoyle.diagnostics import Report
from hoyle.program import Program
from hoyle.session import check_text
from hoyle.source import Beside, Source, nothing_beside
from made_up_expressions import COLOURS, Asker, Names


@dataclass
class Pen(Asker):
    """Writes one spec."""

    top: int = 5
    jokers: bool = True
    waste: str = "open"
    choices: int = 0

    # ---- the nouns ----------------------------------------------------------------------------

    def spec(self) -> str:
        """Return the text of a whole spec."""
        low = self.number_from(1, 3)
        high = low + self.number_from(0, 2)
        self.colours, self.top = self.number_from(2, 4), self.number_from(1, 6)
        self.jokers = self.maybe()
        self.waste = self.one_of("open", "top open", "hidden")
        self.area = self.one_of("pool", "pile", "row")
        self.outs, self.flips = self.maybe(), self.maybe()
        self.teams = self.number_from(0, 3)
        count = f"{low}..{high} players"
        if self.teams < 2:
            self.teams = 0
        else:
            count = f"{self.teams * self.number_from(1, 2)} players in {self.teams} teams"
        lines = ["hoyle 1", "", f'game "Made up" for {count}', "  > It makes no sense."]
        lines += [self.one_of("", "", "  direction: counter-clockwise"), ""]
        lines += self.parameters() + self.components() + self.zones() + self.state() + self.definitions()
        return "\n".join(lines + self.flow() + self.result()) + "\n"

    def parameters(self) -> list[str]:
        return [
            "parameters",
            f"  limit = {self.number_from(1, 4)} in 1..6",
            f"  quick = {self.one_of('no', 'yes')}",
            "  style = plain in plain, odd",
            "",
        ]

    def components(self) -> list[str]:
        colours = ", ".join(COLOURS[: self.colours])
        made = [
            "components",
            f"  enum Colour = {colours}",
            "  enum Level = 0..2, peak",
            f'  card Card(colour: Colour, rank: 1..{self.top}, level: Level)  "{{colour}} {{rank}} {{level}}"',
        ]
        if self.jokers:
            made.append('  card Joker(rank: 0..3)  "joker {rank}"')
        made += [
            "  deck in stock",
            f"    {self.number_from(1, 2)} Card(k, n, 1) for k in Colour, n in 1..{self.top}",
        ]
        if self.maybe():
            made.append(f"    1 Card({COLOURS[0]}, n, m) for n in 1..{self.top}, m in {{0, 2}} where n > m")
        if self.maybe():
            made.append(f"    2 Card({COLOURS[1]}, 1, peak) with 2+ players")
        if self.jokers:
            made.append(f"    {self.number_from(1, 2)} Joker(2)")
        return [*made, ""]

    def zones(self) -> list[str]:
        area_seen = self.one_of(
            "open", "hidden", "seen by owner", "seen by others", *self.of_teams("seen by team")
        )
        return [
            "zones",
            "  stock: pile, hidden"
            + self.one_of("", ", refilled by shuffling waste", ", refilled by shuffling waste but its top"),
            f"  waste: pile, {self.waste}",
            f"  board: row, {self.one_of('open', 'hidden')}",
            f"  pot: pool, {self.one_of('open', 'hidden')}",
            "  hand: pool, seen by owner, each player",
            f"  area: {self.area}, {area_seen}, each player",
            *self.of_teams(f"  won: {self.one_of('pile', 'row', 'pool')}, {area_seen}, each team"),
            "",
        ]

    def state(self) -> list[str]:
        return [
            "state",
            "  score = 0 for each player",
            f"  tally: 0..9 = {self.number_from(0, 9)}",
            "  rounds = 0",
            f"  mark: Colour = {COLOURS[0]}",
            "  lead: player",
            "  on = no",
            "  held: set of card",
            "  last_card: card or none",
            "  gone = no for each player",
            *self.of_teams("  points = 0 for each team", "  side: team or none"),
            "  liked: set of Colour",
            "",
        ]

    def definitions(self) -> list[str]:
        made = ["define worth(c: card)"]
        if self.jokers:
            made.append("  when c is Joker: c.rank * 2")
        made += [f"  when c is Card and c.level is peak: {self.number_from(0, 9)}", "  otherwise: c.rank", ""]
        hues = "{c.colour} if c is Card else Colour" if self.jokers else "{c.colour}"
        made += [f"define hues(c: card) = {hues}", ""]
        names = Names(cards=("a", "b"))
        made += [f"define fits(a, b: card) = {self.condition(names, 2)}", ""]
        names = Names(players=("p",), numbers=("n",))
        made += [f"define measure(p: player, n: 0..9) = {self.number(names, 2)}", ""]
        names = Names(cards=("c",), colours=("k",))
        made += [f"define goes(c: card, k: Colour) = {self.condition(names, 2)}", ""]
        return made

    def result(self) -> list[str]:
        if self.teams and self.maybe():
            return ["result", "  rank t in teams by highest t.points, then lowest size of t.won"]
        then = self.one_of("", ", then lowest size of p.hand", ", then shared")
        return ["result", f"  rank p by {self.one_of('highest', 'lowest')} p.score{then}"]

    # ---- flow ------------------------------------------------------------------------------------------

    def flow(self) -> list[str]:
        """Return `play` and its phases; the later ones are run by those before them."""
        phases = [self.fresh("phase") for _ in range(self.number_from(0, 2))]
        made = ["play", "  gather every card into stock, shuffled"]
        made += [f"  deal {self.number_from(0, 3)} from stock to each hand"]
        names = Names(phases=tuple(phases), inside="play")
        made += self.body(names, 1, 2)
        made += [f"  turns p from lead until rounds >= {self.number_from(2, 6)}", "    rounds += 1"]
        made += ["    if rounds is 2", f"      eliminate {self.one_of('p', 'lead')}"] if self.outs else []
        made += ["    if rounds is 3", "      reverse turns"] if self.flips else []
        turn = replace(names, players=("p",), loops=("turns",))
        made += self.body(turn, 2, 2) + self.choose(turn, 2, 2) + [""]
        for place, name in enumerate(phases):
            inner = Names(players=("p",), numbers=("n",), phases=tuple(phases[place + 1 :]), inside=name)
            made += [f"phase {name}(p: player, n: 0..9)"]
            made += self.body(inner, 1, 2) + [""]
        return made

    def body(self, names: Names, indent: int, depth: int) -> list[str]:
        """Return one to three statements."""
        made: list[str] = []
        for _ in range(self.number_from(1, 3)):
            lines, names = self.statement(names, indent, depth)
            made += lines
        return made

    def statement(self, names: Names, indent: int, depth: int) -> tuple[list[str], Names]:
        """Return a statement, and what can be named after it."""
        pad = "  " * indent
        if depth > 0 and self.maybe(3):
            return self.compound(names, indent, depth), names
        if self.maybe(6):
            name = self.fresh("x")
            return [f"{pad}let {name} = {self.number(names, 2)}"], names.more(lets=name)
        if self.maybe(8):
            name = self.fresh("s")
            move = f"move {self.number_from(0, 3)} from {self.pile(names)} to pot as {name}"
            return [pad + move], names.more(sets=name)
        if self.maybe(12):
            source = self.cards_from(names, 1)
            pick = f"pick last_card at random from {source}"
            return [f"{pad}if {source} is not empty", f"{pad}  {pick}"], names
        return [pad + self.simple(names)], names

    def simple(self, names: Names) -> str:
        who = self.player(names)
        plain = self.one_of("lead", *names.players)
        match self.number_from(0, 23):
            case 20 if self.outs:
                return f"eliminate {who}"
            case 21 if self.flips:
                return "reverse turns"
            case 22 if "turns" in names.loops:
                return f"next turn is {who}"
            case 20 | 21 if self.teams:
                return str(
                    self.one_of(
                        f"(team of {who}).points += {self.number(names, 1)}",
                        f"side = team of {who}",
                        "pick side at random from teams",
                        "side = sole highest t in teams by size of t.won",
                    )
                )
            case 23:
                what = self.one_of(self.some_zone(names), self.cards_from(names, 1), *names.cards)
                whom = self.one_of("all", self.player(names), self.seats(names), f"{{{self.player(names)}}}")
                return f"show {what} to {whom}"
            case 0:
                return f"rounds += {self.number_from(0, 1)}"
            case 1:
                target = self.one_of(f"{plain}.score", *names.lets)
                return f"{target} {self.one_of('=', '+=', '-=')} {self.number(names, 2)}"
            case 2:
                return f"tally = {self.number(names, 2)} mod {self.one_of(10, 10, 10, 12)}"
            case 3:
                return f"on = {self.one_of('yes', 'no', 'not on')}"
            case 4:
                return f"mark = {self.colour(names)}"
            case 5:
                return f"lead = {who}"
            case 6:
                return f"move {self.card(names)} to {self.some_zone(names)}"
            case 7:
                return f"move {self.number_from(0, 3)} from {self.pile(names)} to {self.some_zone(names)}"
            case 8:
                return f"move all from {self.some_zone(names)} to {self.some_zone(names)}"
            case 9:
                return f"move {self.number_from(1, 2)} from {self.pile(names)} to {self.some_zone(names)} as held"
            case 10:
                return f"deal {self.number_from(0, 2)} from {self.pile(names)} to each {self.one_of('hand', 'area')}"
            case 11:
                return f"fill {self.some_zone(names)} to {self.number_from(0, 4)} from {self.pile(names)}"
            case 12:
                return f"swap {self.some_zone(names)} with {self.some_zone(names)}"
            case 13:
                what = self.one_of("card", "Card", *(["Joker"] if self.jokers else []))
                return f"gather every {what} into {self.ordered_zone(names)}{self.one_of('', ', shuffled')}"
            case 14:
                return f"shuffle {self.ordered_zone(names)}"
            case 15:
                return f"pick {self.fresh('luck')} at random from {self.one_of('0..9', 'Colour', 'players')}"
            case 16:
                return str(
                    self.one_of(
                        "pick mark at random from Colour",
                        f"pick lead at random from {self.seats(names)}",
                        "pick tally at random from 0..9",
                        "pick on at random from {yes, no}",
                    )
                )
            case 17:
                return f"draw for lead from stock by {self.one_of('highest', 'lowest')} worth"
            case 18:
                return f"liked = {self.colour_set(names, 1)}"
            case _:
                return f"{plain}.gone = {self.condition(names, 2)}"

    def compound(self, names: Names, indent: int, depth: int) -> list[str]:
        """Return a statement with others inside."""
        pad, less = "  " * indent, depth - 1
        in_repeat = replace(names, loops=(*names.loops, "repeat"))
        match self.number_from(0, 9):
            case 0 | 1:
                made = [f"{pad}if {self.condition(names, 2)}", *self.body(names, indent + 1, less)]
                if self.maybe():
                    made += [f"{pad}else", *self.body(names, indent + 1, less)]
                return made
            case 2:
                test = self.one_of("", f" while {self.condition(names, 1)}")
                head = f"repeat {self.number_from(0, 3)} times{test}"
                return [pad + head, *self.body(in_repeat, indent + 1, less)]
            case 3:
                word = self.one_of("while", "until")
                made = [f"{pad}repeat {word} {self.condition(names, 1)}"]
                made += self.body(in_repeat, indent + 1, less)
                leave = f"{pad}    rounds += 1" if self.maybe(4) else f"{pad}    end repeat"
                return [*made, f"{pad}  if tally > 1", leave, f"{pad}  tally = (tally + 3) mod 10"]
            case 4:
                card = self.fresh("c")
                inner = replace(names.more(cards=card), loops=(*names.loops, "for"))
                head = f"for {card} in {self.cards_from(names, 1)} where {self.condition(inner, 1)}"
                order = f" ordered by {self.one_of('highest', 'lowest')} {self.number(inner, 0)}"
                return [pad + head + self.one_of("", order), *self.body(inner, indent + 1, less)]
            case 5:
                player = self.fresh("q")
                inner = replace(names.more(players=player), loops=(*names.loops, "for"))
                order = self.one_of("", f" ordered by lowest {player}.score")
                head = f"for {player} in {self.seats(names)}{order}"
                return [pad + head, *self.body(inner, indent + 1, less)]
            case 6 if names.phases:
                phase, n = self.one_of(*names.phases), self.one_of("tally", "3", *names.numbers)
                return [f"{pad}do {phase}({self.player(names)}, {n})"]
            case 7 if names.loops:
                return [f"{pad}if {self.condition(names, 1)}", f"{pad}  end {names.loops[-1]}"]
            case 8 if names.inside:
                end = f"end {names.inside}" if names.inside != "play" and self.maybe() else "end game"
                end = self.one_of(end, f"{self.player(names)} wins") if self.maybe(4) else end
                return [f"{pad}if rounds > {self.number_from(1, 5)}", f"{pad}  {end}"]
            case _:
                return self.choose(names, indent, less) if self.choices < 4 else [pad + self.simple(names)]

    # ---- choices -----------------------------------------------------------------------------------------

    def choose(self, names: Names, indent: int, depth: int) -> list[str]:
        """Return a choice; now and then one that may turn out empty."""
        self.choices += 1
        pad = "  " * indent
        who, how, outer = self.player(names), self.one_of("", "", "secretly each", "first"), names
        if how:
            who = self.fresh("q")
            seats = self.seats(names)
            names = names.more(players=who)
            where = f" where {self.condition(names, 1)}" if self.maybe() else ""
            made = [f"{pad}choose {how} {who} in {seats}{where}"]
        else:
            made = [f"{pad}choose {who}"]
        for _ in range(self.number_from(1, 3)):
            made += self.option(names, indent + 1, depth, who)
        if not self.maybe(8):
            made += [f"{pad}  option {self.fresh('pass')}"]
        if how == "first" and self.maybe():
            made += [f"{pad}  option pass", *self.body(names, indent + 2, depth - 1)]
        if how == "first" and self.maybe():
            made += [f"{pad}  otherwise", *self.body(outer, indent + 2, depth - 1)]
        return made

    def option(self, names: Names, indent: int, depth: int, who: str) -> list[str]:
        pad, binders, inner = "  " * indent, [], names
        for _ in range(self.number_from(0, 2)):
            words, inner = self.binder(inner, who)
            binders.append(words)
        tests = [self.condition(inner, 2)] if binders and self.maybe() else []
        if self.maybe(3):
            words, name, test = self.counted(inner, who)
            binders.append(words)
            tests += [test] if test else []
            inner = inner.more(sets=name)
        where = f" where {' and '.join(f'({x})' if len(tests) > 1 else x for x in tests)}" if tests else ""
        arguments = f"({', '.join(binders)}{where})" if binders else ""
        when = f" when {self.condition(names, 1)}" if self.maybe(3) else ""
        made = [f"{pad}option {self.fresh('act')}{arguments}{when}"]
        return made + (self.body(inner, indent + 1, depth - 1) if self.maybe() or binders else [])

    def counted(self, names: Names, who: str) -> tuple[str, str, str]:
        """Return an argument that is a set of cards, its name, and perhaps a condition on each of them."""
        chooser = who if " " not in who else f"({who})"
        name, card = self.fresh("s"), self.fresh("c")
        count = self.one_of("1", "2", "up to 2", "1..3", "any number of", "limit", "up to limit")
        kind = self.one_of("", "", "Card ", *(["Joker "] if self.jokers else []))
        count = "1" if count == "2" and kind == "Joker " else count  # there may be one only
        source = self.one_of(f"{chooser}.hand", f"{chooser}.hand", self.cards_from(names, 1))
        test = ""
        if self.maybe():
            test = f"(every {card} in {name} where {self.condition(names.more(cards=card), 1)})"
        return f"{count} {kind}{name} in {source}", name, test

    def binder(self, names: Names, who: str) -> tuple[str, Names]:
        """Return an argument of an option, or two that share a source."""
        chooser = who if " " not in who else f"({who})"
        match self.number_from(0, 5):
            case 0 | 1:
                a, b = self.fresh("c"), self.fresh("c")
                source = self.one_of(f"{chooser}.hand", f"{chooser}.hand", "board", self.cards_from(names, 1))
                if self.maybe():
                    return f"{a}, {b} in {source}", names.more(cards=a).more(cards=b)
                filter = self.one_of("", "", "Card ", *(["Joker "] if self.jokers else []))
                return f"{filter}{a} in {source}", names if filter else names.more(cards=a)
            case 2:
                q = self.fresh("q")
                return f"{q} in {self.seats(names)}", names.more(players=q)
            case 3:
                k = self.fresh("k")
                return f"{k} in {self.colour_set(names, 1)}", names.more(colours=k)
            case 4:
                n = self.fresh("n")
                source = self.one_of("0..4", "1..limit", "{1, 3, 7}", "0..tally")
                return f"{n} in {source}", names.more(numbers=n)
            case _:
                f = self.fresh("f")
                return f"{f} in {{yes, no}}", names.more(flags=f)


@st.composite
def specs(draw: st.DrawFn) -> str:
    """Return the text of a spec."""
    return Pen(draw).spec()


def checked(
    text: str, tables: Beside = nothing_beside, traced: bool = False
) -> tuple[Report, Program | None]:
    """Return the report on a text and its program, if it has one."""
    report = Report()
    return report, check_text(Source("made up", text), report, tables, traced).program


def accepted(text: str) -> Program:
    """Return the program of a spec that must have one.

    The one fault that chance may write is a test that an earlier test has settled.
    """
    report, program = checked(text)
    assume({d.code for d in report.errors} != {"E306"})
    assert program is not None, [
        (d.code, d.message, text.split("\n")[d.span.line - 1]) for d in report.errors
    ]
    return program
