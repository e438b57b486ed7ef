from __future__ import annotations

import threading

import pytest

from kaoju.errors import KnowledgeBaseError, ModelError
from kaoju.model.document import Passage
from kaoju.model.evidence import Locator
from kaoju.model.tool import Failed, Fallback, Succeeded, ToolCall
from kaoju.tools.search import Part, keyword_search, semantic_search

PASSAGE = Passage(
    document_id="a.md",
    chunk_id="a.md#1",
    title="A",
    text="年假最多结转五天",
    locator=Locator(page=2, start=3, end=11),
    score=0.71,
    semantic=0.83,
    date="2024-05-01",
)


def made(**arguments: object) -> ToolCall:
    return ToolCall(run_id="r", task_id="t7", attempt=1, tool="x", arguments=arguments)  # type: ignore[arg-type]  # any JSON, wrong kinds too


async def test_passages_become_evidence_with_their_place() -> None:
    asked: list[tuple[str, int, str, bool]] = []

    def search(query: str, k: int, mode: str, part: Part) -> list[Passage]:
        asked.append((query, k, mode, threading.current_thread() is threading.main_thread()))
        return [PASSAGE]

    outcome = await semantic_search(search).run(made(query=" 年假结转 ", k=3))
    assert isinstance(outcome, Succeeded)
    item = outcome.evidence[0]
    assert (item.kind, item.text, item.chunk_id, item.locator) == (
        "passage",
        PASSAGE.text,
        "a.md#1",
        PASSAGE.locator,
    )
    assert (item.confidence, item.score, item.semantic, item.date) == (0.71, 0.71, 0.83, "2024-05-01")
    assert (item.task_id, item.query, outcome.confidence) == ("t7", "年假结转", 0.71)
    await keyword_search(search).run(made(query="A-7731"))
    assert asked == [("年假结转", 3, "semantic", False), ("A-7731", 5, "keyword", False)]


async def test_nothing_found_is_a_finding() -> None:
    outcome = await keyword_search(lambda *_: ()).run(made(query="A-7731"))
    assert isinstance(outcome, Succeeded)
    assert (outcome.evidence, outcome.confidence) == ((), 0.0)
    assert "A-7731" in outcome.notes[0]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (KnowledgeBaseError("locked", "被占用"), "UPSTREAM_5XX"),
        (ModelError("rate_limited", "slow down"), "RATE_LIMITED"),
        (ModelError("unreachable", "gone"), "UPSTREAM_5XX"),
    ],
)
async def test_a_source_that_fails_is_a_retryable_failure(error: Exception, code: str) -> None:
    def search(query: str, k: int, mode: str, part: Part) -> list[Passage]:
        raise error

    outcome = await semantic_search(search).run(made(query="年假"))
    assert isinstance(outcome, Failed)
    assert (outcome.code, outcome.retryable) == (code, True)


def test_semantic_search_falls_back_to_keyword_search() -> None:
    assert semantic_search(lambda *_: ()).spec.fallback == (Fallback(tool="keyword_search"),)
