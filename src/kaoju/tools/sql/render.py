"""Readings as SQL. Pure; identifiers and literals are quoted here and nowhere else."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from kaoju.tools.base import chinese
from kaoju.tools.sql.findings import ROW_COLUMN
from kaoju.tools.sql.reading import Filter, Measure, Reading
from kaoju.tools.sql.view import Column, View

_NAMES_ZH = {"sum": "合计", "avg": "平均", "median": "中位数", "min": "最小", "max": "最大"}
_NAMES_EN = {"sum": "total", "avg": "average", "median": "median", "min": "minimum", "max": "maximum"}


_BRACKETED: Final = re.compile(r"\s?[（(][^（）()]{1,12}[)）]$")


def quote(name: str) -> str:
    """Return a quoted identifier."""
    return '"' + name.replace('"', '""') + '"'


def literal(value: str | Decimal) -> str:
    """Return a quoted text, or a plain number."""
    return f"{value:f}" if isinstance(value, Decimal) else "'" + value.replace("'", "''") + "'"


def render(reading: Reading, table: View, question: str) -> str:
    """Return the SQL of a reading over its table."""
    source = f"FROM {quote(table.table.name)}"
    conditions = [condition(item) for item in reading.filters]
    if reading.share_of:
        return _share(reading, source, conditions, question)
    if reading.everything:
        return f"SELECT * {source}{_where(conditions)} ORDER BY {quote(ROW_COLUMN)}"
    if reading.aggregate is not None:
        return _aggregated(reading, source, conditions, question)
    return _rows(reading, source, conditions, question)


def condition(item: Filter) -> str:
    """Return one condition."""
    left = (
        figure(item.measure) if item.measure is not None else quote(item.column.name) if item.column else ""
    )
    if item.other is not None:
        return f"{left} {item.op} {quote(item.other.name)}"
    if item.op in {"in", "not in"}:
        values = ", ".join(literal(value) for value in item.values)
        if len(item.values) == 1:
            return f"{left} {'=' if item.op == 'in' else '<>'} {values}"
        return f"{left} {item.op.upper()} ({values})"
    if item.op == "except":
        return f"({left} IS NULL OR {left} NOT IN ({', '.join(literal(value) for value in item.values)}))"
    if item.op == "between":
        return f"{left} BETWEEN {literal(item.values[0])} AND {literal(item.values[1])}"
    if item.op == "dates":
        column = f"CAST({left} AS DATE)"
        return f"{column} >= DATE {literal(item.values[0])} AND {column} < DATE {literal(item.values[1])}"
    return f"{left} {item.op} {literal(item.values[0])}"


def figure(measure: Measure) -> str:
    """Return the expression of a figure."""
    column = quote(measure.column.name)
    if measure.minus is None:
        return column
    minus = quote(measure.minus.name)
    if measure.rate:
        return f"CAST({column} - {minus} AS DOUBLE) / NULLIF({minus}, 0)"
    return f"({column} - {minus})"


def title(measure: Measure, aggregate: str | None, question: str) -> str:
    """Return what a figure is called in the result."""
    name = f"{measure.name}{_shared_unit(measure)}" if measure.name else measure.column.name
    if aggregate is None:
        return name
    zh = chinese(name) or (chinese(question) and not name.isascii())
    return f"{name}{_NAMES_ZH[aggregate]}" if zh else f"{_NAMES_EN[aggregate]} {name}"


def _shared_unit(measure: Measure) -> str:
    """Return the bracketed unit that both columns of a difference carry in their names; empty for rates."""
    if measure.minus is None or measure.rate:
        return ""
    ends = {
        found.group() if found else ""
        for found in map(_BRACKETED.search, (measure.column.name, measure.minus.name))
    }
    return ends.pop() if len(ends) == 1 else ""


def _where(conditions: list[str]) -> str:
    return " WHERE " + " AND ".join(conditions) if conditions else ""


def _rows(reading: Reading, source: str, conditions: list[str], question: str) -> str:
    selected = [quote(column.name) for column in _shown_columns(reading)]
    selected.extend(
        f"{figure(measure)} AS {quote(title(measure, None, question))}"
        for measure in reading.measures
        if measure.minus is not None
    )
    selected.append(quote(ROW_COLUMN))
    if reading.order is None:
        return f"SELECT {', '.join(selected)} {source}{_where(conditions)} ORDER BY {quote(ROW_COLUMN)}"
    key = figure(reading.measures[0])
    way = reading.order.upper()
    sql = f"SELECT {', '.join(selected)} {source}{_where([*conditions, f'{key} IS NOT NULL'])}"
    if reading.limit is not None:
        sql += f" QUALIFY RANK() OVER (ORDER BY {key} {way}) <= {reading.limit}"
    return f"{sql} ORDER BY {key} {way}, {quote(ROW_COLUMN)}"


def _shown_columns(reading: Reading) -> list[Column]:
    """Return the plain columns to show: what was asked, what was computed from, what was filtered by."""
    shown = list(reading.columns)
    for measure in reading.measures:
        shown.append(measure.column)
        if measure.minus is not None:
            shown.append(measure.minus)
    for item in reading.filters:
        shown.extend(c for c in (item.column, item.other) if c is not None and item.op != "except")
        if item.measure is not None:
            shown.append(item.measure.column)
            if item.measure.minus is not None:
                shown.append(item.measure.minus)
    return list({column.name: column for column in shown}.values())


def _aggregated(reading: Reading, source: str, conditions: list[str], question: str) -> str:
    keys = [quote(column.name) for column in reading.group]
    if reading.aggregate == "count":
        counted = "*" if reading.distinct is None else f"DISTINCT {quote(reading.distinct.name)}"
        values = [(f"COUNT({counted})", _count_name(reading, question))]
    else:
        function = str(reading.aggregate).upper()
        values = [
            (f"{function}({figure(m)})", title(m, reading.aggregate, question)) for m in reading.measures
        ]
    selected = [*keys, *(f"{expression} AS {quote(name)}" for expression, name in values)]
    selected += [f"MIN({quote(ROW_COLUMN)}) AS {quote(ROW_COLUMN)}"]
    selected += [f"MAX({quote(ROW_COLUMN)}) AS {quote(ROW_COLUMN + '_last')}"]
    if keys:
        conditions = [*conditions, *(f"{key} IS NOT NULL" for key in keys)]
    sql = f"SELECT {', '.join(selected)} {source}{_where(conditions)}"
    if not keys:
        return sql
    sql += f" GROUP BY {', '.join(keys)}"
    key = values[0][0]
    if reading.order is None:
        return f"{sql} ORDER BY MIN({quote(ROW_COLUMN)})"
    way = reading.order.upper()
    if reading.limit is not None:
        sql += f" QUALIFY RANK() OVER (ORDER BY {key} {way}) <= {reading.limit}"
    return f"{sql} ORDER BY {key} {way}, {keys[0]}"


def _count_name(reading: Reading, question: str) -> str:
    zh = chinese(question)
    if reading.distinct is not None:
        name = reading.distinct.name
        return f"{name}数量" if zh else f"number of {name}"
    return "数量" if zh else "count"


def _share(reading: Reading, source: str, conditions: list[str], question: str) -> str:
    part = " AND ".join(condition(item) for item in reading.share_of)
    measure = reading.measures[0]
    value = figure(measure)
    name = measure.name or measure.column.name
    zh = chinese(question)
    names = (
        (f"{name}（部分）", f"{name}（全部）", "占比") if zh else (f"{name} (part)", f"{name} (all)", "share")
    )
    some, whole = f"SUM(CASE WHEN {part} THEN {value} END)", f"SUM({value})"
    return (
        f"SELECT {some} AS {quote(names[0])}, {whole} AS {quote(names[1])}, "
        f"CAST({some} AS DOUBLE) / NULLIF({whole}, 0) AS {quote(names[2])}, "
        f"MIN({quote(ROW_COLUMN)}) AS {quote(ROW_COLUMN)}, MAX({quote(ROW_COLUMN)}) AS {quote(ROW_COLUMN + '_last')} "
        f"{source}{_where(conditions)}"
    )
