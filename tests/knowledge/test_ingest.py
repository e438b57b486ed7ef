"""Files in, unchanged ones left alone, changed ones replaced, gone ones pruned; every file accounted for."""

import json
import os
import sys
import threading

import duckdb
import pytest
from tests.knowledge.helpers import consistent

from kaoju.errors import UsageError
from kaoju.knowledge.progress import Progress
from kaoju.model.document import REASONS


def statuses(report) -> dict[str, str]:
    return {file.path: file.status for file in report.files}


def test_a_folder_is_taken_in_and_the_second_time_nothing_is_done(open_kb, docs, embedder) -> None:
    kb = open_kb()
    first = kb.ingest([docs])
    assert statuses(first) == {"a.md": "ingested", "sub/b.txt": "ingested", "c.csv": "ingested"}
    assert (first.documents, first.tables) == (3, 1)
    assert first.chunks == kb.stats()["chunks"] == sum(file.chunks for file in first.files)
    generation, embedded = kb.generation, len(embedder.embedded)
    second = kb.ingest([docs])
    assert set(statuses(second).values()) == {"unchanged"}
    assert kb.generation == generation
    assert len(embedder.embedded) == embedded
    assert (second.documents, second.chunks, second.tables) == (first.documents, first.chunks, first.tables)
    consistent(kb)


def test_a_changed_file_replaces_its_old_chunks_and_tables(open_kb, docs) -> None:
    kb = open_kb()
    kb.ingest([docs])
    (docs / "a.md").write_text("# 差旅\n\n差旅改为提前三天申请。\n", encoding="utf-8")
    (docs / "c.csv").write_text("项目,金额\n静海,5\n", encoding="utf-8")
    report = kb.ingest([docs])
    assert statuses(report) == {"a.md": "ingested", "sub/b.txt": "unchanged", "c.csv": "ingested"}
    texts = " ".join(p.text for p in kb.search("差旅申请", k=10))
    assert "三天" in texts
    assert "两周" not in texts
    (table,) = kb.tables()
    assert [name for name, _ in table.columns] == ["项目", "金额"]
    with duckdb.connect(str(kb.tables_file), read_only=True) as db:
        assert db.execute(f'SELECT "项目", "金额" FROM "{table.name}"').fetchall() == [("静海", 5)]
    consistent(kb)


def test_prune_removes_what_is_gone_and_only_with_prune(open_kb, docs, tmp_path) -> None:
    kb = open_kb()
    other = tmp_path / "other"
    other.mkdir()
    (other / "keep.md").write_text("keep me", encoding="utf-8")
    kb.ingest([docs, other])
    (docs / "a.md").unlink()
    (docs / "c.csv").unlink()
    assert kb.ingest([docs]).documents == 4
    report = kb.ingest([docs], prune=True)
    assert statuses(report) == {"a.md": "pruned", "c.csv": "pruned", "sub/b.txt": "unchanged"}
    assert (report.documents, report.tables) == (2, 0)
    assert kb.tables() == ()
    assert {p.document_id for p in kb.search("差旅 keep harbor", k=10)} == {"sub/b.txt", "keep.md"}
    with duckdb.connect(str(kb.tables_file), read_only=True) as db:
        assert db.execute("SELECT count(*) FROM duckdb_tables()").fetchone() == (0,)
    consistent(kb)


def test_a_moved_file_costs_no_embedding(open_kb, docs, embedder) -> None:
    kb = open_kb()
    kb.ingest([docs])
    embedded = len(embedder.embedded)
    (docs / "sub" / "b.txt").rename(docs / "b.txt")
    kb.ingest([docs], prune=True)
    assert len(embedder.embedded) == embedded
    assert {p.document_id for p in kb.search("harbor project", k=3)} >= {"b.txt"}
    consistent(kb)


def test_a_moved_folder_keeps_its_document_ids(open_kb, docs, tmp_path) -> None:
    (docs / "n.jsonl").write_text(json.dumps({"id": "n1", "title": "t", "text": "notice one"}) + "\n")
    kb = open_kb()
    kb.ingest([docs])
    before = {p.document_id for p in kb.search("差旅 harbor 青禾 notice", k=20)}
    docs.rename(tmp_path / "moved")
    report = kb.ingest([tmp_path / "moved"])
    assert set(statuses(report).values()) == {"ingested"}
    assert {p.document_id for p in kb.search("差旅 harbor 青禾 notice", k=20)} == before
    assert report.documents == 4
    consistent(kb)


def test_two_folders_with_the_same_paths_do_not_clash(open_kb, tmp_path) -> None:
    for name, text in (
        ("north", "snow in the north"),
        ("south", "sun in the south"),
        ("deep/south", "sea further south"),
    ):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "r.md").write_text(text, encoding="utf-8")
    kb = open_kb()
    roots = [tmp_path / "north", tmp_path / "south", tmp_path / "deep" / "south"]
    assert kb.ingest(roots).documents == 3
    ids = {p.text: p.document_id for p in kb.search("north south", k=9)}
    assert ids["snow in the north"] == "r.md"
    assert ids["sun in the south"] == "south/r.md"
    assert len(set(ids.values())) == 3
    assert set(statuses(kb.ingest(roots)).values()) == {"unchanged"}
    (tmp_path / "south" / "r.md").write_text("rain in the south", encoding="utf-8")
    kb.ingest(roots)
    assert {p.text: p.document_id for p in kb.search("rain south", k=9)}["rain in the south"] == "south/r.md"
    consistent(kb)


def test_jsonl_lines_are_documents_and_bad_lines_are_told(open_kb, tmp_path) -> None:
    file = tmp_path / "n.jsonl"
    lines = [
        json.dumps({"id": f"n{i}", "title": f"T{i}", "text": f"notice {i}", "date": "2024-05-01"})
        for i in range(3)
    ]
    file.write_text("\n".join([*lines, "{not json", lines[0]]) + "\n", encoding="utf-8")
    kb = open_kb()
    (report,) = kb.ingest([file]).files
    assert (report.status, report.documents) == ("ingested", 3)
    assert "2 lines left out" in report.detail
    assert {p.document_id for p in kb.search("notice", k=9)} == {"n0", "n1", "n2"}
    file.write_text("\n".join(lines[1:]) + "\n", encoding="utf-8")
    assert kb.ingest([file]).documents == 2
    assert {p.document_id for p in kb.search("notice", k=9)} == {"n1", "n2"}
    consistent(kb)


def test_every_file_is_accounted_for_with_a_known_reason(open_kb, docs, tmp_path) -> None:
    (docs / "empty.md").touch()
    (docs / "broken.pdf").write_bytes(b"%PDF-1.7 nothing follows")
    (docs / "program.exe").write_bytes(b"MZ\x00\x01" * 40)
    (docs / ".secret.md").write_text("hidden")
    (docs / ".git").mkdir()
    (docs / "sub" / "loop").symlink_to(docs)
    (tmp_path / "outside.md").write_text("outside")
    (docs / "out.md").symlink_to(tmp_path / "outside.md")
    (docs / "dangling.md").symlink_to(docs / "nowhere.md")
    report = open_kb().ingest([docs])
    bad = {file.path: file for file in report.files if file.status != "ingested"}
    assert bad.keys() == {
        "empty.md", "broken.pdf", "program.exe", ".secret.md", ".git", "sub/loop", "out.md", "dangling.md"
    }  # fmt: skip
    assert all(file.reason in REASONS and file.detail for file in bad.values())
    assert bad["empty.md"].reason == "empty"
    assert {bad[name].reason for name in ("sub/loop", "out.md", "dangling.md")} == {"link_loop"}
    assert {bad[name].reason for name in (".secret.md", ".git")} == {"hidden"}
    assert report.documents == 3


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission_fails_alone(open_kb, docs) -> None:
    (docs / "a.md").chmod(0)
    report = open_kb().ingest([docs])
    assert statuses(report)["a.md"] == "failed"
    assert report.documents == 2


def test_a_path_that_does_not_exist_is_a_usage_error_and_changes_nothing(open_kb, docs) -> None:
    kb = open_kb()
    with pytest.raises(UsageError, match="nowhere"):
        kb.ingest([docs, docs / "nowhere"])
    assert kb.stats()["documents"] == 0


def test_the_knowledge_base_inside_the_ingested_folder_is_not_read(open_kb, docs) -> None:
    kb = open_kb("docs/kb")
    kb.ingest([docs])
    assert set(statuses(kb.ingest([docs])).values()) == {"unchanged"}
    assert kb.stats()["documents"] == 3


def test_a_file_that_changes_while_it_is_read_is_failed_and_taken_the_next_time(
    open_kb, docs, monkeypatch
) -> None:
    from kaoju.knowledge import ingest

    kb = open_kb()
    real = ingest.ParseWorker.parse

    def changing(self, path, document_id):
        yield from real(self, path, document_id)
        if path.name == "a.md":
            path.write_text("# 差旅\n\n新的内容。\n", encoding="utf-8")

    monkeypatch.setattr(ingest.ParseWorker, "parse", changing)
    report = {file.path: file for file in kb.ingest([docs]).files}
    assert (report["a.md"].status, report["a.md"].reason) == ("failed", "changed_while_read")
    monkeypatch.setattr(ingest.ParseWorker, "parse", real)
    assert statuses(kb.ingest([docs]))["a.md"] == "ingested"
    consistent(kb)


def test_progress_only_grows_and_ends_at_the_total(open_kb, docs) -> None:
    seen: list[Progress] = []
    kb = open_kb()
    kb.ingest([docs], on_progress=seen.append)
    done = [moment.done_units for moment in seen]
    assert done == sorted(done)
    assert done[-1] == pytest.approx(seen[-1].total_units)
    assert all(moment.seconds_left is None or moment.seconds_left >= 0 for moment in seen)


def test_a_listener_that_fails_leaves_the_knowledge_base_usable(open_kb, docs) -> None:
    def fail(moment: Progress) -> None:
        raise RuntimeError("the terminal is gone")

    kb = open_kb()
    with pytest.raises(RuntimeError):
        kb.ingest([docs], on_progress=fail)
    assert kb.ingest([docs]).documents == 3
    consistent(kb)


def test_readers_see_whole_files_while_a_file_is_replaced_again_and_again(open_kb, tmp_path) -> None:
    """Each version has ten chunks of one word; a search must never mix two versions or see half of one."""
    file = tmp_path / "v.md"

    def write(word: str) -> None:
        file.write_text("\n\n".join(f"# s{i}\n\n{word} common{i}" for i in range(10)), encoding="utf-8")

    write("v0")
    kb = open_kb()
    kb.ingest([file])
    stop, wrong = threading.Event(), []

    def read() -> None:
        while not stop.is_set():
            found = kb.search("common", k=50, mode="semantic")
            words = {p.text.split()[-2] for p in found}
            if len(words) != 1 or len(found) != 10:
                wrong.append((words, len(found)))

    reader = threading.Thread(target=read)
    reader.start()
    for i in range(1, 6):
        write(f"v{i}")
        kb.ingest([file])
    stop.set()
    reader.join()
    assert not wrong
    consistent(kb)
