"""Choices as Python: a function that finds the numbers of the legal moves, and one that carries a number out.

Where no guard tells apart pieces that look alike, moves are found over kinds, with tables of the kinds that fit; a
number is turned back into pieces when it is played. Where a guard does, every piece is tried, the first that fits kept.
"""

from __future__ import annotations

from collections.abc import Sequence

from hoyle import program as p
from hoyle.compile.expressions import Emitter, Env, Local, bare
from hoyle.compile.statements import INDENT, noted
from hoyle.program.folding import conjuncts
from hoyle.program.numbering import Group, Numbered
from hoyle.program.purity import (
    READS,
    Functions,
    children,
    free_slots,
    in_written_order,
    may_fault,
    told_apart,
)
from hoyle.program.symmetry import symmetric

MOST_IN_TABLE = 2


class Members:
    """Methods and first lines of `__init__` that choices add to the class of the rules."""

    def __init__(self) -> None:
        self.init: list[str] = []
        self.methods: list[list[str]] = []
        self.pairs: set[int] = set()
        self.places: dict[tuple[int, ...], str] = {}


class OptionEmitter:
    """Writes the moves of one option."""

    def __init__(
        self, emitter: Emitter, members: Members, phase: str, option: p.Option, numbered: Numbered, env: Env
    ) -> None:
        self.emitter = emitter
        self.members = members
        self.names = emitter.names
        self.option = option
        self.numbered = numbered
        self.env = env
        self.name = self.names.give(f"{phase}_{option.name}")
        self.slots = [a.bind.slot for a in option.arguments]
        self.binds = [a.bind for a in option.arguments]
        guards = in_written_order(conjuncts(option.where), emitter.functions)
        self.before = conjuncts(option.when) + [g for g in guards if not self.mentioned(g)]
        self.guards = [g for g in guards if self.mentioned(g)]
        self.loose, self.fast_guards = self._split()
        self.heads = [i for i, b in enumerate(self.binds) if b.rank == 0]
        self.fast = self._fast()
        self.masks: dict[int, str] = {}
        self.sieves: dict[int, str] = {}
        self.rows: dict[int, str] = {}
        if self.fast:
            self._prepare()

    # ---- what kind of option it is --------------------------------------------------------

    def mentioned(self, expr: p.Expr) -> list[int]:
        """Return the places of the arguments that an expression speaks of."""
        free = free_slots(expr)
        return [i for i, slot in enumerate(self.slots) if slot in free]

    def _apart(self, exprs: Sequence[p.Expr]) -> bool:
        """Return whether pieces that look alike are told apart among the arguments."""
        pieces = {b.slot for b in self.binds if b.type.form == "piece"}
        return any(pieces & told_apart(x, self.emitter.functions) for x in exprs)

    def _split(self) -> tuple[list[p.Expr], list[p.Expr]]:
        """Return the conditions on the table under which no pieces are told apart, and the guards left then."""
        loose: list[p.Expr] = []
        left: list[p.Expr] = []
        for guard in self.guards:
            if not self._apart([guard]):
                left.append(guard)
                continue
            aside = [x for x in _alternatives(guard) if not self.mentioned(x)]
            if not aside:
                left.append(guard)
                continue
            whole = aside[0]
            for x in aside[1:]:
                whole = p.Op(op="or", args=(whole, x), type=whole.type)
            loose.append(whole)
        return loose, left

    def _fast(self) -> bool:
        """Return whether the moves can be found over kinds, where the conditions of `loose` hold."""
        sources = [b.source for b in self.binds]
        if self._apart([*self.fast_guards, *sources]):
            return False
        for head, group in zip(self.heads, self.numbered.groups, strict=True):
            places = list(range(head, head + group.many))
            if group.many > 2 or (group.many == 2 and self.binds[head].type.form != "piece"):
                return False
            if group.many == 2 and not symmetric(
                self.option, places, self.fast_guards, self.emitter.functions
            ):
                return False
        return True

    # ---- finding, over kinds ----------------------------------------------------------------

    def finding(self, hoisted: dict[tuple[object, ...], str]) -> list[str]:
        """Return the lines that add the option's numbers to `out`."""
        lines = self._found(hoisted)
        if self.before:
            test = self.emitter.all(self.before, self.env)
            return [noted(f"if {test}:", self.option.line), *[INDENT + x for x in lines]]
        return [f"# {self.option.line}: {self.option.name}", *lines]

    def _found(self, hoisted: dict[tuple[object, ...], str]) -> list[str]:
        if not self.binds:
            return [noted(f"out.append({self.numbered.first})", self.option.line)]
        slow = [f"out += sorted(self.{self.name}_all(S))"]
        if not self.fast:
            self._all()
            return slow
        fast = self._kinds(hoisted)
        if not self.loose:
            return fast
        self._all()
        test = self.emitter.all(self.loose, self.env)
        return [f"if {test}:", *[INDENT + x for x in fast], "else:", *[INDENT + x for x in slow]]

    def hoistable(self) -> list[int]:
        """Return the arguments whose candidates depend on no other and may be collected once for all options."""
        heads = self.heads if self.fast and not self.before else []
        return [
            h
            for h in heads
            if self.binds[h].type.form == "piece" and not self.mentioned(self.binds[h].source)
        ]

    def source_key(self, head: int) -> tuple[object, ...]:
        """Return what makes two sources the same."""
        return (self.binds[head].source, self.binds[head].pieces)

    def collected(self, head: int, name: str) -> list[str]:
        """Return the lines that collect the kinds of a source: all, each once ascending, and as a mask."""
        bind = self.binds[head]
        run = self.emitter.run(bind.source, self.env)
        fits = f" if {self.names.type_table(bind.pieces)}[kind_of[x]]" if bind.pieces else ""
        lines = [f"{name}_all = [kind_of[x] for x in {run}{fits}]"]
        if self._sorted(bind.source):
            lines.append(f"{name} = list(dict.fromkeys({name}_all))")
        else:
            lines.append(f"{name} = sorted(set({name}_all))")
        return lines

    def _sorted(self, source: p.Expr) -> bool:
        if not isinstance(source, p.ZoneAt):
            return source.type.form == "set"
        zone = next(z for z in self.emitter.program.zones if z.number == source.zone)
        return zone.form == "pool"

    def _kinds(self, hoisted: dict[tuple[object, ...], str]) -> list[str]:
        """Return the nested loops over kinds."""
        lines: list[str] = []
        env: Env = dict(self.env)
        depth = 0
        number = ""
        lines += [f"{x}_known = self.{x}_known" for x in self.sieves.values()]
        last = self._listed()

        def add(text: str) -> None:
            lines.append(INDENT * depth + text)

        for index, head in enumerate(self.heads):
            group = self.numbered.groups[index]
            bind = self.binds[head]
            local = self.names.locals[bind.slot]
            if last is not None and index == len(self.heads) - 1:
                for line in self._listing(last, number, env):
                    add(line)
                return lines
            if bind.type.form != "piece":
                add(f"for {local} in {self._values(bind.source, env)}:")
                depth += 1
                env[bind.slot] = Local(local)
                place = local if group.low == 0 else f"({local} - {group.low})"
            else:
                name = hoisted.get(self.source_key(head))
                if name is None:
                    name = f"{local}_kinds"
                    for line in self._collected_in(head, name, env):
                        add(line)
                sieved = head in self.sieves
                for line in self._sieve(head) if sieved else ():
                    add(line)
                depth, place = self._loops(head, group, name, env, lines, depth, sieved)
            number = place if not number else f"({number}) * {group.moves} + {place}"
            for guard in self._guards_at(head + group.many - 1, sieved=self._is_sieved(head, group)):
                add(f"if {bare(self.emitter.no(guard, env))}:")
                add(f"{INDENT}continue")
        first = f"{self.numbered.first} + " if self.numbered.first else ""
        add(f"out.append({first}{number})")
        return lines

    def _listed(self) -> str | None:
        """Return the name of the table of numbers for the last argument, where faces alone settle its values."""
        head = self.heads[-1]
        bind = self.binds[head]
        alone = head == len(self.binds) - 1 and len(self.heads) > 1 and bind.type.form != "piece"
        earlier = self.binds[:head]
        if not alone or self._guards_at(head, sieved=False) or any(b.type.form != "piece" for b in earlier):
            return None
        if not self.mentioned(bind.source) or not self._by_faces(bind.source):
            return None
        return self.names.give(f"{self.name}_numbers")

    def _listing(self, table: str, number: str, env: Env) -> list[str]:
        """Return the lines that add the numbers for all values of the last argument, worked out once."""
        names = [self.names.locals[s] for s in self.slots[:-1]]
        bind, group = self.binds[-1], self.numbered.groups[-1]
        local = self.names.locals[bind.slot]
        place = local if group.low == 0 else f"({local} - {group.low})"
        self.members.init.append(f"self.{table}_known: dict[int, tuple[int, ...]] = {{}}")
        self.members.methods.append(
            [
                f"def {table}(self, n: int{''.join(f', {x}: int' for x in names)}) -> tuple[int, ...]:",
                f'{INDENT}"""Return the numbers of the moves of {self.option.name} with these kinds."""',
                noted(f"{INDENT}values = {self._values(bind.source, env)}", self.option.line),
                f"{INDENT}found = tuple([{self.numbered.first} + n * {group.moves} + {place} for {local} in values])",
                f"{INDENT}self.{table}_known[n] = found",
                f"{INDENT}return found",
            ]
        )
        return [
            f"n = {number}",
            f"out += self.{table}_known.get(n) or self.{table}(n, {', '.join(names)})",
        ]

    def _collected_in(self, head: int, name: str, env: Env) -> list[str]:
        outer, self.env = self.env, env
        try:
            return self.collected(head, name)
        finally:
            self.env = outer

    def _loops(
        self, head: int, group: Group, name: str, env: Env, lines: list[str], depth: int, sieved: bool
    ) -> tuple[int, str]:
        """Add the loops over one group of pieces; return the depth inside and the group's part of the number."""
        local = self.names.locals[self.binds[head].slot]
        env[self.binds[head].slot] = Local(local, kind=True)
        if group.many == 1:
            lines.append(f"{INDENT * depth}for {local} in {name}:")
            depth += 1
            if sieved:
                lines.append(f"{INDENT * depth}if not fitting >> {local} & 1:")
                lines.append(f"{INDENT * depth}{INDENT}continue")
            return depth, self._place(group, local)
        higher = self.names.locals[self.binds[head + 1].slot]
        env[self.binds[head + 1].slot] = Local(higher, kind=True)
        lines.append(f"{INDENT * depth}for at_{higher}, {higher} in enumerate({name}):")
        depth += 1
        row = self.rows.get(head + 1)
        if row:
            lines.append(f"{INDENT * depth}row = {row}[{higher}]")
        twice = f"(len({name}_all) > len({name}) and {name}_all.count({higher}) > 1)"
        lines.append(f"{INDENT * depth}for {local} in {name}[: at_{higher} + {twice}]:")
        depth += 1
        low, high = self._place(group, local), self._place(group, higher)
        return depth, f"{low} + {high} * ({high} + 1) // 2"

    def _place(self, group: Group, kind: str) -> str:
        """Return text for the place of a kind in the domain of an argument."""
        if list(group.places) == list(range(len(group.places))):
            return kind
        name = self.members.places.setdefault(
            group.places, self.names.give(f"PLACE_{len(self.members.places) + 1}")
        )
        return f"{name}[{kind}]"

    def _values(self, source: p.Expr, env: Env) -> str:
        run = self.emitter.run(source, env)
        ascending = source.type.form == "set" or (
            isinstance(source, p.Op) and source.op in ("players", "members")
        )
        return run if ascending else f"sorted({run})"

    def _guards_at(self, place: int, sieved: bool) -> list[p.Expr]:
        """Return the guards to be asked when the argument at a place is known, those in its sieve left out."""
        here = [g for g in self.fast_guards if max(self.mentioned(g)) == place]
        return [g for g in here if not (sieved and self._by_faces(g))]

    # ---- sieves -----------------------------------------------------------------------------

    def _by_faces(self, guard: p.Expr) -> bool:
        """Return whether a guard asks only about the faces of arguments."""
        functions = self.emitter.functions
        pieces = {b.slot for b in self.binds if b.type.form == "piece"}
        names = set(free_slots(guard))
        faces = names <= pieces and not _reads(guard, functions) and not told_apart(guard, functions)
        return faces and not may_fault(guard, functions)

    def _is_sieved(self, head: int, group: Group) -> bool:
        if group.many != 1 or self.binds[head].type.form != "piece":
            return False
        sifting = [g for g in self.fast_guards if max(self.mentioned(g)) == head and self._by_faces(g)]
        earlier = {i for g in sifting for i in self.mentioned(g) if i != head}
        return bool(sifting) and len(earlier) <= MOST_IN_TABLE

    def _sifting(self, head: int) -> tuple[list[p.Expr], list[int]]:
        """Return the guards of a sieve, and the earlier arguments they ask about."""
        sifting = [g for g in self.fast_guards if max(self.mentioned(g)) == head and self._by_faces(g)]
        return sifting, sorted({i for g in sifting for i in self.mentioned(g) if i != head})

    def _prepare(self) -> None:
        """Add the tables and methods of the sieves, and note which loop may look up a row of one ahead."""
        for head, group in zip(self.heads, self.numbered.groups, strict=True):
            if not self._is_sieved(head, group):
                continue
            sifting, earlier = self._sifting(head)
            local = self.names.locals[self.slots[head]]
            table = self.names.give(f"{self.name}_{local}_fitting")
            self.sieves[head] = table
            kinds = len(self.emitter.program.kinds)
            rows = {0: "[-1]", 1: f"[-1] * {kinds}", 2: f"[[-1] * {kinds} for _ in range({kinds})]"}[
                len(earlier)
            ]
            kind = "list[list[int]]" if len(earlier) == 2 else "list[int]"
            self.members.init.append(f"self.{table}_known: {kind} = {rows}")
            self._fitting(table, sifting, earlier, head)
            if len(earlier) == 2 and self.binds[earlier[1]].rank == 1 and earlier[1] == head - 1:
                self.rows[earlier[1]] = f"{table}_known"

    def _sieve(self, head: int) -> list[str]:
        """Return the lines that look up which kinds fit, skipping ahead if none does."""
        _, earlier = self._sifting(head)
        names = [self.names.locals[self.slots[i]] for i in earlier]
        table = self.sieves[head]
        index = "".join(f"[{n}]" for n in reversed(names)) or "[0]"
        known = f"row[{names[0]}]" if self.rows.get(head - 1) == f"{table}_known" else f"{table}_known{index}"
        there = self._mask_name(head)
        lines = [f"fitting = {known}"]
        if names and there:
            lines += [f"if not fitting & {there}:", f"{INDENT}continue"]
        return [*lines, "if fitting < 0:", f"{INDENT}fitting = self.{table}({', '.join(names)})"]

    def _mask_name(self, head: int) -> str:
        """Return the name of the mask of the kinds there, where it has been made before the loops."""
        return self.masks.get(head, "")

    def wants_mask(self, head: int) -> bool:
        """Return whether the kinds of a source are wanted as a mask, to skip a loop that would find nothing."""
        group = self.numbered.groups[self.heads.index(head)]
        return head > 0 and self._is_sieved(head, group)

    def _fitting(self, table: str, sifting: list[p.Expr], earlier: list[int], head: int) -> None:
        """Add the method that works out which kinds of an argument fit, given those of earlier ones."""
        names = [self.names.locals[self.slots[i]] for i in earlier]
        local = self.names.locals[self.slots[head]]
        env: Env = {self.slots[i]: Local(n, kind=True) for i, n in zip(earlier, names, strict=True)}
        env[self.slots[head]] = Local(local, kind=True)
        bind = self.binds[head]
        every = set(bind.type.pieces) >= set(self.emitter.program.attributes)
        only = "" if every else f" if {self.names.type_table(bind.type.pieces)}[{local}]"
        test = self.emitter.all(sifting, env)
        arguments = ", ".join(["self", *[f"{n}: int" for n in names]])
        index = "".join(f"[{n}]" for n in reversed(names)) or "[0]"
        self.members.methods.append(
            [
                f"def {table}(self{''.join(f', {n}: int' for n in names)}) -> int:" if arguments else "",
                f'{INDENT}"""Return the kinds that `{local}` may have in {self.option.name}, as a mask."""',
                f"{INDENT}kinds = [{local} for {local} in range(len(FACES)){only}]",
                noted(f"{INDENT}fitting = mask_of({local} for {local} in kinds if {test})", self.option.line),
                f"{INDENT}self.{table}_known{index} = fitting",
                f"{INDENT}return fitting",
            ]
        )

    # ---- finding, piece by piece ----------------------------------------------------------------

    def _all(self) -> None:
        """Add the method that tries every piece: number -> arguments, the first that fit."""
        lines = [
            f"def {self.name}_all(self, S: State) -> dict[int, tuple[int, ...]]:",
            f'{INDENT}"""Return the moves of {self.option.name}, every piece tried."""',
            f"{INDENT}kind_of = self.kind_of",
            f"{INDENT}found: dict[int, tuple[int, ...]] = {{}}",
        ]
        env: Env = dict(self.env)
        depth = 1
        for index, head in enumerate(self.heads):
            group = self.numbered.groups[index]
            places = list(range(head, head + group.many))
            even = group.many > 1 and symmetric(self.option, places, self.guards, self.emitter.functions)
            source = self.names.locals[self.slots[head]] + "_there"
            lines.append(f"{INDENT * depth}{source} = {self._candidates(self.binds[head], env)}")
            for i in places:
                depth = self._try(i, head, source, even, env, lines, depth)
        values = ", ".join(self.names.locals[s] for s in self.slots)
        lines.append(f"{INDENT * depth}n = {self.numbered.first} + {self._number()}")
        lines.append(f"{INDENT * depth}if n not in found:")
        lines.append(f"{INDENT * (depth + 1)}found[n] = ({values},)")
        lines.append(f"{INDENT}return found")
        if not any("kind_of" in x for x in lines[3:]):
            lines.remove(f"{INDENT}kind_of = self.kind_of")
        self.members.methods.append(lines)

    def _candidates(self, bind: p.Bind, env: Env) -> str:
        run = self.emitter.run(bind.source, env)
        if bind.type.form != "piece":
            return f"sorted({bare(run)})"
        fits = f" if {self.names.type_table(bind.pieces)}[kind_of[x]]" if bind.pieces else ""
        return f"sorted([x for x in {run}{fits}], key=kind_of.__getitem__)"

    def _try(self, i: int, head: int, source: str, even: bool, env: Env, lines: list[str], depth: int) -> int:
        local = self.names.locals[self.slots[i]]
        several = self.numbered.groups[self.heads.index(head)].many > 1
        if several:
            lines.append(f"{INDENT * depth}for at_{local}, {local} in enumerate({source}):")
        else:
            lines.append(f"{INDENT * depth}for {local} in {source}:")
        depth += 1
        for k in range(head, i):
            other = self.names.locals[self.slots[k]]
            if not even or k == i - 1:
                lines.append(f"{INDENT * depth}if at_{local} {'<=' if even else '=='} at_{other}:")
                lines.append(f"{INDENT * (depth + 1)}continue")
        env[self.slots[i]] = Local(local)
        for guard in self.guards:
            if max(self.mentioned(guard)) == i:
                lines.append(f"{INDENT * depth}if {bare(self.emitter.no(guard, env))}:")
                lines.append(f"{INDENT * (depth + 1)}continue")
        return depth

    def _number(self) -> str:
        number = ""
        for head, group in zip(self.heads, self.numbered.groups, strict=True):
            locals_ = [self.names.locals[self.slots[i]] for i in range(head, head + group.many)]
            if self.binds[head].type.form == "piece":
                places = [self._place(group, f"kind_of[{x}]") for x in locals_]
            else:
                places = [x if group.low == 0 else f"{x} - {group.low}" for x in locals_]
            repeats = self.binds[head].type.form == "piece"
            place = places[0] if group.many == 1 else f"rank_of([{', '.join(places)}], {repeats})"
            number = place if not number else f"({number}) * {group.moves} + {place}"
        return number

    # ---- from a number to pieces ------------------------------------------------------------------

    def placing(self) -> list[str]:
        """Return the method that turns a number into arguments; none for an option without arguments."""
        lines = [f"def {self.name}_of(self, S: State, n: int) -> tuple[int, ...]:"]
        lines.append(f'{INDENT}"""Return the arguments of a move of {self.option.name}."""')
        if not self.fast:
            return [*lines, f"{INDENT}return self.{self.name}_all(S)[n]"]
        if self.loose:
            test = self.emitter.all(self.loose, self.env)
            lines += [f"{INDENT}if not ({test}):", f"{INDENT * 2}return self.{self.name}_all(S)[n]"]
        if self.numbered.first:
            lines.append(f"{INDENT}n -= {self.numbered.first}")
        parts = self._parts(lines)
        env: Env = dict(self.env)
        for index, head in enumerate(self.heads):
            group = self.numbered.groups[index]
            local = self.names.locals[self.slots[head]]
            if self.binds[head].type.form != "piece":
                low = f" + {group.low}" if group.low > 0 else f" - {-group.low}" if group.low else ""
                lines.append(f"{INDENT}{local} = {parts[index]}{low}")
                env[self.slots[head]] = Local(local)
                continue
            lines += [INDENT + x for x in self._pieces(head, group, parts[index], env)]
        values = ", ".join(self.names.locals[s] for s in self.slots)
        return [*lines, f"{INDENT}return ({values},)"]

    def _parts(self, lines: list[str]) -> list[str]:
        """Add the lines that cut a number into the parts of the groups, the last first; return their names."""
        names = [f"part_{i}" for i in range(len(self.heads))]
        for index in reversed(range(1, len(self.heads))):
            lines.append(f"{INDENT}n, {names[index]} = divmod(n, {self.numbered.groups[index].moves})")
        names[0] = "n"
        return names

    def _pieces(self, head: int, group: Group, part: str, env: Env) -> list[str]:
        local = self.names.locals[self.slots[head]]
        there = self.emitter.run(self.binds[head].source, env)
        if there.startswith("map"):
            there = f"list({there})"
        plain = list(group.places) == list(range(len(group.places)))
        kinds = [i for i, place in enumerate(group.places) if place >= 0]
        env[self.slots[head]] = Local(local)
        pool = self._sorted(self.binds[head].source) and self.binds[head].source.type.form != "set"
        if group.many == 1:
            kind = part if plain else f"{tuple(kinds)}[{part}]"
            if pool:
                return [
                    f"there = {there}",
                    f"{local} = there[bisect_left(there, self.first_of[{kind}])]",
                ]
            return [f"{local} = nth_of_kind(self.kind_of, {there}, {kind}, 0)"]
        other = self.names.locals[self.slots[head + 1]]
        env[self.slots[head + 1]] = Local(other)
        self.members.pairs.add(group.size)
        lines = [f"low, high = PAIRS_OF_{group.size}[{part}]"]
        if not plain:
            lines.append(f"low, high = {tuple(kinds)}[low], {tuple(kinds)}[high]")
        if pool:
            return [
                *lines,
                f"there = {there}",
                f"{local} = there[bisect_left(there, self.first_of[low])]",
                f"{other} = there[bisect_left(there, self.first_of[high]) + (low == high)]",
            ]
        lines.append(f"{local} = nth_of_kind(self.kind_of, {there}, low, 0)")
        lines.append(f"{other} = nth_of_kind(self.kind_of, {there}, high, int(low == high))")
        return lines


def _alternatives(expr: p.Expr) -> list[p.Expr]:
    """Return the conditions that a condition joins by `or`, in order."""
    if isinstance(expr, p.Op) and expr.op == "or":
        return [x for a in expr.args for x in _alternatives(a)]
    return [expr]


def _reads(expr: p.Expr, functions: Functions) -> bool:
    """Return whether an expression asks the table; parameters are fixed for a table and do not count."""

    match expr:
        case p.SlotAt() | p.ZoneAt():
            return True
        case p.Param():
            return False
        case p.Op() if expr.op in READS:
            return True
        case p.Invoke():
            function = functions[expr.function]
            if set(free_slots(function.body)) - set(function.parameters) or _reads(function.body, functions):
                return True
        case _:
            pass
    return any(_reads(c, functions) for c in children(expr))
