"""The breaker's table, as a property over every sequence of signals."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaoju.model.tool import BreakerRule, Probe, ToolSpec
from kaoju.tools.dispatch.breaker import TABLE, Breaker, Signal, ask, limit_of, rest_left, rest_of, settle

REST = 10.0
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("wait"), st.floats(0, 2 * REST)),
        st.tuples(st.just("call"), st.just(0.0)),
        st.tuples(st.sampled_from(["alive", "sick", "void"]), st.integers(0, 5).map(float)),
    ),
    max_size=60,
)


@dataclass
class Model:
    """The same thing, written again in another way: lists instead of epochs."""

    limit: int
    phase: str = "closed"
    failures: int = 0
    opened: float = 0.0
    era: int = 0

    def asked(self, now: float) -> bool:
        if self.phase == "open" and now >= self.opened + REST:
            self.phase, self.era = "half_open", self.era + 1
            return True
        return self.phase == "closed"

    def told(self, signal: str, era: int, now: float) -> None:
        if era != self.era:
            return
        if self.phase == "half_open":
            self.phase = "closed" if signal == "alive" else "open"
            self.era += 1
            self.failures = 0 if signal == "alive" else self.failures
            self.opened = now if signal == "sick" else self.opened
        elif self.phase == "closed" and signal != "void":
            self.failures = self.failures + 1 if signal == "sick" else 0
            if self.failures >= self.limit:
                self.phase, self.opened, self.era = "open", now, self.era + 1


@given(STEPS, st.integers(1, 5))
@settings(max_examples=400, deadline=None)
def test_any_history_of_calls_and_replies_goes_as_the_model_says(
    steps: list[tuple[str, float]], limit: int
) -> None:
    state, model, now = Breaker(), Model(limit), 0.0
    out: list[int] = []
    for word, value in steps:
        if word == "wait":
            now += value
        elif word == "call":
            state, admitted = ask(state, REST, now)
            assert admitted == model.asked(now)
            if admitted:
                out.append(state.epoch)
        elif out:
            epoch = out.pop(int(value) % len(out))
            before = state
            state = settle(state, word, epoch=epoch, limit=limit, now=now)  # type: ignore[arg-type]  # a signal
            model.told(word, epoch, now)
            if epoch != before.epoch:
                assert state == before
        assert (state.phase, state.epoch) == (model.phase, model.era)
        if state.phase == "closed":
            assert state.failures == model.failures < limit


@given(STEPS, st.integers(1, 5))
@settings(max_examples=200, deadline=None)
def test_every_change_of_phase_is_in_the_table_and_half_open_admits_one(
    steps: list[tuple[str, float]], limit: int
) -> None:
    state, now, trials = Breaker(), 0.0, 0
    for word, value in steps:
        before = state
        signal: Signal = "asked" if word == "call" else word  # type: ignore[assignment]  # wait is no signal
        if word == "wait":
            now += value
            continue
        if word == "call":
            state, admitted = ask(state, REST, now)
            trials = trials + 1 if admitted and state.phase == "half_open" else trials
            assert trials <= 1
        else:
            state = settle(state, signal, epoch=state.epoch, limit=limit, now=now)
        if state.phase != before.phase:
            assert state.phase == TABLE[before.phase, signal]
            assert state.epoch == before.epoch + 1
            trials = trials if state.phase == "half_open" else 0


def test_the_table_is_complete() -> None:
    phases, signals = ("closed", "open", "half_open"), ("asked", "alive", "sick", "void")
    assert set(TABLE) == {(phase, signal) for phase in phases for signal in signals}


def test_a_late_reply_neither_opens_nor_closes() -> None:
    opened = settle(Breaker(), "sick", epoch=0, limit=1, now=0.0)
    assert opened.phase == "open"
    assert settle(opened, "alive", epoch=0, limit=1, now=1.0) == opened
    trying, admitted = ask(opened, REST, REST)
    assert (trying.phase, admitted) == ("half_open", True)
    assert settle(trying, "alive", epoch=0, limit=1, now=REST) == trying
    assert settle(trying, "sick", epoch=0, limit=1, now=REST) == trying


def test_a_trial_that_came_to_nothing_lets_the_next_one_try_at_once() -> None:
    opened = settle(Breaker(), "sick", epoch=0, limit=1, now=0.0)
    trying, _ = ask(opened, REST, REST)
    again = settle(trying, "void", epoch=trying.epoch, limit=1, now=REST)
    assert (again.phase, rest_left(again, REST, REST)) == ("open", 0.0)
    assert ask(again, REST, REST)[1]


def test_a_failed_trial_rests_anew() -> None:
    opened = settle(Breaker(), "sick", epoch=0, limit=1, now=0.0)
    trying, _ = ask(opened, REST, REST)
    again = settle(trying, "sick", epoch=trying.epoch, limit=1, now=REST + 1)
    assert rest_left(again, REST, REST + 1) == REST


@pytest.mark.parametrize(
    ("probe", "rest"), [(None, 7.0), (Probe(interval_seconds=3.0), 3.0)], ids=["own rest", "the probe's"]
)
def test_the_contract_says_when_it_opens_and_how_long_it_rests(probe: Probe | None, rest: float) -> None:
    spec = ToolSpec(
        name="a",
        description="",
        use_for="",
        not_for="",
        input_schema={},
        probe=probe,
        breaker=BreakerRule(failures=4, rest_seconds=7.0),
    )
    assert (limit_of(spec), rest_of(spec)) == (4, rest)
