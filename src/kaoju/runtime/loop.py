"""The story of a run, from question to answer.

Understand and plan, search, judge, search again, compose from the evidence,
verify, climb down the ladder where something does not hold, decide. Nothing
leaves that verification did not pass.
"""

from __future__ import annotations

from dataclasses import replace

from kaoju.answering import baseline, extract, write
from kaoju.answering.ladder import Rung, next_rung
from kaoju.answering.outcome import decide
from kaoju.answering.verify import verify
from kaoju.errors import ModelError
from kaoju.judging.judge_model import consult
from kaoju.judging.usefulness import by_usefulness
from kaoju.model.answer import Answer, Draft, Timings, Usage, Verified
from kaoju.model.event import Answered, Checked, RunStarted
from kaoju.model.evidence import Evidence
from kaoju.model.question import Pipeline
from kaoju.runtime import research
from kaoju.runtime.context import RunContext
from kaoju.runtime.metering import measuring, union_ms
from kaoju.runtime.simple import simple_plan


async def run(ctx: RunContext, *, pipeline: Pipeline = "agentic") -> Answer:
    """Handle one question.

    Returns:
        The answer, with a legal status within the budget, whatever tools and models did.
    """
    ctx.emit(RunStarted(run_id=ctx.run_id, question=ctx.question.text))
    with ctx.total.running(), measuring(ctx.meter):
        answer = await (_simple(ctx) if pipeline == "simple" else _agentic(ctx))
    answer = _costed(ctx, answer)
    ctx.emit(Answered(run_id=ctx.run_id, answer=answer))
    return answer


async def run_research(ctx: RunContext) -> research.Research:
    """Plan, execute and re-plan without composing."""
    ctx.emit(RunStarted(run_id=ctx.run_id, question=ctx.question.text))
    with measuring(ctx.meter):
        gathering = await research.start(ctx, thorough=True)
        await research.go_on(ctx, gathering)
    return research.summary(ctx, gathering)


async def _agentic(ctx: RunContext) -> Answer:
    gathering = await research.start(ctx)
    await research.go_on(ctx, gathering)
    await _second_opinion(ctx, gathering)
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
        if rung not in (Rung.FETCH, Rung.WIDER) or ctx.ledger.out_of_time:
            break
        if not await research.gather_more(ctx, gathering, unanswered=verified.uncovered):
            break
    return _decided(ctx, research.summary(ctx, gathering), draft, verified)


async def _second_opinion(ctx: RunContext, gathering: research.Gathering) -> None:
    """Ask the judge model, where one is named, about needs that the rules are not sure of."""
    judge_model = await ctx.metered("judge")
    if judge_model is None or not gathering.plan.needs:
        return
    evidence = by_usefulness(research.usable(ctx, gathering.plan))
    judged = await consult(ctx.question, gathering.plan.needs, evidence, gathering.sufficiency, judge_model)
    gathering.sufficiency = judged.sufficiency
    for text in judged.notes:
        ctx.note(text)


async def _compose_and_verify(ctx: RunContext, gathering: research.Gathering) -> tuple[Draft, Verified]:
    """Return the best draft that holds: the model's where there is one, else, or where nothing of it holds, the extractive one."""
    evidence = by_usefulness(research.usable(ctx, gathering.plan))
    writer = await ctx.metered("writer")
    if writer is not None and evidence:
        try:
            draft = await write.compose(
                ctx.question,
                gathering.plan,
                evidence,
                gathering.sufficiency,
                model=writer,
                similarity=ctx.similarity,
            )
        except ModelError as error:
            why = error.say(ctx.question.language)
            ctx.note(ctx.say(f"written without the model: {why}", f"未使用模型撰写：{why}"))
        else:
            verified = _checked(ctx, gathering, draft, evidence)
            if verified.claims or draft.insufficient:
                return draft, verified
            ctx.note(
                ctx.say(
                    "nothing that the model wrote held against the evidence; quoted from the sources instead",
                    "模型写出的内容未能通过证据核查，改为直接引用原文",
                )
            )
    draft = extract.compose(ctx.question, gathering.plan, evidence, gathering.sufficiency, ctx.similarity)
    return draft, _checked(ctx, gathering, draft, evidence)


def _checked(
    ctx: RunContext, gathering: research.Gathering, draft: Draft, evidence: tuple[Evidence, ...]
) -> Verified:
    verified = verify(draft, ctx.question, gathering.plan, evidence)
    ctx.emit(
        Checked(run_id=ctx.run_id, writer=draft.writer, supported=verified.claims, stopped=verified.stopped)
    )
    return verified


async def _simple(ctx: RunContext) -> Answer:
    """Plain RAG: one search, one composition, nothing judged and nothing verified."""
    gathering = await research.start(ctx, given=simple_plan(ctx.question))
    evidence, writer = ctx.pool.evidence, await ctx.metered("writer")
    try:
        draft = await baseline.compose(
            ctx.question, gathering.plan, evidence, model=writer, similarity=ctx.similarity
        )
    except ModelError as error:
        ctx.note(error.say(ctx.question.language))
        draft = await baseline.compose(ctx.question, gathering.plan, evidence, similarity=ctx.similarity)
    verified = baseline.unchecked(draft, ctx.question, gathering.plan, evidence)
    found = replace(
        research.summary(ctx, gathering), sufficiency=baseline.taken_as_sufficient(gathering.plan)
    )
    return _decided(ctx, found, draft, verified)


def _decided(ctx: RunContext, found: research.Research, draft: Draft, verified: Verified) -> Answer:
    return decide(
        ctx.question,
        run_id=ctx.run_id,
        plan=found.plan,
        rounds=found.rounds,
        tasks=found.tasks,
        sufficiency=found.sufficiency,
        draft=draft,
        verified=verified,
        notes=tuple(ctx.notes),
    )


def _costed(ctx: RunContext, answer: Answer) -> Answer:
    """Return the answer with what it consumed."""
    total, outside = union_ms(ctx.total), union_ms(ctx.tools, ctx.meter.watch)
    return replace(
        answer,
        usage=Usage(
            model_calls=ctx.meter.calls,
            prompt_tokens=ctx.meter.prompt_tokens,
            completion_tokens=ctx.meter.completion_tokens,
            tool_calls=ctx.ledger.steps,
        ),
        timings=Timings(
            total_ms=total,
            planning_ms=union_ms(ctx.planning),
            tools_ms=union_ms(ctx.tools),
            model_ms=union_ms(ctx.meter.watch),
            engine_ms=max(0.0, total - outside),
        ),
    )
