"""Two questions are one only where nothing but their wording differs."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaoju.tools.cache.signature import difference, read

NOW = date(2024, 5, 1)

SAME = [
    ("年假最多能休多少天？", "请问年休假上限是几天"),
    ("市场部2023年第一季度的差旅费是多少？", "2023年一季度市场部差旅费多少钱"),
    ("超过100万元的合同有几个？", "一百万元以上的合同有多少个"),
    ("张三的经理是谁", "谁是张三的经理"),
    ("今年市场部的预算是多少", "市场部2024年预算金额"),
    ("Ｓ１的保修期是多长时间", "S1 的质保期是多久？"),
    ("How much did Marketing spend on travel in Q1 2023?", "What was the travel spending of Marketing in the first quarter of 2023?"),
    ("How many days of annual leave do I get?", "How many vacation days do we get?"),
    ("What is the warranty period for the S1?", "How long is the S1 guaranteed?"),
    ("contracts over 1,000,000 yuan", "contracts above 1 million yuan"),
]  # fmt: skip

DIFFERENT = [
    ("市场部2023年差旅费", "研发部2023年差旅费", "words"),
    ("市场部2023年差旅费", "市场部2022年差旅费", "times"),
    ("上个月的销售额是多少", "本月的销售额是多少", "times"),
    ("5000元报销要谁批准", "50000元报销要谁批准", "numbers"),
    ("3 kg parcels cost how much", "3 lb parcels cost how much", "numbers"),
    ("S1的保修期", "S2的保修期", "names"),
    ("哪些员工没有参加培训", "哪些员工参加了培训", "words"),
    ("谁管理张三", "张三管理谁", "order"),
    ("张三是谁的经理", "张三的经理是谁", "words"),
    ("市场部比研发部高多少", "研发部比市场部高多少", "order"),
    ("超过100万元的合同有几个", "不超过100万元的合同有几个", "words"),
    ("预算最高的项目", "预算最低的项目", "words"),
    ("Who does Ann manage?", "Who manages Ann?", "order"),
    ("Did Acme acquire Beta?", "Did Beta acquire Acme?", "order"),
    ("Which products are in stock?", "Which products are not in stock?", "words"),
    ("average salary of engineers", "total salary of engineers", "words"),
    ("hotel limit for managers", "hotel limit for directors", "words"),
    ("contracts signed before 2023", "contracts signed after 2023", "times"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_paraphrases_agree(one: str, other: str) -> None:
    assert difference(read(one, NOW), read(other, NOW)) is None


@pytest.mark.parametrize(("one", "other", "facet"), DIFFERENT)
def test_near_misses_differ_and_say_in_what(one: str, other: str, facet: str) -> None:
    found = difference(read(one, NOW), read(other, NOW))
    assert found == facet
    assert difference(read(other, NOW), read(one, NOW)) == facet


def test_a_relative_date_counts_from_the_day_of_the_question() -> None:
    asked = "上个月的销售额是多少"
    assert difference(read(asked, date(2024, 5, 1)), read(asked, date(2024, 6, 1))) == "times"
    assert (
        difference(read(asked, date(2024, 5, 1)), read("2024年4月的销售额是多少", date(2025, 1, 1))) is None
    )


@given(st.text(max_size=80))
def test_any_text_agrees_with_itself(text: str) -> None:
    assert difference(read(text, NOW), read(text, NOW)) is None


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_two_amounts_agree_only_where_they_are_equal(one: int, other: int) -> None:
    a, b = (read(f"{value}元的合同由谁批准", NOW) for value in (one, other))
    assert (difference(a, b) is None) == (one == other)
