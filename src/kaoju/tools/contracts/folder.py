"""The contracts of a folder as they are now: changed files are read again, broken ones keep their last good form.

Promises: `current` reads only what changed (by size and time of change, then by
content); a broken edit is reported and the last good version goes on serving.
Safe to call from several threads.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from kaoju.model.tool import ToolSpec
from kaoju.tools.contract import Contract, Kind
from kaoju.tools.contracts.check import check
from kaoju.tools.contracts.problem import Problem
from kaoju.tools.contracts.reading import Read, files_of, read_contract


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What a folder holds."""

    contracts: tuple[Contract, ...]
    problems: tuple[Problem, ...]
    stamp: str
    """Changes when anything that is served changes."""


class ContractFolder:
    """A folder of contract files."""

    def __init__(self, folder: Path, kinds: Mapping[str, Kind]) -> None:
        """Watch `folder`; nothing is read yet, and it need not exist."""
        self._folder = folder
        self._kinds = kinds
        self._lock = threading.Lock()
        self._seen: tuple[tuple[Path, int, int], ...] | None = None
        self._good: dict[Path, Read] = {}
        self._loaded = Loaded(contracts=(), problems=(), stamp="")

    def current(self, built_in: Sequence[ToolSpec]) -> Loaded:
        """Return the contracts as they are now.

        Args:
            built_in: the tools that are there without files.
        """
        with self._lock:
            seen = tuple(_fingerprints(files_of(self._folder)))
            if seen != self._seen:
                self._loaded = self._load([path for path, _, _ in seen], built_in)
                self._seen = seen
            return self._loaded

    def _load(self, paths: Sequence[Path], built_in: Sequence[ToolSpec]) -> Loaded:
        problems: list[Problem] = []
        read: dict[Path, Read] = {}
        for path in paths:
            found = read_contract(path, self._kinds)
            if isinstance(found, Read):
                read[path] = found
            else:
                problems.extend(found)
        wrong = check(tuple(read.values()), self._kinds, built_in)
        problems.extend(wrong)
        bad = {problem.file for problem in wrong}
        good = {path: one for path, one in read.items() if path not in bad}
        kept = {path: one for path, one in self._good.items() if path in paths and path not in good}
        self._good = {**kept, **good}
        contracts = _with_present(
            [self._good[path].contract for path in paths if path in self._good], built_in
        )
        stamp = hashlib.sha256(repr(contracts).encode()).hexdigest()
        return Loaded(contracts=contracts, problems=tuple(problems), stamp=stamp)


def _with_present(contracts: Sequence[Contract], built_in: Sequence[ToolSpec]) -> tuple[Contract, ...]:
    """Leave out fallbacks whose own contract cannot be served."""
    names = {spec.name for spec in (*built_in, *(contract.spec for contract in contracts))}
    return tuple(
        replace(
            contract,
            spec=replace(
                contract.spec,
                fallback=tuple(item for item in contract.spec.fallback if item.tool in names),
            ),
        )
        for contract in contracts
    )


def _fingerprints(paths: Sequence[Path]) -> list[tuple[Path, int, int]]:
    found = []
    for path in paths:
        try:
            state = path.stat()
        except OSError:
            continue
        found.append((path, state.st_mtime_ns, state.st_size))
    return found
