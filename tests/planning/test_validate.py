"""Every offender of a bad plan is named; random graphs are refused exactly where they have a cycle."""

from __future__ import annotations

from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.planning.helpers import LIMITS, PROSE

from kaoju.model.plan import Need, Plan, PlanType, Task
from kaoju.planning.limits import Limits
from kaoju.planning.validate import on_cycles, problems

WIDE = Limits(max_tasks=20, max_depth=20)


def task(number: int, *depends_on: int, query: str = "beacon budget", tool: str = "semantic_search") -> Task:
    return Task(
        id=f"t{number}",
        purpose="why",
        tool=tool,
        query=query,
        depends_on=tuple(f"t{d}" for d in depends_on),
        need="n1",
    )


def plan(*tasks: Task, kind: PlanType = PlanType.DECOMPOSE) -> Plan:
    return Plan(type=kind, tasks=tasks, needs=(Need(id="n1", text="what"),))


def found(made: Plan, limits: Limits = LIMITS) -> str:
    return " | ".join(problems(made, PROSE, limits))


def test_a_good_plan_has_no_problems() -> None:
    assert problems(plan(task(1), task(2, 1, query="office of {t1}")), PROSE, LIMITS) == ()


def test_all_that_is_wrong_is_named_at_once() -> None:
    bad = plan(
        task(1, 1, query=""),
        task(2, 3, 9),
        task(3, 2, tool="web_search"),
        task(3, query="x" * 2_001),
        replace(task(4), id="step-4", need="n7", arguments={"k": "five"}),
    )
    text = found(bad)
    for offender in (
        "5 tasks, at most 3",
        "'t3' is used 2 times",
        "'step-4' must look like t1",
        "step-4 serves the unknown need 'n7'",
        "t1 depends on itself",
        "t2 depends on the unknown task 't9'",
        "in a circle: t2, t3",
        "t1 has an empty query",
        "unknown tool 'web_search'; available: semantic_search, keyword_search, follow_links, calculate",
        "has 2001 characters, at most 2000",
        "step-4 calls semantic_search with a wrong argument",
    ):
        assert offender in text


def test_placeholders_have_to_be_dependencies() -> None:
    assert "t2 uses {t1} without t1 in its depends_on" in found(
        plan(task(1), task(2, query="office of {t1}"))
    )
    assert "t1 uses {t8}, but there is no task t8" in found(plan(task(1, query="office of {t8}")))


def test_hidden_tools_are_refused_and_never_listed() -> None:
    text = " ".join(problems(plan(task(1, tool="follow_links")), PROSE, LIMITS, hidden={"follow_links"}))
    assert "unknown tool 'follow_links'; available: semantic_search, keyword_search, calculate" in text


def test_an_empty_plan_is_legal_for_direct_alone() -> None:
    for kind in PlanType:
        empty = Plan(type=kind, tasks=(), needs=())
        assert (problems(empty, PROSE, LIMITS) == ()) == (kind is PlanType.DIRECT)


def test_a_chain_is_as_long_as_the_limits_allow() -> None:
    chain = plan(task(1), task(2, 1), task(3, 2))
    assert problems(chain, PROSE, Limits(max_depth=3)) == ()
    assert "3 tasks, at most 2" in found(chain, Limits(max_depth=2))


def test_what_waits_for_a_cycle_is_not_on_it() -> None:
    assert on_cycles({"a": {"b"}, "b": {"a"}, "c": {"a"}, "d": set()}) == ("a", "b")


GRAPHS = st.integers(1, 8).flatmap(
    lambda n: st.lists(st.sets(st.integers(1, n), max_size=3), min_size=n, max_size=n)
)


@given(GRAPHS)
def test_random_graphs_are_refused_exactly_where_they_have_a_cycle(edges: list[set[int]]) -> None:
    made = plan(*(task(i, *sorted(above)) for i, above in enumerate(edges, start=1)))
    try:
        tuple(TopologicalSorter(dict(enumerate(edges, start=1))).static_order())
        acyclic = True
    except CycleError:
        acyclic = False
    assert (problems(made, PROSE, WIDE) == ()) == acyclic


@given(GRAPHS)
def test_every_task_on_a_cycle_is_named(edges: list[set[int]]) -> None:
    reach = {i: set(above) for i, above in enumerate(edges, start=1)}
    for _ in reach:
        for above in reach.values():
            above |= {far for near in tuple(above) for far in reach[near]}
    text = found(plan(*(task(i, *sorted(above)) for i, above in enumerate(edges, start=1))), WIDE)
    for node, above in reach.items():
        own = node in edges[node - 1]
        if node in above and not own:
            assert f"t{node}" in text.partition("in a circle: ")[2]
        if own:
            assert f"t{node} depends on itself" in text


@pytest.mark.parametrize("most", [0, 1, 2, 3])
def test_the_number_of_tasks_is_obeyed_exactly(most: int) -> None:
    for size in (1, 2, 3, 4):
        made = plan(*(task(i, query=f"query {i}") for i in range(1, size + 1)))
        assert (problems(made, PROSE, Limits(max_tasks=most)) == ()) == (size <= most)
