"""The JSON contract: how typed values look to scripts.

One function per command's document. Field names and nesting are fixed; tests
pin them. Nothing here decides anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kaoju.model.answer import Answer, Citation, Claim, TaskReport
from kaoju.model.document import IngestReport, Passage
from kaoju.model.evidence import Evidence, Locator
from kaoju.model.plan import Plan, TaskState
from kaoju.model.verdict import Sufficiency
from kaoju.runtime.research import Research

Json = dict[str, Any]


def locator_json(locator: Locator) -> Json:
    """Return page, section, start, end and rows; null where there is none."""
    return {
        "page": locator.page,
        "section": locator.section,
        "start": locator.start,
        "end": locator.end,
        "rows": list(locator.rows) if locator.rows else None,
    }


def answer_json(answer: Answer) -> Json:
    """Return the document of `kaoju ask --json`."""
    return {
        "run_id": answer.run_id,
        "question": answer.question,
        "status": answer.status,
        "language": answer.language,
        "answer": answer.answer,
        "claims": [_claim(claim) for claim in answer.claims],
        "citations": [_citation(citation) for citation in answer.citations],
        "missing": list(answer.missing),
        "notes": list(answer.notes),
        "confidence": round(answer.confidence, 4),
        "intervention_index": answer.intervention_index,
        "plan": _run_plan(answer),
        "usage": {
            "model_calls": answer.usage.model_calls,
            "prompt_tokens": answer.usage.prompt_tokens,
            "completion_tokens": answer.usage.completion_tokens,
            "tool_calls": answer.usage.tool_calls,
        },
        "timings": {
            "total_ms": round(answer.timings.total_ms, 1),
            "planning_ms": round(answer.timings.planning_ms, 1),
            "tools_ms": round(answer.timings.tools_ms, 1),
            "model_ms": round(answer.timings.model_ms, 1),
            "engine_ms": round(answer.timings.engine_ms, 1),
        },
    }


def task_json(task: TaskReport) -> Json:
    """Return one task as it went."""
    return {
        "id": task.id,
        "purpose": task.purpose,
        "tool": task.tool,
        "query": task.query,
        "arguments": dict(task.arguments),
        "depends_on": list(task.depends_on),
        "state": str(task.state),
        "attempts": task.attempts,
        "confidence": round(task.confidence, 4),
        "evidence": task.evidence,
    }


def plan_json(plan: Plan) -> Json:
    """Return the document of `kaoju plan --json`: a plan that has not run yet."""
    return {
        "type": str(plan.type),
        "origin": plan.origin,
        "tasks": [
            {
                "id": task.id,
                "purpose": task.purpose,
                "tool": task.tool,
                "query": task.query,
                "arguments": dict(task.arguments),
                "depends_on": list(task.depends_on),
                "need": task.need,
                "reason": task.reason,
                "state": str(TaskState.PENDING),
            }
            for task in plan.tasks
        ],
        "needs": [{"id": need.id, "text": need.text, "anchors": list(need.anchors)} for need in plan.needs],
        "notes": list(plan.notes),
        "unanswerable": plan.unanswerable,
    }


def passages_json(passages: Iterable[Passage | Evidence]) -> Json:
    """Return the document of `kaoju retrieve --json`."""
    return {"passages": [_passage(passage) for passage in passages]}


def research_json(research: Research, k: int) -> Json:
    """Return the document of `kaoju research --json`: the k most useful pieces of evidence, plan and verdict."""
    return {
        **passages_json(research.evidence[:k]),
        "plan": _run_plan(research),
        "sufficiency": sufficiency_json(research.sufficiency),
    }


def sufficiency_json(sufficiency: Sufficiency) -> Json:
    """Return the verdict on each need."""
    return {
        "sufficient": sufficiency.sufficient,
        "confidence": round(sufficiency.confidence, 4),
        "needs": [
            {
                "id": need.need_id,
                "coverage": need.coverage,
                "confidence": round(need.confidence, 4),
                "reason": need.reason,
                "gap": need.gap,
            }
            for need in sufficiency.needs
        ],
    }


def report_json(report: IngestReport) -> Json:
    """Return the document of `kaoju ingest --json`: totals, and every file that is not plainly in."""
    counts = {
        status: sum(file.status == status for file in report.files)
        for status in ("ingested", "unchanged", "skipped", "failed", "pruned")
    }
    return {
        "documents": report.documents,
        "chunks": report.chunks,
        "tables": report.tables,
        "files": counts,
        "skipped": [
            _file(file.path, file.reason, file.detail) for file in report.files if file.status == "skipped"
        ],
        "failed": [
            _file(file.path, file.reason, file.detail) for file in report.files if file.status == "failed"
        ],
        "pages": report.pages,
        "seconds": round(report.seconds, 2),
    }


def _passage(passage: Passage | Evidence) -> Json:
    return {
        "document_id": passage.document_id,
        "chunk_id": passage.chunk_id,
        "score": round(passage.score, 4),
        "text": passage.text,
        "locator": locator_json(passage.locator),
    }


def _run_plan(run: Answer | Research) -> Json:
    return {
        "type": str(run.plan.type),
        "rounds": run.rounds,
        "tasks": [task_json(task) for task in run.tasks],
    }


def _file(path: str, reason: str, detail: str) -> Json:
    return {"path": path, "reason": reason, "detail": detail}


def _claim(claim: Claim) -> Json:
    return {
        "text": claim.text,
        "citations": list(claim.citations),
        "verdict": claim.verdict,
        "confidence": round(claim.confidence, 4),
        "reason": claim.reason,
    }


def _citation(citation: Citation) -> Json:
    return {
        "n": citation.n,
        "document_id": citation.document_id,
        "title": citation.title,
        "locator": locator_json(citation.locator),
        "quote": citation.quote,
        "task_id": citation.task_id,
    }
