"""One small company in three engines: the same tables in DuckDB, SQLite and PostgreSQL files and servers."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import duckdb
import psycopg

from kaoju.errors import UsageError
from kaoju.model.evidence import JSON
from kaoju.model.tool import ToolCall, ToolSpec
from kaoju.tools.contract import Contract, Services
from kaoju.tools.sql.engines.target import Engine
from kaoju.tools.sql.kind import SqlKind
from kaoju.tools.sql.tool import INPUT, SqlTool

from .postgres import Server

ENGINES: Final[tuple[Engine, ...]] = ("duckdb", "sqlite", "postgres")
STATEMENTS: Final = (
    'CREATE TABLE "订单" ("编号" INTEGER, "客户" VARCHAR(20), "城市" VARCHAR(20), "金额(元)" DECIMAL(10,2), "日期" DATE, "卡号" VARCHAR(20))',
    """INSERT INTO "订单" VALUES
    (1, '海川贸易', '宁波', 1200.50, DATE '2024-01-15', '6222-SECRET-1'),
    (2, '海川贸易', '宁波', 800.00, DATE '2024-03-02', '6222-SECRET-2'),
    (3, '青禾农业', '成都', 2500.00, DATE '2024-03-20', '6222-SECRET-3'),
    (4, '星桥科技', '成都', 300.25, DATE '2023-11-05', '6222-SECRET-4'),
    (5, '星桥科技', '苏州', 4100.00, DATE '2024-06-30', '6222-SECRET-5')""",
    'CREATE TABLE staff (name VARCHAR(40), team VARCHAR(40), "YearsInTeam" INTEGER)',
    "INSERT INTO staff VALUES ('Ida Moreau', 'Sales', 4), ('Tom Okafor', 'Sales', 9), ('Wei Zhang', 'Support', 2)",
    "CREATE TABLE secret (word VARCHAR(40))",
    "INSERT INTO secret VALUES ('TOP-SECRET-WORD')",
)
ROLE: Final = "kaoju_reader"


@dataclass(frozen=True)
class Place:
    """One of the databases."""

    engine: Engine
    url: str
    folder: Path
    user: str = ""
    """The role that may only read the allowed tables."""


def make(engine: Engine, folder: Path, server: Server | None) -> Place:
    """Fill a database."""
    if engine == "duckdb":
        with duckdb.connect(str(folder / "shop.duckdb")) as connection:
            for statement in STATEMENTS:
                connection.execute(statement)
        return Place(engine, "duckdb:///shop.duckdb", folder)
    if engine == "sqlite":
        with sqlite3.connect(folder / "shop.sqlite") as database:
            for statement in STATEMENTS:
                database.execute(statement.replace("DATE '", "'"))
        database.close()
        return Place(engine, "sqlite:///shop.sqlite", folder)
    assert server is not None
    name = server.create_database()
    with psycopg.connect(server.url(name), autocommit=True) as owner:
        for statement in STATEMENTS:
            owner.execute(statement)  # type: ignore[call-overload]  # text of ours
        owner.execute(f"DROP ROLE IF EXISTS {ROLE}")
        owner.execute(f"CREATE ROLE {ROLE} LOGIN")
        owner.execute(f'GRANT SELECT ON "订单", staff TO {ROLE}')
    return Place(engine, server.url(name, user=ROLE), folder, user=ROLE)


class NoSecrets:
    """Secrets that are given by hand."""

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self.values = dict(values or {})

    def resolve(self, reference: str) -> str:
        if reference not in self.values:
            raise UsageError(f"{reference} is not set")
        return self.values[reference]

    def redact(self, text: str) -> str:
        for value in self.values.values():
            text = text.replace(value, "***")
        return text


def contract(options: Mapping[str, Any], folder: Path, name: str = "shop") -> Contract:
    """Return a contract of the kind `sql`."""
    spec = ToolSpec(
        name=name,
        description="d",
        use_for="u",
        not_for="n",
        input_schema=INPUT,
        kind="sql",
        timeout_seconds=60,
    )
    return Contract(spec=spec, options=dict(options), folder=folder)


def tool(place: Place, model: Any = None, secrets: NoSecrets | None = None, **options: JSON) -> SqlTool:
    """Return a tool over two of the three tables, without the column of card numbers."""
    chosen: dict[str, Any] = {
        "url": place.url,
        "tables": {"订单": {"hidden": ["卡号"]}, "staff": {}},
        **options,
    }
    services = Services(secrets=secrets or NoSecrets(), model=lambda: model)
    made = SqlKind().make(contract(chosen, place.folder), services)[0]
    assert isinstance(made, SqlTool)
    return made


def call(**arguments: JSON) -> ToolCall:
    return ToolCall(run_id="r", task_id="t1", attempt=1, tool="shop", arguments=arguments)
