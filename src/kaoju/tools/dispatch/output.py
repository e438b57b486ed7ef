"""Only results that a contract allows: evidence that can be quoted, placed and weighed.

Promises: what passes carries the tool's own name. Refuses: everything else, as
`OUTPUT_INVALID` with what was expected. Raw replies are checked by the kinds of
tools that get them (`kaoju.tools.schema.check_output`), before they are evidence.
"""

from __future__ import annotations

import math
from dataclasses import replace

from kaoju.model.evidence import Evidence
from kaoju.model.failure import FAILURES
from kaoju.model.tool import Failed, NeedsApproval, Succeeded, ToolOutcome, ToolSpec
from kaoju.tools.dispatch.step import Next, Step
from kaoju.tools.schema import bad_output


async def output(step: Step, go_on: Next) -> ToolOutcome:
    """Check what came back."""
    return check_outcome(step.spec, await go_on(step))


def check_outcome(spec: ToolSpec, outcome: object) -> ToolOutcome:
    """Return the outcome with the tool's own name on it, or OUTPUT_INVALID and why."""
    if isinstance(outcome, Failed):
        if outcome.code not in FAILURES:
            return bad_output(spec, f"a failure of the table, not {outcome.code!r}", "code")
        return outcome if outcome.tool == spec.name else replace(outcome, tool=spec.name)
    if isinstance(outcome, NeedsApproval):
        return replace(outcome, tool=spec.name)
    if not isinstance(outcome, Succeeded):
        return bad_output(spec, f"a tool outcome, not {type(outcome).__name__}")
    if not _share(outcome.confidence):
        return bad_output(spec, "confidence in [0, 1]", "confidence")
    items: object = outcome.evidence
    if not isinstance(items, tuple):
        return bad_output(spec, "a tuple of evidence", "evidence")
    for number, item in enumerate(items):
        wrong = _wrong_with(item)
        if wrong:
            return bad_output(spec, wrong, f"evidence.{number}")
    named = tuple(
        item if item.tool == spec.name else replace(item, tool=spec.name) for item in outcome.evidence
    )
    return replace(outcome, evidence=named, tool=spec.name)


def _wrong_with(item: object) -> str:
    if not isinstance(item, Evidence):
        return f"evidence, not {type(item).__name__}"
    if not item.text.strip():
        return "text that can be quoted"
    if item.kind != "value" and not item.document_id:
        return "a document_id"
    if not _share(item.confidence):
        return "confidence in [0, 1]"
    place = item.locator
    if place.start is not None and place.end is not None and not 0 <= place.start <= place.end:
        return "a locator whose start is before its end"
    if place.rows is not None and not 1 <= place.rows[0] <= place.rows[1]:
        return "a locator whose first row is before its last"
    return ""


def _share(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value) and 0.0 <= value <= 1.0
