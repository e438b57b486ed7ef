"""Builds the files that the parsing tests read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from kaoju.errors import IngestError
from kaoju.knowledge.parsing import full_text, parse
from kaoju.model.document import REASONS, Document


def _check(document: Document) -> Document:
    """Assert what holds for every document, whatever its format."""
    for block in document.blocks:
        assert full_text(document, block.page)[block.start : block.end] == block.text
        assert block.text.strip()
        block.text.encode("utf-8")
    for table in document.tables:
        assert len({name.casefold() for name in table.columns}) == len(table.columns) > 0
        assert all(table.columns)
        assert all(len(row) == len(table.columns) for row in table.rows)
    names = [table.name for table in document.tables]
    assert len(set(names)) == len(names)
    return document


def _one(path: Path) -> Document:
    """Parse a file that holds one document."""
    (document,) = parse(path, path.name)
    assert document.id == path.name
    return _check(document)


def _refused(path: Path) -> str:
    """Return the reason with which a file is refused."""
    with pytest.raises(IngestError) as caught:
        list(parse(path, path.name))
    assert caught.value.reason in REASONS
    assert path.name in caught.value.message
    assert path.name in caught.value.zh
    assert caught.value.zh != caught.value.message
    return caught.value.reason


def _texts(document: Document, kind: str = "") -> list[str]:
    """Return the texts of the blocks of one kind."""
    return [block.text for block in document.blocks if not kind or block.kind == kind]


@pytest.fixture
def check() -> Callable[[Document], Document]:
    return _check


@pytest.fixture
def one() -> Callable[[Path], Document]:
    return _one


@pytest.fixture
def refused() -> Callable[[Path], str]:
    return _refused


@pytest.fixture
def texts() -> Callable[..., list[str]]:
    return _texts


PdfMaker = Callable[..., Path]


@pytest.fixture
def pdf(tmp_path: Path) -> PdfMaker:
    """Write a PDF: one list of lines per page, `(text, size)` where the size matters."""
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))

    def make(
        pages: Sequence[Sequence[str | tuple[str, int]]],
        name: str = "a.pdf",
        *,
        user: str | None = None,
        owner: str | None = None,
        draw: Callable[[Canvas, int], None] | None = None,
    ) -> Path:
        path = tmp_path / name
        lock = None
        if user is not None or owner is not None:
            lock = StandardEncryption(user or "", ownerPassword=owner, canPrint=0, canCopy=0)
        canvas = Canvas(str(path), pagesize=A4, encrypt=lock)
        for number, lines in enumerate(pages, 1):
            y = 800
            for line in lines:
                text, size = (line, 11) if isinstance(line, str) else line
                canvas.setFont("STSong-Light", size)
                canvas.drawString(60, y, text)
                y -= size + 5
            if draw is not None:
                draw(canvas, number)
            canvas.showPage()
        canvas.save()
        return path

    return make
