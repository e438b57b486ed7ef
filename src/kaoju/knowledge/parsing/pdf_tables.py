"""Ruled tables of PDF pages through pdfplumber, bounded in objects and time.

A table that goes on over the next page with the same columns becomes one table.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import pdfplumber
from pdfminer.pdfexceptions import PDFException
from pdfplumber.utils.exceptions import PdfminerException

from kaoju.knowledge.parsing.cells import is_blank
from kaoju.knowledge.parsing.compose import clean, join_lines, one_line
from kaoju.knowledge.parsing.grid import Grid, Merge
from kaoju.knowledge.parsing.source import Source
from kaoju.model.document import Cell

_REOPEN: Final = 40
"""Pages after which the file is opened anew, because pdfminer keeps all it has read."""
_TOLERANCE: Final = 2.0
_FILLED: Final = 0.35
_MAX_COLUMNS: Final = 60
_THICKNESS: Final = 3.0
_CAPTION_HEIGHT: Final = 45.0
_CAPTION_CHARS: Final = 60
_UNIT: Final = re.compile(
    r"\s*[（(]?\s*(?:单位|單位|金额单位|[Uu]nits?|[Ii]n (?:millions|thousands|billions))"
)
_NAMED: Final = re.compile(r"\s*(?:表|附表|续表|[Tt]able|TABLE)\s*[\dA-Z一二三四五六七八九十]")
_SENTENCE: Final = ("。", ".", "；", ";", "，", ",")

logging.getLogger("pdfminer").setLevel(logging.ERROR)  # it warns once per damaged font and page


@dataclass(frozen=True, slots=True, kw_only=True)
class RuledTable:
    """One table as drawn on one page."""

    page: int
    grid: Grid
    edges: tuple[float, ...]
    """Left edges of the columns, in points."""
    caption: str
    """What stands right above the table, where that reads like a caption."""
    first: bool
    last: bool
    """Whether it is the first or last table of its page."""


@dataclass(slots=True)
class Found:
    """All tables of a file, with what was left out."""

    tables: list[RuledTable] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def find_tables(source: Source, pages: Sequence[int]) -> Found:
    """Look for tables on the given 1-based pages."""
    found = Found()
    began = time.monotonic()
    for start in range(0, len(pages), _REOPEN):
        group = pages[start : start + _REOPEN]
        try:
            with pdfplumber.open(source.path, pages=list(group)) as pdf:
                for page in pdf.pages:
                    page_began = time.monotonic()
                    found.tables.extend(_page_tables(page))
                    page.close()
                    now = time.monotonic()
                    if (
                        now - page_began > source.limits.pdf_table_seconds
                        or now - began > source.limits.pdf_tables_seconds
                    ):
                        found.notes.append(
                            f"tables after page {page.page_number} not looked for: it takes too long"
                            f" / 表格识别过慢，第 {page.page_number} 页之后未识别"
                        )
                        return found
        except (
            PdfminerException,
            PDFException,
            ValueError,
            TypeError,
            KeyError,
            AttributeError,
            IndexError,
        ) as error:
            found.notes.append(
                f"tables on pages {group[0]}-{group[-1]} not read / 第 {group[0]}-{group[-1]} 页的表格未读取"
                f" ({type(error).__name__})"
            )
    return found


def _page_tables(page: Any) -> Iterator[RuledTable]:
    drawn = page.filter(_is_no_background)
    tables = [table for table in drawn.find_tables() if len({cell[0] for cell in table.cells}) > 1]
    kept = [(table, grid) for table in tables if (grid := _grid(table)) is not None]
    kept.sort(key=lambda pair: (pair[0].bbox[1], pair[0].bbox[0]))
    for index, (table, grid) in enumerate(kept):
        yield RuledTable(
            page=page.page_number,
            grid=grid,
            caption=_caption(drawn, table, [other.bbox[3] for other, _ in kept[:index]]),
            edges=tuple(sorted({round(cell[0], 1) for cell in table.cells})),
            first=index == 0,
            last=index == len(kept) - 1,
        )


def _is_no_background(item: dict[str, Any]) -> bool:
    """Leave out filled boxes without an outline: shading divides nothing."""
    return not (
        item["object_type"] == "rect"
        and not item.get("stroke")
        and item["width"] > _THICKNESS
        and item["height"] > _THICKNESS
    )


def _caption(page: Any, table: Any, ends_above: Sequence[float]) -> str:
    """Return the one or two short lines between the table and whatever is above it."""
    top = table.bbox[1]
    page_left, page_top, page_right, _ = page.bbox
    ceiling = max([page_top, top - _CAPTION_HEIGHT, *(end for end in ends_above if end <= top)])
    if top - ceiling < _THICKNESS:
        return ""
    strip = page.crop((page_left, ceiling, page_right, top), strict=False)
    lines = [line for line in clean(strip.extract_text() or "").split("\n") if line.strip()]
    picked: list[str] = []
    for line in reversed(lines[-2:]):
        unit = _UNIT.match(line) is not None
        if not unit and not _NAMED.match(line) and (picked and not _UNIT.match(picked[-1])):
            break
        if len(line) > _CAPTION_CHARS or line.endswith(_SENTENCE):
            break
        picked.append(line)
        if not unit:
            break
    return one_line(" ".join(reversed(picked)))


def _grid(table: Any) -> Grid | None:
    """Return the cells with the ranges that their boxes span; None for frames and empty boxes."""
    texts = table.extract()
    if len(texts) < 2 or len(texts[0]) > _MAX_COLUMNS:
        return None
    rows: list[list[Cell]] = [[_text(cell) for cell in row] for row in texts]
    filled = sum(not is_blank(cell) for row in rows for cell in row)
    boxes = len(table.cells)
    if filled < 4 or filled < _FILLED * boxes or sum(any(not is_blank(c) for c in row) for row in rows) < 2:
        return None
    lefts = sorted({cell[0] for cell in table.cells})
    tops = sorted({cell[1] for cell in table.cells})
    merges: list[Merge] = []
    for left, top, right, bottom in table.cells:
        col, row = lefts.index(left), tops.index(top)
        last_col = max(i for i, edge in enumerate(lefts) if edge < right - _TOLERANCE)
        last_row = max(i for i, edge in enumerate(tops) if edge < bottom - _TOLERANCE)
        if last_col > col or last_row > row:
            merges.append((row, col, max(row, last_row), max(col, last_col)))
    return Grid(rows=rows, merges=merges)


def _text(cell: str | None) -> str | None:
    """Return a cell's lines as one."""
    lines = [line.strip() for line in clean(cell or "").split("\n") if line.strip()]
    return join_lines(lines) if lines else None


def joined(tables: Sequence[RuledTable]) -> list[list[RuledTable]]:
    """Group the parts of tables that run over several pages."""
    groups: list[list[RuledTable]] = []
    for table in tables:
        if groups and _goes_on(groups[-1][-1], table):
            head = groups[-1][0].grid.rows[0]
            rows = table.grid.rows
            repeated = [_norm(cell) for cell in rows[0]] == [_norm(cell) for cell in head]
            groups[-1].append(_without_first(table) if repeated and len(rows) > 1 else table)
        else:
            groups.append([table])
    return groups


def _goes_on(above: RuledTable, below: RuledTable) -> bool:
    return (
        below.page == above.page + 1
        and above.last
        and below.first
        and len(above.edges) == len(below.edges)
        and all(abs(a - b) <= _TOLERANCE for a, b in zip(above.edges, below.edges, strict=True))
    )


def _norm(cell: Cell) -> str:
    return "".join(str(cell or "").split())


def _without_first(table: RuledTable) -> RuledTable:
    merges = [(top - 1, left, bottom - 1, right) for top, left, bottom, right in table.grid.merges if top > 0]
    return replace(table, grid=Grid(rows=table.grid.rows[1:], merges=merges))
