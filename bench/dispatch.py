"""What the dispatcher costs: one in-process call with every behaviour on, beside a LangChain `StructuredTool`.

All arms run the same tool in the same process, turn by turn, so that a busy
machine is busy for all of them. `bare` checks the arguments, runs the tool
under its deadline, and checks the result; nothing else. `dispatcher` is the
whole chain: scope, role, schema, approval, breaker, limits of concurrency and
rate, deadline, attempts, output, confidence, redaction and event; with a reply
cache in a second arm, where every call is a hit. Prints medians in microseconds.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

import numpy as np
from langchain_core.tools import StructuredTool
from numpy.typing import NDArray
from pydantic import BaseModel, Field

from kaoju.model.event import ToolCalled
from kaoju.model.evidence import Evidence, Locator
from kaoju.model.tool import CachePolicy, Succeeded, ToolCall, ToolOutcome, ToolSpec
from kaoju.tools.cache.replies import Replies
from kaoju.tools.cache.store import ReplyStore
from kaoju.tools.dispatch.dispatcher import Dispatcher
from kaoju.tools.dispatch.output import check_outcome
from kaoju.tools.registry import Registry
from kaoju.tools.schema import check_arguments

REPLY: Final = Succeeded(
    evidence=tuple(
        Evidence(
            id="",
            kind="passage",
            text=f"passage {number} of the reply, of ordinary length for a quotation",
            document_id=f"d{number}",
            title="title",
            locator=Locator(page=number + 1, start=0, end=60),
            tool="look_up",
        )
        for number in range(5)
    )
)


class Arguments(BaseModel):
    """The same input for all arms."""

    query: str = Field(min_length=1)
    k: int = Field(5, ge=1, le=50)


SPEC: Final = ToolSpec(
    name="look_up",
    description="Look something up.",
    use_for="benchmarks",
    not_for="anything else",
    input_schema=Arguments.model_json_schema(),
    concurrency=8,
    rate_per_second=1e9,
)
CACHED: Final = "dispatcher, cache hit"
CALL: Final = ToolCall(
    run_id="r", task_id="t1", attempt=1, tool="look_up", arguments={"query": "who leads it?", "k": 5}
)


class LookUp:
    """A tool that has its answer at hand."""

    def __init__(self, spec: ToolSpec = SPEC) -> None:
        """Serve under a contract."""
        self.spec = spec

    async def run(self, call: ToolCall) -> ToolOutcome:  # noqa: ARG002 - the contract of a tool
        """Return five passages."""
        return REPLY


def no_vector(_: str) -> NDArray[np.float32]:
    """Stand for an embedding model, which an exact cache never asks."""
    raise AssertionError("an exact cache embeds nothing")


async def look_up(query: str, k: int = 5) -> Succeeded:  # noqa: ARG001 - what LangChain passes
    """Look something up."""
    return REPLY


def arms() -> dict[str, Callable[[], Awaitable[object]]]:
    """Return each arm as a coroutine function without arguments."""
    tool, keeping = LookUp(), LookUp(replace(SPEC, cache=CachePolicy(mode="exact")))
    events: list[ToolCalled] = []
    dispatcher = Dispatcher(Registry((tool,)), redact=lambda text: text.replace("sk-none", "***"))
    cache = Replies(ReplyStore(None), embed=no_vector, generation=lambda: "1")
    caching = Dispatcher(Registry((keeping,)), cache=cache)
    structured = StructuredTool.from_function(coroutine=look_up, args_schema=Arguments)

    async def bare() -> object:
        refused = check_arguments(SPEC, CALL.arguments)
        return refused or check_outcome(SPEC, await asyncio.wait_for(tool.run(CALL), SPEC.timeout_seconds))

    async def unbounded() -> object:
        refused = check_arguments(SPEC, CALL.arguments)
        return refused or check_outcome(SPEC, await tool.run(CALL))

    async def dispatched() -> object:
        events.clear()
        return await dispatcher.call(CALL, scope=("look_up",), deadline=30.0, emit=events.append)

    async def cached() -> object:
        events.clear()
        return await caching.call(CALL, scope=("look_up",), deadline=30.0, emit=events.append)

    async def langchain() -> object:
        return await structured.ainvoke(dict(CALL.arguments))

    return {
        "bare": bare,
        "bare, no deadline": unbounded,
        "dispatcher": dispatched,
        CACHED: cached,
        "langchain ainvoke": langchain,
    }


async def measure(count: int) -> dict[str, list[float]]:
    """Return seconds per call for each arm; the arms take turns, but for the one that starts threads."""
    running = arms()
    alone = {CACHED: running.pop(CACHED)}
    taken: dict[str, list[float]] = {}
    for group in (running, alone):
        for name in group:
            taken[name] = []
        for number in range(count + count // 10):
            for name, arm in group.items():
                started = time.perf_counter()
                await arm()
                if number >= count // 10:
                    taken[name].append(time.perf_counter() - started)
    return taken


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=3000)
    arguments = parser.parse_args()
    taken = asyncio.run(measure(arguments.calls))
    base = statistics.median(taken["bare"])
    print(f"{arguments.calls} calls each, microseconds")
    for name, seconds in taken.items():
        median, tail = statistics.median(seconds), statistics.quantiles(seconds, n=10)[-1]
        print(f"{name:22s} median {median * 1e6:8.1f}  p90 {tail * 1e6:8.1f}  over bare {median / base:5.2f}")


if __name__ == "__main__":
    main()
