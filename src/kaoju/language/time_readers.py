"""What each form of time expression means: words, pieces of patterns, and one reader a form. Pure.

A reader takes the match of its form and the reference date, and returns the
range; it raises `ValueError` or returns None where the form holds no real date.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Final

from kaoju.language.numerals import DIGITS, ONES, han_value
from kaoju.language.periods import Part, Range, Unit, coming, day, days, months, part, past, quarter, shifted

Reader = Callable[[re.Match[str], date], Range | None]

# Words and their meaning

MONTHS: Final = {
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
NEAR_DAYS: Final = {
    "大前天": -3, "前天": -2, "昨天": -1, "昨日": -1, "昨晚": -1, "昨夜": -1, "今天": 0, "今日": 0, "今早": 0, "今晚": 0,
    "今夜": 0, "明天": 1, "明日": 1, "明早": 1, "明晚": 1, "后天": 2, "大后天": 3,
    "the day before yesterday": -2, "yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1, "the day after tomorrow": 2,
}  # fmt: skip
ORDINALS: Final = {
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

YEAR: Final = r"(?:1[5-9]|20)\d{2}"
HAN_DIGIT: Final = "〇零○一二三四五六七八九"
ZH_YEAR: Final = rf"""(?:(?<![\d.,])(?P<y>\d{{4}}(?=\s?(?:年|财年))|[{HAN_DIGIT}]{{4}}(?=年)
    |(?:(?<![\u4e00-\u9fff\d])|(?<=[从自于在至到和与是]))(?:\d{{2}}|[{HAN_DIGIT}]{{2}})(?=年\s?(?:\d|[{HAN_DIGIT}十])+\s?月)
    |今年|去年|明年|(?<![之以])前年|(?<![之以])后年|本年度?|上年度?|上一年度?|当年)(?:\s?年度?|\s?财年)?)"""
OPT_ZH_YEAR: Final = rf"(?:{ZH_YEAR}的?\s?)?"
ZH_NUMBER: Final = rf"\d{{1,2}}|[{HAN_DIGIT}十廿]{{1,3}}"
ZH_PART: Final = r"(?P<p>初|中旬|上旬|下旬|中(?!旬)|底|末)?"
COUNT: Final = r"(?P<n>\d{1,3}|[一二两三四五六七八九十]{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
MONTH: Final = rf"(?P<mon>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b"
_EN_DAY: Final = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?\b"
EN_DAYS: Final = rf"{_EN_DAY}(?:\s?(?:-|to|through|and)\s?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?![/.]\d))?"
EN_YEAR: Final = rf"(?P<y>{YEAR})(?!\d)"
OF_YEAR: Final = rf"(?:\s*,?\s*(?:of\s+|in\s+)?(?:fy|fiscal(?:\s+year)?|the\s+year)?\s?'?(?P<y>{YEAR}|(?<=fy)\d{{2}}|(?<=')\d{{2}}|last\s+year|this\s+year|next\s+year)\b)?"
EN_PART: Final = r"(?:(?:the\s+)?\b(?P<p>early|late|mid|beginning|start|middle|end)(?:\s+of)?[\s-]+)?"
SHIFT: Final = r"(?:the\s+)?(?P<s>last|previous|this|current|next|coming)\s+"
WEEKDAY: Final = r"(?P<w>mon|tue|wed|thu|fri|sat|sun)(?:day|sday|s|nesday|rsday|urs?|urday)?\b"

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


def read_year(match: re.Match[str], now: date) -> int:
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


def read_zh_day(m: re.Match[str], now: date) -> Range:
    """Return a Chinese day, or a run of days of one month."""
    year, month = read_year(m, now), _number(m.group("m"))
    start, end = day(year, month, _number(m.group("d")))
    return (start, day(year, month, _number(m.group("d2")))[1]) if m.group("d2") else (start, end)


def read_zh_month(m: re.Match[str], now: date) -> Range:
    """Return a Chinese month, part of one, or a run of months."""
    first = last = _month(_number(m.group("m")))
    if m.group("m2"):
        last = _month(_number(m.group("m2")))
    return part(months(read_year(m, now), first, last - first + 1), _part(m))


def read_zh_year(m: re.Match[str], now: date) -> Range:
    """Return a Chinese year or part of one."""
    return part(months(read_year(m, now), 1, 12), _part(m))


def read_zh_first_quarters(m: re.Match[str], now: date) -> Range:
    """Return the first quarters of a year (前三季度)."""
    return months(read_year(m, now), 1, 3 * _number(m.group("n")))


def read_zh_first_months(m: re.Match[str], now: date) -> Range:
    """Return the first months of a year (前五个月)."""
    return months(read_year(m, now), 1, _month(_number(m.group("n"))))


def read_zh_half(m: re.Match[str], now: date) -> Range:
    """Return a Chinese half-year."""
    return months(read_year(m, now), 1 if m.group("h") == "上" else 7, 6)


def read_zh_shift(m: re.Match[str], now: date) -> Range:
    """Return a period beside the present one (上季度)."""
    return part(shifted(_UNITS[m.group("u")], _shift(m.group("s")), now), _part(m))


def read_zh_weekday(m: re.Match[str], now: date) -> Range:
    """Return a Chinese weekday of this week or a week beside it."""
    monday, _ = shifted("week", _shift(m.group("s")), now)
    return days(monday + timedelta(days=_WEEKDAYS[m.group("w")]))


def read_zh_shifted_day(m: re.Match[str], now: date) -> Range:
    """Return a day of a month beside the present one (上月5日)."""
    start, _ = shifted("month", _shift(m.group("s")), now)
    return day(start.year, start.month, _number(m.group("d")))


def read_zh_decade(m: re.Match[str], now: date) -> Range:
    """Return a Chinese decade."""
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


def read_near_day(m: re.Match[str], now: date) -> Range:
    """Return a day near the reference date (昨天, tomorrow)."""
    return shifted("day", NEAR_DAYS[m.group()], now)


def read_past(m: re.Match[str], now: date) -> Range:
    """Return the past n units."""
    return past(_unit(m), _count(m), now)


def read_coming(m: re.Match[str], now: date) -> Range:
    """Return the coming n units."""
    return coming(_unit(m), _count(m), now)


def _unit(m: re.Match[str]) -> Unit:
    return _UNITS[m.group("u").removesuffix("s")]


def _count(m: re.Match[str]) -> int:
    count = _number(m.group("n")) if m.group("n") else 1
    if not 0 < count <= 400:
        raise ValueError(count)
    return count


def read_this_year_so_far(_m: re.Match[str], now: date) -> Range:
    """Return the year up to the reference date."""
    return date(now.year, 1, 1), now + timedelta(days=1)


def read_iso_day(m: re.Match[str], _now: date) -> Range:
    """Return a day in digits, year first."""
    return day(int(m.group("y")), int(m.group("m")), int(m.group("d")))


def read_iso_month(m: re.Match[str], _now: date) -> Range | None:
    """Read 2023-03, but not 2001-02 or 2010-12, which may be a season or a span of years."""
    year, month = int(m.group("y")), int(m.group("m"))
    return None if month > year % 100 else months(year, _month(month))


def read_slashed(m: re.Match[str], _now: date) -> Range | None:
    """Read 5/17/2018 or 17/5/2018; None where day and month may be either way round."""
    a, b = int(m.group("a")), int(m.group("b"))
    if a <= 12 and b <= 12 and a != b:
        return None
    month, number = (b, a) if a > 12 else (a, b)
    return day(int(m.group("y")), month, number)


# English


def read_en_day(m: re.Match[str], now: date) -> Range:
    """Return an English day, or a run of days of one month."""
    year, month = read_year(m, now), MONTHS[m.group("mon")]
    start, end = day(year, month, int(m.group("d")))
    second = m.groupdict().get("d2")
    return (start, day(year, month, int(second))[1]) if second else (start, end)


_NAMES_A_MONTH: Final = re.compile(
    rf"\b(?:in|during|since|until|from|last|next|early|late|mid|(?:{'|'.join(MONTHS)})\s?(?:to|-|through|and))[\s-]?$"
)
_TO_A_MONTH: Final = re.compile(
    rf"\s?(?:to|-|through)\s?(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b"
)


def read_en_month(m: re.Match[str], now: date) -> Range | None:
    """Return an English month or part of one."""
    doubtful = m.group("mon") in ("may", "march", "mar") and m.group("y") is None and m.group("p") is None
    before = m.string[max(0, m.start() - 20) : m.start()]
    if doubtful and not _NAMES_A_MONTH.search(before) and not _TO_A_MONTH.match(m.string, m.end()):
        return None
    return part(months(read_year(m, now), MONTHS[m.group("mon")]), _part(m))


def read_en_year(m: re.Match[str], now: date) -> Range:
    """Return a year or part of one."""
    return part(months(read_year(m, now), 1, 12), _part(m))


def read_years(m: re.Match[str], _now: date) -> Range | None:
    """Read 2020-2023年 and 2014-2018, but not 2000-1800 or numbers that are far apart."""
    first, last = int(m.group("y")), int(m.group("last"))
    return months(first, 1, 12 * (last - first + 1)) if first < last <= first + 100 else None


def read_fiscal(m: re.Match[str], now: date) -> Range:
    """Return a fiscal year, taken as a calendar year."""
    return months(read_year(m, now), 1, 12)


def read_en_quarter(m: re.Match[str], now: date) -> Range:
    """Return a quarter."""
    return quarter(read_year(m, now), ORDINALS[m.group("q")])


def read_en_half(m: re.Match[str], now: date) -> Range:
    """Return a half-year."""
    return months(read_year(m, now), 1 if ORDINALS[m.group("h")] == 1 else 7, 6)


def read_en_first_months(m: re.Match[str], now: date) -> Range:
    """Return the first months of a year."""
    return months(read_year(m, now), 1, _month(_number(m.group("n"))))


def read_en_shift(m: re.Match[str], now: date) -> Range | None:
    """Return a period beside the present one (last quarter)."""
    unit = _UNITS[m.group("u")]
    start, end = shifted(unit, _shift(m.group("s")), now)
    if m.group("when") == "later":
        return max(start, now + timedelta(days=1)), end
    if m.group("when") == "earlier":
        return start, min(end, now)
    return start, end


def read_en_weekday(m: re.Match[str], now: date) -> Range:
    """Return an English weekday of this week or a week beside it."""
    monday, _ = shifted("week", _shift(m.group("s")), now)
    return days(monday + timedelta(days=_WEEKDAYS[m.group("w")]))


def read_ago(m: re.Match[str], now: date) -> Range:
    """Return a day some days or weeks ago."""
    return days(now - timedelta(days=_count(m) * (7 if _unit(m) == "week" else 1)))


def read_decade(m: re.Match[str], _now: date) -> Range:
    """Return a decade or part of one."""
    return part(months(int(m.group("y")), 1, 120), _part(m))
