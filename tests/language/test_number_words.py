"""English number words: what is written reads back, and what has no single reading is left alone."""

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaoju.language.number_words import find_words

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    " seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def spell(number: int, *, british: bool) -> str:
    """Write a whole number in words."""
    for size, name in ((10**9, "billion"), (10**6, "million"), (10**3, "thousand"), (100, "hundred")):
        if number >= size:
            head, rest = f"{spell(number // size, british=british)} {name}", number % size
            if not rest:
                return head
            glue = " and " if british and rest < 100 else " "
            return head + glue + spell(rest, british=british)
    if number < 20:
        return _ONES[number]
    tens = _TENS[number // 10 - 2]
    return f"{tens}-{_ONES[number % 10]}" if number % 10 else tens


def values(text: str) -> list[Decimal]:
    return [found.value for found in find_words(text)]


@given(st.integers(2, 10**12 - 1), st.booleans())
def test_written_numbers_read_back(number: int, british: bool) -> None:
    words = spell(number, british=british)
    (found,) = find_words(f"there were {words} of them")
    assert (found.value, found.ordinal) == (number, False)
    assert f"there were {words} of them"[found.start : found.end] == words


_WORDS = st.sampled_from(
    [*_ONES, *_TENS, "hundred", "thousand", "million", "dozen", "half", "quarter", "quarters", "third", "thirds", "first", "twentieth",
     "a", "an", "and", "point", "minus", "of", "last", "-", "\n", "years"]
)  # fmt: skip


@given(st.one_of(st.text(max_size=60), st.lists(_WORDS, max_size=10).map(" ".join)))
def test_any_row_of_words_is_read_in_order_and_in_place(text: str) -> None:
    found = list(find_words(text))
    assert all(0 <= n.start < n.end <= len(text) and n.value.is_finite() for n in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert all(not text[n.start].isspace() and not text[n.end - 1].isspace() for n in found)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("between two and three", ["2", "3"]),
        ("one hundred and two hundred", ["100", "200"]),
        ("two thousand and three hundred", ["2300"]),
        ("a hundred and five", ["105"]),
        ("twelve hundred", ["1200"]),
        ("half a million", ["500000"]),
        ("a quarter million", ["250000"]),
        ("two dozen", ["24"]),
        ("half a dozen", ["6"]),
        ("two and a half million", ["2500000"]),
        ("a million and a half", ["1500000"]),
        ("one billion and a half million", ["1000500000"]),
        ("one point two billion", ["1200000000"]),
        ("two hundred point seventy-one", ["200.71"]),
        ("minus five point five", ["-5.5"]),
        ("three-quarters", ["0.75"]),
        ("three and one fourth", ["3.25"]),
        ("a fifth of them", ["0.2"]),
        ("fifty-four hundredths", []),
    ],
)
def test_readings(text: str, expected: list[str]) -> None:
    assert values(text) == [Decimal(value) for value in expected]


@pytest.mark.parametrize(
    ("text", "value"), [("twenty-first", 21), ("one hundred twenty-fifth", 125), ("thirtieth", 30)]
)
def test_compound_ordinals(text: str, value: int) -> None:
    (found,) = find_words(text)
    assert (found.value, found.ordinal) == (value, True)


@pytest.mark.parametrize(
    "text",
    ["one", "no one", "the first", "a second", "the first half", "a third party", "one two three", "nineteen eighty-four", "twenty twenty",
     "several hundred", "hundreds", "a few thousand", "the last three quarters", "two quarters of 2023", "twenty-firsts", "and a half",
     "one hundred thirty fifths", "three trillionth"],
)  # fmt: skip
def test_what_has_no_single_reading_or_is_vague_is_left_alone(text: str) -> None:
    assert values(text) == []
