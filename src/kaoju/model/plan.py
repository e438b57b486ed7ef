"""Plans: what must be known, and the tasks that find it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from kaoju.model.evidence import JSON


class PlanType(StrEnum):
    """How a question is attacked."""

    DIRECT = "direct"
    """No search: calculation, greeting, or a question that cannot have an answer."""
    SINGLE = "single"
    DECOMPOSE = "decompose"
    COMPARE = "compare"
    VERIFY = "verify"
    MULTI_HOP = "multi_hop"
    AGGREGATE = "aggregate"
    GOAL = "goal"


class TaskState(StrEnum):
    """Where a task stands; `TRANSITIONS` says which moves are legal."""

    PENDING = "PENDING"
    RUNNING = "RUNNING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    NEEDS_REVIEW = "NEEDS_REVIEW"
    CANCELLED = "CANCELLED"
    SKIPPED = "SKIPPED"


TRANSITIONS: Mapping[TaskState, frozenset[TaskState]] = {
    TaskState.PENDING: frozenset({TaskState.RUNNING, TaskState.SKIPPED, TaskState.CANCELLED}),
    TaskState.RUNNING: frozenset(
        {TaskState.SUCCEEDED, TaskState.FAILED, TaskState.NEEDS_REVIEW, TaskState.CANCELLED}
    ),
    TaskState.FAILED: frozenset({TaskState.RUNNING}),
    TaskState.SUCCEEDED: frozenset({TaskState.NEEDS_REVIEW}),
    TaskState.NEEDS_REVIEW: frozenset(
        {TaskState.RUNNING, TaskState.SUCCEEDED, TaskState.FAILED, TaskState.CANCELLED}
    ),
    TaskState.CANCELLED: frozenset(),
    TaskState.SKIPPED: frozenset(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One thing that must be known before the question is answered."""

    id: str
    """`n1`, `n2`, ..."""
    text: str
    """The need as a self-contained question or phrase, in the question's language."""
    anchors: tuple[str, ...] = ()
    """Names, codes and time expressions that evidence for it has to mention."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One atomic information need, one tool, one call."""

    id: str
    """`t1`, `t2`, ..."""
    purpose: str
    """Why, in the question's language, for a reader."""
    tool: str
    query: str
    """Self-contained. `{t1}` stands for what task t1 found and is bound before the call."""
    arguments: Mapping[str, JSON] = field(default_factory=dict)
    """Further arguments of the tool, beside `query`."""
    depends_on: tuple[str, ...] = ()
    need: str = ""
    """Id of the need it serves; empty for helper tasks."""
    weight: float = 1.0
    """What its findings' scores count beside those of a search for the whole question."""
    reason: str = ""
    """Why this tool, in the question's language; empty for tasks of later rounds."""


PlanOrigin = Literal["rules", "model", "repaired", "fallback", "simple"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A validated DAG of tasks. An empty plan is legal only for type `direct`."""

    type: PlanType
    tasks: tuple[Task, ...]
    needs: tuple[Need, ...]
    origin: PlanOrigin = "rules"
    notes: tuple[str, ...] = ()
    """What happened on the way: parsed out of chatter, repaired, fell back, merged."""
    unanswerable: str = ""
    """Why no search can answer it (future value, opinion); empty otherwise."""
    reply: str = ""
    """For type direct: the literal reply of a rule (greeting), empty otherwise."""
