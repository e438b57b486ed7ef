"""Cases A: whatever a planner writes, the run goes on with a valid plan and says where it came from."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from kaoju import Kaoju, ToolCall
from kaoju.errors import ModelError
from kaoju.llm.scripted import Sleep
from kaoju.model.event import Planned
from kaoju.model.tool import Succeeded

from .fakes import SPECS, UNREACHABLE, Breaks, FakeModels, FakeTool, is_sound, plan_of, says

NOW = date(2025, 1, 15)
UNSURE = (
    "How many days of annual leave do employees receive when unused leave of up to 5 days "
    "is carried over until 31 March as the handbook says in it?"
)
"""So long that the rules leave it to a model, where there is one."""
GOOD = plan_of({"query": "days of annual leave"})

IN_WRAPPING = {
    "in a fence with chatter around it": f"Sure! Here is the plan:\n```json\n{GOOD}\n```\nLet me know if you need more.",
    "in chatter without a fence": f"I will look it up. {GOOD} That should do.",
    "after a thought": f"<think>The user wants {{a name}}.</think>{GOOD}",
}
REFUSED = {
    "a program": "def plan(q):\n    return [search(q), search('负责人')]\n\nplan('星河项目')",
    "plain chatter": "I would first search for the project and then read the result.",
    "nested under a wrong key": json.dumps({"reasoning": {"queries": json.loads(GOOD)["tasks"]}}),
    "wrapped in another object": json.dumps({"plan": json.loads(GOOD)}),
    "a bare list of queries": json.dumps(["星河项目", "负责人"]),
    "no tasks at all": json.dumps({"type": "single", "tasks": []}),
    "tasks that are null": json.dumps({"type": "single", "tasks": None}),
    "an empty query": plan_of({"query": ""}),
    "cut off": GOOD[:-20],
    "null": "null",
    "a deep nest": "[" * 5000,
    "a task that waits for itself": plan_of({"query": "{t1} 星河项目", "depends_on": ["t1"]}),
    "two tasks that wait for each other": plan_of(
        {"query": "{t2} 星河项目", "depends_on": ["t2"]}, {"query": "{t1} 负责人", "depends_on": ["t1"]}
    ),
    "an unknown dependency": plan_of({"query": "{t9} 星河项目", "depends_on": ["t9"]}),
    "a dependency that it does not declare": plan_of({"query": "{t9} 的负责人"}),
    "an invented tool": plan_of({"query": "星河项目", "tool": "google_search"}),
    "two tasks of one name": plan_of({"query": "星河项目"}, {"id": "t1", "query": "林岚的简历"}),
    "too many tasks": plan_of(*({"query": f"星河项目第{n}期"} for n in range(1, 9))),
    "a tool of the engine's own": plan_of({"query": "星河项目", "tool": "follow_links"}),
}

MISSHAPEN = {"a program", "nested under a wrong key", "wrapped in another object", "cut off"}
"""Of these, a valid plan may be read; the others hold none."""


async def run(open_kaoju: Callable[..., Kaoju], planner: Any, **more: Any) -> Any:
    async with open_kaoju(models=FakeModels(planner=planner), **more) as engine:
        return await engine.ask(UNSURE, now=NOW)


@pytest.mark.parametrize("reply", IN_WRAPPING.values(), ids=IN_WRAPPING)
async def test_a_good_plan_is_taken_out_of_its_wrapping(open_kaoju: Any, reply: str) -> None:
    planner = says(reply)
    answer = await run(open_kaoju, planner)
    is_sound(answer)
    assert (answer.status, answer.plan.origin, len(planner.prompts)) == ("answered", "model", 1)
    assert answer.tasks[0].query == "days of annual leave"
    assert "25 days" in answer.answer


@pytest.mark.parametrize("reply", REFUSED.values(), ids=REFUSED)
async def test_a_bad_plan_is_repaired_once(open_kaoju: Any, reply: str) -> None:
    planner = says(reply, GOOD)
    answer = await run(open_kaoju, planner)
    is_sound(answer)
    assert (answer.status, answer.plan.origin, len(planner.prompts)) == ("answered", "repaired", 2)
    assert "refused" in planner.prompts[1].user
    assert any("was repaired once" in note for note in answer.notes)
    assert "25 days" in answer.answer


@pytest.mark.parametrize("name", sorted(MISSHAPEN))
async def test_a_plan_that_can_be_read_out_of_a_wrong_shape_is_searched_and_never_an_empty_success(
    open_kaoju: Any, name: str
) -> None:
    planner = says(REFUSED[name])
    answer = await run(open_kaoju, planner)
    is_sound(answer)
    assert (answer.plan.origin in {"repaired", "fallback"}, len(planner.prompts)) == (True, 2)
    assert answer.usage.tool_calls > 0
    assert answer.citations


@pytest.mark.parametrize(
    "reply",
    [reply for name, reply in REFUSED.items() if name not in MISSHAPEN],
    ids=[name for name in REFUSED if name not in MISSHAPEN],
)
async def test_a_plan_that_stays_bad_is_replaced_by_one_search_and_the_answer_says_so(
    open_kaoju: Any, reply: str
) -> None:
    planner = says(reply)
    answer = await run(open_kaoju, planner)
    is_sound(answer)
    assert (answer.status, answer.plan.origin, len(planner.prompts)) == ("answered", "fallback", 2)
    assert answer.tasks
    assert any("gave no usable plan" in note for note in answer.notes)
    assert answer.usage.model_calls == 2
    assert answer.usage.completion_tokens > 0, "tokens of useless replies are counted too"


async def test_a_plan_without_tasks_is_never_run_as_a_success(open_kaoju: Any) -> None:
    async with open_kaoju(models=FakeModels(planner=says(REFUSED["no tasks at all"]))) as engine:
        plan = await engine.plan(UNSURE, now=NOW)
    assert plan.tasks


async def test_every_fault_of_a_plan_is_named_to_the_planner(open_kaoju: Any) -> None:
    bad = plan_of(
        {"query": "{t1} 星河项目", "depends_on": ["t1", "t8"]},
        {"query": "{t3} 预算", "depends_on": ["t3"]},
        {"query": "{t2} 负责人", "depends_on": ["t2"]},
    )
    planner = says(bad, GOOD)
    await run(open_kaoju, planner)
    said = planner.prompts[1].user
    for fault in ("t1 depends on itself", "t8", "t2, t3"):
        assert fault in said


async def test_no_tool_runs_before_the_plan_is_valid(open_kaoju: Any) -> None:
    seen: list[int] = []

    async def behave(call: ToolCall) -> Succeeded:
        seen.append(len(planner.prompts))
        return Succeeded(evidence=())

    planner = says(REFUSED["two tasks that wait for each other"], GOOD)
    await run(open_kaoju, planner, tools=[FakeTool(SPECS["semantic_search"], behave)])
    assert seen
    assert set(seen) == {2}


async def test_an_invented_tool_comes_back_to_the_planner_with_the_tools_there_are(open_kaoju: Any) -> None:
    planner = says(REFUSED["an invented tool"], GOOD)
    await run(open_kaoju, planner)
    assert "google_search" in planner.prompts[1].user
    assert "semantic_search" in planner.prompts[1].user


@pytest.mark.parametrize("role", [None, "finance", "guest"])
async def test_a_hidden_tool_is_listed_for_its_role_alone(open_kaoju: Any, role: str | None) -> None:
    async def behave(call: ToolCall) -> Succeeded:
        return Succeeded(evidence=())

    hidden = FakeTool(
        replace(SPECS["semantic_search"], name="payroll_lookup", roles=frozenset({"finance"}), fallback=()),
        behave,
    )
    planner = says(plan_of({"query": "days of annual leave", "tool": "payroll_lookup"}))
    async with open_kaoju(models=FakeModels(planner=planner), tools=[hidden]) as engine:
        answer = await engine.ask(UNSURE, now=NOW, role=role)
    is_sound(answer)
    first = planner.prompts[0]
    shown = "payroll_lookup" in f"{first.system}{first.user}{json.dumps(first.schema)}"
    assert shown is (role == "finance")
    assert bool(hidden.calls) is (role == "finance")
    if role != "finance":
        assert "payroll_lookup" not in answer.answer


DEAD = {
    "unreachable": UNREACHABLE,
    "timing out": ModelError("timeout", "no reply within 2 s", "2 秒内没有回复"),
    "rate limited": ModelError("rate_limited", "too many requests", "请求过多"),
    "refusing": ModelError("refused", "it will not", "拒绝回复"),
    "rejecting": ModelError("rejected", "HTTP 400", "HTTP 400"),
    "silent": "",
    "blank": " \n\t ",
    "in garbage": "\x00\ufffd{{{]]]",
}


@pytest.mark.parametrize("reply", DEAD.values(), ids=DEAD)
async def test_a_planner_that_is(open_kaoju: Any, reply: Any) -> None:
    answer = await run(open_kaoju, says(reply))
    is_sound(answer)
    assert (answer.status, answer.plan.origin) == ("answered", "fallback")
    assert "25 days" in answer.answer
    assert any("gave no usable plan" in note for note in answer.notes)


async def test_a_planner_that_never_replies_costs_its_timeout_and_no_more(open_kaoju: Any) -> None:
    answer = await run(open_kaoju, says(Sleep(3600)), model_timeout=0.2)
    is_sound(answer)
    assert answer.status == "answered"
    assert any("0.2" in note for note in answer.notes)
    assert answer.timings.total_ms < 20_000


@pytest.mark.parametrize(
    "error", [RuntimeError("boom"), KeyError("choices"), TimeoutError(), OSError(111, "refused")]
)
async def test_a_callers_own_model_that_raises_anything_fails_no_run(
    open_kaoju: Any, error: Exception
) -> None:
    model = Breaks(error)
    async with open_kaoju(models=FakeModels(planner=model, writer=model)) as engine:
        answer = await engine.ask(UNSURE, now=NOW)
    is_sound(answer)
    assert answer.status == "answered"
    assert answer.usage.model_calls >= 2


async def test_a_sure_question_asks_no_planner(open_kaoju: Any) -> None:
    planner = says(GOOD)
    async with open_kaoju(models=FakeModels(planner=planner)) as engine:
        answer = await engine.ask("星河项目的负责人是谁？", now=NOW)
    assert planner.prompts == []
    assert answer.status == "answered"


async def test_the_events_tell_where_the_plan_came_from(open_kaoju: Any) -> None:
    async with open_kaoju(models=FakeModels(planner=says("nonsense", GOOD))) as engine:
        events = [event async for event in engine.stream(UNSURE, now=NOW)]
    first = next(event for event in events if isinstance(event, Planned))
    assert first.plan.origin == "repaired"
