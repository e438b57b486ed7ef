"""Fake tools that misbehave on demand, and one way to call them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from kaoju.model.evidence import Evidence, Locator
from kaoju.model.tool import Failed, Succeeded, ToolCall, ToolOutcome, ToolSpec
from kaoju.tools.dispatch.dispatcher import Dispatched, Dispatcher
from kaoju.tools.registry import Registry

SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "k": {"type": "integer", "minimum": 1},
        "mode": {"enum": ["fast", "deep"]},
    },
    "required": ["query"],
    "additionalProperties": False,
}
Behaviour = Callable[[ToolCall], Awaitable[ToolOutcome]]


class Fake:
    def __init__(self, name: str, behave: Behaviour, **spec: object) -> None:
        self.spec = ToolSpec(
            **{
                "name": name,
                "description": "d",
                "use_for": "u",
                "not_for": "n",
                "input_schema": SCHEMA,
                "backoff_seconds": 0.001,
                **spec,
            }
        )
        self.behave = behave
        self.calls: list[ToolCall] = []

    async def run(self, call: ToolCall) -> ToolOutcome:
        self.calls.append(call)
        return await self.behave(call)


def found(tool: str = "x", confidence: float = 0.8, text: str = "text") -> Succeeded:
    item = Evidence(
        id="",
        kind="passage",
        text=text,
        document_id="d",
        title="t",
        locator=Locator(),
        tool=tool,
        confidence=confidence,
    )
    return Succeeded(evidence=(item,), confidence=confidence)


async def fine(call: ToolCall) -> ToolOutcome:
    return found()


async def busy(call: ToolCall) -> ToolOutcome:
    return Failed(code="UPSTREAM_5XX", message="busy", retryable=True)


async def hang(call: ToolCall) -> ToolOutcome:
    await asyncio.sleep(60)
    return found()


async def call(
    *tools: Fake,
    name: str = "a",
    arguments: dict[str, object] | None = None,
    scope: tuple[str, ...] = ("a",),
    **more: object,
) -> Dispatched:
    dispatcher = Dispatcher(Registry(tools))
    made = ToolCall(run_id="r", task_id="t1", attempt=1, tool=name, arguments=arguments or {"query": "q"})
    return await dispatcher.call(made, scope=scope, **more)
