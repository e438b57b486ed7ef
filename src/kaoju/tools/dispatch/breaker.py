"""The circuit breaker as data: three phases, four signals, one table.

Promises: pure; a breaker is a frozen value, every change of phase begins a new
epoch, and a verdict that belongs to an older epoch changes nothing, so that
late replies of calls begun before never open or close it. Refuses: looking at
clocks or outcomes; both are handed in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final, Literal

from kaoju.model.tool import BreakerPhase, ToolSpec

Signal = Literal["alive", "sick", "void", "asked"]
"""The source replied; it failed on its side; nothing was learnt about it; somebody wants to call it."""

TABLE: Final[Mapping[tuple[BreakerPhase, Signal], BreakerPhase]] = MappingProxyType(
    {
        ("closed", "asked"): "closed",
        ("closed", "alive"): "closed",
        ("closed", "void"): "closed",
        ("closed", "sick"): "open",  # once the failures in a row reach the limit
        ("open", "asked"): "half_open",  # once the rest is over; the asker is the trial
        ("open", "alive"): "open",
        ("open", "sick"): "open",
        ("open", "void"): "open",
        ("half_open", "asked"): "half_open",  # refused: one trial at a time
        ("half_open", "alive"): "closed",
        ("half_open", "sick"): "open",
        ("half_open", "void"): "open",  # the trial came to nothing; the next asker is one at once
    }
)
"""Phase and signal -> the next phase."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Breaker:
    """Where one tool stands."""

    phase: BreakerPhase = "closed"
    failures: int = 0
    """Failing calls in a row."""
    opened_at: float = 0.0
    """When the rest began, on the dispatcher's clock; meaningless while closed."""
    epoch: int = 0
    """Counts changes of phase."""


def limit_of(spec: ToolSpec) -> int:
    """Return how many failing calls in a row open the breaker of a tool."""
    return max(1, spec.breaker.failures)


def rest_of(spec: ToolSpec) -> float:
    """Return how many seconds an open breaker rests before a trial."""
    return spec.breaker.rest_seconds if spec.probe is None else spec.probe.interval_seconds


def rest_left(breaker: Breaker, rest: float, now: float) -> float:
    """Return how many seconds are left before a trial; 0 where one is due, or none is needed."""
    return max(0.0, breaker.opened_at + rest - now) if breaker.phase == "open" else 0.0


def ask(breaker: Breaker, rest: float, now: float) -> tuple[Breaker, bool]:
    """Return the breaker after somebody wants to call, and whether the call may pass."""
    if breaker.phase == "closed":
        return breaker, True
    if breaker.phase == "half_open" or rest_left(breaker, rest, now) > 0:
        return breaker, False
    return _enter(breaker, TABLE[breaker.phase, "asked"]), True


def settle(breaker: Breaker, signal: Signal, *, epoch: int, limit: int, now: float) -> Breaker:
    """Return the breaker after a call that was let pass in `epoch` is over.

    Args:
        breaker: where the tool stands now.
        signal: what the call says about the source.
        epoch: the breaker's epoch when the call was let pass.
        limit: failing calls in a row that open it.
        now: on the dispatcher's clock.
    """
    if epoch != breaker.epoch:
        return breaker
    if breaker.phase == "closed":
        if signal == "alive":
            return replace(breaker, failures=0) if breaker.failures else breaker
        if signal != "sick":
            return breaker
        breaker = replace(breaker, failures=breaker.failures + 1)
        if breaker.failures < limit:
            return breaker
        return replace(_enter(breaker, TABLE["closed", signal]), opened_at=now)
    after = _enter(breaker, TABLE[breaker.phase, signal])
    if after.phase == "closed":
        return replace(after, failures=0)
    return replace(after, opened_at=now) if signal == "sick" and breaker.phase == "half_open" else after


def _enter(breaker: Breaker, phase: BreakerPhase) -> Breaker:
    return breaker if phase == breaker.phase else replace(breaker, phase=phase, epoch=breaker.epoch + 1)
