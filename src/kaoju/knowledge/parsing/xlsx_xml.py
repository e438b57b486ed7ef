"""What openpyxl's streaming mode does not tell of a sheet: merged ranges, and formulas never computed."""

from __future__ import annotations

import posixpath
import zipfile
from dataclasses import dataclass
from typing import Final

from lxml import etree
from openpyxl.utils.cell import range_boundaries

from kaoju.knowledge.parsing import ooxml
from kaoju.knowledge.parsing.faults import fault
from kaoju.knowledge.parsing.grid import Merge
from kaoju.knowledge.parsing.source import Source

_MAIN: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_STRICT: Final = "{http://purl.oclc.org/ooxml/spreadsheetml/main}"
_RELATION: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_MAX_MERGES: Final = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetFacts:
    """Facts of one sheet."""

    merges: tuple[Merge, ...] = ()
    """0-based, absolute."""
    uncomputed: int = 0
    """Formulas without a stored value."""


def sheet_facts(archive: zipfile.ZipFile, source: Source) -> dict[str, SheetFacts]:
    """Return the facts of every worksheet by its title."""
    book = ooxml.part(archive, "xl/workbook.xml", source.path, source.limits)
    relations = ooxml.part(archive, "xl/_rels/workbook.xml.rels", source.path, source.limits)
    if book is None or relations is None:
        raise fault("corrupt", source.path, "no workbook", "缺少工作簿")
    targets = {one.get("Id"): one.get("Target") or "" for one in relations}
    facts: dict[str, SheetFacts] = {}
    for sheet in book.iter(f"{_MAIN}sheet", f"{_STRICT}sheet"):
        target = targets.get(sheet.get(_RELATION), "")
        name = target.lstrip("/") if target.startswith("/") else posixpath.normpath(f"xl/{target}")
        if name in archive.NameToInfo:
            facts[sheet.get("name") or ""] = _facts(archive, name, source)
    return facts


def _facts(archive: zipfile.ZipFile, name: str, source: Source) -> SheetFacts:
    merges: list[Merge] = []
    uncomputed = 0
    with archive.open(name) as stream:
        try:
            events = etree.iterparse(
                stream, events=("end",), resolve_entities=False, no_network=True, huge_tree=False
            )
            for _, element in events:
                local = etree.QName(element).localname
                if local == "mergeCell" and len(merges) < _MAX_MERGES:
                    left, top, right, bottom = range_boundaries(element.get("ref") or "A1")
                    if None not in {left, top, right, bottom}:
                        merges.append((top - 1, left - 1, bottom - 1, right - 1))
                elif local == "c" and element.find("{*}f") is not None:
                    value = element.find("{*}v")
                    uncomputed += value is None or not value.text
                if local in {"c", "row", "mergeCell"}:
                    element.clear(keep_tail=False)
        except (etree.XMLSyntaxError, ValueError) as error:
            raise fault("corrupt", source.path, f"{name}: {error}"[:200]) from error
    return SheetFacts(merges=tuple(merges), uncomputed=uncomputed)
