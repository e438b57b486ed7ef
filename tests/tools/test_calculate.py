from __future__ import annotations

import time
from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaoju.model.tool import Failed, Succeeded, ToolCall
from kaoju.tools.arithmetic import ArithmeticRefusedError, evaluate
from kaoju.tools.calculate import calculate
from kaoju.tools.phrases import to_expression


def made(text: str) -> ToolCall:
    return ToolCall(run_id="r", task_id="t", attempt=1, tool="calculate", arguments={"query": text})


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(120-100)/100", "0.2"),
        ("0.1+0.2", "0.3"),
        ("12% of 3,400", "408"),
        ("3400的12%", "408"),
        ("３４００ × １２％", "408"),
        ("1.2亿 / 3000万", "4"),
        ("1.2亿元 ÷ 3000万元 等于多少？", "4"),
        ("从100增长到120的增长率是多少", "0.2"),
        ("从100涨到120涨了百分之几", "0.2"),
        ("1.5加2再减去0.5", "3"),
        ("6乘以7然后除以2", "21"),
        ("40的一半", "20"),
        ("300打八五折", "255"),
        ("原价50，现价40，降了百分之几", "-0.2"),
        ("25% off 80", "60"),
        ("80 less 25%", "60"),
        ("90减到72，减了百分之几", "-0.2"),
        ("3/4 of 60", "45"),
        ("500 minus a third of 90", "470"),
        ("把90平均分成6份", "15"),
        ("12的3倍", "36"),
        ("By what percentage does 40 grow to 50", "0.25"),
        ("half of 9", "4.5"),
        ("subtract 7 from 20", "13"),
        ("divide 84 by 7", "12"),
        ("120比100增长了百分之几", "0.2"),
        ("80比100下降了百分之几", "0.2"),
        ("growth from 100 to 120", "0.2"),
        ("percentage change from 200 to 150", "-0.25"),
        ("30占120的百分之几", "0.25"),
        ("100、120和140的平均值", "120"),
        ("average of 1, 2 and 6", "3"),
        ("sum of 1,200 and 300", "1500"),
        ("sum(100,200,300)", "600"),
        ("sum(1,200, 3,400)", "4600"),
        ("max(3, 9, 4) - min(3, 9, 4)", "6"),
        ("round(2.675, 2)", "2.68"),
        ("what is 15 percent of 80?", "12"),
        ("what percentage of 200 is 50?", "0.25"),
        ("difference between 12 million and 9.5m", "2500000"),
        ("100加20减5", "115"),
        ("6乘以7", "42"),
        ("2的10次方", "1024"),
        ("7 % 3", "1"),
        ("10% + 5%", "0.15"),
        ("2 ** 100", "1267650600228229401496703205376"),
        ("square root of 144", "12"),
        ("计算 3.5万 + 2000元", "37000"),
        ("$2.5bn / 5", "500000000"),
        ("-3 + 10", "7"),
    ],
)
async def test_expressions_and_phrases(text: str, value: str) -> None:
    outcome = await calculate().run(made(text))
    assert isinstance(outcome, Succeeded)
    item = outcome.evidence[0]
    assert Decimal(item.metadata["value"]) == Decimal(value)
    assert Decimal(str(item.rows[0]["value"])) == pytest.approx(Decimal(value))
    assert item.kind == "value"
    assert " = " in item.text
    assert item.inputs
    assert item.uncertainty == ""


async def test_a_rounded_result_says_so() -> None:
    outcome = await calculate().run(made("10/3"))
    assert isinstance(outcome, Succeeded)
    item = outcome.evidence[0]
    assert item.text == "10/3 ≈ 3.333333333333 (≈ 333.33%)"
    assert item.uncertainty
    assert item.inputs == ("10", "3")


@pytest.mark.parametrize(
    "text",
    [
        "", "今天天气", "hello", "1/0", "0/0", "5 % 0", "9**9**9", "9**99999", "10**400*10**400", "1e9999",
        "__import__('os').system('x')", "().__class__", "open('x')", "lambda: 1", "[x for x in (1,)]", "1 if 1 else 2",
        "'a'*9", "True", "a+1", "sum()", "round(1, 99)", "(-8)**0.5", "sqrt(-1)", "(" * 200 + "1" + ")" * 200,
        "-" * 900 + "1", "+".join(["1"] * 400), "1 2 3", "x" * 900, "max=3", "1;2", "f'{1}'", "0x1F", "1j",
    ],
)  # fmt: skip
async def test_what_is_not_arithmetic_is_refused_at_once(text: str) -> None:
    started = time.monotonic()
    outcome = await calculate().run(made(text))
    assert time.monotonic() - started < 0.5
    assert isinstance(outcome, Failed)
    assert outcome.code == "PARSE_FAILED"
    assert outcome.suggestion


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="0123456789+-*/%().,万亿 的sum率", max_size=60))
def test_any_text_has_a_value_or_a_refusal(text: str) -> None:
    with suppress(ArithmeticRefusedError):  # anything else that is raised fails the test
        assert evaluate(to_expression(text)).value.is_finite()


@settings(max_examples=100, deadline=None)
@given(st.decimals(-(10**9), 10**9, places=4), st.decimals(-(10**9), 10**9, places=4))
def test_sums_of_decimals_are_exact(one: Decimal, other: Decimal) -> None:
    result = evaluate(f"({one:f}) + ({other:f}) - ({other:f})")
    assert result.value == one
    assert result.exact
