"""What goes to the tables and what does not: figures, extremes, rankings, courses and lists, whatever the wording."""

from __future__ import annotations

import pytest
from tests.planning.helpers import LIMITS, PROSE, TABLES, ask

from kaoju.planning.planner import make_plan
from kaoju.planning.routing import choose_tool


@pytest.mark.parametrize(
    "text",
    [
        "哪个项目的预算最高？",
        "哪个项目的预算最低",
        "所有项目的预算总额是多少？",
        "各部门项目的平均预算",
        "按预算从高到低列出项目",
        "预算超过五十万的项目有几个？",
        "预算超过五十万的项目名单",
        "白桦项目的负责人是谁？",
        "Which product had the highest revenue?",
        "Rank the products by revenue.",
        "How has Beacon revenue developed from quarter to quarter?",
        "total revenue by region",
        "What is the average revenue figure per quarter of Beacon?",
    ],
)
async def test_what_tables_hold_is_never_searched_by_meaning(text: str) -> None:
    made = (await make_plan(ask(text), TABLES, None, LIMITS)).plan
    assert {task.tool for task in made.tasks if task.need} == {"sql_query"}
    assert all(task.reason for task in made.tasks)


@pytest.mark.parametrize(
    "text",
    [
        "为什么启动白桦项目？",
        "项目立项需要提交哪些材料？",
        "出差住宿最高标准是多少？",
        "部门聚餐的报销流程有哪些步骤？",
        "Why was the Beacon product line started?",
        "How many days before the trip must it be approved?",
        "Which colours does the Beacon come in for outdoor use in winter?",
    ],
)
async def test_what_prose_says_is_not_looked_for_in_tables(text: str) -> None:
    made = (await make_plan(ask(text), TABLES, None, LIMITS)).plan
    assert {task.tool for task in made.tasks if task.need} == {"semantic_search"}


@pytest.mark.parametrize("text", ["Who leads 白桦项目?", "白桦项目谁牵头？"])
def test_a_short_question_about_a_row_goes_to_its_table(text: str) -> None:
    assert choose_tool(text, TABLES) == "sql_query"


@pytest.mark.parametrize("text", ["哪个项目的预算最高？", "Rank the products by revenue."])
def test_without_tables_figures_are_searched(text: str) -> None:
    assert choose_tool(text, PROSE) == "semantic_search"
