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
from functools import lru_cache
from typing import Final, Literal

from kaoju.language.measures import COUNTERS, KILO, currency_code, measure_after
from kaoju.language.number_context import NO_AMOUNT, about, same_length
from kaoju.language.number_words import find_words
from kaoju.language.numerals import BIG, DIGITS, HAN, SCALES, TENS, han_value
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
    plain = same_length(text)
    taken = bytearray(len(text))
    for start, end in (*date_spans(text), *(match.span() for match in NO_AMOUNT.finditer(plain))):
        taken[start:end] = b"\1" * (end - start)
    kept: list[Quantity] = []
    for quantity in (
        *_mixed(plain),
        *_fractions(plain),
        *_parts(plain),
        *_arabic(plain),
        *_han(plain),
        *_words(plain),
    ):
        start, end = quantity.start, quantity.end
        if not any(taken[start:end]):
            taken[start:end] = b"\1" * (end - start)
            kept.append(replace(quantity, text=text[start:end]))
    return _shared(plain, sorted(kept, key=lambda q: q.start))


_TO: Final = re.compile(r"\s?(?:-|~|—|至|到|to)\s?")
_BARE: Final = re.compile(r"[^\d.]{0,4}(\d[\d,]*(?:\.\d+)?)")


def _shared(plain: str, found: list[Quantity]) -> tuple[Quantity, ...]:
    """Give the first number of a range the scale and unit that stand only behind the second (3-5万元, $10-15 million)."""
    for i in range(len(found) - 1):
        first, second = found[i], found[i + 1]
        own = _BARE.fullmatch(plain[first.start : first.end])
        bare = _BARE.match(plain[second.start : second.end])
        plain_first = (
            own and first.kind in ("number", "money") and second.kind in ("number", "percent", "money")
        )
        if not plain_first or not bare or not _TO.fullmatch(plain[first.end : second.start]):
            continue
        scale = _decimal(bare.group(1))
        if not scale or abs(first.value) > scale or second.value <= 0:
            continue
        money = first if first.kind == "money" else second
        unit, kind = (money.unit, money.kind) if money.kind == "money" else (second.unit, second.kind)
        found[i] = replace(first, value=first.value * second.value / scale, unit=unit, kind=kind)
        found[i + 1] = replace(second, unit=unit, kind=kind)
    return tuple(found)


# Pieces

_SCALE_HAN: Final = {char: Decimal(value) for char, value in {**TENS, **BIG}.items()}
_DIGITS: Final = r"\d{1,3}(?:[,\u00a0\u202f]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_SCALE_WORD: Final = r"hundred|thousand|million|billion|trillion|dozen|lakh|crore"
_PERCENT: Final = r"%|‰|percentage\ points?\b|percent\b|per\ cent\b|pct\b|个百分点"
_NEGATIVE: Final = r"(?:(?<![\w)%‰℃°])|(?<=[至为了到率幅是降增]))-|负|\b(?:minus|negative)\s"


def _amount(text: str, value: Decimal, start: int, end: int, currency: str = "") -> Quantity:
    """Return an amount together with the currency or unit that follows it."""
    measure = measure_after(text, end)
    code = currency_code(currency)
    if measure is None or (currency and not measure.money):
        near = about(text, start, end)
        return Quantity("", value, code, "money" if currency else "number", start, end, near)
    value = (value + measure.extra) * measure.factor
    near = about(text, start, measure.end)
    if measure.money:
        return Quantity("", value, code or measure.unit, "money", start, measure.end, near)
    return Quantity("", value, measure.unit, "number", start, measure.end, near)


def _percent(text: str, value: Decimal, start: int, end: int) -> Quantity:
    return Quantity("", value, "%", "percent", start, end, about(text, start, end))


def _decimal(digits: str) -> Decimal:
    return Decimal(re.sub(r"[,\u00a0\u202f]", "", digits))


def _scaled(value: Decimal, units: str) -> Decimal:
    for char in units:
        value *= _SCALE_HAN.get(char, 1)
    return value


# Forms

_MIXED: Final = re.compile(
    rf"(?<![\d.])(?:\d[\d,]{{0,30}}(?:\.\d+)?\s?(?:(?!{KILO})[十百千万亿兆])+\s?零?)+(?:(?<=零)\d+(?![\d.百千万亿]))?"
)
_MIXED_PART: Final = re.compile(r"(\d[\d,]*(?:\.\d+)?)\s?([十百千万亿兆]*)")


def _mixed(text: str) -> Iterator[Quantity]:
    """25万6千, 1亿2000万, 3万零500."""
    for match in _MIXED.finditer(text):
        found = match.group().rstrip(" 零")
        parts = [
            (_decimal(digits), _scaled(Decimal(1), units)) for digits, units in _MIXED_PART.findall(found)
        ]
        falling = all(
            value * unit < above for (value, unit), (_, above) in zip(parts[1:], parts, strict=False)
        )
        if len(parts) > 1 and falling:
            value = sum((value * unit for value, unit in parts), Decimal(0))
            yield _amount(text, value, match.start(), match.start() + len(found))


_FRACTION: Final = re.compile(
    rf"(?P<neg>负)?(?:(?P<whole>[{HAN}]{{1,24}}|\d{{1,24}})\s?又\s?)?(?P<below>[{HAN}]{{1,24}}|\d{{1,24}})分之(?P<above>[{HAN}]+(?:点[{HAN}]+)?|\d[\d,]*(?:\.\d+)?)(?!又)"
)
_HUNDREDTHS: Final = {
    "百": Decimal(1),
    "千": Decimal("0.1"),
    "万": Decimal("0.01"),
    "百万": Decimal("0.0001"),
}


def _fractions(text: str) -> Iterator[Quantity]:
    """百分之三十 as percent; 三分之二 and 一又二分之一 as the numbers they are."""
    for match in _FRACTION.finditer(text):
        below, above, whole = (
            _decimal(g) if g[0].isdigit() and g.isascii() else han_value(g)
            for g in (match.group("below"), match.group("above"), match.group("whole") or "零")
        )
        hundredths = _HUNDREDTHS.get(match.group("below"))
        if above is None or whole is None or (hundredths is None and not below):
            continue
        sign = -1 if match.group("neg") else 1
        if hundredths is not None:
            yield _percent(text, sign * above * hundredths, *match.span())
        elif below:
            near = about(text, *match.span())
            yield Quantity("", sign * (whole + above / below), "", "number", *match.span(), near)


_VULGAR: Final = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"
_PARTS: Final = re.compile(
    rf"""
    (?:(?<![\d.,/])(?P<whole>\d{{1,4}})\s?)?(?P<sign>[{_VULGAR}])
    | (?<![\d.,/-])(?P<whole2>\d{{1,4}})\s(?P<a>\d{{1,2}})/(?P<b>\d{{1,2}})(?![\d/])
    | (?<![\w.,/:-])(?P<a2>\d)/(?P<b2>\d{{1,2}})(?=\sof\b|\s?(?:的|以上|以下))
    """,
    re.VERBOSE,
)


def _parts(text: str) -> Iterator[Quantity]:
    """2½, 10 1/2 miles, 1/3 of."""
    for match in _PARTS.finditer(text):
        sign = match.group("sign")
        above, below = (
            unicodedata.normalize("NFKC", sign).split("\u2044")
            if sign
            else (match.group("a") or match.group("a2"), match.group("b") or match.group("b2"))
        )
        if int(above) < int(below):
            whole = Decimal(match.group("whole") or match.group("whole2") or 0)
            yield _amount(text, whole + Decimal(above) / Decimal(below), *match.span())


_ARABIC: Final = re.compile(
    rf"""
    (?P<cur>(?:US|HK|A|C|NT|S)?[$€£¥₩₹]|(?<![A-Za-z])(?:USD|EUR|GBP|CNY|RMB|JPY|HKD)\s?)? \s?
    (?P<neg>{_NEGATIVE})? (?P<cur2>[$€£¥])?
    (?P<num>{_DIGITS})
    (?P<power>[eE](?=[+-])(?P<e>[+-]\d{{1,2}})(?![\w.])|\s?[x×]\s?10(?:\^(?P<e2>[+-]?\d{{1,2}})(?!\d)|(?P<e3>[⁺⁻]?[⁰¹²³⁴-⁹]{{1,2}})))?
    (?:(?P<han>\s{{0,2}}(?:(?!{KILO})[十百千万亿兆]){{1,3}}) | (?P<more>\s?[多余]\s?[百千万亿]{{1,2}}) | \s?(?P<scale>(?:{_SCALE_WORD})s?\b|(?:bn|bln|mn|tn|tln)(?![\w%]))|(?P<letter>(?(cur)\s?[kKmMbB]|(?:\s?k|[KMB]))(?![A-Za-z0-9_%/])))?
    (?P<half>\s(?:and\s)a\shalf\b)?
    \s?(?P<pct>{_PERCENT})?
    """,
    re.VERBOSE,
)
_RAISED: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
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
        if match.group("power"):
            power = match.group("e") or match.group("e2") or match.group("e3").translate(_RAISED)
            value = Decimal(f"{value.scaleb(int(power)):f}")
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
    rf"(?P<neg>负)?(?P<num>[{HAN}]+(?:点[{HAN}]+)?)(?:(?P<more>\s?[多余][百千万亿]{{1,2}})|(?P<tenths>成(?![本功立员长果为交])|折(?![旧合]))(?P<half>[{HAN}半](?![{HAN}]))?)?"
)


def _takes_kilo(head: str) -> bool:
    """Return whether 千 behind a numeral is the unit's: 三千瓦 and 一百千瓦, but not 一万二千瓦."""
    return bool(head) and (head[-1] not in DIGITS or not any(char in BIG or char in TENS for char in head))


def _han(text: str) -> Iterator[Quantity]:
    for match in _HAN_NUMBER.finditer(text):
        raw, (start, end) = match.group("num"), match.span()
        if raw[-1] == "千" and re.compile(KILO).match(text, end - 1) and _takes_kilo(raw[:-1]):
            raw, end = raw[:-1], end - 1
        if len(raw) == 2 and not match.group("tenths") and all(DIGITS.get(char) for char in raw):
            continue  # 大二四个学期, 三五天: two figures, or a vague one
        weight = raw[-1] == "两" and len(raw) > 1
        value = han_value(raw[:-1] if weight else raw)
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
        elif weight:
            yield Quantity("", value, "两", "number", start, end, about(text, start, end))
        else:
            quantity = _amount(text, value, start, end)
            if (
                len(raw) > 1
                or match.group("more")
                or (quantity.unit and (raw != "一" or quantity.unit not in COUNTERS))
            ):
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
