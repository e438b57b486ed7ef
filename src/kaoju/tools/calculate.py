"""Exact arithmetic as a tool.

Promises: the value is that of the expression as shown in the evidence, in
decimal arithmetic, with every number that went in. Refuses: anything that is
not arithmetic, and expressions whose value would not fit.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from kaoju.model.evidence import Evidence, Locator
from kaoju.model.tool import Failed, Succeeded, ToolCall, ToolOutcome, ToolSpec
from kaoju.tools.arithmetic import ArithmeticRefusedError, Result, evaluate
from kaoju.tools.base import say, text_of
from kaoju.tools.phrases import to_expression

MAX_CHARS: Final = 1_000


class Calculate:
    """The calculator."""

    spec = ToolSpec(
        name="calculate",
        description="Computes an arithmetic expression exactly. 精确计算算式。",
        use_for="Sums, ratios, rates of change, percentages of stated numbers. 已知数字的四则运算、比率、增长率。",
        not_for="Numbers still to be looked up; statistics over tables. 还需要查找的数字；表格统计。",
        input_schema={
            "type": "object",
            "properties": {
                "query": {"type": "string", "maxLength": MAX_CHARS},
                "expression": {"type": "string", "minLength": 1, "maxLength": MAX_CHARS},
            },
            "anyOf": [{"required": ["expression"]}, {"required": ["query"]}],
            "additionalProperties": False,
        },
        examples=(
            {"expression": "(120-100)/100"},
            {"expression": "12% of 3,400"},
            {"expression": "1.2亿 / 3000万"},
            {"query": "从100增长到120的增长率"},
        ),
        timeout_seconds=5.0,
        attempts=1,
    )

    async def run(self, call: ToolCall) -> ToolOutcome:
        """Compute once."""
        asked = text_of(call.arguments, "expression") or text_of(call.arguments)
        about = asked + text_of(call.arguments)
        try:
            result = evaluate(to_expression(asked))
        except ArithmeticRefusedError as error:
            return Failed(
                code="PARSE_FAILED",
                message=error.zh if say(about, zh="zh", en="en") == "zh" else str(error),
                retryable=False,
                suggestion=say(
                    about,
                    zh="写成只含数字和 + - * / % ** ( ) sum avg min max round 的算式，如 (120-100)/100",
                    en="write numbers with + - * / % ** ( ) sum avg min max round only, such as (120-100)/100",
                ),
                field="expression",
                expected="an arithmetic expression",
            )
        return Succeeded(evidence=(_evidence(result, asked, about, call),))


def calculate() -> Calculate:
    """Return the calculator."""
    return Calculate()


def _evidence(result: Result, asked: str, about: str, call: ToolCall) -> Evidence:
    shown = plain(result.value)
    exact = result.exact and Decimal(shown) == result.value
    relation = "=" if exact else "≈"
    text = f"{result.expression} {relation} {shown}"
    if result.ratio:
        percent = result.value * 100
        rounded = percent.quantize(Decimal("0.01"))
        text += f" ({'' if rounded == percent else '≈ '}{plain(rounded)}%)"
    whole = result.value == result.value.to_integral_value()
    number = int(result.value) if whole else float(result.value)
    return Evidence(
        id="",
        kind="value",
        text=text,
        document_id="",
        title=say(about, zh="计算", en="Calculation"),
        locator=Locator(),
        tool=Calculate.spec.name,
        task_id=call.task_id,
        query=asked,
        score=1.0,
        uncertainty="" if exact else say(about, zh="结果已四舍五入", en="the result is rounded"),
        rows=({"value": number},),
        inputs=result.inputs,
        metadata={"value": shown},
    )


def plain(value: Decimal) -> str:
    """Return a number without exponent and without trailing zeros, at most 12 decimals."""
    if value != value.to_integral_value() and abs(value) >= Decimal("0.000001"):
        value = round(value, 12)
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
