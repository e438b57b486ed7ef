"""Tables keep their numbers as numbers, their names apart, and their rows in place."""

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaoju.knowledge.tables import TableFile, as_number, column_type, table_info, table_names, typed
from kaoju.model.document import Document, Table


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["1", "2", None, "-"], "BIGINT"),
        (["1,200", "3"], "BIGINT"),
        (["1.5", "2"], "DOUBLE"),
        ([1.0, 2.0], "DOUBLE"),
        (["12%", "3.5%"], "DOUBLE"),
        (["(1,200)", "5"], "BIGINT"),
        (["¥1,200.50", "¥3"], "DOUBLE"),
        (["0012", "0034"], "VARCHAR"),
        (["1", "two"], "VARCHAR"),
        (["1,2", "3"], "VARCHAR"),
        (["2024-01-31", "2024-02-29"], "DATE"),
        (["2024-02-30", "2024-01-01"], "VARCHAR"),
        ([True, False], "BOOLEAN"),
        ([None, ""], "VARCHAR"),
        (["A-7731"], "VARCHAR"),
        ([2**60, 1], "DOUBLE"),
    ],
)
def test_a_column_takes_the_narrowest_type_that_loses_nothing(values, kind) -> None:
    assert column_type(values) == kind


@pytest.mark.parametrize(
    ("cell", "number"),
    [
        ("1,234.5", 1234.5),
        ("１,２００", 1200),
        ("-3", -3),
        ("(3)", -3),
        ("50%", 0.5),
        ("−7", -7),
        ("007", None),
        ("1e5", None),
        ("", None),
    ],
)
def test_numbers_as_people_write_them(cell, number) -> None:
    assert as_number(cell) == number


CELLS = st.one_of(
    st.none(),
    st.integers(),
    st.floats(allow_nan=False),
    st.booleans(),
    st.text(max_size=12),
    st.just("\ud800\x00"),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(CELLS, max_size=8))
def test_every_value_fits_the_type_of_its_column(values) -> None:
    kind = column_type(values)
    with duckdb.connect() as db:
        db.execute(f"CREATE TABLE t (c {kind})")
        for value in values:
            db.execute("INSERT INTO t VALUES (?)", [typed(value, kind)])


def table(name: str, *rows: tuple[object, ...], columns: tuple[str, ...] = ("a", "b")) -> Table:
    return Table(name=name, columns=columns, rows=rows)  # type: ignore[arg-type]  # wrong cells too


def test_names_are_safe_readable_and_unique() -> None:
    document = Document(
        id="财务/2024 budget.xlsx",
        title="b",
        tables=(table("Sheet 1"), table("sheet-1"), table('预算"; DROP TABLE x'), table("")),
    )
    names = table_names(document, {"t_2024_budget_Sheet_1"})
    assert len({name.casefold() for name in names}) == 4
    assert all(name.replace("_", "").isalnum() and not name[0].isdigit() for name in names)
    assert "t_2024_budget_Sheet_1" not in names


def test_written_tables_can_be_read_with_their_source_rows(tmp_path) -> None:
    file = TableFile(tmp_path / "t.duckdb")
    made = table("x", ("青禾", "1,200"), ("远山", None), columns=('项"目', "预算 (万元)"))
    columns = file.write("x", made)
    assert columns == (('项"目', "VARCHAR"), ("预算 (万元)", "BIGINT"))
    file.publish()
    with duckdb.connect(str(tmp_path / "t.duckdb"), read_only=True) as db:
        assert db.execute("SELECT * FROM x").fetchall() == [(2, "青禾", 1200), (3, "远山", None)]
    info = table_info("x", Document(id="d", title="D", tables=(made,)), made, columns)
    assert info.samples == {'项"目': ("青禾", "远山")}
    assert (info.row_count, info.first_row) == (2, 2)


def test_nothing_is_seen_before_it_is_published_and_nothing_stays_open(tmp_path) -> None:
    path = tmp_path / "t.duckdb"
    file = TableFile(path)
    file.write("x", table("x", (1, 2)))
    file.publish()
    file.write("y", table("y", (1, 2)))
    file.drop(["x"])
    with duckdb.connect(str(path), read_only=True) as db:
        assert db.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("x",)]
    file.publish()
    with duckdb.connect(str(path)) as db:  # a writer's lock is free: no handle is left
        assert db.execute("SELECT table_name FROM duckdb_tables()").fetchall() == [("y",)]
    file.discard()
    assert [p.name for p in tmp_path.iterdir()] == ["t.duckdb"]


def test_a_table_without_rows_and_with_clashing_columns(tmp_path) -> None:
    file = TableFile(tmp_path / "t.duckdb")
    assert file.write("e", table("e")) == (("a", "VARCHAR"), ("b", "VARCHAR"))
    file.write("clash", table("clash", (1, 2, 3), columns=("a", "A", "_row")))
    file.publish()
    with duckdb.connect(str(tmp_path / "t.duckdb"), read_only=True) as db:
        assert db.execute("SELECT count(*) FROM e").fetchone() == (0,)
        assert len(db.execute("SELECT * FROM clash").fetchall()[0]) == 4
