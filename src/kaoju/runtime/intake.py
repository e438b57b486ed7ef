"""Turning what a caller hands in into a Question, or into a clear refusal."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, get_args

from kaoju.errors import UsageError
from kaoju.language.detect import detect
from kaoju.model.question import MAX_QUESTION_CHARS, Budget, Pipeline, Question

_KEPT_CONTROLS: Final = "\n\t"


def clean(text: str) -> str:
    """Return `text` without control characters, surrogates and surrounding space."""
    kept = (c if unicodedata.category(c) not in ("Cc", "Cs") or c in _KEPT_CONTROLS else " " for c in text)
    return "".join(kept).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What one question may override."""

    now: date | None = None
    """Reference date; today where None."""
    role: str | None = None
    max_rounds: int | None = None
    session: str | None = None
    """Name of the conversation; carried along only, follow-up questions are not resolved from it."""
    pipeline: Pipeline = "agentic"
    k: int | None = None
    """Passages per search."""


_TYPES: Final[Mapping[str, tuple[type, str]]] = {
    "now": (date, "a date"),
    "role": (str, "text"),
    "session": (str, "text"),
    "max_rounds": (int, "a whole number"),
    "k": (int, "a whole number"),
}
_LEAST: Final[Mapping[str, int]] = {"max_rounds": 0, "k": 1}


def take_asking(given: Mapping[str, object]) -> Asking:
    """Check the keywords of a question.

    Raises:
        UsageError: an unknown keyword, or a value of the wrong type or size; names it.
    """
    known = Asking.__dataclass_fields__
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise UsageError(
            f"unknown argument {', '.join(unknown)}; known: {', '.join(sorted(known))}.",
            f"未知参数 {'、'.join(unknown)}；可用参数：{'、'.join(sorted(known))}。",
        )
    for name, (kind, word) in _TYPES.items():
        value = given.get(name)
        if value is not None and (not isinstance(value, kind) or isinstance(value, bool)):
            raise UsageError(f"{name} must be {word}, not {value!r}.", f"{name} 的类型不对：{value!r}。")
        if isinstance(value, int) and value < _LEAST[name]:
            raise UsageError(
                f"{name} must be at least {_LEAST[name]}, not {value}.",
                f"{name} 不能小于 {_LEAST[name]}，现为 {value}。",
            )
    pipeline = given.get("pipeline", "agentic")
    if pipeline not in get_args(Pipeline):
        raise UsageError(
            f"the pipeline must be agentic or simple, not {pipeline!r}.",
            f"pipeline 应为 agentic 或 simple，而不是 {pipeline!r}。",
        )
    return replace(Asking(), **given)  # type: ignore[arg-type]  # names and values are checked above


def take_question(
    text: str, *, now: date | None, role: str | None, session: str | None, budget: Budget
) -> Question:
    """Check a question and fix its meaning.

    Raises:
        UsageError: empty, without a single letter or digit, or longer than MAX_QUESTION_CHARS.
    """
    if not isinstance(text, str):
        raise UsageError("a question must be text.", "问题必须是文本。")
    if len(text) > MAX_QUESTION_CHARS:
        raise UsageError(
            f"the question has {len(text):,} characters; at most {MAX_QUESTION_CHARS:,} are taken. "
            "Ingest long material as a document and ask about it.",
            f"问题有 {len(text):,} 个字符，上限为 {MAX_QUESTION_CHARS:,}。请把长材料作为文档导入后再提问。",
        )
    cleaned = clean(text)
    if not any(char.isalnum() for char in cleaned):
        raise UsageError(
            "the question is empty; write what you want to know.", "问题为空；请写明想知道什么。"
        )
    return Question(
        text=cleaned,
        now=now or date.today(),  # noqa: DTZ011 - the user's own calendar day is meant
        language=detect(cleaned),
        role=role,
        session=session,
        budget=budget,
    )
