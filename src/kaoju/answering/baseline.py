"""Plain RAG's composition: one go at the top passages, cited, unchecked. The baseline to measure against.

Promises: the same excerpts, prompt and numbering as the real pipeline, so that
what differs is planning, sufficiency and verification alone. Refuses: using
any of those.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kaoju.answering import write
from kaoju.answering.citations import joined, number, without_markers
from kaoju.answering.selection import Similarity, rank
from kaoju.answering.units import units_of
from kaoju.language.asking import read
from kaoju.llm.chat import ChatModel
from kaoju.model.answer import Claim, Draft, DraftClaim, Verified
from kaoju.model.evidence import Evidence
from kaoju.model.plan import Need, Plan
from kaoju.model.question import Question
from kaoju.model.verdict import NeedVerdict, Sufficiency

TOP: Final = 5
"""Passages that plain RAG composes from."""


async def compose(
    question: Question,
    plan: Plan,
    evidence: Sequence[Evidence],
    *,
    model: ChatModel | None = None,
    similarity: Similarity | None = None,
) -> Draft:
    """Compose once from the best passages: with the model where there is one, else the single best sentence.

    Raises:
        ModelError: the model gave no usable reply.
    """
    top = sorted(evidence, key=lambda piece: -piece.score)[:TOP]
    if model is not None:
        return await write.compose(
            question, plan, top, taken_as_sufficient(plan), model=model, similarity=similarity
        )
    need = plan.needs[0] if plan.needs else Need(id="", text=question.text)
    ranked = rank(read(need.text, need.anchors), units_of(top), similarity)
    claims = tuple(
        DraftClaim(text=item.unit.text, evidence_ids=(item.unit.evidence_id,), need_id=need.id)
        for item in ranked[:1]
    )
    return Draft(claims=claims, writer="extractive", insufficient=not claims)


def taken_as_sufficient(plan: Plan) -> Sufficiency:
    """Return the verdict that plain RAG implies: whatever was found is enough."""
    needs = tuple(
        NeedVerdict(need_id=need.id, coverage="covered", confidence=1.0, reason="") for need in plan.needs
    )
    return Sufficiency(needs=needs, confidence=1.0)


def unchecked(draft: Draft, question: Question, plan: Plan, evidence: Sequence[Evidence]) -> Verified:
    """Return the draft as it would leave without verification, citations numbered.

    A claim cites the nearest sentence of each piece that it names; nothing was
    checked, so its confidence is that of the draft alone.
    """
    units = {piece.id: units_of((piece,)) for piece in evidence}
    asked = [read(without_markers(claim.text)) for claim in draft.claims]
    carrying = [
        [rank(about, units[i])[0].unit for i in claim.evidence_ids if units.get(i)]
        for claim, about in zip(draft.claims, asked, strict=True)
    ]
    numbered = number(carrying, evidence)
    claims = tuple(
        Claim(text=without_markers(claim.text), citations=citations, verdict="supported", confidence=0.5)
        for claim, citations in zip(draft.claims, numbered.by_claim, strict=True)
    )
    return Verified(
        text=joined([(claim.text, claim.citations) for claim in claims], question.language),
        claims=claims,
        stopped=(),
        citations=numbered.citations,
        uncovered=() if claims else tuple(need.id for need in plan.needs),
        confidence=0.5 if claims else 0.0,
    )
