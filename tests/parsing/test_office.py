from __future__ import annotations

from pathlib import Path

import docx
import openpyxl
import pptx
import pytest
from docx.oxml import OxmlElement
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches


@pytest.fixture
def handbook(tmp_path: Path) -> Path:
    d = docx.Document()
    d.core_properties.title = "员工手册"
    d.core_properties.author = "人事部"
    d.add_heading("第一章 总则", 1)
    d.add_paragraph("本手册“适用”于全体员工。")
    d.add_heading("1.1 Scope", 2)
    d.add_paragraph("2023\t100")
    d.add_paragraph("one", style="List Bullet")
    d.add_paragraph("two", style="List Bullet")
    d.add_heading("第二章 假期", 1)
    d.add_paragraph("表 1 年假天数")
    t = d.add_table(4, 3)
    cells = [["部门", "天数", ""], ["", "最少", "最多"], ["研发", "5", "15"], ["", "6", "12"]]
    for r, row in enumerate(cells):
        for c, cell in enumerate(row):
            t.cell(r, c).text = cell
    t.cell(0, 0).merge(t.cell(1, 0))
    t.cell(0, 1).merge(t.cell(0, 2))
    t.cell(2, 0).merge(t.cell(3, 0))
    d.add_paragraph("以上自二〇二四年起执行。")
    path = tmp_path / "h.docx"
    d.save(path)
    return path


def test_docx_headings_lists_tabs_and_title(handbook: Path, one) -> None:
    document = one(handbook)
    assert document.title == "员工手册"
    assert document.metadata["author"] == "人事部"
    assert document.date is None
    by_text = {b.text: b for b in document.blocks}
    assert by_text["本手册“适用”于全体员工。"].section == ("第一章 总则",)
    assert by_text["2023\t100"].section == ("第一章 总则", "1.1 Scope")
    assert by_text["- one\n- two"].kind == "list"
    assert by_text["以上自二〇二四年起执行。"].section == ("第二章 假期",)


def test_docx_merged_cells_and_stacked_headers(handbook: Path, one) -> None:
    (table,) = one(handbook).tables
    assert table.columns == ("部门", "天数 最少", "天数 最多")
    assert table.rows == (("研发", 5, 15), ("研发", 6, 12))
    assert table.caption == "表 1 年假天数"


def test_docx_reads_content_controls_and_text_boxes_but_not_deleted_text(tmp_path: Path, one, texts) -> None:
    d = docx.Document()
    kept, deleted = d.add_paragraph("in a control"), d.add_paragraph("visible ")
    control, content = OxmlElement("w:sdt"), OxmlElement("w:sdtContent")
    kept._p.addprevious(control)
    control.append(content)
    content.append(kept._p)
    gone = OxmlElement("w:del")
    gone.append(deleted.add_run("struck out")._r)
    deleted._p.append(gone)
    path = tmp_path / "c.docx"
    d.save(path)
    assert texts(one(path)) == ["in a control", "visible"]


def test_docx_without_styles_has_numbered_headings(tmp_path: Path, one) -> None:
    d = docx.Document()
    for text in ("第一章 总则", "一、适用范围", "全体员工。"):
        d.add_paragraph(text)
    path = tmp_path / "n.docx"
    d.save(path)
    assert one(path).blocks[-1].section == ("第一章 总则", "一、适用范围")


def test_pptx_slides_tables_charts_groups_and_notes(tmp_path: Path, one) -> None:
    p = pptx.Presentation()
    s = p.slides.add_slide(p.slide_layouts[1])
    s.shapes.title.text = "年度目标"
    s.placeholders[1].text = "收入增长\n成本下降"
    s.notes_slide.notes_text_frame.text = "讲稿"
    s = p.slides.add_slide(p.slide_layouts[5])
    s.shapes.title.text = "Budget"
    t = s.shapes.add_table(2, 2, Inches(1), Inches(1), Inches(4), Inches(1)).table
    for r, row in enumerate([["Item", "Cost"], ["Desk", "1,200"]]):
        for c, cell in enumerate(row):
            t.cell(r, c).text = cell
    group = s.shapes.add_group_shape()
    group.shapes.add_textbox(0, Inches(5), Inches(1), Inches(1)).text_frame.text = "in a group"
    data = CategoryChartData()
    data.categories = ["Q1", "Q2"]
    data.add_series("Sales", (3.5, 4.5))
    s = p.slides.add_slide(p.slide_layouts[6])
    s.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, Inches(4), Inches(3), data)
    p.slides.add_slide(p.slide_layouts[6])._element.set("show", "0")
    path = tmp_path / "p.pptx"
    p.save(path)
    document = one(path)
    assert document.title == "年度目标"
    pages = {b.text: (b.page, b.section) for b in document.blocks}
    assert pages["收入增长\n成本下降"] == (1, ("年度目标",))
    assert pages["讲稿"] == (1, ("年度目标",))
    assert pages["in a group"] == (2, ("Budget",))
    assert [(t.page, t.columns, t.rows) for t in document.tables] == [
        (2, ("Item", "Cost"), (("Desk", 1200),)),
        (3, ("column_1", "Sales"), (("Q1", 3.5), ("Q2", 4.5))),
    ]
    assert any("hidden slides" in note and note.endswith("4") for note in document.notes)
    assert any("without text" in note and note.endswith("4") for note in document.notes)


def book(
    path: Path, sheets: dict[str, list[list[object]]], merges: dict[str, list[str]] | None = None
) -> Path:
    b = openpyxl.Workbook()
    b.remove(b.active)
    for name, rows in sheets.items():
        sheet = b.create_sheet(name)
        for row in rows:
            sheet.append(row)
        for merge in (merges or {}).get(name, ()):
            sheet.merge_cells(merge)
    b.save(path)
    return path


def test_xlsx_title_unit_stacked_header_merges_and_totals(tmp_path: Path, one) -> None:
    rows: list[list[object]] = [
        ["2023 年各部门预算"],
        ["单位：万元"],
        ["部门", "预算", None, "说明"],
        [None, "上半年", "下半年", None],
        ["研发", 120, 130.5, "含设备"],
        [None, 20, 30, None],
        ["合计", 140, 160.5, None],
    ]
    path = book(
        tmp_path / "b.xlsx",
        {"预算": rows, "空": []},
        {"预算": ["A1:D1", "A3:A4", "B3:C3", "D3:D4", "A5:A6"]},
    )
    document = one(path)
    (table,) = document.tables
    assert table.name == "预算"
    assert table.caption == "2023 年各部门预算 单位：万元"
    assert table.columns == ("部门", "预算 上半年", "预算 下半年", "说明")
    assert table.rows == (
        ("研发", 120, 130.5, "含设备"),
        ("研发", 20, 30, None),
        ("合计", 140, 160.5, None),
    )
    assert table.first_row == 5
    (block,) = [b for b in document.blocks if b.kind == "table"]
    assert block.rows == (5, 7)
    assert block.text.startswith("部门: 研发; 预算 上半年: 120; 预算 下半年: 130.5; 说明: 含设备\n")
    assert any("空" in note for note in document.notes)


def test_xlsx_merged_numbers_are_counted_once(tmp_path: Path, one) -> None:
    path = book(tmp_path / "m.xlsx", {"a": [["组", "奖金"], ["甲", 100], ["乙", None]]}, {"a": ["B2:B3"]})
    (table,) = one(path).tables
    assert table.rows == (("甲", 100), ("乙", None))


def test_xlsx_several_tables_and_texts_on_a_sheet(tmp_path: Path, one, texts) -> None:
    rows: list[list[object]] = [
        ["一季度"],
        [],
        ["产品", "销量", None, "地区", "人数"],
        ["笔", 3, None, "北京", 10],
        ["纸", 4, None, "上海", 20],
        [],
        ["以上为初步数字，以财务部最终核定为准。"],
        [],
        ["客户", "等级"],
        ["甲公司", "A"],
    ]
    document = one(book(tmp_path / "s.xlsx", {"数据": rows}))
    assert [table.columns for table in document.tables] == [
        ("产品", "销量"),
        ("地区", "人数"),
        ("客户", "等级"),
    ]
    assert document.tables[0].caption == "一季度"
    assert "以上为初步数字，以财务部最终核定为准。" in texts(document, "paragraph")


def test_xlsx_a_gap_inside_a_table_does_not_end_it(tmp_path: Path, one) -> None:
    rows: list[list[object]] = [["项目", "金额"], ["甲", 1], [], ["乙", 2]]
    (table,) = one(book(tmp_path / "g.xlsx", {"a": rows})).tables
    assert table.rows == (("甲", 1), ("乙", 2))


def test_xlsx_percentages_dates_hidden_sheets_and_uncomputed_formulas(tmp_path: Path, one) -> None:
    import datetime as dt

    b = openpyxl.Workbook()
    sheet = b.active
    sheet.append(["日期", "增长率", "和", "编号"])
    sheet.append([dt.datetime.fromisoformat("2024-03-01"), 0.125, "=1+1", "007"])
    sheet["B2"].number_format = "0.0%"
    b.create_sheet("secret").append(["hidden words"])
    b["secret"].sheet_state = "hidden"
    path = tmp_path / "f.xlsx"
    b.save(path)
    document = one(path)
    table = document.tables[0]
    assert table.columns == ("日期", "增长率 (%)", "和", "编号")
    assert table.rows == (("2024-03-01", 12.5, None, "007"),)
    assert any("hidden" in note for note in document.notes)
    assert any("1 formulas" in note for note in document.notes)


def test_xlsx_one_cell_in_the_far_corner_costs_nothing(tmp_path: Path, one, texts) -> None:
    b = openpyxl.Workbook()
    b.active["A1"] = "a lonely remark"
    b.active["XFD1048576"] = "far away"
    path = tmp_path / "far.xlsx"
    b.save(path)
    assert "a lonely remark" in "\n".join(texts(one(path)))
