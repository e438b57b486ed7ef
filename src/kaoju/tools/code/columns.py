"""Rows read as columns: which ones hold numbers, periods or labels.

Promises: a cell is a number only if the whole of it says one; missing cells
are kept apart from zero. Refuses nothing. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final

from kaoju.language.normalise import normalise
from kaoju.language.numbers import find_numbers
from kaoju.language.time import find_times
from kaoju.model.evidence import JSON

Rows = Sequence[Mapping[str, JSON]]
Number = int | float
_ANCHOR: Final = date(2000, 1, 1)
"""Reference for periods in cells; those that need one (last year) are no periods of a table."""
_PERIOD_NAME: Final = re.compile(
    r"年份?|年度|月份?|季度?|日期|时间|期间|周|year|month|quarter|date|period|week|day", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Period:
    """When a row is about, and how the row says it."""

    start: date
    end: date
    text: str


def columns(rows: Rows) -> tuple[str, ...]:
    """Return the column names in order."""
    names: dict[str, None] = {}
    for row in rows:
        names.update(dict.fromkeys(row))
    return tuple(names)


def number(cell: JSON) -> Number | None:
    """Return a cell as a number; None where it says none, or more than one thing."""
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, int | float):
        return cell
    if not isinstance(cell, str) or not (text := cell.strip()):
        return None
    negative = re.fullmatch(r"[(（](.+)[)）]", text)
    inner = negative.group(1).strip() if negative else text
    found = find_numbers(inner)
    if len(found) != 1 or found[0].start != 0 or found[0].end != len(inner):
        return _bare(inner, negative is not None)
    value = found[0].value / 100 if found[0].kind == "percent" else found[0].value
    return _plain(-value if negative else value)


def _bare(text: str, negative: bool) -> Number | None:
    if not re.fullmatch(r"[-+]?\d{1,3}(,\d{3})*(\.\d+)?|[-+]?\d+(\.\d+)?", text):
        return None
    value = Decimal(text.replace(",", ""))
    return _plain(-value if negative else value)


def _plain(value: Decimal) -> Number:
    return int(value) if value == value.to_integral_value() else float(value)


def periods(rows: Rows) -> tuple[str, list[Period | None]] | None:
    """Return the column that says when, with the period of each row; None where no column does."""
    for name in columns(rows):
        read = [_period(row.get(name), name) for row in rows]
        known = [one for one in read if one is not None]
        stated = [row.get(name) for row in rows if row.get(name) not in (None, "")]
        if known and len(known) == len(stated):
            return name, read
    return None


def _period(cell: JSON, column: str) -> Period | None:
    if isinstance(cell, int) and not isinstance(cell, bool):
        if 1900 <= cell <= 2100 and _PERIOD_NAME.search(column):
            return Period(date(cell, 1, 1), date(cell + 1, 1, 1), str(cell))
        return None
    if not isinstance(cell, str):
        return None
    text = cell.strip()
    if re.fullmatch(r"(?:19|20)\d\d", text) and _PERIOD_NAME.search(column):
        year = int(text)
        return Period(date(year, 1, 1), date(year + 1, 1, 1), text)
    found = find_times(text, _ANCHOR)
    if len(found) != 1 or found[0].at != 0 or found[0].until != len(text) or found[0].assumed:
        return None
    return Period(found[0].start, found[0].end, text)


def numeric(rows: Rows, besides: str | None) -> tuple[str, ...]:
    """Return the columns that hold numbers and hardly anything else."""
    kept = []
    for name in columns(rows):
        if name == besides:
            continue
        stated = [row.get(name) for row in rows if row.get(name) not in (None, "", "-", "—", "N/A", "n/a")]
        if stated and all(number(cell) is not None for cell in stated):
            kept.append(name)
    return tuple(kept)


def named_in(query: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names that a question mentions, in the order in which it does; longer names win over parts of them."""
    plain, found = normalise(query), []
    taken = [False] * len(plain)
    for name in sorted(names, key=len, reverse=True):
        for spelling in _spellings(name):
            at = _position(plain, spelling)
            if at >= 0 and not any(taken[at : at + len(spelling)]):
                taken[at : at + len(spelling)] = [True] * len(spelling)
                found.append((at, name))
                break
    return tuple(name for _, name in sorted(found))


def _spellings(name: str) -> tuple[str, ...]:
    whole = normalise(name)
    without_unit = re.sub(r"\s*[(\[].*?[)\]]\s*$", "", whole)
    spaced = without_unit.replace("_", " ")
    return tuple(dict.fromkeys(text for text in (whole, without_unit, spaced) if text))


def _position(text: str, part: str) -> int:
    """Find a name in a text; one in Latin letters or digits only as a whole word."""
    if not part:
        return -1
    before = r"(?<![a-z0-9])" if part[0].isascii() and part[0].isalnum() else ""
    after = r"(?![a-z0-9])" if part[-1].isascii() and part[-1].isalnum() else ""
    plural = "s?" if part.isascii() and part[-1].isalpha() else ""
    match = re.search(f"{before}{re.escape(part)}{plural}{after}", text)
    return match.start() if match else -1
