"""A SQL tool: numbers, counts, extremes, rankings and look-ups from tables.

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
from kaoju.model.evidence import JSON
from kaoju.model.tool import Failed, Fallback, Succeeded, ToolCall, ToolOutcome, ToolSpec
from kaoju.tools.base import say, text_of
from kaoju.tools.sql import failures, findings, wording, writer
from kaoju.tools.sql.engines.target import Engine
from kaoju.tools.sql.findings import Asked
from kaoju.tools.sql.guard import MAX_ROWS, Refused, Safe, check, unfence
from kaoju.tools.sql.linking import rank
from kaoju.tools.sql.nearest import missing_values
from kaoju.tools.sql.patterns import Built, build
from kaoju.tools.sql.rows import with_source_rows, without_source_rows
from kaoju.tools.sql.runner import QUERY_SECONDS, QueryError, Table
from kaoju.tools.sql.sources import KnowledgeTables, Source

INPUT: Final[dict[str, JSON]] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "maxLength": 2_000},
        "sql": {"type": "string"},
        "tables": {"type": "array", "items": {"type": "string"}, "maxItems": 50},
    },
    "anyOf": [{"required": ["query"]}, {"required": ["sql"]}],
    "additionalProperties": False,
}
"""What every SQL tool takes: a question, or SQL in the engine's own dialect; and the tables to look at."""

SPEC: Final = ToolSpec(
    name=findings.NAME,
    description="Answers from the ingested tables by SQL. 用 SQL 从已入库的表格中取数。",
    use_for="Counts, sums, averages, extremes, rankings, comparisons and look-ups over tables. "
    "表格中的计数、合计、平均、最值、排名、比较、查值。",
    not_for="Rules, explanations and facts written in prose; plain arithmetic. 正文中的制度、说明；纯算术。",
    input_schema=INPUT,
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
class _Statement:
    """SQL before the guard, and whose words it is in."""

    sql: str
    written: Engine = "duckdb"
    titled: bool = True
    """Whether it calls columns as they are called here, or by their real names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tried:
    """SQL that ran, or why it did not."""

    asked: Asked
    statement: _Statement
    result: Table | QueryError | Refused


class SqlTool:
    """Tables as a tool."""

    def __init__(
        self,
        source: Source,
        model: Callable[[], ChatModel | None] | None,
        *,
        spec: ToolSpec,
        max_rows: int = MAX_ROWS,
    ) -> None:
        """Serve the tables of `source`.

        Args:
            source: the tables, and a way to ask about them.
            model: gives the model that writes SQL, or None.
            spec: the contract.
            max_rows: rows that one query may return.
        """
        self.spec = spec
        self._source = source
        self._model = model
        self._max_rows = max_rows

    async def close(self) -> None:
        """End the child processes."""
        self._source.close()

    async def run(self, call: ToolCall) -> ToolOutcome:
        """Answer once."""
        query = text_of(call.arguments)
        tables = await self._source.tables()
        if isinstance(tables, QueryError):
            return failures.failed(tables, query, "")
        wanted = call.arguments.get("tables")
        if isinstance(wanted, list) and wanted:
            named = {str(name).casefold() for name in wanted}
            chosen = tuple(table for table in tables if table.name.casefold() in named)
            if len(chosen) < len(named):
                return failures.no_such_table(query, tables)
            tables = chosen
        if "sql" in call.arguments:
            return await self._given(text_of(call.arguments, "sql"), query, tables, call)
        if not query:
            return failures.empty(self.spec.name)
        built = build(query, tables)
        if built is not None:
            outcome = await self._by_pattern(built, query, tables, call)
            if outcome is not None:
                return outcome
        model = self._model() if self._model is not None else None
        related = rank(query, tables)
        if model is None or not related:
            return failures.no_pattern(query)
        return await self._by_model(model, query, related, tables, call)

    async def _given(self, sql: str, query: str, tables: Sequence[TableInfo], call: ToolCall) -> ToolOutcome:
        own = _Statement(sql=sql, written=self._source.engine, titled=False)
        tried = await self._try(own, query, tables, confidence=findings.GIVEN_CONFIDENCE)
        return await self._outcome(tried, query, call)

    async def _by_pattern(
        self, built: Built, query: str, tables: Sequence[TableInfo], call: ToolCall
    ) -> ToolOutcome | None:
        """Return the answer; None when two readings of the question disagree."""
        tried = await self._try(self._ours(built.sql), query, tables, confidence=findings.PATTERN_CONFIDENCE)
        for sql in built.other_readings if isinstance(tried.result, Table) else ():
            other = await self._try(self._ours(sql), query, tables, confidence=0.0)
            if not _agree(tried.result, other.result, whole=built.whole_rows):
                return None
        asked = replace(tried.asked, condition=built.condition or tried.asked.condition)
        return await self._outcome(replace(tried, asked=asked), query, call)

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
            tried = await self._try(_Statement(sql=sql), query, tables, confidence=findings.MODEL_CONFIDENCE)
            reason = _reason(tried.result)
            if reason:
                sql = await writer.write(model, writer.repair_prompt(prompt, sql, reason))
                tried = await self._try(
                    _Statement(sql=sql), query, tables, confidence=findings.MODEL_CONFIDENCE
                )
        except ModelError as error:
            declined = failures.no_pattern(query)
            return replace(
                declined, message=f"{declined.message} ({error.say(say(query, zh='zh', en='en'))})"
            )
        tried = replace(tried, asked=replace(tried.asked, from_model=True))
        outcome = await self._outcome(tried, query, call)
        if isinstance(outcome, Failed) and outcome.code in {"TOOL_PARAM_INVALID", "SQL_REFUSED"}:
            return replace(outcome, code="SQL_ERROR")
        return outcome

    def _ours(self, sql: str) -> _Statement:
        """Return SQL of the patterns; only ingested tables have source rows."""
        return _Statement(sql=sql if self._source.places is None else without_source_rows(sql))

    async def _try(
        self, statement: _Statement, query: str, tables: Sequence[TableInfo], *, confidence: float
    ) -> _Tried:
        checked = self._check(statement, tables)
        asked = Asked(
            tool=self.spec.name, question=query, sql=statement.sql, sources=(), confidence=confidence
        )
        if isinstance(checked, Refused):
            return _Tried(asked=asked, statement=statement, result=checked)
        by_name = {table.name: table for table in tables}
        sources = tuple(by_name[name] for name in checked.tables)
        about = query or " ".join(table.title for table in sources)
        condition = wording.conditions(unfence(statement.sql), statement.written, about)
        asked = replace(asked, sql=checked.sql, sources=sources, condition=condition)
        return _Tried(asked=asked, statement=statement, result=await self._execute(checked))

    def _check(self, statement: _Statement, tables: Sequence[TableInfo]) -> Safe | Refused:
        """Ask the guard; one row more than allowed is asked for, so that a cut is seen and told."""
        places = self._source.places
        names = [table.name for table in tables]
        return check(
            statement.sql,
            names,
            max_rows=self._max_rows + 1,
            written=statement.written,
            engine=self._source.engine,
            places=None if places is None else {name: places[name] for name in names},
            titled=statement.titled,
        )

    async def _execute(self, safe: Safe) -> Table | QueryError:
        located = with_source_rows(safe.sql) if self._source.places is None else safe.sql
        if located != safe.sql:
            result = await self._source.query(located, max_rows=self._max_rows)
            if isinstance(result, Table):
                return result
        return await self._source.query(safe.sql, max_rows=self._max_rows)

    async def _outcome(self, tried: _Tried, query: str, call: ToolCall) -> ToolOutcome:
        result, asked = tried.result, tried.asked
        if isinstance(result, Refused):
            return failures.refused(result, query)
        if isinstance(result, QueryError):
            return failures.failed(result, query, asked.sql)
        evidence = findings.as_evidence(result, asked, call)
        if evidence and not findings.only_zeros(evidence[0]):
            return Succeeded(evidence=evidence, confidence=asked.confidence)
        missing = await self._missing(tried, query)
        if evidence:
            told = tuple(
                replace(item, uncertainty=findings.join(item.uncertainty, missing, query))
                for item in evidence
            )
            return Succeeded(evidence=told, confidence=asked.confidence, notes=missing)
        titles = ", ".join(table.title or table.name for table in asked.sources)
        nothing = say(
            query, zh=f"表 {titles} 中没有符合条件的行", en=f"no row of {titles} meets the condition"
        )
        return Succeeded(evidence=(), confidence=0.0, notes=(nothing, *missing))

    async def _missing(self, tried: _Tried, query: str) -> tuple[str, ...]:
        """Return notes on values that the statement asks for and the tables do not have."""
        sources = tried.asked.sources

        async def look(sql: str) -> Table | QueryError:
            checked = self._check(_Statement(sql=sql), sources)
            if isinstance(checked, Refused):
                return QueryError(kind="sql", message=checked.reason)
            return await self._source.query(checked.sql, max_rows=self._max_rows)

        statement = tried.statement
        return await missing_values(unfence(statement.sql), statement.written, sources, query, look)


class SqlQuery(SqlTool):
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
        super().__init__(KnowledgeTables(path, tables, seconds=seconds), model, spec=spec, max_rows=max_rows)


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
