"""The date that a document states about itself, as an ISO date, or nothing."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

_FULL: Final = re.compile(
    r"\s*(\d{4})\s*(?:[-/.]|年)\s*(\d{1,2})\s*(?:[-/.]|月)\s*(\d{1,2})(?:\s*日)?(?=\D|$)"
)
_COMPACT: Final = re.compile(r"\s*(\d{4})(\d{2})(\d{2})(?=\D|$)")


def iso_date(text: str) -> str | None:
    """Return the ISO date with which `text` begins; None where it states no full, real date."""
    found = _FULL.match(text) or _COMPACT.match(text)
    if found is None:
        return None
    try:
        return date(int(found[1]), int(found[2]), int(found[3])).isoformat()
    except ValueError:
        return None
