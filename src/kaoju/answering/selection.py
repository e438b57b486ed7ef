"""Which sentences of the evidence answer a need.

Pure. Each sentence is scored by how much of the need it carries (its title, the
first sentence of its piece and the one before it lend a part), whether it names what the need names,
whether it holds a new thing of the asked kind, and how near it is in meaning
where a similarity is given. Weights are named, in one table.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Final

from kaoju.answering.units import Unit
from kaoju.language.asking import Asked, anchor_coverage, carries, coverage, has_word
from kaoju.language.segment import terms

Similarity = Callable[[str, Sequence[str]], Sequence[float]]
"""Cosine similarity of a text with each of several texts."""

WEIGHTS: Final = {
    "lead": 0.4,
    "before": 0.25,
    "rarity": 0.5,
    "anchors": 0.2,
    "kind": 0.3,
    "meaning": 2.0,
    "phrase": 0.4,
}
"""Credit for words of the question that only the piece's first sentence, only the sentence before, carries;
how much more a word counts that few sentences hold; credit for names, for a thing of the asked kind, and
for each unit of cosine above the floor; credit for the longest run of characters that it shares with the
question, as a share of the question, which tells "5 to 10 years" from "1 to 5 years, 10 days". Chosen on the development questions of two public sets."""
MEANING_FLOOR: Final = 0.75
"""Cosine of unrelated texts with the default embedding model."""
SETTLED: Final = 0.6
"""Share of the question's words from which the best sentence is taken without comparing meanings, which is
slow and, measured on Chinese, no better."""
MEANING_TOP: Final = 12
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
    asked = _by_rarity(asked, units)
    leads = _leads(units)
    scored = [_score(asked, units, place, leads[units[place].evidence_id]) for place in range(len(units))]
    scored.sort(key=lambda item: -item.score)
    if (
        similarity is None
        or not scored
        or _share(asked, scored[0].unit, leads[scored[0].unit.evidence_id]) >= SETTLED
    ):
        return scored
    top = scored[:MEANING_TOP]
    near = similarity(asked.text, [item.unit.text for item in top])
    lifted = [
        Scored(item.unit, item.score + WEIGHTS["meaning"] * max(0.0, cosine - MEANING_FLOOR), item.carries)
        for item, cosine in zip(top, near, strict=True)
    ]
    return [*sorted(lifted, key=lambda item: -item.score), *scored[MEANING_TOP:]]


def _by_rarity(asked: Asked, units: Sequence[Unit]) -> Asked:
    """Return the question with words weighing more that few of the units hold."""
    count = len(units) + 1
    held = {word: sum(has_word(word, unit.plain, unit.stems) for unit in units) for word in asked.weights}
    weights = {
        word: value * (1 + WEIGHTS["rarity"] * math.log(count / (1 + held[word])))
        for word, value in asked.weights.items()
    }
    return replace(asked, weights=weights)


def _leads(units: Sequence[Unit]) -> dict[str, Unit]:
    """Return the first unit of each piece: what the piece is about, and what its pronouns stand for."""
    leads: dict[str, Unit] = {}
    for unit in units:
        leads.setdefault(unit.evidence_id, unit)
    return leads


def _score(asked: Asked, units: Sequence[Unit], place: int, lead: Unit) -> Scored:
    unit = units[place]
    own = _share(asked, unit)
    before = units[place - 1] if place and units[place - 1].evidence_id == unit.evidence_id else unit
    brings = carries(asked, unit.text)
    score = (
        own
        + WEIGHTS["lead"] * (_share(asked, unit, lead) - own)
        + WEIGHTS["before"] * (_share(asked, unit, before) - own)
        + WEIGHTS["anchors"]
        * (anchor_coverage(asked, f"{unit.plain} {unit.context}") if asked.anchors else 0.0)
        + WEIGHTS["kind"] * (brings and asked.kind in {"number", "time", "person", "place"})
        + WEIGHTS["phrase"] * _phrase(asked.text, unit.plain)
    )
    if unit.plain.endswith("?") or not _says_more(asked, unit):
        score *= 0.5
    if len(unit.text) > LONG:
        score *= LONG / len(unit.text)
    return Scored(unit, score, brings)


def _phrase(question: str, text: str) -> float:
    """Return the longest common run of characters, spaces left out, as a share of the question."""
    asked, said = "".join(question.split()), "".join(text.split())
    match = SequenceMatcher(None, asked, said, autojunk=False).find_longest_match()
    return match.size / len(asked) if asked else 0.0


def _share(asked: Asked, unit: Unit, other: Unit | None = None) -> float:
    """Return the share of the question's words in a unit, or in it, another one and their context."""
    if other is None:
        return coverage(asked, unit.plain, unit.stems)
    return coverage(
        asked, f"{unit.plain} {other.plain} {unit.context}", unit.stems | other.stems | unit.context_stems
    )


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
