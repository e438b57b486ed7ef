"""The sides of a comparison as values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the things compared."""

    name: str
    """As the question names it."""
    query: str
    """What has to be known of it, self-contained."""
