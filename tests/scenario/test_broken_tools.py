"""Cases C: tools that hang, fail, or answer with nothing or garbage; what the rest of a run makes of it."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from kaoju import ToolCall
from kaoju.model.event import TaskFinished, TaskStarted
from kaoju.model.plan import TRANSITIONS, PlanType, TaskState
from kaoju.model.tool import NeedsApproval, Succeeded

from .fakes import (
    SPECS,
    FakeTool,
    all_tools,
    found,
    hangs,
    is_sound,
    nothing,
    overrates,
    raises,
    refuses,
    returns_blank,
    returns_none,
    returns_text,
    stays_deaf,
)

NOW = date(2025, 1, 15)
WHO = "星河项目的负责人是谁？"
BROKEN = [hangs, stays_deaf, raises, refuses, returns_none, returns_text, overrates, returns_blank]
SHAPES = {
    "single": WHO,
    "compare": "星河项目和远帆项目的负责人分别是谁？",
    "multi_hop": "远帆项目的承建方总部在哪里？",
    "aggregate": "哪个项目实际支出最高？",
    "english": "How many days of annual leave do employees receive?",
}


@pytest.mark.parametrize("question", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("behave", BROKEN, ids=lambda b: b.__name__)
async def test_every_shape_of_plan_ends_when_every_tool_is_broken(
    open_kaoju: Any, behave: Any, question: str
) -> None:
    tools = all_tools(behave, timeout_seconds=0.05, attempts=2)
    async with open_kaoju(tools=tools) as engine:
        began = time.monotonic()
        answer = await engine.ask(question, now=NOW)
    is_sound(answer)
    assert time.monotonic() - began < 15
    assert answer.status == "failed"
    assert answer.claims == ()
    assert any(tool.spec.name in answer.answer for tool in tools)


@pytest.mark.parametrize("question", SHAPES.values(), ids=SHAPES)
async def test_every_shape_of_plan_says_that_nothing_was_found(open_kaoju: Any, question: str) -> None:
    async with open_kaoju(tools=all_tools(nothing)) as engine:
        answer = await engine.ask(question, now=NOW)
    is_sound(answer)
    assert answer.status == "insufficient"
    assert answer.missing
    assert ("已检索" if answer.language == "zh" else "Searched") in answer.answer


@pytest.mark.parametrize("behave", BROKEN, ids=lambda b: b.__name__)
async def test_keyword_search_stands_in_for_a_broken_semantic_search(open_kaoju: Any, behave: Any) -> None:
    broken = FakeTool(replace(SPECS["semantic_search"], timeout_seconds=0.05), behave)
    async with open_kaoju(tools=[broken]) as engine:
        answer = await engine.ask(WHO, now=NOW)
    is_sound(answer)
    assert broken.calls
    assert answer.status == "answered"
    assert "林岚" in answer.answer
    assert any("keyword_search" in note and "semantic_search" in note for note in answer.notes)


async def test_one_task_that_hangs_does_not_hold_up_the_others_and_is_named(open_kaoju: Any) -> None:
    async def half(call: ToolCall) -> Any:
        if "远帆" in str(call.arguments["query"]):
            await hangs(call)
        return Succeeded(evidence=(found(call, "星河项目的负责人是林岚。"),), confidence=0.8)

    tools = [
        FakeTool(replace(SPECS["semantic_search"], timeout_seconds=0.3, attempts=1, fallback=()), half),
        FakeTool(replace(SPECS["keyword_search"], timeout_seconds=0.3, attempts=1), half),
        FakeTool(SPECS["follow_links"], nothing),
    ]
    async with open_kaoju(tools=tools) as engine:
        events = [event async for event in engine.stream("星河项目和远帆项目的负责人分别是谁？", now=NOW)]
    answer = events[-1].answer
    is_sound(answer)
    assert answer.plan.type is PlanType.COMPARE
    assert answer.status == "partial"
    assert "林岚" in answer.answer
    assert any("远帆" in text for text in answer.missing)
    assert not any("星河" in text for text in answer.missing)
    assert "semantic_search" in answer.answer, "the tool that timed out is named"
    assert any("0.3 秒" in note for note in answer.notes)
    first = next(event for event in events if isinstance(event, TaskFinished))
    assert first.state is TaskState.SUCCEEDED, "what does not hang finishes first"
    assert tools[0].cancelled >= 1


async def test_a_second_hop_is_skipped_where_the_first_found_nothing(open_kaoju: Any) -> None:
    async with open_kaoju(tools=all_tools(nothing)) as engine:
        answer = await engine.ask(SHAPES["multi_hop"], now=NOW)
    assert answer.plan.type is PlanType.MULTI_HOP
    second = next(task for task in answer.tasks if task.id == "t2")
    assert (second.state, second.attempts) == (TaskState.SKIPPED, 0)


async def test_a_tool_that_waits_for_a_person_parks_the_run(open_kaoju: Any) -> None:
    async def asks(call: ToolCall) -> Any:
        return NeedsApproval(reason="personal data")

    async with open_kaoju(tools=all_tools(asks)) as engine:
        answer = await engine.ask(WHO, now=NOW)
    is_sound(answer)
    assert answer.status == "needs_review"
    assert answer.claims == ()


@pytest.mark.parametrize("behave", [*BROKEN, nothing], ids=lambda b: b.__name__)
async def test_every_move_of_a_task_is_legal_and_told(open_kaoju: Any, behave: Any) -> None:
    async with open_kaoju(tools=all_tools(behave, timeout_seconds=0.05, attempts=1)) as engine:
        events = [event async for event in engine.stream(SHAPES["compare"], now=NOW)]
    started = {event.task.id for event in events if isinstance(event, TaskStarted)}
    finished = [event for event in events if isinstance(event, TaskFinished)]
    assert len({event.task_id for event in finished}) == len(finished), "each task ends once"
    for event in finished:
        came_from = TaskState.RUNNING if event.task_id in started else TaskState.PENDING
        assert event.state in TRANSITIONS[came_from]


async def test_a_callers_tool_takes_the_place_of_the_built_in_of_its_name(open_kaoju: Any) -> None:
    async def answers(call: ToolCall) -> Any:
        return Succeeded(evidence=(found(call, "星河项目的负责人是王芳。"),), confidence=0.9)

    mine = FakeTool(SPECS["semantic_search"], answers)
    async with open_kaoju(tools=[mine]) as engine:
        answer = await engine.ask(WHO, now=NOW)
    assert "王芳" in answer.answer
    assert answer.citations[0].document_id == "fake.md"


async def test_a_failed_tool_is_forgotten_by_the_next_question(open_kaoju: Any) -> None:
    state = {"broken": True}

    async def moody(call: ToolCall) -> Any:
        if state["broken"]:
            raise ConnectionError("down")
        return Succeeded(evidence=(found(call, "星河项目的负责人是林岚。"),), confidence=0.9)

    tools = all_tools(moody)
    async with open_kaoju(tools=tools) as engine:
        assert (await engine.ask(WHO, now=NOW)).status == "failed"
        state["broken"] = False
        assert (await engine.ask(WHO, now=NOW)).status == "answered"
