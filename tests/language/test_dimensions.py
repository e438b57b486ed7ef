"""Which figures may answer a question that asks in a dimension."""

from __future__ import annotations

import pytest

from kaoju.language.asking import carries, read


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("How heavy is the S2?", "It weighs 210 grams.", "The battery holds 5,200 mAh."),
        ("How much does the parcel weigh?", "It comes to 3 pounds.", "It has 3 parts."),
        ("How much does the S2 cost?", "The price is 649 euros.", "The screen measures 6.1 inches."),
        ("How tall is the tower?", "It rises 120 metres.", "It has 2,300 visitors."),
        ("审批要多久？", "审批需要5个工作日。", "审批费用为5万元。"),
        ("这台设备多重？", "设备净重35公斤。", "设备功率为35千瓦。"),
        ("门票多少钱？", "门票每张80元。", "每天接待80人次。"),
        ("满意度是百分之几？", "满意度为87%。", "共有87人参加。"),
    ],
)
def test_only_a_figure_of_the_asked_dimension_answers(question: str, right: str, wrong: str) -> None:
    asked = read(question)
    assert carries(asked, right)
    assert not carries(asked, wrong)


def test_a_question_in_no_dimension_takes_any_figure() -> None:
    assert carries(read("多少？"), "共有87人参加。")
