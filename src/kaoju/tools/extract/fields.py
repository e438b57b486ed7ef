"""What is to be extracted: the fields of a JSON Schema, as rules and models read them. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from kaoju.model.evidence import JSON

FieldType = Literal["text", "number", "integer", "date", "choice"]
MAX_LABEL_CHARS: Final = 16
"""A description no longer than this is taken for another name of its field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field of a row."""

    name: str
    type: FieldType
    description: str = ""
    labels: tuple[str, ...] = ()
    """What a text calls it: its name, its aliases, a short description; longest first."""
    choices: tuple[str, ...] = ()
    pattern: str = ""
    """Regular expression of the value; its first group, where it has one, is the value."""
    unit: str = ""
    required: bool = False


def fields_of(schema: Mapping[str, JSON]) -> tuple[Field, ...]:
    """Return the fields of a JSON Schema whose `properties` are plain values."""
    properties = schema.get("properties")
    required = schema.get("required")
    needed = {str(name) for name in required} if isinstance(required, list) else set()
    if not isinstance(properties, dict):
        return ()
    return tuple(
        _field(name, body, required=name in needed)
        for name, body in properties.items()
        if isinstance(body, dict)
    )


def _field(name: str, body: Mapping[str, JSON], *, required: bool) -> Field:
    description = str(body.get("description", ""))
    aliases = body.get("aliases")
    named = [str(alias) for alias in aliases] if isinstance(aliases, list) else []
    labels = [name, name.replace("_", " "), *named]
    if 0 < len(description) <= MAX_LABEL_CHARS:
        labels.append(description.strip("。. "))
    choices = body.get("enum")
    return Field(
        name=name,
        type=_type(body),
        description=description,
        labels=tuple(sorted(dict.fromkeys(label for label in labels if label), key=len, reverse=True)),
        choices=tuple(str(choice) for choice in choices) if isinstance(choices, list) else (),
        pattern=str(body.get("pattern", "")),
        unit=str(body.get("unit", "")),
        required=required,
    )


def _type(body: Mapping[str, JSON]) -> FieldType:
    if "enum" in body:
        return "choice"
    stated = body.get("type")
    if stated == "number":
        return "number"
    if stated == "integer":
        return "integer"
    return "date" if body.get("format") == "date" else "text"


def problems(schema: Mapping[str, JSON]) -> list[str]:
    """Return what is wrong with a schema of fields."""
    found = []
    for field in fields_of(schema):
        if field.pattern:
            try:
                re.compile(field.pattern)
            except re.error as error:
                found.append(f"extract.fields.{field.name}.pattern is no regular expression: {error}")
    return found
