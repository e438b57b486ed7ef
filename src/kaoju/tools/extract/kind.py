"""Contracts of kind `extract`: the fields of a row, and what makes one row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from kaoju.model.evidence import JSON
from kaoju.tools.base import Tool
from kaoju.tools.contract import Contract, Services
from kaoju.tools.extract.fields import fields_of, problems
from kaoju.tools.extract.tool import SCHEMA, Extract

_FIELD: Final[dict[str, JSON]] = {
    "type": "object",
    "properties": {
        "type": {"enum": ["string", "number", "integer"]},
        "format": {"enum": ["date"]},
        "description": {"type": "string"},
        "aliases": {"type": "array", "items": {"type": "string", "minLength": 1}},
        "enum": {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1},
        "pattern": {"type": "string", "minLength": 1},
        "unit": {"type": "string", "minLength": 1},
    },
    "additionalProperties": False,
}
_OPTIONS: Final[Mapping[str, JSON]] = {
    "type": "object",
    "properties": {
        "fields": {
            "type": "object",
            "minProperties": 1,
            "maxProperties": 40,
            "additionalProperties": _FIELD,
            "description": "name -> {type, format, description, aliases, enum, pattern, unit}",
        },
        "required": {
            "type": "array",
            "items": {"type": "string"},
            "description": "Fields without which there is no row.",
        },
        "per": {"enum": ["passage", "line", "sentence"]},
        "k": {"type": "integer", "minimum": 1, "maximum": 50},
    },
    "required": ["fields"],
    "additionalProperties": False,
}


class ExtractKind:
    """Makes readers of fields."""

    options_schema: Mapping[str, JSON] = _OPTIONS

    def problems(self, contract: Contract) -> Sequence[str]:
        """Return patterns that are none, and required fields that are not there."""
        schema = _schema(contract)
        fields, required = schema["properties"], schema["required"]
        known = set(fields) if isinstance(fields, dict) else set()
        wanted = required if isinstance(required, list) else []
        absent = [f"extract.required: there is no field `{name}`" for name in wanted if name not in known]
        return [*absent, *problems(schema)]

    def make(self, contract: Contract, services: Services) -> Sequence[Tool]:
        """Return the tool."""
        options = cast("Mapping[str, Any]", contract.options)
        spec = contract.spec
        if not spec.input_schema.get("properties"):
            spec = replace(spec, input_schema=SCHEMA)
        return (
            Extract(
                spec,
                fields_of(_schema(contract)),
                per=options.get("per", "passage"),
                search=services.search,
                model=services.model,
                k=options.get("k", 5),
            ),
        )


def _schema(contract: Contract) -> dict[str, JSON]:
    return {
        "type": "object",
        "properties": contract.options.get("fields", {}),
        "required": contract.options.get("required", []),
    }
