"""Everything between a plan and a tool.

`order.ORDER` is what happens to one tool's call, in one list; `call` walks the
fallback chain around it. Promises: every outcome is a value; attempts are exact
and never multiply; nothing hangs; evidence says which tool it really came from;
every call is an event. Only the cancellation of the caller passes through.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from kaoju.model.event import ToolCalled
from kaoju.model.tool import Failed, Succeeded, ToolCall, ToolOutcome
from kaoju.tools.dispatch import breaker as circuit
from kaoju.tools.dispatch.attempt import attempt
from kaoju.tools.dispatch.breaking import probe, probe_call
from kaoju.tools.dispatch.cache import ReplyCache
from kaoju.tools.dispatch.failures import unknown
from kaoju.tools.dispatch.fallback import lesser, stand_ins
from kaoju.tools.dispatch.order import ORDER, compose
from kaoju.tools.dispatch.redaction import redacted
from kaoju.tools.dispatch.sources import Health, Sources
from kaoju.tools.dispatch.step import Behaviour, Desk, Journey, Step
from kaoju.tools.registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispatched:
    """What came of one call, and what it took."""

    outcome: ToolOutcome
    attempts: int
    """Times that a tool was really run, fallbacks included."""
    tried: tuple[str, ...]
    """Tools that were run, in order, each once."""
    seconds: float


class Dispatcher:
    """Calls tools on behalf of plans. For one event loop."""

    def __init__(
        self,
        registry: Registry,
        *,
        cache: ReplyCache | None = None,
        redact: Callable[[str], str] | None = None,
        sources: Sources | None = None,
        order: Sequence[Behaviour] = ORDER,
        jitter: Callable[[], float] = random.random,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Serve the tools of a registry.

        Args:
            registry: the tools.
            cache: where replies are kept; None keeps none.
            redact: takes secrets out of a text; None where there are none.
            sources: what an earlier dispatcher learnt about the tools' health, for a registry that was reloaded.
            order: what is done for one call.
            jitter: returns a number in [0, 1).
            clock: seconds that only grow.
        """
        self.sources = sources or Sources()
        self._registry = registry
        self._desk = Desk(cache=cache, redact=redact, jitter=jitter, clock=clock)
        self._chain = compose(order, attempt)

    async def call(
        self,
        call: ToolCall,
        *,
        scope: Collection[str],
        role: str | None = None,
        deadline: float | None = None,
        spend: Callable[[], bool] | None = None,
        approved: Callable[[ToolCall], bool] | None = None,
        emit: Callable[[ToolCalled], None] | None = None,
    ) -> Dispatched:
        """Carry out one call.

        Args:
            call: what to call, with which arguments.
            scope: names of the tools that this run may use.
            role: role of the asker.
            deadline: seconds from now that all attempts and fallbacks may take together.
            spend: asked before every attempt; False ends the call with BUDGET_SPENT.
            approved: whether a person has approved exactly this call; nobody has where None.
            emit: told of every tool that was called, refused, or answered from the cache.

        Returns:
            The outcome; failures of tools are values in it.
        """
        started = self._desk.clock()
        journey = Journey(
            scope=frozenset(scope),
            role=role,
            until=None if deadline is None else started + deadline,
            spend=spend,
            approved=approved,
            emit=emit,
            visible=lambda: self._registry.names(role),
        )
        outcome = await self._one_tool(call, journey)
        if isinstance(outcome, Failed):
            outcome = await self._fall_back(call, outcome, journey)
        return Dispatched(
            outcome=outcome,
            attempts=journey.attempts,
            tried=tuple(journey.tried),
            seconds=self._desk.clock() - started,
        )

    async def probe(self, *, emit: Callable[[ToolCalled], None] | None = None) -> tuple[Health, ...]:
        """Probe every tool whose breaker is open, whose rest is over, and whose contract names a probe.

        Returns:
            The health of every tool, as `health`.
        """
        nobody = Journey(scope=(), role=None, until=None, spend=None, approved=None, emit=emit, visible=tuple)
        for spec in self._registry.contracts():
            step = self._step(
                ToolCall(run_id="", task_id="", attempt=1, tool=spec.name, arguments={}), nobody
            )
            if step is None or step.source.breaker.phase != "open" or probe_call(step) is None:
                continue
            step.source.breaker, due = circuit.ask(
                step.source.breaker, circuit.rest_of(step.spec), self._desk.clock()
            )
            if due:
                await probe(step)
        return self.health()

    def health(self) -> tuple[Health, ...]:
        """Return how every tool is."""
        return tuple(self.sources.health(spec, self._desk.clock()) for spec in self._registry.contracts())

    async def _one_tool(self, call: ToolCall, journey: Journey, *, stands_in_for: str = "") -> ToolOutcome:
        step = self._step(call, journey, stands_in_for=stands_in_for)
        if step is not None:
            return await self._chain(step)
        failure = redacted(unknown(call, journey.visible()), self._desk.redact)
        if journey.emit is not None:
            journey.emit(
                ToolCalled(
                    run_id=call.run_id,
                    task_id=call.task_id,
                    tool=call.tool,
                    outcome=failure.code,
                    evidence=0,
                    attempts=0,
                    seconds=0.0,
                    cache="off",
                    breaker="closed",
                    stands_in_for=stands_in_for,
                )
            )
        return failure

    def _step(self, call: ToolCall, journey: Journey, *, stands_in_for: str = "") -> Step | None:
        tool = self._registry.get(call.tool)
        if tool is None:
            return None
        spec = tool.spec
        return Step(
            tool=tool,
            spec=spec,
            call=call,
            journey=journey,
            desk=self._desk,
            source=self.sources.of(spec),
            stands_in_for=stands_in_for,
        )

    async def _fall_back(self, call: ToolCall, failure: Failed, journey: Journey) -> ToolOutcome:
        tool = self._registry.get(call.tool)
        if tool is None:
            return failure
        said = [failure.message]
        for stand_in in stand_ins(tool.spec, call, failure):
            outcome = await self._one_tool(stand_in, journey, stands_in_for=call.tool)
            if isinstance(outcome, Succeeded):
                return lesser(outcome, call, failure)
            if not isinstance(outcome, Failed):
                return outcome
            said.append(f"{stand_in.tool}: {outcome.message}")
            if outcome.code == "REPLY_LOST":
                return replace(outcome, message="; ".join(said))
            if outcome.code == "BUDGET_SPENT":
                break
        return replace(failure, message="; ".join(said))
