"""Only the tools that the asker's role may call; no role may call what is open to everybody."""

from __future__ import annotations

from kaoju.model.tool import Failed, ToolOutcome
from kaoju.tools.base import say, text_of
from kaoju.tools.dispatch.step import Next, Step
from kaoju.tools.registry import may_call


async def role(step: Step, go_on: Next) -> ToolOutcome:
    """Refuse what the role may not call, without naming what it may not see."""
    if may_call(step.spec, step.journey.role):
        return await go_on(step)
    about = text_of(step.call.arguments)
    return Failed(
        code="PERMISSION_DENIED",
        message=say(
            about,
            zh=f"当前角色无权调用工具 {step.spec.name}",
            en=f"this role may not call {step.spec.name}",
        ),
        retryable=False,
        suggestion=say(
            about, zh="改用允许的工具，或换用有权限的角色", en="use an allowed tool, or another role"
        ),
        field="role",
        allowed=tuple(name for name in step.journey.visible() if name in step.journey.scope),
        tool=step.spec.name,
    )
