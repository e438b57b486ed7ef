"""Scripted models by role, and tools that hang, raise, return nothing or return garbage."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, cast, get_args

from kaoju import Answer
from kaoju.errors import ModelError
from kaoju.llm.chat import ChatModel, Prompt
from kaoju.llm.models import Role
from kaoju.llm.scripted import Reply, ScriptedModel
from kaoju.model.answer import AnswerStatus
from kaoju.model.evidence import Evidence, Locator
from kaoju.model.tool import Failed, Succeeded, ToolCall, ToolOutcome, ToolSpec
from kaoju.tools.links import FollowLinks
from kaoju.tools.search import keyword_search, semantic_search
from kaoju.tools.sql.tool import SPEC as SQL

LEGAL = get_args(AnswerStatus)
Behaviour = Callable[[ToolCall], Awaitable[Any]]


class FakeModels:
    """The models of an engine; roles that are not given have none."""

    def __init__(self, **roles: ChatModel) -> None:
        self.roles = roles

    def for_role(self, role: Role) -> ChatModel | None:
        return self.roles.get(role)

    async def close(self) -> None:
        """Nothing is open."""


def says(*replies: Reply) -> ScriptedModel:
    """A model that gives these replies, the last one again and again."""
    return ScriptedModel(replies, repeat_last=True)


class Breaks:
    """A caller's own model that raises what no model should."""

    name = "breaks"

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def complete(self, prompt: Prompt) -> Any:
        raise self.error


def plan_of(*tasks: dict[str, Any], kind: str = "single") -> str:
    """A planner's reply; each task needs only what differs from a plain search."""
    rows = [
        {"id": f"t{n}", "purpose": "look it up", "tool": "semantic_search", "depends_on": [], **task}
        for n, task in enumerate(tasks, start=1)
    ]
    return json.dumps({"type": kind, "tasks": rows}, ensure_ascii=False)


class FakeTool:
    """A tool with the contract of a built-in one and behaviour of its own; counts its calls."""

    def __init__(self, spec: ToolSpec, behave: Behaviour) -> None:
        self.spec = spec
        self.behave = behave
        self.calls: list[ToolCall] = []
        self.cancelled = 0

    async def run(self, call: ToolCall) -> ToolOutcome:
        self.calls.append(call)
        try:
            return cast("ToolOutcome", await self.behave(call))
        except asyncio.CancelledError:
            self.cancelled += 1
            raise


async def hangs(_call: ToolCall) -> Any:
    await asyncio.sleep(3600)


async def stays_deaf(_call: ToolCall) -> Any:
    """Hang, and ignore being cancelled once."""
    try:
        await asyncio.sleep(3600)
    except asyncio.CancelledError:
        await asyncio.sleep(0.5)


async def raises(_call: ToolCall) -> Any:
    raise ConnectionError("the search key is wrong")


async def refuses(call: ToolCall) -> Any:
    return Failed(code="UPSTREAM_5XX", message="the index is away", retryable=True)


async def nothing(_call: ToolCall) -> Any:
    return Succeeded(evidence=())


async def returns_none(_call: ToolCall) -> Any:
    return None


async def returns_text(_call: ToolCall) -> Any:
    return "here you are: 320"


async def overrates(_call: ToolCall) -> Any:
    return Succeeded(evidence=(), confidence=float("nan"))


async def returns_blank(call: ToolCall) -> Any:
    return Succeeded(evidence=(found(call, "  "),))


def found(call: ToolCall, text: str, document_id: str = "fake.md", **more: Any) -> Evidence:
    fields: dict[str, Any] = {
        "id": "", "kind": "passage", "text": text, "document_id": document_id, "title": "", "tool": call.tool,
        "locator": Locator(start=0, end=len(text)), "chunk_id": f"{document_id}#0", "score": 0.8, "semantic": 0.88,
        "confidence": 0.8,
    }  # fmt: skip
    return Evidence(**{**fields, **more})


def unrelated() -> Behaviour:
    """A search that finds something new each time, and never the answer."""
    count = 0

    async def behave(call: ToolCall) -> Any:
        nonlocal count
        count += 1
        return Succeeded(
            evidence=(found(call, f"食堂第{count}周的菜单已经贴在门口。", f"menu-{count}.md"),),
            confidence=0.6,
        )

    return behave


SPECS = {
    spec.name: spec
    for spec in (
        semantic_search(lambda *_: ()).spec,
        keyword_search(lambda *_: ()).spec,
        FollowLinks.spec,
        SQL,
    )
}


def all_tools(behave: Behaviour, *, timeout_seconds: float = 0.1, **more: Any) -> list[FakeTool]:
    """Every tool that can look something up, all behaving alike."""
    return [
        FakeTool(replace(spec, timeout_seconds=timeout_seconds, **more), behave) for spec in SPECS.values()
    ]


def calls(tools: Sequence[FakeTool]) -> int:
    """Times that any of the tools really ran."""
    return sum(len(tool.calls) for tool in tools)


async def until(condition: Callable[[], bool]) -> None:
    """Wait, at most 10 s, until something holds."""
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110 - what is waited for happens elsewhere
            await asyncio.sleep(0.01)


def is_sound(answer: Answer) -> None:
    """What holds of every answer, whatever happened: a legal status, within budget, with its reason."""
    assert answer.status in LEGAL
    assert answer.answer.strip()
    if answer.status in {"partial", "insufficient", "failed"}:
        assert answer.missing or answer.plan.unanswerable
    if answer.status != "answered":
        assert answer.confidence < 1.0
    numbers = [citation.n for citation in answer.citations]
    assert numbers == list(range(1, len(numbers) + 1))
    marked = {int(n) for n in re.findall(r"\[(\d+)\]", answer.answer)}
    assert marked <= set(numbers)
    assert answer.status not in {"answered", "partial"} or marked == set(numbers)
    assert {n for claim in answer.claims for n in claim.citations} == set(numbers)
    assert all(claim.verdict == "supported" and claim.citations for claim in answer.claims)
    assert 0 <= answer.intervention_index <= 100


UNREACHABLE = ModelError("unreachable", "the endpoint is not there", "模型服务不可用")
