"""Written-out numbers: every Chinese numeral reads back as the number it was written from."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaoju.language.numerals import HAN, han_value

_DIGITS = "零一二三四五六七八九"
_UNITS = ("", "十", "百", "千")


def written(number: int) -> str:
    """Write a number as Chinese does, independently of the reader under test."""
    if number == 0:
        return "零"
    groups = []
    while number:
        number, group = divmod(number, 10_000)
        groups.append(group)
    text = ""
    for place in reversed(range(len(groups))):
        group = groups[place]
        if not group:
            continue
        if text and (group < 1000 or groups[place + 1] == 0):
            text += "零"
        text += _group(group) + ("", "万", "亿", "兆")[place]
    return text.removeprefix("一") if text.startswith("一十") else text


def _group(group: int) -> str:
    text, skipped = "", False
    for place in (3, 2, 1, 0):
        digit = group // 10**place % 10
        if digit:
            text += ("零" if skipped and text else "") + _DIGITS[digit] + _UNITS[place]
            skipped = False
        else:
            skipped = True
    return text


@given(st.one_of(st.integers(0, 10**4), st.integers(0, 10**8), st.integers(0, 10**12)))
def test_numerals_read_back_exactly(number: int) -> None:
    assert han_value(written(number)) == number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("一万五千亿", 15 * 10**11),
        ("四万万", 4 * 10**8),
        ("三百二十万", 3_200_000),
        ("两千三", 2300),
        ("一万三", 13_000),
        ("两千零三", 2003),
        ("三千零五十", 3050),
        ("二〇二四", 2024),
        ("壹佰贰拾叁", 123),
        ("廿五", 25),
        ("三点一四", Decimal("3.14")),
        ("一点五亿", 150_000_000),
        ("十万零五百", 100_500),
    ],
)
def test_numerals(text: str, value: Decimal | int) -> None:
    assert han_value(text) == value


@pytest.mark.parametrize("text", ["", "万", "一二十三四", "五十千", "三点", "十百", "一百千", "点五", "abc"])
def test_what_is_no_numeral_has_no_value(text: str) -> None:
    assert han_value(text) is None


@given(st.text(alphabet=HAN + "点", max_size=12))
def test_no_row_of_numerals_raises(text: str) -> None:
    han_value(text)
