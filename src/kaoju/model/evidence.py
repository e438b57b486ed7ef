"""Things that were found, and the exact place where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

JSON = None | bool | int | float | str | list["JSON"] | dict[str, "JSON"]
Row = Mapping[str, str | int | float | bool | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Locator:
    """The exact place inside a document."""

    page: int | None = None
    """1-based page, slide; None where the format has none."""
    section: str = ""
    """Heading path joined by ` > `, or the table's name."""
    start: int | None = None
    """First character, counted in the page's text, or in the document's where there are no pages."""
    end: int | None = None
    rows: tuple[int, int] | None = None
    """First and last 1-based source row of a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One passage, row set or value, with source, place, confidence and stated uncertainty."""

    id: str
    """Unique in the run: `e1`, `e2`, ... once the run has taken it in; empty before."""
    kind: Literal["passage", "rows", "value"]
    text: str
    """What may be quoted. For rows, one line per row: `column: value; ...`."""
    document_id: str
    title: str
    locator: Locator
    tool: str
    """Name of the tool that really returned it."""
    chunk_id: str = ""
    task_id: str = ""
    query: str = ""
    """The query or SQL that found it."""
    score: float = 0.0
    """Relevance in [0, 1] as the tool states it."""
    semantic: float = 0.0
    """Cosine similarity with the query, for passages."""
    confidence: float = 1.0
    uncertainty: str = ""
    """What may be wrong with it, in one phrase; empty when nothing is known."""
    date: str | None = None
    """Date of the source where stated."""
    rows: tuple[Row, ...] = ()
    """Typed rows, for kind `rows`; the computed value under `value` for kind `value`."""
    inputs: tuple[str, ...] = ()
    """For computed values: what they were computed from (numbers or evidence ids)."""
    metadata: Mapping[str, str] = field(default_factory=dict)
