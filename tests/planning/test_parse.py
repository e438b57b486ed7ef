"""Plans read out of what models really write."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaoju.errors import PlanError
from kaoju.model.plan import PlanType
from kaoju.planning.parse import extract

TASKS = [
    {
        "id": "t1",
        "purpose": "find the leader",
        "tool": "semantic_search",
        "query": "leader of Beacon",
        "depends_on": [],
    },
    {
        "id": "t2",
        "purpose": "find the office",
        "tool": "semantic_search",
        "query": "office of {t1}",
        "depends_on": ["t1"],
    },
]
PLAN = {"type": "multi_hop", "tasks": TASKS}
QUERIES = ["leader of Beacon", "office of {t1}"]


def read(reply: object) -> tuple[list[str], tuple[str, ...]]:
    found = extract(reply, default_tool="semantic_search")
    return [task.query for task in found.plan.tasks], found.faults


def test_a_plan_as_asked_has_no_faults() -> None:
    for reply in (PLAN, json.dumps(PLAN)):
        found = extract(reply, default_tool="semantic_search")
        assert found.faults == ()
        assert found.plan.type is PlanType.MULTI_HOP
        assert [(t.id, t.depends_on, t.need) for t in found.plan.tasks] == [
            ("t1", (), "n1"),
            ("t2", ("t1",), "n2"),
        ]
        assert found.plan.needs[0].anchors == ("Beacon",)
        assert found.plan.needs[1].anchors == ()


BROKEN = {
    "fenced with chatter": f"Sure! Here is the plan:\n```json\n{json.dumps(PLAN)}\n```\nLet me know if you need more.",
    "chatter without a fence": f"I would do this: {json.dumps(PLAN)} That should work.",
    "python quotes": str(PLAN),
    "python list": f"tasks = {TASKS}",
    "trailing commas": json.dumps(PLAN).replace("}]", "},]").replace("]}", "],}"),
    "cut off": json.dumps(PLAN)[:-20],
    "thought first": f"<think>{{not a plan}} hmm</think>{json.dumps(PLAN)}",
    "fence cut off": f"```json\n{json.dumps(PLAN, indent=1)}",
    "under reasoning": json.dumps({"reasoning": {"thought": "two hops", "steps": TASKS}}),
    "under plan": json.dumps({"plan": TASKS, "type": "multi_hop"}),
    "deep": json.dumps({"response": {"result": [{"plan": {"tasks": TASKS}}]}}),
    "bare list": json.dumps(TASKS),
    "numbered keys": json.dumps({"step1": TASKS[0], "step2": TASKS[1]}),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_plan_in_the_wrong_form_is_read_and_its_faults_are_named(name: str) -> None:
    queries, faults = read(BROKEN[name])
    assert queries == QUERIES or (name == "cut off" and queries[0] == QUERIES[0])
    assert faults or name in {"trailing commas", "python quotes", "cut off", "thought first"}


def test_queries_alone_become_tasks_of_the_default_tool() -> None:
    found = extract(
        {"reasoning": "...", "queries": ["budget of Beacon", "budget of Meadow"]},
        default_tool="semantic_search",
    )
    assert [(t.query, t.tool) for t in found.plan.tasks] == [
        ("budget of Beacon", "semantic_search"),
        ("budget of Meadow", "semantic_search"),
    ]
    assert found.faults


def test_other_names_of_fields_are_understood() -> None:
    found = extract(
        {
            "tasks": [
                {
                    "step": 1,
                    "goal": "why",
                    "action": "sql_query",
                    "args": {"query": "total"},
                    "dependencies": "2",
                }
            ]
        },
        default_tool="semantic_search",
    )
    task = found.plan.tasks[0]
    assert (task.id, task.purpose, task.tool, task.query, task.depends_on) == (
        "t1",
        "why",
        "sql_query",
        "total",
        ("t2",),
    )


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "   ",
        "I cannot help with that.",
        "{}",
        "[]",
        '{"tasks": []}',
        '{"type": "single", "tasks": [{}]}',
        "print('hi')",
        "{",
        "null",
        None,
        3,
        {"tasks": "none"},
        "```json\n```",
    ],
)
def test_a_reply_without_a_task_is_no_plan(reply: object) -> None:
    with pytest.raises(PlanError) as raised:
        extract(reply, default_tool="semantic_search")
    assert raised.value.problems


def tasks_or_problems(reply: object) -> tuple[object, ...]:
    try:
        return extract(reply, default_tool="semantic_search").plan.tasks
    except PlanError as error:
        return error.problems


@given(st.text(max_size=200))
def test_any_text_is_a_plan_with_tasks_or_a_plan_error(text: str) -> None:
    assert tasks_or_problems(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["tasks", "query", "tool", "id", "plan", "steps", "depends_on", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_json_is_a_plan_with_tasks_or_a_plan_error(document: object) -> None:
    for reply in (document, json.dumps(document)):
        assert tasks_or_problems(reply)
