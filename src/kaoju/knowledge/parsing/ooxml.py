"""Office files as zip archives: the guard that runs before any library opens one.

Refuses bombs (declared sizes, real sizes, number of members), truncated and
damaged archives, and document type declarations, which Office never writes and
which are the way to entity bombs.
"""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path
from typing import Final

from lxml import etree

from kaoju.knowledge.parsing.compose import one_line
from kaoju.knowledge.parsing.faults import fault
from kaoju.knowledge.parsing.limits import Limits

_END: Final = b"PK\x05\x06"
_BLOCK: Final = 1 << 16
_XML: Final = (".xml", ".rels", ".vml")
_PROPERTIES: Final = {"title": "title", "creator": "author", "subject": "subject", "keywords": "keywords"}
_PROGRAMS: Final = frozenset({"python-docx", "python-pptx", "openpyxl", "user", "admin", "administrator"})


def check(path: Path, limits: Limits) -> tuple[str, ...]:
    """Return the member names of a sound archive.

    Raises:
        IngestError: `zip_bomb`, `truncated`, `corrupt` or `encrypted`.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            _check_sizes(members, path, limits)
            total = 0
            for member in members:
                total += _read_through(archive, member, path, limits.unzipped_bytes - total)
            return tuple(member.filename for member in members)
    except (
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        NotImplementedError,
        ValueError,
        OverflowError,
    ) as error:
        raise fault(_why(path), path, str(error)) from error


def _check_sizes(members: list[zipfile.ZipInfo], path: Path, limits: Limits) -> None:
    unzipped = sum(member.file_size for member in members)
    zipped = max(1, path.stat().st_size)
    if (
        len(members) > limits.zip_entries
        or unzipped > limits.unzipped_bytes
        or (unzipped > limits.zip_ratio_floor and unzipped / zipped > limits.zip_ratio)
    ):
        raise fault("zip_bomb", path, f"{len(members)} members, {unzipped} bytes unpacked")
    if any(member.flag_bits & 1 for member in members):
        raise fault("encrypted", path)


def _read_through(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path, left: int) -> int:
    """Unpack one member into nothing; return its real size."""
    size = 0
    with archive.open(member) as stream:
        while block := stream.read(_BLOCK):
            if size == 0 and member.filename.lower().endswith(_XML) and _declares_type(block):
                raise fault("corrupt", path, f"document type declaration in {member.filename}")
            size += len(block)
            if size > left:
                raise fault("zip_bomb", path, f"{member.filename} unpacks without end")
    return size


def _declares_type(head: bytes) -> bool:
    """Tell whether an XML head holds a DTD, whatever its encoding."""
    return b"<!DOCTYPE" in head.replace(b"\0", b"") or b"<!ENTITY" in head.replace(b"\0", b"")


def _why(path: Path) -> str:
    """An archive without its end record was cut off; anything else is damaged."""
    with path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - _BLOCK))
        return "corrupt" if _END in stream.read() else "truncated"


def part(archive: zipfile.ZipFile, name: str, path: Path, limits: Limits) -> etree._Element | None:
    """Return the root of one XML part; None where the archive has no such part."""
    try:
        member = archive.getinfo(name)
    except KeyError:
        return None
    if member.file_size > limits.xml_bytes:
        raise fault("too_large", path, name)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        return etree.fromstring(archive.read(member), parser)
    except etree.XMLSyntaxError as error:
        raise fault("corrupt", path, f"{name}: {error}") from error


def properties(archive: zipfile.ZipFile, path: Path, limits: Limits) -> dict[str, str]:
    """Return the stated title, author, subject and keywords; never the times that programs stamp."""
    root = part(archive, "docProps/core.xml", path, limits)
    found: dict[str, str] = {}
    for element in () if root is None else root:
        name = _PROPERTIES.get(etree.QName(element).localname if isinstance(element.tag, str) else "")
        text = one_line(element.text or "")
        if name and text and text.lower() not in _PROGRAMS:
            found[name] = text
    return found
