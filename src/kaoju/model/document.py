"""Documents as they are read, cut and reported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from kaoju.model.evidence import Locator

Cell = str | int | float | bool | None
BlockKind = Literal["heading", "paragraph", "list", "table", "code"]
FileStatus = Literal["ingested", "unchanged", "skipped", "failed", "pruned"]

REASONS: Final = (
    "encrypted",
    "truncated",
    "corrupt",
    "empty",
    "no_text",
    "too_large",
    "unsupported",
    "hidden",
    "link_loop",
    "unreadable",
    "changed_while_read",
    "zip_bomb",
    "bad_encoding",
    "duplicate_id",
    "timeout",
)
"""Every reason with which a file may be skipped or failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One structural piece of a document: a heading, a paragraph, a list, a table as text."""

    text: str
    kind: BlockKind = "paragraph"
    page: int | None = None
    """1-based page, slide or None where the format has no pages."""
    section: tuple[str, ...] = ()
    """Heading path, outermost first."""
    start: int = 0
    """Offset of the first character in the page's text, or in the document's where there are no pages."""
    end: int = 0
    rows: tuple[int, int] | None = None
    """First and last 1-based source row, for table blocks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table found in a document, on its way to becoming a SQL table."""

    name: str
    """Human name: sheet, file or caption; unique within the document."""
    columns: tuple[str, ...]
    """Unique, non-empty header texts, multi-row headers joined by a space."""
    rows: tuple[tuple[Cell, ...], ...]
    """Body rows, as wide as `columns`; numbers and dates typed where the source types them."""
    first_row: int = 2
    """1-based source row of the first body row."""
    page: int | None = None
    section: tuple[str, ...] = ()
    caption: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One readable unit: a file, or one line of a JSONL document file."""

    id: str
    """Path relative to the ingested folder with `/`, or the `id` of a JSONL line."""
    title: str
    date: str | None = None
    """The document's own ISO date where it states one; None where it does not."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """Further stated fields, for example `source` and `author`."""
    blocks: tuple[Block, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()
    """What the reader should know: pages without text, rows cut off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """What is embedded and found: at most about 400 tokens of one section on one page."""

    id: str
    """`<document_id>#<ordinal>`."""
    document_id: str
    title: str
    text: str
    """Exact source text: for prose, the source's slice [start:end]."""
    locator: Locator
    context: str = ""
    """What is searched and embedded beside the text: title, heading path, metadata, date."""
    date: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A chunk that a query found, with its score in [0, 1]; higher is nearer."""

    document_id: str
    chunk_id: str
    title: str
    text: str
    locator: Locator
    score: float
    semantic: float = 0.0
    """Cosine similarity with the query; 0 where the semantic arm did not see the chunk."""
    lexical: float = 0.0
    """Keyword score scaled to [0, 1] within this result."""
    date: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableInfo:
    """A SQL table of the knowledge base, as planners and SQL writers see it."""

    name: str
    """SQL identifier, ASCII or Chinese, unique in the knowledge base."""
    document_id: str
    title: str
    """Human name of the table, and of its document."""
    columns: tuple[tuple[str, str], ...]
    """(name, DuckDB type) in order."""
    row_count: int
    samples: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Column -> up to 50 distinct values of text columns, for value linking."""
    page: int | None = None
    section: tuple[str, ...] = ()
    first_row: int = 2
    comments: Mapping[str, str] = field(default_factory=dict)
    """Column -> what it means, as its owner says; the table itself under the empty name."""
    synonyms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Column -> other words for it; those for the table itself under the empty name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """How one file ended, and why."""

    path: str
    status: FileStatus
    reason: str = ""
    """One of `REASONS` for skipped and failed, else empty."""
    detail: str = ""
    """One sentence for people."""
    documents: int = 0
    chunks: int = 0
    tables: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class IngestReport:
    """The outcome of one ingest: every file accounted for."""

    files: tuple[FileReport, ...]
    documents: int
    """Documents in the knowledge base afterwards."""
    chunks: int
    tables: int
    seconds: float
    pages: int = 0
    """Pages read in this ingest."""
