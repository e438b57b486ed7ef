"""A run as its events: in order, whole, and cancelled where the reader leaves."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Any

import pytest

from kaoju import Kaoju
from kaoju.errors import KnowledgeBaseError, UsageError
from kaoju.llm.scripted import Sleep
from kaoju.model.event import Answered, Checked, Judged, Planned, RunStarted, TaskFinished, TaskStarted

from .fakes import FakeModels, all_tools, calls, hangs, says, until
from .test_broken_tools import SHAPES

NOW = date(2025, 1, 15)


@pytest.mark.parametrize("question", [*SHAPES.values(), "公司食堂的承包商是谁？", "你好", "12*7等于多少？"])
async def test_events_come_in_the_order_of_the_story(open_kaoju: Any, question: str) -> None:
    async with open_kaoju() as engine:
        events = [event async for event in engine.stream(question, now=NOW)]
    assert isinstance(events[0], RunStarted)
    assert isinstance(events[-1], Answered)
    assert sum(isinstance(event, Answered) for event in events) == 1
    assert len({event.run_id for event in events}) == 1
    planned: set[str] = set()
    open_tasks: set[str] = set()
    for before, event in zip([None, *events], events, strict=False):
        if isinstance(event, Planned):
            assert not open_tasks, "a round begins when the one before is over"
            planned |= {task.id for task in event.new_tasks}
            assert planned <= {task.id for task in event.plan.tasks}
        elif isinstance(event, TaskStarted):
            assert event.task.id in planned
            open_tasks.add(event.task.id)
        elif isinstance(event, TaskFinished):
            assert event.task_id in planned
            open_tasks.discard(event.task_id)
        elif isinstance(event, Judged):
            assert not open_tasks
        elif isinstance(event, Checked | Answered):
            assert not open_tasks, before
    assert {task.id for task in events[-1].answer.tasks} == planned


async def test_leaving_a_stream_early_cancels_what_was_going_on(open_kaoju: Any) -> None:
    tools = all_tools(hangs, timeout_seconds=60)
    async with open_kaoju(tools=tools) as engine:
        stream = engine.stream("星河项目的负责人是谁？", now=NOW)
        async for event in stream:
            if isinstance(event, TaskStarted):
                break
        await until(lambda: bool(calls(tools)))
        await stream.aclose()
        await asyncio.sleep(0.05)
        assert calls(tools) == sum(tool.cancelled for tool in tools) == 1
        others = asyncio.all_tasks() - {asyncio.current_task()}
        assert [task for task in others if "loop.run" in repr(task) or "behave" in repr(task)] == []


async def test_cancelling_an_ask_cancels_its_tools(open_kaoju: Any) -> None:
    tools = all_tools(hangs, timeout_seconds=60)
    async with open_kaoju(tools=tools) as engine:
        job = asyncio.ensure_future(engine.ask("星河项目的负责人是谁？", now=NOW))
        await until(lambda: bool(calls(tools)))
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job
        await asyncio.sleep(0.05)
        assert sum(tool.cancelled for tool in tools) == 1
        again = await engine.retrieve("星河项目")
    assert again, "the engine is none the worse"


async def test_cancelling_while_a_model_writes_ends_at_once(open_kaoju: Any) -> None:
    writer = says(Sleep(3600))
    async with open_kaoju(models=FakeModels(writer=writer)) as engine:
        job = asyncio.ensure_future(engine.ask("星河项目的负责人是谁？", now=NOW))
        await until(lambda: bool(writer.prompts))
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(job, 2)


@pytest.mark.parametrize("question", ["", "  \n", "\x00\x07", "？！", "x" * 100_000])
async def test_what_is_no_question_is_refused_before_anything_happens(open_kaoju: Any, question: str) -> None:
    tools = all_tools(hangs)
    async with open_kaoju(tools=tools) as engine:
        with pytest.raises(UsageError) as refused:
            await engine.ask(question, now=NOW)
        with pytest.raises(UsageError):
            await anext(engine.stream(question, now=NOW))
    assert refused.value.zh
    assert calls(tools) == 0


async def test_control_characters_in_a_question_do_no_harm(open_kaoju: Any) -> None:
    async with open_kaoju() as engine:
        answer = await engine.ask("星河\x07项目的\x00负责人\x1b是谁？\ud800", now=NOW)
    assert answer.question.isprintable()


@pytest.mark.parametrize(
    "wrong",
    [
        {"piepline": "simple"},
        {"pipeline": "none"},
        {"max_rounds": -1},
        {"now": "2025-01-01"},
        {"role": 7},
        {"k": 0},
    ],
)
async def test_a_wrong_keyword_is_refused_by_name(open_kaoju: Any, wrong: dict[str, Any]) -> None:
    async with open_kaoju() as engine:
        with pytest.raises(UsageError, match=next(iter(wrong))):
            await engine.ask("星河项目的负责人是谁？", **wrong)


def test_scripts_without_an_event_loop_ask_directly(open_kaoju: Any) -> None:
    engine = open_kaoju()
    first = engine.ask_sync("星河项目的负责人是谁？", now=NOW)
    second = engine.ask_sync("星河项目的负责人是谁？", now=NOW)
    assert first.status == second.status == "answered"
    assert first.citations == second.citations


async def test_asking_synchronously_inside_a_loop_is_refused_with_the_way_out(open_kaoju: Any) -> None:
    with pytest.raises(UsageError, match="await"):
        open_kaoju().ask_sync("星河项目的负责人是谁？", now=NOW)


async def test_a_missing_knowledge_base_is_told_at_once(tmp_path: Any, embedder: Any) -> None:
    with pytest.raises(KnowledgeBaseError, match="ingest"):
        async with Kaoju.open(tmp_path / "none", embedder=embedder):
            pytest.fail("it must not open")


async def test_the_simple_pipeline_searches_once(open_kaoju: Any) -> None:
    async with open_kaoju() as engine:
        answer = await engine.ask("公司食堂的承包商是谁？", now=NOW, pipeline="simple")
    assert (answer.plan.origin, answer.usage.tool_calls, answer.rounds) == ("simple", 1, 1)
