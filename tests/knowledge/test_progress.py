"""The remaining time is honest: from the rate of real work, and silent before it is known."""

import pytest

from kaoju.knowledge import progress as module
from kaoju.knowledge.progress import Meter, Progress


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "time", made)
    return made


def test_the_time_left_comes_from_the_rate_of_what_cost_something(clock) -> None:
    seen: list[Progress] = []
    meter = Meter(1000, seen.append)
    meter.step("a", 500, worked=False)  # unchanged: says nothing about the rate
    assert seen[-1].seconds_left is None
    clock.now += 10
    meter.step("b", 100)
    assert seen[-1].seconds_left == pytest.approx(40)
    clock.now += 40
    meter.step("c", 400)
    assert (seen[-1].done_units, seen[-1].seconds_left) == (1000, 0)


def test_nothing_to_do_and_nobody_to_tell() -> None:
    Meter(0, None).step("a", 0)
