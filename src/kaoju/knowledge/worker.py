"""Parsing in a process of its own, so that a hostile file can only take that process down.

A crash of a format library is the file's failure (`corrupt`), a parse that
does not move for too long is `timeout`; either way the next file finds a new
process. The process is a fresh interpreter, never a fork, and does not import
the caller's main module, so that plain scripts can ingest too.
"""

from __future__ import annotations

import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final, Literal

from kaoju.errors import IngestError
from kaoju.knowledge.parsing import LIMITS, BadLine, Limits, parse
from kaoju.model.document import Document

STALL_SECONDS: Final = 300.0
"""Longest wait for the next document of a file."""
_AHEAD: Final = 64
"""Documents that wait for their turn at most."""
_TICK: Final = 0.1
"""Seconds between two looks at whether to stop."""
_PROGRAM: Final = "import sys; sys.path[:] = sys.argv[1:]; from kaoju.knowledge.worker import serve; serve()"  # as the parent sees it


class _End:
    """Marks the end of a file, or says why nothing more comes."""

    def __init__(self, why: Literal["", "died", "stalled"] = "") -> None:
        self.why = why


class ParseWorker:
    """One child process that parses file after file. One thread parses; any thread may close."""

    def __init__(self, limits: Limits = LIMITS, *, stall_seconds: float = STALL_SECONDS) -> None:
        """Start nothing yet."""
        self._limits = limits
        self._stall = stall_seconds
        self._child: _Child | None = None
        self._closed = False
        self._lock = threading.Lock()

    def parse(self, path: Path, document_id: str) -> Iterator[Document | BadLine]:
        """Yield a file's documents, and its unusable lines where it is a JSONL file.

        Raises:
            IngestError: the file cannot be read; says why.
        """
        child = self._started()
        finished = False
        try:
            child.ask((str(path), document_id, self._limits))
            while not isinstance(item := child.next(self._stall), _End):
                if isinstance(item, _Refused):
                    finished = True
                    raise IngestError(item.reason, item.message, item.zh)
                yield item
            finished = item.why == ""
            if not finished:
                raise _ended(item.why, path.name, self._stall)
        finally:
            if not finished:
                child.kill()

    def close(self) -> None:
        """End the process for good; a parse that is going on fails."""
        with self._lock:
            self._closed = True
            if self._child is not None:
                self._child.kill()

    def _started(self) -> _Child:
        with self._lock:
            if self._child is None or (self._child.killed and not self._closed):
                self._child = _Child()
            if self._closed:
                self._child.kill()
            return self._child


def _ended(why: Literal["", "died", "stalled"], name: str, seconds: float) -> IngestError:
    if why == "stalled":
        return IngestError(
            "timeout",
            f"{name} brought nothing for {seconds:.0f} s; split or simplify it.",
            f"{name} 在 {seconds:.0f} 秒内没有进展；请拆分或简化该文件。",
        )
    return IngestError(
        "corrupt",
        f"{name} crashed its reader; open it in its own program and save it again.",
        f"{name} 导致读取程序崩溃；请用原程序打开并重新保存。",
    )


class _Refused:
    """An `IngestError` on its way through the pipe."""

    def __init__(self, error: IngestError) -> None:
        self.reason, self.message, self.zh = error.reason, error.message, error.zh


class _Child:
    """The process and a thread that takes in what it sends."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own function
            [sys.executable, "-c", _PROGRAM, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._items: queue.Queue[Any] = queue.Queue(maxsize=_AHEAD)
        self._stopped = threading.Event()
        threading.Thread(target=self._take_in, daemon=True, name="kaoju-parser").start()

    def ask(self, request: tuple[str, str, Limits]) -> None:
        """Send a request; a dead process is noticed at `next`."""
        assert self._process.stdin is not None  # noqa: S101 - opened as a pipe above
        with suppress(OSError, ValueError):
            pickle.dump(request, self._process.stdin)
            self._process.stdin.flush()

    def next(self, seconds: float) -> Any:
        """Return the next item; an end where `seconds` pass without one, or the process is no more."""
        deadline = time.monotonic() + seconds
        while not self._stopped.is_set():
            with suppress(queue.Empty):
                return self._items.get(timeout=_TICK)
            if time.monotonic() > deadline:
                return _End("stalled")
        return _End("died")

    @property
    def killed(self) -> bool:
        """Whether it was ended."""
        return self._stopped.is_set()

    def kill(self) -> None:
        """End the process and the thread."""
        self._stopped.set()
        self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError, ValueError):
                    stream.close()
        self._process.wait()

    def _take_in(self) -> None:
        assert self._process.stdout is not None  # noqa: S101 - opened as a pipe above
        item: Any = None
        while not (isinstance(item, _End) and item.why) and not self._stopped.is_set():
            try:
                item = pickle.load(self._process.stdout)  # noqa: S301 - written by our own child
            except (EOFError, OSError, ValueError, pickle.UnpicklingError):
                item = _End("died")
            while not self._stopped.is_set():
                with suppress(queue.Full):
                    self._items.put(item, timeout=_TICK)
                    break


def serve() -> None:
    """Answer parse requests on the standard streams until they close. Runs in the child process."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not end up among the replies

    def send(item: object) -> None:
        pickle.dump(item, replies)
        replies.flush()

    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            _answer(sys.stdin.buffer, send)


def _answer(requests: IO[bytes], send: Any) -> None:
    path, document_id, limits = pickle.load(requests)  # noqa: S301 - written by our own parent
    try:
        for document in parse(Path(path), document_id, limits=limits, on_bad_line=send):
            send(document)
    except IngestError as error:
        send(_Refused(error))
    else:
        send(_End())
