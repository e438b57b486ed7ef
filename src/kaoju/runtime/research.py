"""The gathering half of a run: plan, execute, judge, and search again where evidence does not suffice.

One shared budget bounds it: rounds, tool calls, tokens and time. It ends when
every need is covered, when nothing new comes, or when the budget is spent, and
says which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from kaoju.judging.moves import Gather, Stop, next_move
from kaoju.judging.standing import in_force
from kaoju.judging.sufficiency import judge
from kaoju.judging.tenure import holding
from kaoju.judging.usefulness import by_usefulness
from kaoju.model.answer import TaskReport
from kaoju.model.event import Judged, Planned
from kaoju.model.evidence import Evidence
from kaoju.model.plan import Plan, PlanType, Task, TaskState
from kaoju.model.verdict import Sufficiency
from kaoju.planning.hops import anchored, bind_needs, follow_ups, link_task
from kaoju.planning.planner import make_plan
from kaoju.runtime.context import RunContext
from kaoju.runtime.tasks import TaskResult, run_tasks

HOPPING = frozenset({PlanType.MULTI_HOP, PlanType.COMPARE, PlanType.VERIFY, PlanType.DECOMPOSE})
"""Plan types whose first round also follows the links of what it finds."""
MAX_NAMED = 3
"""Documents named in a note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Research:
    """What was gathered for a question, and how far it goes."""

    plan: Plan
    """The whole plan, later rounds included."""
    rounds: int
    tasks: tuple[TaskReport, ...]
    evidence: tuple[Evidence, ...]
    """Most useful first."""
    sufficiency: Sufficiency
    notes: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class Gathering:
    """The growing state of one run's research."""

    plan: Plan
    sufficiency: Sufficiency
    results: dict[str, TaskResult] = field(default_factory=dict)
    fruitless: int = 0
    """Rounds in a row that brought no new evidence."""

    @property
    def reports(self) -> tuple[TaskReport, ...]:
        """Every task of the plan, in order; those never started are PENDING or SKIPPED."""
        return tuple(
            self.results[task.id].report() if task.id in self.results else _unstarted(task)
            for task in self.plan.tasks
        )


async def start(ctx: RunContext, *, thorough: bool = False, given: Plan | None = None) -> Gathering:
    """Plan and run the first round.

    Args:
        ctx: the run.
        thorough: also follow links where the plan's type alone would not; for research without composing.
        given: a plan to run instead of making one.
    """
    if given is None:
        with ctx.planning.running():
            planned = await make_plan(ctx.question, ctx.catalog, await ctx.metered("planner"), ctx.limits)
        plan = planned.plan
    else:
        plan = given
    if given is None and (thorough or plan.type in HOPPING):
        if thorough:
            plan = anchored(ctx.question, plan, ctx.tool_names)
        extra = link_task(ctx.question, plan, ctx.tool_names)
        if extra is not None:
            plan = replace(plan, tasks=(*plan.tasks, extra))
    for text in plan.notes:
        ctx.note(text)
    gathering = Gathering(plan=plan, sufficiency=judge(ctx.question, plan.needs, ()))
    if plan.tasks:
        await _round(ctx, gathering, plan.tasks)
    return gathering


async def go_on(ctx: RunContext, gathering: Gathering) -> None:
    """Search again while the judge asks for more and the budget allows."""
    while True:
        move = next_move(
            gathering.sufficiency,
            rounds_left=ctx.ledger.rounds_left,
            steps_left=ctx.ledger.steps_left,
            out_of_time=ctx.ledger.out_of_time,
            fruitless_rounds=gathering.fruitless,
        )
        if isinstance(move, Stop):
            ctx.note(move.say(ctx.question.language))
        if not isinstance(move, Gather) or not await gather_more(ctx, gathering):
            return


async def gather_more(ctx: RunContext, gathering: Gathering, *, unanswered: Sequence[str] = ()) -> bool:
    """Run one more round; False where nothing new can be asked or afforded.

    Args:
        ctx: the run.
        gathering: what there is so far.
        unanswered: needs that verification found unanswered although the evidence seemed to cover them.
    """
    tasks = follow_ups(
        ctx.question,
        gathering.plan,
        ctx.pool.evidence,
        _reopened(gathering.sufficiency, unanswered),
        tools=ctx.tool_names,
        was_asked=ctx.pool.was_asked,
        limit=min(ctx.limits.max_tasks, ctx.ledger.steps_left),
    )
    if not tasks or ctx.ledger.rounds_left <= 0:
        return False
    gathering.plan = replace(gathering.plan, tasks=(*gathering.plan.tasks, *tasks))
    await _round(ctx, gathering, tasks)
    return True


def _reopened(sufficiency: Sufficiency, unanswered: Sequence[str]) -> Sufficiency:
    needs = (
        replace(need, coverage="missing")
        if need.need_id in unanswered and need.coverage == "covered"
        else need
        for need in sufficiency.needs
    )
    return replace(sufficiency, needs=tuple(needs))


async def _round(ctx: RunContext, gathering: Gathering, tasks: Sequence[Task]) -> None:
    if not ctx.ledger.spend_round():
        ctx.note(ctx.say("no search was made: the budget allows no rounds", "预算不允许检索，因此没有搜索"))
        return
    ctx.emit(Planned(run_id=ctx.run_id, round=ctx.ledger.rounds, plan=gathering.plan, new_tasks=tuple(tasks)))
    before = len(ctx.pool)
    gathering.results.update(await run_tasks(ctx, tuple(tasks), gathering.results))
    gathering.fruitless = 0 if len(ctx.pool) > before else gathering.fruitless + 1
    gathering.plan = bind_needs(
        gathering.plan,
        {task_id: result.evidence for task_id, result in gathering.results.items()},
        {task_id: result.task.query for task_id, result in gathering.results.items()},
    )
    gathering.sufficiency = judge(ctx.question, gathering.plan.needs, usable(ctx, gathering.plan))
    ctx.emit(Judged(run_id=ctx.run_id, round=ctx.ledger.rounds, sufficiency=gathering.sufficiency))
    for result in gathering.results.values():
        if result.state is TaskState.FAILED:
            ctx.note(
                ctx.say(
                    f"{result.task.tool} failed: {result.detail}", f"{result.task.tool} 失败：{result.detail}"
                )
            )


def usable(ctx: RunContext, plan: Plan) -> tuple[Evidence, ...]:
    """Return the evidence to judge and to write from: what is in force, or all of it where only that suffices."""
    tenure = holding(ctx.question, ctx.pool.evidence)
    everything = tenure.holding
    if tenure.succeeded and not tenure.past and not judge(ctx.question, plan.needs, everything).sufficient:
        everything = ctx.pool.evidence
    elif tenure.succeeded:
        ctx.note(
            ctx.say(
                f"statements about another time were set aside: {_named(tenure.succeeded)}",
                f"以下资料说的是其他时间的情况，未采用：{_named(tenure.succeeded)}",
            )
        )
    standing = in_force(ctx.question, everything)
    if len(standing) == len(everything) or judge(ctx.question, plan.needs, standing).sufficient:
        return standing
    if not judge(ctx.question, plan.needs, everything).sufficient:
        return standing
    ctx.note(ctx.say("answered from a version that is no longer in force", "依据的是已不再有效的版本"))
    return everything


def _named(pieces: Sequence[Evidence]) -> str:
    return ", ".join(dict.fromkeys(piece.document_id for piece in pieces[:MAX_NAMED]))


def summary(ctx: RunContext, gathering: Gathering) -> Research:
    """Return the research as a value, its evidence in order of usefulness."""
    return Research(
        plan=gathering.plan,
        rounds=ctx.ledger.rounds,
        tasks=gathering.reports,
        evidence=by_usefulness(ctx.pool.evidence),
        sufficiency=gathering.sufficiency,
        notes=tuple(ctx.notes),
    )


def _unstarted(task: Task) -> TaskReport:
    return TaskReport(
        id=task.id,
        purpose=task.purpose,
        tool=task.tool,
        query=task.query,
        arguments=dict(task.arguments),
        depends_on=task.depends_on,
        state=TaskState.PENDING,
        attempts=0,
        confidence=0.0,
        evidence=0,
    )
