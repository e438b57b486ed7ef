"""Which constructs, functions and types a statement may be made of. Pure; the lists are in `allowed`."""

from __future__ import annotations

from functools import cache
from typing import Final

from sqlglot import exp

from kaoju.tools.sql.allowed import ENGINE_FUNCTIONS, FUNCTION_NAMES, FUNCTION_NODES, NODES, TYPES
from kaoju.tools.sql.engines.target import Engine

MAX_NODES: Final = 2_000
MAX_TYPE_SIZE: Final = 10_000
"""Characters or digits that a type may name: `CHAR(n)` pads."""


def unknown(root: exp.Expr, engine: Engine) -> tuple[str, str] | None:
    """Return why a tree may not run, in English and Chinese; None when all of it is listed."""
    for count, node in enumerate(root.walk()):
        if count > MAX_NODES:
            return ("the SQL is too large", "SQL 过大")
        if isinstance(node, exp.Func) and not isinstance(node, _operators()):
            if not _known_function(node, engine):
                name = _function_name(node)
                return (f"the function {name} is not allowed", f"不允许使用函数 {name}")
        elif type(node) not in _nodes():
            what = type(node).__name__
            return (f"{what} is not allowed in a read-only query", f"只读查询中不允许使用 {what}")
        if isinstance(node, exp.With) and node.args.get("recursive"):
            return ("recursive queries are not allowed", "不允许递归查询")
        if isinstance(node, exp.DataType) and not _known_type(node):
            return (f"the type {node.sql()} is not allowed", f"不允许使用类型 {node.sql()}")
    return None


def _known_function(node: exp.Func, engine: Engine) -> bool:
    if isinstance(node, exp.Anonymous):
        name = _function_name(node)
        return name in FUNCTION_NAMES or name in ENGINE_FUNCTIONS.get(engine, frozenset())
    return type(node) in _function_nodes()


def _function_name(node: exp.Func) -> str:
    return node.name.lower() if isinstance(node, exp.Anonymous) else node.sql_name().lower()


def _known_type(node: exp.DataType) -> bool:
    kind = node.this
    if not isinstance(kind, exp.DataType.Type) or kind.name not in TYPES or node.args.get("nested"):
        return False
    for item in node.expressions:
        size = item.this if isinstance(item, exp.DataTypeParam) else item
        if not isinstance(size, exp.Literal) or not size.name.isdigit() or int(size.name) > MAX_TYPE_SIZE:
            return False
    return True


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
