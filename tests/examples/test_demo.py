"""The five questions of `make demo`, answered without a model, judged by their expectations."""

from __future__ import annotations

from pathlib import Path

import pytest
import pytest_asyncio

from expectations import Expected, load, problems
from kaoju import Kaoju
from kaoju.model.answer import Answer
from kaoju.model.plan import PlanType

EXAMPLES = Path(__file__).parents[2] / "examples"

QUESTIONS = {expected.id: expected for expected in load(EXAMPLES / "questions.jsonl")}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Answer]:
    async with Kaoju.open(tmp_path_factory.mktemp("demo") / "kb", create=True, model="none") as engine:
        report = await engine.ingest([EXAMPLES / "beichen"])
        assert [file.path for file in report.files if file.status in {"failed", "skipped"}] == []
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
