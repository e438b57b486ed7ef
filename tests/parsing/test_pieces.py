"""The pure pieces: composing, dates, cells, grids, headings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kaoju.knowledge.parsing.cells import plain, typed_columns, unique
from kaoju.knowledge.parsing.compose import Composer, full_text, join_lines
from kaoju.knowledge.parsing.dates import iso_date
from kaoju.knowledge.parsing.grid import Grid, tabulate
from kaoju.knowledge.parsing.headings import level_of
from kaoju.knowledge.parsing.paragraphs import add_text
from kaoju.model.document import Document

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=40)


@given(
    st.lists(
        st.tuples(ANY_TEXT, st.sampled_from(["heading", "text", "plain"]), st.sampled_from([None, 1, 2]))
    )
)
def test_every_block_is_the_slice_that_its_offsets_name(parts: list[tuple[str, str, int | None]]) -> None:
    composer = Composer()
    for text, kind, page in parts:
        if kind == "heading":
            composer.heading(text, len(text) % 4, page)
        elif kind == "text":
            composer.add(text, page=page)
        else:
            add_text(composer, text, page=page)
    document = Document(id="x", title="x", blocks=composer.blocks)
    for block in document.blocks:
        assert full_text(document, block.page)[block.start : block.end] == block.text
        block.text.encode("utf-8")
        assert "\0" not in block.text


@pytest.mark.parametrize(
    ("stated", "iso"),
    [
        ("2024-02-29", "2024-02-29"),
        ("2024/3/1 10:00", "2024-03-01"),
        ("2024年3月1日", "2024-03-01"),
        ("20240301", "2024-03-01"),
        ("2023-02-29", None),
        ("2024", None),
        ("2024-03", None),
        ("202403011", None),
        ("March 2024", None),
    ],
)
def test_only_full_real_dates_count(stated: str, iso: str | None) -> None:
    assert iso_date(stated) == iso


@pytest.mark.parametrize(
    ("cells", "name", "typed"),
    [
        (["1,234", "56"], "v", (1234, 56)),
        (["１，２３４", "5.5"], "v", (1234, 5.5)),
        (["12%", "3.5%"], "v (%)", (12, 3.5)),
        (["$1,000", "$20"], "v ($)", (1000, 20)),
        (["(5)", "-7", "−8"], "v", (-5, -7, -8)),
        (["1", "-", "n/a"], "v", (1, None, None)),
        (["1.5e3", "2"], "v", (1500.0, 2)),
        (["007", "8"], "v", ("007", "8")),
        (["12%", "3"], "v", ("12%", "3")),
        (["$1", "€2"], "v", ("$1", "€2")),
        (["1,23", "4"], "v", ("1,23", "4")),
        (["12345678901234567", "1"], "v", ("12345678901234567", "1")),
        (["2024-01-01", "2024-01-02"], "v", ("2024-01-01", "2024-01-02")),
        (["-", ""], "v", ("-", None)),
        (["true", "1"], "v", ("true", "1")),
    ],
)
def test_a_column_is_numbers_only_as_a_whole(cells: list[str], name: str, typed: tuple[object, ...]) -> None:
    columns, rows = typed_columns(["v"], [[cell] for cell in cells])
    assert columns == (name,)
    assert tuple(row[0] for row in rows) == typed


@given(st.lists(st.text(max_size=5), min_size=1))
def test_column_names_are_unique_and_filled(names: list[str]) -> None:
    result = unique(names)
    assert len({name.casefold() for name in result}) == len(names)
    assert all(result)


def test_floats_are_shown_without_exponent() -> None:
    assert [plain(v) for v in (12.0, 0.1 + 0.2, 1e16, 1e-7, 0.0)] == [
        "12",
        "0.3",
        "10000000000000000",
        "0.0000001",
        "0",
    ]


def test_a_table_of_bare_numbers_has_no_header() -> None:
    table = tabulate(Grid(rows=[[1, 2], [3, 4]]), name="t")
    assert table is not None
    assert table.table.columns == ("column_1", "column_2")
    assert (table.table.rows, table.table.first_row) == (((1, 2), (3, 4)), 1)


def test_years_may_head_columns() -> None:
    table = tabulate(Grid(rows=[["2022", "2023"], ["1", "2"]]), name="t")
    assert table is not None
    assert table.table.columns == ("2022", "2023")


def test_a_header_row_without_labels_joins_the_one_above() -> None:
    rows = [["", "2023", "2022"], ["", "RMB", "RMB"], ["Revenue", "5", "4"]]
    table = tabulate(Grid(rows=rows), name="t")
    assert table is not None
    assert table.table.columns == ("column_1", "2023 RMB", "2022 RMB")
    assert table.table.rows == (("Revenue", 5, 4),)


def test_lines_join_by_script() -> None:
    assert join_lines(["年假", "十天"]) == "年假十天"
    assert join_lines(["annual", "leave"]) == "annual leave"
    assert join_lines(["long-", "term"]) == "long-term"
    assert join_lines(["版本 A", "版"]) == "版本 A 版"


@pytest.mark.parametrize(
    ("line", "level"),
    [
        ("第三章 休假", 2),
        ("第二节 年假", 3),
        ("一、总则", 4),
        ("（二）范围", 5),
        ("1.2 Scope of work", 7),
        ("Item 1A. Risk Factors", 2),
        ("PART II", 1),
        ("第三章 休假........12", None),
        ("1.2 million people came.", None),
        ("3 apples", None),
        ("Exhibit 101).", None),
        ("一、员工应当遵守国家法律法规和公司的各项规章制度，维护公司的利益。", None),
        ("Revenue 1,200", None),
        ("", None),
    ],
)
def test_headings_by_numbering(line: str, level: float | None) -> None:
    assert level_of(line) == level
