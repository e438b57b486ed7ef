"""`sql_query`: numbers, counts, extremes, rankings and look-ups from the ingested tables.

The order is: SQL that was given; SQL built by patterns, where they are sure;
SQL written by a model, where there is one, with one repair. All of it passes
the guard and runs in the locked child. What none of them can do is declined
with NO_PATTERN: an estimate is never given.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from kaoju.errors import ModelError
from kaoju.llm.chat import ChatModel
from kaoju.model.document import TableInfo
from kaoju.model.tool import Failed, Fallback, Succeeded, ToolCall, ToolOutcome, ToolSpec
from kaoju.tools.base import say, text_of
from kaoju.tools.sql import findings, writer
from kaoju.tools.sql.findings import Asked
from kaoju.tools.sql.guard import MAX_ROWS, Refused, Safe, check
from kaoju.tools.sql.linking import rank
from kaoju.tools.sql.nearest import missing_values
from kaoju.tools.sql.patterns import Built, build
from kaoju.tools.sql.rows import with_source_rows
from kaoju.tools.sql.runner import QUERY_SECONDS, QueryError, Runner, Table

SPEC: Final = ToolSpec(
    name=findings.NAME,
    description="Answers from the ingested tables by SQL. 用 SQL 从已入库的表格中取数。",
    use_for="Counts, sums, averages, extremes, rankings, comparisons and look-ups over tables. "
    "表格中的计数、合计、平均、最值、排名、比较、查值。",
    not_for="Rules, explanations and facts written in prose; plain arithmetic. 正文中的制度、说明；纯算术。",
    input_schema={
        "type": "object",
        "properties": {
            "query": {"type": "string", "maxLength": 2_000},
            "sql": {"type": "string"},
            "tables": {"type": "array", "items": {"type": "string"}, "maxItems": 50},
        },
        "anyOf": [{"required": ["query"]}, {"required": ["sql"]}],
        "additionalProperties": False,
    },
    examples=(
        {"query": "哪个项目预算超支最多"},
        {"query": "total revenue by product in 2024"},
        {"sql": 'SELECT COUNT(*) FROM "projects"'},
    ),
    timeout_seconds=120.0,
    attempts=2,
    fallback=(Fallback(tool="semantic_search"),),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tried:
    """SQL that ran, or why it did not."""

    asked: Asked
    result: Table | QueryError | Refused


class SqlQuery:
    """The tables of one knowledge base as a tool."""

    def __init__(
        self,
        path: Path,
        tables: Callable[[], Sequence[TableInfo]],
        model: Callable[[], ChatModel | None] | None = None,
        *,
        seconds: float = QUERY_SECONDS,
        max_rows: int = MAX_ROWS,
        spec: ToolSpec = SPEC,
    ) -> None:
        """Serve the DuckDB file at `path`.

        Args:
            path: the DuckDB file; it is only ever opened for reading.
            tables: gives the tables that may be read, as they stand at the call.
            model: gives the model that writes SQL, or None.
            seconds: time that one query may take.
            max_rows: rows that one query may return.
            spec: the contract, where the caller wants another fallback or time limit.
        """
        self.spec = spec
        self._tables = tables
        self._model = model
        self._max_rows = max_rows
        self._runner = Runner(path, seconds=seconds)

    async def close(self) -> None:
        """End the child processes."""
        self._runner.close()

    async def run(self, call: ToolCall) -> ToolOutcome:
        """Answer once."""
        query = text_of(call.arguments)
        tables = tuple(self._tables())
        wanted = call.arguments.get("tables")
        if isinstance(wanted, list) and wanted:
            named = {str(name).casefold() for name in wanted}
            chosen = tuple(table for table in tables if table.name.casefold() in named)
            if len(chosen) < len(named):
                return _no_such_table(query, tables)
            tables = chosen
        if "sql" in call.arguments:
            return await self._given(text_of(call.arguments, "sql"), query, tables, call)
        if not query:
            return _empty()
        built = build(query, tables)
        if built is not None:
            outcome = await self._by_pattern(built, query, tables, call)
            if outcome is not None:
                return outcome
        model = self._model() if self._model is not None else None
        related = rank(query, tables)
        if model is None or not related:
            return _no_pattern(query)
        return await self._by_model(model, query, related, tables, call)

    async def _given(self, sql: str, query: str, tables: Sequence[TableInfo], call: ToolCall) -> ToolOutcome:
        tried = await self._try(sql, query, tables, confidence=findings.GIVEN_CONFIDENCE)
        return self._outcome(tried, query, call)

    async def _by_pattern(
        self, built: Built, query: str, tables: Sequence[TableInfo], call: ToolCall
    ) -> ToolOutcome | None:
        """Return the answer; None when two readings of the question disagree."""
        tried = await self._try(built.sql, query, tables, confidence=findings.PATTERN_CONFIDENCE)
        for sql in built.other_readings if isinstance(tried.result, Table) else ():
            other = await self._try(sql, query, tables, confidence=0.0)
            if not _agree(tried.result, other.result, whole=built.whole_rows):
                return None
        asked = replace(tried.asked, condition=built.condition)
        return self._outcome(replace(tried, asked=asked), query, call)

    async def _by_model(
        self,
        model: ChatModel,
        query: str,
        related: Sequence[TableInfo],
        tables: Sequence[TableInfo],
        call: ToolCall,
    ) -> ToolOutcome:
        prompt = writer.first_prompt(query, related)
        try:
            sql = await writer.write(model, prompt)
            tried = await self._try(sql, query, tables, confidence=findings.MODEL_CONFIDENCE)
            reason = _reason(tried.result)
            if reason:
                sql = await writer.write(model, writer.repair_prompt(prompt, sql, reason))
                tried = await self._try(sql, query, tables, confidence=findings.MODEL_CONFIDENCE)
        except ModelError as error:
            declined = _no_pattern(query)
            return replace(
                declined, message=f"{declined.message} ({error.say(say(query, zh='zh', en='en'))})"
            )
        tried = replace(tried, asked=replace(tried.asked, from_model=True))
        outcome = self._outcome(tried, query, call)
        if isinstance(outcome, Failed) and outcome.code in {"TOOL_PARAM_INVALID", "SQL_REFUSED"}:
            return replace(outcome, code="SQL_ERROR")
        return outcome

    async def _try(self, sql: str, query: str, tables: Sequence[TableInfo], *, confidence: float) -> _Tried:
        checked = check(sql, (table.name for table in tables), max_rows=self._max_rows)
        asked = Asked(question=query, sql=sql, sources=(), confidence=confidence)
        if isinstance(checked, Refused):
            return _Tried(asked=asked, result=checked)
        by_name = {table.name: table for table in tables}
        asked = replace(asked, sql=checked.sql, sources=tuple(by_name[name] for name in checked.tables))
        return _Tried(asked=asked, result=await self._execute(checked))

    async def _execute(self, safe: Safe) -> Table | QueryError:
        located = with_source_rows(safe.sql)
        if located != safe.sql:
            result = await self._runner.query(located, max_rows=self._max_rows)
            if isinstance(result, Table):
                return result
        return await self._runner.query(safe.sql, max_rows=self._max_rows)

    def _outcome(self, tried: _Tried, query: str, call: ToolCall) -> ToolOutcome:
        result, asked = tried.result, tried.asked
        if isinstance(result, Refused):
            return _refused(result, query)
        if isinstance(result, QueryError):
            return _failed(result, query, asked.sql)
        evidence = findings.as_evidence(result, asked, call)
        if evidence:
            return Succeeded(evidence=evidence, confidence=asked.confidence)
        titles = ", ".join(table.title or table.name for table in asked.sources)
        notes = [
            say(query, zh=f"表 {titles} 中没有符合条件的行", en=f"no row of {titles} meets the condition")
        ]
        notes.extend(missing_values(asked.sql, asked.sources, query))
        return Succeeded(evidence=(), confidence=0.0, notes=tuple(notes))


def _agree(one: Table | QueryError | Refused, other: Table | QueryError | Refused, *, whole: bool) -> bool:
    """Return whether two readings name the same things in the same order."""
    if not isinstance(one, Table) or not isinstance(other, Table):
        return False
    if whole:
        shown = [number for number, column in enumerate(one.columns) if not findings.hidden(column)]
        return [[row[n] for n in shown] for row in one.rows] == [
            [row[n] for n in shown] for row in other.rows
        ]
    return [row[0] for row in one.rows] == [row[0] for row in other.rows]


def _reason(result: Table | QueryError | Refused) -> str:
    if isinstance(result, Refused):
        return result.reason
    return result.message if isinstance(result, QueryError) and result.kind == "sql" else ""


def _refused(refused: Refused, query: str) -> Failed:
    return Failed(
        code=refused.code,
        message=say(query, zh=refused.zh, en=refused.reason),
        retryable=False,
        suggestion=say(
            query,
            zh="写一条只读的 SELECT，只用列出的表和常用函数",
            en="write one read-only SELECT over the listed tables with common functions",
        ),
        field="sql",
        expected="one read-only SELECT",
        allowed=refused.allowed,
    )


def _failed(error: QueryError, query: str, sql: str) -> Failed:
    first = error.message.strip().splitlines()[0] if error.message.strip() else error.kind
    if error.kind == "sql":
        return Failed(
            code="SQL_ERROR",
            message=say(query, zh=f"SQL 执行出错：{first}", en=f"the SQL failed: {first}"),
            retryable=False,
            suggestion=say(query, zh="检查列名和类型", en="check column names and types"),
            field="sql",
            expected=sql,
        )
    if error.kind == "timeout":
        return Failed(
            code="TIMEOUT",
            message=say(query, zh=f"SQL 超时被终止：{first}", en=first),
            retryable=False,
            suggestion=say(query, zh="缩小查询范围", en="ask for less"),
        )
    if error.kind == "memory":
        return Failed(
            code="SQL_ERROR",
            message=say(query, zh="SQL 所需内存超过上限", en="the SQL needs more memory than it may use"),
            retryable=False,
            suggestion=say(query, zh="缩小查询范围", en="ask for less"),
        )
    return Failed(
        code="UPSTREAM_5XX",
        message=say(query, zh=f"表格库暂时无法读取：{first}", en=f"the tables cannot be read now: {first}"),
        retryable=True,
    )


def _empty() -> Failed:
    return Failed(
        code="TOOL_PARAM_INVALID",
        message="sql_query needs a question or SQL / sql_query 需要问题或 SQL",
        retryable=False,
        suggestion="give `query` or `sql`",
        field="query",
        expected="a question that is not empty",
    )


def _no_such_table(query: str, tables: Sequence[TableInfo]) -> Failed:
    return Failed(
        code="TOOL_PARAM_INVALID",
        message=say(query, zh="指定的表不存在", en="a table that was named does not exist"),
        retryable=False,
        suggestion=say(query, zh="从现有的表中选择，或不指定", en="name existing tables, or none"),
        field="tables",
        expected="names of tables",
        allowed=tuple(table.name for table in tables),
    )


def _no_pattern(query: str) -> Failed:
    return Failed(
        code="NO_PATTERN",
        message=say(
            query,
            zh="现有表格无法可靠地回答这个问题",
            en="the tables cannot answer this question reliably",
        ),
        retryable=False,
        suggestion=say(query, zh="改用 semantic_search 检索正文", en="use semantic_search over the prose"),
    )
