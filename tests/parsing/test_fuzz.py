"""Whatever happens to a file on its way, only documents or `IngestError`s come out."""

from __future__ import annotations

import io
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import openpyxl
import pptx
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pptx.util import Inches
from reportlab.pdfgen.canvas import Canvas

from kaoju.errors import IngestError
from kaoju.knowledge.parsing import parse
from kaoju.model.document import REASONS, Document


def _pdf() -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pageCompression=0)
    for page in range(3):
        canvas.drawString(60, 700, f"1.{page + 1} Scope")
        canvas.drawString(60, 680, "Some words on a page of text.")
        canvas.grid([60, 120, 180], [500, 520, 540, 560])
        canvas.drawString(64, 545, "a")
        canvas.drawString(124, 545, "b")
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _office(make: Callable[[io.BytesIO], None]) -> bytes:
    out = io.BytesIO()
    make(out)
    return out.getvalue()


def _docx(out: io.BytesIO) -> None:
    d = docx.Document()
    d.add_heading("Scope", 1)
    d.add_table(2, 2).cell(0, 0).text = "x"
    d.save(out)


def _pptx(out: io.BytesIO) -> None:
    p = pptx.Presentation()
    s = p.slides.add_slide(p.slide_layouts[5])
    s.shapes.title.text = "Title"
    s.shapes.add_table(2, 2, Inches(1), Inches(1), Inches(4), Inches(1)).table.cell(0, 0).text = "x"
    p.save(out)


def _xlsx(out: io.BytesIO) -> None:
    b = openpyxl.Workbook()
    for row in (["a", "b"], ["x", 1], ["y", 2.5]):
        b.active.append(row)
    b.active.merge_cells("A2:A3")
    b.save(out)


def _parquet(out: io.BytesIO) -> None:
    pq.write_table(pa.table({"a": list(range(50)), "b": ["x"] * 50}), out)


def _sqlite() -> bytes:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (a, b)")
    connection.executemany("INSERT INTO t VALUES (?, ?)", [(n, "x" * n) for n in range(50)])
    connection.commit()
    return connection.serialize()


FUZZ = settings(max_examples=40, deadline=None, database=None, suppress_health_check=list(HealthCheck))

SEEDS: dict[str, bytes] = {
    "a.pdf": _pdf(),
    "a.docx": _office(_docx),
    "a.pptx": _office(_pptx),
    "a.xlsx": _office(_xlsx),
    "a.parquet": _office(_parquet),
    "a.db": _sqlite(),
    "a.html": b"<h1>T</h1><p>text<table><tr><td rowspan=2>a<td>b<tr><td>c</table><ul><li>x</ul><pre>y</pre>",
    "a.md": b"---\ntitle: t\n---\n# H\n\n- a\n  1. b\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```\n",
    "a.csv": b'a,b\n1,"x, y"\n2,z\n',
    "a.txt": "第一章 总则\n正文。\n\n1.1 Scope\n".encode(),
    "a.jsonl": b'{"id": "a", "text": "one"}\n{"id": "b", "text": "two", "date": "2024-01-01"}\n',
}


@st.composite
def damaged(draw: st.DrawFn, seed: bytes) -> bytes:
    """Cut the seed, change bytes of it, repeat a piece of it or put noise into it."""
    data = bytearray(seed)
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(["cut", "byte", "repeat", "insert", "delete"]))
        at = draw(st.integers(0, max(0, len(data) - 1)))
        length = draw(st.integers(0, 40))
        if kind == "cut":
            del data[at:]
        elif kind == "byte" and data:
            data[at] = draw(st.integers(0, 255))
        elif kind == "repeat":
            data[at:at] = data[at : at + length] * draw(st.integers(1, 5))
        elif kind == "insert":
            data[at:at] = draw(st.binary(max_size=20))
        elif kind == "delete":
            del data[at : at + length]
    return bytes(data)


@pytest.mark.parametrize("name", SEEDS)
def test_seeds_parse(name: str, tmp_path: Path, check) -> None:
    path = tmp_path / name
    path.write_bytes(SEEDS[name])
    assert all(check(document).blocks for document in parse(path, name))


def outcome(path: Path, check: Callable[[Document], Document]) -> str:
    """Parse a file; return the reason of its refusal, or nothing. Any other error comes through."""
    try:
        for document in parse(path, path.name):
            check(document)
    except IngestError as error:
        return error.reason
    return ""


@pytest.mark.parametrize("name", SEEDS)
def test_only_documents_or_ingest_errors_come_out(
    name: str, tmp_path: Path, check: Callable[[Document], Document]
) -> None:
    path = tmp_path / name

    @FUZZ
    @given(damaged(SEEDS[name]))
    def run(data: bytes) -> None:
        path.write_bytes(data)
        assert outcome(path, check) in {"", *REASONS}

    run()


PARTS = [
    ("a.docx", "word/document.xml"),
    ("a.docx", "word/styles.xml"),
    ("a.pptx", "ppt/slides/slide1.xml"),
    ("a.pptx", "ppt/presentation.xml"),
    ("a.xlsx", "xl/worksheets/sheet1.xml"),
    ("a.xlsx", "xl/workbook.xml"),
    ("a.xlsx", "xl/_rels/workbook.xml.rels"),
]


@pytest.mark.parametrize(("name", "part"), PARTS)
def test_damage_inside_a_sound_archive(
    name: str, part: str, tmp_path: Path, check: Callable[[Document], Document]
) -> None:
    path = tmp_path / name
    with zipfile.ZipFile(io.BytesIO(SEEDS[name])) as archive:
        members = {member: archive.read(member) for member in archive.namelist()}

    @FUZZ
    @given(damaged(members[part]))
    def run(data: bytes) -> None:
        with zipfile.ZipFile(path, "w") as archive:
            for member, content in members.items():
                archive.writestr(member, data if member == part else content)
        assert outcome(path, check) in {"", *REASONS}

    run()
