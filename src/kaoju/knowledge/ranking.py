"""Which of the ranked passages are shown: each text once, and not all from one document. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kaoju.language.normalise import normalise
from kaoju.model.document import Passage

PER_DOCUMENT: Final = 2
"""Passages of one document among the first k, while other documents are left."""
_SPACE: Final = re.compile(r"\s+")


def distinct(passages: Sequence[Passage], k: int) -> tuple[Passage, ...]:
    """Return the best `k` of ranked passages, best first.

    Texts that differ only in spelling or space count once. A document's
    further passages come in only where there are fewer than `k` documents.
    """
    first: list[Passage] = []
    rest: list[Passage] = []
    texts: set[str] = set()
    taken: dict[str, int] = {}
    for passage in passages:
        text = _SPACE.sub("", normalise(passage.text))
        if text in texts:
            continue
        texts.add(text)
        taken[passage.document_id] = taken.get(passage.document_id, 0) + 1
        (first if taken[passage.document_id] <= PER_DOCUMENT else rest).append(passage)
        if len(first) >= k:
            break
    kept = [*first, *rest][:k]
    return tuple(sorted(kept, key=lambda passage: -passage.score))
