"""A saved game goes on as it would have, under either back end; anything else that looks like one is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hoyle import cli
from hoyle.runtime.saving import checksum
from hoyle.runtime.state import BLOCK, HEAD, PLACE, SEAT
from hoyle.runtime.table import Table
from hoyle.session import interpreted, load_text
from lockstep import told
from specs_for_tests import ALL, FOLDER, SHORT, SMALL, both, game, play_at_random


def seen(table: Any) -> tuple[Any, ...]:
    """Return all that a table tells, its state apart."""
    seats = range(table.players)
    return (
        [tuple(m) for m in table.moves()],
        [table.view(s) for s in seats],
        [table.log(s) for s in (*seats, None)],
        (table.turn, table.ask, table.decisions, table.outcome, table.scores, table.winners),
    )


def future(table: Any, seed: int) -> list[Any]:
    """Return how a copy of a table goes on under random choices: every move, then all that is told at the end."""
    table, made = table.copy(), list[Any]()
    try:
        made += play_at_random(table, seed, most=table.decisions + 200)
    except Exception as fault:
        return [*made, told(fault)]
    return [*made, *seen(table)]


@pytest.mark.parametrize("name", ALL)
def test_a_save_at_every_decision_gives_the_same_future_under_both(name: str) -> None:
    pair = both(name)
    players = pair.left.counts[-1]
    tables = [g.start(players, 4, **SHORT.get(name, {})) for g in (pair.left, pair.right)]
    for number in play_at_random(tables[0], 4, most=150):
        saves = [table.save() for table in tables]
        assert saves[0] == saves[1]
        restored = [g.restore(saves[0]) for g in (pair.left, pair.right)]
        for table in restored:
            assert table.legal() == tables[0].legal() and table.save() == saves[0]
        if tables[0].decisions % 9 == 0:
            assert seen(restored[0]) == seen(restored[1]) == seen(tables[0])
            assert future(restored[0], 8) == future(restored[1], 8) == future(tables[0], 8)
        tables[1] = restored[1]
        tables[1].step(number)
    assert tables[0].save() == tables[1].save()
    assert seen(pair.right.restore(tables[0].save())) == seen(tables[0])


@pytest.mark.parametrize("name", ["dos", "drawers"])
def test_a_copy_whose_chance_goes_another_way_is_saved_as_such(name: str) -> None:
    table = game(name).start(seed=2)
    for _ in range(12):
        table.step(table.legal()[0])
    other = table.copy(seed=77)
    other.step(other.legal()[-1])
    again = both(name).right.restore(other.save())
    assert future(again, 1) == future(other, 1) and seen(again) == seen(other)


def test_a_table_that_began_in_the_middle_is_saved_too() -> None:
    table = game("dos").start(3, 5)
    for _ in range(20):
        table.step(table.legal()[0])
    begun = Table(table._rules, table._rules.shape.copy(table.state), begun=True)
    begun.step(begun.legal()[0])
    for back_end in (both("dos").left, both("dos").right):
        again = back_end.restore(begun.save())
        assert seen(again) == seen(begun) and future(again, 3) == future(begun, 3)
        assert again.save() == begun.save()


def test_a_stalled_game_is_restored_as_stalled() -> None:
    table = game("dos").start(2, 1, max_decisions=3)
    while table.turn is not None:
        table.step(table.legal()[0])
    assert game("dos").restore(table.save()).outcome == "stalled"


def test_a_game_that_broke_off_can_not_be_saved() -> None:
    spec = """hoyle 1

game "Burst" for 2 players

state
  n: 0..2

  who: player

play
  turns p from who until n > 5
    choose p
      option more
        n += 1

result
  rank p by highest (n if p is who else 0)
"""
    table = load_text(spec).start()
    table.step(0), table.step(0)
    with pytest.raises(Exception, match="outside"):
        table.step(0)
    with pytest.raises(Exception, match="outside"):
        table.save()


# ---- refusals ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def text() -> str:
    table = game("dos").start(3, 5, target=60)
    for _ in range(15):
        table.step(table.legal()[0])
    return table.copy(seed=4).save()


def refused(text: object, name: str = "dos") -> str:
    """Return in what words both back ends refuse a save."""
    words = set()
    for back_end in (both(name).left, both(name).right):
        with pytest.raises(ValueError) as wrong:
            back_end.restore(text)  # type: ignore[arg-type]
        words.add(str(wrong.value))
    (only,) = words
    return only


def sealed(data: dict[str, Any]) -> str:
    """Return a save that was edited by somebody who knows how to make its checksum."""
    return json.dumps({**data, "checksum": checksum(data)})


def test_a_save_that_is_cut_off_anywhere_is_refused(text: str) -> None:
    for end in range(len(text)):
        with pytest.raises(ValueError, match=r"this save is damaged|this is no save"):
            both("dos").left.restore(text[:end])


def test_every_changed_sign_is_refused(text: str) -> None:
    for place in range(0, len(text), 3):
        if text[place] in " \n":
            continue
        with pytest.raises(ValueError):
            both("dos").left.restore(f"{text[:place]}{'7' if text[place] != '7' else '8'}{text[place + 1 :]}")


@pytest.mark.parametrize("other", SMALL)
def test_a_save_of_another_game_is_refused_by_name(text: str, other: str) -> None:
    assert refused(text, other) == f"this save is of DOS, not of {game(other).name}"


def test_a_save_of_a_spec_that_has_changed_is_refused_by_name(tmp_path: Path) -> None:
    spec = (FOLDER / "drawers.hoyle").read_text(encoding="utf-8")
    (tmp_path / "drawers.hoyle").write_text(spec + "\n# a remark\n", encoding="utf-8")
    table = interpreted(str(tmp_path / "drawers.hoyle")).start()
    assert (
        refused(table.save(), "drawers")
        == f"the spec of {game('drawers').name} has changed since this was saved"
    )


@pytest.mark.parametrize(
    "other", ["", "{", "[]", "3", '"x"', "null", "{}", '{"format": 1}', "[" * 100_000, 7, None, b"{}"]
)
def test_what_is_no_save_is_refused(other: object) -> None:
    assert refused(other).startswith(("this is no save of a game", "this save is damaged"))


def test_a_save_of_a_later_version_is_refused(text: str) -> None:
    words = refused(sealed({**json.loads(text), "version": 2}))
    assert words == "this save has the form of version 2, and version 1 is needed"


def change(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    def edit(data: Any) -> None:
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = to(data[path[-1]]) if callable(to) else to

    return edit


EDITS = {
    "another move": change("past", 3, to=73964),
    "a move left out": change("past", to=lambda past: past[:-2] + past[-1:]),
    "a move too many": change("past", to=lambda past: [*past, past[0]]),
    "no moves": change("past", to=None),
    "a move that is no number": change("past", 0, to="draw"),
    "a move that is a list": change("past", 0, to=[]),
    "a move that is yes": change("past", 0, to=True),
    "another chance": change("origin", "chance", to=lambda chance: chance + 1),
    "a negative chance": change("origin", "chance", to=-1),
    "no chance": change("origin", to={}),
    "a chance too large": change("past", -1, to={"chance": 1 << 70}),
    "an origin that is a number": change("origin", to=5),
    "an origin that is short": change("origin", to=[0, 1, 2]),
    "more players": change("players", to=4),
    "too many players": change("players", to=5),
    "players that are a word": change("players", to="3"),
    "a target out of range": change("parameters", "target", to=7_000),
    "an unknown parameter": change("parameters", to={"speed": 3}),
    "no parameters": change("parameters", to=None),
    "no limit": change("max_decisions", to=None),
    "a limit that was passed": change("max_decisions", to=4),
    "a card twice": change("table", "zones", "stock", 0, to=lambda piece: (piece + 1) % 108),
    "a card moved": change("table", "zones", to=lambda z: {**z, "centre": [*z["centre"], 5]}),
    "another score": change("table", "variables", "score", 1, to=40),
    "another turn": change("table", "turn", to=0),
    "another block": change("table", "block", to=20),
    "no table": change("table", to=None),
    "something more": lambda data: data.update(extra=1),
    "something less": lambda data: data.pop("players"),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_edited_save_is_refused_with_any_checksum(
    text: str, edit: Callable[[dict[str, Any]], None]
) -> None:
    data = json.loads(text)
    edit(data)
    assert refused(json.dumps(data)) == "this save is damaged: it is not as it was written"
    assert refused(sealed(data)).startswith("this save is damaged: ")


MIDDLE = {
    "a card twice": lambda s: s[-3].append(s[-2][0]),
    "a card that is none": lambda s: s[-3].append(999),
    "a card that is a word": lambda s: s[-3].append("red 7"),
    "a pool out of order": lambda s: s[60].reverse(),
    "a place that is wrong": lambda s: s[PLACE].reverse(),
    "a block without a choice": change(BLOCK, to=3),
    "a seat that is none": change(SEAT, to=8),
    "a dealer who is none": change(HEAD, to=8),
    "a score that is a word": change(HEAD + 1, to="much"),
    "a zone that is none": change(58, to=None),
    "a local that is a word": change(29, to="ann"),
    "a local that is no seat": change(29, to=12),
    "a state too long": lambda s: s.append(0),
}


@pytest.mark.parametrize("edit", MIDDLE.values(), ids=MIDDLE)
def test_an_edited_beginning_is_refused(edit: Callable[[list[Any]], None]) -> None:
    table = game("dos").start(3, 5)
    begun = Table(table._rules, table.state, begun=True)
    begun.step(begun.legal()[0])
    data = json.loads(begun.save())
    edit(data["origin"])
    assert refused(sealed(data)).startswith("this save is damaged: ")


# ---- at the terminal ----------------------------------------------------------------------------------------


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    import io
    import sys

    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = cli.run(arguments)
    told = capsys.readouterr()
    return status, told.out + told.err


def test_a_game_is_saved_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "evening.save"
    typed(monkeypatch, "1", "1", f"save {file}", f"save {file}", "1", "quit")
    status, out = run(capsys, "play", "dos", "--seed", "3", "--hot-seat", "--players", "3")
    assert status == 0 and out.count(f"Saved as {file}") == 2
    assert game("dos").restore(file.read_text(encoding="utf-8")).decisions == 2
    typed(monkeypatch, "log", "1", "quit")
    status, out = run(capsys, "play", "dos", "--hot-seat", "--load", str(file))
    assert status == 0 and "It goes on after 2 decisions" in out and "Left the game after 3 decisions" in out
    log = game("dos").restore(file.read_text(encoding="utf-8")).log(0)
    assert log[-1]["text"] in out and out.count("\nthe cards are gathered into stock") == 2  # by `log` alone


def test_a_save_writes_over_nothing_but_a_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("my notes", encoding="utf-8")
    typed(monkeypatch, f"save {file}", "save", f"save {tmp_path / 'no' / 'folder'}", "quit")
    _, out = run(capsys, "play", "dos", "--seed", "3")
    assert file.read_text(encoding="utf-8") == "my notes"
    assert "it is no saved game" in out and "the name of a file" in out and "can't be written" in out


def test_what_can_not_be_loaded_is_misuse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.save"
    file.write_text(game("drawers").start().save(), encoding="utf-8")
    status, out = run(capsys, "play", "dos", "--load", str(file))
    assert status == 2 and f"this save is of {game('drawers').name}, not of DOS" in out
    drawers = str(FOLDER / "drawers.hoyle")
    status, out = run(capsys, "play", drawers, "--load", str(file), "--players", "2")
    assert status == 2 and "leave out --players" in out
    status, out = run(capsys, "play", drawers, "--load", str(tmp_path / "nowhere"))
    assert status == 2 and "nowhere" in out
    file.write_bytes(b"\xff\xfe\x00")
    assert run(capsys, "play", drawers, "--load", str(file))[0] == 2
