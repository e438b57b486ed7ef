"""A chain of steps: each finds what the next one asks about."""

from __future__ import annotations

import re

from kaoju.model.plan import Plan, PlanType, Task
from kaoju.planning.catalog import Catalog
from kaoju.planning.limits import Limits
from kaoju.planning.routing import choose_tool
from kaoju.planning.strategies import single
from kaoju.planning.strategies.base import need, say
from kaoju.planning.understand import Understanding


def plan(understood: Understanding, catalog: Catalog, limits: Limits) -> Plan:
    """Return one task and one need for each step; a chain too long for the limits is joined at its end."""
    steps = _within(understood.steps, min(limits.max_tasks, limits.max_depth))
    if len(steps) < 2:
        return single.plan(understood, catalog, limits)
    tasks = tuple(_task(number, step, understood, catalog) for number, step in enumerate(steps, start=1))
    needs = tuple(need(number, step) for number, step in enumerate(steps, start=1))
    return Plan(type=PlanType.MULTI_HOP, tasks=tasks, needs=needs)


def _within(steps: tuple[str, ...], most: int) -> tuple[str, ...]:
    while len(steps) > max(1, most):
        *kept, inner, outer = steps
        steps = (*kept, outer.replace("{t" + str(len(steps) - 1) + "}", inner))
    return steps


def _task(number: int, step: str, understood: Understanding, catalog: Catalog) -> Task:
    depends_on = tuple(dict.fromkeys(re.findall(r"\{(t\d+)\}", step)))
    said = re.sub(r"\{t\d+\}", say(understood.language, "（上一步的结果）", "(what was found before)"), step)
    if not depends_on:
        purpose = say(understood.language, f"先找出：{said}", f"first find: {said}")
    else:
        purpose = say(understood.language, f"再据此查找：{said}", f"then find: {said}")
    return Task(
        id=f"t{number}",
        purpose=purpose,
        tool=choose_tool(step, catalog),
        query=step,
        depends_on=depends_on,
        need=f"n{number}",
    )
