"""What a SQL tool says when it cannot answer. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from kaoju.model.document import TableInfo
from kaoju.model.tool import Failed
from kaoju.tools.base import say
from kaoju.tools.sql.guard import Refused
from kaoju.tools.sql.runner import QueryError


def refused(why: Refused, query: str) -> Failed:
    """Return the failure of SQL that the guard did not let through."""
    return Failed(
        code=why.code,
        message=say(query, zh=why.zh, en=why.reason),
        retryable=False,
        suggestion=say(
            query,
            zh="写一条只读的 SELECT，只用列出的表和常用函数",
            en="write one read-only SELECT over the listed tables with common functions",
        ),
        field="sql",
        expected="one read-only SELECT",
        allowed=why.allowed,
    )


def failed(error: QueryError, query: str, sql: str) -> Failed:
    """Return the failure of SQL that did not run to its end."""
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
    if error.kind == "denied":
        return Failed(
            code="SQL_REFUSED",
            message=say(
                query, zh=f"数据库拒绝执行：{first}", en=f"the database's own lock refused it: {first}"
            ),
            retryable=False,
            suggestion=say(
                query,
                zh="使用只有查询权限的数据库角色，只读取列出的表",
                en="use a role that can only read, and the listed tables",
            ),
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
        code="UNREACHABLE",
        message=say(query, zh=f"数据库暂时无法读取：{first}", en=f"the tables cannot be read now: {first}"),
        retryable=True,
        suggestion=say(
            query, zh="检查数据库地址、账号和网络", en="check the database's address, account and network"
        ),
    )


def empty(tool: str) -> Failed:
    """Return the failure of a call without a question."""
    return Failed(
        code="TOOL_PARAM_INVALID",
        message=f"{tool} needs a question or SQL / {tool} 需要问题或 SQL",
        retryable=False,
        suggestion="give `query` or `sql`",
        field="query",
        expected="a question that is not empty",
    )


def no_such_table(query: str, tables: Sequence[TableInfo]) -> Failed:
    """Return the failure of a call that names a table which is not there."""
    return Failed(
        code="TOOL_PARAM_INVALID",
        message=say(query, zh="指定的表不存在", en="a table that was named does not exist"),
        retryable=False,
        suggestion=say(query, zh="从现有的表中选择，或不指定", en="name existing tables, or none"),
        field="tables",
        expected="names of tables",
        allowed=tuple(table.name for table in tables),
    )


def no_pattern(query: str) -> Failed:
    """Return the failure of a question that the tables cannot answer."""
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
