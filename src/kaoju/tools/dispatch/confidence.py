"""How far a reply is to be trusted: never more than the contract's ceiling.

Promises: confidence only ever falls here. `stated` reads what a reply says of
itself, for the kinds of tools that get raw replies.
"""

from __future__ import annotations

import math
from dataclasses import replace

from kaoju.model.tool import Succeeded, ToolOutcome, ToolSpec
from kaoju.tools.dispatch.step import Next, Step


async def confidence(step: Step, go_on: Next) -> ToolOutcome:
    """Cap the confidence of what came back."""
    outcome = await go_on(step)
    ceiling = min(1.0, max(0.0, step.spec.confidence.ceiling))
    if not isinstance(outcome, Succeeded) or ceiling == 1.0:
        return outcome
    return replace(
        outcome,
        confidence=min(outcome.confidence, ceiling),
        evidence=tuple(
            replace(item, confidence=ceiling) if item.confidence > ceiling else item
            for item in outcome.evidence
        ),
    )


def stated(spec: ToolSpec, reply: object) -> float | None:
    """Return the confidence in [0, 1] that a raw reply states by the contract's rule; None where it states none."""
    rule = spec.confidence
    if not rule.field or rule.scale <= 0:
        return None
    value = reply
    for name in rule.field.split("."):
        if isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        elif isinstance(value, dict):
            value = value.get(name)
        else:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return min(1.0, max(0.0, value / rule.scale))
