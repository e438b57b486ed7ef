"""Addresses of databases: `duckdb:`, `sqlite:`, `postgresql:`, `mysql:`. Pure.

Promises: a relative path starts at the contract's folder. Refuses: passwords in
the address itself, unknown kinds, and connection options that are not listed.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, unquote, urlsplit

from kaoju.errors import UsageError
from kaoju.tools.sql.engines.target import Engine, Target

ENGINES: Final[Mapping[str, Engine]] = {
    "duckdb": "duckdb",
    "sqlite": "sqlite",
    "postgresql": "postgres",
    "postgres": "postgres",
    "mysql": "mysql",
    "mariadb": "mysql",
}
OPTIONS: Final[Mapping[Engine, frozenset[str]]] = {
    "duckdb": frozenset(),
    "sqlite": frozenset(),
    "postgres": frozenset({"host", "port", "sslmode", "sslrootcert", "sslcert", "sslkey"}),
    "mysql": frozenset({"unix_socket", "ssl_ca"}),
}


def read_address(url: str, folder: Path, *, in_clear: bool = True) -> Target:
    """Return the database that an address names.

    Args:
        url: the address.
        folder: where relative paths start.
        in_clear: whether people can read the address; one that came from a secret may hold a password.

    Raises:
        UsageError: it names none that can be served.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise _unusable(str(error)) from error
    engine = ENGINES.get(parts.scheme)
    if engine is None:
        raise _unusable(f"{parts.scheme or 'nothing'!r} is no kind of database")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    unknown = sorted(options.keys() - OPTIONS[engine])
    if unknown:
        raise _unusable(
            f"the option {unknown[0]!r} is not one of {', '.join(sorted(OPTIONS[engine])) or 'none'}"
        )
    path = unquote(parts.path)
    if engine in {"duckdb", "sqlite"}:
        if parts.netloc:
            raise _unusable("the path of a file follows three slashes, as in sqlite:///shop.sqlite")
        name = path.removeprefix("/")
        if not name:
            raise _unusable("it names no file")
        return Target(engine=engine, database=str((folder / name).resolve()))
    if not path.strip("/"):
        raise _unusable("it names no database")
    if parts.password is not None and in_clear:
        raise _unusable("a password in the address is in clear; use `password: env:NAME` or `file:PATH`")
    named_port = options.pop("port", "")
    return Target(
        engine=engine,
        database=path.removeprefix("/"),
        host=options.pop("host", "") or parts.hostname or "",
        port=int(named_port) if named_port.isdigit() else port,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        options=options,
    )


def _unusable(why: str) -> UsageError:
    return UsageError(f"the address of the database cannot be used: {why}", f"数据库地址无法使用：{why}")
