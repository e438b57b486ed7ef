"""SQLite: a file opened read-only, with an authorizer that knows the allowed tables and functions.

The authorizer is asked for everything that a statement would touch while the
engine compiles it: listed tables and listed functions pass, and nothing else.
Limits bound lengths and depth, a progress handler bounds time, a hard heap
limit bounds memory. What is not stopped here: a slow query inside the time.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from kaoju.tools.sql.engines import sqlite_functions
from kaoju.tools.sql.engines.replies import Found, Request, Trouble, bounded, wanted
from kaoju.tools.sql.engines.target import Target

STEPS: Final = 2_000
"""Virtual machine steps between two looks at the clock."""
LIMITS: Final = {
    sqlite3.SQLITE_LIMIT_LENGTH: 4_000_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 40_000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 20,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1_000,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_DENIED: Final = ("not authorized", "prohibited", "readonly database", "read-only", "access to")


def query(target: Target, request: Request) -> dict[str, Any]:
    """Run one query; see `Adapter`."""
    with _open(target, request.seconds) as connection:
        _lock(connection, target)
        cursor = connection.execute(request.sql)
        return bounded([item[0] for item in cursor.description or ()], cursor, request)


def tables(target: Target, seconds: float) -> Sequence[Found]:
    """Return the allowed tables; see `Adapter`."""
    found: list[Found] = []
    with _open(target, seconds) as connection:
        for name, kind in connection.execute(_TABLES).fetchall():
            if wanted(target, "main", name) and kind in {"table", "view"}:
                columns = connection.execute(_COLUMNS, (name,)).fetchall()
                found.append(
                    Found(
                        schema="main",
                        name=name,
                        columns=tuple((column, kind, "") for column, kind in columns),
                    )
                )
    return found


@contextmanager
def _open(target: Target, seconds: float) -> Iterator[sqlite3.Connection]:
    connection = _connect(Path(target.database))
    deadline = time.monotonic() + seconds
    late: list[bool] = []

    def tick() -> int:
        if time.monotonic() > deadline:
            late.append(True)
            return 1
        return 0

    try:
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("PRAGMA case_sensitive_like = ON")
        connection.execute(f"PRAGMA hard_heap_limit = {target.memory_mb * 1024 * 1024}")
        connection.set_progress_handler(tick, STEPS)
        sqlite_functions.register(connection)
        yield connection
    except (sqlite3.Error, sqlite3.Warning, ValueError, OverflowError) as error:
        if late:
            raise Trouble("timeout", f"the query was stopped after {seconds:g} s") from error
        if "memory" in str(error):
            raise Trouble("memory", str(error)) from error
        denied = any(words in str(error) for words in _DENIED)
        raise Trouble("denied" if denied else "sql", str(error)) from error
    finally:
        connection.close()


def _connect(path: Path) -> sqlite3.Connection:
    """Open the file for reading; where it needs a log that cannot be made here, as a file that nobody writes."""
    address = f"file:{quote(str(path))}?mode=ro"
    try:
        connection = sqlite3.connect(address, uri=True, isolation_level=None, cached_statements=0)
    except sqlite3.Error as error:
        raise Trouble("open", str(error)) from error
    try:
        connection.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.Error as error:
        connection.close()
        log = path.with_name(path.name + "-wal")
        if not isinstance(error, sqlite3.OperationalError) or (log.exists() and log.stat().st_size):
            raise Trouble("open", str(error)) from error
        connection = sqlite3.connect(f"{address}&immutable=1", uri=True, isolation_level=None)
        with suppress(sqlite3.Error):
            connection.execute("SELECT count(*) FROM sqlite_master")
            return connection
        connection.close()
        raise Trouble("open", str(error)) from error
    return connection


def _lock(connection: sqlite3.Connection, target: Target) -> None:
    for limit, value in LIMITS.items():
        connection.setlimit(limit, value)
    names = [name for name, _ in connection.execute(_TABLES).fetchall() if wanted(target, "main", name)]
    connection.set_authorizer(authorizer(names))


Authorizer = Callable[[int, str | None, str | None, str | None, str | None], int]


def authorizer(tables: Sequence[str]) -> Authorizer:
    """Return what decides about each thing that a statement would touch."""
    allowed = {name.casefold() for name in tables}

    def decide(
        action: int, one: str | None, two: str | None, database: str | None, inside: str | None
    ) -> int:
        if action == sqlite3.SQLITE_SELECT:
            return sqlite3.SQLITE_OK
        if action == sqlite3.SQLITE_FUNCTION:
            known = (two or "").casefold() in sqlite_functions.ALLOWED
            return sqlite3.SQLITE_OK if known else sqlite3.SQLITE_DENY
        if action == sqlite3.SQLITE_READ:
            if database is None or not one:  # a column of a sub-query, which belongs to no table
                return sqlite3.SQLITE_OK
            mine = one.casefold() in allowed or (inside or "").casefold() in allowed
            return sqlite3.SQLITE_OK if mine and database == "main" else sqlite3.SQLITE_DENY
        return sqlite3.SQLITE_DENY

    return decide


_TABLES: Final = "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
_COLUMNS: Final = "SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden <> 1"
