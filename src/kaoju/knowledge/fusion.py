"""Merging what two arms found into one ranking. Pure.

The dense arm stands above the lexical one: `DENSE` and `LEXICAL` are their
weights, and a cosine counts by where it lies in the band that
multilingual-e5-small uses. Weights were chosen on six development sets
together; docs/decisions/0001-hybrid-retrieval.md has the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from kaoju.language.names import find_names

COSINE_FLOOR: Final = 0.75
COSINE_BAND: Final = 0.15
"""Cosines of unrelated texts lie about the floor, those of near-repeats a band above it."""
DENSE: Final = 0.6
LEXICAL: Final = 0.4
CODE_LEXICAL: Final = 0.7
"""Weight of the lexical arm for queries that are mostly codes and quoted names."""
_WEIGHTS: Final = {"semantic": 0.0, "keyword": 1.0, "hybrid": LEXICAL}


@dataclass(frozen=True, slots=True)
class Fused:
    """A chunk's place in the merged ranking."""

    chunk_id: str
    score: float
    """In [0, 1]."""
    semantic: float
    """Cosine with the query."""
    lexical: float
    """Keyword score over the best keyword score of this query, in [0, 1]."""


def fuse(
    cosines: Mapping[str, float], keyword_scores: Mapping[str, float], *, lexical_weight: float = LEXICAL
) -> tuple[Fused, ...]:
    """Return every chunk of either arm, best first.

    Args:
        cosines: chunk id -> cosine; must hold every chunk of `keyword_scores` too.
        keyword_scores: chunk id -> BM25 score, positive.
        lexical_weight: share of the lexical arm; the dense arm has the rest.
    """
    top = max(keyword_scores.values(), default=0.0)
    found = []
    for chunk_id, cosine in cosines.items():
        lexical = keyword_scores.get(chunk_id, 0.0) / top if top > 0 else 0.0
        raw = (1 - lexical_weight) * (cosine - COSINE_FLOOR) / COSINE_BAND + lexical_weight * lexical
        found.append((raw, Fused(chunk_id, min(1.0, max(0.0, raw)), cosine, lexical)))
    return tuple(fused for _, fused in sorted(found, key=lambda pair: (-pair[0], pair[1].chunk_id)))


def lexical_weight(query: str, mode: str) -> float:
    """Return the keyword arm's share: more in mode auto where a query is mostly codes and quoted names."""
    if mode in _WEIGHTS:
        return _WEIGHTS[mode]
    covered = sum(len(name.text) for name in find_names(query) if name.kind in ("code", "quoted"))
    return CODE_LEXICAL if covered and covered * 2 >= len("".join(query.split())) else LEXICAL


def dense_score(cosine: float) -> float:
    """Return a cosine as a score in [0, 1]."""
    return min(1.0, max(0.0, (cosine - COSINE_FLOOR) / COSINE_BAND))
