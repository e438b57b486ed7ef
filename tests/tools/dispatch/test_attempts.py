"""Exact attempts, pauses that the source asks for, and calls that may have taken effect."""

from __future__ import annotations

import asyncio
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaoju.model.failure import FAILURES, FailureCode
from kaoju.model.tool import BreakerRule, Failed, Fallback, Succeeded, ToolCall, ToolOutcome
from kaoju.tools.dispatch.attempts import settled

from .helpers import Behaviour, Fake, call, fine, found, hang

CODES = sorted(FAILURES)
NO_BREAKER = BreakerRule(failures=10_000)


def replying(*outcomes: ToolOutcome) -> Behaviour:
    """Return a behaviour that gives these outcomes in turn, and then the last one for ever."""
    left = list(outcomes)

    async def behave(made: ToolCall) -> ToolOutcome:
        return left.pop(0) if len(left) > 1 else left[0]

    return behave


def failed(code: str, *, retryable: bool = True, unsent: bool = False) -> Failed:
    return Failed(code=code, message="m", retryable=retryable, unsent=unsent)  # type: ignore[arg-type]  # a code


def expected(outcomes: list[ToolOutcome], attempts: int) -> int:
    """Return how often a tool has to run: until something is not worth repeating."""
    for number, outcome in enumerate(outcomes[:attempts], start=1):
        if not isinstance(outcome, Failed) or not outcome.retryable or not FAILURES[outcome.code].retryable:
            return number
    return attempts


@given(
    st.lists(
        st.one_of(
            st.just(found()),
            st.builds(failed, st.sampled_from(CODES), retryable=st.booleans()),
        ),
        min_size=6,
        max_size=6,
    ),
    st.integers(1, 6),
    st.integers(0, 3),
    st.integers(0, 9),
)
@settings(max_examples=150, deadline=None)
def test_attempts_are_one_plus_retries_over_all_layers(
    outcomes: list[ToolOutcome], attempts: int, others: int, budget: int
) -> None:
    first = Fake(
        "a",
        replying(*outcomes),
        attempts=attempts,
        backoff_seconds=0.0,
        fallback=tuple(Fallback(tool=f"f{n}") for n in range(others)),
        breaker=NO_BREAKER,
    )
    stand_ins = [
        Fake(f"f{n}", replying(failed("UPSTREAM_5XX")), attempts=2, backoff_seconds=0.0)
        for n in range(others)
    ]
    spent = 0

    def spend() -> bool:
        nonlocal spent
        spent += 1
        return spent <= budget

    result = asyncio.run(call(first, *stand_ins, spend=spend))
    due = expected(outcomes, attempts)
    last = outcomes[due - 1]
    falls = isinstance(last, Failed) and FAILURES[last.code].fallback and due <= budget
    wanted = due + (2 * others if falls else 0)
    ran = sum(len(tool.calls) for tool in (first, *stand_ins))
    assert ran == result.attempts == min(wanted, budget)
    assert len(first.calls) == min(due, budget)


async def test_a_retry_after_is_waited_for() -> None:
    busy = Failed(code="RATE_LIMITED", message="busy", retryable=True, retry_after_seconds=0.15)
    tool = Fake("a", replying(busy, found()))
    started = time.monotonic()
    result = await call(tool)
    assert isinstance(result.outcome, Succeeded)
    assert time.monotonic() - started >= 0.15


async def test_a_retry_after_beyond_the_limits_is_not_waited_for() -> None:
    busy = Failed(code="RATE_LIMITED", message="busy", retryable=True, retry_after_seconds=3600)
    tool, other = Fake("a", replying(busy), fallback=(Fallback(tool="b"),)), Fake("b", fine)
    started = time.monotonic()
    result = await call(tool, other)
    assert time.monotonic() - started < 5
    assert isinstance(result.outcome, Succeeded)
    assert (len(tool.calls), result.outcome.tool) == (1, "b")


LOST = [code for code, rule in FAILURES.items() if rule.lost and code != "REPLY_LOST"]


@pytest.mark.parametrize("code", LOST)
async def test_a_call_that_may_have_taken_effect_is_not_repeated(code: FailureCode) -> None:
    tool = Fake(
        "a", replying(failed(code), found()), risk="write", attempts=3, fallback=(Fallback(tool="b"),)
    )
    other = Fake("b", fine)
    result = await call(tool, other, approved=lambda _: True)
    assert isinstance(result.outcome, Failed)
    assert (result.outcome.code, result.outcome.retryable) == ("REPLY_LOST", False)
    assert (len(tool.calls), other.calls) == (1, [])


@pytest.mark.parametrize("code", LOST)
async def test_what_never_left_is_repeated_whatever_the_contract(code: FailureCode) -> None:
    tool = Fake("a", replying(failed(code, unsent=True), found()), risk="write", attempts=2)
    result = await call(tool, approved=lambda _: True)
    assert isinstance(result.outcome, Succeeded) == FAILURES[code].retryable


async def test_a_hanging_write_is_lost_not_repeated() -> None:
    tool = Fake("a", hang, risk="irreversible", timeout_seconds=0.03, attempts=3)
    result = await call(tool, approved=lambda _: True)
    assert isinstance(result.outcome, Failed)
    assert (result.outcome.code, len(tool.calls)) == ("REPLY_LOST", 1)


async def test_with_a_key_it_is_repeated_under_the_same_key_and_by_no_other_tool() -> None:
    tool = Fake(
        "a",
        replying(failed("TIMEOUT")),
        risk="write",
        idempotency="key",
        attempts=3,
        fallback=(Fallback(tool="b"),),
    )
    other = Fake("b", fine)
    result = await call(tool, other, approved=lambda _: True)
    assert [made.key for made in tool.calls] == ["r:t1"] * 3
    assert [made.attempt for made in tool.calls] == [1, 2, 3]
    assert isinstance(result.outcome, Failed)
    assert other.calls == []


def test_a_code_that_may_not_be_repeated_is_not_whatever_the_tool_says() -> None:
    spec = Fake("a", fine).spec
    for code, rule in FAILURES.items():
        assert settled(spec, failed(code)).retryable == rule.retryable
