"""Natural questions over the invented tables: right results, or a refusal."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from kaoju.model.document import TableInfo
from kaoju.tools.sql.findings import hidden
from kaoju.tools.sql.guard import Safe, check
from kaoju.tools.sql.patterns import HINT, SURE, build, can_answer

Database = tuple[Path, tuple[TableInfo, ...]]

ANSWERED: dict[str, list[tuple[object, ...]]] = {
    # extremes
    "哪个项目预算超支最多？": [("静海改造", 631.6, 500, 131.6)],
    "预算最高的项目是哪个": [("静海改造", 500)],
    "預算最高的項目是哪個": [("静海改造", 500)],
    "预算最低的前三个项目": [("青松门户", 90), ("白鹭商城", 150), ("远航系统", 180)],
    "预算前两名的项目": [("静海改造", 500), ("启明数据平台", 320)],
    "最早启动的项目是哪个": [("启明数据平台", "2023-03-01")],
    "Which employee has the highest salary?": [("Carla Ruiz", 7100)],
    "Who has the lowest salary?": [("Bob Grant", 4800)],
    "top 3 employees by salary": [("Carla Ruiz", 7100), ("Dan Wu", 6900), ("Eve Park", 6100)],
    "Which segment has the largest headcount?": [("Retail", 40)],
    "远航系统和青松门户哪个预算更高": [("远航系统", 180)],
    "哪个供应商罚款最多": [("宏达钢构", 50000)],
    "Which product had the highest total revenue in 2024?": [("Harbor", 3400)],
    "Which department has the highest average salary?": [("Engineering", 7000)],
    "哪个部门的项目最多": [("工程部", 2), ("市场部", 2), ("研发部", 2)],
    "Which city has the most employees?": [("Leeds", 2), ("York", 2)],
    # counts
    "研发部有多少个项目": [(2,)],
    "已完成的项目有几个": [(3,)],
    "有多少个项目超支": [(3,)],
    "预算超过三百万的项目有几个": [(2,)],
    "How many employees are in Sales?": [(2,)],
    "How many departments are there?": [(3,)],
    "每个部门有几个项目": [("研发部", 2), ("工程部", 2), ("市场部", 2)],
    "how many employees per city": [("Leeds", 2), ("York", 2), ("Hull", 1)],
    # sums and averages
    "所有项目的预算合计是多少": [(1500,)],
    "各部门的预算总额是多少": [("研发部", 500), ("工程部", 760), ("市场部", 240)],
    "平均预算是多少": [(250,)],
    "状态为进行中的项目的平均预算": [(135,)],
    "各供应商的罚款总额": [("宏达钢构", 50000), ("联创电子", 11500.5), ("盛源物流", 15000)],
    "按罚款总额从高到低排列供应商": [("宏达钢构", 50000), ("盛源物流", 15000), ("联创电子", 11500.5)],
    "宏达钢构2024年的罚款金额合计是多少": [(38000,)],
    "2024年第三季度的罚款总额是多少": [(13000,)],
    "2024年上半年的罚款总额": [(45000,)],
    "延期交付的罚款总额是多少": [(25000,)],
    "What is the total revenue by product?": [("Harbor", 4500), ("Lantern", 1550), ("Meadow", 220)],
    "total revenue of Harbor in 2024": [(3400,)],
    "How many units were sold in Q1 2024?": [(136,)],
    "What is the average salary of each department?": [("Sales", 5000), ("Engineering", 7000), ("Finance", 6100)],
    "How many leave days does Alice Moore have?": [(12,)],
    "Harbor's share of total revenue in 2024": [(3400, 4670, 3400 / 4670)],
    # look-ups
    "启明数据平台的负责人是谁": [("启明数据平台", "陈立")],
    "静海改造项目的实际支出是多少": [("静海改造", 631.6)],
    "启明数据平台超支多少": [("启明数据平台", 351.5, 320, 31.5)],
    "What is the salary of Bob Grant?": [("Bob Grant", 4800)],
    "What is the 2023 revenue of Retail?": [("Retail", 1000)],
    "What was Harbor's revenue in 2024Q2?": [("Harbor", "2024Q2", "North", 1500)],
    # filters and lists
    "预算超过200万的项目有哪些": [("启明数据平台", 320), ("静海改造", 500), ("北辰物流", 260)],
    "预算不低于260万元的项目有哪些": [("启明数据平台", 320), ("静海改造", 500), ("北辰物流", 260)],
    "预算200万以上的项目": [("启明数据平台", 320), ("静海改造", 500), ("北辰物流", 260)],
    "预算在100万到300万之间的项目": [("远航系统", 180), ("北辰物流", 260), ("白鹭商城", 150)],
    "超支的项目有哪些": [
        ("启明数据平台", 351.5, 320, 31.5), ("静海改造", 631.6, 500, 131.6), ("青松门户", 96, 90, 6),
    ],
    "超支超过50万的项目有哪些": [("静海改造", 631.6, 500, 131.6)],
    "实际支出超过预算的项目有哪些": [("启明数据平台", 351.5, 320), ("静海改造", 631.6, 500), ("青松门户", 96, 90)],
    "赵强负责的项目有哪些": [("静海改造", "赵强"), ("北辰物流", "赵强")],
    "employees with salary over 6000": [("Carla Ruiz", 7100), ("Dan Wu", 6900), ("Eve Park", 6100)],
    "employees in Leeds with more than 10 leave days": [("Alice Moore", 12, "Leeds"), ("Carla Ruiz", 20, "Leeds")],
    "list employees in York": [("Bob Grant", "York"), ("Eve Park", "York")],
    "employees hired in 2021": [("Bob Grant", "2021-09-13")],
    "2024年启动的项目有哪些": [("远航系统", "2024-01-15"), ("青松门户", "2024-05-06"), ("北辰物流", "2024-02-11")],
    # growth over columns that name years
    "revenue growth rate of Online from 2022 to 2023": [("Online", 450, 300, 0.5)],
    "Which segment had the highest revenue growth from 2022 to 2023": [("Online", 450, 300, 0.5)],
}  # fmt: skip

DECLINED = (
    "",
    "今天天气怎么样",
    "年假可以结转到下一年吗",
    "为什么静海改造项目超支",
    "宏达钢构为什么被罚款",
    "哪个项目的风险最大",
    "差旅报销标准是多少",
    "哪个部门最好",
    "启明数据平台明年的预算是多少",
    "去年哪个供应商罚款最多",
    "未完成的项目有多少个",
    "研发部的职责是什么",
    "预算同比增长多少",
    "平均每个项目的延期天数",
    "第三季度的罚款总额是多少",
    "who founded the company",
    "Why did Harbor's revenue drop in 2024?",
    "What will revenue be in 2026?",
    "Which project was delayed because of weather?",
    "How does the leave policy work?",
    "What is the capital of France?",
    "total headcount of Harbor",
    "employees who live outside Leeds",
    "Is Harbor more profitable than Lantern?",
    "List the steps to request leave",
    "average revenue per quarter",
    "employees in Leeds or with salary over 6000",
    "revenue growth of Harbor from 2023 to 2024",
)


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        cursor = connection.execute(sql)
        columns = [item[0] for item in cursor.description]
        return [
            tuple(value for column, value in zip(columns, row, strict=True) if not hidden(column))
            for row in cursor.fetchall()
        ]


def same(found: list[tuple[object, ...]], expected: list[tuple[object, ...]]) -> bool:
    def plain(value: object) -> object:
        return (
            value
            if isinstance(value, str)
            else round(float(value), 6)
            if not hasattr(value, "year")
            else str(value)
        )

    return [tuple(map(plain, row)) for row in found] == [tuple(map(plain, row)) for row in expected]


@pytest.mark.parametrize("question", ANSWERED)
def test_questions_are_answered_rightly(question: str, database: Database) -> None:
    path, tables = database
    built = build(question, tables)
    assert built is not None
    for sql in (built.sql, *built.other_readings):
        assert isinstance(check(sql, (table.name for table in tables)), Safe)
    assert same(rows(path, built.sql), ANSWERED[question])
    assert can_answer(question, tables) == SURE


@pytest.mark.parametrize("question", DECLINED)
def test_what_is_not_understood_is_declined(question: str, database: Database) -> None:
    _, tables = database
    assert build(question, tables) is None
    assert can_answer(question, tables) <= HINT


def test_a_repeated_value_is_ranked_only_if_its_readings_agree(database: Database) -> None:
    _, tables = database
    built = build("哪个供应商罚款最多", tables)
    assert built is not None
    assert len(built.other_readings) == 2


def test_two_tables_that_serve_equally_are_a_reason_to_decline(database: Database) -> None:
    _, tables = database
    twice = (*tables, tables[0])
    assert build("预算最高的项目是哪个", twice) is None


def one(path: Path, columns: dict[str, str], data: list[tuple[object, ...]]) -> TableInfo:
    """Make one table in a file of its own."""
    with duckdb.connect(str(path)) as connection:
        header = ", ".join(f'"{name}" {kind}' for name, kind in columns.items())
        connection.execute(f'CREATE TABLE t ("_row" INTEGER, {header})')
        marks = ", ".join("?" * (len(columns) + 1))
        connection.executemany(
            f"INSERT INTO t VALUES ({marks})", [(at, *row) for at, row in enumerate(data, 2)]
        )
    samples = {
        name: tuple(dict.fromkeys(str(row[at]) for row in data))
        for at, (name, kind) in enumerate(columns.items())
        if kind == "VARCHAR"
    }
    return TableInfo(
        name="t",
        document_id="d",
        title="t",
        columns=tuple(columns.items()),
        row_count=len(data),
        samples=samples,
    )


def test_total_rows_are_neither_added_nor_ranked(tmp_path: Path) -> None:
    path = tmp_path / "t.duckdb"
    table = one(path, {"站点": "VARCHAR", "成本": "INTEGER"}, [("甲站", 10), ("乙站", 30), ("合计", 40)])
    for question, expected in (("成本最高的站点是哪个", [("乙站", 30)]), ("所有站点的成本合计", [(40,)])):
        built = build(question, (table,))
        assert built is not None
        assert same(rows(path, built.sql), expected)


def test_what_a_count_counts_must_be_certain(tmp_path: Path) -> None:
    lists = one(
        tmp_path / "lists.duckdb",
        {"kingdom": "VARCHAR", "districts": "VARCHAR"},
        [("Punia", "Amta, Borda, Cira"), ("Ruan", "Dell, Ebro")],
    )
    assert build("how many districts does Punia have", (lists,)) is None
    assert build("how many districts are there", (lists,)) is None
    numbered = one(
        tmp_path / "ids.duckdb", {"constituency": "INTEGER", "seat": "VARCHAR"}, [(1, "A1"), (2, "B2")]
    )
    assert build("total number of constituencies", (numbered,)) is None


def test_a_header_called_total_is_not_taken_for_a_sum(tmp_path: Path) -> None:
    table = one(
        tmp_path / "t.duckdb",
        {"player": "VARCHAR", "total": "INTEGER"},
        [("Ann Lee", 17), ("Bo Ray", 9)],
    )
    assert build("what was the combined total of Ann Lee and Bo Ray", (table,)) is None
    assert build("what was the average of the totals of Ann Lee and Bo Ray", (table,)) is None


def test_the_right_table_is_found_among_hundreds(database: Database) -> None:
    path, tables = database
    noise = tuple(
        TableInfo(
            name=f"noise_{number}",
            document_id=f"n{number}",
            title=f"noise {number}",
            columns=(("code", "VARCHAR"), ("weight", "INTEGER")),
            row_count=1,
            samples={"code": (f"Z-{number:04d}",)},
        )
        for number in range(400)
    )
    built = build("哪个项目预算超支最多", (*noise, *tables))
    assert built is not None
    assert same(rows(path, built.sql), [("静海改造", 631.6, 500, 131.6)])


def test_conditions_are_told_in_words(database: Database) -> None:
    _, tables = database
    built = build("宏达钢构2024年的罚款金额合计是多少", tables)
    assert built is not None
    assert built.condition == "供应商 = 宏达钢构，年份 = 2024"


def test_hostile_names_and_values_stay_quoted(tmp_path: Path) -> None:
    path = tmp_path / "odd.duckdb"
    name, column, value = 'we"ird; DROP TABLE x', 'bud"get', "O'Neil; DROP"
    quoted = '"' + name.replace('"', '""') + '"'
    with duckdb.connect(str(path)) as connection:
        connection.execute(f'CREATE TABLE {quoted} ("_row" INTEGER, "owner" VARCHAR, "bud""get" INTEGER)')
        connection.execute(f"INSERT INTO {quoted} VALUES (2, ?, 7)", [value])
    table = TableInfo(
        name=name,
        document_id="d",
        title="Odd",
        columns=(("owner", "VARCHAR"), (column, "INTEGER")),
        row_count=1,
        samples={"owner": (value,)},
    )
    built = build(f"What is the {column} of {value}?", (table,))
    assert built is not None
    assert isinstance(check(built.sql, [name]), Safe)
    assert rows(path, built.sql) == [(value, 7)]
