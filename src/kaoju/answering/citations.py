"""Numbered citations, scoped to one answer.

Promises: numbers run from 1 in order of first use; each marker resolves to its
own piece of evidence; `quote` is the exact text at `locator`, narrowed to the
sentences that carry the claim. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from kaoju.answering.units import Unit
from kaoju.model.answer import Citation
from kaoju.model.evidence import Evidence, Locator
from kaoju.model.question import Language

_MARKERS: Final = re.compile(r"\s*[\[【](?:\^|citation:)?\s*\d+(?:\s*[,，、;]\s*\^?\d+)*\s*[\]】]")
_END: Final = re.compile(r"[。.！!？?；;…]+[”\"』」）)]*$")


@dataclass(frozen=True, slots=True)
class Numbered:
    """Citations in order, and which of them each claim carries."""

    citations: tuple[Citation, ...]
    by_claim: tuple[tuple[int, ...], ...]


def number(claims: Sequence[Sequence[Unit]], evidence: Sequence[Evidence]) -> Numbered:
    """Number what claims rest on.

    Args:
        claims: for each claim, in order, the units that carry it.
        evidence: where the units come from.
    """
    pieces = {piece.id: piece for piece in evidence}
    numbers: dict[tuple[str, int, int], int] = {}
    citations: list[Citation] = []
    by_claim: list[tuple[int, ...]] = []
    for units in claims:
        mine = []
        for evidence_id, start, end in _spans(units):
            key = (evidence_id, start, end)
            if key not in numbers:
                numbers[key] = len(citations) + 1
                citations.append(_cite(pieces[evidence_id], start, end, numbers[key]))
            mine.append(numbers[key])
        by_claim.append(tuple(mine))
    return Numbered(tuple(citations), tuple(by_claim))


def _spans(units: Sequence[Unit]) -> list[tuple[str, int, int]]:
    """Join neighbouring units of one piece into one span."""
    ordered = list(units)
    breaks = [
        place
        for place, (one, other) in enumerate(pairwise(ordered), start=1)
        if one.evidence_id != other.evidence_id or other.position - one.position != 1
    ]
    edges = [0, *breaks, len(ordered)]
    groups = [ordered[start:end] for start, end in pairwise(edges) if start < end]
    return [(group[0].evidence_id, group[0].start, group[-1].end) for group in groups]


def _cite(piece: Evidence, start: int, end: int, n: int) -> Citation:
    return Citation(
        n=n,
        document_id=piece.document_id,
        title=piece.title,
        locator=narrowed(piece.locator, len(piece.text), start, end),
        quote=piece.text[start:end],
        task_id=piece.task_id,
        evidence_id=piece.id,
    )


def narrowed(locator: Locator, length: int, start: int, end: int) -> Locator:
    """Return the place of `text[start:end]`, given the place of a text of `length` characters.

    A locator that does not count the characters of this text stays as it is.
    """
    if locator.start is None or locator.end is None or locator.end - locator.start != length:
        return locator
    return replace(locator, start=locator.start + start, end=locator.start + end)


def marked(text: str, numbers: Sequence[int]) -> str:
    """Return a claim with its markers, before the full stop."""
    marks = "".join(f"[{n}]" for n in numbers)
    closing = _END.search(text)
    return text[: closing.start()] + marks + closing.group() if closing else text + marks


def joined(claims: Sequence[tuple[str, Sequence[int]]], language: Language) -> str:
    """Return the answer text: claims in order with their markers."""
    parts = [marked(_ended(text, language), numbers) for text, numbers in claims]
    return ("" if language == "zh" else " ").join(parts)


def _ended(text: str, language: Language) -> str:
    text = text.strip()
    return text if _END.search(text) else text.rstrip(",，、:：") + ("。" if language == "zh" else ".")


def without_markers(text: str) -> str:
    """Return text without citation markers of any spelling."""
    return _MARKERS.sub("", text).strip()


def markers(text: str) -> tuple[int, ...]:
    """Return the numbers of all markers: [1], 【1】, [1,2], [^1]."""
    return tuple(
        dict.fromkeys(int(digits) for mark in _MARKERS.findall(text) for digits in re.findall(r"\d+", mark))
    )
