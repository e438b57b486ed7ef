"""Only arguments that fit the input schema of the contract."""

from __future__ import annotations

from kaoju.model.tool import ToolOutcome
from kaoju.tools.dispatch.step import Next, Step
from kaoju.tools.schema import check_arguments


async def arguments(step: Step, go_on: Next) -> ToolOutcome:
    """Refuse arguments that do not fit, naming the field and what it should be."""
    refusal = check_arguments(step.spec, step.call.arguments)
    return await go_on(step) if refusal is None else refusal
