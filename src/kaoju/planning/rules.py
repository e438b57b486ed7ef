"""The strategy library: each type of question has its own way to become a plan, without a model. Pure."""

from __future__ import annotations

from typing import Final

from kaoju.model.plan import Plan, PlanType
from kaoju.planning.catalog import Catalog
from kaoju.planning.limits import Limits
from kaoju.planning.strategies import aggregate, compare, decompose, direct, multi_hop, single, verify
from kaoju.planning.strategies.base import Strategy
from kaoju.planning.understand import Understanding

STRATEGIES: Final[dict[PlanType, Strategy]] = {
    PlanType.DIRECT: direct.plan,
    PlanType.SINGLE: single.plan,
    PlanType.VERIFY: verify.plan,
    PlanType.AGGREGATE: aggregate.plan,
    PlanType.COMPARE: compare.plan,
    PlanType.DECOMPOSE: decompose.plan,
    PlanType.MULTI_HOP: multi_hop.plan,
}
"""`goal` plans come from a domain's task graph, never from the question alone."""


def plan(understood: Understanding, catalog: Catalog, limits: Limits) -> Plan:
    """Return the plan that the rules make of an understood question."""
    return STRATEGIES[understood.type](understood, catalog, limits)
