"""Whether evidence answers a need: covered, partly, missing."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from kaoju.judging.sufficiency import judge
from kaoju.model.evidence import Evidence, Locator
from kaoju.model.plan import Need
from kaoju.model.question import Question
from kaoju.model.verdict import NeedVerdict


def passage(number: int, text: str, semantic: float = 0.87) -> Evidence:
    return Evidence(
        id=f"e{number}", kind="passage", text=text, document_id=f"d{number}", title="", locator=Locator(),
        tool="semantic_search", semantic=semantic,
    )  # fmt: skip


def need(text: str, anchors: tuple[str, ...], *evidence: Evidence) -> NeedVerdict:
    language = "en" if text.isascii() else "zh"
    question = Question(text=text, now=date(2026, 1, 1), language=language)  # type: ignore[arg-type]  # one of the two languages
    return judge(question, (Need(id="n1", text=text, anchors=anchors),), evidence).needs[0]


def test_a_stated_answer_covers() -> None:
    verdict = need(
        "启明项目的预算是多少？",
        ("启明项目",),
        passage(1, "晨光项目由韩梅梅负责。", 0.82),
        passage(2, "启明项目于 2024 年启动，预算为 500 万元。"),
    )
    assert verdict.coverage == "covered"
    assert verdict.evidence_ids[0] == "e2"
    assert verdict.gap == ""


def test_nothing_found_is_missing_with_a_gap_to_search_for() -> None:
    verdict = need("Who chairs the audit committee?", ())
    assert verdict.coverage == "missing"
    assert "audit committee" in verdict.gap


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("公司提供股票期权计划吗？", "员工每年享有 15 天年假，并参加补充医疗保险。"),
        (
            "What is the melting point of tungsten?",
            "The uprising lasted for 63 days with little outside support.",
        ),
    ],
)
def test_another_topic_is_missing(question: str, text: str) -> None:
    assert need(question, (), passage(1, text, 0.79)).coverage == "missing"


def test_the_right_words_without_a_figure_are_not_an_answer_to_how_many() -> None:
    verdict = need(
        "How many employees work at the Oslo office?",
        ("Oslo",),
        passage(1, "Many employees work at the Oslo office."),
    )
    assert verdict.coverage == "partly"
    assert "figure" in verdict.reason


def test_another_year_is_not_the_year_asked_for() -> None:
    verdict = need(
        "What was the revenue of Northwind in 2025?",
        ("Northwind", "2025"),
        passage(1, "The revenue of Northwind was $4.2 million in 2023."),
    )
    assert verdict.coverage == "partly"
    assert "2025" in verdict.reason


def test_another_name_is_not_the_name_asked_for() -> None:
    verdict = need(
        "晨光项目的负责人是谁？", ("晨光项目",), passage(1, "启明项目的负责人是李雷，项目预算 500 万元。")
    )
    assert verdict.coverage != "covered"


def rows(**more: object) -> Evidence:
    fields: dict[str, object] = {
        "id": "e1", "kind": "rows", "text": "表：项目\n项目: 启明项目; 超支: 120000", "document_id": "d", "title": "项目",
        "locator": Locator(section="projects"), "tool": "sql_query", "query": "SELECT 1", "confidence": 0.95,
        "rows": ({"项目": "启明项目", "超支": 120000},), "metadata": {"question": "哪个项目预算超支最多"},
    }  # fmt: skip
    return Evidence(**{**fields, **more})  # type: ignore[arg-type]  # its own fields


def test_rows_of_a_query_made_for_the_need_cover_it() -> None:
    verdict = need("哪个项目预算超支最多？", (), rows())
    assert verdict.coverage == "covered"
    assert verdict.confidence == pytest.approx(0.95)


def test_empty_or_doubtful_rows_cover_nothing() -> None:
    assert (
        need("哪个项目预算超支最多？", (), rows(rows=({"项目": None, "超支": None},))).coverage == "missing"
    )
    assert need("哪个项目预算超支最多？", (), rows(confidence=0.3)).coverage == "missing"


def test_rows_about_something_else_cover_nothing() -> None:
    assert need("员工年假有多少天？", ("年假",), rows()).coverage == "missing"


def test_no_needs_means_nothing_is_missing() -> None:
    question = Question(text="hello", now=date(2026, 1, 1), language="en")
    assert judge(question, (), ()).sufficient


def test_the_order_of_evidence_does_not_matter() -> None:
    pieces = [
        passage(1, "启明项目预算为 500 万元。"),
        passage(2, "启明项目于 2024 年启动。"),
        passage(3, "午餐很好。", 0.78),
    ]
    one = need("启明项目的预算是多少？", ("启明项目",), *pieces)
    assert need("启明项目的预算是多少？", ("启明项目",), *reversed(pieces)) == one


def test_single_rows_never_answer_for_the_whole_table() -> None:
    asked = Question(text="2025年第一季度哪个部门的差旅费最高？", now=date(2026, 1, 1), language="zh")
    wanted = Need(id="n1", text="2025年第一季度哪个部门的差旅费最高")
    row = replace(
        passage(1, "部门: 市场部; 年份: 2025; 季度: Q1; 差旅费: 31000"), locator=Locator(rows=(4, 4))
    )
    assert judge(asked, (wanted,), (row,)).needs[0].coverage == "partly"
    prose = passage(2, "2025年第一季度，研发部的差旅费最高，为90000元。")
    assert judge(asked, (wanted,), (row, prose)).needs[0].coverage == "covered"
