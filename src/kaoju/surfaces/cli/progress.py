"""Progress on stderr, only where it is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def counting(total: int, done: int) -> Iterator[Callable[[], None]]:
    """Show a bar of `total` items, `done` of them already there; yield a function that advances it by one."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    with Progress(
        BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=Console(stderr=True)
    ) as bar:
        row = bar.add_task("", total=total, completed=done)
        yield lambda: bar.advance(row)
