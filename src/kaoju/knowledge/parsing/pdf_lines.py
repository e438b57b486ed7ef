"""One PDF page as lines with their size and weight, and whether it draws anything like a table."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from kaoju.knowledge.parsing.compose import clean
from kaoju.knowledge.parsing.limits import Limits

_BREAK: Final = "\r\n"
_SOFT_HYPHEN: Final = re.compile("[\u0002\u00ad\ufffe]\r\n(?=\\S)")
_UNREADABLE: Final = re.compile(r"[\ufffd\ue000-\uf8ff\x00-\x08\x0e-\x1f]")
_WORD: Final = re.compile(r"[^\W_]")
_BOLD: Final = 600
_LINE: Final = 2.5
"""Points up to which a drawn box counts as a ruling line."""
_NAME: Final = 128
_BOLD_NAME: Final = re.compile(rb"bold|black|heavy|simhei", re.IGNORECASE)
_LENGTH: Final = 12.0
_FEWEST: Final = 2
_FEW_WORDS: Final = 4


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text as the page shows it."""

    text: str
    size: float
    """Font size of its first character; 0 where unknown."""
    bold: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPage:
    """What one page gave."""

    number: int
    lines: tuple[Line, ...]
    chars: int
    ruled: bool
    """True where horizontal and vertical lines cross-divide the page."""
    crowded: bool
    """True where there is too much on the page to look for tables."""

    @property
    def readable(self) -> bool:
        """True where the page has words, not just marks or unmapped glyphs."""
        return not self.garbled and len(_WORD.findall(self._text)) >= _FEW_WORDS

    @property
    def garbled(self) -> bool:
        """True where most glyphs map to no character."""
        return len(_UNREADABLE.findall(self._text)) > len(_WORD.findall(self._text))

    @property
    def _text(self) -> str:
        return "".join(line.text for line in self.lines)


def read_page(page: pdfium.PdfPage, number: int, limits: Limits) -> RawPage:
    """Return the lines of one open page and what kind of drawing is on it."""
    textpage = page.get_textpage()
    try:
        text = textpage.get_text_range()
        lines = tuple(_lines(textpage, text))
    finally:
        textpage.close()
    objects = pdfium_c.FPDFPage_CountObjects(page)
    crowded = len(text) > limits.pdf_table_chars
    ruled, too_many = (False, False) if objects < 2 * _FEWEST else _is_ruled(page, limits.pdf_table_objects)
    return RawPage(
        number=number, lines=lines, chars=len(text), ruled=ruled, crowded=too_many or (ruled and crowded)
    )


def _lines(textpage: pdfium.PdfTextPage, text: str) -> Iterable[Line]:
    """Yield lines; a word that a soft hyphen breaks over two lines is put together on the first."""
    aligned = len(text) == textpage.count_chars()
    position = 0
    for raw in _SOFT_HYPHEN.sub(lambda found: "\u0002" * len(found[0]), text).split(_BREAK):
        lead = len(raw) - len(raw.lstrip())
        shown = clean(raw).strip()
        if shown:
            size, bold = _style(textpage, position + lead) if aligned else (0.0, False)
            yield Line(" ".join(shown.split()), size, bold)
        else:
            yield Line("", 0.0, bold=False)
        position += len(raw) + len(_BREAK)


def _style(textpage: pdfium.PdfTextPage, index: int) -> tuple[float, bool]:
    size = float(pdfium_c.FPDFText_GetFontSize(textpage, index))
    if pdfium_c.FPDFText_GetFontWeight(textpage, index) >= _BOLD:
        return round(size, 1), True
    name, flags = ctypes.create_string_buffer(_NAME), ctypes.c_int()
    pdfium_c.FPDFText_GetFontInfo(textpage, index, name, _NAME, flags)
    return round(size, 1), _BOLD_NAME.search(name.value) is not None


def _is_ruled(page: pdfium.PdfPage, most: int) -> tuple[bool, bool]:
    """Return (has a grid of lines, has too many paths), looking at `most` paths."""
    across: set[int] = set()
    down: set[int] = set()
    for seen, item in enumerate(page.get_objects(filter=(pdfium_c.FPDF_PAGEOBJ_PATH,), max_depth=3), 1):
        if seen > most:
            return len(across) >= _FEWEST and len(down) >= _FEWEST, True
        left, bottom, right, top = item.get_bounds()
        width, height = right - left, top - bottom
        if width >= _LENGTH and height <= _LINE:
            across.add(round(bottom / _LINE))
        elif height >= _LENGTH and width <= _LINE:
            down.add(round(left / _LINE))
        elif width >= _LENGTH and height >= _LENGTH / 2 and _is_stroked(item):
            across.update((round(bottom / _LINE), round(top / _LINE)))
            down.update((round(left / _LINE), round(right / _LINE)))
    return len(across) > _FEWEST and len(down) > _FEWEST, False


def _is_stroked(item: pdfium.PdfObject) -> bool:
    """Tell a frame from a coloured background."""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium_c.FPDFPath_GetDrawMode(item, fill, stroke)
    return bool(stroke.value)
