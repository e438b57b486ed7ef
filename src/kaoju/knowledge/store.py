"""Chunks with their vectors and search tokens, in LanceDB.

Promises: a file's chunks are replaced in one commit, so that a reader sees the
old ones or the new ones; both arms search the same rows; filters are built
from typed values only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
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
    "id", "document_id", "title", "text", "page", "section", "start", "end", "row_first", "row_last", "date", "fts",
)  # fmt: skip
KEPT: Final = timedelta(minutes=10)
"""How long versions stay for readers that are at work on them."""
_LISTED: Final = 500
Row = dict[str, Any]
Embedded = tuple[Chunk, NDArray[np.float32]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """What part of the knowledge base a search sees."""

    documents: tuple[str, ...] | None = None
    """Only these documents; all where None."""
    exclude: tuple[str, ...] = ()
    """Not these documents."""
    dates: tuple[date, date] | None = None
    """Only documents that state a date from the first to before the second."""


class Store:
    """The chunk table of one knowledge base."""

    def __init__(self, folder: Path, dim: int, *, create: bool = False) -> None:
        """Open `folder`; with `create`, make an empty table where there is none.

        Raises:
            KnowledgeBaseError: the table is missing or damaged.
            StorageError: it cannot be created.
        """
        import lancedb  # noqa: PLC0415 - a second of import, only for those who open a knowledge base
        import pyarrow as pa  # noqa: PLC0415 - comes with it

        self._pa = pa
        self._folder = folder
        whole, text = pa.int64(), pa.string()
        self._schema = pa.schema(
            [
                *[
                    pa.field(name, text)
                    for name in ("id", "document_id", "file_id", "title", "text", "section", "date", "fts")
                ],
                *[pa.field(name, whole) for name in ("page", "start", "end", "row_first", "row_last")],
                pa.field("vector", pa.list_(pa.float32(), dim)),
            ]
        )
        if not create and not folder.exists():
            raise _unusable(folder, "it is missing")
        with _translated(folder):
            db = lancedb.connect(folder, read_consistency_interval=timedelta(0))
            if create:
                self._table = db.create_table("chunks", schema=self._schema, exist_ok=True)
                self._create_indexes(vectors=False)
            else:
                self._table = db.open_table("chunks")
            self._table.count_rows()
        missing = set(self._schema.names) - set(self._table.schema.names)
        if missing:
            raise _unusable(folder, f"no column {', '.join(sorted(missing))}")

    def replace(self, files: Mapping[str, Sequence[Embedded]], *, superseded: Collection[str] = ()) -> None:
        """Put the chunks of files in the place of their former ones, in one commit.

        Args:
            files: file id -> its chunks with their vectors.
            superseded: ids of further files whose chunks go.
        """
        rows = [
            self._row(file_id, chunk, vector) for file_id, chunks in files.items() for chunk, vector in chunks
        ]
        gone = f"file_id IN ({', '.join(map(_quoted, [*files, *superseded]))})"
        with _translated(self._folder):
            if not rows:
                self._table.delete(gone)
                return
            (
                self._table.merge_insert("id")
                .when_matched_update_all()
                .when_not_matched_insert_all()
                .when_not_matched_by_source_delete(gone)
                .execute(self._pa.Table.from_pylist(rows, schema=self._schema))
            )

    def remove(self, file_ids: Collection[str]) -> None:
        """Remove the chunks of files."""
        for some in batches(list(file_ids), _LISTED):
            with _translated(self._folder):
                self._table.delete(f"file_id IN ({', '.join(map(_quoted, some))})")

    def _row(self, file_id: str, chunk: Chunk, vector: NDArray[np.float32]) -> Row:
        first, last = chunk.locator.rows or (None, None)
        return {
            "id": chunk.id,
            "document_id": chunk.document_id,
            "file_id": file_id,
            "title": chunk.title,
            "text": chunk.text,
            "section": chunk.locator.section,
            "date": chunk.date,
            "fts": " ".join(t for t in tokens(f"{chunk.context}\n{chunk.text}") if len(t) <= MAX_TOKEN_CHARS),
            "page": chunk.locator.page,
            "start": chunk.locator.start,
            "end": chunk.locator.end,
            "row_first": first,
            "row_last": last,
            "vector": vector,
        }

    def file_ids(self) -> set[str]:
        """Return the files that have chunks here."""
        with _translated(self._folder):
            return set(self._table.search().select(["file_id"]).limit(None).to_arrow()["file_id"].to_pylist())

    def index(self) -> None:
        """Bring the indexes up to date: keywords always, vectors from `FLAT_ROWS` on. Does nothing where they are."""
        with _translated(self._folder):
            rows = self._table.count_rows()
            stale = [self._table.index_stats(index.name) for index in self._table.list_indices()]
            wanted = 2 if rows > FLAT_ROWS else 1
            if len(stale) >= wanted and not any(stats is None or stats.num_unindexed_rows for stats in stale):
                return
            self._create_indexes(vectors=rows > FLAT_ROWS)
            self._table.optimize(cleanup_older_than=KEPT)

    def _create_indexes(self, *, vectors: bool) -> None:
        from lancedb.index import FTS, HnswSq  # noqa: PLC0415 - only writers need them

        known = {column for index in self._table.list_indices() for column in index.columns}
        if "fts" not in known:
            config = FTS(
                base_tokenizer="whitespace", stem=False, lower_case=False, remove_stop_words=False,
                ascii_folding=False, max_token_length=MAX_TOKEN_CHARS * 4, with_position=False,
            )  # fmt: skip
            self._table.create_index("fts", config=config)
        if vectors and "vector" not in known:
            self._table.create_index("vector", config=HnswSq(distance_type="cosine"))

    def count(self) -> int:
        """Return the number of chunks."""
        with _translated(self._folder):
            return int(self._table.count_rows())

    def nearest(self, vector: NDArray[np.float32], limit: int, within: Within) -> list[Row]:
        """Return the rows nearest to a vector, each with `_distance` (1 - cosine)."""
        with _translated(self._folder):
            search: Any = self._table.search(vector, vector_column_name="vector")
            search = search.distance_type("cosine").refine_factor(3)
            return list(_filtered(search, within).select([*_COLUMNS, "_distance"]).limit(limit).to_list())

    def matching(self, query: str, limit: int, within: Within) -> list[Row]:
        """Return the rows that contain words of the query, each with `_score` (BM25) and its vector."""
        words = list(dict.fromkeys(t for t in tokens(query) if len(t) <= MAX_TOKEN_CHARS))
        if not words:
            return []
        with _translated(self._folder):
            search = self._table.search(" ".join(words), query_type="fts", fts_columns="fts")
            return list(
                _filtered(search, within).select([*_COLUMNS, "vector", "_score"]).limit(limit).to_list()
            )

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
    return Locator(
        page=row["page"], section=row["section"] or "", start=row["start"], end=row["end"], rows=rows
    )


def _filtered(search: Any, within: Within) -> Any:
    clauses = []
    if within.documents is not None:
        clauses.append(f"document_id IN ({', '.join(map(_quoted, within.documents))})")
    if within.exclude:
        clauses.append(f"document_id NOT IN ({', '.join(map(_quoted, within.exclude))})")
    if within.dates is not None:
        start, end = within.dates
        clauses.append(f"date >= {_quoted(start.isoformat())} AND date < {_quoted(end.isoformat())}")
    return search.where(" AND ".join(clauses), prefilter=True) if clauses else search


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


class _translated:  # noqa: N801 - reads as a statement
    """Turn what LanceDB raises into errors of Kaoju."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if (
            error is None
            or isinstance(error, (KnowledgeBaseError, StorageError))
            or not isinstance(error, Exception)
        ):
            return
        text = str(error)
        if any(
            word in text
            for word in ("No space left", "Permission denied", "Read-only file system", "ReadOnly")
        ):
            raise storage_error(self._folder, error) from error
        raise _unusable(self._folder, text[:300]) from error


def _unusable(folder: Path, why: str) -> KnowledgeBaseError:
    return KnowledgeBaseError(
        f"the index {folder} cannot be used ({why}); restore it from a backup, or remove the knowledge base and ingest again.",
        f"索引 {folder} 无法使用（{why}）；请从备份恢复，或删除该知识库后重新导入。",
    )


def batches(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    """Yield consecutive slices of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
