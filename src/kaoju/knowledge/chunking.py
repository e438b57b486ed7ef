"""Cutting documents into chunks along their structure. Pure.

Promises: a chunk stays on one page and under one heading path; the text of a
prose chunk is the exact slice `[start:end]` of the page's text; a table chunk
keeps its rows whole and names its columns; nothing with content is lost.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from typing import Any, Final

from kaoju.knowledge.parsing.compose import full_text
from kaoju.language.subjects import SECTION
from kaoju.model.document import Block, Chunk, Document
from kaoju.model.evidence import Locator

TARGET_UNITS: Final = 320
"""Size up to which neighbouring blocks are joined. A Chinese character is 0.7 units, another one 0.25:
about the tokens that the default embedding model counts, of which it reads 512."""
HAN_UNITS: Final = 0.7
OTHER_UNITS: Final = 0.25


def size(text: str) -> int:
    """Return the size of a text in units; see `TARGET_UNITS`."""
    han = sum("\u2e80" <= char <= "\uffef" for char in text)
    return int(han * HAN_UNITS + (len(text) - han) * OTHER_UNITS) + 1


def chunks(document: Document) -> tuple[Chunk, ...]:
    """Return the chunks of a document, numbered `<document_id>#<ordinal>` in reading order."""
    found: list[Chunk] = []
    pages = {
        page: full_text(document, page) for page in dict.fromkeys(block.page for block in document.blocks)
    }
    for (page, section), blocks in groupby(document.blocks, key=lambda block: (block.page, block.section)):
        for start, end, rows in _pieces(list(blocks), pages[page]):
            text = pages[page][start:end]
            found.append(
                Chunk(
                    id=f"{document.id}#{len(found)}",
                    document_id=document.id,
                    title=document.title,
                    text=text,
                    locator=Locator(
                        page=page, section=SECTION.join(section), start=start, end=end, rows=rows
                    ),
                    context=context(document, section),
                    date=document.date,
                )
            )
    return tuple(found)


def context(document: Document, section: Sequence[str]) -> str:
    """Return what is searched beside a chunk's text: title, headings, date, stated fields."""
    path = SECTION.join(part for part in section if part != document.title)
    stated = " ".join(value for value in document.metadata.values() if len(value) <= MAX_METADATA_CHARS)
    date = (document.date or "")[:10]
    return "\n".join(part for part in (document.title, path, " ".join(filter(None, (stated, date)))) if part)


MAX_METADATA_CHARS: Final = 200
"""Longer stated fields (URLs with tracking, abstracts) would drown the passage."""

Piece = tuple[int, int, tuple[int, int] | None]


def _pieces(blocks: list[Block], page: str) -> Iterator[Piece]:
    """Yield (start, end, rows) of the chunks that one run of blocks makes; headings go with what follows."""
    start: int | None = None
    end = 0
    for block in blocks:
        if not block.text.strip():
            continue
        if block.kind == "table":
            if start is not None and any(page[start:end].strip()):
                yield from _split(start, end, page)
            start = None
            yield (block.start, block.end, block.rows)
            continue
        if start is not None and size(page[start : block.end]) > TARGET_UNITS:
            yield from _split(start, end, page)
            start = None
        start = block.start if start is None else start
        end = block.end
    if start is not None:
        yield from _split(start, end, page)


def _split(start: int, end: int, page: str) -> Iterator[Piece]:
    """Yield one piece, or several where it is too long, with exact offsets."""
    text = page[start:end]
    if size(text) <= TARGET_UNITS:
        yield (start, end, None)
        return
    _, offsets = _chunker()(text, offsets=True)
    for low, high in offsets:
        piece = text[low:high]
        if piece.strip():
            left = low + len(piece) - len(piece.lstrip())
            yield (start + left, start + low + len(piece.rstrip()), None)


@cache
def _chunker() -> Any:
    import semchunk  # noqa: PLC0415 - only long sections need it

    return semchunk.chunkerify(size, TARGET_UNITS)  # type: ignore[attr-defined]  # its __init__ lists no names
