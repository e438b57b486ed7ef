"""Labelled questions of both languages: the type, and the tools that the rules choose."""

from __future__ import annotations

import pytest
from tests.planning.helpers import LIMITS, NOW, PROSE, TABLES

from kaoju.model.plan import PlanType
from kaoju.planning import rules
from kaoju.planning.understand import understand
from kaoju.planning.validate import problems

PROSE_QUESTIONS = {
    "single": [
        "年假最多可以结转几天？",
        "请问一下，出差住宿的标准是多少？",
        "食堂几点开门",
        "错误码 E-5120 是什么意思？",
        "试用期员工能报销哪些费用？",
        "部门经理的审批权限是多少？",
        "白桦项目的负责人是谁？",
        "《差旅管理办法》第十二条怎么规定的？",
        "公司的总部在哪里？",
        "学院与哪些企业有合作？",
        "本科生的培养特色有哪些？",
        "供应商准入需要哪些材料？",
        "How many days of parental leave do employees get?",
        "Who is the director of Silent Harbour?",
        "What is the capital of Freedonia?",
        "When was the Munich office opened?",
        "Could you please tell me how long access logs are kept?",
        "What does error code K-204 mean?",
        "Who wrote War and Peace?",
        "What is the notice period for consultants?",
        "What organization runs the annual harvest festival?",
        "Who became the first president of the society?",
    ],
    "compare": [
        "白桦项目和青石项目哪个先开工？",
        "白桦项目与青石项目相比，谁的预算更高？",
        "年假和病假有什么区别？",
        "极光网关 AX-300 和 AX-500 的质保期分别是几年？",
        "2021 版和 2024 版手册规定的培训预算各是多少？",
        "比较白桦项目和青石项目的预算",
        "先验收的是白桦项目还是青石项目？",
        "白桦项目的预算比青石项目高吗？",
        "计算机科学与技术专业与软件工程专业的培养目标有何异同？",
        "某大学的外交学专业和国际政治专业有哪些共同点？",
        "上海和北京的差旅标准一样吗？",
        "研发部和市场部谁的人数更多？",
        "相比于线上渠道的退货政策，门店渠道的退货政策有哪些不同？",
        "Which project started earlier, the Beacon project or the Meadow project?",
        "Which film came out first, Grey Tide or The Long Orchard?",
        "Who is younger, Marta Quill or Ivo Brandt?",
        "Are Lake Tarn and Lake Orrin both in the same country?",
        "Do director of film Grey Tide and director of film Salt Road have the same nationality?",
        "Which film has the director who died first, Grey Tide or Salt Road (1951 Film)?",
        "What is the difference between annual leave and sick leave?",
        "How does the AX-300 differ from the AX-500?",
        "Compare the daily allowance in Lisbon and in Oslo.",
        "Is the Beacon project larger than the Meadow project?",
        "What are the warranty periods of the AX-300 and the AX-500 respectively?",
        "Was Marta Quill or Ivo Brandt born first?",
        "Between the report of the Daily Post on 3 May and the report of the Evening Star on 9 May, is there a change in tone?",
        "Does Marta Quill have the same nationality as Ivo Brandt?",
    ],
    "multi_hop": [
        "白桦项目负责人的办公地点在哪里？",
        "负责白桦项目的经理的办公地点在哪？",
        "白桦项目负责人所在部门的主管是谁？",
        "《寒江》的作者的出生地是哪里？",
        "负责青石平台升级的人，分机号是多少？",
        "合同 HT-2031-7 的供应商的注册地址在哪？",
        "演唱《晚潮》的歌手的母亲是谁？",
        "王守义的祖父是谁？",
        "In which office does the leader of the Beacon project work?",
        "What is the extension of the person who leads the Meadow project?",
        "Where was the director of film Grey Tide born?",
        "What is the date of birth of the performer of song Low Winter Sun?",
        "When did Marta Quill's father die?",
        "What is the population of the city where Ivo Brandt was born?",
        "Who directed the film in which Ivo Brandt made his debut?",
        "What river flows through the birthplace of the author of Salt Road?",
        "What currency is used in the country Marta Quill is from?",
        "When did the country containing Tarnby leave the union?",
        "Ivo Brandt starred in a series that originally aired on what channel?",
        "Who is Marta Quill's paternal grandfather?",
    ],
    "decompose": [
        "白桦项目的预算和负责人分别是什么？",
        "白桦项目什么时候开工，由谁负责？",
        "1. 年假有几天 2. 病假怎么申请",
        "白桦项目的客户是谁？青石项目什么时候验收？",
        "Who leads the Beacon project and when did it start?",
        "What are the budget and the owner of the Beacon project?",
        "When was Tarn Ltd founded? Who runs it today?",
    ],
    "verify": [
        "有人说白桦项目已经完工，是否属实？",
        "静默期内员工可以买卖公司股票吗？",
        "请核实以下说法：出差住宿上限是每晚 600 元",
        "青石项目是否通过了验收？",
        "Is it true that contractors may work remotely?",
        "Does the article from the Daily Post suggest that Tarn Ltd is profitable, while the article from the Evening Star claims that it is bankrupt?",
        "Can interns claim travel expenses?",
        "Did Marta Quill win the Orchard prize?",
    ],
    "direct": [
        "12%的3400是多少",
        "(12+30)*5等于多少？",
        "你好",
        "谢谢！",
        "你是谁？",
        "What is 15% of 240?",
        "hello",
        "Thank you very much!",
        "2030年的营收是多少？",
        "你觉得哪个方案好？",
        "这个怎么样？",
        "What will our revenue be in 2031?",
        "What do you think about the new policy?",
    ],
}


@pytest.mark.parametrize(
    ("expected", "text"), [(kind, text) for kind, texts in PROSE_QUESTIONS.items() for text in texts]
)
def test_the_type_of_a_question_over_prose(expected: str, text: str) -> None:
    understood = understand(text, NOW, PROSE)
    assert understood.type.value == expected
    plan = rules.plan(understood, PROSE, LIMITS)
    assert problems(plan, PROSE, LIMITS) == ()


TABLE_QUESTIONS = [
    ("哪个项目的预算最高？", PlanType.AGGREGATE, ["sql_query"]),
    ("所有项目的预算合计是多少？", PlanType.AGGREGATE, ["sql_query"]),
    ("研发部有几个项目？", PlanType.AGGREGATE, ["sql_query"]),
    ("各部门的平均预算是多少？", PlanType.AGGREGATE, ["sql_query"]),
    ("白桦项目的预算是多少？", PlanType.SINGLE, ["sql_query"]),
    ("白桦项目和青石项目的负责人分别是谁？", PlanType.COMPARE, ["sql_query", "sql_query"]),
    ("What was the total revenue of Beacon in 2024?", PlanType.AGGREGATE, ["sql_query"]),
    ("Which product had the highest revenue in 2024Q1?", PlanType.AGGREGATE, ["sql_query"]),
    ("合同 HT-2031-7 的签订日期", PlanType.SINGLE, ["keyword_search"]),
    ("“不得转包”", PlanType.SINGLE, ["keyword_search"]),
    ("试用期员工如何请假？", PlanType.SINGLE, ["semantic_search"]),
    ("How do I ask for leave?", PlanType.SINGLE, ["semantic_search"]),
    ("12%的3400是多少", PlanType.DIRECT, ["calculate"]),
    ("白桦项目负责人的办公地点在哪里？", PlanType.MULTI_HOP, ["sql_query", "semantic_search"]),
]


@pytest.mark.parametrize(("text", "kind", "tools"), TABLE_QUESTIONS)
def test_the_tools_of_a_question_where_tables_serve(text: str, kind: PlanType, tools: list[str]) -> None:
    plan = rules.plan(understand(text, NOW, TABLES), TABLES, LIMITS)
    assert (plan.type, [task.tool for task in plan.tasks]) == (kind, tools)


def test_a_weak_link_to_a_table_is_asked_of_it_alone_and_leaves_room_for_a_model() -> None:
    text = "负责人陈立的项目平均延期多少天？"
    understood = understand(text, NOW, TABLES)
    plan = rules.plan(understood, TABLES, LIMITS)
    assert not understood.sure
    assert [task.tool for task in plan.tasks] == ["sql_query"]
    assert {task.need for task in plan.tasks} == {"n1"}


def test_the_same_question_without_tables_is_searched_in_prose() -> None:
    plan = rules.plan(understand("哪个项目的预算最高？", NOW, PROSE), PROSE, LIMITS)
    assert (plan.type, [task.tool for task in plan.tasks]) == (PlanType.SINGLE, ["semantic_search"])


@pytest.mark.parametrize(
    "text",
    [
        "2030年的碳排放目标是多少？",
        "What is the revenue forecast for 2031?",
        "2025年的营收是多少？",
        "2027年的年假有几天？",
    ],
)
def test_plans_targets_rules_and_the_past_are_searched(text: str) -> None:
    understood = understand(text, NOW, PROSE)
    assert understood.type is not PlanType.DIRECT


def test_why_nothing_can_answer_is_said_in_the_questions_language() -> None:
    assert "2030" in understand("2030年的净利润是多少？", NOW, PROSE).unanswerable
    assert "has not come yet" in understand("What will sales be in 2031?", NOW, PROSE).unanswerable
    assert "太笼统" in understand("这个呢？", NOW, PROSE).unanswerable


@pytest.mark.parametrize(
    "text", ["?", "？？？", "的的的", "a", "   x ", "{t1}", "和", "or", "A or B?", "比", "、、、和、"]
)
def test_odd_questions_still_become_valid_plans(text: str) -> None:
    understood = understand(text, NOW, TABLES)
    assert problems(rules.plan(understood, TABLES, LIMITS), TABLES, LIMITS) == ()


@pytest.mark.parametrize(
    "text", ["And who is the director of Silent Harbour?", "公司的年假天数呢？", "那启明项目的预算呢？"]
)
def test_a_question_that_says_what_it_asks_is_no_bare_follow_up(text: str) -> None:
    assert not understand(text, NOW, PROSE).unanswerable


@pytest.mark.parametrize("text", ["那启明项目呢？", "What about 2023?", "And in the second quarter?"])
def test_a_bare_follow_up_is_incomplete(text: str) -> None:
    assert understand(text, NOW, PROSE).unanswerable
