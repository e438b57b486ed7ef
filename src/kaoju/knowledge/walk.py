"""Which files an ingestion means: folders recursively, hidden things and links out of them left alone."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kaoju.errors import UsageError
from kaoju.knowledge.parsing import supported
from kaoju.model.document import FileReport

TEXT_BYTES_PER_CHUNK: Final = 1_000
BYTES_PER_CHUNK: Final = {
    "pdf": 25_000,
    "docx": 10_000,
    "pptx": 50_000,
    "xlsx": 4_000,
    "html": 3_000,
    "htm": 3_000,
}
"""Rough sizes that one chunk has on disk; pictures and packing make formats differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A file to be read."""

    root: Path
    """Absolute folder that was given, or the folder of a file that was given."""
    path: str
    """Relative to the root, with `/`."""
    size: int

    @property
    def full(self) -> Path:
        """Where it is."""
        return self.root / self.path

    @property
    def weight(self) -> float:
        """About how many chunks it makes: what it will cost, before anything is read."""
        suffix = self.path.rpartition(".")[2].lower()
        return max(1.0, self.size / BYTES_PER_CHUNK.get(suffix, TEXT_BYTES_PER_CHUNK))

    @property
    def id(self) -> str:
        """Unique in the knowledge base."""
        return f"{self.root}\x1f{self.path}"


def walk(paths: Sequence[Path], *, avoid: Path) -> Iterator[Found | FileReport]:
    """Yield the files under `paths` in a stable order, and a report for each that is skipped.

    Args:
        paths: files and folders.
        avoid: the knowledge base itself, which is never read.

    Raises:
        UsageError: a path does not exist.
    """
    seen: set[tuple[int, int]] = set()
    files: set[Path] = set()
    for given in paths:
        path = Path(given).absolute()
        if not path.exists():
            raise UsageError(f"{given} does not exist; check the path.", f"{given} 不存在；请检查路径。")
        if path.is_dir():
            items = _folder(path.resolve(), path.resolve(), avoid.resolve(), seen)
        else:
            items = iter([_file(path.parent.resolve(), path.name)])
        for item in items:
            if isinstance(item, Found):
                if item.full.resolve() in files:
                    continue
                files.add(item.full.resolve())
            yield item


def _folder(
    root: Path, folder: Path, avoid: Path, seen: set[tuple[int, int]]
) -> Iterator[Found | FileReport]:
    stat = folder.stat()
    if (stat.st_dev, stat.st_ino) in seen or folder == avoid:
        return
    seen.add((stat.st_dev, stat.st_ino))
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield _skip(root, folder, "unreadable", f"cannot be listed ({error.strerror})")
        return
    for entry in entries:
        path = Path(entry.path)
        if entry.name.startswith("."):
            if not (path == avoid or avoid.is_relative_to(path)):
                yield _skip(root, path, "hidden", "hidden files and folders are left alone")
            continue
        if entry.is_symlink() and not _inside(path, root):
            yield _skip(root, path, "link_loop", "a link that leads out of the folder, or to itself")
            continue
        if entry.is_dir():
            target = path.resolve()
            if entry.is_symlink() and folder.is_relative_to(target):
                yield _skip(root, path, "link_loop", "a link to a folder that it stands in")
                continue
            yield from _folder(root, path, avoid, seen)
        elif entry.is_file():
            yield _file(root, path.relative_to(root).as_posix())
        else:
            yield _skip(root, path, "unsupported", "not an ordinary file")


def _file(root: Path, path: str) -> Found | FileReport:
    full = root / path
    if not supported(full):
        return FileReport(
            path=path, status="skipped", reason="unsupported", detail="this kind of file is not read"
        )
    try:
        return Found(root=root, path=path, size=full.stat().st_size)
    except OSError as error:
        return FileReport(path=path, status="failed", reason="unreadable", detail=str(error.strerror))


def _inside(path: Path, root: Path) -> bool:
    try:
        return path.resolve(strict=True).is_relative_to(root)
    except (OSError, RuntimeError):
        return False


def _skip(root: Path, path: Path, reason: str, detail: str) -> FileReport:
    return FileReport(
        path=path.relative_to(root).as_posix() or ".", status="skipped", reason=reason, detail=detail
    )
