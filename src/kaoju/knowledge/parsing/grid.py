"""From a rectangle of cells, as a sheet, page or file shows it, to a table with a header.

Title rows above the header become the caption, several header rows are joined
column by column, merged labels are repeated on every row they cover, and merged
numbers are kept once, because repeating them would falsify every sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kaoju.knowledge.parsing.cells import is_blank, is_number, shown, typed_columns, unique
from kaoju.knowledge.parsing.compose import Composer, one_line
from kaoju.knowledge.parsing.limits import Limits
from kaoju.model.document import Cell, Table

Merge = tuple[int, int, int, int]
"""Top, left, bottom, right of a merged range, 0-based, inclusive."""

_MAX_HEADER: Final = 5
_MAX_TITLES: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Cells as they stand in the source; covered cells of a merged range are None."""

    rows: Sequence[Sequence[Cell]]
    merges: Sequence[Merge] = ()
    numbers: Sequence[int] = field(default=())
    """1-based source row of each row; counted from 1 where empty."""
    header_rows: int | None = None
    """Where the source marks its header rows; None means that they are detected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tabulated:
    """A table with what its text needs: the cells as shown and their source rows."""

    table: Table
    columns: tuple[str, ...]
    """Header texts as the source shows them."""
    shown: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...]

    def named(self, name: str) -> Tabulated:
        """Return the same under another name."""
        return replace(self, table=replace(self.table, name=name))


def tabulate(
    grid: Grid, *, name: str, page: int | None = None, section: tuple[str, ...] = (), caption: str = ""
) -> Tabulated | None:
    """Return the grid as a table; None where it has no column or no cell."""
    width = max((len(row) for row in grid.rows), default=0)
    cells = [[*row, *[None] * (width - len(row))] for row in grid.rows]
    numbers = list(grid.numbers) or list(range(1, len(cells) + 1))
    if width == 0 or all(is_blank(cell) for row in cells for cell in row):
        return None
    titles = _title_rows(cells)
    if grid.header_rows is not None:
        titles = min(titles, max(0, grid.header_rows - 1))
    captions = [caption, *(_only(cells[row]) for row in range(titles))]
    covered = _covered(grid.merges, len(cells), width)
    header = (
        _header_rows(cells, grid.merges, titles) if grid.header_rows is None else grid.header_rows - titles
    )
    body = titles + header
    _fill(cells, grid.merges, body, width)
    names = [_joined([shown(cells[row][col]) for row in range(titles, body)]) for col in range(width)]
    keep_columns = [
        col for col in range(width) if names[col] or any(not is_blank(row[col]) for row in cells[body:])
    ]
    kept = [
        row
        for row in range(body, len(cells))
        if any(not is_blank(cells[row][col]) and (row, col) not in covered for col in keep_columns)
    ]
    rows = [[cells[row][col] for col in keep_columns] for row in kept]
    plain_names = unique([names[col] for col in keep_columns])
    columns, typed = typed_columns(plain_names, rows)
    return Tabulated(
        table=Table(
            name=name,
            columns=columns,
            rows=typed,
            first_row=numbers[kept[0]] if kept else (numbers[-1] + 1),
            page=page,
            section=section,
            caption=" ".join(part for part in captions if part),
        ),
        columns=plain_names,
        shown=tuple(tuple(one_line(shown(cell)) for cell in row) for row in rows),
        numbers=tuple(numbers[row] for row in kept),
    )


def write_rows(
    composer: Composer, table: Tabulated, limits: Limits, *, page: int | None = None, lead: bool = False
) -> tuple[str, ...]:
    """Add the table's rows as text blocks; return a note where not all of them are.

    Args:
        composer: Where the blocks go.
        table: The table.
        limits: Rows and characters per block, rows in all.
        page: The page of the blocks.
        lead: Whether the caption and the name become a paragraph before the rows.
    """
    section = table.table.section or composer.section
    if lead and table.table.caption:
        composer.add(table.table.caption, page=page, section=section)
    if not table.shown:
        composer.add("; ".join(table.columns), kind="table", page=page, section=section)
    lines: list[str] = []
    first = last = 0
    size = 0
    for number, row in zip(table.numbers[: limits.text_rows], table.shown, strict=False):
        line = "; ".join(f"{name}: {cell}" for name, cell in zip(table.columns, row, strict=True) if cell)
        if lines and (len(lines) >= limits.block_rows or size + len(line) > limits.block_chars):
            composer.add("\n".join(lines), kind="table", page=page, rows=(first, last), section=section)
            lines, size = [], 0
        first = number if not lines else first
        last = number
        lines.append(line)
        size += len(line)
    if lines:
        composer.add("\n".join(lines), kind="table", page=page, rows=(first, last), section=section)
    if len(table.shown) <= limits.text_rows:
        return ()
    return (
        (
            f"{table.table.name}: only the first {limits.text_rows} of {len(table.shown)} rows are text; SQL has"
            f" all / 仅前 {limits.text_rows} 行（共 {len(table.shown)} 行）写成文本，SQL 可查全部"
        ),
    )


def _covered(merges: Sequence[Merge], height: int, width: int) -> set[tuple[int, int]]:
    return {
        (row, col)
        for top, left, bottom, right in merges
        for row in range(top, min(bottom, height - 1) + 1)
        for col in range(left, min(right, width - 1) + 1)
        if (row, col) != (top, left)
    }


def _only(row: Sequence[Cell]) -> str:
    """Return the row's single filled cell as text; empty where it has more or none."""
    filled = [shown(cell) for cell in row if not is_blank(cell)]
    return one_line(filled[0]) if len(filled) == 1 else ""


def _title_rows(cells: Sequence[Sequence[Cell]]) -> int:
    """Count the one-cell rows above the header of a table of several columns."""
    if not cells or len(cells[0]) < 2:
        return 0
    count = 0
    for row in cells[: min(_MAX_TITLES, len(cells) - 2)]:
        if not _only(row):
            break
        count += 1
    following = cells[count]
    return count if sum(not is_blank(cell) for cell in following) > 1 else 0


def _header_rows(cells: Sequence[Sequence[Cell]], merges: Sequence[Merge], start: int) -> int:
    """Count header rows from `start`: one, plus those that merged header cells reach into."""
    first = [cell for cell in cells[start] if not is_blank(cell)]
    if len(cells) - start < 2 or (first and all(is_number(cell) for cell in first) and not _years(first)):
        return 0 if first and all(is_number(cell) for cell in first) else 1
    width = len(cells[start])
    last = start
    row = start
    while row <= last and row < min(start + _MAX_HEADER, len(cells) - 1):
        for top, left, bottom, right in merges:
            if top != row:
                continue
            wide = 0 < right - left < width - 1
            below = row + 1
            if wide and _texts(cells[below][left : right + 1]):
                last = max(last, below)
            if bottom > top and left > 0 and bottom < len(cells) - 1 and bottom - top < _MAX_HEADER:
                last = max(last, bottom)
            if bottom > top and left == 0 and _texts(cells[below][right + 1 :]):
                last = max(last, bottom)
        row += 1
    while (
        last + 2 < len(cells)
        and last - start < _MAX_HEADER
        and _is_subheader(cells[last + 1], cells[last + 2])
    ):
        last += 1
    return last - start + 1


def _is_subheader(row: Sequence[Cell], below: Sequence[Cell]) -> bool:
    """Tell whether a row without a label of its own names columns whose numbers start right below it."""
    if not is_blank(row[0]) or is_blank(below[0]) or not _texts(row):
        return False
    return any(not is_blank(cell) and is_number(under) for cell, under in zip(row, below, strict=True))


def _texts(cells: Sequence[Cell]) -> bool:
    """Tell whether the cells are labels: something is filled, and nothing but a year is a number."""
    filled = [cell for cell in cells if not is_blank(cell)]
    return bool(filled) and all(not is_number(cell) or _years([cell]) for cell in filled)


def _years(cells: Sequence[Cell]) -> bool:
    return all(shown(cell).isdigit() and 1900 <= int(shown(cell)[:5]) <= 2100 for cell in cells)


def _fill(cells: list[list[Cell]], merges: Sequence[Merge], body: int, width: int) -> None:
    """Repeat merged labels; numbers and full-width rows of the body stay where they are."""
    for top, left, bottom, right in merges:
        if top >= len(cells) or left >= width:
            continue
        value = cells[top][left]
        in_header = top < body
        if is_blank(value) or (not in_header and (is_number(value) or (left == 0 and right >= width - 1))):
            continue
        floor = body - 1 if in_header else len(cells) - 1
        for row in range(top, min(bottom, floor) + 1):
            for col in range(left, min(right, width - 1) + 1):
                cells[row][col] = value


def _joined(parts: Sequence[str]) -> str:
    """Join header texts from top to bottom, each once."""
    kept: list[str] = []
    for part in parts:
        text = one_line(part)
        if text and text not in kept:
            kept.append(text)
    return " ".join(kept)
