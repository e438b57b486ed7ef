"""The example collection is what its sources and its questions say."""

from __future__ import annotations

from pathlib import Path

import pytest

import make_beichen
from expectations import Expected, load

EXAMPLES = Path(__file__).parents[2] / "examples"

DEMO = load(EXAMPLES / "questions.jsonl")
ALL = (*DEMO, *load(EXAMPLES / "questions_more.jsonl"))


def test_binary_files_come_from_their_sources(tmp_path: Path) -> None:
    make_beichen.main(tmp_path)
    made = sorted(path for path in tmp_path.rglob("*") if path.is_file())
    assert len(made) == 4
    stale = [
        path.name for path in made if path.read_bytes() != _committed(path.relative_to(tmp_path)).read_bytes()
    ]
    assert stale == [], "run examples/make_beichen.py"


def test_the_demo_shows_each_kind_once_in_both_languages() -> None:
    assert [q.kind for q in DEMO] == ["simple", "compare", "multi_hop", "aggregate", "unanswerable"]
    assert any(q.question.isascii() for q in DEMO)


def test_ids_and_questions_are_unique() -> None:
    assert len({q.id for q in ALL}) == len({q.question for q in ALL}) == len(ALL) == 45


@pytest.mark.parametrize("expected", ALL, ids=lambda q: q.id)
def test_expectations_name_documents_of_the_collection(expected: Expected) -> None:
    notices = (EXAMPLES / "beichen" / "support" / "notices.jsonl").read_text(encoding="utf-8")
    absent = [
        name
        for options in expected.cites
        for name in options
        if not _committed(Path(name)).exists() and f'"{name}"' not in notices
    ]
    assert absent == []
    assert (
        (expected.kind == "unanswerable") == (expected.status == ("insufficient",)) == (not expected.contains)
    )


def _committed(name: Path) -> Path:
    return EXAMPLES / "beichen" / name
