"""Counting what a run uses: model calls and tokens, and where the time went."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace

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


@dataclass(slots=True, kw_only=True)
class Meter:
    """What the models of one run have used, and what they may still use."""

    ledger: Ledger
    call_seconds: float
    """Wall time of one call that sets none itself."""
    calls: int = 0
    """Calls that were made, failed ones included."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    watch: Stopwatch = field(default_factory=Stopwatch)

    def record(self, cost: Completion | ModelError) -> None:
        """Count the tokens of a reply, useful or not."""
        self.prompt_tokens += cost.prompt_tokens
        self.completion_tokens += cost.completion_tokens
        self.ledger.spend_tokens(cost.prompt_tokens + cost.completion_tokens)


_CURRENT: ContextVar[Meter | None] = ContextVar("kaoju_meter", default=None)


@contextmanager
def measuring(meter: Meter) -> Iterator[None]:
    """Count the model calls that are made inside the block, by whatever tool, on `meter`."""
    token = _CURRENT.set(meter)
    try:
        yield
    finally:
        _CURRENT.reset(token)


def of_this_run(model: ChatModel | None) -> ChatModel | None:
    """Return `model` counted against the run at work; as it is where none is."""
    meter = _CURRENT.get()
    return model if model is None or meter is None else MeteredModel(model, meter)


class MeteredModel:
    """A model whose calls are counted against the run's budget and end with its deadline."""

    def __init__(self, model: ChatModel, meter: Meter) -> None:
        """Wrap `model`; what it uses is recorded on `meter`."""
        self._model = model
        self._meter = meter

    @property
    def name(self) -> str:
        """Name of the wrapped model."""
        return self._model.name

    async def complete(self, prompt: Prompt) -> Completion:
        """Ask the model.

        Raises:
            ModelError: the model failed in any way, the run's tokens are spent
                (kind `rejected`), or its time is (kind `timeout`).
        """
        ledger = self._meter.ledger
        if ledger.tokens_left == 0:
            raise ModelError("rejected", "the run's token budget is spent", "本次运行的 token 预算已用完")
        if ledger.out_of_time:
            raise _late()
        bounded = replace(prompt, timeout_seconds=prompt.timeout_seconds or self._meter.call_seconds)
        self._meter.calls += 1
        try:
            with self._meter.watch.running():
                async with asyncio.timeout(ledger.seconds_left):
                    completion = await self._model.complete(bounded)
        except ModelError as error:
            self._meter.record(error)
            raise
        except TimeoutError as error:
            raise _late() from error
        except Exception as error:
            raise ModelError(
                "rejected",
                f"{self.name} broke off ({type(error).__name__}: {error}).",
                f"{self.name} 出错中断（{type(error).__name__}：{error}）。",
            ) from error
        self._meter.record(completion)
        return completion


def _late() -> ModelError:
    return ModelError(
        "timeout", "the run's time was up before the model replied", "模型回复前本次运行的时限已到"
    )
