"""Ready programs: what can be computed from figures without a model.

Promises: each program is constant text that runs like any other, so that a
figure can be computed again from what the evidence keeps. Refuses nothing:
`choose` decides which one fits. Pure data.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

OperationName = Literal[
    "sum",
    "average",
    "median",
    "ratio",
    "difference",
    "rate_of_change",
    "year_on_year",
    "period_on_period",
    "correlation",
    "longest_run",
    "trend",
]
Shape = Literal["series", "pair", "steps", "two_series"]
"""One column; two figures; a column in the order of its periods; two columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One ready program."""

    name: OperationName
    shape: Shape
    program: str
    en: str
    zh: str
    cues: re.Pattern[str]
    """What a question says that means it."""
    percent: bool = False
    """Whether the value may be read as a percentage."""


def _cues(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_MEDIAN: Final = """\
ordered = sorted(values)
middle = len(ordered) // 2
ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
"""
_CORRELATION: Final = """\
n = len(values)
mean_a = sum(values) / n
mean_b = sum(others) / n
together = sum((a - mean_a) * (b - mean_b) for a, b in zip(values, others))
spread_a = sum((a - mean_a) ** 2 for a in values)
spread_b = sum((b - mean_b) ** 2 for b in others)
round(together / (spread_a * spread_b) ** 0.5, 12)
"""
_LONGEST: Final = """\
def holds(i):
    if kind == "rising":
        return i > 0 and values[i] > values[i - 1]
    if kind == "falling":
        return i > 0 and values[i] < values[i - 1]
    return values[i] > bound if kind == "above" else values[i] < bound

best = 0
end = -1
length = 0
for i in range(len(values)):
    length = length + 1 if holds(i) else 0
    if length > best:
        best = length
        end = i
{"length": best, "from": labels[end - best + 1] if best else None, "to": labels[end] if best else None}
"""
_TREND: Final = """\
n = len(values)
middle = (n - 1) / 2
mean = sum(values) / n
slope = sum((i - middle) * (v - mean) for i, v in enumerate(values)) / sum((i - middle) ** 2 for i in range(n))
rises = sum(1 for a, b in zip(values, values[1:]) if b > a)
falls = sum(1 for a, b in zip(values, values[1:]) if b < a)
direction = "rising" if slope > 0 else "falling" if slope < 0 else "flat"
{"direction": direction, "per_step": round(slope, 12), "rises": rises, "falls": falls, "first": values[0], "last": values[-1]}
"""

OPERATIONS: Final[Mapping[OperationName, Operation]] = MappingProxyType(
    {
        operation.name: operation
        for operation in (
            Operation(
                name="correlation", shape="two_series", program=_CORRELATION,
                en="correlation", zh="相关系数", cues=_cues(r"相关系数|相关性|相关程度|correlat"),
            ),
            Operation(
                name="longest_run", shape="steps", program=_LONGEST,
                en="longest run", zh="最长连续段",
                cues=_cues(r"连续.{0,12}(?:最长|几|多少|多久)|最长.{0,6}连续|longest (?:run|streak|stretch)|in a row|consecutive"),
            ),
            Operation(
                name="year_on_year", shape="steps", program="(last - first) / first", percent=True,
                en="year-on-year change", zh="同比变化率", cues=_cues(r"同比|year[- ](?:on|over)[- ]year|\byoy\b"),
            ),
            Operation(
                name="period_on_period", shape="steps", program="(last - first) / first", percent=True,
                en="change on the period before", zh="环比变化率",
                cues=_cues(r"环比|(?:quarter|month|period)[- ](?:on|over)[- ](?:quarter|month|period)|\b(?:qoq|mom)\b"),
            ),
            Operation(
                name="rate_of_change", shape="pair", program="(last - first) / first", percent=True,
                en="rate of change", zh="变化率",
                cues=_cues(r"增长率|增幅|涨幅|降幅|跌幅|变化率|增速|下降率|(?:growth|change) rate|rate of (?:growth|change)|"
                           r"percent(?:age)? (?:change|growth|increase|decrease)|(?:grow|grew|rise|rose|fall|fell|increase|decrease)d? by what percent"),
            ),
            Operation(
                name="trend", shape="steps", program=_TREND,
                en="trend", zh="趋势", cues=_cues(r"趋势|走势|\btrend"),
            ),
            Operation(
                name="median", shape="series", program=_MEDIAN, en="median", zh="中位数", cues=_cues(r"中位数|\bmedian"),
            ),
            Operation(
                name="average", shape="series", program="sum(values) / len(values)",
                en="average", zh="平均值", cues=_cues(r"平均|均值|人均|\baverage|\bmean\b"),
            ),
            Operation(
                name="ratio", shape="pair", program="first / second", percent=True,
                en="ratio", zh="比率",
                cues=_cues(r"比率|比值|占比|比重|比例|之比|的几倍|多少倍|占.{0,20}(?:多少|几|百分)|\bratio\b|\bshare of\b|as a percentage of|how many times"),
            ),
            Operation(
                name="difference", shape="pair", program="first - second",
                en="difference", zh="差额",
                cues=_cues(r"差额|差值|差距|相差|多多少|少多少|\bdifference\b|how much (?:more|less|higher|lower)"),
            ),
            Operation(
                name="sum", shape="series", program="sum(values)",
                en="total", zh="合计", cues=_cues(r"合计|总和|总计|总额|总数|之和|一共|共计|加起来|\btotal\b|\bsum\b|altogether"),
            ),
        )
    }
)  # fmt: skip
"""By name, in the order in which a question is read: what is more special comes first."""
