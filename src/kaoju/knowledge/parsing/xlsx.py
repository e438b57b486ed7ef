"""XLSX: every sheet, every table on it, with merged cells, stacked headers and titles understood."""

from __future__ import annotations

import datetime as dt
import warnings
import zipfile
from collections.abc import Iterator
from typing import Any, Final

import openpyxl
from openpyxl.utils.exceptions import InvalidFileException

from kaoju.knowledge.parsing import ooxml
from kaoju.knowledge.parsing.cells import plain
from kaoju.knowledge.parsing.compose import Composer, clean
from kaoju.knowledge.parsing.faults import fault
from kaoju.knowledge.parsing.grid import Tabulated, tabulate, write_rows
from kaoju.knowledge.parsing.naming import table_name, title_of
from kaoju.knowledge.parsing.regions import Region, Sheet, regions
from kaoju.knowledge.parsing.source import Source
from kaoju.knowledge.parsing.xlsx_xml import SheetFacts, sheet_facts
from kaoju.model.document import Cell, Document

_MAX_COLUMNS: Final = 2_000
_PERCENT_DIGITS: Final = 12

warnings.filterwarnings(
    "ignore", module="openpyxl"
)  # it tells of styles and validations, which reading ignores


def read(source: Source) -> Iterator[Document]:
    """Yield the one document of a workbook."""
    with zipfile.ZipFile(source.path) as archive:
        fields = ooxml.properties(archive, source.path, source.limits)
        facts = sheet_facts(archive, source)
    try:
        book = openpyxl.load_workbook(source.path, read_only=True, data_only=True, keep_links=False)
    except (InvalidFileException, KeyError, ValueError, TypeError) as error:
        raise fault("corrupt", source.path, str(error)[:200]) from error
    reading = _Reading(source, sheets=len(book.worksheets))
    try:
        for worksheet in book.worksheets:
            reading.sheet(worksheet, facts.get(worksheet.title, SheetFacts()))
    finally:
        book.close()
    if not reading.composer.blocks:
        raise fault("no_text", source.path)
    yield Document(
        id=source.document_id,
        title=title_of(fields.pop("title", ""), "", source.path.stem),
        metadata=fields,
        blocks=reading.composer.blocks,
        tables=tuple(table.table for table in reading.tables),
        notes=tuple(reading.notes),
    )


class _Reading:
    """The workbook under construction. openpyxl is untyped, hence `Any` for its objects."""

    def __init__(self, source: Source, *, sheets: int) -> None:
        self.composer = Composer()
        self.tables: list[Tabulated] = []
        self.notes: list[str] = []
        self._source = source
        self._only = sheets == 1

    def sheet(self, worksheet: Any, facts: SheetFacts) -> None:
        """Read one worksheet: text regions as paragraphs, the others as tables."""
        name = str(worksheet.title)
        if worksheet.sheet_state != "visible":
            self.notes.append(f"sheet {name} is hidden / 工作表 {name} 为隐藏")
        if facts.uncomputed:
            self.notes.append(
                f"sheet {name}: {facts.uncomputed} formulas without a stored value; open and save it in a"
                f" spreadsheet program / 工作表 {name}：{facts.uncomputed} 个公式没有保存结果，请用表格软件打开并保存"
            )
        found = regions(Sheet(rows=self._rows(worksheet, name), merges=facts.merges))
        if not found:
            self.notes.append(f"sheet {name} is empty / 工作表 {name} 为空")
            return
        self.composer.heading(name, 1)
        caption = ""
        several = sum(not region.is_text for region in found) > 1
        for position, region in enumerate(found):
            if region.is_text:
                self.composer.add(region.text)
                follows = position + 1 < len(found) and not found[position + 1].is_text
                caption = region.text if follows and region.is_caption else ""
                continue
            self._table(region, name, caption, several=several)
            caption = ""

    def _table(self, region: Region, sheet: str, caption: str, *, several: bool) -> None:
        base = self._source.path.stem if self._only and sheet.lower().startswith("sheet") else sheet
        table = tabulate(region.grid, name=base, section=(sheet,), caption=caption)
        if table is None:
            return
        wanted = table.table.caption.split("\n")[0] if several and table.table.caption else base
        table = table.named(table_name(wanted, base, (one.table.name for one in self.tables)))
        inner = bool(table.table.caption) and table.table.caption != caption
        self.notes.extend(write_rows(self.composer, table, self._source.limits, lead=inner))
        self.tables.append(table)

    def _rows(self, worksheet: Any, name: str) -> dict[int, list[Cell]]:
        """Return the filled rows by 1-based number, cut off at the cell limit."""
        worksheet.reset_dimensions()
        rows: dict[int, list[Cell]] = {}
        cells = 0
        for number, row in enumerate(worksheet.iter_rows(), 1):
            values = [_value(cell) for cell in row[:_MAX_COLUMNS]]
            while values and values[-1] is None:
                values.pop()
            if not values:
                continue
            cells += len(values)
            if cells > self._source.limits.table_cells:
                self.notes.append(
                    f"sheet {name}: rows from {number} on were cut off / 工作表 {name} 自第 {number} 行起已截断"
                )
                break
            if len(row) > _MAX_COLUMNS:
                self.notes.append(f"sheet {name}: row {number} is wider than {_MAX_COLUMNS} columns")
            rows[number] = values
        return rows


def _value(cell: Any) -> Cell:
    """Return a cell as it is meant: dates as ISO text, percentages with their sign."""
    value = cell.value
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return clean(value).strip() or None
    if isinstance(value, int | float):
        if "%" in (cell.number_format or ""):
            return f"{plain(round(value * 100, _PERCENT_DIGITS))}%"
        return round(value, _PERCENT_DIGITS) if isinstance(value, float) and abs(value) < 1e6 else value
    if isinstance(value, dt.datetime):
        return value.date().isoformat() if value.time() == dt.time() else value.isoformat(" ")
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    return clean(str(value)).strip() or None
