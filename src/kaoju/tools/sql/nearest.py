"""Why a result may be empty: values that a filter names and the table does not have.

Promises: a value is declared absent only where all values of its column were
seen, in the samples or by looking. Works through the caller's own way of
asking, so on every engine and behind the same guard.
"""

from __future__ import annotations

import difflib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

import sqlglot
from sqlglot import exp

from kaoju.model.document import TableInfo
from kaoju.tools.base import say
from kaoju.tools.sql.dialects import dialect
from kaoju.tools.sql.engines.target import Engine
from kaoju.tools.sql.runner import QueryError, Table

CUTOFF: Final = 0.5
MANY: Final = 3
LOOKS: Final = 3
"""Columns that are looked into at most."""
VALUES: Final = 1_000
"""Different values of a column that are looked at."""
COMPLETE: Final = 50
"""A column with fewer samples has no other values."""

Look = Callable[[str], Awaitable[Table | QueryError]]
"""Runs SQL over the tables under the names that they have here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A value that a filter asks for."""

    column: str
    value: str
    part: bool = False
    """True where a part of a value is enough."""


async def missing_values(
    sql: str, written: Engine, tables: Sequence[TableInfo], about: str, look: Look
) -> tuple[str, ...]:
    """Return one note for each filter whose value the column does not have, with the nearest values."""
    notes: list[str] = []
    for wanted in equalities(sql, written)[:LOOKS]:
        table = next((t for t in tables if _column(t, wanted.column) is not None), None)
        column = _column(table, wanted.column) if table is not None else None
        if table is None or column is None:
            continue
        known = await _values(table, column, look)
        if known is not None and not any(_fits(wanted, value) for value in known):
            notes.append(_note(column, wanted.value, known, about))
    return tuple(notes)


def equalities(sql: str, written: Engine) -> tuple[Wanted, ...]:
    """Return the text values that the filters of a statement ask for."""
    found: list[Wanted] = []
    for node in sqlglot.parse_one(sql, read=dialect(written)).find_all(exp.EQ, exp.In, exp.Like, exp.ILike):
        column = node.this
        values = node.expressions if isinstance(node, exp.In) else [node.args.get("expression")]
        if isinstance(column, exp.Lower | exp.Trim | exp.Upper):
            column = column.this
        if not isinstance(column, exp.Column) or isinstance(node.parent, exp.Not):
            continue
        part = isinstance(node, exp.Like | exp.ILike)
        for value in values:
            if isinstance(value, exp.Literal) and value.is_string:
                text = value.name.strip("%") if part else value.name
                if text and not (part and ("%" in text or "_" in text)):
                    found.append(Wanted(column=column.name, value=text, part=part))
    return tuple(dict.fromkeys(found))


async def _values(table: TableInfo, column: str, look: Look) -> tuple[str, ...] | None:
    """Return all values of a text column; None where there are too many, or they cannot be had."""
    samples = table.samples.get(column, ())
    if 0 < len(samples) < COMPLETE:
        return samples
    if dict(table.columns).get(column) != "VARCHAR":
        return None
    name, source = _quoted(column), _quoted(table.name)
    seen = await look(f"SELECT DISTINCT {name} FROM {source} WHERE {name} IS NOT NULL LIMIT {VALUES}")
    if isinstance(seen, QueryError) or seen.cut or len(seen.rows) >= VALUES:
        return None
    return tuple(str(row[0]) for row in seen.rows)


def _fits(wanted: Wanted, value: str) -> bool:
    if wanted.part:
        return wanted.value.casefold() in value.casefold()
    return wanted.value == value


def _note(column: str, value: str, known: Sequence[str], about: str) -> str:
    near = difflib.get_close_matches(value.casefold(), [item.casefold() for item in known], MANY, CUTOFF)
    original = [item for item in known if item.casefold() in near][:MANY]
    if not original:
        return say(about, zh=f"列“{column}”中没有“{value}”", en=f"column {column!r} has no {value!r}")
    nearest = say(about, zh="、", en=", ").join(original)
    return say(
        about,
        zh=f"列“{column}”中没有“{value}”，相近的值有：{nearest}",
        en=f"column {column!r} has no {value!r}; nearest values: {nearest}",
    )


def _column(table: TableInfo, name: str) -> str | None:
    """Return a table's column as it is called here, or as a synonym names it; None where it has none."""
    folded = name.casefold()
    for own, _ in table.columns:
        if own.casefold() == folded or folded in (word.casefold() for word in table.synonyms.get(own, ())):
            return own
    return None


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
