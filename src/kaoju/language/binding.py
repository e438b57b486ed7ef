"""Which sentences of the evidence speak of the thing that a need names.

Promises: in a document with a heading that names the thing, only sentences
about it count; elsewhere only those about another thing of its kind are left
out. Refuses: needs that name nothing; all their sentences count.
Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from kaoju.language.subjects import Bearing, bearing
from kaoju.language.time import find_times

_ANY_DAY: Final = date(2000, 1, 1)


@dataclass(frozen=True, slots=True)
class Placed:
    """A sentence with what it stands under."""

    text: str
    headings: tuple[str, ...]
    """Innermost first."""
    piece: str
    """Sentences of one piece follow each other."""
    document: str


def things(anchors: Sequence[str]) -> tuple[str, ...]:
    """Return the anchors that name things: no times and no bare figures."""
    return tuple(
        anchor for anchor in anchors if re.search(r"[^\W\d_]", anchor) and not find_times(anchor, _ANY_DAY)
    )


def bound(anchors: Sequence[str], sentences: Sequence[Placed]) -> list[bool]:
    """Return for each sentence whether it may answer a need with these anchors."""
    asked = things(anchors)
    if not asked:
        return [True] * len(sentences)
    by_anchor = [_bearings(anchor, sentences) for anchor in asked]
    divided = {
        sentence.document
        for sentence in sentences
        if any(bearing(anchor, "", sentence.headings) == "own" for anchor in asked)
    }
    return [
        "own" in stands or (sentence.document not in divided and "other" not in stands)
        for sentence, stands in zip(sentences, zip(*by_anchor, strict=True), strict=True)
    ]


def _bearings(anchor: str, sentences: Sequence[Placed]) -> list[Bearing]:
    """Return how each sentence stands to a thing; one that names nothing goes on about what the one before named."""
    found: list[Bearing] = []
    for place, sentence in enumerate(sentences):
        stands = bearing(anchor, sentence.text, sentence.headings)
        before = found[place - 1] if place and sentences[place - 1].piece == sentence.piece else "open"
        found.append(before if stands == "open" and before == "own" else stands)
    return found
