"""Chunks with their vectors and search tokens, in LanceDB.

Promises: a file's chunks are replaced in one commit, so that a reader sees the
old ones or the new ones; both arms search the same rows; filters are built
from typed values only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kaoju.errors import KnowledgeBaseError, StorageError
from kaoju.knowledge.state import storage_error
from kaoju.language.segment import tokens
from kaoju.model.document import Chunk
from kaoju.model.evidence import Locator

FLAT_ROWS: Final = 20_000
"""Up to here an exact scan is as fast as an index and never misses."""
MAX_TOKEN_CHARS: Final = 80
_COLUMNS: Final = (
    "id", "document_id", "title", "text", "page", "section", "start", "end", "row_first", "row_last", "date",
)  # fmt: skip
Row = dict[str, Any]


class Store:
    """The chunk table of one knowledge base."""

    def __init__(self, folder: Path, dim: int) -> None:
        """Open `folder`, or make an empty table there.

        Raises:
            KnowledgeBaseError: the folder is damaged.
            StorageError: it cannot be created.
        """
        import lancedb  # noqa: PLC0415 - a second of import, only for those who open a knowledge base
        import pyarrow as pa  # noqa: PLC0415 - comes with it

        self._pa = pa
        whole, text = pa.int64(), pa.string()
        self._schema = pa.schema(
            [
                *[pa.field(name, text) for name in ("id", "document_id", "file_id", "title", "text", "section", "date", "fts")],
                *[pa.field(name, whole) for name in ("page", "start", "end", "row_first", "row_last")],
                pa.field("vector", pa.list_(pa.float32(), dim)),
            ]
        )
        with _translated(folder):
            db = lancedb.connect(folder, read_consistency_interval=timedelta(0))
            if "chunks" in _names(db):
                self._table = db.open_table("chunks")
            else:
                self._table = db.create_table("chunks", schema=self._schema, exist_ok=True)
            missing = set(self._schema.names) - set(self._table.schema.names)
            self._table.count_rows()
        if missing:
            raise KnowledgeBaseError(
                f"{folder} is not a chunk table of Kaoju (no {', '.join(sorted(missing))}); ingest again.",
                f"{folder} 不是 Kaoju 的数据表（缺少 {'、'.join(sorted(missing))}）；请重新导入。",
            )
        self._folder = folder

    def replace(self, file_id: str, chunks: Sequence[Chunk], contexts: Sequence[str], vectors: NDArray[np.float32]) -> None:
        """Put a file's chunks in the place of its former ones, in one commit."""
        if not chunks:
            self.remove(file_id)
            return
        rows = [
            {
                "id": chunk.id,
                "document_id": chunk.document_id,
                "file_id": file_id,
                "title": chunk.title,
                "text": chunk.text,
                "section": chunk.locator.section,
                "date": chunk.date,
                "fts": " ".join(t for t in tokens(f"{context}\n{chunk.text}") if len(t) <= MAX_TOKEN_CHARS),
                "page": chunk.locator.page,
                "start": chunk.locator.start,
                "end": chunk.locator.end,
                "row_first": chunk.locator.rows[0] if chunk.locator.rows else None,
                "row_last": chunk.locator.rows[1] if chunk.locator.rows else None,
                "vector": vector,
            }
            for chunk, context, vector in zip(chunks, contexts, vectors, strict=True)
        ]
        with _translated(self._folder):
            (
                self._table.merge_insert("id")
                .when_matched_update_all()
                .when_not_matched_insert_all()
                .when_not_matched_by_source_delete(f"file_id = {_quoted(file_id)}")
                .execute(self._pa.Table.from_pylist(rows, schema=self._schema))
            )

    def remove(self, file_id: str) -> None:
        """Remove a file's chunks."""
        with _translated(self._folder):
            self._table.delete(f"file_id = {_quoted(file_id)}")

    def file_ids(self) -> set[str]:
        """Return the files that have chunks here."""
        with _translated(self._folder):
            return set(self._table.search().select(["file_id"]).limit(None).to_arrow()["file_id"].to_pylist())

    def index(self) -> None:
        """Bring the indexes up to date: keywords always, vectors from `FLAT_ROWS` on."""
        from lancedb.index import FTS, HnswSq  # noqa: PLC0415 - only writers need them

        with _translated(self._folder):
            rows = self._table.count_rows()
            known = {column for index in self._table.list_indices() for column in index.columns}
            if rows and "fts" not in known:
                config = FTS(
                    base_tokenizer="whitespace", stem=False, lower_case=False, remove_stop_words=False,
                    ascii_folding=False, max_token_length=MAX_TOKEN_CHARS * 4, with_position=False,
                )  # fmt: skip
                self._table.create_index("fts", config=config)
            if rows > FLAT_ROWS and "vector" not in known:
                self._table.create_index("vector", config=HnswSq(distance_type="cosine"))
            self._table.optimize(cleanup_older_than=timedelta(minutes=10))

    def count(self) -> int:
        """Return the number of chunks."""
        with _translated(self._folder):
            return int(self._table.count_rows())

    def nearest(self, vector: NDArray[np.float32], limit: int, documents: Sequence[str] | None = None) -> list[Row]:
        """Return the rows nearest to a vector, each with `_distance` (1 - cosine)."""
        with _translated(self._folder):
            search = self._table.search(vector, vector_column_name="vector").distance_type("cosine").refine_factor(3)
            return list(_filtered(search, documents).select([*_COLUMNS, "_distance"]).limit(limit).to_list())

    def matching(self, query: str, limit: int, documents: Sequence[str] | None = None) -> list[Row]:
        """Return the rows that contain words of the query, each with `_score` (BM25) and its vector."""
        words = list(dict.fromkeys(t for t in tokens(query) if len(t) <= MAX_TOKEN_CHARS))
        if not words:
            return []
        with _translated(self._folder):
            search = self._table.search(" ".join(words), query_type="fts", fts_columns="fts")
            return list(_filtered(search, documents).select([*_COLUMNS, "vector", "_score"]).limit(limit).to_list())

    def chunks(self, ids: Sequence[str]) -> list[Row]:
        """Return rows by chunk id, with their vectors."""
        if not ids:
            return []
        listed = ", ".join(map(_quoted, ids))
        with _translated(self._folder):
            search = self._table.search().where(f"id IN ({listed})").select([*_COLUMNS, "vector"])
            return list(search.limit(len(ids)).to_list())


def locator_of(row: Row) -> Locator:
    """Return a row's place."""
    rows = (row["row_first"], row["row_last"]) if row["row_first"] is not None else None
    return Locator(page=row["page"], section=row["section"] or "", start=row["start"], end=row["end"], rows=rows)


def _filtered(search: Any, documents: Sequence[str] | None) -> Any:
    if documents is None:
        return search
    return search.where(f"document_id IN ({', '.join(map(_quoted, documents))})", prefilter=True)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _names(db: Any) -> Iterable[str]:
    listed = db.list_tables()
    return list(getattr(listed, "tables", listed))


class _translated:  # noqa: N801 - reads as a statement
    """Turn what LanceDB raises into errors of Kaoju."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is None or isinstance(error, (KnowledgeBaseError, StorageError)) or not isinstance(error, Exception):
            return
        text = str(error)
        if any(word in text for word in ("No space left", "Permission denied", "Read-only file system", "ReadOnly")):
            raise storage_error(self._folder, error) from error
        raise KnowledgeBaseError(
            f"the index in {self._folder} cannot be used ({text[:300]}); restore it from a backup, or remove the folder and ingest again.",
            f"索引 {self._folder} 无法使用（{text[:300]}）；请从备份恢复，或删除该文件夹后重新导入。",
        ) from error


def batches(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    """Yield consecutive slices of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
