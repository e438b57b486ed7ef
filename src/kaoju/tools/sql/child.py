"""The process that runs SQL: the engine's own locks, inside limits of the operating system.

It speaks JSON lines on its standard streams. The first line says which database
(credentials come this way, never by arguments or the environment); each further
line is a request, `{op: "query", sql, max_rows, max_bytes, seconds}` or
`{op: "tables", seconds}`, and gets one reply. Loads nothing but the standard
library, the adapter and its driver.
"""

from __future__ import annotations

import importlib
import json
import math
import sys
from dataclasses import asdict
from typing import Any, Final, TextIO, cast

from kaoju.tools.sql.engines.replies import Adapter, Request, Trouble
from kaoju.tools.sql.engines.target import Engine, Target

if sys.platform != "win32":
    import resource  # where it is missing, the parent's clock and the engine's own limits remain

ADDRESS_SPACE: Final = 3 * 1024**3
"""Virtual memory; the engine and the interpreter map about 0.8 GB before anything runs."""
ADAPTERS: Final[dict[Engine, str]] = {
    "duckdb": "duckdb_file",
    "sqlite": "sqlite_file",
    "postgres": "postgres_server",
    "mysql": "mysql_server",
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


def adapter(engine: Engine) -> Adapter:
    """Return the module that speaks to an engine.

    Raises:
        Trouble: its driver is not installed.
    """
    try:
        found = importlib.import_module(f"kaoju.tools.sql.engines.{ADAPTERS[engine]}")
    except ImportError as error:
        raise Trouble(
            "open", f"{error.name or error} is not installed; run pip install 'kaoju[{engine}]'"
        ) from error
    return cast("Adapter", found)


def answer(target: Target, request: dict[str, Any]) -> dict[str, Any]:
    """Run one request and return its reply."""
    seconds = float(request["seconds"])
    limit_seconds(seconds)
    try:
        engine = adapter(target.engine)
        if request["op"] == "tables":
            return {"tables": [asdict(item) for item in engine.tables(target, seconds)]}
        return engine.query(
            target,
            Request(
                sql=request["sql"],
                max_rows=request["max_rows"],
                max_bytes=request["max_bytes"],
                seconds=seconds,
            ),
        )
    except Trouble as trouble:
        return {"error": str(trouble), "kind": trouble.kind}


def serve(requests: TextIO, replies: TextIO) -> None:
    """Answer requests until there are no more."""
    target = Target.from_json(json.loads(requests.readline()))
    for line in requests:
        try:
            reply = answer(target, json.loads(line))
        except MemoryError:
            reply = {"error": "out of memory", "kind": "memory"}
        replies.write(json.dumps(reply, ensure_ascii=True) + "\n")
        replies.flush()


if __name__ == "__main__":
    limit_process()
    serve(sys.stdin, sys.stdout)
