"""DuckDB: a file opened read-only, without the outside world, with its configuration locked.

The file is opened for each request and closed after it, so that no lock is held
while nothing runs. What is not stopped here: reading any table of the file, and
bombs that the engine cannot interrupt; the guard and the child's limits do that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import duckdb

from kaoju.tools.sql.engines.replies import Found, Request, Trouble, bounded, wanted
from kaoju.tools.sql.engines.target import Target

Config = dict[str, str | bool | int | float | list[str]]
_DENIED = ("read-only mode", "file system operations are disabled", "configuration has been locked")


def locks(memory_mb: int) -> Config:
    """Return the configuration that leaves a query nothing but the file's own tables."""
    return {
        "enable_external_access": "false",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "allow_community_extensions": "false",
        "allow_persistent_secrets": "false",
        "memory_limit": f"{memory_mb}MB",
        "threads": 1,
        "temp_directory": "",
        "max_temp_directory_size": "0KB",
        "lock_configuration": "true",
    }


def query(target: Target, request: Request) -> dict[str, Any]:
    """Run one query; see `Adapter`."""
    with _open(target) as connection:
        result = connection.execute(request.sql)
        columns = [item[0] for item in result.description or ()]
        return bounded(columns, iter(result.fetchone, None), request)


def tables(target: Target, seconds: float) -> Sequence[Found]:
    """Return the allowed tables; see `Adapter`."""
    del seconds  # the catalogue of a file is read at once; the parent's clock bounds it
    found: list[Found] = []
    with _open(target) as connection:
        named = connection.execute(_TABLES).fetchall()
        for schema, name, comment, rows in named:
            if wanted(target, schema, name):
                columns = connection.execute(_COLUMNS, [schema, name]).fetchall()
                found.append(
                    Found(
                        schema=schema,
                        name=name,
                        columns=tuple((column, kind, said or "") for column, kind, said in columns),
                        comment=comment or "",
                        rows=rows,
                    )
                )
    return found


@contextmanager
def _open(target: Target) -> Iterator[Any]:
    try:
        connection = duckdb.connect(target.database, read_only=True, config=locks(target.memory_mb))
    except duckdb.Error as error:
        raise Trouble("open", str(error)) from error
    try:
        with connection:
            yield connection
    except duckdb.OutOfMemoryException as error:
        raise Trouble("memory", str(error)) from error
    except (duckdb.Error, ValueError, OverflowError) as error:
        denied = any(words in str(error) for words in _DENIED)
        raise Trouble("denied" if denied else "sql", str(error)) from error


_TABLES = """
SELECT schema_name, table_name, comment, estimated_size FROM duckdb_tables()
WHERE NOT internal AND database_name = current_database()
UNION ALL
SELECT schema_name, view_name, comment, NULL FROM duckdb_views()
WHERE NOT internal AND database_name = current_database()
ORDER BY 1, 2
"""
_COLUMNS = """
SELECT column_name, data_type, comment FROM duckdb_columns()
WHERE schema_name = ? AND table_name = ? AND database_name = current_database() ORDER BY column_index
"""
