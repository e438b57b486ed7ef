"""How runs look to a person at a terminal, in the language of the question."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator

from kaoju.model.answer import Answer, Citation
from kaoju.model.document import IngestReport
from kaoju.model.event import (
    Answered,
    Checked,
    Event,
    Judged,
    Noted,
    Planned,
    RunStarted,
    TaskFinished,
    TaskStarted,
)
from kaoju.model.evidence import Locator
from kaoju.model.plan import Plan, Task
from kaoju.model.question import Language

STATUS = {
    "answered": ("answered", "已回答"),
    "partial": ("answered in part", "部分回答"),
    "insufficient": ("not known", "资料不足"),
    "needs_review": ("waits for a person", "等待人工"),
    "failed": ("failed", "失败"),
    "cancelled": ("cancelled", "已取消"),
}
COVERAGE = {
    "covered": ("found", "已找到"),
    "partly": ("found in part", "部分找到"),
    "missing": ("not found", "未找到"),
    "contradicted": ("sources disagree", "来源矛盾"),
}


class Teller:
    """Prints a run's events as they come: the plan unfolding, then the answer."""

    def __init__(self, write: Callable[[str], object] | None = None) -> None:
        """Write lines to `write`; to stdout by default."""
        self._write = write or (lambda line: (sys.stdout.write(line + "\n"), sys.stdout.flush()))
        self._zh = False

    def tell(self, event: Event) -> None:
        """Print the lines of one event."""
        for line in self._lines(event):
            self._write(line)

    def _lines(self, event: Event) -> Iterable[str]:
        match event:
            case RunStarted():
                self._zh = any("\u4e00" <= char <= "\u9fff" for char in event.question)
                yield f"? {event.question}"
            case Planned():
                yield from plan_lines(event.plan, event.new_tasks, round_number=event.round, zh=self._zh)
            case TaskStarted():
                yield f"  ▸ {event.task.id} {event.task.tool}: {event.task.query}"
            case TaskFinished():
                found = self._say(f"{event.evidence} found", f"找到 {event.evidence} 条")
                detail = f" · {event.detail}" if event.detail else ""
                yield f"  ✓ {event.task_id} {event.state} · {event.tool} · {found}{detail}"
            case Judged():
                for need in event.sufficiency.needs:
                    yield f"  = {need.need_id} {self._say(*COVERAGE[need.coverage])}: {need.reason}"
            case Checked():
                passed = self._say(
                    f"{len(event.supported)} claims hold", f"{len(event.supported)} 条陈述通过核查"
                )
                stopped = self._say(f"{len(event.stopped)} stopped", f"{len(event.stopped)} 条被拦下")
                yield f"  # {passed}, {stopped}"
                for claim in event.stopped:
                    yield f"    ✗ {claim.text} ({claim.reason})"
            case Noted():
                yield f"  ! {event.text}"
            case Answered():
                yield from answer_lines(event.answer)

    def _say(self, en: str, zh: str) -> str:
        return zh if self._zh else en


def plan_lines(
    plan: Plan, tasks: Iterable[Task], *, round_number: int = 1, zh: bool = False
) -> Iterator[str]:
    """Yield a plan's head, and for each of `tasks` what it does and why with this tool."""
    yield f"{'计划' if zh else 'plan'}: {plan.type} ({plan.origin}), {'第' if zh else 'round'} {round_number}{' 轮' if zh else ''}"
    for task in tasks:
        after = f" ← {', '.join(task.depends_on)}" if task.depends_on else ""
        yield f"  • {task.id} [{task.tool}] {task.purpose or task.query}{after}"
        if task.reason:
            yield f"    {task.reason}"
    for note in plan.notes:
        yield f"  ! {note}"


def answer_lines(answer: Answer) -> Iterator[str]:
    """Yield the answer, its sources with their places, what is missing, and what it cost."""
    zh = answer.language == "zh"
    yield ""
    yield answer.answer
    yield ""
    for citation in answer.citations:
        yield citation_line(citation)
    for text in answer.missing:
        yield f"  {'缺' if zh else 'missing'}: {text}"
    for text in answer.notes:
        yield f"  {'注' if zh else 'note'}: {text}"
    yield cost_line(answer, answer.language)


def citation_line(citation: Citation) -> str:
    """Return `[n] document, place: "quote"`."""
    quote = " ".join(citation.quote.split())
    return f"  [{citation.n}] {place(citation.document_id, citation.locator)}: “{quote[:160]}{'…' if len(quote) > 160 else ''}”"


def place(document_id: str, locator: Locator) -> str:
    """Return where something stands, as a person would look it up."""
    parts = [document_id]
    if locator.page is not None:
        parts.append(f"p. {locator.page}")
    if locator.section:
        parts.append(locator.section)
    if locator.rows:
        first, last = locator.rows
        parts.append(f"row {first}" if first == last else f"rows {first}-{last}")
    if locator.start is not None and locator.end is not None:
        parts.append(f"{locator.start}-{locator.end}")
    return " · ".join(parts)


def cost_line(answer: Answer, language: Language) -> str:
    """Return status, confidence, and what the run consumed."""
    usage, timings = answer.usage, answer.timings
    status = STATUS[answer.status][language == "zh"]
    tokens = usage.prompt_tokens + usage.completion_tokens
    if language == "zh":
        return (
            f"— {status}，置信度 {answer.confidence:.2f}；{usage.tool_calls} 次工具调用，{usage.model_calls} 次模型调用"
            f"（{tokens} tokens），{timings.total_ms:.0f} ms（工具 {timings.tools_ms:.0f}，模型 {timings.model_ms:.0f}，引擎 {timings.engine_ms:.0f}）"
        )
    return (
        f"— {status}, confidence {answer.confidence:.2f}; {usage.tool_calls} tool calls, {usage.model_calls} model calls"
        f" ({tokens} tokens), {timings.total_ms:.0f} ms (tools {timings.tools_ms:.0f}, model {timings.model_ms:.0f}, engine {timings.engine_ms:.0f})"
    )


def ingest_lines(report: IngestReport) -> Iterator[str]:
    """Yield the totals, then every file that was skipped or failed, with its reason."""
    by_status = {
        s: [f for f in report.files if f.status == s]
        for s in ("ingested", "unchanged", "skipped", "failed", "pruned")
    }
    yield (
        ", ".join(f"{len(files)} {status}" for status, files in by_status.items() if files) or "nothing to do"
    )
    yield f"documents {report.documents}, chunks {report.chunks}, tables {report.tables}, {report.seconds:.1f} s"
    for status in ("skipped", "failed"):
        for file in by_status[status]:
            yield f"  {status}: {file.path} ({file.reason}) {file.detail}"
