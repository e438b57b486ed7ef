"""Everything that can happen in a run, in the order in which a reader sees it.

Events are values: a surface prints them, a journal stores them, and the last
one of every run is `Answered`. `kind` is the stable name of each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from kaoju.model.answer import Answer, Claim
from kaoju.model.failure import FailureCode
from kaoju.model.plan import Plan, Task, TaskState
from kaoju.model.tool import BreakerPhase
from kaoju.model.verdict import Sufficiency

CacheUse = Literal["off", "hit", "miss", "failed"]
"""What the reply cache did for a call; `failed` is a cache that broke, which costs the call nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted:
    """A run begins."""

    kind: ClassVar[str] = "run_started"
    run_id: str
    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A plan is ready, or new tasks were added to it in a later round."""

    kind: ClassVar[str] = "planned"
    run_id: str
    round: int
    """1 for the first plan."""
    plan: Plan
    """The whole plan so far."""
    new_tasks: tuple[Task, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskStarted:
    """A task's dependencies are done and its call begins."""

    kind: ClassVar[str] = "task_started"
    run_id: str
    task: Task
    """With its query bound to what earlier tasks found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCalled:
    """A tool was called on behalf of a task, refused, answered from the cache, or probed."""

    kind: ClassVar[str] = "tool_called"
    run_id: str
    task_id: str
    tool: str
    outcome: Literal["OK", "NEEDS_APPROVAL"] | FailureCode
    evidence: int
    attempts: int
    """Times that the tool was really run; 0 for a refusal or a reply of the cache."""
    seconds: float
    cache: CacheUse
    breaker: BreakerPhase
    """Once the call was over."""
    stands_in_for: str = ""
    """The tool that failed before; empty where this one was asked for."""
    probe: bool = False
    """True where it was not called for a task but to see whether the source is back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskFinished:
    """A task reached a terminal state."""

    kind: ClassVar[str] = "task_finished"
    run_id: str
    task_id: str
    state: TaskState
    tool: str
    """The tool that really answered."""
    evidence: int
    confidence: float
    attempts: int
    detail: str
    """Failure or reflection in one sentence; empty when all is well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The evidence was weighed after a round."""

    kind: ClassVar[str] = "judged"
    run_id: str
    round: int
    sufficiency: Sufficiency


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A draft was verified: what may leave and what was stopped."""

    kind: ClassVar[str] = "checked"
    run_id: str
    writer: str
    supported: tuple[Claim, ...]
    stopped: tuple[Claim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """Something the reader should know: a degraded model, a spent budget."""

    kind: ClassVar[str] = "noted"
    run_id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The run is over."""

    kind: ClassVar[str] = "answered"
    run_id: str
    answer: Answer


Event = RunStarted | Planned | TaskStarted | ToolCalled | TaskFinished | Judged | Checked | Noted | Answered
