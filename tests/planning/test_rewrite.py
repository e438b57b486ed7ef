"""Spoken style becomes search style; relative times are spelled out against the reference date."""

from __future__ import annotations

from datetime import date

import pytest

from kaoju.planning.rewrite import search_style


@pytest.mark.parametrize(
    ("said", "searched"),
    [
        ("请问一下，年假有几天？", "年假有几天？"),
        ("麻烦帮我查一下报销流程，谢谢！", "报销流程"),
        ("你好，咱们公司到底有几个食堂啊？", "公司有几个食堂？"),
        ("去年的营收是多少？", "2025年的营收是多少？"),
        ("上季度的销量", "2025年第四季度的销量"),
        ("Could you please tell me who leads Beacon?", "who leads Beacon?"),
        ("What was the revenue last year?", "What was the revenue 2025?"),
        ("What happened in November?", "What happened in November?"),
        ("2024年的营收", "2024年的营收"),
    ],
)
def test_a_question_becomes_a_query(said: str, searched: str) -> None:
    assert search_style(said, date(2026, 1, 15)) == searched


def test_nothing_but_politeness_stays_as_it_is() -> None:
    assert search_style("谢谢", date(2026, 1, 15))
