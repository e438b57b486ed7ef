"""From spoken style to search style: politeness off, relative times made explicit. Pure."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Final

from kaoju.language.time import MAX, MIN, TimeRange, find_times

_POLITE_ZH: Final = re.compile(
    r"^(?:你好|您好|嗨|hi)?[，,！!。\s]*(?:请问一下|请问|麻烦(?:你|您)?(?:帮我)?|帮我(?:查一下|查一查|查查|看一下|看看|找一下|找找)?|我想(?:知道|了解|问)(?:一下)?|能不能告诉我|可以告诉我|请告诉我|告诉我|查一下|查询一下|请(?:帮我)?)(?=.)[，,：:\s]*"
)
_POLITE_EN: Final = re.compile(
    r"^(?:hi|hello|hey)?[,!.\s]*(?:please\s+)?(?:(?:could|can|would) you (?:please )?(?:tell me|find out|look up|check)|tell me|i(?:'d| would)? (?:like|want) to know|do you know|let me know|i wonder|find out|look up)[,:\s]+(?:please\s+)?",
    re.IGNORECASE,
)
_HELLO: Final = re.compile(r"^(?:你好|您好|嗨|hi|hello|hey)[，,！!。.\s]+(?=.{2})", re.IGNORECASE)
_BRACES: Final = re.compile(r"\{(t\d+)\}")
"""Placeholders are the planner's own: what a user writes is text."""
_TAIL_ZH: Final = re.compile(
    r"[，,\s]*(?:谢谢|多谢|好吗|可以吗|(?:你|您)?(?:能不能|可不可以|能否|可否|能|可以)?(?:请)?告诉我(?:一下)?吗?)[！!。.？?]*$"
)
_TAIL_EN: Final = re.compile(r"[,\s]*(?:please|thanks|thank you)[.!?]*$", re.IGNORECASE)
_RELATIVE: Final = re.compile(
    r"[去今明昨]|[前后][年天]|[上本这下当]个?(?:半年|季|月|周|星期|年)|本期|上期|\b(?:last|this|next|previous|current|past|today|yesterday|tomorrow|ago)\b",
    re.IGNORECASE,
)
"""A month or quarter without a year is no relative time: nobody said which year it means."""
_FILLERS: Final = re.compile(
    r"到底|究竟|(?<=[\u4e00-\u9fff])(?:啊|呀|嘛|哈|啦)(?=[？?。！!，,]|$)|^(?:那个|那么|那|嗯|呃|就是)[，,]\s*|咱们(?=公司|部门)|\b(?:basically|actually|exactly)\s",
    re.IGNORECASE,
)


def search_style(text: str, now: date) -> str:
    """Return a question as a query: self-contained, without politeness, relative times explicit."""
    bare = _BRACES.sub(r"\1", text.strip())
    bare = _TAIL_EN.sub("", _TAIL_ZH.sub("", bare)) or bare
    for pattern in (_HELLO, _POLITE_ZH, _POLITE_ZH, _POLITE_EN):
        shorter = pattern.sub("", bare).strip()
        bare = shorter or bare
    return explicit_times(_FILLERS.sub("", bare) or bare, now)


def explicit_times(text: str, now: date) -> str:
    """Return the text with relative times (去年, last quarter) replaced by what they mean on the reference date."""
    parts: list[str] = []
    at = 0
    for found in find_times(text, now):
        said = (
            None
            if not _RELATIVE.search(found.text)
            else explicit(found, chinese=bool(re.search(r"[\u4e00-\u9fff]", text)))
        )
        if said:
            parts += [text[at : found.at], said]
            at = found.until
    return "".join([*parts, text[at:]])


def explicit(found: TimeRange, *, chinese: bool) -> str | None:
    """Return a range as a calendar year, half, quarter, month or day in words; None where it is none of these."""
    start, end = found.start, found.end
    if start == MIN or end == MAX:
        return None
    months = (end.year - start.year) * 12 + end.month - start.month if start.day == end.day == 1 else 0
    year = start.year
    if months == 12 and start.month == 1:
        return f"{year}年" if chinese else str(year)
    if months == 6 and start.month in (1, 7):
        return (
            f"{year}年{'上' if start.month == 1 else '下'}半年"
            if chinese
            else f"H{1 if start.month == 1 else 2} {year}"
        )
    if months == 3 and start.month in (1, 4, 7, 10):
        quarter = (start.month + 2) // 3
        return f"{year}年第{'一二三四'[quarter - 1]}季度" if chinese else f"Q{quarter} {year}"
    if end - start == timedelta(days=1):
        return f"{year}年{start.month}月{start.day}日" if chinese else f"{start.day} {start:%B %Y}"
    if months == 1:
        return f"{year}年{start.month}月" if chinese else (end - timedelta(days=1)).strftime("%B %Y")
    return None
