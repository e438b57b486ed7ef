"""Why a result may be empty: values that a filter names and the table does not have. Pure."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

import sqlglot
from sqlglot import exp

from kaoju.model.document import TableInfo
from kaoju.tools.base import say

CUTOFF = 0.5
MANY = 3


def missing_values(sql: str, tables: Sequence[TableInfo], about: str) -> tuple[str, ...]:
    """Return one note for each equality filter whose value no sample has, with the nearest values.

    A column whose samples may be incomplete (50 or more) is only compared, never declared wrong.
    """
    samples = {
        column.casefold(): values for table in tables for column, values in table.samples.items() if values
    }
    notes: list[str] = []
    for column, value in _equalities(sql):
        known = samples.get(column.casefold())
        if not known or value in known:
            continue
        near = difflib.get_close_matches(value.casefold(), [item.casefold() for item in known], MANY, CUTOFF)
        original = [item for item in known if item.casefold() in near]
        nearest = say(about, zh="、", en=", ").join(original)
        if original:
            notes.append(
                say(
                    about,
                    zh=f"列“{column}”中没有“{value}”，相近的值有：{nearest}",
                    en=f"column {column!r} has no {value!r}; nearest values: {nearest}",
                )
            )
        else:
            notes.append(
                say(about, zh=f"列“{column}”中没有“{value}”", en=f"column {column!r} has no {value!r}")
            )
    return tuple(notes)


def _equalities(sql: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for node in sqlglot.parse_one(sql, read="duckdb").find_all(exp.EQ, exp.In):
        column = node.this
        values = node.expressions if isinstance(node, exp.In) else [node.expression]
        if isinstance(column, exp.Lower | exp.Trim):
            column = column.this
        if isinstance(column, exp.Column):
            found.extend(
                (column.name, value.name)
                for value in values
                if isinstance(value, exp.Literal) and value.is_string
            )
    return found
