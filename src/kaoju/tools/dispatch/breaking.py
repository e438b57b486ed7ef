"""Failing sources are left alone until a probe or a trial finds them back.

Promises: while a breaker is open nothing reaches the source; once its rest is
over the next call probes it, by the contract's probe where there is one, else
by itself with a single attempt. Refuses: counting what says nothing about the
source: budgets, cancellations, and mistakes of the caller.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from kaoju.model.failure import FAILURES
from kaoju.model.tool import Failed, ToolCall, ToolOutcome
from kaoju.tools.base import say, text_of
from kaoju.tools.dispatch import breaker as circuit
from kaoju.tools.dispatch.attempt import attempt
from kaoju.tools.dispatch.breaker import Signal
from kaoju.tools.dispatch.output import output
from kaoju.tools.dispatch.reporting import report
from kaoju.tools.dispatch.step import Next, Step

_NOTHING_LEARNT: Final = frozenset({"BUDGET_SPENT", "CANCELLED", "RATE_LIMITED"})


async def breaking(step: Step, go_on: Next) -> ToolOutcome:
    """Let the call pass where the source is well, or is tried again; else refuse it."""
    if not _admitted(step):
        return _refusal(step)
    if step.source.breaker.phase == "half_open":
        if probe_call(step) is None:
            step.trial = True
        elif not await probe(step) or not _admitted(step):
            return _refusal(step)
    epoch = step.source.breaker.epoch
    signal: Signal = "void"
    try:
        outcome = await go_on(step)
        signal = signal_of(outcome, attempts=step.attempts)
    finally:
        _settle(step, signal, epoch)
    return outcome


def signal_of(outcome: ToolOutcome, *, attempts: int) -> Signal:
    """Return what a call that was let pass says about its source."""
    if attempts == 0:
        return "void"
    if not isinstance(outcome, Failed):
        return "alive"
    if outcome.code in _NOTHING_LEARNT:
        return "void"
    if not FAILURES[outcome.code].sick:
        return "alive"
    return "sick" if outcome.retryable or outcome.code == "REPLY_LOST" else "void"


def probe_call(step: Step) -> ToolCall | None:
    """Return the call that tells whether the source is back; None where the contract has none, or it has an effect."""
    given = step.spec.probe
    if given is None or step.spec.risk != "read":
        return None
    return replace(step.call, arguments=dict(given.arguments), attempt=1)


async def probe(step: Step) -> bool:
    """Make the probe of a half-open breaker; return whether the source is back."""
    call = probe_call(step)
    if call is None:
        return False
    epoch = step.source.breaker.epoch
    signal: Signal = "void"
    trial = Step(
        tool=step.tool,
        spec=step.spec,
        call=call,
        journey=step.journey,
        desk=step.desk,
        source=step.source,
        attempts=1,
        probe=True,
    )
    started = step.desk.clock()
    try:
        outcome = await output(trial, attempt)
        signal = signal_of(outcome, attempts=1)
    finally:
        _settle(step, signal, epoch)
    report(trial, outcome, started)
    return step.source.breaker.phase == "closed"


def _admitted(step: Step) -> bool:
    step.source.breaker, admitted = circuit.ask(
        step.source.breaker, circuit.rest_of(step.spec), step.desk.clock()
    )
    return admitted


def _settle(step: Step, signal: Signal, epoch: int) -> None:
    step.source.breaker = circuit.settle(
        step.source.breaker,
        signal,
        epoch=epoch,
        limit=circuit.limit_of(step.spec),
        now=step.desk.clock(),
    )


def _refusal(step: Step) -> Failed:
    name = step.spec.name
    about = text_of(step.call.arguments)
    state = step.source.breaker
    left = circuit.rest_left(state, circuit.rest_of(step.spec), step.desk.clock())
    return Failed(
        code="CIRCUIT_OPEN",
        message=say(
            about,
            zh=f"工具 {name} 连续失败 {state.failures} 次，已暂停使用",
            en=f"{name} failed {state.failures} times in a row and rests",
        ),
        retryable=False,
        suggestion=say(
            about,
            zh=f"改用其他工具，或 {left:.0f} 秒后再试",
            en=f"use another tool, or try again in {left:.0f} s",
        ),
        tool=name,
        retry_after_seconds=left,
    )
