"""What happens when a draft does not hold: fetch, widen, answer less, or say that it is not known.

Pure. A failed claim is never reworded: it is replaced by better evidence or
it is left out.
"""

from __future__ import annotations

from enum import StrEnum

from kaoju.model.answer import Draft, Verified
from kaoju.model.verdict import Sufficiency


class Rung(StrEnum):
    """One step of the ladder, best first."""

    LEAVE = "leave"
    """Every need is answered by a claim that holds."""
    FETCH = "fetch"
    """Look for the missing piece."""
    WIDER = "wider"
    """Look again with another tool or a wider range."""
    SMALLER = "smaller"
    """Give what holds, and name what is missing."""
    INSUFFICIENT = "insufficient"
    """Nothing holds: say so."""


def next_rung(
    draft: Draft,
    verified: Verified,
    sufficiency: Sufficiency,
    *,
    rounds_left: int,
    steps_left: int,
    climbed: int = 0,
) -> Rung:
    """Decide what follows verification.

    Args:
        draft: what was written.
        verified: what of it holds.
        sufficiency: the verdict on the evidence it was written from.
        rounds_left: retrieval rounds that may still begin.
        steps_left: tool calls that may still be made.
        climbed: how often this ladder has sent the run back already.
    """
    whole = not verified.uncovered and sufficiency.sufficient and not draft.insufficient
    if whole and verified.claims:
        return Rung.LEAVE
    if rounds_left > 0 and steps_left > 0:
        if climbed == 0:
            return Rung.FETCH
        if climbed == 1:
            return Rung.WIDER
    return Rung.SMALLER if verified.claims else Rung.INSUFFICIENT
