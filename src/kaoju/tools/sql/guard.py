"""The first wall around SQL: what may be sent to the engine at all.

Promises: `check` lets through exactly one read-only SELECT over listed tables,
made of listed constructs and listed functions, with a row limit, and returns
the text rendered from the parsed tree: what was checked is what runs, comments
have no say. Refuses everything that it does not know. Pure. It is not the only
wall: the engine is locked and the child process is bounded as well.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from kaoju.model.failure import FailureCode
from kaoju.tools.sql.allowed import FUNCTION_NAMES, FUNCTION_NODES, NODES

MAX_ROWS: Final = 1_000
MAX_SQL_CHARS: Final = 10_000
MAX_NODES: Final = 2_000
MAX_DEPTH: Final = 60
MAX_TABLES: Final = 12

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


def check(sql: str, tables: Iterable[str], *, max_rows: int = MAX_ROWS) -> Safe | Refused:
    """Return the statement made safe, or why it may not run.

    Args:
        sql: what somebody or some model wrote, in a fence or not.
        tables: names of the tables that may be read.
        max_rows: the limit that the statement gets, where its own is not lower.
    """
    text = unfence(sql)
    if len(text) > MAX_SQL_CHARS:
        return _refuse("the SQL is too long", "SQL 过长")
    if "\x00" in text:
        return _refuse("the SQL holds a NUL character", "SQL 含有 NUL 字符")
    if _depth(text) > MAX_DEPTH:
        return _refuse("the SQL is nested too deeply", "SQL 嵌套过深")
    try:
        parsed = [item for item in sqlglot.parse(text, read="duckdb") if item is not None]
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
    names = {name.casefold(): name for name in tables}
    try:
        refused = _unknown_construct(root) or _unknown_table(root, names)
    except RecursionError:
        return _refuse("the SQL is nested too deeply", "SQL 嵌套过深")
    if refused is not None:
        return refused
    limited = _limited(root, max_rows)
    read: dict[str, None] = {}
    for table in limited.find_all(exp.Table):
        if not _is_cte(table):
            read[names[table.name.casefold()]] = None
    return Safe(sql=limited.sql(dialect="duckdb", comments=False), tables=tuple(read))


def _refuse(reason: str, zh: str, allowed: tuple[str, ...] = ()) -> Refused:
    return Refused(code="SQL_REFUSED", reason=reason, zh=zh, allowed=allowed)


def _depth(text: str) -> int:
    depth = deepest = 0
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        deepest = max(deepest, depth)
    return deepest


def _unknown_construct(root: exp.Expr) -> Refused | None:
    for count, node in enumerate(root.walk()):
        if count > MAX_NODES:
            return _refuse("the SQL is too large", "SQL 过大")
        if isinstance(node, exp.Func) and not isinstance(node, _operators()):
            name = _function_name(node)
            known = type(node) in _function_nodes() or (
                isinstance(node, exp.Anonymous) and name in FUNCTION_NAMES
            )
            if not known:
                return _refuse(f"the function {name} is not allowed", f"不允许使用函数 {name}")
        elif type(node) not in _nodes():
            what = type(node).__name__
            return _refuse(f"{what} is not allowed in a read-only query", f"只读查询中不允许使用 {what}")
        if isinstance(node, exp.With) and node.args.get("recursive"):
            return _refuse("recursive queries are not allowed", "不允许递归查询")
    return None


@cache
def _nodes() -> frozenset[type[exp.Expr]]:
    return frozenset(getattr(exp, name) for name in NODES)


@cache
def _function_nodes() -> frozenset[type[exp.Expr]]:
    return frozenset(getattr(exp, name) for name in FUNCTION_NODES)


@cache
def _operators() -> tuple[type[exp.Expr], ...]:
    """Connectors are functions to the parser, and operators to everybody else."""
    return tuple(kind for kind in _nodes() if issubclass(kind, exp.Func))


def _function_name(node: exp.Func) -> str:
    return node.name.lower() if isinstance(node, exp.Anonymous) else node.sql_name().lower()


def _unknown_table(root: exp.Expr, names: dict[str, str]) -> Refused | None:
    allowed = tuple(names.values())
    for count, table in enumerate(root.find_all(exp.Table)):
        if count >= MAX_TABLES:
            return _refuse("the SQL reads too many tables", "SQL 涉及的表过多")
        if not isinstance(table.this, exp.Identifier):
            return _refuse("table functions are not allowed", "不允许使用表函数", allowed)
        if table.args.get("catalog") or (table.db and table.db.casefold() != "main"):
            return _refuse(
                f"the schema of {table.sql()} is not allowed", f"不允许访问 {table.sql()}", allowed
            )
        if _is_cte(table):
            continue
        if table.name.casefold() not in names:
            return _refuse(f"there is no table {table.name}", f"没有名为 {table.name} 的表", allowed)
    return None


def _is_cte(table: exp.Table) -> bool:
    """Return whether a WITH that is really in scope at this place defines the name."""
    if table.db:
        return False
    name = table.name.casefold()
    inside: exp.Expr = table
    node = table.parent
    while node is not None:
        if isinstance(node, exp.With):
            earlier = node.expressions[: _index(node.expressions, inside)]
            if any(cte.alias.casefold() == name for cte in earlier):
                return True
        with_ = node.args.get("with_")
        if (
            isinstance(with_, exp.With)
            and inside is not with_
            and any(cte.alias.casefold() == name for cte in with_.expressions)
        ):
            return True
        inside, node = node, node.parent
    return False


def _index(items: list[exp.Expr], wanted: exp.Expr) -> int:
    return next((number for number, item in enumerate(items) if item is wanted), 0)


def _limited(root: exp.Query, max_rows: int) -> exp.Query:
    limit = root.args.get("limit")
    if limit is None:
        return root.limit(max_rows)
    count = limit.args.get("expression") if isinstance(limit, exp.Limit) else limit.args.get("count")
    if isinstance(count, exp.Literal) and not count.is_string and count.name.isdigit():
        return root if int(count.name) <= max_rows else root.limit(max_rows)
    return exp.select("*").from_(root.subquery("limited")).limit(max_rows)
