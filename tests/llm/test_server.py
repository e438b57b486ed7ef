"""The local server process, with scripts in place of llama.cpp, and once with a real small model."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from kaoju.errors import ModelError
from kaoju.llm import server, weights
from kaoju.llm.chat import Prompt
from kaoju.llm.models import Models, ModelSettings, models_folder
from kaoju.llm.pull import pull
from kaoju.llm.server import LocalServer, Servers, ServerSettings

SAYS_URL = """
import sys
print('{"url": "http://127.0.0.1:1/v1"}', flush=True)
sys.stdin.buffer.read()
"""


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.gguf"
    path.write_bytes(b"GGUF")
    return path


def stand_in(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, program: str) -> None:
    script = tmp_path / "child.py"
    script.write_text(program)
    monkeypatch.setattr(server, "_CHILD", script)


def test_one_process_per_file_and_a_dead_one_is_replaced(
    gguf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch, tmp_path, SAYS_URL)
    servers = Servers()
    first = servers.get(gguf)
    assert servers.get(gguf) is first
    assert first.url == "http://127.0.0.1:1/v1"
    psutil.Process(first._process.pid).kill()
    first.wait()
    second = servers.get(gguf)
    assert second is not first
    assert second.alive
    servers.close()
    assert not second.alive


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("", "without a word"),
        ("import os; os.abort()", "without a word"),
        ("""print('{"error": "RuntimeError: bad file"}')""", "bad file"),
        (
            """print('{"error": "ModuleNotFoundError: No module named \\'xllamacpp\\'"}')""",
            "kaoju\\[local\\]",
        ),
    ],
)
def test_a_server_that_does_not_start(
    gguf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, said: str
) -> None:
    stand_in(monkeypatch, tmp_path, program)
    with pytest.raises(ModelError, match=said) as caught:
        LocalServer(gguf)
    assert caught.value.kind == "unreachable"


def test_a_server_that_never_says_anything(
    gguf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch, tmp_path, "import time; time.sleep(60)")
    monkeypatch.setattr(server, "START_SECONDS", 0.3)
    with pytest.raises(ModelError, match="did not start"):
        LocalServer(gguf)
    assert not [child for child in psutil.Process().children() if "child.py" in " ".join(child.cmdline())]


def test_the_child_never_outlives_its_parent(gguf: Path, tmp_path: Path) -> None:
    (tmp_path / "child.py").write_text(SAYS_URL)
    program = (
        "import sys; from pathlib import Path; from kaoju.llm import server;"
        "server._CHILD = Path(sys.argv[2]); s = server.LocalServer(Path(sys.argv[1]));"
        "print(s._process.pid, flush=True); import time; time.sleep(60)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program, str(gguf), str(tmp_path / "child.py")], stdout=subprocess.PIPE
    )
    assert parent.stdout is not None
    child = psutil.Process(int(parent.stdout.readline()))
    parent.kill()
    parent.wait()
    parent.stdout.close()
    child.wait(timeout=10)


def test_one_core_stays_free_for_the_rest() -> None:
    cores = os.cpu_count() or 1
    assert ServerSettings().generation_threads == max(1, cores - 1)
    assert ServerSettings().batch_threads == cores
    assert ServerSettings(threads=3).generation_threads == 3


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_a_real_small_model_end_to_end() -> None:
    """Pull, load, schema, abandon, reuse, garbage: with the real weights and the real library."""
    pytest.importorskip("xllamacpp")
    folder = models_folder()
    pull(weights.known("smollm2-135m"), folder)
    servers = Servers()
    made = Models(ModelSettings(default="local:smollm2-135m", models_dir=folder), servers=servers)
    asked = made.for_role("writer")
    assert asked is not None
    schema = {
        "type": "object",
        "properties": {
            "word": {"type": "string", "maxLength": 12},
            "n": {"type": "integer", "minimum": 0, "maximum": 9},
        },
        "required": ["word", "n"],
        "additionalProperties": False,
    }
    try:
        prompt = Prompt(
            system="You answer in JSON.", user="Give a word and a digit.", schema=schema, max_tokens=60
        )
        got = await asked.complete(prompt)
        assert isinstance(got.data, dict)
        assert got.prompt_tokens > 5
        assert got.completion_tokens > 3

        long = Prompt(
            system="", user="Count from 1 to 1000, one per line.", max_tokens=4000, timeout_seconds=1.0
        )
        with pytest.raises(ModelError) as caught:
            await asked.complete(long)
        assert caught.value.kind == "timeout"
        task = asyncio.create_task(asked.complete(long))
        await asyncio.sleep(0.3)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        began = time.perf_counter()
        assert (await asked.complete(prompt)).data == got.data
        assert time.perf_counter() - began < 60, "abandoned generations must not block the next prompt"

        with pytest.raises(ModelError) as caught:
            await asked.complete(Prompt(system="", user="word " * 9000))
        assert caught.value.kind == "rejected"
    finally:
        await made.close()
        servers.close()


@pytest.mark.slow
def test_real_library_refuses_a_broken_file(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp")
    path = tmp_path / "broken.gguf"
    path.write_bytes(b"GGUF" + b"\x01" * 5000)
    with pytest.raises(ModelError, match="did not start"):
        LocalServer(path)
