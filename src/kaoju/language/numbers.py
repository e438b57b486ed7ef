"""Amounts in Chinese and English text as exact values with unit.

Promises: values are `Decimal`, scaled by 万, 亿, million and the like;
percentages keep kind `percent` with the value as written (12.5% is 12.5); spans
are exact slices. Refuses to take dates, years, clock times and codes for
numbers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Final, Literal

from kaoju.language.numerals import HAN, ONES, SCALES, han_value, is_number_word, words_value

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


_SPACED: Final = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_ARABIC: Final = re.compile(
    rf"(?P<cur>(?:US|HK|A|C|NT|S)?[$€£¥₩₹]|(?:USD|EUR|GBP|CNY|RMB|JPY|HKD)\s?)?\s?"
    rf"(?P<neg>(?<![\w)])[-−])?(?P<num>{_SPACED})"
    rf"(?P<han>\s?[十百千万亿兆]{{1,3}})?"
    rf"(?P<scale>\s?(?:thousand|million|billion|trillion|dozen)s?\b|\s?(?:bn|mn|tn|[kKmMbB])(?![\w%]))?"
    rf"(?P<pct>\s?(?:%|‰|percentage points?\b|percent\b|per cent\b|pct\b|个百分点))?"
)
_HANNUM: Final = re.compile(
    rf"(?P<neg>负)?(?:(?P<frac>百分之|千分之|万分之)(?P<fracnum>[{HAN}点\d.]+)|(?P<num>[{HAN}]+(?:点[{HAN}]+)?))(?P<cheng>成(?P<half>[{HAN}半])?|折)?"
)
_WORDS: Final = re.compile(
    r"\b(?:(?:a\s+)?(?:" + "|".join([*sorted(ONES, key=len, reverse=True), "hundred", "thousand", "million", "billion", "trillion"])
    + r")(?:[\s-]+(?:and\s+)?|\b))+",
    re.IGNORECASE,
)
_MASK: Final = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?:[T ]\d{1,2}:\d{2}(?::\d{2})?)?|\d{1,2}[/]\d{1,2}[/]\d{2,4}|\d{1,2}:\d{2}(?::\d{2})?"
    rf"|(?:\d{{4}}|[{HAN}]{{4}}|[{HAN}]{{2}})\s?(?:年(?![以之]?[内中来]|[级龄])|年度)|(?:\d{{1,2}}|[十一二三四五六七八九]{{1,3}})\s?月(?:份|底|初|末|\s?(?:\d{{1,2}}|[十一二三四五六七八九廿卅]{{1,3}})\s?[日号])?|(?<=月)(?:\d{{1,2}})[日号]"
    r"|[QH][1-4](?:\s?(?:FY)?\s?\d{4})?|FY\s?\d{2,4}|第[一二三四1-4]季度|[一二三四]季度"
    r"|\b(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\.?\s+\d{1,2}(?:st|nd|rd|th)?(?:,?\s+\d{4})?\b"
    r"|\b\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?(?:,?\s+\d{4})?"
    r"|\b(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\s+\d{4}\b"
    r"|(?<![\w.,$€£¥%-])(?:1[89]|20)\d\d(?:s)?(?:\s?[-–—]\s?(?:1[89]|20)?\d\d)?(?![\w%]|,\d|\.\d|\s?(?:元|美元|人|个|万|亿|million|billion|thousand|people|employees|units|percent))"
)
_CODEISH: Final = re.compile(r"(?=[\w./-]*[A-Za-z])(?=[\w./-]*\d)[A-Za-z]+[\w]*(?:[-./][\w]+)*|\d+[A-Za-z]+\d[\w-]*|\d+(?:-\d+){2,}", re.ASCII)
_MONEY_AFTER: Final = re.compile(
    r"\s?(?P<name>人民币元|人民币|美元|美金|欧元|英镑|日元|港元|港币|元|块钱|块|角|分钱|USD|EUR|GBP|CNY|RMB|JPY|HKD|US dollars?|dollars?|euros?|pounds?|yuan|cents?)(?![A-Za-z])",
    re.IGNORECASE,
)
_CURRENCY: Final = {
    "$": "USD", "us$": "USD", "usd": "USD", "美元": "USD", "美金": "USD", "us dollar": "USD", "us dollars": "USD", "dollar": "USD", "dollars": "USD",
    "hk$": "HKD", "hkd": "HKD", "港元": "HKD", "港币": "HKD", "€": "EUR", "eur": "EUR", "欧元": "EUR", "euro": "EUR", "euros": "EUR",
    "£": "GBP", "gbp": "GBP", "英镑": "GBP", "pound": "GBP", "pounds": "GBP", "¥": "CNY", "cny": "CNY", "rmb": "CNY", "元": "CNY",
    "人民币": "CNY", "人民币元": "CNY", "块": "CNY", "块钱": "CNY", "yuan": "CNY", "日元": "JPY", "jpy": "JPY", "₩": "KRW", "₹": "INR",
    "a$": "AUD", "c$": "CAD", "nt$": "TWD", "s$": "SGD",
}  # fmt: skip
_UNIT_HAN: Final = re.compile(
    r"\s?(个工作日|工作日|个自然日|自然日|个月|小时|分钟|个百分点|平方米|立方米|公里|千米|公斤|千克|人次|人民币|[年月天日周岁人名个件台套项家次倍吨克米层位份辆条页章款笔票秒瓦度])"
)
_UNIT_LATIN: Final = re.compile(r"[\s-]?([A-Za-z]{1,14}(?:/[A-Za-z]{1,6})?|°[CF])")
_NOT_UNITS: Final = frozenset(
    "and or of in on at to for the a an by with from is are was were be as per than that this it its into out up down over under after before during"
    " but not has have had will would can more less about around between against if while when which who years'".split()
)
_ABOUT_BEFORE: Final = re.compile(r"(?:约|大约|近|将近|接近|大概|逾|超过|不足|about|around|approximately|approx\.?|nearly|almost|roughly|some|over|more than|less than|~)\s?$", re.IGNORECASE)
_ABOUT_AFTER: Final = re.compile(r"\s?(?:左右|上下|多[万亿元个人]?|余)")
_ORDINAL_LATIN: Final = re.compile(r"(?:st|nd|rd|th)\b")


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
    return unit[:-1] if unit.isascii() and len(unit) > 3 and unit.endswith("s") else unit  # noqa: PLR2004


@lru_cache(maxsize=20_000)
def _found(text: str) -> tuple[Quantity, ...]:
    plain = _same_length(text)
    taken = [match.span() for pattern in (_MASK, _CODEISH) for match in pattern.finditer(plain)]
    kept: list[Quantity] = []
    for quantity in (*_arabic(plain), *_han(plain), *_words(plain)):
        span = (quantity.start, quantity.end)
        if not any(a < span[1] and span[0] < b for a, b in taken):
            taken.append(span)
            kept.append(quantity)
    ordered = sorted(kept, key=lambda q: q.start)
    return tuple(_shown(q, text) for q in ordered)


def _shown(quantity: Quantity, text: str) -> Quantity:
    return Quantity(
        text[quantity.start : quantity.end], quantity.value, quantity.unit, quantity.kind, quantity.start, quantity.end, quantity.approximate
    )


def _same_length(text: str) -> str:
    """Return the text with full-width forms and variants made plain, character by character."""
    table = {"萬": "万", "億": "亿", "兩": "两", "，": "，", "點": "点", "個": "个", "–": "-", "％": "%", "負": "负"}
    out = []
    for char in text:
        folded = unicodedata.normalize("NFKC", char) if "\uff00" <= char <= "\uffef" else char
        out.append(table.get(char) or (folded if len(folded) == 1 else char))
    plain = "".join(out)
    return re.sub(r"(?<=\d)[，](?=\d{3}(?!\d))", ",", plain)


def _arabic(text: str) -> Iterator[Quantity]:
    for match in _ARABIC.finditer(text):
        start, end = match.start("num"), match.end()
        before = text[start - 1 : start]
        if before and (before.isascii() and (before.isalpha() or before == "_")) and not match.group("cur"):
            continue
        try:
            value = Decimal(match.group("num").replace(",", ""))
        except InvalidOperation:
            continue
        if match.group("han"):
            for char in match.group("han").strip():
                value *= {"十": 10, "百": 100, "千": 1000, "万": 10**4, "亿": 10**8, "兆": 10**12}[char]
        if match.group("scale"):
            value *= SCALES[match.group("scale").strip().lower().removesuffix("s") if len(match.group("scale").strip()) > 2 else match.group("scale").strip().lower()]
        if match.group("neg"):
            value, start = -value, match.start("neg")
        percent = match.group("pct")
        if percent:
            value = value / 10 if percent.strip() == "‰" else value
            yield Quantity("", value, "%", "percent", start, end, _about(text, start, end))
            continue
        tail = text[end : end + 2]
        chinese = re.match(r"成(?![本功立员长果为])|折(?![旧合])", text[end:])
        if chinese and not match.group("han") and not match.group("scale"):
            yield Quantity("", value * 10, "%", "percent", start, end + 1, _about(text, start, end + 1))
            continue
        if _ORDINAL_LATIN.match(tail):
            yield Quantity("", value, "", "ordinal", start, end + 2)
            continue
        if text[start - 1 : start] == "第":
            yield Quantity("", value, "", "ordinal", start - 1, end)
            continue
        yield _with_unit(text, value, start, end, match.group("cur"), match.start("cur") if match.group("cur") else start)


def _han(text: str) -> Iterator[Quantity]:
    for match in _HANNUM.finditer(text):
        start, end = match.span()
        raw = match.group("num")
        if raw is None:
            number = match.group("fracnum")
            value = han_value(number) if not re.search(r"\d", number) else _decimal(number)
            if value is None:
                continue
            factor = {"百分之": Decimal(1), "千分之": Decimal("0.1"), "万分之": Decimal("0.01")}[match.group("frac")]
            yield Quantity("", -value * factor if match.group("neg") else value * factor, "%", "percent", start, end, _about(text, start, end))
            continue
        value = han_value(raw)
        if value is None or raw[0] in "百千万亿兆仟佰":
            continue
        if match.group("neg"):
            value = -value
        if match.group("cheng") and not text[end - 1 : end + 1].startswith(("成本", "成功", "成立", "成员", "成长", "成果", "成为")):
            half = match.group("half")
            extra = Decimal(5) if half == "半" else (han_value(half) or Decimal(0)) if half else Decimal(0)
            scale = Decimal(10) if value < 10 or match.group("cheng").startswith("成") else Decimal(1)  # noqa: PLR2004 - 八五折 is 85 %
            yield Quantity("", value * scale + extra, "%", "percent", start, end, _about(text, start, end))
            continue
        if match.group("cheng"):
            end -= len(match.group("cheng"))
        if text[start - 1 : start] == "第":
            yield Quantity("", value, "", "ordinal", start - 1, end)
            continue
        quantity = _with_unit(text, value, start, end, None, start)
        if len(raw) == 1 and not quantity.unit:
            continue
        yield quantity


def _words(text: str) -> Iterator[Quantity]:
    for match in _WORDS.finditer(text):
        raw = match.group().rstrip(" -\t\n")
        raw = re.sub(r"\s+and$", "", raw, flags=re.IGNORECASE)
        words = [part for part in re.split(r"[\s-]+", raw.lower()) if part]
        value = words_value(words)
        if value is None or (len(words) == 1 and words[0] in ("one", "hundred", "thousand", "million", "billion")) or not any(map(is_number_word, words)):
            continue
        start, end = match.start(), match.start() + len(raw)
        percent = re.match(r"\s(?:percent|per cent|%)", text[end:])
        if percent:
            yield Quantity("", value, "%", "percent", start, end + percent.end(), _about(text, start, end))
            continue
        yield _with_unit(text, value, start, end, None, start)


def _with_unit(text: str, value: Decimal, start: int, end: int, currency: str | None, money_start: int) -> Quantity:
    money = _MONEY_AFTER.match(text, end)
    if currency or money:
        code = _CURRENCY.get((currency or "").strip().lower()) or (_CURRENCY.get(money.group("name").lower(), "CNY") if money else "")
        if money and money.group("name") in ("角",):
            value /= 10
        return Quantity("", value, code, "money", money_start, money.end() if money else end, _about(text, money_start, end))
    unit = _UNIT_HAN.match(text, end)
    if unit:
        return Quantity("", value, unit.group(1), "number", start, unit.end(), _about(text, start, unit.end()))
    latin = _UNIT_LATIN.match(text, end)
    if latin and latin.group(1).lower() not in _NOT_UNITS and latin.group(1)[0].islower():
        return Quantity("", value, latin.group(1), "number", start, latin.end(), _about(text, start, latin.end()))
    return Quantity("", value, "", "number", start, end, _about(text, start, end))


def _about(text: str, start: int, end: int) -> bool:
    return bool(_ABOUT_BEFORE.search(text[max(0, start - 16) : start]) or _ABOUT_AFTER.match(text, end))


def _decimal(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None
