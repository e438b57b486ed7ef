"""The parts of WordprocessingML that reading needs: text, styles, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree

from kaoju.knowledge.parsing.grid import Grid, Merge
from kaoju.model.document import Cell

W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
"""The main namespace, ready for prefixing."""

_MC: Final = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_HIDDEN: Final = frozenset({f"{W}del", f"{W}moveFrom", f"{_MC}Fallback", f"{W}rPr", f"{W}pPr", f"{W}tblPr"})
_HEADING: Final = re.compile(r"(?:heading|标题)\s*([1-9])", re.IGNORECASE)
_TITLE: Final = frozenset({"title", "标题"})
_BODY_LEVEL: Final = 9
_MAX_BASES: Final = 20
_MAX_SPAN: Final = 200
_BREAKS: Final = {f"{W}tab": "\t", f"{W}ptab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}


def pieces(element: etree._Element) -> Iterator[etree._Element]:
    """Yield paragraphs and outermost tables in reading order, wherever they are wrapped."""
    for child in element:
        if child.tag in _HIDDEN:
            continue
        if child.tag == f"{W}tbl":
            yield child
        elif child.tag == f"{W}p":
            yield child
            for box in child.iter(f"{W}txbxContent"):
                if not _in_fallback(box, child):
                    yield from pieces(box)
        else:
            yield from pieces(child)


def text_of(paragraph: etree._Element) -> str:
    """Return the visible text of one paragraph, its text boxes excluded."""
    parts: list[str] = []
    _gather(paragraph, parts)
    return "".join(parts)


def _gather(element: etree._Element, parts: list[str]) -> None:
    for child in element:
        if child.tag == f"{W}t":
            parts.append(child.text or "")
        elif child.tag in _BREAKS:
            parts.append(_BREAKS[str(child.tag)])
        elif child.tag not in _HIDDEN and child.tag != f"{W}txbxContent":
            _gather(child, parts)


def _in_fallback(box: etree._Element, paragraph: etree._Element) -> bool:
    """Tell whether a text box is a copy for old programs, or sits inside another text box."""
    for ancestor in box.iterancestors():
        if ancestor is paragraph:
            return False
        if ancestor.tag in {f"{_MC}Fallback", f"{W}txbxContent"}:
            return True
    return False


class Styles:
    """What the style sheet says about paragraphs."""

    def __init__(self, root: etree._Element | None) -> None:
        """Index the style sheet; None where the document has none."""
        self._styles = {} if root is None else {s.get(f"{W}styleId"): s for s in root.iter(f"{W}style")}

    def level(self, paragraph: etree._Element) -> float | None:
        """Return the heading level, 0 for a title, or None for body text."""
        properties = paragraph.find(f"{W}pPr")
        if properties is None:
            return None
        own = _outline(properties)
        if own is not None:
            return own if own <= _BODY_LEVEL else None
        for style in self._chain(properties):
            name = style.find(f"{W}name")
            text = (name.get(f"{W}val") or "") if name is not None else ""
            found = _HEADING.fullmatch(text.strip())
            if found is not None:
                return int(found[1])
            if text.strip().lower() in _TITLE:
                return 0
            outline = _outline(style.find(f"{W}pPr"))
            if outline is not None:
                return outline if outline <= _BODY_LEVEL else None
        return None

    def is_item(self, paragraph: etree._Element) -> bool:
        """Tell whether the paragraph is a list item."""
        properties = paragraph.find(f"{W}pPr")
        if properties is None:
            return False
        holders = [properties, *(style.find(f"{W}pPr") for style in self._chain(properties))]
        for holder in holders:
            number = None if holder is None else holder.find(f"{W}numPr/{W}numId")
            if number is not None:
                return number.get(f"{W}val") != "0"
        return False

    def _chain(self, properties: etree._Element) -> Iterator[etree._Element]:
        """Yield the paragraph's style and those it is based on."""
        reference = properties.find(f"{W}pStyle")
        for _ in range(_MAX_BASES):
            style = None if reference is None else self._styles.get(reference.get(f"{W}val"))
            if style is None:
                return
            yield style
            reference = style.find(f"{W}basedOn")


def _outline(properties: etree._Element | None) -> int | None:
    """Return the outline level counted from 1; 10 stands for body text."""
    outline = None if properties is None else properties.find(f"{W}outlineLvl")
    value = "" if outline is None else outline.get(f"{W}val") or ""
    return int(value[:2]) + 1 if value.isdigit() else None


def grid_of(table: etree._Element) -> Grid:
    """Return a table's cells with its merged ranges; nested tables are part of their cell's text."""
    rows: list[list[Cell]] = []
    merges: list[Merge] = []
    open_merges: dict[int, tuple[int, int]] = {}
    header = 0
    for top, row in enumerate(_children(table, f"{W}tr")):
        line: list[Cell] = [None] * _number(row.find(f"{W}trPr/{W}gridBefore"), 0)
        for cell in _children(row, f"{W}tc"):
            col = len(line)
            span = max(1, _number(cell.find(f"{W}tcPr/{W}gridSpan"), 1))
            merge = cell.find(f"{W}tcPr/{W}vMerge")
            continues = merge is not None and merge.get(f"{W}val") != "restart"
            if continues and col in open_merges:
                text = None
            else:
                _close(merges, open_merges, col, top - 1)
                text = "\n".join(text_of(p) for p in cell.iter(f"{W}p")).strip() or None
                if merge is not None:
                    open_merges[col] = (top, col + span - 1)
                elif span > 1:
                    merges.append((top, col, top, col + span - 1))
            line.extend([text, *[None] * (span - 1)])
        for col in list(open_merges):
            if col >= len(line):
                _close(merges, open_merges, col, top - 1)
        rows.append(line)
        header += header == top and row.find(f"{W}trPr/{W}tblHeader") is not None
    for col in list(open_merges):
        _close(merges, open_merges, col, len(rows) - 1)
    return Grid(rows=rows, merges=merges, header_rows=header if 1 < header < len(rows) else None)


def _close(merges: list[Merge], open_merges: dict[int, tuple[int, int]], col: int, bottom: int) -> None:
    if col in open_merges:
        top, right = open_merges.pop(col)
        if bottom > top or right > col:
            merges.append((top, col, bottom, right))


def _children(element: etree._Element, tag: str) -> Iterator[etree._Element]:
    """Yield the rows or cells of one table, also those inside content controls."""
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag in {f"{W}sdt", f"{W}sdtContent", f"{W}ins", f"{W}customXml"}:
            yield from _children(child, tag)


def _number(element: etree._Element | None, default: int) -> int:
    value = "" if element is None else element.get(f"{W}val") or ""
    return min(_MAX_SPAN, int(value)) if value.isdigit() and len(value) < 6 else default
