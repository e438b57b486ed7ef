"""What the dispatcher itself says: unknown tools, time-outs, crashes. Pure."""

from __future__ import annotations

from typing import Final

from kaoju.errors import UsageError
from kaoju.model.tool import Failed, ToolCall, ToolSpec
from kaoju.tools.base import say, text_of

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


def timed_out(spec: ToolSpec, call: ToolCall, seconds: float, *, own: bool) -> Failed:
    """Return the failure of an attempt that took too long.

    Args:
        spec: the contract.
        call: what was called.
        seconds: how long it was given.
        own: whether that was the contract's own limit; else the run had no more time, and has none for another.
    """
    about = text_of(call.arguments)
    return Failed(
        code="TIMEOUT",
        message=say(
            about,
            zh=f"工具 {spec.name} 在 {seconds:.3g} 秒内没有返回",
            en=f"{spec.name} did not return within {seconds:.3g} s",
        ),
        retryable=own,
        suggestion=say(about, zh="换一个工具，或放宽时限", en="use another tool, or allow more time"),
        tool=spec.name,
    )


def raised(spec: ToolSpec, call: ToolCall, error: Exception, seconds: float) -> Failed:
    """Return an exception that escaped from a tool as a failure."""
    if isinstance(error, TimeoutError):
        return timed_out(spec, call, seconds, own=True)
    about = text_of(call.arguments)
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return Failed(
        code="UNREACHABLE" if isinstance(error, ConnectionError) else "INTERNAL",
        message=say(about, zh=f"工具 {spec.name} 出错：{what}", en=f"{spec.name} failed: {what}"),
        retryable=not isinstance(error, _MISTAKES),
        suggestion=say(about, zh="换一个工具", en="use another tool"),
        tool=spec.name,
    )
