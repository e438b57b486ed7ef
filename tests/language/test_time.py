"""Time expressions: right ranges against a reference date, and silence where nothing is certain."""

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaoju.language.time import MAX, MIN, find_times

_NOW = date(2026, 3, 31)
_PIECES = st.sampled_from(
    ["2024年", "3月", "5日", "上", "下", "季度", "去年", "上半年", "至", "到", "-", "之间", "以来", "前", "后", "底", "Q1 ", "2023", " ", "March ", "29", "February 29",
     "last ", "quarter", "week", "since ", "between ", "and ", "the first ", "of ", "31", "二月", "三十", "年代", "世纪", "农历", "每周", "一", "FY", "past ", "9999年", "0年"]
)  # fmt: skip


def read(text: str, now: date = _NOW) -> list[tuple[str, str, str]]:
    """Return the times of a text as (text, start, end)."""
    return [(t.text, str(t.start), str(t.end)) for t in find_times(text, now)]


@given(st.one_of(st.text(max_size=60), st.lists(_PIECES, max_size=9).map("".join)), st.dates())
def test_any_text_on_any_day(text: str, now: date) -> None:
    found = find_times(text, now)
    assert all(text[t.at : t.until] == t.text for t in found)
    assert all(t.start < t.end for t in found)
    assert all(a.until <= b.at for a, b in pairwise(found))


@given(st.dates(date(1990, 1, 1), date(2080, 12, 31)), st.dates())
def test_written_dates_read_back(day: date, now: date) -> None:
    for text in (
        f"{day.year}年{day.month}月{day.day}日",
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day} {day:%b} {day.year}",
        day.isoformat(),
    ):
        (found,) = find_times(f"x {text} y", now)
        assert (found.start, (found.end - found.start).days, found.text) == (day, 1, text)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2024年", "2024-01-01", "2025-01-01"),
        ("二〇二四年第一季度", "2024-01-01", "2024-04-01"),
        ("去年上半年", "2025-01-01", "2025-07-01"),
        ("上季度", "2025-10-01", "2026-01-01"),
        ("本季度", "2026-01-01", "2026-04-01"),
        ("上个月", "2026-02-01", "2026-03-01"),
        ("上上个月", "2026-01-01", "2026-02-01"),
        ("下下周", "2026-04-13", "2026-04-20"),
        ("上周五", "2026-03-27", "2026-03-28"),
        ("下周周六", "2026-04-11", "2026-04-12"),
        ("下月九号", "2026-04-09", "2026-04-10"),
        ("2018年 12月", "2018-12-01", "2019-01-01"),
        ("2023年3月至5月", "2023-03-01", "2023-06-01"),
        ("2023年3-5月", "2023-03-01", "2023-06-01"),
        ("2024年3月5日至8日", "2024-03-05", "2024-03-09"),
        ("2015年和2018年之间", "2015-01-01", "2019-01-01"),
        ("2024年前三季度", "2024-01-01", "2024-10-01"),
        ("2024年前三个月", "2024-01-01", "2024-04-01"),
        ("近三个月", "2026-01-01", "2026-04-01"),
        ("今年年初以来", "2026-01-01", "2026-04-01"),
        ("三月中旬", "2026-03-11", "2026-03-21"),
        ("20世纪60年代", "1960-01-01", "1970-01-01"),
        ("2022财年", "2022-01-01", "2023-01-01"),
        ("２０２４年３月", "2024-03-01", "2024-04-01"),
        ("Q1 2024", "2024-01-01", "2024-04-01"),
        ("2019-H2", "2019-07-01", "2020-01-01"),
        ("FY2023 H1", "2023-01-01", "2023-07-01"),
        ("first half of 2023", "2023-01-01", "2023-07-01"),
        ("the third quarter of fiscal 2022", "2022-07-01", "2022-10-01"),
        ("first nine months of 2023", "2023-01-01", "2023-10-01"),
        ("last quarter", "2025-10-01", "2026-01-01"),
        ("next week Wednesday", "2026-04-08", "2026-04-09"),
        ("earlier this month", "2026-03-01", "2026-03-31"),
        ("later this year", "2026-04-01", "2027-01-01"),
        ("past two weeks", "2026-03-18", "2026-04-01"),
        ("from March to May 2024", "2024-03-01", "2024-06-01"),
        ("from Nov to March", "2026-11-01", "2027-04-01"),
        ("between 2020 and 2022", "2020-01-01", "2023-01-01"),
        ("mid-March 2024", "2024-03-11", "2024-03-21"),
        ("Sep.1st", "2026-09-01", "2026-09-02"),
        ("July 4th of 1995", "1995-07-04", "1995-07-05"),
        ("23/Sep/2020", "2020-09-23", "2020-09-24"),
        ("5/17/2018", "2018-05-17", "2018-05-18"),
        ("the 1990s", "1990-01-01", "2000-01-01"),
        ("early 1990s", "1990-01-01", None),
        ("今晚", "2026-03-31", "2026-04-01"),
        ("明早", "2026-04-01", "2026-04-02"),
        ("大后天", "2026-04-03", "2026-04-04"),
        ("tonight", "2026-03-31", "2026-04-01"),
        ("the day after tomorrow", "2026-04-02", "2026-04-03"),
    ],
)
def test_ranges(text: str, start: str, end: str | None) -> None:
    (found,) = read(text)
    assert found[1] == start
    assert end is None or found[2] == end


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2024年3月5日起", date(2024, 3, 5), MAX),
        ("since 2019", date(2019, 1, 1), MAX),
        ("after May 2020", date(2020, 6, 1), MAX),
        ("截至2024年底", MIN, date(2025, 1, 1)),
        ("2024年底前", MIN, date(2025, 1, 1)),
        ("2020年以前", MIN, date(2020, 1, 1)),
        ("before 2020", MIN, date(2020, 1, 1)),
    ],
)
def test_open_ranges(text: str, start: date, end: date) -> None:
    (found,) = find_times(text, _NOW)
    assert (found.start, found.end, found.text) == (start, end, text)


@pytest.mark.parametrize(
    "now", [date(2026, 1, 1), date(2026, 1, 31), date(2026, 3, 31), date(2026, 12, 31), date(2024, 2, 29)]
)
def test_last_quarter_and_half_on_awkward_days(now: date) -> None:
    (quarter,) = find_times("上季度", now)
    assert quarter.end == date(now.year, (now.month - 1) // 3 * 3 + 1, 1)
    (half,) = find_times("去年上半年", now)
    assert (half.start, half.end) == (date(now.year - 1, 1, 1), date(now.year - 1, 7, 1))


@pytest.mark.parametrize(
    "text",
    ["2,024 items", "2024 items", "$2000", "2000美元", "2000 pieces of toys", "1,990 people", "10,000-mAh", "第三条", "公司成立20年", "三五年", "每周一开会",
     "两周一次", "农历2015年十月初一", "康熙20年9月", "You may go", "This may take longer", "to march on", "2001-02", "5/6/2018", "version 2.10.1",
     "入职前三个月", "3-5天", "ISO 9001", "2月30日", "Feb 30", "一个月", "24个月"],
)  # fmt: skip
def test_silent_rather_than_wrong(text: str) -> None:
    assert read(text) == []


def test_what_is_only_half_understood_is_not_read_in_part() -> None:
    assert read("2 weeks before May 13 1999") == []
    assert read("the last week of July") == []
    assert read("四月第4周") == []
    assert read("2023年前五名")[0][:2] == ("2023年", "2023-01-01")


@pytest.mark.parametrize(
    ("text", "assumed"),
    [
        ("三月", True),
        ("Q3", True),
        ("下半年", True),
        ("2024年三月", False),
        ("去年三月", False),
        ("last month", False),
    ],
)
def test_an_assumed_year_says_so(text: str, assumed: bool) -> None:
    (found,) = find_times(text, _NOW)
    assert found.assumed is assumed
