"""Local models: one llama.cpp server process per weights file, started when first needed.

Promises: at most one server per file in this process, however many ask at
once; a dead one is replaced; none outlives us, not even after SIGKILL. Refuses
to load what is not a GGUF file. One core stays free while tokens are generated:
with as many threads as cores, one busy neighbour makes generation fifty times slower.
"""

from __future__ import annotations

import atexit
import json
import os
import queue
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kaoju.errors import ModelError
from kaoju.llm import weights

CONTEXT_TOKENS: Final = 8192
START_SECONDS: Final = 300.0
_CHILD: Final = Path(__file__).with_name("serve_child.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """How a local server runs; the defaults fit a laptop."""

    host: str = "127.0.0.1"
    port: int = 0
    """0 takes any free port."""
    context: int = CONTEXT_TOKENS
    threads: int = 0
    """Cores for generating; 0 is all but one."""

    @property
    def generation_threads(self) -> int:
        """Cores that generate tokens."""
        return self.threads or max(1, (os.cpu_count() or 1) - 1)

    @property
    def batch_threads(self) -> int:
        """Cores that read prompts; that work suffers little from neighbours."""
        return self.threads or (os.cpu_count() or 1)


class LocalServer:
    """One running server process."""

    def __init__(self, path: Path, settings: ServerSettings | None = None) -> None:
        """Start the process and wait until it listens.

        Raises:
            ModelError: the file, the library or the port will not do (`unreachable`).
        """
        self.path = weights.check_file(path)
        self.alias = path.stem
        settings = settings or ServerSettings()
        self._process = subprocess.Popen(  # noqa: S603 - our own script, arguments without a shell
            [
                sys.executable, "-P", str(_CHILD), "--model", str(path), "--alias", self.alias,
                "--host", settings.host, "--port", str(settings.port), "--context", str(settings.context),
                "--threads", str(settings.generation_threads), "--batch-threads", str(settings.batch_threads),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            self.url = self._first_line(START_SECONDS)
        except BaseException:
            self.close()
            raise

    @property
    def alive(self) -> bool:
        """True while the process runs."""
        return self._process.poll() is None

    def wait(self) -> int:
        """Block until the process ends and return its exit code."""
        return self._process.wait()

    def close(self) -> None:
        """End the process at once."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _first_line(self, seconds: float) -> str:
        said: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        stdout = self._process.stdout
        if stdout is None:  # pragma: no cover - we asked for a pipe
            raise ModelError("unreachable", "the local model server has no output.", "本地模型服务没有输出。")
        threading.Thread(target=lambda: said.put(stdout.readline()), daemon=True).start()
        try:
            line = said.get(timeout=seconds)
        except queue.Empty:
            line = b'{"error": "it did not start within %d s"}' % seconds
        answer = json.loads(line) if line.strip() else {"error": "its process ended without a word"}
        if "url" in answer:
            return str(answer["url"])
        raise _did_not_start(self.path, str(answer["error"]))


def _did_not_start(path: Path, reason: str) -> ModelError:
    if "xllamacpp" in reason and "ModuleNotFoundError" in reason:
        return ModelError(
            "unreachable",
            "local models need the package xllamacpp; install it with `pip install 'kaoju[local]'`.",
            "本地模型需要 xllamacpp 包；请运行 `pip install 'kaoju[local]'` 安装。",
        )
    return ModelError(
        "unreachable",
        f"the local model {path.name} did not start ({reason}); check the file, the port and free memory.",
        f"本地模型 {path.name} 未能启动（{reason}）；请检查文件、端口与可用内存。",
    )


class Servers:
    """The servers of this process, one per weights file."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: dict[Path, LocalServer] = {}

    def get(self, path: Path, settings: ServerSettings | None = None) -> LocalServer:
        """Return the server for `path`, starting it where none is alive. Blocks while it loads.

        Raises:
            ModelError: it does not start.
        """
        key = path.resolve()
        with self._lock:
            running = self._running.get(key)
            if running is not None and running.alive:
                return running
            if running is not None:
                running.close()
            self._running[key] = LocalServer(key, settings)
            return self._running[key]

    def close(self) -> None:
        """End all of them."""
        with self._lock:
            for server in self._running.values():
                server.close()
            self._running.clear()


SHARED: Final = Servers()
"""Servers that all runs of this process share."""
atexit.register(SHARED.close)
