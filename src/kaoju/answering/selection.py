"""Which sentences of the evidence answer a need.

Pure. Each sentence is scored by how much of the need it carries (its title and
the sentences beside it lend a part), whether it names what the need names,
whether it holds a new thing of the asked kind, and how near it is in meaning
where a similarity is given. Weights are named, in one table.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from kaoju.answering.asking import Asked, anchor_coverage, carries, coverage, has_word
from kaoju.answering.units import Unit
from kaoju.language.segment import terms

Similarity = Callable[[str, Sequence[str]], Sequence[float]]
"""Cosine similarity of a text with each of several texts."""

WEIGHTS: Final = {
    "words": 1.0,
    "beside": 0.25,
    "context": 0.2,
    "anchors": 0.2,
    "kind": 0.3,
    "meaning": 4.0,
}
MEANING_FLOOR: Final = 0.75
"""Cosine of unrelated texts with the default embedding model."""
MEANING_TOP: Final = 24
"""Sentences whose meaning is compared, best first; embedding them all would be slow."""
LONG: Final = 400
"""Characters past which a sentence is debris of layout as often as not."""
FURTHER: Final = 0.75
"""Share of the best score that a further sentence must reach."""

_MANY: Final = re.compile(
    r"哪些|哪几|分别|列出|列举|有什么|包括|步骤|流程|\b(?:list|what are|which are|steps|names of)\b"
)


@dataclass(frozen=True, slots=True)
class Scored:
    """A unit with its score for one need."""

    unit: Unit
    score: float
    carries: bool


def rank(asked: Asked, units: Sequence[Unit], similarity: Similarity | None = None) -> list[Scored]:
    """Return the units by how well they answer, best first; ties keep their order."""
    own = [coverage(asked, unit.plain, unit.stems) for unit in units]
    scored = [_score(asked, units, own, place) for place in range(len(units))]
    scored.sort(key=lambda item: -item.score)
    if similarity is None or not scored:
        return scored
    top = scored[:MEANING_TOP]
    near = similarity(asked.text, [item.unit.text for item in top])
    lifted = [
        Scored(item.unit, item.score + WEIGHTS["meaning"] * max(0.0, cosine - MEANING_FLOOR), item.carries)
        for item, cosine in zip(top, near, strict=True)
    ]
    return [*sorted(lifted, key=lambda item: -item.score), *scored[MEANING_TOP:]]


def _score(asked: Asked, units: Sequence[Unit], own: Sequence[float], place: int) -> Scored:
    unit = units[place]
    beside = max(
        (own[other] for other in (place - 1, place + 1) if _joined(units, place, other)), default=0.0
    )
    about = coverage(asked, unit.context, unit.context_stems)
    brings = carries(asked, unit.text)
    score = (
        WEIGHTS["words"] * own[place]
        + WEIGHTS["beside"] * max(0.0, beside - own[place])
        + WEIGHTS["context"] * about
        + WEIGHTS["anchors"]
        * (anchor_coverage(asked, f"{unit.plain} {unit.context}") if asked.anchors else 0.0)
        + WEIGHTS["kind"] * (brings and asked.kind in {"number", "time", "person", "place"})
    )
    if unit.plain.endswith("?") or not _says_more(asked, unit):
        score *= 0.5
    if len(unit.text) > LONG:
        score *= LONG / len(unit.text)
    return Scored(unit, score, brings)


def _joined(units: Sequence[Unit], place: int, other: int) -> bool:
    return 0 <= other < len(units) and units[other].evidence_id == units[place].evidence_id


def _says_more(asked: Asked, unit: Unit) -> bool:
    """Return whether a unit holds a word that the question does not: a heading or an echo answers nothing."""
    return any(not has_word(word, asked.text, set(asked.weights)) for word in unit.stems)


def choose(asked: Asked, ranked: Sequence[Scored], limit: int = 3) -> tuple[Scored, ...]:
    """Return the few units that answer together.

    The best one always; further ones where the question asks for several
    things, or where they carry words of the question that the best one lacks.
    """
    if not ranked:
        return ()
    chosen = [ranked[0]]
    several = bool(_MANY.search(asked.text))
    for item in ranked[1:]:
        if len(chosen) >= limit or item.score < FURTHER * ranked[0].score:
            break
        if any(item.unit.plain == other.unit.plain for other in chosen):
            continue
        if several or _adds(asked, item, chosen):
            chosen.append(item)
    return tuple(chosen)


def _adds(asked: Asked, item: Scored, chosen: Sequence[Scored]) -> bool:
    text = " ".join(other.unit.plain for other in chosen)
    stems = set(terms(text))
    return any(
        has_word(word, item.unit.plain, set(item.unit.stems)) and not has_word(word, text, stems)
        for word in asked.weights
    )
