"""What the dispatcher remembers of each tool between calls: breaker, pace, and places.

Promises: one `Source` for each name, for as long as the dispatcher (or the
`Sources` that is handed from one to the next) lives. Refuses: sharing between
event loops, and a life beyond the process.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from kaoju.model.tool import BreakerPhase, ToolSpec
from kaoju.tools.dispatch import breaker as circuit
from kaoju.tools.dispatch.breaker import Breaker
from kaoju.tools.dispatch.pace import Pace


@dataclass(slots=True)
class Source:
    """The live state behind one tool."""

    breaker: Breaker = field(default_factory=Breaker)
    pace: Pace = field(default_factory=Pace)
    places: asyncio.Semaphore | None = None
    """None where the contract sets no limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """How one tool is, for people."""

    tool: str
    phase: BreakerPhase
    failures: int
    """Failing calls in a row."""
    trial_in_seconds: float
    """Rest before the next trial; 0 where calls pass, or a trial is due or under way."""


class Sources:
    """The state of every tool, by name."""

    def __init__(self) -> None:
        """Know nothing yet: every tool counts as well until it fails."""
        self._by_name: dict[str, Source] = {}

    def of(self, spec: ToolSpec) -> Source:
        """Return the state behind a tool."""
        source = self._by_name.get(spec.name)
        if source is None:
            places = asyncio.Semaphore(spec.concurrency) if spec.concurrency else None
            source = self._by_name[spec.name] = Source(places=places)
        return source

    def health(self, spec: ToolSpec, now: float) -> Health:
        """Return how a tool is at `now`."""
        state = self.of(spec).breaker
        return Health(
            tool=spec.name,
            phase=state.phase,
            failures=state.failures,
            trial_in_seconds=circuit.rest_left(state, circuit.rest_of(spec), now),
        )
