"""Opening says what is wrong and what to do, and never repairs by deleting."""

import errno
import json
import os
import shutil
from pathlib import Path

import pytest
from tests.knowledge.conftest import HashEmbedder
from tests.knowledge.helpers import consistent

from kaoju.errors import KnowledgeBaseError, StorageError
from kaoju.knowledge import base, tables, writing


def test_a_missing_one_names_the_command_that_makes_it(open_kb) -> None:
    with pytest.raises(KnowledgeBaseError, match="kaoju ingest") as caught:
        open_kb("nowhere", create=False)
    assert "kaoju ingest" in caught.value.zh


def test_a_folder_with_other_files_is_refused_and_left_alone(open_kb, docs) -> None:
    before = sorted(docs.rglob("*"))
    with pytest.raises(KnowledgeBaseError, match="other files"):
        open_kb("docs")
    assert sorted(docs.rglob("*")) == before


def test_an_empty_folder_becomes_one(open_kb, tmp_path) -> None:
    (tmp_path / "kb").mkdir()
    assert open_kb().stats() == {"documents": 0, "chunks": 0, "tables": 0}


def test_an_empty_one_finds_nothing(open_kb) -> None:
    kb = open_kb()
    for mode in ("auto", "semantic", "keyword", "hybrid"):
        assert kb.search("anything", mode=mode) == ()
    assert kb.tables() == ()


def test_another_embedding_model_is_named_beside_the_right_one(open_kb, docs) -> None:
    open_kb().ingest([docs])

    class Other(HashEmbedder):
        name = "test/other"

    with pytest.raises(KnowledgeBaseError, match=r"test/hash.*test/other"):
        open_kb(embedder=Other())


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 1}', "\x00\x00"])
def test_a_damaged_manifest(open_kb, docs, tmp_path, text) -> None:
    open_kb().close()
    (tmp_path / "kb" / "kaoju.json").write_text(text)
    with pytest.raises(KnowledgeBaseError, match="damaged"):
        open_kb(create=True)


def test_a_later_format_is_refused(open_kb, tmp_path) -> None:
    open_kb().close()
    path = tmp_path / "kb" / "kaoju.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 99}))
    with pytest.raises(KnowledgeBaseError, match="99"):
        open_kb()


def _filled(open_kb, docs, tmp_path) -> Path:
    kb = open_kb()
    kb.ingest([docs])
    kb.close()
    return tmp_path / "kb"


def test_a_damaged_state_file(open_kb, docs, tmp_path) -> None:
    folder = _filled(open_kb, docs, tmp_path)
    (folder / "state.sqlite").write_bytes(b"not a database at all, but long enough to be taken for one" * 30)
    with pytest.raises(KnowledgeBaseError, match=r"state\.sqlite"):
        open_kb()


@pytest.mark.parametrize("part", ["state.sqlite", "chunks.lance"])
def test_a_lost_part_is_told_and_not_made_anew(open_kb, docs, tmp_path, part) -> None:
    folder = _filled(open_kb, docs, tmp_path)
    (shutil.rmtree if (folder / part).is_dir() else Path.unlink)(folder / part)
    with pytest.raises(KnowledgeBaseError, match=part):
        open_kb()
    assert not (folder / part).exists()


@pytest.mark.parametrize("kind", ["*.manifest", "*.lance"])
def test_a_damaged_index(open_kb, docs, tmp_path, kind) -> None:
    folder = _filled(open_kb, docs, tmp_path)
    for path in (folder / "chunks.lance").rglob(kind):
        if path.is_file():
            path.write_bytes(b"garbage")
    with pytest.raises(KnowledgeBaseError, match="ingest again"):
        open_kb().search("差旅", mode="semantic")


def test_a_damaged_table_file_stops_an_ingestion_with_tables(open_kb, docs, tmp_path) -> None:
    folder = _filled(open_kb, docs, tmp_path)
    (folder / "tables.duckdb").write_bytes(b"garbage" * 5000)
    (docs / "d.csv").write_text("a,b\n1,2\n")
    kb = open_kb()
    with pytest.raises(KnowledgeBaseError, match=r"tables\.duckdb"):
        kb.ingest([docs])
    assert kb.search("差旅")


def test_a_read_only_folder_can_be_searched_but_not_ingested_into(
    open_kb, docs, tmp_path, monkeypatch
) -> None:
    folder = _filled(open_kb, docs, tmp_path)
    monkeypatch.setattr(base.os, "access", lambda path, mode: not mode & os.W_OK)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    kb = open_kb()
    assert kb.search("差旅")[0].document_id == "a.md"
    assert kb.document_text("a.md")
    with pytest.raises(StorageError, match="read-only"):
        kb.ingest([docs])
    kb.close()
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


def _full(*args: object, **more: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize(
    ("place", "what"),
    [
        (tables.shutil, "copyfile"),
        (writing.Store, "replace"),
        (writing.State, "finish_files"),
        (writing.State, "begin_files"),
        (writing.State, "cache_vectors"),
    ],
)
def test_a_full_disk_at_any_step_leaves_it_intact(open_kb, docs, monkeypatch, place, what) -> None:
    kb = open_kb()
    kb.ingest([docs])
    (docs / "a.md").write_text("# 差旅\n\n改为三天。\n", encoding="utf-8")
    (docs / "c.csv").write_text("项目,预算\n静海,7\n", encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr(place, what, _full)
        with pytest.raises(StorageError, match="No space left"):
            kb.ingest([docs])
    assert kb.search("harbor project")[0].document_id == "sub/b.txt"
    assert {file.status for file in kb.ingest([docs]).files} >= {"ingested"}
    assert "三天" in kb.search("差旅")[0].text
    consistent(kb)


def test_a_full_disk_at_creation_is_a_storage_error_and_leaves_no_half_knowledge_base(
    open_kb, monkeypatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", _full)
        with pytest.raises(StorageError):
            open_kb()
    assert open_kb().stats()["documents"] == 0
