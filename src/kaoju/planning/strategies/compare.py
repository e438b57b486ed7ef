"""One task for each side, in parallel; the comparison itself is made from what they find."""

from __future__ import annotations

from kaoju.model.plan import Plan, PlanType
from kaoju.planning.catalog import Catalog
from kaoju.planning.comparison import Side
from kaoju.planning.limits import Limits
from kaoju.planning.phrases import bare_name
from kaoju.planning.strategies.base import anchors_of, lookup, need, say
from kaoju.planning.understand import Understanding

MAX_ANCHORS = 3
"""Names of a side that evidence has to mention; a long description names more in passing."""


def plan(understood: Understanding, catalog: Catalog, limits: Limits) -> Plan:
    """Return a task and a need for each side, as many as the limits allow."""
    tasks, needs = [], []
    for number, side in enumerate(understood.sides[: limits.max_tasks], start=1):
        name = bare_name(side.name)
        purpose = say(understood.language, f"查找「{name}」的情况", f"look up {name}")
        tasks.append(lookup(number, side.query, catalog, purpose=purpose))
        needs.append(need(number, side.query, _anchors(side)))
    return Plan(type=PlanType.COMPARE, tasks=tuple(tasks), needs=tuple(needs))


def _anchors(side: Side) -> tuple[str, ...]:
    """Return the side's names; its own words where it has none and is short."""
    bare = bare_name(side.name)
    named = anchors_of(bare)
    if named:
        return named[:MAX_ANCHORS]
    words = [part for part in bare.split("的") if part]
    return tuple(words[:MAX_ANCHORS]) if len(bare.split()) <= MAX_ANCHORS else ()
