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
from dataclasses import dataclass, replace
from typing import Final

from kaoju.model.failure import FAILURES
from kaoju.model.tool import Failed, Succeeded, ToolCall, ToolOutcome
from kaoju.tools.gates import Attempt, Journey, role_gate, schema_gate, scope_gate, spend_gate
from kaoju.tools.registry import Registry
from kaoju.tools.results import lesser, raised, timed_out, unknown
from kaoju.tools.schema import check_outcome

BACKOFF_SECONDS: Final = 0.05
BACKOFF_LIMIT: Final = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispatched:
    """What came of one call, and what it took."""

    outcome: ToolOutcome
    attempts: int
    """Times that a tool was really run, fallbacks included."""
    tried: tuple[str, ...]
    """Tools that were run, in order, each once."""
    seconds: float


ATTEMPT: Final[tuple[Callable[[Attempt], Failed | None], ...]] = (
    spend_gate,
    scope_gate,
    role_gate,
    schema_gate,
)
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
        journey = Journey(
            scope=scope, role=role, until=until, spend=spend, visible=self._registry.names(role)
        )
        outcome = await self._one_tool(call, journey, stands_in=False)
        if isinstance(outcome, Failed) and FAILURES[outcome.code].fallback:
            outcome = await self._fall_back(call, outcome, journey)
        return Dispatched(
            outcome=outcome,
            attempts=journey.attempts,
            tried=tuple(journey.tried),
            seconds=time.monotonic() - started,
        )

    async def _fall_back(self, call: ToolCall, failure: Failed, journey: Journey) -> ToolOutcome:
        tool = self._registry.get(call.tool)
        said = [failure.message]
        for fallback in tool.spec.fallback if tool is not None else ():
            name = fallback.tool
            taken = fallback.arguments or {"query": "query"}
            arguments = {to: call.arguments[of] for to, of in taken.items() if of in call.arguments}
            if not arguments:
                continue
            stand_in = replace(call, tool=name, arguments=arguments)
            outcome = await self._one_tool(stand_in, journey, stands_in=True)
            if isinstance(outcome, Succeeded):
                return lesser(outcome, call, failure)
            if not isinstance(outcome, Failed):
                return outcome
            said.append(f"{name}: {outcome.message}")
            if outcome.code == "BUDGET_SPENT":
                break
        return replace(failure, message="; ".join(said))

    async def _one_tool(self, call: ToolCall, journey: Journey, *, stands_in: bool) -> ToolOutcome:
        tool = self._registry.get(call.tool)
        if tool is None:
            return unknown(call, journey.visible)
        limit = max(1, tool.spec.attempts)
        for number in range(1, limit + 1):
            attempt = Attempt(
                tool=tool, call=replace(call, attempt=number), journey=journey, stands_in=stands_in
            )
            outcome = await self._attempt(attempt)
            if not isinstance(outcome, Failed) or not outcome.retryable or number == limit:
                break
            if not await self._pause(number, journey.until):
                break
        return outcome

    async def _attempt(self, attempt: Attempt) -> ToolOutcome:
        for gate in ATTEMPT:
            refusal = gate(attempt)
            if refusal is not None:
                return replace(refusal, tool=attempt.spec.name)
        seconds = attempt.spec.timeout_seconds
        if attempt.journey.until is not None:
            seconds = min(seconds, attempt.journey.until - time.monotonic())
            if seconds <= 0:
                return timed_out(attempt, 0.0)
        attempt.journey.ran(attempt.spec.name)
        return check_outcome(attempt.spec, await self._run(attempt, seconds))

    async def _run(self, attempt: Attempt, seconds: float) -> object:
        task = asyncio.ensure_future(attempt.tool.run(attempt.call))
        try:
            await asyncio.wait({task}, timeout=seconds)
        except asyncio.CancelledError:
            self._abandon(task)
            raise
        if not task.done():
            self._abandon(task)
            return timed_out(attempt, seconds)
        if task.cancelled():
            return Failed(code="CANCELLED", message=f"{attempt.spec.name} was cancelled", retryable=False)
        error = task.exception()
        if error is None:
            return task.result()
        if not isinstance(error, Exception):
            raise error
        return raised(attempt, error, seconds)

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
