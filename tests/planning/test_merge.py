"""Near-duplicates are one task; a name, a number or a time apart they are two."""

from __future__ import annotations

import pytest

from kaoju.model.plan import Need, Plan, PlanType, Task
from kaoju.planning.merge import merge


def plan(*queries: str, tools: tuple[str, ...] = ()) -> Plan:
    tasks = tuple(
        Task(id=f"t{i}", purpose=q, tool=tools[i - 1] if tools else "semantic_search", query=q, need=f"n{i}")
        for i, q in enumerate(queries, start=1)
    )
    return Plan(
        type=PlanType.DECOMPOSE, tasks=tasks, needs=tuple(Need(id=t.need, text=t.query) for t in tasks)
    )


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("budget of the Beacon project", "the Beacon project's budget"),
        ("白桦项目的预算是多少", "白桦项目 预算 是多少？"),
        ("How many days of leave?", "how many days of leave"),
    ],
)
def test_the_same_search_in_other_words_is_joined(one: str, two: str) -> None:
    merged = merge(plan(one, two))
    assert [task.query for task in merged.tasks] == [one]
    assert [need.id for need in merged.needs] == ["n1"]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("budget of the Beacon project in detail", "budget of the Meadow project in detail"),
        ("白桦项目的预算是多少", "青石项目的预算是多少"),
        ("revenue of the company in 2023", "revenue of the company in 2024"),
        ("2023年第一季度公司的营收总额", "2023年第二季度公司的营收总额"),
        ("warranty of the gateway AX-300", "warranty of the gateway AX-500"),
        ("leave after 5 years of service", "leave after 10 years of service"),
    ],
)
def test_a_name_a_number_or_a_time_apart_they_stay_two(one: str, two: str) -> None:
    assert len(merge(plan(one, two)).tasks) == 2


def test_other_tools_are_other_tasks() -> None:
    both = plan("budget of Beacon", "budget of Beacon", tools=("semantic_search", "sql_query"))
    assert merge(both) == both


def test_what_waited_for_the_joined_task_waits_for_its_twin() -> None:
    first, second = plan("leader of the Beacon project", "the Beacon project's leader").tasks
    third = Task(id="t3", purpose="", tool="semantic_search", query="office of {t2}", depends_on=("t2",))
    fourth = Task(id="t4", purpose="", tool="semantic_search", query="office of {t1}", depends_on=("t1",))
    merged = merge(Plan(type=PlanType.MULTI_HOP, tasks=(first, second, third, fourth), needs=()))
    assert [(t.id, t.query, t.depends_on) for t in merged.tasks] == [
        ("t1", first.query, ()),
        ("t3", "office of {t1}", ("t1",)),
    ]
