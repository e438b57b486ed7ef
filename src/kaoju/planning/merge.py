"""Joining near-duplicate tasks. Pure.

Two tasks are one where the same tool is asked nearly the same words. Queries
that differ in a name, a code, a number or a time are never joined.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Final

from kaoju.language.names import find_names
from kaoju.language.normalise import normalise
from kaoju.language.numbers import find_numbers
from kaoju.language.segment import terms
from kaoju.language.time import find_times
from kaoju.model.plan import Plan, Task

OVERLAP: Final = 0.8
"""Share of content terms that near-duplicates have in common (Jaccard)."""
_ANY_DAY: Final = date(2000, 6, 15)
"""Times are only compared with each other, so any reference date serves."""


def merge(plan: Plan) -> Plan:
    """Return the plan with near-duplicate tasks joined into the first of them, dependents rewired."""
    kept: list[Task] = []
    renamed: dict[str, str] = {}
    for task in plan.tasks:
        task = _rewired(task, renamed)  # noqa: PLW2901 - what it waits for may just have been joined
        twin = next((other for other in kept if _same(other, task)), None)
        if twin is None:
            kept.append(task)
        else:
            renamed[task.id] = twin.id
    if not renamed:
        return plan
    tasks = tuple(_rewired(task, renamed) for task in kept)
    needs = tuple(need for need in plan.needs if need.id in {task.need for task in tasks}) or plan.needs[:1]
    return replace(plan, tasks=tasks, needs=needs)


def _same(a: Task, b: Task) -> bool:
    if a.tool != b.tool or dict(a.arguments) != dict(b.arguments) or set(a.depends_on) != set(b.depends_on):
        return False
    if normalise(a.query) == normalise(b.query):
        return True
    if _facets(a.query) != _facets(b.query):
        return False
    one, two = set(terms(a.query)), set(terms(b.query))
    return bool(one | two) and len(one & two) / len(one | two) >= OVERLAP


def _facets(text: str) -> tuple[frozenset[str], ...]:
    return (
        frozenset(normalise(name.text) for name in find_names(text)),
        frozenset(f"{q.value}{q.unit}" for q in find_numbers(text)),
        frozenset(f"{t.start}{t.end}" for t in find_times(text, _ANY_DAY)),
    )


def _rewired(task: Task, renamed: dict[str, str]) -> Task:
    query = task.query
    for old, new in renamed.items():
        query = query.replace("{" + old + "}", "{" + new + "}")
    depends_on = tuple(dict.fromkeys(renamed.get(d, d) for d in task.depends_on))
    return replace(task, query=query, depends_on=depends_on)
