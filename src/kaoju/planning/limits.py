"""How large a plan may be."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds that every plan obeys."""

    max_tasks: int = 3
    max_depth: int = 3
    """Longest chain of dependencies, in tasks."""
    max_query_chars: int = 2_000
