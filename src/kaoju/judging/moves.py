"""What a run does next: compose, gather more, or stop looking.

One pure decision table, read top to bottom; the loop obeys it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from kaoju.model.verdict import NeedVerdict, Sufficiency

FRUITLESS_ROUNDS: Final = 2
"""Rounds in a row without new evidence after which looking on is pointless."""

StopReason = Literal["no_rounds", "no_steps", "out_of_time", "nothing_new"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compose:
    """Everything that was asked is covered: write the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gather:
    """Look for what is missing."""

    gaps: tuple[NeedVerdict, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """Answer with what there is, and say what is missing."""

    reason: StopReason

    def say(self, language: str) -> str:
        """Return the reason as a sentence in `language` ("zh" or "en")."""
        return _WORDS[self.reason][0 if language == "zh" else 1]


NextMove = Compose | Gather | Stop

_WORDS: Final[dict[StopReason, tuple[str, str]]] = {
    "no_rounds": ("检索轮数已用完", "the allowed rounds of search are spent"),
    "no_steps": ("工具调用次数已用完", "the allowed tool calls are spent"),
    "out_of_time": ("已到时限", "time is up"),
    "nothing_new": ("连续两轮没有找到新内容", "two rounds in a row brought nothing new"),
}


def next_move(
    sufficiency: Sufficiency,
    *,
    rounds_left: int,
    steps_left: int,
    out_of_time: bool = False,
    fruitless_rounds: int = 0,
) -> NextMove:
    """Decide the next move of a run.

    Args:
        sufficiency: the verdict on all evidence so far.
        rounds_left: retrieval rounds that may still begin.
        steps_left: tool calls that may still be made.
        out_of_time: True once the deadline has passed.
        fruitless_rounds: rounds in a row that brought no new evidence.
    """
    if sufficiency.sufficient:
        return Compose()
    if out_of_time:
        return Stop(reason="out_of_time")
    if rounds_left <= 0:
        return Stop(reason="no_rounds")
    if steps_left <= 0:
        return Stop(reason="no_steps")
    if fruitless_rounds >= FRUITLESS_ROUNDS:
        return Stop(reason="nothing_new")
    return Gather(gaps=sufficiency.gaps)
