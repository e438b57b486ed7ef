"""How far an ingestion is, and how long it will honestly still take."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

_WARM_SECONDS: Final = 2.0
"""Before this the rate says nothing, and no time is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A moment of an ingestion. Units are chunks, as estimated from the sizes of the files."""

    done_units: float
    total_units: float
    file: str
    """The file at work."""
    seconds_left: float | None
    """From the rate so far of this ingestion; None while it is not known."""


class Meter:
    """Turns finished units into `Progress` values."""

    def __init__(self, total: float, report: Callable[[Progress], None] | None) -> None:
        """Expect `total` units; `report` is told of each step."""
        self._total = max(total, 1.0)
        self._report = report
        self._done = 0.0
        self._worked = 0.0
        self._started = time.monotonic()

    def step(self, file: str, units: float, *, worked: bool = True) -> None:
        """Count `units` of `file`; `worked` is False for what cost nothing, which says nothing of the rate."""
        self._done += units
        if worked:
            self._worked += units
        if self._report is None:
            return
        spent = time.monotonic() - self._started
        known = spent >= _WARM_SECONDS and self._worked > 0
        left = (self._total - self._done) * spent / self._worked if known else None
        self._report(
            Progress(
                done_units=self._done,
                total_units=self._total,
                file=file,
                seconds_left=None if left is None else max(0.0, left),
            )
        )
