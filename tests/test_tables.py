"""Decks from tables: what spreadsheets write is read as it was meant, and every fault is told at its cell."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hoyle import render
from hoyle.check.csvfile import Table, decoded
from hoyle.diagnostics import Report
from hoyle.interpret import Game
from hoyle.session import check_text, show_program
from hoyle.source import Raw, Source
from lockstep import module_of
from specs_with_tables import CARDS, FISH, HEAD, REST, checked, deck_of, message, told

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


# --- cards that are never there ------------------------------------------------------------------------

LESS, MORE = "at least 2 play, not 1", "at most 5 play, not 9"


@pytest.mark.parametrize(
    ("lines", "rows", "places"),
    [
        ("2 Net with 1 players", "", [("tiny.hoyle", 12, LESS)]),
        ("2 Net with 9 players", "", [("tiny.hoyle", 12, MORE)]),
        ('Net from "net.csv" with 1 players', "Copies\n1\n", [("tiny.hoyle", 12, LESS)]),
        ('Net from "net.csv" with 9+ players', "Copies\n1\n", [("tiny.hoyle", 12, MORE)]),
        ('Net from "net.csv"', "Players\n1\n3\n9+\n", [("net.csv", 2, LESS), ("net.csv", 4, MORE)]),
        ('Net from "net.csv"', "Players\n9\n9\n", [("net.csv", 2, MORE + ", as in 1 more row")]),
        ('Net from "net.csv" with 1..2 players', "Players\n1..9\n1+\n5\n", []),
    ],
)
def test_cards_for_other_counts_of_players_are_never_there(
    lines: str, rows: str, places: list[tuple[str, int, str]]
) -> None:
    report, program = checked(lines, net=rows)
    found = [(d.code, Path(d.span.path).name, d.span.line, d.message) for d in report.diagnostics]
    assert found == [
        ("W402", file, line, f"these cards are never there: {why}") for file, line, why in places
    ]
    assert program is not None


def test_a_game_for_one_player_has_cards_for_one() -> None:
    report, _ = checked("2 Net with 1 players", head=HEAD.replace("2..5", "1..3"))
    assert not report.diagnostics


@pytest.mark.parametrize("rows", ["Copies\n", "Copies", "Copies,[Notes]\n,\n,\n", "Copies\n0\n"])
def test_a_table_with_a_header_alone_holds_no_cards(rows: str) -> None:
    rows_below = "each row of the table below its header is a card; `Copies` is 0 for none"
    assert message('Net from "net.csv"', net=rows) == f"there is no card in this deck | {rows_below}"
    assert message('2 Net\nNet from "net.csv"', net=rows) == f"this table holds no cards | {rows_below}"
