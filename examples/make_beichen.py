"""Write the binary files of the example collection from their readable sources.

`examples/beichen` describes an invented company; every name and figure in it is
made up. Its text files are written by hand. This script makes the DOCX, PDF,
XLSX and PPTX files from `examples/sources`, with fixed time stamps, so that the
same sources give the same bytes. Run it after a change of a source:

    .venv/bin/python examples/make_beichen.py
"""

from __future__ import annotations

import json
import zipfile
from datetime import datetime
from io import BytesIO
from pathlib import Path

import docx
import openpyxl
import pptx
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Flowable, PageBreak, Paragraph, SimpleDocTemplate

HERE = Path(__file__).parent
SOURCES = HERE / "sources"
FIXED = datetime(2024, 12, 16, 9, 0, 0)  # noqa: DTZ001 - office formats store local time without a zone


def main(target: Path = HERE / "beichen") -> None:
    """Write every generated file below `target`."""
    write_docx(SOURCES / "员工手册-2024.md", target / "手册" / "员工手册-2024.docx")
    write_pdf(
        SOURCES / "information-security-policy.md", target / "policies" / "information-security-policy.pdf"
    )
    write_xlsx(SOURCES / "项目预算-2024.json", target / "finance" / "项目预算-2024.xlsx")
    write_pptx(SOURCES / "产品介绍.json", target / "products" / "产品介绍.pptx")


def write_docx(source: Path, target: Path) -> None:
    """Turn `#` lines into headings and other lines into paragraphs."""
    document = docx.Document()
    document.core_properties.author = "北辰科技"
    document.core_properties.created = document.core_properties.modified = FIXED
    for line in _lines(source):
        text = line.lstrip("#")
        level = len(line) - len(text)
        if level:
            document.add_heading(text.strip(), level=level)
        else:
            document.add_paragraph(text)
    buffer = BytesIO()
    document.save(buffer)
    _write_zip(buffer, target)


def write_pdf(source: Path, target: Path) -> None:
    """Set the text on A4; every first-level heading after the first opens a page."""
    styles = getSampleStyleSheet()
    story: list[Flowable] = []
    for line in _lines(source):
        text = line.lstrip("#")
        level = len(line) - len(text)
        if level == 1 and story:
            story.append(PageBreak())
        story.append(Paragraph(text.strip(), styles[f"Heading{level}" if level else "BodyText"]))
    target.parent.mkdir(parents=True, exist_ok=True)
    SimpleDocTemplate(
        str(target), pagesize=A4, title="Information Security Policy", author="Beichen", invariant=1
    ).build(story)


def write_xlsx(source: Path, target: Path) -> None:
    """Write one sheet per key; the first row holds the headers."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    book.properties.creator = "北辰科技"
    book.properties.created = FIXED
    for name, rows in json.loads(source.read_text(encoding="utf-8")).items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    buffer = BytesIO()
    book.save(buffer)
    _write_zip(buffer, target)


def write_pptx(source: Path, target: Path) -> None:
    """Write one title-and-content slide per entry."""
    deck = pptx.Presentation()
    deck.core_properties.author = "北辰科技"
    deck.core_properties.created = deck.core_properties.modified = FIXED
    for slide_source in json.loads(source.read_text(encoding="utf-8")):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = slide_source["title"]
        slide.placeholders[1].text_frame.text = "\n".join(slide_source["lines"])
    buffer = BytesIO()
    deck.save(buffer)
    _write_zip(buffer, target)


def _lines(source: Path) -> list[str]:
    return [line for line in source.read_text(encoding="utf-8").splitlines() if line.strip()]


def _write_zip(buffer: BytesIO, target: Path) -> None:
    """Copy an office file with fixed member times, and its last saving set to the fixed date."""
    target.parent.mkdir(parents=True, exist_ok=True)
    stamp = FIXED.timetuple()[:6]
    with zipfile.ZipFile(buffer) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in source.namelist():
            data = source.read(name)
            if name == "docProps/core.xml":
                data = _fixed_modified(data)
            copy.writestr(zipfile.ZipInfo(name, stamp), data, zipfile.ZIP_DEFLATED)


def _fixed_modified(core: bytes) -> bytes:
    head, opening, rest = core.partition(b"<dcterms:modified")
    if not opening:
        return core
    attributes, _, tail = rest.partition(b">")
    _, closing, end = tail.partition(b"</dcterms:modified>")
    return head + opening + attributes + b">" + FIXED.isoformat().encode() + b"Z" + closing + end


if __name__ == "__main__":
    main()
