"""How often a source may be asked: a bucket that holds one token.

Promises: pure; calls are spaced evenly, so that no second ever holds more than
the contract's rate; a source that asks for a pause gets it from every caller.
Refuses: waiting; it says for how long.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """When the next call to a source may leave."""

    free_at: float = 0.0
    """On the dispatcher's clock; the past where the source is free."""


def wait_for(pace: Pace, now: float) -> float:
    """Return how many seconds the next call has to wait."""
    return max(0.0, pace.free_at - now)


def reserve(pace: Pace, rate_per_second: float | None, now: float) -> Pace:
    """Return the pace after the next free place was taken."""
    if not rate_per_second:
        return pace
    return Pace(free_at=max(pace.free_at, now) + 1.0 / rate_per_second)


def hold(pace: Pace, seconds: float, now: float) -> Pace:
    """Return the pace after the source asked for a pause."""
    return Pace(free_at=max(pace.free_at, now + seconds))
