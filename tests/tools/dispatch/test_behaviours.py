"""Cache, limits, confidence, redaction, output and events, one by one."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Any

import pytest

from kaoju.model.event import ToolCalled
from kaoju.model.evidence import Locator
from kaoju.model.tool import (
    CachePolicy,
    ConfidenceRule,
    Failed,
    Fallback,
    NeedsApproval,
    Succeeded,
    ToolCall,
    ToolOutcome,
    ToolSpec,
)
from kaoju.tools.dispatch.confidence import stated
from kaoju.tools.dispatch.dispatcher import Dispatched, Dispatcher
from kaoju.tools.registry import Registry
from kaoju.tools.schema import check_arguments, check_output

from .helpers import Fake, busy, call, fine, found, hang

SECRET = "sk-93f1"  # noqa: S105 - invented


def hide(text: str) -> str:
    return text.replace(SECRET, "***")


class Notebook:
    """A cache by the letter."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str, str | None], Succeeded] = {}

    def get(self, spec: ToolSpec, call: ToolCall, role: str | None) -> Succeeded | None:
        return self.kept.get((spec.name, str(call.arguments), role))

    def put(self, spec: ToolSpec, call: ToolCall, role: str | None, outcome: Succeeded) -> None:
        self.kept[spec.name, str(call.arguments), role] = outcome


class Broken(Notebook):
    def get(self, spec: ToolSpec, call: ToolCall, role: str | None) -> Succeeded | None:
        raise OSError("the file is gone")


class Stuck(Notebook):
    def get(self, spec: ToolSpec, call: ToolCall, role: str | None) -> Succeeded | None:
        time.sleep(0.6)
        return None


async def ask(dispatcher: Dispatcher, events: list[ToolCalled] | None = None, **more: Any) -> Dispatched:
    made = ToolCall(run_id="r", task_id="t1", attempt=1, tool="a", arguments={"query": "q"})
    emit = None if events is None else events.append
    return await dispatcher.call(made, scope=("a",), emit=emit, **more)


async def test_a_kept_reply_serves_again_for_the_same_rights_only() -> None:
    tool, cache, events = Fake("a", fine, cache=CachePolicy(mode="exact")), Notebook(), []
    dispatcher = Dispatcher(Registry((tool,)), cache=cache)
    await ask(dispatcher, events)
    again = await ask(dispatcher, events)
    assert isinstance(again.outcome, Succeeded)
    assert (len(tool.calls), again.attempts) == (1, 0)
    assert [event.cache for event in events] == ["miss", "hit"]
    await ask(dispatcher, events, role="auditor")
    assert len(tool.calls) == 2


@pytest.mark.parametrize(
    "spec", [{}, {"cache": CachePolicy(mode="exact"), "risk": "write"}], ids=["no policy", "an effect"]
)
async def test_the_cache_is_not_asked_without_policy_or_for_what_has_an_effect(spec: dict[str, Any]) -> None:
    tool, events = Fake("a", fine, **spec), []
    dispatcher = Dispatcher(Registry((tool,)), cache=Broken())
    for _ in range(2):
        await ask(dispatcher, events, approved=lambda _: True)
    assert (len(tool.calls), {event.cache for event in events}) == (2, {"off"})


async def test_failures_are_not_kept_and_stand_ins_only_under_their_own_name() -> None:
    policy = CachePolicy(mode="exact")
    first = Fake("a", busy, cache=policy, attempts=1, fallback=(Fallback(tool="b"),))
    cache = Notebook()
    await ask(Dispatcher(Registry((first, Fake("b", fine, cache=policy))), cache=cache))
    assert [name for name, _, _ in cache.kept] == ["b"]
    (kept,) = cache.kept.values()
    assert "fallback" not in kept.evidence[0].uncertainty


@pytest.mark.parametrize("cache", [Broken(), Stuck()], ids=["broken", "stuck"])
async def test_a_cache_that_breaks_costs_its_place_in_the_log(cache: Notebook) -> None:
    events: list[ToolCalled] = []
    tool = Fake("a", fine, cache=CachePolicy(mode="exact"))
    result = await ask(Dispatcher(Registry((tool,)), cache=cache), events, deadline=0.5)
    if isinstance(cache, Broken):
        assert isinstance(result.outcome, Succeeded)
    assert events[0].cache == "failed"


async def test_never_more_at_one_time_than_the_contract_allows() -> None:
    running = most = 0

    async def count(made: ToolCall) -> ToolOutcome:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.01)
        running -= 1
        return found()

    dispatcher = Dispatcher(Registry((Fake("a", count, concurrency=3),)))
    results = await asyncio.gather(*(ask(dispatcher) for _ in range(12)))
    assert all(isinstance(result.outcome, Succeeded) for result in results)
    assert most == 3


async def test_waiting_for_a_place_ends_with_the_deadline_and_gives_the_place_back() -> None:
    tool = Fake("a", hang, concurrency=1, timeout_seconds=0.3, attempts=1)
    dispatcher = Dispatcher(Registry((tool,)))
    first = asyncio.create_task(ask(dispatcher))
    await asyncio.sleep(0.01)
    refused = await ask(dispatcher, deadline=0.05)
    assert isinstance(refused.outcome, Failed)
    assert (refused.outcome.code, refused.attempts, len(tool.calls)) == ("RATE_LIMITED", 0, 1)
    await first
    tool.behave = fine
    assert isinstance((await ask(dispatcher)).outcome, Succeeded)


async def test_calls_are_spaced_by_the_contracts_rate() -> None:
    tool = Fake("a", fine, rate_per_second=20)
    dispatcher = Dispatcher(Registry((tool,)))
    started = time.monotonic()
    await asyncio.gather(*(ask(dispatcher) for _ in range(5)))
    assert time.monotonic() - started >= 4 / 20


async def test_repeats_keep_to_the_rate_too() -> None:
    tool = Fake("a", busy, attempts=3, rate_per_second=20)
    started = time.monotonic()
    await ask(Dispatcher(Registry((tool,))))
    assert len(tool.calls) == 3
    assert time.monotonic() - started >= 2 / 20


async def test_a_rate_that_the_deadline_cannot_wait_for_is_refused_with_the_pause() -> None:
    tool = Fake("a", fine, rate_per_second=0.5)
    dispatcher = Dispatcher(Registry((tool,)))
    await ask(dispatcher)
    refused = await ask(dispatcher, deadline=0.5)
    assert isinstance(refused.outcome, Failed)
    assert refused.outcome.code == "RATE_LIMITED"
    assert 1 < (refused.outcome.retry_after_seconds or 0) <= 2
    assert dispatcher.health()[0].failures == 0


async def test_a_pause_that_one_caller_is_told_holds_for_all() -> None:
    async def ask_for_a_pause(made: ToolCall) -> ToolOutcome:
        return Failed(code="RATE_LIMITED", message="m", retryable=True, retry_after_seconds=60)

    tool = Fake("a", ask_for_a_pause)
    dispatcher = Dispatcher(Registry((tool,)))
    await ask(dispatcher)
    tool.behave = fine
    second = await ask(dispatcher)
    assert isinstance(second.outcome, Failed)
    assert len(tool.calls) == 1


async def test_no_reply_counts_for_more_than_the_ceiling() -> None:
    result = await call(Fake("a", fine, confidence=ConfidenceRule(ceiling=0.6)))
    assert isinstance(result.outcome, Succeeded)
    assert (result.outcome.confidence, result.outcome.evidence[0].confidence) == (0.6, 0.6)
    modest = await call(Fake("a", fine, confidence=ConfidenceRule(ceiling=0.9)))
    assert isinstance(modest.outcome, Succeeded)
    assert modest.outcome.evidence[0].confidence == 0.8


@pytest.mark.parametrize(
    ("reply", "confidence"),
    [
        ({"hits": [{"score": 80}]}, 0.8),
        ({"hits": [{"score": 130}]}, 1.0),
        ({"hits": [{"score": -1}]}, 0.0),
        ({"hits": []}, None),
        ({"hits": [{"score": True}]}, None),
        ({"hits": [{"score": float("nan")}]}, None),
        ("text", None),
    ],
)
def test_a_stated_confidence_is_read_by_the_contracts_rule(reply: object, confidence: float | None) -> None:
    spec = Fake("a", fine, confidence=ConfidenceRule(field="hits.0.score", scale=100)).spec
    assert stated(spec, reply) == confidence
    assert stated(Fake("a", fine).spec, reply) is None


def leaking() -> Succeeded:
    item = replace(
        found().evidence[0],
        text=f"text {SECRET}",
        title=SECRET,
        document_id=f"d/{SECRET}",
        chunk_id=SECRET,
        query=f"https://x/?key={SECRET}",
        uncertainty=SECRET,
        locator=Locator(section=SECRET),
        rows=({SECRET: SECRET, "n": 3},),
        inputs=(SECRET,),
        metadata={SECRET: SECRET},
    )
    return Succeeded(evidence=(item,), notes=(f"called with {SECRET}",))


@pytest.mark.parametrize(
    "outcome",
    [
        leaking(),
        Failed(
            code="UPSTREAM_4XX",
            message=f"key {SECRET} refused",
            retryable=False,
            suggestion=SECRET,
            field=SECRET,
            expected=SECRET,
            allowed=(SECRET,),
        ),
        NeedsApproval(reason=SECRET, details={"arguments": {"header": [SECRET, {SECRET: SECRET}]}}),
    ],
    ids=["evidence", "failure", "approval"],
)
async def test_nothing_secret_leaves_or_is_kept(outcome: ToolOutcome) -> None:
    async def leak(made: ToolCall) -> ToolOutcome:
        return outcome

    cache = Notebook()
    tools = (
        Fake("a", leak, cache=CachePolicy(mode="exact"), fallback=(Fallback(tool="b"),)),
        Fake("b", leak),
    )
    dispatcher = Dispatcher(Registry(tools), cache=cache, redact=hide)
    events: list[ToolCalled] = []
    result = await ask(dispatcher, events)
    assert SECRET not in repr(result) + repr(events) + repr(cache.kept)
    assert "***" in repr(result)


async def test_an_exception_does_not_tell_a_secret() -> None:
    async def crash(made: ToolCall) -> ToolOutcome:
        raise RuntimeError(f"401 for Bearer {SECRET}")

    result = await ask(Dispatcher(Registry((Fake("a", crash, attempts=1),)), redact=hide))
    assert SECRET not in repr(result)


OUTPUT = {
    "type": "object",
    "properties": {"items": {"type": "array", "items": {"type": "object", "required": ["id"]}}},
    "required": ["items"],
}


@pytest.mark.parametrize(
    ("reply", "field"),
    [
        ({}, "items"),
        ({"items": [{"id": 1}, {}]}, "items.1.id"),
        ({"items": "x"}, "items"),
        ("<html>", ""),
        ({"items": [{1: 2}]}, ""),
    ],
)
def test_a_raw_reply_is_held_against_the_output_schema(reply: object, field: str) -> None:
    spec = Fake("a", fine, output_schema=OUTPUT).spec
    wrong = check_output(spec, reply)
    assert wrong is not None
    assert (wrong.code, wrong.field, wrong.retryable) == ("OUTPUT_INVALID", field, True)
    assert check_output(spec, {"items": [{"id": 1}]}) is None
    assert check_output(Fake("a", fine).spec, reply) is None


@pytest.mark.parametrize(
    "schema",
    [{"$ref": "http://127.0.0.1:9/x.json"}, {"$ref": "#/nowhere"}, {"type": "strin"}, {"pattern": "("}],
)
def test_a_schema_that_cannot_be_used_is_a_failure_that_says_so(schema: dict[str, Any]) -> None:
    refused = check_arguments(Fake("a", fine, input_schema=schema).spec, {"query": "q"})
    assert refused is not None
    assert refused.code == "NOT_CONFIGURED"


async def test_a_code_outside_the_table_is_no_failure() -> None:
    async def invent(made: ToolCall) -> ToolOutcome:
        return Failed(code="OOPS", message="m", retryable=False)  # type: ignore[arg-type]  # on purpose

    result = await call(Fake("a", invent, attempts=1))
    assert isinstance(result.outcome, Failed)
    assert result.outcome.code == "OUTPUT_INVALID"


async def test_every_call_is_an_event() -> None:
    events: list[ToolCalled] = []
    tools = (Fake("a", busy, attempts=2, fallback=(Fallback(tool="b"),)), Fake("b", fine))
    dispatcher = Dispatcher(Registry(tools))
    await ask(dispatcher, events)
    assert [(e.tool, e.outcome, e.attempts, e.evidence, e.stands_in_for) for e in events] == [
        ("a", "UPSTREAM_5XX", 2, 0, ""),
        ("b", "OK", 1, 1, "a"),
    ]
    assert {(e.run_id, e.task_id) for e in events} == {("r", "t1")}
    events.clear()
    made = ToolCall(run_id="r", task_id="t1", attempt=1, tool="none", arguments={})
    await dispatcher.call(made, scope=("a",), emit=events.append)
    assert [(e.tool, e.outcome, e.attempts) for e in events] == [("none", "TOOL_UNKNOWN", 0)]


async def test_a_cancelled_call_is_an_event_too() -> None:
    events: list[ToolCalled] = []
    task = asyncio.create_task(ask(Dispatcher(Registry((Fake("a", hang),))), events))
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [event.outcome for event in events] == ["CANCELLED"]
