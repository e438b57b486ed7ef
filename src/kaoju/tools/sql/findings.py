"""What a query returned, as evidence: readable lines, typed rows, and where they stand.

Pure. Columns whose name begins with `_row` are not shown: they carry source row
numbers and become the locator. Limits that cut a result short are stated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kaoju.model.document import TableInfo
from kaoju.model.evidence import Evidence, Locator, Row
from kaoju.model.tool import ToolCall
from kaoju.tools.base import say
from kaoju.tools.sql.runner import Table

ROW_COLUMN: Final = "_row"
"""Column of every ingested table that holds the 1-based source row."""
NAME: Final = "sql_query"
PATTERN_CONFIDENCE: Final = 0.95
MODEL_CONFIDENCE: Final = 0.75
GIVEN_CONFIDENCE: Final = 0.9
MAX_INPUTS: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was run, and how it came about."""

    tool: str
    question: str
    sql: str
    sources: tuple[TableInfo, ...]
    """Tables that the SQL reads; the first one is cited."""
    confidence: float
    condition: str = ""
    """What the rows were restricted to, in words."""
    uncertainty: str = ""
    from_model: bool = False


def hidden(column: str) -> bool:
    """Return whether a result column is only there to find the source rows."""
    return column.startswith(ROW_COLUMN)


def as_evidence(found: Table, asked: Asked, call: ToolCall) -> tuple[Evidence, ...]:
    """Return the result as one piece of evidence; nothing when it has no row with a value."""
    shown = [number for number, column in enumerate(found.columns) if not hidden(column)]
    rows = [row for row in found.rows if any(row[number] is not None for number in shown)]
    if not rows or not asked.sources:
        return ()
    typed = tuple({found.columns[number]: _clean(row[number]) for number in shown} for row in rows)
    source = asked.sources[0]
    about = asked.question or asked.condition or source.title
    return (
        Evidence(
            id="",
            kind="rows",
            text=_text(typed, asked, about),
            document_id=source.document_id,
            title=source.title,
            locator=Locator(page=source.page, section=source.name, rows=_source_rows(found)),
            tool=asked.tool,
            task_id=call.task_id,
            query=asked.sql,
            score=1.0,
            confidence=asked.confidence,
            uncertainty=_uncertainty(found, asked, about),
            rows=typed,
            inputs=_inputs(typed) if _computed(asked.sql) else (),
            metadata={"tables": ", ".join(table.name for table in asked.sources), "question": asked.question},
        ),
    )


def _text(rows: Sequence[Row], asked: Asked, about: str) -> str:
    titles = ", ".join(dict.fromkeys(table.title or table.name for table in asked.sources))
    head = say(about, zh=f"表：{titles}", en=f"Table: {titles}")
    if asked.condition:
        head += say(about, zh=f"；条件：{asked.condition}", en=f"; where {asked.condition}")
    return "\n".join((head, *(line(row) for row in rows)))


def _clean(value: str | float | bool | None) -> str | int | float | bool | None:
    """Return a float without the noise of binary arithmetic."""
    return float(f"{value:.12g}") if isinstance(value, float) else value


def line(row: Row) -> str:
    """Return one row as `column: value; ...`; empty cells are left out."""
    return "; ".join(f"{column}: {shown(value)}" for column, value in row.items() if value is not None)


def shown(value: str | float | bool | None) -> str:
    """Return a value as people read it: no exponent, no binary noise."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return str(value)
    if isinstance(value, int):
        return str(value)
    text = f"{value:.6f}" if abs(value) >= 0.001 else f"{value:.12f}"
    return text.rstrip("0").rstrip(".") or "0"


def _source_rows(found: Table) -> tuple[int, int] | None:
    """Return the first and last source row behind the result, where the SQL carried them."""
    numbers = [
        value
        for column_number, column in enumerate(found.columns)
        if hidden(column)
        for value in (row[column_number] for row in found.rows)
        if isinstance(value, int) and value >= 1
    ]
    return (min(numbers), max(numbers)) if numbers else None


def _computed(sql: str) -> bool:
    return any(word in sql for word in ("SUM(", "AVG(", "COUNT(", " - ", " / ", "MIN(", "MAX("))


def _inputs(rows: Sequence[Row]) -> tuple[str, ...]:
    values = (
        shown(value)
        for row in rows
        for value in row.values()
        if isinstance(value, int | float) and not isinstance(value, bool)
    )
    return tuple(dict.fromkeys(values))[:MAX_INPUTS]


def only_zeros(item: Evidence) -> bool:
    """Return whether a result holds nothing but zeros: the filter may be wrong, or there are none."""
    return all(
        value is None or (value == 0 and not isinstance(value, bool))
        for row in item.rows
        for value in row.values()
    )


def join(uncertainty: str, notes: Sequence[str], about: str) -> str:
    """Return an uncertainty with further notes."""
    return say(about, zh="；", en="; ").join(part for part in (uncertainty, *notes) if part)


def _uncertainty(found: Table, asked: Asked, about: str) -> str:
    parts = [asked.uncertainty] if asked.uncertainty else []
    if asked.from_model:
        parts.append(say(about, zh="SQL 由模型编写", en="the SQL was written by a model"))
    count = len(found.rows)
    if found.cut == "rows":
        parts.append(say(about, zh=f"仅取前 {count} 行", en=f"only the first {count} rows"))
    elif found.cut == "bytes":
        parts.append(
            say(about, zh=f"结果过大，仅取前 {count} 行", en=f"too large: only the first {count} rows")
        )
    return join("", parts, about)
