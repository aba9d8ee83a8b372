"""The flow graph as methods: one for each block that is entered from more than one place, with the others inside it.

A method runs from its block to the next decision (it returns -1) or to a block of another method (it returns that
number). A block of few plain steps is written out where others go on to it.
"""

from __future__ import annotations

import re
from collections import Counter

from hoyle import program as p
from hoyle.compile.answers import found_in_order
from hoyle.compile.conditions import bare
from hoyle.compile.expressions import Emitter, Env, Local
from hoyle.compile.finding import OptionEmitter
from hoyle.compile.options import Members
from hoyle.compile.reasons import ReasonEmitter
from hoyle.compile.scans import scans
from hoyle.compile.slots import slots_of, slots_of_exit
from hoyle.compile.statements import INDENT, StatementEmitter, counted_pass, noted
from hoyle.compile.tidying import at_once
from hoyle.compile.told import first_step, told_of_locals
from hoyle.program.liveness import Liveness
from hoyle.program.numbering import Numbered
from hoyle.program.purity import may_fault

THERE = re.compile(r" *(if not )?there( = |:$)")
ZONE_ITSELF = re.compile(r" *out = (\w+|S\[[^\]]*\])$")
ALWAYS = re.compile(r"out\.append\((\d+)\)")
ASKED = re.compile(r"(self\.(\w+)\(S(?:, (?:S\[\w+\]|\d+))*\))")  # with what stays the same
LIGHT = 8
MOST_JOINED = 2


class FlowEmitter:
    """Writes blocks, choices and phases without decisions."""

    def __init__(self, emitter: Emitter, numbered: dict[tuple[int, int], Numbered], members: Members) -> None:
        self.emitter = emitter
        self.program = emitter.program
        self.names = emitter.names
        self.statements = StatementEmitter(emitter)
        self.numbered = numbered
        self.members = members
        self.phases = {x.name: x for x in self.program.phases}
        self.kept = Liveness(self.program).at_decisions()
        if "liveness" in emitter.without:
            self.kept = frozenset(range(sum(x.size for x in self.program.slots)))
        self.option_of: dict[int, tuple[p.Block, p.Option]] = {}
        self.roots = self._roots()
        self.home = self._homes()
        self.users = self._users()
        self.root_names: dict[int, str] = {}
        self.joined: list[int] = []
        self.emitters: dict[int, tuple[OptionEmitter, int]] = {}
        self.finders: dict[int, str] = {}
        self.players: dict[int, str] = {}
        self.placers: dict[int, str] = {}
        self.reasons = ReasonEmitter(emitter)
        self.told = emitter.told
        self.own: set[int] = set()  # slots that are variables of Python's

    # ---- which blocks stand together ------------------------------------------------------

    def _back(self, phase: str) -> int | None:
        """Return the block that a phase returns to, where one place alone runs it."""
        return None if self.phases[phase].back >= 0 else self.program.only_back(phase)

    def _targets(self, exit: p.Exit) -> list[int]:
        """Return the blocks that follow directly, those after a decision not among them."""
        match exit:
            case p.Jump():
                return [exit.to]
            case p.Branch():
                return [exit.yes, exit.no]
            case p.Call():
                return [self.phases[exit.phase].entry]
            case p.Return():
                back = self._back(exit.phase)
                return [] if back is None else [back]
            case p.Over() | p.Choose():
                return []

    def _roots(self) -> set[int]:
        """Return the blocks that get a method: entered from several places, from a decision or by a return."""
        entered = Counter(t for b in self.program.blocks for t in self._targets(b.exit))
        roots = {self.program.start} | {n for n, times in entered.items() if times != 1}
        calls = (b.exit for b in self.program.blocks if isinstance(b.exit, p.Call))
        backs = {x.back for x in calls if self.phases[x.phase].back >= 0}
        for block in self.program.blocks:
            if isinstance(block.exit, p.Choose):
                for option in block.exit.options:
                    plain = entered[option.to] == 0 and option.to not in backs
                    if plain and option.to not in self.option_of:
                        self.option_of[option.to] = (block, option)
                    roots.add(option.to)
        roots |= backs
        shared = Counter(
            o.to for b in self.program.blocks if isinstance(b.exit, p.Choose) for o in b.exit.options
        )
        self.option_of = {n: x for n, x in self.option_of.items() if shared[n] == 1}
        return roots

    def _homes(self) -> dict[int, int]:
        """Return for each block the root whose method it stands in; a loop of plain jumps gets a root of its own."""
        home: dict[int, int] = {}

        def visit(block: int, root: int, path: set[int]) -> None:
            home[block] = root
            for target in self._targets(self.program.blocks[block].exit):
                if target in path:
                    self.roots.add(target)
                elif target not in self.roots:
                    visit(target, root, path | {target})

        before = -1
        while before != len(self.roots):
            before = len(self.roots)
            home.clear()
            for root in sorted(self.roots):
                visit(root, root, {root})
        return home

    def _users(self) -> dict[int, set[int | str]]:
        """Return for each slot the methods that read or set it, by root block or by name of a phase."""
        users: dict[int, set[int | str]] = {}
        for block in self.program.blocks:
            if block.number not in self.home:
                continue
            for slot in slots_of(block.body) | slots_of_exit(block.exit, self.phases):
                users.setdefault(slot, set()).add(self.home[block.number])
        for phase in self.program.phases:
            if phase.straight:
                for slot in slots_of(phase.body) | set(phase.parameters):
                    users.setdefault(slot, set()).add(phase.name)
        return users

    def _env(self, owner: int | str) -> Env:
        """Return the slots that are Python variables in one method: used there alone and not kept over a decision."""
        roles = self._roles()
        own = [
            slot
            for slot, users in self.users.items()
            if users == {owner} and slot not in self.kept and roles.get(slot) == "local"
        ]
        self.own.update(own)
        return {slot: Local(self.names.locals[slot]) for slot in own}

    def _roles(self) -> dict[int, str]:
        place = 0
        roles: dict[int, str] = {}
        for info in self.program.slots:
            roles[place] = info.role
            place += info.size
        return roles

    # ---- methods ------------------------------------------------------------------------------

    def methods(self) -> list[list[str]]:
        """Return the methods of all blocks, choices and phases without decisions, in the order of the text."""
        for root in sorted(self.roots):
            if root in self.home:
                self.root_names[root] = "" if root in self.option_of else self._root_name(root)
        made: list[tuple[int, list[str]]] = []
        for phase in self.program.phases:
            if phase.straight:
                made.append((phase.line, self._phase(phase)))
        for block in self.program.blocks:
            if isinstance(block.exit, p.Choose) and block.number in self.home:
                made += [(block.exit.line, x) for x in self._choice(block, block.exit)]
        for root, name in self.root_names.items():
            if (
                root not in self.option_of
            ):  # what an option does stands in the method that carries out its choice
                made.append((self._line(root), self._root(root, name)))
        told_of_locals(self.told, self.program, self.own, self._roles())
        return [at_once(lines) for _, lines in sorted(made, key=lambda x: x[0])]

    def _root_name(self, root: int) -> str:
        block = self.program.blocks[root]
        if self.phases[block.phase].entry == root:
            return self.names.give(f"{block.phase}_begins")
        return self.names.give(f"{block.phase}_{root}")

    def _line(self, number: int) -> int:
        """Return the line of the spec where a block begins."""
        if number in self.option_of:
            return self.option_of[number][1].line
        if self.phases[self.program.blocks[number].phase].entry == number:
            return self.phases[self.program.blocks[number].phase].line
        seen = set()
        while number not in seen:
            seen.add(number)
            block = self.program.blocks[number]
            lines = [int(getattr(x, "line", 0)) for x in (*block.body, block.exit)]
            if any(lines):
                return next(x for x in lines if x)
            targets = self._targets(block.exit)
            if not targets:
                return 0
            number = targets[0]
        return 0

    def _phase(self, phase: p.Phase) -> list[str]:
        env = self._env(phase.name)
        self.told.line = phase.line
        self.emitter.filled = frozenset()
        env.update({s: Local(self.names.locals[s]) for s in phase.parameters})
        names = "".join(f", {self.names.locals[s]}: int" for s in phase.parameters)
        return [
            f"def {self.names.phases[phase.name]}(self, S: State{names}) -> None:",
            *_docstring(phase.text or f"Line {phase.line} of the spec."),
            *[INDENT + x for x in self.statements.body(phase.body, env)],
        ]

    def _root(self, root: int, name: str) -> list[str]:
        self.told.line = self._line(root)
        env = self._env(root)
        self.joined = [root]
        text = f"Line {self._line(root)} of the spec."
        if self.phases[self.program.blocks[root].phase].entry == root:
            text = self.phases[self.program.blocks[root].phase].text or text
        self.statements.lying = {}
        self.emitter.filled = frozenset()
        lines = self._block(root, env)
        return [f"def {name}(self, S: State) -> int:", *_docstring(text), *[INDENT + x for x in lines]]

    def _does(self, root: int) -> list[str]:
        """Return the lines that carry out move `n` of an option and go on."""
        block, option = self.option_of[root]
        self.told.line = option.line
        emitter, place = self.emitters[root]
        env = self._env(root)
        self.joined = [root]
        assert isinstance(block.exit, p.Choose)
        lines, lying = emitter.placed() if emitter.binds else ([], {})
        names = [self.names.locals[s] for s in emitter.slots]
        values = f"({', '.join(names)}{',' if len(names) == 1 else ''})"
        lines += ["if S[LOG] is not None:", f"{INDENT}self.choosing(S, {place}, {values})"]
        for slot, local in zip(emitter.slots, names, strict=True):
            if self._passed(root, slot):
                env[slot] = Local(local)
                self.own.add(slot)
            elif slot in self.kept or self.users.get(slot):
                lines.append(f"S[{self.names.slots[slot]}] = {local}")
        self.statements.lying = {} if "lying" in self.emitter.without else lying
        self.emitter.filled = frozenset()
        told = [f"# {row}".rstrip() for row in option.text.split("\n")] if option.text else []
        return [*told, *lines, *self._block(root, env)]

    def _passed(self, root: int, slot: int) -> bool:
        """Return whether an argument of an option goes to the method that carries it out, not into the state."""
        return slot not in self.kept and self.users.get(slot, set()) <= {root}

    def _block(self, number: int, env: Env) -> list[str]:
        block = self.program.blocks[number]
        lines: list[str] = []
        for node in block.body:
            lines += self.statements.statement(node, env)
        exit = block.exit
        self.told.line = getattr(exit, "line", 0) or self.told.line
        match exit:
            case p.Jump():
                if exit.back:
                    lines += counted_pass(self._line(exit.to))
                return lines + self._go(exit.to, env)
            case p.Branch():
                test = bare(self.emitter.truth(exit.test, env))
                lines.append(noted(f"if {test}:", exit.line))
                lying, filled = dict(self.statements.lying), self.emitter.filled
                lines += [INDENT + x for x in self._go(exit.yes, env)]
                self.statements.lying, self.emitter.filled = lying, filled
                return lines + self._go(exit.no, env)
            case p.Call():
                phase = self.phases[exit.phase]
                lines += counted_pass(exit.line) if exit.counted else []
                values = [bare(self.emitter.e(a, env)) for a in exit.args]
                targets = [self.statements.target(s, env) for s in phase.parameters]
                self.statements.lying = {}
                self.emitter.filled = frozenset()
                if targets:
                    lines.append(noted(f"{', '.join(targets)} = {', '.join(values)}", exit.line))
                if phase.back >= 0:
                    lines.append(f"S[{self.names.slots[phase.back]}] = {exit.back}")
                return lines + self._go(phase.entry, env)
            case p.Return():
                back = self._back(exit.phase)
                if back is not None:
                    return lines + self._go(back, env)
                return [*lines, f"return int(S[{self.names.slots[self.phases[exit.phase].back]}])"]
            case p.Over():
                winner = "-1" if exit.winner is None else self.emitter.e(exit.winner, env)
                return [*lines, f"S[BLOCK] = {number}", f"return self.over(S, {winner})"]
            case p.Choose():
                seat = bare(self.emitter.e(exit.chooser, env))
                lines += [noted(f"S[SEAT] = {seat}", exit.line), f"S[BLOCK] = {number}"]
                return [*lines, noted("return -1", exit.line)]

    def _go(self, target: int, env: Env) -> list[str]:
        """Return the lines that go on at a block: its own, or a return to the method that holds it."""
        if target not in self.roots:
            return self._block(target, env)
        apart = len(self.joined) > MOST_JOINED or "joining" in self.emitter.without
        if apart or target in self.joined or self._weight(target) > LIGHT:
            return [f"return {target}"]
        self.joined.append(target)
        self.joins(target)
        lines = self._block(target, {**env, **self._env(target)})
        self.joined.pop()
        return lines

    def joins(self, target: int) -> None:
        """Note that a block is written out where others go on to it."""
        self.told.note("joining", *first_step(self.program.blocks[target]), line=self._line(target))

    def _weight(self, root: int) -> int:
        """Return how many plain steps the blocks of a method hold; many if other things happen there."""
        block = self.program.blocks[root]
        if any(not isinstance(node, p.Set | p.SetAt) for node in block.body) or isinstance(
            block.exit, p.Over
        ):
            return LIGHT + 1
        inside = [t for t in self._targets(block.exit) if t not in self.roots]
        return len(block.body) + 1 + sum(self._weight(t) for t in inside)

    # ---- choices ----------------------------------------------------------------------------------

    def _choice(self, block: p.Block, choose: p.Choose) -> list[list[str]]:
        stem = f"{block.phase}_choice_{block.number}"
        env: Env = {}
        options = [
            OptionEmitter(self.emitter, self.members, block.phase, o, self.numbered[block.number, i], env)
            for i, o in enumerate(choose.options)
        ]
        if "scans" not in self.emitter.without:
            scans(options)
        for option in options:
            option.make_rows()
        first = options[0]
        for option in options[1:]:
            if first.joins(option):
                first.joined.append(option)
                option.joins_first = True
            else:
                first = option
        for place, option in enumerate(options):
            self.emitters[option.option.to] = option, place
        finder, player, placer = (self.names.give(f"{stem}_{x}") for x in ("moves", "play", "arguments"))
        self.finders[block.number], self.players[block.number] = finder, player
        self.placers[block.number] = placer
        made = [
            self._finder(finder, options),
            self._player(player, block, options),
            self._placer(placer, options),
        ]
        made += [o.placing() for o in options if o.binds]
        return made + self.reasons.choice(block.number, options)

    def _finder(self, name: str, options: list[OptionEmitter]) -> list[str]:
        body = found_in_order(options)
        body, begun = self._asked_once(body), "out: list[int] = []"
        if body[-2:-1] and body[-1] == "out += there" and len(options) == 1 and not options[0].before:
            body = [x.replace("there", "out") if THERE.match(x) else x for x in body[:-1]]
            # The moves found are kept while cards move on: never a zone itself.
            body = [f"{x}[:]" if ZONE_ITSELF.match(x) else x for x in body]
            begun = "out: list[int]"
        numbers = [ALWAYS.match(x) for x in body if not x.startswith("#")]
        if numbers and all(numbers):
            body = [f"return [{', '.join(x[1] for x in numbers if x)}]"]
            return [
                f"def {name}(self, S: State) -> list[int]:",
                f'{INDENT}"""Return the numbers of the legal moves."""',
                *[INDENT + x for x in body],
            ]
        kind_of = (
            ["kind_of = self.kind_of"]
            if any("kind_of[" in x.replace("self.kind_of", "") for x in body)
            else []
        )
        if any("bit_of[" in x for x in body):
            kind_of = ["kind_of, bit_of = self.kind_of, self.bit_of"]
        return [
            f"def {name}(self, S: State) -> list[int]:",
            f'{INDENT}"""Return the numbers of the legal moves."""',
            *[INDENT + x for x in [*kind_of, begun, *body, "return out"]],
        ]

    def _asked_once(self, body: list[str]) -> list[str]:
        """Return lines that ask a definition of the table only once, where it can't fault and is asked again."""
        if "asking" in self.emitter.without:
            return body
        asked = Counter(x for line in body for x in ASKED.findall(line.split("  #")[0]))
        first: list[str] = []
        # What may be none is asked about only behind a test.
        unsure = [
            f"S[{self.names.slots[x]}]" for x in self.emitter.functions.noneable if x in self.names.slots
        ]
        for (text, name), times in asked.items():
            function = next((f for f, x in self.names.functions.items() if x == name), "")
            if (
                times > 1
                and function
                and not any(x in text for x in unsure)
                and not may_fault(self.program.function(function).body, self.emitter.functions)
            ):
                known = self.names.temporary(f"{name.rstrip('_')}_known", set())
                first.append(f"{known} = {text}")
                line = self.program.function(function).line
                self.told.note("asking", f"{function}, asked {times} times for one choice", line=line)
                body = [x.replace(text, known) for x in body]
        return [*first, *body]

    def _player(self, name: str, block: p.Block, options: list[OptionEmitter]) -> list[str]:
        lines = [f"def {name}(self, S: State, n: int) -> int:", f'{INDENT}"""Carry out a move."""']
        for place, option in enumerate(options):
            inner = self._carried(place, option)
            last = option.numbered.first + option.numbered.moves
            if place == len(options) - 1:
                lines += [INDENT + x for x in inner]
            else:
                lines.append(noted(f"{INDENT}if n < {last}:", option.option.line))
                lines += [INDENT * 2 + x for x in inner]
        return lines

    def _carried(self, place: int, option: OptionEmitter) -> list[str]:
        """Return the lines that carry out one option: log it, hand its arguments on, go on."""
        to = option.option.to
        names = [self.names.locals[s] for s in option.slots]
        if to in self.option_of and self.option_of[to][1] is option.option:
            return self._does(to)
        lines = []
        if names:
            comma = "," if len(names) == 1 else ""
            lines.append(f"{', '.join(names)}{comma} = self.{option.name}_of(S, n)")
        values = f"({', '.join(names)}{',' if len(names) == 1 else ''})"
        lines += ["if S[LOG] is not None:", f"{INDENT}self.choosing(S, {place}, {values})"]
        for slot, local in zip(option.slots, names, strict=True):
            if slot in self.kept or self.users.get(slot):
                lines.append(f"S[{self.names.slots[slot]}] = {local}")
        return [*lines, f"return {to}"]

    def _placer(self, name: str, options: list[OptionEmitter]) -> list[str]:
        lines = [
            f"def {name}(self, S: State, n: int) -> tuple[int, tuple[int, ...]]:",
            f'{INDENT}"""Return a move as the place of its option and its arguments."""',
        ]
        for place, option in enumerate(options):
            found = f"self.{option.name}_of(S, n)" if option.binds else "()"
            last = option.numbered.first + option.numbered.moves
            if place == len(options) - 1:
                lines.append(f"{INDENT}return {place}, {found}")
            else:
                lines += [f"{INDENT}if n < {last}:", f"{INDENT * 2}return {place}, {found}"]
        return lines


def _docstring(text: str) -> list[str]:
    """Return rule text as a docstring, whatever signs it holds."""
    plain = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if plain.endswith('"'):
        plain = plain[:-1] + '\\"'
    rows = plain.split("\n")
    if len(rows) == 1:
        return [f'{INDENT}"""{rows[0]}"""']
    return [f'{INDENT}"""{rows[0]}', "", *[INDENT + r for r in rows[1:]], f'{INDENT}"""']
