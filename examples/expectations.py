"""What a right answer to an example question must contain and cite, and how an answer departs from it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from kaoju.model.answer import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """One question with its expectation."""

    id: str
    question: str
    now: date
    kind: str
    """simple, compare, multi_hop, aggregate or unanswerable."""
    status: tuple[str, ...]
    contains: tuple[tuple[str, ...], ...]
    """Of each inner tuple at least one text occurs in the answer."""
    cites: tuple[tuple[str, ...], ...]
    """Of each inner tuple at least one document is cited."""


def load(path: Path) -> tuple[Expected, ...]:
    """Read a questions file."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        expect = row["expect"]
        found.append(
            Expected(
                id=row["id"],
                question=row["question"],
                now=date.fromisoformat(row["now"]),
                kind=row["kind"],
                status=tuple(expect["status"]),
                contains=tuple(tuple(options) for options in expect["contains"]),
                cites=tuple(tuple(options) for options in expect["cites"]),
            )
        )
    return tuple(found)


def problems(answer: Answer, expected: Expected) -> tuple[str, ...]:
    """Return one sentence for each way in which the answer is not the expected one."""
    found = []
    if answer.status not in expected.status:
        found.append(f"status is {answer.status}, expected {' or '.join(expected.status)}")
    text = _plain(answer.answer)
    found.extend(
        f"the answer lacks {' or '.join(options)}"
        for options in expected.contains
        if not any(_plain(option) in text for option in options)
    )
    cited = {citation.document_id for citation in answer.citations}
    found.extend(
        f"{' or '.join(options)} is not cited"
        for options in expected.cites
        if not cited.intersection(options)
    )
    return tuple(found)


def _plain(text: str) -> str:
    """Drop spaces and thousands separators, which carry no meaning here."""
    return "".join(text.split()).replace(",", "").casefold()
