"""Which tables a statement reads, and where those really are. Pure.

A table of a database is read through a projection of its allowed columns, with
its schema named: a hidden column does not exist for the rest of the statement,
and no search path can put another table in its place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sqlglot import exp

MAX_TABLES: Final = 12
_PARTS: Final = frozenset({"this", "db", "alias", "joins"})
"""What a mention of a table may consist of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a table is, and what may be read of it."""

    schema: str
    name: str
    columns: tuple[tuple[str, str], ...]
    """(name, what it is called here) of each column that may be read."""


Names = Mapping[str, str]
"""Case-folded name -> name as the catalogue spells it."""


def outside(root: exp.Expr, names: Names, places: Mapping[str, Place] | None) -> tuple[str, str] | None:
    """Return why a tree may not read what it reads, in English and Chinese; None where it may."""
    for count, table in enumerate(root.find_all(exp.Table)):
        if count >= MAX_TABLES:
            return ("the SQL reads too many tables", "SQL 涉及的表过多")
        if not isinstance(table.this, exp.Identifier):
            return ("table functions are not allowed", "不允许使用表函数")
        if {name for name, value in table.args.items() if value} - _PARTS:
            return (f"{table.sql()} is more than the name of a table", f"{table.sql()} 不只是表名")
        if table.args.get("catalog") or (table.db and not _schema_fits(table, names, places)):
            return (f"the schema of {table.sql()} is not allowed", f"不允许访问 {table.sql()}")
        if not is_cte(table) and found(table, names, places) is None:
            return (f"there is no table {table.name}", f"没有名为 {table.name} 的表")
    return None


def found(table: exp.Table, names: Names, places: Mapping[str, Place] | None) -> str | None:
    """Return the catalogue's name of a mentioned table; None where it has none."""
    if table.db and places is not None:
        wanted = (table.db.casefold(), table.name.casefold())
        fitting = [
            name
            for name, place in places.items()
            if (place.schema.casefold(), place.name.casefold()) == wanted
        ]
        exact = [
            name for name in fitting if (places[name].schema, places[name].name) == (table.db, table.name)
        ]
        return next(iter(exact or fitting), None)
    return names.get(table.name.casefold())


def _schema_fits(table: exp.Table, names: Names, places: Mapping[str, Place] | None) -> bool:
    if places is None:
        return table.db.casefold() == "main"
    return found(table, names, places) is not None


def read_by(root: exp.Expr, names: Names, places: Mapping[str, Place] | None) -> tuple[str, ...]:
    """Return the catalogue's names of the tables that a tree reads, in order of appearance."""
    tables = (found(table, names, places) for table in root.find_all(exp.Table) if not is_cte(table))
    return tuple(dict.fromkeys(name for name in tables if name is not None))


def placed(root: exp.Query, names: Names, places: Mapping[str, Place], *, titled: bool) -> exp.Query:
    """Return the tree with every table read through its allowed columns, where it really is.

    Args:
        root: the tree; it is changed.
        names: the allowed tables.
        places: where they are.
        titled: whether the tree calls columns as they are called here, or by their real names.
    """
    tables = [table for table in root.find_all(exp.Table) if not is_cte(table)]
    read = [places[name] for table in tables if (name := found(table, names, places)) is not None]
    _spell_columns(root, {column[titled] for place in read for column in place.columns})
    for table, place in zip(tables, read, strict=True):
        inner = exp.select(*(_projected(name, title if titled else name) for name, title in place.columns))
        inner = inner.from_(exp.table_(place.name, db=place.schema, quoted=True))
        alias = table.args.get("alias") or exp.TableAlias(this=exp.to_identifier(table.name, quoted=True))
        projected = exp.Subquery(this=inner, alias=alias.copy(), joins=table.args.get("joins"))
        table.replace(projected)
    return root


def only_places(root: exp.Expr, places: Mapping[str, Place]) -> bool:
    """Return whether every table of a rendered statement is exactly where an allowed one is."""
    exact = {(place.schema, place.name) for place in places.values()}
    return all(is_cte(table) or (table.db, table.name) in exact for table in root.find_all(exp.Table))


def _projected(name: str, title: str) -> exp.Expr:
    column = exp.column(name, quoted=True)
    return column if name == title else exp.alias_(column, title, quoted=True)


def _spell_columns(root: exp.Expr, spelt: set[str]) -> None:
    """Spell columns as the database does: its quoted names tell upper from lower case."""
    by_fold: dict[str, set[str]] = {}
    for name in spelt:
        by_fold.setdefault(name.casefold(), set()).add(name)
    own = {item.alias.casefold() for item in root.find_all(exp.Alias, exp.CTE) if item.alias}
    plain = {
        item.name.casefold(): item.name
        for item in root.find_all(exp.Table)
        if not item.args.get("alias") and not is_cte(item)
    }

    def spell(identifier: exp.Identifier) -> None:
        known = by_fold.get(identifier.name.casefold(), set())
        if identifier.name.casefold() not in own and (identifier.name in known or len(known) == 1):
            exact = identifier.name if identifier.name in known else next(iter(known))
            identifier.replace(exp.to_identifier(exact, quoted=True))

    for column in list(root.find_all(exp.Column)):
        column.set("db", None)
        column.set("catalog", None)
        if isinstance(column.this, exp.Identifier):
            spell(column.this)
        qualifier = column.args.get("table")
        if isinstance(qualifier, exp.Identifier) and qualifier.name.casefold() in plain:
            column.set("table", exp.to_identifier(plain[qualifier.name.casefold()], quoted=True))
    for join in root.find_all(exp.Join):
        for identifier in join.args.get("using") or ():
            if isinstance(identifier, exp.Identifier):
                spell(identifier)


def is_cte(table: exp.Table) -> bool:
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
