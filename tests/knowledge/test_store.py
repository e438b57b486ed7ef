"""Past the size of an exact scan, an index answers, and answers the same."""

import random

import numpy as np

from kaoju.knowledge import store as module
from kaoju.knowledge.store import Store, Within
from kaoju.model.document import Chunk
from kaoju.model.evidence import Locator


def chunk(i: int) -> Chunk:
    return Chunk(
        id=f"d{i}#0", document_id=f"d{i}", title="", text=f"text {i}", locator=Locator(start=0, end=5)
    )


def test_the_vector_index_finds_what_the_scan_finds(tmp_path, monkeypatch) -> None:
    chance = np.random.default_rng(3)
    rows = chance.normal(size=(1_500, 32)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    made = Store(tmp_path / "chunks.lance", 32, create=True)
    made.replace({"f": [(chunk(i), rows[i]) for i in range(len(rows))]})
    queries = rows[random.Random(5).sample(range(len(rows)), 20)]
    exact = [[row["id"] for row in made.nearest(query, 10, Within())] for query in queries]
    monkeypatch.setattr(module, "FLAT_ROWS", 1_000)
    made.index()
    assert {name for index in made._table.list_indices() for name in index.columns} == {"fts", "vector"}
    indexed = [[row["id"] for row in made.nearest(query, 10, Within())] for query in queries]
    same = sum(len(set(a) & set(b)) for a, b in zip(exact, indexed, strict=True))
    assert same >= 0.98 * 200
    made.replace({"g": [(chunk(9_999), queries[0])]})
    found = {row["id"]: row["_distance"] for row in made.nearest(queries[0], 2, Within())}
    assert "d9999#0" in found  # rows that no index holds yet are searched too
    assert min(found.values()) < 1e-3


def test_ids_with_quotes_are_values_and_never_filters(tmp_path) -> None:
    made = Store(tmp_path / "chunks.lance", 2, create=True)
    odd = "x' OR '1'='1"
    made.replace(
        {
            odd: [(chunk(1), np.asarray([1, 0], dtype=np.float32))],
            "f": [(chunk(2), np.asarray([0, 1], dtype=np.float32))],
        }
    )
    assert made.nearest(np.asarray([1, 0], dtype=np.float32), 5, Within(documents=(odd,))) == []
    made.remove([odd])
    assert made.file_ids() == {"f"}
