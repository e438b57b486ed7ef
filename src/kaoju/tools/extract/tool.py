"""`extract`: passages in, typed rows out, by a schema of fields.

Promises: every value stands in its passage, at the place that the row names,
with its own confidence and doubt. Rules read first; a model, where there is
one, is asked only for what they did not read, and a value of its that does not
stand in the passage is dropped and named. Refuses to fill a field by guess.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Final, Literal

from kaoju.errors import KaojuError, ModelError, OperationError
from kaoju.language.sentences import sentences
from kaoju.llm.chat import ChatModel
from kaoju.model.evidence import JSON, Evidence, Locator
from kaoju.model.tool import Failed, Succeeded, ToolCall, ToolOutcome, ToolSpec
from kaoju.tools.base import say, text_of
from kaoju.tools.extract.asking import ask
from kaoju.tools.extract.fields import Field
from kaoju.tools.extract.reading import Found, read
from kaoju.tools.extract.rows import Source, row_of
from kaoju.tools.search import Search
from kaoju.tools.threads import in_thread

Per = Literal["passage", "line", "sentence"]
MAX_SOURCES: Final = 200
DEFAULT_K: Final = 5
SCHEMA: Final[Mapping[str, JSON]] = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "maxLength": 2_000, "description": "finds the passages to read"},
        "texts": {
            "type": "array",
            "minItems": 1,
            "maxItems": MAX_SOURCES,
            "items": {
                "anyOf": [
                    {"type": "string"},
                    {
                        "type": "object",
                        "properties": {
                            "text": {"type": "string"},
                            "document_id": {"type": "string"},
                            "title": {"type": "string"},
                            "date": {"type": "string"},
                            "page": {"type": "integer"},
                            "start": {"type": "integer"},
                        },
                        "required": ["text"],
                        "additionalProperties": False,
                    },
                ]
            },
            "description": "passages to read; without them the query's passages are searched",
        },
        "k": {"type": "integer", "minimum": 1, "maximum": 50},
        "now": {"type": "string", "format": "date"},
    },
    "anyOf": [{"required": ["query"]}, {"required": ["texts"]}],
    "additionalProperties": False,
}
"""What the tool takes."""


class Extract:
    """One schema of fields as a tool."""

    def __init__(
        self,
        spec: ToolSpec,
        fields: Sequence[Field],
        *,
        per: Per = "passage",
        search: Search | None = None,
        model: Callable[[], ChatModel | None] | None = None,
        k: int = DEFAULT_K,
    ) -> None:
        """Serve `spec`.

        Args:
            spec: The contract.
            fields: What a row has.
            per: What makes one row: a passage, a line or a sentence.
            search: Finds the passages of a query; without it, calls bring texts.
            model: Gives the model that reads what rules do not, or None.
            k: Passages that a query reads.
        """
        self.spec = spec
        self._fields = tuple(fields)
        self._per = per
        self._search = search
        self._model = model
        self._k = k

    async def run(self, call: ToolCall) -> ToolOutcome:
        """Read once."""
        query = text_of(call.arguments)
        try:
            sources = await self._sources(call, query)
        except OperationError as error:
            return Failed(
                code="UPSTREAM_5XX", message=error.say(say(query, zh="zh", en="en")), retryable=True
            )
        if isinstance(sources, Failed):
            return sources
        stated = text_of(call.arguments, "now")
        now = date.fromisoformat(stated) if stated else None
        rows: list[Evidence] = []
        notes: list[str] = []
        for source in sources:
            for unit in self._units(source):
                found = await self._read(unit, now, notes)
                if found and self._worth(found):
                    rows.append(row_of(unit, self._fields, found, call, self.spec.name))
        if not rows:
            notes.append(
                say(
                    query,
                    zh=f"读了 {len(sources)} 段，没有找到这些字段",
                    en=f"{len(sources)} passages read, none has these fields",
                )
            )
        return Succeeded(
            evidence=tuple(rows),
            confidence=max((row.confidence for row in rows), default=0.0),
            notes=tuple(dict.fromkeys(notes)),
        )

    def _worth(self, found: Mapping[str, Found]) -> bool:
        """Return whether there is enough for a row: a required field where there are any."""
        required = [field.name for field in self._fields if field.required]
        return not required or any(name in found for name in required)

    async def _sources(self, call: ToolCall, query: str) -> tuple[Source, ...] | Failed:
        texts = call.arguments.get("texts")
        if isinstance(texts, list):
            return tuple(_given(item, number) for number, item in enumerate(texts, 1))
        search = self._search
        if search is None:
            return Failed(
                code="NOT_CONFIGURED",
                message=say(
                    query,
                    zh="没有知识库可检索，请给出 texts",
                    en="there is no knowledge base to search; give texts",
                ),
                retryable=False,
                field="texts",
            )
        asked = call.arguments.get("k")
        k = asked if isinstance(asked, int) else self._k
        passages = await in_thread(lambda: tuple(search(query, k, "semantic")))
        return tuple(
            Source(
                text=one.text,
                document_id=one.document_id,
                title=one.title,
                locator=one.locator,
                date=one.date,
                chunk_id=one.chunk_id,
                score=one.score,
            )
            for one in passages
        )

    def _units(self, source: Source) -> list[Source]:
        if self._per == "passage":
            return [source]
        if self._per == "sentence":
            return [source.part(span.start, span.end) for span in sentences(source.text)]
        units, start = [], 0
        for line in source.text.splitlines(keepends=True):
            kept = line.rstrip()
            if kept:
                units.append(source.part(start, start + len(kept)))
            start += len(line)
        return units

    async def _read(self, source: Source, now: date | None, notes: list[str]) -> dict[str, Found]:
        reference = now or _day(source.date)
        found: dict[str, Found] = {}
        for field in self._fields:
            others = [other for other in self._fields if other is not field]
            if one := read(field, source.text, others, reference):
                found[field.name] = one
        left = [field for field in self._fields if field.name not in found]
        model = self._model() if self._model else None
        if not left or model is None:
            return found
        try:
            asked = await ask(model, left, source.text, reference)
        except ModelError as error:
            notes.append(_named(error, source.text))
            return found
        notes.extend(
            say(
                source.text,
                zh=f"模型给出的 {name}“{value}”不在原文中，已舍弃",
                en=f"the model's {name} {value!r} does not stand in the passage and was dropped",
            )
            for name, value in asked.dropped
        )
        return {**found, **asked.found}


def _named(error: KaojuError, about: str) -> str:
    return error.say(say(about, zh="zh", en="en"))


def _day(stated: str | None) -> date | None:
    try:
        return date.fromisoformat(stated) if stated else None
    except ValueError:
        return None


def _given(item: JSON, number: int) -> Source:
    body: Mapping[str, JSON] = item if isinstance(item, dict) else {"text": item}
    text = str(body.get("text", ""))
    start, page = body.get("start"), body.get("page")
    begin = start if isinstance(start, int) else 0
    name = str(body.get("document_id") or f"text:{number}")
    stated = body.get("date")
    return Source(
        text=text,
        document_id=name,
        title=str(body.get("title") or name),
        locator=Locator(page=page if isinstance(page, int) else None, start=begin, end=begin + len(text)),
        date=str(stated) if stated else None,
    )
