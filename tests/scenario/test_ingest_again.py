"""Case G, end to end: what is taken in twice is one source, in retrieval, in answers and in what is counted."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from kaoju import Kaoju

NOW = date(2025, 1, 15)
FACT = "蓝鲸项目的负责人是周航。蓝鲸项目于2022年5月启动。"
WHO = "蓝鲸项目的负责人是谁？"


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "蓝鲸.md").write_text(f"# 蓝鲸项目\n\n{FACT}\n", encoding="utf-8")
    (folder / "食堂.md").write_text("# 食堂\n\n食堂每天中午十一点半开门，周末不开放。\n", encoding="utf-8")
    return folder


def opened(tmp_path: Path, embedder: Any) -> Kaoju:
    return Kaoju.open(tmp_path / "kb", create=True, model="none", embedder=embedder)


def plain(text: str) -> str:
    return "".join(text.split())


async def test_taking_the_same_files_in_again_changes_nothing(
    tmp_path: Path, papers: Path, embedder: Any
) -> None:
    async with opened(tmp_path, embedder) as engine:
        first = await engine.ingest([papers])
        before = await engine.ask(WHO, now=NOW)
        again = await engine.ingest([papers])
        after = await engine.ask(WHO, now=NOW)
        passages = await engine.retrieve(WHO, k=10)
    assert (first.documents, first.chunks) == (again.documents, again.chunks)
    assert {file.status for file in again.files} == {"unchanged"}
    assert before.status == after.status == "answered"
    assert (before.answer, before.citations) == (after.answer, after.citations)
    assert len({p.chunk_id for p in passages}) == len(passages)


async def test_a_copy_under_another_name_is_no_second_witness(
    tmp_path: Path, papers: Path, embedder: Any
) -> None:
    async with opened(tmp_path, embedder) as engine:
        await engine.ingest([papers])
        alone = await engine.ask(WHO, now=NOW)
        for n in range(3):
            (papers / f"蓝鲸副本{n}.md").write_text((papers / "蓝鲸.md").read_text("utf-8"), encoding="utf-8")
        await engine.ingest([papers])
        answer = await engine.ask(WHO, now=NOW)
        passages = await engine.retrieve(WHO, k=10)
    assert answer.status == "answered"
    assert len(answer.citations) == len(alone.citations)
    assert answer.confidence == pytest.approx(alone.confidence, abs=0.02), "copies make nothing surer"
    texts = [plain(passage.text) for passage in passages]
    assert len(texts) == len(set(texts))


async def test_a_changed_file_is_answered_from_as_it_is_now(
    tmp_path: Path, papers: Path, embedder: Any
) -> None:
    async with opened(tmp_path, embedder) as engine:
        await engine.ingest([papers])
        assert "周航" in (await engine.ask(WHO, now=NOW)).answer
        (papers / "蓝鲸.md").write_text("# 蓝鲸项目\n\n蓝鲸项目的负责人是沈岳。\n", encoding="utf-8")
        await engine.ingest([papers])
        answer = await engine.ask(WHO, now=NOW)
    assert "沈岳" in answer.answer
    assert "周航" not in answer.answer


async def test_a_pruned_file_is_not_answered_from(tmp_path: Path, papers: Path, embedder: Any) -> None:
    async with opened(tmp_path, embedder) as engine:
        await engine.ingest([papers])
        (papers / "蓝鲸.md").unlink()
        await engine.ingest([papers], prune=True)
        answer = await engine.ask(WHO, now=NOW)
    assert answer.status == "insufficient"
    assert "周航" not in answer.answer


async def test_a_table_that_is_added_while_open_can_be_asked_at_once(
    tmp_path: Path, papers: Path, embedder: Any
) -> None:
    async with opened(tmp_path, embedder) as engine:
        await engine.ingest([papers])
        await engine.ask(WHO, now=NOW)
        (papers / "支出.csv").write_text("项目,实际支出\n晨星,130\n青岚,190\n", encoding="utf-8")
        await engine.ingest([papers])
        answer = await engine.ask("哪个项目实际支出最高？", now=NOW)
    assert [task.tool for task in answer.tasks] == ["sql_query"]
    assert "青岚" in answer.answer
