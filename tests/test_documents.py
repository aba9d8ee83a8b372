"""The documents: every example in them is checked, run or executed, so that none can be wrong for long.

What the word after the fence means:

* `hoyle` is a whole game, clean and with scenarios that pass. With a file name, `hoyle dare.hoyle`, it is kept for the
  commands of the same page; a file of scenarios alone is checked when the page runs it.
* `hoyle-change pond.hoyle` changes blocks of a game kept before; the outcome is a whole game.
* `hoyle-blocks`, `hoyle-statements`, `hoyle-values` are parts, put into the last game kept on the page. Values are
  lines `EXPRESSION   # VALUE`, asked of the table that the page lays in its block `hoyle-table`.
* `csv ships.csv` is a table, which lies beside every spec of its page.
* a code such as `E301` after any of these: the part is wrong on purpose, and is refused with that code.
* `console` is commands with what they print: `...` stands for any lines, `> ` begins a line that a person types.
* `python` is executed, with the files kept; a block `text` right after it is what it prints.

What chance decides is shown as it came, but numbers in it are not compared: another stream of chance would change
them all.
"""

from __future__ import annotations

import io
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from hoyle import cli
from hoyle.diagnostics import Report
from hoyle.parser.grammar import grammar_text, parser, reserved_words
from hoyle.render import text as rendered
from hoyle.scenarios import run as run_scenarios
from hoyle.session import beside, check_text, load
from hoyle.source import Source

ROOT = Path(__file__).resolve().parents[1]
PAGES = (
    "README.md",
    "grammar/README.md",
    "specs/README.md",
    "generated/README.md",
    "tests/README.md",
    "interpreter/README.md",
)
FENCE = re.compile(r"^(?P<in> *)```(?P<info>[^\n`]*)\n(?P<text>.*?)^ *```$", re.MULTILINE | re.DOTALL)
PARTS = ("hoyle-blocks", "hoyle-statements", "hoyle-values")
SINGLE = ("game", "play", "result")
IDLE = (
    "W201",
    "W203",
    "W204",
    "W205",
    "W401",
    "W402",
    "W501",
    "W801",
)  # in a part, names may be idle and phases not run
# Files with slips, which a page shows the report on: the file they are made from, and the slips.
SLIPS = {"wrong.hoyle": ("dare.hoyle", (("in line where", "in lines where"), ("p.score +=", "score +=")))}


class Fenced(NamedTuple):
    """A fenced block: the page and line it stands on, its kind, what else the fence says, and its text."""

    page: str
    line: int
    kind: str
    words: tuple[str, ...]
    text: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def file(self) -> str:
        """The name of the file that the block is kept as, if any."""
        return next((w for w in self.words if w.endswith(".hoyle")), "")

    @property
    def code(self) -> str:
        """The code of the error that the block is to give, if it is wrong on purpose."""
        return next((w for w in self.words if re.fullmatch(r"[EW]\d{3}", w)), "")


@cache
def blocks(page: str) -> tuple[Fenced, ...]:
    text = (ROOT / page).read_text(encoding="utf-8")
    found = []
    for match in FENCE.finditer(text):
        kind, *words = match["info"].split() or [""]
        indent = len(match["in"])
        body = "".join(line[indent:] for line in match["text"].splitlines(keepends=True))
        line = text.count("\n", 0, match.start()) + 1
        found.append(Fenced(page, line, kind, tuple(words), body))
    return tuple(found)


def heads(text: str) -> list[tuple[str, str]]:
    """Return the blocks of a spec with what tells them apart: the keyword, and the name of those that have one."""
    found: list[tuple[str, str]] = []
    for line in text.splitlines(keepends=True):
        if line[:1].strip() and line[0] != "#":
            words = re.findall(r'"[^"]*"|\w+', line)
            named = words[0] in ("define", "phase", "scenario")
            found.append((" ".join(words[: 2 if named else 1]), line))
        elif found:
            found[-1] = (found[-1][0], found[-1][1] + line)
    return found


def changed(game: str, part: str, replace: bool) -> str:
    """Return a game with the blocks of `part` added; those of which there is one only, or all, replace the old."""
    new = [(head, text) for head, text in heads(part) if head != "hoyle"]
    gone = {h for h, _ in new if replace or h in SINGLE or h.split()[0] in ("define", "phase", "scenario")}
    kept: list[str] = []
    waiting = dict(new)
    for head, text in heads(game):
        if head in gone and head in waiting:
            kept.append(waiting.pop(head))
        elif head not in gone:
            kept.append(text)
    kept += [text for head, text in new if head in waiting]
    return "\n".join(text.rstrip("\n") + "\n" for text in kept)


def without_scenarios(game: str) -> str:
    return "".join(text for head, text in heads(game) if not head.startswith("scenario"))


def with_statements(game: str, statements: str) -> str:
    body = "".join("  " + line for line in statements.splitlines(keepends=True))
    return changed(game, f"phase the_example(p: player)\n{body}", replace=True)


def rows(block: Fenced) -> Iterator[tuple[str, str]]:
    """Yield the expressions of a block of values, each with its value."""
    for line in block.text.splitlines():
        if line.strip():
            expression, mark, value = line.rpartition("# ")
            assert mark, f"{block.place}: no value after # in: {line}"
            yield expression.strip(), value.strip()


def with_values(game: str, table: str, block: Fenced) -> str:
    """Return the game with the table as a scenario that claims each of the values."""
    claims = "".join(f"  then ({ask}) is {value}\n" for ask, value in rows(block))
    return game + "\n" + table.rstrip("\n") + "\n" + claims


class Page:
    """The files that a page has kept so far, and the game that its parts belong to."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.game = ""
        self.table = ""

    def whole(self, block: Fenced) -> str:
        """Return the whole spec that a block stands for, and keep what is to be kept."""
        match block.kind:
            case "hoyle":
                made = block.text
            case "hoyle-change":
                made = changed(self.files[block.file], block.text, replace=True)
            case "hoyle-blocks":
                made = changed(without_scenarios(self.game), block.text, replace=False)
            case "hoyle-statements":
                made = with_statements(without_scenarios(self.game), block.text)
            case "hoyle-table":
                self.table = block.text
                made = self.game + "\n" + block.text
            case "hoyle-values":
                made = with_values(self.game, self.table, block)
            case other:
                raise AssertionError(f"{block.place}: no kind of block is called {other}")
        if block.file and not block.code:
            self.files[block.file] = made
            if is_game(made):
                self.game = made
        return made


def tables(page: str) -> dict[str, str]:
    """Return the tables of a page by their names."""
    return {b.words[0]: b.text for b in blocks(page) if b.kind == "csv"}


def write(files: dict[str, str], folder: Path) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def is_game(text: str) -> bool:
    return any(head == "game" for head, _ in heads(text))


def specs(page: str) -> Iterator[tuple[Fenced, str]]:
    """Yield the hoyle blocks of a page with the whole spec that each stands for."""
    here = Page()
    for block in blocks(page):
        if block.kind.startswith("hoyle"):
            yield block, here.whole(block)


def all_specs() -> list[tuple[Fenced, str]]:
    return [found for page in PAGES for found in specs(page)]


def named(found: list[Fenced]) -> list[object]:
    return [pytest.param(block, id=block.place) for block in found]


def of_kind(*kinds: str) -> list[Fenced]:
    return [block for page in PAGES for block in blocks(page) if block.kind in kinds]


# --- specs ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("block", "spec"), [pytest.param(b, t, id=b.place) for b, t in all_specs() if is_game(t)]
)
def test_a_spec_is_clean_and_its_scenarios_pass(block: Fenced, spec: str, tmp_path: Path) -> None:
    report = Report()
    write(tables(block.page), tmp_path)
    file = tmp_path / "example.hoyle"
    check_text(Source(block.place, spec), report, beside(file))
    if block.code:
        assert block.code in [d.code for d in report.diagnostics], rendered(report)
        return
    if block.kind in PARTS:
        report.diagnostics = [d for d in report.diagnostics if d.code not in IDLE]
    assert not report.diagnostics, rendered(report)
    file.write_text(spec, encoding="utf-8")
    game = load(str(file))
    failed = [problem for result in run_scenarios(game) for problem in result.problems]
    assert not failed, spec + "\n".join(failed)
    if block.kind in ("hoyle", "hoyle-change"):
        outcomes = {p.fault or p.outcome for n in game.counts for p in game.playouts(20, players=n)}
        assert outcomes == {"finished"}


# --- commands and programs --------------------------------------------------------------------------


def kept_before(block: Fenced) -> dict[str, str]:
    """Return the files that the page has kept where the block stands."""
    here = Page()
    for other in blocks(block.page):
        if other.line >= block.line:
            break
        if other.kind.startswith("hoyle"):
            here.whole(other)
    return here.files


def lay_out(block: Fenced, folder: Path) -> None:
    """Write the files of the page, those too that its commands before this block make."""
    kept = kept_before(block)
    write({**tables(block.page), **kept}, folder)
    for name, (original, slips) in SLIPS.items():
        text = kept.get(original, "")
        for right, wrong in slips:
            text = text.replace(right, wrong)
        (folder / name).write_text(text, encoding="utf-8")
    before = [b for b in blocks(block.page) if b.kind == "console" and b.line < block.line]
    for command, _, _ in (found for other in before for found in commands(other)):
        if command[1:2] == ["compile"]:
            hoyle(command[1:], folder)


def hoyle(arguments: list[str], folder: Path, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Carry out the command `hoyle` in a folder, in this process: a new one takes longer to start than most take."""
    out, notes = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(notes):
        patch.chdir(folder)
        patch.setattr(sys, "stdin", io.StringIO(typed))
        status = cli.run(arguments)
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), notes.getvalue())


def plain(text: str, numbers: bool) -> list[str]:
    """Return lines as they are compared: with numbers or without, and without space that means nothing."""
    if not numbers:
        text = re.sub(r"\d[\d,.]*", "N", text)
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def alike(there: list[str], shown: list[str]) -> bool:
    """Return whether what is there is what was shown, where `...` stands for any number of lines."""
    if not shown:
        return not there
    if shown[0] == "...":
        return any(alike(there[n:], shown[1:]) for n in range(len(there) + 1))
    return bool(there) and there[0] == shown[0] and alike(there[1:], shown[1:])


def commands(block: Fenced) -> Iterator[tuple[list[str], str, str]]:
    """Yield each command of a console block, what a person types into it, and what it shows."""
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, rest = part.partition("\n")
        typed = re.findall(r"^> (.*)$", rest, flags=re.MULTILINE)
        shown = re.sub(r"^> .*\n?", "", rest, flags=re.MULTILINE)
        yield shlex.split(command, comments=True), "".join(f"{line}\n" for line in typed), shown


@pytest.mark.parametrize("block", named(of_kind("console")))
def test_a_command_prints_what_the_page_shows(block: Fenced, tmp_path: Path) -> None:
    lay_out(block, tmp_path)
    found = list(commands(block))
    assert found, "a console block begins its commands with $"
    for command, typed, shown in found:
        if command[0] == "make":
            assert len(command) > 1 and f"\n{command[1]}:" in (ROOT / "Makefile").read_text(encoding="utf-8")
            continue
        assert command[0] == "hoyle", f"{block.place}: only hoyle and make are run here"
        done = hoyle(command[1:], tmp_path, typed)
        printed = done.stdout + done.stderr
        assert done.returncode in (0, 1), printed
        if shown.strip():
            certain = command[1] in ("check", "test")
            same = alike(plain(printed, certain), plain(shown, certain))
            assert same, f"{shlex.join(command)} prints:\n{printed}"


@pytest.mark.parametrize("block", named(of_kind("python")))
def test_a_program_runs_and_prints_what_the_page_shows(block: Fenced, tmp_path: Path) -> None:
    lay_out(block, tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", block.text],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout
    here = blocks(block.page)
    after = here[here.index(block) + 1 :][:1]
    if after and after[0].kind == "text":
        assert alike(plain(done.stdout, False), plain(after[0].text, False)), done.stdout


def test_every_fenced_block_is_of_a_kind_that_is_tested() -> None:
    known = {"hoyle", "hoyle-change", "hoyle-table", *PARTS, "csv", "console", "python", "text"}
    unknown = [f"{b.place}: {b.kind}" for page in PAGES for b in blocks(page) if b.kind not in known]
    assert not unknown
    for page in PAGES:
        found = blocks(page)
        loose = [
            b for a, b in zip((None, *found), found) if b.kind == "text" and (not a or a.kind != "python")
        ]
        assert not loose, f"nothing tests the text blocks that follow no program: {loose}"


# --- the reference is right and whole -------------------------------------------------------------------------


def test_cards_loops_and_deals_keep_the_order_that_the_reference_tells() -> None:
    file = ROOT / "tests/reference_claims.hoyle"
    results = run_scenarios(load(str(file)))
    assert [problem for result in results for problem in result.problems] == []
    assert len(results) == len(re.findall("^scenario", file.read_text(encoding="utf-8"), flags=re.MULTILINE))


def constructs() -> set[str]:
    """Return the names that trees of the grammar can have: its rules and the aliases of their cases."""
    names = {str(rule.alias or rule.origin.name) for rule in parser().rules}
    seen_through = {r.origin.name for r in parser().rules if r.options.expand1 and not r.alias}
    unseen = {n for n in names if n.startswith("_") or n in seen_through}
    return names - unseen


def shown() -> set[str]:
    """Return the constructs that the reference has an example of."""
    found: set[str] = set()
    for block, spec in specs("grammar/README.md"):
        if not block.code:
            for head, text in heads(spec):
                if head != "hoyle":
                    found |= {str(tree.data) for tree in parser().parse(text).iter_subtrees()}
    return found


def test_the_reference_shows_every_construct_of_the_grammar() -> None:
    assert constructs() - shown() == set()


def test_the_reference_names_every_word_of_the_grammar() -> None:
    page = (ROOT / "grammar/README.md").read_text(encoding="utf-8")
    rules = re.sub(r"//.*", "", grammar_text())
    words = set(re.findall(r'"([a-z]+)"', rules)) | set(
        re.findall(r"[a-z]{3,}", " ".join(re.findall(r"/.*?/", rules)))
    )
    missing = sorted(w for w in words if not re.search(rf"\b{w}\b", page))
    assert not missing


def test_the_reference_lists_the_reserved_words() -> None:
    page = (ROOT / "grammar/README.md").read_text(encoding="utf-8")
    section = page.split("## Reserved words", 1)[1].split("\n## ", 1)[0]
    listed = [
        word
        for line in section.splitlines()
        if line.startswith("> ")
        for word in re.findall(r"`(\w+)`", line)
    ]
    assert listed == sorted(reserved_words())


def test_the_links_of_the_documents_lead_somewhere() -> None:
    broken = []
    for page in PAGES:
        text = re.sub(FENCE, "", (ROOT / page).read_text(encoding="utf-8"))
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if target.startswith("http"):
                continue
            path, _, anchor = target.partition("#")
            file = (ROOT / page).parent / path if path else ROOT / page
            if not file.exists() or (anchor and anchor not in anchors(file)):
                broken.append(f"{page}: {target}")
    assert not broken


def anchors(file: Path) -> set[str]:
    """Return the names by which the headings of a page can be linked to."""
    titles = re.findall(r"^#+ (.*)$", re.sub(FENCE, "", file.read_text(encoding="utf-8")), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
