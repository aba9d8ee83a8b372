"""Who sits where: teams, partners, the direction of play, and who is out of the game.

Seats are counted in the direction of play, so that dealing, turns and loops run up the seats in every game; where that
is counter-clockwise, the player to the left is the one a seat before. What a game never does costs it nothing: without
an `eliminate` or a `reverse turns` the plain operations are used, and there is no variable for it.
"""

from __future__ import annotations

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.decisions import run_by, running, walk
from hoyle.check.implied import REVERSED
from hoyle.check.scope import Scope
from hoyle.diagnostics import Report
from hoyle.program.types import FLAG, PLAYER, PLAYERS, TEAM, number, set_of
from hoyle.source import Span

NO_TEAMS = "this game has no teams"
SAY_TEAMS = 'say so in its first line: `game "NAME" for 4 players in 2 teams`'


class Seating:
    """The seats of one game. `teams` is how many teams there are, 0 for none; slots are -1 where nothing needs them."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.teams = 0
        self.most = 0
        self.first_line: Span | None = None  # that of the game; None where it can't be read
        self.sure = True  # the teams are those that the first line names
        self.none = False  # it names none
        self.told: Report | None = None  # where that is told already
        self.counter_clockwise = False
        self.out_slot = self.reversed_slot = self.next_slot = -1
        self.eliminating: set[str] = set()  # the phases that put somebody out, themselves or by others
        self.variables: list[p.Variable] = []

    @property
    def report(self) -> Report:
        """Where faults are told: in the report of the game, or in that of a file of scenarios beside it."""
        return self.scope.report

    # ---- declaring ------------------------------------------------------------------------

    def game(self, node: s.Game, low: int, high: int) -> None:
        """Take note of the teams and the direction of a game; what can't be is reported."""
        self.most = high
        self.first_line = None if node.span.line in self.scope.unread else node.span
        for extra in node.ways[1:]:
            self.report.add(
                "E402",
                extra.span,
                "the direction of play is told twice",
                second=(node.ways[0].span, "the first is here"),
                mend="leave one of the two out",
            )
        self.counter_clockwise = bool(node.ways) and node.ways[0].text != "clockwise"
        if node.teams is None:
            return
        fits = node.teams > 1 and low == high and low % node.teams == 0
        if not fits:
            many = f"{low}" if low == high else f"{low}..{high}"
            self.report.add(
                "E420",
                node.span,
                f"{many} players can't make {node.teams} teams of one size",
                mend="from 2 teams on, with one player count that they divide, such as `for 4 players in 2 teams`",
            )
        self._make(max(1, min(node.teams, high)), sure=fits)

    def flow(self, blocks: tuple[s.Block, ...]) -> None:
        """Make the variables that the statements of a file need."""
        inside: dict[str, list[s.Statement]] = {}
        for block in blocks:
            if isinstance(
                block, s.Phase
            ):  # of two with one name both count: which is checked is not for here
                inside.setdefault(block.name.text, []).extend(walk(block.body))
        said = {type(x) for statements in inside.values() for x in statements}
        first = [n for n, x in inside.items() if any(isinstance(y, s.Eliminate) for y in x)]
        self.eliminating = running({n: run_by(x) for n, x in inside.items()}, first)
        if s.Eliminate in said:
            self.out_slot = self._variable("out", set_of(PLAYER))
        if s.ReverseTurns in said:
            self.reversed_slot = self._variable(REVERSED, FLAG)
        if s.NextTurn in said:
            # 0 for nobody, else the seat counted from 1: so it begins right wherever a scenario starts.
            self.next_slot = self.scope.slot("next turn", number(), "flow")

    def _variable(self, name: str, type: p.Type) -> int:
        slot = self.scope.slot(name, type, "state")
        start = p.Const(value=0, type=type)
        self.variables.append(p.Variable(name=name, slot=slot, type=type, each_player=False, start=start))
        return slot

    # ---- who is out -----------------------------------------------------------------------

    def out(self) -> tuple[p.Expr, ...]:
        """Return the players who are out, as the further operand of what leaves them out; nothing if none ever is."""
        if self.out_slot < 0:
            return ()
        return (p.Slot(slot=self.out_slot, name="out", type=set_of(PLAYER)),)

    def is_out(self, span: Span, player: p.Expr) -> p.Expr:
        """Return whether a player is out; asked in a game that eliminates nobody it is reported."""
        self.needs_out(span)
        out = self.out() or (p.Const(value=0, type=set_of(PLAYER)),)
        return p.Op(op="in_set", args=(player, *out), type=FLAG)

    def needs_out(self, span: Span) -> None:
        """Report a question about who is out in a game where nobody ever is."""
        if self.out_slot < 0 and "eliminate" not in self.scope.broken:
            self._never(span, "nobody is ever out in this game", "a player is put out with `eliminate p`")

    def needs_reversed(self, span: Span) -> None:
        """Report a question about the direction in a game where it never changes."""
        if self.reversed_slot < 0 and "reverse" not in self.scope.broken:
            self._never(span, "the turns of this game are never reversed", "they are with `reverse turns`")

    def _never(self, span: Span, message: str, mend: str) -> None:
        self.report.add("E421", span, message, mend=mend)

    def still_in(self, player: p.Expr, line: int) -> p.Expr:
        """Return a player who is to choose; one who is out is a fault."""
        return (
            p.Op(op="still_in", args=(player, *self.out()), type=PLAYER, line=line) if self.out() else player
        )

    def eliminate(self, player: p.Expr, line: int) -> p.Set:
        """Return the statement by which a player is out."""
        (out,) = self.out()
        joined = p.Op(op="join", args=(out, p.Op(op="unit", args=(player,), type=out.type)), type=out.type)
        return p.Set(slot=self.out_slot, name="out", value=joined, line=line)

    def skipping(self, node: s.For, binders: tuple[p.Bind, ...]) -> tuple[list[p.Statement], p.Expr | None]:
        """Return what stands before a loop, and what must hold for a pass: that nobody of it is out since it began.

        Nothing where no player can be put out in the meantime.
        """
        players = [b for b in binders if b.type.form == "player"]
        if not players or not any(map(self._eliminates, walk(node.body))):
            return [], None
        (out,), line = self.out(), node.span.line
        slot = self.scope.slot("out before", out.type, "flow")
        before = p.Slot(slot=slot, name="out before", type=out.type)
        test: p.Expr | None = None
        for bind in players:
            here = p.Slot(slot=bind.slot, name=bind.name, type=bind.type)
            still = p.Op(op="not", args=(p.Op(op="in_set", args=(here, out), type=FLAG),), type=FLAG)
            known = p.Op(op="in_set", args=(here, before), type=FLAG)
            there = p.Op(op="or", args=(still, known), type=FLAG)
            test = there if test is None else p.Op(op="and", args=(test, there), type=FLAG)
        return [p.Set(slot=slot, name="out before", value=out, line=line)], test

    def _eliminates(self, statement: s.Statement) -> bool:
        return isinstance(statement, s.Eliminate) or (
            isinstance(statement, s.Do) and statement.name.text in self.eliminating
        )

    # ---- players in order -----------------------------------------------------------------

    def players(self, everyone: bool = False) -> p.Expr:
        """Return all players who are still in, or really all, in the order of their seats."""
        return p.Op(op="players", args=() if everyone else self.out(), type=PLAYERS)

    def ahead(self, player: p.Expr) -> p.Expr:
        """Return who comes after a player as the game goes before any reversal."""
        return p.Op(op="left", args=(player, *self.out()), type=PLAYER)

    def behind(self, player: p.Expr) -> p.Expr:
        """Return who comes before a player as the game goes before any reversal."""
        return p.Op(op="right", args=(player, *self.out()), type=PLAYER)

    @property
    def before(self) -> str:
        """The side on which the player sits who comes before another, as the game goes before any reversal."""
        return "left" if self.counter_clockwise else "right"

    def beside(self, word: str, player: p.Expr) -> p.Expr:
        """Return the player to the `left` or `right` of one."""
        onward = (word == "left") != self.counter_clockwise
        return self.ahead(player) if onward else self.behind(player)

    def next_of(self, player: p.Expr) -> p.Expr:
        """Return who comes after a player in the present direction."""
        if self.reversed_slot < 0:
            return self.ahead(player)
        return p.Cond(test=self.reversed(), yes=self.behind(player), no=self.ahead(player), type=PLAYER)

    def reversed(self) -> p.Expr:
        """Return whether turns go against the direction of the game."""
        if self.reversed_slot < 0:
            return p.Const(value=0, type=FLAG)
        return p.Slot(slot=self.reversed_slot, name=REVERSED, type=FLAG)

    def reverse(self, line: int) -> p.Statement:
        """Return the statement that turns the direction round."""
        value = p.Op(op="not", args=(self.reversed(),), type=FLAG)
        whole = p.Cond(test=value, yes=p.Const(value=1, type=FLAG), no=p.Const(value=0, type=FLAG), type=FLAG)
        return p.Set(slot=self.reversed_slot, name=REVERSED, value=whole, line=line)

    # ---- turns ------------------------------------------------------------------------------

    def first_turn(self, slot: int, name: str, first: p.Expr, line: int) -> list[p.Statement]:
        """Return how the player with the first turn is set: the first from there on who is still in."""
        begin: list[p.Statement] = [p.Set(slot=slot, name=name, value=first, line=line)]
        if self.next_slot >= 0:
            begin.append(self._no_next(line))
        return begin + self._if_out(slot, name, line)

    def further_turn(self, slot: int, name: str, line: int) -> list[p.Statement]:
        """Return how the player with the next turn is set."""
        here = p.Slot(slot=slot, name=name, type=PLAYER)
        go_on: list[p.Statement] = [p.Set(slot=slot, name=name, value=self.next_of(here), line=line)]
        if self.next_slot < 0:
            return go_on
        kept = p.Slot(slot=self.next_slot, name="next turn", type=number())
        said = p.Op(op="ne", args=(kept, self._number(0)), type=FLAG)
        chosen = p.Op(op="sub", args=(kept, self._number(1)), type=PLAYER)
        other = [p.Set(slot=slot, name=name, value=chosen, line=line), *self._if_out(slot, name, line)]
        return [p.If(test=said, yes=(*other, self._no_next(line)), no=tuple(go_on), line=line)]

    def _if_out(self, slot: int, name: str, line: int) -> list[p.Statement]:
        """Return how a player who is out is replaced by the next one still in."""
        if not self.out():
            return []
        here = p.Slot(slot=slot, name=name, type=PLAYER)
        test = p.Op(op="in_set", args=(here, *self.out()), type=FLAG)
        return [
            p.If(
                test=test, yes=(p.Set(slot=slot, name=name, value=self.next_of(here), line=line),), line=line
            )
        ]

    def _no_next(self, line: int) -> p.Statement:
        return p.Set(slot=self.next_slot, name="next turn", value=self._number(0), line=line)

    def set_next(self, player: p.Expr, line: int) -> p.Statement:
        """Return the statement that says whose turn is next."""
        value = p.Op(op="add", args=(player, self._number(1)), type=number())
        return p.Set(slot=self.next_slot, name="next turn", value=value, line=line)

    # ---- teams --------------------------------------------------------------------------------

    def needs_teams(self, span: Span) -> None:
        """Report that a game has no teams, the first time; from then on it is taken to have some."""
        if self.teams and not self.none:
            return
        if self.first_line is None or self.told is self.report:
            self.report.note()
        else:
            second = (self.first_line, "this says how many play, and of no teams")
            self.report.add("E420", span, NO_TEAMS, second=second, mend=SAY_TEAMS)
        self.told, self.none = self.report, True
        self._make(2, sure=False)

    def _make(self, teams: int, *, sure: bool) -> None:
        """Let there be so many teams; unless `sure` they are only taken for granted, so that one fault is told once."""
        self.teams, self.sure = teams, sure
        labels = tuple(f"team {i + 1}" for i in range(teams))
        self.scope.enums[TEAM.name] = p.Enum(name=TEAM.name, labels=labels, numbers=(None,) * teams)

    def all_teams(self) -> p.Expr:
        """Return all teams."""
        return p.Const(value=(1 << self.teams) - 1, type=set_of(TEAM))

    def team_of(self, player: p.Expr) -> p.Expr:
        """Return the team of a player: seats belong to the teams in turn."""
        return p.Op(op="wrap", args=(player, self._number(self.teams)), type=TEAM)

    def partner_of(self, span: Span, player: p.Expr) -> p.Expr:
        """Return the other member of a team of two; teams of other sizes are reported."""
        if self.most != 2 * self.teams and self.sure:
            self.report.add(
                "E420",
                span,
                f"a player has no one partner: the teams have {self.most // self.teams} members",
                mend="write `q in members of team of p where q is not p`",
            )
        across = p.Op(op="add", args=(player, self._number(self.teams)), type=number())
        return p.Op(op="wrap", args=(across, self._number(self.most)), type=PLAYER)

    def members(self, team: p.Expr) -> p.Expr:
        """Return the players of a team who are still in, in the order of their seats."""
        return p.Op(op="members", args=(team, self._number(self.teams), *self.out()), type=PLAYERS)

    @staticmethod
    def _number(value: int) -> p.Expr:
        return p.Const(value=value, type=number(value, value))


def outside_turns(report: Report, phases: dict[str, s.Phase]) -> None:
    """Report each `next turn is` that stands in no `turns`, nor in a phase that one runs."""
    inside = [x.body for b in phases.values() for x in walk(b.body) if isinstance(x, s.Turns)]
    run: set[str] = set()
    said: set[int] = set()
    while inside:
        for statement in walk(inside.pop()):
            said.add(id(statement))
            if (
                isinstance(statement, s.Do)
                and statement.name.text in phases
                and statement.name.text not in run
            ):
                run.add(statement.name.text)
                inside.append(phases[statement.name.text].body)
    for statement in (x for b in phases.values() for x in walk(b.body)):
        if isinstance(statement, s.NextTurn) and id(statement) not in said:
            report.add(
                "E520",
                statement.span,
                "no `turns` is going on here, so no turn is next",
                mend="say it below `turns`, or in a phase that is run there",
            )
