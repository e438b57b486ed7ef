"""Which dimension a question asks a figure in, and which one a unit measures: weight, length, duration, money, share.

Promises: "how heavy", 多重 and 什么价格 are told from other questions after
figures, and grams, 米 or CNY are known for what they measure. Refuses to guess:
None for a question that any figure answers, and for units not in its table. Pure.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from kaoju.language.numbers import Quantity

Dimension = Literal["mass", "length", "duration", "money", "share"]

_ASKS: Final[tuple[tuple[re.Pattern[str], frozenset[Dimension]], ...]] = (
    (re.compile(r"多重|重量(?:是|为)?多少|\bhow heavy\b|\bhow much (?:does|do|did) .{1,60} weigh\b"), frozenset({"mass"})),
    (re.compile(r"多高|多宽|多深|多远|\bhow (?:tall|wide|deep|far)\b"), frozenset({"length"})),
    (re.compile(r"多长时间|多久|\bhow long (?:does|do|did|will|would|can|may|must|should|after|before)\b"), frozenset({"duration"})),
    (re.compile(r"多少钱|什么价格|售价多少|\bhow much (?:does|do|did) .{1,60} cost\b|\bhow much money\b"), frozenset({"money"})),
    (re.compile(r"百分之几|百分比|\bwhat (?:percentage|percent)\b"), frozenset({"share"})),
)  # fmt: skip
_UNITS: Final[dict[Dimension, frozenset[str]]] = {
    "mass": frozenset("g gram kg kilogram kilo mg t ton tonne lb lbs pound oz ounce 克 千克 公斤 斤 吨 毫克 两".split()),
    "length": frozenset("m metre meter km kilometre kilometer cm centimetre centimeter mm millimetre millimeter mile foot feet ft inch inches in yard yd nm 米 千米 公里 厘米 毫米 微米 纳米 里 尺 寸 层".split()),
    "duration": frozenset("s sec second minute min hour h hr day week month year decade century 秒 分钟 小时 天 日 周 个月 月 年 工作日 个工作日 自然日 个自然日 世纪 岁".split()),
}  # fmt: skip


def asked_dimensions(plain: str) -> frozenset[Dimension]:
    """Return the dimensions that may answer a normalised question; empty where any figure may."""
    return next((found for pattern, found in _ASKS if pattern.search(plain)), frozenset())


def measures(figure: Quantity) -> frozenset[Dimension]:
    """Return what a figure may measure; nothing where it has no unit, or one that measures something else.

    Pounds are money or weight; only the question tells.
    """
    unit = figure.unit.lower()
    names = {unit, unit.removesuffix("s"), unit.removesuffix("es")}
    found = {dimension for dimension, units in _UNITS.items() if names & units}
    if figure.kind == "money":
        found.add("money")
        if figure.text.lower().endswith(("pound", "pounds")):
            found.add("mass")
    if figure.kind == "percent":
        found.add("share")
    return frozenset(found)
