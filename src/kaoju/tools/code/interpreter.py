"""The second and third wall around programs: an interpreter with its limits set, in a worker that can be killed.

Promises: a program ends within its time and memory, reaches no file, network,
environment, clock or host object, and a worker that it breaks is replaced;
what comes back is a value or why there is none, and which layer stopped it.
The interpreter (pydantic-monty) knows no host functions at all; its worker is
a process of its own, with limits of the operating system where there are any.
Refuses nothing by itself: the guard comes before it.
"""

from __future__ import annotations

import datetime as dt
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Final, Literal, Self

import pydantic_monty as monty

from kaoju.tools.code.exact import PRELUDE
from kaoju.tools.code.limits import ADDRESS_SPACE, GRACE_SECONDS, LIMITS, Limits
from kaoju.tools.threads import in_thread

if sys.platform == "linux":
    import resource  # elsewhere the interpreter's own limits and the kill remain

Layer = Literal["guard", "data", "interpreter", "process", "result"]
Cause = Literal["error", "types", "time", "memory", "depth", "outside", "died"]
MAX_WORKERS: Final = 2
MAX_MESSAGE: Final = 300
_POLICY: Final[monty.OSPolicy] = {
    "sleep": "zero",
    "datetime": dt.datetime(2000, 1, 1, tzinfo=dt.UTC),
    "timezone": "utc",
    "process_time": "zero",
    "random_start": {"seed": 0},
}
"""No clock, no waiting, no chance: the same program gives the same value."""


@dataclass(frozen=True, slots=True)
class Computed:
    """What a program is worth, as the interpreter gave it."""

    value: object
    printed: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped:
    """Why a program gave no value."""

    layer: Layer
    cause: Cause
    message: str


class Interpreter:
    """Runs programs; safe to use from several tasks at once."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        """Serve within `limits`; no process is started before the first program."""
        self.limits = limits
        self._pool: monty.Monty | None = None
        self._lock = threading.Lock()

    async def run(self, program: str, data: Mapping[str, object]) -> Computed | Stopped:
        """Run a program that passed the guard; a caller that leaves does not prolong it."""
        return await in_thread(lambda: self.run_sync(program, data))

    def run_sync(self, program: str, data: Mapping[str, object]) -> Computed | Stopped:
        """Run a program in the calling thread."""
        printed = monty.CollectString(self.limits.printed_bytes)
        try:
            with self._workers().checkout(limits=self._limits(), os_policy=_POLICY) as session:
                _limit_worker(session.worker_pid, self.limits)
                session.feed_run(PRELUDE)
                value = session.feed_run(program, inputs=dict(data), print_callback=printed)
        except monty.MontyCrashedError as error:
            late = bool(getattr(error, "timed_out", False))
            return Stopped(layer="process", cause="time" if late else "died", message=_short(error))
        except monty.MontyConversionError as error:
            return Stopped(layer="data", cause="error", message=_short(error))
        except monty.MontyError as error:
            return _stopped(error)
        except TimeoutError:
            return Stopped(layer="process", cause="time", message="no worker was free in time")
        except (ValueError, OverflowError, RecursionError) as error:  # a value that the host cannot hold
            return Stopped(layer="result", cause="error", message=_short(error))
        return Computed(value, printed.output)

    def close(self) -> None:
        """End the workers."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.__exit__(None, None, None)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _workers(self) -> monty.Monty:
        with self._lock:
            if self._pool is None:
                self._pool = monty.Monty(
                    min_processes=0,
                    max_processes=MAX_WORKERS,
                    checkout_timeout=10 * (self.limits.seconds + GRACE_SECONDS),
                    request_timeout=self.limits.seconds + GRACE_SECONDS,
                    max_checkouts_per_worker=200,
                ).__enter__()
            return self._pool

    def _limits(self) -> monty.ResourceLimits:
        return {
            "max_feed_duration_secs": self.limits.seconds,
            "max_turn_duration_secs": self.limits.seconds,
            "max_memory": self.limits.memory_bytes,
            "max_recursion_depth": self.limits.depth,
            "max_suspensions": 0,
            "max_total_sleep_secs": 0.0,
        }


def _limit_worker(pid: int | None, limits: Limits) -> None:
    """Take from a worker what no program needs: memory, files to write, core dumps."""
    if sys.platform != "linux" or pid is None:
        return
    with suppress(ProcessLookupError, PermissionError):  # it has just ended, or was limited before
        for kind, value in (
            (resource.RLIMIT_AS, ADDRESS_SPACE + limits.memory_bytes),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
        ):
            resource.prlimit(pid, kind, (value, value))


_CAUSES: Final[tuple[tuple[type[BaseException], Cause], ...]] = (
    (TimeoutError, "time"),
    (MemoryError, "memory"),
    (RecursionError, "depth"),
)


def _stopped(error: monty.MontyError) -> Stopped:
    inner = error.exception()
    cause: Cause = next((name for kind, name in _CAUSES if isinstance(inner, kind)), "error")
    if isinstance(inner, RuntimeError) and "suspension limit" in str(inner):
        return Stopped(
            layer="interpreter", cause="outside", message="the program reached for something outside"
        )
    if cause == "error" and isinstance(inner, TypeError) and "decimal" in str(inner).lower():
        cause = "types"
    name = type(inner).__name__
    return Stopped(layer="interpreter", cause=cause, message=_short(f"{name}: {inner}"))


def _short(what: object) -> str:
    text = " ".join(str(what).split())
    return text if len(text) <= MAX_MESSAGE else text[: MAX_MESSAGE - 1] + "…"
