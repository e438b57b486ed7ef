"""One set of promises, kept over DuckDB, SQLite and a real PostgreSQL."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.servers.databases import NoSecrets, Place, call, tool

from kaoju.llm.scripted import ScriptedModel
from kaoju.model.tool import Failed, Succeeded
from kaoju.tools.sql.tool import SqlTool


async def ask(made: SqlTool, **arguments: object) -> Succeeded:
    outcome = await made.run(call(**arguments))  # type: ignore[arg-type]  # any JSON
    assert isinstance(outcome, Succeeded), outcome
    return outcome


async def fail(made: SqlTool, **arguments: object) -> Failed:
    outcome = await made.run(call(**arguments))  # type: ignore[arg-type]  # any JSON
    assert isinstance(outcome, Failed), outcome
    return outcome


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("金额最高的订单是哪个客户", [{"客户": "星桥科技", "金额(元)": 4100}]),
        ("海川贸易的金额合计是多少", [{"金额(元)合计": 2000.5}]),
        ("成都有几个订单", [{"数量": 2}]),
        ("2024年的平均金额是多少", [{"金额(元)平均": 2150.125}]),
        ("How many staff are in Sales?", [{"count": 2}]),
    ],
)
async def test_questions_in_words(shop: SqlTool, question: str, rows: list[dict[str, object]]) -> None:
    (item,) = (await ask(shop, query=question)).evidence
    assert [{key: row[key] for key in rows[0]} for row in item.rows] == rows
    assert item.tool == "shop"
    assert item.document_id.startswith("shop/")
    assert item.locator.section in {"订单", "staff"}
    assert item.query.startswith("SELECT")
    assert item.metadata["question"] == question


async def test_given_sql_in_the_engines_own_dialect(shop: SqlTool) -> None:
    (item,) = (
        await ask(
            shop,
            query="各城市金额",
            sql='SELECT "城市", SUM("金额(元)") AS "合计" FROM "订单" WHERE "城市" <> \'苏州\' GROUP BY "城市" ORDER BY 2 DESC',
        )
    ).evidence
    assert item.rows == ({"城市": "成都", "合计": 2800.25}, {"城市": "宁波", "合计": 2000.5})
    assert "条件：城市 ≠ 苏州" in item.text


async def test_names_may_be_spelled_in_any_case(shop: SqlTool) -> None:
    (item,) = (
        await ask(shop, sql="SELECT s.Name, yearsinteam FROM STAFF s WHERE s.YearsInTeam > 3 ORDER BY 2")
    ).evidence
    assert [tuple(row.values()) for row in item.rows] == [("Ida Moreau", 4), ("Tom Okafor", 9)]
    assert "YearsInTeam > 3" in item.text


async def test_a_hidden_column_does_not_exist(shop: SqlTool) -> None:
    (item,) = (await ask(shop, sql='SELECT * FROM "订单"')).evidence
    assert "卡号" not in item.rows[0]
    assert "SECRET" not in item.text
    for sql in (
        'SELECT "卡号" FROM "订单"',
        'SELECT o."卡号" FROM "订单" o',
        'SELECT 1 FROM "订单" WHERE "卡号" LIKE \'6%\'',
        'SELECT "客户" FROM "订单" ORDER BY "卡号"',
    ):
        assert (await fail(shop, sql=sql)).code == "SQL_ERROR"


async def test_a_model_writes_and_is_corrected_once(place: Place) -> None:
    model = ScriptedModel(
        [
            '{"sql": "SELECT nme FROM staff"}',
            '{"sql": "SELECT \\"name\\" FROM \\"staff\\" WHERE \\"team\\" = \'Support\' QUALIFY ROW_NUMBER() OVER (ORDER BY \\"name\\") = 1"}',
        ]
    )
    made = tool(place, model)
    outcome = await ask(made, query="Which staff member of the Support team answers tickets fastest?")
    await made.close()
    (item,) = outcome.evidence
    assert item.rows == ({"name": "Wei Zhang"},)
    assert "team = Support" in item.text
    assert "model" in item.uncertainty
    assert outcome.confidence < 0.9


async def test_an_empty_result_is_told_apart_from_a_wrong_filter(shop: SqlTool) -> None:
    wrong = await ask(shop, query="查客户", sql='SELECT "金额(元)" FROM "订单" WHERE "客户" = \'星桥技术\'')
    assert wrong.evidence == ()
    assert any("星桥技术" in note and "星桥科技" in note for note in wrong.notes)
    right = await ask(
        shop,
        query="查客户",
        sql='SELECT "金额(元)" FROM "订单" WHERE "客户" = \'星桥科技\' AND "金额(元)" > 9000',
    )
    assert right.evidence == ()
    assert not any("星桥科技" in note for note in right.notes)
    none = await ask(shop, query="查", sql='SELECT COUNT(*) AS n FROM "订单" WHERE "客户" LIKE \'%海河%\'')
    assert none.evidence[0].rows == ({"n": 0},)
    assert "海河" in none.evidence[0].uncertainty


async def test_limits_are_stated(place: Place) -> None:
    made = tool(place, limits={"rows": 2})
    (item,) = (await ask(made, query="列出订单", sql='SELECT "客户" FROM "订单"')).evidence
    await made.close()
    assert len(item.rows) == 2
    assert "仅取前 2 行" in item.uncertainty
    made = tool(place, limits={"bytes": 1024})
    sql = " UNION ALL ".join(['SELECT "客户", "城市", "金额(元)" FROM "订单"'] * 8)
    (item,) = (await ask(made, query="列出订单", sql=sql)).evidence
    await made.close()
    assert 0 < len(item.rows) < 40
    assert "结果过大" in item.uncertainty


async def test_titles_comments_and_synonyms_link_words_to_columns(place: Place) -> None:
    made = tool(
        place,
        tables={
            "staff": {
                "title": "员工",
                "synonyms": ["同事"],
                "columns": {
                    "name": {"title": "姓名"},
                    "team": {"title": "部门", "synonyms": ["小组"]},
                    "YearsInTeam": {"title": "在岗年限", "comment": "满一年计一", "synonyms": ["工龄"]},
                },
            }
        },
    )
    (item,) = (await ask(made, query="谁的工龄最长")).evidence
    assert (item.rows[0]["姓名"], item.rows[0]["在岗年限"]) == ("Tom Okafor", 9)
    (item,) = (await ask(made, sql="SELECT name FROM staff WHERE team = 'Support'")).evidence
    assert item.rows == ({"name": "Wei Zhang"},)
    await made.close()


async def test_many_at_once(shop: SqlTool) -> None:
    questions = ["成都有几个订单", "海川贸易的金额合计是多少", "How many staff are in Sales?"] * 3
    outcomes = await asyncio.gather(*(shop.run(call(query=question)) for question in questions))
    assert all(isinstance(outcome, Succeeded) and outcome.evidence for outcome in outcomes)


async def test_a_slow_query_ends_in_time(place: Place) -> None:
    made = tool(place, limits={"seconds": 0.5})
    tables = ", ".join(f'"订单" t{n}' for n in range(12))
    condition = " + ".join(f't{n}."编号"' for n in range(12))
    failed = await fail(made, sql=f"SELECT COUNT(*) FROM {tables} WHERE {condition} = 13")
    assert failed.code == "TIMEOUT"
    (item,) = (await ask(made, sql="SELECT COUNT(*) AS n FROM staff")).evidence
    await made.close()
    assert item.rows == ({"n": 3},)


async def test_a_database_that_is_not_there(tmp_path: Path, place: Place) -> None:
    url = {"duckdb": "duckdb:///no.duckdb", "sqlite": "sqlite:///no.sqlite"}.get(
        place.engine, "postgresql://nobody@127.0.0.1:1/none"
    )
    made = tool(Place(place.engine, url, tmp_path))
    failed = await fail(made, query="成都有几个订单")
    await made.close()
    assert (failed.code, failed.retryable) == ("UNREACHABLE", True)
    assert list(tmp_path.iterdir()) == []


async def test_secrets_never_show(places: dict[str, Place]) -> None:
    place = places["postgres"]
    secrets = NoSecrets(
        {"env:URL": place.url.replace("kaoju_reader", "hidden-user:hidden-word"), "env:P": "hidden-word"}
    )
    made = tool(Place("postgres", "env:URL", place.folder), secrets=secrets, password="env:P")  # noqa: S106 - a reference
    failed = await fail(made, query="成都有几个订单")
    await made.close()
    assert failed.code == "UNREACHABLE"
    assert "hidden-word" not in str(failed)
    assert "hidden-word" not in repr(made._source._runner._target)  # type: ignore[attr-defined]  # what a debugger shows
