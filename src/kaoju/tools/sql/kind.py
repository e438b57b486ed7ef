"""The kind `sql`: the tables of a database that a contract names.

Promises: nothing is opened before the first call; credentials are resolved from
`env:` or `file:` references only. Refuses: passwords in clear, tables and
columns that the contract does not allow, limits out of bounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

from kaoju.errors import UsageError
from kaoju.model.evidence import JSON
from kaoju.tools.base import Tool
from kaoju.tools.contract import Contract, Services
from kaoju.tools.sql.address import read_address
from kaoju.tools.sql.catalogue import Described, DescribedColumn
from kaoju.tools.sql.engines.target import MEMORY_MB, Target
from kaoju.tools.sql.guard import MAX_ROWS
from kaoju.tools.sql.runner import MAX_BYTES, QUERY_SECONDS
from kaoju.tools.sql.sources import Database
from kaoju.tools.sql.tool import SqlTool

_WORDS: Final[dict[str, JSON]] = {"type": "array", "items": {"type": "string", "minLength": 1}}
_REFERENCE: Final[dict[str, JSON]] = {"type": "string", "pattern": "^(env|file):.+"}
_COLUMN: Final[dict[str, JSON]] = {
    "type": "object",
    "properties": {"title": {"type": "string"}, "comment": {"type": "string"}, "synonyms": _WORDS},
    "additionalProperties": False,
}
_TABLE: Final[dict[str, JSON]] = {
    "type": ["object", "null"],
    "properties": {
        "title": {"type": "string"},
        "comment": {"type": "string"},
        "synonyms": _WORDS,
        "columns": {"type": "object", "additionalProperties": _COLUMN},
        "only": _WORDS,
        "hidden": _WORDS,
    },
    "additionalProperties": False,
}
OPTIONS: Final[dict[str, JSON]] = {
    "type": "object",
    "properties": {
        "url": {"type": "string", "minLength": 1},
        "user": {"type": "string"},
        "password": _REFERENCE,
        "schemas": _WORDS,
        "tables": {"anyOf": [_WORDS, {"type": "object", "additionalProperties": _TABLE}]},
        "limits": {
            "type": "object",
            "properties": {
                "rows": {"type": "integer", "minimum": 1, "maximum": 10_000},
                "bytes": {"type": "integer", "minimum": 1_024, "maximum": 16 * 1024 * 1024},
                "seconds": {"type": "number", "exclusiveMinimum": 0, "maximum": 300},
                "memory_mb": {"type": "integer", "minimum": 64, "maximum": 2_048},
            },
            "additionalProperties": False,
        },
    },
    "required": ["url"],
    "anyOf": [{"required": ["tables"]}, {"required": ["schemas"]}],
    "additionalProperties": False,
}


class SqlKind:
    """Contracts that name a database."""

    @property
    def options_schema(self) -> Mapping[str, JSON]:
        """Return the JSON Schema of the section `sql`."""
        return OPTIONS

    def problems(self, contract: Contract) -> Sequence[str]:
        """Return what is wrong with a contract beyond its schema; nothing is opened."""
        options = cast("Mapping[str, Any]", contract.options)
        found: list[str] = []
        url = str(options["url"])
        if not _refers(url):
            try:
                target = read_address(url, contract.folder)
            except UsageError as error:
                return (str(error),)
            if target.engine in {"duckdb", "sqlite"} and not Path(target.database).is_file():
                found.append(f"there is no file {options['url']}")
            if target.engine in {"duckdb", "sqlite"} and "password" in options:
                found.append("a file takes no password; leave it out")
        if not options.get("tables") and not options.get("schemas"):
            found.append("no table is allowed; name `tables` or `schemas`")
        for name, said in _described(options).items():
            both = set(said.only or ()) & set(said.hidden)
            if both:
                found.append(f"column {min(both)!r} of {name!r} is both in `only` and in `hidden`")
            unknown = set(said.columns) & set(said.hidden)
            if unknown:
                found.append(f"column {min(unknown)!r} of {name!r} is described and hidden")
        return tuple(found)

    def make(self, contract: Contract, services: Services) -> Sequence[Tool]:
        """Return the one tool of a contract.

        Raises:
            UsageError: the address cannot be used, or a reference cannot be resolved.
        """
        options = cast("Mapping[str, Any]", contract.options)
        limits = cast("Mapping[str, Any]", options.get("limits") or {})
        source = Database(
            contract.spec.name,
            _target(options, contract.folder, services),
            _described(options),
            seconds=float(limits.get("seconds", QUERY_SECONDS)),
            max_bytes=int(limits.get("bytes", MAX_BYTES)),
            redact=services.secrets.redact,
        )
        rows = int(limits.get("rows", MAX_ROWS))
        return (SqlTool(source, services.model, spec=contract.spec, max_rows=rows),)


def _target(options: Mapping[str, Any], folder: Path, services: Services) -> Target:
    limits = options.get("limits") or {}
    url = str(options["url"])
    target = read_address(_resolved(url, services), folder, in_clear=not _refers(url))
    return replace(
        target,
        user=_resolved(str(options.get("user", "")), services) or target.user,
        password=_resolved(str(options.get("password", "")), services) or target.password,
        schemas=tuple(options.get("schemas") or ()),
        tables=tuple(options.get("tables") or ()),
        memory_mb=int(limits.get("memory_mb", MEMORY_MB)),
    )


def _resolved(value: str, services: Services) -> str:
    return services.secrets.resolve(value) if _refers(value) else value


def _refers(value: str) -> bool:
    return value.startswith(("env:", "file:"))


def _described(options: Mapping[str, Any]) -> dict[str, Described]:
    tables = options.get("tables")
    if not isinstance(tables, Mapping):
        return {}
    return {name: _table(said or {}) for name, said in tables.items()}


def _table(said: Mapping[str, Any]) -> Described:
    columns = {
        name: DescribedColumn(
            title=column.get("title", ""),
            comment=column.get("comment", ""),
            synonyms=tuple(column.get("synonyms", ())),
        )
        for name, column in (said.get("columns") or {}).items()
    }
    return Described(
        title=said.get("title", ""),
        comment=said.get("comment", ""),
        synonyms=tuple(said.get("synonyms", ())),
        columns=columns,
        only=tuple(said["only"]) if "only" in said else None,
        hidden=tuple(said.get("hidden", ())),
    )
