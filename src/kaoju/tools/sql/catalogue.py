"""What a database has, in the words of its contract: tables as planners and SQL writers see them. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from sqlglot import exp
from sqlglot.errors import SqlglotError

from kaoju.model.document import TableInfo
from kaoju.tools.sql.dialects import dialect
from kaoju.tools.sql.engines.replies import Found
from kaoju.tools.sql.engines.target import Engine
from kaoju.tools.sql.scope import Place

SAMPLES: Final = 50
"""Values that a column with fewer than so many shows whole."""
COUNTED_ROWS: Final = 2_000_000
"""A table that the engine believes to be larger is not counted."""
_TEXT: Final = frozenset({"TEXT", "VARCHAR", "CHAR", "NCHAR", "NVARCHAR", "ENUM", "UNKNOWN", "USERDEFINED"})


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedColumn:
    """What a contract says of a column."""

    title: str = ""
    """What it is called here; its own name where empty."""
    comment: str = ""
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """What a contract says of a table."""

    title: str = ""
    comment: str = ""
    synonyms: tuple[str, ...] = ()
    columns: Mapping[str, DescribedColumn] = field(default_factory=dict)
    only: tuple[str, ...] | None = None
    """Columns that may be read; None is all but the hidden ones."""
    hidden: tuple[str, ...] = ()


def as_tables(
    source: str, found: Sequence[Found], described: Mapping[str, Described], engine: Engine
) -> tuple[tuple[TableInfo, ...], Mapping[str, Place]]:
    """Return the tables, and where each of them is, by the same names."""
    alike = [item.name.casefold() for item in found]
    tables: list[TableInfo] = []
    places: dict[str, Place] = {}
    for item in found:
        said = described.get(f"{item.schema}.{item.name}") or described.get(item.name) or Described()
        name = item.name if alike.count(item.name.casefold()) == 1 else f"{item.schema}_{item.name}"
        columns = [column for column in item.columns if _readable(column[0], said)]
        if not columns or name in places:
            continue
        titles = {column: _said(said, column).title or column for column, _, _ in columns}
        places[name] = Place(schema=item.schema, name=item.name, columns=tuple(titles.items()))
        comments = {titles[column]: _said(said, column).comment or comment for column, _, comment in columns}
        comments[""] = said.comment or item.comment
        synonyms = {titles[column]: _words(said, column, titles[column]) for column, _, _ in columns}
        synonyms[""] = said.synonyms
        tables.append(
            TableInfo(
                name=name,
                document_id=f"{source}/{item.schema}.{item.name}",
                title=said.title or item.comment or item.name,
                columns=tuple((titles[column], _type(kind, engine)) for column, kind, _ in columns),
                row_count=item.rows or 0,
                comments={key: text for key, text in comments.items() if text},
                synonyms={key: words for key, words in synonyms.items() if words},
            )
        )
    return tuple(tables), places


def countings(table: TableInfo) -> tuple[str, ...]:
    """Return the SQL that counts a table's rows; none for one that is too large to count."""
    if table.row_count > COUNTED_ROWS:
        return ()
    return (f"SELECT COUNT(*) FROM {_quoted(table.name)}",)


def samplings(table: TableInfo) -> tuple[tuple[str, str], ...]:
    """Return each text column with the SQL that gives its first different values in order."""
    source = _quoted(table.name)
    return tuple(
        (
            name,
            f"SELECT DISTINCT {_quoted(name)} FROM {source} WHERE {_quoted(name)} IS NOT NULL ORDER BY 1 LIMIT {SAMPLES}",
        )
        for name, kind in table.columns
        if kind == "VARCHAR"
    )


def _readable(column: str, said: Described) -> bool:
    return column not in said.hidden and (said.only is None or column in said.only)


def _said(said: Described, column: str) -> DescribedColumn:
    return said.columns.get(column) or DescribedColumn()


def _words(said: Described, column: str, title: str) -> tuple[str, ...]:
    """Return the other words for a column; its own name is one where it has a title."""
    own = (column,) if title != column else ()
    return (*_said(said, column).synonyms, *own)


def _type(kind: str, engine: Engine) -> str:
    """Return an engine's type as DuckDB calls it."""
    try:
        built = exp.DataType.build(kind or "TEXT", dialect=dialect(engine), udt=True)
    except (SqlglotError, ValueError):
        return "VARCHAR"
    named = built.this.name if isinstance(built.this, exp.DataType.Type) else "UNKNOWN"
    return "VARCHAR" if named in _TEXT else built.sql(dialect="duckdb")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
