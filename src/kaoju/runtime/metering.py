"""Counting what a run uses: model calls and tokens, and where the time went."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from kaoju.errors import ModelError
from kaoju.llm.chat import ChatModel, Completion, Prompt
from kaoju.runtime.budget import Ledger


@dataclass(slots=True)
class Stopwatch:
    """Collects intervals of wall time; overlapping ones count once."""

    intervals: list[tuple[float, float]] = field(default_factory=list)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Record the time spent inside the block."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.intervals.append((start, time.perf_counter()))


def union_ms(*watches: Stopwatch) -> float:
    """Milliseconds covered by at least one interval of the given watches."""
    total, reach = 0.0, 0.0
    for start, end in sorted(interval for watch in watches for interval in watch.intervals):
        total += max(0.0, end - max(start, reach))
        reach = max(reach, end)
    return total * 1000


class MeteredModel:
    """A model whose calls are counted against the run's budget."""

    def __init__(self, model: ChatModel, ledger: Ledger, watch: Stopwatch, used: list[Completion]) -> None:
        """Wrap `model`; every completion is appended to `used`."""
        self._model = model
        self._ledger = ledger
        self._watch = watch
        self._used = used

    @property
    def name(self) -> str:
        """Name of the wrapped model."""
        return self._model.name

    async def complete(self, prompt: Prompt) -> Completion:
        """Ask the model.

        Raises:
            ModelError: the model failed, or (kind `rejected`) the run's tokens are spent.
        """
        if self._ledger.tokens_left == 0:
            raise ModelError("rejected", "the run's token budget is spent", "本次运行的 token 预算已用完")
        with self._watch.running():
            completion = await self._model.complete(prompt)
        self._used.append(completion)
        self._ledger.spend_tokens(completion.prompt_tokens + completion.completion_tokens)
        return completion
