"""A hostile file takes down its own process, never the ingestion; each way of failing has its reason."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from kaoju.errors import IngestError
from kaoju.knowledge import worker as module
from kaoju.knowledge.worker import ParseWorker
from kaoju.model.document import Document


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "a.md"
    path.write_text("# Title\n\nbody", encoding="utf-8")
    return path


@pytest.fixture
def worker():
    made = ParseWorker(stall_seconds=1.0)
    yield made
    made.close()


def child_that(code: str) -> str:
    """Return a child's program that runs `code` where it would parse."""
    return f"import sys; sys.path[:] = sys.argv[1:]; from kaoju.knowledge import worker as w\ndef parse(path, *a, **k):\n    {code}\nw.parse = parse; w.serve()"


def test_files_one_after_another_in_one_process(worker, file) -> None:
    for _ in range(3):
        (found,) = worker.parse(file, "a.md")
        assert isinstance(found, Document)
        assert found.title == "Title"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV); yield", "corrupt"),
        ("import os; os._exit(0); yield", "corrupt"),
        ("import time; time.sleep(60); yield", "timeout"),
        ("raise RuntimeError('a bug'); yield", "corrupt"),
        ("sys.exit(3); yield", "corrupt"),
    ],
)
def test_a_crash_or_a_stall_is_the_files_failure_and_the_next_file_is_read(
    worker, file, monkeypatch, code, reason
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(module, "_PROGRAM", child_that(code))
        with pytest.raises(IngestError) as caught:
            list(worker.parse(file, "a.md"))
        assert caught.value.reason == reason
        assert "a.md" in caught.value.message
        assert "a.md" in caught.value.zh
    assert len(list(worker.parse(file, "a.md"))) == 1


def test_what_a_library_prints_does_not_disturb(worker, file, monkeypatch) -> None:
    monkeypatch.setattr(
        module, "_PROGRAM", child_that("print('noise', flush=True); import os; os.write(1, b'more'); yield 1")
    )
    assert list(worker.parse(file, "a.md")) == [1]


def test_a_refusal_keeps_its_reason_and_both_sentences(worker, tmp_path) -> None:
    (tmp_path / "e.md").touch()
    with pytest.raises(IngestError) as caught:
        list(worker.parse(tmp_path / "e.md", "e.md"))
    assert caught.value.reason == "empty"
    assert caught.value.zh != caught.value.message


def test_closing_from_another_thread_ends_a_parse_at_once(file, monkeypatch) -> None:
    monkeypatch.setattr(module, "_PROGRAM", child_that("import time; time.sleep(60); yield"))
    worker = ParseWorker()
    threading.Timer(0.5, worker.close).start()
    started = time.monotonic()
    with pytest.raises(IngestError):
        list(worker.parse(file, "a.md"))
    with pytest.raises(IngestError):
        list(worker.parse(file, "a.md"))
    assert time.monotonic() - started < 10


def test_a_script_without_a_main_guard_can_parse(file) -> None:
    script = f"from pathlib import Path\nfrom kaoju.knowledge.worker import ParseWorker\nw = ParseWorker()\nprint(len(list(w.parse(Path({str(file)!r}), 'a'))))\nw.close()"
    path = file.with_name("script.py")
    path.write_text(script)
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, path], capture_output=True, text=True, timeout=60, env=env, check=True
    )
    assert done.stdout.strip() == "1"


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_the_child_ends_with_its_parent(file) -> None:
    script = f"import os, time\nfrom pathlib import Path\nfrom kaoju.knowledge.worker import ParseWorker\nw = ParseWorker()\nlist(w.parse(Path({str(file)!r}), 'a'))\nprint(w._child._process.pid, flush=True)\ntime.sleep(60)"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=env
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.send_signal(signal.SIGKILL)
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().split()[2]
        except OSError:
            return
        if state == "Z":
            return
        time.sleep(0.1)
    pytest.fail("the child outlived its parent")
