"""Every call is an event: refused, served by the cache, failed or fine, cancelled too."""

from __future__ import annotations

import asyncio
from typing import Literal

from kaoju.model.event import ToolCalled
from kaoju.model.failure import FailureCode
from kaoju.model.tool import Failed, NeedsApproval, Succeeded, ToolOutcome
from kaoju.tools.dispatch.step import Next, Step


async def reporting(step: Step, go_on: Next) -> ToolOutcome:
    """Say what came of the call, once it is over."""
    if step.journey.emit is None:
        return await go_on(step)
    started = step.desk.clock()
    outcome: ToolOutcome | None = None
    try:
        outcome = await go_on(step)
    except asyncio.CancelledError:
        report(step, Failed(code="CANCELLED", message="", retryable=False), started)
        raise
    report(step, outcome, started)
    return outcome


def report(step: Step, outcome: ToolOutcome, started: float) -> None:
    """Emit the event of a step that is over; `started` is on the desk's clock."""
    if step.journey.emit is None:
        return
    step.journey.emit(
        ToolCalled(
            run_id=step.call.run_id,
            task_id=step.call.task_id,
            tool=step.spec.name,
            outcome=word_for(outcome),
            evidence=len(outcome.evidence) if isinstance(outcome, Succeeded) else 0,
            attempts=step.attempts,
            seconds=step.desk.clock() - started,
            cache=step.cache,
            breaker=step.source.breaker.phase,
            stands_in_for=step.stands_in_for,
            probe=step.probe,
        )
    )


def word_for(outcome: ToolOutcome) -> FailureCode | Literal["OK", "NEEDS_APPROVAL"]:
    """Return the stable word for an outcome."""
    if isinstance(outcome, Failed):
        return outcome.code
    return "NEEDS_APPROVAL" if isinstance(outcome, NeedsApproval) else "OK"
