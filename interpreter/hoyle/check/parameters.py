"""Parameters: their values, and the choices they are made from."""

from __future__ import annotations

from hoyle import program as p
from hoyle import syntax as s
from hoyle.check.scope import HABITS, Noun, Scope
from hoyle.diagnostics import Report
from hoyle.program.types import FLAG, number

MOST_NUMBERS = 1_000
FORBIDDEN = ("players", "seed", "chance", "max_decisions")


class Parameters:
    """Reads the parameters of a file into a scope; `made` are those so far."""

    def __init__(self, report: Report, scope: Scope) -> None:
        self.report = report
        self.scope = scope
        self.made: list[p.Parameter] = []

    def read(self, block: s.Parameter) -> None:
        """Declare one parameter, and report what is wrong with its default or its choices."""
        name = block.name.text
        if name in FORBIDDEN:
            self.report.add(
                "E203",
                block.name.span,
                f"a parameter can't be called `{name}`",
                mend="it is an argument of every game",
            )
        words = [d.name for d in block.domain if d.name]
        numbers = [d for d in block.domain if d.low is not None]
        if words and numbers:
            self.report.add(
                "E406",
                block.span,
                f"`{name}` is given numbers and words to choose from",
                mend="use the one or the other",
            )
        word = block.default.word if isinstance(block.default, s.Literal) else ""
        made = p.Parameter(name=name, type=FLAG, default=int(word == "yes"))
        if word in ("yes", "no") and block.domain:
            self.report.add(
                "E406",
                block.domain[0].span,
                f"`{name}` is yes or no: there is nothing else to choose from",
                mend="leave out `in` and what comes after it",
            )
        elif words:
            made = self._word_parameter(block, words)
        elif word not in ("yes", "no"):
            made = self._number_parameter(block, numbers)
        text = "\n".join(t.text for t in block.texts)
        made = made.model_copy(update={"text": text, "line": block.span.line})
        self.made.append(made)
        self.scope.declare(Noun("parameter", name, block.name.span, made.type, parameter=made), block.name)

    def _word_parameter(self, block: s.Parameter, words: list[str]) -> p.Parameter:
        name = block.name.text
        default = block.default.text if isinstance(block.default, s.Name) else ""
        if default not in words:
            self.report.add(
                "E406",
                block.default.span,
                f"the default of `{name}` is not among its choices",
                mend="choices: " + ", ".join(words),
            )
            default = words[0]
        seen: set[str] = set()
        for item in (d for d in block.domain if d.name):
            self.scope.allowed(s.Word(item.span, item.name))
            if item.name in seen:
                self.report.add(
                    "E202",
                    item.span,
                    f"`{item.name}` stands twice among the choices of `{name}`",
                    mend="leave one of them out",
                )
            seen.add(item.name)
        words = list(dict.fromkeys(words))
        enum = p.Enum(name=f"choices of {name}", labels=tuple(words), numbers=(None,) * len(words))
        self.scope.enums[enum.name] = enum
        for word in words:
            self.scope.labels.setdefault(word, []).append(enum.name)
        type = p.Type(form="enum", name=enum.name)
        return p.Parameter(name=name, type=type, default=words.index(default), words=tuple(words))

    def _number_parameter(self, block: s.Parameter, numbers: list[s.DomainItem]) -> p.Parameter:
        name = block.name.text
        if not isinstance(block.default, s.Number):
            said = block.default.text if isinstance(block.default, s.Name) else ""
            meant = HABITS.get(said.lower(), "")
            self.report.add(
                "E406",
                block.default.span,
                f"the default of `{name}` is neither a number, yes, no nor one of its choices",
                mend=f"did you mean `{meant}`?"
                if meant in ("yes", "no")
                else "write `NAME = 7 in 3..12`, `NAME = yes` or `NAME = one in one, other`",
            )
            if meant in ("yes", "no"):
                return p.Parameter(name=name, type=FLAG, default=int(meant == "yes"))
            return p.Parameter(name=name, type=number(), default=0)
        value = block.default.value
        low = min((d.low for d in numbers if d.low is not None), default=None)
        high = max((d.high if d.high is not None else d.low or 0 for d in numbers), default=None)
        for item in numbers:
            if item.high is not None and item.low is not None and item.high < item.low:
                self.report.add(
                    "E404",
                    item.span,
                    f"the range {item.low}..{item.high} is empty",
                    mend="the smaller number first",
                )
                low, high = min(item.low, item.high), max(item.low, item.high)
        if low is not None and high is not None and not low <= value <= high:
            self.report.add(
                "E406",
                block.default.span,
                f"the default of `{name}` is {value}, outside its range {low}..{high}",
                mend="change the default or the range",
            )
        values = self._some_numbers(block, numbers) if len(numbers) > 1 else ()
        if values and value not in values and low is not None and high is not None and low <= value <= high:
            self.report.add(
                "E406",
                block.default.span,
                f"the default of `{name}` is {value}, which is not among its numbers",
                mend="choices: " + ", ".join(map(str, values)),
            )
        return p.Parameter(name=name, type=number(low, high), default=value, values=values)

    def _some_numbers(self, block: s.Parameter, numbers: list[s.DomainItem]) -> tuple[int, ...]:
        """Return the numbers of a domain in several parts, ascending."""
        found: set[int] = set()
        for item in numbers:
            low = item.low or 0
            high = low if item.high is None else item.high
            if len(found) + high - low > MOST_NUMBERS:
                self.report.add(
                    "E404",
                    item.span,
                    "these are too many numbers to choose from one by one",
                    mend=f"write one range, or at most {MOST_NUMBERS} numbers",
                )
                return ()
            found.update(range(low, high + 1))
        return tuple(sorted(found))
