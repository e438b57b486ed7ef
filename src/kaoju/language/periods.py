"""Arithmetic of days, weeks, months, quarters and years as half-open ranges. Pure."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final, Literal

Range = tuple[date, date]
"""First day, and the day after the last."""
Unit = Literal["day", "week", "month", "quarter", "half", "year"]
Part = Literal["early", "mid", "late"]

MONTHS_IN: Final[dict[Unit, int]] = {"month": 1, "quarter": 3, "half": 6, "year": 12}


def day(year: int, month: int, number: int) -> Range:
    """Return one calendar day; raises `ValueError` where there is none."""
    return days(date(year, month, number))


def days(start: date, count: int = 1) -> Range:
    """Return `count` days from a day on."""
    return start, start + timedelta(days=count)


def months(year: int, month: int, count: int = 1) -> Range:
    """Return `count` months from a month on; the month may lie outside 1 to 12."""
    first = year * 12 + month - 1
    last = first + count
    return date(first // 12, first % 12 + 1, 1), date(last // 12, last % 12 + 1, 1)


def quarter(year: int, number: int) -> Range:
    """Return a quarter of a calendar year."""
    return months(year, 3 * number - 2, 3)


def shifted(unit: Unit, by: int, now: date) -> Range:
    """Return the calendar unit that holds `now`, moved by so many units."""
    if unit == "day":
        return days(now + timedelta(days=by))
    if unit == "week":
        return days(now - timedelta(days=now.weekday()) + timedelta(weeks=by), 7)
    size = MONTHS_IN[unit]
    return months(now.year, (now.month - 1) // size * size + 1 + by * size, size)


def past(unit: Unit, count: int, now: date) -> Range:
    """Return the `count` units that end with the reference date."""
    tomorrow = now + timedelta(days=1)
    return later(tomorrow, unit, -count), tomorrow


def coming(unit: Unit, count: int, now: date) -> Range:
    """Return the `count` units that begin the day after the reference date."""
    tomorrow = now + timedelta(days=1)
    return tomorrow, later(tomorrow, unit, count)


def later(start: date, unit: Unit, count: int) -> date:
    """Return a day so many units later, or the last of its month where the month is shorter."""
    if unit in ("day", "week"):
        return start + timedelta(days=count * (7 if unit == "week" else 1))
    first, after = months(start.year, start.month + count * MONTHS_IN[unit])
    return first.replace(day=min(start.day, (after - first).days))


def in_year(span: Range, year: int) -> Range:
    """Return a range moved so that it begins in another year; 29 February becomes the 28th."""
    by = 12 * (year - span[0].year)
    return later(span[0], "month", by), later(span[1], "month", by)


def part(span: Range, which: Part | None) -> Range:
    """Return the beginning, middle or end of a range: a quarter of a year, ten days of a month, a third of others."""
    if which is None:
        return span
    start, end = span
    whole = (end - start).days
    if whole in (365, 366):
        month, count = {"early": (1, 3), "mid": (5, 4), "late": (10, 3)}[which]
        return months(start.year, month, count)
    third = 10 if 28 <= whole <= 31 else whole // 3
    first, second = start + timedelta(days=third), start + timedelta(days=2 * third)
    return {"early": (start, first), "mid": (first, second), "late": (second, end)}[which]
