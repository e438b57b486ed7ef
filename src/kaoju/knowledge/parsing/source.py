"""What every reader is given: the file, the id of its document, the limits, and where bad lines go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kaoju.knowledge.parsing.limits import LIMITS, Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class BadLine:
    """One line of a JSONL file that did not become a document."""

    line: int
    """1-based."""
    reason: str
    """One of `kaoju.model.document.REASONS`."""
    message: str
    zh: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One file on its way to becoming documents."""

    path: Path
    document_id: str
    limits: Limits = LIMITS
    on_bad_line: Callable[[BadLine], None] | None = None
    """Told of each bad line; None means an error after the last good document."""
