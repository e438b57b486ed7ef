"""Typed rows from passages: every value stands where its row says, and nothing is filled by guess."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaoju.errors import ModelError
from kaoju.llm.scripted import ScriptedModel
from kaoju.model.document import Passage
from kaoju.model.evidence import JSON, Evidence, Locator
from kaoju.model.tool import Failed, Succeeded, ToolCall, ToolSpec
from kaoju.tools.contract import Contract
from kaoju.tools.extract.fields import fields_of
from kaoju.tools.extract.kind import ExtractKind
from kaoju.tools.extract.spans import find
from kaoju.tools.extract.tool import SCHEMA, Extract
from kaoju.tools.search import WHOLE, Part, SearchMode

SPEC = ToolSpec(
    name="contract_terms", kind="extract", description="d", use_for="u", not_for="n", input_schema=SCHEMA
)
CONTRACT: dict[str, JSON] = {
    "type": "object",
    "properties": {
        "party": {"type": "string", "aliases": ["甲方", "buyer"]},
        "amount": {"type": "number", "aliases": ["合同金额", "合同总价", "contract value"], "unit": "元"},
        "signed": {"type": "string", "format": "date", "aliases": ["签订日期", "签署于", "signed on"]},
        "term": {"type": "integer", "aliases": ["期限", "合同期限"], "unit": "个月|months"},
        "status": {"enum": ["生效", "终止", "active", "terminated"]},
        "code": {"type": "string", "pattern": r"\b[A-Z]{2}-\d{4}\b"},
    },
}
ZH = "合同 HT-2024 甲方：北辰科技有限公司，签订日期为2024年3月5日，合同总价为人民币１２０万元，合同期限36个月，目前已生效。"
EN = (
    "Contract AB-1234 with buyer: Globex Ltd, signed on March 5, 2024. "
    "Contract value is CNY 1.2 million for a term of 36 months. It is active."
)


def call(**arguments: JSON) -> ToolCall:
    return ToolCall(run_id="r", task_id="t1", attempt=1, tool="contract_terms", arguments=arguments)


def extract(schema: dict[str, JSON] | None = None, **more: Any) -> Extract:
    return Extract(SPEC, fields_of(schema or CONTRACT), **more)


async def rows(tool: Extract, *texts: JSON, **arguments: JSON) -> tuple[Evidence, ...]:
    outcome = await tool.run(call(texts=list(texts), **arguments))
    assert isinstance(outcome, Succeeded), outcome
    return outcome.evidence


def places(row: Evidence) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(row.metadata["fields"])
    return found


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (ZH, ["北辰科技有限公司", 1_200_000, "2024-03-05", 36, "生效", "HT-2024"]),
        (EN, ["Globex Ltd", 1_200_000, "2024-03-05", 36, "active", "AB-1234"]),
    ],
)
async def test_both_languages_give_the_same_typed_row(text: str, values: list[JSON]) -> None:
    (row,) = await rows(extract(), text)
    assert row.kind == "rows"
    assert list(row.rows[0].values()) == values
    assert row.confidence >= 0.85
    assert row.uncertainty == ""


@pytest.mark.parametrize("text", [ZH, EN, "序" * 50 + ZH, ZH.replace("：", " ： ")])
async def test_every_field_stands_where_its_row_says(text: str) -> None:
    (row,) = await rows(extract(), {"text": text, "document_id": "d7", "page": 3, "start": 400})
    for name, place in places(row).items():
        assert place["text"] == text[place["passage_start"] : place["passage_end"]]
        assert place["start"] == 400 + place["passage_start"]
        assert (place["document_id"], place["page"]) == ("d7", 3)
        assert 0 < place["confidence"] <= 1, name
    assert row.locator.page == 3
    assert row.locator.start == min(place["start"] for place in places(row).values())


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("合同金额另议。", "amount"),
        ("押金5000元。", "code"),
        ("去年签署于北京。", "signed"),
        ("甲方与乙方协商一致。", "party"),
        ("合同期限届满后3人到场", "term"),
        ("The term ends with 3 people present.", "term"),
        ("既不是生效也不是终止", "status"),
    ],
)
async def test_what_nothing_ties_to_a_field_is_left_out(text: str, field: str) -> None:
    found = await rows(extract(), text)
    assert all(row.rows[0][field] is None for row in found)


async def test_two_values_for_one_field_are_said() -> None:
    (row,) = await rows(extract(), "合同金额300万元。补充协议：合同金额280万元。")
    assert row.rows[0]["amount"] == 3_000_000
    assert "文中另有 2800000" in row.uncertainty
    assert row.confidence < 0.7


async def test_an_approximate_value_and_a_month_without_a_day_say_so() -> None:
    (row,) = await rows(extract(), "签订日期：2024年5月，合同金额：约300万元")
    assert (row.rows[0]["signed"], row.rows[0]["amount"]) == ("2024-05-01", 3_000_000)
    assert "只到 2024年5月" in row.uncertainty
    assert "约数" in row.uncertainty


async def test_a_relative_date_needs_a_reference() -> None:
    assert await rows(extract(), "签订日期为昨天") == ()
    (row,) = await rows(extract(), "签订日期为昨天", now="2024-03-01")
    assert row.rows[0]["signed"] == "2024-02-29"
    (dated,) = await rows(extract(), {"text": "签订日期为昨天", "date": "2024-03-01"})
    assert dated.rows[0]["signed"] == "2024-02-29"


async def test_required_fields_decide_about_rows_and_missing_ones_are_named() -> None:
    schema: dict[str, JSON] = {**CONTRACT, "required": ["amount", "term"]}
    assert await rows(extract(schema), "甲方：北辰科技有限公司") == ()
    (row,) = await rows(extract(schema), "合同金额：5万元")
    assert "缺少 term" in row.uncertainty


async def test_each_line_may_be_a_row() -> None:
    text = "name: Ann; pay: 100 yuan\n\nname: Bob; pay: 250 yuan\nno data here\n"
    schema: dict[str, JSON] = {
        "properties": {"name": {"type": "string"}, "pay": {"type": "number", "unit": "元"}}
    }
    found = await rows(extract(schema, per="line"), text)
    assert [tuple(row.rows[0].values()) for row in found] == [("Ann", 100), ("Bob", 250)]
    assert [text[row.locator.start : row.locator.end] for row in found] == [
        "Ann; pay: 100 yuan",
        "Bob; pay: 250 yuan",
    ]


async def test_a_query_reads_the_passages_that_it_finds() -> None:
    asked: list[tuple[str, int]] = []

    def search(query: str, k: int, mode: SearchMode, part: Part = WHOLE) -> Sequence[Passage]:
        asked.append((query, k))
        locator = Locator(page=2, section="合同", start=10, end=10 + len(ZH))
        return [
            Passage(
                document_id="c1",
                chunk_id="c1#1",
                score=0.9,
                text=ZH,
                title="采购合同",
                locator=locator,
                date=None,
            )
        ]

    outcome = await extract(search=search).run(call(query="采购合同的金额", k=3))
    assert isinstance(outcome, Succeeded)
    assert asked == [("采购合同的金额", 3)]
    (row,) = outcome.evidence
    assert (row.document_id, row.chunk_id, row.title, row.locator.page) == ("c1", "c1#1", "采购合同", 2)


async def test_without_a_knowledge_base_a_query_is_a_failure() -> None:
    outcome = await extract().run(call(query="采购合同的金额"))
    assert isinstance(outcome, Failed)
    assert outcome.code == "NOT_CONFIGURED"


async def test_nothing_found_is_said() -> None:
    outcome = await extract().run(call(texts=["今天天气很好"]))
    assert isinstance(outcome, Succeeded)
    assert outcome.evidence == ()
    assert outcome.notes == ("1 passages read, none has these fields",)


async def test_a_model_fills_what_the_rules_left_and_what_it_invents_is_dropped() -> None:
    model = ScriptedModel([json.dumps({"party": "北辰科技", "term": None, "code": "ZZ-0000"})])
    tool = extract(model=lambda: model)
    outcome = await tool.run(
        call(texts=["本协议由北辰科技与远山公司于二〇二四年三月五日订立，现已生效，总价五十万元。"])
    )
    assert isinstance(outcome, Succeeded)
    (row,) = outcome.evidence
    assert row.rows[0]["party"] == "北辰科技"
    assert row.rows[0]["signed"] == "2024-03-05"
    assert row.rows[0]["code"] is None
    assert any("ZZ-0000" in note for note in outcome.notes)
    assert places(row)["party"]["uncertainty"] == "由模型选取"
    assert places(row)["party"]["confidence"] == 0.75


async def test_a_model_that_fails_leaves_what_the_rules_read() -> None:
    model = ScriptedModel([ModelError("unreachable", "no model", "没有模型")])
    outcome = await extract(model=lambda: model).run(call(texts=["合同金额：5万元"]))
    assert isinstance(outcome, Succeeded)
    assert outcome.evidence[0].rows[0]["amount"] == 50_000
    assert outcome.notes == ("没有模型",)


@pytest.mark.parametrize(
    ("text", "wanted", "shown"),
    [
        ("總額為ＡＢＣ公司", "总额为abc公司", "總額為ＡＢＣ公司"),
        ("a  b\nc", "A b c", "a  b\nc"),
        ("Café Müller", "cafe muller", "Café Müller"),
        ("cats and dogs", "cat", None),
        ("120万元", "20", None),
        ("x", "", None),
    ],
)
def test_wordings_are_found_in_any_spelling_but_never_inside_a_word(
    text: str, wanted: str, shown: str | None
) -> None:
    span = find(text, wanted)
    assert (None if span is None else text[span[0] : span[1]]) == shown


@given(st.text(max_size=60), st.text(min_size=1, max_size=20), st.text(max_size=60))
def test_a_span_never_leaves_its_text(before: str, wanted: str, after: str) -> None:
    text = f"{before} {wanted} {after}"
    span = find(text, wanted)
    if span is not None:
        assert 0 <= span[0] < span[1] <= len(text)


def test_a_contract_with_impossible_fields_says_so() -> None:
    contract = Contract(
        spec=SPEC,
        options={"fields": {"code": {"type": "string", "pattern": "("}}, "required": ["amount"]},
        folder=Path(),
    )
    found = list(ExtractKind().problems(contract))
    assert found[0] == "extract.required: there is no field `amount`"
    assert "no regular expression" in found[1]
