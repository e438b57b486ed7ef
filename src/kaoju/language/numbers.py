"""Amounts in Chinese and English text as exact values with unit.

Promises: values are `Decimal`, scaled by 万, 亿, million and the like;
percentages keep kind `percent` with the value as written (12.5% is 12.5); spans
are exact slices. Refuses to take dates, years, clock times and codes for
numbers, and to put a value on a vague amount (几十万, dozens).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache, lru_cache
from typing import Final, Literal

from kaoju.language.number_words import find_words
from kaoju.language.numerals import BIG, HAN, SCALES, TENS, han_value
from kaoju.language.time import date_spans

QuantityKind = Literal["number", "percent", "money", "ordinal"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """One amount as it stands in a text: `source[start:end] == text`."""

    text: str
    value: Decimal
    unit: str
    """Currency code for money, measure word or unit for numbers, `%` for percent; empty where there is none."""
    kind: QuantityKind
    start: int
    end: int
    approximate: bool = False
    """True behind 约, about, nearly, or before 左右, 多."""


def find_numbers(text: str) -> tuple[Quantity, ...]:
    """Return the amounts of a text in order; dates, clock times and codes are left out."""
    return _found(text)


def equal(a: Quantity, b: Quantity) -> bool:
    """Return whether two amounts say the same: equal value, and units that do not contradict.

    A percentage equals the fraction it stands for; a missing unit contradicts none.
    """
    if a.kind == "percent" and b.kind != "percent":
        return a.value / 100 == b.value
    if b.kind == "percent" and a.kind != "percent":
        return equal(b, a)
    if a.value != b.value:
        return False
    return not a.unit or not b.unit or unit_key(a) == unit_key(b)


def unit_key(quantity: Quantity) -> str:
    """Return a unit in one spelling: without 个, plural and case."""
    unit = quantity.unit.lower().removeprefix("个")
    return unit[:-1] if unit.isascii() and len(unit) > 3 and unit.endswith("s") else unit


@lru_cache(maxsize=20_000)
def _found(text: str) -> tuple[Quantity, ...]:
    plain = _same_length(text)
    taken = [*date_spans(text), *(match.span() for match in _NO_AMOUNT.finditer(plain))]
    kept: list[Quantity] = []
    for quantity in (*_mixed(plain), *_fractions(plain), *_arabic(plain), *_han(plain), *_words(plain)):
        if not any(a < quantity.end and quantity.start < b for a, b in taken):
            taken.append((quantity.start, quantity.end))
            kept.append(replace(quantity, text=text[quantity.start : quantity.end]))
    return tuple(sorted(kept, key=lambda q: q.start))


def _same_length(text: str) -> str:
    """Return the text with full-width forms and variants made plain, character by character."""
    return re.sub(r"(?<=\d)，(?=\d{3}(?!\d))", ",", "".join(map(_plain, text)))


@cache
def _plain(char: str) -> str:
    if char in _VARIANTS:
        return _VARIANTS[char]
    folded = unicodedata.normalize("NFKC", char) if "\uff00" <= char <= "\uffef" else char
    return folded if len(folded) == 1 else char


_VARIANTS: Final = dict(zip("萬億兩點個–％負餘幾−", "万亿两点个-%负余几-", strict=True)) | {"，": "，"}


# What looks like a number and is no amount

_NO_AMOUNT: Final = re.compile(
    rf"""
    \d{{1,2}}[/-]\d{{1,2}}[/-](?:\d{{4}}|\d{{2}})(?!\d)                               # a date, either way round
    | \d{{1,2}}:\d{{2}}(?::\d{{2}})?                                                 # clock times
    | (?:上午|下午|晚上?|凌晨|清晨|中午|时间)\s?(?:\d{{1,2}}|[{HAN}]{{1,3}})[点时](?:\d{{1,2}}分|半)?
    | \d{{1,2}}点(?:钟|半|整|\d{{1,2}}分)
    | [几数][十百千万亿]+ | [十百千][几数][十百千万亿]*                               # vague amounts
    | (?=[\w./-]*[A-Za-z])(?=[\w./-]*\d)(?a:[A-Za-z]\w*(?:[-./]\w+)*)                  # A-7731, Q3
    | (?a:\d+[A-Za-z]+\d[\w-]*) | \d+(?:-\d+){{2,}}                                   # 3G4, 010-555-1234
    """,
    re.VERBOSE,
)

# Pieces

_SCALE_HAN: Final = {char: Decimal(value) for char, value in {**TENS, **BIG}.items()}
_DIGITS: Final = r"\d{1,3}(?:[,\u00a0\u202f]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_SCALE_WORD: Final = r"thousand|million|billion|trillion|dozen"
_PERCENT: Final = r"%|‰|percentage\ points?\b|percent\b|per\ cent\b|pct\b|个百分点"
_NEGATIVE: Final = r"(?:(?<![\w)])|(?<=[至为了到率幅是降增]))-|负|\b(?:minus|negative)\s"
_CURRENCIES: Final = {
    "USD": "$ us$ usd 美元 美金 dollar us-dollar", "HKD": "hk$ hkd 港元 港币", "EUR": "€ eur 欧元 euro", "GBP": "£ gbp 英镑 pound",
    "CNY": "¥ cny rmb 元 人民币 人民币元 块 块钱 yuan 角", "JPY": "日元 jpy", "KRW": "₩ 韩元", "INR": "₹", "AUD": "a$", "CAD": "c$",
    "TWD": "nt$ 新台币", "SGD": "s$",
}  # fmt: skip
_CODES: Final = {
    word.replace("-", " "): code for code, words in _CURRENCIES.items() for word in words.split()
}
_MONEY_AFTER: Final = re.compile(
    r"\s?(?P<name>人民币元|人民币|美元|美金|欧元|英镑|日元|韩元|港元|港币|新台币|元|块钱|块|角(?![度色落])|(?:USD|EUR|GBP|CNY|RMB|JPY|HKD|US dollars?|dollars?|euros?|pounds?|yuan)(?![A-Za-z]))"
    r"(?:\s(?P<scale>million|billion|trillion)\b)?",
    re.IGNORECASE,
)
_UNIT_HAN: Final = re.compile(
    r"\s?(个工作日|工作日|个自然日|自然日|个月|小时|分钟|个百分点|平方米|平方公里|立方米|公里|千米|公斤|千克|人次|[年月天日周岁人名个件台套项家次倍吨克米层位份辆条页章款笔票秒瓦度])"
)
_UNIT_LATIN: Final = re.compile(r"[\s-]?([a-z][A-Za-z]{0,13}(?:/[A-Za-z]{1,6})?|°[CF])")
_NOT_UNITS: Final = frozenset(
    "and or of in on at to for the a an by with from is are was were be as per than that this it its into out up down over under after before during"
    " but not has have had will would can more less about around between against if while when which who years'".split()
)
_ABOUT_BEFORE: Final = re.compile(
    r"(?:约|大约|近|将近|接近|大概|逾|超过|不足|about|around|approximately|approx\.?|nearly|almost|roughly|some|over|more than|less than|~)\s?$",
    re.IGNORECASE,
)
_ABOUT_AFTER: Final = re.compile(r"\s?(?:左右|上下|多[万亿元个人名家]?|余)")


def _about(text: str, start: int, end: int) -> bool:
    return bool(_ABOUT_BEFORE.search(text[max(0, start - 16) : start]) or _ABOUT_AFTER.match(text, end))


def _amount(text: str, value: Decimal, start: int, end: int, currency: str = "") -> Quantity:
    """Return an amount together with the currency or unit that follows it."""
    money = _MONEY_AFTER.match(text, end)
    if currency or money:
        code = _CODES.get(currency.strip().lower(), "")
        if money:
            name = money.group("name").lower()
            code = code or _CODES.get(name) or _CODES[name.removesuffix("s")]
            value = value / 10 if name == "角" else value
            value *= SCALES[money.group("scale").lower()] if money.group("scale") else 1
        end = money.end() if money else end
        return Quantity("", value, code, "money", start, end, _about(text, start, end))
    if match := _UNIT_HAN.match(text, end):
        return Quantity(
            "", value, match.group(1), "number", start, match.end(), _about(text, start, match.end())
        )
    match = _UNIT_LATIN.match(text, end)
    if match and match.group(1).lower() not in _NOT_UNITS:
        return Quantity(
            "", value, match.group(1), "number", start, match.end(), _about(text, start, match.end())
        )
    return Quantity("", value, "", "number", start, end, _about(text, start, end))


def _percent(text: str, value: Decimal, start: int, end: int) -> Quantity:
    return Quantity("", value, "%", "percent", start, end, _about(text, start, end))


def _decimal(digits: str) -> Decimal:
    return Decimal(re.sub(r"[,\u00a0\u202f]", "", digits))


def _scaled(value: Decimal, units: str) -> Decimal:
    for char in units:
        value *= _SCALE_HAN.get(char, 1)
    return value


# Forms

_MIXED: Final = re.compile(r"(?<![\d.])(?:(?:\d[\d,]*(?:\.\d+)?)\s?[十百千万亿兆]+\s?){2,}")
_MIXED_PART: Final = re.compile(r"(\d[\d,]*(?:\.\d+)?)\s?([十百千万亿兆]+)")


def _mixed(text: str) -> Iterator[Quantity]:
    """25万6千, 1亿2000万."""
    for match in _MIXED.finditer(text):
        parts = [
            (_decimal(digits), _scaled(Decimal(1), units))
            for digits, units in _MIXED_PART.findall(match.group())
        ]
        if all(value * unit < above for (value, unit), (_, above) in zip(parts[1:], parts, strict=False)):
            end = match.start() + len(match.group().rstrip())
            yield _amount(text, sum((value * unit for value, unit in parts), Decimal(0)), match.start(), end)


_FRACTION: Final = re.compile(
    rf"(?P<neg>负)?(?P<below>[{HAN}]+|\d+)分之(?P<above>[{HAN}]+(?:点[{HAN}]+)?|\d[\d,]*(?:\.\d+)?)(?!又)"
)


def _fractions(text: str) -> Iterator[Quantity]:
    """百分之三十 as percent; 三分之二 as the number it is."""
    for match in _FRACTION.finditer(text):
        below, above = (
            _decimal(g) if g[0].isdigit() and g.isascii() else han_value(g)
            for g in match.group("below", "above")
        )
        hundredths = {"百": Decimal(1), "千": Decimal("0.1"), "万": Decimal("0.01")}.get(match.group("below"))
        if above is None or (hundredths is None and not below):
            continue
        sign = -1 if match.group("neg") else 1
        if hundredths is not None:
            yield _percent(text, sign * above * hundredths, *match.span())
        elif below:
            yield Quantity("", sign * above / below, "", "number", *match.span(), _about(text, *match.span()))


_ARABIC: Final = re.compile(
    rf"""
    (?P<cur>(?:US|HK|A|C|NT|S)?[$€£¥₩₹]|(?<![A-Za-z])(?:USD|EUR|GBP|CNY|RMB|JPY|HKD)\s?)? \s?
    (?P<neg>{_NEGATIVE})? (?P<cur2>[$€£¥])?
    (?P<num>{_DIGITS})
    (?:(?P<han>\s{{0,2}}[十百千万亿兆]{{1,3}}) | (?P<more>\s?[多余]\s?[百千万亿]{{1,2}}) | \s?(?P<scale>(?:{_SCALE_WORD})s?\b|(?:bn|bln|mn|tn|tln)(?![\w%]))|(?P<letter>(?(cur)\s?[kKmMbB]|[kKMB])(?![\w%/])))?
    (?P<half>\s(?:and\s)a\shalf\b)?
    \s?(?P<pct>{_PERCENT})?
    """,
    re.VERBOSE,
)
_TENTHS: Final = re.compile(r"成(?![本功立员长果为交])|折(?![旧合])")
_ORDINAL_LATIN: Final = re.compile(r"(?:st|nd|rd|th)\b")


def _arabic(text: str) -> Iterator[Quantity]:
    for match in _ARABIC.finditer(text):
        start, end = match.start("num"), match.start() + len(match.group().rstrip())
        before = text[start - 1 : start]
        currency = match.group("cur") or match.group("cur2") or ""
        if not currency and before.isascii() and (before.isalpha() or before == "_"):
            continue
        scale = (
            Decimal(SCALES[_scale_key(word)])
            if (word := match.group("scale") or match.group("letter"))
            else Decimal(1)
        )
        scale *= _scaled(Decimal(1), match.group("han") or match.group("more") or "")
        value = (_decimal(match.group("num")) + (Decimal("0.5") if match.group("half") else 0)) * scale
        if match.group("neg"):
            value, start = -value, match.start("neg")
        if match.group("pct"):
            yield _percent(text, value / 10 if match.group("pct") == "‰" else value, start, end)
        elif scale == 1 and (tenths := _TENTHS.match(text, end)):
            eighty_five = tenths.group() == "折" and value >= 10  # 85折 says the same as 8.5折
            yield _percent(text, value if eighty_five else value * 10, start, tenths.end())
        elif ordinal := _ORDINAL_LATIN.match(text, end):
            yield Quantity("", value, "", "ordinal", start, ordinal.end())
        elif before == "第":
            yield Quantity("", value, "", "ordinal", start - 1, end)
        else:
            first = match.start("cur") if match.group("cur") else start
            found = _amount(text, value, first, end, currency)
            yield replace(found, approximate=True) if match.group("more") else found


def _scale_key(word: str) -> str:
    key = word.strip().lower()
    return key.removesuffix("s") if len(key) > 3 else key


_HAN_NUMBER: Final = re.compile(
    rf"(?P<neg>负)?(?P<num>[{HAN}]+(?:点[{HAN}]+)?)(?:(?P<more>[多余][百千万亿]{{1,2}})|(?P<tenths>成(?![本功立员长果为交])|折(?![旧合]))(?P<half>[{HAN}半](?![{HAN}]))?)?"
)


def _han(text: str) -> Iterator[Quantity]:
    for match in _HAN_NUMBER.finditer(text):
        raw, (start, end) = match.group("num"), match.span()
        value = han_value(raw)
        if value is None or raw[0] in "百千万亿兆仟佰":
            continue
        value = _scaled(-value if match.group("neg") else value, match.group("more") or "")
        if match.group("tenths"):
            half = match.group("half") or "零"
            extra = Decimal(5) if half == "半" else han_value(half) or Decimal(0)
            scale = Decimal(10) if value < 10 or match.group("tenths") == "成" else Decimal(1)
            yield _percent(text, value * scale + extra, start, end)
        elif text[start - 1 : start] == "第":
            yield Quantity("", value, "", "ordinal", start - 1, end)
        else:
            quantity = _amount(text, value, start, end)
            if len(raw) > 1 or quantity.unit:
                yield replace(quantity, approximate=True) if match.group("more") else quantity


_PERCENT_WORD: Final = re.compile(r"\s(?:percentage points?|percent|per cent|%)", re.IGNORECASE)


def _words(text: str) -> Iterator[Quantity]:
    for found in find_words(text):
        if found.ordinal:
            yield Quantity("", found.value, "", "ordinal", found.start, found.end)
        elif percent := _PERCENT_WORD.match(text, found.end):
            yield _percent(text, found.value, found.start, percent.end())
        else:
            yield _amount(text, found.value, found.start, found.end)
