"""Which dated statement holds at the time that is asked about: who holds an office now, or held it in a year.

Pure. Of the statements about one office or figure, the latest one that is not
after the asked time holds; earlier ones are succeeded, later ones say nothing
of that time, and where a past time is asked for, a statement without a date
says nothing either. Refuses: guessing the date of a statement; it is read
where the statement stands, in its heading, or from its document.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from kaoju.language.asking import Asked, anchor_coverage, coverage, read
from kaoju.language.names import find_names
from kaoju.language.normalise import normalise
from kaoju.language.offices import at_time, without_time
from kaoju.language.segment import terms
from kaoju.language.sentences import sentences
from kaoju.language.time import TimeRange, find_times
from kaoju.model.evidence import Evidence
from kaoju.model.question import Question

RIVAL: Final = 0.8
"""Share of the question's words from which a passage makes a statement about the same thing."""
NAMED: Final = 0.6
"""Share of the question's names that such a passage mentions."""
_TERM: Final = timedelta(days=366)
"""A longer range in a statement is a term of office: it says when the office ended, too."""
_YEAR: Final = re.compile(r"\d{4}")


@dataclass(frozen=True, slots=True)
class Tenure:
    """The evidence that holds at the asked time, and what it succeeded."""

    holding: tuple[Evidence, ...]
    succeeded: tuple[Evidence, ...] = ()
    """Statements about the same thing that do not hold at that time."""
    past: bool = False
    """Whether a past time is asked for: then nothing that was set aside can stand in."""


def holding(question: Question, evidence: Sequence[Evidence]) -> Tenure:
    """Return what holds at the time that the question asks about; everything where it asks for no state."""
    asked_time = at_time(question.text, question.now)
    if asked_time is None:
        return Tenure(tuple(evidence))
    start, end, past = asked_time
    bare = without_time(question.text, question.now)
    asked = read(bare, tuple(name.text for name in find_names(bare)))
    rivals = {piece.id: piece for piece in evidence if _rival(asked, piece)}
    dated: dict[str, date] = {}
    set_aside: set[str] = set()
    for key, piece in rivals.items():
        times = _times(asked, piece, question.now)
        since = [found.start for found in times if found.start < end]
        ended = any(found.end - found.start > _TERM and found.end <= start for found in times)
        if ended or (times and not since) or (past and not times):
            set_aside.add(key)
        elif since:
            dated[key] = max(since)
    if dated:
        last = max(dated.values())
        set_aside |= {key for key, since in dated.items() if since < last}
    return Tenure(
        holding=tuple(piece for piece in evidence if piece.id not in set_aside),
        succeeded=tuple(piece for piece in evidence if piece.id in set_aside),
        past=past,
    )


def _rival(asked: Asked, piece: Evidence) -> bool:
    if piece.kind != "passage":
        return False
    text = normalise(f"{piece.text} {piece.title} {piece.locator.section}")
    return anchor_coverage(asked, text) >= NAMED and coverage(asked, text) >= RIVAL


def _times(asked: Asked, piece: Evidence, now: date) -> tuple[TimeRange, ...]:
    """Return the dates of a piece's statement: beside it, else in the heading, else the document's own."""
    parts = sentences(piece.text)
    shares = [coverage(asked, normalise(part.text), terms(part.text)) for part in parts]
    most = max(shares, default=0.0)
    best = [place for place, share in enumerate(shares) if share >= most]
    said = " ".join(parts[place].text for place in best)
    own = " ".join(parts[max(0, place - 1)].text for place in best)
    for text in (said, own, f"{piece.title} {piece.locator.section}", piece.date or ""):
        found = tuple(t for t in find_times(text, now) if not t.assumed and _YEAR.search(t.text))
        if found:
            return found
    return ()
