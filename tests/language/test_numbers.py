"""Amounts: exact values, exact places, and silence about what is no amount."""

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaoju.language.numbers import equal, find_numbers

_PIECES = st.sampled_from(
    ["300亿元", "12.5%", "$1.2 billion", "2024年", "3月5日", "约", "一万五千亿", "第三", "3rd", "A-7731", " ", "，", "-", "几", "多", "万",
     "百分之", "分之", "成", "折", "half", "and a", "twenty-five", "minus", "负", "１２，３４５", "点", "五", "USD", "5m", "Q3", "0", "."]
)  # fmt: skip


def read(text: str) -> list[tuple[str, str, str]]:
    """Return the amounts of a text as (value, unit, kind)."""
    return [(f"{q.value.normalize():f}", q.unit, q.kind) for q in find_numbers(text)]


@given(st.one_of(st.text(max_size=60), st.lists(_PIECES, max_size=8).map("".join)))
def test_any_text_is_read_and_places_are_exact(text: str) -> None:
    found = find_numbers(text)
    assert all(text[q.start : q.end] == q.text for q in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert all(q.start < q.end and q.value.is_finite() for q in found)


@given(st.integers(0, 10**15), st.booleans())
def test_arabic_numbers_read_back(number: int, separated: bool) -> None:
    text = f"共有{number:,}件" if separated else f"共有{number}件"
    assert [q.value for q in find_numbers(text)] == [number]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("营收300亿元，同比增长12.5%", [("30000000000", "CNY", "money"), ("12.5", "%", "percent")]),
        ("一万五千亿元", [("1500000000000", "CNY", "money")]),
        ("1亿2000万元", [("120000000", "CNY", "money")]),
        ("25万6千人", [("256000", "人", "number")]),
        ("三成", [("30", "%", "percent")]),
        ("三成半", [("35", "%", "percent")]),
        ("8折", [("80", "%", "percent")]),
        ("85折", [("85", "%", "percent")]),
        ("九五折", [("95", "%", "percent")]),
        ("百分之三十", [("30", "%", "percent")]),
        ("千分之五", [("0.5", "%", "percent")]),
        ("5‰", [("0.5", "%", "percent")]),
        ("四分之一", [("0.25", "", "number")]),
        ("负3.9%", [("-3.9", "%", "percent")]),
        ("下降至-5.2%", [("-5.2", "%", "percent")]),
        ("１２，３４５元", [("12345", "CNY", "money")]),
        ("$1.2 billion and 3,400 people", [("1200000000", "USD", "money"), ("3400", "people", "number")]),
        ("$5m", [("5000000", "USD", "money")]),
        ("75 USD million", [("75000000", "USD", "money")]),
        ("10 bln", [("10000000000", "", "number")]),
        ("twenty-five employees", [("25", "employees", "number")]),
        ("two and a half million", [("2500000", "", "number")]),
        ("3 million and a half", [("3500000", "", "number")]),
        ("minus five percent", [("-5", "%", "percent")]),
        ("3-5天", [("3", "天", "number"), ("5", "天", "number")]),
        ("年假为15个工作日", [("15", "个工作日", "number")]),
        ("第三条", [("3", "", "ordinal")]),
        ("the 3rd", [("3", "", "ordinal")]),
        ("两千三百五", [("2350", "", "number")]),
    ],
)
def test_amounts(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    "text",
    ["2024年3月5日", "二〇二四年", "March 5, 2024", "in 2023", "2023-11-24", "14:30", "下午3点", "Q3", "Q3 2024", "FY2023", "H1 2024", "第三季度",
     "A-7731", "COVID-19", "010-555-1234", "几十万元", "数百人", "十几万", "三月", "成本功能", "万科", "the 1990s", "1/5/2020"],
)  # fmt: skip
def test_dates_codes_and_vague_amounts_are_no_numbers(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("text", "about"),
    [("约12万元", True), ("十二万元左右", True), ("500多万人", True), ("12万元", False), ("nearly 5%", True)],
)
def test_approximate(text: str, about: bool) -> None:
    (quantity,) = find_numbers(text)
    assert quantity.approximate is about


def test_five_metres_are_not_five_million() -> None:
    assert read("a height of 5 m") == [("5", "m", "number")]
    assert read("5m high")[0][0] == "5"


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("300亿元", "30,000,000,000元", True),
        ("12.5%", "百分之十二点五", True),
        ("三成", "30%", True),
        ("25%", "四分之一", True),
        ("五十万", "500000", True),
        ("87%", "85%", False),
        ("300亿元", "300亿美元", False),
        ("15天", "15个", False),
        ("1.2 billion", "12亿", True),
    ],
)
def test_equal(a: str, b: str, same: bool) -> None:
    (one,), (two,) = find_numbers(a), find_numbers(b)
    assert equal(one, two) is same
    assert equal(two, one) is same


def test_a_written_amount_is_its_digits() -> None:
    (quantity,) = find_numbers("3.05亿")
    assert quantity.value == Decimal(305000000)
