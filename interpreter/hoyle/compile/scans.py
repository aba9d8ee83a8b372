"""Scans: moves that take pieces of a large zone together with what lies in a small one, found in one pass.

`single(c in p.hand, t in centre where …)` and `double(a, b in p.hand, t in centre where …)` go through the hand once.
A table, made when first asked for (runtime/partners.py), says for what lies in the centre which cards of the hand
make a move alone, and which with which; most do not, and that is all that is asked of them. What passes is looked up in
the tables of the kinds that fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hoyle import program as p
from hoyle.compile.expressions import Emitter, Env, Local
from hoyle.compile.statements import INDENT, noted
from hoyle.program.features import features
from hoyle.program.purity import may_fault

if TYPE_CHECKING:
    from hoyle.compile.finding import OptionEmitter


class Scan:
    """One pass over a zone for options that have both sources and all conditions on the table in common."""

    def __init__(self, options: Sequence[OptionEmitter]) -> None:
        self.options = options
        self.first = options[0]
        self.emitter: Emitter = self.first.emitter
        self.names = self.first.names
        self.name = self.names.give(f"{self.first.name}_partners")
        self.pairs = [o for o in options if o.group(o.large).many == 2]
        self.singles = [o for o in options if o.group(o.large).many == 1]
        one = self.first
        in_order = one.heads[:2] == [one.large, one.small] and one.is_sorted(one.binds[one.large].source)
        self.sorted = len(options) == 1 and in_order
        for option in options:
            option.scan = self
            option.small_table = option.fitting_table(option.small, option.large_places())
        self._make()
        self.table = self._tabled() if all(o.settled_by_faces() for o in options) else ""

    def _tabled(self) -> str:
        """Add the table of the moves of two kinds, or of one alone, with each that may lie there; return its name."""
        kinds = len(self.emitter.program.kinds)
        table = self.names.give(f"{self.first.name}_with")
        self.known = self.names.give(f"{self.first.name}_together")
        self.first.members.init.append(
            f"self.{self.known} = [Together(partial(self.{table}, k)) for k in range({kinds})]"
        )
        alone, together = ([x for o in which for x in self._row(o)] for which in (self.singles, self.pairs))
        if alone and together:
            both = [f"if other == {kinds}:  # it needs none", *[INDENT + x for x in alone]]
            both += ["else:", *[INDENT + x for x in together]]
        else:
            both = [*alone, *together]
        self.first.members.methods.append(
            [
                f"def {table}(self, k: int, other: int) -> dict[int, tuple[int, ...]]:",
                f'{INDENT}"""Return the moves of a kind with another, by the kind that must lie there."""',
                *[INDENT + x for x in ("out: list[int]", "moves: dict[int, tuple[int, ...]] = {}", *both)],
                f"{INDENT}return moves",
            ]
        )
        return f"self.{table}"

    def _row(self, option: OptionEmitter) -> list[str]:
        """Return the lines that add the moves of one option to those of two kinds, or of one alone."""
        env: Env = dict(option.env)
        names = [self.names.locals[option.slots[i]] for i in [*option.large_places(), option.small]]
        for place, local in zip([*option.large_places(), option.small], names, strict=True):
            env[option.slots[place]] = Local(local, kind=True)
        parts = [option.place(option.group(option.large), x) for x in names[:-1]]
        large = parts[0] if len(parts) == 1 else f"{parts[0]} + {parts[1]} * ({parts[1]} + 1) // 2"
        places = {option.large: large, option.small: option.place(option.group(option.small), names[-1])}
        given = "k" if len(parts) == 1 else "min(k, other), max(k, other)"
        return [
            noted(f"{', '.join(names[:-1])} = {given}", option.option.line),
            f"for {names[-1]} in members(self.{option.small_table}({', '.join(names[:-1])})):",
            f"{INDENT}out = []",
            *[INDENT + x for x in option.rest(places, env)],
            f"{INDENT}moves[{names[-1]}] = moves.get({names[-1]}, ()) + tuple(out)",
        ]

    def _make(self) -> None:
        """Add the table of partners to the first lines of `__init__`."""
        large = self._features([(o, o.large_places()) for o in self.options])
        small = self._features([(o, [o.small]) for o in self.options])
        lines = [f"self.{self.name} = Partners("]
        lines.append(f"{INDENT}self.kind_of,")
        lines.append(f"{INDENT}[{large} for k in range(len(FACES))],")
        lines.append(f"{INDENT}[{small} for k in range(len(FACES))],")
        for options in (self.singles, self.pairs):
            lines.append(f"{INDENT}[{', '.join(f'self.{o.small_table}' for o in options)}],")
        self.first.members.init += [*lines, ")"]

    def _features(self, asked: Sequence[tuple[OptionEmitter, list[int]]]) -> str:
        """Return text for what all conditions together ask of the kind `k` of some arguments."""
        texts: list[str] = []
        for option, places in asked:
            for place in places:
                slot = option.slots[place]
                env: Env = {slot: Local("k", kind=True)}
                only = option.only(place)
                found = [] if only is None else [f"{only}[k]"]
                for guard in option.by_kinds():
                    parts = features(guard, slot, self.emitter.functions, self.emitter.tabled)
                    found += ["k"] if parts is None else [self.emitter.e(x, env) for x in parts]
                texts += [x for x in found if x not in texts]
        return "k" if "k" in texts else f"({', '.join(texts)},)" if texts else "0"

    def lines(self) -> list[str]:
        """Return the lines that add the numbers of all options to `out`."""
        one = self.first
        table = f"self.{self.name}"
        made = ["lying = 0", f"there = {table}.there"]
        made += [f"for x in {self._run(one.small)}:", f"{INDENT}lying |= there[x]"]
        made += ["if lying:", f"{INDENT}goes_with = {table}[lying >> {len(self.emitter.program.kinds)}]"]
        made += [
            f"{INDENT}seen = {'ALONE' if self.singles else '0'}",
            *([f"{INDENT}twice = 0"] if self.pairs else []),
        ]
        made += [f"{INDENT}class_of = {table}.class_of", f"{INDENT}for x in {self._run(one.large)}:"]
        hit = [INDENT + x for x in self._hit()]
        body = ["fits = goes_with[class_of[x]] & seen", "if fits:", *hit, "seen |= bit_of[x]"]
        made += [INDENT * 2 + x for x in body]
        return made if self.sorted else [*made, f"{INDENT}out.sort()"]

    def _run(self, head: int) -> str:
        return self.emitter.run(self.first.binds[head].source, self.first.env)

    def _hit(self) -> list[str]:
        """Return the lines for a piece that may make a move, alone or with one of those seen before it."""
        made = ["k = kind_of[x]", "if seen >> k & 1:  # this kind has been tried"]
        if self.pairs:
            made[-1] += ": two of it are new"
            made += [f"{INDENT}fits &= bit_of[x] & ~twice", f"{INDENT}twice |= bit_of[x]"]
        else:
            made.append(f"{INDENT}continue")
        if self.table:
            return [
                *made,
                f"for fitting, moves in self.{self.known}[k][fits]:",
                f"{INDENT}out += moves[fitting & lying]",
            ]
        lines = [x for option in self.singles for x in self._single(option)]
        if self.singles and self.pairs:
            made += ["if fits >= ALONE:", *[INDENT + x for x in lines], f"{INDENT}fits -= ALONE"]
        else:
            made += lines
        pairs = [x for option in self.pairs for x in self._pair(option)]
        if self.pairs:
            made += ["if fits:", *[INDENT + x for x in pairs]]
        return made

    def _single(self, option: OptionEmitter) -> list[str]:
        env: Env = dict(option.env)
        local = self.names.locals[option.slots[option.large]]
        env[option.slots[option.large]] = Local(local, kind=True)
        places = {option.large: option.place(option.group(option.large), local)}
        return [noted(f"{local} = k", option.option.line), *self._with_small(option, [local], places, env)]

    def _pair(self, option: OptionEmitter) -> list[str]:
        env: Env = dict(option.env)
        low, high = (self.names.locals[option.slots[i]] for i in option.large_places())
        for place, local in zip(option.large_places(), (low, high), strict=True):
            env[option.slots[place]] = Local(local, kind=True)
        group = option.group(option.large)
        below, above = option.place(group, low), option.place(group, high)
        places = {option.large: f"{below} + {above} * ({above} + 1) // 2"}
        head = f"for {low} in ELEMENTS[fits]:  # {option.option.line}: {option.option.name}"
        if option.is_sorted(option.binds[option.large].source):
            start = [f"{high} = k", head]
        else:
            start = [
                head.replace(f"for {low} in", "for other in"),
                f"{INDENT}{low}, {high} = min(other, k), max(other, k)",
            ]
        return [*start, *[INDENT + x for x in self._with_small(option, [low, high], places, env)]]

    def _with_small(
        self, option: OptionEmitter, names: list[str], places: dict[int, str], env: Env
    ) -> list[str]:
        """Return the lines that add the moves with what fits in the small zone."""
        local = self.names.locals[option.slots[option.small]]
        env[option.slots[option.small]] = Local(local, kind=True)
        places[option.small] = option.place(option.group(option.small), local)
        lines = option.looked_up(option.small_table, names)
        loop = f"for {local} in ELEMENTS[fitting & lying]:"
        return [*lines, loop, *[INDENT + x for x in option.rest(places, env)]]


def scanned(option: OptionEmitter) -> tuple[int, int] | None:
    """Return the arguments, first the one from the large zone, if an option's moves can be found by a scan.

    That is where conditions on faces tie pieces of one zone, or two of them, to a piece of another one.
    """
    pieces = [h for h in option.heads if option.binds[h].type.form == "piece"]
    if not option.fast or len(pieces) != 2 or any(option.mentioned(option.binds[h].source) for h in pieces):
        return None
    many = {h: option.numbered.groups[option.heads.index(h)].many for h in pieces}
    functions = option.emitter.functions
    asked: list[p.Expr] = [*option.fast_guards, *(b.source for b in option.binds)]
    if list(many.values()) == [2, 2] or any(may_fault(x, functions) for x in asked):
        return None
    size = {h: (many[h], option.expected(h)) for h in pieces}
    large = max(pieces, key=lambda h: size[h])
    small = next(h for h in pieces if h != large)
    groups = [range(h, h + many[h]) for h in (large, small)]
    tied = [option.mentioned(g) for g in option.by_kinds()]
    if not any(all(set(m) & set(group) for group in groups) for m in tied):
        return None
    return large, small


def scans(options: Sequence[OptionEmitter]) -> None:
    """Give the options of a choice their scans: those next to each other share one if they have all in common."""
    last: tuple[object, ...] = ()
    together: list[OptionEmitter] = []
    made: list[list[OptionEmitter]] = []
    for place, option in enumerate(options):
        heads = scanned(option)
        if heads is None:
            last = ()
            continue
        option.large, option.small = heads
        sources = [option.binds[h].source for h in heads]
        key = (*sources, option.loose, place if option.before else -1)
        if key != last:
            together = []
            made.append(together)
        together.append(option)
        last = key
    for together in made:
        Scan(together)
        one, names = together[0], ", ".join(x.option.name for x in together)
        words = f"{names}: {one.chosen(one.large)}, {one.chosen(one.small)}"
        one.emitter.told.note("scans", words, line=one.option.line)
