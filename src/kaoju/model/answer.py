"""Drafts, claims, citations and the answer that leaves."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from kaoju.model.evidence import Locator
from kaoju.model.plan import Plan, TaskState
from kaoju.model.question import Language
from kaoju.model.verdict import Sufficiency

AnswerStatus = Literal["answered", "partial", "insufficient", "needs_review", "failed", "cancelled"]
ClaimVerdict = Literal["supported", "contradicted", "unsupported"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftClaim:
    """One atomic assertion with the ids of the evidence it rests on."""

    text: str
    evidence_ids: tuple[str, ...]
    need_id: str = ""
    parts: tuple[DraftClaim, ...] = ()
    """The claims that a comparison was made from; it holds where they do and making it again gives the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a writer proposes, before anything is checked."""

    claims: tuple[DraftClaim, ...]
    writer: Literal["extractive", "model"]
    notes: tuple[str, ...] = ()
    insufficient: bool = False
    """True when the writer itself says that the evidence does not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One atomic assertion of the answer with its verdict."""

    text: str
    citations: tuple[int, ...]
    verdict: ClaimVerdict
    confidence: float
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """One numbered source; `quote` stands word for word at `locator`."""

    n: int
    document_id: str
    title: str
    locator: Locator
    quote: str
    task_id: str
    evidence_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """A draft after checking: what may leave, what was stopped and why."""

    text: str
    """The answer with [n] markers; empty when no claim survived."""
    claims: tuple[Claim, ...]
    """Surviving claims."""
    stopped: tuple[Claim, ...]
    """Claims that did not survive, with the reason."""
    citations: tuple[Citation, ...]
    uncovered: tuple[str, ...]
    """Ids of needs that no surviving claim answers."""
    confidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskReport:
    """How one task went, for the reader."""

    id: str
    purpose: str
    tool: str
    query: str
    arguments: dict[str, object]
    depends_on: tuple[str, ...]
    state: TaskState
    attempts: int
    confidence: float
    evidence: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What the run consumed."""

    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    tool_calls: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Timings:
    """Milliseconds of wall time; `engine_ms` is what neither tools nor models took."""

    total_ms: float = 0.0
    planning_ms: float = 0.0
    tools_ms: float = 0.0
    model_ms: float = 0.0
    engine_ms: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the user gets."""

    run_id: str
    question: str
    status: AnswerStatus
    language: Language
    answer: str
    claims: tuple[Claim, ...]
    citations: tuple[Citation, ...]
    missing: tuple[str, ...]
    notes: tuple[str, ...]
    confidence: float
    intervention_index: int
    plan: Plan
    rounds: int
    tasks: tuple[TaskReport, ...]
    usage: Usage = field(default_factory=Usage)
    timings: Timings = field(default_factory=Timings)
    sufficiency: Sufficiency | None = None
