"""Where a SQL tool gets its tables from: those of the knowledge base, or those of a database.

Promises: what a database has is looked up at the first call and again after a
while; samples of its texts are taken through the same guard and the same locks
as everything else. Refuses: tables and columns that the contract does not name.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Protocol

from kaoju.model.document import TableInfo
from kaoju.tools.sql.catalogue import Described, as_tables, countings, samplings
from kaoju.tools.sql.engines.target import Engine, Target
from kaoju.tools.sql.guard import Safe, check
from kaoju.tools.sql.runner import QUERY_SECONDS, QueryError, Runner, Table
from kaoju.tools.sql.scope import Place

FRESH_SECONDS: Final = 300.0
"""How long what is known of a database serves."""
LOOK_SECONDS: Final = 2.0
"""Time of one look at sample values; a column that takes longer goes without."""
LOOKS: Final = 400
"""Looks at most; further columns go without samples."""


class Source(Protocol):
    """Tables, and a way to ask about them."""

    @property
    def engine(self) -> Engine:
        """Return whose dialect the SQL must be in."""
        ...

    @property
    def places(self) -> Mapping[str, Place] | None:
        """Return where the tables are; None where they are what they are called, with source rows."""
        ...

    async def tables(self) -> Sequence[TableInfo] | QueryError:
        """Return the tables that may be read, as they stand."""
        ...

    async def query(self, sql: str, *, max_rows: int) -> Table | QueryError:
        """Run SQL that the guard let through."""
        ...

    def close(self) -> None:
        """End the processes."""
        ...


class KnowledgeTables:
    """The tables of a knowledge base, in its DuckDB file."""

    engine: Engine = "duckdb"
    places: Mapping[str, Place] | None = None

    def __init__(
        self, path: Path, tables: Callable[[], Sequence[TableInfo]], *, seconds: float = QUERY_SECONDS
    ) -> None:
        """Serve `path`; it is only ever opened for reading."""
        self._tables = tables
        target = Target(engine="duckdb", database=str(path.resolve()))
        self._runner = Runner(target, seconds=seconds)

    async def tables(self) -> Sequence[TableInfo] | QueryError:
        """Return the tables as they stand."""
        return tuple(self._tables())

    async def query(self, sql: str, *, max_rows: int) -> Table | QueryError:
        """Run SQL that the guard let through."""
        return await self._runner.query(sql, max_rows=max_rows)

    def close(self) -> None:
        """End the processes."""
        self._runner.close()


class Database:
    """The allowed tables of a database that a contract names."""

    def __init__(
        self,
        name: str,
        target: Target,
        described: Mapping[str, Described],
        *,
        seconds: float,
        max_bytes: int,
        redact: Callable[[str], str],
    ) -> None:
        """Serve a database; nothing is opened before the first call.

        Args:
            name: the contract's name, which evidence names as its source.
            target: the database.
            described: what the contract says of tables, by `table` or `schema.table`.
            seconds: time that one query may take.
            max_bytes: size that a result may have.
            redact: takes secrets out of messages of the engine.
        """
        self.engine: Engine = target.engine
        self._name = name
        self._described = described
        self._redact = redact
        self._runner = Runner(target, seconds=seconds, max_bytes=max_bytes)
        self._looking = Runner(target, seconds=min(seconds, LOOK_SECONDS))
        self._known: tuple[TableInfo, ...] = ()
        self._places: Mapping[str, Place] = {}
        self._until = 0.0
        self._lock = asyncio.Lock()

    @property
    def places(self) -> Mapping[str, Place]:
        """Return where the tables are, once they were looked up."""
        return self._places

    async def tables(self) -> Sequence[TableInfo] | QueryError:
        """Return the tables that may be read, at most some minutes old."""
        async with self._lock:
            if time.monotonic() < self._until:
                return self._known
            found = await self._runner.tables()
            if isinstance(found, QueryError):
                return self._safe(found)
            known, self._places = as_tables(self._name, found, self._described, self.engine)
            self._known = await self._sampled(known)
            self._until = time.monotonic() + FRESH_SECONDS
            return self._known

    async def query(self, sql: str, *, max_rows: int) -> Table | QueryError:
        """Run SQL that the guard let through."""
        result = await self._runner.query(sql, max_rows=max_rows)
        return self._safe(result) if isinstance(result, QueryError) else result

    def close(self) -> None:
        """End the processes."""
        self._runner.close()
        self._looking.close()

    async def _sampled(self, tables: Sequence[TableInfo]) -> tuple[TableInfo, ...]:
        """Return the tables with their sizes and with sample values of their texts."""
        sampled: list[TableInfo] = []
        left = LOOKS
        for table in tables:
            rows = table.row_count
            for sql in countings(table):
                counted = await self._look(sql)
                rows = next((int(row[0]) for row in counted if isinstance(row[0], int)), rows)
            samples: dict[str, tuple[str, ...]] = {}
            for column, sql in samplings(table)[:left]:
                values = tuple(str(row[0]) for row in await self._look(sql))
                if values:
                    samples[column] = values
            left -= len(samplings(table)[:left])
            sampled.append(replace(table, row_count=rows, samples=samples))
        return tuple(sampled)

    async def _look(self, sql: str) -> Sequence[tuple[str | int | float | bool | None, ...]]:
        safe = check(sql, self._places, max_rows=100, engine=self.engine, places=self._places)
        if not isinstance(safe, Safe):
            return ()
        result = await self._looking.query(safe.sql, max_rows=100)
        return result.rows if isinstance(result, Table) and not result.cut else ()

    def _safe(self, error: QueryError) -> QueryError:
        return replace(error, message=self._redact(error.message))
