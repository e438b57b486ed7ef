"""What a run used is counted whole: models inside tools and useless replies too."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Any

import pytest

from kaoju.errors import ModelError
from kaoju.runtime import metering

from .fakes import FakeModels, is_sound, plan_of, says
from .test_malformed_plans import GOOD, UNSURE

NOW = date(2025, 1, 15)
HARD = "把研发部那几个项目的花销摞在一块儿看看"
"""Nothing that the patterns of the SQL tool could read."""
TO_SQL = plan_of({"tool": "sql_query", "query": HARD}, kind="aggregate")


@pytest.mark.parametrize(
    "reply",
    [
        '{"sql": "SELECT SUM(\\"实际支出\\") AS total FROM \\"支出\\" WHERE \\"部门\\" = \'研发部\'"}',
        "no idea",
        "",
    ],
)
async def test_models_inside_tools_are_counted(open_kaoju: Any, reply: str) -> None:
    planner, actor = says(TO_SQL), says(reply)
    async with open_kaoju(models=FakeModels(planner=planner, actor=actor)) as engine:
        answer = await engine.ask(UNSURE, now=NOW)
    is_sound(answer)
    assert actor.prompts, "the tool asked its model"
    prompts = [*planner.prompts, *actor.prompts]
    assert answer.usage.model_calls == len(prompts)
    assert answer.usage.prompt_tokens == sum(len((p.system + p.user).encode()) // 4 + 1 for p in prompts)
    assert answer.usage.completion_tokens > 0


async def test_a_spent_token_budget_holds_inside_tools_too(open_kaoju: Any) -> None:
    planner, actor = says(TO_SQL), says('{"sql": "SELECT 1"}')
    async with open_kaoju(models=FakeModels(planner=planner, actor=actor), max_tokens=1) as engine:
        answer = await engine.ask(UNSURE, now=NOW)
    is_sound(answer)
    assert len(planner.prompts) == 1
    assert actor.prompts == []


async def test_runs_at_once_are_charged_their_own_calls(open_kaoju: Any) -> None:
    planner, actor = says(TO_SQL), says('{"sql": "SELECT COUNT(*) AS n FROM \\"支出\\""}')
    async with open_kaoju(models=FakeModels(planner=planner, actor=actor)) as engine:
        asked, sure = await asyncio.gather(
            engine.ask(UNSURE, now=NOW), engine.ask("星河项目的负责人是谁？", now=NOW)
        )
    assert asked.usage.model_calls == len(planner.prompts) + len(actor.prompts) >= 2
    assert sure.usage.model_calls == 0


async def test_outside_a_run_a_model_is_left_as_it_is() -> None:
    model = says("x")
    assert metering.of_this_run(model) is model
    assert metering.of_this_run(None) is None


async def test_failed_calls_are_counted_with_what_they_cost(open_kaoju: Any) -> None:
    dear = ModelError("malformed", "cut off", "被截断").costing(700, 50)
    planner = says(dear, GOOD)
    async with open_kaoju(models=FakeModels(planner=planner)) as engine:
        answer = await engine.ask(UNSURE, now=NOW)
    assert answer.usage.model_calls == 2
    assert answer.usage.prompt_tokens > 700
    assert answer.usage.completion_tokens > 50


async def test_times_add_up(open_kaoju: Any) -> None:
    async with open_kaoju(models=FakeModels(planner=says(GOOD))) as engine:
        answer = await engine.ask(UNSURE, now=NOW)
    timings = answer.timings
    assert 0 <= timings.engine_ms <= timings.total_ms
    assert timings.tools_ms <= timings.total_ms
    assert timings.engine_ms + timings.tools_ms + timings.model_ms >= timings.total_ms - 1e-6
