"""The order in which evidence is useful: for the reader, and for a composer that takes only the first few.

Pure. By score, which each task's weight has made comparable; a further passage
of a document waits behind other documents' first ones. Rewarding passages for
words of the question that those before them lack was tried: it helped chains
of hops and hurt questions over many similar articles, and was left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from kaoju.model.evidence import Evidence

REPEAT_PENALTY: Final = 0.8
"""Factor on the score of each further passage of a document already taken."""


def by_usefulness(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return all evidence, most useful first; ties keep the order of arrival."""
    taken: Counter[str] = Counter()
    worth: list[tuple[float, Evidence]] = []
    for piece in sorted(evidence, key=lambda piece: -piece.score):
        worth.append((piece.score * REPEAT_PENALTY ** taken[piece.document_id], piece))
        taken[piece.document_id] += 1
    return tuple(piece for _, piece in sorted(worth, key=lambda pair: -pair[0]))
