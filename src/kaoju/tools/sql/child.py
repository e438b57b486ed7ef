"""The process that runs SQL: the engine's own locks, inside limits of the operating system.

Started by file path and with nothing but the standard library and duckdb, so
that it is up in a moment. It speaks JSON lines on its standard streams: one
request `{sql, max_rows, max_bytes, seconds}`, one reply. The file is opened for
each request and closed after it, so that no lock is held while nothing runs.
"""

from __future__ import annotations

import datetime as dt
import decimal
import json
import math
import sys
from pathlib import Path
from typing import Any, TextIO

import duckdb

if sys.platform != "win32":
    import resource  # where it is missing, the parent's clock and the engine's own limits remain

ENGINE_MEMORY = "256MB"
ADDRESS_SPACE = 3 * 1024**3
"""Virtual memory; the engine and the interpreter map about 0.8 GB before anything runs."""
CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "allow_community_extensions": "false",
    "allow_persistent_secrets": "false",
    "memory_limit": ENGINE_MEMORY,
    "threads": 1,
    "temp_directory": "",
    "max_temp_directory_size": "0KB",
    "lock_configuration": "true",
}


def limit_process() -> None:
    """Take from this process what it does not need: memory, files to write, core dumps, children."""
    if sys.platform == "win32":
        return
    for kind, value in (
        (resource.RLIMIT_AS, ADDRESS_SPACE),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 64),
    ):
        hard = resource.getrlimit(kind)[1]
        wanted = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (wanted, wanted))


def limit_seconds(seconds: float) -> None:
    """Let the operating system end this process after so much more processor time."""
    if sys.platform == "win32":
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    soft = math.ceil(used.ru_utime + used.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def plain(value: object) -> str | int | float | bool | None:
    """Return a value as JSON has it; numbers stay numbers, dates become ISO text."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**63 else str(value)
    if isinstance(value, decimal.Decimal):
        if not value.is_finite():
            return None
        return int(value) if value == value.to_integral_value() and abs(value) < 2**63 else float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    return str(value)


def answer(path: str, request: dict[str, Any]) -> dict[str, Any]:
    """Run one request and return its reply."""
    limit_seconds(float(request["seconds"]))
    try:
        connection = duckdb.connect(path, read_only=True, config=CONFIG)
    except duckdb.Error as error:
        return {"error": str(error), "kind": "open"}
    try:
        with connection:
            return _rows(connection, request)
    except duckdb.OutOfMemoryException as error:
        return {"error": str(error), "kind": "memory"}
    except (duckdb.Error, ValueError, OverflowError) as error:
        return {"error": str(error), "kind": "sql"}


def _rows(connection: Any, request: dict[str, Any]) -> dict[str, Any]:
    result = connection.execute(request["sql"])
    columns = [item[0] for item in result.description or ()]
    rows: list[list[str | int | float | bool | None]] = []
    size, cut = 0, ""
    while row := result.fetchone():
        if len(rows) >= request["max_rows"]:
            cut = "rows"
            break
        values = [plain(value) for value in row]
        size += len(json.dumps(values, ensure_ascii=False).encode())
        if size > request["max_bytes"]:
            cut = "bytes"
            break
        rows.append(values)
    return {"columns": columns, "rows": rows, "cut": cut}


def serve(path: str, requests: TextIO, replies: TextIO) -> None:
    """Answer requests until there are no more."""
    for line in requests:
        try:
            reply = answer(path, json.loads(line))
        except MemoryError:
            reply = {"error": "out of memory", "kind": "memory"}
        replies.write(json.dumps(reply, ensure_ascii=False) + "\n")
        replies.flush()


if __name__ == "__main__":
    limit_process()
    serve(str(Path(sys.argv[1])), sys.stdin, sys.stdout)
