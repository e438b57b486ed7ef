"""Which reader a file needs, by what is in it first and by its suffix second."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path
from typing import Final, Literal

from kaoju.knowledge.parsing import ooxml
from kaoju.knowledge.parsing.faults import fault
from kaoju.knowledge.parsing.limits import Limits

Kind = Literal[
    "pdf", "docx", "pptx", "xlsx", "html", "markdown", "text", "delimited", "parquet", "sqlite", "jsonl"
]

SUFFIXES: Final[dict[str, Kind]] = {
    ".pdf": "pdf",
    ".docx": "docx",
    ".docm": "docx",
    ".pptx": "pptx",
    ".pptm": "pptx",
    ".xlsx": "xlsx",
    ".xlsm": "xlsx",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".text": "text",
    ".log": "text",
    ".csv": "delimited",
    ".tsv": "delimited",
    ".tab": "delimited",
    ".parquet": "parquet",
    ".sqlite": "sqlite",
    ".sqlite3": "sqlite",
    ".db": "sqlite",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
"""Suffix (lower case) to kind."""

_BINARY: Final = frozenset({"pdf", "docx", "pptx", "xlsx", "parquet", "sqlite"})
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_LOCKED: Final = "EncryptedPackage".encode("utf-16-le")
_PARTS: Final[tuple[tuple[str, Kind], ...]] = (
    ("word/document.xml", "docx"),
    ("ppt/presentation.xml", "pptx"),
    ("xl/workbook.xml", "xlsx"),
)
_HEAD: Final = 1024


def supported(path: Path) -> bool:
    """Tell whether `parse` would try to read this file."""
    if path.suffix.lower() in SUFFIXES:
        return True
    try:
        return stat.S_ISREG(path.stat().st_mode) and _magic(_head(path), "") is not None
    except OSError:
        return False


def kind_of(path: Path, limits: Limits) -> Kind:
    """Return the kind of a regular, non-empty file within the size limit.

    Raises:
        IngestError: with the reason why the file is not read.
    """
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise fault("unsupported", path, "not a regular file", "不是普通文件")
    if status.st_size == 0:
        raise fault("empty", path)
    if status.st_size > limits.file_bytes:
        raise fault("too_large", path, f"{status.st_size} > {limits.file_bytes} bytes")
    head = _head(path)
    suffix = path.suffix.lower()
    kind = _magic(head, suffix)
    if kind == "zip":
        return _office_kind(path, suffix, limits)
    if kind == "ole":
        raise fault("encrypted" if _OLE_LOCKED in path.read_bytes() else "unsupported", path)
    if kind is not None:
        return kind
    by_suffix = SUFFIXES.get(suffix)
    if by_suffix is None:
        raise fault("unsupported", path)
    if by_suffix in _BINARY:
        raise fault("corrupt", path)
    return by_suffix


def _head(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(_HEAD)


def _magic(head: bytes, suffix: str) -> Kind | Literal["zip", "ole"] | None:
    if head.startswith(b"%PDF-") or (suffix == ".pdf" and b"%PDF-" in head):
        return "pdf"
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "zip"
    if head.startswith(_OLE):
        return "ole"
    if head.startswith(b"SQLite format 3\0"):
        return "sqlite"
    if head.startswith(b"PAR1"):
        return "parquet"
    return None


def _office_kind(path: Path, suffix: str, limits: Limits) -> Kind:
    """Tell the Office formats apart; a zip of something else under an Office suffix is damaged."""
    office = SUFFIXES.get(suffix) in _BINARY
    if not office:
        try:
            with zipfile.ZipFile(path) as archive:
                names = set(archive.namelist())
        except (zipfile.BadZipFile, ValueError, OverflowError, NotImplementedError):
            names = set()
        if not any(name in names for name, _ in _PARTS):
            raise fault("unsupported", path, "zip archive", "压缩包")
    names = set(ooxml.check(path, limits))
    for name, kind in _PARTS:
        if name in names:
            return kind
    raise fault("corrupt", path, "not an Office document inside", "内部不是 Office 文档")
