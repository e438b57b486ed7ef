"""The fields of a tool's input schema, as far as rules can read a question for them. Pure.

A field has a kind by its schema (pattern, options, time, number, flag, words,
query), a role by its name (from, to), and words by its name, title and
description. JSON Schema has no word for synonyms: titles in `oneOf` and the
annotation `x-synonyms` (value -> other words for it) are read for them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from kaoju.model.evidence import JSON
from kaoju.model.plan import Task
from kaoju.model.tool import ToolSpec

FieldKind = Literal["pattern", "options", "time", "number", "flag", "words", "query", "list", "other"]
QUERY: Final = "query"
"""The argument that takes the rewritten question."""
_QUERY_NAMES: Final = frozenset({QUERY, "question", "q", "text", "prompt"})
_FROM: Final = frozenset({"from", "source", "base", "origin", "start", "since", "begin", "after", "min"})
_TO: Final = frozenset({"to", "target", "dest", "destination", "quote", "end", "until", "before", "max"})
_TIME_FORMATS: Final = frozenset({"date", "date-time"})
_TIME_PATTERN: Final = re.compile(r"\\d\{4\}.\\d\{2\}|\[0-9\]\{4\}-\[0-9\]\{2\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One value that a field may take, and the words that mean it."""

    value: JSON
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One argument of a tool."""

    name: str
    kind: FieldKind
    schema: Mapping[str, JSON]
    required: bool
    role: int
    """0 for the first of a pair (from, start), 2 for the second (to, end), 1 for the rest."""
    options: tuple[Option, ...] = ()

    @property
    def said(self) -> str:
        """Return its name, title and description as words."""
        parts = (spaced(self.name), self.schema.get("title"), self.schema.get("description"))
        return " ".join(part for part in parts if isinstance(part, str))


def spaced(name: str) -> str:
    """Return an identifier as words: `orderId` and `order_id` are "order id"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ").replace("-", " ")


def fields_of(spec: ToolSpec) -> tuple[Field, ...]:
    """Return the fields of a tool's input, in the order of its schema."""
    properties = spec.input_schema.get("properties")
    required = spec.input_schema.get("required")
    named = set(required) if isinstance(required, list) else set()
    if not isinstance(properties, Mapping):
        return ()
    return tuple(
        field_of(name, schema, required=name in named)
        for name, schema in properties.items()
        if isinstance(schema, Mapping)
    )


def field_of(name: str, schema: Mapping[str, JSON], *, required: bool) -> Field:
    """Return one field as its schema describes it."""
    parts = set(spaced(name).lower().split())
    return Field(
        name=name,
        kind=_kind(name, schema),
        schema=schema,
        required=required,
        role=0 if parts & _FROM else 2 if parts & _TO else 1,
        options=_options(schema),
    )


def takes_query(spec: ToolSpec) -> bool:
    """Return whether a tool takes the question itself under the name `query`."""
    properties = spec.input_schema.get("properties")
    if isinstance(properties, Mapping) and QUERY in properties:
        return True
    return spec.input_schema.get("additionalProperties", True) is not False


def arguments_of(task: Task, spec: ToolSpec) -> dict[str, JSON]:
    """Return the arguments that a task gives its tool: its own, and its query where the tool takes one."""
    return {QUERY: task.query, **task.arguments} if takes_query(spec) else dict(task.arguments)


def _kind(name: str, schema: Mapping[str, JSON]) -> FieldKind:
    if _options(schema):
        return "options"
    kind = schema.get("type")
    if isinstance(kind, list):
        kind = next((item for item in kind if item != "null"), None)
    if kind == "array":
        return "list" if isinstance(schema.get("items"), Mapping) else "other"
    if kind in {"integer", "number"}:
        return "number"
    if kind == "boolean":
        return "flag"
    if kind != "string":
        return "other"
    pattern = schema.get("pattern")
    if schema.get("format") in _TIME_FORMATS or (isinstance(pattern, str) and _TIME_PATTERN.search(pattern)):
        return "time"
    if name in _QUERY_NAMES:
        return "query"
    return "pattern" if isinstance(pattern, str) and pattern not in {r"\S", ".+", ".*"} else "words"


def _options(schema: Mapping[str, JSON]) -> tuple[Option, ...]:
    synonyms = schema.get("x-synonyms")
    more: Mapping[str, JSON] = synonyms if isinstance(synonyms, Mapping) else {}
    values: list[tuple[JSON, tuple[str, ...]]] = []
    if isinstance(listed := schema.get("enum"), list):
        values += [(value, ()) for value in listed]
    for key in ("oneOf", "anyOf"):
        if isinstance(choices := schema.get(key), list):
            values += [
                (item["const"], _strings((item.get("title"), item.get("description"))))
                for item in choices
                if isinstance(item, Mapping) and "const" in item
            ]
    return tuple(
        Option(value=value, words=tuple(dict.fromkeys((str(value), *said, *_words(more.get(str(value)))))))
        for value, said in values
        if value is not None
    )


def _strings(values: Sequence[JSON]) -> tuple[str, ...]:
    """Return titles as words for a value, in their parts too: "美元 / US dollar" is two."""
    whole = [value for value in values if isinstance(value, str) and value.strip()]
    return tuple(
        part.strip() for value in whole for part in re.split(r"[/,，、;；|()（）]", value) if part.strip()
    )


def _words(value: JSON) -> tuple[str, ...]:
    if isinstance(value, str):
        return _strings((value,))
    return tuple(str(item) for item in value) if isinstance(value, list) else ()
