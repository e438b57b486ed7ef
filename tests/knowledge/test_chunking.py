"""Chunks keep to pages and headings, and their offsets open the exact text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaoju.knowledge.chunking import TARGET_UNITS, chunks, size
from kaoju.knowledge.parsing.compose import Composer, full_text
from kaoju.model.document import Document


def document(composer: Composer, **more: object) -> Document:
    return Document(id="d.md", title="手册", blocks=composer.blocks, **more)  # type: ignore[arg-type]  # its own fields


PARAGRAPHS = st.lists(
    st.tuples(st.sampled_from([None, 1, 2]), st.text(alphabet="ab 。，\n中文字", min_size=1, max_size=900)),
    min_size=1,
    max_size=8,
)


@settings(max_examples=60, deadline=None)
@given(PARAGRAPHS)
def test_every_chunk_is_the_slice_that_its_locator_names(parts: list[tuple[int | None, str]]) -> None:
    composer = Composer()
    for page, text in sorted(parts, key=lambda part: part[0] or 0):
        composer.add(text, page=page)
    made = document(composer)
    for chunk in chunks(made):
        assert full_text(made, chunk.locator.page)[chunk.locator.start : chunk.locator.end] == chunk.text
        assert size(chunk.text) <= TARGET_UNITS


@settings(max_examples=60, deadline=None)
@given(PARAGRAPHS)
def test_no_visible_character_is_lost(parts: list[tuple[int | None, str]]) -> None:
    composer = Composer()
    for page, text in sorted(parts, key=lambda part: part[0] or 0):
        composer.add(text, page=page)
    made = document(composer)
    cut = "".join("".join(chunk.text.split()) for chunk in chunks(made))
    whole = "".join("".join(block.text.split()) for block in made.blocks)
    assert cut == whole


def test_a_chunk_never_crosses_a_heading_or_a_page() -> None:
    composer = Composer()
    composer.heading("第一章", 1, page=1)
    composer.add("甲。", page=1)
    composer.heading("第二章", 1, page=1)
    composer.add("乙。", page=1)
    composer.add("丙。", page=2)
    found = chunks(document(composer))
    assert [(c.locator.page, c.locator.section) for c in found] == [
        (1, "第一章"),
        (1, "第二章"),
        (2, "第二章"),
    ]
    assert "甲" in found[0].text
    assert "乙" not in found[0].text


def test_small_neighbours_are_joined_and_long_ones_split() -> None:
    composer = Composer()
    for i in range(6):
        composer.add(f"短句{i}。")
    composer.add("很长的一段话，说了又说。" * 200)
    found = chunks(document(composer))
    assert all(f"短句{i}" in found[0].text for i in range(6))
    assert len(found) > 3
    assert [c.id for c in found] == [f"d.md#{i}" for i in range(len(found))]


def test_context_holds_title_headings_date_and_stated_fields_once() -> None:
    composer = Composer()
    composer.heading("手册", 1)
    composer.heading("差旅", 2)
    composer.add("正文。")
    made = document(composer, date="2024-05-01", metadata={"source": "财务部", "url": "x" * 500})
    context = chunks(made)[-1].context
    assert context.count("手册") == 1
    for part in ("差旅", "2024-05-01", "财务部"):
        assert part in context
    assert "xxx" not in context


def test_a_table_is_cut_by_rows_and_each_piece_names_its_rows() -> None:
    composer = Composer()
    composer.heading("预算", 1)
    composer.add("项目: 青禾; 预算: 100", kind="table", rows=(2, 2))
    composer.add("项目: 远山; 预算: 90", kind="table", rows=(3, 3))
    found = [c for c in chunks(document(composer)) if c.locator.rows]
    assert [c.locator.rows for c in found] == [(2, 2), (3, 3)]
    assert all("预算" in c.context for c in found)


@pytest.mark.parametrize("text", ["x" * 50_000, "字" * 50_000, "\u200b" * 500, "a\n" * 9_000])
def test_hostile_lengths_are_cut_without_failing(text: str) -> None:
    composer = Composer()
    composer.add(text)
    made = document(composer)
    for chunk in chunks(made):
        assert full_text(made)[chunk.locator.start : chunk.locator.end] == chunk.text
        assert size(chunk.text) <= TARGET_UNITS
