"""Earlier replies on disk: one SQLite file beside the knowledge base.

Promises: a row is found only under the same tool, version, rights, generation
and arguments; what belongs to an older generation is gone at the next write.
Several processes may share the file. Refuses: deciding whether a reply serves.
"""

from __future__ import annotations

import sqlite3
import threading
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

MAX_CANDIDATES: Final = 2_000
"""The latest replies under one key that are looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """What must be the same, to the letter, for a reply to serve again."""

    tool: str
    version: str
    rights: str
    """The role of the caller; empty for none."""
    generation: str
    """Of the knowledge base."""
    arguments: str
    """Canonical JSON of all arguments but the question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One earlier reply."""

    question: str
    asked_on: str
    """ISO date that relative times counted from."""
    outcome: str
    """JSON."""
    created: float
    """Seconds since the epoch."""
    vector: NDArray[np.float32] | None = None
    """Unit vector of the question; None where only the exact question may hit."""


class ReplyStore:
    """Replies by key."""

    def __init__(self, path: Path | None) -> None:
        """Open the file at `path`, or keep replies in memory where it is None."""
        script = resources.files("kaoju.tools.cache").joinpath("replies.sql").read_text(encoding="utf-8")
        self._lock = threading.Lock()
        self._db = sqlite3.connect(str(path or ":memory:"), check_same_thread=False, timeout=5.0)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.executescript(script)

    def find(self, key: Key) -> tuple[Reply, ...]:
        """Return the replies under a key, the latest first."""
        with self._lock:
            rows = self._db.execute(
                "SELECT question, asked_on, outcome, created, vector FROM replies"
                " WHERE tool = ? AND version = ? AND rights = ? AND generation = ? AND arguments = ?"
                " ORDER BY id DESC LIMIT ?",
                (*_values(key), MAX_CANDIDATES),
            ).fetchall()
        return tuple(
            Reply(
                question=question,
                asked_on=asked_on,
                outcome=outcome,
                created=created,
                vector=None if vector is None else np.frombuffer(vector, dtype=np.float32),
            )
            for question, asked_on, outcome, created, vector in rows
        )

    def add(self, key: Key, reply: Reply) -> None:
        """Keep a reply, in the place of one to the same question; those of other generations are dropped."""
        vector = None if reply.vector is None else reply.vector.astype(np.float32).tobytes()
        with self._lock, self._db:
            self._db.execute("DELETE FROM replies WHERE generation <> ?", (key.generation,))
            self._db.execute(
                "DELETE FROM replies WHERE tool = ? AND version = ? AND rights = ? AND generation = ?"
                " AND arguments = ? AND question = ? AND asked_on = ?",
                (*_values(key), reply.question, reply.asked_on),
            )
            self._db.execute(
                "INSERT INTO replies (tool, version, rights, generation, arguments, question, asked_on,"
                " vector, outcome, created) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*_values(key), reply.question, reply.asked_on, vector, reply.outcome, reply.created),
            )

    def __len__(self) -> int:
        """Count replies."""
        with self._lock:
            return int(self._db.execute("SELECT count(*) FROM replies").fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._db.close()


def _values(key: Key) -> tuple[str, ...]:
    return key.tool, key.version, key.rights, key.generation, key.arguments
