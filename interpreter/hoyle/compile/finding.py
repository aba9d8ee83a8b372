"""Moves found over kinds: nested loops over the kinds that are there, with tables of the kinds that fit."""

from __future__ import annotations

import re

from hoyle import program as p
from hoyle.compile.conditions import bare
from hoyle.compile.expressions import Env, Local
from hoyle.compile.placing import Placing
from hoyle.compile.sieves import Sieves
from hoyle.compile.statements import INDENT, noted
from hoyle.compile.trying import Trying
from hoyle.program.asked import rows_of
from hoyle.program.numbering import Group
from hoyle.program.purity import may_fault


class OptionEmitter(Sieves, Trying, Placing):
    """Writes the moves of one option."""

    def finding(self, asked: int = 0) -> list[str]:
        """Return the lines that add the option's numbers to `out`; its first `asked` conditions are known to hold."""
        before = self.before[asked:]
        with self.emitter.told.at(self.option.line):
            lines = self._found()
            self.emitter.held = {}
            test = self.emitter.all(before, self.env)
        if any(isinstance(x, p.Const) for x in before):
            return []  # it is never possible
        if before:
            return [noted(f"if {test}:", self.option.line), *[INDENT + x for x in lines]]
        return [f"# {self.option.line}: {self.option.name}", *lines] if lines else []

    def _found(self) -> list[str]:
        if not self.binds:
            return [noted(f"out.append({self.numbered.first})", self.option.line)]
        slow = [f"out += sorted(self.{self.name}_all(S))"]
        if not self.fast:
            self.try_all()
            return slow
        self.note("kinds", ", ".join(b.name for b in self.binds), *self.unless())
        if self.loose:
            self.try_all()
        if self.joins_first:
            return []
        if self.scan is not None:
            if self.scan.first is not self:
                return []
            fast = self.scan.lines()
            slow = [f"out += sorted(self.{o.name}_all(S))" for o in self.scan.options]
        elif self.rowed is not None:
            fast = self._by_rows(self.rowed)
        else:
            fast = self._kinds()
        if not self.loose:
            return fast
        test = self.emitter.all(self.loose, self.env)
        return [f"if {test}:", *[INDENT + x for x in fast], "else:", *[INDENT + x for x in slow]]

    def make_rows(self) -> None:
        """Settle whether what each card can do is kept, for an option that chooses one card and small things."""
        self.emitter.told.line = self.option.line
        kinds = [h for h in self.heads if self.binds[h].type.form == "piece"]
        if not self.fast or self.scan is not None or "rows" in self.emitter.without or kinds != [0]:
            return
        if self.group(0).many > 1 or not self.is_sorted(self.binds[0].source) or self._plainly_numbered(0):
            return
        later = [b.source for b in self.binds[1:]]
        self.rowed = self.emitter.rows.asked([*self.fast_guards, *later], set(self.slots), {})

    def _by_rows(self, asked: list[p.Expr]) -> list[str]:
        """Return the lines that look up what each card can do; where a zone it hangs on is empty, nothing is kept."""
        emitter = self.emitter
        rows = emitter.rows
        self.note("rows", self.chosen(0), *[part for x in asked for part in (", by ", x)])
        lines = self._there(0)
        table, method = rows.table(self.name, asked, "tuple[int, ...]")
        rows.methods.append(self._row(table, method, asked))
        rows.moves = True
        run = emitter.run(self.binds[0].source, self.env)
        found = rows.found_lines(table, method, asked)
        if emitter.unique:
            found += [f"for x in {run}:", f"{INDENT}out += does[x]"]
        else:
            found += [
                "same = NO_MOVES",
                f"for x in {run}:",
                f"{INDENT}found = does[x]",
                f"{INDENT}if found is not same:",
                f"{INDENT * 2}same = found",
                f"{INDENT * 2}out += found",
            ]
        if ends := rows.ends(asked):
            test = " and ".join(f"S[{emitter.e(z, self.env)}]" for z in ends)
            each = [f"if {test}:", *[INDENT + x for x in found], "else:"]
            return [*lines, *each, *[INDENT + x for x in self._kinds()]]
        return [*lines, *found]

    def joins(self, other: OptionEmitter) -> bool:
        """Return whether the moves of an option after this one can be looked up together with those of this one.

        Both choose from the same zone, at any time, and every card of this one comes before all of the other.
        """
        if (
            self.rowed is None
            or other.rowed is None
            or [*self.before, *self.loose, *other.before, *other.loose]
        ):
            return False
        asked = [*self.rowed, *[x for x in other.rowed if x not in self.rowed]]
        same = self.binds[0].source == other.binds[0].source
        few = not self.emitter.rows.ends(asked) and rows_of(asked, self.emitter.program) > 0
        last = max((x for option in (self, *self.joined) for x in option.kinds_of(0)), default=-1)
        if not same or not few or last >= min(other.kinds_of(0), default=0):
            return False
        self.rowed, other.rowed = asked, asked
        return True

    def _row(self, table: str, method: str, asked: list[p.Expr]) -> list[str]:
        """Return the method that works out what each card can do as the table stands."""
        options = [self, *self.joined]
        of = " and ".join(x.option.name for x in options)
        kind, known = "tuple[int, ...]", "[known[k] for k in self.kind_of]"
        lines = [
            f'"""Return for each card its moves of {of}{", as the table stands" if asked else ""}."""',
            "moves: list[list[int]] = [[] for _ in FACES]",
            *[x for option in options for x in option.each_kind()],
            "known = [tuple(x) for x in moves]",
        ]
        if not asked:
            head = f"def {method}(self) -> list[{kind}]:"
            return [head, *[INDENT + x for x in [*lines, f"return {known}"]]]
        lines += [f"row = self.{table}[key] = {known}", "return row"]
        return self.emitter.rows.method(method, asked, kind, lines)

    def each_kind(self) -> list[str]:
        """Return the loop that adds the moves of each kind of card."""
        local = self.names.locals[self.slots[0]]
        env: Env = {self.slots[0]: Local(local, kind=True)}
        only = self.only(0)
        lines = [f"if not {only}[{local}]:", f"{INDENT}continue"] if only else []
        place, number, depth = self.place(self.group(0), local), "", 0
        for index, head in enumerate(self.heads):
            group, bind = self.numbered.groups[index], self.binds[head]
            if head:
                name = self.names.locals[bind.slot]
                lines.append(f"{INDENT * depth}for {name} in {self.values(bind.source, env)}:")
                depth += 1
                env[bind.slot] = Local(name)
                place = name if group.low == 0 else f"({name} - {group.low})"
            number = f"({number}) * {group.moves} + {place}" if number else place
            for guard in self.guards_at(head):
                lines.append(f"{INDENT * depth}if {bare(self.emitter.no(guard, env))}:")
                lines.append(f"{INDENT * (depth + 1)}continue")
        first = f"{self.numbered.first} + " if self.numbered.first else ""
        lines.append(f"{INDENT * depth}moves[{local}].append({first}{number if first else bare(number)})")
        return [noted(f"for {local} in range(len(FACES)):", self.option.line), *[INDENT + x for x in lines]]

    def collected(self, head: int, name: str) -> list[str]:
        """Return the lines that collect the kinds of a source: all, each once ascending, and as a mask."""
        bind = self.binds[head]
        run = self.emitter.run(bind.source, self.env)
        fits = f" if {self.names.type_table(bind.pieces)}[kind_of[x]]" if bind.pieces else ""
        lines = [f"{name}_all = [kind_of[x] for x in {run}{fits}]"]
        if self.is_sorted(bind.source):
            lines.append(f"{name} = list(dict.fromkeys({name}_all))")
        else:
            lines.append(f"{name} = sorted(set({name}_all))")
        return lines

    def _kinds(self) -> list[str]:
        """Return the nested loops over kinds."""
        lines: list[str] = []
        env: Env = dict(self.env)
        depth = 0
        number = ""

        def add(text: str) -> None:
            lines.append(INDENT * depth + text)

        for index, head in enumerate(self.heads):
            group = self.numbered.groups[index]
            bind = self.binds[head]
            local = self.names.locals[bind.slot]
            if bind.type.form != "piece":
                add(f"for {local} in {self.values(bind.source, env)}:")
                depth += 1
                env[bind.slot] = Local(local)
                place = local if group.low == 0 else f"({local} - {group.low})"
            else:
                if self.once_each(head):
                    lines += self._there(head)
                    if self._plainly_numbered(head):
                        return [*lines, *self._plain_numbers(head)]
                    lines += self._each_kind(head, env)
                    depth, place = 1, self.place(group, local)
                else:
                    name, found = self._collected_in(head, env)
                    lines += [INDENT * depth + x for x in found]
                    depth, place = self._loops(head, group, name, env, lines, depth)
            number = place if not number else f"({number}) * {group.moves} + {place}"
            for guard in self.guards_at(head + group.many - 1):
                add(f"if {bare(self.emitter.no(guard, env))}:")
                add(f"{INDENT}continue")
        first = f"{self.numbered.first} + " if self.numbered.first else ""
        place = number if first else bare(number)
        last = re.fullmatch(rf" *for {re.escape(place)} in (.*):", lines[-1])
        if last and not first:
            return [*lines[:-1], f"{INDENT * (depth - 1)}out += {last[1]}"]
        add(f"out.append({first}{place})")
        return lines

    def rest(self, places: dict[int, str], env: Env) -> list[str]:
        """Return the lines for the arguments after those whose places in the number are given: loops, then `out`."""
        lines: list[str] = []
        depth = 0
        asked = [g for g in self.fast_guards if not self.by_faces(g)]
        for head in [-1, *[h for h in self.heads if h not in places]]:
            if head >= 0:
                bind, low = self.binds[head], self.group(head).low
                local = self.names.locals[bind.slot]
                lines.append(f"{INDENT * depth}for {local} in {self.values(bind.source, env)}:")
                depth += 1
                env[bind.slot] = Local(local)
                places[head] = local if low == 0 else f"({local} - {low})"
            known = {i for i, slot in enumerate(self.slots) if slot in env}
            for guard in [g for g in asked if set(self.mentioned(g)) <= known]:
                asked.remove(guard)
                lines.append(f"{INDENT * depth}if {bare(self.emitter.no(guard, env))}:")
                lines.append(f"{INDENT * (depth + 1)}continue")
        number = ""
        for head in self.heads:
            number = f"({number}) * {self.group(head).moves} + {places[head]}" if number else places[head]
        first = f"{self.numbered.first} + " if self.numbered.first else ""
        place = number if first else bare(number)
        return [*lines, noted(f"{INDENT * depth}out.append({first}{place})", self.option.line)]

    def settled_by_faces(self) -> bool:
        """Return whether the faces of the pieces settle the moves: guards and further arguments ask nothing else."""
        values = [b.source for b in self.binds if b.type.form != "piece"]
        return all(self.by_faces(x) for x in [*self.fast_guards, *values])

    def _collected_in(self, head: int, env: Env) -> tuple[str, list[str]]:
        """Return a name for the kinds of a source that only this loop goes through, and the lines that collect them."""
        name = f"{self.names.locals[self.slots[head]]}_kinds"
        outer, self.env = self.env, env
        try:
            return name, self.collected(head, name)
        finally:
            self.env = outer

    def once_each(self, head: int) -> bool:
        """Return whether a source is gone through once, by the first argument, pieces that look alike side by side."""
        alone = head == 0 and self.group(head).many == 1
        return alone and self.is_sorted(self.binds[head].source)

    def _there(self, head: int) -> list[str]:
        """Return the lines that give names to the zone and the set that a source is about, and note them."""
        lines, emitter = [], self.emitter
        source, zone = self.binds[head].source, emitter.zone_of(self.binds[head].source)
        if zone is not None and zone.index is not None:
            name = self.names.temporary(zone.name, set())
            lines.append(f"{name} = S[{bare(emitter.e(zone, self.env))}]")
            emitter.held[zone] = name
        if source != zone and not self._plainly_numbered(head) and emitter.listed(source, self.env):
            lines += emitter.written(source, self.env, "there", "")
            emitter.held[source] = "there"
        return lines

    def _plainly_numbered(self, head: int) -> bool:
        """Return whether each piece of the one source makes one move, its number being that of the piece."""
        if "numbering" in self.emitter.without:
            return False
        group, source = self.group(head), self.binds[head].source
        free = not self.guards or self._after(head) is not None
        alone = self.emitter.unique and len(self.heads) == 1 and free and not self.loose
        return (
            alone
            and self.place(group, "x") == "x"
            and not self.binds[head].pieces
            and self._is_listed(source)
        )

    def _after(self, head: int) -> p.Expr | None:
        """Return how many pieces of a source, one and those after it, the one guard asks for; None for other guards."""
        guard = self.guards[0] if len(self.guards) == 1 else None
        if not (isinstance(guard, p.Op) and guard.op == "ge" and isinstance(guard.args[0], p.Loop)):
            return None
        counted, least = guard.args[0], guard.args[1]
        own = self.emitter.counts_after(counted)
        same = counted.binders[0].source == self.binds[head].source
        if own is None or not same or own.slot != self.slots[head] or self.mentioned(least):
            return None
        return None if may_fault(least, self.emitter.functions) else least

    def _is_listed(self, source: p.Expr) -> bool:
        with self.emitter.told.aside():
            return isinstance(source, p.ZoneAt) or bool(self.emitter.listed(source, self.env))

    def _plain_numbers(self, head: int) -> list[str]:
        """Return the lines that add the numbers of the pieces of a source."""
        source, first = self.binds[head].source, self.numbered.first
        shift = f"{first} + " if first else ""
        after = self._after(head)
        self.note("numbering", self.chosen(head))
        if after is not None:
            there = self.emitter.run(source, self.env)
            lines = []
            if not isinstance(source, p.ZoneAt):
                lines, there = self.emitter.written(source, self.env, "there", ""), "there"
            end = f" max(0, len({there}) + 1 - {self.emitter.e(after, self.env)})"
            if isinstance(after, p.Const) and after.value > 1:
                end = str(1 - after.value)  # all but so many at the end
            part = f"{there}[:{end}]"
            return [
                *lines,
                noted(f"out += {f'[{shift}x for x in {part}]' if shift else part}", self.option.line),
            ]
        if isinstance(source, p.ZoneAt):
            there = self.emitter.run(source, self.env)
            return [f"out += [{shift}x for x in {there}]" if shift else f"out += {there}"]
        lines = self.emitter.written(source, self.env, "there", shift)
        return [*lines, "out += there"]

    def _each_kind(self, head: int, env: Env) -> list[str]:
        """Return the lines that go through the kinds of a sorted zone, each once."""
        bind, local = self.binds[head], self.names.locals[self.slots[head]]
        other = f" or not {self.names.type_table(bind.pieces)}[k]" if bind.pieces else ""
        env[bind.slot] = Local(local, kind=True)
        if self.emitter.unique:
            lines = [f"for {local} in {self.emitter.run(bind.source, self.env)}:"]
            if bind.pieces:
                lines += [
                    f"{INDENT}if not {self.names.type_table(bind.pieces)}[{local}]:",
                    f"{INDENT * 2}continue",
                ]
            return lines
        return [
            f"{local} = -1",
            f"for x in {self.emitter.run(bind.source, self.env)}:",
            f"{INDENT}k = kind_of[x]",
            f"{INDENT}if k == {local}{other}:",
            f"{INDENT * 2}continue",
            f"{INDENT}{local} = k",
        ]

    def _loops(
        self, head: int, group: Group, name: str, env: Env, lines: list[str], depth: int
    ) -> tuple[int, str]:
        """Add the loops over one group of pieces; return the depth inside and the group's part of the number."""
        local = self.names.locals[self.binds[head].slot]
        env[self.binds[head].slot] = Local(local, kind=True)
        if group.many == 1:
            lines.append(f"{INDENT * depth}for {local} in {name}:")
            depth += 1
            return depth, self.place(group, local)
        higher = self.names.locals[self.binds[head + 1].slot]
        env[self.binds[head + 1].slot] = Local(higher, kind=True)
        lines.append(f"{INDENT * depth}for at_{higher}, {higher} in enumerate({name}):")
        depth += 1
        twice = f"(len({name}_all) > len({name}) and {name}_all.count({higher}) > 1)"
        lines.append(f"{INDENT * depth}for {local} in {name}[: at_{higher} + {twice}]:")
        depth += 1
        low, high = self.place(group, local), self.place(group, higher)
        return depth, f"{low} + {high} * ({high} + 1) // 2"
