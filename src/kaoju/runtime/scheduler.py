"""Dataflow scheduling: a task starts the moment its own dependencies are done.

There are no levels and no supersteps: a slow branch never holds up a ready
task of another branch. The scheduler knows nothing of tools, plans or budgets;
what a dependency's result means is the business of `run`. It refuses cycles
and unknown dependencies before anything starts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

from kaoju.errors import PlanError

R = TypeVar("R")


def check_acyclic(dependencies: Mapping[str, Sequence[str]]) -> None:
    """Raise PlanError naming every unknown dependency and every node that can never start."""
    problems = [
        f"{node} depends on unknown {parent}"
        for node, parents in dependencies.items()
        for parent in parents
        if parent not in dependencies
    ]
    waiting = {node: {p for p in parents if p in dependencies} for node, parents in dependencies.items()}
    while ready := [node for node, parents in waiting.items() if not parents]:
        for node in ready:
            del waiting[node]
        for parents in waiting.values():
            parents.difference_update(ready)
    if waiting:
        problems.append("tasks wait for each other: " + ", ".join(sorted(waiting)))
    if problems:
        raise PlanError(tuple(problems))


async def run_graph(
    dependencies: Mapping[str, Sequence[str]],
    run: Callable[[str, Mapping[str, R]], Awaitable[R]],
) -> dict[str, R]:
    """Run every node once, each as soon as its dependencies have results.

    Args:
        dependencies: node -> the nodes whose results it needs.
        run: called with a node and the results of its dependencies; what it
            returns is the node's result. An exception cancels all others and
            is raised.

    Returns:
        node -> result, for every node.

    Raises:
        PlanError: the graph has a cycle or an unknown dependency.
    """
    check_acyclic(dependencies)
    children: dict[str, list[str]] = {node: [] for node in dependencies}
    open_parents = {node: len(set(parents)) for node, parents in dependencies.items()}
    for node, parents in dependencies.items():
        for parent in set(parents):
            children[parent].append(node)
    results: dict[str, R] = {}

    try:
        async with asyncio.TaskGroup() as group:

            async def visit(node: str) -> None:
                results[node] = await run(node, {parent: results[parent] for parent in dependencies[node]})
                for child in children[node]:
                    open_parents[child] -= 1
                    if not open_parents[child]:
                        group.create_task(visit(child))

            for node, count in open_parents.items():
                if not count:
                    group.create_task(visit(node))
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return results
