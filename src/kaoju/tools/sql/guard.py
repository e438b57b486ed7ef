"""The first wall around SQL: what may be sent to the engine at all.

Promises: `check` lets through exactly one read-only SELECT over listed tables,
made of listed constructs and listed functions, with a row limit, and returns
the text rendered from the parsed tree: what was checked is what runs, comments
have no say. For a database with places, the text in its dialect is parsed and
checked once more. Refuses everything that it does not know. Pure. It is not the
only wall: the engine is locked and the child process is bounded as well.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from kaoju.model.failure import FailureCode
from kaoju.tools.sql import constructs, scope
from kaoju.tools.sql.dialects import backslashed, dialect, render
from kaoju.tools.sql.engines.target import Engine
from kaoju.tools.sql.scope import Place

MAX_ROWS: Final = 1_000
MAX_SQL_CHARS: Final = 10_000
MAX_DEPTH: Final = 60
UNLIMITED: Final = 1_000_000_000

logging.getLogger("sqlglot").setLevel(logging.ERROR)  # "unsupported syntax" is refused, not worth a warning


@dataclass(frozen=True, slots=True, kw_only=True)
class Safe:
    """SQL that may run."""

    sql: str
    tables: tuple[str, ...]
    """Catalog tables that it reads, in order of appearance, as the catalog spells them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """SQL that may not run, and why."""

    code: FailureCode
    reason: str
    zh: str
    allowed: tuple[str, ...] = ()


def unfence(text: str) -> str:
    """Return the SQL inside a markdown fence (or the text), without trailing semicolons."""
    fenced = re.search(r"```[ \t]*(?:\w+[ \t]*)?\n?(.*?)```", text, re.DOTALL)
    inner = fenced[1] if fenced else re.sub(r"^\s*```[ \t]*\w*\s*\n", "", text)
    return inner.strip().rstrip(";").strip()


def check(
    sql: str,
    tables: Iterable[str],
    *,
    max_rows: int = MAX_ROWS,
    written: Engine = "duckdb",
    engine: Engine = "duckdb",
    places: Mapping[str, Place] | None = None,
    titled: bool = True,
) -> Safe | Refused:
    """Return the statement made safe, or why it may not run.

    Args:
        sql: what somebody or some model wrote, in a fence or not.
        tables: names of the tables that may be read.
        max_rows: the limit that the statement gets, where its own is not lower.
        written: whose dialect `sql` is written in.
        engine: whose dialect the result has to be in.
        places: where each of the tables really is; None where they are what they are called.
        titled: whether `sql` calls columns as they are called here, or by their real names.
    """
    text = unfence(sql)
    parsed = _parse(text, written)
    if isinstance(parsed, Refused):
        return parsed
    names = {name.casefold(): name for name in tables}
    try:
        why = constructs.unknown(parsed, written)
        if why is not None:
            return _refuse(*why)
        why = scope.outside(parsed, names, places)
        if why is not None:
            return _refuse(*why, allowed=tuple(names.values()))
        read = scope.read_by(parsed, names, places)
        if places is None:
            return Safe(sql=render(_limited(parsed, max_rows), engine), tables=read)
        placed = scope.placed(parsed, names, places, titled=titled)
        return _for_place(placed, read, engine, places, max_rows)
    except (RecursionError, SqlglotError):
        return _refuse("the SQL is nested too deeply", "SQL 嵌套过深")


def _for_place(
    root: exp.Query, read: tuple[str, ...], engine: Engine, places: Mapping[str, Place], max_rows: int
) -> Safe | Refused:
    """Return the statement in the engine's dialect, once that text has passed as well."""
    if engine == "mysql" and backslashed(root):
        return _refuse("texts with a backslash are not allowed", "文本中不允许反斜杠")
    own = _own_limit(root)
    if engine != "duckdb" and (
        root.args.get("qualify") or isinstance(root.args.get("distinct"), exp.Distinct)
    ):
        root = root.limit(UNLIMITED)  # the dialect may make a sub-query of it, which is cut outside
    again = _parse(render(root, engine), engine)
    if isinstance(again, Refused):
        return again
    why = constructs.unknown(again, engine)
    if why is not None:
        return _refuse(*why)
    if not scope.only_places(again, places):
        return _refuse("a table is not where it should be", "表的位置不符")
    rows = max_rows if own is None else min(own, max_rows)
    return Safe(sql=_limited(again, rows).sql(dialect=dialect(engine), comments=False), tables=read)


def _own_limit(root: exp.Query) -> int | None:
    """Return the number of rows that a statement itself asks for; None where it names none."""
    limit = root.args.get("limit")
    count = limit.args.get("expression") if isinstance(limit, exp.Limit) else None
    named = isinstance(count, exp.Literal) and not count.is_string and count.name.isdigit()
    return int(count.name) if named and isinstance(count, exp.Literal) else None


def _parse(text: str, engine: Engine) -> exp.Query | Refused:
    if len(text) > MAX_SQL_CHARS:
        return _refuse("the SQL is too long", "SQL 过长")
    if "\x00" in text:
        return _refuse("the SQL holds a NUL character", "SQL 含有 NUL 字符")
    if _depth(text) > MAX_DEPTH:
        return _refuse("the SQL is nested too deeply", "SQL 嵌套过深")
    try:
        parsed = [item for item in sqlglot.parse(text, read=dialect(engine)) if item is not None]
    except (SqlglotError, RecursionError, ValueError) as error:
        first = re.sub(r"\x1b\[\d+m", "", str(error)).splitlines()[0] if str(error) else "syntax error"
        return Refused(
            code="SQL_ERROR", reason=f"the SQL cannot be parsed: {first}", zh=f"SQL 无法解析：{first}"
        )
    parsed = [item for item in parsed if not isinstance(item, exp.Semicolon)]
    if not parsed:
        return Refused(
            code="TOOL_PARAM_INVALID",
            reason="the SQL is empty; give one SELECT statement",
            zh="SQL 为空，请给出一条 SELECT 语句",
        )
    if len(parsed) > 1:
        return _refuse("only one statement may run", "只允许一条语句")
    root = parsed[0].unnest()
    if not isinstance(root, exp.Select | exp.SetOperation):
        return _refuse("only SELECT may run", "只允许 SELECT 查询")
    return root


def _refuse(reason: str, zh: str, *, allowed: tuple[str, ...] = ()) -> Refused:
    return Refused(code="SQL_REFUSED", reason=reason, zh=zh, allowed=allowed)


def _depth(text: str) -> int:
    depth = deepest = 0
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        deepest = max(deepest, depth)
    return deepest


def _limited(root: exp.Query, max_rows: int) -> exp.Query:
    limit = root.args.get("limit")
    if limit is None:
        return root.limit(max_rows)
    count = limit.args.get("expression") if isinstance(limit, exp.Limit) else limit.args.get("count")
    if isinstance(count, exp.Literal) and not count.is_string and count.name.isdigit():
        return root if int(count.name) <= max_rows else root.limit(max_rows)
    return exp.select("*").from_(root.subquery("limited")).limit(max_rows)
