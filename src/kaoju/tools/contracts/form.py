"""The format of a contract file, as a Pydantic model, and what it becomes.

Every field of `ToolSpec` under the name that a person would give it, and one
section named after the kind for what only that kind knows. `input` is a JSON
Schema, or the short form `field: type`, where a question mark makes a field
optional: `year: integer?`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from kaoju.model.evidence import JSON
from kaoju.model.tool import (
    CacheMode,
    CachePolicy,
    ConfidenceRule,
    Fallback,
    Idempotency,
    Probe,
    Risk,
    ToolSpec,
)
from kaoju.tools.contract import Contract

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{1,63}$")]
Sentence = Annotated[str, Field(min_length=3, max_length=2_000)]
TYPES: Final = ("string", "integer", "number", "boolean", "array", "object")
QUESTION: Final[dict[str, JSON]] = {
    "type": "object",
    "properties": {"query": {"type": "string", "minLength": 1}},
    "required": ["query"],
    "additionalProperties": False,
}
"""The arguments of a tool that states none."""


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=False)


class SlaForm(_Form):
    """How long, how often, how many at once."""

    timeout: float = Field(default=2.0, gt=0, le=3_600)
    """Seconds for one attempt."""
    attempts: int = Field(default=3, ge=1, le=10)
    """Calls at most, the first included."""
    backoff: float = Field(default=0.05, ge=0, le=60)
    """Seconds before the second attempt; doubles."""
    concurrency: int | None = Field(default=None, ge=1, le=1_000)
    rate: float | None = Field(default=None, gt=0)
    """Calls a second."""


class FallbackForm(_Form):
    """A stand-in and where its arguments come from."""

    tool: Name
    arguments: dict[str, str] = Field(default_factory=dict)


class CacheForm(_Form):
    """Whether earlier replies serve again."""

    mode: CacheMode = "none"
    ttl: float | None = Field(default=None, gt=0)
    """Seconds."""


class ProbeForm(_Form):
    """The call that tells whether the source is back."""

    arguments: dict[str, Any] = Field(default_factory=dict)
    interval: float = Field(default=30.0, gt=0)


class ConfidenceForm(_Form):
    """How far a reply is trusted."""

    ceiling: float = Field(default=1.0, gt=0, le=1)
    field: str = ""
    scale: float = Field(default=1.0, gt=0)


class ContractForm(_Form):
    """One file."""

    name: Name
    kind: str
    version: str | int | float = "1"
    description: Sentence
    use_for: Sentence
    not_for: Sentence
    returns: str = ""
    input: dict[str, Any] | None = None
    output: dict[str, Any] | None = None
    examples: list[dict[str, Any]] = Field(default_factory=list)
    sla: SlaForm = SlaForm()
    fallback: list[Name | FallbackForm] = Field(default_factory=list)
    roles: list[str] | None = None
    risk: Risk = "read"
    idempotency: Idempotency | None = None
    cache: CacheForm | Literal["none", "exact", "semantic"] = CacheForm()
    probe: ProbeForm | None = None
    confidence: ConfidenceForm = ConfidenceForm()
    options: dict[str, Any] = Field(default_factory=dict)
    """The section that the file names after its kind."""


def fields() -> tuple[str, ...]:
    """Return the names of the fields that every file may have."""
    return tuple(name for name in ContractForm.model_fields if name != "options")


def to_contract(form: ContractForm, path: Path, line: int) -> Contract:
    """Return a form as a contract."""
    cache = form.cache if isinstance(form.cache, CacheForm) else CacheForm(mode=form.cache)
    spec = ToolSpec(
        name=form.name,
        kind=form.kind,
        version=str(form.version),
        description=form.description,
        use_for=form.use_for,
        not_for=form.not_for,
        returns=form.returns,
        input_schema=schema_of(form.input),
        output_schema=None if form.output is None else schema_of(form.output),
        examples=tuple(form.examples),
        timeout_seconds=form.sla.timeout,
        attempts=form.sla.attempts,
        backoff_seconds=form.sla.backoff,
        concurrency=form.sla.concurrency,
        rate_per_second=form.sla.rate,
        fallback=tuple(
            Fallback(tool=item)
            if isinstance(item, str)
            else Fallback(tool=item.tool, arguments=item.arguments)
            for item in form.fallback
        ),
        roles=None if form.roles is None else frozenset(form.roles),
        risk=form.risk,
        idempotency=form.idempotency,
        cache=CachePolicy(mode=cache.mode, ttl_seconds=cache.ttl),
        probe=None
        if form.probe is None
        else Probe(arguments=form.probe.arguments, interval_seconds=form.probe.interval),
        confidence=ConfidenceRule(
            ceiling=form.confidence.ceiling, field=form.confidence.field, scale=form.confidence.scale
        ),
        source=f"{path}:{line}",
    )
    return Contract(spec=spec, options=form.options, folder=path.parent)


def schema_of(written: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the JSON Schema that a file states, in full or in short form.

    A mapping with `type` or `$ref` that is no field's short form is a schema already.
    """
    if written is None:
        return dict(QUESTION)
    if is_schema(written):
        return dict(written)
    properties: dict[str, Any] = {}
    required: list[str] = []
    for name, stated in written.items():
        optional = False
        if isinstance(stated, str):
            optional = stated.endswith("?")
            properties[name] = {"type": stated.removesuffix("?")}
        else:
            properties[name] = {key: value for key, value in stated.items() if key != "optional"}
            optional = stated.get("optional") is True
        if not optional:
            required.append(name)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def is_schema(written: Mapping[str, Any]) -> bool:
    """Return whether a mapping is a whole JSON Schema rather than the short form."""
    return any(key in written for key in ("$ref", "$schema", "properties", "anyOf", "oneOf", "allOf")) or (
        written.get("type") in {"object", "array"}
    )
