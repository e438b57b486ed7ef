from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from kaoju.model.document import TableInfo
from kaoju.tools.sql.tool import SqlQuery

from .invented import make


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[TableInfo, ...]]:
    path = tmp_path_factory.mktemp("tables") / "tables.duckdb"
    return path, make(path)


@pytest.fixture
async def sql_query(database: tuple[Path, tuple[TableInfo, ...]]) -> AsyncIterator[SqlQuery]:
    path, tables = database
    tool = SqlQuery(path, lambda: tables)
    yield tool
    await tool.close()
