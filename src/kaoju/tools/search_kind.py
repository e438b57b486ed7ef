"""Contracts of kind `search`: the knowledge base, or a fixed part of it, searched in a fixed way.

Promises: what the contract fixes (mode, documents, dates), no argument can
widen. Refuses: periods that end before they begin.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final, Literal, cast

from kaoju.errors import UsageError
from kaoju.model.evidence import JSON
from kaoju.tools.base import Tool
from kaoju.tools.contract import Contract, Services
from kaoju.tools.search import DEFAULT_K, MAX_K, SCHEMA, Part, SearchTool

_PATTERNS: Final[dict[str, JSON]] = {
    "type": "array",
    "items": {"type": "string", "minLength": 1},
    "minItems": 1,
    "maxItems": 1_000,
    "description": "Document ids, or patterns such as `policies/*`.",
}
_DATE: Final[dict[str, JSON]] = {"type": "string", "format": "date"}
_OPTIONS: Final[Mapping[str, JSON]] = {
    "type": "object",
    "properties": {
        "mode": {
            "enum": ["semantic", "keyword"],
            "description": "By meaning and words together, or by words alone; `semantic` where not said.",
        },
        "k": {
            "type": "integer",
            "minimum": 1,
            "maximum": MAX_K,
            "description": "Passages that a call brings.",
        },
        "documents": _PATTERNS,
        "exclude": _PATTERNS,
        "from": {**_DATE, "description": "Only documents that state a date from this day on."},
        "to": {**_DATE, "description": "Only documents that state a date before this day."},
    },
    "additionalProperties": False,
}


class SearchKind:
    """Makes searches of contracts."""

    options_schema: Mapping[str, JSON] = _OPTIONS

    def problems(self, contract: Contract) -> Sequence[str]:
        """Return what is wrong with the period, and with an input that no search takes."""
        found = []
        dates = _dates(contract.options)
        if dates is not None and dates[0] >= dates[1]:
            found.append("search.from must lie before search.to")
        properties = contract.spec.input_schema.get("properties")
        if isinstance(properties, Mapping) and properties and "query" not in properties:
            found.append("input: a search takes `query`; name it, or leave `input` out")
        return found

    def make(self, contract: Contract, services: Services) -> Sequence[Tool]:
        """Return the tool.

        Raises:
            UsageError: there is no knowledge base to search.
        """
        if services.search is None:
            raise UsageError(
                f"{contract.spec.name} searches a knowledge base; make one with kaoju ingest",
                f"{contract.spec.name} 需要知识库；请先用 kaoju ingest 建立",
            )
        options = cast("Mapping[str, Any]", contract.options)
        spec = contract.spec
        if not spec.input_schema.get("properties"):
            spec = replace(spec, input_schema=SCHEMA)
        mode: Literal["semantic", "keyword"] = options.get("mode", "semantic")
        part = Part(
            documents=tuple(options.get("documents", ())),
            exclude=tuple(options.get("exclude", ())),
            dates=_dates(options),
        )
        return (SearchTool(spec, mode, services.search, part=part, k=options.get("k", DEFAULT_K)),)


def _dates(options: Mapping[str, Any]) -> tuple[date, date] | None:
    if "from" not in options and "to" not in options:
        return None
    return (
        date.fromisoformat(str(options.get("from", date.min))),
        date.fromisoformat(str(options.get("to", date.max))),
    )
