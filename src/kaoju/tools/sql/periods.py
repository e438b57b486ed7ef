"""Periods as table cells and headers name them: `2024`, `2024Q3`, `2024年第三季度`, `Q3`, `2024-03`, `3月`.

Unlike the time grammar of questions these may lack a year, and they are matched
part by part. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Final

from kaoju.language.normalise import normalise


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A year, a quarter, a half or a month, with or without its year."""

    year: int | None = None
    months: tuple[int, int] | None = None
    """First and last month; None is the whole year."""

    def within(self, other: Period) -> bool:
        """Return whether this lies inside `other`; what `other` leaves open is not compared."""
        if other.year is not None and self.year != other.year:
            return False
        if other.months is None:
            return True
        return (
            self.months is not None
            and other.months[0] <= self.months[0]
            and self.months[1] <= other.months[1]
        )

    def dates(self) -> tuple[date, date] | None:
        """Return first day and the day after the last, where the year is known."""
        if self.year is None:
            return None
        first, last = self.months or (1, 12)
        after = date(self.year + 1, 1, 1) if last == 12 else date(self.year, last + 1, 1)
        return date(self.year, first, 1), after


_DIGITS: Final = {"一": 1, "二": 2, "三": 3, "四": 4}
_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_ORDINALS: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_MONTH_NAMES: Final = "|".join(f"{name}|{name[:3]}" for name in _MONTHS)
_YEAR: Final = r"(?:fy\s?)?(?P<year>(?:19|20)\d\d)(?!\d)\s*(?:年度|年|财年)?"
_PART: Final = (
    r"(?:第?\s*(?P<q>[一二三四1-4])\s*季度?|q(?P<q2>[1-4])(?!\d)|(?P<q3>first|second|third|fourth) quarter|"
    r"(?P<h>上半年|下半年|h[12](?!\d)|first half|second half)|(?P<m>1[0-2]|0?[1-9])\s*月份?|"
    rf"(?P<mn>{_MONTH_NAMES})(?![a-z])\.?)"
)
PERIOD: Final = re.compile(
    rf"(?:{_YEAR}(?:\s*[-/]?\s*{_PART})?|{_PART.replace('?P<', '?P<b')}"
    r"(?:\s*(?:,|of|in|-)?\s*(?:fy\s?)?(?P<byear>(?:19|20)\d\d)(?!\d)\s*年?)?)"
)
_ISO_MONTH: Final = re.compile(r"((?:19|20)\d\d)[-/.](0?[1-9]|1[0-2])")


def of_match(match: re.Match[str]) -> Period:
    """Return the period of a match of `PERIOD`."""
    parts = {key.removeprefix("b"): value for key, value in match.groupdict().items() if value}
    year = int(parts["year"]) if "year" in parts else None
    quarter = parts.get("q") or parts.get("q2") or parts.get("q3")
    if quarter:
        number = _DIGITS.get(quarter) or _ORDINALS.get(quarter) or int(quarter)
        return Period(year=year, months=(number * 3 - 2, number * 3))
    if "h" in parts:
        first = parts["h"] in {"上半年", "h1", "first half"}
        return Period(year=year, months=(1, 6) if first else (7, 12))
    if "m" in parts:
        return Period(year=year, months=(int(parts["m"]), int(parts["m"])))
    if "mn" in parts:
        number = next(at for at, name in enumerate(_MONTHS, 1) if name.startswith(parts["mn"][:3]))
        return Period(year=year, months=(number, number))
    return Period(year=year)


def parse_period(text: str) -> Period | None:
    """Return the period that a cell names as a whole, or None."""
    plain = normalise(text).strip()
    iso = _ISO_MONTH.fullmatch(plain)
    if iso:
        return Period(year=int(iso[1]), months=(int(iso[2]), int(iso[2])))
    match = PERIOD.fullmatch(plain)
    return of_match(match) if match else None


def year_in(header: str) -> int | None:
    """Return the only year that a header names, or None."""
    years = re.findall(r"(?<!\d)((?:19|20)\d\d)(?!\d)", header)
    return int(years[0]) if len(set(years)) == 1 else None
