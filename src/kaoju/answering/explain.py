"""The sentences in which a run explains what it could not do, for a reader who knows nothing of engines.

Chinese and English. Each text says what is not known, what was searched, and
what material would help; none of them guesses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kaoju.model.answer import TaskReport
from kaoju.model.plan import TaskState
from kaoju.model.question import Language

MAX_LISTED: Final = 4
"""Items named in one list; more would bury the sentence."""


def say(language: Language, zh: str, en: str) -> str:
    """Return the sentence in the reader's language."""
    return zh if language == "zh" else en


def not_known(
    language: Language, needs: Sequence[str], tasks: Sequence[TaskReport], gaps: Sequence[str]
) -> str:
    """Explain that the evidence does not answer, what was searched, and what would help."""
    what = _listed(language, needs)
    lines = [
        say(
            language,
            f"现有资料不足以回答：{what}。" if what else "现有资料不足以回答这个问题。",
            f"The available material does not answer: {what}."
            if what
            else "The available material does not answer this.",
        ),
        searched(language, tasks),
        would_help(language, gaps or needs),
    ]
    return "\n".join(line for line in lines if line)


def boundary(
    language: Language, needs: Sequence[str], tasks: Sequence[TaskReport], gaps: Sequence[str]
) -> str:
    """Explain what a partial answer leaves open."""
    what = _listed(language, needs)
    lines = [
        say(language, f"尚不能确认：{what}。", f"Not confirmed: {what}."),
        searched(language, tasks),
        would_help(language, gaps or needs),
    ]
    return "\n".join(line for line in lines if line)


def all_failed(language: Language, tasks: Sequence[TaskReport], reasons: Sequence[str]) -> str:
    """Explain that every attempt to look something up failed, and why."""
    tools = _listed(
        language, tuple(dict.fromkeys(task.tool for task in tasks if task.state is TaskState.FAILED))
    )
    why = say(language, "；", "; ").join(dict.fromkeys(reasons))
    tail = say(language, f"原因：{why}" if why else "", f" Reasons: {why}" if why else "")
    return say(
        language,
        f"没有得到答案：所有查询都失败了（{tools}）。{tail}",
        f"No answer: every look-up failed ({tools}).{tail}",
    )


def waits(language: Language, tasks: Sequence[TaskReport]) -> str:
    """Explain that a person has to approve something first."""
    what = _listed(language, tuple(task.purpose for task in tasks if task.state is TaskState.NEEDS_REVIEW))
    return say(language, f"需要人工批准后才能继续：{what}。", f"A person has to approve this first: {what}.")


def beside(language: Language, claim: str, documents: Sequence[str]) -> str:
    """Name something that was found and holds, but does not answer what was asked."""
    where = _listed(language, tuple(dict.fromkeys(documents)))
    return say(
        language,
        f"找到但不足以回答：“{claim}”（{where}）",
        f'found, but no answer to what was asked: "{claim}" ({where})',
    )


def searched(language: Language, tasks: Sequence[TaskReport]) -> str:
    """Say what was looked for and how much came back; empty where nothing was tried."""
    tried = [task for task in tasks if task.attempts > 0]
    if not tried:
        return say(language, "没有进行任何检索。", "Nothing was searched.")
    found = sum(task.evidence for task in tried)
    queries = tuple(dict.fromkeys(_shown(task) for task in tried))
    failed = tuple(dict.fromkeys(task.tool for task in tried if task.state is TaskState.FAILED))
    text = say(
        language,
        f"已检索：{_listed(language, queries)}；找到 {found} 条相关内容，但都没有给出所问的信息。"
        if found
        else f"已检索：{_listed(language, queries)}；没有找到相关内容。",
        f"Searched: {_listed(language, queries)}; {found} related pieces were found, none states what was asked."
        if found
        else f"Searched: {_listed(language, queries)}; nothing related was found.",
    )
    if failed:
        text += say(
            language,
            f"其中 {_listed(language, failed)} 未能完成。",
            f" {_listed(language, failed)} did not complete.",
        )
    return text


def would_help(language: Language, gaps: Sequence[str]) -> str:
    """Name the material that would settle it."""
    what = _listed(language, tuple(dict.fromkeys(gaps)))
    return (
        say(
            language,
            f"若能提供写明“{what}”的资料，即可回答。",
            f'Material that states "{what}" would settle it.',
        )
        if what
        else ""
    )


def _shown(task: TaskReport) -> str:
    return task.query if len(task.query) <= 80 else task.query[:79] + "…"


def _listed(language: Language, items: Sequence[str]) -> str:
    clean = [item.strip().rstrip("。.？?！!") for item in items if item.strip()]
    shown = say(language, "；", "; ").join(clean[:MAX_LISTED])
    more = len(clean) - MAX_LISTED
    return shown + say(language, f" 等 {len(clean)} 项", f" and {more} more") if more > 0 else shown
