"""The lines of PDF pages as headings, lists and paragraphs.

Lines that fill the column are joined to the next (with a space between Latin
words, with none between Chinese characters); short lines and rows of figures
keep their own line. The page text is defined as the result, so offsets are exact.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Final

from kaoju.knowledge.parsing.compose import Composer, join_lines
from kaoju.knowledge.parsing.headings import level_of, looks_short
from kaoju.knowledge.parsing.pdf_lines import Line

_WIDE: Final = frozenset("WF")
_ITEM: Final = re.compile(
    r"(?:[•·●○■◆▪◦➢✓\uf06c\uf0b7\uf0a7\uf0d8\uf075]|[-–*]\s|[（(]?(?:\d{1,2}|[a-zA-Z])[)）]\s?|\d{1,2}[.、．]\s?(?=\D)|第\s*[\d.一二三四五六七八九十百]+\s*条)\s*\S"
)
_NUMBER: Final = re.compile(r"[(（]?[-−$¥€£]?\d[\d,.]*[%)）]?|[-—–$]+")
_END: Final = ("。", "！", "？", ".", "!", "?", "；", ":", "：", "”", "」")
_CJK: Final = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f]")
_TAIL: Final = re.compile(r"(?:[.·…_\s]{4,}|\s)\d[\d,.]*%?$")
_BIGGER: Final = 1.12
_FULL: Final = 0.82
_ENDED: Final = 0.94
"""Share of the column that a line fills when its paragraph goes on, inside and at the end of a sentence."""
_FEW: Final = 4
_FEW_WIDE: Final = 2
_HEADING_LINES: Final = 3
_HEADING_FULL: Final = 0.6
_BLOCK_CHARS: Final = 3_000
_BOLD_LEVEL: Final = 60.0


def body_size(pages: Sequence[Sequence[Line]]) -> float:
    """Return the font size that most of the text is set in; 0 where sizes tell nothing."""
    sizes: Counter[float] = Counter()
    for lines in pages:
        for line in lines:
            sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0.0


def add_page(composer: Composer, lines: Sequence[Line], number: int, body: float) -> None:
    """Add one page's lines to the document."""
    width = _column_width(lines)
    bold_page = 2 * sum(len(line.text) for line in lines if line.bold) > sum(len(line.text) for line in lines)
    paragraph: list[str] = []
    heading: list[Line] = []
    heading_level = 0.0
    for index, line in enumerate(lines):
        following = next((one.text for one in lines[index + 1 :] if one.text), "")
        level = _heading_level(line, following, body, bold_page=bold_page)
        if heading and (
            level is None
            or len(heading) == _HEADING_LINES
            or not _goes_on(heading[-1], line, width, same_level=level == heading_level)
        ):
            composer.heading(join_lines([one.text for one in heading]), heading_level, number)
            heading = []
        if level is not None:
            _flush(composer, paragraph, number, width)
            heading_level = heading_level if heading else level
            heading.append(line)
            continue
        if not line.text or (paragraph and _starts(line.text, paragraph, width)):
            _flush(composer, paragraph, number, width)
        if line.text:
            paragraph.append(line.text)
    if heading:
        composer.heading(join_lines([one.text for one in heading]), heading_level, number)
    _flush(composer, paragraph, number, width)


def _heading_level(line: Line, following: str, body: float, *, bold_page: bool) -> float | None:
    """Return the level of a heading line: size first, then numbering, then weight."""
    text = line.text
    if not text or (_ITEM.match(text) and level_of(text) is None):
        return None
    size_level = -100.0 * round(line.size)
    bigger = body > 0 and line.size >= _BIGGER * body
    emphasised = bigger or (line.bold and not bold_page)
    numbered = level_of(text)
    if numbered is not None:
        plain_item = numbered == 6 and not emphasised and (not following or level_of(following) is not None)
        return None if plain_item else size_level + numbered
    if not emphasised or not looks_short(text) or _figures(text) or _TAIL.search(text):
        return None
    letters = sum(ch.isalpha() for ch in text)
    if letters < (_FEW_WIDE if _CJK.search(text) else _FEW) or 2 * letters < len(text) or text.endswith("."):
        return None
    return size_level + (50.0 if bigger else _BOLD_LEVEL)


def _goes_on(last: Line, line: Line, width: int, *, same_level: bool) -> bool:
    """Tell whether a heading line continues the one above it, which filled its line."""
    return (
        same_level
        and (last.size, last.bold) == (line.size, line.bold)
        and _columns(last.text) >= _HEADING_FULL * width
        and level_of(line.text) is None
    )


def _starts(text: str, paragraph: Sequence[str], width: int) -> bool:
    """Tell whether a line begins a new paragraph or list, given those before it."""
    last = paragraph[-1]
    if text[0].islower() and not _ITEM.match(text):
        return False
    if sum(map(len, paragraph)) > _BLOCK_CHARS:
        return True
    item = _ITEM.match(text) is not None
    if item != (_ITEM.match(paragraph[0]) is not None):
        return item or (_columns(last) < _FULL * width and last.endswith(_END))
    return not item and _columns(last) < _ENDED * width and last.endswith(_END) and not _figures(text)


def _flush(composer: Composer, lines: list[str], number: int, width: int) -> None:
    if not lines:
        return
    listed = len(lines) > 1 and _ITEM.match(lines[0]) is not None
    joined = [lines[0]]
    last = lines[0]
    for line in lines[1:]:
        least = (_ENDED if last.endswith(_END) else _FULL) * width
        if _columns(last) >= least and not (_figures(last) or _figures(line) or _ITEM.match(line)):
            joined[-1] = join_lines([joined[-1], line])
        else:
            joined.append(line)
        last = line
    composer.add("\n".join(joined), kind="list" if listed else "paragraph", page=number)
    lines.clear()


def _figures(text: str) -> bool:
    """Tell whether a line is a row of figures rather than prose."""
    tokens = text.split()
    numbers = sum(_NUMBER.fullmatch(token) is not None for token in tokens)
    figured = sum(any(ch.isdigit() for ch in token) for token in tokens)
    return (numbers >= 2 and numbers >= 0.3 * len(tokens)) or (
        len(tokens) > 2 and figured >= 0.5 * len(tokens)
    )


def _column_width(lines: Sequence[Line]) -> int:
    """Return the width that full lines of the page have."""
    widths = sorted(_columns(line.text) for line in lines if line.text)
    return widths[int(0.9 * (len(widths) - 1))] if widths else 0


def _columns(text: str) -> int:
    """Return the display width: wide characters count twice."""
    return sum(2 if unicodedata.east_asian_width(ch) in _WIDE else 1 for ch in text)
