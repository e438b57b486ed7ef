"""Amounts in the forms that documents use: ranges, units, fractions, vague words. A wrong value is worse than none."""

from decimal import Decimal
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaoju.language.numbers import find_numbers


def read(text: str) -> list[tuple[str, str]]:
    """Return the amounts of a text as (value, unit)."""
    return [(f"{q.value.normalize():f}", q.unit) for q in find_numbers(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3至5个工作日", [("3", "个工作日"), ("5", "个工作日")]),
        ("3-5万元", [("30000", "CNY"), ("50000", "CNY")]),
        ("1,000至2,000万元", [("10000000", "CNY"), ("20000000", "CNY")]),
        ("$10-15 million", [("10000000", "USD"), ("15000000", "USD")]),
        ("USD 3-5 million", [("3000000", "USD"), ("5000000", "USD")]),
        ("10 to 15%", [("10", "%"), ("15", "%")]),
        ("20%-30%", [("20", "%"), ("30", "%")]),
        ("-10%~5%", [("-10", "%"), ("5", "%")]),
        ("20万-30万", [("200000", ""), ("300000", "")]),
        ("100-50万", [("100", ""), ("500000", "")]),
    ],
)
def test_both_ends_of_a_range_have_their_scale_and_unit(text: str, expected: list[tuple[str, str]]) -> None:
    assert read(text) == expected


@given(
    st.integers(1, 999),
    st.integers(1, 999),
    st.sampled_from(["-", "~", "至", "到", "–"]),
    st.sampled_from(["万元", "亿元"]),
)
def test_any_rising_range_shares_its_scale(first: int, more: int, to: str, unit: str) -> None:
    scale = {"万元": 10**4, "亿元": 10**8}[unit]
    found = find_numbers(f"预算为{first}{to}{first + more}{unit}")
    assert [q.value for q in found] == [first * scale, (first + more) * scale]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2.3千克", [("2.3", "千克")]),
        ("3万千瓦", [("30000", "千瓦")]),
        ("一百千瓦", [("100", "千瓦")]),
        ("一万二千米", [("12000", "米")]),
        ("三十两", [("30", "两")]),
        ("两万两", [("20000", "两")]),
        ("三年半", [("3.5", "年")]),
        ("一个半小时", [("1.5", "小时")]),
        ("两个半月", [("2.5", "个月")]),
        ("三天半夜", [("3", "天")]),
        ("两艘船", [("2", "艘")]),
        ("20k元", [("20000", "CNY")]),
        ("RMB300万", [("3000000", "CNY")]),
        ("USD115", [("115", "USD")]),
        ("3 hundred", [("300", "")]),
        ("5 crore", [("50000000", "")]),
    ],
)
def test_scale_and_unit(text: str, expected: list[tuple[str, str]]) -> None:
    assert read(text) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("一又二分之一", "1.5"), ("负一又二分之一", "-1.5"), ("3又5分之1", "3.2"), ("百万分之五", "0.0005"), ("½ cup", "0.5"), ("2½", "2.5"),
        ("10 1/2 miles", "10.5"), ("1/4 of", "0.25"), ("1.3x10^6", "1300000"), ("5×10⁶", "5000000"), ("6.5e-3", "0.0065"), ("3万零500元", "30500"),
    ],
)  # fmt: skip
def test_fractions_and_powers(text: str, value: str) -> None:
    (found,) = find_numbers(text)
    assert found.value == Decimal(value)


@pytest.mark.parametrize(
    "text",
    ["两三天", "一两个", "七八百人", "三四成", "十七八岁", "一百零几万", "20几个", "二十几万", "数十亿", "版本3.2.1", "192.168.1.1", "第3.2.1节", "2^10",
     "several hundred people", "大二四个学期", "三五天", "从6am到9pm", "5 AM", "at 5 p.m.", "in their 20s", "the 2013-14 season", "2023.12",
     "电话15810666006", "2004届毕业生", "一年级"],
)  # fmt: skip
def test_vague_amounts_and_versions_have_no_value(text: str) -> None:
    assert find_numbers(text) == ()


@pytest.mark.parametrize(("text", "value"), [("十多万", 100_000), ("五百余万", 5_000_000), ("五十多人", 50)])
def test_a_little_more_is_approximate(text: str, value: int) -> None:
    (found,) = find_numbers(text)
    assert (found.value, found.approximate) == (value, True)


def test_a_number_before_a_word_that_merely_begins_like_a_vague_one_is_kept() -> None:
    assert read("三百数据中心") == [("300", "")]


@pytest.mark.parametrize(
    "piece", ["1", "1,", "1.", "一", "一二", "1万", "A.", "a-1", "2024-", "twenty ", "one hundred and ", "-"]
)
def test_time_grows_with_the_length_of_a_text_not_with_its_square(piece: str) -> None:
    def seconds(size: int) -> float:
        tries = []
        for _ in range(3):
            started = process_time()
            find_numbers(piece * (size // len(piece)))
            tries.append(process_time() - started)
        return min(tries)

    assert seconds(32_000) < 12 * seconds(8_000)
