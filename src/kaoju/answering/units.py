"""The smallest quotable pieces of evidence: sentences of a passage, lines of a row set, a value as a whole.

Pure. A unit's text is the exact slice `evidence.text[start:end]`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from kaoju.language.binding import Placed, bound
from kaoju.language.normalise import normalise
from kaoju.language.segment import terms
from kaoju.language.sentences import sentences
from kaoju.language.subjects import about, headings_of
from kaoju.model.evidence import Evidence
from kaoju.model.plan import Need

MIN_CHARS: Final = 2
"""Shorter pieces are debris of layout."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One quotable piece."""

    evidence_id: str
    position: int
    """Number of the unit within its evidence, from 0."""
    start: int
    end: int
    text: str
    """Exact slice of the evidence's text."""
    plain: str
    """Normalised."""
    context: str
    """Normalised title and section: what the piece is about without saying so."""
    stems: frozenset[str]
    """Content terms of the piece itself."""
    context_stems: frozenset[str]
    """Content terms of its context."""


def units_of(evidence: Sequence[Evidence]) -> tuple[Unit, ...]:
    """Return the units of all evidence, in order."""
    return tuple(
        unit for piece in evidence for unit in _cut(piece.id, piece.kind, piece.text, _context(piece))
    )


def speaking_of(need: Need, evidence: Sequence[Evidence]) -> tuple[Unit, ...]:
    """Return the units that speak of what a need names; all of rows and values, which were looked up for it."""
    units = units_of(evidence)
    above = {piece.id: headings_of(piece.locator.section, piece.title) for piece in evidence}
    passages = {piece.id for piece in evidence if piece.kind == "passage"}
    prose = [unit for unit in units if unit.evidence_id in passages]
    source = {piece.id: piece.document_id for piece in evidence}
    placed = [
        Placed(unit.text, above[unit.evidence_id], unit.evidence_id, source[unit.evidence_id])
        for unit in prose
    ]
    mine = bound(need.anchors, placed)
    kept = {unit for unit, ok in zip(prose, mine, strict=True) if ok}
    return tuple(unit for unit in units if unit in kept or unit.evidence_id not in passages)


def _context(piece: Evidence) -> str:
    return about(piece.locator.section, piece.title)


@lru_cache(maxsize=1024)
def _cut(evidence_id: str, kind: str, text: str, context: str) -> tuple[Unit, ...]:
    above = normalise(context)
    above_stems = frozenset(terms(above))
    spans = _lines(text) if kind == "rows" else [(0, len(text))] if kind == "value" else _sentences(text)
    found: list[Unit] = []
    for start, end in spans:
        piece = text[start:end]
        if len(piece.strip()) < MIN_CHARS:
            continue
        plain = normalise(piece)
        found.append(
            Unit(
                evidence_id=evidence_id,
                position=len(found),
                start=start,
                end=end,
                text=piece,
                plain=plain,
                context=above,
                stems=frozenset(terms(plain)),
                context_stems=above_stems,
            )
        )
    return tuple(found)


def _sentences(text: str) -> list[tuple[int, int]]:
    return [trim(text, span.start, span.end) for span in sentences(text)]


def _lines(text: str) -> list[tuple[int, int]]:
    spans, at = [], 0
    for line in text.split("\n"):
        spans.append(trim(text, at, at + len(line)))
        at += len(line) + 1
    return spans


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span without white space and list marks at its ends."""
    while start < end and (text[start].isspace() or text[start] in "•·▪◦*#>|"):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] == "|"):
        end -= 1
    return start, end


_IN_HEADER: Final = re.compile(
    r"[（(](?P<unit>[^（）()\d\s]{1,8})[)）]\s?[:：]?\s?(?P<figure>-?\d[\d,.]*\d|-?\d)"
)


def with_header_units(text: str) -> str:
    """Return a text in which figures whose unit stands in their column's name also stand with it.

    `预算（万元）: 520` says 520 万元 without writing it so.
    """
    said = [f"{found.group('figure')}{found.group('unit')}" for found in _IN_HEADER.finditer(text)]
    return f"{text}\n{'; '.join(said)}" if said else text
