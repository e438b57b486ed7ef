"""PostgreSQL: one connection per query, a read-only transaction, a cursor, and time limits of the server.

Each query has a connection of its own, so that nothing that it could set lives
on. Roles that may touch the server's files or run programs are refused: the
transaction cannot hold them. Which tables a role may read is for the database's
owner to grant; docs/tools.md shows a role that reads and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, cast

import psycopg
from psycopg import errors, sql

from kaoju.tools.sql.engines.replies import Found, Request, Trouble, bounded, wanted
from kaoju.tools.sql.engines.target import Target

BATCH: Final = 50
"""Rows that are fetched at one time."""
CONNECT_SECONDS: Final = 5
_OPEN = (psycopg.OperationalError, psycopg.InterfaceError)


def query(target: Target, request: Request) -> dict[str, Any]:
    """Run one query; see `Adapter`."""
    with _open(target, request.seconds) as connection, connection.cursor(name="kaoju") as cursor:
        cursor.itersize = BATCH
        cursor.execute(
            cast("Any", request.sql)
        )  # the guard's text; a cursor takes one SELECT and nothing else
        return bounded([item.name for item in cursor.description or ()], cursor, request)


def tables(target: Target, seconds: float) -> Sequence[Found]:
    """Return the allowed tables; see `Adapter`."""
    found: list[Found] = []
    with _open(target, seconds) as connection:
        for oid, schema, name, comment, rows in connection.execute(_TABLES).fetchall():
            if wanted(target, schema, name):
                columns = connection.execute(_COLUMNS, (oid,)).fetchall()
                found.append(
                    Found(
                        schema=schema,
                        name=name,
                        columns=tuple((column, kind, said or "") for column, kind, said in columns),
                        comment=comment or "",
                        rows=int(rows) if rows is not None and rows >= 0 else None,
                    )
                )
    return found


@contextmanager
def _open(target: Target, seconds: float) -> Iterator[psycopg.Connection[Any]]:
    milliseconds = max(1, round(seconds * 1000))
    settings = {
        "default_transaction_read_only": "on",
        "statement_timeout": str(milliseconds),
        "lock_timeout": str(milliseconds),
        "idle_in_transaction_session_timeout": str(milliseconds + 5_000),
        "client_connection_check_interval": "1000",
        "search_path": "pg_catalog",
        "standard_conforming_strings": "on",
        "work_mem": f"{max(1, target.memory_mb // 16)}MB",
        "max_parallel_workers_per_gather": "0",
        "jit": "off",
        "timezone": "UTC",
        "datestyle": "ISO",
    }
    known: dict[str, str] = {
        "dbname": target.database,
        "user": target.user,
        "password": target.password,
        "host": target.host,
        "port": str(target.port or ""),
        **target.options,
    }
    try:
        connection = psycopg.connect(
            **{name: value for name, value in known.items() if value},  # type: ignore[arg-type]  # words of the connection string
            options=" ".join(f"-c {name}={value}" for name, value in settings.items()),
            connect_timeout=CONNECT_SECONDS,
            application_name="kaoju",
            client_encoding="utf8",
            autocommit=True,
        )
    except (*_OPEN, psycopg.ProgrammingError) as error:
        raise Trouble("open", str(error)) from error
    try:
        connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        _refuse_power(connection)
        yield connection
    except errors.QueryCanceled as error:
        raise Trouble("timeout", f"the query was stopped after {seconds:g} s") from error
    except (errors.OutOfMemory, errors.ProgramLimitExceeded, errors.DiskFull) as error:
        raise Trouble("memory", str(error)) from error
    except (errors.ReadOnlySqlTransaction, errors.InsufficientPrivilege) as error:
        raise Trouble("denied", str(error)) from error
    except _OPEN as error:
        raise Trouble("open", str(error)) from error
    except (psycopg.Error, ValueError, OverflowError) as error:
        raise Trouble("sql", str(error)) from error
    finally:
        connection.close()  # nothing is ever committed


def _refuse_power(connection: psycopg.Connection[Any]) -> None:
    powers = connection.execute(sql.SQL(_POWERS)).fetchall()
    if powers:
        names = ", ".join(name for (name,) in powers)
        raise Trouble(
            "denied",
            f"the database role may do more than read tables ({names}); name a role that only has SELECT on the allowed tables",
        )


_POWERS: Final = """
SELECT 'SUPERUSER' FROM pg_catalog.pg_roles WHERE rolname = current_user AND rolsuper
UNION ALL
SELECT rolname FROM pg_catalog.pg_roles
WHERE rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')
AND pg_catalog.pg_has_role(current_user, oid, 'MEMBER')
AND NOT (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user)
"""
_TABLES: Final = """
SELECT c.oid, n.nspname, c.relname, obj_description(c.oid, 'pg_class'), c.reltuples
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'v', 'm', 'p', 'f') AND NOT c.relispartition
AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'
AND has_table_privilege(c.oid, 'SELECT')
ORDER BY n.nspname, c.relname
"""
_COLUMNS: Final = """
SELECT attname, format_type(atttypid, atttypmod), col_description(attrelid, attnum)
FROM pg_attribute WHERE attrelid = %s AND attnum > 0 AND NOT attisdropped ORDER BY attnum
"""
