"""Which other source is asked once a tool has failed, with which arguments, and what its word is worth.

Promises: pure; evidence of a stand-in says whose place it took and why, and
counts for less. Refuses: a second source for a call that may have taken effect.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from kaoju.model.failure import FAILURES
from kaoju.model.tool import Failed, Succeeded, ToolCall, ToolSpec
from kaoju.tools.base import say, text_of

FALLBACK_CONFIDENCE: Final = 0.85
"""Evidence of a lesser source keeps this share of its confidence."""


def stand_ins(spec: ToolSpec, call: ToolCall, failure: Failed) -> Iterator[ToolCall]:
    """Yield the calls that may be made in place of one that failed, in order."""
    rule = FAILURES[failure.code]
    if not rule.fallback or (spec.repeats != "natural" and rule.lost and not failure.unsent):
        return
    for fallback in spec.fallback:
        taken = fallback.arguments or {"query": "query"}
        arguments = {to: call.arguments[of] for to, of in taken.items() if of in call.arguments}
        if arguments:
            yield replace(call, tool=fallback.tool, arguments=arguments, attempt=1)


def lesser(outcome: Succeeded, call: ToolCall, failure: Failed) -> Succeeded:
    """Mark what a stand-in found as coming from the lesser source."""
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
