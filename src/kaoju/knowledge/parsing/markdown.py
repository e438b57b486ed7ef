"""Markdown: headings become sections, tables become tables, code fences are kept, marks are dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from kaoju.knowledge.parsing.compose import Composer, clean, one_line
from kaoju.knowledge.parsing.dates import iso_date
from kaoju.knowledge.parsing.encoding import decode
from kaoju.knowledge.parsing.faults import fault
from kaoju.knowledge.parsing.grid import Grid, Tabulated, tabulate, write_rows
from kaoju.knowledge.parsing.naming import table_name
from kaoju.knowledge.parsing.source import Source
from kaoju.model.document import Document

_FRONT: Final = re.compile(r"---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)
_FIELD: Final = re.compile(r"([\w.-]+)[ \t]*:[ \t]*(\S.*)")
_CLOSE: Final = {
    "bullet_list_open": "bullet_list_close",
    "ordered_list_open": "ordered_list_close",
    "table_open": "table_close",
}


def read(source: Source) -> Iterator[Document]:
    """Yield the one document of a Markdown file."""
    decoded = decode(source.path.read_bytes(), source.path)
    fields, text = _front_matter(clean(decoded.text))
    composer = Composer()
    tables, notes = _Walk(source, composer).run(MarkdownIt("commonmark").enable("table").parse(text))
    if not composer.blocks:
        raise fault("no_text", source.path)
    first = next((block.text for block in composer.blocks if block.kind == "heading"), "")
    stated = fields.pop("date", "")
    if stated and iso_date(stated) is None:
        fields["date"] = stated
    yield Document(
        id=source.document_id,
        title=fields.pop("title", "") or first or source.path.stem,
        date=iso_date(stated),
        metadata=fields,
        blocks=composer.blocks,
        tables=tuple(table.table for table in tables),
        notes=(*decoded.notes, *notes),
    )


def _front_matter(text: str) -> tuple[dict[str, str], str]:
    """Split off a leading `---` section; its plain `key: value` lines are the fields."""
    found = _FRONT.match(text.lstrip("\n"))
    if found is None:
        return {}, text
    fields = {
        line[1].lower(): one_line(line[2]).strip("\"'")
        for line in map(_FIELD.fullmatch, found[1].split("\n"))
        if line is not None
    }
    return fields, text.lstrip("\n")[found.end() :]


class _Walk:
    """One pass over the block tokens."""

    def __init__(self, source: Source, composer: Composer) -> None:
        self._source = source
        self._composer = composer
        self._tables: list[Tabulated] = []
        self._notes: list[str] = []

    def run(self, tokens: Sequence[Token]) -> tuple[list[Tabulated], list[str]]:
        position = 0
        while position < len(tokens):
            token = tokens[position]
            end = _end(tokens, position) if token.type in _CLOSE else position
            inside = tokens[position : end + 1]
            if token.type == "heading_open":
                self._composer.heading(_plain(tokens[position + 1]), int(token.tag[1:]))
                end = position + 2
            elif token.type == "table_open":
                self._table(inside)
            elif token.type in _CLOSE:
                self._composer.add(_list(inside), kind="list")
            elif token.type in {"fence", "code_block"}:
                self._composer.add(f"```{token.info}\n{token.content}```", kind="code")
            elif token.type == "html_block":
                self._composer.add(re.sub(r"<!--.*?-->|<[^>]{0,1000}>", "", token.content, flags=re.DOTALL))
            elif token.type == "inline":
                self._composer.add(_plain(token))
            position = end + 1
        return self._tables, self._notes

    def _table(self, tokens: Sequence[Token]) -> None:
        rows: list[list[str]] = []
        for token in tokens:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(_plain(token))
        name = table_name(
            " ".join(self._composer.section[-1:]),
            self._source.path.stem,
            (table.table.name for table in self._tables),
        )
        table = tabulate(Grid(rows=rows, header_rows=1), name=name, section=self._composer.section)
        if table is not None:
            self._notes.extend(write_rows(self._composer, table, self._source.limits))
            self._tables.append(table)


def _end(tokens: Sequence[Token], start: int) -> int:
    """Return the index of the token that closes the one at `start`."""
    level, close = tokens[start].level, _CLOSE[tokens[start].type]
    return next(
        index
        for index in range(start + 1, len(tokens))
        if tokens[index].level == level and tokens[index].type == close
    )


def _list(tokens: Sequence[Token]) -> str:
    """Write a list, nested ones indented, with its own marks and numbers."""
    lines: list[str] = []
    depth = 0
    mark = ""
    for token in tokens:
        if token.type in {"bullet_list_open", "ordered_list_open"}:
            depth += 1
        elif token.type in {"bullet_list_close", "ordered_list_close"}:
            depth -= 1
        elif token.type == "list_item_open":
            mark = f"{token.info}{token.markup}" if token.info else "-"
        elif token.type in {"inline", "fence", "code_block"}:
            text = _plain(token) if token.type == "inline" else token.content.rstrip("\n")
            lead = "  " * (depth - 1)
            body = text.replace("\n", f"\n{lead}  ")
            lines.append(f"{lead}{mark} {body}" if mark else f"{lead}  {body}")
            mark = ""
    return "\n".join(lines)


def _plain(token: Token) -> str:
    """Return inline content without its marks."""
    parts: list[str] = []
    for child in token.children or ():
        if child.type in {"text", "code_inline"}:
            parts.append(child.content)
        elif child.type in {"softbreak", "hardbreak"}:
            parts.append("\n")
        elif child.type == "image":
            parts.append(child.content)
    return "".join(parts)
