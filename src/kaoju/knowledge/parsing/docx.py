"""DOCX, read from its XML so that nothing visible is dropped.

Styled headings become sections (numbered lines where a document has no styles),
tables keep their merged cells, text boxes and footnotes are read, deleted text
is not. Tabs stay tabs: a library that drops them joins two figures into one.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator

from lxml import etree

from kaoju.knowledge.parsing import ooxml
from kaoju.knowledge.parsing.compose import Composer, one_line
from kaoju.knowledge.parsing.docx_xml import Styles, W, grid_of, pieces, text_of
from kaoju.knowledge.parsing.faults import fault
from kaoju.knowledge.parsing.grid import Tabulated, tabulate, write_rows
from kaoju.knowledge.parsing.headings import level_of
from kaoju.knowledge.parsing.naming import table_name, title_of
from kaoju.knowledge.parsing.source import Source
from kaoju.model.document import Document

_FEW_CELLS = 2


def read(source: Source) -> Iterator[Document]:
    """Yield the one document of a DOCX file."""
    with zipfile.ZipFile(source.path) as archive:
        root = ooxml.part(archive, "word/document.xml", source.path, source.limits)
        styles = ooxml.part(archive, "word/styles.xml", source.path, source.limits)
        footnotes = ooxml.part(archive, "word/footnotes.xml", source.path, source.limits)
        fields = ooxml.properties(archive, source.path, source.limits)
    body = None if root is None else root.find(f"{W}body")
    if body is None:
        raise fault("corrupt", source.path, "no body")
    reading = _Reading(source, Styles(styles))
    reading.body(body)
    if footnotes is not None:
        reading.footnotes(footnotes)
    blocks = reading.composer.blocks
    if not blocks:
        raise fault("no_text", source.path)
    first = next((block.text for block in blocks if block.kind == "heading"), "")
    yield Document(
        id=source.document_id,
        title=title_of(fields.pop("title", ""), first, source.path.stem),
        metadata=fields,
        blocks=blocks,
        tables=tuple(table.table for table in reading.tables),
        notes=tuple(reading.notes),
    )


class _Reading:
    """The document under construction."""

    def __init__(self, source: Source, styles: Styles) -> None:
        self.composer = Composer()
        self.tables: list[Tabulated] = []
        self.notes: list[str] = []
        self._source = source
        self._styles = styles
        self._items: list[str] = []

    def body(self, body: etree._Element) -> None:
        """Read paragraphs and tables in order."""
        found = list(pieces(body))
        styled = any(p.tag == f"{W}p" and self._styles.level(p) is not None for p in found)
        for piece in found:
            if piece.tag == f"{W}tbl":
                self._close_list()
                self._table(piece)
            else:
                self._paragraph(piece, styled)
        self._close_list()

    def footnotes(self, root: etree._Element) -> None:
        """Read footnotes, after the text that they belong to, under no heading."""
        for note in root.iter(f"{W}footnote"):
            if note.get(f"{W}type") is None:
                text = "\n".join(text_of(piece) for piece in pieces(note) if piece.tag == f"{W}p")
                self.composer.add(f"[{note.get(f'{W}id')}] {text.strip()}", section=())

    def _paragraph(self, paragraph: etree._Element, styled: bool) -> None:
        text = text_of(paragraph)
        level = self._styles.level(paragraph)
        if level is None and not styled:
            numbered = level_of(text)
            level = numbered if numbered is not None and numbered < 6 else None
        if level is None and self._styles.is_item(paragraph):
            if text.strip():
                self._items.append(f"- {text.strip()}")
            return
        self._close_list()
        if level is None:
            self.composer.add(text)
        else:
            self.composer.heading(text, level)

    def _close_list(self) -> None:
        if self._items:
            self.composer.add("\n".join(self._items), kind="list")
            self._items.clear()

    def _table(self, element: etree._Element) -> None:
        grid = grid_of(element)
        texts = [str(cell) for row in grid.rows for cell in row if cell]
        if len(grid.rows) < _FEW_CELLS or max(map(len, grid.rows), default=0) < _FEW_CELLS:
            for text in texts:
                self.composer.add(text)
            return
        name = table_name(
            _caption_above(self.composer) or one_line(" ".join(self.composer.section[-1:])),
            self._source.path.stem,
            (table.table.name for table in self.tables),
        )
        table = tabulate(
            grid, name=name, section=self.composer.section, caption=_caption_above(self.composer)
        )
        if table is not None:
            self.notes.extend(write_rows(self.composer, table, self._source.limits))
            self.tables.append(table)


def _caption_above(composer: Composer) -> str:
    """Return the paragraph right above where it reads like a table's caption."""
    last = composer.blocks[-1] if composer.blocks else None
    if last is None or last.kind != "paragraph" or len(last.text) > 60:
        return ""
    return last.text if last.text.lstrip().lower().startswith(("表", "table", "附表")) else ""
