"""What must hold of every knowledge base, whatever happened to it."""

import duckdb

from kaoju.knowledge.base import KnowledgeBase


def consistent(kb: KnowledgeBase) -> None:
    """Store, index, texts and tables agree; no chunk is there twice; every locator opens its text."""
    rows = kb._store._table.search().limit(None).to_list()
    ids = [row["id"] for row in rows]
    assert len(ids) == len(set(ids)) == kb.stats()["chunks"]
    assert len({row["document_id"] for row in rows} | _documents(kb)) == kb.stats()["documents"]
    for row in rows:
        text = kb.document_text(row["document_id"], row["page"])
        assert text[row["start"] : row["end"]] == row["text"]
    listed = {table.name for table in kb.tables()}
    stored = set()
    if kb.tables_file.exists():
        with duckdb.connect(str(kb.tables_file), read_only=True) as db:
            stored = {name for (name,) in db.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    assert listed == stored
    for index in kb._store._table.list_indices():
        stats = kb._store._table.index_stats(index.name)
        assert stats.num_indexed_rows + stats.num_unindexed_rows == len(rows)


def _documents(kb: KnowledgeBase) -> set[str]:
    return {str(row[0]) for row in kb._state._rows("SELECT id FROM documents")}
