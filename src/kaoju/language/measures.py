"""What follows a figure and says of what it is: currencies, units and measure words. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from kaoju.language.numerals import SCALES

_CURRENCIES: Final = {
    "USD": "$ us$ usd 美元 美金 dollar us-dollar", "HKD": "hk$ hkd 港元 港币", "EUR": "€ eur 欧元 euro", "GBP": "£ gbp 英镑 pound",
    "CNY": "¥ cny rmb 元 人民币 人民币元 块 块钱 yuan 角", "JPY": "日元 jpy", "KRW": "₩ 韩元", "INR": "₹", "AUD": "a$", "CAD": "c$",
    "TWD": "nt$ 新台币", "SGD": "s$",
}  # fmt: skip
_CODES: Final = {
    word.replace("-", " "): code for code, words in _CURRENCIES.items() for word in words.split()
}
_MONEY: Final = re.compile(
    r"\s?(?P<name>人民币元|人民币|美元|美金|欧元|英镑|日元|韩元|港元|港币|新台币|元|块钱|块|角(?![度色落])|(?:USD|EUR|GBP|CNY|RMB|JPY|HKD|US dollars?|dollars?|euros?|pounds?|yuan)(?![A-Za-z]))"
    r"(?:\s(?P<scale>million|billion|trillion)\b)?",
    re.IGNORECASE,
)
KILO: Final = r"千(?=克|米|瓦|卡|赫|伏|帕|字节|比特)|兆(?=瓦|赫|帕|字节|比特)"
"""千 and 兆 that belong to the unit behind them rather than to the figure."""
COUNTERS: Final = frozenset("只张艘架座栋间户场届轮批股盒箱瓶袋册篇封枚颗根支双杯桶趟遍")
"""Measure words behind which 一 says less than one (一张 is any)."""
_COUNTERS: Final = (
    "只(?![有是要能会为占剩])|张(?![家某三])|架(?!构)|座(?![位谈])|间(?![隔接])|户(?![口籍型外])|场(?![景合地所馆])|届(?!时)"
    "|轮(?![船胎流])|批(?![准评发量复])|股(?![东份票权价市])|根(?![据本源])|支(?![持付出撑行])|双(?![方边重向])|[艘栋盒箱瓶袋册篇封枚颗杯桶趟遍]"
)
_HAN: Final = re.compile(
    r"\s?(个工作日|工作日|个自然日|自然日|个月|小时|分钟|个百分点|平方米|平方公里|平方厘米|立方米|公里|公斤|公顷|千瓦时|人次|摄氏度"
    r"|千[克米瓦卡赫伏帕]|兆[瓦赫帕]|[千兆](?:字节|比特)|[毫厘微纳]米|毫升|[毫微]克|年(?!级)|次(?![要序])|[月天日周岁人名个件台套项家倍吨克米层位份辆条页章款笔票秒瓦度斤亩]"
    rf"|{_COUNTERS})"
)
_LATIN: Final = re.compile(r"[\s-]?([a-z][A-Za-z]{0,13}(?:/[A-Za-z]{1,6})?|°[CF])")
_NO_UNITS: Final = frozenset(
    "and or of in on at to for the a an by with from is are was were be as per than that this it its into out up down over under after before during"
    " but not has have had will would can more less about around between against if while when which who years'".split()
)
_HALF: Final = re.compile(r"半(?![数夜年径岛圆成导])")
_AND_A_HALF: Final = re.compile(r"半(个?月(?!刊)|小时|钟头|个?世纪|个?星期|个?百分点|个?工作日)")


@dataclass(frozen=True, slots=True)
class Measure:
    """What a figure counts, and where the words for it end."""

    unit: str
    end: int
    money: bool = False
    factor: Decimal = Decimal(1)
    """What the figure is multiplied with: a scale behind the currency, tenths of it."""
    extra: Decimal = Decimal(0)
    """Half of the unit, where the text says 半."""


def currency_code(sign: str) -> str:
    """Return the code of a currency's sign or name, empty where it is unknown."""
    return _CODES.get(sign.strip().lower(), "")


def measure_after(text: str, end: int) -> Measure | None:
    """Return the currency or unit that stands directly behind a figure, None where there is none."""
    if money := _MONEY.match(text, end):
        name = money.group("name").lower()
        code = _CODES.get(name) or _CODES[name.removesuffix("s")]
        factor = Decimal("0.1") if name == "角" else Decimal(1)
        if scale := money.group("scale"):
            factor *= SCALES[scale.lower()]
        return Measure(code, money.end(), money=True, factor=factor)
    if match := _HAN.match(text, end):
        return _halved(text, match.group(1), match.end())
    match = _LATIN.match(text, end)
    if match and match.group(1).lower() not in _NO_UNITS:
        return Measure(match.group(1), match.end())
    return None


def _halved(text: str, unit: str, end: int) -> Measure:
    """Read 两年半, 一个半小时."""
    half = Decimal("0.5")
    if unit == "个" and (match := _AND_A_HALF.match(text, end)):
        return Measure("个月" if match.group(1) == "月" else match.group(1), match.end(), extra=half)
    if unit in ("年", "天", "米", "斤", "倍", "吨", "周", "公里", "公斤") and (
        match := _HALF.match(text, end)
    ):
        return Measure(unit, match.end(), extra=half)
    return Measure(unit, end)
