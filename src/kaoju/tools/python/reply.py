"""What a function returned, as evidence.

Promises: text becomes a passage, a number or flag a value, a mapping one row,
a list of mappings rows; evidence and outcomes pass as they are. Refuses other
types with `OUTPUT_INVALID`. Pure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from pydantic import TypeAdapter

from kaoju.model.evidence import JSON, Evidence, Locator, Row
from kaoju.model.tool import Failed, NeedsApproval, Succeeded, ToolCall, ToolOutcome, ToolSpec
from kaoju.tools.base import say, text_of
from kaoju.tools.calculate import plain
from kaoju.tools.schema import bad_output, check_output

MAX_ROWS: Final = 1_000
_PLAIN: Final = TypeAdapter(object)


def outcome_of(returned: object, call: ToolCall, spec: ToolSpec, source: str) -> ToolOutcome:
    """Return what a function returned as an outcome.

    Args:
        returned: The return value.
        call: The call that it answers.
        spec: The contract.
        source: Name of the function, for citations.
    """
    if isinstance(returned, Succeeded | Failed | NeedsApproval):
        return returned
    if isinstance(returned, Evidence):
        return Succeeded(evidence=(returned,), confidence=returned.confidence)
    if isinstance(returned, list | tuple) and returned and all(isinstance(one, Evidence) for one in returned):
        found = tuple(one for one in returned if isinstance(one, Evidence))
        return Succeeded(evidence=found, confidence=max(one.confidence for one in found))
    try:
        reply: JSON = (
            returned if isinstance(returned, float | Decimal) else _PLAIN.dump_python(returned, mode="json")  # type: ignore[assignment]  # a Decimal stays the number that it is
        )
    except (ValueError, RecursionError) as error:
        return bad_output(spec, f"text, numbers, mappings or lists of them ({type(error).__name__})")
    if wrong := check_output(spec, float(returned) if isinstance(returned, Decimal) else reply):
        return wrong
    return _Maker(call, spec, source).outcome(reply)


class _Maker:
    """Makes evidence of one reply."""

    def __init__(self, call: ToolCall, spec: ToolSpec, source: str) -> None:
        self._call, self._spec, self._source = call, spec, source
        self._query = text_of(call.arguments)

    def outcome(self, reply: object) -> ToolOutcome:
        if reply is None or reply in ("", [], {}):
            note = say(
                self._query, zh=f"{self._spec.name} 没有返回内容", en=f"{self._spec.name} found nothing"
            )
            return Succeeded(evidence=(), confidence=0.0, notes=(note,))
        if isinstance(reply, Mapping):
            return self._rows([reply])
        if isinstance(reply, list):
            if all(isinstance(item, Mapping) for item in reply):
                return self._rows([item for item in reply if isinstance(item, Mapping)])
            if all(isinstance(item, str) for item in reply):
                return Succeeded(evidence=tuple(self._passage(str(item)) for item in reply if item))
            return self._rows([{"value": item} for item in reply])
        if isinstance(reply, str):
            return Succeeded(evidence=(self._passage(reply),))
        if isinstance(reply, bool | int | float | Decimal):
            return self._value(reply)
        return bad_output(self._spec, f"text, number, mapping or list, not {type(reply).__name__}")

    def _passage(self, text: str) -> Evidence:
        return Evidence(
            kind="passage",
            text=text,
            locator=Locator(start=0, end=len(text)),
            id="",
            document_id=self._source,
            title=self._spec.name,
            tool=self._spec.name,
            task_id=self._call.task_id,
            query=self._query,
            score=1.0,
        )

    def _value(self, value: float | Decimal) -> ToolOutcome:
        if not isinstance(value, bool) and not math.isfinite(value):
            return bad_output(self._spec, "a finite number")
        number = value if isinstance(value, bool | int) else Decimal(str(value))
        shown = str(number).lower() if isinstance(number, bool) else plain(Decimal(number))
        cell = float(value) if isinstance(value, Decimal) else value
        evidence = Evidence(
            kind="value",
            text=f"{self._query or self._spec.name} = {shown}",
            locator=Locator(),
            id="",
            document_id=self._source,
            title=self._spec.name,
            tool=self._spec.name,
            task_id=self._call.task_id,
            query=self._query,
            score=1.0,
            rows=({"value": cell},),
            metadata={"value": shown},
        )
        return Succeeded(evidence=(evidence,))

    def _rows(self, items: list[Mapping[str, object]]) -> ToolOutcome:
        rows: list[Row] = [{str(k): _cell(v) for k, v in item.items()} for item in items[:MAX_ROWS]]
        text = "\n".join("; ".join(f"{k}: {'' if v is None else v}" for k, v in row.items()) for row in rows)
        cut = len(items) > MAX_ROWS
        evidence = Evidence(
            kind="rows",
            text=text,
            locator=Locator(section=self._spec.name, rows=(1, len(rows))),
            id="",
            document_id=self._source,
            title=self._spec.name,
            tool=self._spec.name,
            task_id=self._call.task_id,
            query=self._query,
            score=1.0,
            rows=tuple(rows),
            uncertainty=say(
                self._query, zh=f"只保留前 {MAX_ROWS} 行", en=f"only the first {MAX_ROWS} rows are kept"
            )
            if cut
            else "",
        )
        return Succeeded(evidence=(evidence,))


def _cell(value: object) -> str | int | float | bool | None:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
