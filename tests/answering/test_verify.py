"""Nothing leaves that the evidence does not carry (cases F: quiet number change, markers, references)."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.answering.helpers import NOW, draft, passage, plan_for, question, rows

from kaoju.answering.support import Check, check_claim
from kaoju.answering.verify import verify
from kaoju.model.evidence import Evidence
from kaoju.model.plan import Need, Plan, PlanType, Task


def check(claim: str, *evidence: Evidence) -> Check:
    return check_claim(claim, evidence, now=NOW, language="en" if claim.isascii() else "zh")


QUIET = passage(1, "In 2021 the plant reached 87 % of its capacity. The workforce grew to 1,250 people.")


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The plant reached 87 % of its capacity in 2021.", "supported"),
        ("The plant reached 85 % of its capacity in 2021.", "contradicted"),
        ("The plant reached 87 % of its capacity in 2022.", "contradicted"),
        ("The plant reached 85 % of its capacity in 2022.", "contradicted"),
        ("In 2021 the plant reached ８７％ of its capacity.", "supported"),
        ("The workforce grew to 1250 people.", "supported"),
        ("The workforce grew to 1,520 people.", "contradicted"),
        ("The workforce fell to 1,250 people.", "contradicted"),
        ("The plant never reached 87 % of its capacity in 2021.", "contradicted"),
        ("Only the plant reached 87 % of its capacity in 2021.", "unsupported"),
        ("The plant reached 1,250 of its capacity in 2021.", "contradicted"),
    ],
)
def test_a_quiet_change_is_stopped(claim: str, verdict: str) -> None:
    assert check(claim, QUIET).verdict == verdict


@pytest.mark.parametrize(
    ("claim", "evidence", "verdict"),
    [
        ("营收为12亿元。", "2023 年营收为 120,000 万元。", "supported"),
        ("营收为13亿元。", "2023 年营收为 120,000 万元。", "contradicted"),
        ("营收为12亿美元。", "2023 年营收为 12 亿元。", "contradicted"),
        ("占比为六成。", "线上渠道占比为 60%。", "supported"),
        ("会议于2024-03-05召开。", "会议于二〇二四年三月五日召开。", "supported"),
        ("年假最多结转 8 天。", "未休完的年假最多可以结转 5 天。", "contradicted"),
        ("未休完的年假不可以结转。", "未休完的年假可以结转。", "contradicted"),
        ("年假可以结转到下一年。", "未休完的年假可以结转到下一年，最多 5 天。", "supported"),
        ("编号 A-7732 的设备已停用。", "编号 A-7731 的设备已停用。", "unsupported"),
        ("王小明负责启明项目。", "李雷负责启明项目。", "unsupported"),
        ("平均住宿费为每晚 400 元。", "住宿费为每晚 400 元。", "unsupported"),
        ("营收同比下降 12%。", "营收同比增长 12%。", "contradicted"),
    ],
)
def test_chinese_facts(claim: str, evidence: str, verdict: str) -> None:
    assert check(claim, passage(1, evidence)).verdict == verdict


@settings(max_examples=60, deadline=None)
@given(
    value=st.integers(10, 99_999),
    other=st.integers(10, 99_999),
    unit=st.sampled_from(["people", "元", "%", "km"]),
)
def test_no_other_number_ever_passes(value: int, other: int, unit: str) -> None:
    evidence = passage(
        1, f"The total of the Atlas project is {value:,} {unit}, as the report of the board says."
    )
    same = check(f"The total of the Atlas project is {value} {unit}.", evidence)
    changed = check(f"The total of the Atlas project is {other} {unit}.", evidence)
    assert same.verdict == "supported"
    assert (changed.verdict == "supported") == (value == other)


@settings(max_examples=40, deadline=None)
@given(st.dates(NOW.replace(year=1950), NOW), st.dates(NOW.replace(year=1950), NOW))
def test_no_other_date_ever_passes(day: object, other: object) -> None:
    evidence = passage(1, f"项目于 {day:%Y}年{day.month}月{day.day}日 启动。")  # type: ignore[attr-defined]  # a date
    changed = check(f"项目于 {other:%Y-%m-%d} 启动。", evidence)
    assert (changed.verdict == "supported") == (day == other)


def test_a_figure_of_something_else_in_the_same_document_does_not_count() -> None:
    evidence = passage(1, "The budget of Atlas is 500,000 euros. The budget of Borealis is 320,000 euros.")
    stopped = check("The budget of Borealis is 500,000 euros.", evidence)
    assert stopped.verdict == "contradicted"
    assert "500,000" in stopped.reason


OVERRUN = rows(
    1,
    {"项目": "启明项目", "实际支出": 620000, "预算": 500000},
    {"项目": "晨光项目", "实际支出": 310000, "预算": 320000},
)


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("「启明项目」超支 120,000（实际支出 620,000 - 预算 500,000）", "supported"),
        ("「启明项目」超支 130,000（实际支出 620,000 - 预算 500,000）", "contradicted"),
        ("「启明项目」实际支出 620,000，预算 500,000，超支 24%", "supported"),
        ("「启明项目」实际支出 620,000，预算 500,000，超支 25%", "contradicted"),
        ("「启明项目」超支 120,000", "contradicted"),
        ("实际支出合计 930,000", "supported"),
        ("实际支出合计 940,000", "contradicted"),
        ("「晨光项目」预算 500,000", "contradicted"),
    ],
)
def test_computed_values_need_their_inputs(claim: str, verdict: str) -> None:
    assert check(claim, OVERRUN).verdict == verdict


def test_reasons_name_the_failing_words_in_the_readers_language() -> None:
    assert "85 %" in check("The plant reached 85 % of its capacity in 2021.", QUIET).reason
    assert "依据" in check("营收为13亿元。", passage(1, "营收为 12 亿元。")).reason


EVIDENCE = (
    passage(1, "Atlas started in March 2024. Its budget is 500,000 euros."),
    passage(2, "Borealis is led by Mei Han. Its budget is 320,000 euros."),
)


def test_each_marker_opens_its_own_chunk_and_the_quote_stands_at_the_locator() -> None:
    asked = question("Who leads Borealis and when did Atlas start?")
    checked = verify(
        draft(("Borealis is led by Mei Han [2].", "e2"), ("Atlas started in March 2024 [1].", "e1")),
        asked,
        plan_for(asked.text),
        EVIDENCE,
    )
    assert checked.text == "Borealis is led by Mei Han[1]. Atlas started in March 2024[2]."
    assert [(c.n, c.evidence_id, c.document_id) for c in checked.citations] == [
        (1, "e2", "d2"),
        (2, "e1", "d1"),
    ]
    pages = {piece.id: " " * 100 + piece.text for piece in EVIDENCE}
    for citation in checked.citations:
        place = citation.locator
        assert pages[citation.evidence_id][place.start : place.end] == citation.quote
    assert checked.citations[0].quote == "Borealis is led by Mei Han."
    assert set(re.findall(r"\[(\d+)\]", checked.text)) == {"1", "2"}


def test_numbers_start_again_in_every_answer() -> None:
    asked = question("Who leads Borealis?")
    for _ in range(2):
        checked = verify(draft(("Borealis is led by Mei Han.", "e2")), asked, plan_for(asked.text), EVIDENCE)
        assert [citation.n for citation in checked.citations] == [1]


@pytest.mark.parametrize("cited", ["e1", "e9", ""])
def test_a_wrong_unknown_or_lacking_source_is_replaced_by_one_that_supports(cited: str) -> None:
    asked = question("Who leads Borealis?")
    checked = verify(draft(("Borealis is led by Mei Han.", cited)), asked, plan_for(asked.text), EVIDENCE)
    assert [citation.evidence_id for citation in checked.citations] == ["e2"]
    assert checked.uncovered == ()


def test_a_failed_claim_is_dropped_and_its_need_stays_open() -> None:
    asked = question("What is the budget of Atlas?")
    checked = verify(
        draft(("The budget of Atlas is 510,000 euros.", "e1")), asked, plan_for(asked.text), EVIDENCE
    )
    assert (checked.text, checked.claims, checked.uncovered) == ("", (), ("n1",))
    assert "510,000" in checked.stopped[0].reason
    assert checked.confidence == 0.0


def test_repeating_the_question_answers_nothing() -> None:
    asked = question("When did the Atlas project start?")
    evidence = (passage(1, "The Atlas project did start. Lunch is at noon."),)
    checked = verify(draft(("The Atlas project did start.", "e1")), asked, plan_for(asked.text), evidence)
    assert checked.uncovered == ("n1",)


def test_confirming_what_was_asked_is_an_answer_to_yes_or_no() -> None:
    asked = question("Did the Atlas project start?")
    evidence = (passage(1, "The Atlas project did start."),)
    plan = plan_for(asked.text, kind=PlanType.VERIFY)
    assert verify(draft(("The Atlas project did start.", "e1")), asked, plan, evidence).uncovered == ()


def test_one_sentence_may_answer_two_needs_and_is_said_once() -> None:
    asked = question("Who leads Borealis, and what is Borealis?")
    plan = plan_for("Who leads Borealis?", "What is Borealis led by?")
    sentence = "Borealis is led by Mei Han."
    checked = verify(draft((sentence, "e2", "n1"), (sentence, "e2", "n2")), asked, plan, EVIDENCE)
    assert checked.uncovered == ()
    assert len(checked.claims) == 1


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("启明项目预算 500 万元，晨光项目预算 320 万元。", "supported"),
        ("启明项目预算 320 万元，晨光项目预算 500 万元。", "contradicted"),
        ("启明项目的预算（500 万元）比晨光项目（320 万元）高 180 万元。", "supported"),
        ("启明项目的预算（500 万元）比晨光项目（320 万元）高 190 万元。", "contradicted"),
    ],
)
def test_figures_of_two_things_may_not_change_places(claim: str, verdict: str) -> None:
    pieces = (
        passage(1, "启明项目由李雷负责，预算 500 万元。"),
        passage(2, "晨光项目由韩梅梅负责，预算 320 万元。"),
    )
    assert check(claim, *pieces).verdict == verdict


def test_one_written_sentence_may_answer_both_sides() -> None:
    evidence = (
        passage(1, "The Harbor project started on 13 March 2023."),
        passage(2, "The Lantern project started on 4 September 2023."),
    )
    plan = plan_for(
        Need(id="n1", text="when the Harbor project started", anchors=("Harbor project",)),
        Need(id="n2", text="when the Lantern project started", anchors=("Lantern project",)),
        kind=PlanType.COMPARE,
    )
    both = (
        "The Harbor project started on 13 March 2023, while the Lantern project started on 4 September 2023."
    )
    asked = question("Which project started earlier, the Harbor project or the Lantern project?")
    assert verify(draft((both, "e1,e2", "n1")), asked, plan, evidence).uncovered == ()
    one = "The Harbor project started on 13 March 2023."
    assert verify(draft((one, "e1", "n1")), asked, plan, evidence).uncovered == ("n2",)


def test_what_only_led_to_the_answer_need_not_be_said_again() -> None:
    evidence = (passage(1, "启明项目负责人：顾清越。"), passage(2, "顾清越的办公地点为杭州研发中心。"))
    tasks = (
        Task(id="t1", purpose="", tool="semantic_search", query="启明项目负责人", need="n1"),
        Task(
            id="t2", purpose="", tool="semantic_search", query="{t1} 办公地点", need="n2", depends_on=("t1",)
        ),
    )
    needs = (
        Need(id="n1", text="启明项目负责人", anchors=("启明项目",)),
        Need(id="n2", text="顾清越 办公地点在哪里", anchors=("顾清越",)),
    )
    plan = Plan(type=PlanType.MULTI_HOP, tasks=tasks, needs=needs)
    asked = question("启明项目负责人的办公地点在哪里？")
    last = draft(("顾清越的办公地点为杭州研发中心。", "e2", "n2"))
    assert verify(last, asked, plan, evidence).uncovered == ()
    first = draft(("启明项目负责人是顾清越。", "e1", "n1"))
    assert verify(first, asked, plan, evidence).uncovered == ("n2",)


def test_a_figure_takes_its_unit_from_the_column_it_stands_in() -> None:
    table = rows(
        1, {"项目": "静海项目", "实际支出（万元）": 651.6, "预算（万元）": 520, "超支（万元）": 131.6}
    )
    asked = question("哪个项目预算超支最多？")
    right = draft(("静海项目预算超支最多，超支金额为131.6万元。", "e1"))
    assert verify(right, asked, plan_for("哪个项目预算超支最多？"), (table,)).claims
    wrong = draft(("静海项目预算超支最多，超支金额为131.6亿元。", "e1"))
    assert not verify(wrong, asked, plan_for("哪个项目预算超支最多？"), (table,)).claims
