"""HTML: headings, paragraphs, lists, code and data tables in reading order.

Scripts, styles, navigation and hidden elements are left out. Tables that only
lay out the page are read as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import lxml.html
from lxml import etree

from kaoju.knowledge.parsing.compose import Composer, clean, one_line
from kaoju.knowledge.parsing.dates import iso_date
from kaoju.knowledge.parsing.encoding import Decoded, decode
from kaoju.knowledge.parsing.faults import fault
from kaoju.knowledge.parsing.grid import Tabulated, tabulate, write_rows
from kaoju.knowledge.parsing.html_table import grid_of, is_data, text_in
from kaoju.knowledge.parsing.naming import table_name, title_of
from kaoju.knowledge.parsing.source import Source
from kaoju.model.document import BlockKind, Document

_SKIPPED: Final = frozenset(
    [
        "script",
        "style",
        "noscript",
        "template",
        "head",
        "nav",
        "svg",
        "math",
        "iframe",
        "object",
        "canvas",
        "audio",
        "video",
        "select",
        "button",
    ]
)
_INLINE: Final = frozenset(
    [
        "a",
        "abbr",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "img",
        "input",
        "ins",
        "kbd",
        "label",
        "mark",
        "q",
        "ruby",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "time",
        "tt",
        "u",
        "var",
        "wbr",
        "rb",
        "rt",
        "rp",
        "rtc",
    ]
)
_HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
_CHARSET: Final = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_DECLARATION: Final = re.compile(r"^\s*<\?xml[^>]{0,200}\?>")
_HIDDEN: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_CJK_BREAK: Final = re.compile(
    r"(?<=[\u2e80-\u9fff\uff00-\uffef])[ \t]*\n\s*(?=[\u2e80-\u9fff\uff00-\uffef])"
)
_DATES: Final = frozenset(
    [
        "date",
        "dc.date",
        "dcterms.date",
        "dcterms.issued",
        "dc.date.issued",
        "article:published_time",
        "publishdate",
        "pubdate",
        "publish_date",
        "publication_date",
        "citation_publication_date",
        "sailthru.date",
        "datepublished",
    ]
)
_GB: Final = frozenset({"gb2312", "gbk", "gb_2312-80", "x-gbk"})


def read(source: Source) -> Iterator[Document]:
    """Yield the one document of an HTML file."""
    decoded = _decode(source)
    text = _DECLARATION.sub("", clean(decoded.text))
    if not text.strip():
        raise fault("no_text", source.path)
    parser = lxml.html.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True)
    try:
        root = lxml.html.document_fromstring(text.encode("utf-8"), parser=parser)
    except etree.ParserError as error:
        raise fault("no_text", source.path) from error
    if any("depth" in entry.message.lower() for entry in parser.error_log):
        raise fault("corrupt", source.path, "elements nested too deeply", "元素嵌套过深")
    walk = _Walk(source)
    walk.run(root)
    if not walk.composer.blocks:
        raise fault("no_text", source.path)
    meta = _meta(root)
    stated = next((meta[name] for name in meta if name in _DATES and iso_date(meta[name])), "")
    first = next((block.text for block in walk.composer.blocks if block.kind == "heading"), "")
    yield Document(
        id=source.document_id,
        title=title_of(root.findtext(".//title") or "", first, source.path.stem),
        date=iso_date(stated) if stated else None,
        metadata={name: meta[name] for name in ("author", "description", "keywords") if meta.get(name)},
        blocks=walk.composer.blocks,
        tables=tuple(table.table for table in walk.tables),
        notes=(*decoded.notes, *walk.notes),
    )


def _decode(source: Source) -> Decoded:
    data = source.path.read_bytes()
    declared = _CHARSET.search(data[:4096])
    if declared is not None:
        name = declared[1].decode("ascii").lower()
        try:
            return Decoded(text=data.decode("gb18030" if name in _GB else name), encoding=name)
        except (LookupError, UnicodeError):
            pass
    return decode(data, source.path)


def _meta(root: etree._Element) -> dict[str, str]:
    found: dict[str, str] = {}
    for element in root.iter("meta"):
        name = element.get("name") or element.get("property") or element.get("itemprop") or ""
        content = one_line(element.get("content") or "")
        if name and content:
            found.setdefault(name.lower(), content)
    return found


class _Walk:
    """One pass over the tree; text is gathered until a block element begins or ends."""

    def __init__(self, source: Source) -> None:
        self.composer = Composer()
        self.tables: list[Tabulated] = []
        self.notes: list[str] = []
        self._source = source
        self._text: list[str] = []
        self._items: list[str] = []
        self._depth = 0
        self._marked = False

    def run(self, root: etree._Element) -> None:
        """Read everything under `root`."""
        walker = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
        for event, element in walker:
            if event == "start":
                self._start(walker, element)
            else:
                if event == "end":
                    self._end(str(element.tag))
                if element.tail:
                    self._text.append(element.tail)
        self._flush()
        self._close_list()

    def _start(self, walker: etree.iterwalk, element: etree._Element) -> None:
        tag = str(element.tag)
        if tag in _SKIPPED or _is_hidden(element):
            walker.skip_subtree()
        elif tag == "table" and is_data(element):
            self._flush()
            self._close_list()
            self._table(element)
            walker.skip_subtree()
        elif tag == "pre":
            self._flush()
            self._close_list()
            self.composer.add(text_in(element).strip("\n"), kind="code")
            walker.skip_subtree()
        elif tag == "br":
            self._text.append("\v")
        else:
            self._open(tag)
            if element.text:
                self._text.append(element.text)

    def _open(self, tag: str) -> None:
        if tag in _INLINE:
            return
        self._flush()
        if tag in {"ul", "ol"}:
            self._depth += 1
        elif tag == "li":
            self._marked = True
        elif self._depth == 0:
            self._close_list()

    def _end(self, tag: str) -> None:
        if tag in _INLINE or tag == "br":
            return
        if tag in _HEADINGS:
            text = self._taken()
            self._close_list()
            self.composer.heading(text, _HEADINGS[tag])
        elif tag in {"td", "th"}:
            self._text.append(" \t ")
        else:
            self._flush()
        if tag in {"ul", "ol"}:
            self._depth = max(0, self._depth - 1)
            if self._depth == 0:
                self._close_list()

    def _taken(self) -> str:
        text = _CJK_BREAK.sub("", "".join(self._text))
        self._text.clear()
        return "\n".join(" ".join(line.split()) for line in text.split("\v")).strip()

    def _flush(self) -> None:
        text = self._taken()
        if not text:
            return
        if self._depth == 0:
            self._close_list()
            self._add(text, "paragraph")
            return
        lead = "  " * (self._depth - 1) + ("- " if self._marked else "  ")
        self._marked = False
        self._items.append(lead + text.replace("\n", "\n" + " " * len(lead)))

    def _close_list(self) -> None:
        if self._items:
            self._add("\n".join(self._items), "list")
            self._items.clear()

    def _add(self, text: str, kind: BlockKind) -> None:
        self.composer.add(text, kind=kind)

    def _table(self, element: etree._Element) -> None:
        grid, caption = grid_of(element)
        name = table_name(
            caption or " ".join(self.composer.section[-1:]),
            self._source.path.stem,
            (table.table.name for table in self.tables),
        )
        table = tabulate(grid, name=name, section=self.composer.section, caption=caption)
        if table is not None:
            self.notes.extend(write_rows(self.composer, table, self._source.limits, lead=True))
            self.tables.append(table)


def _is_hidden(element: etree._Element) -> bool:
    return (
        element.get("hidden") is not None
        or element.get("aria-hidden") == "true"
        or _HIDDEN.search(element.get("style") or "") is not None
    )
