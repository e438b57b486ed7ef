"""Headings that plain text shows by their numbering, in Chinese and English."""

from __future__ import annotations

import re
from typing import Final

_LEVELS: Final[tuple[tuple[float, re.Pattern[str]], ...]] = (
    (1, re.compile(r"第\s*[一二三四五六七八九十百零〇\d]+\s*[编篇卷]|[部]分\s*[一二三四五六七八九十\d]+|第\s*[一二三四五六七八九十\d]+\s*部分")),
    (1, re.compile(r"(?:PART|Part)\s+(?:[IVXLC]+|\d+)\b")),
    (2, re.compile(r"第\s*[一二三四五六七八九十百零〇\d]+\s*章|附\s*[录件表]\s*[一二三四五六七八九十\dA-Z]*(?=[\s:：、.]|$)")),
    (2, re.compile(r"(?:CHAPTER|Chapter|ARTICLE|Article|APPENDIX|Appendix|EXHIBIT|Exhibit)\s+(?:[IVXLC]+|\d+|[A-Z])\b")),
    (2, re.compile(r"(?:ITEM|Item)\s+\d{1,2}[A-C]?\s*[.:—–-]")),
    (3, re.compile(r"第\s*[一二三四五六七八九十百零〇\d]+\s*节")),
    (4, re.compile(r"[一二三四五六七八九十]{1,3}\s*、")),
    (5, re.compile(r"[（(]\s*[一二三四五六七八九十]{1,3}\s*[)）]")),
    (6, re.compile(r"\d{1,2}(?:[.．]\d{1,2}){0,4}(?:[.．、]|\s)\s*(?=[^\W\d])")),
)  # fmt: skip
_DOTTED: Final = re.compile(r"\d{1,2}(?:[.．]\d{1,2})*")
_CONTENTS: Final = re.compile(r"(?:[.·…‥_\s]{4,}|\s{2,})\d{1,4}$|\.{4,}|…{2,}")
_SENTENCE_END: Final = ("。", "；", ";", "，", ",", "！", "：", ":", "、", "?", "？", "!")
_CJK: Final = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_MAX_CJK: Final = 32
_MAX_LATIN: Final = 120
_MAX_ITEM: Final = 8


def level_of(line: str) -> float | None:
    """Return the level of a numbered heading, smaller is further out; None for any other line."""
    text = line.strip()
    brackets = text.count("(") + text.count("（") - text.count(")") - text.count("）")
    if not looks_short(text) or _CONTENTS.search(text) or brackets != 0:
        return None
    for level, pattern in _LEVELS:
        found = pattern.match(text)
        if found is None:
            continue
        if level < 6:
            return level
        return _dotted_level(text, found)
    return None


def looks_short(text: str) -> bool:
    """Tell whether a line is short enough for a heading and does not end like a sentence."""
    limit = _MAX_CJK if _CJK.search(text) else _MAX_LATIN
    return 0 < len(text) <= limit and not text.endswith(_SENTENCE_END)


def _dotted_level(text: str, found: re.Match[str]) -> float | None:
    """Judge `1.2 Scope`: a title after the number, not a sentence, an amount or a list item."""
    number = _DOTTED.match(text)
    depth = number[0].count(".") + number[0].count("．") if number else 0
    title = text[found.end() :]
    if not title or text.endswith("."):
        return None
    words = title.split()
    if _CJK.search(title):
        return 6 + depth
    if not title[0].isupper() or (depth == 0 and len(words) > _MAX_ITEM):
        return None
    return 6 + depth
