"""From files to a searchable knowledge base: read, cut, embed, write, mark.

Reading runs in a child process beside the embedding; a bounded queue joins
them. Each file is written in this order: chunks, tables, mark. A killed
ingestion is resumed by running it again: unmarked files are redone, and their
vectors come from the cache. One bad file never stops the rest.
"""

from __future__ import annotations

import hashlib
import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kaoju.errors import IngestError
from kaoju.knowledge.chunking import chunks as cut
from kaoju.knowledge.embedding import Embedder
from kaoju.knowledge.links import keys_of
from kaoju.knowledge.parsing import LIMITS, BadLine, Limits, full_text
from kaoju.knowledge.progress import Meter, Progress
from kaoju.knowledge.state import DocumentRow, FileRow, State
from kaoju.knowledge.store import Store, batches
from kaoju.knowledge.tables import TableFile, table_info, table_names
from kaoju.knowledge.walk import Found, walk
from kaoju.knowledge.worker import ParseWorker
from kaoju.model.document import Chunk, Document, FileReport, FileStatus, IngestReport

EMBED_BATCH: Final = 64
"""Chunks embedded between two commits of the vector cache: what a kill can cost."""
READ_AHEAD: Final = 2
"""Files that may be read before their turn to be embedded."""
SKIP_REASONS: Final = frozenset({"empty", "no_text", "unsupported", "too_large", "encrypted", "zip_bomb"})
"""Reasons that lie in the file and are no failure of reading it."""


@dataclass(slots=True, kw_only=True)
class _Read:
    """One file as the reader thread hands it over."""

    found: Found
    hash: str
    documents: list[Document] = field(default_factory=list)
    bad_lines: list[BadLine] = field(default_factory=list)
    error: IngestError | None = None


class Ingestion:
    """One run over given paths; holds the knowledge base's lock for its time."""

    def __init__(
        self,
        *,
        folder: Path,
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
        self._tables = TableFile(folder / "tables.duckdb")
        self._known = state.files()
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
        self._sweep()
        listed = list(walk(paths, avoid=self._folder))
        self._reports += [item for item in listed if isinstance(item, FileReport)]
        files = [item for item in listed if isinstance(item, Found)]
        meter = Meter(sum(max(file.size, 1) for file in files), self._on_progress)
        changed = False
        try:
            with closing(ParseWorker(self._limits)) as worker:
                for read in _read_ahead(self._reading(worker, files, meter)):
                    changed = self._take(read, meter) or changed
            if prune:
                changed = self._prune(paths, files) or changed
            self._tables.publish()
        finally:
            self._tables.discard()
        if changed:
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

    def _sweep(self) -> None:
        """Remove chunks that a killed ingestion wrote for files that are not known at all."""
        if self._state.counts()[1] != self._store.count():
            for file_id in self._store.file_ids() - set(self._known):
                self._store.remove(file_id)

    def _reading(self, worker: ParseWorker, files: Sequence[Found], meter: Meter) -> Iterator[_Read]:
        for found in files:
            try:
                digest = _digest(found.full)
            except OSError as error:
                yield _Read(found=found, hash="", error=IngestError("unreadable", str(error.strerror)))
                continue
            known = self._known.get(found.id)
            if known is not None and known.hash == digest:
                self._reports.append(_report(found, "unchanged", chunks=known.chunks, tables=known.tables))
                meter.step(found.path, max(found.size, 1), worked=False)
                continue
            yield self._read(worker, found, digest)

    def _read(self, worker: ParseWorker, found: Found, digest: str) -> _Read:
        read = _Read(found=found, hash=digest)
        try:
            for item in worker.parse(found.full, found.path):
                if isinstance(item, BadLine):
                    read.bad_lines.append(item)
                else:
                    read.documents.append(item)
            if _digest(found.full) != digest:
                raise IngestError(
                    "changed_while_read",
                    f"{found.path} changed while it was read; ingest again.",
                    f"{found.path} 在读取过程中被修改；请重新导入。",
                )
        except OSError as error:
            read.error = IngestError("unreadable", str(error.strerror))
        except IngestError as error:
            read.error = error
        return read

    def _take(self, read: _Read, meter: Meter) -> bool:
        """Write one file; return whether the knowledge base changed."""
        found, weight = read.found, max(read.found.size, 1)
        documents = self._own(read)
        if read.error is not None or not documents:
            error = read.error or IngestError("no_text", "no document in it", "其中没有文档")
            status: FileStatus = "skipped" if error.reason in SKIP_REASONS else "failed"
            stale = "; the version taken in before stays" if found.id in self._known else ""
            self._reports.append(_report(found, status, reason=error.reason, detail=error.message + stale))
            meter.step(found.path, weight, worked=False)
            return False
        pieces = [cut(document) for document in documents]
        flat = [chunk for piece in pieces for chunk in piece]
        vectors = self._embed(flat, lambda share: meter.step(found.path, weight * share))
        file = FileRow(
            id=found.id,
            root=str(found.root),
            path=found.path,
            hash=read.hash,
            chunks=len(flat),
            tables=sum(len(document.tables) for document in documents),
        )
        self._state.begin_file(file)
        self._store.replace(found.id, flat, [chunk.context for chunk in flat], vectors)
        self._state.finish_file(file, self._rows(found, documents, pieces))
        self._pages += sum(len({b.page for b in d.blocks if b.page is not None}) for d in documents)
        self._reports.append(_report(found, "ingested", detail=_remarks(read), documents=len(documents), chunks=len(flat), tables=file.tables))
        return True

    def _own(self, read: _Read) -> list[Document]:
        """Give each document an id that no other file's document has; drop lines that claim a taken one."""
        owners = self._state.owners([document.id for document in read.documents])
        kept = []
        for document in read.documents:
            if owners.get(document.id, read.found.id) == read.found.id:
                kept.append(document)
            elif document.id == read.found.path:
                kept.append(_renamed(document, f"{read.found.root.name}/{document.id}"))
            else:
                read.bad_lines.append(
                    BadLine(line=0, reason="duplicate_id", message=f"{document.id} belongs to another file", zh=f"{document.id} 属于另一个文件")
                )
        return kept

    def _embed(self, flat: Sequence[Chunk], advance: Callable[[float], None]) -> NDArray[np.float32]:
        """Return one vector a chunk; what was embedded before comes from the cache."""
        found = np.zeros((len(flat), self._embedder.dim), dtype=np.float32)
        texts = [f"{chunk.context}\n{chunk.text}" for chunk in flat]
        keys = [_vector_key(self._embedder.name, text) for text in texts]
        cached = self._state.cached_vectors(list(dict.fromkeys(keys)))
        missing = list(dict.fromkeys(i for i, key in enumerate(keys) if key not in cached))
        missing.sort(key=lambda i: len(texts[i]))
        if not missing:
            advance(1.0)
        for batch in batches(missing, EMBED_BATCH):
            rows = self._embedder.passages([texts[i] for i in batch])
            fresh = {keys[i]: row for i, row in zip(batch, rows, strict=True)}
            self._state.cache_vectors(fresh)
            cached.update(fresh)
            advance(len(batch) / len(missing))
        for i, key in enumerate(keys):
            found[i] = cached[key]
        return found

    def _rows(self, found: Found, documents: Sequence[Document], pieces: Sequence[Sequence[Chunk]]) -> list[DocumentRow]:
        former = self._state.tables_of(found.id)
        taken = {info.name for info in self._state.tables()} - former
        if former:
            self._tables.drop(former)
        rows = []
        for document, chunks in zip(documents, pieces, strict=True):
            infos = []
            for name, table in zip(table_names(document, taken), document.tables, strict=True):
                taken.add(name)
                infos.append(table_info(name, document, table, self._tables.write(name, table)))
            rows.append(
                DocumentRow(
                    id=document.id,
                    title=document.title,
                    date=document.date,
                    pages={page: full_text(document, page) for page in dict.fromkeys(b.page for b in document.blocks)},
                    keys=[(key, c.id) for c in chunks for key in keys_of(document.title, c.locator.section.split(" > "))],
                    tables=infos,
                )
            )
        self._tables.publish()
        return rows

    def _prune(self, paths: Sequence[Path], files: Sequence[Found]) -> bool:
        present = {found.id for found in files}
        roots = {str(Path(path).resolve()) for path in paths if Path(path).is_dir()}
        gone = [row for row in self._state.files().values() if row.root in roots and row.id not in present]
        for row in gone:
            names = self._state.tables_of(row.id)
            if names:
                self._tables.drop(names)
                self._tables.publish()
            self._store.remove(row.id)
            self._state.remove_file(row.id)
            self._reports.append(FileReport(path=row.path, status="pruned"))
        return bool(gone)


def _read_ahead(source: Iterator[_Read]) -> Iterator[_Read]:
    """Yield the items of `source`, read by a thread of its own a little ahead of their use."""
    box: queue.Queue[_Read | BaseException | None] = queue.Queue(maxsize=READ_AHEAD)
    stop = threading.Event()

    def put(item: _Read | BaseException | None) -> bool:
        while not stop.is_set():
            try:
                box.put(item, timeout=0.2)
            except queue.Full:
                continue
            return True
        return False

    def fill() -> None:
        try:
            for item in source:
                if not put(item):
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
        thread.join()


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _vector_key(embedder: str, text: str) -> bytes:
    return hashlib.blake2b(f"{embedder}\n{text}".encode("utf-8", "replace"), digest_size=16).digest()


def _renamed(document: Document, new_id: str) -> Document:
    return replace(document, id=new_id)


def _remarks(read: _Read) -> str:
    notes = [note for document in read.documents[:20] for note in document.notes]
    if read.bad_lines:
        reasons = sorted({line.reason for line in read.bad_lines})
        first = read.bad_lines[0]
        notes.append(f"{len(read.bad_lines)} lines left out ({', '.join(reasons)}), the first: {first.message}")
    return "; ".join(dict.fromkeys(notes))


def _report(found: Found, status: FileStatus, **more: object) -> FileReport:
    return FileReport(path=found.path, status=status, **more)  # type: ignore[arg-type]  # keyword fields of FileReport
