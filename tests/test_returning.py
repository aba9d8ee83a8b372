"""What a definition gives, as loops: the same value as the expression."""

from __future__ import annotations

import pytest

from hoyle.compile.returning import returned

CASES = [
    "any(x > 2 for x in rows)",
    "not any(x > 2 or x == 0 for x in rows if x != 3)",
    "any((x if x else y) for x in rows if (x or 1) for y in rows if y > 1)",
    "sum(x for x in rows)",
    "sum(x * y for x in rows if x > 1 if x < 4 for y in rows)",
    "sum(total for total in rows)",
    "all(x > 0 for x in rows)",
    "any(True for x in rows)",
    "any(x > 1 for x in rows) or 2 in rows",
    "len(rows)",
]


@pytest.mark.parametrize("text", CASES)
def test_loops_give_what_the_expression_gives(text: str) -> None:
    code = "def given(rows):\n" + "\n".join(f"    {x}" for x in returned(text))
    names: dict[str, object] = {}
    exec(code, names)
    for rows in ([], [0], [1, 2], [3], [0, 1, 2, 3, 4], [4, 3, 3]):
        assert names["given"](rows) == eval(text, {"rows": rows})  # type: ignore[operator]


def test_any_and_sum_are_loops() -> None:
    assert [x for text in CASES[:6] for x in returned(text) if "any(" in x or "sum(" in x] == []
