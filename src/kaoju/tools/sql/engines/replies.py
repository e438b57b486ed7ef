"""What an adapter gives back: bounded rows of plain values, the tables that there are, or trouble.

Standard library only: the child process loads it.
"""

from __future__ import annotations

import datetime as dt
import decimal
import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from kaoju.tools.sql.engines.target import Target

Plain = str | int | float | bool | None
TroubleKind = Literal["sql", "open", "memory", "timeout", "denied"]


class Trouble(Exception):  # noqa: N818 - it is told, not an error of ours
    """A request failed; `kind` says how: `denied` is a lock of the engine at work."""

    def __init__(self, kind: TroubleKind, message: str) -> None:
        """Keep the kind beside the engine's own words."""
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One query and its bounds."""

    sql: str
    max_rows: int
    max_bytes: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One table or view of the database."""

    schema: str
    name: str
    columns: tuple[tuple[str, str, str], ...]
    """(name, the engine's type, comment) in order."""
    comment: str = ""
    rows: int | None = None
    """How many rows the engine believes there are; None where it does not say."""


class Adapter(Protocol):
    """One engine."""

    def query(self, target: Target, request: Request) -> dict[str, Any]:
        """Run one query under the engine's own locks.

        Raises:
            Trouble: it did not run.
        """
        ...

    def tables(self, target: Target, seconds: float) -> Sequence[Found]:
        """Return the allowed tables.

        Raises:
            Trouble: the database cannot be read.
        """
        ...


def plain(value: object) -> Plain:
    """Return a value as JSON has it; numbers stay numbers, dates become ISO text."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**63 else str(value)
    if isinstance(value, decimal.Decimal):
        if not value.is_finite():
            return None
        return int(value) if value == value.to_integral_value() and abs(value) < 2**63 else float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).decode("utf-8", errors="replace")
    return str(value)


def bounded(columns: Sequence[str], rows: Iterable[Sequence[object]], request: Request) -> dict[str, Any]:
    """Return the rows up to the limits, and which limit cut them."""
    kept: list[list[Plain]] = []
    size, cut = 0, ""
    for row in rows:
        if len(kept) >= request.max_rows:
            cut = "rows"
            break
        values = [plain(value) for value in row]
        size += len(json.dumps(values, ensure_ascii=False).encode("utf-8", "replace"))
        if size > request.max_bytes:
            cut = "bytes"
            break
        kept.append(values)
    return {"columns": list(columns), "rows": kept, "cut": cut}


def wanted(target: Target, schema: str, name: str) -> bool:
    """Return whether the contract allows a table."""
    here = f"{schema}.{name}"
    return schema in target.schemas or name in target.tables or here in target.tables
