"""Turning what a caller hands in into a Question, or into a clear refusal."""

from __future__ import annotations

import unicodedata
from datetime import date

from kaoju.errors import UsageError
from kaoju.language.detect import detect
from kaoju.model.question import MAX_QUESTION_CHARS, Budget, Question

_KEPT_CONTROLS = "\n\t"


def clean(text: str) -> str:
    """Return `text` without control characters, surrogates and surrounding space."""
    kept = (c if unicodedata.category(c) not in ("Cc", "Cs") or c in _KEPT_CONTROLS else " " for c in text)
    return "".join(kept).strip()


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
