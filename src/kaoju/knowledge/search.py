"""Searching one knowledge base: two arms, one ranking.

Promises: both arms see the same part of the knowledge base; every hit carries
its cosine, whichever arm found it; spellings that differ in width or script
find the same passages. An empty query finds nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from kaoju.knowledge.embedding import Embedder
from kaoju.knowledge.fusion import Candidate, Fused, dense_score, fuse, lexical_weight
from kaoju.knowledge.ranking import distinct
from kaoju.knowledge.store import Row, Store, Within, locator_of
from kaoju.model.document import Passage

Mode = Literal["auto", "semantic", "keyword", "hybrid"]
MAX_QUERY_CHARS: Final = 2_000
MIN_DEPTH: Final = 100
"""Chunks that each arm brings at least: most are of documents that are there already."""
CACHED_QUERIES: Final = 512


class Searcher:
    """Finds passages in a store. Safe to use from several threads."""

    def __init__(self, store: Store, embedder: Embedder) -> None:
        """Search `store` with the embedder that made it."""
        self._store = store
        self._embedder = embedder
        self._vector = lru_cache(maxsize=CACHED_QUERIES)(self._embed)

    def search(self, query: str, *, k: int, mode: Mode, within: Within) -> tuple[Passage, ...]:
        """Return the `k` best passages, best first; see `KnowledgeBase.search`."""
        query = query[:MAX_QUERY_CHARS].strip()
        if not query or k < 1 or within.documents == ():
            return ()
        vector = self.vector(query)
        depth = max(MIN_DEPTH, 8 * k)
        rows: dict[str, Row] = {}
        found: dict[str, Candidate] = {}
        if mode != "semantic":
            for row in self._store.matching(query, depth, within):
                rows[row["id"]] = row
                found[row["id"]] = Candidate(cosine_of(row, vector), float(row["_score"]), tokens_of(row))
        if mode != "keyword":
            for row in self._store.nearest(vector, depth, within):
                if row["id"] not in rows:
                    rows[row["id"]] = row
                    found[row["id"]] = Candidate(1.0 - float(row["_distance"]), 0.0, tokens_of(row))
        fused = fuse(query, found, lexical_weight=lexical_weight(query, mode))
        return distinct([as_passage(rows[hit.chunk_id], hit) for hit in fused], k)

    def scored(self, chunk_ids: Sequence[str], query: str) -> dict[str, Passage]:
        """Return chunks by id, scored by their nearness to a query; unknown ids are left out."""
        vector = self.vector(query[:MAX_QUERY_CHARS])
        found = {}
        for row in self._store.chunks(chunk_ids):
            cosine = cosine_of(row, vector)
            found[row["id"]] = as_passage(row, Fused(row["id"], dense_score(cosine), cosine, 0.0))
        return found

    def unscored(self, chunk_ids: Sequence[str]) -> dict[str, Passage]:
        """Return chunks by id with score 0; unknown ids are left out."""
        return {
            row["id"]: as_passage(row, Fused(row["id"], 0.0, 0.0, 0.0))
            for row in self._store.chunks(chunk_ids)
        }

    def vector(self, query: str) -> NDArray[np.float32]:
        """Return the vector of a query; the latest ones are remembered."""
        return self._vector(query)

    def _embed(self, query: str) -> NDArray[np.float32]:
        return np.asarray(self._embedder.queries([query])[0], dtype=np.float32)


def cosine_of(row: Row, vector: NDArray[np.float32]) -> float:
    """Return the cosine of a stored chunk with a query."""
    return float(np.dot(vector, np.asarray(row["vector"], dtype=np.float32)))


def tokens_of(row: Row) -> frozenset[str]:
    """Return the search tokens of a stored chunk."""
    return frozenset(row["fts"].split(" "))


def as_passage(row: Row, hit: Fused) -> Passage:
    """Return a stored chunk as a passage."""
    return Passage(
        document_id=row["document_id"],
        chunk_id=row["id"],
        title=row["title"],
        text=row["text"],
        locator=locator_of(row),
        score=hit.score,
        semantic=hit.semantic,
        lexical=hit.lexical,
        date=row["date"],
    )
