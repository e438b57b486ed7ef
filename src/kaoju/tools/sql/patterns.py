"""SQL without a model: for the questions whose every word is understood.

Promises: `build` returns SQL only where the question has one reading over one
table; `can_answer` says in advance whether it will. Refuses by returning None:
a wrong number is worse than none. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kaoju.model.document import TableInfo
from kaoju.tools.base import chinese
from kaoju.tools.sql.interpret import Meaning, interpret
from kaoju.tools.sql.linking import LinkedTable, link
from kaoju.tools.sql.reading import Filter
from kaoju.tools.sql.render import render
from kaoju.tools.sql.view import view

MARGIN: Final = 1.15
"""By how much the best table has to explain more than the next one that could answer too."""
SURE: Final = 0.95
HINT: Final = 0.5
"""At most this where words are linked but no pattern is sure: a model may still write SQL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """SQL built from a question."""

    sql: str
    table: TableInfo
    other_readings: tuple[str, ...] = ()
    """SQL of further natural readings: the first columns must agree, or the answer is not sure."""
    whole_rows: bool = False
    """True where they have to return the same rows."""
    condition: str = ""
    """What the rows are restricted to, in words."""


def build(question: str, tables: Sequence[TableInfo]) -> Built | None:
    """Return SQL for the question, or None where its reading is not certain."""
    chosen = _choose(question, tables)
    if chosen is None:
        return None
    linked, meaning = chosen
    seen = view(linked.table)
    return Built(
        sql=render(meaning.reading, seen, question),
        table=linked.table,
        other_readings=tuple(render(other, seen, question) for other in meaning.others),
        whole_rows=meaning.whole,
        condition=_in_words((*meaning.reading.filters, *meaning.reading.share_of), question),
    )


def can_answer(question: str, tables: Sequence[TableInfo]) -> float:
    """Return how surely SQL can serve: 0.95 with a pattern, at most 0.5 where a model would be needed."""
    if _choose(question, tables) is not None:
        return SURE
    best = next(iter(link(question, tables).tables), None)
    if best is None or not best.tokens:
        return 0.0
    content = best.score + sum(len(piece) for piece in best.unexplained)
    return HINT * best.score / content if content else 0.0


def _choose(question: str, tables: Sequence[TableInfo]) -> tuple[LinkedTable, Meaning] | None:
    readable: list[tuple[LinkedTable, Meaning]] = []
    for item in link(question, tables).tables:
        meaning = interpret(item.tokens, view(item.table))
        if meaning is not None:
            readable.append((item, meaning))
    if not readable:
        return None
    if len(readable) > 1 and readable[0][0].score < readable[1][0].score * MARGIN:
        return None
    return readable[0]


def _in_words(filters: Sequence[Filter], question: str) -> str:
    joint = "，" if chinese(question) else " and "
    return joint.join(_words(item, question) for item in filters)


def _words(item: Filter, question: str) -> str:
    zh = chinese(question)
    name = (
        item.measure.name if item.measure is not None else item.column.name if item.column is not None else ""
    )
    if item.other is not None:
        return f"{name} {item.op} {item.other.name}"
    values = [str(value) for value in item.values]
    if item.op in {"in", "not in", "except"}:
        sign = "=" if item.op == "in" else "≠"
        return f"{name} {sign} {('、' if zh else ', ').join(values)}"
    if item.op in {"between", "dates"}:
        return f"{values[0]} ≤ {name} {'<' if item.op == 'dates' else '≤'} {values[1]}"
    return f"{name} {item.op} {values[0]}"
