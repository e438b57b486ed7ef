"""Killed, run twice at once, or run by many: the knowledge base comes out whole, nothing missing, nothing double."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.knowledge.conftest import HashEmbedder
from tests.knowledge.helpers import consistent

from kaoju.errors import KnowledgeBaseError
from kaoju.knowledge import ingest, writing
from kaoju.knowledge.base import KnowledgeBase
from kaoju.knowledge.lock import held
from kaoju.knowledge.parsing import parse

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys, time
from pathlib import Path
from kaoju.knowledge import writing
from kaoju.knowledge.base import KnowledgeBase
from tests.knowledge.conftest import HashEmbedder

class Slow(HashEmbedder):
    def passages(self, texts):
        time.sleep(0.02)
        return super().passages(texts)

writing.GROUP_FILES = 3
kb = KnowledgeBase.open(Path(sys.argv[1]), create=True, embedder=Slow())
print("open", flush=True)
report = kb.ingest([Path(path) for path in sys.argv[2:]])
print(report.documents, report.chunks, report.tables, sum(f.status == "failed" for f in report.files))
kb.close()
"""


def start(kb: Path, *paths: Path) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(kb), *map(str, paths)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env,
    )  # fmt: skip


@pytest.fixture
def many(tmp_path) -> Path:
    folder = tmp_path / "many"
    folder.mkdir()
    for i in range(24):
        (folder / f"d{i:02}.md").write_text(
            "\n\n".join(f"# part {j}\n\nfile {i} part {j} about topic{i}" for j in range(4))
        )
    for i in range(4):
        (folder / f"t{i}.csv").write_text("name,amount\n" + "\n".join(f"n{j},{i * 10 + j}" for j in range(5)))
    lines = [json.dumps({"id": f"j{i}", "title": f"J{i}", "text": f"line {i}"}) for i in range(30)]
    (folder / "lines.jsonl").write_text("\n".join(lines))
    return folder


def opened(path: Path) -> KnowledgeBase:
    return KnowledgeBase.open(path, embedder=HashEmbedder())


@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
@pytest.mark.timeout(180)
def test_an_ingestion_killed_again_and_again_ends_like_one_that_was_not(many, tmp_path) -> None:
    whole = KnowledgeBase.open(tmp_path / "whole", create=True, embedder=HashEmbedder())
    whole.ingest([many])
    killed, kb, chance = 0, tmp_path / "kb", random.Random(7)
    for _ in range(3):
        child = start(kb, many)
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(chance.uniform(0.3, 1.2))
        killed += child.poll() is None
        child.send_signal(signal.SIGKILL)
        child.communicate()
    assert killed
    with opened_kb(kb) as made:
        made.ingest([many])
        assert made.stats() == whole.stats()
        consistent(made)


@pytest.mark.parametrize("step", ["begin_files", "finish_files"])
def test_chunks_of_an_unfinished_file_are_swept_even_where_the_file_is_gone(
    open_kb, docs, monkeypatch, step
) -> None:
    kb = open_kb()
    kb.ingest([docs])
    (docs / "new.csv").write_text("a,b\n1,2\n")
    with monkeypatch.context() as patch:
        real = getattr(writing.State, step)

        def crash(self, *args, **more):
            if step == "begin_files":
                real(self, *args, **more)
            raise SystemExit

        patch.setattr(writing.State, step, crash)
        with pytest.raises(SystemExit):
            kb.ingest([docs])
    (docs / "new.csv").unlink()
    kb.ingest([docs])
    assert kb.stats()["documents"] == 3
    consistent(kb)


@pytest.mark.timeout(180)
def test_two_processes_at_once_work_one_after_the_other(many, docs, tmp_path) -> None:
    kb = tmp_path / "kb"
    children = [start(kb, many), start(kb, docs)]
    ends = [child.communicate(timeout=150) for child in children]
    assert [child.returncode for child in children] == [0, 0], ends
    with opened_kb(kb) as made:
        assert made.stats() == {"documents": 24 + 4 + 30 + 3, "chunks": 24 * 4 + 4 + 30 + 3, "tables": 5}
        consistent(made)


class InProcess:
    """Parses where it is called: fifty interpreters would only measure the machine."""

    def __init__(self, limits: object) -> None: ...

    def parse(self, path: Path, document_id: str) -> Iterator[object]:
        return parse(path, document_id)

    def close(self) -> None: ...


def test_fifty_writers_at_once_all_get_in(open_kb, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(ingest, "ParseWorker", InProcess)
    kb = open_kb(lock_seconds=100)
    files = []
    for i in range(50):
        files.append(tmp_path / f"w{i}.jsonl")
        files[-1].write_text(json.dumps({"id": f"w{i}", "title": "t", "text": f"writer number w{i}"}))
    failed: list[BaseException] = []

    def write(path: Path) -> None:
        try:
            kb.ingest([path])
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=write, args=(path,)) for path in files]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert kb.stats()["documents"] == kb.stats()["chunks"] == 50
    assert all(kb.search(f"w{i}", mode="keyword", k=1)[0].document_id == f"w{i}" for i in range(50))
    consistent(kb)


def test_a_second_writer_is_told_after_its_time(open_kb, docs) -> None:
    kb = open_kb(lock_seconds=0.2)
    with held(kb.folder, seconds=1), pytest.raises(KnowledgeBaseError, match="another ingestion"):
        kb.ingest([docs])
    assert kb.ingest([docs]).documents == 3


def test_a_killed_ingestion_does_not_embed_again_what_it_had(open_kb, docs, embedder, monkeypatch) -> None:
    kb = open_kb()
    with monkeypatch.context() as patch:
        patch.setattr(writing.Writer, "flush", lambda self: (_ for _ in ()).throw(SystemExit))
        with pytest.raises(SystemExit):
            kb.ingest([docs])
    embedded = len(embedder.embedded)
    assert embedded
    kb.ingest([docs])
    assert len(embedder.embedded) == embedded
    consistent(kb)


class opened_kb:  # noqa: N801 - reads as a statement
    def __init__(self, path: Path) -> None:
        self._kb = opened(path)

    def __enter__(self) -> KnowledgeBase:
        return self._kb

    def __exit__(self, *error: object) -> None:
        self._kb.close()
