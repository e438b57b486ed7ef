"""Each layer stops what it claims when the others are off."""

from __future__ import annotations

import sys
import time
from decimal import Decimal
from pathlib import Path

import pydantic_monty as monty
import pytest

from kaoju.tools.code.data import BorderError, given_out
from kaoju.tools.code.guard import Checked, Refused, check
from kaoju.tools.code.interpreter import Interpreter, Stopped

from .attacks import BOMBS, ESCAPES
from .conftest import QUICK, SENTINEL


@pytest.mark.parametrize("name", ESCAPES)
def test_the_guard_alone_refuses_escapes(name: str) -> None:
    refused = check(ESCAPES[name])
    assert isinstance(refused, Refused)
    assert refused.reason
    assert refused.zh


@pytest.mark.parametrize("name", ESCAPES)
def test_the_interpreter_alone_lets_no_escape_reach_anything(
    interpreter: Interpreter, room: Path, name: str
) -> None:
    ran = interpreter.run_sync(ESCAPES[name], {})
    shown = repr(ran)
    assert SENTINEL not in shown
    assert "root:" not in shown
    assert str(room) not in shown
    if not isinstance(ran, Stopped):  # harmless inside: only plain values come back, and only of the sandbox
        value = ran.value
        assert (
            value is None
            or isinstance(
                value, int | float | Decimal | complex | str | bytes | list | dict | tuple | type | type(...)
            )
            or type(value).__module__.startswith(("pydantic_monty", "_monty"))
        )


@pytest.mark.parametrize("name", BOMBS)
def test_the_guard_leaves_bombs_to_the_interpreter(interpreter: Interpreter, name: str) -> None:
    assert isinstance(check(BOMBS[name]), Checked)
    began = time.monotonic()
    ran = interpreter.run_sync(BOMBS[name], {})
    assert time.monotonic() - began < 30
    if isinstance(ran, Stopped):
        assert ran.layer in {"interpreter", "process", "result"}
    else:  # finite in the end, but too large to leave
        with pytest.raises(BorderError):
            given_out(ran.value)


class _Unlimited(Interpreter):
    """The interpreter's own limits off: only the process and its parent remain."""

    def _limits(self) -> monty.ResourceLimits:
        return {"max_suspensions": 0}


@pytest.mark.parametrize("name", ["endless loop", "endless sum", "recursion that branches"])
def test_the_parent_alone_kills_a_worker_that_does_not_end(name: str) -> None:
    with _Unlimited(QUICK) as unlimited:
        ran = unlimited.run_sync(BOMBS[name], {})
        assert isinstance(ran, Stopped)
        assert (ran.layer, ran.cause) == ("process", "time")
        after = unlimited.run_sync("1 + 1", {})
        assert not isinstance(after, Stopped)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of a running process can be set on Linux only")
@pytest.mark.parametrize("name", ["list bomb", "text bomb", "doubling list", "doubling text"])
def test_the_operating_system_alone_bounds_the_memory(name: str) -> None:
    with _Unlimited(QUICK) as unlimited:
        ran = unlimited.run_sync(BOMBS[name], {})
        assert isinstance(ran, Stopped)
        assert ran.cause in {"memory", "died", "time"}
        after = unlimited.run_sync("1 + 1", {})
        assert not isinstance(after, Stopped)


def test_sleeping_takes_no_time_even_without_the_guard(interpreter: Interpreter) -> None:
    began = time.monotonic()
    interpreter.run_sync("import time\ntime.sleep(600)\n1", {})
    assert time.monotonic() - began < 60


def test_the_clock_and_chance_are_the_same_every_time(interpreter: Interpreter) -> None:
    program = "import random, datetime\n[random.random(), str(datetime.datetime.now())]"
    assert interpreter.run_sync(program, {}) == interpreter.run_sync(program, {})


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**500, [[]] * 600, "x" * 30_000, object()])
def test_the_border_alone_lets_nothing_out_that_is_no_plain_value(value: object) -> None:
    with pytest.raises(BorderError):
        given_out(value)
