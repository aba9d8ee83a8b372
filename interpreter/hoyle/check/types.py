"""What fits where: comparing, joining and naming types."""

from __future__ import annotations

from hoyle.program.types import UNKNOWN, Type, number


def describe(type: Type) -> str:
    """Return a type in the designer's words."""
    extra = " or none" if type.or_none else ""
    match type.form:
        case "number":
            if type.name:
                return f"one of `{type.name}`"
            if type.low is None or type.high is None:
                return "a number" + extra
            if type.low == type.high:
                return f"the number {type.low}" + extra
            return f"a number from {type.low} to {type.high}" + extra
        case "flag":
            return "yes or no" + extra
        case "enum":
            return f"a {type.name}" + extra
        case "piece":
            return f"a {type.pieces[0]}{extra}" if len(type.pieces) == 1 else "a card" + extra
        case "kind":
            return "a kind of card"
        case "player":
            return "a player" + extra
        case "zone":
            return "a zone"
        case "set":
            return "an empty set" if type.element is None else f"a set of {_plural(type.element)}"
        case "sequence":
            return f"several {_plural(type.element)}" if type.element else "several"
        case "none":
            return "none"
        case _:
            return "something unknown"


def _plural(type: Type) -> str:
    match type.form:
        case "number":
            return f"of `{type.name}`" if type.name else "numbers"
        case "flag":
            return "answers (yes or no)"
        case "enum":
            return f"{type.name}s"
        case "piece":
            return f"{type.pieces[0]}s" if len(type.pieces) == 1 else "cards"
        case "player":
            return "players"
        case _:
            return "things"


def element_of(type: Type) -> Type | None:
    """Return what a set, sequence or zone holds; None if the type holds nothing."""
    if type.form in ("set", "sequence"):
        return type.element
    if type.form == "zone":
        return Type(form="piece", pieces=type.pieces)
    return None


def fits(have: Type, want: Type) -> bool:
    """Return whether a value of type `have` can stand where `want` is asked for, as it is."""
    if UNKNOWN in (have, want) or have.form == "nothing" or want.form == "nothing":
        return True
    if have.form == "none":
        return want.or_none or want.form == "none"
    if have.or_none and not want.or_none:
        return False
    match want.form:
        case "number" if have.name != want.name and want.name:
            return False
        case "number" | "flag":
            return have.form in ("number", "flag") and (have.form == want.form)
        case "enum":
            return have.form == "enum" and have.name == want.name
        case "piece" | "kind":
            return have.form == want.form and set(have.pieces) <= set(want.pieces)
        case "set" | "sequence":
            if have.form != want.form:
                return False
            return have.element is None or want.element is None or fits(have.element, want.element)
        case _:
            return have.form == want.form


def join(a: Type, b: Type) -> Type | None:
    """Return the least type that both fit, or None."""
    if a.form == "nothing":
        return b
    if b.form == "nothing":
        return a
    if a.form == "none" or b.form == "none":
        other = b if a.form == "none" else a
        return other if other.form == "none" else other.model_copy(update={"or_none": True})
    if a.form != b.form:
        return None
    or_none = a.or_none or b.or_none
    match a.form:
        case "number":
            low = None if a.low is None or b.low is None else min(a.low, b.low)
            high = None if a.high is None or b.high is None else max(a.high, b.high)
            return number(low, high).model_copy(update={"or_none": or_none})
        case "enum":
            return a.model_copy(update={"or_none": or_none}) if a.name == b.name else None
        case "piece" | "kind" | "zone":
            pieces = a.pieces + tuple(p for p in b.pieces if p not in a.pieces)
            return Type(form=a.form, pieces=pieces, or_none=or_none)
        case "set" | "sequence":
            if a.element is None or b.element is None:
                return a if b.element is None else b
            inner = join(a.element, b.element)
            return None if inner is None else Type(form=a.form, element=inner, or_none=or_none)
        case _:
            return a.model_copy(update={"or_none": or_none})


def widest(type: Type) -> Type:
    """Return the type of a variable that begins with a value of `type`: its numbers are not bounded."""
    if type.form == "number":
        return number().model_copy(update={"or_none": type.or_none})
    return type


def small(type: Type) -> bool:
    """Return whether values of the type can be elements of a set: 0 to 62, or pieces."""
    if type.form == "number":
        return type.low is not None and type.high is not None and type.low >= 0 and type.high <= 62
    return type.form in ("flag", "enum", "piece", "player", "nothing")
