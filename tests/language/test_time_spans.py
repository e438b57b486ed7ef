"""Ranges whose ends share a year, a month or a unit: both ends are read, or nothing is."""

from datetime import date, timedelta

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from kaoju.language.numbers import find_numbers
from kaoju.language.time import find_times

_NOW = date(2025, 1, 15)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2020-2023年", "2020-01-01", "2024-01-01"),
        ("2019—2020财年", "2019-01-01", "2021-01-01"),
        ("2020至2023年度", "2020-01-01", "2024-01-01"),
        ("2014-2018", "2014-01-01", "2019-01-01"),
        ("5月3-5日", "2025-05-03", "2025-05-06"),
        ("2024年3月1-15号", "2024-03-01", "2024-03-16"),
        ("10月1日至7日", "2025-10-01", "2025-10-08"),
        ("March to May 2024", "2024-03-01", "2024-06-01"),
        ("from March to May 2024", "2024-03-01", "2024-06-01"),
        ("Q1-Q3 2024", "2024-01-01", "2024-10-01"),
        ("H1 2024", "2024-01-01", "2024-07-01"),
        ("Q1-2024", "2024-01-01", "2024-04-01"),
        ("mid-2024", "2024-05-01", "2024-09-01"),
    ],
)
def test_both_ends_are_read(text: str, start: str, end: str) -> None:
    (found,) = find_times(f"数据为 {text} 的", _NOW)
    assert (found.start.isoformat(), found.end.isoformat()) == (start, end)
    assert find_numbers(f"数据为 {text} 的") == ()


@given(st.integers(1900, 2090), st.integers(1, 9), st.sampled_from(["-", "–", "—", "~", "～", "至", "到"]))
def test_any_span_of_years(first: int, more: int, to: str) -> None:
    (found,) = find_times(f"{first}{to}{first + more}年的营收", _NOW)
    assert (found.start, found.end) == (date(first, 1, 1), date(first + more + 1, 1, 1))


@given(
    st.dates(date(2000, 1, 1), date(2030, 12, 20)),
    st.integers(1, 10),
    st.sampled_from(["-", "~", "至", "到", "日至", "日-"]),
)
def test_any_span_of_days_in_a_month(first: date, more: int, to: str) -> None:
    last = first + timedelta(days=more)
    assume(last.month == first.month)
    (found,) = find_times(f"{first.year}年{first.month}月{first.day}{to}{last.day}日举行", _NOW)
    assert (found.start, found.end) == (first, last + timedelta(days=1))


@pytest.mark.parametrize(
    "text", ["2000-1800", "1900-2000元", "$1800-2000", "1500-2000 people", "May I ask", "March on"]
)
def test_what_is_no_span_of_time_is_none(text: str) -> None:
    assert find_times(text, _NOW) == ()
