"""Which evidence still stands: superseded, repealed and draft versions step back behind what is in force.

Pure. A document counts as out of force where its own title, path or heading
says so. It is used all the same where nothing in force answers, and where the
question asks for that version.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kaoju.language.normalise import normalise
from kaoju.model.evidence import Evidence
from kaoju.model.question import Question

_OUT_OF_FORCE: Final = re.compile(
    r"已废止|已作废|已失效|已停用|废止版|作废版|旧版|历史版本|superseded|obsolete|repealed|withdrawn|deprecated|outdated|no longer in force"
)
_ASKS_FOR_OLD: Final = re.compile(
    r"废止|作废|失效|旧版|旧的|以前|之前的|过去|原来|历史|变化|变更|old|former|previous|earlier version|superseded|obsolete|used to|history|chang"
)
_NUMBER: Final = re.compile(r"\d{4}|\d+(?:\.\d+)+")


def out_of_force(piece: Evidence) -> bool:
    """Return whether a piece's own title, path or heading says that it no longer holds."""
    return bool(_OUT_OF_FORCE.search(normalise(f"{piece.document_id} {piece.title} {piece.locator.section}")))


def in_force(question: Question, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Return the evidence that stands for this question; all of it where the question asks for an old version."""
    asked = normalise(question.text)
    if _ASKS_FOR_OLD.search(asked):
        return tuple(evidence)
    versions = set(_NUMBER.findall(asked))
    return tuple(
        piece
        for piece in evidence
        if not out_of_force(piece) or versions & set(_NUMBER.findall(f"{piece.document_id} {piece.title}"))
    )
