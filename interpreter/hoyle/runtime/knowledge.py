"""What one seat knows of where the cards are.

Cards are known by their faces alone, since nobody can tell alike cards apart. A zone is a list of cells: cards among
which the seat knows no order. A pool is one cell; a pile or row has a cell for each place that the seat can tell from
the others, so a shuffled pile is one cell, and a card laid on top of it is another.

Of a cell, some cards are sure to be there. The others belong to classes: cards that have had the same past for all the
seat knows. A case says which cards each class holds and how many of each class lie in each cell; the tables that the
seat holds possible are those that fit one of the cases. The rules for what happens keep this exact: what is left out
is impossible, what is kept is possible. When there are more than `MOST_CASES`, cells and classes are thrown together,
which forgets something but never claims what is not so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import factorial

from hoyle.runtime.chance import pick, shuffle
from hoyle.runtime.counts import Cards, Row, changed_by, shares, together, total_of
from hoyle.runtime.shape import Shape

Case = tuple[tuple[Cards, ...], tuple[Row, ...]]

MOST_CASES = 300


class Knowledge:
    """What a seat knows. `cases` is empty after a contradiction, which is a mistake of whoever told it."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.cells: dict[int, list[int]] = {}
        self.size: dict[int, int] = {}
        self.sure: dict[int, dict[int, int]] = {}
        self.cases: dict[Case, int] = {((), ()): 1}
        self.made = 0
        self._odds: tuple[list[Case], list[int]] | None = None
        self._settled: dict[Case, int] | None = None  # the cases that were settled last
        for zone in shape.lists:
            self.cells[zone] = [self.cell()] if shape.is_pool[zone] else []

    def copy(self) -> Knowledge:
        """Return knowledge that can go its own way."""
        new = Knowledge.__new__(Knowledge)
        new.shape, new.made, new._odds, new._settled = self.shape, self.made, None, self._settled
        new.cells = {zone: cells[:] for zone, cells in self.cells.items()}
        lying = [cell for cells in self.cells.values() for cell in cells]
        new.size, new.cases = {cell: self.size[cell] for cell in lying}, self.cases
        new.sure = {cell: self.sure[cell].copy() for cell in lying}
        return new

    # ---- cells ------------------------------------------------------------------------------

    def cell(self, size: int = 0, sure: dict[int, int] | None = None) -> int:
        """Return a new cell that lies nowhere yet."""
        self.made += 1
        self.size[self.made] = size
        self.sure[self.made] = sure or {}
        return self.made

    def sizes(self, zone: int) -> int:
        """Return how many cards a zone holds."""
        return sum(self.size[cell] for cell in self.cells[zone])

    def index(self, zone: int, place: int) -> int:
        """Return which of the cells of a zone has a place; in a pool it is the only one."""
        if self.shape.is_pool[zone]:
            return 0
        cells = self.cells[zone]
        for which, cell in enumerate(cells):
            if place < self.size[cell]:
                return which
            place -= self.size[cell]
        raise IndexError(place)

    def open(self, cell: int) -> int:
        """Return how many cards of a cell are not sure."""
        return self.size[cell] - sum(self.sure[cell].values())

    def take(self, zone: int, which: int, count: int = 1) -> int:
        """Take cards unseen out of a cell of a zone; return them as a cell that lies nowhere."""
        cells = self.cells[zone]
        cell = cells[which]
        if self.size[cell] > count:
            return self.picked_from(cell, count)
        if self.shape.is_pool[zone]:
            cells[which] = self.cell()
        else:
            del cells[which]
        return cell

    def picked_from(self, cell: int, count: int) -> int:
        """Take some of the cards of a cell, unseen; return them as a cell that lies nowhere."""
        new = self.cell(count)
        sure = self.sure[cell]
        alike = len(sure) == 1 and not self.open(cell)
        self.size[cell] -= count
        if alike:
            (kind,) = sure
            sure[kind] -= count
            self.sure[new] = {kind: count}
            return new
        self._doubt(cell)
        for _ in range(count):
            found: dict[Case, int] = {}
            for (cards, rows), ways in self.cases.items():
                for i, row in enumerate(rows):
                    if any(at == cell for at, _ in row):
                        moved = changed_by(changed_by(row, cell, -1), new, 1)
                        case = (cards, (*rows[:i], moved, *rows[i + 1 :]))
                        found[case] = max(found.get(case, 0), ways)
            self.cases = found
        return new

    def _doubt(self, cell: int) -> None:
        """Make the sure cards of a cell a class of their own."""
        sure = self.sure[cell]
        if sure:
            own: Cards = tuple(sorted(sure.items()))
            row: Row = ((cell, total_of(own)),)
            self.cases = {((*cards, own), (*rows, row)): ways for (cards, rows), ways in self.cases.items()}
            self.sure[cell] = {}

    def seen(self, zone: int, which: int, kind: int) -> int:
        """Take a card that is seen out of a cell of a zone; return it as a cell that lies nowhere."""
        cell = self.cells[zone][which]
        sure = self.sure[cell]
        if self.size[cell] > 1 and sure.get(kind) and not self.open(cell):
            self.size[cell] -= 1
            sure[kind] -= 1
            if not sure[kind]:
                del sure[kind]
            return self.cell(1, {kind: 1})
        taken = self.take(zone, which)
        self.reveal(taken, kind)
        return taken

    def reveal(self, cell: int, kind: int) -> None:
        """Learn that the one card of a cell is of a kind."""
        if self.sure[cell]:
            return
        found: dict[Case, int] = {}
        for (cards, rows), ways in self.cases.items():
            for i, row in enumerate(rows):
                alike = next((n for k, n in cards[i] if k == kind), 0)
                if alike and any(at == cell for at, _ in row):
                    left = (*cards[:i], changed_by(cards[i], kind, -1), *cards[i + 1 :])
                    case = (left, (*rows[:i], changed_by(row, cell, -1), *rows[i + 1 :]))
                    found[case] = found.get(case, 0) + ways * alike
        self.cases = found
        self.sure[cell] = {kind: 1}
        self.settle()

    def lay(self, cell: int, zone: int) -> None:
        """Lay the cards of a cell into a pool, or on top of a pile or at the right of a row."""
        cells = self.cells[zone]
        if self.shape.is_pool[zone]:
            self._pour(cell, cells[0])
        elif self.size[cell]:
            cells.append(cell)
        self.settle()

    def join_last(self, zone: int) -> None:
        """Forget the order between the last two cells of a pile or row."""
        cells = self.cells[zone]
        if len(cells) > 1:
            self._pour(cells.pop(), cells[-1])
            self.settle()

    def mix(self, zone: int) -> None:
        """Forget the order of a zone."""
        cells = self.cells[zone]
        for cell in cells[1:]:
            self._pour(cell, cells[0])
        del cells[1:]
        self.settle()

    def swap(self, a: int, b: int) -> None:
        """Exchange all cards of two zones."""
        ours, theirs = self.cells[a], self.cells[b]
        for zone, cells in ((a, theirs), (b, ours)):
            cells = [cell for cell in cells if self.size[cell]]
            self.cells[zone] = [self.cell()] if self.shape.is_pool[zone] else []
            for cell in cells:
                self.lay(cell, zone)

    def _pour(self, cell: int, into: int) -> None:
        """Throw the cards of two cells together."""
        unsure = self.open(cell)
        self.size[into] += self.size.pop(cell)
        sure = self.sure[into]
        for kind, n in self.sure.pop(cell).items():
            sure[kind] = sure.get(kind, 0) + n
        if not unsure:  # no case speaks of the cell
            return
        found: dict[Case, int] = {}
        for (cards, rows), ways in self.cases.items():
            poured = tuple([self._poured(row, cell, into) for row in rows])
            found[cards, poured] = max(found.get((cards, poured), 0), ways)
        self.cases = found

    def _poured(self, row: Row, cell: int, into: int) -> Row:
        there = dict(row).get(cell, 0)
        return changed_by(changed_by(row, cell, -there), into, there) if there else row

    # ---- what all know of kinds --------------------------------------------------------------

    def part(self, kinds: Collection[int], exact: Mapping[int, int]) -> bool:
        """Learn how many cards of some kinds lie unsure in each of some cells; classes are parted by that.

        Return whether it was learnt: with too many cases it is let go, and nothing is changed.
        """
        found: dict[Case, int] = {}
        for (cards, rows), ways in self.cases.items():
            parted = [self._parted(c, kinds) for c in cards]
            for taken in self._taken(rows, [total_of(a) for a, _ in parted], exact):
                both = [(t, self._without(row, t)) for row, t in zip(rows, taken, strict=True)]
                case = (tuple(c for pair in parted for c in pair), tuple(r for pair in both for r in pair))
                found[case] = ways
                if len(found) > MOST_CASES:
                    return False
        self.cases = found
        return True

    def _parted(self, cards: Cards, kinds: Collection[int]) -> tuple[Cards, Cards]:
        return tuple(c for c in cards if c[0] in kinds), tuple(c for c in cards if c[0] not in kinds)

    def _without(self, row: Row, taken: Row) -> Row:
        left = dict(row)
        for cell, n in taken:
            left[cell] -= n
        return tuple((cell, n) for cell, n in left.items() if n)

    def _taken(
        self, rows: Sequence[Row], amounts: Sequence[int], exact: Mapping[int, int]
    ) -> Iterator[tuple[Row, ...]]:
        """Yield every way to take so many out of each row that the cells of `exact` give just as many as it says."""
        if not rows:
            if not any(exact.values()):
                yield ()
            return
        for taken in shares(rows[0], amounts[0], exact):
            left = dict(exact)
            for cell, n in taken:
                if cell in left:
                    left[cell] -= n
            for others in self._taken(rows[1:], amounts[1:], left):
                yield (taken, *others)

    def lacks(self, zone: int, kinds: Collection[int]) -> None:
        """Learn that no card of some kinds lies in a zone."""
        self.part(kinds, dict.fromkeys(self.cells[zone], 0))
        self.settle()

    def gather(self, target: int, kinds: Collection[int] | None, leaving: Mapping[int, int]) -> None:
        """Bring all cards of some kinds, or all cards, to a zone; `leaving` says how many leave each cell for it."""
        coming = self.cell(sum(leaving.values()))
        others = [cell for zone, cells in self.cells.items() if zone != target for cell in cells]
        unsure = {}
        for cell in others:
            own = {k: n for k, n in self.sure[cell].items() if kinds is None or k in kinds}
            for kind, n in own.items():
                del self.sure[cell][kind]
                self.sure[coming][kind] = self.sure[coming].get(kind, 0) + n
            unsure[cell] = leaving.get(cell, 0) - sum(own.values())
        if kinds is None or self.part(kinds, unsure):
            self._draw_in(others, coming, parted=kinds is not None)
        else:
            self._draw_in_roughly(kinds, unsure, coming, target)
        for cell, n in leaving.items():
            self.size[cell] -= n
        for zone, cells in self.cells.items():
            if zone != target and not self.shape.is_pool[zone]:
                cells[:] = [cell for cell in cells if self.size[cell]]
        self.settle()
        self._lay_sorted(coming, target)

    def _draw_in(self, cells: Collection[int], coming: int, parted: bool) -> None:
        """Let the cards of some cells come together: those of all classes, or of each first of two if `parted`."""
        found: dict[Case, int] = {}
        for (cards, rows), ways in self.cases.items():
            made = list(rows)
            for i in range(0, len(rows), 2 if parted else 1):
                amount = sum(n for cell, n in rows[i] if cell in cells)
                if amount:
                    stay: Row = tuple((cell, n) for cell, n in rows[i] if cell not in cells)
                    made[i] = changed_by(stay, coming, amount)
            case = (cards, tuple(made))
            found[case] = max(found.get(case, 0), ways)
        self.cases = found

    def _draw_in_roughly(
        self, kinds: Collection[int], unsure: Mapping[int, int], coming: int, target: int
    ) -> None:
        """Do that without regard to what is known of the other cards, where there are too many cases."""
        while len(next(iter(self.cases))[0]) > 1:
            self._join(0, 1)
        self.mix(target)
        cards, rows = next(iter(self.cases))
        all_of = {k: n for k, n in cards[0] if k in kinds}
        for kind, n in all_of.items():
            self.sure[coming][kind] = self.sure[coming].get(kind, 0) + n
        left = {cell: n - unsure.get(cell, 0) for cell, n in rows[0]}
        there = sum(all_of.values()) - sum(unsure.values())
        for cell in self.cells[target][:1]:
            left[cell] = left.get(cell, 0) - there
            self._pour(cell, coming)
            self.cells[target] = [self.cell()] if self.shape.is_pool[target] else []
            left[coming] = left.pop(cell)
        row: Row = tuple(sorted((cell, n) for cell, n in left.items() if n))
        self.cases = {((tuple(c for c in cards[0] if c[0] not in kinds),), (row,)): 1}

    def _lay_sorted(self, coming: int, target: int) -> None:
        """Lay gathered cards: they come in the order of their faces."""
        if self.shape.is_pool[target] or self.open(coming):
            self.lay(coming, target)
            return
        for kind, n in sorted(self.sure[coming].items()):
            for _ in range(n):
                self.lay(self.cell(1, {kind: 1}), target)

    # ---- keeping it small ----------------------------------------------------------------------

    def settle(self) -> None:
        """Make sure the classes that lie in one cell in every case, and keep the cases few."""
        if self.cases is self._settled:
            return
        self._odds = None
        if len(self.cases) > MOST_CASES:
            self._coarsen()
        if not self.cases:
            return
        (first_cards, first_rows), *others = self.cases
        done = []
        for i, (cards, row) in enumerate(zip(first_cards, first_rows, strict=True)):
            if len(row) <= 1 and all(c[0][i] == cards and c[1][i] == row for c in others):
                done.append(i)
                for kind, n in cards:
                    sure = self.sure[row[0][0]]
                    sure[kind] = sure.get(kind, 0) + n
        if done:
            self.cases = {
                (
                    tuple(c for i, c in enumerate(cards) if i not in done),
                    tuple(r for i, r in enumerate(rows) if i not in done),
                ): ways
                for (cards, rows), ways in self.cases.items()
            }
        self._settled = self.cases

    def certain(self, cell: int) -> dict[int, int]:
        """Return how many cards of each kind are in a cell in every case."""
        found = self.sure[cell].copy()
        least: dict[int, int] = {}
        for number, (cards, rows) in enumerate(self.cases):
            here: dict[int, int] = {}
            for own, row in zip(cards, rows, strict=True):
                if len(own) == 1:
                    here[own[0][0]] = here.get(own[0][0], 0) + dict(row).get(cell, 0)
            least = {k: min(n, here.get(k, 0)) for k, n in (least if number else here).items()}
        for kind, n in least.items():
            if n:
                found[kind] = found.get(kind, 0) + n
        return found

    def _coarsen(self) -> None:
        """Forget the order of cards that are not sure, then which class is which, until the cases are few."""
        for cells in self.cells.values():
            for which in range(len(cells) - 1, 0, -1):
                if self.open(cells[which]) and self.open(cells[which - 1]):
                    self._pour(cells.pop(which), cells[which - 1])
        while len(self.cases) > MOST_CASES:
            self._join(*self._most_alike())

    def _most_alike(self) -> tuple[int, int]:
        """Return two classes to throw together: those that may lie in the same cells, the fewest cards first."""
        count = len(next(iter(self.cases))[0])
        where: list[set[int]] = [set() for _ in range(count)]
        many = [0] * count
        for cards, rows in self.cases:
            for i, row in enumerate(rows):
                where[i].update(cell for cell, _ in row)
                many[i] = max(many[i], total_of(cards[i]))
        pairs = [(i, k) for k in range(count) for i in range(k)]
        return min(pairs, key=lambda p: (len(where[p[0]] ^ where[p[1]]), many[p[0]] + many[p[1]], p))

    def _join(self, i: int, k: int) -> None:
        """Throw two classes together."""
        found: dict[Case, int] = {}
        for (cards, rows), ways in self.cases.items():
            own, row = together(cards[i], cards[k]), together(rows[i], rows[k])
            case = (
                (*cards[:i], own, *cards[i + 1 : k], *cards[k + 1 :]),
                (*rows[:i], row, *rows[i + 1 : k], *rows[k + 1 :]),
            )
            found[case] = max(found.get(case, 0), ways)
        self.cases = found

    # ---- drawing a table ---------------------------------------------------------------------

    def deal_out(self, chance: int) -> tuple[int, dict[int, list[int]]]:
        """Return the next state of chance and kinds for each cell, sure ones first, then others in random order.

        Each placement of cards that the seat holds possible is equally likely.
        """
        chance, (cards, rows) = self._any_case(chance)
        found = {
            cell: [kind for kind, n in sorted(self.sure[cell].items()) for _ in range(n)]
            for cells in self.cells.values()
            for cell in cells
        }
        for own, row in zip(cards, rows, strict=True):
            kinds = [kind for kind, n in own for _ in range(n)]
            chance = shuffle(chance, kinds)
            for cell, n in row:
                found[cell] += kinds[:n]
                del kinds[:n]
        return chance, found

    def _any_case(self, chance: int) -> tuple[int, Case]:
        """Return a case, each as likely as the placements that fit it are many."""
        if len(self.cases) == 1:
            return chance, next(iter(self.cases))
        if self._odds is None:
            cases, sums = sorted(self.cases), [0]
            for case in cases:
                sums.append(sums[-1] + self.cases[case] * placements(case))
            self._odds = cases, sums
        cases, sums = self._odds
        chance, which = pick_of_many(chance, sums[-1])
        low, high = 0, len(cases)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if sums[middle] <= which else (low, middle)
        return chance, cases[low]


def placements(case: Case) -> int:
    """Return in how many ways the cards of a case can lie in its cells."""
    ways = 1
    for row in case[1]:
        ways *= factorial(total_of(row))
        for _, n in row:
            ways //= factorial(n)
    return ways


def pick_of_many(chance: int, count: int) -> tuple[int, int]:
    """Return the next state of chance and a number from 0 to `count` - 1, which may be large."""
    if count < 1 << 32:
        return pick(chance, count)
    drawn = 0
    words = count.bit_length() // 48 + 2
    for _ in range(words):
        chance, part = pick(chance, 1 << 48)
        drawn = drawn << 48 | part
    return chance, drawn * count >> 48 * words
