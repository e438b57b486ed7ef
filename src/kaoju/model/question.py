"""What the user asks, and what a run may spend on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Literal

Language = Literal["zh", "en"]
Pipeline = Literal["agentic", "simple"]

MAX_QUESTION_CHARS = 8_000
"""Longer questions are refused: they are documents, to be ingested."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """One budget per run; re-plans spend it, nothing refills it."""

    rounds: int = 3
    """Retrieval rounds at most; 0 means that nothing may be searched."""
    steps: int = 16
    """Tool calls at most, retries and fallbacks included."""
    tokens: int | None = None
    """Prompt plus completion tokens at most; None is no limit."""
    seconds: float | None = None
    """Wall time at most; past it the best answer so far leaves. None is no limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question together with everything that fixes its meaning."""

    text: str
    """As the user wrote it, control characters removed."""
    now: date
    """Reference date for relative time expressions."""
    language: Language
    role: str | None = None
    """Role of the asker; None sees what is open to all."""
    session: str | None = None
    """Name of the conversation; nothing reads it yet."""
    budget: Budget = field(default_factory=Budget)
