"""The grammar of time expressions: what each form looks like, and the range it means.

Patterns see plain text: lower case, half-width digits, simplified variants. A
rule whose pattern has a group `y` may stand without a year, which the reference
date then gives. Forms that are seen but mean nothing certain are in `UNREAD`:
they take their place, so that no part of them is read as something else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from kaoju.language.numerals import DIGITS, ONES, han_value
from kaoju.language.periods import Part, Range, Unit, coming, day, days, months, part, past, quarter, shifted

Reader = Callable[[re.Match[str], date], Range | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """One form of time expression."""

    pattern: re.Pattern[str]
    read: Reader
    """Raises `ValueError` or returns None where the form holds no real date."""
    absolute: bool
    """True for dates and periods of the calendar, whose digits are no amounts."""
    hints: tuple[str, ...]
    """A text without any of these holds no such form: most texts are settled by a look for a word."""


# Words and their meaning

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        "jan january|feb february|mar march|apr april|may|jun june|jul july|aug august|sep sept september"
        "|oct october|nov november|dec december".split("|"),
        start=1,
    )
    for name in names.split()
}
_UNITS: Final[dict[str, Unit]] = {
    "天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "季度": "quarter", "季": "quarter",
    "半年": "half", "年": "year", "年度": "year",
    "day": "day", "week": "week", "month": "month", "quarter": "quarter", "year": "year", "fiscal year": "year",
}  # fmt: skip
_PARTS: Final[dict[str, Part]] = {
    "初": "early", "上旬": "early", "中": "mid", "中旬": "mid", "底": "late", "末": "late", "下旬": "late",
    "early": "early", "beginning": "early", "start": "early", "mid": "mid", "middle": "mid", "late": "late", "end": "late",
}  # fmt: skip
_RELATIVE_YEARS: Final = {
    "今年": 0, "本年": 0, "本年度": 0, "当年": 0, "去年": -1, "上年": -1, "上年度": -1, "上一年": -1, "上一年度": -1,
    "明年": 1, "前年": -2, "后年": 2, "last year": -1, "this year": 0, "next year": 1,
}  # fmt: skip
_NEAR_DAYS: Final = {
    "大前天": -3, "前天": -2, "昨天": -1, "昨日": -1, "今天": 0, "今日": 0, "明天": 1, "明日": 1, "后天": 2,
    "yesterday": -1, "today": 0, "tomorrow": 1,
}  # fmt: skip
_ORDINALS: Final = {
    word: i
    for i, words in enumerate(
        ("first 1st 一 1", "second 2nd 二 2", "third 3rd 三 3", "fourth 4th last 四 4"), start=1
    )
    for word in words.split()
}
_WEEKDAYS: Final = {word: i for i, word in enumerate("mon tue wed thu fri sat sun".split())} | {
    word: i for i, words in enumerate(("一", "二", "三", "四", "五", "六", "日天")) for word in words
}

# Pieces of patterns

_YEAR: Final = r"(?:1[5-9]|20)\d{2}"
_HAN_DIGIT: Final = "〇零○一二三四五六七八九"
_ZH_YEAR: Final = rf"""(?:(?<![\d.,])(?P<y>\d{{4}}(?=\s?(?:年|财年))|[{_HAN_DIGIT}]{{4}}(?=年)
    |(?:(?<![\u4e00-\u9fff\d])|(?<=[从自于在至到和与是]))(?:\d{{2}}|[{_HAN_DIGIT}]{{2}})(?=年\s?(?:\d|[{_HAN_DIGIT}十])+\s?月)
    |今年|去年|明年|(?<![之以])前年|(?<![之以])后年|本年度?|上年度?|上一年度?|当年)(?:\s?年度?|\s?财年)?)"""
_OPT_ZH_YEAR: Final = rf"(?:{_ZH_YEAR}的?\s?)?"
_ZH_NUMBER: Final = rf"\d{{1,2}}|[{_HAN_DIGIT}十廿]{{1,3}}"
_ZH_PART: Final = r"(?P<p>初|中旬|上旬|下旬|中(?!旬)|底|末)?"
_COUNT: Final = r"(?P<n>\d{1,3}|[一二两三四五六七八九十]{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_MONTH: Final = rf"(?P<mon>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\b"
_EN_DAY: Final = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?\b"
_EN_DAYS: Final = rf"{_EN_DAY}(?:\s?(?:-|to|through|and)\s?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?![/.]\d))?"
_EN_YEAR: Final = rf"(?P<y>{_YEAR})(?!\d)"
_OF_YEAR: Final = rf"(?:\s*,?\s*(?:of\s+|in\s+)?(?:fy|fiscal(?:\s+year)?|the\s+year)?\s?'?(?P<y>{_YEAR}|(?<=fy)\d{{2}}|(?<=')\d{{2}}|last\s+year|this\s+year|next\s+year)\b)?"
_EN_PART: Final = r"(?:(?:the\s+)?\b(?P<p>early|late|mid|beginning|start|middle|end)(?:\s+of)?[\s-]+)?"
_SHIFT: Final = r"(?:the\s+)?(?P<s>last|previous|this|current|next|coming)\s+"
_WEEKDAY: Final = r"(?P<w>mon|tue|wed|thu|fri|sat|sun)(?:day|sday|s|nesday|rsday|urs?|urday)?\b"

COUNTED: Final = (
    r"\s?(?:元|美元|人|个|万|亿|家|台|件|条|次|吨|米|公里|million|billion|thousand|percent|dollars?|euros?|yuan|rmb|usd|people|persons?|employees"
    r"|staff|units?|items?|pieces|copies|times|words|pages|shares|votes|students|members|users|customers|families|households|homes|jobs|cars|vehicles"
    r"|square|cubic|k?m\b|meters?|metres?|kilomet\w+|miles?|feet|foot|kg|tons?|tonnes?|hours?|days?|weeks?|months?|years?|calories|watts?|mah|rpm)(?![a-z])"
)
"""What follows a four-digit number that is an amount and no year."""


def _number(text: str) -> int:
    if text.isascii() and text.isdigit():
        return int(text)
    if text in ("a", "an"):
        return 1
    value = ONES.get(text) or han_value(text)
    if value is None:
        raise ValueError(text)
    return int(value)


def _year(match: re.Match[str], now: date) -> int:
    """Return the year that an expression names, the reference date's where it names none."""
    text = match.group("y")
    if text is None:
        return now.year
    text = " ".join(text.split())
    if text in _RELATIVE_YEARS:
        return now.year + _RELATIVE_YEARS[text]
    digits = "".join(str(DIGITS.get(char, char)) for char in text)
    value = int(digits)
    return value if len(digits) == 4 else (2000 if value < 70 else 1900) + value


def _part(match: re.Match[str]) -> Part | None:
    return _PARTS.get(match.group("p") or "")


def _month(value: int) -> int:
    if not 1 <= value <= 12:
        raise ValueError(value)
    return value


def _shift(text: str) -> int:
    """Return how many units a word such as 上上, 下, last or next moves."""
    if text in ("last", "previous"):
        return -1
    if text in ("next", "coming"):
        return 1
    return text.count("下") - text.count("上")


# Chinese


def _zh_day(m: re.Match[str], now: date) -> Range:
    year, month = _year(m, now), _number(m.group("m"))
    start, end = day(year, month, _number(m.group("d")))
    return (start, day(year, month, _number(m.group("d2")))[1]) if m.group("d2") else (start, end)


def _zh_month(m: re.Match[str], now: date) -> Range:
    first = last = _month(_number(m.group("m")))
    if m.group("m2"):
        last = _month(_number(m.group("m2")))
    return part(months(_year(m, now), first, last - first + 1), _part(m))


def _zh_year(m: re.Match[str], now: date) -> Range:
    return part(months(_year(m, now), 1, 12), _part(m))


def _zh_first_quarters(m: re.Match[str], now: date) -> Range:
    return months(_year(m, now), 1, 3 * _number(m.group("n")))


def _zh_first_months(m: re.Match[str], now: date) -> Range:
    return months(_year(m, now), 1, _month(_number(m.group("n"))))


def _zh_half(m: re.Match[str], now: date) -> Range:
    return months(_year(m, now), 1 if m.group("h") == "上" else 7, 6)


def _zh_shift(m: re.Match[str], now: date) -> Range:
    return part(shifted(_UNITS[m.group("u")], _shift(m.group("s")), now), _part(m))


def _zh_weekday(m: re.Match[str], now: date) -> Range:
    monday, _ = shifted("week", _shift(m.group("s")), now)
    return days(monday + timedelta(days=_WEEKDAYS[m.group("w")]))


def _zh_shifted_day(m: re.Match[str], now: date) -> Range:
    start, _ = shifted("month", _shift(m.group("s")), now)
    return day(start.year, start.month, _number(m.group("d")))


def _zh_decade(m: re.Match[str], now: date) -> Range:
    tens, century = m.group("tens"), m.group("c")
    value = _number(tens) if tens.isdigit() else int(han_value(tens) or 0)
    if value % 10 or not 0 <= value < 100:
        raise ValueError(tens)
    if century is None:
        if not 30 <= value <= 90:
            raise ValueError(tens)
        hundreds = 1900
    elif century in ("上", "上个"):
        hundreds = now.year // 100 * 100 - 100
    else:
        hundreds = 100 * (_number(century) - 1)
    return months(hundreds + value, 1, 120)


# Both


def _near_day(m: re.Match[str], now: date) -> Range:
    return shifted("day", _NEAR_DAYS[m.group()], now)


def _past(m: re.Match[str], now: date) -> Range:
    return past(_unit(m), _count(m), now)


def _coming(m: re.Match[str], now: date) -> Range:
    return coming(_unit(m), _count(m), now)


def _unit(m: re.Match[str]) -> Unit:
    return _UNITS[m.group("u").removesuffix("s")]


def _count(m: re.Match[str]) -> int:
    count = _number(m.group("n")) if m.group("n") else 1
    if not 0 < count <= 400:
        raise ValueError(count)
    return count


def _this_year_so_far(_m: re.Match[str], now: date) -> Range:
    return date(now.year, 1, 1), now + timedelta(days=1)


def _iso_day(m: re.Match[str], _now: date) -> Range:
    return day(int(m.group("y")), int(m.group("m")), int(m.group("d")))


def _iso_month(m: re.Match[str], _now: date) -> Range | None:
    """Read 2023-03, but not 2001-02 or 2010-12, which may be a season or a span of years."""
    year, month = int(m.group("y")), int(m.group("m"))
    return None if month > year % 100 else months(year, _month(month))


def _slashed(m: re.Match[str], _now: date) -> Range | None:
    """Read 5/17/2018 or 17/5/2018; None where day and month may be either way round."""
    a, b = int(m.group("a")), int(m.group("b"))
    if a <= 12 and b <= 12 and a != b:
        return None
    month, number = (b, a) if a > 12 else (a, b)
    return day(int(m.group("y")), month, number)


# English


def _en_day(m: re.Match[str], now: date) -> Range:
    year, month = _year(m, now), _MONTHS[m.group("mon")]
    start, end = day(year, month, int(m.group("d")))
    second = m.groupdict().get("d2")
    return (start, day(year, month, int(second))[1]) if second else (start, end)


_NAMES_A_MONTH: Final = re.compile(
    rf"\b(?:in|during|since|until|from|last|next|early|late|mid|(?:{'|'.join(_MONTHS)})\s?(?:to|-|through|and))[\s-]?$"
)
_TO_A_MONTH: Final = re.compile(
    rf"\s?(?:to|-|through)\s?(?:{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\b"
)


def _en_month(m: re.Match[str], now: date) -> Range | None:
    doubtful = m.group("mon") in ("may", "march", "mar") and m.group("y") is None and m.group("p") is None
    before = m.string[max(0, m.start() - 20) : m.start()]
    if doubtful and not _NAMES_A_MONTH.search(before) and not _TO_A_MONTH.match(m.string, m.end()):
        return None
    return part(months(_year(m, now), _MONTHS[m.group("mon")]), _part(m))


def _en_year(m: re.Match[str], now: date) -> Range:
    return part(months(_year(m, now), 1, 12), _part(m))


def _years(m: re.Match[str], _now: date) -> Range | None:
    """Read 2020-2023年 and 2014-2018, but not 2000-1800 or numbers that are far apart."""
    first, last = int(m.group("y")), int(m.group("last"))
    return months(first, 1, 12 * (last - first + 1)) if first < last <= first + 100 else None


def _fiscal(m: re.Match[str], now: date) -> Range:
    return months(_year(m, now), 1, 12)


def _en_quarter(m: re.Match[str], now: date) -> Range:
    return quarter(_year(m, now), _ORDINALS[m.group("q")])


def _en_half(m: re.Match[str], now: date) -> Range:
    return months(_year(m, now), 1 if _ORDINALS[m.group("h")] == 1 else 7, 6)


def _en_first_months(m: re.Match[str], now: date) -> Range:
    return months(_year(m, now), 1, _month(_number(m.group("n"))))


def _en_shift(m: re.Match[str], now: date) -> Range | None:
    unit = _UNITS[m.group("u")]
    start, end = shifted(unit, _shift(m.group("s")), now)
    if m.group("when") == "later":
        return max(start, now + timedelta(days=1)), end
    if m.group("when") == "earlier":
        return start, min(end, now)
    return start, end


def _en_weekday(m: re.Match[str], now: date) -> Range:
    monday, _ = shifted("week", _shift(m.group("s")), now)
    return days(monday + timedelta(days=_WEEKDAYS[m.group("w")]))


def _ago(m: re.Match[str], now: date) -> Range:
    return days(now - timedelta(days=_count(m) * (7 if _unit(m) == "week" else 1)))


def _decade(m: re.Match[str], _now: date) -> Range:
    return part(months(int(m.group("y")), 1, 120), _part(m))


def _rule(hints: str, pattern: str, read: Reader, *, absolute: bool = True) -> Rule:
    return Rule(re.compile(pattern, re.VERBOSE), read, absolute, tuple(hints.split()))


_MONTH_HINTS: Final = "jan feb mar apr may jun jul aug sep oct nov dec"
_YEAR_HINTS: Final = "15 16 17 18 19 20"
_UNIT_HINTS: Final = "day week month quarter year"

RULES: Final = (
    # numbers
    _rule(
        _YEAR_HINTS,
        rf"(?<![\d.])(?P<y>{_YEAR})(?P<sep>[-/.])(?P<m>\d{{1,2}})(?P=sep)(?P<d>\d{{1,2}})(?!\d)",
        _iso_day,
    ),
    _rule(
        _YEAR_HINTS, rf"(?<![\d.,$€£¥/-])(?P<y>{_YEAR})[-/](?P<m>0[1-9]|1[0-2])(?![\d/-]|\.\d)", _iso_month
    ),
    _rule(
        _YEAR_HINTS,
        rf"(?<![\d/.-])(?P<a>\d{{1,2}})(?P<sep>[-/])(?P<b>\d{{1,2}})(?P=sep)(?P<y>{_YEAR})(?![\d/-])",
        _slashed,
    ),
    # Chinese
    _rule(
        "月",
        rf"{_OPT_ZH_YEAR}(?<!\d)(?P<m>{_ZH_NUMBER})\s?月\s?(?P<d>{_ZH_NUMBER})(?:\s?[日号]?\s?[-~至到]\s?(?P<d2>{_ZH_NUMBER}))?\s?[日号]",
        _zh_day,
    ),
    _rule(
        "月",
        rf"{_OPT_ZH_YEAR}(?<![\d个第{_HAN_DIGIT}十数几.])(?P<m>{_ZH_NUMBER})(?:月?\s?[-~至到]\s?(?P<m2>{_ZH_NUMBER}))?\s?月份?{_ZH_PART}(?!\s?[\d{_HAN_DIGIT}十日号])",
        _zh_month,
    ),
    _rule("年", rf"{_ZH_YEAR}(?:全年|期间|年度)?{_ZH_PART}", _zh_year),
    _rule(
        "季",
        rf"{_OPT_ZH_YEAR}(?:第\s?(?P<q>[一二三四1-4])\s?季度?|(?<![{_HAN_DIGIT}十\d前近去个])(?P<q2>[一二三四1-4])\s?季度)",
        lambda m, now: quarter(_year(m, now), _ORDINALS[m.group("q") or m.group("q2")]),
    ),
    _rule("季", rf"{_OPT_ZH_YEAR}前(?P<n>[二两三23])个?季度", _zh_first_quarters),
    _rule("月", rf"{_ZH_YEAR}前(?P<n>{_ZH_NUMBER}|两)个月", _zh_first_months),
    _rule("半年", rf"{_OPT_ZH_YEAR}(?P<h>[上下])半年度?", _zh_half),
    _rule(
        "周 星期 礼拜 月 季 半年",
        r"(?P<s>上上|下下|上|本|这|下)(?:一个|个|一)?(?P<u>季度|星期|礼拜|半年|周|月|季)(?P<p>初|中旬|上旬|下旬|底|末)?(?![一二三四五六日天年报期\d末])",
        _zh_shift,
        absolute=False,
    ),
    _rule(
        "周 星期 礼拜",
        r"(?P<s>上上|下下|上|本|这|下)个?(?:周的?|星期|礼拜)(?:周|星期)?(?P<w>[一二三四五六日天])",
        _zh_weekday,
        absolute=False,
    ),
    _rule("月", rf"(?P<s>上上|下下|上|本|这|下)个?月(?P<d>{_ZH_NUMBER})[日号]", _zh_shifted_day),
    _rule(
        "近 过去",
        rf"(?:最近|近|过去)的?{_COUNT}个?(?P<u>天|日|周|星期|月|季度|年)(?:以来|来|内)?",
        _past,
        absolute=False,
    ),
    _rule(
        "未来 接下来",
        rf"(?:未来|接下来)的?{_COUNT}个?(?P<u>天|日|周|星期|月|季度|年)内?",
        _coming,
        absolute=False,
    ),
    _rule(
        "年代",
        r"(?:(?P<c>上个?|\d{2}|[一二]?十[一二三四五六七八九]?)世纪)?(?P<tens>\d0|[二三四五六七八九]十)年代",
        _zh_decade,
    ),
    _rule(
        "天 日 today yesterday tomorrow",
        "|".join(sorted(_NEAR_DAYS, key=len, reverse=True))
        .replace("yesterday", r"\byesterday\b")
        .replace("today", r"\btoday\b")
        .replace("tomorrow", r"\btomorrow\b"),
        _near_day,
        absolute=False,
    ),
    _rule(
        "年 year ytd",
        r"(?:今年)?年初(?:以来|至今)|今年以来|\byear[ -]to[ -]date\b|\bytd\b|\bsince\s+the\s+(?:beginning|start)\s+of\s+the\s+year\b",
        _this_year_so_far,
        absolute=False,
    ),
    # English
    _rule(
        _MONTH_HINTS,
        rf"\b{_MONTH}(?:\.\s?|[\s/-]+)(?:the\s+)?{_EN_DAYS}(?:(?:,\s?|[\s-]+)(?:of\s+)?{_EN_YEAR})?",
        _en_day,
    ),
    _rule(
        _MONTH_HINTS,
        rf"(?<![\d/.-])\b{_EN_DAYS}[\s/-]+(?:of\s+)?{_MONTH}\.?(?:(?:,\s?|[\s/-]+)(?:of\s+)?{_EN_YEAR})?",
        _en_day,
    ),
    _rule(
        _MONTH_HINTS,
        rf"{_EN_PART}\b{_MONTH}(?:\.?(?:,\s?|[\s-]+)(?:of\s+)?{_EN_YEAR}|\.?\s+of\s+(?P<y2>last|this|next)\s+year)?",
        lambda m, now: None if m.group("y2") else _en_month(m, now),
    ),
    _rule(
        _YEAR_HINTS,
        rf"{_EN_PART}(?<![\w.,$€£¥])(?:(?<!-)|(?<=mid-))(?P<y>(?:(?<=\bin\s)1[5-7]|1[89]|20)\d{{2}})(?![\w%]|,\d|[./-]\d|\s?年|{COUNTED})",
        _en_year,
    ),
    _rule(
        "fy fiscal financial calendar",
        r"\b(?:fy|fiscal(?:\s+year)?|financial\s+year|calendar\s+year)\s?'?(?P<y>\d{4}|\d{2})\b",
        _fiscal,
    ),
    _rule(
        _YEAR_HINTS,
        rf"(?<![\dA-Za-z.,/$€£¥-])(?P<y>{_YEAR})\s?[-~至到]\s?(?P<last>{_YEAR})\s?(?:财年|学年|年度?)",
        _years,
    ),
    _rule(
        _YEAR_HINTS,
        rf"(?<![\w.,/$€£¥-])(?P<y>{_YEAR})\s?[-~]\s?(?P<last>{_YEAR})(?![\w%]|,\d|[./-]\d|{COUNTED})",
        _years,
    ),
    _rule("q", rf"\bq(?P<q>[1-4])\b(?:-(?=\d))?{_OF_YEAR}", _en_quarter),
    _rule("q", rf"\b(?P<q>[1-4])q\s?'?(?P<y>{_YEAR}|\d{{2}})\b", _en_quarter),
    _rule("q", rf"\b(?:fy\s?|fiscal\s+)?(?P<y>{_YEAR})(?:\s|年|-)*q(?P<q>[1-4])\b", _en_quarter),
    _rule(
        "quarter",
        rf"\b(?:the\s+)?(?:(?:fiscal\s+|fy\s?)?(?P<y0>{_YEAR})(?:'s)?\s+)?(?P<q>first|second|third|fourth|1st|2nd|3rd|4th)[\s-](?:fiscal\s+)?quarter{_OF_YEAR}",
        lambda m, now: quarter(
            int(m.group("y0")) if m.group("y0") else _year(m, now), _ORDINALS[m.group("q")]
        ),
    ),
    _rule("quarter", rf"\b(?:the\s+)?(?P<q>last)\s+quarter\s+of\s+(?P<y>{_YEAR})\b", _en_quarter),
    _rule("h1 h2", rf"\bh(?P<h>[12])\b(?:-(?=\d))?{_OF_YEAR}", _en_half),
    _rule("h1 h2", rf"\b(?:fy\s?|fiscal\s+)?(?P<y>{_YEAR})(?:\s|年|-)*h(?P<h>[12])\b", _en_half),
    _rule("half", rf"\b(?:the\s+)?(?P<h>first|second)[\s-]half{_OF_YEAR}", _en_half),
    _rule(
        "months",
        rf"\b(?:the\s+)?first\s+{_COUNT}\s+months\s+of\s+(?:the\s+year\s+|fiscal\s+|fy\s?)?(?P<y>{_YEAR}|last\s+year|this\s+year)\b",
        _en_first_months,
    ),
    _rule(
        _UNIT_HINTS,
        rf"\b(?:(?P<when>later|earlier)\s+)?{_SHIFT}(?P<u>fiscal\s+year|week|month|quarter|year)\b(?!\s+(?:of|in)\b)",
        _en_shift,
        absolute=False,
    ),
    _rule("week", rf"\b{_SHIFT}week(?:'s|,)?\s+(?:on\s+)?{_WEEKDAY}", _en_weekday, absolute=False),
    _rule("week", rf"\b{_WEEKDAY},?\s+(?:of\s+)?{_SHIFT}week\b", _en_weekday, absolute=False),
    _rule(
        _UNIT_HINTS,
        rf"\b(?:the\s+)?(?:past|last|previous)\s+{_COUNT}\s+(?P<u>days?|weeks?|months?|quarters?|years?)\b",
        _past,
        absolute=False,
    ),
    _rule(
        _UNIT_HINTS, r"\b(?:the\s+)?past\s+(?P<n>)(?P<u>day|week|month|quarter|year)\b", _past, absolute=False
    ),
    _rule(
        _UNIT_HINTS,
        rf"\b(?:the\s+)?(?:next|coming)\s+{_COUNT}\s+(?P<u>days?|weeks?|months?|quarters?|years?)\b",
        _coming,
        absolute=False,
    ),
    _rule("ago", rf"\b{_COUNT}\s+(?P<u>days?|weeks?)\s+ago\b", _ago, absolute=False),
    _rule("0s", rf"\b(?:the\s+)?{_EN_PART}(?P<y>(?:1[5-9]|20)\d0)s\b", _decade),
)

UNREAD: Final = re.compile(
    rf"""
    (?:农历|阴历|旧历|民国|康熙|雍正|乾隆|嘉庆|道光|咸丰|同治|光绪|宣统|万历|嘉靖|洪武|永乐|昭和|平成|令和)[^，。,;；]{{0,14}}
    | {_OPT_ZH_YEAR.replace("?P<y>", "?:")}(?:{_ZH_NUMBER})?月?份?的?(?:第(?:{_ZH_NUMBER})个?(?:周|星期)|最后(?:一|两|三|\d|\s)*个?(?:周|星期|天))
    | (?:每|隔)个?(?:周|星期|月|年|季度)[一二三四五六日天]?
    | \d{{1,2}}世纪(?!\d0年代)
    | \b(?:week|day|month|quarter)\s+\d+\s+of\s+
    | \b(?:the\s+)?(?:first|second|third|fourth|last|\d+(?:st|nd|rd|th))\s+(?:\w+\s+)?(?:weeks?|days?|weekend|month)\s+(?:of|in)\s+(?:(?:{"|".join(_MONTHS)})\b\s?)?(?:{_YEAR}\b|(?:last|this|next)\s+(?:year|month))?
    | \b(?:{"|".join(sorted(_MONTHS, key=len, reverse=True))})\b\s+(?:the\s+)?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\w+eenth|twent\w+|thirt\w+)\b
    | \b\d{{1,2}}[/-]\d{{1,2}}(?:[/-](?:\d{{4}}|\d{{2}}))?\b
    | {_YEAR}\s\d{{1,2}}\s\d{{1,2}}\b
    | {_YEAR}-(?:{"|".join(_MONTHS)})[a-z]*-?\d*
    | \b\d{{1,2}}\s?-\s?{_YEAR}\b
    """,
    re.VERBOSE,
)
"""Forms that are times, or look like them, and are not understood with certainty."""
