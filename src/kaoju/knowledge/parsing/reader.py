"""Reads any supported file into documents; the only errors that leave are `IngestError`s.

Readers are looked up by the kind that the content shows and imported on first
use, so that a question never pays for the libraries of ingestion.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol, cast

from kaoju.errors import IngestError
from kaoju.knowledge.parsing.faults import fault
from kaoju.knowledge.parsing.limits import LIMITS, Limits
from kaoju.knowledge.parsing.sniff import Kind, kind_of
from kaoju.knowledge.parsing.source import BadLine, Source
from kaoju.model.document import Document


class _Reader(Protocol):
    """What each format's module offers."""

    def read(self, source: Source) -> Iterator[Document]:
        """Yield the documents of one file."""
        ...


class _PagedReader(_Reader, Protocol):
    """A reader whose format has pages."""

    def count_pages(self, path: Path) -> int:
        """Count the pages without reading them."""
        ...


def parse(
    path: Path,
    document_id: str,
    *,
    limits: Limits = LIMITS,
    on_bad_line: Callable[[BadLine], None] | None = None,
) -> Iterator[Document]:
    """Yield the documents of a file: one, or one per line of a JSONL document file.

    Args:
        path: The file.
        document_id: The id that its document gets; JSONL lines bring their own.
        limits: Bounds on sizes and times.
        on_bad_line: Told of each unusable JSONL line. Without it such lines raise
            one error after the last good document, so that nothing is lost in silence.

    Raises:
        IngestError: `reason` is one of `kaoju.model.document.REASONS`.
    """
    source = Source(path=path, document_id=document_id, limits=limits, on_bad_line=on_bad_line)
    try:
        before = _stamp(path)
        for document in _reader(kind_of(path, limits)).read(source):
            _check_unchanged(path, before)
            yield document
        _check_unchanged(path, before)
    except IngestError:
        raise
    except OSError as error:
        raise fault("unreadable", path, error.strerror or str(error)) from error
    except MemoryError as error:
        raise fault("too_large", path, "out of memory", "内存不足") from error
    except Exception as error:
        raise fault("corrupt", path, f"{type(error).__name__}: {error}"[:300]) from error


def count_units(path: Path) -> int:
    """Return how much there is to read, for progress: pages of a PDF, bytes of anything else."""
    try:
        if kind_of(path, LIMITS) == "pdf":
            return cast("_PagedReader", _reader("pdf")).count_pages(path)
    except IngestError:
        return 0
    except OSError:
        return 0
    return path.stat().st_size


_IMPORTING = threading.Lock()


def _reader(kind: Kind) -> _Reader:
    with _IMPORTING:
        return cast("_Reader", importlib.import_module(f"kaoju.knowledge.parsing.{kind}"))


def _check_unchanged(path: Path, before: tuple[int, int]) -> None:
    if _stamp(path) != before:
        raise fault("changed_while_read", path)


def _stamp(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns
