"""Merging what two arms found into one ranking. Pure.

Promises: a score in [0, 1] that means the same for every query, so that a
threshold can be set on it. The meaning arm counts a cosine by where it lies in
the band that multilingual-e5-small uses. The word arm counts half by BM25,
saturated, and half by how much of the query's weight stands in the passage,
where rare words weigh more. Weights were chosen on six development sets
together; docs/decisions/0001-hybrid-retrieval.md has the table.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from kaoju.language.names import find_names
from kaoju.language.segment import terms, tokens

COSINE_FLOOR: Final = 0.75
COSINE_BAND: Final = 0.15
"""Cosines of unrelated texts lie about the floor, those of near-repeats a band above it."""
LEXICAL: Final = 0.6
"""Share of the word arm. A good passage leads by more of the cosine band than of the word score,
so the meaning arm still decides more."""
CODE_LEXICAL: Final = 0.85
"""The same for queries that are mostly codes and quoted names."""
SATURATION: Final = 20.0
"""BM25 score that counts half."""
COVERED: Final = 0.5
"""Share of coverage in the word arm; the rest is BM25."""
_WEIGHTS: Final = {"semantic": 0.0, "keyword": 1.0, "hybrid": LEXICAL}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk that one of the arms found."""

    cosine: float
    bm25: float
    """0 where the word arm did not find it."""
    tokens: frozenset[str]


@dataclass(frozen=True, slots=True)
class Fused:
    """A chunk's place in the merged ranking."""

    chunk_id: str
    score: float
    """In [0, 1]."""
    semantic: float
    """Cosine with the query."""
    lexical: float
    """Score of the word arm over the best one of this query, in [0, 1]."""


def fuse(query: str, found: Mapping[str, Candidate], *, lexical_weight: float) -> tuple[Fused, ...]:
    """Return every candidate, best first.

    Args:
        query: what was searched.
        found: chunk id -> candidate.
        lexical_weight: share of the word arm; the meaning arm has the rest.
    """
    covered = coverage(query, {chunk_id: candidate.tokens for chunk_id, candidate in found.items()})
    words = {
        chunk_id: (1 - COVERED) * candidate.bm25 / (candidate.bm25 + SATURATION) + COVERED * covered[chunk_id]
        for chunk_id, candidate in found.items()
    }
    top = max(words.values(), default=0.0)
    ranked = []
    for chunk_id, candidate in found.items():
        meaning = (candidate.cosine - COSINE_FLOOR) / COSINE_BAND
        raw = (1 - lexical_weight) * meaning + lexical_weight * words[chunk_id]
        share = words[chunk_id] / top if top > 0 else 0.0
        ranked.append((raw, Fused(chunk_id, min(1.0, max(0.0, raw)), candidate.cosine, share)))
    return tuple(fused for _, fused in sorted(ranked, key=lambda pair: (-pair[0], pair[1].chunk_id)))


def coverage(query: str, found: Mapping[str, Collection[str]]) -> dict[str, float]:
    """Return for each text how much of the query's weight its tokens hold, in [0, 1].

    A word weighs more the fewer of the found texts hold it.
    """
    wanted = frozenset(terms(query)) or frozenset(tokens(query))
    present = {chunk_id: wanted.intersection(held) for chunk_id, held in found.items()}
    counts = Counter(word for words in present.values() for word in words)
    weights = {
        word: math.log(1 + (len(found) - counts[word] + 0.5) / (counts[word] + 0.5)) for word in wanted
    }
    whole = sum(weights.values())
    return {
        chunk_id: sum(weights[word] for word in words) / whole if whole else 0.0
        for chunk_id, words in present.items()
    }


def lexical_weight(query: str, mode: str) -> float:
    """Return the word arm's share: more in mode auto where a query is mostly codes and quoted names."""
    if mode in _WEIGHTS:
        return _WEIGHTS[mode]
    sharp = sum(len(name.text) for name in find_names(query) if name.kind in ("code", "quoted"))
    return CODE_LEXICAL if sharp and sharp * 2 >= len("".join(query.split())) else LEXICAL


def dense_score(cosine: float) -> float:
    """Return a cosine as a score in [0, 1]."""
    return min(1.0, max(0.0, (cosine - COSINE_FLOOR) / COSINE_BAND))
