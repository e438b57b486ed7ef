"""Nothing leaves that the evidence does not carry.

Each claim of a draft is judged against what it cites; where that does not
carry it, against all evidence, and it is cited anew where another piece does.
What fails is dropped with its reason, never reworded. A need counts as covered
only by a surviving claim that says more than the question did. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kaoju.answering.citations import joined, number, without_markers
from kaoju.answering.compare import comparison
from kaoju.answering.explain import say
from kaoju.answering.support import Check, check_claim
from kaoju.answering.units import Unit, speaking_of
from kaoju.language.asking import Asked, anchor_coverage, coverage, has_word, read
from kaoju.language.normalise import normalise
from kaoju.language.segment import terms
from kaoju.model.answer import Claim, Draft, DraftClaim, Verified
from kaoju.model.evidence import Evidence
from kaoju.model.plan import Need, Plan, PlanType
from kaoju.model.question import Question

MOST: Final = 0.5
"""Share of a need's words from which a claim that was written for another need speaks of it too."""
OTHERS: Final = 6
"""Uncited pieces that a failed claim is held against, the likeliest first."""


def verify(draft: Draft, question: Question, plan: Plan, evidence: Sequence[Evidence]) -> Verified:
    """Check a draft.

    Args:
        draft: what a writer proposes.
        question: what was asked.
        plan: its needs.
        evidence: everything found in this run.

    Returns:
        The surviving claims with numbered citations, what was stopped and why,
        and the needs that nothing covers.
    """
    kept: list[tuple[DraftClaim, Check]] = []
    stopped: list[Claim] = []
    served: list[tuple[str, str]] = []
    seen: dict[str, bool] = {}
    for claim in draft.claims:
        claim_text = without_markers(claim.text)
        key = normalise(claim_text)
        if not key:
            continue
        if key in seen:
            if seen[key]:
                served.append((claim.need_id, claim_text))
            continue
        check = _checked(claim, claim_text, question, plan, evidence)
        seen[key] = check.verdict == "supported"
        if seen[key]:
            kept.append((claim, check))
            served.append((claim.need_id, claim_text))
        else:
            stopped.append(
                Claim(
                    text=claim_text,
                    citations=(),
                    verdict=check.verdict,
                    confidence=check.confidence,
                    reason=check.reason,
                )
            )
    numbered = number([check.units for _, check in kept], evidence)
    claims = tuple(
        Claim(
            text=without_markers(claim.text),
            citations=citations,
            verdict="supported",
            confidence=check.confidence,
            reason=check.reason,
        )
        for (claim, check), citations in zip(kept, numbered.by_claim, strict=True)
    )
    return Verified(
        text=joined([(claim.text, claim.citations) for claim in claims], question.language),
        claims=claims,
        stopped=tuple(stopped),
        citations=numbered.citations,
        uncovered=_uncovered(served, question, plan),
        confidence=_confidence(claims, stopped),
    )


def _checked(
    claim: DraftClaim, text: str, question: Question, plan: Plan, evidence: Sequence[Evidence]
) -> Check:
    """Judge a claim by what it cites, then by what it could have cited; a comparison by its two sides."""
    if claim.parts:
        return _compared(claim, text, question, plan, evidence)
    cited = [piece for piece in evidence if piece.id in claim.evidence_ids]
    first = check_claim(text, cited, now=question.now, language=question.language)
    if first.verdict == "supported":
        return first
    asked = read(text)
    others = [piece for piece in evidence if piece.id not in claim.evidence_ids]
    others.sort(key=lambda piece: -coverage(asked, normalise(piece.text)))
    for tried in (*((piece,) for piece in others[:OTHERS]), (*cited, *others[:OTHERS])):
        again = check_claim(text, tried, now=question.now, language=question.language)
        if again.verdict == "supported":
            return again
    if first.units or not others:
        return first
    nearest = check_claim(text, others[:1], now=question.now, language=question.language)
    note = say(question.language, "没有注明出处；", "no source was given; ")
    return Check(verdict=nearest.verdict, confidence=nearest.confidence, reason=note + nearest.reason)


def _compared(
    claim: DraftClaim, text: str, question: Question, plan: Plan, evidence: Sequence[Evidence]
) -> Check:
    """Judge a comparison: both sides stand where they are cited, speak of what their need names, and compare as said."""
    units: tuple[Unit, ...] = ()
    confidence = 1.0
    for part in claim.parts:
        cited = [piece for piece in evidence if piece.id in part.evidence_ids]
        need = next((need for need in plan.needs if need.id == part.need_id), None)
        check = check_claim(without_markers(part.text), cited, now=question.now, language=question.language)
        if check.verdict != "supported":
            return check
        if need is not None and not set(check.units) & set(speaking_of(need, evidence)):
            reason = say(
                question.language, f"“{part.text}”说的是别的事", f'"{part.text}" is about something else'
            )
            return Check(verdict="contradicted", confidence=0.8, reason=reason, units=check.units)
        confidence = min(confidence, check.confidence)
        units += check.units
    again = comparison(question, plan.needs, claim.parts)
    if again is None or again.text != text:
        reason = say(question.language, "重新比较得不出这一结论", "comparing again does not give this")
        return Check(verdict="unsupported", confidence=0.9, reason=reason, units=units)
    return Check(verdict="supported", confidence=confidence, units=tuple(dict.fromkeys(units)))


def _uncovered(served: Sequence[tuple[str, str]], question: Question, plan: Plan) -> tuple[str, ...]:
    """Return the needs that no surviving claim answers, given (need id, claim) pairs.

    One claim may answer several needs. What only led to the answer (who the
    leader is, where the leader's office was asked) need not be said again
    where the answer itself is there.
    """
    open_needs = []
    for need in plan.needs:
        mine = [
            text
            for need_id, text in served
            if need_id == need.id or (not need_id and len(plan.needs) == 1) or _speaks_of(text, need)
        ]
        if not any(_adds(text, question, need, plan) for text in mine):
            open_needs.append(need.id)
    on_the_way = _steps(plan)
    if served and all(need_id in on_the_way for need_id in open_needs):
        return ()
    return tuple(open_needs)


def _speaks_of(claim: str, need: Need) -> bool:
    """Return whether a claim names what a need names, and carries most of its words."""
    asked, text = read(need.text, need.anchors), normalise(claim)
    named = not need.anchors or anchor_coverage(asked, text) == 1.0
    return named and coverage(asked, text) >= MOST


def _steps(plan: Plan) -> frozenset[str]:
    """Return the needs whose tasks only serve another need's task."""
    needed_by = {parent: task.need for task in plan.tasks if task.need for parent in task.depends_on}
    return frozenset(
        task.need for task in plan.tasks if task.need and needed_by.get(task.id, task.need) != task.need
    )


def _adds(claim: str, question: Question, need: Need, plan: Plan) -> bool:
    """Return whether a claim says more than the question; to confirm what was asked is enough for yes and no."""
    asked: Asked = read(need.text)
    if asked.kind == "yes_no" or plan.type is PlanType.VERIFY:
        return True
    known = normalise(f"{question.text} {need.text}")
    stems = set(terms(known))
    return any(not has_word(word, known, stems) for word in terms(normalise(claim)))


def _confidence(claims: Sequence[Claim], stopped: Sequence[Claim]) -> float:
    """Return how much the surviving claims are worth together: the weakest one, less for what was stopped."""
    if not claims:
        return 0.0
    weakest = min(claim.confidence for claim in claims)
    return round(weakest * (1.0 - 0.3 * len(stopped) / (len(claims) + len(stopped))), 4)
