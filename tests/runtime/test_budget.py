"""The ledger: limits 0, 1, 2, N are obeyed exactly and nothing refills them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaoju.model.question import Budget
from kaoju.runtime.budget import Ledger


@given(st.integers(0, 20), st.integers(0, 60))
def test_at_most_that_many_steps_and_rounds(limit, tries):
    ledger = Ledger(Budget(steps=limit, rounds=limit))
    assert sum(ledger.spend_step() for _ in range(tries)) == min(limit, tries)
    assert sum(ledger.spend_round() for _ in range(tries)) == min(limit, tries)


def test_time_runs_out_and_stops_steps():
    now = [0.0]
    ledger = Ledger(Budget(seconds=2.0), clock=lambda: now[0])
    assert ledger.spend_step()
    now[0] = 1.5
    assert ledger.seconds_left == pytest.approx(0.5)
    now[0] = 2.5
    assert ledger.out_of_time
    assert not ledger.spend_step()


def test_tokens_count_down_to_zero_and_no_limit_is_none():
    ledger = Ledger(Budget(tokens=10))
    ledger.spend_tokens(25)
    assert ledger.tokens_left == 0
    assert Ledger(Budget()).tokens_left is None
