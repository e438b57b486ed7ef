"""Rows and values as readable claims, built from typed cells only. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import permutations
from typing import Final

from kaoju.answering.explain import say
from kaoju.model.answer import DraftClaim
from kaoju.model.evidence import Evidence, Row
from kaoju.model.question import Language

Number = tuple[str, int | float]
"""A column with a numeric cell."""
ROUNDING: Final = Decimal("0.000001")
"""Binary noise that a difference of stored numbers may carry."""
_DIFFERENCE: Final = re.compile(
    r"差|超|余|增|减|盈|亏|变动|diff|delta|overrun|over|change|gap|varian|balance|margin|growth",
    re.IGNORECASE,
)
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
    subject = next((cell for cell in cells if isinstance(cell[1], str)), None)
    rest = [cell for cell in cells if cell is not subject]
    if subject is None:
        return say(language, "；", "; ").join(_cell(column, value) for column, value in rest)
    name = subject[1]
    named = f"「{name}」" if language == "zh" else str(name)
    if not rest:
        return say(language, f"{subject[0]}：{named}", f"{subject[0]}: {named}")
    derived = _derived(rest)
    if derived is not None:
        result, one, other = derived
        formula = f"{one[0]} {shown(one[1])} - {other[0]} {shown(other[1])}"
        told = f"{result[0]} {shown(result[1])}"
        head = say(language, f"{named}{told}（{formula}）", f"{named}: {told} ({formula})")
        extra = [
            _cell(column, value) for column, value in rest if column not in (result[0], one[0], other[0])
        ]
        return say(language, "，", ", ").join((head, *extra))
    values = say(language, "，", ", ").join(_cell(column, value) for column, value in rest)
    return say(language, f"{named}：{values}", f"{named}: {values}")


def _derived(cells: Sequence[tuple[str, object]]) -> tuple[Number, Number, Number] | None:
    """Return a cell that is the difference of two others of the same row, and these two; None where there is none.

    Its column has to be named as one: of three numbers, each is a difference of the others.
    """
    numbers = [
        (column, value)
        for column, value in cells
        if isinstance(value, int | float) and not isinstance(value, bool) and value
    ]
    for result, one, other in permutations(numbers, 3):
        if not _DIFFERENCE.search(result[0]):
            continue
        if abs(Decimal(str(one[1])) - Decimal(str(other[1])) - Decimal(str(result[1]))) < ROUNDING:
            return result, one, other
    return None


def _cell(column: str, value: object) -> str:
    return f"{column} {shown(value)}"


def shown(value: object) -> str:
    """Return a cell as the source writes figures: plain digits, no exponent, no binary noise."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int):
        return str(value)
    text = f"{value:.6f}" if abs(value) >= 0.001 else f"{value:.12f}"
    return text.rstrip("0").rstrip(".") or "0"
