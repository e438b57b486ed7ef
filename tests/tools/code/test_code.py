"""Figures computed from rows: ready programs by rules, given programs, written programs."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaoju.errors import ModelError
from kaoju.llm.scripted import ScriptedModel
from kaoju.model.evidence import JSON, Evidence
from kaoju.model.tool import Failed, Succeeded, ToolCall, ToolOutcome
from kaoju.tools.code.columns import number
from kaoju.tools.code.exact import to_run
from kaoju.tools.code.guard import Checked, check
from kaoju.tools.code.tool import Code

QUARTERS: list[JSON] = [
    {
        "季度": f"{year}年第{name}季度",
        "地区": region,
        "营收": base + step * 10.1,
        "利润": f"{(base + step) * 10:,}元",
    }
    for region, base in (("华东", 100), ("华南", 40))
    for year, extra in ((2023, 0), (2024, 100))
    for step, name in enumerate("一二三四", extra)
]
SALES: list[JSON] = [
    {"quarter": f"Q{q} {year}", "revenue": revenue, "headcount": people}
    for (year, q), revenue, people in zip(
        [(y, q) for y in (2023, 2024) for q in (1, 2, 3, 4)],
        [10.1, 12.2, 11.0, 13.3, 14.4, 15.5, 16.6, 12.0],
        [5, 6, 6, 7, 8, 8, 9, 7],
        strict=True,
    )
]


def call(**arguments: JSON) -> ToolCall:
    return ToolCall(run_id="r", task_id="t1", attempt=1, tool="code", arguments=arguments)


@pytest.fixture(scope="module")
def code() -> Iterator[Code]:
    tool = Code()
    yield tool
    tool._interpreter.close()


def only(outcome: ToolOutcome) -> Evidence:
    assert isinstance(outcome, Succeeded), outcome
    (evidence,) = outcome.evidence
    return evidence


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ("华东营收的合计", sum(Decimal(str(100 + s * 10.1)) for s in (0, 1, 2, 3, 100, 101, 102, 103))),
        ("华东2024年营收的平均值", (4 * Decimal(100) + Decimal("10.1") * 406) / 4),
        ("华南2023年营收的中位数", Decimal(40) + Decimal("10.1") * Decimal("1.5")),
        ("华东2024年第一季度营收同比", (Decimal("10.1") * 100) / 100),
        ("华东营收从2023年第一季度到2023年第三季度的增长率", Decimal("0.202")),
        ("2023年第二季度华东营收的合计", Decimal("110.1")),
    ],
)
async def test_chinese_questions_over_rows(code: Code, query: str, value: Decimal) -> None:
    found = only(await code.run(call(query=query, data={"rows": QUARTERS})))
    assert Decimal(found.metadata["value"]) == value
    assert found.kind == "value"
    assert found.uncertainty == ""


@pytest.mark.parametrize(
    ("query", "value"),
    [
        ("total revenue in 2024", "58.5"),
        ("average revenue", "13.1375"),
        ("median of headcount", "7"),
        ("year-on-year growth of revenue in Q1 2024", "0.425742574257"),
        ("quarter-on-quarter change of headcount in Q4 2024", "-0.222222222222"),
        ("growth rate of headcount from Q1 2023 to Q4 2023", "0.4"),
    ],
)
async def test_english_questions_over_rows(code: Code, query: str, value: str) -> None:
    found = only(await code.run(call(query=query, data={"rows": SALES})))
    assert found.metadata["value"] == value


async def test_a_correlation_says_when_it_rests_on_few_pairs(code: Code) -> None:
    found = only(await code.run(call(query="correlation of revenue and headcount", data={"rows": SALES})))
    assert float(found.metadata["value"]) == pytest.approx(0.95909, abs=1e-5)
    assert "only 8 pairs" in found.uncertainty


async def test_a_perfect_correlation_is_one(code: Code) -> None:
    data: dict[str, JSON] = {"x": [1, 2, 3, 4], "y": [10.5, 20.5, 30.5, 40.5]}
    found = only(await code.run(call(query="correlation of x and y", data=data)))
    assert found.metadata["value"] == "1"


@pytest.mark.parametrize(
    ("query", "row"),
    [
        ("longest run of rising revenue", {"length": 4, "from": "Q4 2023", "to": "Q3 2024"}),
        ("revenue连续高于12最长的一段", {"length": 4, "from": "Q4 2023", "to": "Q3 2024"}),
        ("longest run of revenue below 5", {"length": 0, "from": None, "to": None}),
    ],
)
async def test_the_longest_run(code: Code, query: str, row: dict[str, JSON]) -> None:
    found = only(await code.run(call(query=query, data={"rows": SALES})))
    assert found.rows == (row,)


async def test_rows_out_of_order_are_put_in_the_order_of_their_periods(code: Code) -> None:
    found = only(await code.run(call(query="revenue趋势", data={"rows": list(reversed(SALES))})))
    assert found.rows[0]["direction"] == "rising"
    assert (found.rows[0]["first"], found.rows[0]["last"]) == (10.1, 12)


async def test_money_is_exact(code: Code) -> None:
    data: dict[str, JSON] = {"amounts": [0.1, 0.2, 0.3, 1e12 + 0.25]}
    found = only(await code.run(call(program="sum(amounts) * 1.1", data=data)))
    assert found.metadata["value"] == "1100000000000.935"
    assert found.uncertainty == ""


async def test_a_value_remembers_what_it_came_from_and_comes_out_again(code: Code) -> None:
    arguments: dict[str, JSON] = {
        "query": "占比",
        "data": {"部门费用": 12.5, "总费用": 50},
        "sources": {"部门费用": "e3", "总费用": "e7"},
    }
    found = only(await code.run(call(**arguments)))
    assert found.metadata["value"] == "0.25"
    assert "(25%)" in found.text
    assert found.inputs == ("e3", "e7", "12.5", "50")
    assert await code.rerun(found) is True
    forged = Evidence(
        id="", kind="value", text="", document_id="", title="", locator=found.locator, tool="code",
        metadata={**found.metadata, "value": "0.26"},
    )  # fmt: skip
    assert await code.rerun(forged) is False


@pytest.mark.parametrize(
    ("query", "data"),
    [
        ("平均值", {"rows": QUARTERS}),
        ("营收同比", {"rows": QUARTERS}),
        ("2031年营收合计", {"rows": QUARTERS}),
        ("华北营收合计", {"rows": QUARTERS}),
        ("total revenue of Globex", {"rows": SALES}),
        ("why did revenue fall", {"rows": SALES}),
        ("year-on-year growth of revenue in Q1 2023", {"rows": SALES}),
        ("growth rate", {"before": 0, "after": 5}),
        ("growth rate", {"before": -3, "after": 5}),
        ("ratio", {"a": 1, "b": 0}),
        ("ratio", {"a": 1, "b": 2, "c": 3}),
        ("correlation of x and y", {"x": [1, 1, 1], "y": [1, 2, 3]}),
    ],
)
async def test_what_is_not_clear_is_declined(code: Code, query: str, data: dict[str, JSON]) -> None:
    outcome = await code.run(call(query=query, data=data))
    assert isinstance(outcome, Failed)
    assert outcome.code == "NO_PATTERN"
    assert outcome.message


async def test_rows_without_a_number_are_left_out_and_named(code: Code) -> None:
    rows: list[JSON] = [{"name": "a", "cost": 3}, {"name": "b", "cost": None}, {"name": "c", "cost": "-"}]
    found = only(await code.run(call(query="total cost", data={"rows": rows})))
    assert found.metadata["value"] == "3"
    assert "2 rows without a number" in found.uncertainty


async def test_a_model_writes_what_no_ready_program_does() -> None:
    model = ScriptedModel(
        ['{"program": "import os"}', "{\"program\": \"max(rows, key=lambda r: r['revenue'])['quarter']\"}"]
    )
    tool = Code(model=lambda: model)
    found = only(await tool.run(call(query="which quarter was best", data={"rows": SALES})))
    await tool.close()
    assert found.rows == ({"value": "Q3 2024"},)
    assert found.confidence == 0.8
    assert "a model wrote the program" in found.uncertainty


@pytest.mark.parametrize(
    "replies",
    [
        ['{"program": "import os"}', '{"program": "open(1)"}'],
        [ModelError("unreachable", "no model"), ModelError("unreachable", "no model")],
        ['{"program": " "}', '{"program": ""}'],
    ],
)
async def test_a_model_that_writes_nothing_usable_is_a_failure(replies: list[str | ModelError]) -> None:
    model = ScriptedModel(replies)
    tool = Code(model=lambda: model)
    outcome = await tool.run(call(query="which quarter was best", data={"rows": SALES}))
    await tool.close()
    assert isinstance(outcome, Failed)
    assert outcome.code in {"CODE_REFUSED", "NO_PATTERN"}


async def test_mixing_decimals_and_floats_is_computed_in_floats_and_said(code: Code) -> None:
    found = only(await code.run(call(program="import math\nmath.log10(a) * b", data={"a": 100, "b": 0.5})))
    assert found.metadata["value"] == "1"
    assert "floating point" in found.uncertainty


@pytest.mark.parametrize("program", ["x = a + 1", "print(a + 1)", "x: int = a + 1", "x = a\nx += 1", "a + 1"])
async def test_the_last_statement_is_the_value(code: Code, program: str) -> None:
    assert only(await code.run(call(program=program, data={"a": 1}))).metadata["value"] == "2"


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("1,234.5", 1234.5), ("12%", 0.12), ("3万元", 30000), ("(250)", -250), ("-7", -7), (True, None),
        ("n/a", None), ("3 of 4", None), ("", None), (None, None), ("A-7731", None), (2.5, 2.5),
    ],
)  # fmt: skip
def test_a_cell_is_a_number_only_as_a_whole(cell: JSON, value: float | None) -> None:
    assert number(cell) == value


@settings(max_examples=60, deadline=None)
@given(st.lists(st.decimals(min_value=-(10**9), max_value=10**9, places=2), min_size=1, max_size=20))
def test_sums_and_means_of_money_are_those_of_decimals(values: list[Decimal]) -> None:
    checked = check("sum(values) / len(values)", {"values"})
    assert isinstance(checked, Checked)
    source = to_run(checked.tree, checked.source, exact=True)
    assert source == "_exact(sum(values)) / len(values)"
    outcome = eval(  # noqa: S307 - our own constant text, to see what it says
        source, {"values": values, "_exact": lambda x: Decimal(x) if isinstance(x, int) else x}
    )
    assert outcome == sum(values) / len(values)
