"""Wall time over critical path on random task graphs whose tools only sleep: Kaoju beside LangGraph.

Prints one line per engine: median, 90th percentile and worst ratio. The same
graphs run on both, one after the other, in one process. A ratio of 1 is the
ideal: nothing ever waits but for its own dependencies.
"""

from __future__ import annotations

import argparse
import asyncio
import operator
import random
import statistics
import time
from typing import Annotated, Any, TypedDict

from langgraph.graph import END, START, StateGraph

from kaoju.runtime.scheduler import run_graph

Graph = dict[str, tuple[str, ...]]
Sleeps = dict[str, float]


def random_graph(seed: int) -> tuple[Graph, Sleeps]:
    """Return 4 to 16 nodes with up to three earlier parents each, and how long each sleeps (20 to 200 ms)."""
    rng = random.Random(seed)
    names = [f"t{i}" for i in range(rng.randint(4, 16))]
    graph = {name: tuple(rng.sample(names[:i], rng.randint(0, min(i, 3)))) for i, name in enumerate(names)}
    return graph, {name: rng.uniform(0.02, 0.2) for name in names}


def critical_path(graph: Graph, sleeps: Sleeps) -> float:
    """Return the seconds of the longest chain of dependencies."""
    finish: dict[str, float] = {}
    for node, parents in graph.items():
        finish[node] = max((finish[p] for p in parents), default=0.0) + sleeps[node]
    return max(finish.values())


async def on_kaoju(graph: Graph, sleeps: Sleeps) -> float:
    """Return the seconds that Kaoju's scheduler takes."""

    async def run(node: str, _: object) -> None:
        await asyncio.sleep(sleeps[node])

    start = time.perf_counter()
    await run_graph(graph, run)
    return time.perf_counter() - start


class State(TypedDict):
    """What the nodes of the LangGraph twin append to."""

    done: Annotated[list[str], operator.add]


def build_langgraph(graph: Graph, sleeps: Sleeps) -> Any:
    """Return the same graph, compiled by LangGraph: a node waits for all its parents."""
    builder: Any = StateGraph(State)

    def node(name: str) -> Any:
        async def run(_: State) -> State:
            await asyncio.sleep(sleeps[name])
            return {"done": [name]}

        return run

    inner = {parent for parents in graph.values() for parent in parents}
    for name in graph:
        builder.add_node(name, node(name))
    for name, parents in graph.items():
        builder.add_edge(list(parents) if parents else START, name)
        if name not in inner:
            builder.add_edge(name, END)
    return builder.compile()


async def on_langgraph(compiled: Any) -> float:
    """Return the seconds that LangGraph takes; compiling is not counted."""
    start = time.perf_counter()
    await compiled.ainvoke({"done": []}, {"recursion_limit": 100})
    return time.perf_counter() - start


async def measure(count: int) -> dict[str, list[float]]:
    """Return wall time over critical path for each engine, graph by graph."""
    ratios: dict[str, list[float]] = {"kaoju": [], "langgraph": []}
    for seed in range(count):
        graph, sleeps = random_graph(seed)
        ideal = critical_path(graph, sleeps)
        compiled = build_langgraph(graph, sleeps)
        ratios["kaoju"].append(await on_kaoju(graph, sleeps) / ideal)
        ratios["langgraph"].append(await on_langgraph(compiled) / ideal)
    return ratios


def main() -> None:
    """Run the benchmark and print its table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", type=int, default=200)
    arguments = parser.parse_args()
    ratios = asyncio.run(measure(arguments.graphs))
    print(f"{arguments.graphs} random graphs, wall time over critical path")
    for engine, values in ratios.items():
        tail = statistics.quantiles(values, n=10)[-1]
        print(f"{engine:10s} median {statistics.median(values):.3f}  p90 {tail:.3f}  worst {max(values):.3f}")


if __name__ == "__main__":
    main()
