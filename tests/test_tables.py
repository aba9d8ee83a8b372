"""Decks from tables: what spreadsheets write is read as it was meant, and every fault is told at its cell."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoyle import render
from hoyle.check.csvfile import MOST_BYTES, MOST_COLUMNS, MOST_ROWS, Table, decoded
from hoyle.check.tables import MOST_TABLES
from hoyle.diagnostics import MOST, Report
from hoyle.interpret import Game
from hoyle.program import Program
from hoyle.session import SpecError, check, check_text, load_text, show_program
from hoyle.source import NotThere, Raw, Source
from lockstep import Both, module_of

HEAD = """hoyle 1

game "Tiny" for 2..5 players

components
  enum Colour = red, sea_green, blue
  enum Rank = 1..3, jack
  card Fish(colour: Colour, weight: -2..8, rare: flag)  "{colour} {weight} {rare}"
  card Rank_(rank: Rank)
  card Net
  deck in stock
"""
HEAD = HEAD.replace("Rank_", "Court")
REST = """
zones
  stock: pile, hidden
  hand: pool, seen by owner, each player

play
  shuffle stock
  deal 1 from stock to each hand
  for p in players
    choose p
      option keep(c in p.hand)

result
  rank p by highest size of p.hand
"""
# A card of each type and enough for a deal, apart from the deck that a test is about.
SPARE = """
components
  deck in spare
    2 Fish(red, 1, no)
    2 Court(1)
    2 Net

zones
  spare: pile, open
"""
FISH = "Colour,Weight,Rare\n"
CARDS = "Card,Colour,Weight,Rare,Rank,Copies,Players\n"


def checked(deck: str, **tables: str | bytes) -> tuple[Report, Program | None]:
    """Return the report on a spec with these lines in its deck, and its program; `fish` lies there as fish.csv."""
    raw = {f"{name}.csv": x if isinstance(x, bytes) else x.encode() for name, x in tables.items()}

    def beside(name: str, most: int) -> Raw:
        if name not in raw:
            raise NotThere(f"`{name}` is not there", "look for it")
        return Raw(f"games/{name}", raw[name][:most])

    report = Report()
    text = HEAD + "".join(f"    {line}\n" for line in deck.splitlines()) + REST + SPARE
    return report, check_text(Source("games/tiny.hoyle", text), report, beside).program


def deck_of(deck: str, **tables: str | bytes) -> list[tuple[str, int, int, int]]:
    """Return a deck as faces, each with its copies and the counts of players it is for; nothing may be wrong."""
    report, program = checked(deck, **tables)
    assert program is not None and not report.diagnostics, render.text(report)
    (stock,) = (z.number for z in program.zones if z.name == "stock")
    lines = [d for d in program.deck if d.zone == stock]
    return [(program.kinds[d.kind].face, d.copies, d.low, min(d.high, 5)) for d in lines]


def told(deck: str, **tables: str | bytes) -> list[tuple[str, str, int, int]]:
    """Return what is told of a spec: code, file, line and column."""
    report, _ = checked(deck, **tables)
    return [(d.code, Path(d.span.path).name, d.span.line, d.span.column) for d in report.diagnostics]


def message(deck: str, **tables: str | bytes) -> str:
    """Return the one fault that is told, with its mend."""
    report, _ = checked(deck, **tables)
    (found,) = report.diagnostics
    return f"{found.message} | {found.mend}"


# --- what is read -----------------------------------------------------------------------------------


def test_a_table_of_one_type_makes_the_deck_that_its_rows_say() -> None:
    assert deck_of("Fish from 'fish.csv'".replace("'", '"'), fish=FISH + "red,3,yes\nblue,-2,no\n") == [
        ("red 3 yes", 1, 1, 5),
        ("blue -2 no", 1, 1, 5),
    ]


def test_a_column_names_the_type_of_each_row() -> None:
    rows = CARDS + "Fish,red,3,yes,,2,\nnet,,,,,,3+\nCourt,,,,jack,1,2..3\ncourt,,,,2,1,2\n"
    assert deck_of('cards from "fish.csv"', fish=rows) == [
        ("red 3 yes", 2, 1, 5),
        ("2", 1, 2, 2),
        ("jack", 1, 2, 3),
        ("Net", 1, 3, 5),
    ]


@pytest.mark.parametrize("word", ["cards", "tiles"])
def test_cards_and_tiles_mean_the_same(word: str) -> None:
    assert deck_of(f'{word} from "fish.csv"', fish="Tile\nnet\n") == [("Net", 1, 1, 5)]


def test_the_lines_of_a_deck_and_its_tables_add_up() -> None:
    lines = '2 Net\nNet from "net.csv"\nNet from "net.csv" with 4+ players\n1 Net with 2..3 players'
    assert deck_of(lines, net="Copies\n3\n") == [("Net", 5, 1, 5), ("Net", 1, 2, 3), ("Net", 3, 4, 5)]


def test_players_of_row_and_line_both_hold() -> None:
    rows = "Players\n2..4\n4..5\n2\n"
    assert deck_of('Net from "net.csv" with 3..4 players', net=rows) == [("Net", 1, 3, 4), ("Net", 1, 4, 4)]


@pytest.mark.parametrize(
    ("cell", "counts"),
    [("3+", (3, 5)), ("3 +", (3, 5)), ("2-4", (2, 4)), ("2–4", (2, 4)), ("2 to 4", (2, 4))],
)
def test_players_are_written_in_several_ways(cell: str, counts: tuple[int, int]) -> None:
    assert deck_of('Net from "net.csv"', net=f"Players\n{cell}\n") == [("Net", 1, *counts)]


def test_a_row_without_copies_is_left_out() -> None:
    assert deck_of('Net from "net.csv"', net="Copies\n0\n2\n") == [("Net", 2, 1, 5)]


@pytest.mark.parametrize(
    "header",
    ["Colour,Weight,Rare", "COLOUR,weight,rAre", " colour , weight ,rare", '"Colour","Weight","Rare"'],
)
@pytest.mark.parametrize(
    "row", ["sea green,3,yes", "Sea_Green,3,TRUE", "seaGREEN, +3 ,Yes", '"Sea-green","3","true"']
)
def test_headers_and_words_are_matched_however_they_are_written(header: str, row: str) -> None:
    assert deck_of('Fish from "fish.csv"', fish=f"{header}\n{row}\n") == [("sea_green 3 yes", 1, 1, 5)]


def test_notes_are_not_read() -> None:
    rows = '#,Colour,[Notes],Weight,(who, asked),Rare,,\n1,red,"a, ""b""\n c",3,x,y,yes,,\n'
    rows = rows.replace("(who, asked)", '"(who, asked)"').replace("x,y", '"x,y"')
    assert deck_of('Fish from "fish.csv"', fish=rows) == [("red 3 yes", 1, 1, 5)]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("named", [False, True])
def test_what_spreadsheets_export_is_read(separator: str, end: str, mark: str, named: bool) -> None:
    rows = ["Colour|Weight|[a; b, c]|Rare", "", "red|3||yes", "|||", '"blue"|4|"1, 2; 3|x\n\ny"|no', ""]
    text = (
        "\n".join(rows)
        .replace('"1, 2; 3|x', '"1, 2; 3')
        .replace("[a; b, c]", '"[a; b, c]"')
        .replace("|", separator)
    )
    text = (f"sep={separator}\n" if named else "") + text
    made = (mark + text).replace("\n", end).encode()
    assert deck_of('Fish from "fish.csv"', fish=made) == [("red 3 yes", 1, 1, 5), ("blue 4 no", 1, 1, 5)]


def test_the_separator_is_the_one_that_makes_known_columns() -> None:
    """There are more commas in this header than semicolons."""
    rows = "Colour;Weight;Rare;[a, b, c, d, e]\nred;3;yes;1,2,3\n"
    assert deck_of('Fish from "fish.csv"', fish=rows) == [("red 3 yes", 1, 1, 5)]


@pytest.mark.parametrize(
    ("line", "counts"),
    [
        ("3+", {3, 4, 5}),
        ("2..3", {2, 3}),
        ("4", {4}),
        ("1..9", {2, 3, 4, 5}),
        ("0+", {2, 3, 4, 5}),
        ("6..7", set()),
    ],
)
def test_a_line_of_a_deck_is_for_some_counts_of_players(line: str, counts: set[int]) -> None:
    """The deck is what is left in the stock and in the hands, by both back ends."""
    _, program = checked(f"8 Net\n1 Fish(red, 3, no) with {line} players")
    assert program is not None
    for made in (Game(program), module_of(program)):
        found = {n for n in made.counts if made.start(players=n).view(0)["zones"]["stock"]["size"] + n == 9}
        assert found == counts


def test_the_text_of_a_program_tells_for_which_counts_a_card_is() -> None:
    _, program = checked('1 Fish(red, 3, no) with 3+ players\nNet from "net.csv"', net="Players\n2..9\n")
    assert program is not None
    lines = [line for line in show_program(program).splitlines() if line.startswith("deck stock")]
    assert lines == ['deck stock: 1 "red 3 no" with 3..5 players', 'deck stock: 1 "Net"']


# --- the same as written by hand ----------------------------------------------------------------------

COLOURS = ("red", "sea_green", "blue")
cards = st.tuples(st.sampled_from(COLOURS), st.integers(-2, 8), st.booleans())
rows_of_cards = st.lists(
    st.tuples(cards, st.integers(0, 3), st.integers(1, 5), st.text(max_size=6)), min_size=1, max_size=8
)
texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00\r"), max_size=5)


@settings(max_examples=100, derandomize=True)
@given(
    rows_of_cards,
    st.permutations(["Colour", "Weight", "Rare", "Copies", "Players", "[Notes]"]),
    st.sampled_from([",", ";", "\t"]),
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL, csv.QUOTE_NONNUMERIC]),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
def test_a_table_and_the_same_deck_by_hand_are_one_game(
    rows: list[tuple[tuple[str, int, bool], int, int, str]],
    header: list[str],
    separator: str,
    quoting: int,
    end: str,
    mark: bool,
) -> None:
    out, by_hand = io.StringIO(), []
    writer = csv.writer(out, delimiter=separator, quoting=quoting, lineterminator=end)  # type: ignore[arg-type]
    writer.writerow(header)
    for (colour, weight, rare), copies, low, note in rows:
        flag = "yes" if rare else "no"
        clean = "".join(x for x in note if x.isprintable() or x in " \n\t") if note.isprintable() else "a\nb"
        values = {
            "Colour": colour,
            "Weight": weight,
            "Rare": flag,
            "Copies": copies,
            "Players": f"{low}+",
            "[Notes]": clean,
        }
        writer.writerow([values[name] for name in header])
        by_hand.append(f"{copies} Fish({colour}, {weight}, {flag}) with {low}+ players")
    by_hand.append("1 Net")
    raw = out.getvalue().encode("utf-8-sig" if mark else "utf-8", "replace")
    lines = '1 Net\nFish from "fish.csv"'
    if not any(copies for _, copies, _, _ in rows):
        assert [code for code, *_ in told(lines, fish=raw)] == ["W901"]
        return
    assert deck_of(lines, fish=raw) == deck_of("\n".join(by_hand))


@settings(max_examples=200, derandomize=True)
@given(
    st.lists(st.lists(texts, min_size=1, max_size=4), max_size=5),
    st.sampled_from([",", ";", "\t"]),
    st.booleans(),
)
def test_cells_are_cut_as_the_csv_module_cuts_them(
    rows: list[list[str]], separator: str, every: bool
) -> None:
    out = io.StringIO()
    quoting = csv.QUOTE_ALL if every else csv.QUOTE_MINIMAL
    csv.writer(out, delimiter=separator, quoting=quoting, lineterminator="\n").writerows(rows)
    text = out.getvalue().replace("\r\n", "\n").replace("\r", "\n")
    if text.lower().startswith("sep="):
        return
    report = Report()
    found = [[cell.text for cell in row] for row in Table("x.csv", text).rows(separator, report)]
    expected = [[" ".join(cell.split()) for cell in row] for row in rows]
    assert found == [row for row in expected if any(cell.strip(",; ") for cell in row)]
    assert not report.diagnostics


@settings(max_examples=200, derandomize=True)
@given(st.text(alphabet='ab1,;\t"\n\r #[]', max_size=60))
def test_every_cell_stands_where_it_is_told_to_stand(text: str) -> None:
    report = Report()
    table = decoded("x.csv", text.encode(), report)
    assert table is not None
    lines = table.text.split("\n")
    for row in table.rows(","):
        for cell in row:
            at = table.span(cell)
            if "\n" not in table.text[cell.start : cell.stop]:
                assert lines[at.line - 1][at.column - 1 :].startswith(table.text[cell.start : cell.stop])


@settings(max_examples=300, derandomize=True)
@given(
    st.one_of(
        st.binary(max_size=200),
        st.text(alphabet='Cardfishwegtop,;\t"\n\r0123 +-.', max_size=200).map(str.encode),
        st.text(max_size=100).map(lambda x: (CARDS + "Fish,red,3,yes,,1,\n" + x).encode("utf-8", "replace")),
    )
)
def test_whatever_bytes_a_table_holds_they_are_read_or_told_to_be_wrong(raw: bytes) -> None:
    report, program = checked('1 Net\ncards from "fish.csv"', fish=raw)
    assert (program is None) == bool(report.errors)
    for d in report.diagnostics:
        assert d.message.isprintable() and d.mend.isprintable() and len(d.message) < 300
        assert d.span.line >= 1 and d.span.column >= 1
    assert "\x1b" not in render.text(report)


# --- what is told --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "place", "words"),
    [
        ("Colour,Weight\nred,3\n", ("E908", 1, 1), "a Fish has `rare`, and this table has no such column"),
        ("Colour,Wieght,Rare\nred,3,no\n", ("E906", 1, 8), "did you mean `weight`?"),
        ("Colour,Weight,Rare,Count\nred,3,no,1\n", ("E906", 1, 20), "did you mean `Copies`?"),
        ("Colour,Weight,Rare,Artist\nred,3,no,me\n", ("E906", 1, 20), "brackets, as in `[Notes]`"),
        ("Card,Colour,Weight,Rare\nFish,red,3,no\n", ("E906", 1, 1), "`cards from ...`"),
        (FISH[:-1] + ",\nred,3,no,x\nred,4,no,y\n", ("E906", 2, 10), "this column has no header, as in 1 more row"),
        ("Colour,Weight,Rare,colour\nred,3,no,red\n", ("E907", 1, 20), "two columns"),
        (FISH + "purple,3,no\n", ("E909", 2, 1), "`purple` is not in Colour | write one of red, sea_green, blue"),
        (FISH + "bleu,3,no\n", ("E909", 2, 1), "did you mean `blue`?"),
        (FISH + "red,9,no\n", ("E909", 2, 5), "`weight` is 9 here, outside -2..8"),
        (FISH + "red,3.5,no\n", ("E909", 2, 5), "a number from -2 to 8, and this is `3.5`"),
        (FISH + f"red,{'9' * 400},no\n", ("E909", 2, 5), "this is `9999999999999999999999999999999999999999…`"),
        (FISH + "red,²,no\n", ("E909", 2, 5), "this is `²`"),
        (FISH + "red,#REF!,no\n", ("E909", 2, 5), "this is `#REF!`"),
        (FISH + "red,3,maybe\n", ("E909", 2, 7), "`rare` is yes or no, and this is `maybe`"),
        (FISH + "red,3\n", ("E909", 2, 6), "`rare` is empty here"),
        (FISH + "red,,no\n", ("E909", 2, 5), "`weight` is empty here"),
        (FISH + "red,3,no,\nred,3,no,5\n", ("E905", 3, 10), "a text that holds a comma stands in quotes"),
        (FISH + 'red,"3,no\n', ("E905", 2, 5), "these quotes are never closed"),
        (FISH + 'red,"3" cm,no\n', ("E905", 2, 8), "behind the closing quotes"),
        ("Colour,Weight,Rare,Copies\nred,3,no,-1\n", ("E910", 2, 10), "this is `-1`"),
        ("Colour,Weight,Rare,Copies\nred,3,no,1.5\n", ("E910", 2, 10), "this is `1.5`"),
        ("Colour,Weight,Rare,Players\nred,3,no,4..3\n", ("E910", 2, 10), "write `3+`, `2..3` or `2`"),
        ("Colour,Weight,Rare,Players\nred,3,no,four\n", ("E910", 2, 10), "this is `four`"),
        ('Colour,"Weight,Rare\nred,3,no\n', ("E905", 1, 8), "these quotes are never closed"),
        ("", ("E908", 1, 1), "this table is empty"),
        ("\n,,\n \n", ("E908", 1, 1), "this table is empty"),
    ],
)  # fmt: skip
def test_a_fault_is_told_at_its_cell(rows: str, place: tuple[str, int, int], words: str) -> None:
    code, line, column = place
    assert told('Fish from "fish.csv"', fish=rows) == [(code, "fish.csv", line, column)]
    assert words in message('Fish from "fish.csv"', fish=rows)


@pytest.mark.parametrize(
    ("rows", "place", "words"),
    [
        ("Colour\nred\n", ("E908", 1, 1), "of which type is each card? The game has 3 card types"),
        (CARDS + "Fisch,red,3,no,,1,\n", ("E909", 2, 1), "no card type is called `Fisch` | did you mean `Fish`?"),
        (CARDS + ",red,3,no,,1,\n", ("E909", 2, 1), "of which type is this card? | write one of Fish, Court, Net"),
        (CARDS + "Net,red,,,,1,\n", ("E909", 2, 5), "a Net has no `colour` | leave the cell empty"),
        ("Card,Colour\nNet,\nCourt,\nCourt,\n", ("E908", 1, 1), "a Court has `rank`"),
    ],
)  # fmt: skip
def test_a_fault_of_a_table_with_several_types_is_told(
    rows: str, place: tuple[str, int, int], words: str
) -> None:
    code, line, column = place
    assert told('cards from "fish.csv"', fish=rows) == [(code, "fish.csv", line, column)]
    assert words in message('cards from "fish.csv"', fish=rows)


def test_several_faults_are_told_in_one_run() -> None:
    rows = "Card,Colour,Wieght,Rare,Copies\nFish,pink,30,perhaps,x\nNet,red,,,\n"
    found = told('cards from "fish.csv"\n1 Fsh(red, 1, no)', fish=rows)
    assert [x for x in found if x[1] == "fish.csv"] == [
        ("E906", "fish.csv", 1, 13),
        ("E909", "fish.csv", 2, 6),
        ("E909", "fish.csv", 2, 11),
        ("E909", "fish.csv", 2, 14),
        ("E910", "fish.csv", 2, 22),
        ("E909", "fish.csv", 3, 5),
    ]
    assert [x[0] for x in found if x[1] == "tiny.hoyle"] == ["E201"]


def test_the_same_fault_of_many_rows_is_told_once() -> None:
    rows = FISH + "pink,3,no\n" * 100
    assert message('Fish from "fish.csv"', fish=rows).startswith(
        "`pink` is not in Colour, as in 99 more rows"
    )


def test_a_fault_is_shown_with_its_line_and_the_place_of_the_attribute() -> None:
    report, _ = checked('Fish from "fish.csv"', fish='\ufeffColour;Weight;Rare\r\n"red";"30";no\r\n')
    assert render.text(report).splitlines()[:7] == [
        "error[E909]: `weight` is 30 here, outside -2..8",
        "  --> games/fish.csv:2:7",
        ' 2 | "red";"30";no',
        "   |       ^^^^",
        "  --> games/tiny.hoyle:8:29",
        ' 8 |   card Fish(colour: Colour, weight: -2..8, rare: flag)  "{colour} {weight} {rare}"',
        "   |                             ^^^^^^^^^^^^^ declared here",
    ]
    assert '"path": "games/fish.csv"' in render.to_json(report)


def test_a_card_that_no_scenario_can_tell_from_another_is_shown_in_its_row() -> None:
    text = HEAD.replace('  "{colour} {weight} {rare}"', '  "{colour}"')
    report = Report()

    def beside(name: str, most: int) -> Raw:
        return Raw(name, (FISH + "red,3,no\nblue,1,no\nred,4,no\n").encode())

    check_text(Source("tiny.hoyle", text + '    Fish from "fish.csv"\n' + REST), report, beside)
    (found,) = report.diagnostics
    assert found.code == "E413" and found.second is not None
    assert found.second.span[:3] == ("fish.csv", 4, 1)


def test_an_attribute_that_is_called_copies_is_told_to_be_ambiguous() -> None:
    report = Report()
    text = HEAD.replace("card Net", "card Net(copies: 1..3)") + '    Net from "net.csv"\n' + REST
    check_text(Source("tiny.hoyle", text), report, lambda name, most: Raw(name, b"Copies\n1\n"))
    assert [d.code for d in report.errors] == ["E907"]


def test_a_column_may_fill_an_attribute_called_type() -> None:
    report = Report()
    text = HEAD.replace("card Net", "card Net(type: Colour)") + '    cards from "net.csv"\n' + REST
    made = check_text(Source("t.hoyle", text), report, lambda n, m: Raw(n, b"Type,Card\nred,Net\n"))
    assert made.program is not None, render.text(report)
    assert [kind.face for kind in made.program.kinds] == ["red"]


def test_a_card_type_of_a_line_that_cannot_be_read_is_not_called_unknown() -> None:
    text = HEAD.replace("card Net", "card Net((") + '    cards from "net.csv"\n' + REST
    report = Report()
    check_text(Source("t.hoyle", text), report, lambda n, m: Raw(n, b"Card\nNet\n"))
    assert [d.span.path for d in report.errors] == ["t.hoyle"]


# --- no text, too much -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "line", "column", "words"),
    [
        (FISH.encode() + b"r\xe9d,1,no\n", 2, 2, "the byte E9 can't stand here; in Latin-1 it would be `é`"),
        ("Colour,Weight,Rare\nred,1,no\n".encode("utf-16"), 1, 1, "UTF-16"),
        ("Colour,Weight,Rare\nred,1,no\n".encode("utf-16-le"), 1, 2, "UTF-16"),
        (b"PK\x03\x04 and so on", 1, 1, "the workbook of a spreadsheet"),
        (b"Colour\r\nre\x1bd", 2, 3, "U+001B"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_text_is_told(raw: bytes, line: int, column: int, words: str) -> None:
    assert told('Fish from "fish.csv"', fish=raw) == [("E903", "fish.csv", line, column)]
    assert words in message('Fish from "fish.csv"', fish=raw)
    assert "CSV UTF-8" in message('Fish from "fish.csv"', fish=raw)


@pytest.mark.parametrize(
    ("rows", "code", "words"),
    [
        ("Copies\n" + "1\n" * MOST_BYTES, "E904", "larger than a table"),
        ("Copies\n" + "0\n" * (MOST_ROWS + 1), "E904", "more than 5,000 rows"),
        ("Copies" + "," * MOST_COLUMNS + "\n1\n", "E904", "more than 200 columns"),
        ("Copies\n1\n1001\n", "E412", "a deck of more than 1000 cards"),
        (f"Copies\n{'9' * 300}\n", "E412", "a deck of more than 1000 cards"),
    ],
)
def test_a_table_beyond_bounds_is_told(rows: str, code: str, words: str) -> None:
    assert [x[0] for x in told('Net from "net.csv"', net=rows)] == [code]
    assert words in message('Net from "net.csv"', net=rows)


def test_too_many_copies_are_told_at_their_cell_and_at_the_line_of_the_spec() -> None:
    report, _ = checked('Net from "net.csv"', net="[Notes],Copies\na,2\nb,1000000\n")
    (found,) = report.diagnostics
    assert (found.span.line, found.span.column) == (3, 3) and found.second is not None
    assert found.second.span.path == "games/tiny.hoyle"


def test_too_many_tables_are_told() -> None:
    lines = "\n".join(['Net from "net.csv"'] * (MOST_TABLES + 1))
    assert [x[0] for x in told(lines, net="Copies\n1\n")] == ["E904"]


@pytest.mark.parametrize(
    "rows",
    [
        "," * (MOST_BYTES - 1),
        "\n" * (MOST_BYTES - 1),
        '"' * (MOST_BYTES - 1),
        "Copies\n" + "," * (MOST_BYTES - 10),
        "Copies,Card\n" + "\n".join(f"x{n},y{n}" for n in range(30_000)),
        "Copies\n" + '"' + "a\n" * 200_000,
        "Card,Copies\n" + '"",' * 160_000,
        "Card,Copies\nFish,x\n" + '"\n",' * 110_000,
    ],
)
def test_the_worst_tables_are_told_within_seconds(rows: str) -> None:
    begun = time.monotonic()
    report, _ = checked("\n".join(['cards from "fish.csv"'] * (MOST_TABLES + 5)), fish=rows)
    assert report.errors and len(report.errors) <= MOST + 1
    assert time.monotonic() - begun < 8


# --- files ----------------------------------------------------------------------------------------------


def lay(folder: Path, deck: str) -> str:
    """Write the small spec with this line in its deck, and return its path."""
    path = folder / "tiny.hoyle"
    path.write_text(HEAD + f"    {deck}\n" + REST + SPARE, encoding="utf-8")
    return str(path)


def codes(path: str) -> list[str]:
    return [d.code for d in check(path)[0].diagnostics]


@pytest.mark.parametrize(
    "name",
    [
        "../net.csv",
        "tables/../../net.csv",
        "/etc/passwd",
        "tables\\net.csv",
        "C:/net.csv",
        "\\\\host\\net.csv",
        "..",
    ],
)
def test_a_table_outside_the_folder_is_refused(name: str, tmp_path: Path) -> None:
    (tmp_path / "net.csv").write_text("Copies\n1\n")
    (tmp_path / "game" / "tables").mkdir(parents=True)
    assert codes(lay(tmp_path / "game", f'Net from "{name}"')) == ["E902"]


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "net.csv").write_text("Copies\n1\n")
    (tmp_path / "game").mkdir()
    os.symlink(tmp_path / "net.csv", tmp_path / "game" / "net.csv")
    report, _ = check(lay(tmp_path / "game", 'Net from "net.csv"'))
    assert [d.code for d in report.errors] == ["E901"]
    assert "leads out of the folder" in report.errors[0].message


def test_a_table_in_a_folder_below_is_read(tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "my nets.csv").write_text("Copies\n1\n")
    assert codes(lay(tmp_path, 'Net from "tables/my nets.csv"')) == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nets.csv", "is not there"),
        ("tables", "is a folder"),
        ("", "is a folder"),
        ("pipe", "is no file"),
        ("x" * 1_000, "can't be read"),
    ],
)
def test_a_table_that_is_not_there_is_told(name: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "tables").mkdir()
    (tmp_path / "net.csv").write_text("Copies\n1\n")
    os.mkfifo(tmp_path / "pipe")
    report, program = check(lay(tmp_path, f'Net from "{name}"'))
    assert program is None and [d.code for d in report.errors] == ["E901"]
    assert words in report.errors[0].message
    assert name != "nets.csv" or "did you mean `net.csv`?" in report.errors[0].mend


def test_a_spec_that_is_no_file_has_no_tables() -> None:
    with pytest.raises(SpecError) as wrong:
        load_text(HEAD + '    Net from "net.csv"\n' + REST)
    (found,) = wrong.value.report.errors
    assert found.code == "E901" and "this spec is a text, not a file in a folder" in found.message


def test_a_text_can_be_given_its_tables() -> None:
    made = load_text(
        HEAD + '    Net from "net.csv"\n' + REST, tables=lambda name, most: Raw(name, b"Copies\n7\n")
    )
    assert made.start(players=2).view(0)["zones"]["stock"]["size"] == 5


def test_a_game_is_another_when_its_table_changes(tmp_path: Path) -> None:
    """Its hash covers the table, so that a module tells from what it was made."""
    path = lay(tmp_path, 'Net from "net.csv"')
    hashes = set()
    for rows in ("Copies\n7\n", "Copies\n8\n", "Copies\n8\n\n"):
        (tmp_path / "net.csv").write_text(rows)
        _, program = check(path)
        assert program is not None
        hashes.add(program.source_hash)
    assert len(hashes) == 3


def test_a_game_loads_from_its_program_without_the_table() -> None:
    _, program = checked('Fish from "fish.csv"\n6 Net', fish=FISH + "red,3,yes\n")
    assert program is not None
    again = Program.model_validate_json(program.model_dump_json())
    assert Game(again).start(players=3, seed=1).view(0) == Game(program).start(players=3, seed=1).view(0)


def test_both_back_ends_play_a_game_of_tables_alike() -> None:
    _, program = checked(
        'cards from "fish.csv"', fish=CARDS + "Fish,red,3,yes,,4,\nNet,,,,,3,3+\nNet,,,,,2,2\n"
    )
    assert program is not None
    both = Both(program)
    assert {both.play(players, seed) for players in (2, 3, 4) for seed in range(5)} == {"finished"}


def test_a_module_runs_alone_without_the_table(tmp_path: Path) -> None:
    (tmp_path / "net.csv").write_text("Copies\n9\n")
    path = lay(tmp_path, 'Net from "net.csv"')
    run = [sys.executable, "-m", "hoyle", "compile", path, "-o", str(tmp_path / "out")]
    subprocess.run(run, check=True, capture_output=True, cwd=Path(__file__).parent, timeout=60)
    code = "import sys; sys.path.insert(0, '.'); from tiny import game; print(game.start(players=2).view(0)['zones'])"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code],
        cwd=tmp_path / "out",
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert "'size': 7" in done.stdout, done.stderr


def test_a_table_that_cannot_be_read_makes_no_further_faults() -> None:
    """Of which cards there are nothing is known then, so no face can be told to be unknown."""
    text = (
        HEAD
        + '    Fish from "fish.csv"\n'
        + REST
        + '\nscenario "x" for ann, bob\n  given stock = "red 3 no"\n'
    )
    for raw in (FISH.encode() + b"red,x,no\n", b"\xff\xff", b"", b"Colour\nred\n"):
        report = Report()
        check_text(Source("t.hoyle", text), report, lambda name, most, raw=raw: Raw(name, raw))  # type: ignore[misc]
        assert {d.span.path for d in report.errors} == {"fish.csv"}, render.text(report)
