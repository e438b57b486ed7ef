"""The decision table of the loop."""

from __future__ import annotations

import pytest

from kaoju.judging.moves import Compose, Gather, Stop, next_move
from kaoju.model.verdict import Coverage, NeedVerdict, Sufficiency


def verdict(*coverages: Coverage) -> Sufficiency:
    needs = tuple(
        NeedVerdict(need_id=f"n{place}", coverage=coverage, confidence=0.9, reason="")
        for place, coverage in enumerate(coverages, start=1)
    )
    return Sufficiency(needs=needs, confidence=0.9)


def test_all_covered_composes_whatever_is_left() -> None:
    assert next_move(verdict("covered"), rounds_left=0, steps_left=0, out_of_time=True) == Compose()


def test_gaps_are_gathered_while_the_budget_lasts() -> None:
    move = next_move(verdict("covered", "missing", "partly"), rounds_left=1, steps_left=1)
    assert isinstance(move, Gather)
    assert [gap.need_id for gap in move.gaps] == ["n2", "n3"]


@pytest.mark.parametrize(
    ("left", "reason"),
    [
        ({"rounds_left": 0, "steps_left": 9}, "no_rounds"),
        ({"rounds_left": 2, "steps_left": 0}, "no_steps"),
        ({"rounds_left": 2, "steps_left": 9, "out_of_time": True}, "out_of_time"),
        ({"rounds_left": 2, "steps_left": 9, "fruitless_rounds": 2}, "nothing_new"),
    ],
)
def test_every_limit_stops_the_loop(left: dict[str, int], reason: str) -> None:
    move = next_move(verdict("missing"), **left)  # type: ignore[arg-type]  # numbers by name
    assert isinstance(move, Stop)
    assert move.reason == reason
    assert move.say("zh") != move.say("en")


def test_one_fruitless_round_is_not_the_end() -> None:
    assert isinstance(next_move(verdict("missing"), rounds_left=2, steps_left=9, fruitless_rounds=1), Gather)
