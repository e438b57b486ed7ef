"""Plain text into headings, lists and paragraphs, separated by empty lines or by numbering."""

from __future__ import annotations

import re
from typing import Final

from kaoju.knowledge.parsing.compose import Composer, clean
from kaoju.knowledge.parsing.headings import level_of

_ITEM: Final = re.compile(r"\s*(?:[-*+•·●○■◆]\s+|[（(]?\d{1,3}[)）.、]\s*)\S")
_SPLIT: Final = re.compile(r"\n[ \t\u3000]*\n+")


def add_text(composer: Composer, text: str, *, page: int | None = None) -> None:
    """Add plain text to a document.

    A line by itself that carries a heading's number becomes a heading; a group of
    lines that all start like list items becomes a list.
    """
    for part in _SPLIT.split(clean(text)):
        lines = part.split("\n")
        pending: list[str] = []
        for line in lines:
            level = level_of(line)
            if level is not None and (level < 6 or len(lines) == 1):
                _flush(composer, pending, page)
                composer.heading(line, level, page)
            else:
                pending.append(line)
        _flush(composer, pending, page)


def _flush(composer: Composer, lines: list[str], page: int | None) -> None:
    filled = [line for line in lines if line.strip()]
    listed = len(filled) > 1 and all(_ITEM.match(line) for line in filled)
    composer.add("\n".join(lines), kind="list" if listed else "paragraph", page=page)
    lines.clear()
