"""The verdict on one finished task.

Promises: a pure reading of what came back, by one table of thresholds; the
confidence is the tool's weakest, less what time-outs cost. A numeric task that
came back empty or doubtful is "insufficient data", never an estimate.
Refuses: looking at the content of evidence; whether it answers the question is
`kaoju.judging.sufficiency`'s affair.
"""

from __future__ import annotations

from typing import Final

from kaoju.language.detect import detect
from kaoju.model.evidence import Evidence
from kaoju.model.failure import FAILURES, FailureCode
from kaoju.model.plan import Task
from kaoju.model.tool import Failed, NeedsApproval, Succeeded, ToolOutcome
from kaoju.model.verdict import Reflection

FALLBACK_BELOW: Final = 0.4
"""Confidence under which another tool is the better bet at once."""
RETRY_BELOW: Final = 0.65
"""Confidence under which a slow call deserves another attempt."""
SLOW_SECONDS: Final = 5.0
NUMERIC_BELOW: Final = 0.8
"""Confidence that a computed or queried number must have."""
NUMERIC_TOOLS: Final = frozenset({"sql_query", "calculate"})

_FINAL: Final[frozenset[FailureCode]] = frozenset(
    code for code, rule in FAILURES.items() if rule.fault == "policy"
)
"""Refusals by rule: no other tool may be asked in their stead."""


def reflect(task: Task, outcome: ToolOutcome, seconds: float, *, timeout_ratio: float = 0.0) -> Reflection:
    """Judge one finished task.

    Args:
        task: what was asked for.
        outcome: what came back.
        seconds: wall time of the call, attempts included.
        timeout_ratio: share of its attempts that timed out, in [0, 1].
    """
    zh = detect(task.purpose or task.query) == "zh"
    if isinstance(outcome, Failed):
        return _failed(task, outcome, zh=zh)
    if isinstance(outcome, NeedsApproval):
        reason = f"等待批准：{outcome.reason}" if zh else f"waits for approval: {outcome.reason}"
        return Reflection(task_id=task.id, valid=False, confidence=0.0, reason=reason, action="halt")
    return _came_back(task, outcome, seconds, timeout_ratio, zh=zh)


def _failed(task: Task, outcome: Failed, *, zh: bool) -> Reflection:
    reason = (
        f"调用失败（{outcome.code}）：{outcome.message}"
        if zh
        else f"call failed ({outcome.code}): {outcome.message}"
    )
    if outcome.code in _FINAL:
        return Reflection(task_id=task.id, valid=False, confidence=0.0, reason=reason, action="halt")
    again = outcome.retryable and FAILURES[outcome.code].retryable
    return Reflection(
        task_id=task.id, valid=False, confidence=0.0, reason=reason, action="retry" if again else "fallback"
    )


def _came_back(
    task: Task, outcome: Succeeded, seconds: float, timeout_ratio: float, *, zh: bool
) -> Reflection:
    found = outcome.evidence
    confidence = confidence_of(outcome, timeout_ratio)
    numeric = (outcome.tool or task.tool) in NUMERIC_TOOLS
    if numeric and (not found or confidence < NUMERIC_BELOW or not any(map(_has_value, found))):
        reason = "数据不足：没有可靠的数值结果" if zh else "insufficient data: no reliable figure came back"
        return Reflection(task_id=task.id, valid=False, confidence=confidence, reason=reason, action="halt")
    if not found:
        reason = "没有找到相关内容" if zh else "nothing relevant was found"
        return Reflection(task_id=task.id, valid=False, confidence=0.0, reason=reason, action="fallback")
    if confidence < FALLBACK_BELOW:
        reason = (
            f"结果可信度过低（{confidence:.2f}）" if zh else f"the result is too doubtful ({confidence:.2f})"
        )
        return Reflection(
            task_id=task.id, valid=False, confidence=confidence, reason=reason, action="fallback"
        )
    if confidence < RETRY_BELOW and seconds > SLOW_SECONDS:
        reason = f"结果可信度低且耗时 {seconds:.1f} 秒" if zh else f"a doubtful result after {seconds:.1f} s"
        return Reflection(task_id=task.id, valid=False, confidence=confidence, reason=reason, action="retry")
    count = len(found)
    reason = f"找到 {count} 条证据" if zh else f"{count} piece{'s' if count > 1 else ''} of evidence"
    return Reflection(task_id=task.id, valid=True, confidence=confidence, reason=reason, action="continue")


def confidence_of(outcome: Succeeded, timeout_ratio: float = 0.0) -> float:
    """Return the weakest of the tool's and its best evidence's confidence, less what time-outs cost.

    One search brings good and poor passages; the best one says what it is worth.
    """
    if not outcome.evidence:
        return 0.0
    best = max(piece.confidence for piece in outcome.evidence)
    return min(outcome.confidence, best) * (1.0 - min(1.0, max(0.0, timeout_ratio)))


def _has_value(piece: Evidence) -> bool:
    return any(value is not None for row in piece.rows for value in row.values()) or bool(
        piece.text and not piece.rows
    )
