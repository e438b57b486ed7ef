"""PPTX: one page per slide with its title as heading, its texts, tables, charts and notes."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, Final

import pptx
from lxml import etree
from pptx.exc import PythonPptxError

from kaoju.knowledge.parsing import ooxml
from kaoju.knowledge.parsing.compose import Composer, one_line
from kaoju.knowledge.parsing.faults import fault
from kaoju.knowledge.parsing.grid import Grid, Merge, Tabulated, tabulate, write_rows
from kaoju.knowledge.parsing.naming import table_name, title_of
from kaoju.knowledge.parsing.source import Source
from kaoju.model.document import Cell, Document

_GROUP: Final = 6
_DIAGRAM: Final = "/diagramData"
_TEXT: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}t"
_PARAGRAPH: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}p"


def read(source: Source) -> Iterator[Document]:
    """Yield the one document of a presentation."""
    with zipfile.ZipFile(source.path) as archive:
        fields = ooxml.properties(archive, source.path, source.limits)
    try:
        presentation = pptx.Presentation(str(source.path))
    except (PythonPptxError, KeyError, etree.XMLSyntaxError) as error:
        raise fault("corrupt", source.path, str(error)[:200]) from error
    reading = _Reading(source)
    for number, slide in enumerate(presentation.slides, 1):
        reading.slide(number, slide)
    blocks = reading.composer.blocks
    if not blocks:
        raise fault("no_text", source.path)
    first = next((block.text for block in blocks if block.kind == "heading"), "")
    notes = reading.notes
    if reading.hidden:
        notes.append(f"hidden slides / 隐藏的幻灯片: {', '.join(map(str, reading.hidden))}")
    if reading.silent:
        notes.append(f"slides without text / 没有文字的幻灯片: {', '.join(map(str, reading.silent))}")
    yield Document(
        id=source.document_id,
        title=title_of(fields.pop("title", ""), first, source.path.stem),
        metadata=fields,
        blocks=blocks,
        tables=tuple(table.table for table in reading.tables),
        notes=tuple(notes),
    )


class _Reading:
    """The presentation under construction. python-pptx is untyped, hence `Any` for its objects."""

    def __init__(self, source: Source) -> None:
        self.composer = Composer()
        self.tables: list[Tabulated] = []
        self.notes: list[str] = []
        self.hidden: list[int] = []
        self.silent: list[int] = []
        self._source = source

    def slide(self, number: int, slide: Any) -> None:
        """Read one slide: title, shapes from top to bottom, then the speaker's notes."""
        before = len(self.composer.blocks)
        if slide.element.get("show") == "0":
            self.hidden.append(number)
        title = slide.shapes.title
        if title is not None and title.has_text_frame and title.text_frame.text.strip():
            self.composer.heading(title.text_frame.text, 1, number)
        else:
            self.composer.leave()
        for shape in sorted(_flat(slide.shapes), key=lambda s: ((s.top or 0) // 100_000, s.left or 0)):
            if title is None or shape.shape_id != title.shape_id:
                self._shape(number, shape)
        for relation in slide.part.rels.values():
            if not relation.is_external and relation.reltype.endswith(_DIAGRAM):
                self.composer.add(_diagram(relation.target_part.blob, self._source), kind="list", page=number)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            self.composer.add(slide.notes_slide.notes_text_frame.text, page=number)
        if len(self.composer.blocks) == before:
            self.silent.append(number)

    def _shape(self, number: int, shape: Any) -> None:
        if shape.has_text_frame:
            lines = [("  " * p.level) + p.text.strip() for p in shape.text_frame.paragraphs if p.text.strip()]
            self.composer.add("\n".join(lines), kind="list" if len(lines) > 1 else "paragraph", page=number)
        elif getattr(shape, "has_table", False):
            self._keep(number, _table_grid(shape.table), shape.name)
        elif getattr(shape, "has_chart", False):
            try:
                grid, title = _chart_grid(shape.chart)
            except (KeyError, ValueError, AttributeError, NotImplementedError) as error:
                self.notes.append(f"chart on slide {number} not read / 第 {number} 页图表未读取: {error}")
                return
            self._keep(number, grid, title or shape.name)

    def _keep(self, number: int, grid: Grid, name: str) -> None:
        heading = one_line(" ".join(self.composer.section[-1:]))
        table = tabulate(
            grid,
            name=table_name(heading or name, name, (table.table.name for table in self.tables)),
            page=number,
            section=self.composer.section,
        )
        if table is not None:
            self.notes.extend(write_rows(self.composer, table, self._source.limits, page=number))
            self.tables.append(table)


def _flat(shapes: Iterable[Any]) -> Iterator[Any]:
    """Yield shapes with groups opened."""
    for shape in shapes:
        if shape.shape_type == _GROUP:
            yield from _flat(shape.shapes)
        else:
            yield shape


def _table_grid(table: Any) -> Grid:
    rows: list[list[Cell]] = []
    merges: list[Merge] = []
    for top, row in enumerate(table.rows):
        line: list[Cell] = []
        for col, cell in enumerate(row.cells):
            line.append(None if cell.is_spanned else (cell.text_frame.text.strip() or None))
            if cell.is_merge_origin:
                merges.append((top, col, top + cell.span_height - 1, col + cell.span_width - 1))
        rows.append(line)
    return Grid(rows=rows, merges=merges)


def _chart_grid(chart: Any) -> tuple[Grid, str]:
    """Return a chart's data as a table: categories down, series across."""
    plot = chart.plots[0]
    series = list(chain.from_iterable(p.series for p in chart.plots))
    head: list[Cell] = ["", *(str(one.name) for one in series)]
    values = [list(one.values) for one in series]
    rows: list[list[Cell]] = [
        [str(label), *(column[index] if index < len(column) else None for column in values)]
        for index, label in enumerate(plot.categories)
    ]
    title = chart.chart_title.text_frame.text if chart.has_title and chart.chart_title.has_text_frame else ""
    return Grid(rows=[head, *rows], header_rows=1), title


def _diagram(blob: bytes, source: Source) -> str:
    """Return the texts of a SmartArt diagram, one line per node."""
    try:
        root = etree.fromstring(blob, etree.XMLParser(resolve_entities=False, no_network=True))
    except etree.XMLSyntaxError as error:
        raise fault("corrupt", source.path, str(error)) from error
    lines = ("".join(t.text or "" for t in paragraph.iter(_TEXT)) for paragraph in root.iter(_PARAGRAPH))
    return "\n".join(line for line in lines if line.strip())
