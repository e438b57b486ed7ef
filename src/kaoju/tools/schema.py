"""Arguments against a tool's input schema, and results against what a result must be.

Pure. A violation is a value that names the field, what was expected and what
is allowed, so that a planner (or a person) can correct it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from kaoju.model.evidence import JSON, Evidence
from kaoju.model.tool import Failed, NeedsApproval, Succeeded, ToolOutcome, ToolSpec
from kaoju.tools.base import say, text_of


class _Schema:
    """A schema hashable by identity, kept alive by the cache so that its id stays its own."""

    def __init__(self, body: Mapping[str, JSON]) -> None:
        self.body = body

    def __hash__(self) -> int:
        return id(self.body)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Schema) and other.body is self.body


@lru_cache(maxsize=256)
def _validator(schema: _Schema) -> Draft202012Validator:
    return Draft202012Validator(schema.body)


def check_arguments(spec: ToolSpec, arguments: Mapping[str, JSON]) -> Failed | None:
    """Return why the arguments do not fit the contract, or None when they do."""
    error = best_match(_validator(_Schema(spec.input_schema)).iter_errors(dict(arguments)))
    return None if error is None else _failed(spec, arguments, error)


def _failed(spec: ToolSpec, arguments: Mapping[str, JSON], error: ValidationError) -> Failed:
    field = ".".join(str(part) for part in error.absolute_path)
    allowed: tuple[str, ...] = ()
    expected = f"{error.validator}: {error.validator_value}"
    value: Any = error.validator_value
    instance: Any = error.instance
    if error.validator == "required":
        missing = [name for name in value if name not in instance]
        field = field or (missing[0] if missing else "")
        expected = "present"
        allowed = _properties(spec)
    elif error.validator == "additionalProperties":
        allowed = _properties(spec)
        unknown = [name for name in instance if name not in allowed]
        field = unknown[0] if unknown else field
        expected = "one of the declared arguments"
    elif error.validator == "enum":
        allowed = tuple(str(item) for item in value)
        expected = "one of " + ", ".join(allowed)
    elif error.validator == "type":
        expected = str(value)
    about = text_of(arguments)
    return Failed(
        code="TOOL_PARAM_INVALID",
        message=say(
            about,
            zh=f"工具 {spec.name} 的参数 {field or '(整体)'} 不符合约定：应为 {expected}",
            en=f"argument {field or '(whole)'} of {spec.name} does not fit: expected {expected}",
        ),
        retryable=False,
        suggestion=say(
            about,
            zh=f"按约定改正参数 {field or ''} 后重新调用",
            en=f"correct {field or 'the arguments'} and call again",
        ),
        field=field,
        expected=expected,
        allowed=allowed,
        tool=spec.name,
    )


def _properties(spec: ToolSpec) -> tuple[str, ...]:
    properties = spec.input_schema.get("properties")
    return tuple(properties) if isinstance(properties, dict) else ()


def check_outcome(spec: ToolSpec, outcome: object) -> ToolOutcome:
    """Return the outcome with the tool's own name on it, or OUTPUT_INVALID and why."""
    if isinstance(outcome, Failed | NeedsApproval):
        return replace(outcome, tool=spec.name)
    if not isinstance(outcome, Succeeded):
        return _bad_output(spec, f"a tool outcome, not {type(outcome).__name__}")
    if not _share(outcome.confidence):
        return _bad_output(spec, "confidence in [0, 1]", "confidence")
    items: object = outcome.evidence
    if not isinstance(items, tuple):
        return _bad_output(spec, "a tuple of evidence", "evidence")
    for number, item in enumerate(items):
        wrong = _wrong_with(item)
        if wrong:
            return _bad_output(spec, wrong, f"evidence.{number}")
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


def _bad_output(spec: ToolSpec, expected: str, field: str = "") -> Failed:
    return Failed(
        code="OUTPUT_INVALID",
        message=f"{spec.name} returned something that its contract does not allow: expected {expected}",
        retryable=True,
        suggestion="use another tool for this need",
        field=field,
        expected=expected,
        tool=spec.name,
    )
