"""Every way in which a call may be refused or fail: one table, which documentation, retries and fallbacks read.

Promises: each code says whose fault it is, whether the same call may be made
again, and whether another source is worth asking. Refuses: codes outside the
table; a tool that invents one is answered with `OUTPUT_INVALID`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

FailureCode = Literal[
    "TOOL_UNKNOWN",
    "OUT_OF_SCOPE",
    "PERMISSION_DENIED",
    "TOOL_PARAM_INVALID",
    "NEEDS_APPROVAL",
    "BUDGET_SPENT",
    "CANCELLED",
    "CIRCUIT_OPEN",
    "RATE_LIMITED",
    "TIMEOUT",
    "REPLY_LOST",
    "UNREACHABLE",
    "UPSTREAM_4XX",
    "UPSTREAM_5XX",
    "ADDRESS_REFUSED",
    "TOO_LARGE",
    "PARSE_FAILED",
    "OUTPUT_INVALID",
    "SQL_REFUSED",
    "SQL_ERROR",
    "CODE_REFUSED",
    "CODE_ERROR",
    "NO_PATTERN",
    "NOT_CONFIGURED",
    "INTERNAL",
]

Fault = Literal["caller", "policy", "source", "engine"]
"""Who can do something about it: who called, who set the rules, who runs the source, or we."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailureRule:
    """One row of the table."""

    fault: Fault
    retryable: bool
    """Whether the same call may succeed a moment later; a tool may say no to a yes, never yes to a no."""
    fallback: bool
    """Whether another source is worth asking."""
    sick: bool
    """Whether it tells against the health of the source; the circuit breaker counts it."""
    lost: bool
    """Whether the call may have taken effect all the same: not repeated where the contract forbids it."""
    en: str
    zh: str


def _rule(
    fault: Fault,
    en: str,
    zh: str,
    *,
    retry: bool = False,
    fallback: bool = False,
    sick: bool = False,
    lost: bool = False,
) -> FailureRule:
    return FailureRule(fault=fault, retryable=retry, fallback=fallback, sick=sick, lost=lost, en=en, zh=zh)


FAILURES: Final[Mapping[FailureCode, FailureRule]] = MappingProxyType(
    {
        "TOOL_UNKNOWN": _rule("caller", "There is no tool of that name.", "没有这个名称的工具。"),
        "OUT_OF_SCOPE": _rule("policy", "The tool is not part of this run's plan or pack.", "工具不在本次运行的范围内。"),
        "PERMISSION_DENIED": _rule("policy", "The asker's role may not call the tool.", "提问者的角色无权调用该工具。"),
        "TOOL_PARAM_INVALID": _rule("caller", "An argument does not fit the input schema.", "参数不符合输入约定。"),
        "NEEDS_APPROVAL": _rule("policy", "The call has an effect and waits for a person.", "该调用会产生影响，需人工批准。"),
        "BUDGET_SPENT": _rule("policy", "The run has no steps, tokens or time left.", "本次运行的步数、词元或时间已用完。"),
        "CANCELLED": _rule("policy", "The run was cancelled.", "运行已取消。"),
        "CIRCUIT_OPEN": _rule("source", "The tool failed too often and rests until a probe succeeds.", "工具连续失败，已暂停使用，等待探测恢复。", fallback=True),
        "RATE_LIMITED": _rule("source", "More calls than the contract or the source allows.", "调用频率超出约定或来源的上限。", retry=True, fallback=True),
        "TIMEOUT": _rule("source", "No reply within the contract's deadline.", "在约定时限内没有返回。", retry=True, fallback=True, sick=True, lost=True),
        "REPLY_LOST": _rule("source", "The call may have taken effect, but its reply was lost; it is not repeated.", "调用可能已生效，但结果丢失，不会重复调用。", sick=True, lost=True),
        "UNREACHABLE": _rule("source", "No connection, or it broke.", "无法连接，或连接中断。", retry=True, fallback=True, sick=True, lost=True),
        "UPSTREAM_4XX": _rule("source", "The source refused the request.", "来源拒绝了该请求。", fallback=True),
        "UPSTREAM_5XX": _rule("source", "The source failed on its side.", "来源自身出错。", retry=True, fallback=True, sick=True, lost=True),
        "ADDRESS_REFUSED": _rule("policy", "The address is not one that the contract allows.", "该地址不在约定允许的范围内。"),
        "TOO_LARGE": _rule("source", "The reply is larger than the contract allows.", "返回内容超过约定大小。", fallback=True, lost=True),
        "PARSE_FAILED": _rule("source", "The reply is not in the format that it claims.", "返回内容的格式与声明不符。", retry=True, fallback=True, sick=True, lost=True),
        "OUTPUT_INVALID": _rule("source", "The reply does not fit the output schema.", "返回内容不符合输出约定。", retry=True, fallback=True, sick=True, lost=True),
        "SQL_REFUSED": _rule("caller", "The statement is not one read-only query over allowed tables.", "语句不是对允许的表的只读查询。"),
        "SQL_ERROR": _rule("source", "The engine could not run the statement.", "数据库无法执行该语句。", fallback=True),
        "CODE_REFUSED": _rule("caller", "The program uses something that is not allowed.", "程序使用了不允许的功能。"),
        "CODE_ERROR": _rule("source", "The program failed, or passed its limits.", "程序出错或超出限制。", fallback=True),
        "NO_PATTERN": _rule("source", "The question cannot be answered reliably by this source.", "该来源无法可靠地回答此问题。", fallback=True),
        "NOT_CONFIGURED": _rule("engine", "Something that the tool needs is not set up.", "工具所需的条件尚未配置。", fallback=True),
        "INTERNAL": _rule("engine", "The tool itself broke.", "工具自身出错。", retry=True, fallback=True, sick=True, lost=True),
    }
)  # fmt: skip
