"""Progress on stderr, only where it is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn

    from kaoju.knowledge.progress import Progress as IngestProgress


@contextmanager
def counting(total: int, done: int) -> Iterator[Callable[[], None]]:
    """Show a bar of `total` items, `done` of them already there; yield a function that advances it by one."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn

    with _bar(BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()) as bar:
        row = bar.add_task("", total=total, completed=done)
        yield lambda: bar.advance(row)


@contextmanager
def ingesting(*, enabled: bool) -> Iterator[Callable[[IngestProgress], None] | None]:
    """Show how far an ingestion is and how long it will take; yield the callback, None where silent."""
    if not (enabled and sys.stderr.isatty()):
        yield None
        return
    from rich.progress import BarColumn, TextColumn

    percent = TextColumn("{task.percentage:3.0f}% {task.fields[left]} {task.description}")
    with _bar(BarColumn(), percent) as bar:
        row = bar.add_task("", total=None, left="")

        def show(progress: IngestProgress) -> None:
            left = "" if progress.seconds_left is None else f"{progress.seconds_left:.0f} s left"
            bar.update(
                row,
                completed=progress.done_units,
                total=progress.total_units,
                description=progress.file,
                left=left,
            )

        yield show


@contextmanager
def downloading(name: str, size: int) -> Iterator[Callable[[int], None]]:
    """Show how much of `size` bytes is here; yield a function that is told how many."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn

    with _bar(TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn()) as bar:
        row = bar.add_task(name, total=size)
        yield lambda done: bar.update(row, completed=done)


def _bar(*columns: ProgressColumn) -> Progress:
    from rich.console import Console
    from rich.progress import Progress

    return Progress(*columns, console=Console(stderr=True))
