"""JSONL document files: one document `{id, title, text, date?, ...}` per line.

A line that is not such a document is reported with its number and reason and
never stops the others.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

from kaoju.errors import IngestError
from kaoju.knowledge.parsing.compose import Composer, one_line
from kaoju.knowledge.parsing.dates import iso_date
from kaoju.knowledge.parsing.encoding import decode
from kaoju.knowledge.parsing.faults import fault
from kaoju.knowledge.parsing.paragraphs import add_text
from kaoju.knowledge.parsing.source import BadLine, Source
from kaoju.model.document import Document

_OWN = frozenset({"id", "title", "text", "date"})


class _RefusedError(Exception):
    """One line is not a document."""

    def __init__(self, reason: str, message: str, zh: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.zh = zh


def read(source: Source) -> Iterator[Document]:
    """Yield one document per good line; report each bad one, or raise for them at the end."""
    seen: set[str] = set()
    bad: list[BadLine] = []
    for number, line in _lines(source):
        try:
            document = _new(_document(line, source), seen)
        except _RefusedError as error:
            note = BadLine(line=number, reason=error.reason, message=str(error), zh=error.zh)
            bad.append(note)
            if source.on_bad_line is not None:
                source.on_bad_line(note)
        else:
            seen.add(document.id)
            yield document
    if bad and (source.on_bad_line is None or not seen):
        raise _all_bad(source, bad, len(seen))
    if not bad and not seen:
        raise fault("no_text", source.path)


def _all_bad(source: Source, bad: list[BadLine], good: int) -> IngestError:
    first = bad[0]
    where = ", ".join(str(note.line) for note in bad[:10]) + (", ..." if len(bad) > 10 else "")
    return fault(
        first.reason if good else ("unsupported" if first.reason == "no_text" else first.reason),
        source.path,
        f"{len(bad)} bad of {good + len(bad)} lines: {where}; line {first.line}: {first.message}",
        f"{good + len(bad)} 行中有 {len(bad)} 行无法读取：{where}；第 {first.line} 行：{first.zh}",
    )


def _lines(source: Source) -> Iterator[tuple[int, bytes]]:
    """Yield numbered, non-empty lines; a line over the limit comes back empty."""
    with source.path.open("rb") as stream:
        start = stream.read(4)
        if start.startswith((b"\xff\xfe", b"\xfe\xff")):
            text = decode(source.path.read_bytes(), source.path).text
            yield from (
                (number, line.encode("utf-8", "surrogatepass"))
                for number, line in enumerate(text.split("\n"), 1)
                if line.strip()
            )
            return
        stream.seek(3 if start.startswith(b"\xef\xbb\xbf") else 0)
        number = 0
        while line := stream.readline(source.limits.line_bytes + 1):
            number += 1
            if len(line) > source.limits.line_bytes:
                rest = line
                while rest and not rest.endswith(b"\n"):
                    rest = stream.readline(source.limits.line_bytes)
                yield number, b""
            elif line.strip():
                yield number, line


def _new(document: Document, seen: set[str]) -> Document:
    if document.id in seen:
        raise _RefusedError("duplicate_id", f"id {document.id!r} came before", f"id {document.id!r} 已出现过")
    return document


def _document(line: bytes, source: Source) -> Document:
    fields = _fields(line, source)
    identifier = fields.get("id")
    if isinstance(identifier, int) and not isinstance(identifier, bool):
        identifier = str(identifier)
    if not isinstance(identifier, str) or not one_line(identifier):
        raise _RefusedError("corrupt", "no id", "缺少 id")
    text = fields.get("text")
    if not isinstance(text, str):
        raise _RefusedError("no_text", "no text field", "缺少 text 字段")
    composer = Composer()
    add_text(composer, text)
    title = fields.get("title")
    title = one_line(title) if isinstance(title, str) else ""
    if not composer.blocks:
        raise _RefusedError("no_text", "the text is empty", "text 为空")
    document = Document(id=one_line(identifier), title=title or one_line(identifier), blocks=composer.blocks)
    stated = fields.get("date")
    stated = stated if isinstance(stated, str) else ""
    metadata = {
        one_line(str(key)): one_line(str(value))
        for key, value in fields.items()
        if key not in _OWN and isinstance(value, str | int | float) and one_line(str(value))
    }
    date = iso_date(stated)
    if stated.strip() and (date is None or len(stated.strip()) > len(date)):
        metadata["date"] = one_line(stated)
    left_out = sorted(str(key) for key, value in fields.items() if isinstance(value, list | dict))
    notes = (f"nested fields left out / 未读取嵌套字段: {', '.join(left_out)}",) if left_out else ()
    return replace(document, date=date, metadata=metadata, notes=notes)


def _fields(line: bytes, source: Source) -> dict[str, object]:
    if not line:
        raise _RefusedError("too_large", "the line is too long", "行过长")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        try:
            text = decode(line, source.path).text
        except IngestError as error:
            raise _RefusedError("bad_encoding", "not text in a known encoding", "编码无法识别") from error
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _RefusedError("corrupt", f"not JSON: {str(error)[:100]}", "不是合法的 JSON") from error
    if not isinstance(value, dict):
        raise _RefusedError("corrupt", "not a JSON object", "不是 JSON 对象")
    return value
