"""Breakers in the dispatcher: resting, probing, coming back, and what is visible of it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from kaoju.model.event import ToolCalled
from kaoju.model.tool import (
    BreakerRule,
    Failed,
    Fallback,
    Probe,
    Succeeded,
    ToolCall,
    ToolOutcome,
)
from kaoju.tools.dispatch.dispatcher import Dispatched, Dispatcher
from kaoju.tools.registry import Registry

from .helpers import Fake, fine, found


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Flaky:
    """A source that can be switched."""

    up: bool = False
    code: str = "UPSTREAM_5XX"
    seen: list[ToolCall] = field(default_factory=list)

    async def __call__(self, call: ToolCall) -> ToolOutcome:
        self.seen.append(call)
        if self.up:
            return found()
        return Failed(code=self.code, message="down", retryable=True)  # type: ignore[arg-type]  # a code


class World:
    def __init__(self, source: Flaky, **spec: object) -> None:
        self.source, self.clock, self.events = source, Clock(), []
        first = Fake(
            "a",
            source,
            **{
                "attempts": 2,
                "backoff_seconds": 0.0,
                "breaker": BreakerRule(failures=2, rest_seconds=10),
                "fallback": (Fallback(tool="b"),),
                **spec,
            },
        )
        self.dispatcher = Dispatcher(Registry((first, Fake("b", fine))), clock=self.clock)
        self.events: list[ToolCalled] = []

    async def ask(self, query: str = "q") -> Dispatched:
        call = ToolCall(run_id="r", task_id="t1", attempt=1, tool="a", arguments={"query": query})
        return await self.dispatcher.call(call, scope=("a",), emit=self.events.append)

    @property
    def phase(self) -> str:
        return self.dispatcher.health()[0].phase


async def opened(source: Flaky, **spec: object) -> World:
    world = World(source, **spec)
    for _ in range(2):
        await world.ask()
    assert world.phase == "open"
    source.seen.clear()
    return world


async def test_a_source_that_fails_too_often_is_left_alone_and_the_stand_in_answers() -> None:
    world = await opened(Flaky())
    result = await world.ask()
    assert world.source.seen == []
    assert isinstance(result.outcome, Succeeded)
    assert result.outcome.tool == "b"
    assert "CIRCUIT_OPEN" in result.outcome.evidence[0].uncertainty
    refused, stood_in = world.events[-2:]
    assert (refused.tool, refused.outcome, refused.attempts, refused.breaker) == (
        "a",
        "CIRCUIT_OPEN",
        0,
        "open",
    )
    assert (stood_in.tool, stood_in.stands_in_for, stood_in.outcome) == ("b", "a", "OK")


async def test_the_refusal_says_when_to_come_again() -> None:
    world = await opened(Flaky(), fallback=())
    world.clock.now += 4
    outcome = (await world.ask()).outcome
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.retry_after_seconds) == ("CIRCUIT_OPEN", pytest.approx(6))
    assert world.dispatcher.health()[0].trial_in_seconds == pytest.approx(6)


async def test_once_rested_one_attempt_tries_and_decides() -> None:
    world = await opened(Flaky())
    world.clock.now += 10
    await world.ask()
    assert (len(world.source.seen), world.phase) == (1, "open")
    world.clock.now += 10
    world.source.up = True
    result = await world.ask()
    assert isinstance(result.outcome, Succeeded)
    assert (result.outcome.tool, world.phase) == ("a", "closed")


async def test_only_one_call_is_the_trial() -> None:
    source = Flaky()
    world = await opened(source)
    world.clock.now += 10
    source.up = True
    gate = asyncio.Event()

    async def slow(call: ToolCall) -> ToolOutcome:
        source.seen.append(call)
        await gate.wait()
        return found()

    world.dispatcher._registry.get("a").behave = slow  # type: ignore[union-attr]  # the tool is there
    first = asyncio.create_task(world.ask())
    await asyncio.sleep(0.01)
    others = await asyncio.gather(*(world.ask() for _ in range(5)))
    assert len(source.seen) == 1
    assert {result.tried for result in others} == {("b",)}
    gate.set()
    assert (await first).tried == ("a",)
    assert world.phase == "closed"


async def test_a_probe_is_made_before_the_next_call() -> None:
    source = Flaky()
    world = await opened(source, probe=Probe(arguments={"query": "ping"}, interval_seconds=5))
    world.clock.now += 5
    result = await world.ask()
    assert [made.arguments for made in source.seen] == [{"query": "ping"}]
    assert (result.tried, world.phase) == (("b",), "open")
    world.clock.now += 5
    source.seen.clear()
    source.up = True
    result = await world.ask("real")
    assert [made.arguments for made in source.seen] == [{"query": "ping"}, {"query": "real"}]
    assert (result.attempts, result.tried, world.phase) == (1, ("a",), "closed")
    assert [event.probe for event in world.events if event.tool == "a"][-2:] == [True, False]


async def test_probing_by_hand_wakes_what_is_back_and_spares_what_still_rests() -> None:
    source = Flaky()
    world = await opened(source, probe=Probe(arguments={"query": "ping"}, interval_seconds=5))
    source.up = True
    await world.dispatcher.probe()
    assert (source.seen, world.phase) == ([], "open")
    world.clock.now += 5
    (health, _) = await world.dispatcher.probe(emit=world.events.append)
    assert (health.tool, health.phase, health.failures) == ("a", "closed", 0)
    assert (world.events[-1].probe, world.events[-1].outcome, world.events[-1].breaker) == (
        True,
        "OK",
        "closed",
    )


async def test_a_write_is_never_probed() -> None:
    source = Flaky(code="UPSTREAM_4XX")
    tool = Fake("a", source, risk="write", probe=Probe(arguments={"query": "ping"}, interval_seconds=1))
    clock = Clock()
    dispatcher = Dispatcher(Registry((tool,)), clock=clock)
    state = dispatcher.sources.of(tool.spec)
    state.breaker = type(state.breaker)(phase="open", failures=3, opened_at=0.0, epoch=1)
    await dispatcher.probe()
    assert source.seen == []


@pytest.mark.parametrize("code", ["UPSTREAM_4XX", "NO_PATTERN", "SQL_ERROR", "RATE_LIMITED"])
async def test_what_is_not_the_sources_sickness_never_opens(code: str) -> None:
    world = World(Flaky(code=code))
    for _ in range(6):
        await world.ask()
    assert world.phase == "closed"


async def test_running_out_of_the_runs_time_is_not_held_against_the_source() -> None:
    async def slow(call: ToolCall) -> ToolOutcome:
        await asyncio.sleep(1)
        return found()

    dispatcher = Dispatcher(Registry((Fake("a", slow, breaker=BreakerRule(failures=1)),)))
    call = ToolCall(run_id="r", task_id="t1", attempt=1, tool="a", arguments={"query": "q"})
    result = await dispatcher.call(call, scope=("a",), deadline=0.02)
    assert isinstance(result.outcome, Failed)
    assert result.outcome.code == "TIMEOUT"
    assert dispatcher.health()[0].phase == "closed"


async def test_a_cancelled_trial_leaves_the_way_free() -> None:
    source = Flaky()
    world = await opened(source)
    world.clock.now += 10

    async def hang(call: ToolCall) -> ToolOutcome:
        await asyncio.sleep(60)
        return found()

    tool = world.dispatcher._registry.get("a")
    tool.behave = hang  # type: ignore[union-attr]  # the tool is there
    trial = asyncio.create_task(world.ask())
    await asyncio.sleep(0.01)
    assert world.phase == "half_open"
    trial.cancel()
    with pytest.raises(asyncio.CancelledError):
        await trial
    assert world.events[-1].outcome == "CANCELLED"
    source.up = True
    tool.behave = source  # type: ignore[union-attr]  # the tool is there
    assert (await world.ask()).tried == ("a",)
    assert world.phase == "closed"


async def test_health_outlives_a_reload_of_the_registry() -> None:
    world = await opened(Flaky())
    again = Dispatcher(
        Registry((Fake("a", fine, breaker=BreakerRule(failures=2, rest_seconds=10)),)),
        sources=world.dispatcher.sources,
        clock=world.clock,
    )
    assert again.health()[0].phase == "open"
