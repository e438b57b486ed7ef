"""What the plans of the rules hold: self-contained queries, needs with anchors, limits obeyed."""

from __future__ import annotations

import pytest
from tests.planning.helpers import LIMITS, NOW, PROSE

from kaoju.model.plan import Plan, PlanType
from kaoju.planning import rules
from kaoju.planning.limits import Limits
from kaoju.planning.understand import understand
from kaoju.planning.validate import problems


def plan(text: str, limits: Limits = LIMITS) -> Plan:
    made = rules.plan(understand(text, NOW, PROSE), PROSE, limits)
    assert problems(made, PROSE, limits) == ()
    return made


def queries(text: str) -> list[str]:
    return [task.query for task in plan(text).tasks]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("白桦项目和青石项目的负责人分别是谁？", ["白桦项目的负责人是谁", "青石项目的负责人是谁"]),
        ("白桦项目和青石项目哪个先开工？", ["白桦项目什么时候开工", "青石项目什么时候开工"]),
        (
            "极光网关 AX-300 和 AX-500 的质保期分别是几年？",
            ["极光网关AX-300的质保期是几年", "极光网关AX-500的质保期是几年"],
        ),
        ("某大学的外交学专业和国际政治专业有哪些共同点？", ["某大学的外交学专业", "某大学的国际政治专业"]),
        ("白桦项目的预算比青石项目高吗？", ["白桦项目的预算", "青石项目的预算"]),
        (
            "Which film came out first, Grey Tide or Salt Road?",
            ["when Grey Tide film released", "when Salt Road film released"],
        ),
        (
            "Compare the daily allowance in Lisbon and in Oslo.",
            ["the daily allowance in Lisbon", "the daily allowance in Oslo"],
        ),
        (
            "Are both villages, Tarn and Orrin, located in the same country?",
            ["Tarn villages located country", "Orrin villages located country"],
        ),
    ],
)
def test_each_side_of_a_comparison_is_asked_for_itself(text: str, expected: list[str]) -> None:
    made = plan(text)
    assert made.type is PlanType.COMPARE
    assert [task.query for task in made.tasks] == expected
    assert all(not task.depends_on for task in made.tasks)
    assert all(need.anchors for need in made.needs)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("白桦项目负责人所在部门的主管是谁？", ["白桦项目负责人", "{t1}所在部门", "{t2} 主管是谁"]),
        ("负责白桦项目的经理的办公地点在哪？", ["负责白桦项目的经理", "{t1} 办公地点在哪"]),
        (
            "Where was the director of film Grey Tide born?",
            ["director of film Grey Tide", "Where was {t1} born"],
        ),
        (
            "Which river flows through the birthplace of the author of Salt Road?",
            ["author of Salt Road", "birthplace of {t1}", "Which river flows through {t2}"],
        ),
        (
            "What is the population of the city where Ivo Brandt was born?",
            ["the city where Ivo Brandt was born", "What is the population of {t1}"],
        ),
        (
            "When was the country that produced Grey Tide taken by rebels?",
            ["the country that produced Grey Tide", "When was {t1} taken by rebels"],
        ),
        (
            "Who is Marta Quill's paternal grandfather?",
            ["father of Marta Quill", "who is the father of {t1}"],
        ),
    ],
)
def test_a_chain_is_taken_apart_from_the_inside(text: str, expected: list[str]) -> None:
    made = plan(text)
    assert made.type is PlanType.MULTI_HOP
    assert [task.query for task in made.tasks] == expected
    assert [need.text for need in made.needs] == expected
    assert all(task.depends_on for task in made.tasks[1:])
    assert "t1" not in {anchor for need in made.needs for anchor in need.anchors}


def test_a_chain_too_long_for_the_limits_is_joined_at_its_end() -> None:
    made = plan("白桦项目负责人所在部门的主管是谁？", Limits(max_tasks=2))
    assert [task.query for task in made.tasks] == ["白桦项目负责人", "{t1}所在部门 主管是谁"]
    assert len(plan("白桦项目负责人所在部门的主管是谁？", Limits(max_tasks=1)).tasks) == 1


def test_later_parts_get_the_subject_that_they_point_to() -> None:
    assert queries("Who leads the Beacon project and when did it start?") == [
        "Who leads the Beacon project",
        "when did Beacon start",
    ]
    assert queries("白桦项目的预算和负责人分别是什么？") == ["白桦项目的预算是什么", "白桦项目的负责人是什么"]


def test_more_parts_than_tasks_are_joined_and_none_is_lost() -> None:
    made = plan("白桦项目的预算、负责人、客户和验收日期分别是什么？")
    assert len(made.tasks) == LIMITS.max_tasks
    assert all(
        word in " ".join(t.query for t in made.tasks) for word in ("预算", "负责人", "客户", "验收日期")
    )


def test_each_assertion_is_checked_in_its_own_words() -> None:
    assert queries("有人说白桦项目已经完工，是否属实？") == ["白桦项目已经完工"]
    two = queries(
        "Does the Daily Post suggest that Tarn Ltd is profitable, while the Evening Star claims that it is bankrupt?"
    )
    assert len(two) == 2
    assert "Daily Post" in two[0]
    assert "Evening Star" in two[1]


def test_a_long_description_is_one_need_with_complementary_searches() -> None:
    made = plan(
        "Which company, reported by the Daily Post, was fined for hiding leaks in its northern plant, "
        "and later opened a research centre for tidal power in the harbour of Tarn?"
    )
    assert len(made.needs) == 1
    assert len(made.tasks) == 3
    assert {task.need for task in made.tasks} == {"n1"}
    assert len({task.query for task in made.tasks}) == 3


def test_a_simple_question_is_exactly_one_search() -> None:
    assert len(plan("年假最多可以结转几天？").tasks) == 1


def test_a_catalog_without_a_calculator_searches_for_arithmetic() -> None:
    from kaoju.planning.catalog import Catalog

    bare = Catalog(tools=PROSE.tools[:2])
    made = rules.plan(understand("12%的3400是多少", NOW, bare), bare, LIMITS)
    assert [task.tool for task in made.tasks] == ["semantic_search"]


def test_a_conjunction_inside_a_name_compares_nothing() -> None:
    assert plan("某大学社会与人口学院的院长是谁？").type is PlanType.SINGLE


def test_what_both_sides_share_is_no_question_of_its_own() -> None:
    made = plan("会计学和市场营销分别提供哪些项目，它们有哪些共同点？")
    assert made.type is PlanType.COMPARE
    assert [need.anchors for need in made.needs] == [("会计学",), ("市场营销",)]
