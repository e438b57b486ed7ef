"""The order in which evidence is useful: for the reader, and for a composer that takes only the first few.

Pure. Pieces are taken one by one: the best score first, then each time the
piece with the best score plus what it adds of the question's words that the
ones before it did not carry. A further passage of a document waits behind
other documents' first ones.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from kaoju.language.segment import terms
from kaoju.model.evidence import Evidence
from kaoju.model.question import Question

NEW_WORDS: Final = 0.8
"""Weight of newly carried words, beside a score in [0, 1]. Recall rises up to about here and then stays,
on hotpotqa_dev, musique_dev and multihop_rag."""
REPEAT_PENALTY: Final = 0.8
"""Factor on the score of each further passage of a document already taken."""
CANDIDATES: Final = 40
"""Pieces that are weighed against each other; the rest follow by score."""


def by_usefulness(question: Question, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return all evidence, most useful first; ties keep the order of arrival."""
    ranked = sorted(evidence, key=lambda piece: -piece.score)
    near, far = ranked[:CANDIDATES], ranked[CANDIDATES:]
    words = [frozenset(terms(f"{p.title} {p.locator.section} {p.text}")) for p in near]
    held = Counter(word for piece in words for word in piece)
    weights = {word: math.log(1 + len(near) / held[word]) for word in set(terms(question.text)) if held[word]}
    total = sum(weights.values())
    left = list(range(len(near)))
    open_words = set(weights)
    taken: Counter[str] = Counter()
    order: list[Evidence] = []
    while left:
        worths = {}
        for index in left:
            fresh = sum(weights[word] for word in open_words & words[index])
            gain = NEW_WORDS * fresh / total if total else 0.0
            worths[index] = (near[index].score + gain) * REPEAT_PENALTY ** taken[near[index].document_id]
        best = max(worths, key=lambda index: (worths[index], -index))
        left.remove(best)
        order.append(near[best])
        open_words -= words[best]
        taken[near[best].document_id] += 1
    return (*order, *far)
