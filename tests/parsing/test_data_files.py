from __future__ import annotations

import datetime as dt
import json
import sqlite3
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kaoju.errors import IngestError
from kaoju.knowledge.parsing import BadLine, Limits, parse

ROWS = '名称,金额,占比,编号,日期\n甲,"1,200",12.5%,007,2024-01-02\n乙,(300),3%,008,2024-02-03\n'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_csv_encodings_and_types(tmp_path: Path, encoding: str, one) -> None:
    path = tmp_path / "销售.csv"
    path.write_bytes(ROWS.encode(encoding))
    document = one(path)
    (table,) = document.tables
    assert table.name == "销售"
    assert table.columns == ("名称", "金额", "占比 (%)", "编号", "日期")
    assert table.rows == (("甲", 1200, 12.5, "007", "2024-01-02"), ("乙", -300, 3, "008", "2024-02-03"))
    (block,) = document.blocks
    assert block.text.split("\n")[0] == "名称: 甲; 金额: 1,200; 占比: 12.5%; 编号: 007; 日期: 2024-01-02"
    assert block.rows == (2, 3)


@pytest.mark.parametrize(
    ("name", "delimiter"), [("a.tsv", "\t"), ("a.csv", ";"), ("a.csv", "|"), ("a.csv", ",")]
)
def test_delimiters(tmp_path: Path, name: str, delimiter: str, one) -> None:
    path = tmp_path / name
    path.write_text("\n".join(delimiter.join(row) for row in (["a", "b x"], ["1", "2"], ["3", "4"])))
    assert one(path).tables[0].columns == ("a", "b x")


def test_csv_ragged_rows_quotes_blank_lines_and_repeated_names(tmp_path: Path, one) -> None:
    path = tmp_path / "r.csv"
    path.write_text('id,Name,name,\n1,"two\nlines",x\n\n2,b,y,extra\n')
    (table,) = one(path).tables
    assert table.columns == ("id", "Name", "name_2", "column_4")
    assert table.rows == ((1, "two lines", "x", None), (2, "b", "y", "extra"))


def test_csv_text_is_bounded_but_the_table_is_whole(tmp_path: Path, one) -> None:
    path = tmp_path / "long.csv"
    path.write_text("n,v\n" + "".join(f"{n},v{n}\n" for n in range(2_500)))
    document = one(path)
    assert len(document.tables[0].rows) == 2_500
    blocks = [b for b in document.blocks if b.kind == "table"]
    assert blocks[0].rows == (2, 21)
    assert blocks[-1].rows == (1982, 2001)
    assert "2000" in document.notes[0]
    (short,) = parse(path, "x", limits=Limits(table_cells=100))
    assert len(short.tables[0].rows) == 49
    assert "cut off" in short.notes[0]


def test_parquet_types_and_limits(tmp_path: Path, one, refused) -> None:
    path = tmp_path / "p.parquet"
    columns = {
        "id": [1, 2],
        "when": [dt.datetime.fromisoformat("2024-01-02"), dt.datetime.fromisoformat("2024-01-02T03:04")],
        "price": [Decimal("1.50"), None],
        "tags": [["a"], []],
        "ok": [True, False],
    }
    pq.write_table(pa.table(columns), path)
    (table,) = one(path).tables
    assert table.columns == ("id", "when", "price", "tags", "ok")
    assert table.rows == (
        (1, "2024-01-02", 1.5, '["a"]', True),
        (2, "2024-01-02T03:04:00", None, "[]", False),
    )
    (cut,) = parse(path, "x", limits=Limits(table_cells=5))
    assert len(cut.tables[0].rows) == 1
    assert "1 of 2" in cut.notes[0]
    data = path.read_bytes()
    path.write_bytes(data[:-20])
    assert refused(path) == "truncated"


def test_sqlite_has_one_table_per_user_table_and_is_left_alone(tmp_path: Path, one, refused) -> None:
    path = tmp_path / "d.db"
    connection = sqlite3.connect(path)
    connection.execute('CREATE TABLE "员工 表" (id INTEGER PRIMARY KEY AUTOINCREMENT, 姓名 TEXT, photo BLOB)')
    connection.execute('INSERT INTO "员工 表" (姓名, photo) VALUES (?, ?)', ("张三", b"\xff\x00\x01"))
    connection.execute("CREATE TABLE empty (a, b)")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    document = one(path)
    assert [(t.name, t.columns, len(t.rows)) for t in document.tables] == [
        ("员工 表", ("id", "姓名", "photo"), 1),
        ("empty", ("a", "b"), 0),
    ]
    assert document.tables[0].rows[0][:2] == (1, "张三")
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["d.db"]
    path.write_bytes(before[: len(before) // 2])
    assert refused(path) in {"corrupt", "truncated"}


def lines(path: Path, *rows: object) -> Path:
    path.write_text(
        "\n".join(row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows)
    )
    return path


def test_jsonl_documents_keep_ids_dates_and_metadata(tmp_path: Path, texts, check) -> None:
    path = lines(
        tmp_path / "d.jsonl",
        {
            "id": "n-1",
            "title": "标题",
            "text": "一段。\n\n二段。",
            "date": "2023-05-01T10:00:00",
            "source": "报社",
            "n": 3,
        },
        {"id": 7, "text": "no title", "date": "last spring", "links": ["x"]},
    )
    first, second = (check(document) for document in parse(path, "ignored"))
    assert (first.id, first.title, first.date) == ("n-1", "标题", "2023-05-01")
    assert first.metadata == {"source": "报社", "n": "3", "date": "2023-05-01T10:00:00"}
    assert texts(first) == ["一段。", "二段。"]
    assert (second.id, second.title, second.date, second.metadata) == (
        "7",
        "7",
        None,
        {"date": "last spring"},
    )
    assert "links" in second.notes[0]


def test_bad_jsonl_lines_are_reported_and_the_good_ones_kept(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "d.jsonl",
        {"id": "a", "text": "good"},
        "{broken",
        {"id": "a", "text": "again"},
        {"text": "no id"},
        {"id": "c", "text": "  "},
        "[" * 100_000 + "]" * 100_000,
        '{"id": "e", "text": "' + "x" * 3000 + '"}',
        {"id": "z", "text": "good too"},
    )
    bad: list[BadLine] = []
    limits = Limits(line_bytes=250_000)
    assert [d.id for d in parse(path, "x", on_bad_line=bad.append, limits=limits)] == ["a", "e", "z"]
    assert [(b.line, b.reason) for b in bad] == [
        (2, "corrupt"),
        (3, "duplicate_id"),
        (4, "corrupt"),
        (5, "no_text"),
        (6, "corrupt"),
    ]
    bad.clear()
    found = [d.id for d in parse(path, "x", on_bad_line=bad.append, limits=Limits(line_bytes=1000))]
    assert found == ["a", "z"]
    assert [b.line for b in bad if b.reason == "too_large"] == [6, 7]


def test_without_a_listener_bad_lines_raise_after_the_last_good_document(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "d.jsonl", {"id": "a", "text": "good"}, {"id": "a", "text": "x"}, {"id": "b", "text": "y"}
    )
    documents = parse(path, "x")
    assert [next(documents).id, next(documents).id] == ["a", "b"]
    with pytest.raises(IngestError) as caught:
        next(documents)
    assert caught.value.reason == "duplicate_id"
    assert "line 2" in caught.value.message


def test_jsonl_records_that_are_no_documents_are_unsupported(tmp_path: Path) -> None:
    path = lines(tmp_path / "d.jsonl", {"id": 1, "value": 2}, {"id": 2, "value": 3})
    with pytest.raises(IngestError) as caught:
        list(parse(path, "x", on_bad_line=lambda line: None))
    assert caught.value.reason == "unsupported"
