"""What is found, in which order, and that spelling does not matter."""

import json
from datetime import date

import pytest

from kaoju.errors import UsageError
from kaoju.knowledge.ranking import PER_DOCUMENT

NOTICES = [
    (
        "n1",
        "关于网关固件的通知",
        "极光网关 AG-500 的固件升级到 3.2.1，序列号以 A-7731 开头的设备须先备份。",
        "2024-03-01",
    ),
    ("n2", "远山项目会议纪要", "远山项目的预算为一千二百万元，由王敏负责。", "2024-06-15"),
    (
        "n3",
        "Harbor review",
        "The harbor project was reviewed in August; Lena Hoff approved the overrun.",
        "2023-08-20",
    ),
    ("n4", "年假制度", "员工每年享有十天年假，未休部分可结转至次年三月。", None),
    ("n5", "Travel policy", "International travel must be approved two weeks in advance.", None),
]


@pytest.fixture
def kb(open_kb, tmp_path):
    file = tmp_path / "notices.jsonl"
    rows = [{"id": i, "title": t, "text": x, **({"date": d} if d else {})} for i, t, x, d in NOTICES]
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    made = open_kb()
    made.ingest([file])
    return made


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("A-7731", "n1"),
        ("a-7731", "n1"),
        ("Ａ－７７３１", "n1"),  # full width
        ("3.2.1", "n1"),
        ("AG-500 固件", "n1"),
        ("網關固件", "n1"),  # traditional query, simplified text
        ("年假 结转", "n4"),  # two words with a space
        ("预算", "n2"),  # one word of two characters
        ("王敏", "n2"),  # a name that no dictionary has to know
        ("ＨＡＲＢＯＲ", "n3"),
        ("hoff", "n3"),
    ],
)
@pytest.mark.parametrize("mode", ["keyword", "hybrid", "auto"])
def test_spelling_width_and_script_do_not_matter(kb, query, wanted, mode) -> None:
    found = kb.search(query, mode=mode)
    assert found[0].document_id == wanted
    assert found[0].text == next(text for i, _, text, _ in NOTICES if i == wanted)


@pytest.mark.parametrize(
    ("query", "same"), [("Ａ－７７３１", "A-7731"), ("網關固件", "网关固件"), ("ＨＡＲＢＯＲ", "harbor")]
)
@pytest.mark.parametrize("mode", ["keyword", "hybrid", "auto", "semantic"])
def test_a_spelling_finds_the_very_same_passages(kb, query, same, mode) -> None:
    assert [p.chunk_id for p in kb.search(query, mode=mode)] == [
        p.chunk_id for p in kb.search(same, mode=mode)
    ]


def test_traditional_text_is_found_by_a_simplified_query_and_shown_as_it_is(open_kb, tmp_path) -> None:
    (tmp_path / "t.md").write_text("國際差旅須經總經理審批。", encoding="utf-8")
    kb = open_kb()
    kb.ingest([tmp_path / "t.md"])
    assert kb.search("国际差旅 审批", mode="keyword")[0].text == "國際差旅須經總經理審批。"


@pytest.mark.parametrize("mode", ["auto", "semantic", "keyword", "hybrid"])
def test_scores_fall_and_stay_between_zero_and_one(kb, mode) -> None:
    found = kb.search("极光网关 harbor project 预算", k=5, mode=mode)
    scores = [p.score for p in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= p.score <= 1 and 0 <= p.lexical <= 1 and 0 < p.semantic <= 1.0001 for p in found)


def test_a_near_query_scores_higher_than_a_far_one(kb) -> None:
    near = kb.search("员工年假可以结转到次年吗")[0].score
    far = kb.search("quantum chromodynamics lattice")[0].score
    assert near > far + 0.2


@pytest.mark.parametrize(
    "query", ["", "   ", "\n", "。！？", "的", "?", "'; DROP TABLE chunks; --", '"unbalanced', "a" * 100_000]
)
@pytest.mark.parametrize("mode", ["auto", "semantic", "keyword", "hybrid"])
def test_odd_queries_never_fail(kb, query, mode) -> None:
    found = kb.search(query, mode=mode)
    assert len(found) <= 5
    if not query.strip():
        assert found == ()


def test_k_is_obeyed(kb) -> None:
    assert kb.search("项目 project", k=0) == ()
    assert len(kb.search("项目 project", k=1)) == 1
    assert len(kb.search("项目 project", k=1000)) == len(NOTICES)


def test_dates_documents_and_exclusion_narrow_the_search(kb) -> None:
    year = (date(2024, 1, 1), date(2025, 1, 1))
    assert {p.document_id for p in kb.search("项目 project", dates=year)} == {"n1", "n2"}
    assert {p.document_id for p in kb.search("项目", dates=(date(2024, 3, 1), date(2024, 6, 15)))} == {"n1"}
    assert {p.document_id for p in kb.search("项目", documents=["n2", "n4", "no such"])} == {"n2", "n4"}
    assert kb.search("项目", documents=[]) == ()
    assert "n2" not in {p.document_id for p in kb.search("远山项目", exclude=["n2"])}
    assert {p.document_id for p in kb.search("x", documents=["it's", "n5"])} == {"n5"}


def test_a_text_that_stands_in_several_documents_is_found_once(open_kb, tmp_path) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    for i in range(4):
        (folder / f"copy{i}.md").write_text("The launch code is 4711." + " " * i, encoding="utf-8")
    (folder / "other.md").write_text("The launch was delayed.", encoding="utf-8")
    kb = open_kb()
    kb.ingest([folder])
    found = kb.search("launch code", k=5)
    assert len([p for p in found if "4711" in p.text]) == 1
    assert len(found) == 2


def test_one_long_document_does_not_crowd_out_the_others(open_kb, tmp_path) -> None:
    folder = tmp_path / "crowd"
    folder.mkdir()
    (folder / "long.md").write_text(
        "\n\n".join(f"# part {i}\n\nrocket engine test number {i}" for i in range(30))
    )
    for i in range(4):
        (folder / f"short{i}.md").write_text(f"a rocket note by author{i}")
    kb = open_kb()
    kb.ingest([folder])
    found = [p.document_id for p in kb.search("rocket engine test", k=5)]
    assert found.count("long.md") == PER_DOCUMENT < 5
    assert len(found) == 5
    assert len(kb.search("rocket engine test", k=20)) == 20


def test_neighbours_are_the_passages_before_and_after(open_kb, tmp_path) -> None:
    (tmp_path / "d.md").write_text("\n\n".join(f"# part {i}\n\nbody {i}" for i in range(3)))
    kb = open_kb()
    kb.ingest([tmp_path / "d.md"])
    assert [p.chunk_id for p in kb.neighbours("d.md#1")] == ["d.md#0", "d.md#2"]
    assert [p.chunk_id for p in kb.neighbours("d.md#0")] == ["d.md#1"]
    assert kb.neighbours("unknown") == kb.neighbours("d.md#99") == ()


def test_the_text_at_a_locator_is_the_passage(kb) -> None:
    for passage in kb.search("项目 project", k=5):
        text = kb.document_text(passage.document_id, passage.locator.page)
        assert text[passage.locator.start : passage.locator.end] == passage.text
    with pytest.raises(UsageError, match="nothing here"):
        kb.document_text("nothing here")


def test_links_lead_from_a_mention_to_what_is_mentioned(kb) -> None:
    from_review = kb.search("Lena Hoff overrun", k=1)[0]
    assert kb.links("travel", ["no such chunk"]) == ()
    assert all(
        link.target.document_id != link.source.document_id for link in kb.links("x", [from_review.chunk_id])
    )


def test_new_rows_are_found_by_keywords_at_once(open_kb, tmp_path) -> None:
    kb = open_kb()
    reader = open_kb()
    for i in range(3):
        (tmp_path / f"d{i}.md").write_text(f"item XQ-{i}00 arrived")
        kb.ingest([tmp_path / f"d{i}.md"])
        assert [p.document_id for p in reader.search(f"XQ-{i}00", mode="keyword", k=1)] == [f"d{i}.md"]
