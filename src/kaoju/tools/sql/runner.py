"""The second and third wall around SQL: a locked engine in a child process that can be killed.

Promises: a query ends within its time, because the child is killed where the
engine does not stop by itself; memory is bounded; nothing is written. Warm
children are kept, so a query costs about 15 ms, and a file lock or a connection
is held only while a query runs. Refuses nothing by itself: the guard comes
before it.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Literal, Self

from kaoju.tools.sql.engines.replies import Found
from kaoju.tools.sql.engines.target import Target
from kaoju.tools.threads import in_thread

QUERY_SECONDS: Final = 10.0
MAX_BYTES: Final = 256 * 1024
MAX_IDLE: Final = 2
_PROGRAM: Final = "kaoju.tools.sql.child"
_START_SECONDS: Final = 20.0
"""Added to the time of a child's first query: it has to start first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What a query returned."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str | int | float | bool | None, ...], ...]
    cut: Literal["", "rows", "bytes"] = ""
    """Which limit cut it short; empty when it is whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryError:
    """Why a query returned nothing usable."""

    kind: Literal["sql", "open", "memory", "timeout", "denied", "died"]
    """`denied` is a lock of the engine at work; `died` is the process that ended by itself."""
    message: str


class Runner:
    """Runs guarded SQL against one database. Safe to use from several tasks at once."""

    def __init__(self, target: Target, *, seconds: float = QUERY_SECONDS, max_bytes: int = MAX_BYTES) -> None:
        """Serve `target`; no process is started before the first query."""
        self._target = target
        self._seconds = seconds
        self._max_bytes = max_bytes
        self._idle: list[_Child] = []
        self._lock = threading.Lock()
        self._closed = False

    async def query(self, sql: str, *, max_rows: int) -> Table | QueryError:
        """Run one query; a cancelled caller takes the child down with it."""
        reply = await self._ask(
            {
                "op": "query",
                "sql": sql,
                "max_rows": max_rows,
                "max_bytes": self._max_bytes,
                "seconds": self._seconds,
            }
        )
        if "error" in reply:
            return _error(reply)
        return Table(
            columns=tuple(reply["columns"]),
            rows=tuple(tuple(row) for row in reply["rows"]),
            cut=reply["cut"],
        )

    async def tables(self) -> tuple[Found, ...] | QueryError:
        """Return the allowed tables of the database."""
        reply = await self._ask({"op": "tables", "seconds": self._seconds})
        if "error" in reply:
            return _error(reply)
        return tuple(
            Found(**{**item, "columns": tuple(tuple(column) for column in item["columns"])})
            for item in reply["tables"]
        )

    def close(self) -> None:
        """End the warm children."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        worker = self._take()
        line = json.dumps(request, ensure_ascii=True)
        try:
            reply = await in_thread(lambda: worker.ask(line, self._seconds))
        except asyncio.CancelledError:
            worker.kill()
            raise
        if worker.alive:
            self._give_back(worker)
        return reply

    def _take(self) -> _Child:
        with self._lock:
            while self._idle:
                worker = self._idle.pop()
                if worker.alive:
                    return worker
        return _Child(self._target)

    def _give_back(self, worker: _Child) -> None:
        with self._lock:
            if not self._closed and len(self._idle) < MAX_IDLE:
                self._idle.append(worker)
                return
        worker.kill()


class _Child:
    """One child process; started at its first request."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._process: subprocess.Popen[str] | None = None
        self._killed = False

    @property
    def alive(self) -> bool:
        return not self._killed and self._process is not None and self._process.poll() is None

    def ask(self, request: str, seconds: float) -> dict[str, Any]:
        """Send one request and wait for the reply; blocks, at most `seconds` plus the start."""
        if self._process is None:
            seconds += _START_SECONDS
            self._process = self._start()
            if self._killed:  # cancelled while it started
                self.kill()
        process = self._process
        assert process.stdin is not None  # noqa: S101 - opened as pipes
        assert process.stdout is not None  # noqa: S101 - likewise
        late = threading.Event()

        def stop() -> None:
            late.set()
            self.kill()

        timer = threading.Timer(seconds, stop)
        timer.daemon = True
        timer.start()
        try:
            process.stdin.write(request + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except (OSError, ValueError):  # the child is gone, or was killed and its pipes closed
            line = ""
        finally:
            timer.cancel()
        if line:
            reply: dict[str, Any] = json.loads(line)
            return reply
        self.kill()
        if late.is_set():
            return {"error": f"the query was stopped after {seconds:g} s", "kind": "timeout"}
        return {"error": "the process that runs SQL ended", "kind": "died"}

    def kill(self) -> None:
        self._killed = True
        process = self._process
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError, ValueError):  # what was still buffered has no reader any more
                    stream.close()

    def _start(self) -> subprocess.Popen[str]:
        paths = [entry for entry in sys.path if entry]
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own module
            [sys.executable, "-P", "-m", _PROGRAM],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PYTHONPATH": os.pathsep.join(paths), "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"},
            text=True,
            encoding="utf-8",
        )
        assert process.stdin is not None  # noqa: S101 - opened as a pipe
        with suppress(OSError):  # it ended at once: the first request says so
            process.stdin.write(json.dumps(self._target.to_json(), ensure_ascii=True) + "\n")
        return process


def _error(reply: dict[str, Any]) -> QueryError:
    return QueryError(kind=reply["kind"], message=str(reply["error"]))
