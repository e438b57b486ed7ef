"""One question, one search: the fast path."""

from __future__ import annotations

from kaoju.model.plan import Plan, PlanType
from kaoju.planning.catalog import Catalog
from kaoju.planning.limits import Limits
from kaoju.planning.strategies.base import lookup, need
from kaoju.planning.understand import Understanding


def plan(understood: Understanding, catalog: Catalog, _limits: Limits) -> Plan:
    """Return a plan of exactly one task."""
    query = understood.query
    return Plan(
        type=PlanType.SINGLE,
        tasks=(lookup(1, query, catalog),),
        needs=(need(1, understood.state or query, understood.anchors),),
    )
