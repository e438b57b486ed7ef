"""Several questions in one: a task and a need for each.

A long description of one unknown thing is one need with several searches:
the whole description, and each half of its conditions.
"""

from __future__ import annotations

from kaoju.model.plan import Plan, PlanType
from kaoju.planning.catalog import Catalog
from kaoju.planning.limits import Limits
from kaoju.planning.strategies.base import lookup, need
from kaoju.planning.understand import Understanding


def plan(understood: Understanding, catalog: Catalog, limits: Limits) -> Plan:
    """Return the parts as tasks; what the limits leave no room for joins the last of them."""
    if understood.conditions:
        return _conditions(understood, catalog, limits)
    parts = _within(understood.parts, limits.max_tasks)
    return Plan(
        type=PlanType.DECOMPOSE,
        tasks=tuple(lookup(number, part, catalog) for number, part in enumerate(parts, start=1)),
        needs=tuple(need(number, part) for number, part in enumerate(parts, start=1)),
    )


def _within(parts: tuple[str, ...], most: int) -> tuple[str, ...]:
    if len(parts) <= most or most < 1:
        return parts
    return (*parts[: most - 1], "；".join(parts[most - 1 :]))


def _conditions(understood: Understanding, catalog: Catalog, limits: Limits) -> Plan:
    queries = (understood.query, *understood.conditions)[: max(1, limits.max_tasks)]
    return Plan(
        type=PlanType.DECOMPOSE,
        tasks=tuple(
            lookup(number, query, catalog, serves=1) for number, query in enumerate(queries, start=1)
        ),
        needs=(need(1, understood.query, understood.anchors),),
    )
