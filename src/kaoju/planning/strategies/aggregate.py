"""Counts, sums, averages, extremes and rankings: SQL alone, whose contract falls back to a search where it cannot serve."""

from __future__ import annotations

from kaoju.model.plan import Plan, PlanType, Task
from kaoju.planning.catalog import Catalog
from kaoju.planning.limits import Limits
from kaoju.planning.strategies.base import need, say
from kaoju.planning.understand import Understanding


def plan(understood: Understanding, _catalog: Catalog, _limits: Limits) -> Plan:
    """Return a plan of one task that queries the tables."""
    query = understood.query
    purpose = say(understood.language, f"从数据表中查询：{query}", f"query the tables: {query}")
    task = Task(id="t1", purpose=purpose, tool="sql_query", query=query, need="n1")
    return Plan(type=PlanType.AGGREGATE, tasks=(task,), needs=(need(1, query, understood.anchors),))
