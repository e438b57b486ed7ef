"""Questions that no search serves: a calculation, a reply, or the reason why nothing answers."""

from __future__ import annotations

from kaoju.model.plan import Need, Plan, PlanType, Task
from kaoju.planning.catalog import Catalog
from kaoju.planning.limits import Limits
from kaoju.planning.strategies import single
from kaoju.planning.strategies.base import say
from kaoju.planning.understand import Understanding


def plan(understood: Understanding, catalog: Catalog, limits: Limits) -> Plan:
    """Return a plan without search; a calculation that no tool can do is searched after all."""
    expression = understood.expression
    if not expression:
        return Plan(
            type=PlanType.DIRECT,
            tasks=(),
            needs=(),
            unanswerable=understood.unanswerable,
            reply=understood.reply,
        )
    if "calculate" not in catalog.names:
        return single.plan(understood, catalog, limits)
    purpose = say(understood.language, f"计算 {expression}", f"calculate {expression}")
    return Plan(
        type=PlanType.DIRECT,
        tasks=(Task(id="t1", purpose=purpose, tool="calculate", query=expression, need="n1"),),
        needs=(Need(id="n1", text=expression),),
    )
