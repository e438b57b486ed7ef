"""All evidence of a run: numbered, each place once, and what has been asked and seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kaoju.language.normalise import normalise
from kaoju.model.evidence import Evidence


class EvidencePool:
    """Takes evidence in, task by task. Ids `e1`, `e2`, ... are scoped to the run."""

    def __init__(self) -> None:
        """Start empty."""
        self._by_place: dict[tuple[str, ...], Evidence] = {}
        self._asked: set[tuple[str, str]] = set()

    def add(self, found: Iterable[Evidence], *, task_id: str, weight: float = 1.0) -> tuple[Evidence, ...]:
        """Take evidence of one task in, its scores times the task's weight.

        Returns:
            The same evidence with run ids. A place that another task found
            before keeps its id, and its better score and confidence.
        """
        taken = []
        for piece in found:
            score = piece.score * weight
            key = _place(piece)
            known = self._by_place.get(key)
            if known is None:
                kept = replace(piece, id=f"e{len(self._by_place) + 1}", task_id=task_id, score=score)
            else:
                kept = replace(
                    known,
                    score=max(known.score, score),
                    semantic=max(known.semantic, piece.semantic),
                    confidence=max(known.confidence, piece.confidence),
                )
            self._by_place[key] = kept
            taken.append(kept)
        return tuple(taken)

    def remember_query(self, tool: str, query: str) -> None:
        """Remember that `tool` was asked `query`."""
        self._asked.add((tool, normalise(query)))

    def was_asked(self, tool: str, query: str) -> bool:
        """Return whether `tool` was asked `query` before, in any spelling."""
        return (tool, normalise(query)) in self._asked

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Everything found so far, in order of arrival."""
        return tuple(self._by_place.values())

    def __len__(self) -> int:
        """Count distinct pieces."""
        return len(self._by_place)


def _place(piece: Evidence) -> tuple[str, ...]:
    if piece.kind == "passage" and piece.chunk_id:
        return ("passage", piece.chunk_id)
    return (piece.kind, piece.document_id, piece.query, piece.text)
