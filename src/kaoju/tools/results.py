"""What the dispatcher itself says: unknown tools, time-outs, crashes, lesser sources. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from kaoju.errors import UsageError
from kaoju.model.tool import Failed, Succeeded, ToolCall
from kaoju.tools.base import say, text_of
from kaoju.tools.gates import Attempt

FALLBACK_CONFIDENCE: Final = 0.85
"""Evidence of a lesser source keeps this share of its confidence."""
_MISTAKES: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NotImplementedError,
    TypeError,
    UsageError,
    ValueError,
)
"""Exceptions that the same call would raise again."""


def unknown(call: ToolCall, visible: tuple[str, ...]) -> Failed:
    """Return the failure of a call to a tool that does not exist."""
    about = text_of(call.arguments)
    listed = ", ".join(visible)
    return Failed(
        code="TOOL_UNKNOWN",
        message=say(
            about,
            zh=f"没有名为 {call.tool} 的工具，可用的有：{listed}",
            en=f"there is no tool {call.tool}, available: {listed}",
        ),
        retryable=False,
        suggestion=say(about, zh="从可用工具中选一个", en="choose one of the available tools"),
        field="tool",
        allowed=visible,
        tool=call.tool,
    )


def timed_out(attempt: Attempt, seconds: float) -> Failed:
    """Return the failure of an attempt that took too long."""
    about = text_of(attempt.call.arguments)
    name = attempt.spec.name
    return Failed(
        code="TIMEOUT",
        message=say(
            about,
            zh=f"工具 {name} 在 {seconds:.3g} 秒内没有返回",
            en=f"{name} did not return within {seconds:.3g} s",
        ),
        retryable=True,
        suggestion=say(about, zh="换一个工具，或放宽时限", en="use another tool, or allow more time"),
    )


def raised(attempt: Attempt, error: Exception, seconds: float) -> Failed:
    """Return an exception that escaped from a tool as a failure."""
    if isinstance(error, TimeoutError):
        return timed_out(attempt, seconds)
    about = text_of(attempt.call.arguments)
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return Failed(
        code="INTERNAL",
        message=say(
            about, zh=f"工具 {attempt.spec.name} 出错：{what}", en=f"{attempt.spec.name} failed: {what}"
        ),
        retryable=not isinstance(error, _MISTAKES),
        suggestion=say(about, zh="换一个工具", en="use another tool"),
    )


def lesser(outcome: Succeeded, call: ToolCall, failure: Failed) -> Succeeded:
    """Mark what a fallback found as coming from the lesser source."""
    about = text_of(call.arguments)
    remark = say(
        about,
        zh=f"来自后备工具 {outcome.tool}（{call.tool} 未成功：{failure.code}）",
        en=f"from the fallback {outcome.tool} ({call.tool} failed: {failure.code})",
    )
    joint = say(about, zh="；", en="; ")
    evidence = tuple(
        replace(
            item,
            confidence=item.confidence * FALLBACK_CONFIDENCE,
            uncertainty=joint.join(part for part in (item.uncertainty, remark) if part),
        )
        for item in outcome.evidence
    )
    return replace(
        outcome,
        evidence=evidence,
        confidence=outcome.confidence * FALLBACK_CONFIDENCE,
        notes=(*outcome.notes, remark, failure.message),
    )
