"""Everything between a plan and a tool, in one visible order.

`ATTEMPT` is the order in which one attempt passes its gates; `call` repeats it
for retryable failures up to the contract's attempts and then walks the
fallback chain. Promises: every outcome is a value; attempts are exact and never
multiply; a tool that hangs is cancelled (or abandoned where it cannot be) and
named; evidence says which tool it really came from. Refuses: to run what is
unknown, outside the scope, not for the role, malformed, or beyond the budget.
Only the cancellation of the caller itself passes through.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Final

from kaoju.errors import UsageError
from kaoju.model.tool import Failed, FailureCode, Succeeded, ToolCall, ToolOutcome, ToolSpec
from kaoju.tools.base import Tool, say, text_of
from kaoju.tools.registry import Registry, may_call
from kaoju.tools.schema import check_arguments, check_outcome

FALLBACK_CONFIDENCE: Final = 0.85
"""Evidence of a lesser source keeps this share of its confidence."""
BACKOFF_SECONDS: Final = 0.05
BACKOFF_LIMIT: Final = 1.0
WORTH_A_FALLBACK: Final[frozenset[FailureCode]] = frozenset(
    {
        "TIMEOUT",
        "RATE_LIMITED",
        "UPSTREAM_ERROR",
        "SQL_ERROR",
        "PARSE_FAILED",
        "OUTPUT_INVALID",
        "NO_PATTERN",
        "INTERNAL",
    }
)
"""Failures of the source. Errors of the caller go back to the caller instead."""
_MISTAKES: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    TypeError,
    UsageError,
    ValueError,
)
"""Exceptions that the same call would raise again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispatched:
    """What came of one call, and what it took."""

    outcome: ToolOutcome
    attempts: int
    """Times that a tool was really run, fallbacks included."""
    tried: tuple[str, ...]
    """Tools that were run, in order, each once."""
    seconds: float


@dataclass(slots=True, kw_only=True)
class _Journey:
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
class _Attempt:
    """One attempt on its way through the gates."""

    tool: Tool
    call: ToolCall
    journey: _Journey
    stands_in: bool
    """True for a fallback: the scope of the tool that it stands in for covers it."""

    @property
    def spec(self) -> ToolSpec:
        return self.tool.spec


def _spend(attempt: _Attempt) -> Failed | None:
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


def _scope(attempt: _Attempt) -> Failed | None:
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


def _role(attempt: _Attempt) -> Failed | None:
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


def _schema(attempt: _Attempt) -> Failed | None:
    return check_arguments(attempt.spec, attempt.call.arguments)


ATTEMPT: Final[tuple[Callable[[_Attempt], Failed | None], ...]] = (_spend, _scope, _role, _schema)
"""The gates of one attempt, in order; behind them the tool runs under its deadline."""


class Dispatcher:
    """Calls tools on behalf of a plan."""

    def __init__(
        self,
        registry: Registry,
        *,
        backoff_seconds: float = BACKOFF_SECONDS,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        """Serve the tools of `registry`; `jitter` returns a number in [0, 1)."""
        self._registry = registry
        self._backoff = backoff_seconds
        self._jitter = jitter
        self._abandoned: set[asyncio.Task[ToolOutcome]] = set()

    async def call(
        self,
        call: ToolCall,
        *,
        scope: Collection[str],
        role: str | None = None,
        deadline: float | None = None,
        spend: Callable[[], bool] | None = None,
    ) -> Dispatched:
        """Carry out one call.

        Args:
            call: what to call, with which arguments.
            scope: names of the tools that this run may use.
            role: role of the asker.
            deadline: seconds from now that all attempts and fallbacks may take together.
            spend: asked before every attempt; False ends the call with BUDGET_SPENT.

        Returns:
            The outcome; failures of tools are values in it.
        """
        started = time.monotonic()
        until = None if deadline is None else started + deadline
        journey = _Journey(
            scope=scope, role=role, until=until, spend=spend, visible=self._registry.names(role)
        )
        outcome = await self._one_tool(call, journey, stands_in=False)
        if isinstance(outcome, Failed) and outcome.code in WORTH_A_FALLBACK:
            outcome = await self._fall_back(call, outcome, journey)
        return Dispatched(
            outcome=outcome,
            attempts=journey.attempts,
            tried=tuple(journey.tried),
            seconds=time.monotonic() - started,
        )

    async def _fall_back(self, call: ToolCall, failure: Failed, journey: _Journey) -> ToolOutcome:
        tool = self._registry.get(call.tool)
        query = text_of(call.arguments)
        said = [failure.message]
        for name in tool.spec.fallback if tool is not None and query else ():
            stand_in = replace(call, tool=name, arguments={"query": query})
            outcome = await self._one_tool(stand_in, journey, stands_in=True)
            if isinstance(outcome, Succeeded):
                return _lesser(outcome, call, failure)
            if not isinstance(outcome, Failed):
                return outcome
            said.append(f"{name}: {outcome.message}")
            if outcome.code == "BUDGET_SPENT":
                break
        return replace(failure, message="; ".join(said))

    async def _one_tool(self, call: ToolCall, journey: _Journey, *, stands_in: bool) -> ToolOutcome:
        tool = self._registry.get(call.tool)
        if tool is None:
            return _unknown(call, journey.visible)
        limit = max(1, tool.spec.attempts)
        for number in range(1, limit + 1):
            attempt = _Attempt(
                tool=tool, call=replace(call, attempt=number), journey=journey, stands_in=stands_in
            )
            outcome = await self._attempt(attempt)
            if not isinstance(outcome, Failed) or not outcome.retryable or number == limit:
                break
            if not await self._pause(number, journey.until):
                break
        return outcome

    async def _attempt(self, attempt: _Attempt) -> ToolOutcome:
        for gate in ATTEMPT:
            refusal = gate(attempt)
            if refusal is not None:
                return replace(refusal, tool=attempt.spec.name)
        seconds = attempt.spec.timeout_seconds
        if attempt.journey.until is not None:
            seconds = min(seconds, attempt.journey.until - time.monotonic())
            if seconds <= 0:
                return _timed_out(attempt, 0.0)
        attempt.journey.ran(attempt.spec.name)
        return check_outcome(attempt.spec, await self._run(attempt, seconds))

    async def _run(self, attempt: _Attempt, seconds: float) -> object:
        task = asyncio.ensure_future(attempt.tool.run(attempt.call))
        try:
            await asyncio.wait({task}, timeout=seconds)
        except asyncio.CancelledError:
            self._abandon(task)
            raise
        if not task.done():
            self._abandon(task)
            return _timed_out(attempt, seconds)
        if task.cancelled():
            return Failed(code="CANCELLED", message=f"{attempt.spec.name} was cancelled", retryable=False)
        error = task.exception()
        if error is None:
            return task.result()
        if not isinstance(error, Exception):
            raise error
        return _raised(attempt, error, seconds)

    def _abandon(self, task: asyncio.Task[ToolOutcome]) -> None:
        """Cancel without waiting; the reference keeps the task alive until it has ended."""
        self._abandoned.add(task)
        task.add_done_callback(self._forget)
        task.cancel()

    def _forget(self, task: asyncio.Task[ToolOutcome]) -> None:
        self._abandoned.discard(task)
        if not task.cancelled():
            task.exception()

    async def _pause(self, number: int, until: float | None) -> bool:
        """Wait before the next attempt; False when the deadline leaves no room for one."""
        seconds = min(self._backoff * 2 ** (number - 1), BACKOFF_LIMIT) * (0.5 + 0.5 * self._jitter())
        if until is not None and time.monotonic() + seconds >= until:
            return False
        await asyncio.sleep(seconds)
        return True


def _unknown(call: ToolCall, visible: tuple[str, ...]) -> Failed:
    about = text_of(call.arguments)
    listed = ", ".join(visible)
    return Failed(
        code="TOOL_UNKNOWN",
        message=say(
            about,
            zh=f"没有名为 {call.tool} 的工具，可用的有：{listed}",
            en=f"there is no tool {call.tool}, available: {listed}",
        ),
        retryable=False,
        suggestion=say(about, zh="从可用工具中选一个", en="choose one of the available tools"),
        field="tool",
        allowed=visible,
        tool=call.tool,
    )


def _timed_out(attempt: _Attempt, seconds: float) -> Failed:
    about = text_of(attempt.call.arguments)
    name = attempt.spec.name
    return Failed(
        code="TIMEOUT",
        message=say(
            about,
            zh=f"工具 {name} 在 {seconds:.3g} 秒内没有返回",
            en=f"{name} did not return within {seconds:.3g} s",
        ),
        retryable=True,
        suggestion=say(about, zh="换一个工具，或放宽时限", en="use another tool, or allow more time"),
    )


def _raised(attempt: _Attempt, error: Exception, seconds: float) -> Failed:
    if isinstance(error, TimeoutError):
        return _timed_out(attempt, seconds)
    about = text_of(attempt.call.arguments)
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return Failed(
        code="INTERNAL",
        message=say(
            about, zh=f"工具 {attempt.spec.name} 出错：{what}", en=f"{attempt.spec.name} failed: {what}"
        ),
        retryable=not isinstance(error, _MISTAKES),
        suggestion=say(about, zh="换一个工具", en="use another tool"),
    )


def _lesser(outcome: Succeeded, call: ToolCall, failure: Failed) -> Succeeded:
    """Mark what a fallback found as coming from the lesser source."""
    about = text_of(call.arguments)
    remark = say(
        about,
        zh=f"来自后备工具 {outcome.tool}（{call.tool} 未成功：{failure.code}）",
        en=f"from the fallback {outcome.tool} ({call.tool} failed: {failure.code})",
    )
    joint = say(about, zh="；", en="; ")
    evidence = tuple(
        replace(
            item,
            confidence=item.confidence * FALLBACK_CONFIDENCE,
            uncertainty=joint.join(part for part in (item.uncertainty, remark) if part),
        )
        for item in outcome.evidence
    )
    return replace(
        outcome,
        evidence=evidence,
        confidence=outcome.confidence * FALLBACK_CONFIDENCE,
        notes=(*outcome.notes, remark, failure.message),
    )
