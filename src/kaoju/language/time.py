"""Time expressions of Chinese and English text as date ranges against a reference date.

Promises: ranges are half-open (`end` is the day after); what is not understood
gives no result rather than a wrong one. Refuses clock times and durations
without an anchor. Weeks start on Monday; fiscal years are calendar years.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import Final

from kaoju.language.numerals import DIGITS, ONES, han_value

Range = tuple[date, date]
MIN: Final = date(1, 1, 1)
MAX: Final = date(9999, 12, 31)


@dataclass(frozen=True, slots=True)
class TimeRange:
    """A time expression: `source[at:until] == text` speaks about the days from `start` to before `end`."""

    text: str
    start: date
    """`date.min` for an open beginning."""
    end: date
    """Exclusive; `date.max` for an open end."""
    at: int
    until: int


MONTHS: Final = {
    name: i
    for i, names in enumerate(
        ("jan january", "feb february", "mar march", "apr april", "may", "jun june", "jul july", "aug august",
         "sep sept september", "oct october", "nov november", "dec december"), start=1)
    for name in names.split()
}  # fmt: skip
_MONTH: Final = "(?P<mon>" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")\b\.?"
_H: Final = "〇零○一二两三四五六七八九十廿"
_YEAR_ZH: Final = rf"(?P<y>\d{{4}}|\d{{2}}(?=年)|[〇零○一二三四五六七八九]{{4}}|[〇零○一二三四五六七八九]{{2}}(?=年)|今年|去年|明年|前年|后年|本年度?|上年度?|上一年度?|当年)\s?(?:年度?)?"
_RELATIVE_YEARS: Final = {"今年": 0, "本年": 0, "本年度": 0, "当年": 0, "去年": -1, "上年": -1, "上年度": -1, "上一年": -1, "上一年度": -1, "明年": 1, "前年": -2, "后年": 2}
_COUNT: Final = r"(?P<n>\d{1,3}|[一二两三四五六七八九十]{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|几|several|few|a few)"


def find_times(text: str, now: date) -> tuple[TimeRange, ...]:
    """Return the time expressions of a text in order, the longest reading of each place."""
    return _found(text, now)


@lru_cache(maxsize=20_000)
def _found(text: str, now: date) -> tuple[TimeRange, ...]:
    plain = _plain(text)
    candidates: list[tuple[int, int, Range]] = []
    for pattern, read in _RULES:
        for match in pattern.finditer(plain):
            span = _safely(read, match, now)
            if span is not None and span[0] < span[1]:
                lead = len(match.group()) - len(match.group().lstrip(" -"))
                candidates.append((match.start() + lead, match.end(), span))
    kept: list[tuple[int, int, Range]] = []
    for item in sorted(candidates, key=lambda c: (-(c[1] - c[0]), c[0])):
        if all(item[1] <= other[0] or item[0] >= other[1] for other in kept):
            kept.append(item)
    joined = _joined(plain, sorted(kept), now)
    return tuple(TimeRange(text[a:b], span[0], span[1], a, b) for a, b, span in joined)


def _plain(text: str) -> str:
    table = {chr(0xFF10 + i): str(i) for i in range(10)} | {"號": "号", "後": "后", "週": "周", "個": "个", "－": "-", "–": "-", "—": "-", "～": "~", "年度": "年度"}
    return "".join(table.get(char, char) for char in text).lower() if len(text.lower()) == len(text) else "".join(table.get(c, c) for c in text)


def _safely(read: Callable[[re.Match[str], date], Range | None], match: re.Match[str], now: date) -> Range | None:
    try:
        return read(match, now)
    except (ValueError, OverflowError):
        return None


def _joined(text: str, found: list[tuple[int, int, Range]], now: date) -> Iterator[tuple[int, int, Range]]:
    """Join neighbours into ranges (A to B) and open ones (since A, before B)."""
    del now
    i = 0
    while i < len(found):
        a, b, span = found[i]
        between = text[b : found[i + 1][0]] if i + 1 < len(found) else None
        before = text[max(0, a - 12) : a]
        if between is not None and re.fullmatch(r"\s*(?:至|到|-|~|to|through|until|till|--)\s*", between):
            a2, b2, second = found[i + 1]
            span, second = _same_year(text[a:b], span, text[a2:b2], second)
            lead = re.search(r"(?:从|自|from|between)\s*$", before)
            if second[1] > span[0]:
                yield (a - len(lead.group()) if lead else a, b2, (span[0], second[1]))
                i += 2
                continue
        if between is not None and re.search(r"(?:between)\s+$", before) and re.fullmatch(r"\s+and\s+", between):
            a2, b2, second = found[i + 1]
            span, second = _same_year(text[a:b], span, text[a2:b2], second)
            yield (a - len(re.search(r"between\s+$", before).group()), b2, (span[0], second[1]))  # type: ignore[union-attr]
            i += 2
            continue
        yield _opened(text, a, b, span)
        i += 1


_HAS_YEAR: Final = re.compile(r"\d{4}|年|year|fy|last|next|this|上|下|本")


def _same_year(first_text: str, first: Range, second_text: str, second: Range) -> tuple[Range, Range]:
    """Give the end of a range that names no year the year of the other one."""
    named = bool(_HAS_YEAR.search(first_text)), bool(_HAS_YEAR.search(second_text))
    if named == (True, False):
        second = _moved(second, first[0].year - second[0].year)
        if second[1] <= first[0]:
            second = _moved(second, 1)
    elif named == (False, True):
        first = _moved(first, second[0].year - first[0].year)
        if first[0] >= second[1]:
            first = _moved(first, -1)
    return first, second


def _moved(span: Range, years: int) -> Range:
    def shift(day: date) -> date:
        try:
            return day.replace(year=day.year + years)
        except ValueError:  # 29 February
            return day.replace(year=day.year + years, day=28)

    return shift(span[0]), shift(span[1])


def _opened(text: str, a: int, b: int, span: Range) -> tuple[int, int, Range]:
    before, after = text[max(0, a - 12) : a], text[b : b + 4]
    for pattern, where, make in _OPENERS:
        match = re.search(pattern, before) if where == "before" else re.match(pattern, after)
        if match:
            return (a - len(match.group()), b, make(span)) if where == "before" else (a, b + match.end(), make(span))
    return (a, b, span)


_OPENERS: Final[tuple[tuple[str, str, Callable[[Range], Range]], ...]] = (
    (r"^(?:以来|至今|起)", "after", lambda s: (s[0], MAX)),
    (r"^(?:之后|以后|后(?![来续]))", "after", lambda s: (s[1], MAX)),
    (r"^(?:之前|以前|前)", "after", lambda s: (MIN, s[0])),
    (r"^(?:底前|末前)", "after", lambda s: (MIN, s[1])),
    (r"(?:截至|截止到?|截止至)\s*$", "before", lambda s: (MIN, s[1])),
    (r"\bsince\s+$", "before", lambda s: (s[0], MAX)),
    (r"\bafter\s+$", "before", lambda s: (s[1], MAX)),
    (r"\bbefore\s+$", "before", lambda s: (MIN, s[0])),
    (r"\b(?:until|till|by|as of)\s+$", "before", lambda s: (MIN, s[1])),
)


def _year(text: str, now: date) -> int:
    if text in _RELATIVE_YEARS:
        return now.year + _RELATIVE_YEARS[text]
    digits = "".join(str(DIGITS[c]) if c in DIGITS else c for c in text)
    value = int(digits)
    return value if len(digits) == 4 else (2000 if value < 70 else 1900) + value  # noqa: PLR2004


def _number(text: str | None) -> int:
    if not text:
        return 1
    if text.isdigit():
        return int(text)
    if text in ("a", "an"):
        return 1
    if text in ONES:
        return ONES[text]
    value = han_value(text)
    if value is None:
        raise ValueError(text)
    return int(value)


def _months(year: int, month: int, count: int = 1) -> Range:
    """Return `count` months from a month on; the month may lie outside 1 to 12."""
    first = year * 12 + month - 1
    last = first + count
    return date(first // 12, first % 12 + 1, 1), date(last // 12, last % 12 + 1, 1)


def _day(year: int, month: int, day: int) -> Range:
    start = date(year, month, day)
    return start, start + timedelta(days=1)


def _week(now: date, offset: int) -> Range:
    start = now - timedelta(days=now.weekday()) + timedelta(weeks=offset)
    return start, start + timedelta(days=7)


def _part(span: Range, part: str | None) -> Range:
    """Return the beginning, middle or end of a year, half, quarter or month."""
    if not part:
        return span
    start, end = span
    whole = (end - start).days
    if whole > 300:  # noqa: PLR2004 - a year: its first or last three months, or the middle four
        year = start.year
        return {"e": _months(year, 1, 3), "m": _months(year, 5, 4), "l": _months(year, 10, 3)}[part]
    if 27 < whole < 32:  # noqa: PLR2004 - a month: its thirds
        edges = {"e": (0, 10), "m": (10, 20), "l": (20, whole)}[part]
        return start + timedelta(days=edges[0]), start + timedelta(days=edges[1])
    third = whole // 3
    return {"e": (start, start + timedelta(days=third)), "m": (start + timedelta(days=third), end - timedelta(days=third)), "l": (end - timedelta(days=third), end)}[part]


_PART_ZH: Final = {"初": "e", "年初": "e", "中": "m", "底": "l", "末": "l", "上旬": "e", "中旬": "m", "下旬": "l"}
_PART_EN: Final = {"early": "e", "mid": "m", "late": "l", "the beginning of": "e", "the middle of": "m", "the end of": "l"}
_QUARTERS: Final = {"一": 1, "二": 2, "三": 3, "四": 4, "1": 1, "2": 2, "3": 3, "4": 4, "first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_SHIFT_ZH: Final = {"上": -1, "上个": -1, "上一": -1, "上一个": -1, "本": 0, "这": 0, "这个": 0, "当": 0, "该": 0, "下": 1, "下个": 1, "下一": 1, "下一个": 1}
_SHIFT_EN: Final = {"last": -1, "previous": -1, "past": -1, "this": 0, "current": 0, "the current": 0, "next": 1, "coming": 1, "the last": -1, "the previous": -1, "the next": 1}


def _optional_year(match: re.Match[str], now: date) -> int:
    return _year(match.group("y"), now) if match.group("y") else now.year


def _zh_day(m: re.Match[str], now: date) -> Range:
    return _day(_optional_year(m, now), _number(m.group("m")), _number(m.group("d")))


def _zh_month(m: re.Match[str], now: date) -> Range:
    return _part(_months(_optional_year(m, now), _check(_number(m.group("m")), 12)), _PART_ZH.get(m.group("p") or ""))


def _check(value: int, top: int) -> int:
    if not 1 <= value <= top:
        raise ValueError(value)
    return value


def _zh_year(m: re.Match[str], now: date) -> Range:
    return _part(_months(_year(m.group("y"), now), 1, 12), _PART_ZH.get(m.group("p") or ""))


def _zh_quarter(m: re.Match[str], now: date) -> Range:
    return _months(_optional_year(m, now), 3 * _QUARTERS[m.group("q")] - 2, 3)


def _zh_half(m: re.Match[str], now: date) -> Range:
    return _months(_optional_year(m, now), 1 if m.group("h") in "上1" else 7, 6)


def _shifted(unit: str, shift: int, now: date, count: int = 1) -> Range:
    if unit == "week":
        start, _ = _week(now, shift)
        return start, start + timedelta(weeks=count)
    if unit == "month":
        return _months(now.year, now.month + shift, count)
    if unit == "quarter":
        return _months(now.year, 3 * ((now.month - 1) // 3) + 1 + 3 * shift, 3 * count)
    if unit == "half":
        return _months(now.year, (1 if now.month < 7 else 7) + 6 * shift, 6 * count)  # noqa: PLR2004
    if unit == "year":
        return _months(now.year + shift, 1, 12 * count)
    start = now + timedelta(days=shift)
    return start, start + timedelta(days=count)


_UNITS: Final = {"周": "week", "星期": "week", "礼拜": "week", "月": "month", "季度": "quarter", "季": "quarter", "半年": "half", "年": "year", "年度": "year", "天": "day", "日": "day",
                 "week": "week", "month": "month", "quarter": "quarter", "half": "half", "year": "year", "day": "day", "fiscal year": "year"}  # fmt: skip


def _zh_shift(m: re.Match[str], now: date) -> Range:
    return _part(_shifted(_UNITS[m.group("u")], _SHIFT_ZH[m.group("s")], now), _PART_ZH.get(m.group("p") or ""))


def _zh_weekday(m: re.Match[str], now: date) -> Range:
    start, _ = _week(now, _SHIFT_ZH.get(m.group("s") or "本", 0))
    day = "一二三四五六".find(m.group("d"))
    first = start + timedelta(days=6 if day < 0 else day)
    return first, first + timedelta(days=1)


def _past(m: re.Match[str], now: date) -> Range:
    """The past n units up to and including the reference date."""
    unit, count = _UNITS[m.group("u").removesuffix("s")], _number(m.group("n"))
    tomorrow = now + timedelta(days=1)
    if unit in ("day", "week"):
        return tomorrow - timedelta(days=count * (7 if unit == "week" else 1)), tomorrow
    months = count * {"month": 1, "quarter": 3, "half": 6, "year": 12}[unit]
    start, _ = _months(tomorrow.year, tomorrow.month - months)
    last_day = (_months(start.year, start.month)[1] - timedelta(days=1)).day
    return start.replace(day=min(tomorrow.day, last_day)), tomorrow


def _days(offset: int) -> Callable[[re.Match[str], date], Range]:
    return lambda _m, now: _shifted("day", offset, now)


def _iso(m: re.Match[str], _now: date) -> Range:
    return _day(int(m.group("y")), int(m.group("m")), int(m.group("d")))


def _en_day(m: re.Match[str], now: date) -> Range:
    year = int(m.group("y")) if m.group("y") else now.year
    return _day(year, MONTHS[m.group("mon")], int(m.group("d")))


def _en_month(m: re.Match[str], now: date) -> Range:
    year = int(m.group("y")) if m.group("y") else now.year
    return _part(_months(year, MONTHS[m.group("mon")]), _PART_EN.get((m.group("p") or "").strip(" -")))


def _en_year(m: re.Match[str], _now: date) -> Range:
    return _part(_months(int(m.group("y")), 1, 12), _PART_EN.get((m.group("p") or "").strip(" -")))


def _fiscal(m: re.Match[str], now: date) -> Range:
    return _months(_year(m.group("y"), now), 1, 12)


def _en_quarter(m: re.Match[str], now: date) -> Range:
    year = _year(m.group("y"), now) if m.group("y") else now.year
    return _months(year, 3 * _QUARTERS[m.group("q")] - 2, 3)


def _en_half(m: re.Match[str], now: date) -> Range:
    year = _year(m.group("y"), now) if m.group("y") else now.year
    return _months(year, 1 if m.group("h") in ("1", "first") else 7, 6)


def _en_shift(m: re.Match[str], now: date) -> Range:
    return _shifted(_UNITS[m.group("u")], _SHIFT_EN[m.group("s")], now)


def _decade(m: re.Match[str], _now: date) -> Range:
    start = int(m.group("y"))
    return _months(start, 1, 120)


_RULES: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], Range | None]], ...]] = tuple(
    (re.compile(pattern), read)
    for pattern, read in (
        (r"(?<!\d)(?P<y>(?:1[5-9]|20)\d{2})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)", _iso),
        (rf"(?:{_YEAR_ZH}的?)?(?P<m>\d{{1,2}}|[{_H}]{{1,3}})月(?P<d>\d{{1,2}}|[{_H}]{{1,3}})[日号]", _zh_day),
        (rf"(?:{_YEAR_ZH}的?)?(?<![\d个第])(?P<m>\d{{1,2}}|[{_H}]{{1,2}})月份?(?P<p>初|中旬|上旬|下旬|中|底|末)?(?![\d{_H}日号])", _zh_month),
        (rf"(?<!\d){_YEAR_ZH}(?:全年|期间)?(?P<p>初|中|底|末)?", lambda m, now: None if m.group("y").isdigit() and "年" not in m.group() else _zh_year(m, now)),
        (rf"(?:{_YEAR_ZH}的?)?(?:第(?P<q>[一二三四1-4])季度?|(?P<q2>[一二三四1-4])季度)", lambda m, now: _months(_optional_year(m, now), 3 * _QUARTERS[m.group("q") or m.group("q2")] - 2, 3)),
        (rf"(?:{_YEAR_ZH}的?)?(?P<h>[上下])半年", _zh_half),
        (r"(?P<s>上一个|上个|上一|上|本|这个|这|当|下一个|下个|下一|下)(?P<u>季度|星期|礼拜|半年|周|月|季)(?P<p>初|中旬|上旬|下旬|底|末)?(?![一二三四五六日天年报期])", _zh_shift),
        (r"(?P<s>上个?|本|这个?|下个?)?(?:周|星期|礼拜)(?P<d>[一二三四五六日天])", _zh_weekday),
        (rf"(?:最近|近|过去|前)(?:的)?{_COUNT}个?(?P<u>天|日|周|星期|月|季度|年)(?:来|内|以来)?", _past),
        (r"今天|今日|today", _days(0)),
        (r"昨天|昨日|yesterday", _days(-1)),
        (r"前天", _days(-2)),
        (r"明天|明日|tomorrow", _days(1)),
        (r"后天", _days(2)),
        (r"年初(?:以来|至今)|year[- ]to[- ]date|\bytd\b|since the beginning of the year", lambda _m, now: (date(now.year, 1, 1), now + timedelta(days=1))),
        (rf"\b{_MONTH}\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<y>\d{{4}}))?", _en_day),
        (rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}(?:,?\s+(?P<y>\d{{4}}))?", _en_day),
        (rf"\b(?P<p>early|late|mid|the beginning of|the end of|the middle of)?[\s-]*\b{_MONTH}(?:,?\s+(?:of\s+)?(?P<y>\d{{4}}))?", lambda m, now: None if m.group("mon") in ("may", "mar", "sec") and not m.group("y") and not m.group("p") else _en_month(m, now)),
        (r"(?<![\w.,$€£-])(?P<p>early|late|mid|the beginning of|the end of|the middle of)?[\s-]*(?<![\w.,$€£-])(?P<y>(?:1[5-9]|20)\d{2})(?![\w%]|,\d|[./-]\d|年)", _en_year),
        (r"\b(?:fy|fiscal(?: year)?|financial year|calendar year)\s?'?(?P<y>\d{4}|\d{2})\b", _fiscal),
        (r"\b(?:q(?P<q>[1-4])(?:\s?,?\s?(?:of\s)?(?:fy\s?)?'?(?P<y>\d{4}|\d{2}))?)\b", _en_quarter),
        (r"\b(?P<y>\d{4})\s?q(?P<q>[1-4])\b", _en_quarter),
        (r"\b(?:the\s+)?(?P<q>first|second|third|fourth|1st|2nd|3rd|4th)\s+quarter(?:\s+(?:of\s+)?(?:fy\s?)?(?P<y>\d{4}))?", _en_quarter),
        (r"\bh(?P<h>[12])(?:\s?,?\s?(?:of\s)?(?:fy\s?)?(?P<y>\d{4}|\d{2}))?\b", _en_half),
        (r"\b(?:the\s+)?(?P<h>first|second)\s+half(?:\s+(?:of\s+)?(?:fy\s?)?(?P<y>\d{4}))?", _en_half),
        (r"\b(?P<s>the last|the previous|the next|the current|last|previous|this|current|next|coming)\s+(?P<u>fiscal year|week|month|quarter|year)\b", _en_shift),
        (rf"\b(?:the\s+)?(?:past|last|previous|recent)\s+{_COUNT}\s+(?P<u>days?|weeks?|months?|quarters?|years?)\b", _past),
        (r"\bthe\s+(?P<y>(?:1[5-9]|20)\d0)s\b", _decade),
    )
)
