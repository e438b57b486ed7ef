"""Counts, sums, averages, extremes and rankings: SQL, and a search beside it only where the table's link is weak."""

from __future__ import annotations

from kaoju.model.plan import Plan, PlanType, Task
from kaoju.planning.catalog import Catalog
from kaoju.planning.limits import Limits
from kaoju.planning.routing import SQL_SURE, choose_search
from kaoju.planning.strategies.base import need, say
from kaoju.planning.understand import Understanding


def plan(understood: Understanding, catalog: Catalog, limits: Limits) -> Plan:
    """Return a plan whose first task queries the tables."""
    query = understood.query
    purpose = say(understood.language, f"从数据表中查询：{query}", f"query the tables: {query}")
    tasks = [Task(id="t1", purpose=purpose, tool="sql_query", query=query, need="n1")]
    if understood.sql < SQL_SURE and limits.max_tasks > 1:
        beside = say(understood.language, f"在正文中查找：{query}", f"look in the texts: {query}")
        tasks.append(
            Task(id="t2", purpose=beside, tool=choose_search(query, catalog), query=query, need="n1")
        )
    return Plan(type=PlanType.AGGREGATE, tasks=tuple(tasks), needs=(need(1, query, understood.anchors),))
