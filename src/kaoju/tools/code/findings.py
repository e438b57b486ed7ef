"""What a program computed, as evidence that can be followed and computed again. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final

from kaoju.model.evidence import JSON, Evidence, Locator, Row
from kaoju.model.tool import ToolCall
from kaoju.tools.base import say
from kaoju.tools.calculate import plain
from kaoju.tools.code.data import Plain

MAX_INPUTS: Final = 400
MAX_KEPT_DATA: Final = 64 * 1024
"""Data up to this size, as JSON, stays with the evidence, so that it can be computed again."""
MAX_LINES: Final = 100
WRITTEN: Final = 0.8
"""Confidence in a program that a model wrote: it runs, but it may not be what was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """A program that gave a value."""

    program: str
    data: Mapping[str, JSON]
    result: Plain
    title: str
    """What the value is, for people."""
    percent: bool = False
    written: bool = False
    """Whether a model wrote the program."""
    caveats: tuple[str, ...] = ()
    sources: Mapping[str, JSON] = field(default_factory=dict)
    """Name of data -> where it came from, as the caller states it."""
    floating: bool = False
    """Whether it had to be computed in binary floating point."""


def evidence_of(ran: Ran, query: str, call: ToolCall, tool: str) -> Evidence:
    """Return what was computed as evidence."""
    rows = _rows(ran.result.value)
    caveats = list(ran.caveats)
    if ran.floating:
        caveats.append(say(query, zh="以二进制浮点数计算", en="computed in binary floating point"))
    elif not ran.result.exact:
        caveats.append(say(query, zh="结果已四舍五入", en="the result is rounded"))
    if ran.written:
        caveats.append(say(query, zh="程序由模型编写", en="a model wrote the program"))
    return Evidence(
        id="",
        kind="rows" if rows and not _single(ran.result.value) else "value",
        text=_text(ran, rows),
        document_id="",
        title=say(query, zh="计算", en="Calculation"),
        locator=Locator(),
        tool=tool,
        task_id=call.task_id,
        query=query,
        score=1.0,
        confidence=WRITTEN if ran.written else 1.0,
        uncertainty=say(query, zh="；", en="; ").join(caveats),
        rows=rows or ({"value": _cell(ran.result.value)},),
        inputs=inputs_of(ran.data, ran.sources),
        metadata=_kept(ran),
    )


def inputs_of(data: Mapping[str, JSON], sources: Mapping[str, JSON]) -> tuple[str, ...]:
    """Return what a value was computed from: the stated sources, then every number as it went in."""
    stated = [str(source) for name in data if (source := sources.get(name))]
    numbers = [shown for value in data.values() for shown in _numbers(value)]
    return (*stated, *numbers)[:MAX_INPUTS]


def _numbers(value: JSON) -> Sequence[str]:
    if isinstance(value, bool) or value is None:
        return ()
    if isinstance(value, int | float):
        return (plain(Decimal(repr(value))),)
    if isinstance(value, str):
        return (value,) if any(char.isdigit() for char in value) else ()
    parts = value.values() if isinstance(value, dict) else value
    return [shown for part in parts for shown in _numbers(part)]


def _kept(ran: Ran) -> dict[str, str]:
    kept = {
        "value": ran.result.shown,
        "program": ran.program,
        "numbers": "float" if ran.floating else "decimal",
    }
    data = json.dumps(ran.data, ensure_ascii=False)
    if len(data) <= MAX_KEPT_DATA:
        kept["data"] = data
    return kept


def _single(value: JSON) -> bool:
    return isinstance(value, dict)


def _rows(value: JSON) -> tuple[Row, ...]:
    """Return a list of rows, or one row, as rows; nothing for anything else."""
    if isinstance(value, dict):
        return ({key: _cell(cell) for key, cell in value.items()},)
    if isinstance(value, list) and value:
        if all(isinstance(item, dict) for item in value):
            return tuple({k: _cell(c) for k, c in item.items()} for item in value if isinstance(item, dict))
        if all(not isinstance(item, list | dict) for item in value):
            return tuple({"value": _cell(item)} for item in value)
    return ()


def _cell(value: JSON) -> str | int | float | bool | None:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def _text(ran: Ran, rows: Sequence[Row]) -> str:
    if rows:
        lines = ["; ".join(f"{key}: {_shown(cell)}" for key, cell in row.items()) for row in rows[:MAX_LINES]]
        return "\n".join([f"{ran.title}:", *lines]) if len(lines) > 1 else f"{ran.title}: {lines[0]}"
    relation = "=" if ran.result.exact and not ran.floating else "≈"
    text = f"{ran.title} {relation} {ran.result.shown}"
    value = ran.result.value
    if ran.percent and isinstance(value, int | float) and not isinstance(value, bool):
        exact = Decimal(ran.result.shown) * 100
        rounded = exact.quantize(Decimal("0.01"))
        text += f" ({'' if rounded == exact else '≈ '}{plain(rounded)}%)"
    return text


def _shown(cell: JSON) -> str:
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return plain(Decimal(repr(cell)))
    return "" if cell is None else str(cell)
