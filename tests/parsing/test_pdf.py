from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from kaoju.knowledge.parsing import Limits, count_units, full_text, parse

LONG = "本手册适用于公司全体员工，包括正式员工、试用期员工、实习生以及劳务派遣人员，各部门应当遵照执"
REST = "行，不得例外。"


def test_pages_headings_and_joined_lines(pdf, one) -> None:
    document = one(pdf([["第一章 总则", LONG, REST], ["第二章 假期", "年假为十天。"]], "员工手册.pdf"))
    assert document.title == "员工手册"
    assert [(b.page, b.text) for b in document.blocks if b.kind == "heading"] == [
        (1, "第一章 总则"),
        (2, "第二章 假期"),
    ]
    assert LONG + REST in full_text(document, 1)
    (leave,) = [b for b in document.blocks if b.text == "年假为十天。"]
    assert leave.section == ("第二章 假期",)
    assert leave.page == 2


def test_larger_type_makes_a_heading_and_latin_lines_join_with_a_space(pdf, one, texts) -> None:
    first = "The remote work policy of the company allows every employee to work from home for two"
    document = one(pdf([[("Remote work", 18), first, "days a week, subject to approval.", "Short line"]]))
    assert texts(document, "heading") == ["Remote work"]
    assert f"{first} days a week, subject to approval." in full_text(document, 1)


def test_running_headers_footers_and_page_numbers_go_but_the_first_stays(pdf, one, texts) -> None:
    pages = [
        ["Acme Annual Report 2023", f"Content of page {n} about topic {n * 7}.", f"- {n} -"]
        for n in range(1, 9)
    ]
    document = one(pdf(pages))
    whole = "\n".join(texts(document))
    assert whole.count("Acme Annual Report") == 1
    assert "- 3 -" not in whole
    assert all(f"topic {n * 7}." in whole for n in range(1, 9))


def test_figures_at_the_page_edge_are_not_page_numbers(pdf, one, texts) -> None:
    document = one(pdf([["Total for the unit", value] for value in ("1500", "320", "77", "9100")]))
    assert [value in "\n".join(texts(document)) for value in ("1500", "320", "77", "9100")] == [True] * 4


def table(rows: list[list[str]], top: int = 700, *, caption: str = "") -> object:
    def draw(canvas: Canvas, number: int) -> None:
        canvas.setFont("STSong-Light", 10)
        if caption:
            canvas.drawString(60, top + 8, caption)
        height = 20
        for r in range(len(rows) + 1):
            canvas.line(60, top - r * height, 60 + 120 * len(rows[0]), top - r * height)
        for c in range(len(rows[0]) + 1):
            canvas.line(60 + 120 * c, top, 60 + 120 * c, top - height * len(rows))
        for r, row in enumerate(rows):
            for c, cell in enumerate(row):
                canvas.drawString(64 + 120 * c, top - 14 - r * height, cell)

    return draw


def test_a_ruled_table_becomes_typed_rows_under_its_caption(pdf, one) -> None:
    rows = [["项目", "预算（万元）"], ["甲", "1,200"], ["乙", "800"]]
    document = one(pdf([["项目情况如下。"]], draw=table(rows, caption="表 1 项目预算")))
    (found,) = document.tables
    assert found.columns == ("项目", "预算（万元）")
    assert found.rows == (("甲", 1200), ("乙", 800))
    assert found.page == 1
    assert "表 1" in found.caption
    (block,) = [b for b in document.blocks if b.kind == "table"]
    assert block.text == "项目: 甲; 预算（万元）: 1,200\n项目: 乙; 预算（万元）: 800"
    assert block.rows == (2, 3)


def test_a_table_over_two_pages_is_one_table_with_blocks_on_both(pdf, one) -> None:
    head = ["Name", "Count"]
    parts = [[head, ["a", "1"], ["b", "2"]], [head, ["c", "3"]]]
    document = one(pdf([[], []], draw=lambda canvas, number: table(parts[number - 1])(canvas, number)))
    (found,) = document.tables
    assert found.rows == (("a", 1), ("b", 2), ("c", 3))
    assert [b.page for b in document.blocks if b.kind == "table"] == [1, 2]


def test_shading_is_no_table(pdf, one) -> None:
    def shade(canvas: Canvas, number: int) -> None:
        canvas.setFillGray(0.9)
        for r in range(6):
            for c in range(3):
                canvas.rect(60 + 120 * c, 600 - 20 * r, 118, 18, stroke=0, fill=1)

    assert one(pdf([["Net sales 10 20", "Gross margin 3 4"]], draw=shade)).tables == ()


def test_crowded_pages_keep_their_text_and_say_that_tables_were_not_looked_for(pdf) -> None:
    path = pdf([["Some text on the page."]], draw=table([["a", "b"], ["1", "2"]]))
    (document,) = parse(path, "x", limits=Limits(pdf_table_objects=3))
    assert document.tables == ()
    assert "1" in document.notes[0]
    assert "tables" in document.notes[0]


def test_password_protected_is_encrypted_but_owner_locked_is_read(pdf, one, refused, texts) -> None:
    assert refused(pdf([["secret words here"]], "locked.pdf", user="u", owner="o")) == "encrypted"
    document = one(pdf([["readable words here"]], "owner.pdf", owner="o"))
    assert "readable words here" in texts(document)


def test_each_damage_has_its_own_reason(pdf, tmp_path: Path, refused) -> None:
    data = pdf([["some text that is long enough"]] * 5).read_bytes()
    cases = {
        "empty.pdf": (b"", "empty"),
        "cut.pdf": (data[: len(data) // 2], "truncated"),
        "noise.pdf": (b"this is no pdf at all", "corrupt"),
        "hollow.pdf": (b"%PDF-1.4\nnothing\nstartxref\n0\n%%EOF\n", "corrupt"),
    }
    for name, (content, reason) in cases.items():
        (tmp_path / name).write_bytes(content)
        assert refused(tmp_path / name) == reason, name


def test_no_text_anywhere_fails_and_a_page_without_text_is_noted(pdf, one, refused) -> None:
    assert refused(pdf([[], []], "scan.pdf")) == "no_text"
    document = one(pdf([["words on the first page"], [], ["words on the third page"]]))
    assert any("pages without text" in note and note.endswith(": 2") for note in document.notes)


def test_a_pdf_under_a_text_suffix_is_a_pdf(pdf, one) -> None:
    assert one(pdf([["inside a pdf after all"]], "a.txt")).blocks[0].page == 1


def test_pages_are_the_unit_of_progress(pdf) -> None:
    assert count_units(pdf([["a page of text"]] * 3)) == 3
    assert count_units(pdf([["a page of text"]], "b.pdf", user="x", owner="y")) == 0


_MEASURE = """
import sys, threading, time, psutil
from pathlib import Path
from kaoju.knowledge.parsing import parse
import kaoju.knowledge.parsing.pdf
me = psutil.Process(); base = peak = me.memory_info().rss; done = False
def watch():
    global peak
    while not done:
        peak = max(peak, me.memory_info().rss); time.sleep(0.02)
thread = threading.Thread(target=watch); thread.start()
began = time.monotonic()
(document,) = parse(Path(sys.argv[1]), "big")
seconds = time.monotonic() - began
done = True; thread.join()
pages = {block.page for block in document.blocks}
print(len(pages), (peak - base) >> 20, round(1600 / seconds))
"""


def test_1600_pages_stay_within_bounded_memory(pdf) -> None:
    body = [
        f"Clause {n} says that the party shall deliver part {n} within {n} days of notice." for n in range(30)
    ]
    path = pdf([[f"第 {page} 号文件", *body] for page in range(1600)], "big.pdf")
    done = subprocess.run(
        [sys.executable, "-c", _MEASURE, str(path)], capture_output=True, text=True, check=True, timeout=100
    )
    pages, megabytes, rate = map(int, done.stdout.split())
    assert pages == 1600
    assert megabytes < 300
    assert rate > 20
    print(f"{rate} pages/s, {megabytes} MB above the start")


def test_a_page_with_two_characters_keeps_them(pdf, one, texts) -> None:
    document = one(pdf([["words on the first page"], ["甲方"]]))
    assert texts(document)[-1] == "甲方"
    assert document.notes
