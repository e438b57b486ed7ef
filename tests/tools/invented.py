"""Invented tables in a real DuckDB file, as the store would make them."""

from __future__ import annotations

from pathlib import Path

import duckdb

from kaoju.model.document import TableInfo

TABLES = {
    "projects": (
        "项目台账",
        {"项目名称": "VARCHAR", "部门": "VARCHAR", "负责人": "VARCHAR", "预算(万元)": "DOUBLE", "实际支出(万元)": "DOUBLE",
         "状态": "VARCHAR", "启动日期": "DATE"},
        [
            ("启明数据平台", "研发部", "陈立", 320, 351.5, "已完成", "2023-03-01"),
            ("远航系统", "研发部", "王芳", 180, 150, "进行中", "2024-01-15"),
            ("静海改造", "工程部", "赵强", 500, 631.6, "已完成", "2023-06-20"),
            ("青松门户", "市场部", "李娜", 90, 96, "进行中", "2024-05-06"),
            ("北辰物流", "工程部", "赵强", 260, 240, "暂停", "2024-02-11"),
            ("白鹭商城", "市场部", "周敏", 150, 150, "已完成", "2023-11-30"),
        ],
    ),
    "quarterly_revenue": (
        "Quarterly revenue",
        {"product": "VARCHAR", "quarter": "VARCHAR", "region": "VARCHAR", "revenue": "BIGINT", "units_sold": "INTEGER"},
        [
            ("Harbor", "2024Q1", "North", 1200, 30), ("Harbor", "2024Q2", "North", 1500, 36),
            ("Harbor", "2024Q1", "South", 700, 17), ("Harbor", "2023Q4", "North", 1100, 28),
            ("Lantern", "2024Q1", "North", 400, 80), ("Lantern", "2024Q2", "South", 650, 120),
            ("Lantern", "2023Q4", "South", 500, 95), ("Meadow", "2024Q1", "North", 90, 9),
            ("Meadow", "2024Q2", "South", 130, 12),
        ],
    ),
    "employees": (
        "Employees and leave",
        {"employee_name": "VARCHAR", "department": "VARCHAR", "salary": "INTEGER", "leave_days": "DOUBLE",
         "city": "VARCHAR", "hire_date": "DATE"},
        [
            ("Alice Moore", "Sales", 5200, 12, "Leeds", "2019-04-01"),
            ("Bob Grant", "Sales", 4800, 5.5, "York", "2021-09-13"),
            ("Carla Ruiz", "Engineering", 7100, 20, "Leeds", "2018-01-08"),
            ("Dan Wu", "Engineering", 6900, 8, "Hull", "2020-06-30"),
            ("Eve Park", "Finance", 6100, 15, "York", "2022-02-14"),
        ],
    ),
    "supplier_penalties": (
        "供应商罚款记录",
        {"供应商": "VARCHAR", "违约类型": "VARCHAR", "罚款金额（元）": "DECIMAL(12,2)", "年份": "INTEGER", "季度": "VARCHAR"},
        [
            ("宏达钢构", "延期交付", "12000.00", 2023, "Q2"), ("宏达钢构", "质量问题", "30000.00", 2024, "Q1"),
            ("宏达钢构", "延期交付", "8000.00", 2024, "Q3"), ("联创电子", "延期交付", "5000.00", 2024, "Q3"),
            ("联创电子", "质量问题", "6500.50", 2023, "Q4"), ("盛源物流", "质量问题", "15000.00", 2024, "Q2"),
        ],
    ),
    "segments": (
        "Segment results",
        {"segment": "VARCHAR", "2022 revenue": "INTEGER", "2023 revenue": "INTEGER", "headcount": "INTEGER"},
        [("Retail", 800, 1000, 40), ("Wholesale", 600, 570, 25), ("Online", 300, 450, 18)],
    ),
}  # fmt: skip


def make(path: Path) -> tuple[TableInfo, ...]:
    """Write the tables to a DuckDB file and return what the store would say about them."""
    infos: list[TableInfo] = []
    with duckdb.connect(str(path)) as connection:
        for name, (title, columns, rows) in TABLES.items():
            header = ", ".join(f'"{column}" {kind}' for column, kind in columns.items())
            connection.execute(f'CREATE TABLE "{name}" ("_row" INTEGER, {header})')
            marks = ", ".join("?" * (len(columns) + 1))
            connection.executemany(
                f'INSERT INTO "{name}" VALUES ({marks})',
                [(number, *row) for number, row in enumerate(rows, 2)],
            )
            samples = {
                column: tuple(dict.fromkeys(str(row[at]) for row in rows))
                for at, (column, kind) in enumerate(columns.items())
                if kind == "VARCHAR"
            }
            infos.append(
                TableInfo(
                    name=name,
                    document_id=f"data/{name}.csv",
                    title=title,
                    columns=tuple(columns.items()),
                    row_count=len(rows),
                    samples=samples,
                )
            )
    return tuple(infos)
