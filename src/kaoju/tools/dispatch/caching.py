"""Earlier replies before new calls.

Promises: the cache is asked only for reads whose contract allows it, in a
thread and within a time limit; a cache that breaks costs the call nothing but
its place in the log. What is kept was checked and redacted. Refuses: keeping
failures, and replies of stand-ins under the name of another tool.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

from kaoju.model.tool import Succeeded, ToolOutcome
from kaoju.tools.dispatch.redaction import redacted
from kaoju.tools.dispatch.step import Next, Step
from kaoju.tools.threads import in_thread

CACHE_SECONDS: Final = 2.0
"""A cache that takes longer is not worth its while."""

T = TypeVar("T")


async def caching(step: Step, go_on: Next) -> ToolOutcome:
    """Return an earlier reply where one serves; else keep the new one."""
    cache, spec, call, role = step.desk.cache, step.spec, step.call, step.journey.role
    if cache is None or spec.cache.mode == "none" or spec.risk != "read":
        return await go_on(step)
    step.cache = "miss"
    earlier = await _guarded(step, lambda: cache.get(spec, call, role))
    if earlier is not None:
        step.cache = "hit"
        return earlier
    outcome = await go_on(step)
    if isinstance(outcome, Succeeded):
        kept = redacted(outcome, step.desk.redact)
        await _guarded(step, lambda: cache.put(spec, call, role, kept))
    return outcome


async def _guarded(step: Step, work: Callable[[], T]) -> T | None:
    left = step.seconds_left
    try:
        async with asyncio.timeout(CACHE_SECONDS if left is None else min(CACHE_SECONDS, left)):
            return await in_thread(work)
    except Exception:  # noqa: BLE001 - whatever breaks in a cache, the tool itself can still be asked
        step.cache = "failed"
        return None
