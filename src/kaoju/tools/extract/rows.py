"""What was read from a passage, as one typed row of evidence. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from kaoju.model.evidence import Evidence, Locator
from kaoju.model.tool import ToolCall
from kaoju.tools.base import say
from kaoju.tools.extract.fields import Field
from kaoju.tools.extract.reading import Found


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A passage to read, and where it stands."""

    text: str
    document_id: str
    title: str
    locator: Locator
    date: str | None = None
    chunk_id: str = ""
    score: float = 1.0

    def part(self, start: int, end: int) -> Source:
        """Return a part of it."""
        locator = replace(self.locator, start=self.at(start), end=self.at(end))
        return replace(self, text=self.text[start:end], locator=locator)

    def at(self, offset: int) -> int | None:
        """Return where a character of the passage stands in its document; None where that is not known."""
        start, end = self.locator.start, self.locator.end
        if start is None or (end is not None and end - start != len(self.text)):
            return None
        return start + offset


def row_of(
    source: Source, fields: Sequence[Field], found: Mapping[str, Found], call: ToolCall, tool: str
) -> Evidence:
    """Return what was found in a passage as one row; each field's place, confidence and doubt are in `metadata`."""
    about = source.text
    named = [(field.name, found[field.name]) for field in fields if field.name in found]
    missing = [field.name for field in fields if field.required and field.name not in found]
    doubts = [
        f"{name}: {say(about, zh='、', en=', ').join(say(about, zh=zh, en=en) for zh, en in one.doubts)}"
        for name, one in named
        if one.doubts
    ]
    if missing:
        listed = ", ".join(missing)
        doubts.append(say(about, zh=f"缺少 {listed}", en=f"missing {listed}"))
    confidence = min(one.confidence for _, one in named)
    first, last = min(one.start for _, one in named), max(one.end for _, one in named)
    return Evidence(
        id="",
        kind="rows",
        text="; ".join(f"{name}: {one.value}" for name, one in named),
        document_id=source.document_id,
        title=source.title,
        locator=replace(source.locator, start=source.at(first), end=source.at(last)),
        tool=tool,
        chunk_id=source.chunk_id,
        task_id=call.task_id,
        query=str(call.arguments.get("query", "")),
        score=min(1.0, max(0.0, source.score)),
        confidence=confidence * (0.7 if missing else 1.0),
        uncertainty=say(about, zh="；", en="; ").join(doubts),
        date=source.date,
        rows=({field.name: found[field.name].value if field.name in found else None for field in fields},),
        metadata={"fields": json.dumps(_places(source, named, about), ensure_ascii=False)},
    )


def _places(
    source: Source, named: Sequence[tuple[str, Found]], about: str
) -> dict[str, dict[str, str | int | float | None]]:
    return {
        name: {
            "document_id": source.document_id,
            "page": source.locator.page,
            "start": source.at(one.start),
            "end": source.at(one.end),
            "passage_start": one.start,
            "passage_end": one.end,
            "text": source.text[one.start : one.end],
            "unit": one.unit,
            "confidence": round(one.confidence, 3),
            "uncertainty": say(about, zh="、", en=", ").join(
                say(about, zh=zh, en=en) for zh, en in one.doubts
            ),
        }
        for name, one in named
    }
