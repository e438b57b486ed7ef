"""A small deterministic embedder, so that tests of storage need no model."""

import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from kaoju.knowledge.base import KnowledgeBase
from kaoju.knowledge.embedding import Vectors
from kaoju.language.segment import tokens


class HashEmbedder:
    """Bags of hashed tokens: texts that share words are near each other."""

    name = "test/hash"
    dim = 64

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self._rows(texts)

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.embedded.extend(texts)
        return self._rows(texts)

    def _rows(self, texts: Sequence[str]) -> Vectors:
        rows = np.full((len(texts), self.dim), 1e-3, dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for token in tokens(text):
                row[zlib.crc32(token.encode()) % self.dim] += 1
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


Opener = Callable[..., KnowledgeBase]


@pytest.fixture
def embedder() -> HashEmbedder:
    return HashEmbedder()


@pytest.fixture
def open_kb(tmp_path: Path, embedder: HashEmbedder) -> Opener:
    def opener(name: str = "kb", *, create: bool = True, **more: object) -> KnowledgeBase:
        return KnowledgeBase.open(tmp_path / name, create=create, **{"embedder": embedder, **more})  # type: ignore[arg-type]  # its own fields

    return opener


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.md").write_text("# 差旅\n\n国际差旅需提前两周申请。\n", encoding="utf-8")
    (folder / "sub" / "b.txt").write_text("The harbor project ended in May.\n", encoding="utf-8")
    (folder / "c.csv").write_text('项目,预算\n青禾,"1,200"\n远山,900\n', encoding="utf-8")
    return folder
