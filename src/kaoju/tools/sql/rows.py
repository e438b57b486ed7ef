"""Source rows behind a result: adds the hidden row column where result rows are source rows, or takes it out. Pure."""

from __future__ import annotations

import sqlglot
from sqlglot import exp

from kaoju.tools.sql.findings import ROW_COLUMN, hidden


def with_source_rows(sql: str) -> str:
    """Return guarded SQL with the source row number selected too, where each result row is one source row.

    The SQL comes back unchanged for joins, groups, aggregates, DISTINCT, set
    operations, sub-queries in FROM, and where the column is selected already.
    """
    root = sqlglot.parse_one(sql, read="duckdb")
    if not isinstance(root, exp.Select):
        return sql
    source = root.args.get("from_")
    if source is None or not isinstance(source.this, exp.Table):
        return sql
    if any(
        root.args.get(part)
        for part in ("joins", "group", "having", "distinct", "with_", "laterals", "qualify")
    ):
        return sql
    selected = root.expressions
    if any(isinstance(item, exp.Star) or hidden(item.alias_or_name) for item in selected):
        return sql
    if any(item.find(exp.AggFunc, exp.Window) for item in selected):
        return sql
    return root.select(exp.column(ROW_COLUMN, quoted=True)).sql(dialect="duckdb")


def without_source_rows(sql: str) -> str:
    """Return SQL of ours for tables that have no source rows: neither selected nor ordered by."""
    root = sqlglot.parse_one(sql, read="duckdb")
    for select in list(root.find_all(exp.Select)):
        select.set("expressions", [item for item in select.expressions if not hidden(item.alias_or_name)])
        order = select.args.get("order")
        if isinstance(order, exp.Order):
            kept = [item for item in order.expressions if not _by_row(item)]
            select.set("order", exp.Order(expressions=kept) if kept else None)
    return root.sql(dialect="duckdb")


def _by_row(item: exp.Expr) -> bool:
    return any(hidden(column.name) for column in item.find_all(exp.Column))
