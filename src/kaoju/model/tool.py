"""Tools as contracts, and what a call may come back as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from kaoju.model.evidence import JSON, Evidence
from kaoju.model.failure import FailureCode

Risk = Literal["read", "write", "irreversible"]
Idempotency = Literal["natural", "key", "none"]
CacheMode = Literal["none", "exact", "semantic"]
BreakerPhase = Literal["closed", "open", "half_open"]
"""Calls pass; calls are refused; one call or probe tries whether the source is back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fallback:
    """A tool that stands in for a failing one."""

    tool: str
    arguments: Mapping[str, str] = field(default_factory=dict)
    """Argument of the stand-in -> argument of the failing call that it takes; `query` alone where empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CachePolicy:
    """Whether an earlier reply may serve again."""

    mode: CacheMode = "none"
    """`exact`: same arguments; `semantic`: also a paraphrase whose facets are all the same."""
    ttl_seconds: float | None = None
    """None keeps it until what it came from changes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """The call that tells whether a source is back."""

    arguments: Mapping[str, JSON] = field(default_factory=dict)
    interval_seconds: float = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakerRule:
    """When a failing source is left alone, and for how long."""

    failures: int = 3
    """Calls in a row (each with all its attempts) that must fail."""
    rest_seconds: float = 30.0
    """Pause before the next trial, where the contract names no probe with an interval of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfidenceRule:
    """How far a reply of the tool is to be trusted."""

    ceiling: float = 1.0
    """No reply counts for more."""
    field: str = ""
    """Dotted path of a number in the reply that states its own confidence; none where empty."""
    scale: float = 1.0
    """The value of that field which means certainty, for example 100."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """The contract of one tool."""

    name: str
    description: str
    use_for: str
    not_for: str
    input_schema: Mapping[str, JSON]
    """JSON Schema (object) of the arguments, `query` included."""
    returns: str = ""
    """What comes back, in one sentence."""
    output_schema: Mapping[str, JSON] | None = None
    """JSON Schema of the raw reply, for tools that get one from outside; None where evidence is made at once."""
    examples: tuple[Mapping[str, JSON], ...] = ()
    version: str = "1"
    """Replies of one version never serve another."""
    kind: str = "builtin"
    source: str = ""
    """File and line of the contract; empty for tools made in Python."""
    timeout_seconds: float = 30.0
    attempts: int = 3
    """Calls at most in all, the first included."""
    backoff_seconds: float = 0.05
    """Pause before the second attempt; it doubles, with jitter."""
    concurrency: int | None = None
    """Calls at one time at most; None is no limit."""
    rate_per_second: float | None = None
    fallback: tuple[Fallback, ...] = ()
    """Tools to try in order once the attempts are spent."""
    roles: frozenset[str] | None = None
    """Roles that may call it; None is everybody."""
    risk: Risk = "read"
    idempotency: Idempotency | None = None
    """Whether a call may be repeated after its reply was lost: always, with the call's key, or never."""
    cache: CachePolicy = CachePolicy()
    probe: Probe | None = None
    breaker: BreakerRule = BreakerRule()
    confidence: ConfidenceRule = ConfidenceRule()

    @property
    def repeats(self) -> Idempotency:
        """Return the idempotency in force: as stated, else natural for reads and none for the rest."""
        return self.idempotency or ("natural" if self.risk == "read" else "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One attempt at one task."""

    run_id: str
    task_id: str
    attempt: int
    """1-based."""
    tool: str
    arguments: Mapping[str, JSON]
    asked_on: date | None = None
    """Reference date of the run: relative times count from it; None is today."""

    @property
    def key(self) -> str:
        """Return the idempotency key: the same for every attempt at the task."""
        return f"{self.run_id}:{self.task_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Succeeded:
    """The call came back; `evidence` may be empty, which is a finding, not a failure."""

    evidence: tuple[Evidence, ...]
    confidence: float = 1.0
    notes: tuple[str, ...] = ()
    tool: str = ""
    """The tool that really answered (a fallback differs from the task's)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The call did not come back with a usable result."""

    code: FailureCode
    message: str
    retryable: bool
    suggestion: str = ""
    field: str = ""
    """The argument at fault, where one is."""
    expected: str = ""
    allowed: tuple[str, ...] = ()
    tool: str = ""
    retry_after_seconds: float | None = None
    """Pause that the source itself asks for; None where it names none."""
    unsent: bool = False
    """True where the tool knows that nothing reached the source: the call took no effect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsApproval:
    """The call waits for a person."""

    reason: str
    tool: str = ""
    details: Mapping[str, JSON] = field(default_factory=dict)


ToolOutcome = Succeeded | Failed | NeedsApproval
