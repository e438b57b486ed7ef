"""Nothing secret leaves: every text of an outcome passes one function.

Promises: messages, notes, evidence with its rows, query and metadata, and the
arguments of a call that waits for a person. Pure but for the function that is
given. Refuses: knowing what is secret.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import attrgetter
from typing import Final, TypeVar

from kaoju.model.evidence import JSON, Evidence, Row
from kaoju.model.tool import Failed, Succeeded, ToolOutcome
from kaoju.tools.dispatch.step import Next, Step

Redact = Callable[[str], str]
_texts_of: Final = attrgetter(
    "text", "document_id", "title", "chunk_id", "query", "uncertainty", "date", "locator.section"
)
Outcome = TypeVar("Outcome", bound=ToolOutcome)


async def redaction(step: Step, go_on: Next) -> ToolOutcome:
    """Redact whatever comes back."""
    return redacted(await go_on(step), step.desk.redact)


def redacted(outcome: Outcome, redact: Redact | None) -> Outcome:
    """Return the outcome with every text redacted."""
    if redact is None:
        return outcome
    if isinstance(outcome, Failed):
        return replace(
            outcome,
            message=redact(outcome.message),
            suggestion=redact(outcome.suggestion),
            field=redact(outcome.field),
            expected=redact(outcome.expected),
            allowed=tuple(map(redact, outcome.allowed)),
        )
    if isinstance(outcome, Succeeded):
        if all(_clean(item, redact) for item in outcome.evidence) and not outcome.notes:
            return outcome
        return replace(
            outcome,
            evidence=tuple(_evidence(item, redact) for item in outcome.evidence),
            notes=tuple(map(redact, outcome.notes)),
        )
    return replace(
        outcome,
        reason=redact(outcome.reason),
        details={redact(name): _json(value, redact) for name, value in outcome.details.items()},
    )


def _clean(item: Evidence, redact: Redact) -> bool:
    """Return whether there is nothing secret in it: the ordinary case, which costs no copy."""
    for text in _texts_of(item):
        if text and redact(text) != text:
            return False
    return not (item.rows or item.inputs or item.metadata) or _evidence(item, redact) == item


def _evidence(item: Evidence, redact: Redact) -> Evidence:
    return replace(
        item,
        text=redact(item.text),
        document_id=redact(item.document_id),
        title=redact(item.title),
        chunk_id=redact(item.chunk_id),
        query=redact(item.query),
        uncertainty=redact(item.uncertainty),
        date=None if item.date is None else redact(item.date),
        locator=replace(item.locator, section=redact(item.locator.section)),
        rows=tuple(_row(row, redact) for row in item.rows),
        inputs=tuple(map(redact, item.inputs)),
        metadata={redact(name): redact(value) for name, value in item.metadata.items()},
    )


def _row(row: Row, redact: Redact) -> Row:
    return {redact(name): redact(value) if isinstance(value, str) else value for name, value in row.items()}


def _json(value: JSON, redact: Redact) -> JSON:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, list):
        return [_json(item, redact) for item in value]
    if isinstance(value, dict):
        return {redact(name): _json(item, redact) for name, item in value.items()}
    return value
