"""The conditions of a statement in words, so that a figure never stands without its filter. Pure."""

from __future__ import annotations

from typing import Final

import sqlglot
from sqlglot import exp

from kaoju.tools.base import say
from kaoju.tools.sql.dialects import dialect
from kaoju.tools.sql.engines.target import Engine

MAX_CHARS: Final = 300
_SIGNS: Final[dict[type[exp.Expr], str]] = {
    exp.EQ: "=",
    exp.NEQ: "≠",
    exp.GT: ">",
    exp.GTE: "≥",
    exp.LT: "<",
    exp.LTE: "≤",
}


def conditions(sql: str, written: Engine, about: str) -> str:
    """Return what the rows of a result were restricted to; empty where they were not."""
    root = sqlglot.parse_one(sql, read=dialect(written))
    said: list[str] = []
    for select in root.find_all(exp.Select):
        if _inside_condition(select):
            continue
        for part in ("where", "having"):
            clause = select.args.get(part)
            if clause is not None:
                said.extend(_words(item, about) for item in _conjuncts(clause.this))
    first = _first(root, about)
    if first:
        said.append(first)
    text = say(about, zh="，", en=" and ").join(dict.fromkeys(said))
    return text if len(text) <= MAX_CHARS else text[: MAX_CHARS - 1] + "…"


def _inside_condition(select: exp.Select) -> bool:
    """Return whether a query is part of a condition, which says so itself."""
    return select.find_ancestor(exp.Where, exp.Having) is not None


def _conjuncts(node: exp.Expr) -> list[exp.Expr]:
    node = node.unnest()
    if isinstance(node, exp.And):
        return [*_conjuncts(node.left), *_conjuncts(node.right)]
    return [node]


def _words(node: exp.Expr, about: str) -> str:
    node = node.unnest()
    if isinstance(node, exp.And):
        return say(about, zh="且", en=" and ").join(_words(item, about) for item in _conjuncts(node))
    if isinstance(node, exp.Or):
        both = (_words(node.left, about), _words(node.right, about))
        return "(" + say(about, zh=" 或 ", en=" or ").join(both) + ")"
    if isinstance(node, exp.Not):
        return _negated(node.this.unnest(), about)
    if type(node) in _SIGNS:
        return f"{_value(node.this, about)} {_SIGNS[type(node)]} {_value(node.expression, about)}"
    if isinstance(node, exp.Between):
        low, high = _value(node.args["low"], about), _value(node.args["high"], about)
        return say(
            about,
            zh=f"{_value(node.this, about)} 在 {low} 到 {high} 之间",
            en=f"{_value(node.this, about)} between {low} and {high}",
        )
    if isinstance(node, exp.In):
        return f"{_value(node.this, about)} {say(about, zh='为', en='in')} {_choices(node, about)}"
    if isinstance(node, exp.Like | exp.ILike | exp.Contains | exp.StartsWith | exp.EndsWith):
        part = _value(node.expression, about).strip("%")
        return f"{_value(node.this, about)} {say(about, zh='含', en='like')} “{part}”"
    if isinstance(node, exp.Is) and isinstance(node.expression, exp.Null):
        return f"{_value(node.this, about)} {say(about, zh='为空', en='is empty')}"
    return _value(node, about)


def _negated(node: exp.Expr, about: str) -> str:
    if isinstance(node, exp.Is) and isinstance(node.expression, exp.Null):
        return f"{_value(node.this, about)} {say(about, zh='不为空', en='is not empty')}"
    if isinstance(node, exp.In):
        return f"{_value(node.this, about)} {say(about, zh='不为', en='not in')} {_choices(node, about)}"
    return say(about, zh="非（", en="not (") + _words(node, about) + say(about, zh="）", en=")")


def _choices(node: exp.In, about: str) -> str:
    if node.args.get("query") is not None:
        return say(about, zh="子查询的结果", en="the result of a sub-query")
    return say(about, zh="、", en=", ").join(_value(item, about) for item in node.expressions)


def _value(node: exp.Expr, about: str) -> str:
    node = node.unnest()
    if isinstance(node, exp.Column | exp.Literal | exp.Identifier):
        return node.name
    if isinstance(node, exp.Cast | exp.TryCast | exp.Lower | exp.Upper | exp.Trim):
        return _value(node.this, about)
    if isinstance(node, exp.Subquery | exp.Select):
        return say(about, zh="子查询的结果", en="the result of a sub-query")
    plain = node.transform(_unquoted)
    return plain.sql(dialect="duckdb", comments=False)


def _unquoted(node: exp.Expr) -> exp.Expr:
    if isinstance(node, exp.Column):
        return exp.column(exp.to_identifier(node.name, quoted=False))
    return exp.to_identifier(node.name, quoted=False) if isinstance(node, exp.Identifier) else node


def _first(root: exp.Expr, about: str) -> str:
    """Return which of the ordered rows were kept; empty where all were."""
    limit, order = root.args.get("limit"), root.args.get("order")
    count = limit.args.get("expression") if isinstance(limit, exp.Limit) else None
    if not isinstance(count, exp.Literal) or not isinstance(order, exp.Order):
        return ""
    item = order.expressions[0]
    key, down = _value(item.this, about), bool(item.args.get("desc"))
    return say(
        about,
        zh=f"按 {key} {'从高到低' if down else '从低到高'}取前 {count.name} 行",
        en=f"the {'highest' if down else 'lowest'} {count.name} by {key}",
    )
