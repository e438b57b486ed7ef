"""MySQL and MariaDB: one connection per query, a read-only transaction, one statement, and the server's clock.

Each query has a connection of its own, so that nothing that it could set lives
on. Accounts that may touch the server's files or its settings are refused: the
transaction cannot hold them. Which tables an account may read is for the
database's owner to grant.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

import pymysql
from pymysql.cursors import SSCursor

from kaoju.tools.sql.engines.replies import Found, Request, Trouble, bounded, wanted
from kaoju.tools.sql.engines.target import Target

CONNECT_SECONDS: Final = 5
_TIMEOUTS: Final = frozenset({1317, 3024, 1969, 1205})
_DENIED: Final = frozenset({1792, 1142, 1143, 1044, 1227, 1290, 1370})
_MEMORY: Final = frozenset({1037, 1038, 1041, 1153, 1301})
_GONE: Final = frozenset({2002, 2003, 2006, 2013, 1040, 1045, 1049, 1053})
_POWERS: Final = ("FILE", "SUPER", "SHUTDOWN", "PROCESS", "ALL PRIVILEGES ON *.*")


def query(target: Target, request: Request) -> dict[str, Any]:
    """Run one query; see `Adapter`."""
    with _open(target, request.seconds) as cursor:
        cursor.execute(request.sql)
        columns = [item[0] for item in cursor.description or ()]
        return bounded(columns, iter(cursor.fetchone, None), request)


def tables(target: Target, seconds: float) -> Sequence[Found]:
    """Return the allowed tables; see `Adapter`."""
    with _open(target, seconds) as cursor:
        cursor.execute(_TABLES)
        named = [row for row in cursor.fetchall() if wanted(target, row[0], row[1])]
        found: list[Found] = []
        for schema, name, comment, rows in named:
            cursor.execute(_COLUMNS, (schema, name))
            columns = tuple((column, kind, said or "") for column, kind, said in cursor.fetchall())
            found.append(Found(schema=schema, name=name, columns=columns, comment=comment or "", rows=rows))
    return found


@contextmanager
def _open(target: Target, seconds: float) -> Iterator[Any]:
    known: dict[str, Any] = {"host": target.host or "localhost", "port": target.port or 3306}
    if "unix_socket" in target.options:
        known = {"unix_socket": target.options["unix_socket"]}
    if "ssl_ca" in target.options:
        known["ssl_ca"] = target.options["ssl_ca"]
    try:
        connection = pymysql.connect(
            **known,
            user=target.user or None,
            password=target.password,
            database=target.database,
            charset="utf8mb4",
            cursorclass=SSCursor,
            connect_timeout=CONNECT_SECONDS,
            read_timeout=seconds + 5,
            local_infile=False,
            autocommit=True,
        )
    except (pymysql.MySQLError, RuntimeError, OSError) as error:
        raise Trouble("open", _words(error)) from error
    try:
        with connection.cursor() as cursor:
            _lock(cursor, seconds)
            yield cursor
    except pymysql.MySQLError as error:
        raise _trouble(error, seconds) from error
    except (ValueError, OverflowError) as error:
        raise Trouble("sql", str(error)) from error
    finally:
        with suppress(pymysql.MySQLError, OSError):  # the server may be gone; nothing is ever committed
            connection._force_close()  # noqa: SLF001 - `close` would wait for the rest of a result


def _lock(cursor: Any, seconds: float) -> None:
    cursor.execute("SELECT @@version")
    ((version,),) = cursor.fetchall()
    if "mariadb" in str(version).casefold():
        cursor.execute("SET SESSION max_statement_time = %s", (seconds,))
    else:
        cursor.execute("SET SESSION max_execution_time = %s", (max(1, round(seconds * 1000)),))
    cursor.execute(
        "SET SESSION sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,STRICT_ALL_TABLES,PIPES_AS_CONCAT'"
    )
    cursor.execute("SET SESSION TRANSACTION READ ONLY")
    cursor.execute("SHOW GRANTS")
    grants = [str(row[0]).upper() for row in cursor.fetchall()]
    held = [power for power in _POWERS if any(_grants(line, power) for line in grants)]
    if held:
        raise Trouble(
            "denied",
            f"the database account may do more than read tables ({', '.join(held)}); name an account that only has SELECT on the allowed tables",
        )
    cursor.execute("START TRANSACTION READ ONLY")


def _grants(line: str, power: str) -> bool:
    given, _, on = line.removeprefix("GRANT ").partition(" ON ")
    if power.startswith("ALL"):
        return given == "ALL PRIVILEGES" and on.startswith("*.*")
    return power in {item.strip() for item in given.split(",")}


def _trouble(error: pymysql.MySQLError, seconds: float) -> Trouble:
    code = error.args[0] if error.args else 0
    if code in _TIMEOUTS:
        return Trouble("timeout", f"the query was stopped after {seconds:g} s")
    if code in _DENIED:
        return Trouble("denied", _words(error))
    if code in _MEMORY:
        return Trouble("memory", _words(error))
    return Trouble("open" if code in _GONE else "sql", _words(error))


def _words(error: BaseException) -> str:
    return str(error.args[1]) if len(error.args) > 1 else str(error)


_TABLES: Final = """
SELECT table_schema, table_name, table_comment, table_rows FROM information_schema.tables
WHERE table_schema NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')
ORDER BY table_schema, table_name
"""
_COLUMNS: Final = """
SELECT column_name, column_type, column_comment FROM information_schema.columns
WHERE table_schema = %s AND table_name = %s ORDER BY ordinal_position
"""
