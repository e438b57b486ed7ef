"""SQLite files: one document with one table per user table, opened read-only and immutable."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Final
from urllib.parse import quote

from kaoju.knowledge.parsing.compose import Composer
from kaoju.knowledge.parsing.faults import fault
from kaoju.knowledge.parsing.grid import Tabulated, write_rows
from kaoju.knowledge.parsing.parquet import cell_of, table_of
from kaoju.knowledge.parsing.source import Source
from kaoju.model.document import Cell, Document

_TABLES: Final = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
_STEPS: Final = 10_000


def read(source: Source) -> Iterator[Document]:
    """Yield the one document of a database file."""
    if source.path.stat().st_size < 512:
        raise fault("truncated", source.path)
    uri = f"file:{quote(str(source.path.absolute()))}?mode=ro&immutable=1"
    notes: list[str] = []
    if source.path.with_name(source.path.name + "-wal").exists():
        notes.append("changes still in the write-ahead log are not read / 未读取预写日志中的改动")
    composer = Composer()
    tables: list[Tabulated] = []
    try:
        with closing(sqlite3.connect(uri, uri=True, cached_statements=0)) as connection:
            connection.text_factory = lambda data: data.decode("utf-8", "replace")
            for (name,) in connection.execute(_TABLES).fetchall():
                table, more = _table(connection, str(name), source)
                composer.heading(str(name), 1)
                notes.extend((*more, *write_rows(composer, table, source.limits)))
                tables.append(table)
    except sqlite3.DatabaseError as error:
        raise fault(
            "timeout" if "interrupted" in str(error) else "corrupt", source.path, str(error)
        ) from error
    if not tables:
        raise fault("no_text", source.path, "no tables", "没有数据表")
    yield Document(
        id=source.document_id,
        title=source.path.stem,
        blocks=composer.blocks,
        tables=tuple(table.table for table in tables),
        notes=tuple(notes),
    )


def _table(connection: sqlite3.Connection, name: str, source: Source) -> tuple[Tabulated, list[str]]:
    """Read one table within the time and cell limits."""
    deadline = time.monotonic() + source.limits.query_seconds
    connection.set_progress_handler(lambda: int(time.monotonic() > deadline), _STEPS)
    quoted = '"' + name.replace('"', '""') + '"'
    cursor = connection.execute(f"SELECT * FROM {quoted}")
    columns = [str(column[0]) for column in cursor.description]
    most = source.limits.table_cells // max(1, len(columns))
    rows: list[tuple[Cell, ...]] = []
    for row in cursor:
        if len(rows) == most:
            return table_of(name, columns, rows), [
                f"{name}: rows after {most} were cut off / 第 {most} 行之后已截断"
            ]
        rows.append(tuple(cell_of(value, source.limits.cell_chars) for value in row))
    return table_of(name, columns, rows), []
