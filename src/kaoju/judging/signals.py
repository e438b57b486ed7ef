"""What can be measured about a need and one piece of evidence without a model.

Pure. The measures are combined with weights that were fitted on public
question sets (`docs/decisions/0002-sufficiency-without-a-model.md`); nothing
here decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from kaoju.language.asking import Asked, anchor_coverage, carries, coverage
from kaoju.language.normalise import normalise
from kaoju.language.segment import terms
from kaoju.language.sentences import sentences
from kaoju.language.subjects import about
from kaoju.model.evidence import Evidence

WITH_MEANING: Final = {"pair": 3.97, "whole": 3.41, "cosine": 32.6, "bias": -33.13}
"""Weights where the semantic arm saw the piece."""
WORDS_ONLY: Final = {"pair": 4.03, "whole": 5.31, "bias": -5.77}
"""Weights where only words are known."""


@dataclass(frozen=True, slots=True)
class Signals:
    """How a piece of evidence stands to a need."""

    pair: float
    """Share of the need's words in the best two neighbouring sentences and the title."""
    whole: float
    """Share of the need's words anywhere in the piece and its title."""
    anchors: float
    """Share of the need's names, codes and times that the piece mentions."""
    kind: bool
    """Whether the sentences about the need hold a new thing of the asked kind."""
    cosine: float
    """Similarity in meaning; 0 where unknown."""

    @property
    def score(self) -> float:
        """Log odds that the piece answers rather than merely turned up."""
        if self.cosine > 0:
            return (
                WITH_MEANING["pair"] * self.pair
                + WITH_MEANING["whole"] * self.whole
                + WITH_MEANING["cosine"] * self.cosine
                + WITH_MEANING["bias"]
            )
        return WORDS_ONLY["pair"] * self.pair + WORDS_ONLY["whole"] * self.whole + WORDS_ONLY["bias"]


@dataclass(frozen=True, slots=True)
class _Read:
    plain: str
    stems: frozenset[str]
    parts: tuple[tuple[str, str, frozenset[str]], ...]
    """Sentence, its normal form, its content terms."""


@lru_cache(maxsize=1024)
def _read(text: str, above: str) -> _Read:
    parts = []
    for sentence in sentences(text):
        plain = normalise(sentence.text)
        parts.append((sentence.text, plain, frozenset(terms(plain))))
    title = normalise(above)
    stems = frozenset(terms(title)).union(*(part[2] for part in parts))
    return _Read(f"{normalise(text)} {title}", stems, tuple(parts))


def measure(asked: Asked, piece: Evidence) -> Signals:
    """Measure one passage against a need."""
    above = about(piece.locator.section, piece.title)
    read = _read(piece.text, above)
    title = normalise(above)
    title_stems = frozenset(terms(title))
    parts = read.parts
    own = [coverage(asked, f"{plain} {title}", stems | title_stems) for _, plain, stems in parts]
    pair = max(
        (
            coverage(asked, f"{one[1]} {other[1]} {title}", one[2] | other[2] | title_stems)
            for one, other in pairwise(parts)
        ),
        default=max(own, default=0.0),
    )
    best = max(range(len(own)), key=own.__getitem__, default=0)
    near = " ".join(part[0] for part in parts[max(0, best - 1) : best + 2])
    return Signals(
        pair=pair,
        whole=coverage(asked, read.plain, read.stems),
        anchors=anchor_coverage(asked, read.plain),
        kind=carries(asked, near),
        cosine=piece.semantic,
    )


def words_held(pieces: Sequence[Evidence]) -> tuple[str, frozenset[str]]:
    """Return the normalised text of all pieces together, and their content terms."""
    reads = [_read(piece.text, about(piece.locator.section, piece.title)) for piece in pieces]
    return " ".join(read.plain for read in reads), frozenset().union(*(read.stems for read in reads))
