"""Evidence, plans and questions in few words."""

from __future__ import annotations

from datetime import date
from typing import Any

from kaoju.model.answer import Draft, DraftClaim
from kaoju.model.evidence import Evidence, Locator
from kaoju.model.plan import Need, Plan, PlanType
from kaoju.model.question import Question
from kaoju.model.verdict import NeedVerdict, Sufficiency

NOW = date(2026, 1, 1)


def passage(number: int, text: str, *, at: int = 100, **more: Any) -> Evidence:
    fields: dict[str, Any] = {
        "id": f"e{number}", "kind": "passage", "text": text, "document_id": f"d{number}", "title": "",
        "locator": Locator(page=1, start=at, end=at + len(text)), "tool": "semantic_search",
        "chunk_id": f"d{number}#0", "task_id": f"t{number}", "score": 0.8, "semantic": 0.87,
    }  # fmt: skip
    return Evidence(**{**fields, **more})


def rows(number: int, *cells: dict[str, Any], **more: Any) -> Evidence:
    text = "\n".join("; ".join(f"{column}: {value}" for column, value in row.items()) for row in cells)
    locator = Locator(section="projects", rows=(2, 1 + len(cells)))
    return passage(
        number, text, kind="rows", rows=cells, locator=locator, tool="sql_query", semantic=0.0, **more
    )


def question(text: str) -> Question:
    return Question(text=text, now=NOW, language="en" if text.isascii() else "zh")


def plan_for(*needs: Need | str, kind: PlanType = PlanType.SINGLE, **more: Any) -> Plan:
    made = tuple(
        need if isinstance(need, Need) else Need(id=f"n{place}", text=need)
        for place, need in enumerate(needs, start=1)
    )
    return Plan(type=kind, tasks=(), needs=made, **more)


def draft(*claims: tuple[str, str] | tuple[str, str, str]) -> Draft:
    """Make a draft of (text, comma-separated evidence ids[, need id])."""
    made = tuple(
        DraftClaim(
            text=claim[0],
            evidence_ids=tuple(i for i in claim[1].split(",") if i),
            need_id=claim[2] if len(claim) > 2 else "n1",
        )
        for claim in claims
    )
    return Draft(claims=made, writer="model")


def covered(**ids: str) -> Sufficiency:
    """Make a verdict of need id = comma-separated evidence ids; none of them: missing."""
    needs = tuple(
        NeedVerdict(
            need_id=need,
            coverage="covered" if found else "missing",
            confidence=0.9,
            reason="",
            evidence_ids=tuple(i for i in found.split(",") if i),
            gap="" if found else "what is missing",
        )
        for need, found in ids.items()
    )
    return Sufficiency(needs=needs, confidence=0.9)
