"""The compiler: a program as one Python module that stands alone. Knows the program alone.

The template gives the shape; logic is here. What both back ends share at run time is put in word for word.
"""

from __future__ import annotations

import keyword
import re
import sys
from functools import cache
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from hoyle import program as p
from hoyle.compile.conditions import bare
from hoyle.compile.embed import borrowed, embedded, wanted_by
from hoyle.compile.expressions import Emitter, Env, Local
from hoyle.compile.flow import FlowEmitter
from hoyle.compile.fusing import Fused, fused
from hoyle.compile.names import Names
from hoyle.compile.options import Members
from hoyle.compile.passes import NONE_LEFT_OUT, Pass
from hoyle.compile.returning import returned
from hoyle.compile.statements import INDENT
from hoyle.compile.tidying import too_deep
from hoyle.compile.told import Told, signature
from hoyle.program.liveness import Held, pieces_held
from hoyle.program.numbering import numbering
from hoyle.program.order import chance_shape
from hoyle.program.points import offers
from hoyle.runtime.state import HEAD

__all__ = ["TooDeep", "compile_program"]


class TooDeep(ValueError):
    """The rules of a program can't be written in Python."""


def module_name(spec: str) -> str:
    """Return the file name of the module of a spec: its own name as Python can import it, beside its own modules."""
    stem = re.sub(r"\W", "_", Path(spec).stem, flags=re.ASCII)
    if keyword.iskeyword(stem) or stem in sys.stdlib_module_names:
        stem += "_game"
    return (f"_{stem}" if stem[:1].isdigit() else stem or "game") + ".py"


def made_from(program: p.Program) -> str:
    """Return the name of the spec as the head of its module gives it."""
    return _quoted(program.path.replace("\\", "/").rsplit("/", 1)[-1])


def compile_program(
    program: p.Program,
    version: str,
    alone: bool = True,
    without: frozenset[Pass] = NONE_LEFT_OUT,
    told: Told | None = None,
) -> str:
    """Return the text of the module; the same program gives the same text, byte for byte.

    One that need not stand `alone` runs in this process and borrows what both back ends share. The module of a traced
    program counts its points. Passes that it is made `without` make it slower and change nothing else.
    `told` hears what each pass finds.
    """
    traced = bool(program.points)
    runtime = embedded(traced) if alone else borrowed(traced)
    names = Names(program, runtime.names | {"POINTS", "OFFERS"} if traced else runtime.names)
    told = told or Told()
    emitter = Emitter(program, names, without, told)
    members = Members()
    flow = FlowEmitter(emitter, numbering(program)[0], members)
    methods = flow.methods()
    functions = [_function(emitter, f) for f in program.functions if f.name not in emitter.methods]
    asking = [_method(emitter, f) for f in program.functions if f.name in emitter.methods]
    result, first_values = _result(emitter), _first_values(program, emitter)
    tables = _tables(program, names, emitter, members)  # last: they are those that the code has asked for
    every = [*members.methods, *emitter.scoring.methods, *emitter.rows.methods, *asking, *methods]
    if any(too_deep(lines) for lines in every):
        raise TooDeep(
            "its rules stand deeper in each other than Python takes: only the interpreter can play them"
        )
    entered = {n: x for n, x in flow.root_names.items() if x and n not in flow.option_of}
    run: list[str] = []
    if "function" not in without:
        parts = Fused(flow.finders, flow.players, entered)
        zones = None if "zones" in without else names.zones
        joins = None if "joining" in without else flow.joins
        short: dict[str, p.Phase | p.Function] = {
            names.phases[x.name]: x for x in program.phases if x.straight
        }
        short |= {names.functions[x.name]: x for x in program.functions if x.name in emitter.methods}
        phases = None if "splicing" in without else short
        held = "variables" not in without
        run = fused(program, names.slots, parts, every, told, held, zones, joins, phases, names.locals)
    init = [*_parameters(program, names), *members.init, *emitter.scoring.init, *emitter.rows.init]
    if alone:
        runtime = embedded(
            traced, wanted_by([*init, *first_values, *(x for m in [*every, *functions] for x in m)])
        )
    return _template().render(
        program=program,
        version=version,
        runtime=runtime,
        title=_quoted(f"{program.name}, for {_players(program)} players."),
        name=_quoted(program.name),
        spec=made_from(program),
        module=module_name(program.path),
        text=_quoted(program.text),
        constants=_constants(program, names),
        tables=tables,
        functions=functions,
        init=init,
        first_values=first_values,
        methods=[*every, *([run] if run else [])],
        flow=flow,
        chanced=f"ChanceShape{tuple(chance_shape(program))!r}",
        blocks=_blocks(flow),
        space=numbering(program)[1],
        **result,
        **_shape(program, names),
        settings=[_setting(x) for x in program.parameters],
        points=[f"{tuple(x)!r}," for x in program.points],
        offers=_offers(program) if traced else [],
        game_class=names.give("Game"),
        rules_class=names.give("Rules_"),
    )


@cache
def _template() -> Template:
    """Return the shape of a module, read once."""
    environment = Environment(
        loader=PackageLoader("hoyle.compile"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    return environment.get_template("module.py.jinja")


def _players(program: p.Program) -> str:
    return str(program.low) if program.low == program.high else f"{program.low} to {program.high}"


def _quoted(text: str) -> str:
    """Return text for a docstring."""
    plain = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return plain[:-1] + '\\"' if plain.endswith('"') else plain


# ---- data ------------------------------------------------------------------------------------


def _constants(program: p.Program, names: Names) -> list[str]:
    """Return the places of variables, locals and zones in the state."""
    lines, place = [], HEAD
    for info in program.slots:
        if place - HEAD in names.slots:
            each = ", one for each player or team" if info.size > 1 else ""
            owner = f" in {info.owner}" if info.owner else ""
            lines.append(f"{names.slots[place - HEAD]} = {place}  # {info.name}{owner}{each}")
        place += info.size
    for zone in program.zones:
        each = (
            ", one for each player" if zone.each_player else ", one for each team" if zone.each_team else ""
        )
        lines.append(
            f"{names.zones[zone.number]} = {place + zone.number}  # the {zone.form} {zone.name}{each}"
        )
    return lines


def _rows(name: str, values: list[str], kind: str) -> list[str]:
    """Return a table as lines that a person can read."""
    lines, row = [f"{name}: {kind} = ("], ""
    for value in values:
        if len(row) + len(value) > 112:
            lines.append(INDENT + row.rstrip())
            row = ""
        row += value + ", "
    return [*lines, *([INDENT + row.rstrip()] if row else []), ")"]


def _tables(program: p.Program, names: Names, emitter: Emitter, members: Members) -> list[str]:
    """Return the tables over kinds: faces, attributes, tests of types."""
    lines = _rows("FACES", [repr(k.face) for k in program.kinds], "tuple[str, ...]")
    for name, given in names.attributes.items():
        values = []
        for kind in program.kinds:
            row = dict(zip((a.name for a in program.attributes[kind.type]), kind.values, strict=True))
            values.append(str(row.get(name, "NONE")))
        lines += _rows(given, values, "tuple[int, ...]")
    for word, given in sorted(emitter.beside.items()):
        step = 1 if word == "left" else -1
        lines.append(f"{given} = {tuple((seat + step) % program.low for seat in range(program.low))}")
    for given, begins in emitter.slices.tables():
        lines += _rows(given, [str(x) for x in begins], "tuple[int, ...]")
    for pieces, given in sorted(names.types.items(), key=lambda x: x[1]):
        lines += _rows(given, [str(k.type in pieces) for k in program.kinds], "tuple[bool, ...]")
    for places, given in members.places.items():
        lines += _rows(given, [str(x) for x in places], "tuple[int, ...]")
    for numbers, given in emitter.conversions.items():
        lines.append(f"{given} = {emitter.conversion_table(numbers)}")
    if emitter.rows.moves:
        lines.append("NO_MOVES: tuple[int, ...] = ()")
    if any("Partners(" in x for x in members.init):
        lines.append(f"ALONE = 1 << {len(program.kinds)}  # in a set of kinds: no other is needed")
    for subsets, given in members.subsets.items():
        lines += _rows(given, [str(x) for x in subsets], "tuple[tuple[int, ...], ...]")
    for size in sorted(members.pairs):
        lines.append(
            f"PAIRS_OF_{size} = tuple((low, high) for high in range({size}) for low in range(high + 1))"
        )
    return lines


def _held(program: p.Program, held: Held) -> str:
    """Return how the value of a local that holds pieces is read."""
    readings = [repr(program.read(t)) for t in held.types]
    return f'("rows", ({", ".join(readings)},))' if held.rows else readings[0]


def _shape(program: p.Program, names: Names) -> dict[str, object]:
    """Return zones, variables, choices and deck as lines."""
    size = HEAD + sum(s.size for s in program.slots)
    zones = [
        f"ZoneShape({z.name!r}, {names.zones[z.number]}, {z.form!r}, {z.seen!r}, {z.each_player}, "
        f"{-1 if z.refill is None else size + z.refill}{_more(z.keeps_top, z.each_team)}{_family(z)}),"
        for z in program.zones
    ]
    variables = [
        f"VariableShape({v.name!r}, {names.slots[v.slot]}, {program.read(v.type)!r}, {v.each_player}"
        f"{_more(v.each_team)}),"
        for v in program.variables
    ]
    choices: list[str] = []
    held = pieces_held(program)
    for block in program.blocks:
        if isinstance(block.exit, p.Choose):
            choices.append(f"{block.number}: ChoiceShape({block.exit.text!r}, {block.exit.line}, (")
            choices += [f"    {_option(program, o, o.part)}," for o in block.exit.options]
            more = ", more=True" if block.exit.more else ""
            kept = "".join(
                f"({names.slots[h.slot]}, {h.size}, {_held(program, h)}), " for h in held[block.number]
            )
            more += f", held=({kept.rstrip()})" if kept else ""
            more += f", payment={block.exit.payment!r}" if block.exit.payment else ""
            choices.append(f"){_secret(program, block.exit.secret)}{more}),")
    tokens = [_token(t, names) for t in program.tokens]
    deck = [f"({d.kind}, {d.copies}, {size + d.zone}, {d.low}, {d.high})" for d in program.deck]
    rows = _rows("DECK", deck, "tuple[tuple[int, int, int, int, int], ...]")
    wholes = [f"{_option(program, w, False)}," for w in program.wholes]
    rest = "" if program.picks is None else f", {HEAD + program.picks}"
    made = {"zones": zones, "variables": variables, "choices": choices, "deck": rows, "size": size}
    made["tokens"] = tokens
    return {**made, "wholes": wholes, "more": f", WHOLES{rest}" if wholes else ""}


def _offers(program: p.Program) -> list[str]:
    """Return what is counted at each choice."""
    made = []
    for block, found in offers(program).items():
        each = "".join(f"Offer{tuple(x)!r}, " for x in found).rstrip()
        made.append(f"{block}: ({each}),")
    return made


def _token(token: p.Token, names: Names) -> str:
    places = "".join(f"{names.slots[x]}, " for x in token.places).rstrip()
    return f"TokenShape({token.name!r}, {names.slots[token.supply]}, ({places})),"


def _option(program: p.Program, option: p.Option | p.Whole, part: bool) -> str:
    arguments = "".join(
        f"({a.bind.name!r}, {program.read(a.domain)!r}, {a.bind.rank}), " for a in option.arguments
    ).rstrip()
    words = f"{option.label!r}, {option.text!r}, {option.line}" + (", True" if part else "")
    return f"OptionShape({option.name!r}, ({arguments}), {words})"


def _secret(program: p.Program, secret: p.Secret | None) -> str:
    if secret is None:
        return ""
    places = ", ".join(str(HEAD + x) for x in (secret.choosers, secret.asked, secret.answer))
    arguments = "".join(f"({HEAD + a.slot}, {program.read(a.type)!r}), " for a in secret.arguments)
    return f", SecretShape({secret.begin}, {places}, ({arguments.rstrip()}))"


def _family(zone: p.Zone) -> str:
    return f", many={zone.many}" if zone.many else ""


def _more(*flags: bool) -> str:
    """Return the last of some arguments that are seldom needed, as far as they are."""
    return "".join(f", {flag}" for flag in flags) if any(flags) else ""


def _setting(parameter: p.Parameter) -> str:
    words = ("no", "yes") if parameter.type.form == "flag" else parameter.words
    low, high = (None, None) if words else (parameter.type.low, parameter.type.high)
    values = f"{low}, {high}, {words!r}, {parameter.values!r}, {parameter.text!r}"
    return f"Setting({parameter.name!r}, {parameter.default}, {values}),"


def _parameters(program: p.Program, names: Names) -> list[str]:
    return [f'self.{names.parameters[x.name]} = values["{x.name}"]' for x in program.parameters]


def _first_values(program: p.Program, emitter: Emitter) -> list[str]:
    """Return for each variable whose first value is not 0 an entry of place and value."""
    made = []
    for variable in program.variables:
        emitter.told.line = variable.line
        value = emitter.e(variable.start, {})
        if variable.less_each is not None:
            value += f" - {emitter.e(variable.less_each, {})} * self.n"
        if value == "0":
            continue
        place = emitter.names.slots[variable.slot]
        many = program.high if variable.each_player else program.teams if variable.each_team else 0
        if many:
            made += [f"({place} + {owner}, {value})," for owner in range(many)]
        else:
            made.append(f"({place}, {value}),")
    return made


def _blocks(flow: FlowEmitter) -> list[str]:
    """Return the method of each block that has one."""
    return [
        f"self.{flow.root_names[n]},"
        if n in flow.root_names and n not in flow.option_of
        else "self.no_block,"
        for n in range(len(flow.program.blocks))
    ]


# ---- definitions -------------------------------------------------------------------------------


def _head(emitter: Emitter, function: p.Function, method: bool) -> tuple[str, Env]:
    env: Env = {}
    emitter.told.line = function.line
    arguments = ["self"] if method else []
    arguments += ["S: State"] if method and function.name not in emitter.settled else []
    for slot, look in zip(function.parameters, emitter.looks[function.name], strict=True):
        name = emitter.names.locals[slot]
        env[slot] = Local(name, look)
        arguments.append(f"{name}: int")
    gives = "Sequence[int]" if function.body.type.form == "sequence" else "int"
    return f"def {emitter.names.functions[function.name]}({', '.join(arguments)}) -> {gives}:", env


def _cases(emitter: Emitter, function: p.Function, env: Env) -> list[str]:
    """Return a definition by cases as one `if` a case."""
    lines: list[str] = []
    expr = function.body
    while isinstance(expr, p.Cond):
        lines.append(f"{INDENT}if {bare(emitter.truth(expr.test, env))}:")
        lines.append(f"{INDENT * 2}return {_given(emitter, expr.yes, env)}")
        expr = expr.no
    given = _given(emitter, expr, env)
    plain = [f"return {given}"] if "loops" in emitter.without else returned(given)
    if len(plain) > 1:
        emitter.told.note("loops", signature(emitter.program, function))
    return [*lines, *[INDENT + x for x in plain]]


def _given(emitter: Emitter, expr: p.Expr, env: Env) -> str:
    """Return text for what a definition gives, made a number where a checker of types sees only a part of the state."""
    text = bare(emitter.e(expr, env))
    return f"int({text})" if _of_state(expr, env) or ".end_piece(" in text else text


# Operations of which the value has the type of an operand.
REACHING = frozenset(
    "neg add sub mul unit join or_else wrap in_set size_set lt le gt ge eq ne and or".split()
)


def _of_state(expr: p.Expr, env: Env) -> bool:
    """Return whether the type of an expression is that of the parts of a state: any."""
    match expr:
        case p.Slot():
            return expr.slot not in env
        case p.SlotAt():
            return True
        case p.Cond():
            return _of_state(expr.yes, env) or _of_state(expr.no, env)
        case p.Op() if expr.op in REACHING:
            return any(_of_state(a, env) for a in expr.args)
        case _:
            return False


def _described(function: p.Function) -> str:
    text = function.text.replace("\n", " ") or f"`{function.name}`."
    return f'{INDENT}"""{_quoted(text)} (Line {function.line}.)"""'


def _function(emitter: Emitter, function: p.Function) -> list[str]:
    """Return a definition that asks no table, kept where that pays, with its table over kinds where it has one."""
    head, env = _head(emitter, function, method=False)
    lines = [head, _described(function), *_cases(emitter, function, env)]
    asked = signature(emitter.program, function)
    if emitter.remembered(function):
        lines.insert(0, "@lru_cache(maxsize=65536)")
        emitter.told.note("keeping", asked)
    if function.name in emitter.tabled:
        types = function.types[0].pieces
        every = set(types) >= set(emitter.program.attributes)
        name = emitter.names.functions[function.name]
        value = f"{name}(k)" if every else f"{name}(k) if {emitter.names.type_table(types)}[k] else 0"
        table = f"{emitter.names.tables[function.name]} = tuple({value} for k in range(len(FACES)))"
        lines += ["", "", table]
        emitter.told.note("tables", f"{asked}: {len(emitter.program.kinds)} values")
    if function.name in emitter.alike:
        lines += ["", "", emitter.alike_table(function.name)]
    return lines


def _method(emitter: Emitter, function: p.Function) -> list[str]:
    head, env = _head(emitter, function, method=True)
    return [head, _described(function), *_cases(emitter, function, env)]


def _result(emitter: Emitter) -> dict[str, object]:
    """Return the key of the result for a seat, and which way each part of it counts."""
    rank = emitter.program.rank
    if rank is None:
        return {"keys": "", "signs": "()"}
    emitter.told.line = rank.line
    env: Env = {rank.slot: Local(f"(seat % {emitter.program.teams})" if rank.teams else "seat")}
    keys = ", ".join(emitter.e(k.value, env) for k in rank.keys)
    signs = ", ".join("1" if k.extreme == "highest" else "-1" for k in rank.keys)
    return {"keys": f"({keys},)", "signs": f"({signs},)"}
