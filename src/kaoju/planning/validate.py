"""What is wrong with a plan: every offender named, nothing run. Pure."""

from __future__ import annotations

import re
from typing import Final

import jsonschema

from kaoju.model.plan import Plan, PlanType
from kaoju.planning.catalog import Catalog
from kaoju.planning.hops import LINK_TOOL, PLACEHOLDER
from kaoju.planning.limits import Limits

_ID: Final = re.compile(r"t\d{1,3}")


def problems(plan: Plan, catalog: Catalog, limits: Limits) -> tuple[str, ...]:
    """Return one sentence for each thing that is wrong with a plan; empty for a valid one."""
    return (*_shape(plan, limits), *_dependencies(plan, limits), *_tools(plan, catalog, limits))


def _shape(plan: Plan, limits: Limits) -> list[str]:
    found = []
    if not plan.tasks and plan.type is not PlanType.DIRECT:
        found.append("the plan has no tasks")
    if len(plan.tasks) > limits.max_tasks:
        found.append(f"the plan has {len(plan.tasks)} tasks, at most {limits.max_tasks} are allowed")
    ids = [task.id for task in plan.tasks]
    found += [f"the id {twice} is used twice" for twice in sorted({i for i in ids if ids.count(i) > 1})]
    found += [f"the id {odd!r} must look like t1" for odd in ids if not _ID.fullmatch(odd)]
    needs = {need.id for need in plan.needs}
    found += [f"{task.id} serves the unknown need {task.need}" for task in plan.tasks if task.need and task.need not in needs]
    return found


def _dependencies(plan: Plan, limits: Limits) -> list[str]:
    ids = {task.id for task in plan.tasks}
    found = []
    for task in plan.tasks:
        if task.id in task.depends_on:
            found.append(f"{task.id} depends on itself")
        found += [f"{task.id} depends on the unknown task {d}" for d in task.depends_on if d not in ids]
        used = set(PLACEHOLDER.findall(task.query))
        found += [f"{task.id} uses {{{p}}} without depending on {p}" for p in sorted(used - set(task.depends_on))]
    waiting = {t.id: {d for d in t.depends_on if d in ids and d != t.id} for t in plan.tasks}
    depth = 0
    while ready := [node for node, parents in waiting.items() if not parents]:
        depth += 1
        for node in ready:
            del waiting[node]
        for parents in waiting.values():
            parents.difference_update(ready)
    if waiting:
        found.append("these tasks wait for each other: " + ", ".join(sorted(waiting)))
    elif depth > limits.max_depth:
        found.append(f"the longest chain has {depth} tasks, at most {limits.max_depth} are allowed")
    return found


def _tools(plan: Plan, catalog: Catalog, limits: Limits) -> list[str]:
    found = []
    for task in plan.tasks:
        if not task.query.strip():
            found.append(f"{task.id} has an empty query")
        if len(task.query) > limits.max_query_chars:
            found.append(f"the query of {task.id} is longer than {limits.max_query_chars} characters")
        spec = catalog.tool(task.tool)
        if spec is None:
            found.append(f"{task.id} uses the unknown tool {task.tool!r}; available: {', '.join(catalog.names)}")
            continue
        arguments = {"query": task.query or " ", **task.arguments}
        if task.tool == LINK_TOOL and "from" not in arguments:
            continue
        for error in jsonschema.Draft202012Validator(dict(spec.input_schema)).iter_errors(arguments):
            if task.query.strip():
                found.append(f"{task.id}: {error.message[:200]}")
    return found
