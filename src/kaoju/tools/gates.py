"""What one attempt has to pass before its tool runs; each gate is a function.

The dispatcher holds the order. A gate returns why the attempt may not go on,
or None; it raises nothing and changes nothing but the budget.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from kaoju.model.tool import Failed, ToolCall, ToolSpec
from kaoju.tools.base import Tool, say, text_of
from kaoju.tools.registry import may_call
from kaoju.tools.schema import check_arguments


@dataclass(slots=True, kw_only=True)
class Journey:
    """One call on its way: what it may use, and what it has used."""

    scope: Collection[str]
    role: str | None
    until: float | None
    spend: Callable[[], bool] | None
    visible: tuple[str, ...]
    """Tools that the role may see."""
    attempts: int = 0
    tried: list[str] = field(default_factory=list)

    def ran(self, name: str) -> None:
        """Count one attempt."""
        self.attempts += 1
        if name not in self.tried:
            self.tried.append(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt on its way through the gates."""

    tool: Tool
    call: ToolCall
    journey: Journey
    stands_in: bool
    """True for a fallback: the scope of the tool that it stands in for covers it."""

    @property
    def spec(self) -> ToolSpec:
        """The contract of the tool."""
        return self.tool.spec


def spend_gate(attempt: Attempt) -> Failed | None:
    """Refuse once the budget is spent; asking takes one step from it."""
    if attempt.journey.spend is None or attempt.journey.spend():
        return None
    about = text_of(attempt.call.arguments)
    return Failed(
        code="BUDGET_SPENT",
        message=say(about, zh="本次运行的步数或时间预算已用完", en="the budget of this run is spent"),
        retryable=False,
        suggestion=say(
            about, zh="用已有证据作答，或提高预算", en="answer from what there is, or raise the budget"
        ),
    )


def scope_gate(attempt: Attempt) -> Failed | None:
    """Refuse what is outside the plan's scope."""
    if attempt.stands_in or attempt.spec.name in attempt.journey.scope:
        return None
    about = text_of(attempt.call.arguments)
    allowed = tuple(name for name in attempt.journey.visible if name in attempt.journey.scope)
    return Failed(
        code="OUT_OF_SCOPE",
        message=say(
            about,
            zh=f"工具 {attempt.spec.name} 不在本次计划的范围内",
            en=f"{attempt.spec.name} is outside the scope of this plan",
        ),
        retryable=False,
        suggestion=say(about, zh="改用范围内的工具", en="use a tool of the plan"),
        field="tool",
        allowed=allowed,
    )


def role_gate(attempt: Attempt) -> Failed | None:
    """Refuse what the role may not call."""
    if may_call(attempt.spec, attempt.journey.role):
        return None
    about = text_of(attempt.call.arguments)
    return Failed(
        code="PERMISSION_DENIED",
        message=say(
            about,
            zh=f"当前角色无权调用工具 {attempt.spec.name}",
            en=f"this role may not call {attempt.spec.name}",
        ),
        retryable=False,
        suggestion=say(
            about, zh="改用允许的工具，或换用有权限的角色", en="use an allowed tool, or another role"
        ),
        field="role",
        allowed=attempt.journey.visible,
    )


def schema_gate(attempt: Attempt) -> Failed | None:
    """Refuse arguments that do not fit the contract."""
    return check_arguments(attempt.spec, attempt.call.arguments)
