"""What stands around a figure: forms that are no amounts, words that make one approximate, plain spelling. Pure."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

from kaoju.language.numerals import HAN

NO_AMOUNT: Final = re.compile(
    rf"""
    \d{{1,2}}[/-]\d{{1,2}}[/-](?:\d{{4}}|\d{{2}})(?!\d)                               # a date, either way round
    | \d{{1,2}}:\d{{2}}(?::\d{{2}})?                                                 # clock times
    | \d{{1,2}}(?:[:.]\d{{2}})?\s?(?i:[ap]m\b|[ap]\.m\.) | \d{{2}}\.\d{{2}}\s(?:GMT|UTC|BST)\b
    | (?<!\d)(?:19|20)\d\d(?:[-/]\d\d(?!\d)|\.(?:0[1-9]|1[0-2])(?!\d|\s?[元万亿%])|[届级])     # 2013-14, 2023.12, 2004届
    | (?<![\d.,])[1-9]0s\b | (?:电话|手机号?|热线|传真|微信号?|[Tt]el|[Pp]hone|[Ff]ax)[^\d\n]{{0,4}}\d{{7,}}                                 # in their 20s, telephone numbers
    | (?:上午|下午|晚上?|凌晨|清晨|中午|时间)\s?(?:\d{{1,2}}|[{HAN}]{{1,3}})[点时](?:\d{{1,2}}分|半)?
    | \d{{1,2}}点(?:钟|半|整|\d{{1,2}}分)
    | [{HAN}\d]{{0,12}}(?:几|数(?=[十百千万亿]))[十百千万亿]+ | [{HAN}\d]{{1,12}}几(?![乎何])        # vague amounts
    | (?<![{HAN}\d])(?:一[二两]|两三|二三|三[四五]|四五|五六|六七|七八|八九)(?![{HAN}])  # 两三天
    | (?<![\d.])\d+(?:\.\d+){{2,}}(?:,\d+)?                                            # versions, sections
    | (?<![\d.x×])(?<![x×]\s)[\d.]+\^[+-]*\d+                                            # powers
    | (?<![A-Za-z])(?!x10\^)(?!(?<=\d)[eE][+-]\d{{1,2}}(?!\w))(?=[A-Za-z][\w./-]{{0,60}}\d)(?!(?:USD|EUR|GBP|CNY|RMB|JPY|HKD)\d)(?a:[A-Za-z]\w*(?:[-./]\w+)*)                  # A-7731, Q3
    | (?<!\d)(?!\d{{1,20}}x10\^)(?a:\d{{1,20}}[A-Za-z]+\d[\w-]*) | (?<!\d)\d{{1,20}}(?:-\d{{1,20}}){{2,}}                                   # 3G4, 010-555-1234
    """,
    re.VERBOSE,
)
"""What looks like a number and is no amount: dates, clock times, codes, versions, vague amounts."""


_ABOUT_BEFORE: Final = re.compile(
    r"(?:约|大约|近|将近|接近|大概|逾|超过|不足|about|around|approximately|approx\.?|nearly|almost|roughly|some|over|more than|less than|(?:^|(?<=[\s(（，,。:：]))~)\s?$",
    re.IGNORECASE,
)
_ABOUT_AFTER: Final = re.compile(r"\s?(?:左右|上下|多[万亿元个人名家]?|余)")


def about(text: str, start: int, end: int) -> bool:
    """Return whether the words around an amount make it approximate."""
    return bool(_ABOUT_BEFORE.search(text[max(0, start - 16) : start]) or _ABOUT_AFTER.match(text, end))


def same_length(text: str) -> str:
    """Return the text with full-width forms and variants made plain, character by character."""
    return re.sub(r"(?<=\d)，(?=\d{3}(?!\d))", ",", "".join(map(_plain, text)))


@cache
def _plain(char: str) -> str:
    if char in _VARIANTS:
        return _VARIANTS[char]
    folded = unicodedata.normalize("NFKC", char) if "\uff00" <= char <= "\uffef" else char
    return folded if len(folded) == 1 else char


_VARIANTS: Final = dict(zip("萬億兩點個–％負餘幾−", "万亿两点个-%负余几-", strict=True)) | {"，": "，"}
