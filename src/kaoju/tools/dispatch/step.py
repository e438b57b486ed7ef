"""One call on its way through the behaviours, and what they share.

Promises: a `Journey` is one call with all its stand-ins; a `Step` is one tool
of it; a `Desk` is what the dispatcher lends to every step. Refuses: to decide
anything.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass, field

from kaoju.model.event import CacheUse, ToolCalled
from kaoju.model.tool import ToolCall, ToolOutcome, ToolSpec
from kaoju.tools.base import Tool
from kaoju.tools.dispatch.cache import ReplyCache
from kaoju.tools.dispatch.sources import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """What the dispatcher lends to every call."""

    cache: ReplyCache | None
    redact: Callable[[str], str] | None
    jitter: Callable[[], float]
    clock: Callable[[], float]
    abandoned: set[asyncio.Task[ToolOutcome]] = field(default_factory=set)
    """Attempts that were given up and have not ended yet; kept alive until they have."""


@dataclass(slots=True, kw_only=True)
class Journey:
    """One call with its stand-ins: what it may use, and what it has used."""

    scope: Collection[str]
    role: str | None
    until: float | None
    """When all of it must be over, on the desk's clock; None is no deadline."""
    spend: Callable[[], bool] | None
    approved: Callable[[ToolCall], bool] | None
    emit: Callable[[ToolCalled], None] | None
    visible: Callable[[], tuple[str, ...]]
    """Tools that the role may see; asked for only by a refusal."""
    attempts: int = 0
    tried: list[str] = field(default_factory=list)

    def ran(self, name: str) -> None:
        """Count one attempt."""
        self.attempts += 1
        if name not in self.tried:
            self.tried.append(name)


@dataclass(slots=True, kw_only=True)
class Step:
    """One tool of a journey."""

    tool: Tool
    spec: ToolSpec
    call: ToolCall
    journey: Journey
    desk: Desk
    source: Source
    stands_in_for: str = ""
    """The tool that failed before; empty where this one was asked for."""
    attempts: int = 0
    """Times that this tool was really run."""
    trial: bool = False
    """True where the breaker is half open: one attempt, which decides."""
    probe: bool = False
    """True where the tool is not called for a task but to see whether its source is back."""
    cache: CacheUse = "off"

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the journey's deadline, at least 0; None is no deadline."""
        until = self.journey.until
        return None if until is None else max(0.0, until - self.desk.clock())


Next = Callable[[Step], Awaitable[ToolOutcome]]
"""What stands behind a behaviour."""
Behaviour = Callable[[Step, Next], Awaitable[ToolOutcome]]
"""One thing that the dispatcher does: before, around or after what stands behind it."""
