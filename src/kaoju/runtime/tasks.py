"""Running the tasks of one round: bind, dispatch, reflect, and take the evidence in.

Each task moves through the transition table of `kaoju.model.plan`; an illegal
move is an error that names both states. A task's failure is a result, never an
exception: the rest of the graph goes on. Evidence is numbered in the order of
the plan once the round is over, so that the race of its tasks leaves no trace.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from kaoju.errors import KaojuError
from kaoju.judging.reflect import reflect
from kaoju.language.instructions import find_instructions
from kaoju.model.answer import TaskReport
from kaoju.model.event import TaskFinished, TaskStarted
from kaoju.model.evidence import JSON, Evidence
from kaoju.model.plan import TRANSITIONS, Task, TaskState
from kaoju.model.tool import NeedsApproval, Succeeded, ToolCall, ToolOutcome
from kaoju.planning.fields import arguments_of
from kaoju.planning.hops import bind
from kaoju.runtime.context import RunContext
from kaoju.runtime.scheduler import run_graph

MAX_QUOTED: Final = 120
"""Characters of a text that gives orders, as the reader sees them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskResult:
    """How one task ended."""

    task: Task
    """With its query bound."""
    state: TaskState
    evidence: tuple[Evidence, ...] = ()
    attempts: int = 0
    confidence: float = 0.0
    detail: str = ""
    """Failure or doubt in one sentence; empty when all is well."""
    outcome: ToolOutcome | None = None
    """None where no call was made."""

    def report(self) -> TaskReport:
        """Return the reader's view."""
        return TaskReport(
            id=self.task.id,
            purpose=self.task.purpose,
            tool=self.task.tool,
            query=self.task.query,
            arguments=dict(self.task.arguments),
            depends_on=self.task.depends_on,
            state=self.state,
            attempts=self.attempts,
            confidence=self.confidence,
            evidence=len(self.evidence),
        )


def advance(state: TaskState, to: TaskState) -> TaskState:
    """Return `to` where the table allows the move.

    Raises:
        KaojuError: the move is illegal; names both states.
    """
    if to not in TRANSITIONS[state]:
        raise KaojuError(f"a task cannot go from {state} to {to}", f"任务不能从 {state} 变为 {to}")
    return to


async def run_tasks(
    ctx: RunContext, tasks: tuple[Task, ...], earlier: Mapping[str, TaskResult]
) -> dict[str, TaskResult]:
    """Run tasks as a dataflow graph.

    Args:
        ctx: the run.
        tasks: the new tasks of a round; they may depend on each other and on earlier ones.
        earlier: results of former rounds, by task id.

    Returns:
        Task id -> result, for the new tasks.
    """
    by_id = {task.id: task for task in tasks}
    dependencies = {task.id: tuple(d for d in task.depends_on if d in by_id) for task in tasks}

    async def run(task_id: str, parents: Mapping[str, TaskResult]) -> TaskResult:
        task = by_id[task_id]
        known = {**parents, **{d: earlier[d] for d in task.depends_on if d in earlier}}
        return await _run_task(ctx, task, known)

    ended = await run_graph(dependencies, run)
    for result in ended.values():
        _report_orders(ctx, result.evidence)
    return {
        task.id: replace(
            ended[task.id],
            evidence=ctx.pool.add(ended[task.id].evidence, task_id=task.id, weight=task.weight),
        )
        for task in tasks
    }


def _report_orders(ctx: RunContext, evidence: tuple[Evidence, ...]) -> None:
    """Say where what was found gives orders to the assistant: it is data, and the reader may want to know."""
    for piece in evidence:
        orders = find_instructions(piece.text)
        if orders:
            source = piece.title or piece.document_id
            said = orders[0].text.strip()[:MAX_QUOTED]
            ctx.note(
                ctx.say(
                    f"{source} holds text that gives orders to the assistant; it was read as data only: “{said}”",
                    f"{source} 中含有对助手下达指令的文字，仅作为资料处理，未予执行：“{said}”",
                )
            )


async def _run_task(ctx: RunContext, task: Task, parents: Mapping[str, TaskResult]) -> TaskResult:
    bound = bind(
        task,
        {parent: result.evidence for parent, result in parents.items()},
        {parent: result.task.query for parent, result in parents.items()},
    )
    if bound is None:
        detail = ctx.say(
            "nothing to go on from: the task before it found nothing", "前一任务没有找到可供继续的内容"
        )
        return _finish(
            ctx, TaskResult(task=task, state=advance(TaskState.PENDING, TaskState.SKIPPED), detail=detail)
        )
    state = advance(TaskState.PENDING, TaskState.RUNNING)
    ctx.emit(TaskStarted(run_id=ctx.run_id, task=bound))
    ctx.pool.remember_query(bound.tool, bound.query)
    call = ToolCall(
        run_id=ctx.run_id,
        task_id=bound.id,
        attempt=1,
        tool=bound.tool,
        arguments={**_width(ctx, bound), **_arguments(ctx, bound)},
        asked_on=ctx.question.now,
    )
    with ctx.tools.running():
        dispatched = await ctx.dispatcher.call(
            call,
            scope=frozenset(ctx.tool_names),
            role=ctx.question.role,
            deadline=ctx.ledger.seconds_left,
            spend=ctx.ledger.spend_step,
            emit=ctx.emit,
        )
    outcome = dispatched.outcome
    reflection = reflect(bound, outcome, dispatched.seconds)
    if isinstance(outcome, Succeeded):
        for text in outcome.notes:
            ctx.note(text)
        result = TaskResult(
            task=bound,
            state=advance(state, TaskState.SUCCEEDED),
            evidence=outcome.evidence,
            attempts=dispatched.attempts,
            confidence=reflection.confidence,
            detail="" if reflection.valid else reflection.reason,
            outcome=outcome,
        )
        answered_by = outcome.tool or bound.tool
        if answered_by != bound.tool:
            ctx.note(
                ctx.say(
                    f"{bound.tool} did not serve; {answered_by} answered in its place",
                    f"{bound.tool} 未能完成，改由 {answered_by} 提供结果",
                )
            )
        return _finish(ctx, result, tool=answered_by)
    if isinstance(outcome, NeedsApproval):
        parked = TaskResult(
            task=bound, state=advance(state, TaskState.NEEDS_REVIEW), detail=outcome.reason, outcome=outcome
        )
        return _finish(ctx, replace(parked, attempts=dispatched.attempts))
    failed = TaskResult(
        task=bound,
        state=advance(state, TaskState.FAILED),
        attempts=dispatched.attempts,
        detail=f"{outcome.code}: {outcome.message}",
        outcome=outcome,
    )
    return _finish(ctx, failed)


def _arguments(ctx: RunContext, task: Task) -> dict[str, JSON]:
    """Return what the tool is called with; a tool that nobody knows is the dispatcher's to refuse."""
    spec = ctx.catalog.tool(task.tool)
    return arguments_of(task, spec) if spec else {**task.arguments, "query": task.query}


def _width(ctx: RunContext, task: Task) -> dict[str, JSON]:
    """Return how many passages a search is to bring, for tools that can be told."""
    spec = ctx.catalog.tool(task.tool)
    known = spec.input_schema.get("properties") if spec else None
    return {"k": ctx.width} if isinstance(known, dict) and "k" in known else {}


def _finish(ctx: RunContext, result: TaskResult, *, tool: str = "") -> TaskResult:
    ctx.emit(
        TaskFinished(
            run_id=ctx.run_id,
            task_id=result.task.id,
            state=result.state,
            tool=tool or result.task.tool,
            evidence=len(result.evidence),
            confidence=result.confidence,
            attempts=result.attempts,
            detail=result.detail,
        )
    )
    return result
