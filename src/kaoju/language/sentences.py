"""Cutting text into sentences that are exact slices of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_END: Final = re.compile(
    r"[。！？!?；]+[”’」』）)\"']*"
    r"|(?<=[^\s])\.+[”’\"')\]]*(?=\s|$)"
    r"|\n+"
)
_ABBREVIATION: Final = re.compile(
    r"(?:^|[\s(\"'“（：，、\u3400-\u9fff])(?:Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|Mt|No|Nos|Inc|Ltd|Co|Corp|vs|etc|e\.g|i\.e|cf|al|Fig|Eq|Art|Sec|Vol|pp?|ca|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Gen|Col|Gov|Sen|Rep|Rev|Hon|approx|[A-Z]|(?:[A-Za-z]\.)+[A-Za-z])$"
)

_ACRONYM: Final = re.compile(r"(?<![\w.])(?!e\.g|i\.e)(?:[A-Za-z]\.)+[A-Za-z]$", re.IGNORECASE)
_OPENER: Final = re.compile(
    r"\s+(?:It|Its|He|His|She|Her|They|Their|We|The|This|That|These|Those|There|In|On|At|But|And|However|A|An|As|If|When)\s"
)
"""Words that open a sentence behind an acronym, whose full stop is then the sentence's as well."""


@dataclass(frozen=True, slots=True)
class Span:
    """A slice of a text: `source[start:end] == text`."""

    text: str
    start: int
    end: int


def sentences(text: str) -> tuple[Span, ...]:
    """Return the sentences of a text in order, surrounding space excluded, none empty."""
    found: list[Span] = []
    start = 0
    for match in _END.finditer(text):
        if match.group().startswith(".") and _continues(text, start, match):
            continue
        _add(found, text, start, match.end())
        start = match.end()
    _add(found, text, start, len(text))
    return tuple(found)


def _continues(text: str, start: int, match: re.Match[str]) -> bool:
    """Return whether a full stop ends an abbreviation or a list number rather than a sentence."""
    before = text[start : match.start()]
    after = text[match.end() : match.end() + 2].lstrip()
    if _ACRONYM.search(before) and _OPENER.match(text, match.end()):
        return False
    if _ABBREVIATION.search(before):
        return bool(after) and not (
            after[0].isupper() and before.endswith(("Inc", "Ltd", "Co", "Corp", "etc"))
        )
    if before.strip().isdigit():
        return True
    return bool(after) and after[0].islower()


def _add(found: list[Span], text: str, start: int, end: int) -> None:
    piece = text[start:end]
    bare = piece.strip()
    if bare:
        begin = start + len(piece) - len(piece.lstrip())
        found.append(Span(bare, begin, begin + len(bare)))
