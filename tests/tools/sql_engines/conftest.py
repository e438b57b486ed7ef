from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from tests.servers.databases import ENGINES, Place, make, tool
from tests.servers.postgres import Server, running

from kaoju.tools.sql.tool import SqlTool


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with running() as server:
        yield server


@pytest.fixture(scope="session")
def places(tmp_path_factory: pytest.TempPathFactory, server: Server) -> dict[str, Place]:
    return {engine: make(engine, tmp_path_factory.mktemp(engine), server) for engine in ENGINES}


@pytest.fixture(params=ENGINES)
def place(request: pytest.FixtureRequest, places: dict[str, Place]) -> Place:
    return places[request.param]


@pytest.fixture
async def shop(place: Place) -> AsyncIterator[SqlTool]:
    made = tool(place)
    yield made
    await made.close()
