"""Takes running headers, footers and page numbers off the pages of a document.

A line goes when it stands at the same edge of most pages of a stretch, numbers
that count along with the pages aside; its first occurrence stays, so nothing
that is only said there is lost. Lines that differ in other figures are content.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final, NamedTuple

from kaoju.knowledge.parsing.headings import level_of
from kaoju.knowledge.parsing.pdf_lines import Line

_EDGE: Final = 3
_FEWEST: Final = 3
_SHARE: Final = 0.4
_SAYS_PAGE: Final = re.compile(
    r"(?:page|p\.)\s*\d+(?:\s*(?:of|/)\s*\d+)?|第\s*\d+\s*页(?:\s*[,，/]?\s*(?:共|/)\s*\d+\s*页)?"
    r"|[-–—]\s*\d+\s*[-–—]|\d+\s*/\s*\d+",
    re.IGNORECASE,
)
_LETTER: Final = re.compile(r"[^\W\d_]")
_DIGITS: Final = re.compile(r"\d{1,9}")
_LONGEST: Final = 200


class _Place(NamedTuple):
    """Where one edge line stands, and the numbers in it."""

    page: int
    line: int
    numbers: tuple[int, ...]


def without_repeats(pages: Sequence[Sequence[Line]]) -> list[tuple[Line, ...]]:
    """Return each page's lines without running headers, footers and page numbers."""
    edges = [_edge_lines(lines) for lines in pages]
    places: dict[tuple[bool, str], list[_Place]] = defaultdict(list)
    drop: list[set[int]] = [set() for _ in pages]
    for page, found in enumerate(edges):
        for index, at_top in found:
            text = pages[page][index].text
            if len(pages) > 1 and _SAYS_PAGE.fullmatch(text):
                drop[page].add(index)
            elif len(text) <= _LONGEST and level_of(text) is None:
                numbers = tuple(int(number) for number in _DIGITS.findall(text))
                places[at_top, _DIGITS.sub("#", text.casefold())].append(_Place(page, index, numbers))
    for (_, key), where in places.items():
        for place in _repeated(where, worded=_LETTER.search(key) is not None):
            drop[place.page].add(place.line)
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


def _repeated(where: Sequence[_Place], *, worded: bool) -> set[_Place]:
    """Return the occurrences of one edge line that are to go.

    Lines count as the same when all their numbers are, or all but one that runs
    along with the pages. A line of numbers alone goes only in the second case.
    """
    gone: set[_Place] = set()
    for moving in range(-1 if worded else 0, len(where[0].numbers)):
        groups: dict[tuple[int, ...], list[_Place]] = defaultdict(list)
        for place in where:
            shifted = [n - place.page if i == moving else n for i, n in enumerate(place.numbers)]
            groups[tuple(shifted)].append(place)
        for group in groups.values():
            on_pages = {place.page for place in group}
            stretch = max(on_pages) - min(on_pages) + 1
            if len(on_pages) >= _FEWEST and len(on_pages) >= _SHARE * stretch:
                gone.update(group[1:] if worded else group)
    return gone
