"""The scheduler: every task once, each as soon as its own dependencies are done, and nothing hangs."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaoju.errors import PlanError
from kaoju.runtime.scheduler import check_acyclic, run_graph


@st.composite
def graphs(draw):
    size = draw(st.integers(1, 12))
    return {
        f"t{i}": tuple(f"t{j}" for j in draw(st.sets(st.integers(0, i - 1), max_size=3))) if i else ()
        for i in range(size)
    }


@given(graphs())
def test_every_task_runs_once_after_its_dependencies_with_their_results(graph):
    order = []

    async def run(node, parents):
        assert parents == {p: f"result of {p}" for p in graph[node]}
        await asyncio.sleep(0)
        order.append(node)
        return f"result of {node}"

    results = asyncio.run(run_graph(graph, run))
    assert results == {node: f"result of {node}" for node in graph}
    assert sorted(order) == sorted(graph)
    assert all(order.index(p) < order.index(n) for n, parents in graph.items() for p in parents)


async def test_a_slow_branch_does_not_hold_up_another():
    reached = asyncio.Event()

    async def run(node, _):
        if node == "slow":
            await asyncio.wait_for(reached.wait(), 5)
        if node == "after_fast":
            reached.set()

    await run_graph({"slow": (), "fast": (), "after_fast": ("fast",)}, run)


@pytest.mark.parametrize(
    ("graph", "named"),
    [
        ({"a": ("a",)}, ["a"]),
        ({"a": ("b",), "b": ("a",)}, ["a", "b"]),
        ({"a": ("ghost",), "b": ("phantom",)}, ["ghost", "phantom"]),
        ({"a": (), "b": ("c",), "c": ("d",), "d": ("b",)}, ["b", "c", "d"]),
    ],
)
async def test_cycles_and_unknown_dependencies_are_refused_before_anything_runs(graph, named):
    started = []

    async def run(node, _):
        started.append(node)

    with pytest.raises(PlanError) as refusal:
        await run_graph(graph, run)
    assert not started
    assert all(name in str(refusal.value) for name in named)


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.lists(st.sampled_from("abcdef"), max_size=3), max_size=6)
)
def test_refusal_agrees_with_a_plain_search_for_cycles(graph):
    def looped(node, path):
        return node in path or any(looped(p, {*path, node}) for p in graph[node])

    unknown = any(p not in graph for parents in graph.values() for p in parents)
    broken = unknown or any(looped(node, set()) for node in graph)
    try:
        check_acyclic(graph)
    except PlanError:
        assert broken
    else:
        assert not broken


async def test_an_error_in_one_task_cancels_the_rest_and_is_raised_as_itself():
    cancelled = []

    async def run(node, _):
        if node == "bad":
            raise ZeroDivisionError
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.append(node)
            raise

    with pytest.raises(ZeroDivisionError):
        await run_graph({"bad": (), "long": ()}, run)
    assert cancelled == ["long"]
