"""Relations of relations: each link a step, bound to whom the sentence really names."""

from __future__ import annotations

import pytest

from kaoju.model.evidence import Evidence, Locator
from kaoju.planning.hops import bridges
from kaoju.planning.nesting import steps


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("贺文的上级负责管理哪个办公室？", ("贺文的上级", "{t1} 负责管理哪个办公室")),
        ("王芳的导师毕业于哪所大学？", ("王芳的导师", "{t1} 毕业于哪所大学")),
        ("李楠的直属上司的邮箱是什么？", ("李楠的直属上司", "{t1} 邮箱是什么")),
    ],
)
def test_a_superior_is_a_link_in_chinese(question: str, found: tuple[str, ...]) -> None:
    assert steps(question, "zh") == found


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What is the email of Tara Wells's supervisor?", "Tara Wells's supervisor"),
        ("Where does the boss of Tara Wells work?", "boss of Tara Wells"),
        ("Who manages the manager of Tara Wells?", "manager of Tara Wells"),
    ],
)
def test_a_superior_is_a_link_in_english(question: str, first: str) -> None:
    found = steps(question, "en")
    assert found[0] == first
    assert "{t1}" in found[1]


def test_asking_for_the_superior_alone_is_of_one_piece() -> None:
    assert steps("贺文的上级是谁？", "zh") == ()


@pytest.mark.parametrize(
    ("query", "text", "name"),
    [
        (
            "manager of Tara Wells",
            "Tara Wells is an analyst at Orchid Labs. Her manager is Ben Ortiz.",
            "Ben Ortiz",
        ),
        ("贺文的上级", "贺文常驻苏州。他的上级是林远。", "林远"),
    ],
)
def test_a_pronoun_speaks_of_the_sentence_before(query: str, text: str, name: str) -> None:
    piece = Evidence(
        id="e1", kind="passage", text=text, document_id="d", title="", locator=Locator(), tool="t", score=0.8
    )
    assert bridges(query, (piece,))[0].name == name
