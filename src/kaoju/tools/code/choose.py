"""Which ready program a question asks for, and with which figures.

Promises: a program is chosen only where the question names the operation and
the figures are clear; what was left out is said. Refuses, with the reason, to
guess between columns, rows or periods. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from kaoju.language.names import find_names
from kaoju.language.normalise import normalise
from kaoju.language.time import find_times
from kaoju.model.evidence import JSON
from kaoju.tools.code.columns import (
    Rows,
    columns,
    named_in,
    number,
    numeric,
    periods,
)
from kaoju.tools.code.library import OPERATIONS, Operation, OperationName
from kaoju.tools.code.table import Chosen, Table, Unclear, pair_of


def operation_of(query: str) -> Operation | None:
    """Return the operation that a question names."""
    return next((one for one in OPERATIONS.values() if one.cues.search(query)), None)


def choose(query: str, data: Mapping[str, JSON], name: OperationName | None = None) -> Chosen | Unclear:
    """Return the program for a question over named data, or why there is none.

    Args:
        query: What is asked.
        data: Numbers, lists of numbers, or rows, by name.
        name: The operation, where it is already known.
    """
    operation = OPERATIONS[name] if name else operation_of(query)
    if operation is None:
        return Unclear(en="the question names no computation known here", zh="问题没有说明要做哪种计算")
    scalars = {key: value for key, value in data.items() if _is_number(value)}
    tables = {key: _rows(value) for key, value in data.items() if _rows(value)}
    lists = {key: value for key, value in data.items() if isinstance(value, list) and key not in tables}
    if scalars and not tables and not lists:
        return _of_scalars(operation, query, scalars)
    if lists and not tables:
        return _of_lists(operation, query, lists)
    if len(tables) == 1:
        title, rows = next(iter(tables.items()))
        return _of_rows(operation, query, rows, title)
    return Unclear(en="which data is meant is not clear", zh="不清楚要用哪一份数据")


def _is_number(value: JSON) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _rows(value: JSON) -> list[Mapping[str, JSON]]:
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return [item for item in value if isinstance(item, dict)]
    return []


def _of_scalars(operation: Operation, query: str, scalars: Mapping[str, JSON]) -> Chosen | Unclear:
    order = (*named_in(query, tuple(scalars)), *scalars)
    names = tuple(dict.fromkeys(order))
    figures = [(name, value) for name in names if (value := number(scalars[name])) is not None]
    if operation.shape == "series":
        return Chosen(operation=operation, data={"values": [v for _, v in figures]}, subject=", ".join(names))
    if operation.shape == "two_series" or operation.name in {"longest_run", "trend"}:
        return Unclear(en="this needs a row of figures, not single ones", zh="这种计算需要一列数字")
    if len(figures) != 2:
        return Unclear(en="this needs exactly two figures", zh="这种计算需要恰好两个数字")
    return pair_of(operation, figures[0], figures[1], ())


def _of_lists(operation: Operation, query: str, lists: Mapping[str, JSON]) -> Chosen | Unclear:
    length = {len(value) for value in lists.values() if isinstance(value, list)}
    if len(length) != 1:
        return Unclear(en="the lists are not of one length", zh="各列长度不一致")
    rows = [
        {name: value[i] for name, value in lists.items() if isinstance(value, list)}
        for i in range(length.pop())
    ]
    return _of_rows(operation, query, rows)


def _of_rows(operation: Operation, query: str, rows: Rows, title: str = "") -> Chosen | Unclear:
    if strange := _strange(operation, query, rows, title):
        return Unclear(en=f"the rows say nothing about {strange}", zh=f"数据中没有 {strange}")
    timed = periods(rows)
    when = timed[0] if timed else None
    chosen = _columns(operation, query, numeric(rows, when))
    if isinstance(chosen, Unclear):
        return chosen
    table = Table(rows, timed[1] if timed else [None] * len(rows), chosen, query, when)
    if operation.shape == "two_series":
        return table.two_series(operation)
    if operation.shape == "series":
        return table.series(operation)
    if operation.shape == "pair":
        return table.pair(operation)
    if operation.name in {"year_on_year", "period_on_period"}:
        return table.change(operation)
    return table.steps(operation)


def _strange(operation: Operation, query: str, rows: Rows, title: str) -> str:
    """Return a name in the question that neither rows nor columns know; empty where there is none."""
    taken = [(match.start(), match.end()) for match in operation.cues.finditer(query)]
    taken += [(one.at, one.until) for one in find_times(query, date(2000, 1, 1))]
    known = normalise(
        "\n".join([title, *columns(rows), *(str(cell) for row in rows for cell in row.values())])
    )
    for name in find_names(query):
        inside = any(start < name.end and name.start < end for start, end in taken)
        if not inside and normalise(name.text) not in known:
            return name.text
    return ""


def _columns(operation: Operation, query: str, candidates: Sequence[str]) -> tuple[str, ...] | Unclear:
    """Return the columns that are meant: the ones that the question names, or the only ones there are."""
    wanted = 2 if operation.shape == "two_series" else 1
    named = named_in(query, candidates)
    if len(named) == wanted or (operation.shape == "pair" and len(named) == 2):
        return named
    if not named and len(candidates) == wanted:
        return tuple(candidates)
    listed = ", ".join(candidates) or "-"
    return Unclear(
        en=f"which column is meant is not clear; columns of numbers: {listed}",
        zh=f"不清楚要用哪一列；数字列有：{listed}",
    )
