"""The strategy library: how each type of question becomes a plan, without a model. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from kaoju.language.names import find_names
from kaoju.model.plan import Need, Plan, PlanType, Task
from kaoju.model.question import Question
from kaoju.planning.catalog import Catalog
from kaoju.planning.limits import Limits
from kaoju.planning.understand import SQL_SURE, Understanding
from kaoju.tools.sql.patterns import can_answer


def plan(question: Question, understood: Understanding, catalog: Catalog, limits: Limits) -> Plan:
    """Return the plan that the rules make."""
    return _STRATEGIES[understood.type](question, understood, catalog, limits)


def _direct(_question: Question, u: Understanding, catalog: Catalog, _limits: Limits) -> Plan:
    if u.expression and "calculate" in catalog.names:
        need = Need(id="n1", text=u.expression)
        purpose = f"计算 {u.expression}" if u.language == "zh" else f"calculate {u.expression}"
        task = Task(id="t1", purpose=purpose, tool="calculate", query=u.expression, need="n1")
        return Plan(type=PlanType.DIRECT, tasks=(task,), needs=(need,))
    return Plan(type=PlanType.DIRECT, tasks=(), needs=(), unanswerable=u.unanswerable, reply=u.reply)


def _single(_question: Question, u: Understanding, catalog: Catalog, _limits: Limits) -> Plan:
    need = Need(id="n1", text=u.query, anchors=u.anchors)
    return Plan(type=u.type, tasks=(_task("t1", u.query, u.query, "n1", catalog),), needs=(need,))


def _aggregate(question: Question, u: Understanding, catalog: Catalog, limits: Limits) -> Plan:
    need = Need(id="n1", text=u.query, anchors=u.anchors)
    purpose = f"从数据表中查询：{u.query}" if u.language == "zh" else f"query the tables: {u.query}"
    sql = Task(id="t1", purpose=purpose, tool="sql_query", query=u.query, need="n1")
    tasks = [sql]
    if u.sql < SQL_SURE and limits.max_tasks > 1:
        tasks.append(_task("t2", u.query, u.query, "n1", catalog))
    return Plan(type=PlanType.AGGREGATE, tasks=tuple(tasks), needs=(need,))


def _compare(_question: Question, u: Understanding, catalog: Catalog, limits: Limits) -> Plan:
    gap = "" if u.language == "zh" else " "
    tasks, needs = [], []
    for i, side in enumerate(u.sides[: limits.max_tasks], start=1):
        query = f"{side}{gap if u.topic else ''}{' ' if gap == '' and u.topic else ''}{u.topic}".strip()
        needs.append(Need(id=f"n{i}", text=query, anchors=(side,)))
        purpose = f"查找「{side}」的情况" if u.language == "zh" else f"look up {side}"
        tasks.append(_task(f"t{i}", query, purpose, f"n{i}", catalog))
    return Plan(type=PlanType.COMPARE, tasks=tuple(tasks), needs=tuple(needs))


def _decompose(_question: Question, u: Understanding, catalog: Catalog, limits: Limits) -> Plan:
    tasks, needs = [], []
    for i, part in enumerate(u.parts[: limits.max_tasks], start=1):
        anchors = tuple(name.text for name in find_names(part))
        needs.append(Need(id=f"n{i}", text=part, anchors=anchors))
        tasks.append(_task(f"t{i}", part, part, f"n{i}", catalog))
    return Plan(type=PlanType.DECOMPOSE, tasks=tuple(tasks), needs=tuple(needs))


def _multi_hop(question: Question, u: Understanding, catalog: Catalog, limits: Limits) -> Plan:
    if u.hop is None or limits.max_tasks < 2:  # noqa: PLR2004 - two hops take two tasks
        return _single(question, u, catalog, limits)
    inner_anchors = tuple(name.text for name in find_names(u.hop.inner))
    zh = u.language == "zh"
    needs = (
        Need(id="n1", text=u.hop.inner, anchors=inner_anchors),
        Need(id="n2", text=u.hop.outer),
    )
    tasks = (
        _task("t1", u.hop.inner, f"先找出：{u.hop.inner}" if zh else f"first find: {u.hop.inner}", "n1", catalog),
        Task(
            id="t2",
            purpose=f"再据此查找：{_said(u.hop.outer, zh=zh)}" if zh else f"then find: {_said(u.hop.outer, zh=zh)}",
            tool="semantic_search" if "semantic_search" in catalog.names else catalog.names[0],
            query=u.hop.outer,
            depends_on=("t1",),
            need="n2",
        ),
    )
    return Plan(type=PlanType.MULTI_HOP, tasks=tasks, needs=needs)


def _said(outer: str, *, zh: bool) -> str:
    return outer.replace("{t1}", "（上一步的结果）" if zh else "(what the first step found)")


def _task(task_id: str, query: str, purpose: str, need: str, catalog: Catalog) -> Task:
    return Task(id=task_id, purpose=purpose, tool=choose_tool(query, catalog), query=query, need=need)


def choose_tool(query: str, catalog: Catalog) -> str:
    """Return the tool for a query: SQL where a table surely serves, keywords for codes, meaning for the rest."""
    names = catalog.names
    if "sql_query" in names and catalog.tables and can_answer(query, catalog.tables) >= SQL_SURE:
        return "sql_query"
    codes = [name for name in find_names(query) if name.kind == "code"]
    covered = sum(len(code.text) for code in codes)
    if codes and "keyword_search" in names and covered * 3 >= len(re.sub(r"\s", "", query)):
        return "keyword_search"
    return next((name for name in ("semantic_search", "keyword_search") if name in names), names[0] if names else "")


Strategy = Callable[[Question, Understanding, Catalog, Limits], Plan]
_STRATEGIES: Final[dict[PlanType, Strategy]] = {
    PlanType.DIRECT: _direct,
    PlanType.SINGLE: _single,
    PlanType.VERIFY: _single,
    PlanType.AGGREGATE: _aggregate,
    PlanType.COMPARE: _compare,
    PlanType.DECOMPOSE: _decompose,
    PlanType.MULTI_HOP: _multi_hop,
    PlanType.GOAL: _single,
}
