"""Our own labelled questions: how each is attacked, and with which tool, when there are tables and when there are none."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scenario.fakes import SPECS

from kaoju.model.document import TableInfo
from kaoju.model.plan import Plan, PlanType
from kaoju.planning import rules
from kaoju.planning.catalog import Catalog
from kaoju.planning.limits import Limits
from kaoju.planning.understand import understand
from kaoju.planning.validate import problems

NOW = date(2026, 3, 31)
TABLES = (
    TableInfo(
        name="项目台账",
        document_id="ledger.xlsx",
        title="项目台账",
        columns=(
            ("项目名称", "VARCHAR"),
            ("负责人", "VARCHAR"),
            ("预算（万元）", "DOUBLE"),
            ("实际支出（万元）", "DOUBLE"),
        ),
        row_count=12,
        samples={"项目名称": ("北辰项目", "星河项目", "远帆项目"), "负责人": ("张伟", "林岚")},
    ),
    TableInfo(
        name="regional_sales",
        document_id="sales.csv",
        title="regional sales",
        columns=(("region", "VARCHAR"), ("quarter", "VARCHAR"), ("revenue", "DOUBLE")),
        row_count=16,
        samples={"region": ("North", "South", "East", "West"), "quarter": ("Q1", "Q2", "Q3", "Q4")},
    ),
)
PROSE = Catalog(tools=tuple(SPECS.values()))
WITH_TABLES = Catalog(tools=tuple(SPECS.values()), tables=TABLES)

LABELLED: dict[str, tuple[str, ...]] = {
    "direct": (
        "你好", "您好！", "谢谢", "hello", "Good morning!", "thank you", "12*(3+4)", "计算 1200*0.85", "what is 15% of 240", "你觉得哪个项目更好？",
        "What do you think of the new policy?", "这个怎么样？", "2030年北辰项目的营收是多少？", "What will the revenue be in 2031?",
    ),
    "single": (
        "年假有多少天？", "北辰项目的负责人是谁", "报销差旅费需要哪些材料？", "试用期多长？", "公司的信息安全制度规定了什么？", "星河项目什么时候启动？",
        "《差旅管理办法》第十二条的内容", "请问怎么申请调休？", "合同A-7731的签订日期", "三月份发生了什么？",
        "How many days of annual leave do employees get?", "Who leads the Harbor project?", "When was Nordwind founded?", "What does the handbook say about remote work?",
        "Where is the head office of Nordwind?", "What is the limit for hotel expenses?", "Why was the Lantern project delayed?", "Which standard does the pump comply with?",
        "What factors drove the hotels sales improvement in the second half?", "how many medals were won after august 3?", "how many children were born in february?",
        "中国的外汇储备规模与6月末相比上升了多少亿美元？",
    ),
    "compare": (
        "对比北辰项目和星河项目的预算", "北辰项目和星河项目哪个启动更早？", "甲类供应商与乙类供应商有什么区别？", "A-7731和B-22的价格相比如何？",
        "Compare the Harbor project and the Lantern project.", "Which project started earlier, the Harbor project or the Lantern project?",
        "Are Anna Berg and Tom Reed from the same country?", "Which film came out first, The Prairie King or The Last Stand?",
        "Who is older, Anna Berg or Tom Reed?", "What is the difference between Harbor and Lantern?", "Do both Nordwind and Seelicht sell pumps?",
        "Were Anna Berg and Tom Reed both engineers?",
    ),
    "multi_hop": (
        "北辰项目的负责人在哪个办公室？", "星河项目的供应商的总部在哪里？", "负责北辰项目的员工毕业于哪所大学？",
        "Where was the director of the film The Quiet Sea born?", "What is the office of the leader of the Harbor project?",
        "Who is the father of the director of The Prairie King?", "In which city is the company that supplies the Harbor project based?",
        "When did the author of The Quiet Sea die?",
    ),
    "decompose": (
        "北辰项目的负责人是谁，预算是多少？", "年假有多少天？病假怎么申请？", "星河项目什么时候启动，供应商是谁？",
        "Who leads the Harbor project and when did it start?", "What is the travel limit? Who approves exceptions?",
        "Where is Nordwind based and how many people work there?", "北辰项目的预算和负责人分别是什么？",
    ),
    "verify": (
        "据说北辰项目已经完工，是否属实？", "员工可以把年假结转到下一年吗？", "试用期员工能否请年假？", "差旅费是否需要事前审批？",
        "Is it true that the Harbor project was cancelled?", "Can unused leave be carried over?", "Does the handbook allow remote work?",
        "Does the Verge article suggest that prices rose, while the TechCrunch article suggests that they fell?",
    ),
}  # fmt: skip
WITH_SQL: dict[str, tuple[str, ...]] = {
    "aggregate": (
        "哪个项目预算超支最多？", "所有项目的预算总额是多少？", "一共有多少个项目？", "项目的平均预算是多少？", "预算最高的三个项目是哪些？",
        "What is the total revenue of all regions?", "Which region had the highest revenue?", "What is the average revenue per region?", "How many regions are there?",
    ),
}  # fmt: skip
QUESTIONS = [(kind, text) for kind, texts in LABELLED.items() for text in texts]


def plan_of(text: str, catalog: Catalog) -> Plan:
    return rules.plan(understand(text, NOW, catalog), catalog, Limits())


def test_there_are_enough_questions_of_both_languages() -> None:
    assert len(QUESTIONS) + sum(map(len, WITH_SQL.values())) >= 80


@pytest.mark.parametrize(("kind", "text"), QUESTIONS)
def test_type(kind: str, text: str) -> None:
    assert understand(text, NOW, PROSE).type == kind


@pytest.mark.parametrize(("kind", "text"), QUESTIONS)
@pytest.mark.parametrize("catalog", [PROSE, WITH_TABLES], ids=["prose", "tables"])
def test_the_plan_of_the_rules_is_valid(kind: str, text: str, catalog: Catalog) -> None:
    assert problems(plan_of(text, catalog), catalog, Limits()) == ()


@pytest.mark.parametrize("text", WITH_SQL["aggregate"])
def test_figures_over_tables_go_to_sql(text: str) -> None:
    plan = plan_of(text, WITH_TABLES)
    assert plan.type is PlanType.AGGREGATE
    assert plan.tasks[0].tool == "sql_query"


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("A-7731", "keyword_search"),
        ("订单 A-7731", "keyword_search"),
        ("年假可以结转吗", "semantic_search"),
        ("what is the refund policy", "semantic_search"),
    ],
)
def test_codes_go_to_exact_words_and_prose_to_meaning(text: str, tool: str) -> None:
    assert [task.tool for task in plan_of(text, PROSE).tasks] == [tool]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Which project started earlier, the Harbor project or the Lantern project?", ("Harbor", "Lantern")),
        ("对比北辰项目和星河项目的预算", ("北辰项目", "星河项目")),
        ("Who is older, Anna Berg or Tom Reed?", ("Anna Berg", "Tom Reed")),
    ],
)
def test_each_side_of_a_comparison_is_looked_up(text: str, names: tuple[str, ...]) -> None:
    plan = plan_of(text, PROSE)
    assert len(plan.tasks) == len(names)
    assert all(name in task.query for name, task in zip(names, plan.tasks, strict=True))
    assert not any(task.depends_on for task in plan.tasks)


def test_nothing_stray_is_left_of_a_chinese_comparison() -> None:
    assert all("对" not in task.query for task in plan_of("对比北辰项目和星河项目的预算", PROSE).tasks)


def test_a_second_hop_waits_for_the_first() -> None:
    plan = plan_of("What is the office of the leader of the Harbor project?", PROSE)
    assert plan.tasks[-1].depends_on
    assert "{t1}" in plan.tasks[1].query
    assert "Harbor" in plan.tasks[0].query


def test_sources_stay_with_their_claims() -> None:
    plan = plan_of(
        "Does the Verge article suggest that prices rose, while the TechCrunch article suggests that they fell?",
        PROSE,
    )
    queries = [task.query for task in plan.tasks]
    assert any("Verge" in query for query in queries)
    assert any("TechCrunch" in query for query in queries)


@pytest.mark.parametrize(
    "text",
    ["去年北辰项目的营收", "请问一下，去年北辰项目的营收是多少，谢谢", "麻烦帮我查一下去年北辰项目的营收"],
)
def test_politeness_goes_and_relative_time_is_spelled_out(text: str) -> None:
    query = understand(text, NOW, PROSE).query
    assert query.startswith("2025年")
    assert not any(word in query for word in ("请问", "谢谢", "麻烦", "去年"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("What was revenue last quarter?", "Q4 2025"),
        ("上季度的营收", "2025年第四季度"),
        ("events in February", "in February"),
    ],
)
def test_a_year_is_put_in_only_where_the_words_say_which(text: str, said: str) -> None:
    assert said in understand(text, NOW, PROSE).query
    assert "February 2026" not in understand(text, NOW, PROSE).query


@pytest.mark.parametrize(
    "text",
    [
        "2030年北辰项目的营收目标是多少？",
        "What is the revenue target for 2031?",
        "去年的营收是多少",
        "第四季度的销售额是多少",
    ],
)
def test_plans_and_what_may_be_past_are_searched(text: str) -> None:
    assert understand(text, NOW, PROSE).type is not PlanType.DIRECT


@settings(deadline=None, max_examples=80)
@given(
    st.one_of(
        st.text(max_size=60),
        st.lists(
            st.sampled_from(
                [text for _, text in QUESTIONS] + ["和", " and ", "?", "的", "{t1}", "，", " or "]
            ),
            max_size=3,
        ).map("".join),
    )
)
def test_any_text_gets_a_valid_plan(text: str) -> None:
    plan = plan_of(text, WITH_TABLES)
    assert problems(plan, WITH_TABLES, Limits()) == () or not text.strip()
