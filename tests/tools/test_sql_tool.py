from __future__ import annotations

import asyncio
from pathlib import Path

import duckdb

from kaoju.errors import ModelError
from kaoju.llm.scripted import ScriptedModel
from kaoju.model.document import TableInfo
from kaoju.model.tool import Failed, Succeeded, ToolCall
from kaoju.tools.sql.linking import link, rank
from kaoju.tools.sql.tool import SqlQuery

Database = tuple[Path, tuple[TableInfo, ...]]


def made(**arguments: object) -> ToolCall:
    return ToolCall(run_id="r", task_id="t1", attempt=1, tool="sql_query", arguments=arguments)  # type: ignore[arg-type]  # any JSON


async def ask(tool: SqlQuery, **arguments: object) -> Succeeded:
    outcome = await tool.run(made(**arguments))
    assert isinstance(outcome, Succeeded), outcome
    return outcome


async def fail(tool: SqlQuery, **arguments: object) -> Failed:
    outcome = await tool.run(made(**arguments))
    assert isinstance(outcome, Failed), outcome
    return outcome


async def with_model(database: Database, *replies: object) -> tuple[SqlQuery, ScriptedModel]:
    model = ScriptedModel(list(replies))
    path, tables = database
    return SqlQuery(path, lambda: tables, lambda: model), model


async def test_evidence_says_what_where_and_how(sql_query: SqlQuery) -> None:
    outcome = await ask(sql_query, query="哪个项目预算超支最多")
    (item,) = outcome.evidence
    assert item.kind == "rows"
    assert item.text == (
        "表：项目台账；条件：超支 > 0\n项目名称: 静海改造; 实际支出(万元): 631.6; 预算(万元): 500; 超支(万元): 131.6"
    )
    assert item.rows == (
        {"项目名称": "静海改造", "实际支出(万元)": 631.6, "预算(万元)": 500, "超支(万元)": 131.6},
    )
    assert (item.document_id, item.title, item.locator.section) == (
        "data/projects.csv",
        "项目台账",
        "projects",
    )
    assert item.locator.rows == (4, 4)
    assert item.query.startswith("SELECT")
    assert set(item.inputs) >= {"631.6", "500"}
    assert item.tool == "sql_query"


async def test_aggregates_point_at_the_rows_they_used(sql_query: SqlQuery) -> None:
    (item,) = (await ask(sql_query, query="延期交付的罚款总额是多少")).evidence
    assert item.locator.rows == (2, 5)
    assert "违约类型 = 延期交付" in item.text
    assert item.rows == ({"罚款金额（元）合计": 25000},)


async def test_what_patterns_cannot_do_is_declined_without_a_model(sql_query: SqlQuery) -> None:
    failed = await fail(sql_query, query="为什么静海改造超支")
    assert (failed.code, failed.retryable) == ("NO_PATTERN", False)
    assert "semantic_search" in failed.suggestion


async def test_a_repeated_value_whose_readings_disagree_is_declined(tmp_path: Path) -> None:
    path = tmp_path / "t.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute('CREATE TABLE fines ("_row" INTEGER, supplier VARCHAR, amount INTEGER)')
        connection.execute("INSERT INTO fines VALUES (2, 'A', 60), (3, 'A', 60), (4, 'B', 100)")
    table = TableInfo(
        name="fines",
        document_id="d",
        title="Fines",
        columns=(("supplier", "VARCHAR"), ("amount", "INTEGER")),
        row_count=3,
        samples={"supplier": ("A", "B")},
    )
    tool = SqlQuery(path, lambda: (table,))
    assert (await fail(tool, query="Which supplier has the highest amount?")).code == "NO_PATTERN"
    (item,) = (await ask(tool, query="Which supplier has the highest total amount?")).evidence
    assert item.rows == ({"supplier": "A", "total amount": 120},)
    await tool.close()


async def test_nothing_found_is_told_apart_from_a_wrong_filter(sql_query: SqlQuery) -> None:
    empty = await ask(sql_query, query="2026年的罚款总额是多少")
    assert empty.evidence == ()
    assert "没有符合条件的行" in empty.notes[0]
    wrong = await ask(
        sql_query, query="查部门", sql='SELECT "项目名称" FROM projects WHERE "部门" = \'研发中心\''
    )
    assert wrong.evidence == ()
    assert any("研发中心" in note and "研发部" in note for note in wrong.notes)


async def test_given_sql_is_guarded_and_located(sql_query: SqlQuery, database: Database) -> None:
    (item,) = (
        await ask(sql_query, sql='```sql\nSELECT "项目名称" FROM projects WHERE "部门" = \'工程部\';\n```')
    ).evidence
    assert item.rows == ({"项目名称": "静海改造"}, {"项目名称": "北辰物流"})
    assert item.locator.rows == (4, 6)
    for sql in (
        "DROP TABLE projects",
        "WITH x AS (SELECT 1) DELETE FROM projects",
        "SELECT 1; DROP TABLE projects",
    ):
        assert (await fail(sql_query, sql=sql)).code == "SQL_REFUSED"
    assert (await fail(sql_query, query="合计", sql="")).code == "TOOL_PARAM_INVALID"
    assert (await fail(sql_query, sql="SELECT nope FROM projects")).code == "SQL_ERROR"
    assert (await fail(sql_query, sql="SELECT 1 FROM nowhere")).allowed
    (count,) = (await ask(sql_query, sql="SELECT count(*) AS n FROM projects")).evidence
    assert count.rows == ({"n": 6},)


async def test_tables_can_be_chosen(sql_query: SqlQuery) -> None:
    (item,) = (await ask(sql_query, query="How many departments are there?", tables=["employees"])).evidence
    assert item.document_id == "data/employees.csv"
    assert (await fail(sql_query, query="x", tables=["nope"])).field == "tables"
    assert (
        await fail(sql_query, query="x", sql="SELECT * FROM projects", tables=["employees"])
    ).code == "SQL_REFUSED"


async def test_a_model_writes_where_patterns_decline(database: Database) -> None:
    question = "Which people in the Leeds office took leave for over two weeks?"
    tool, _ = await with_model(
        database,
        '{"sql": "SELECT employee_name, leave_days FROM employees WHERE city = \'Leeds\' AND leave_days > 14"}',
    )
    outcome = await ask(tool, query=question)
    (item,) = outcome.evidence
    assert item.rows == ({"employee_name": "Carla Ruiz", "leave_days": 20},)
    assert item.uncertainty
    assert outcome.confidence < 0.9
    await tool.close()


async def test_a_broken_sql_is_repaired_once(database: Database) -> None:
    question = "Which people in the Leeds office took leave for over two weeks?"
    tool, _ = await with_model(
        database, '{"sql": "SELECT nme FROM employees"}', '{"sql": "SELECT employee_name FROM employees"}'
    )
    assert len((await ask(tool, query=question)).evidence[0].rows) == 5
    await tool.close()
    tool, _ = await with_model(database, '{"sql": "DROP TABLE employees"}', '{"sql": ""}')
    assert (await fail(tool, query=question)).code == "SQL_ERROR"
    await tool.close()


async def test_a_model_that_fails_is_a_declined_question(database: Database) -> None:
    tool, _ = await with_model(database, ModelError("unreachable", "the endpoint is gone", "端点无法连接"))
    failed = await fail(tool, query="Which people in the Leeds office took leave for over two weeks?")
    assert failed.code == "NO_PATTERN"
    assert "gone" in failed.message
    await tool.close()


async def test_the_model_is_not_asked_where_patterns_are_sure_or_nothing_is_related(
    database: Database,
) -> None:
    def never(prompt: object) -> str:
        raise AssertionError("the model was asked")

    tool, _ = await with_model(database, never)
    await ask(tool, query="平均预算是多少")
    assert (await fail(tool, query="今天天气怎么样")).code == "NO_PATTERN"
    await tool.close()


async def test_many_at_once(sql_query: SqlQuery) -> None:
    questions = [
        "平均预算是多少",
        "哪个项目预算超支最多",
        "How many employees are in Sales?",
        "各供应商的罚款总额",
    ] * 2
    outcomes = await asyncio.gather(*(sql_query.run(made(query=question)) for question in questions))
    assert all(isinstance(outcome, Succeeded) and outcome.evidence for outcome in outcomes)


def test_linking_ranks_the_right_table_first(database: Database) -> None:
    _, tables = database
    for question, name in (
        ("启明数据平台的预算", "projects"),
        ("联创电子因质量问题被罚了多少", "supplier_penalties"),
        ("Lantern revenue in the South", "quarterly_revenue"),
        ("how is leave spread over cities", "employees"),
    ):
        assert rank(question, tables)[0].name == name
    assert rank("今天天气怎么样", tables) == ()
    assert "风险" in link("哪个项目的风险最大", tables).tables[0].unexplained
