from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kaoju.tools.code.interpreter import Interpreter
from kaoju.tools.code.limits import LIMITS, MIB, Limits
from kaoju.tools.code.tool import Code

SENTINEL = "must-never-be-seen-4711"
QUICK: Limits = replace(LIMITS, seconds=0.25, memory_bytes=16 * MIB)


@pytest.fixture(scope="module")
def interpreter() -> Iterator[Interpreter]:
    with Interpreter(QUICK) as made:
        yield made


@pytest.fixture(scope="module")
def code() -> Iterator[Code]:
    tool = Code(limits=QUICK)
    yield tool
    tool._interpreter.close()


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to work in, with a secret in the environment; it must still be empty after the test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KAOJU_TEST_WORD", SENTINEL)
    yield tmp_path
    assert list(tmp_path.iterdir()) == []
