"""One attempt, and another while the failure is one that may pass: exactly 1 + retries, counted over all layers.

Promises: the budget is asked before every attempt; pauses grow, with jitter,
and are as long as the source asks for; a call that may have taken effect is
repeated only where the contract says that it may be (`natural`, or `key` with
the same key). Refuses: pauses that the deadline, or the contract's own time
limit, does not allow.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

from kaoju.model.failure import FAILURES
from kaoju.model.tool import Failed, ToolOutcome, ToolSpec
from kaoju.tools.base import say, text_of
from kaoju.tools.dispatch import pace
from kaoju.tools.dispatch.limits import patience, take_place
from kaoju.tools.dispatch.step import Next, Step

BACKOFF_LIMIT: Final = 30.0
"""Seconds that a pause grows to at most."""


async def attempts(step: Step, go_on: Next) -> ToolOutcome:
    """Attempt the call as often as the contract allows."""
    limit = 1 if step.trial else max(1, step.spec.attempts)
    for number in range(1, limit + 1):
        if step.journey.spend is not None and not step.journey.spend():
            return _spent(step)
        step.call = replace(step.call, attempt=number) if step.call.attempt != number else step.call
        step.attempts = number
        step.journey.ran(step.spec.name)
        outcome = await go_on(step)
        if not isinstance(outcome, Failed):
            return outcome
        outcome = settled(step.spec, outcome, about=text_of(step.call.arguments))
        if outcome.retry_after_seconds is not None:
            step.source.pace = pace.hold(step.source.pace, outcome.retry_after_seconds, step.desk.clock())
        if number == limit or not outcome.retryable or not await _pause(step, number):
            break
    return outcome


def settled(spec: ToolSpec, failure: Failed, *, about: str = "") -> Failed:
    """Return the failure as the contract lets it count: what may have taken effect is lost, not repeated."""
    rule = FAILURES[failure.code]
    if spec.repeats == "none" and rule.lost and not failure.unsent:
        return replace(
            failure,
            code="REPLY_LOST",
            message=say(
                about,
                zh=f"{spec.name} 可能已执行，但没有得到结果：{failure.message}",
                en=f"{spec.name} may have taken effect, but no reply came: {failure.message}",
            ),
            retryable=False,
            suggestion=say(
                about,
                zh="先在来源处核对是否已生效，再决定是否重新调用",
                en="check at the source whether it took effect before calling again",
            ),
        )
    return failure if rule.retryable or not failure.retryable else replace(failure, retryable=False)


async def _pause(step: Step, number: int) -> bool:
    """Wait before the next attempt; False where there is no time for one."""
    spec = step.spec
    growing = min(spec.backoff_seconds * 2 ** (number - 1), BACKOFF_LIMIT) * (0.5 + 0.5 * step.desk.jitter())
    seconds = max(growing, pace.wait_for(step.source.pace, step.desk.clock()))
    left = step.seconds_left
    if (left is not None and seconds >= left) or (seconds > growing and seconds >= patience(step)):
        return False
    take_place(step)
    await asyncio.sleep(seconds)
    return True


def _spent(step: Step) -> Failed:
    about = text_of(step.call.arguments)
    return Failed(
        code="BUDGET_SPENT",
        message=say(about, zh="本次运行的步数或时间预算已用完", en="the budget of this run is spent"),
        retryable=False,
        suggestion=say(
            about, zh="用已有证据作答，或提高预算", en="answer from what there is, or raise the budget"
        ),
        tool=step.spec.name,
    )
