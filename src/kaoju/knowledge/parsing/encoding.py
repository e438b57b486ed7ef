"""From bytes to text: byte-order marks, UTF-8, UTF-16, GB18030, then a statistical guess.

Binary content and undecodable text are refused with a reason; a few damaged
bytes in otherwise good UTF-8 are replaced and reported.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from charset_normalizer import from_bytes

from kaoju.knowledge.parsing.faults import fault

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE: Final = 65_536
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")
_HIGH: Final = re.compile(rb"[\x80-\xff]")
_GB2312: Final = re.compile(rb"[\xa1-\xa9\xb0-\xf7][\xa1-\xfe]")
_WESTERN: Final = frozenset(
    "àâäáãåæçéèêëíîïìñóôöòõøœßúùûüÿÀÂÄÁÃÅÆÇÉÈÊËÍÎÏÑÓÔÖÕØŒÚÙÛÜ‘’“”–—…•«»€£§°©®¿¡º·´±µ½²³\xa0"
)
_REPLACED_SHARE: Final = 0.005
_CONTROL_SHARE: Final = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """Text with the encoding that it came in."""

    text: str
    encoding: str
    notes: tuple[str, ...] = ()


def decode(data: bytes, path: Path) -> Decoded:
    """Return the text of `data`.

    Raises:
        IngestError: `bad_encoding` where no encoding fits, `unsupported` for binary content.
    """
    decoded = _decode(data, path)
    controls = len(_CONTROL.findall(decoded.text[:_SAMPLE]))
    if controls > _CONTROL_SHARE * min(len(decoded.text), _SAMPLE):
        raise fault("unsupported", path, "binary content", "二进制内容")
    return decoded


def _decode(data: bytes, path: Path) -> Decoded:
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _replacing(data, name, path)
    try:
        return Decoded(text=data.decode("utf-8"), encoding="utf-8")
    except UnicodeDecodeError:
        pass
    if b"\0" in data[:_SAMPLE]:
        return _wide(data, path)
    if _looks_like_gb(data):
        return _replacing(data, "gb18030", path)
    text = data.decode("utf-8", "replace")
    if 0 < text.count("\ufffd") <= _REPLACED_SHARE * len(text):
        return _replacing(data, "utf-8", path)
    if _looks_western(data):
        return _replacing(data, "cp1252", path)
    guess = from_bytes(data[:_SAMPLE]).best()
    if guess is None:
        raise fault("bad_encoding", path)
    return _replacing(data, guess.encoding, path)


def _wide(data: bytes, path: Path) -> Decoded:
    """Decode UTF-16 without a mark: ASCII in it leaves NUL in every other byte."""
    sample = data[:_SAMPLE]
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    if max(even, odd) < 0.2 * (len(sample) / 2) or min(even, odd) > 0.1 * max(even, odd):
        raise fault("unsupported", path, "binary content", "二进制内容")
    return _replacing(data, "utf-16-le" if odd > even else "utf-16-be", path)


def _looks_like_gb(data: bytes) -> bool:
    """Tell whether nearly all high bytes pair up inside the GB2312 plane."""
    sample = data[:_SAMPLE]
    high = len(_HIGH.findall(sample))
    return high > 0 and 2 * len(_GB2312.findall(sample)) >= 0.9 * high


def _looks_western(data: bytes) -> bool:
    """Tell whether nearly all high bytes are what Western European texts use in Windows-1252."""
    high = [ch for ch in data[:_SAMPLE].decode("cp1252", "replace") if ch > "\x7f"]
    return sum(ch in _WESTERN for ch in high) >= 0.95 * len(high)


def _replacing(data: bytes, encoding: str, path: Path) -> Decoded:
    text = data.decode(encoding, "replace").removeprefix("\ufeff")
    bad = text.count("\ufffd") - (data.count(b"\xef\xbf\xbd") if encoding.startswith("utf-8") else 0)
    if bad > max(1, _REPLACED_SHARE * len(text)):
        raise fault("bad_encoding", path)
    notes = (f"{bad} undecodable bytes replaced / 有 {bad} 处无法解码的字节已替换",) if bad > 0 else ()
    return Decoded(text=text, encoding=encoding, notes=notes)
