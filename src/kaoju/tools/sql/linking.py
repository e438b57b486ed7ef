"""Which tables a question is about: how much of it their headers, values and titles explain.

Pure. `link` gives the scores with the unexplained rest, so that planners see
whether SQL can serve; `rank` orders the tables that are worth showing to a
model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kaoju.language.normalise import normalise
from kaoju.model.document import TableInfo
from kaoju.tools.sql.scan import MAX_QUESTION, Token, scan
from kaoju.tools.sql.view import view

RELATED: Final = 0.15
"""Tables that explain less of a question are not shown to a model."""
MAX_TABLES: Final = 40
"""Tables that are looked at closely, chosen by the words that they share with the question."""
MAX_PIECE: Final = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedTable:
    """How one table explains a question."""

    table: TableInfo
    score: float
    """Weighted characters of the question that are headers, values or titles of the table."""
    unexplained: tuple[str, ...]
    """Pieces that neither the table nor the words of queries explain."""
    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """How the tables explain a question, the best first."""

    question: str
    tables: tuple[LinkedTable, ...]


def link(question: str, tables: Sequence[TableInfo]) -> Linked:
    """Return how each table explains the question."""
    linked = [_link(question, table) for table in _near(question, tables)]
    linked.sort(key=lambda item: (-item.score, len("".join(item.unexplained))))
    return Linked(question=question, tables=tuple(linked))


def rank(question: str, tables: Sequence[TableInfo]) -> tuple[TableInfo, ...]:
    """Return the tables that have something to do with the question, best first."""
    size = max(1, len(question))
    return tuple(item.table for item in link(question, tables).tables if item.score / size >= RELATED)


def _near(question: str, tables: Sequence[TableInfo]) -> Sequence[TableInfo]:
    """Return the tables that share most with the question, in their own order."""
    if len(tables) <= MAX_TABLES:
        return tables
    text = " ".join(normalise(question).split())[:MAX_QUESTION]
    pieces = {
        text[at:end] for at in range(len(text)) for end in range(at + 1, min(at + MAX_PIECE, len(text)) + 1)
    }
    shared = [sum(len(word) for word in view(table).words & pieces) for table in tables]
    best = sorted(range(len(tables)), key=lambda number: -shared[number])[:MAX_TABLES]
    return [tables[number] for number in sorted(best)]


def _link(question: str, table: TableInfo) -> LinkedTable:
    tokens = scan(question, view(table))
    return LinkedTable(
        table=table,
        score=sum(token.weight * len(token.text) for token in tokens),
        unexplained=tuple(token.text for token in tokens if token.kind in {"left", "block"}),
        tokens=tokens,
    )
