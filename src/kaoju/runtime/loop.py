"""The story of a run, from question to answer.

Understand and plan, search, judge, search again, compose from the evidence,
verify, climb down the ladder where something does not hold, decide. Nothing
leaves that verification did not pass.
"""

from __future__ import annotations

from kaoju.answering import extract, write
from kaoju.answering.ladder import Rung, next_rung
from kaoju.answering.outcome import decide
from kaoju.answering.verify import verify
from kaoju.errors import ModelError
from kaoju.model.answer import Answer, Draft, Timings, Usage, Verified
from kaoju.model.event import Answered, Checked, RunStarted
from kaoju.model.question import Pipeline
from kaoju.runtime import research
from kaoju.runtime.context import RunContext
from kaoju.runtime.metering import union_ms
from kaoju.runtime.simple import simple_draft


async def run(ctx: RunContext, *, pipeline: Pipeline = "agentic") -> Answer:
    """Handle one question.

    Returns:
        The answer, with a legal status within the budget, whatever tools and models did.
    """
    ctx.emit(RunStarted(run_id=ctx.run_id, question=ctx.question.text))
    with ctx.total.running():
        answer = await (_simple(ctx) if pipeline == "simple" else _agentic(ctx))
    answer = _costed(ctx, answer)
    ctx.emit(Answered(run_id=ctx.run_id, answer=answer))
    return answer


async def run_research(ctx: RunContext) -> research.Research:
    """Plan, execute and re-plan without composing."""
    ctx.emit(RunStarted(run_id=ctx.run_id, question=ctx.question.text))
    gathering = await research.start(ctx, thorough=True)
    await research.go_on(ctx, gathering)
    return research.summary(ctx, gathering)


async def _agentic(ctx: RunContext) -> Answer:
    gathering = await research.start(ctx)
    if gathering.plan.reply:
        return decide_directly(ctx, gathering)
    await research.go_on(ctx, gathering)
    climbed = 0
    while True:
        draft, verified = await _compose_and_verify(ctx, gathering)
        rung = next_rung(
            draft,
            verified,
            gathering.sufficiency,
            rounds_left=ctx.ledger.rounds_left,
            steps_left=ctx.ledger.steps_left,
            climbed=climbed,
        )
        climbed += 1
        if rung not in (Rung.FETCH, Rung.WIDER):
            break
        if not await research.gather_more(ctx, gathering, unanswered=verified.uncovered):
            break
    return _decided(ctx, gathering, draft, verified)
