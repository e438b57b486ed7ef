"""Assertions to check: a task and a need for each, in the words of the assertion."""

from __future__ import annotations

from kaoju.model.plan import Plan, PlanType
from kaoju.planning.catalog import Catalog
from kaoju.planning.limits import Limits
from kaoju.planning.strategies.base import lookup, need, say
from kaoju.planning.understand import Understanding


def plan(understood: Understanding, catalog: Catalog, limits: Limits) -> Plan:
    """Return a task for each assertion, as many as the limits allow."""
    claims = understood.claims[: max(1, limits.max_tasks)] or (understood.query,)
    return Plan(
        type=PlanType.VERIFY,
        tasks=tuple(
            lookup(
                number, claim, catalog, purpose=say(understood.language, f"核实：{claim}", f"check: {claim}")
            )
            for number, claim in enumerate(claims, start=1)
        ),
        needs=tuple(need(number, claim) for number, claim in enumerate(claims, start=1)),
    )
