"""One writer at a time: a lock that processes and threads share, and that a killed holder releases."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kaoju.errors import KnowledgeBaseError


@contextmanager
def held(folder: Path, *, seconds: float) -> Iterator[None]:
    """Hold the writer's lock of a knowledge base for the block.

    Raises:
        KnowledgeBaseError: another writer holds it for longer than `seconds`.
        OSError: the folder cannot be written.
    """
    import filelock  # noqa: PLC0415 - only writers lock

    lock = filelock.FileLock(folder / "lock")
    try:
        lock.acquire(timeout=seconds)
    except filelock.Timeout as error:
        raise KnowledgeBaseError(
            f"another ingestion is at work on {folder}; wait for it, or raise the setting lock_timeout.",
            f"另一个导入任务正在使用 {folder}；请等待其完成，或调大设置 lock_timeout。",
        ) from error
    try:
        yield
    finally:
        lock.release()
