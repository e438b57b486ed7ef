"""The grammar of time expressions: what each form looks like, and the range it means.

Patterns see plain text: lower case, half-width digits, simplified variants. A
rule whose pattern has a group `y` may stand without a year, which the reference
date then gives. Forms that are seen but mean nothing certain are in `UNREAD`:
they take their place, so that no part of them is read as something else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from kaoju.language.periods import quarter
from kaoju.language.time_readers import (
    COUNT,
    COUNTED,
    EN_DAYS,
    EN_PART,
    EN_YEAR,
    HAN_DIGIT,
    MONTH,
    MONTHS,
    NEAR_DAYS,
    OF_YEAR,
    OPT_ZH_YEAR,
    ORDINALS,
    SHIFT,
    WEEKDAY,
    YEAR,
    ZH_NUMBER,
    ZH_PART,
    ZH_YEAR,
    Reader,
    read_ago,
    read_coming,
    read_decade,
    read_en_day,
    read_en_first_months,
    read_en_half,
    read_en_month,
    read_en_quarter,
    read_en_shift,
    read_en_weekday,
    read_en_year,
    read_fiscal,
    read_iso_day,
    read_iso_month,
    read_near_day,
    read_past,
    read_slashed,
    read_this_year_so_far,
    read_year,
    read_years,
    read_zh_day,
    read_zh_decade,
    read_zh_first_months,
    read_zh_first_quarters,
    read_zh_half,
    read_zh_month,
    read_zh_shift,
    read_zh_shifted_day,
    read_zh_weekday,
    read_zh_year,
)


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


def _rule(hints: str, pattern: str, read: Reader, *, absolute: bool = True) -> Rule:
    return Rule(re.compile(pattern, re.VERBOSE), read, absolute, tuple(hints.split()))


_MONTH_HINTS: Final = "jan feb mar apr may jun jul aug sep oct nov dec"
_YEAR_HINTS: Final = "15 16 17 18 19 20"
_UNIT_HINTS: Final = "day week month quarter year"

RULES: Final = (
    # numbers
    _rule(
        _YEAR_HINTS,
        rf"(?<![\d.])(?P<y>{YEAR})(?P<sep>[-/.])(?P<m>\d{{1,2}})(?P=sep)(?P<d>\d{{1,2}})(?!\d)",
        read_iso_day,
    ),
    _rule(
        _YEAR_HINTS, rf"(?<![\d.,$€£¥/-])(?P<y>{YEAR})[-/](?P<m>0[1-9]|1[0-2])(?![\d/-]|\.\d)", read_iso_month
    ),
    _rule(
        _YEAR_HINTS,
        rf"(?<![\d/.-])(?P<a>\d{{1,2}})(?P<sep>[-/])(?P<b>\d{{1,2}})(?P=sep)(?P<y>{YEAR})(?![\d/-])",
        read_slashed,
    ),
    # Chinese
    _rule(
        "月",
        rf"{OPT_ZH_YEAR}(?<!\d)(?P<m>{ZH_NUMBER})\s?月\s?(?P<d>{ZH_NUMBER})(?:\s?[日号]?\s?[-~至到]\s?(?P<d2>{ZH_NUMBER}))?\s?[日号]",
        read_zh_day,
    ),
    _rule(
        "月",
        rf"{OPT_ZH_YEAR}(?<![\d个第{HAN_DIGIT}十数几.])(?P<m>{ZH_NUMBER})(?:月?\s?[-~至到]\s?(?P<m2>{ZH_NUMBER}))?\s?月份?{ZH_PART}(?!\s?[\d{HAN_DIGIT}十日号])",
        read_zh_month,
    ),
    _rule("年", rf"{ZH_YEAR}(?:全年|期间|年度)?{ZH_PART}", read_zh_year),
    _rule(
        "季",
        rf"{OPT_ZH_YEAR}(?:第\s?(?P<q>[一二三四1-4])\s?季度?|(?<![{HAN_DIGIT}十\d前近去个])(?P<q2>[一二三四1-4])\s?季度)",
        lambda m, now: quarter(read_year(m, now), ORDINALS[m.group("q") or m.group("q2")]),
    ),
    _rule("季", rf"{OPT_ZH_YEAR}前(?P<n>[二两三23])个?季度", read_zh_first_quarters),
    _rule("月", rf"{ZH_YEAR}前(?P<n>{ZH_NUMBER}|两)个月", read_zh_first_months),
    _rule("半年", rf"{OPT_ZH_YEAR}(?P<h>[上下])半年度?", read_zh_half),
    _rule(
        "周 星期 礼拜 月 季 半年",
        r"(?P<s>上上|下下|上|本|这|下)(?:一个|个|一)?(?P<u>季度|星期|礼拜|半年|周|月|季)(?P<p>初|中旬|上旬|下旬|底|末)?(?![一二三四五六日天年报期\d末])",
        read_zh_shift,
        absolute=False,
    ),
    _rule(
        "周 星期 礼拜",
        r"(?P<s>上上|下下|上|本|这|下)个?(?:周的?|星期|礼拜)(?:周|星期)?(?P<w>[一二三四五六日天])",
        read_zh_weekday,
        absolute=False,
    ),
    _rule("月", rf"(?P<s>上上|下下|上|本|这|下)个?月(?P<d>{ZH_NUMBER})[日号]", read_zh_shifted_day),
    _rule(
        "近 过去",
        rf"(?:最近|近|过去)的?{COUNT}个?(?P<u>天|日|周|星期|月|季度|年)(?:以来|来|内)?",
        read_past,
        absolute=False,
    ),
    _rule(
        "未来 接下来",
        rf"(?:未来|接下来)的?{COUNT}个?(?P<u>天|日|周|星期|月|季度|年)内?",
        read_coming,
        absolute=False,
    ),
    _rule(
        "年代",
        r"(?:(?P<c>上个?|\d{2}|[一二]?十[一二三四五六七八九]?)世纪)?(?P<tens>\d0|[二三四五六七八九]十)年代",
        read_zh_decade,
    ),
    _rule(
        "天 日 今 昨 明 today tonight yesterday tomorrow",
        "|".join(
            rf"\b{re.escape(word)}\b" if word.isascii() else rf"{word}(?!期)"
            for word in sorted(NEAR_DAYS, key=len, reverse=True)
        ),
        read_near_day,
        absolute=False,
    ),
    _rule(
        "年 year ytd",
        r"(?:今年)?年初(?:以来|至今)|今年以来|\byear[ -]to[ -]date\b|\bytd\b|\bsince\s+the\s+(?:beginning|start)\s+of\s+the\s+year\b",
        read_this_year_so_far,
        absolute=False,
    ),
    # English
    _rule(
        _MONTH_HINTS,
        rf"\b{MONTH}(?:\.\s?|[\s/-]+)(?:the\s+)?{EN_DAYS}(?:(?:,\s?|[\s-]+)(?:of\s+)?{EN_YEAR})?",
        read_en_day,
    ),
    _rule(
        _MONTH_HINTS,
        rf"(?<![\d/.-])\b{EN_DAYS}[\s/-]+(?:of\s+)?{MONTH}\.?(?:(?:,\s?|[\s/-]+)(?:of\s+)?{EN_YEAR})?",
        read_en_day,
    ),
    _rule(
        _MONTH_HINTS,
        rf"{EN_PART}\b{MONTH}(?:\.?(?:,\s?|[\s-]+)(?:of\s+)?{EN_YEAR}|\.?\s+of\s+(?P<y2>last|this|next)\s+year)?",
        lambda m, now: None if m.group("y2") else read_en_month(m, now),
    ),
    _rule(
        _YEAR_HINTS,
        rf"{EN_PART}(?<![\w.,$€£¥])(?:(?<!-)|(?<=mid-))(?P<y>(?:(?<=\bin\s)1[5-7]|1[89]|20)\d{{2}})(?![\w%]|,\d|[./-]\d|\s?年|{COUNTED})",
        read_en_year,
    ),
    _rule(
        "fy fiscal financial calendar",
        r"\b(?:fy|fiscal(?:\s+year)?|financial\s+year|calendar\s+year)\s?'?(?P<y>\d{4}|\d{2})\b",
        read_fiscal,
    ),
    _rule(
        _YEAR_HINTS,
        rf"(?<![\dA-Za-z.,/$€£¥-])(?P<y>{YEAR})\s?[-~至到]\s?(?P<last>{YEAR})\s?(?:财年|学年|年度?)",
        read_years,
    ),
    _rule(
        _YEAR_HINTS,
        rf"(?<![\w.,/$€£¥-])(?P<y>{YEAR})\s?[-~]\s?(?P<last>{YEAR})(?![\w%]|,\d|[./-]\d|{COUNTED})",
        read_years,
    ),
    _rule("q", rf"\bq(?P<q>[1-4])\b(?:-(?=\d))?{OF_YEAR}", read_en_quarter),
    _rule("q", rf"\b(?P<q>[1-4])q\s?'?(?P<y>{YEAR}|\d{{2}})\b", read_en_quarter),
    _rule("q", rf"\b(?:fy\s?|fiscal\s+)?(?P<y>{YEAR})(?:\s|年|-)*q(?P<q>[1-4])\b", read_en_quarter),
    _rule(
        "quarter",
        rf"\b(?:the\s+)?(?:(?:fiscal\s+|fy\s?)?(?P<y0>{YEAR})(?:'s)?\s+)?(?P<q>first|second|third|fourth|1st|2nd|3rd|4th)[\s-](?:fiscal\s+)?quarter{OF_YEAR}",
        lambda m, now: quarter(
            int(m.group("y0")) if m.group("y0") else read_year(m, now), ORDINALS[m.group("q")]
        ),
    ),
    _rule("quarter", rf"\b(?:the\s+)?(?P<q>last)\s+quarter\s+of\s+(?P<y>{YEAR})\b", read_en_quarter),
    _rule("h1 h2", rf"\bh(?P<h>[12])\b(?:-(?=\d))?{OF_YEAR}", read_en_half),
    _rule("h1 h2", rf"\b(?:fy\s?|fiscal\s+)?(?P<y>{YEAR})(?:\s|年|-)*h(?P<h>[12])\b", read_en_half),
    _rule("half", rf"\b(?:the\s+)?(?P<h>first|second)[\s-]half{OF_YEAR}", read_en_half),
    _rule(
        "months",
        rf"\b(?:the\s+)?first\s+{COUNT}\s+months\s+of\s+(?:the\s+year\s+|fiscal\s+|fy\s?)?(?P<y>{YEAR}|last\s+year|this\s+year)\b",
        read_en_first_months,
    ),
    _rule(
        _UNIT_HINTS,
        rf"\b(?:(?P<when>later|earlier)\s+)?{SHIFT}(?P<u>fiscal\s+year|week|month|quarter|year)\b(?!\s+(?:of|in)\b)",
        read_en_shift,
        absolute=False,
    ),
    _rule("week", rf"\b{SHIFT}week(?:'s|,)?\s+(?:on\s+)?{WEEKDAY}", read_en_weekday, absolute=False),
    _rule("week", rf"\b{WEEKDAY},?\s+(?:of\s+)?{SHIFT}week\b", read_en_weekday, absolute=False),
    _rule(
        _UNIT_HINTS,
        rf"\b(?:the\s+)?(?:past|last|previous)\s+{COUNT}\s+(?P<u>days?|weeks?|months?|quarters?|years?)\b",
        read_past,
        absolute=False,
    ),
    _rule(
        _UNIT_HINTS,
        r"\b(?:the\s+)?past\s+(?P<n>)(?P<u>day|week|month|quarter|year)\b",
        read_past,
        absolute=False,
    ),
    _rule(
        _UNIT_HINTS,
        rf"\b(?:the\s+)?(?:next|coming)\s+{COUNT}\s+(?P<u>days?|weeks?|months?|quarters?|years?)\b",
        read_coming,
        absolute=False,
    ),
    _rule("ago", rf"\b{COUNT}\s+(?P<u>days?|weeks?)\s+ago\b", read_ago, absolute=False),
    _rule("0s", rf"\b(?:the\s+)?{EN_PART}(?P<y>(?:1[5-9]|20)\d0)s\b", read_decade),
)

UNREAD: Final = re.compile(
    rf"""
    (?:农历|阴历|旧历|民国|康熙|雍正|乾隆|嘉庆|道光|咸丰|同治|光绪|宣统|万历|嘉靖|洪武|永乐|昭和|平成|令和)[^，。,;；]{{0,14}}
    | {OPT_ZH_YEAR.replace("?P<y>", "?:")}(?:{ZH_NUMBER})?月?份?的?(?:第(?:{ZH_NUMBER})个?(?:周|星期)|最后(?:一|两|三|\d|\s)*个?(?:周|星期|天))
    | (?:每|隔)个?(?:周|星期|月|年|季度)[一二三四五六日天]?
    | \d{{1,2}}世纪(?!\d0年代)
    | \b(?:week|day|month|quarter)\s+\d+\s+of\s+
    | \b(?:the\s+)?(?:first|second|third|fourth|last|\d+(?:st|nd|rd|th))\s+(?:\w+\s+)?(?:weeks?|days?|weekend|month)\s+(?:of|in)\s+(?:(?:{"|".join(MONTHS)})\b\s?)?(?:{YEAR}\b|(?:last|this|next)\s+(?:year|month))?
    | \b(?:{"|".join(sorted(MONTHS, key=len, reverse=True))})\b\s+(?:the\s+)?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\w+eenth|twent\w+|thirt\w+)\b
    | \b\d{{1,2}}[/-]\d{{1,2}}(?:[/-](?:\d{{4}}|\d{{2}}))?\b
    | {YEAR}\s\d{{1,2}}\s\d{{1,2}}\b
    | {YEAR}-(?:{"|".join(MONTHS)})[a-z]*-?\d*
    | \b\d{{1,2}}\s?-\s?{YEAR}\b
    """,
    re.VERBOSE,
)
"""Forms that are times, or look like them, and are not understood with certainty."""
