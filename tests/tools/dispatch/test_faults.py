"""A thousand calls to a source that fails in every way: exact attempts, the breaker's table, no hang, a full log."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections import Counter
from collections.abc import Callable

import httpx
import pytest

from kaoju.model.event import ToolCalled
from kaoju.model.tool import BreakerRule, Fallback, Succeeded, ToolCall, ToolSpec
from kaoju.tools.base import Tool
from kaoju.tools.dispatch.dispatcher import Dispatched, Dispatcher
from kaoju.tools.registry import Registry

from . import helpers
from .faulty import FAULTS, OUTPUT, Chance, Due, Fake, Http, replay, serving

ATTEMPTS, LIMIT, REST = 3, 3, 10.0


def contract(timeout: float) -> ToolSpec:
    return ToolSpec(
        name="a",
        description="",
        use_for="",
        not_for="",
        input_schema={"type": "object"},
        output_schema=OUTPUT,
        timeout_seconds=timeout,
        attempts=ATTEMPTS,
        backoff_seconds=0.0,
        breaker=BreakerRule(failures=LIMIT, rest_seconds=REST),
        fallback=(Fallback(tool="b"),),
    )


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


async def run(tool: Tool, chance: Chance, count: int, outages: Callable[[int], bool]) -> None:
    """Make the calls one after the other, a second of the dispatcher's clock apart, and hold all against the rules."""
    clock, events, times = Clock(), [], []
    stand_in = helpers.Fake("b", helpers.fine)
    dispatcher = Dispatcher(Registry((tool, stand_in)), clock=clock)
    results: list[Dispatched] = []
    phases: list[str] = []
    log: list[ToolCalled] = events
    for number in range(count):
        clock.now += 1.0
        times.append(clock.now)
        chance.share = 1.0 if outages(number) else 0.2
        call = ToolCall(run_id="r", task_id=f"t{number}", attempt=1, tool="a", arguments={"query": "q"})
        results.append(await asyncio.wait_for(dispatcher.call(call, scope=("a",), emit=log.append), 10))
        phases.append(dispatcher.health()[0].phase)
    due = list(replay(times, chance.drawn, attempts=ATTEMPTS, limit=LIMIT, rest=REST))
    assert phases == [one.phase for one in due]
    for result, one in zip(results, due, strict=True):
        check(result, one)
    check_log(log, due)
    assert len(stand_in.calls) == sum(bool(one.failed) for one in due)
    recovered(due, outages)


def check(result: Dispatched, due: Due) -> None:
    assert isinstance(result.outcome, Succeeded)
    assert result.outcome.tool == ("b" if due.failed else "a")
    assert result.attempts == due.attempts + bool(due.failed)
    assert (due.failed in result.outcome.evidence[0].uncertainty) if due.failed else True
    assert result.outcome.evidence[0].uncertainty.startswith("from the fallback b") == bool(due.failed)


def check_log(log: list[ToolCalled], due: list[Due]) -> None:
    own = [event for event in log if event.tool == "a"]
    assert [(e.task_id, e.outcome, e.attempts, e.breaker) for e in own] == [
        (f"t{number}", one.failed or "OK", one.attempts, one.phase) for number, one in enumerate(due)
    ]
    others = [event for event in log if event.tool == "b"]
    assert [e.task_id for e in others] == [f"t{number}" for number, one in enumerate(due) if one.failed]
    assert {e.stands_in_for for e in others} <= {"a"}


def recovered(due: list[Due], outages: Callable[[int], bool]) -> None:
    """Every outage opens the breaker, and the source serves again within one rest after a trial that went well."""
    opened = sum(now.phase == "open" != before.phase for before, now in itertools.pairwise(due))
    assert opened >= 1
    closing = [
        number
        for number, (before, now) in enumerate(itertools.pairwise(due), start=1)
        if before.phase == "open" and now.phase == "closed"
    ]
    assert closing
    assert all(due[number].attempts == 1 for number in closing)


@pytest.mark.parametrize("seed", [1, 2])
async def test_a_thousand_calls_to_a_fake_source(seed: int) -> None:
    chance = Chance(random.Random(seed))
    await run(Fake(contract(0.01), chance), chance, 1000, lambda number: number % 200 >= 140)
    assert set(Counter(chance.drawn)) == {*FAULTS, "fine"}


async def test_calls_to_a_real_http_source() -> None:
    chance = Chance(random.Random(3))
    async with serving(chance) as port, httpx.AsyncClient(trust_env=False) as client:
        tool = Http(contract(0.5), port, client)
        await run(tool, chance, 120, lambda number: number % 60 >= 45)
    assert set(Counter(chance.drawn)) == {*FAULTS, "fine"}


async def test_service_returns_within_one_probe_interval_of_the_source() -> None:
    chance = Chance(random.Random(4), share=1.0)
    clock = Clock()
    dispatcher = Dispatcher(
        Registry((Fake(contract(0.01), chance), helpers.Fake("b", helpers.fine))), clock=clock
    )

    async def ask() -> str:
        call = ToolCall(run_id="r", task_id="t", attempt=1, tool="a", arguments={"query": "q"})
        outcome = (await dispatcher.call(call, scope=("a",))).outcome
        assert isinstance(outcome, Succeeded)
        return outcome.tool

    for moment in range(95):
        clock.now += 1.0
        assert await ask() == "b", moment
    chance.share = 0.0
    returned = clock.now
    while await ask() == "b":
        clock.now += 0.5
    assert clock.now - returned <= REST


async def test_many_calls_at_once_lose_nothing() -> None:
    chance = Chance(random.Random(5), share=0.3)
    tool = Fake(contract(0.02), chance)
    dispatcher = Dispatcher(Registry((tool, helpers.Fake("b", helpers.fine))))
    log: list[ToolCalled] = []

    async def ask(number: int) -> Dispatched:
        call = ToolCall(run_id="r", task_id=f"t{number}", attempt=1, tool="a", arguments={"query": "q"})
        return await dispatcher.call(call, scope=("a",), emit=log.append)

    results = await asyncio.wait_for(asyncio.gather(*map(ask, range(500))), 60)
    assert all(isinstance(result.outcome, Succeeded) for result in results)
    assert sum(event.attempts for event in log if event.tool == "a") == len(chance.drawn)
    assert sum(result.attempts for result in results) == sum(event.attempts for event in log)
    assert {event.task_id for event in log if event.tool == "a"} == {f"t{n}" for n in range(500)}
