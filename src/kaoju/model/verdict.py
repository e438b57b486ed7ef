"""Judgements on tasks, on evidence, and on the way on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Coverage = Literal["covered", "partly", "missing", "contradicted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflection:
    """The verdict on one finished task."""

    task_id: str
    valid: bool
    confidence: float
    reason: str
    action: Literal["continue", "retry", "fallback", "halt"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedVerdict:
    """How far the evidence covers one need."""

    need_id: str
    coverage: Coverage
    confidence: float
    reason: str
    evidence_ids: tuple[str, ...] = ()
    """Best evidence first."""
    gap: str = ""
    """What is missing, as a searchable phrase; empty when covered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sufficiency:
    """The verdict on all evidence of a run."""

    needs: tuple[NeedVerdict, ...]
    confidence: float

    @property
    def sufficient(self) -> bool:
        """True when every need is covered."""
        return all(need.coverage == "covered" for need in self.needs)

    @property
    def gaps(self) -> tuple[NeedVerdict, ...]:
        """Needs that are not covered, in order."""
        return tuple(need for need in self.needs if need.coverage != "covered")
