"""One budget per run, which re-plans, retries and fallbacks spend and nothing refills."""

from __future__ import annotations

import time
from collections.abc import Callable

from kaoju.model.question import Budget


class Ledger:
    """Counts what a run has spent against its `Budget`. Not shared between runs."""

    def __init__(self, budget: Budget, clock: Callable[[], float] = time.monotonic) -> None:
        """Start the clock; nothing is spent yet."""
        self.budget = budget
        self.steps = 0
        self.rounds = 0
        self.tokens = 0
        self._clock = clock
        self._started = clock()

    def spend_step(self) -> bool:
        """Take one tool call from the budget; False, and nothing taken, when it is spent."""
        if self.steps >= self.budget.steps or self.out_of_time:
            return False
        self.steps += 1
        return True

    def spend_round(self) -> bool:
        """Take one retrieval round from the budget; False when it is spent."""
        if self.rounds >= self.budget.rounds:
            return False
        self.rounds += 1
        return True

    def spend_tokens(self, count: int) -> None:
        """Record tokens that a model call has used."""
        self.tokens += count

    @property
    def steps_left(self) -> int:
        """Tool calls that may still be made."""
        return self.budget.steps - self.steps

    @property
    def rounds_left(self) -> int:
        """Rounds that may still begin."""
        return self.budget.rounds - self.rounds

    @property
    def tokens_left(self) -> int | None:
        """Tokens that may still be used; None is no limit."""
        return None if self.budget.tokens is None else max(0, self.budget.tokens - self.tokens)

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the deadline, at least 0; None is no deadline."""
        if self.budget.seconds is None:
            return None
        return max(0.0, self.budget.seconds - (self._clock() - self._started))

    @property
    def out_of_time(self) -> bool:
        """True once the deadline has passed."""
        return self.seconds_left == 0.0
