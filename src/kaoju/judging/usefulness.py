"""The order in which evidence is useful: for the reader, and for a composer that takes only the first few.

Pure. Each task ranks its own evidence by score; scores of one query are not
scores of another, so tasks are merged by turns of quality, and one document's
second passage waits behind other documents' first ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from kaoju.model.evidence import Evidence
from kaoju.model.plan import Plan

REPEAT_PENALTY = 0.8
"""Factor on the score of each further passage of a document already taken."""


def by_usefulness(plan: Plan, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return all evidence, most useful first; ties keep the order of arrival."""
    del plan
    left = sorted(evidence, key=lambda piece: -piece.score)
    taken: dict[str, int] = {}
    scored = []
    for piece in left:
        nth = taken.get(piece.document_id, 0)
        taken[piece.document_id] = nth + 1
        scored.append((piece.score * REPEAT_PENALTY**nth, piece))
    return tuple(piece for _, piece in sorted(scored, key=lambda pair: -pair[0]))
