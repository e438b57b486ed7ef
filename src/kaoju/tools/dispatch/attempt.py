"""The innermost part: run the tool once, for as long as the contract and the run allow.

Promises: always comes back in time; a tool that hangs is cancelled, or
abandoned where it cannot be; an exception that escapes is a failure. Only the
cancellation of the caller itself passes through.
"""

from __future__ import annotations

import asyncio

from kaoju.model.tool import Failed, ToolOutcome
from kaoju.tools.dispatch.failures import raised, timed_out
from kaoju.tools.dispatch.step import Step


async def attempt(step: Step) -> ToolOutcome:
    """Run the tool under its time limit and return what came of it, unchecked."""
    left, own = step.seconds_left, step.spec.timeout_seconds
    seconds = own if left is None else min(own, left)
    task = asyncio.ensure_future(step.tool.run(step.call))
    try:
        await asyncio.wait((task,), timeout=seconds)
    except asyncio.CancelledError:
        _abandon(task, step.desk.abandoned)
        raise
    if not task.done():
        _abandon(task, step.desk.abandoned)
        return timed_out(step.spec, step.call, seconds, own=seconds == own)
    if task.cancelled():
        return Failed(
            code="CANCELLED", message=f"{step.spec.name} was cancelled", retryable=False, tool=step.spec.name
        )
    error = task.exception()
    if error is None:
        return task.result()
    if not isinstance(error, Exception):
        raise error
    return raised(step.spec, step.call, error, seconds)


def _abandon(task: asyncio.Task[ToolOutcome], kept: set[asyncio.Task[ToolOutcome]]) -> None:
    """Cancel without waiting; the reference keeps the task alive until it has ended."""

    def forget(ended: asyncio.Task[ToolOutcome]) -> None:
        kept.discard(ended)
        if not ended.cancelled():
            ended.exception()

    kept.add(task)
    task.add_done_callback(forget)
    task.cancel()
