"""Normal forms, tokens, sentences and language: properties that hold for any text."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaoju.language.detect import detect
from kaoju.language.normalise import normalise
from kaoju.language.segment import terms, tokens
from kaoju.language.sentences import sentences

_TEXT = st.one_of(
    st.text(max_size=80),
    st.text(alphabet="ａＢ１２，。！？、“”「」繁體简體臺灣 Ééß-–—A.7'/&_\n", max_size=60),
)


@given(_TEXT)
def test_normalise_is_idempotent(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("臺灣企業", "台湾企业"),
        ("ＡＢＣ－１２３", "abc-123"),
        ("Café", "CAFE"),
        ("“引”", '"引"'),
        ("A—B", "a-b"),
        ("１２％", "12%"),
    ],
)
def test_variants_are_equal(one: str, other: str) -> None:
    assert normalise(one) == normalise(other)


@given(_TEXT)
def test_sentences_are_slices_in_order(text: str) -> None:
    found = sentences(text)
    assert all(text[s.start : s.end] == s.text and s.text.strip() == s.text and s.text for s in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


@given(_TEXT)
def test_sentences_lose_nothing_but_space(text: str) -> None:
    assert "".join("".join(s.text.split()) for s in sentences(text)) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("第一句。第二句！第三句？", 3),
        ("他说：“好的。”然后走了。", 2),
        ("Dr. Smith came. He left.", 2),
        ("It grew 3.5 percent. Then it fell.", 2),
        ("The U.S. economy grew.", 1),
        ("1. first item", 1),
        ("", 0),
    ],
)
def test_sentence_counts(text: str, count: int) -> None:
    assert len(sentences(text)) == count


@given(_TEXT)
def test_tokens_and_terms_of_any_text(text: str) -> None:
    assert all(token.strip() == token and token for token in tokens(text))
    assert tokens(text) == tokens(normalise(text))
    terms(text)


@pytest.mark.parametrize("text", ["A-7731", "订单A-7731的价格", "SKU-x9/7"])
def test_codes_stay_whole_and_in_parts(text: str) -> None:
    found = tokens(text)
    assert any("-" in token for token in found)
    assert any(token.isalnum() and token.isascii() for token in found)


@pytest.mark.parametrize(
    ("one", "other"), [("年假 天數", "年假天数"), ("ＡＩ 平台", "AI平台"), ("項目預算", "项目预算")]
)
def test_queries_in_other_dress_share_their_tokens(one: str, other: str) -> None:
    assert set(tokens(one)) == set(tokens(other))


def test_terms_leave_out_function_and_question_words() -> None:
    assert terms("北辰项目的负责人是谁") == ["北辰", "项目", "负责人"]
    assert "what" not in terms("What is the budget of the Harbor project?")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("北辰项目的预算是多少？", "zh"),
        ("Harbor project 的预算是多少", "zh"),
        ("What is the budget?", "en"),
        ("Who wrote 红楼梦 and when was it first published in English?", "en"),
        ("", "en"),
        ("12345", "en"),
    ],
)
def test_language(text: str, language: str) -> None:
    assert detect(text) == language


@given(_TEXT)
def test_every_text_has_a_language(text: str) -> None:
    assert detect(text) in ("zh", "en")
