"""How a run ends: status, confidence, intervention index, what is missing, and the text that leaves.

Promises: `answered` only where every need is answered by a claim that held;
what is missing is named; text, claims and citations say the same, so that a
text which states nothing carries no claims, and what was found beside the
question becomes a note. Refuses: looking at evidence again, or softening a
failed claim.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kaoju.answering import explain
from kaoju.model.answer import Answer, AnswerStatus, Claim, Draft, TaskReport, Verified
from kaoju.model.plan import Plan, PlanType, TaskState
from kaoju.model.question import Question
from kaoju.model.verdict import Sufficiency

WEIGHTS: Final = {"missing": 45, "conflict": 30, "stopped": 25}
"""Parts of the intervention index, which they fill to 100 together."""
DOUBT_BELOW: Final = 0.85
"""Answer confidence under which doubt itself asks for a look."""


def decide(
    question: Question,
    *,
    run_id: str,
    plan: Plan,
    rounds: int,
    tasks: Sequence[TaskReport],
    sufficiency: Sufficiency,
    draft: Draft,
    verified: Verified,
    notes: Sequence[str] = (),
) -> Answer:
    """Return the answer of a run.

    Args:
        question: what was asked.
        run_id: the run's id.
        plan: the whole plan, later rounds included.
        rounds: retrieval rounds that were run.
        tasks: how each task went.
        sufficiency: the verdict on the evidence.
        draft: what the writer proposed.
        verified: what of it held.
        notes: what the reader should know, in order.
    """
    language = question.language
    missing = _missing(plan, sufficiency, verified)
    status = _status(plan, tasks, verified, missing)
    confidence = _confidence(status, sufficiency, verified)
    gaps = tuple(need.gap for need in sufficiency.gaps if need.gap)
    shown = False
    if plan.reply:
        text = plan.reply
    elif status == "failed":
        failures = [note for note in notes if any(task.tool in note for task in tasks)]
        text = explain.all_failed(language, tasks, failures)
    elif status == "needs_review" and not verified.claims:
        text = explain.waits(language, tasks)
    elif status == "insufficient":
        text = plan.unanswerable or explain.not_known(language, missing or (question.text,), tasks, gaps)
    elif status == "answered":
        text, shown = verified.text, True
    else:
        shown = True
        text = f"{verified.text}\n\n{explain.boundary(language, missing, tasks, gaps)}"
    return Answer(
        run_id=run_id,
        question=question.text,
        status=status,
        language=language,
        answer=text,
        claims=verified.claims if shown else (),
        citations=verified.citations if shown else (),
        missing=missing,
        notes=_notes(question, draft, verified, notes, beside=() if shown else verified.claims),
        confidence=confidence,
        intervention_index=intervention_index(plan, sufficiency, verified, missing, confidence),
        plan=plan,
        rounds=rounds,
        tasks=tuple(tasks),
        sufficiency=sufficiency,
    )


def intervention_index(
    plan: Plan, sufficiency: Sufficiency, verified: Verified, missing: Sequence[str], confidence: float
) -> int:
    """Return 0-100: how much a person should look at this. Under 30 passes, over 70 waits."""
    if plan.reply or plan.unanswerable:
        return 0
    needs = max(1, len(plan.needs))
    checked = len(verified.claims) + len(verified.stopped)
    contradicted = any(need.coverage == "contradicted" for need in sufficiency.needs) or any(
        claim.verdict == "contradicted" for claim in verified.stopped
    )
    index = WEIGHTS["missing"] * min(1.0, len(missing) / needs)
    index += WEIGHTS["conflict"] * contradicted
    index += WEIGHTS["stopped"] * (len(verified.stopped) / checked if checked else 0.0)
    if verified.claims and confidence < DOUBT_BELOW:
        index = max(index, 100 * (1.0 - confidence) / 2)
    return min(100, round(index))


def _missing(plan: Plan, sufficiency: Sufficiency, verified: Verified) -> tuple[str, ...]:
    open_needs = set(verified.uncovered) | {need.need_id for need in sufficiency.gaps}
    return tuple(need.text for need in plan.needs if need.id in open_needs)


def _status(
    plan: Plan, tasks: Sequence[TaskReport], verified: Verified, missing: Sequence[str]
) -> AnswerStatus:
    if plan.unanswerable:
        return "insufficient"
    if plan.type is PlanType.DIRECT and plan.reply:
        return "answered"
    if verified.claims and not missing:
        return "answered"
    if any(task.state is TaskState.NEEDS_REVIEW for task in tasks):
        return "needs_review"
    if verified.claims and len(missing) < len(plan.needs):
        return "partial"
    called = [task for task in tasks if task.state not in {TaskState.PENDING, TaskState.SKIPPED}]
    if called and all(task.state in {TaskState.FAILED, TaskState.CANCELLED} for task in called):
        return "failed"
    return "insufficient"


def _confidence(status: AnswerStatus, sufficiency: Sufficiency, verified: Verified) -> float:
    if status in {"answered", "partial"}:
        if not verified.claims:
            return 1.0
        return round(float((verified.confidence * sufficiency.confidence) ** 0.5), 4)
    return 0.0


def _notes(
    question: Question, draft: Draft, verified: Verified, notes: Sequence[str], *, beside: Sequence[Claim]
) -> tuple[str, ...]:
    """Return all notes; claims that hold `beside` what was asked are named with the documents that state them."""
    sources = {citation.n: citation.document_id for citation in verified.citations}
    found = tuple(
        explain.beside(question.language, claim.text, [sources[n] for n in claim.citations])
        for claim in beside[: explain.MAX_LISTED]
    )
    stopped = tuple(
        explain.say(
            question.language,
            f"已剔除未经证实的说法：“{claim.text}”（{claim.reason}）",
            f'left out, not borne out: "{claim.text}" ({claim.reason})',
        )
        for claim in verified.stopped
    )
    return tuple(dict.fromkeys((*notes, *draft.notes, *found, *stopped)))
