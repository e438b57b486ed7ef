"""Tools as contracts, and what a call may come back as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from kaoju.model.evidence import JSON, Evidence

FailureCode = Literal[
    "TOOL_UNKNOWN",
    "TOOL_PARAM_INVALID",
    "PERMISSION_DENIED",
    "OUT_OF_SCOPE",
    "TIMEOUT",
    "RATE_LIMITED",
    "UPSTREAM_ERROR",
    "SQL_REFUSED",
    "SQL_ERROR",
    "PARSE_FAILED",
    "OUTPUT_INVALID",
    "NO_PATTERN",
    "BUDGET_SPENT",
    "CANCELLED",
    "INTERNAL",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """The contract of one tool."""

    name: str
    description: str
    use_for: str
    not_for: str
    input_schema: Mapping[str, JSON]
    """JSON Schema (object) of the arguments, `query` included."""
    examples: tuple[Mapping[str, JSON], ...] = ()
    timeout_seconds: float = 30.0
    attempts: int = 3
    """Calls at most in all, the first included."""
    fallback: tuple[str, ...] = ()
    """Tools to try in order once the attempts are spent; they get the same query."""
    roles: frozenset[str] | None = None
    """Roles that may call it; None is everybody."""
    risk: Literal["read", "write", "irreversible"] = "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One attempt at one task."""

    run_id: str
    task_id: str
    attempt: int
    """1-based."""
    tool: str
    arguments: Mapping[str, JSON]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsApproval:
    """The call waits for a person."""

    reason: str
    tool: str = ""
    details: Mapping[str, JSON] = field(default_factory=dict)


ToolOutcome = Succeeded | Failed | NeedsApproval
