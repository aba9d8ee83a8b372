"""All rules in one function: what finds moves, carries them out and goes on, put together from the methods.

The methods take the state as it is and change it; each reads it anew and asks whether a log is kept. Whoever plays
without one takes the function instead: what the rules keep in numbers lies in variables of Python's own, and from one
move to the next no method is called. It is written from the text of the methods, so that it can't say anything else.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from hoyle import program as p
from hoyle.compile.conditions import bare
from hoyle.compile.counting import COUNTED, counted_anew
from hoyle.compile.held import Held, held_in
from hoyle.compile.lying import Lying
from hoyle.compile.names import OWN as OWN_NAMES
from hoyle.compile.nearer import Near, near
from hoyle.compile.seating import DECIDES, STUCK, noted_late, seats_in
from hoyle.compile.splicing import Phases
from hoyle.compile.statements import INDENT
from hoyle.compile.tidying import LOGGED, too_deep
from hoyle.compile.told import Told, told_of_function, told_of_zones
from hoyle.program.heat import by_heat
from hoyle.program.whence import whence

RUN = "run"
TEXT = (
    '"""Play on from where a state stands, without a log: all rules in one function.',
    "",
    "Yields the legal moves of each decision and takes the number of one, until the game is over or `most` are made.",
    "With a `choice` of 0 or more it chooses by that stream, and yields nothing. `totals` then has how many moves",
    "there were, how often there was but one, and the stream. The state is as it should be when this has ended.",
    "`at` is the block to go on with, for a choice the inverse of its number.",
    '"""',
)
WORD = re.compile(r"[^\W\d]\w*")
NEXT = re.compile(r"return (-?\d+)(  #.*)?$")
BACK = re.compile(r"return int\((S\[\w+\])\)$")
OVER = re.compile(r"return self\.over\(S, (.*)\)$")
FOUND = re.compile(r"return (out|\[[\d, ]+\])$")
STAYS = re.compile(r"S\[BLOCK\] = (\d+)$")
TOLD = re.compile(r"(self\.(tell|note|show)|log_pick|log_value)\((?!.*\b(?!tell|note|show)\w+\(.*\().*$")
IDLE = re.compile(r" *for \w+ in range\([\w.]+\):")
SHORT, HOT = (
    11,
    20,
)  # lines of a block written out where others go on to it, and of one after the hottest choice
SAME = re.compile(r" *((\w+)(?:, (\w+))?) = \2(?:, \3)?(  #.*)?$")
RAISED = re.compile(r"out \+= \[(\d+) \+ x for x in (.*)\](  #.*)?$")
CALLED = re.compile(r"([a-z_]\w*) = n$")
WHOLE = re.compile(r"( *)out = (\w+)\[:\]$")
TESTED = re.compile(r" *if (not )?out:$")
NAMED = re.compile(r"(hand|key) = (.*?)(?:  #.*)?$")
PLAINLY = re.compile(r"[\w\[\] +*]+")
GIVEN = re.compile(r"([a-z_]\w*) = S\[.*\]$")
GOES = re.compile(r" *at = (\d+)$")
RETURNS = re.compile(r"S\[AFTER_\w+\] = (\d+)")


class Fused(NamedTuple):
    """What goes together: blocks with a decision, by number, as finder and player; other blocks by number."""

    finders: Mapping[int, str]
    players: Mapping[int, str]
    roots: Mapping[int, str]


class Unfit(Exception):
    """A method has a shape that can't be put into the function."""


def fused(
    program: p.Program,
    names: Mapping[int, str],
    parts: Fused,
    methods: Iterable[list[str]],
    told: Told,
    variables: bool = True,
    places: Mapping[int, str] | None = None,
    joins: Callable[[int], None] | None = None,
    phases: Mapping[str, p.Phase | p.Function] | None = None,
    locals_: Mapping[int, str] | None = None,
) -> list[str]:
    """Return the lines of the function; none where the rules are of a shape that it is not for.

    `names` has the name of each place of the state, by slot. Without `variables` all stays in the state. `places` has
    the names of the zones, by number: those that are to lie in variables too. With `joins` short blocks are written
    out where others go on to them, and it is called for each; those of `phases`, by the names of their methods, where
    they are run. `told` hears what was done.
    """
    if not parts.finders:
        return []  # a game without a choice has nothing to yield
    texts = {name: lines for lines in methods if (name := _name(lines))}
    try:
        counts = bool(program.points)
        branches = [
            _decision(n, texts[parts.finders[n]], texts[parts.players[n]], counts)
            for n in by_heat(program)
            if n in parts.finders
        ]
        blocks = {n: _block(n, texts[name]) for n, name in parts.roots.items()}
        met: set[int] = set()
        run: set[str] = set()
        if joins is not None:
            branches = [_joined(x, blocks, (), met, HOT if i == 0 else SHORT) for i, x in enumerate(branches)]
            blocks = {n: _joined(x, blocks, (n,), met, SHORT) for n, x in blocks.items()}
        branches += _reached(blocks, branches, program.start)
        if phases is not None:
            words = {x for lines in texts.values() for line in lines for x in WORD.findall(line)} | OWN_NAMES
            straight = {
                x: _inside(texts[x]) for x, y in phases.items() if isinstance(y, p.Phase) and x in texts
            }
            unsure = {x: _unsure(y, locals_ or {}) for x, y in phases.items()}
            spliced = Phases(texts, straight, words, unsure)
            branches = [_found_once(spliced.spliced(x)) for x in branches]
            run = spliced.met
    except Unfit:
        return []
    held = Held({}, {}, {})
    if variables:
        held = held_in(program, names, [x for branch in branches for x in branch], texts)
    made = [[held.line(x) for x in branch] for branch in branches]
    zones = Near({}, {}, {}, "", {})
    if places is not None:
        come: dict[str, str] = {}
        for slot, zone in _whence(program, names, places):
            for name in (_kept(held, names[slot]) if slot in names else "", (locals_ or {}).get(slot, "")):
                come.setdefault(name, held.line(zone))
        zones = near(program, places, [x for branch in made for x in branch], come)
        made = [_near(zones, x) for x in made]
        zones = zones.used([x for branch in made for x in branch])
    if any(too_deep(x, 6) for x in made):
        return []
    if joins is not None:
        for target in sorted(met):
            joins(target)
    for name, phase in (phases or {}).items():
        if name in run:
            told.note("splicing", phase.name, line=phase.line)
    told_of_function(told, program, names, {*held.own, *held.seen}, len(parts.finders))
    told_of_zones(told, program, places or {}, {*zones.single, *zones.each})
    return _function(program, made, held, zones)


def _unsure(phase: p.Phase | p.Function, names: Mapping[int, str]) -> set[str]:
    """Return the names of those parameters that may be none."""
    each = zip(phase.parameters, phase.types, strict=True)
    return {names.get(slot, "") for slot, type in each if type.or_none}


def _whence(
    program: p.Program, names: Mapping[int, str], places: Mapping[int, str]
) -> Iterator[tuple[int, str]]:
    """Yield the slots of what holds pieces, each with the zone they come from."""
    for slot, zone in whence(program).items():
        owner = zone.index
        if zone.zone in places and not (owner is not None and owner.type.or_none):
            index = f" + S[{names[owner.slot]}]" if isinstance(owner, p.Slot) and owner.slot in names else ""
            if owner is None or index:
                yield slot, f"S[{places[zone.zone]}{index}]"


def _kept(held: Held, place: str) -> str:
    """Return the name of the variable for a place of the state, or that of the place."""
    return held.own.get(place) or held.seen.get(place) or place


def _near(zones: Near, branch: list[str]) -> list[str]:
    """Return a branch that asks the variables that zones lie in."""
    lying, made = Lying(zones.single.values()), list[str]()
    for line in branch:
        for x in zones.written(line, lying.before(line)):
            made.append(zones.line(x))
            lying.see(made[-1])
    return made


def _name(lines: list[str]) -> str:
    """Return the name of a method."""
    found = re.match(r"def (\w+)\(", lines[0])
    return found[1] if found else ""


# ---- the text of methods ------------------------------------------------------------------------


def _inside(lines: list[str]) -> list[str]:
    """Return the lines of a method without its head and docstring, and without what only a log wants."""
    begin = 1
    if lines[1].startswith(f'{INDENT}"""'):
        while not (lines[begin].endswith('"""') and (begin > 1 or len(lines[1]) > len(INDENT) + 3)):
            begin += 1
        begin += 1
    made: list[str] = []
    logged = ""
    for line in lines[begin:]:
        plain = line.lstrip()
        margin = line[: len(line) - len(plain)]
        if logged and (len(margin) >= len(logged) or not plain):
            continue
        logged = ""
        if plain.startswith(LOGGED):
            logged = margin + INDENT
        elif plain and not TOLD.match(plain):
            made.append(line[len(INDENT) :])
    return list(_filled(made))


def _filled(lines: list[str]) -> Iterator[str]:
    """Yield lines, with `pass` where nothing but what a log wants stood under a line; not those of a plain loop."""
    for line, after in zip(lines, [*lines[1:], ""]):
        margin = len(line) - len(line.lstrip())
        empty = _opens(line) and len(after) - len(after.lstrip()) <= margin
        if not (empty and IDLE.match(line)):
            yield line
            if empty:
                yield " " * margin + INDENT + "pass"


def _opens(line: str) -> bool:
    code = line.split("  #")[0].rstrip()
    return code.endswith(":") and not code.lstrip().startswith("#")


def _onwards(lines: list[str]) -> Iterator[str]:
    """Yield the lines of a player or a block, with what comes next in place of what is returned."""
    loops: list[int] = []
    for line in lines:
        plain = line.lstrip()
        margin = line[: len(line) - len(plain)]
        loops = [x for x in loops if x < len(margin)]
        if plain.startswith("return") and loops:
            raise Unfit
        if plain.startswith(("for ", "while ")):
            loops.append(len(margin))
        if found := NEXT.match(plain):
            if found[1] != "-1":
                yield f"{margin}at = {found[1]}"
            yield f"{margin}continue{found[2] or ''}"
        elif found := BACK.match(plain):
            yield f"{margin}at = {found[1]}"
            yield f"{margin}continue"
        elif found := OVER.match(plain):
            yield f"{margin}S[SEAT], S[WINNER] = -1, {bare(found[1])}"
            yield f"{margin}return"
        elif plain.startswith("return"):
            raise Unfit
        elif found := STAYS.match(plain):
            yield f"{margin}at, block = ~{found[1]}, {found[1]}"
        else:
            yield line


def _decision(number: int, finder: list[str], player: list[str], counts: bool) -> list[str]:
    """Return the branch of a decision: the end of all moves, the legal ones, the choice, and what the move does.

    Rules that count what comes up count the options there.
    """
    lines = _inside(finder)
    last = FOUND.match(lines[-1])
    if last is None or any(x.lstrip().startswith("return") for x in lines[:-1]):
        raise Unfit
    given = [] if last[1] == "out" else [f"out = {last[1]}"]
    found = [x for x in [*lines[:-1], *given] if x != "out: list[int]"]
    plays = _anew(_inside(player), found)
    asked, told = "out", ""
    plain = RAISED.match(found[-1]) if found else None
    if plain and plays and not counts and found.count("out: list[int] = []") == 1:
        # Chosen among are the cards; that they are numbers of moves is only for who chooses outside.
        statements = [i for i, x in enumerate(plays) if not x.startswith("#")]
        if statements and plays[statements[0]] == f"n -= {plain[1]}" and not _speaks_of(found[:-1], "out"):
            del plays[statements[0]]
            found = [x for x in found[:-1] if x != "out: list[int] = []"] + [
                f"out = {plain[2]}{plain[3] or ''}"
            ]
            asked, told = f"[{plain[1]} + x for x in out]", f" - {plain[1]}"
    if asked == "out" and (whole := _whole_zone(found)):
        # Who chooses here only reads them; a list that is handed out stays as it is.
        found = [WHOLE.sub(r"\1out = \2", x) for x in found]
        asked = f"out if out is not {whole} else {whole}[:]"
    move = "n" if counts else _named_first(plays)
    yields = f"{move} = (yield {asked}){told}" if told else f"{move} = yield {asked}"
    return [
        f"if at == ~{number}:",
        f"{INDENT}try:",
        *[INDENT * 2 + x.replace("out: list[int] = []", "out = []") for x in found],
        f"{INDENT}except (Fault, RecursionError):",
        f"{INDENT * 2}out = []  # whoever asks for the moves is told what is wrong",
        f"{INDENT}if wanders:",
        f"{INDENT * 2}count = len(out)",
        f"{INDENT * 2}choices += count",
        f"{INDENT * 2}if count < 2:",
        f"{INDENT * 3}if not count:",
        f"{INDENT * 4}{STUCK}",
        f"{INDENT * 4}return",
        f"{INDENT * 3}forced += 1",
        f"{INDENT * 2}choice = (choice * MULTIPLIER + INCREMENT) & MASK63",
        f"{INDENT * 2}{move} = out[(choice * count) >> 63]",
        f"{INDENT}else:",
        f"{INDENT * 2}{yields}",
        *([f"{INDENT}self.count_options({number}, n, out)"] if counts else []),
        *[INDENT + x for x in _onwards(plays)],
    ]


def _whole_zone(found: list[str]) -> str:
    """Return the zone of which all cards can be the legal moves, where no line adds to them; nothing for others."""
    named = {m[2] for x in found if (m := WHOLE.match(x))}
    alone = all(
        x.lstrip().startswith("out = ") or not _speaks_of([x], "out") or TESTED.match(x) for x in found
    )
    return next(iter(named)) if len(named) == 1 and alone else ""


def _named_first(plays: list[str]) -> str:
    """Return what a move is called that is nothing but a piece, and take the line away that calls it so; else `n`."""
    first = next((i for i, x in enumerate(plays) if not x.startswith("#")), None)
    called = None if first is None else CALLED.match(plays[first])
    if first is None or called is None or _speaks_of(plays[first + 1 :], "n"):
        return "n"
    del plays[first]
    return called[1]


def _speaks_of(lines: list[str], name: str) -> bool:
    return any(name in WORD.findall(x) for x in lines if x != "out: list[int] = []" and not x.startswith("#"))


def _found_once(branch: list[str]) -> list[str]:
    """Return a branch; if of a decision, what finds its moves names the same things once."""
    if not DECIDES.match(branch[0]):
        return branch
    margin = INDENT * 2
    begin = branch.index(f"{INDENT}try:") + 1
    end = branch.index(f"{INDENT}except (Fault, RecursionError):")
    lines = named_once([x[len(margin) :] for x in branch[begin:end]])
    return [*branch[:begin], *[margin + x for x in lines], *branch[end:]]


def named_once(lines: list[str]) -> list[str]:
    """Return the lines of a finder, which changes nothing, with what they name again and again named once, first."""
    named: dict[str, set[str]] = {}
    for line in lines:
        if found := NAMED.match(line.lstrip()):
            named.setdefault(found[1], set()).add(found[2])
    for name, values in named.items():
        line = f"{name} = {next(iter(values))}"
        asked = re.compile(rf"(?<=\[|\(| ){re.escape(next(iter(values)))}(?=[\]):]|$)")
        once = len(values) == 1 and PLAINLY.fullmatch(next(iter(values)))
        if not once or line not in lines or sum(len(asked.findall(x)) for x in lines) < 2:
            continue
        lines = [x if x.lstrip().startswith("#") else asked.sub(name, x) for x in lines if x.lstrip() != line]
        lines.insert(1 if lines[0] == "out = []" else 0, line)
    return lines


def _anew(lines: list[str], found: list[str]) -> list[str]:
    """Return the lines of a player without names for zones that the finder has given them, where nothing has moved."""
    made: list[str] = []
    begins = True
    for line in lines:
        plain = line.lstrip()
        named = GIVEN.match(plain)
        same = begins and named is not None and plain in found
        if (
            named
            and same
            and all(x.lstrip() == plain for x in found if x.lstrip().startswith(f"{named[1]} = "))
        ):
            continue
        made.append(line)
        begins = (plain.startswith("#") and begins) or plain.startswith("if n < ")
    return made


def _in_place(branch: list[str], seats: Mapping[int, str]) -> list[str]:
    """Return a branch of a decision in a loop of its own, so that a decision that follows itself is not looked for.

    `seats` has by decision the variable with whose it is, where that is not noted each time.
    """
    number = DECIDES.match(branch[0])
    if number is None:
        return branch
    here = f"at, block = ~{number[1]}, {number[1]}"
    made: list[str] = []
    loops: list[int] = []
    leaves = False
    for line in branch[1:]:
        plain = line.lstrip()
        margin = line[: len(line) - len(plain)]
        loops = [x for x in loops if x < len(margin)]
        if plain.startswith(("for ", "while ")):
            loops.append(len(margin))
        if plain.startswith("continue") and not loops:
            before = made[-1].lstrip() if made else ""
            if before == here:
                made.pop()
            elif before.startswith(("at = ", "at, ")):
                line = f"{margin}break{plain[8:]}"
                leaves = True
        made.append(line)
    body = [INDENT + x for x in made]
    seat = seats.get(int(number[1]), "")
    over = [f"S[SEAT] = {seat}"] * bool(seat) + ["return"]
    over = [f"{INDENT}else:", *[INDENT * 2 + x for x in over]] if leaves else [INDENT + x for x in over]
    return [branch[0], f"{INDENT}for made in decisions:", *body, *over]


def _block(number: int, lines: list[str]) -> list[str]:
    return [f"if at == {number}:", *[INDENT + x for x in _onwards(_inside(lines))]]


def _reached(blocks: Mapping[int, list[str]], branches: list[list[str]], start: int) -> list[list[str]]:
    """Return the branches of those blocks that are come to from the start or after a choice."""
    backs = {int(m[1]) for x in (*blocks.values(), *branches) for line in x if (m := RETURNS.search(line))}
    met = {start, *backs}
    todo = [*branches, *(blocks[n] for n in met if n in blocks)]
    while todo:
        for target in {int(m[1]) for line in todo.pop() if (m := GOES.match(line))} - met:
            met.add(target)
            todo.append(blocks[target])
    alike: dict[tuple[str, ...], list[int]] = {}
    for number in sorted(met & set(blocks)):
        alike.setdefault(tuple(blocks[number][1:]), []).append(number)
    return [[_test(numbers), *lines] for lines, numbers in alike.items()]


def _joined(
    lines: list[str], blocks: Mapping[int, list[str]], inside: tuple[int, ...], met: set[int], longest: int
) -> list[str]:
    """Return lines with blocks of no more than `longest` written out where they go on to them; those are `met`."""
    made: list[str] = []
    skip = False
    for line, after in zip(lines, [*lines[1:], ""]):
        goes = GOES.match(line)
        target = int(goes[1]) if goes and after.lstrip().startswith("continue") else -1
        if skip:
            skip = False
        elif target in blocks and target not in inside and len(inside) < 2 and len(blocks[target]) <= longest:
            margin = line[: len(line) - len(line.lstrip())]
            body = [margin + x[len(INDENT) :] for x in blocks[target][1:]]
            met.add(target)
            made += _joined(body, blocks, (*inside, target), met, min(longest, SHORT))
            skip = True
        else:
            made.append(line)
    return made


def _test(numbers: list[int]) -> str:
    return f"if at == {numbers[0]}:" if len(numbers) == 1 else f"if at in {tuple(numbers)}:"


# ---- the function -------------------------------------------------------------------------------


def _function(program: p.Program, branches: list[list[str]], held: Held, zones: Near) -> list[str]:
    players = program.low if program.low == program.high else "self.n"
    kept = {place: name for place, name in {**held.own, **held.seen}.items() if place != "STEPS"}
    seats = seats_in(branches, [*held.own.values(), *held.seen.values()])
    branches = [_in_place(list(noted_late(x, seats)), seats) for x in branches]
    count = held.own.get("STEPS", "S[STEPS]")
    counts = count != "steps" or any(COUNTED.search(line) for branch in branches for line in branch)
    branches = [list(counted_anew(x, count)) for x in branches] if counts else branches
    body = [x for i, branch in enumerate(branches) for x in ("el" * (i > 0) + branch[0], *branch[1:])]
    body = [x for x in body if not SAME.match(x)]
    back = ["S[BLOCK], S[DECISIONS] = block, made"] + ["S[STEPS] = 0"] * (count != "steps")
    back += [f"S[{place}] = {name}" for place, name in held.own.items() if place != "STEPS"]
    return [
        f"def {RUN}(self, S: State, most: int, choice: int, totals: list[int]) -> Generator[list[int], int, None]:",
        *[INDENT + x if x else "" for x in TEXT],
        *[f"{INDENT}{name} = self.{x}" for x, name in held.rules.items()],
        *[f"{INDENT}{name} = S[{place}]" for place, name in kept.items()],
        *[f"{INDENT}{name} = S[{place}]" for place, name in zones.single.items()],
        *[f"{INDENT}{name} = S[{place} : {place} + {players}]" for place, name in zones.each.items()],
        f"{INDENT}block = S[BLOCK]",
        f"{INDENT}at = ~block if S[SEAT] >= 0 else block",
        f"{INDENT}made = S[DECISIONS]",
        *[f"{INDENT}steps = 0"] * (counts and count == "steps"),
        f"{INDENT}decisions = iter(range(made + 1, most + 1))",
        f"{INDENT}out: list[int]",
        f"{INDENT}wanders, choices, forced = choice >= 0, 0, 0",
        f"{INDENT}try:",
        f"{INDENT * 2}while True:",
        *[INDENT * 3 + x for x in body],
        f"{INDENT}except GeneratorExit:  # at a decision that was not made",
        f"{INDENT * 2}made -= 1",
        f"{INDENT * 2}raise",
        f"{INDENT}finally:",
        *[INDENT * 2 + x for x in back],
        f"{INDENT * 2}if wanders:",
        f"{INDENT * 3}totals[:] = choices, forced, choice",
    ]
