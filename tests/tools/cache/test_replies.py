"""A reply serves again only to the same question, asked with the same rights of the same tool and collection."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from kaoju.model.evidence import Evidence, Locator
from kaoju.model.tool import CacheMode, CachePolicy, Succeeded, ToolCall, ToolSpec
from kaoju.tools.cache.replies import Replies
from kaoju.tools.cache.store import ReplyStore

SPEC = ToolSpec(
    name="ledger", description="", use_for="", not_for="", input_schema={}, cache=CachePolicy(mode="semantic")
)
FOUND = Succeeded(
    evidence=(
        Evidence(
            id="", kind="rows", text="差旅费: 12000", document_id="ledger", title="账", locator=Locator(rows=(2, 2)),
            tool="ledger", rows=({"差旅费": 12000},),
        ),
    ),
    confidence=0.9,
    tool="ledger",
)  # fmt: skip


class World:
    """A cache whose collection, clock and embedding a test can move; all questions are neighbours."""

    def __init__(self, path: Path | None) -> None:
        self.generation = "7"
        self.time = 1_000.0
        self.store = ReplyStore(path)
        self.replies = Replies(
            self.store,
            embed=lambda text: np.ones(4, dtype=np.float32) / 2,
            generation=lambda: self.generation,
            clock=lambda: self.time,
        )


def call(query: str, task: str = "t1", **more: object) -> ToolCall:
    return ToolCall(
        run_id="r", task_id=task, attempt=1, tool="ledger", arguments={"query": query, **more}, asked_on=date(2024, 5, 1)
    )  # type: ignore[arg-type]  # fmt: skip


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path / "replies.sqlite")
    yield world
    world.store.close()


def test_a_paraphrase_gets_the_reply_with_its_time_on_it(world: World) -> None:
    world.replies.put(SPEC, call("市场部2023年差旅费是多少"), None, FOUND)
    served = world.replies.get(SPEC, call("请问2023年市场部的差旅费多少钱", task="t9"), None)
    assert served is not None
    assert served.evidence[0].rows == FOUND.evidence[0].rows
    assert served.evidence[0].locator == FOUND.evidence[0].locator
    assert served.evidence[0].task_id == "t9"
    assert "1970-01-01T00:16:40" in served.notes[0]


@pytest.mark.parametrize(
    "change",
    [
        lambda w: w.replies.get(SPEC, call("研发部2023年差旅费是多少"), None),
        lambda w: w.replies.get(SPEC, call("市场部2023年差旅费是多少"), "finance"),
        lambda w: w.replies.get(SPEC, call("市场部2023年差旅费是多少", table="b"), None),
        lambda w: w.replies.get(replace(SPEC, version="2"), call("市场部2023年差旅费是多少"), None),
        lambda w: w.replies.get(replace(SPEC, name="other"), call("市场部2023年差旅费是多少"), None),
    ],
)
def test_one_thing_changed_is_a_miss(world: World, change: Callable[[World], Succeeded | None]) -> None:
    world.replies.put(SPEC, call("市场部2023年差旅费是多少"), None, FOUND)
    assert world.replies.get(SPEC, call("市场部2023年差旅费是多少"), None) is not None
    assert change(world) is None


def test_a_changed_collection_empties_what_came_from_it(world: World) -> None:
    world.replies.put(SPEC, call("市场部2023年差旅费是多少"), None, FOUND)
    world.generation = "8"
    assert world.replies.get(SPEC, call("市场部2023年差旅费是多少"), None) is None
    world.replies.put(SPEC, call("研发部2023年差旅费是多少"), None, FOUND)
    assert len(world.store) == 1


def test_a_reply_belongs_to_the_collection_that_was_asked_not_to_a_later_one(world: World) -> None:
    asked = call("市场部2023年差旅费是多少")
    assert world.replies.get(SPEC, asked, None) is None
    world.generation = "8"
    world.replies.put(SPEC, asked, None, FOUND)
    assert world.replies.get(SPEC, call("市场部2023年差旅费是多少", task="t2"), None) is None


def test_a_reply_lives_as_long_as_its_contract_says(world: World) -> None:
    spec = replace(SPEC, cache=CachePolicy(mode="exact", ttl_seconds=60))
    world.replies.put(spec, call("汇率"), None, FOUND)
    world.time += 59
    assert world.replies.get(spec, call("汇率"), None) is not None
    world.time += 1
    assert world.replies.get(spec, call("汇率"), None) is None


def test_exact_serves_no_paraphrase(world: World) -> None:
    spec = replace(SPEC, cache=CachePolicy(mode="exact"))
    world.replies.put(spec, call("年假有几天"), None, FOUND)
    assert world.replies.get(spec, call("年休假有几天"), None) is None
    assert world.replies.get(spec, call("年假有几天"), None) is not None


@pytest.mark.parametrize(
    ("spec", "outcome"),
    [
        (replace(SPEC, cache=CachePolicy(mode="none")), FOUND),
        (replace(SPEC, risk="write"), FOUND),
        (SPEC, replace(FOUND, evidence=())),
        (SPEC, replace(FOUND, tool="stand_in")),
    ],
)
def test_what_may_not_serve_again_is_not_kept(world: World, spec: ToolSpec, outcome: Succeeded) -> None:
    world.replies.put(spec, call("年假有几天"), None, outcome)
    assert len(world.store) == 0


@pytest.mark.parametrize("mode", ["exact", "semantic"])
def test_replies_outlive_the_process(tmp_path: Path, mode: CacheMode) -> None:
    spec = replace(SPEC, cache=CachePolicy(mode=mode))
    first = World(tmp_path / "r.sqlite")
    first.replies.put(spec, call("年假有几天"), "hr", FOUND)
    first.store.close()
    second = World(tmp_path / "r.sqlite")
    assert second.replies.get(spec, call("年假有几天"), "hr") is not None
    second.store.close()
