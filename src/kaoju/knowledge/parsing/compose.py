"""Builds the blocks of one document so that every offset is exact by construction.

The text of a page (or of a document without pages) is defined as its blocks'
texts with one empty line between them; a block's `start` and `end` count in
that text. Headings are kept as blocks and as the section path of what follows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kaoju.model.document import Block, BlockKind, Document

GAP: Final = "\n\n"
_NEWLINES: Final = re.compile(r"\r\n?|[\u0085\u2028\u2029\x0b\x0c]")
_UNWANTED: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufeff\ufffe\uffff]")
_SURROGATE: Final = re.compile(r"[\ud800-\udfff]")
_BLANKS: Final = re.compile(r"[ \t\u00a0\u3000]+(?=\n|$)")
_CJK: Final = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f]")
_HEADING_CHARS: Final = 160


def clean(text: str) -> str:
    """Return `text` with plain newlines and without control characters or lone surrogates."""
    text = _UNWANTED.sub("", _NEWLINES.sub("\n", text))
    return _SURROGATE.sub("\ufffd", text)


def one_line(text: str) -> str:
    """Return `text` cleaned, on one line, single-spaced."""
    return " ".join(clean(text).split())


def join_lines(parts: Sequence[str]) -> str:
    """Return the lines of one paragraph as one: a space between words, none between Chinese characters."""
    text = parts[0]
    for part in parts[1:]:
        close = (_CJK.match(text[-1:]) and _CJK.match(part[:1])) or (
            text.endswith("-") and text[-2:-1].isalpha() and part[:1].islower()
        )
        text = text + part if close else f"{text} {part}"
    return text


def full_text(document: Document, page: int | None = None) -> str:
    """Return the text that the offsets of the blocks on `page` count in.

    Args:
        document: A parsed document.
        page: 1-based page; None for the blocks that have no page.
    """
    return GAP.join(block.text for block in document.blocks if block.page == page)


class Composer:
    """Collects blocks in reading order."""

    def __init__(self) -> None:
        """Start an empty document, under no heading."""
        self._blocks: list[Block] = []
        self._ends: dict[int | None, int] = {}
        self._path: list[tuple[float, str]] = []

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks so far."""
        return tuple(self._blocks)

    @property
    def section(self) -> tuple[str, ...]:
        """The heading path that the next block falls under."""
        return tuple(text for _, text in self._path)

    def heading(self, text: str, level: float, page: int | None = None) -> None:
        """Add a heading; smaller `level` is further out. Over-long ones become paragraphs."""
        text = one_line(text)
        if not text:
            return
        if len(text) > _HEADING_CHARS:
            self.add(text, page=page)
            return
        while self._path and self._path[-1][0] >= level:
            self._path.pop()
        self._path.append((level, text))
        self.add(text, kind="heading", page=page)

    def leave(self) -> None:
        """Leave all headings: what follows stands under none."""
        self._path.clear()

    def add(
        self,
        text: str,
        *,
        kind: BlockKind = "paragraph",
        page: int | None = None,
        rows: tuple[int, int] | None = None,
        section: tuple[str, ...] | None = None,
    ) -> None:
        """Add one block; text without a visible character adds nothing."""
        text = _BLANKS.sub("", clean(text)).strip("\n")
        text = text if kind == "code" else text.strip()
        if not text.strip():
            return
        start = self._ends[page] + len(GAP) if page in self._ends else 0
        self._ends[page] = start + len(text)
        self._blocks.append(
            Block(
                text=text,
                kind=kind,
                page=page,
                section=self.section if section is None else section,
                start=start,
                end=start + len(text),
                rows=rows,
            )
        )
