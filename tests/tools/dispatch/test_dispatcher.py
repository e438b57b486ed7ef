"""The order of the gates, exact attempts, deadlines, fallbacks: with tools that misbehave in every way."""

from __future__ import annotations

import asyncio
import threading
import time
from dataclasses import replace

import pytest

from kaoju.errors import UsageError
from kaoju.model.evidence import Locator
from kaoju.model.tool import Failed, Fallback, NeedsApproval, Succeeded, ToolCall, ToolOutcome
from kaoju.tools.dispatch.dispatcher import Dispatcher
from kaoju.tools.dispatch.fallback import FALLBACK_CONFIDENCE
from kaoju.tools.dispatch.order import ORDER
from kaoju.tools.registry import Registry
from kaoju.tools.threads import in_thread

from .helpers import Fake, busy, call, fine, found, hang


def test_the_order_of_the_behaviours_is_one_visible_list() -> None:
    down = ["scope", "role", "arguments", "approval", "caching", "breaking", "limits", "deadline", "attempts"]
    up = ["output", "confidence", "redaction", "reporting"]
    names = [behaviour.__name__ for behaviour in ORDER]
    assert [name for name in names if name in down] == down
    assert [name for name in reversed(names) if name in up] == up
    assert len(names) == len(down) + len(up)


async def test_success_carries_the_real_tools_name() -> None:
    result = await call(Fake("a", fine))
    assert isinstance(result.outcome, Succeeded)
    assert result.outcome.tool == "a"
    assert result.outcome.evidence[0].tool == "a"
    assert (result.attempts, result.tried) == (1, ("a",))


async def test_an_invented_tool_is_refused_with_what_the_role_may_see() -> None:
    secret = Fake("secret", fine, roles=frozenset({"auditor"}))
    result = await call(Fake("a", fine), secret, name="web_browse")
    assert isinstance(result.outcome, Failed)
    assert result.outcome.code == "TOOL_UNKNOWN"
    assert result.outcome.allowed == ("a",)
    assert "secret" not in result.outcome.message
    assert result.attempts == 0
    seen = await call(Fake("a", fine), secret, name="web_browse", role="auditor")
    assert isinstance(seen.outcome, Failed)
    assert seen.outcome.allowed == ("a", "secret")


async def test_a_tool_outside_the_scope_never_runs() -> None:
    other = Fake("b", fine)
    result = await call(Fake("a", fine), other, name="b")
    assert isinstance(result.outcome, Failed)
    assert (result.outcome.code, result.outcome.allowed, other.calls) == ("OUT_OF_SCOPE", ("a",), [])


async def test_a_role_that_may_not_call_is_denied() -> None:
    tool = Fake("a", fine, roles=frozenset({"auditor"}))
    for role in (None, "clerk"):
        result = await call(tool, role=role)
        assert isinstance(result.outcome, Failed)
        assert result.outcome.code == "PERMISSION_DENIED"
    assert tool.calls == []
    assert isinstance((await call(tool, role="auditor")).outcome, Succeeded)


@pytest.mark.parametrize(
    ("arguments", "field", "allowed"),
    [
        ({"query": "x", "q": "x"}, "q", ("query", "k", "mode")),
        ({"query": 3}, "query", ()),
        ({"query": "x", "k": 0}, "k", ()),
        ({"query": "x", "k": "5"}, "k", ()),
        ({"query": "x", "mode": "slow"}, "mode", ("fast", "deep")),
        ({"k": 3}, "query", ("query", "k", "mode")),
    ],
)
async def test_wrong_arguments_name_the_field(
    arguments: dict[str, object], field: str, allowed: tuple[str, ...]
) -> None:
    tool = Fake("a", fine)
    result = await call(tool, arguments=arguments)
    assert isinstance(result.outcome, Failed)
    assert result.outcome.code == "TOOL_PARAM_INVALID"
    assert result.outcome.field == field
    assert result.outcome.allowed == allowed
    assert result.outcome.expected
    assert result.outcome.suggestion
    assert tool.calls == []


@pytest.mark.parametrize("attempts", [1, 2, 3, 5])
async def test_attempts_are_exact(attempts: int) -> None:
    tool = Fake("a", busy, attempts=attempts)
    result = await call(tool)
    assert len(tool.calls) == attempts == result.attempts
    assert [made.attempt for made in tool.calls] == list(range(1, attempts + 1))


async def test_what_is_not_retryable_runs_once() -> None:
    async def refuse(call: ToolCall) -> ToolOutcome:
        return Failed(code="SQL_REFUSED", message="no", retryable=False)

    tool, other = Fake("a", refuse, fallback=(Fallback(tool="b"),)), Fake("b", fine)
    result = await call(tool, other)
    assert (len(tool.calls), len(other.calls)) == (1, 0)
    assert isinstance(result.outcome, Failed)


async def test_a_retry_that_succeeds_ends_the_attempts() -> None:
    async def second(call: ToolCall) -> ToolOutcome:
        return found() if call.attempt == 2 else await busy(call)

    tool = Fake("a", second)
    result = await call(tool)
    assert isinstance(result.outcome, Succeeded)
    assert result.attempts == 2


async def test_fallback_comes_after_the_attempts_and_says_so() -> None:
    first, second, third = (
        Fake(
            "a",
            busy,
            attempts=3,
            fallback=(
                Fallback(tool="b"),
                Fallback(tool="c"),
            ),
        ),
        Fake("b", busy, attempts=2),
        Fake("c", fine),
    )
    result = await call(first, second, third, arguments={"query": "q", "k": 4})
    assert isinstance(result.outcome, Succeeded)
    assert (len(first.calls), len(second.calls), len(third.calls)) == (3, 2, 1)
    assert (result.attempts, result.tried) == (6, ("a", "b", "c"))
    assert third.calls[0].arguments == {"query": "q"}
    item = result.outcome.evidence[0]
    assert item.tool == result.outcome.tool == "c"
    assert item.confidence == pytest.approx(0.8 * FALLBACK_CONFIDENCE)
    assert result.outcome.confidence == pytest.approx(0.8 * FALLBACK_CONFIDENCE)
    assert "fallback" in item.uncertainty
    chinese = await call(first, second, third, arguments={"query": "查询"})
    assert isinstance(chinese.outcome, Succeeded)
    assert "后备工具" in chinese.outcome.evidence[0].uncertainty


async def test_when_all_fail_the_first_failure_names_every_tool() -> None:
    result = await call(
        Fake("a", busy, attempts=1, fallback=(Fallback(tool="b"),)),
        Fake("b", hang, attempts=1, timeout_seconds=0.02),
    )
    assert isinstance(result.outcome, Failed)
    assert (result.outcome.code, result.outcome.tool) == ("UPSTREAM_5XX", "a")
    assert "b:" in result.outcome.message


@pytest.mark.parametrize("limit", [0, 1, 2, 4])
async def test_the_budget_is_asked_before_every_attempt(limit: int) -> None:
    spent = 0

    def spend() -> bool:
        nonlocal spent
        if spent >= limit:
            return False
        spent += 1
        return True

    tools = (Fake("a", busy, attempts=3, fallback=(Fallback(tool="b"),)), Fake("b", busy, attempts=3))
    result = await call(*tools, spend=spend)
    assert sum(len(tool.calls) for tool in tools) == limit == result.attempts
    assert isinstance(result.outcome, Failed)
    assert result.outcome.code == ("BUDGET_SPENT" if limit < 3 else "UPSTREAM_5XX")


async def test_a_hanging_tool_is_cancelled_and_the_others_go_on() -> None:
    ended = asyncio.Event()

    async def clean(call: ToolCall) -> ToolOutcome:
        try:
            return await hang(call)
        finally:
            ended.set()

    dispatcher = Dispatcher(Registry((Fake("a", clean, timeout_seconds=0.05, attempts=1), Fake("b", fine))))
    calls = [ToolCall(run_id="r", task_id=n, attempt=1, tool=n, arguments={"query": "q"}) for n in ("a", "b")]
    started = time.monotonic()
    hung, other = await asyncio.gather(*(dispatcher.call(made, scope=("a", "b")) for made in calls))
    assert time.monotonic() - started < 2
    assert isinstance(hung.outcome, Failed)
    assert (hung.outcome.code, hung.outcome.tool) == ("TIMEOUT", "a")
    assert isinstance(other.outcome, Succeeded)
    await asyncio.wait_for(ended.wait(), 1)


async def test_a_tool_that_ignores_cancellation_is_abandoned() -> None:
    async def stubborn(call: ToolCall) -> ToolOutcome:
        for _ in range(20):
            try:
                await asyncio.sleep(0.05)
            except asyncio.CancelledError:
                continue
        return found()

    started = time.monotonic()
    result = await call(Fake("a", stubborn, timeout_seconds=0.05, attempts=1))
    assert time.monotonic() - started < 0.5
    assert isinstance(result.outcome, Failed)


async def test_a_blocking_thread_is_abandoned_not_awaited() -> None:
    release = threading.Event()

    async def block(call: ToolCall) -> ToolOutcome:
        await in_thread(lambda: release.wait(30))
        return found()

    started = time.monotonic()
    result = await call(Fake("a", block, timeout_seconds=0.05, attempts=1))
    assert time.monotonic() - started < 1
    assert isinstance(result.outcome, Failed)
    assert result.outcome.code == "TIMEOUT"
    release.set()


async def test_the_deadline_covers_attempts_and_fallbacks_together() -> None:
    tools = (Fake("a", hang, attempts=3, fallback=(Fallback(tool="b"),)), Fake("b", hang, attempts=3))
    started = time.monotonic()
    result = await call(*tools, deadline=0.1)
    assert time.monotonic() - started < 1
    assert isinstance(result.outcome, Failed)
    assert (result.outcome.code, result.attempts) == ("TIMEOUT", 1)
    none_left = await call(*tools, deadline=0.0)
    assert none_left.attempts == 0


async def test_exceptions_become_failures_and_only_accidents_are_repeated() -> None:
    async def crash(call: ToolCall) -> ToolOutcome:
        raise RuntimeError("the key is bad")

    async def mistake(call: ToolCall) -> ToolOutcome:
        raise KeyError("column")

    tool, wrong = Fake("a", crash), Fake("a", mistake)
    result = await call(tool)
    assert isinstance(result.outcome, Failed)
    assert result.outcome.code == "INTERNAL"
    assert "the key is bad" in result.outcome.message
    assert len(tool.calls) == 3
    assert isinstance((await call(wrong)).outcome, Failed)
    assert len(wrong.calls) == 1


async def test_cancelling_the_caller_passes_through_and_reaches_the_tool() -> None:
    cancelled = asyncio.Event()

    async def wait(call: ToolCall) -> ToolOutcome:
        try:
            return await hang(call)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    task = asyncio.create_task(call(Fake("a", wait)))
    await asyncio.sleep(0.02)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.wait_for(cancelled.wait(), 1)


@pytest.mark.parametrize(
    "bad",
    [
        None,
        "text",
        found(confidence=1.5),
        Succeeded(evidence=["x"]),  # type: ignore[arg-type]  # a wrong result on purpose
        found(text="  "),
        replace(found(), evidence=(replace(found().evidence[0], document_id=""),)),
        replace(found(), evidence=(replace(found().evidence[0], locator=Locator(start=9, end=3)),)),
        replace(found(), evidence=(replace(found().evidence[0], locator=Locator(rows=(0, 3))),)),
        replace(found(), confidence=float("nan")),
    ],
)
async def test_output_that_no_contract_allows_is_a_failure(bad: object) -> None:
    async def broken(call: ToolCall) -> ToolOutcome:
        return bad  # type: ignore[return-value]  # a wrong result on purpose

    result = await call(Fake("a", broken, attempts=2))
    assert isinstance(result.outcome, Failed)
    assert (result.outcome.code, result.attempts) == ("OUTPUT_INVALID", 2)


async def test_waiting_for_a_person_is_passed_on() -> None:
    async def ask(call: ToolCall) -> ToolOutcome:
        return NeedsApproval(reason="writes")

    result = await call(Fake("a", ask))
    assert result.outcome == NeedsApproval(reason="writes", tool="a")


def test_the_registry_refuses_duplicates_and_bad_fallbacks() -> None:
    with pytest.raises(UsageError, match="two tools"):
        Registry((Fake("a", fine), Fake("a", fine)))
    with pytest.raises(UsageError, match="does not exist"):
        Registry((Fake("a", fine, fallback=(Fallback(tool="b"),)),))
    with pytest.raises(UsageError, match="circle"):
        Registry(
            (Fake("a", fine, fallback=(Fallback(tool="b"),)), Fake("b", fine, fallback=(Fallback(tool="a"),)))
        )


async def test_the_registry_closes_what_can_be_closed() -> None:
    class Holding(Fake):
        closed = False

        async def close(self) -> None:
            self.closed = True

    tool = Holding("a", fine)
    await Registry((tool, Fake("b", fine))).close()
    assert tool.closed
