"""What each outcome of a task is worth, and what follows."""

from __future__ import annotations

import pytest

from kaoju.judging.reflect import reflect
from kaoju.model.evidence import Evidence, Locator
from kaoju.model.plan import Task
from kaoju.model.tool import Failed, NeedsApproval, Succeeded, ToolOutcome


def task(tool: str = "semantic_search") -> Task:
    return Task(id="t1", purpose="find the budget", tool=tool, query="budget of Atlas")


def found(confidence: float, **more: object) -> Evidence:
    return Evidence(
        id="e1", kind="passage", text="x", document_id="d", title="", locator=Locator(), tool="", confidence=confidence,
        **more,  # type: ignore[arg-type]  # its own fields
    )  # fmt: skip


@pytest.mark.parametrize(
    ("outcome", "seconds", "valid", "action"),
    [
        (Succeeded(evidence=(found(0.9),)), 0.1, True, "continue"),
        (Succeeded(evidence=()), 0.1, False, "fallback"),
        (Succeeded(evidence=(found(0.3),)), 0.1, False, "fallback"),
        (Succeeded(evidence=(found(0.6),)), 6.0, False, "retry"),
        (Succeeded(evidence=(found(0.6),)), 1.0, True, "continue"),
        (Succeeded(evidence=(found(0.2), found(0.9))), 1.0, True, "continue"),
        (Failed(code="TIMEOUT", message="slow", retryable=True), 2.0, False, "retry"),
        (Failed(code="SQL_ERROR", message="bad", retryable=False), 2.0, False, "fallback"),
        (Failed(code="PERMISSION_DENIED", message="no", retryable=False), 0.0, False, "halt"),
        (NeedsApproval(reason="pays money"), 0.0, False, "halt"),
    ],
)
def test_every_outcome_has_its_verdict(
    outcome: ToolOutcome, seconds: float, valid: bool, action: str
) -> None:
    verdict = reflect(task(), outcome, seconds)
    assert (verdict.valid, verdict.action) == (valid, action)
    assert verdict.reason
    assert 0.0 <= verdict.confidence <= 1.0


@pytest.mark.parametrize(
    "evidence", [(), (found(0.75, rows=({"value": 3},)),), (found(0.95, rows=({"value": None},)),)]
)
def test_a_numeric_task_that_is_empty_or_doubtful_never_becomes_an_estimate(
    evidence: tuple[Evidence, ...],
) -> None:
    verdict = reflect(task("sql_query"), Succeeded(evidence=evidence), 0.1)
    assert not verdict.valid
    assert verdict.action == "halt"
    assert "insufficient data" in verdict.reason


def test_timeouts_cost_confidence() -> None:
    whole = reflect(task(), Succeeded(evidence=(found(0.8),)), 0.1)
    halved = reflect(task(), Succeeded(evidence=(found(0.8),)), 0.1, timeout_ratio=0.5)
    assert halved.confidence == pytest.approx(whole.confidence / 2)


def test_the_reason_is_in_the_language_of_the_task() -> None:
    zh = Task(id="t1", purpose="查找启明项目的预算", tool="semantic_search", query="启明项目 预算")
    assert "没有" in reflect(zh, Succeeded(evidence=()), 0.1).reason
