"""Parsing in a process of its own, so that a hostile file can only take that process down.

A crash of a format library is the file's failure (`corrupt`), a parse that
does not move for too long is `timeout`; either way the next file finds a new
process. Processes are spawned, never forked.
"""

from __future__ import annotations

import multiprocessing as mp
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from kaoju.errors import IngestError
from kaoju.knowledge.parsing import LIMITS, BadLine, Limits, parse
from kaoju.model.document import Document

STALL_SECONDS: Final = 300.0
"""Longest wait for the next document of a file."""


class ParseWorker:
    """One child process that parses file after file. Not for use by several threads at once."""

    def __init__(self, limits: Limits = LIMITS, *, stall_seconds: float = STALL_SECONDS) -> None:
        """Start nothing yet."""
        self._limits = limits
        self._stall = stall_seconds
        self._process: Any = None
        self._pipe: Connection | None = None

    def parse(self, path: Path, document_id: str) -> Iterator[Document | BadLine]:
        """Yield a file's documents, and its unusable lines where it is a JSONL file.

        Raises:
            IngestError: the file cannot be read; says why.
        """
        pipe = self._started()
        finished = False
        try:
            pipe.send((str(path), document_id))
            while True:
                if not pipe.poll(self._stall):
                    raise IngestError(
                        "timeout",
                        f"{path.name} brought nothing for {self._stall:.0f} s; split or simplify it.",
                        f"{path.name} 在 {self._stall:.0f} 秒内没有进展；请拆分或简化该文件。",
                    )
                item = pipe.recv()
                if item is None:
                    finished = True
                    return
                if isinstance(item, IngestError):
                    finished = True
                    raise item
                yield item
        except (EOFError, ConnectionError) as error:
            raise IngestError(
                "corrupt",
                f"{path.name} crashed its reader; open it in its own program and save it again.",
                f"{path.name} 导致读取程序崩溃；请用原程序打开并重新保存。",
            ) from error
        finally:
            if not finished:
                self.close()

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
        if self._pipe is not None:
            self._pipe.close()
        self._process = self._pipe = None

    def _started(self) -> Connection:
        if self._pipe is None or not self._process.is_alive():
            self.close()
            context = mp.get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=_serve, args=(theirs, self._limits), daemon=True)
            self._process.start()
            theirs.close()
        return self._pipe


def _serve(pipe: Connection, limits: Limits) -> None:
    """Answer parse requests until the other end closes."""
    try:
        while True:
            path, document_id = pipe.recv()
            try:
                for document in parse(Path(path), document_id, limits=limits, on_bad_line=pipe.send):
                    pipe.send(document)
                pipe.send(None)
            except IngestError as error:
                pipe.send(error)
    except (EOFError, ConnectionError, KeyboardInterrupt):
        return
