"""From the one dialect in which SQL is written here to that of an engine, and back for a second look.

Pure. Where an engine means something else by the same words, the tree is
changed first: SQLite has no dates, and reads an unknown quoted name as a text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.dialects.mysql import MySQL
from sqlglot.dialects.postgres import Postgres
from sqlglot.dialects.sqlite import SQLite

from kaoju.tools.sql.engines.target import Engine

_DATES: Final = frozenset({"DATE"})
_TIMES: Final = frozenset({"TIMESTAMP", "TIMESTAMPTZ", "TIMESTAMPLTZ", "TIMESTAMPNTZ", "DATETIME"})
_NUMBERS: Final = frozenset(
    {"TINYINT", "SMALLINT", "INT", "BIGINT", "HUGEINT", "INT128", "FLOAT", "DOUBLE", "DECIMAL", "REAL"}
)
_PARTS: Final = frozenset({"year", "quarter", "month", "day", "hour"})


class KaojuSQLite(SQLite):
    """SQLite with names in backticks: in double quotes, an unknown name would be a text."""

    class Tokenizer(SQLite.Tokenizer):
        """The tokenizer of SQLite; the first kind of quotes is the one that is written."""

        IDENTIFIERS = ["`", '"', ("[", "]")]  # noqa: RUF012 - the parser's own form of configuration


_DIALECTS: Final[dict[Engine, type[Dialect]]] = {
    "duckdb": DuckDB,
    "sqlite": KaojuSQLite,
    "postgres": Postgres,
    "mysql": MySQL,
}


def dialect(engine: Engine) -> type[Dialect]:
    """Return the dialect in which an engine's SQL is read and written."""
    return _DIALECTS[engine]


def render(root: exp.Query, engine: Engine) -> str:
    """Return a tree as text for an engine, without comments."""
    change = _CHANGES.get(engine)
    adapted = root.transform(change) if change is not None else root
    return adapted.sql(dialect=dialect(engine), comments=False)


def backslashed(root: exp.Expr) -> bool:
    """Return whether a text of the tree holds a backslash, which MySQL may read in two ways."""
    return any(item.is_string and "\\" in item.name for item in root.find_all(exp.Literal))


def _for_sqlite(node: exp.Expr) -> exp.Expr:
    """Return a node as SQLite needs it: dates are texts, and a failed cast is no zero."""
    if isinstance(node, exp.Cast | exp.TryCast) and isinstance(node.to.this, exp.DataType.Type):
        kind = node.to.this.name
        if kind in _DATES:
            return _call("kaoju_day", node.this)
        if kind in _TIMES:
            return _call("datetime", node.this)
        if kind in _NUMBERS and isinstance(node, exp.TryCast):
            return _call("kaoju_number", node.this)
    if isinstance(node, exp.Extract) and node.name.casefold() in _PARTS:
        return _call(node.name.casefold(), node.expression)
    if isinstance(node, exp.TsOrDsToDate | exp.Date) and len(list(node.iter_expressions())) == 1:
        return _call("kaoju_day", node.this)
    if isinstance(node, exp.TimestampTrunc | exp.DateTrunc):
        return _call("kaoju_first_day", exp.Literal.string(node.text("unit").casefold()), node.this)
    if isinstance(node, exp.Median) or (
        isinstance(node, exp.PercentileCont) and node.expression == exp.Literal.number("0.5")
    ):
        return _call("median", node.this)
    if isinstance(node, exp.Left):
        return _call("substr", node.this, exp.Literal.number(1), node.expression)
    if isinstance(node, exp.CurrentDate):
        return exp.func("date", exp.Literal.string("now"))
    return node


def _for_postgres(node: exp.Expr) -> exp.Expr:
    """Return a node as PostgreSQL needs it: only exact numbers are rounded to places."""
    if isinstance(node, exp.Round) and node.args.get("decimals") is not None:
        return exp.Round(this=exp.cast(node.this.copy(), "DECIMAL"), decimals=node.args["decimals"].copy())
    return node


def _call(name: str, *arguments: exp.Expr) -> exp.Expr:
    return exp.Anonymous(this=name, expressions=[argument.copy() for argument in arguments])


_CHANGES: Final[dict[Engine, Callable[[exp.Expr], exp.Expr]]] = {
    "sqlite": _for_sqlite,
    "postgres": _for_postgres,
}
