"""Sentences: where a full stop ends one, and where it belongs to a word, a figure or a list."""

import pytest

from kaoju.language.sentences import sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("请见No. 5。另见附录。", ["请见No. 5。", "另见附录。"]),
        ("I live in the U.S. It is big.", ["I live in the U.S.", "It is big."]),
        ("The U.S. Senate voted.", ["The U.S. Senate voted."]),
        ("Some papers, e.g. The Times, agree.", ["Some papers, e.g. The Times, agree."]),
        ("Apple Inc. said so. Then it rose.", ["Apple Inc. said so.", "Then it rose."]),
        ("It cost $3.5 million. Really?! Yes.", ["It cost $3.5 million.", "Really?!", "Yes."]),
        ("价格为3.5元。版本3.2.1发布。", ["价格为3.5元。", "版本3.2.1发布。"]),
        ("- 甲\n- 乙\n\n| a | b |\n| 1 | 2 |", ["- 甲", "- 乙", "| a | b |", "| 1 | 2 |"]),
        ("「好嗎？」她問。", ["「好嗎？」", "她問。"]),
        ("第一条；第二条。", ["第一条；", "第二条。"]),
    ],
)
def test_boundaries(text: str, expected: list[str]) -> None:
    assert [s.text for s in sentences(text)] == expected
