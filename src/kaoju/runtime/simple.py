"""Plain RAG on the same index and model: one search, one composition. The baseline that Kaoju is measured against."""

from __future__ import annotations

from kaoju.model.plan import Need, Plan, PlanType, Task
from kaoju.model.question import Question


def simple_plan(question: Question) -> Plan:
    """Return the plan of plain RAG: the question itself, searched once."""
    task = Task(id="t1", purpose=question.text, tool="semantic_search", query=question.text, need="n1")
    return Plan(
        type=PlanType.SINGLE, tasks=(task,), needs=(Need(id="n1", text=question.text),), origin="simple"
    )
