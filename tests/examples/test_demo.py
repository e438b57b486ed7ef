"""The five questions of `make demo`, answered without a model, judged by their expectations."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
import pytest_asyncio

from expectations import Expected, load, problems
from kaoju import Kaoju
from kaoju.knowledge.base import KnowledgeBase
from kaoju.model.answer import Answer
from kaoju.model.plan import PlanType

EXAMPLES = Path(__file__).parents[2] / "examples"

QUESTIONS = {expected.id: expected for expected in load(EXAMPLES / "questions.jsonl")}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    kb = tmp_path_factory.mktemp("demo") / "kb"
    async with Kaoju.open(kb, create=True, model="none") as engine:
        report = await engine.ingest([EXAMPLES / "beichen"])
        assert [file.path for file in report.files if file.status in {"failed", "skipped"}] == []
    return kb


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def answers(folder: Path) -> dict[str, Answer]:
    async with Kaoju.open(folder, model="none") as engine:
        return {key: await engine.ask(q.question, now=q.now) for key, q in QUESTIONS.items()}


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("expected", QUESTIONS.values(), ids=lambda q: q.id)
async def test_the_answer_is_as_expected(expected: Expected, answers: dict[str, Answer]) -> None:
    answer = answers[expected.id]
    assert problems(answer, expected) == (), answer.answer


@pytest.mark.asyncio(loop_scope="module")
async def test_each_question_is_attacked_in_its_own_way(answers: dict[str, Answer]) -> None:
    tools = {key: [task.tool for task in answer.tasks] for key, answer in answers.items()}
    assert len(tools["leave"]) == 1
    assert answers["start"].plan.type is PlanType.COMPARE
    independent = [task for task in answers["start"].tasks if not task.depends_on]
    assert len(independent) >= 2
    assert any(task.depends_on for task in answers["office"].tasks)
    assert "sql_query" in tools["overrun"]


@pytest.mark.asyncio(loop_scope="module")
async def test_the_unanswerable_one_says_what_was_searched(answers: dict[str, Answer]) -> None:
    answer = answers["carbon"]
    assert answer.status == "insufficient"
    assert answer.missing
    assert answer.usage.tool_calls > 0
    assert all(claim.verdict == "supported" for claim in answer.claims)


@pytest.mark.asyncio(loop_scope="module")
async def test_no_model_was_asked(answers: dict[str, Answer]) -> None:
    assert [answer.usage.model_calls for answer in answers.values()] == [0] * len(answers)


@pytest.mark.asyncio(loop_scope="module")
async def test_every_citation_opens_the_exact_place(folder: Path, answers: dict[str, Answer]) -> None:
    citations = [citation for answer in answers.values() for citation in answer.citations]
    prose = [citation for citation in citations if citation.locator.start is not None]
    assert prose
    with closing(KnowledgeBase.open(folder)) as base:
        for citation in prose:
            place = citation.locator
            text = base.document_text(citation.document_id, place.page)
            assert text[place.start : place.end] == citation.quote
    rows = [citation for citation in citations if citation.locator.start is None]
    assert all(citation.locator.rows for citation in rows)
