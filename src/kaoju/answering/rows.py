"""Rows and values as readable claims, built from typed cells only. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kaoju.answering.explain import say
from kaoju.model.answer import DraftClaim
from kaoju.model.evidence import Evidence, Row
from kaoju.model.question import Language

MAX_ROWS: Final = 5
"""Rows told one by one; the rest is counted."""


def row_claims(
    piece: Evidence, need_id: str, language: Language, limit: int = MAX_ROWS
) -> tuple[DraftClaim, ...]:
    """Return one claim per row, at most `limit`."""
    return tuple(
        DraftClaim(text=text, evidence_ids=(piece.id,), need_id=need_id)
        for text in (row_sentence(row, language) for row in piece.rows[:limit])
        if text
    )


def left_out(piece: Evidence, language: Language, limit: int = MAX_ROWS) -> str:
    """Say how many rows were not told; empty where all were."""
    more = len(piece.rows) - limit
    return say(language, f"另有 {more} 行未列出", f"{more} more rows are not listed") if more > 0 else ""


def row_sentence(row: Row, language: Language) -> str:
    """Return a row as a sentence: the thing it is about, then its values with their column names.

    The first text cell names the thing; a difference that the row itself holds
    is shown with what it was computed from.
    """
    cells = [(column, value) for column, value in row.items() if value is not None and value != ""]
    if not cells:
        return ""
    subject = next(((column, value) for column, value in cells if isinstance(value, str)), None)
    rest = [cell for cell in cells if cell is not subject]
    if subject is None:
        return say(language, "；", "; ").join(_cell(column, value, language) for column, value in rest)
    name = subject[1]
    named = f"「{name}」" if language == "zh" else str(name)
    if not rest:
        return say(language, f"{subject[0]}：{named}", f"{subject[0]}: {named}")
    derived = _derived(rest)
    if derived is not None:
        column, value, formula = derived
        head = say(
            language,
            f"{named}{column} {shown(value)}（{formula}）",
            f"{named}: {column} {shown(value)} ({formula})",
        )
        used = {part for part, _ in rest if part == column or f"{part} " in formula}
        tail = [cell for cell in rest if cell[0] not in used]
        extra = [_cell(label, cell_value, language) for label, cell_value in tail]
        return say(language, "，", ", ").join((head, *extra))
    values = say(language, "，", ", ").join(_cell(column, value, language) for column, value in rest)
    return say(language, f"{named}：{values}", f"{named}: {values}")


def _derived(cells: Sequence[tuple[str, object]]) -> tuple[str, int | float, str] | None:
    """Return the column that is the difference of two others of the same row, with the formula in words."""
    numbers = [(column, value) for column, value in cells if _is_number(value)]
    for column, value in numbers:
        others = [cell for cell in numbers if cell[0] != column]
        for one_column, one in others:
            for other_column, other in others:
                if one_column == other_column or not value or not other or not one:
                    continue
                if abs(float(str(one)) - float(str(other)) - float(str(value))) < 1e-9 * max(
                    1.0, abs(float(str(one)))
                ):
                    formula = f"{one_column} {shown(one)} - {other_column} {shown(other)}"
                    return column, value if isinstance(value, int | float) else 0, formula
    return None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _cell(column: str, value: object, language: Language) -> str:
    return say(language, f"{column} {shown(value)}", f"{column} {shown(value)}")


def shown(value: object) -> str:
    """Return a cell as people read it: thousands separated, no exponent, no binary noise."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    text = f"{value:,.6f}" if abs(value) >= 0.001 else f"{value:.12f}"
    return text.rstrip("0").rstrip(".") or "0"
