"""The guard alone, and the engine alone: each stops what it claims while the other is switched off."""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import psutil
import pytest

from kaoju.tools.sql.engines.target import Target
from kaoju.tools.sql.guard import MAX_ROWS, Refused, Safe, check, unfence
from kaoju.tools.sql.runner import QueryError, Runner, Table

NAMES = ("projects", "员工 表")

WRITES = (
    "DROP TABLE projects",
    "DELETE FROM projects",
    "UPDATE projects SET a = 1",
    "INSERT INTO projects VALUES (1)",
    "TRUNCATE projects",
    "ALTER TABLE projects ADD COLUMN x INT",
    "CREATE TABLE x AS SELECT * FROM projects",
    "CREATE OR REPLACE TABLE projects AS SELECT 1 AS a",
    "CREATE VIEW v AS SELECT * FROM projects",
    "CREATE MACRO f(a) AS a",
    "CREATE SCHEMA s",
    "CREATE SEQUENCE q",
    "CREATE SECRET s (TYPE S3)",
    "WITH x AS (SELECT 1) DELETE FROM projects",
    "WITH x AS (SELECT 1) UPDATE projects SET a = 1",
    "WITH x AS (SELECT 1) INSERT INTO projects SELECT 1",
    "WITH x AS (DELETE FROM projects RETURNING *) SELECT * FROM x",
    "SELECT * INTO y FROM projects",
    "SELECT 1; DROP TABLE projects",
    "SELECT 1;; DELETE FROM projects;",
    "SELECT 1 -- ;\n; DROP TABLE projects",
    "MERGE INTO projects USING projects p ON true WHEN MATCHED THEN DELETE",
    "COPY projects TO '{dir}/out.csv'",
    "COPY (SELECT 1) TO '{dir}/out.parquet' (FORMAT PARQUET)",
    "EXPORT DATABASE '{dir}/out'",
    "VACUUM",
    "CHECKPOINT",
)
ESCAPES = (
    "ATTACH '{dir}/other.duckdb' AS o",
    "DETACH projects",
    "INSTALL httpfs",
    "LOAD httpfs",
    "IMPORT DATABASE '{dir}'",
    "SET enable_external_access = true",
    "SET memory_limit = '99GB'",
    "RESET ALL",
    "PRAGMA database_list",
    "PRAGMA enable_profiling",
    "CALL pragma_version()",
    "SELECT * FROM read_csv('{file}')",
    "SELECT * FROM read_csv_auto('{file}')",
    "SELECT * FROM read_text('{file}')",
    "SELECT * FROM read_blob('{file}')",
    "SELECT * FROM read_json('{file}')",
    "SELECT * FROM read_parquet('{file}')",
    "SELECT * FROM parquet_metadata('{file}')",
    "SELECT * FROM glob('{dir}/*')",
    "SELECT * FROM '{file}'",
    'SELECT * FROM "{file}"',
    "SELECT * FROM 'http://127.0.0.1:9/x.csv'",
    "SELECT (SELECT content FROM read_text('{file}'))",
    "SELECT a FROM projects WHERE EXISTS (SELECT * FROM read_text('{file}'))",
    "SELECT a FROM projects UNION ALL SELECT content FROM read_text('{file}')",
    "WITH x AS (SELECT * FROM read_text('{file}')) SELECT * FROM x",
    "SELECT * FROM projects, read_text('{file}')",
    "SELECT * FROM projects ORDER BY (SELECT content FROM read_text('{file}'))",
    "SELECT * FROM query('SELECT 1')",
    "SELECT * FROM query_table('projects')",
    "SELECT * FROM sniff_csv('{file}')",
    "FROM read_text('{file}')",
)
PEEKS = (
    "SELECT getenv('HOME')",
    "SELECT current_setting('temp_directory')",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM duckdb_tables()",
    "SELECT * FROM duckdb_secrets()",
    "SELECT * FROM information_schema.tables",
    "SELECT * FROM sqlite_master",
    "SELECT * FROM pg_catalog.pg_class",
    "SELECT * FROM main.secret",
    "SELECT * FROM other.main.projects",
    "SELECT * FROM secret",
    "SELECT a FROM projects WHERE a IN (SELECT a FROM secret)",
    "WITH x AS (WITH secret AS (SELECT 1) SELECT * FROM secret) SELECT * FROM secret",
    "WITH a AS (SELECT * FROM secret), secret AS (SELECT 1) SELECT * FROM a",
    "SHOW TABLES",
    "DESCRIBE projects",
    "SUMMARIZE projects",
    "EXPLAIN SELECT 1",
    "SELECT $1",
    "SELECT ?",
    "SELECT getvariable('x')",
    "SELECT * FROM duckdb_functions()",
    "SELECT COLUMNS('.*') FROM projects",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "BEGIN",
    "SELECT * FROM projects FOR UPDATE",
)
BOMBS = (
    "SELECT repeat('x', 1000000000)",
    "SELECT length(repeat(repeat('x', 100000), 100000))",
    "SELECT lpad('x', 1000000000, 'y')",
    "SELECT * FROM range(100000000000)",
    "SELECT sum(i) FROM generate_series(1, 100000000000) t(i)",
    "WITH RECURSIVE x AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM x) SELECT count(*) FROM x",
    "SELECT unnest(range(1000000000))",
    "SELECT list_reduce(range(100000000), (a, b) -> a + b)",
    "SELECT string_agg(repeat('x', 1000000), '') FROM range(1000000)",
    "SELECT array_agg(r) FROM range(10000000000) t(r)",
    "SELECT count(*) FROM " + ", ".join(f"projects p{n}" for n in range(40)),
    "SELECT " + "(" * 500 + "1" + ")" * 500,
    "SELECT " + "+".join(["1"] * 6000),
    "SELECT '" + "x" * 20_000 + "'",
)


@pytest.mark.parametrize("sql", WRITES + ESCAPES + PEEKS + BOMBS)
def test_attacks_are_refused_with_a_reason(sql: str) -> None:
    refused = check(sql, NAMES)
    assert isinstance(refused, Refused)
    assert refused.code in {"SQL_REFUSED", "SQL_ERROR"}
    assert refused.reason
    assert refused.zh


def test_there_are_enough_attacks() -> None:
    assert len(WRITES + ESCAPES + PEEKS + BOMBS) >= 60


@pytest.mark.parametrize("sql", WRITES + ESCAPES)
@pytest.mark.parametrize(
    "dress", ["/* c */ {}", "-- c\n{}", "```sql\n{}\n```", "\ufeff {}", "{} -- SELECT 1", "((({})))"]
)
def test_comments_and_fences_do_not_change_the_verdict(sql: str, dress: str) -> None:
    assert isinstance(check(dress.replace("{}", sql), NAMES), Refused)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT/**/a/**/FROM/**/projects",
        "/* x */ SELECT a FROM projects -- y",
        "-- z\nSELECT a FROM projects",
    ],
)
def test_comments_around_a_select_do_not_matter(sql: str) -> None:
    assert check(sql, NAMES) == Safe(sql=f"SELECT a FROM projects LIMIT {MAX_ROWS}", tables=("projects",))


@pytest.mark.parametrize(
    "sql", ["", "  \n", ";", "-- nothing", "/* nothing */", "```sql\n```", "```\n;\n```"]
)
def test_empty_sql_is_an_input_error(sql: str) -> None:
    refused = check(sql, NAMES)
    assert isinstance(refused, Refused)
    assert refused.code == "TOOL_PARAM_INVALID"


@pytest.mark.parametrize(
    "text",
    [
        "```sql\nSELECT 1;\n```",
        "```\nSELECT 1\n```",
        "Here it is:\n```SQL\nSELECT 1\n``` Enjoy",
        "SELECT 1;",
        "```sql\nSELECT 1",
    ],
)
def test_fences_are_taken_off(text: str) -> None:
    assert unfence(text) == "SELECT 1"


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a, count(*) FROM projects GROUP BY a HAVING count(*) > 1 ORDER BY 2 DESC",
        'SELECT "姓名" FROM "员工 表" WHERE "部门" = \'研发\'',
        "WITH x AS (SELECT a FROM projects), y AS (SELECT a FROM x) SELECT * FROM y",
        "SELECT a, sum(b) OVER (PARTITION BY c ORDER BY d) FROM projects QUALIFY row_number() OVER (ORDER BY a) < 3",
        'SELECT p.a FROM projects p LEFT JOIN "员工 表" e ON p.a = e.a WHERE p.b BETWEEN 1 AND 2 OR e.c IS NULL',
        "SELECT CASE WHEN a > 1 THEN 'x' ELSE 'y' END, CAST(b AS DECIMAL(10, 2)), round(c / nullif(d, 0), 2) FROM projects",
        "SELECT year(d), date_trunc('month', d), d - INTERVAL 3 DAY FROM projects WHERE d >= DATE '2024-01-01'",
        "SELECT a FROM projects UNION ALL SELECT a FROM projects",
        "SELECT DISTINCT lower(trim(a)) || '-' || substring(b, 1, 2) FROM projects WHERE a ILIKE '%x%' LIMIT 5",
        "SELECT * EXCLUDE (a) FROM main.projects",
        "(SELECT a FROM projects)",
    ],
)
def test_ordinary_queries_pass_and_are_limited(sql: str) -> None:
    safe = check(sql, NAMES)
    assert isinstance(safe, Safe)
    assert "LIMIT" in safe.sql
    assert safe.tables


@pytest.mark.parametrize(
    ("limit", "kept"),
    [("5", "LIMIT 5"), ("1000", "LIMIT 1000"), ("5000", "LIMIT 1000"), ("(SELECT 3)", "LIMIT 1000")],
)
def test_the_limit_is_never_more_than_allowed(limit: str, kept: str) -> None:
    safe = check(f"SELECT a FROM projects LIMIT {limit}", NAMES)
    assert isinstance(safe, Safe)
    assert safe.sql.endswith(kept)


# -- the engine and the child, with no guard before them ---------------------------


@pytest.fixture(scope="module")
def walled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Runner]]:
    folder = tmp_path_factory.mktemp("walled")
    path = folder / "tables.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE projects (a INTEGER, b VARCHAR)")
        connection.execute("INSERT INTO projects SELECT range, 'x' FROM range(50)")
    with duckdb.connect(str(folder / "other.duckdb")) as connection:
        connection.execute("CREATE TABLE t (a INTEGER)")
    (folder / "secret.csv").write_text("top,secret\n1,2\n")
    runner = Runner(duckdb_file(path), seconds=2.0)
    yield path, runner
    runner.close()


def duckdb_file(path: Path) -> Target:
    return Target(engine="duckdb", database=str(path))


def digest(folder: Path) -> dict[str, str]:
    return {
        item.name: hashlib.sha256(item.read_bytes()).hexdigest()
        for item in sorted(folder.iterdir())
        if item.is_file()
    }


async def test_the_engine_alone_writes_nothing_and_reads_no_file(walled: tuple[Path, Runner]) -> None:
    path, runner = walled
    folder = path.parent
    before = digest(folder)
    tells_nothing_new = {
        "VACUUM",
        "CHECKPOINT",
        "PRAGMA database_list",
        "CALL pragma_version()",
        "SELECT * FROM query('SELECT 1')",
        "SELECT * FROM query_table('projects')",
    }
    let_through = set()
    for attack in WRITES + ESCAPES:
        sql = attack.replace("{dir}", str(folder)).replace("{file}", str(folder / "secret.csv"))
        if isinstance(await runner.query(sql, max_rows=10), Table):
            let_through.add(attack)
    assert let_through == tells_nothing_new
    assert digest(folder) == before
    rows = await runner.query("SELECT count(*) FROM projects", max_rows=10)
    assert isinstance(rows, Table)
    assert rows.rows == ((50,),)


@pytest.mark.parametrize("sql", BOMBS[:3] + BOMBS[3:6] + BOMBS[6:10])
async def test_bombs_end_in_time_and_memory(sql: str, walled: tuple[Path, Runner]) -> None:
    path, _ = walled
    with Runner(duckdb_file(path), seconds=1.0, max_bytes=64 * 1024) as runner:
        await runner.query("SELECT 1", max_rows=1)
        started = time.monotonic()
        result = await runner.query(sql, max_rows=10)
        assert time.monotonic() - started < 6
        if isinstance(result, Table):
            assert sum(len(str(row)) for row in result.rows) <= 64 * 1024
        else:
            assert result.kind in {"timeout", "memory", "sql", "died"}
        again = await runner.query("SELECT count(*) FROM projects", max_rows=10)
        assert isinstance(again, Table)


async def test_a_killed_query_leaves_no_process(walled: tuple[Path, Runner]) -> None:
    path, _ = walled
    before = {child.pid for child in psutil.Process(os.getpid()).children()}
    with Runner(duckdb_file(path), seconds=0.5) as runner:
        await runner.query("SELECT 1", max_rows=1)
        result = await runner.query(
            "SELECT count(*) FROM range(100000) a, range(100000) b, range(1000) c WHERE a.range + b.range = c.range",
            max_rows=1,
        )
        assert isinstance(result, QueryError)
        assert result.kind == "timeout"
    assert {child.pid for child in psutil.Process(os.getpid()).children()} <= before


async def test_the_file_is_free_between_queries(walled: tuple[Path, Runner]) -> None:
    path, runner = walled
    await runner.query("SELECT 1", max_rows=1)
    program = f"import duckdb; duckdb.connect({str(path)!r}).close(); print('written')"
    writer = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE
    )
    written, _ = await writer.communicate()
    assert written.strip() == b"written"


async def test_limits_that_cut_are_told(walled: tuple[Path, Runner]) -> None:
    path, runner = walled
    cut = await runner.query("SELECT a FROM projects", max_rows=10)
    assert isinstance(cut, Table)
    assert (len(cut.rows), cut.cut) == (10, "rows")
    with Runner(duckdb_file(path), max_bytes=50) as small:
        short = await small.query("SELECT a, b FROM projects", max_rows=100)
    assert isinstance(short, Table)
    assert short.cut == "bytes"
    assert len(short.rows) < 50


async def test_values_come_back_typed(walled: tuple[Path, Runner]) -> None:
    _, runner = walled
    sql = "SELECT 1::BIGINT, 1.50::DECIMAL(8,2), 2.5::DOUBLE, DATE '2024-01-02', 'é\n\"', true, NULL, 'nan'::DOUBLE, [1, 2]"
    result = await runner.query(sql, max_rows=1)
    assert isinstance(result, Table)
    assert result.rows == ((1, 1.5, 2.5, "2024-01-02", 'é\n"', True, None, None, "[1, 2]"),)


async def test_a_missing_file_is_an_error_not_a_new_file(tmp_path: Path) -> None:
    missing = tmp_path / "none.duckdb"
    with Runner(duckdb_file(missing)) as runner:
        result = await runner.query("SELECT 1", max_rows=1)
    assert isinstance(result, QueryError)
    assert result.kind == "open"
    assert not missing.exists()
