"""Names: precision before recall, exact slices, both languages."""

import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaoju.language.names import find_names

_PIECES = st.sampled_from(
    [
        "Christopher Nolan",
        " and ",
        "The ",
        "of ",
        "A-7731",
        "《红楼梦》",
        "“引",
        "”",
        "北辰项目",
        "有限公司",
        "Dr. ",
        "U.S.",
        "'s ",
        "X",
        ".",
        " ",
        "张伟",
        "和",
        "Q3",
    ]
)


def named(text: str) -> list[tuple[str, str]]:
    """Return the names of a text as (text, kind)."""
    return [(name.text, name.kind) for name in find_names(text)]


@given(st.one_of(st.text(max_size=50), st.lists(_PIECES, max_size=8).map("".join)))
def test_any_text(text: str) -> None:
    found = find_names(text)
    assert all(text[n.start : n.end] == n.text and n.text.strip() for n in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("北辰项目的负责人张伟在哪里办公", [("北辰项目", "name"), ("张伟", "name")]),
        ("对比A-7731和B-22的价格", [("A-7731", "code"), ("B-22", "code")]),
        ("《红楼梦》的作者", [("红楼梦", "title")]),
        ("上海浦东发展银行股份有限公司的总部", [("上海浦东发展银行股份有限公司", "name")]),
        (
            "Christopher Nolan and Sathish Kalathil directed it",
            [("Christopher Nolan", "name"), ("Sathish Kalathil", "name")],
        ),
        ("Was Johnson and Johnson fined?", [("Johnson and Johnson", "name")]),
        (
            "the Department of Health and Human Services",
            [("Department of Health and Human Services", "name")],
        ),
        ("the gap between Apple and Microsoft", [("Apple", "name"), ("Microsoft", "name")]),
        (
            "Which film came out first, The Prairie King or The Last Stand?",
            [("Prairie King", "name"), ("Last Stand", "name")],
        ),
        ("Where was Dr. Smith born?", [("Dr. Smith", "name")]),
        ("who wrote “the quiet sea”", [("the quiet sea", "quoted")]),
        ("Sales in China", [("China", "name")]),
        ("economy of the U.S. today", [("U.S.", "name")]),
        ("how long is Old Bridge", [("Old Bridge", "name")]),
        ("What is the battery capacity of the S2 Pro?", [("S2 Pro", "code")]),
    ],
)
def test_names(text: str, expected: list[tuple[str, str]]) -> None:
    assert named(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Revenue rose sharply.",
        "Which is larger?",
        "Sales fell. Profits rose.",
        "What happened in March?",
        "哪个项目最好",
        "Q3 2024",
        "3rd place",
        "The budget",
    ],
)
def test_ordinary_words_are_no_names(text: str) -> None:
    assert named(text) == []


def test_a_company_that_opens_a_sentence_is_named() -> None:
    assert named("Nvidia reported growth.") == [("Nvidia", "name")]


def test_texts_without_chinese_do_not_load_the_chinese_tagger() -> None:
    import subprocess

    code = "import sys; from kaoju.language.names import find_names; find_names('Where does Anna Berg of Nordwind work?'); print('jieba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
