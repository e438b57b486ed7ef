"""Putting read and embedded files into the knowledge base, several in one commit.

Promises: a file's tables, chunks and mark are written in this order, and the
mark last, so that a file without one was not finished and is done again; no
two files own a document of the same id. A file takes over the documents of
another one that is no longer on the disk, so that a moved folder keeps its ids.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from kaoju.knowledge.links import keys_of
from kaoju.knowledge.parsing import BadLine, full_text
from kaoju.knowledge.reading import Read
from kaoju.knowledge.state import DocumentRow, FileRow, State
from kaoju.knowledge.store import Embedded, Store
from kaoju.knowledge.tables import TableFile, table_info, table_names
from kaoju.knowledge.walk import Found
from kaoju.language.subjects import SECTION
from kaoju.model.document import Chunk, Document

GROUP_CHUNKS: Final = 400
"""Chunks that wait for one commit at most, a larger file aside."""
GROUP_FILES: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class _Waiting:
    """One file that is ready to be written."""

    found: Found
    hash: str
    documents: Sequence[Document]
    chunks: Sequence[Embedded]


class Writer:
    """Writes files into one knowledge base, whose lock the caller holds."""

    def __init__(self, state: State, store: Store, tables_file: Path) -> None:
        """Prepare; nothing is written yet."""
        self._state = state
        self._store = store
        self._tables = TableFile(tables_file)
        self._files = state.files()
        self._owners = state.table_owners()
        self._waiting: list[_Waiting] = []
        self._claimed: dict[str, str] = {}
        self._superseded: set[str] = set()
        self.changed = False

    def sweep(self) -> None:
        """Remove what a killed ingestion left unfinished; its files are taken in again when they are given again."""
        unfinished = {file_id for file_id, file in self._files.items() if not file.hash}
        strangers = (
            set()
            if self._state.counts()[1] == self._store.count()
            else self._store.file_ids() - set(self._files)
        )
        if unfinished or strangers:
            self._tables.keep_only({name for name, owner in self._owners.items() if owner not in unfinished})
            self._forget(unfinished | strangers)

    def own(self, read: Read) -> list[Document]:
        """Give each document of a file an id that no other file has.

        A line of a document file that claims another file's id is left out and noted in `read.bad_lines`.
        """
        me = read.found.id
        owners = {**self._state.owners([document.id for document in read.documents]), **self._claimed}
        kept = []
        for document in read.documents:
            owner = owners.get(document.id, me)
            if owner != me and self._is_gone(owner):
                self._superseded.add(owner)
            elif owner != me and document.id != read.found.path:
                note = f"{document.id} belongs to {self._files[owner].path if owner in self._files else 'another file'}"
                read.bad_lines.append(BadLine(line=0, reason="duplicate_id", message=note, zh=note))
                continue
            elif owner != me:
                document = replace(document, id=self._free(document.id, read.found))  # noqa: PLW2901 - the same document
            kept.append(document)
            self._claimed[document.id] = me
        return kept

    def add(self, read: Read, documents: Sequence[Document], chunks: Sequence[Embedded]) -> None:
        """Take a file; it is written with the group that it completes."""
        self._waiting.append(_Waiting(found=read.found, hash=read.hash, documents=documents, chunks=chunks))
        if (
            len(self._waiting) >= GROUP_FILES
            or sum(len(file.chunks) for file in self._waiting) >= GROUP_CHUNKS
        ):
            self.flush()

    def flush(self) -> None:
        """Write everything that waits.

        Raises:
            StorageError: the disk refused; the group is done again next time.
        """
        if not self._waiting:
            return
        group, self._waiting = self._waiting, []
        superseded, self._superseded = self._superseded, set()
        rows = [_file_row(file) for file in group]
        self._state.begin_files(rows)
        self._drop_tables({row.id for row in rows} | superseded)
        finished = [(row, list(self._documents(file))) for row, file in zip(rows, group, strict=True)]
        self._tables.publish()
        self._store.replace({file.found.id: file.chunks for file in group}, superseded=superseded)
        self._state.finish_files(finished, superseded=superseded)
        self._files = {key: row for key, row in self._files.items() if key not in superseded}
        self._files.update((row.id, row) for row in rows)
        self.changed = True

    def remove(self, file_ids: set[str]) -> None:
        """Remove files with all that belongs to them."""
        self.flush()
        if file_ids:
            self._forget(file_ids)

    def close(self) -> None:
        """Give up what is half written."""
        self._tables.discard()

    def _forget(self, file_ids: set[str]) -> None:
        self._drop_tables(file_ids)
        self._tables.publish()
        self._store.remove(file_ids)
        self._state.remove_files(file_ids)
        self._files = {key: row for key, row in self._files.items() if key not in file_ids}
        self.changed = True

    def _drop_tables(self, file_ids: set[str]) -> None:
        gone = [name for name, owner in self._owners.items() if owner in file_ids]
        if gone:
            self._tables.drop(gone)
            self._owners = {name: owner for name, owner in self._owners.items() if owner not in file_ids}

    def _documents(self, file: _Waiting) -> Iterator[DocumentRow]:
        chunks: dict[str, list[Chunk]] = {}
        for chunk, _ in file.chunks:
            chunks.setdefault(chunk.document_id, []).append(chunk)
        for document in file.documents:
            infos = []
            for name, table in zip(table_names(document, self._owners), document.tables, strict=True):
                self._owners[name] = file.found.id
                infos.append(table_info(name, document, table, self._tables.write(name, table)))
            yield DocumentRow(
                id=document.id,
                title=document.title,
                date=document.date,
                pages={
                    page: full_text(document, page) for page in dict.fromkeys(b.page for b in document.blocks)
                },
                keys=[
                    (key, chunk.id)
                    for chunk in chunks.get(document.id, ())
                    for key in keys_of(document.title, chunk.locator.section.split(SECTION))
                ],
                tables=infos,
            )

    def _is_gone(self, file_id: str) -> bool:
        file = self._files.get(file_id)
        return file is not None and not (Path(file.root) / file.path).exists()

    def _free(self, document_id: str, found: Found) -> str:
        """Return the id with as many of its folders before it as make it unique, then with a number."""
        parents = [part for part in found.root.parts if part != found.root.anchor]
        for count in range(1, len(parents) + 1):
            candidate = "/".join((*parents[-count:], document_id))
            if self._may_take(candidate, found.id):
                return candidate
        number = 2
        while not self._may_take(f"{document_id} ({number})", found.id):
            number += 1
        return f"{document_id} ({number})"

    def _may_take(self, document_id: str, file_id: str) -> bool:
        owner = self._claimed.get(document_id) or self._state.owners([document_id]).get(document_id, file_id)
        return owner == file_id


def _file_row(file: _Waiting) -> FileRow:
    return FileRow(
        id=file.found.id,
        root=str(file.found.root),
        path=file.found.path,
        hash=file.hash,
        chunks=len(file.chunks),
        tables=sum(len(document.tables) for document in file.documents),
    )
