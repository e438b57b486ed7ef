"""HTML tables as grids: spans resolved, header rows as marked, data told from layout."""

from __future__ import annotations

from typing import Final

from lxml import etree

from kaoju.knowledge.parsing.compose import one_line
from kaoju.knowledge.parsing.grid import Grid, Merge
from kaoju.model.document import Cell

_MAX_SPAN: Final = 1000
_MAX_CELL: Final = 2000


def is_data(table: etree._Element) -> bool:
    """Tell a table of data from one that lays out the page."""
    if next(table.iter("th"), None) is not None and not _nested(table):
        return True
    if _nested(table) or table.get("role") == "presentation":
        return False
    rows = [[cell for cell in row if cell.tag in {"td", "th"}] for row in table.iter("tr")]
    if len(rows) < 2 or max(map(len, rows), default=0) < 2:
        return False
    return all(len(text_in(cell)) <= _MAX_CELL for row in rows for cell in row)


def grid_of(table: etree._Element) -> tuple[Grid, str]:
    """Return the cells of a table with their merged ranges, and its caption."""
    rows: list[list[Cell]] = []
    merges: list[Merge] = []
    taken: set[tuple[int, int]] = set()
    header = 0
    in_head = True
    for top, row in enumerate(table.iter("tr")):
        cells = [cell for cell in row if cell.tag in {"td", "th"}]
        line: list[Cell] = []
        col = 0
        for cell in cells:
            while (top, col) in taken:
                col += 1
            right = col + _span(cell, "colspan") - 1
            bottom = top + _span(cell, "rowspan") - 1
            line.extend([None] * (right + 1 - len(line)))
            line[col] = one_line(text_in(cell, " ")) or None
            if right > col or bottom > top:
                merges.append((top, col, bottom, right))
                taken.update((r, c) for r in range(top + 1, bottom + 1) for c in range(col, right + 1))
            col = right + 1
        rows.append(line)
        parent = row.getparent()
        in_head = in_head and (
            (parent is not None and parent.tag == "thead")
            or (bool(cells) and all(c.tag == "th" for c in cells))
        )
        header += in_head
    caption = table.find("caption")
    return (
        Grid(rows=rows, merges=merges, header_rows=header if 0 < header < len(rows) else None),
        one_line(text_in(caption, " ")) if caption is not None else "",
    )


def _nested(table: etree._Element) -> bool:
    return sum(1 for _ in table.iter("table")) > 1


def _span(cell: etree._Element, name: str) -> int:
    try:
        return min(_MAX_SPAN, max(1, int(cell.get(name) or 1)))
    except ValueError:
        return 1


def text_in(element: etree._Element, separator: str = "") -> str:
    """Return all text under an element, comments excluded."""
    return separator.join(str(text) for text in element.itertext())
