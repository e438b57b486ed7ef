"""Blocking work off the event loop.

Promises: the caller gets the result or the exception, and can walk away at
once when it is cancelled: the thread is abandoned, not awaited, and does not
hold up the end of the process (the executor's threads of asyncio would).
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

T = TypeVar("T")


async def in_thread(work: Callable[[], T]) -> T:
    """Run `work` in a daemon thread of its own and return what it returns."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]  # no error: `work` returned it

    def body() -> None:
        result: T | None = None
        error: BaseException | None = None
        try:
            result = work()
        except StopIteration as stop:  # a future refuses it
            error = RuntimeError(f"StopIteration: {stop}")
        except BaseException as caught:  # noqa: BLE001 - handed to the awaiting side, whatever it is
            error = caught
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=body, name="kaoju-tool", daemon=True).start()
    return await future
