"""What a knowledge base knows about its files: hashes, texts, keys, tables, cached vectors. SQLite.

Promises: each file is marked in one transaction together with everything that
belongs to it, and the generation rises with it; a file whose mark is missing
was not finished. Any number of readers beside one writer.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kaoju.errors import KnowledgeBaseError, StorageError
from kaoju.model.document import TableInfo

_BATCH: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRow:
    """One file as it was taken in."""

    id: str
    root: str
    path: str
    hash: str
    """Empty while its chunks are being written."""
    chunks: int = 0
    tables: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRow:
    """What is kept of one document."""

    id: str
    title: str
    date: str | None
    pages: Mapping[int | None, str]
    """Page -> the text that offsets count in."""
    keys: Sequence[tuple[str, str]]
    """(key, chunk id)."""
    tables: Sequence[TableInfo]


class State:
    """The SQLite file of a knowledge base; safe to use from several threads."""

    def __init__(self, path: Path, *, create: bool = False, read_only: bool = False) -> None:
        """Open `path`; with `create`, make it where it is missing.

        Raises:
            KnowledgeBaseError: the file is damaged or foreign.
            StorageError: it cannot be created there.
        """
        self._path = path
        self._lock = threading.RLock()
        fresh = not path.exists()
        mode = "rwc" if create else ("ro" if read_only else "rw")
        # Without permission to write, a write-ahead log can only be read where its index file is there already.
        still = read_only and not path.with_name(path.name + "-wal").exists()
        query = f"mode={mode}" + ("&immutable=1" if still else "")
        try:
            self._db = sqlite3.connect(
                f"{path.absolute().as_uri()}?{query}", uri=True, check_same_thread=False, timeout=30
            )
            self._db.execute("PRAGMA foreign_keys = ON")
            if not read_only:
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.execute("PRAGMA synchronous = NORMAL")
            if fresh and create:
                self._db.executescript(
                    resources.files("kaoju.knowledge").joinpath("state.sql").read_text("utf-8")
                )
            self._db.execute("SELECT value FROM meta").fetchone()
        except sqlite3.DatabaseError as error:
            if _full(error):
                raise storage_error(path, error) from error
            raise _damaged(path, error) from error

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Run a block as one transaction.

        Raises:
            StorageError: the disk refused; nothing of the block is kept.
        """
        with self._lock:
            try:
                with self._db:
                    yield self._db
            except sqlite3.OperationalError as error:
                raise storage_error(self._path, error) from error
            except sqlite3.DatabaseError as error:
                raise _damaged(self._path, error) from error

    @property
    def generation(self) -> int:
        """Number of committed changes."""
        return int(self._rows("SELECT value FROM meta WHERE key = 'generation'")[0][0])

    def files(self) -> dict[str, FileRow]:
        """Return every file, by id; those with an empty hash were not finished."""
        rows = self._rows("SELECT id, root, path, hash, chunks, tables FROM files")
        return {
            r[0]: FileRow(id=r[0], root=r[1], path=r[2], hash=r[3], chunks=r[4], tables=r[5]) for r in rows
        }

    def begin_files(self, files: Iterable[FileRow]) -> None:
        """Record that the chunks of files are about to be written."""
        with self.writing() as db:
            db.executemany(
                "INSERT INTO files (id, root, path, hash) VALUES (?, ?, ?, '')"
                " ON CONFLICT (id) DO UPDATE SET hash = ''",
                [(file.id, file.root, file.path) for file in files],
            )

    def finish_files(
        self, files: Iterable[tuple[FileRow, Sequence[DocumentRow]]], *, superseded: Iterable[str] = ()
    ) -> None:
        """Replace all that is known of files, mark them as done, and raise the generation, in one transaction.

        Args:
            files: each file with its documents.
            superseded: ids of files whose documents now belong to the given ones; they are forgotten.
        """
        with self.writing() as db:
            db.executemany("DELETE FROM files WHERE id = ?", [(file_id,) for file_id in superseded])
            listed = list(files)
            db.executemany("DELETE FROM documents WHERE file_id = ?", [(file.id,) for file, _ in listed])
            for file, documents in listed:
                db.execute(
                    "UPDATE files SET hash = ?, chunks = ?, tables = ? WHERE id = ?",
                    (file.hash, file.chunks, file.tables, file.id),
                )
                for document in documents:
                    _insert_document(db, file.id, document)
            _raise_generation(db)

    def remove_files(self, file_ids: Iterable[str]) -> None:
        """Forget files and everything that belongs to them."""
        with self.writing() as db:
            db.executemany("DELETE FROM files WHERE id = ?", [(file_id,) for file_id in file_ids])
            _raise_generation(db)

    def table_owners(self) -> dict[str, str]:
        """Return SQL table name -> file id."""
        return dict(
            self._rows("SELECT t.name, d.file_id FROM sql_tables t JOIN documents d ON d.id = t.document_id")
        )

    def owners(self, ids: Sequence[str]) -> dict[str, str]:
        """Return document id -> file id for those of `ids` that exist."""
        return dict(self._many("SELECT id, file_id FROM documents WHERE id IN ({})", ids))

    def documents(self, patterns: Sequence[str]) -> list[str]:
        """Return the ids that are, or match, one of `patterns` (`*`, `?`, `[...]`), in order."""
        rows = {
            str(row[0])
            for pattern in patterns
            for row in self._rows("SELECT id FROM documents WHERE id = ?1 OR id GLOB ?1", (pattern,))
        }
        return sorted(rows)

    def page(self, document_id: str, page: int | None) -> str | None:
        """Return the text of one page; None where there is no such document or page."""
        rows = self._rows(
            "SELECT text FROM pages WHERE document_id = ? AND page = ?", (document_id, page or 0)
        )
        return str(rows[0][0]) if rows else None

    def tables(self) -> tuple[TableInfo, ...]:
        """Return the SQL tables of the knowledge base, by name."""
        return tuple(_info(row[0]) for row in self._rows("SELECT info FROM sql_tables ORDER BY name"))

    def targets(self, keys: Iterable[str]) -> list[tuple[str, str, str]]:
        """Return (key, chunk id, document id) for those of `keys` that exist."""
        return [(str(a), str(b), str(c)) for a, b, c in self._many(
            "SELECT key, chunk_id, document_id FROM keys WHERE key IN ({})", list(keys)
        )]  # fmt: skip

    def counts(self) -> tuple[int, int, int]:
        """Return the numbers of documents, chunks and tables."""
        row = self._rows(
            "SELECT (SELECT count(*) FROM documents), (SELECT coalesce(sum(chunks), 0) FROM files),"
            " (SELECT count(*) FROM sql_tables)"
        )[0]
        return int(row[0]), int(row[1]), int(row[2])

    def cached_vectors(self, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        """Return the vectors that are known, by content key."""
        rows = self._many("SELECT key, vector FROM vectors WHERE key IN ({})", keys)
        return {key: np.frombuffer(vector, dtype=np.float32) for key, vector in rows}

    def cache_vectors(self, vectors: Mapping[bytes, NDArray[np.float32]]) -> None:
        """Keep vectors by content key."""
        rows = [(key, np.asarray(vector, dtype=np.float32).tobytes()) for key, vector in vectors.items()]
        with self.writing() as db:
            db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)

    def _rows(self, sql: str, values: Sequence[object] = ()) -> list[tuple]:  # type: ignore[type-arg]  # columns differ by query
        with self._lock:
            try:
                return self._db.execute(sql, values).fetchall()
            except sqlite3.DatabaseError as error:
                raise _damaged(self._path, error) from error

    def _many(self, sql: str, values: Sequence[object]) -> list[tuple]:  # type: ignore[type-arg]  # columns differ by query
        found = []
        for start in range(0, len(values), _BATCH):
            batch = values[start : start + _BATCH]
            found.extend(self._rows(sql.format(", ".join("?" * len(batch))), batch))
        return found


def _insert_document(db: sqlite3.Connection, file_id: str, document: DocumentRow) -> None:
    db.execute(
        "INSERT INTO documents VALUES (?, ?, ?, ?)", (document.id, file_id, document.title, document.date)
    )
    db.executemany(
        "INSERT INTO pages VALUES (?, ?, ?)",
        [(document.id, page or 0, text) for page, text in document.pages.items()],
    )
    db.executemany(
        "INSERT OR IGNORE INTO keys VALUES (?, ?, ?)",
        [(key, chunk, document.id) for key, chunk in document.keys],
    )
    db.executemany(
        "INSERT INTO sql_tables VALUES (?, ?, ?)",
        [(info.name, document.id, json.dumps(asdict(info), ensure_ascii=False)) for info in document.tables],
    )


def _raise_generation(db: sqlite3.Connection) -> None:
    db.execute("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'generation'")


def _info(text: str) -> TableInfo:
    row = json.loads(text)
    row["columns"] = tuple((name, kind) for name, kind in row["columns"])
    row["samples"] = {name: tuple(values) for name, values in row["samples"].items()}
    row["section"] = tuple(row["section"])
    return TableInfo(**row)


def _damaged(path: Path, error: sqlite3.DatabaseError) -> KnowledgeBaseError:
    return KnowledgeBaseError(
        f"{path} is damaged ({error}); restore it from a backup, or remove the folder and ingest again.",
        f"{path} 已损坏（{error}）；请从备份恢复，或删除该文件夹后重新导入。",
    )


def _full(error: sqlite3.DatabaseError) -> bool:
    text = str(error).lower()
    return any(word in text for word in ("full", "readonly", "read-only", "unable to open", "disk i/o"))


def storage_error(path: Path, error: BaseException) -> StorageError:
    """Return the error for a disk that refuses to be written."""
    return StorageError(
        f"cannot write {path} ({error}); free space or choose a folder that you may write with --kb.",
        f"无法写入 {path}（{error}）；请清理磁盘空间，或用 --kb 指定可写的文件夹。",
    )
