"""No attempt begins once the time of the run is over; how long one may take is `attempt`'s affair."""

from __future__ import annotations

from dataclasses import replace

from kaoju.model.tool import ToolOutcome
from kaoju.tools.dispatch.failures import timed_out
from kaoju.tools.dispatch.step import Next, Step


async def deadline(step: Step, go_on: Next) -> ToolOutcome:
    """Refuse to begin without time."""
    if step.seconds_left == 0.0:
        return replace(timed_out(step.spec, step.call, 0.0, own=False), unsent=True)
    return await go_on(step)
