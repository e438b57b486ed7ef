"""PDF: text page by page through PDFium, ruled tables through pdfplumber.

Pages are opened and closed one at a time. Running headers, footers and page
numbers are removed. A file that needs a password, is cut off, or has no text
on any page is refused with its own reason; owner-locked files are read.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from kaoju.errors import IngestError
from kaoju.knowledge.parsing.compose import Composer, one_line
from kaoju.knowledge.parsing.faults import fault
from kaoju.knowledge.parsing.grid import Grid, Merge, Tabulated, tabulate, write_rows
from kaoju.knowledge.parsing.naming import table_name, title_of
from kaoju.knowledge.parsing.pdf_layout import add_page, body_size
from kaoju.knowledge.parsing.pdf_lines import RawPage, read_page
from kaoju.knowledge.parsing.pdf_repeats import without_repeats
from kaoju.knowledge.parsing.pdf_tables import RuledTable, find_tables, joined
from kaoju.knowledge.parsing.source import Source
from kaoju.model.document import Document

_PDFIUM: Final = threading.RLock()
"""PDFium is one per process and not thread-safe."""
_TAIL: Final = 65_536
_LISTED: Final = 30
_BATCH: Final = 100
"""Pages after which the file is opened anew, because PDFium keeps fonts and streams it has read."""


def count_pages(path: Path) -> int:
    """Count the pages without reading them."""
    with _PDFIUM:
        document = _open(path)
        try:
            return len(document)
        finally:
            document.close()


def read(source: Source) -> Iterator[Document]:
    """Yield the one document of a PDF file."""
    pages, fields, notes = _pages(source)
    readable = [page for page in pages if page.readable]
    if not readable:
        raise fault("no_text", source.path, f"{len(pages)} pages", f"共 {len(pages)} 页")
    silent = [page.number for page in pages if not page.readable]
    if silent:
        notes.append(f"pages without text / 没有文字的页: {_listed(silent)}")
    crowded = [page.number for page in pages if page.crowded]
    if crowded:
        notes.append(
            f"too much drawing to look for tables on pages / 图形过多而未识别表格的页: {_listed(crowded)}"
        )
    found = find_tables(source, [page.number for page in readable if page.ruled and not page.crowded])
    notes.extend(found.notes)
    composer = Composer()
    legible = [page for page in pages if not page.garbled]
    tables, more = _compose(composer, legible, found.tables, source)
    notes.extend(more)
    title = fields.pop("title", "")
    yield Document(
        id=source.document_id,
        title=title_of(title, "", source.path.stem),
        metadata=fields,
        blocks=composer.blocks,
        tables=tuple(table.table for table in tables),
        notes=tuple(notes),
    )


def _pages(source: Source) -> tuple[list[RawPage], dict[str, str], list[str]]:
    """Read every page; a page that PDFium cannot load is noted."""
    pages: list[RawPage] = []
    notes: list[str] = []
    with _PDFIUM:
        document = _open(source.path)
        try:
            count = len(document)
            stated = document.get_metadata_dict(skip_empty=True)
        finally:
            document.close()
    if count == 0:
        raise fault("corrupt", source.path, "no pages", "没有页面")
    broken: list[int] = []
    for start in range(0, count, _BATCH):
        with _PDFIUM:
            document = _open(source.path)
            try:
                for index in range(start, min(count, start + _BATCH)):
                    try:
                        page = document[index]
                    except pdfium.PdfiumError:
                        broken.append(index + 1)
                        continue
                    try:
                        pages.append(read_page(page, index + 1, source.limits))
                    finally:
                        page.close()
            finally:
                document.close()
    if broken:
        if len(broken) == count:
            raise fault("corrupt", source.path)
        notes.append(f"damaged pages not read / 已损坏而未读取的页: {_listed(broken)}")
    names = {"Title": "title", "Author": "author", "Subject": "subject", "Keywords": "keywords"}
    fields = {
        name: text
        for key, name in names.items()
        if (text := one_line(stated.get(key, ""))) and "\ufffd" not in text
    }
    return pages, fields, notes


def _open(path: Path) -> pdfium.PdfDocument:
    """Open a PDF or say why not."""
    if _is_cut_off(path):
        raise fault("truncated", path)
    try:
        return pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        raise _refusal(error, path) from error


def _refusal(error: pdfium.PdfiumError, path: Path) -> IngestError:
    if error.err_code in {pdfium_c.FPDF_ERR_PASSWORD, pdfium_c.FPDF_ERR_SECURITY}:
        return fault("encrypted", path)
    return fault("corrupt", path)


def _is_cut_off(path: Path) -> bool:
    """A PDF ends with the place of its index; one that does not was cut off."""
    with path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - _TAIL))
        tail = stream.read()
    return b"startxref" not in tail and b"%%EOF" not in tail


def _compose(
    composer: Composer, pages: Sequence[RawPage], ruled: Sequence[RuledTable], source: Source
) -> tuple[list[Tabulated], list[str]]:
    """Write each page's text and, below it, the rows of the tables on it."""
    cleaned = without_repeats([page.lines for page in pages])
    body = body_size(cleaned)
    groups = joined(ruled)
    kept: list[Tabulated] = []
    notes: list[str] = []
    by_page: dict[int, list[Tabulated]] = {}
    sections: dict[int, list[int]] = {}
    for index, group in enumerate(groups):
        sections.setdefault(group[0].page, []).append(index)
    for page, lines in zip(pages, cleaned, strict=True):
        add_page(composer, lines, page.number, body)
        for index in sections.get(page.number, ()):
            table = _table(composer, groups[index], source, [one.table.name for one in kept])
            if table is not None:
                kept.append(table)
                for part in _by_page(table, groups[index]):
                    by_page.setdefault(part[0], []).append(part[1])
        for part_table in by_page.pop(page.number, ()):
            notes.extend(write_rows(composer, part_table, source.limits, page=page.number))
    return kept, notes


def _table(
    composer: Composer, group: Sequence[RuledTable], source: Source, taken: Sequence[str]
) -> Tabulated | None:
    """Make one table of its parts on one or more pages."""
    rows = [row for part in group for row in part.grid.rows]
    merges: list[Merge] = []
    shift = 0
    for part in group:
        merges.extend((t + shift, left, b + shift, right) for t, left, b, right in part.grid.merges)
        shift += len(part.grid.rows)
    page = group[0].page
    caption = group[0].caption
    section = _place(composer, page, caption)
    name = table_name(caption or " ".join(section[-1:]), f"{source.path.stem} p{page}", taken)
    return tabulate(Grid(rows=rows, merges=merges), name=name, page=page, section=section, caption=caption)


def _place(composer: Composer, page: int, caption: str) -> tuple[str, ...]:
    """Return the section that the table's caption stands in, else the one that the page ends in."""
    if caption:
        for block in reversed(composer.blocks):
            if block.page != page:
                break
            if caption.split(" ", maxsplit=1)[0] in block.text:
                return block.section
    return composer.section


def _by_page(table: Tabulated, group: Sequence[RuledTable]) -> Iterator[tuple[int, Tabulated]]:
    """Yield (page, the rows that stand on it) for a table that runs over several pages."""
    end = 0
    for part in group:
        start, end = end, end + len(part.grid.rows)
        picked = [i for i, number in enumerate(table.numbers) if start < number <= end]
        yield (
            part.page,
            replace(
                table,
                shown=tuple(table.shown[i] for i in picked),
                numbers=tuple(table.numbers[i] for i in picked),
            ),
        )


def _listed(numbers: Sequence[int]) -> str:
    text = ", ".join(map(str, numbers[:_LISTED]))
    return f"{text}, ... ({len(numbers)})" if len(numbers) > _LISTED else text
