"""Which database a child process serves, as a value that travels as JSON.

Promises: credentials never show in a `repr`. Standard library only: the child
process loads it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal, Self

Engine = Literal["duckdb", "sqlite", "postgres", "mysql"]
MEMORY_MB: Final = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One database, and how far it may be used."""

    engine: Engine
    database: str
    """Path of the file, or name of the database."""
    host: str = ""
    """Empty is a socket or the server's default."""
    port: int | None = None
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    options: Mapping[str, str] = field(default_factory=dict)
    """Connection options that the address named, for example `sslmode`."""
    schemas: tuple[str, ...] = ()
    """Schemas whose tables are all allowed."""
    tables: tuple[str, ...] = ()
    """Further allowed tables, as `table` or `schema.table`."""
    memory_mb: int = MEMORY_MB

    def to_json(self) -> dict[str, Any]:
        """Return plain data, credentials included: for the child's standard input only."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the value that `to_json` gave."""
        lists = {name: tuple(data[name]) for name in ("schemas", "tables")}
        return cls(**{**data, **lists})

    @property
    def label(self) -> str:
        """Return what people may see of the address."""
        place = f"{self.host or 'localhost'}/" if self.engine in {"postgres", "mysql"} else ""
        return f"{self.engine}:{place}{self.database}"
