"""What a question asks of one table, as a value.

Pure. A `Reading` says what is selected, aggregated, grouped, filtered and
ordered; `render` turns it into SQL. Columns are those of the table's view.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from kaoju.tools.sql.view import Column

Aggregate = Literal["sum", "avg", "median", "min", "max", "count"]
Direction = Literal["desc", "asc"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A figure of a row: a column, or the difference or rate of change of two."""

    column: Column
    minus: Column | None = None
    rate: bool = False
    """True for (column - minus) / minus."""
    name: str = ""
    """What a computed figure is called in the result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """One condition; the conditions of a reading all hold."""

    column: Column | None
    measure: Measure | None = None
    """For conditions on a computed figure."""
    op: str = "in"
    """`in`, `not in`, `except` (total rows), `=`, `>`, `>=`, `<`, `<=`, `between`, `dates`, `column>` (and the like)."""
    values: tuple[str | Decimal, ...] = ()
    other: Column | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One reading of a question."""

    columns: tuple[Column, ...] = ()
    """Columns to show as they are."""
    measures: tuple[Measure, ...] = ()
    aggregate: Aggregate | None = None
    distinct: Column | None = None
    """What a count counts; None counts rows."""
    group: tuple[Column, ...] = ()
    filters: tuple[Filter, ...] = ()
    order: Direction | None = None
    """Order by the first measure, or by the count."""
    limit: int | None = None
    """Rank at most; ties stay in."""
    share_of: tuple[Filter, ...] = ()
    """For a share: the part; `filters` then restrict the whole."""
    everything: bool = False
    """All columns."""
