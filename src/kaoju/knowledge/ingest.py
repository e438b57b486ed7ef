"""From files to a searchable knowledge base: read, cut, embed, write, mark.

Reading runs in a child process beside the embedding; a bounded queue joins
them. A killed ingestion is resumed by running it again: files without a mark
are redone, and their vectors come from the cache. One bad file never stops
the rest.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kaoju.errors import IngestError
from kaoju.knowledge.chunking import chunks as cut
from kaoju.knowledge.embedding import Embedder
from kaoju.knowledge.parsing import LIMITS, Limits
from kaoju.knowledge.progress import Meter, Progress
from kaoju.knowledge.reading import Read, reading
from kaoju.knowledge.state import FileRow, State
from kaoju.knowledge.store import Store, batches
from kaoju.knowledge.walk import Found, walk
from kaoju.knowledge.worker import ParseWorker
from kaoju.knowledge.writing import Writer
from kaoju.model.document import Chunk, FileReport, FileStatus, IngestReport

EMBED_BATCH: Final = 64
"""Chunks embedded between two commits of the vector cache: what a kill can cost."""
SKIP_REASONS: Final = frozenset({"empty", "no_text", "unsupported", "too_large", "encrypted", "zip_bomb"})
"""Reasons that lie in the file and are no failure of reading it."""
PASSING_REASONS: Final = frozenset({"unreadable", "changed_while_read", "timeout"})
"""Reasons that say nothing of the content: what was taken in before stays."""


class Ingestion:
    """One run over given paths; the caller holds the knowledge base's lock for its time."""

    def __init__(
        self,
        *,
        folder: Path,
        tables_file: Path,
        state: State,
        store: Store,
        embedder: Embedder,
        limits: Limits = LIMITS,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> None:
        """Prepare; nothing is read yet."""
        self._folder = folder
        self._state = state
        self._store = store
        self._embedder = embedder
        self._limits = limits
        self._on_progress = on_progress
        self._writer = Writer(state, store, tables_file)
        self._reports: list[FileReport] = []
        self._pages = 0

    def run(self, paths: Sequence[Path], *, prune: bool) -> IngestReport:
        """Take everything in.

        Returns:
            The report; every file is accounted for.

        Raises:
            UsageError: a path does not exist.
            StorageError: the disk refused; what was marked before stays.
        """
        started = time.monotonic()
        listed = list(walk(paths, avoid=self._folder))
        self._reports += [item for item in listed if isinstance(item, FileReport)]
        files = [item for item in listed if isinstance(item, Found)]
        meter = Meter(sum(file.weight for file in files), self._on_progress)
        with closing(self._writer) as writer:
            writer.sweep()
            known = self._state.files()
            hashes = {file_id: row.hash for file_id, row in known.items()}
            with closing(reading(ParseWorker(self._limits), files, hashes)) as reads:
                for read in reads:
                    self._take(read, meter, known.get(read.found.id))
            writer.flush()
            if prune:
                self._prune(paths, listed)
        self._store.index()
        documents, chunks, tables = self._state.counts()
        return IngestReport(
            files=tuple(self._reports),
            documents=documents,
            chunks=chunks,
            tables=tables,
            seconds=time.monotonic() - started,
            pages=self._pages,
        )

    def _take(self, read: Read, meter: Meter, known: FileRow | None) -> None:
        """Cut, embed and hand over one file, and report how it ended."""
        found = read.found
        if read.unchanged and known is not None:
            self._report(found, "unchanged", chunks=known.chunks, tables=known.tables)
            meter.step(found.path, found.weight, worked=False)
            return
        documents = [] if read.error else self._writer.own(read)
        if not documents:
            error = read.error or IngestError(
                read.bad_lines[0].reason if read.bad_lines else "no_text",
                read.bad_lines[0].message if read.bad_lines else "there is no document in it",
            )
            if known is not None and error.reason not in PASSING_REASONS:
                self._writer.remove({found.id})
            status: FileStatus = "skipped" if error.reason in SKIP_REASONS else "failed"
            self._report(found, status, reason=error.reason, detail=error.message)
            meter.step(found.path, found.weight, worked=False)
            return
        chunks = [chunk for document in documents for chunk in cut(document)]
        vectors = self._embed(chunks, lambda share: meter.step(found.path, found.weight * share))
        self._writer.add(read, documents, list(zip(chunks, vectors, strict=True)))
        self._pages += sum(len({b.page for b in d.blocks if b.page is not None}) for d in documents)
        tables = sum(len(document.tables) for document in documents)
        self._report(
            found,
            "ingested",
            detail=_remarks(read),
            documents=len(documents),
            chunks=len(chunks),
            tables=tables,
        )

    def _embed(self, chunks: Sequence[Chunk], advance: Callable[[float], None]) -> NDArray[np.float32]:
        """Return one vector a chunk; what was embedded before comes from the cache."""
        texts = [f"{chunk.context}\n{chunk.text}" for chunk in chunks]
        keys = [vector_key(self._embedder.name, text) for text in texts]
        cached = self._state.cached_vectors(list(dict.fromkeys(keys)))
        by_key = {key: text for key, text in zip(keys, texts, strict=True) if key not in cached}
        missing = sorted(by_key, key=lambda key: len(by_key[key]))
        if not missing:
            advance(1.0)
        for batch in batches(missing, EMBED_BATCH):
            rows = self._embedder.passages([by_key[key] for key in batch])
            fresh = dict(zip(batch, rows, strict=True))
            self._state.cache_vectors(fresh)
            cached.update(fresh)
            advance(len(batch) / len(missing))
        return np.asarray([cached[key] for key in keys], dtype=np.float32).reshape(len(keys), -1)

    def _prune(self, paths: Sequence[Path], listed: Sequence[Found | FileReport]) -> None:
        present = {item.path for item in listed}
        roots = {str(path.resolve()) for path in paths if path.is_dir()}
        gone = {
            file_id: file.path
            for file_id, file in self._state.files().items()
            if file.root in roots and not (file.path in present and (Path(file.root) / file.path).exists())
        }
        self._writer.remove(set(gone))
        self._reports += [FileReport(path=path, status="pruned") for path in gone.values()]

    def _report(self, found: Found, status: FileStatus, **more: object) -> None:
        self._reports.append(FileReport(path=found.path, status=status, **more))  # type: ignore[arg-type]  # its fields


def vector_key(embedder: str, text: str) -> bytes:
    """Return the key of a text's vector in the cache."""
    return hashlib.blake2b(f"{embedder}\n{text}".encode("utf-8", "replace"), digest_size=16).digest()


def _remarks(read: Read) -> str:
    notes = [note for document in read.documents[:20] for note in document.notes]
    if read.bad_lines:
        reasons = ", ".join(sorted({line.reason for line in read.bad_lines}))
        notes.append(
            f"{len(read.bad_lines)} lines left out ({reasons}), the first: {read.bad_lines[0].message}"
        )
    return "; ".join(dict.fromkeys(notes))
