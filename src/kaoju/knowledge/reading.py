"""Reading files in a thread of its own, a little ahead of their embedding.

Promises: a file is parsed in the worker process and only where its content
changed; one that changes while it is read is told apart; whatever is wrong
with a file becomes a value, never an exception.
"""

from __future__ import annotations

import hashlib
import queue
import threading
from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from kaoju.errors import IngestError
from kaoju.knowledge.parsing import BadLine
from kaoju.knowledge.walk import Found
from kaoju.knowledge.worker import ParseWorker
from kaoju.model.document import Document

READ_AHEAD: Final = 2
"""Files that may be read before their turn to be embedded."""


@dataclass(slots=True, kw_only=True)
class Read:
    """One file as it was read."""

    found: Found
    hash: str = ""
    unchanged: bool = False
    """True where the content is the one that is known; nothing was parsed."""
    documents: list[Document] = field(default_factory=list)
    bad_lines: list[BadLine] = field(default_factory=list)
    error: IngestError | None = None


def reading(
    worker: ParseWorker, files: Iterable[Found], hashes: Mapping[str, str]
) -> Generator[Read, None, None]:
    """Yield each file, read by a thread of its own ahead of its use.

    Args:
        worker: parses; used by that thread alone.
        files: what to read, in order.
        hashes: file id -> the hash that is known.
    """
    box: queue.Queue[Read | BaseException | None] = queue.Queue(maxsize=READ_AHEAD)
    stop = threading.Event()

    def put(item: Read | BaseException | None) -> bool:
        while not stop.is_set():
            try:
                box.put(item, timeout=0.2)
            except queue.Full:
                continue
            return True
        return False

    def fill() -> None:
        try:
            for found in files:
                if not put(_read(worker, found, hashes.get(found.id))):
                    return
            put(None)
        except BaseException as error:  # noqa: BLE001 - carried to the consumer and raised there
            put(error)

    thread = threading.Thread(target=fill, daemon=True, name="kaoju-reader")
    thread.start()
    try:
        while (item := box.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        stop.set()
        worker.close()  # ends a parse that nobody waits for any more
        thread.join()


def _read(worker: ParseWorker, found: Found, known: str | None) -> Read:
    read = Read(found=found)
    try:
        read.hash = _digest(found.full)
        if read.hash == known:
            read.unchanged = True
            return read
        for item in worker.parse(found.full, found.path):
            if isinstance(item, BadLine):
                read.bad_lines.append(item)
            else:
                read.documents.append(item)
        if _digest(found.full) != read.hash:
            read.error = IngestError(
                "changed_while_read",
                f"{found.path} changed while it was read; ingest again.",
                f"{found.path} 在读取过程中被修改；请重新导入。",
            )
    except OSError as error:
        why = error.strerror or str(error)
        read.error = IngestError(
            "unreadable", f"{found.path} cannot be read ({why}).", f"无法读取 {found.path}（{why}）。"
        )
    except IngestError as error:
        read.error = error
    return read


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
