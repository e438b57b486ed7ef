"""Periods as conditions on columns that hold periods, years, quarters or months. Pure."""

from __future__ import annotations

from decimal import Decimal

from kaoju.tools.sql.lexicon import MONTH_CONCEPT, QUARTER_CONCEPT, YEAR_CONCEPT
from kaoju.tools.sql.periods import Period
from kaoju.tools.sql.reading import Filter
from kaoju.tools.sql.view import Column, View


def dated_columns(table: View) -> list[Column]:
    """Return the columns whose cells are periods that name their year."""
    return [c for c in table.columns if c.periods and any(p.year for p in c.periods.values())]


def in_columns(table: View, wanted: list[Period]) -> tuple[Filter, ...] | None:
    """Return what keeps the rows of the wanted periods; None where no column certainly says it."""
    dated = dated_columns(table)
    if all(period.year is not None for period in wanted):
        return _listed(dated[0], wanted) if len(dated) == 1 else _split(table, wanted)
    years = table.by_concept(YEAR_CONCEPT)
    one_year = len(dated) == 1 and len({p.year for p in dated[0].periods.values()}) == 1 and dated[0].complete
    if one_year:
        return _listed(dated[0], wanted)
    return _parts(table, wanted) if not years and not dated else None


def _listed(column: Column, wanted: list[Period]) -> tuple[Filter, ...] | None:
    matched = [value for value, own in column.periods.items() if any(own.within(period) for period in wanted)]
    return (Filter(column=column, op="in", values=tuple(matched)),) if matched else None


def _split(table: View, wanted: list[Period]) -> tuple[Filter, ...] | None:
    """Year in one column, quarter or month in another."""
    years = table.by_concept(YEAR_CONCEPT)
    if len(years) != 1:
        return None
    numbers = list(dict.fromkeys(period.year for period in wanted if period.year is not None))
    if years[0].kind == "number":
        values: tuple[str | Decimal, ...] = tuple(Decimal(number) for number in numbers)
    else:
        values = tuple(v for v in years[0].values.values() if any(str(number) in v for number in numbers))
    if not values:
        return None
    found = Filter(column=years[0], op="in", values=values)
    if all(period.months is None for period in wanted):
        return (found,)
    parts = _parts(table, wanted) if len(numbers) == 1 else None
    return None if parts is None else (found, *parts)


def _parts(table: View, wanted: list[Period]) -> tuple[Filter, ...] | None:
    """Quarter or month in a column of their own."""
    for concept, size in ((QUARTER_CONCEPT, 3), (MONTH_CONCEPT, 1)):
        columns = table.by_concept(concept)
        spans = [period.months for period in wanted if period.months is not None]
        if len(columns) != 1 or len(spans) != len(wanted):
            continue
        if any((first - 1) % size or last % size for first, last in spans):
            continue
        column = columns[0]
        if column.kind == "number":
            numbers = [
                Decimal(number)
                for first, last in spans
                for number in range((first - 1) // size + 1, last // size + 1)
            ]
            return (Filter(column=column, op="in", values=tuple(numbers)),)
        bare = [Period(months=span) for span in spans]
        return _listed(column, bare)
    return None
