"""Functions of SQLite: those that may be called, and those that SQL of other engines expects and SQLite lacks.

All are pure, and none makes a result that is much larger than its arguments.
"""

from __future__ import annotations

import datetime as dt
import math
import sqlite3
import statistics
from collections.abc import Callable
from typing import Final

Value = str | int | float | None

# fmt: off
BUILT_IN: Final = frozenset(
    {
        "abs", "avg", "ceil", "ceiling", "coalesce", "count", "cume_dist", "date", "datetime", "dense_rank",
        "exp", "first_value", "floor", "glob", "ifnull", "iif", "instr", "julianday", "lag", "last_value",
        "lead", "length", "like", "ln", "log", "log10", "lower", "ltrim", "max", "min", "mod", "nth_value",
        "ntile", "nullif", "percent_rank", "pow", "power", "rank", "round", "row_number", "rtrim", "sign",
        "sqrt", "strftime", "substr", "substring", "sum", "time", "total", "trim", "trunc", "typeof",
        "unixepoch", "upper",
    }
)
# fmt: on


class _Collected:
    """An aggregate over the numbers of a column; NULL and text do not count."""

    def __init__(self) -> None:
        self.values: list[float] = []

    def step(self, value: Value) -> None:
        if isinstance(value, int | float):
            self.values.append(value)


class Median(_Collected):
    """The middle value."""

    def finalize(self) -> float | None:
        """Return the result; None of nothing."""
        return statistics.median(self.values) if self.values else None


class SampleDeviation(_Collected):
    """The standard deviation of a sample."""

    def finalize(self) -> float | None:
        """Return the result; None of fewer than two values."""
        return statistics.stdev(self.values) if len(self.values) > 1 else None


class Deviation(_Collected):
    """The standard deviation of a population."""

    def finalize(self) -> float | None:
        """Return the result; None of nothing."""
        return statistics.pstdev(self.values) if self.values else None


class SampleVariance(_Collected):
    """The variance of a sample."""

    def finalize(self) -> float | None:
        """Return the result; None of fewer than two values."""
        return statistics.variance(self.values) if len(self.values) > 1 else None


def _moment(value: Value) -> dt.datetime | None:
    """Return ISO text as a point in time; None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        return dt.datetime.fromisoformat(value)
    except ValueError:
        return None


def _part(of: Callable[[dt.datetime], int]) -> Callable[[Value], int | None]:
    def part(value: Value) -> int | None:
        moment = _moment(value)
        return None if moment is None else of(moment)

    return part


def day_of(value: Value) -> str | None:
    """Return the ISO date of a text that begins with one; None for anything else."""
    moment = _moment(value)
    return None if moment is None else moment.date().isoformat()


def number_of(value: Value) -> float | int | None:
    """Return a number, or the number that a text is; None for anything else."""
    if value is None or isinstance(value, int | float):
        return value
    try:
        found = float(value)
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def first_day(unit: Value, value: Value) -> str | None:
    """Return the first day of the year, quarter or month, or the day itself."""
    moment = _moment(value)
    if moment is None or not isinstance(unit, str):
        return None
    day = moment.date()
    match unit.casefold():
        case "year":
            return day.replace(month=1, day=1).isoformat()
        case "quarter":
            return day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1).isoformat()
        case "month":
            return day.replace(day=1).isoformat()
        case "week":
            return (day - dt.timedelta(days=day.weekday())).isoformat()
        case "day":
            return day.isoformat()
    return None


def joined(*values: Value) -> str:
    """Return the values as one text; NULL is nothing."""
    return "".join(str(value) for value in values if value is not None)


def piece(text: Value, separator: Value, number: Value) -> str | None:
    """Return one piece of a text, counted from 1; empty beyond its end."""
    if not isinstance(text, str) or not isinstance(separator, str) or not isinstance(number, int):
        return None
    pieces = text.split(separator) if separator else [text]
    return pieces[number - 1] if 1 <= number <= len(pieces) else ""


def _test(of: Callable[[str, str], bool]) -> Callable[[Value, Value], int | None]:
    def test(text: Value, part: Value) -> int | None:
        return int(of(text, part)) if isinstance(text, str) and isinstance(part, str) else None

    return test


SCALARS: Final[dict[str, tuple[int, Callable[..., Value]]]] = {
    "year": (1, _part(lambda moment: moment.year)),
    "quarter": (1, _part(lambda moment: (moment.month - 1) // 3 + 1)),
    "month": (1, _part(lambda moment: moment.month)),
    "day": (1, _part(lambda moment: moment.day)),
    "day_of_month": (1, _part(lambda moment: moment.day)),
    "hour": (1, _part(lambda moment: moment.hour)),
    "concat": (-1, joined),
    "contains": (2, _test(lambda text, part: part in text)),
    "starts_with": (2, _test(str.startswith)),
    "ends_with": (2, _test(str.endswith)),
    "split_part": (3, piece),
    "kaoju_day": (1, day_of),
    "kaoju_number": (1, number_of),
    "kaoju_first_day": (2, first_day),
}
AGGREGATES: Final[dict[str, type[_Collected]]] = {
    "median": Median,
    "stddev": SampleDeviation,
    "stddev_samp": SampleDeviation,
    "stddev_pop": Deviation,
    "variance": SampleVariance,
}
ALLOWED: Final = BUILT_IN | SCALARS.keys() | AGGREGATES.keys()


def register(connection: sqlite3.Connection) -> None:
    """Give a connection the functions that SQLite lacks."""
    for name, (arguments, function) in SCALARS.items():
        connection.create_function(name, arguments, function, deterministic=True)
    for name, aggregate in AGGREGATES.items():
        connection.create_aggregate(name, 1, aggregate)  # type: ignore[arg-type]  # its stubs ask for an int result
