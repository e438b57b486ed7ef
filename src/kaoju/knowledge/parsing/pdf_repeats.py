"""Takes running headers, footers and page numbers off the pages of a document.

A line goes when it stands at the same edge of most pages of a stretch, digits
aside; its first occurrence stays, so nothing that is only said there is lost.
Bare numbers go only where they count along with the pages.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from kaoju.knowledge.parsing.pdf_lines import Line

_EDGE: Final = 3
_FEWEST: Final = 3
_SHARE: Final = 0.4
_DIGITS: Final = re.compile(r"\d+")
_SAYS_PAGE: Final = re.compile(
    r"(?:page|p\.)\s*\d+(?:\s*(?:of|/)\s*\d+)?|第\s*\d+\s*页(?:\s*[,，/]?\s*(?:共|/)\s*\d+\s*页)?"
    r"|[-–—]\s*\d+\s*[-–—]|\d+\s*/\s*\d+",
    re.IGNORECASE,
)
_BARE: Final = re.compile(r"[A-Z]{0,2}-?(\d{1,4})")
_LONGEST: Final = 200


def without_repeats(pages: Sequence[Sequence[Line]]) -> list[tuple[Line, ...]]:
    """Return each page's lines without running headers, footers and page numbers."""
    edges = [_edge_lines(lines) for lines in pages]
    places: dict[tuple[bool, str], list[tuple[int, int]]] = defaultdict(list)
    for page, found in enumerate(edges):
        for index, at_top in found:
            key = _DIGITS.sub("#", pages[page][index].text.casefold())
            if len(key) <= _LONGEST:
                places[at_top, key].append((page, index))
    drop: list[set[int]] = [set() for _ in pages]
    for (_, key), where in places.items():
        for page, index in _repeated(where, pages, key):
            drop[page].add(index)
    for page, found in enumerate(edges):
        drop[page].update(
            index for index, _ in found if _SAYS_PAGE.fullmatch(pages[page][index].text) and len(pages) > 1
        )
    return [
        tuple(line for index, line in enumerate(lines) if index not in drop[page])
        for page, lines in enumerate(pages)
    ]


def _edge_lines(lines: Sequence[Line]) -> list[tuple[int, bool]]:
    """Return (index, is at the top) of the first and last filled lines."""
    filled = [index for index, line in enumerate(lines) if line.text]
    half = (len(filled) + 1) // 2
    top, bottom = filled[: min(_EDGE, half)], filled[half:][-_EDGE:]
    return [*((index, True) for index in top), *((index, False) for index in bottom)]


def _repeated(
    where: Sequence[tuple[int, int]], pages: Sequence[Sequence[Line]], key: str
) -> list[tuple[int, int]]:
    """Return the occurrences of one edge line that are to go."""
    on_pages = sorted({page for page, _ in where})
    stretch = on_pages[-1] - on_pages[0] + 1
    if len(on_pages) < _FEWEST or len(on_pages) < _SHARE * stretch:
        return []
    numbers = [(page, index, _BARE.fullmatch(pages[page][index].text)) for page, index in where]
    if all(number is not None for _, _, number in numbers):
        return _counting([(page, index, int(number[1])) for page, index, number in numbers if number])
    if not re.search(r"[^\W\d_]", key):
        return []
    first = where[0]
    return [place for place in where if place != first]


def _counting(numbers: Sequence[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """Return the places whose number runs along with the page."""
    offsets: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for page, index, number in numbers:
        offsets[number - page].append((page, index))
    return [place for places in offsets.values() if len(places) >= _FEWEST for place in places]
