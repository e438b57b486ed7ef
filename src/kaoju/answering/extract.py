"""Answers in the words of the sources: the sentences and rows that answer each need, as they stand.

Promises: every prose claim is an exact slice of a source; rows are told from
typed cells; the only thing added is a comparison of two figures, with both
named, so that it can be computed again. The same evidence gives the same
answer. Refuses: answering a need that the evidence does not cover, and
saying yes or no in its own words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kaoju.answering.compare import comparison
from kaoju.answering.rows import left_out, row_claims
from kaoju.answering.selection import Similarity, choose, rank
from kaoju.answering.units import speaking_of
from kaoju.language.asking import read
from kaoju.model.answer import Draft, DraftClaim
from kaoju.model.evidence import Evidence
from kaoju.model.plan import Need, Plan, PlanType
from kaoju.model.question import Question
from kaoju.model.verdict import Sufficiency

PER_NEED: Final = 3
"""Sentences at most that answer one need."""


def compose(
    question: Question,
    plan: Plan,
    evidence: Sequence[Evidence],
    sufficiency: Sufficiency,
    similarity: Similarity | None = None,
) -> Draft:
    """Compose from the evidence alone, without a model.

    Args:
        question: what was asked.
        plan: its type and needs.
        evidence: everything found, most useful first.
        sufficiency: which needs the evidence covers.
        similarity: closeness in meaning of a text with several others, where an embedder is at hand.
    """
    claims: list[DraftClaim] = []
    notes: list[str] = []
    covered = {verdict.need_id: verdict for verdict in sufficiency.needs if verdict.coverage == "covered"}
    for need in plan.needs:
        if need.id not in covered:
            continue
        wanted = covered[need.id].evidence_ids
        pieces = sorted(
            (piece for piece in evidence if piece.id in wanted), key=lambda piece: wanted.index(piece.id)
        )
        claims.extend(_for_need(question, need, pieces or list(evidence), notes, similarity))
    if not plan.needs:
        claims.extend(_values(evidence))
    if plan.type is PlanType.COMPARE and len(plan.needs) > 1:
        compared = comparison(question, plan.needs, claims)
        if compared is not None:
            claims.append(compared)
    return Draft(claims=_distinct(claims), writer="extractive", notes=tuple(notes), insufficient=not claims)


def _for_need(
    question: Question,
    need: Need,
    pieces: Sequence[Evidence],
    notes: list[str],
    similarity: Similarity | None,
) -> list[DraftClaim]:
    tables = [piece for piece in pieces if piece.kind == "rows" and piece.rows]
    if tables:
        note = left_out(tables[0], question.language)
        if note:
            notes.append(note)
        return list(row_claims(tables[0], need.id, question.language))
    values = [piece for piece in pieces if piece.kind == "value"]
    if values:
        return [DraftClaim(text=values[0].text, evidence_ids=(values[0].id,), need_id=need.id)]
    asked = read(need.text, need.anchors)
    ranked = rank(asked, speaking_of(need, pieces), similarity)
    return [
        DraftClaim(text=item.unit.text, evidence_ids=(item.unit.evidence_id,), need_id=need.id)
        for item in choose(asked, ranked, PER_NEED)
    ]


def _values(evidence: Sequence[Evidence]) -> list[DraftClaim]:
    return [
        DraftClaim(text=piece.text, evidence_ids=(piece.id,)) for piece in evidence if piece.kind == "value"
    ]


def _distinct(claims: Sequence[DraftClaim]) -> tuple[DraftClaim, ...]:
    """Return claims without repeats; a sentence that answers two needs is kept for both by its own claim."""
    kept: dict[tuple[str, str], DraftClaim] = {}
    for claim in claims:
        kept.setdefault((claim.text, claim.need_id), claim)
    return tuple(kept.values())
