"""What is wrong with a plan: every offender named, nothing run. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Final

import jsonschema

from kaoju.model.plan import Plan, PlanType, Task
from kaoju.planning.catalog import Catalog
from kaoju.planning.fields import arguments_of
from kaoju.planning.hops import LINK_TOOL, PLACEHOLDER
from kaoju.planning.limits import Limits

_ID: Final = re.compile(r"t\d{1,3}")
MAX_MESSAGE: Final = 200


def problems(
    plan: Plan, catalog: Catalog, limits: Limits, *, hidden: Collection[str] = ()
) -> tuple[str, ...]:
    """Return one sentence for each thing that is wrong with a plan; empty for a valid one.

    Args:
        plan: the plan.
        catalog: the tools that may be called.
        limits: how large a plan may be.
        hidden: tools of the catalog that this planner may not use, and that no message names.
    """
    return (
        *_shape(plan, limits),
        *_dependencies(plan, limits),
        *(problem for task in plan.tasks for problem in _task(task, catalog, limits, hidden)),
    )


def _shape(plan: Plan, limits: Limits) -> Iterator[str]:
    if not plan.tasks and plan.type is not PlanType.DIRECT:
        yield "the plan has no tasks"
    if len(plan.tasks) > limits.max_tasks:
        yield f"the plan has {len(plan.tasks)} tasks, at most {limits.max_tasks} are allowed"
    ids = [task.id for task in plan.tasks]
    for twice in sorted({i for i in ids if ids.count(i) > 1}):
        yield f"the id {twice!r} is used {ids.count(twice)} times"
    for odd in dict.fromkeys(i for i in ids if not _ID.fullmatch(i)):
        yield f"the id {odd!r} must look like t1"
    needs = [need.id for need in plan.needs]
    for twice in sorted({i for i in needs if needs.count(i) > 1}):
        yield f"the need {twice!r} is listed {needs.count(twice)} times"
    for task in plan.tasks:
        if task.need and task.need not in needs:
            yield f"{task.id} serves the unknown need {task.need!r}"


def _dependencies(plan: Plan, limits: Limits) -> Iterator[str]:
    ids = {task.id for task in plan.tasks}
    for task in plan.tasks:
        if task.id in task.depends_on:
            yield f"{task.id} depends on itself"
        for unknown in dict.fromkeys(d for d in task.depends_on if d not in ids):
            yield f"{task.id} depends on the unknown task {unknown!r}"
        for used in dict.fromkeys(PLACEHOLDER.findall(task.query)):
            if used not in ids:
                yield f"{task.id} uses {{{used}}}, but there is no task {used}"
            elif used not in task.depends_on:
                yield f"{task.id} uses {{{used}}} without {used} in its depends_on"
    parents: dict[str, set[str]] = {}
    for task in plan.tasks:
        parents.setdefault(task.id, set()).update(d for d in task.depends_on if d in ids and d != task.id)
    circle = on_cycles(parents)
    if circle:
        yield f"these tasks wait for each other in a circle: {', '.join(circle)}"
    elif (depth := _depth(parents)) > limits.max_depth:
        yield f"the longest chain has {depth} tasks, at most {limits.max_depth} are allowed"


def on_cycles(parents: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """Return the nodes that lie on a cycle, in order; what merely waits for a cycle is not on it."""
    waiting = {node: set(above) for node, above in parents.items()}
    _peel(waiting)
    below: dict[str, set[str]] = {node: set() for node in waiting}
    for node, above in waiting.items():
        for parent in above:
            below[parent].add(node)
    _peel(below)
    return tuple(node for node in parents if node in below)


def _peel(graph: dict[str, set[str]]) -> int:
    """Take nodes without edges away until none is left to take; return how many layers went."""
    layers = 0
    while free := [node for node, edges in graph.items() if not edges]:
        layers += 1
        for node in free:
            del graph[node]
        for edges in graph.values():
            edges.difference_update(free)
    return layers


def _depth(parents: Mapping[str, Collection[str]]) -> int:
    return _peel({node: set(above) for node, above in parents.items()})


def _task(task: Task, catalog: Catalog, limits: Limits, hidden: Collection[str]) -> Iterator[str]:
    empty = not task.query.strip()
    if empty:
        yield f"{task.id} has an empty query"
    if len(task.query) > limits.max_query_chars:
        yield f"the query of {task.id} has {len(task.query)} characters, at most {limits.max_query_chars} are allowed"
    spec = None if task.tool in hidden else catalog.tool(task.tool)
    if spec is None:
        available = ", ".join(name for name in catalog.names if name not in hidden)
        yield f"{task.id} uses the unknown tool {task.tool!r}; available: {available}"
        return
    if empty or (task.tool == LINK_TOOL and "from" not in task.arguments):
        return  # a link task gets its starting points when it is bound
    arguments = arguments_of(task, spec)
    validator = jsonschema.Draft202012Validator(dict(spec.input_schema))
    for error in sorted(validator.iter_errors(arguments), key=lambda e: e.json_path):
        yield f"{task.id} calls {task.tool} with a wrong argument: {error.message[:MAX_MESSAGE]}"
