"""Cases B: whatever fails or stays unanswered, a run ends, and within what it was allowed."""

from __future__ import annotations

import asyncio
import time
from datetime import date
from typing import Any

import pytest

from kaoju import Answer
from kaoju.llm.scripted import Sleep
from kaoju.model.event import Planned
from kaoju.model.plan import TaskState

from .fakes import (
    FakeModels,
    all_tools,
    calls,
    hangs,
    is_sound,
    nothing,
    plan_of,
    raises,
    refuses,
    returns_none,
    says,
    stays_deaf,
    unrelated,
)
from .test_malformed_plans import UNSURE

NOW = date(2025, 1, 15)
UNANSWERABLE = "火星基地的氧气储量是多少？"
SEARCHES = {
    "raises": lambda: raises,
    "fails": lambda: refuses,
    "finds nothing": lambda: nothing,
    "returns garbage": lambda: returns_none,
    "finds the wrong thing": unrelated,
}


def steps_of(answer: Answer) -> int:
    return sum(task.attempts for task in answer.tasks)


@pytest.mark.parametrize("behave", SEARCHES.values(), ids=SEARCHES)
@pytest.mark.parametrize("limit", [0, 1, 2, 5])
async def test_no_more_tool_calls_than_steps(open_kaoju: Any, limit: int, behave: Any) -> None:
    tools = all_tools(behave())
    async with open_kaoju(tools=tools, max_steps=limit, max_rounds=9) as engine:
        answer = await engine.ask(UNANSWERABLE, now=NOW)
    is_sound(answer)
    assert calls(tools) <= limit
    assert calls(tools) == steps_of(answer) == answer.usage.tool_calls
    assert answer.status in {"insufficient", "failed"}
    assert "320" not in answer.answer


@pytest.mark.parametrize("behave", SEARCHES.values(), ids=SEARCHES)
@pytest.mark.parametrize("limit", [0, 1, 2, 5])
async def test_no_more_rounds_than_allowed(open_kaoju: Any, limit: int, behave: Any) -> None:
    tools = all_tools(behave(), attempts=1)
    async with open_kaoju(tools=tools, max_rounds=limit, max_steps=60) as engine:
        events = [event async for event in engine.stream(UNANSWERABLE, now=NOW)]
    answer = events[-1].answer
    is_sound(answer)
    rounds = [event.round for event in events if isinstance(event, Planned)]
    assert rounds == list(range(1, len(rounds) + 1))
    assert len(rounds) <= limit
    assert answer.rounds == len(rounds)
    assert answer.status in {"insufficient", "failed"}
    if limit == 0:
        assert calls(tools) == 0


async def test_a_budget_is_used_where_it_helps(open_kaoju: Any) -> None:
    tools = all_tools(unrelated())
    async with open_kaoju(tools=tools, max_steps=3, max_rounds=9) as engine:
        await engine.ask(UNANSWERABLE, now=NOW)
    assert calls(tools) == 3, "a run that keeps finding new things goes on until its budget is spent"


@pytest.mark.parametrize(("rounds", "steps"), [(0, 16), (3, 0), (0, 0)])
async def test_without_a_budget_nothing_is_searched_and_the_answer_says_so(
    open_kaoju: Any, rounds: int, steps: int
) -> None:
    async with open_kaoju(max_rounds=rounds, max_steps=steps) as engine:
        answer = await engine.ask("星河项目的负责人是谁？", now=NOW)
    is_sound(answer)
    assert answer.usage.tool_calls == 0
    assert answer.status in {"insufficient", "failed"}
    assert "林岚" not in answer.answer
    assert any("预算" in note or "用完" in note for note in answer.notes)


@pytest.mark.parametrize("limit", [1, 2])
async def test_the_callers_rounds_stand_above_the_setting(open_kaoju: Any, limit: int) -> None:
    async with open_kaoju(tools=all_tools(unrelated()), max_rounds=9, max_steps=60) as engine:
        answer = await engine.ask(UNANSWERABLE, now=NOW, max_rounds=limit)
    assert answer.rounds == limit


async def test_a_dead_retriever_stops_the_run_and_is_named(open_kaoju: Any) -> None:
    tools = all_tools(raises)
    async with open_kaoju(tools=tools, max_rounds=50, max_steps=500) as engine:
        answer = await engine.ask("星河项目的负责人是谁？", now=NOW)
    is_sound(answer)
    assert answer.status == "failed"
    assert answer.rounds <= 3, "two rounds without anything new end it, whatever the budget"
    assert "semantic_search" in answer.answer
    assert "the search key is wrong" in answer.answer
    assert {task.state for task in answer.tasks} <= {TaskState.FAILED, TaskState.SKIPPED, TaskState.PENDING}


async def test_two_rounds_without_anything_new_are_enough(open_kaoju: Any) -> None:
    async with open_kaoju(tools=all_tools(nothing), max_rounds=50, max_steps=500) as engine:
        answer = await engine.ask(UNANSWERABLE, now=NOW)
    is_sound(answer)
    assert answer.status == "insufficient"
    assert answer.rounds <= 3


async def test_planning_anew_and_climbing_down_share_one_budget(open_kaoju: Any) -> None:
    """A model that plans, a writer whose drafts never hold, and tools that keep finding: nothing refills the counters."""
    tools = all_tools(unrelated())
    models = FakeModels(
        planner=says("nonsense", plan_of({"query": "annual leave"}, {"query": "carried over"})),
        writer=says("The base on Mars holds 5,000 tonnes of oxygen [1]."),
    )
    async with open_kaoju(tools=tools, models=models, max_rounds=3, max_steps=7) as engine:
        events = [event async for event in engine.stream(UNSURE, now=NOW)]
    answer = events[-1].answer
    is_sound(answer)
    assert sum(isinstance(event, Planned) for event in events) <= 3
    assert calls(tools) <= 7
    assert "5,000" not in answer.answer


async def test_retries_and_stand_ins_spend_the_same_steps(open_kaoju: Any) -> None:
    tools = all_tools(refuses, attempts=3)
    async with open_kaoju(tools=tools, max_steps=4, max_rounds=9) as engine:
        answer = await engine.ask(UNANSWERABLE, now=NOW)
    assert calls(tools) == 4
    assert answer.usage.tool_calls == 4


@pytest.mark.parametrize("behave", [hangs, stays_deaf])
async def test_a_deadline_ends_a_run_whose_tools_hang(open_kaoju: Any, behave: Any) -> None:
    tools = all_tools(behave, timeout_seconds=60)
    async with open_kaoju(tools=tools, deadline=0.6) as engine:
        began = time.monotonic()
        answer = await engine.ask("星河项目的负责人是谁？", now=NOW)
        took = time.monotonic() - began
    is_sound(answer)
    assert took < 5
    assert answer.status == "failed"
    assert "semantic_search" in answer.answer


async def test_a_deadline_ends_a_run_whose_models_hang(open_kaoju: Any) -> None:
    slow = says(Sleep(3600))
    async with open_kaoju(models=FakeModels(planner=slow, writer=slow), deadline=1.0) as engine:
        await engine.ask("星河项目的负责人是谁？", now=NOW)  # loads what has to be loaded
        began = time.monotonic()
        answer = await engine.ask(UNSURE, now=NOW)
        took = time.monotonic() - began
    is_sound(answer)
    assert took < 6
    assert any("time was up" in note or "time is up" in note for note in answer.notes)


async def test_a_model_that_ignores_its_timeout_is_cut_off_at_the_deadline(open_kaoju: Any) -> None:
    class Deaf:
        name = "deaf"

        async def complete(self, prompt: Any) -> Any:
            await asyncio.sleep(3600)

    async with open_kaoju(models=FakeModels(writer=Deaf()), deadline=2.0) as engine:
        began = time.monotonic()
        answer = await engine.ask("星河项目的负责人是谁？", now=NOW)
    is_sound(answer)
    assert time.monotonic() - began < 8
    assert answer.status == "answered", "the extractive answer leaves"


@pytest.mark.parametrize("limit", [0, 1, 400, 2000])
async def test_tokens_end_the_models_share_and_not_the_run(open_kaoju: Any, limit: int) -> None:
    planner = says("nonsense")
    writer = says("Employees receive 25 days of annual leave [1].")
    async with open_kaoju(models=FakeModels(planner=planner, writer=writer), max_tokens=limit) as engine:
        answer = await engine.ask(UNSURE, now=NOW)
    is_sound(answer)
    assert answer.status == "answered"
    before_last = sum(
        len((p.system + p.user).encode()) // 4 for p in [*planner.prompts, *writer.prompts][:-1]
    )
    assert before_last <= limit, "no call begins once the tokens are spent"
    if limit == 0:
        assert answer.usage.model_calls == 0
        assert any("token" in note for note in answer.notes)


async def test_runs_at_once_do_not_share_their_counters(open_kaoju: Any) -> None:
    tools = all_tools(unrelated())
    async with open_kaoju(tools=tools, max_steps=3, max_rounds=9) as engine:
        answers = await asyncio.gather(
            *(engine.ask(f"火星基地{n}号舱的氧气储量是多少？", now=NOW) for n in range(4))
        )
    assert [answer.usage.tool_calls for answer in answers] == [3, 3, 3, 3]
    assert calls(tools) == 12
    assert len({answer.run_id for answer in answers}) == 4
