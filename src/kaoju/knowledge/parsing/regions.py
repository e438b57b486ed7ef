"""Finds the tables and texts on one sheet: rectangles set apart by empty rows and columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kaoju.knowledge.parsing.cells import is_blank, is_number, shown
from kaoju.knowledge.parsing.grid import Grid, Merge
from kaoju.model.document import Cell

_CAPTION_CHARS: Final = 80
_CONTINUES_GAP: Final = 2
_DEPTH: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """The filled cells of one sheet."""

    rows: Mapping[int, Sequence[Cell]]
    """By 1-based row number."""
    merges: Sequence[Merge] = ()
    """0-based, absolute."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """One rectangle of a sheet."""

    grid: Grid
    left: int
    right: int

    @property
    def is_text(self) -> bool:
        """True where no row has more than one filled cell: a title or a remark."""
        return all(sum(not is_blank(cell) for cell in row) <= 1 for row in self.grid.rows) and (
            self.right > self.left or len(self.grid.rows) <= 2
        )

    @property
    def is_caption(self) -> bool:
        """True for a short text, as captions are."""
        return self.is_text and len(self.grid.rows) <= 2 and len(self.text) <= _CAPTION_CHARS

    @property
    def text(self) -> str:
        """The filled cells, one a line."""
        return "\n".join(shown(cell) for row in self.grid.rows for cell in row if not is_blank(cell))


@dataclass(frozen=True, slots=True)
class _Box:
    """Bounds, all inclusive: 1-based rows, 0-based columns."""

    top: int
    bottom: int
    left: int
    right: int


def regions(sheet: Sheet) -> list[Region]:
    """Return the regions of a sheet in reading order; a table that goes on after a gap is one region."""
    if not sheet.rows:
        return []
    filled = _filled(sheet)
    if not filled:
        return []
    whole = _Box(
        min(filled),
        max(filled),
        min(min(cols) for cols in filled.values()),
        max(max(cols) for cols in filled.values()),
    )
    found: list[Region] = []
    for box in _split_rows(whole, filled, _DEPTH):
        region = _region(box, sheet)
        if found and _continues(found[-1], region):
            found[-1] = _joined(found[-1], region)
        else:
            found.append(region)
    return found


def _filled(sheet: Sheet) -> dict[int, set[int]]:
    """Return the occupied columns of each row; merged ranges occupy all they cover within the used area."""
    filled = {
        number: {col for col, cell in enumerate(row) if not is_blank(cell)}
        for number, row in sheet.rows.items()
    }
    filled = {number: cols for number, cols in filled.items() if cols}
    last_col = max((max(cols) for cols in filled.values()), default=0)
    last_row = max(filled, default=0)
    for top, left, bottom, right in sheet.merges:
        row = sheet.rows.get(top + 1, ())
        if left >= len(row) or is_blank(row[left]):
            continue
        for number in range(top + 1, min(bottom + 1, last_row) + 1):
            filled.setdefault(number, set()).update(range(left, min(right, last_col) + 1))
    return filled


def _split_rows(box: _Box, filled: Mapping[int, set[int]], depth: int) -> list[_Box]:
    """Split at rows without a filled cell inside the box."""
    runs: list[tuple[int, int]] = []
    for number in sorted(number for number in filled if box.top <= number <= box.bottom):
        if not any(box.left <= col <= box.right for col in filled[number]):
            continue
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    boxes: list[_Box] = []
    for top, bottom in runs:
        boxes.extend(_split_columns(_Box(top, bottom, box.left, box.right), filled, depth))
    return boxes


def _split_columns(box: _Box, filled: Mapping[int, set[int]], depth: int) -> list[_Box]:
    """Split at empty columns where both sides are at least two columns wide."""
    used = sorted(
        {col for number in range(box.top, box.bottom + 1) for col in filled.get(number, ())}
        & set(range(box.left, box.right + 1))
    )
    runs: list[tuple[int, int]] = []
    for col in used:
        if runs and runs[-1][1] == col - 1:
            runs[-1] = (runs[-1][0], col)
        else:
            runs.append((col, col))
    if len(runs) < 2 or depth == 0 or any(right == left for left, right in runs):
        return [_Box(box.top, box.bottom, used[0], used[-1])]
    return [
        part
        for left, right in runs
        for part in _split_rows(_Box(box.top, box.bottom, left, right), filled, depth - 1)
    ]


def _region(box: _Box, sheet: Sheet) -> Region:
    rows: list[list[Cell]] = []
    for number in range(box.top, box.bottom + 1):
        row = list(sheet.rows.get(number, ()))[box.left : box.right + 1]
        rows.append(row + [None] * (box.right + 1 - box.left - len(row)))
    merges = [
        (
            top + 1 - box.top,
            left - box.left,
            min(bottom + 1, box.bottom) - box.top,
            min(right, box.right) - box.left,
        )
        for top, left, bottom, right in sheet.merges
        if box.top <= top + 1 <= box.bottom and box.left <= left <= box.right
    ]
    numbers = range(box.top, box.bottom + 1)
    return Region(grid=Grid(rows=rows, merges=merges, numbers=numbers), left=box.left, right=box.right)


def _continues(first: Region, second: Region) -> bool:
    """Tell whether a region goes on with the table above it: same columns, and a body row first."""
    if first.is_text or second.is_text or (first.left, first.right) != (second.left, second.right):
        return False
    if second.grid.numbers[0] - first.grid.numbers[-1] - 1 > _CONTINUES_GAP or len(first.grid.rows) < 2:
        return False
    last, head = first.grid.rows[-1], second.grid.rows[0]
    numeric = [col for col, cell in enumerate(last) if is_number(cell)]
    return (
        bool(numeric)
        and all(is_number(head[col]) or is_blank(head[col]) for col in numeric)
        and any(is_number(head[col]) for col in numeric)
    )


def _joined(first: Region, second: Region) -> Region:
    shift = len(first.grid.rows)
    moved = [(top + shift, left, bottom + shift, right) for top, left, bottom, right in second.grid.merges]
    grid = Grid(
        rows=[*first.grid.rows, *second.grid.rows],
        merges=[*first.grid.merges, *moved],
        numbers=[*first.grid.numbers, *second.grid.numbers],
    )
    return Region(grid=grid, left=first.left, right=first.right)
