"""The run-time package as text: its modules one after the other, word for word, with their imports gathered."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import NamedTuple

# In this order each module comes after those it imports.
MODULES = (
    "chance",
    "sets",
    "faults",
    "move",
    "state",
    "ranks",
    "asking",
    "lanes",
    "tallies",
    "assigning",
    "melding",
    "paying",
    "partners",
    "seats",
    "shape",
    "view",
    "asked",
    "explicit",
    "why",
    "watching",
    "pieces",
    "picking",
    "counts",
    "knowledge",
    "remembering",
    "resampling",
    "saving",
    "whole",
    "table",
    "chancetable",
    "game",
    "running",
    "play",
)


# Those that a module brings along only if it counts.
COUNTING = ("points", "tracing")

# Not every game needs these.
WANTED = frozenset({"lanes", "tallies", "assigning", "melding", "paying", "partners"})


class Embedded(NamedTuple):
    """The imports of the standard library, and the code."""

    imports: list[str]
    code: str
    names: frozenset[str]


@cache
def embedded(counting: bool = False, wanted: frozenset[str] = WANTED) -> Embedded:
    """Return the run-time package as it goes into a module, one that counts or a plain one.

    Of the parts that not every game needs there are those that are `wanted`.
    """
    plain: set[str] = set()
    named: dict[str, set[str]] = {}
    parts: list[str] = []
    for name in modules(counting):
        if name in WANTED - wanted:
            continue
        text = _text(name)
        tree = ast.parse(text)
        body = tree.body
        end = 0
        for node in body:
            if isinstance(node, ast.ImportFrom):
                if node.module != "__future__" and not (node.module or "").startswith("hoyle"):
                    named.setdefault(node.module or "", set()).update(a.name for a in node.names)
            elif isinstance(node, ast.Import):
                plain |= {a.name for a in node.names}
            elif not (isinstance(node, ast.Expr) and node is body[0]):
                break
            end = node.end_lineno or end
        head = ast.get_docstring(tree) or name
        first = head.split("\n", 1)[0]
        code = "\n".join(text.split("\n")[end:]).strip("\n")
        parts.append(f"# ---- {name}: {first}\n\n{code}")
    imports = [f"import {x}" for x in sorted(plain)]
    imports += [_from(module, sorted(x)) for module, x in sorted(named.items())]
    code = "\n\n\n".join(parts)
    taken = plain | {n for x in named.values() for n in x} | names_in(code)
    return Embedded(imports, code, frozenset(taken))


@cache
def borrowed(counting: bool = False) -> Embedded:
    """Return the run-time package as a module in memory has it: the names of the package that is there anyway."""
    whole = embedded(counting)
    lines = [f"from hoyle.runtime.{name} import *" for name in modules(counting)]
    return Embedded([*whole.imports, *lines], "", whole.names)


def wanted_by(lines: Iterable[str]) -> frozenset[str]:
    """Return those of the parts that not every game needs that some lines of a module call, and what those need."""
    words = set(re.findall(r"(?<![.\w])([^\W\d]\w*)\(", "\n".join(lines)))
    found: set[str] = set()
    todo = [name for name in WANTED if words & _defined(name)]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += [x for x in WANTED if f"from hoyle.runtime.{x} import" in _text(name)]
    return frozenset(found)


@cache
def _defined(name: str) -> frozenset[str]:
    return frozenset(
        n.name for n in ast.parse(_text(name)).body if isinstance(n, ast.FunctionDef | ast.ClassDef)
    )


@cache
def _text(name: str) -> str:
    return (files("hoyle.runtime") / f"{name}.py").read_text(encoding="utf-8")


def modules(counting: bool) -> tuple[str, ...]:
    """Return the names of the modules of the run-time package that a module needs, each after those it imports."""
    place = MODULES.index("play")
    return (*MODULES[:place], *COUNTING, *MODULES[place:]) if counting else MODULES


def names_in(code: str) -> set[str]:
    """Return the names that a module defines at its top, and those that its classes and objects have."""
    tree = ast.parse(code)
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", node)]
        given = [x for t in targets if isinstance(t, ast.Name | ast.Tuple) for x in ast.walk(t)]
        found |= {x.id for x in given if isinstance(x, ast.Name)}
    return found


def _from(module: str, names: list[str]) -> str:
    """Return an import as it is sorted and broken up by custom, names that begin with a capital first."""
    line = f"from {module} import {', '.join(names)}"
    return line if len(line) <= 88 else f"from {module} import (\n    " + ",\n    ".join(names) + ",\n)"
