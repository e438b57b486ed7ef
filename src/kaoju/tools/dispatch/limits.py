"""No more calls at one time, and no more in a second, than the contract and the source allow.

Promises: a call waits for its place while the run's deadline (and, without
one, the contract's own time limit) allows; a place is given back however the
call ends. Refuses: waiting beyond that; the caller gets `RATE_LIMITED` with
the pause that would help.
"""

from __future__ import annotations

import asyncio

from kaoju.model.tool import Failed, ToolOutcome
from kaoju.tools.base import say, text_of
from kaoju.tools.dispatch import pace
from kaoju.tools.dispatch.step import Next, Step


async def limits(step: Step, go_on: Next) -> ToolOutcome:
    """Wait for a place and for the pace of the source."""
    places = step.source.places
    if places is None:
        return await _paced(step, go_on)
    if not places.locked():
        await places.acquire()
    else:
        try:
            async with asyncio.timeout(patience(step)):
                await places.acquire()
        except TimeoutError:
            return limited(step, None)
    try:
        return await _paced(step, go_on)
    finally:
        places.release()


async def _paced(step: Step, go_on: Next) -> ToolOutcome:
    seconds = pace.wait_for(step.source.pace, step.desk.clock())
    if seconds > 0 and seconds >= patience(step):
        return limited(step, seconds)
    take_place(step)
    if seconds > 0:
        await asyncio.sleep(seconds)
    return await go_on(step)


def take_place(step: Step) -> None:
    """Take the next free place of the source's pace."""
    step.source.pace = pace.reserve(step.source.pace, step.spec.rate_per_second, step.desk.clock())


def patience(step: Step) -> float:
    """Return how many seconds a call may wait before it begins."""
    left = step.seconds_left
    return step.spec.timeout_seconds if left is None else min(step.spec.timeout_seconds, left)


def limited(step: Step, seconds: float | None) -> Failed:
    """Return the refusal of a call that would have to wait for too long."""
    name = step.spec.name
    about = text_of(step.call.arguments)
    when = "" if seconds is None else f"{seconds:.1f}"
    return Failed(
        code="RATE_LIMITED",
        message=say(
            about,
            zh=f"工具 {name} 的调用频率或并发已达上限" + (f"，{when} 秒后可用" if when else ""),
            en=f"{name} has as many calls as it may take" + (f"; free in {when} s" if when else ""),
        ),
        retryable=False,
        suggestion=say(about, zh="改用其他工具，或稍后再试", en="use another tool, or try again later"),
        tool=name,
        retry_after_seconds=seconds,
        unsent=True,
    )
