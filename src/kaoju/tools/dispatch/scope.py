"""Only the tools of this run's plan or pack; a stand-in is covered by the tool that it stands in for."""

from __future__ import annotations

from kaoju.model.tool import Failed, ToolOutcome
from kaoju.tools.base import say, text_of
from kaoju.tools.dispatch.step import Next, Step


async def scope(step: Step, go_on: Next) -> ToolOutcome:
    """Refuse what is outside the scope."""
    if step.stands_in_for or step.spec.name in step.journey.scope:
        return await go_on(step)
    about = text_of(step.call.arguments)
    return Failed(
        code="OUT_OF_SCOPE",
        message=say(
            about,
            zh=f"工具 {step.spec.name} 不在本次计划的范围内",
            en=f"{step.spec.name} is outside the scope of this plan",
        ),
        retryable=False,
        suggestion=say(about, zh="改用范围内的工具", en="use a tool of the plan"),
        field="tool",
        allowed=tuple(name for name in step.journey.visible() if name in step.journey.scope),
        tool=step.spec.name,
    )
